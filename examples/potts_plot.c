/* SPDX-License-Identifier: BSD-3-Clause */
/* The data, and the pictures that gnuplot draws from them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "gnuplot.h"
#include "potts.h"

static const char *const colours[] = {"#4477aa", "#228833", "#ccbb44", "#ee6677", "#aa3377"};

int potts_write_curves(const potts_curve *curves, int count)
{
    outfile data = outfile_open(POTTS_DATA);

    for (int i = 0; data.file && i < count; i++) {
        const potts_curve *c = &curves[i];

        fprintf(data.file,
                "%s# %d dimensions, L = %" PRId64 "\n# temperature, then of energy, specific heat "
                "and Binder cumulant: mean, error, exact\n",
                i ? "\n\n" : "", c->dims, c->size);
        for (int t = 0; t < POTTS_TEMPS; t++) {
            fprintf(data.file, "%.2f", c->temperature[t]);
            for (int q = 0; q < POTTS_QUANTITIES; q++)
                fprintf(data.file, "  %.8f %.8f %.8f", c->found[q][t].value, c->found[q][t].error,
                        c->exact[q][t]);
            fprintf(data.file, "\n");
        }
    }
    return outfile_close(&data, 1);
}

int potts_write_histogram(const potts_phases *phases)
{
    outfile data = outfile_open(POTTS_HISTOGRAM);
    const double sites = POTTS_SIDE * POTTS_SIDE;

    if (data.file)
        fprintf(data.file, "# energy per site, share of the measurements\n");
    for (int b = 0; data.file && b < POTTS_BINS; b++)
        fprintf(data.file, "%.8f %.8f\n", -(POTTS_BIN * b + (POTTS_BIN - 1) / 2.0) / sites,
                phases->count[b] / (double)(phases->replicas * phases->records));
    return outfile_close(&data, 1);
}

/* Returns how many smaller sizes of the same dimensions stand before a curve. */
static int place_of(const potts_curve *curves, int curve)
{
    int place = 0;

    for (int i = 0; i < curve; i++)
        place += curves[i].dims == curves[curve].dims;
    return place;
}

/* Plots a quantity of all sizes of as many dimensions: points, and the exact curve if there is one.
 * Large lattices come first and have large points. So those of small lattices, which lie upon them
 * far from the transition, do not hide them. */
static void plot(FILE *gnuplot, const potts_curve *curves, int count, int dims, int quantity)
{
    const int column = 2 + 3 * quantity;
    const char *before = "plot";

    for (int i = count - 1; i >= 0; i--) {
        const potts_curve *c = &curves[i];
        const int place = place_of(curves, i);

        if (c->dims != dims)
            continue;
        fprintf(gnuplot,
                "%s '" POTTS_DATA "' index %d using 1:%d:%d with yerrorbars pt 7 ps %.2f lc rgb "
                "'%s' title 'L = %" PRId64 "'",
                before, i, column, column + 1, 0.45 + 0.3 * place, colours[place], c->size);
        if (isfinite(c->exact[quantity][0]))
            fprintf(gnuplot, ", '' index %d using 1:%d with lines lc rgb '%s' notitle", i,
                    column + 2, colours[place]);
        before = ",";
    }
    fprintf(gnuplot, "\n");
}

int potts_draw_curves(const potts_curve *curves, int count)
{
    static const char *const titles[] = {"energy per site", "specific heat", "Binder cumulant"};
    gnuplot g;

    if (!gnuplot_open(&g, POTTS_CURVES, 1800, 1200))
        return 0;
    if (g.commands) {
        fprintf(
            g.commands,
            "set grid lc rgb '#dddddd'\nset bars 0\nset multiplot layout 2,3 title 'Potts model "
            "with q = 2 as Ising spins; lines are exact'\n");
        for (int dims = 2; dims <= 3; dims++)
            for (int q = 0; q < POTTS_QUANTITIES; q++) {
                fprintf(g.commands,
                        "set key %s invert\nset yrange %s\nset xlabel 'temperature T  [J/k_B], %d "
                        "dimensions'\n"
                        "set ylabel '%s'\n",
                        q == POTTS_ENERGY ? "bottom right" : "top right",
                        q == POTTS_BINDER ? "[-0.2:1.2]" : "[*:*]", dims, titles[q]);
                plot(g.commands, curves, count, dims, q);
            }
        fprintf(g.commands, "unset multiplot\n");
    }
    return gnuplot_close(&g) ? 1 : -1;
}

int potts_draw_histogram(const potts_phases *p)
{
    gnuplot g;

    if (!gnuplot_open(&g, POTTS_PEAKS, 1200, 800))
        return 0;
    if (g.commands)
        fprintf(g.commands,
                "set grid lc rgb '#dddddd'\nset xlabel 'energy per site'\n"
                "set ylabel 'share of the measurements'\nset xrange [-2:-0.5]\nset key top center\n"
                "set title 'Potts model with q = 10, %d squared, at T = 1/ln(1 + \342\210\23210): "
                "latent heat %.4f \302\261 %.4f, exactly %.4f'\n"
                "set arrow 1 from %.8f,graph 0 to %.8f,graph 1 nohead dt 2\n"
                "set arrow 2 from %.8f,graph 0 to %.8f,graph 1 nohead dt 2\n"
                "plot '" POTTS_HISTOGRAM "' using 1:2 with histeps lw 2 lc rgb '%s' title "
                "'measured', 1/0 with lines dt 2 lc rgb '#000000' title 'both phases, exactly'\n",
                POTTS_SIDE, p->latent, p->latent_error, POTTS_DISORDERED - POTTS_ORDERED,
                POTTS_ORDERED, POTTS_ORDERED, POTTS_DISORDERED, POTTS_DISORDERED, colours[0]);
    return gnuplot_close(&g) ? 1 : -1;
}
