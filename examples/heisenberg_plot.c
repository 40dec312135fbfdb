/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the data of the Heisenberg spin glass and has gnuplot draw them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "gnuplot.h"
#include "heisenberg.h"

/* Columns of the data after T and the acceptance, each followed by its error. */
static const heisenberg_quantity shown[] = {
    HEISENBERG_ENERGY,  HEISENBERG_OF_LINKS, HEISENBERG_DIFFERENCE, HEISENBERG_LENGTH,
    HEISENBERG_TENSOR2, HEISENBERG_BINDER,   HEISENBERG_LINK,       HEISENBERG_SELF_LINK};

enum {
    SHOWN = sizeof shown / sizeof shown[0],
    ACCEPTANCE = 2,
    ENERGY = 3,
    OF_LINKS = 5,
    LENGTH = 9
};

static const char *const colours[HEISENBERG_SIZES] = {"#4477aa", "#ee6677", "#228833", "#aa3377"};

static void write_size(FILE *file, const heisenberg *h)
{
    fprintf(file,
            "# L = %" PRId64 ", %" PRId64 " samples, the last bin of %" PRId64
            " rounds\n# T  exchanged with the next",
            h->size, h->samples, h->end[h->done - 1]);
    for (int k = 0; k < SHOWN; k++)
        fprintf(file, "  %s error", heisenberg_name(shown[k]));
    fprintf(file, "\n");
    for (int64_t t = 0; t < h->ladder; t++) {
        fprintf(file, "%.8f %.6g", h->temperature[t],
                t + 1 < h->ladder ? h->acceptance[t] : (double)NAN);
        for (int k = 0; k < SHOWN; k++) {
            const latmc_estimate *e = heisenberg_find(h, h->done - 1, t, shown[k]);

            fprintf(file, " %.8g %.3g", e->value, e->error);
        }
        fprintf(file, "\n");
    }
}

int heisenberg_write_data(const heisenberg *sizes, int count)
{
    outfile data = outfile_open(HEISENBERG_DATA);

    for (int i = 0; data.file && !ferror(data.file) && i < count; i++) {
        fprintf(data.file, "%s", i ? "\n\n" : "");
        write_size(data.file, &sizes[i]);
    }
    return outfile_close(&data, 1);
}

/* Points with errors and thin lines between them, which guide the eye. */
static void plot_curve(FILE *gnuplot, const heisenberg *h, int i, int value, const char *first)
{
    fprintf(gnuplot,
            "%s '" HEISENBERG_DATA "' index %d using 1:%d with lines lw 1 lc rgb '%s' notitle, "
            "'' index %d using 1:%d:%d with yerrorbars pt 7 ps 0.8 lc rgb '%s' title 'L = %" PRId64
            "'",
            first, i, value, colours[i], i, value, value + 1, colours[i], h->size);
}

/* The energy as filled points on its line, that of the links as open circles around them. */
static void plot_energies(FILE *gnuplot, const heisenberg *sizes, int count)
{
    fprintf(gnuplot, "set key bottom right\nset ylabel 'energy per spin'\n");
    for (int i = 0; i < count; i++) {
        plot_curve(gnuplot, &sizes[i], i, ENERGY, i ? "," : "plot");
        fprintf(gnuplot,
                ", '' index %d using 1:%d:%d with yerrorbars pt 6 ps 1.6 lc rgb '%s' "
                "title 'L = %" PRId64 ", by the identity'",
                i, OF_LINKS, OF_LINKS + 1, colours[i], sizes[i].size);
    }
    fprintf(gnuplot, "\n");
}

static void plot_lengths(FILE *gnuplot, const heisenberg *sizes, int count)
{
    fprintf(gnuplot, "set key top right\nset yrange [0:*]\nset ylabel '\316\276_L / L'\n");
    for (int i = 0; i < count; i++)
        plot_curve(gnuplot, &sizes[i], i, LENGTH, i ? "," : "plot");
    fprintf(gnuplot, "\n");
}

static void plot_acceptances(FILE *gnuplot, const heisenberg *sizes, int count)
{
    fprintf(gnuplot, "set key bottom right\nset yrange [0:1]\nset xlabel 'T'\n"
                     "set ylabel 'exchanged with the next'\n");
    for (int i = 0; i < count; i++)
        fprintf(gnuplot,
                "%s '" HEISENBERG_DATA "' index %d using 1:%d with linespoints pt 7 ps 0.8 "
                "lc rgb '%s' title 'L = %" PRId64 "'",
                i ? "," : "plot", i, ACCEPTANCE, colours[i], sizes[i].size);
    fprintf(gnuplot, "\n");
}

static void write_title(FILE *gnuplot, const heisenberg *sizes, int count)
{
    fprintf(gnuplot, "set title \"Heisenberg spin glass, 3D, Gaussian couplings");
    for (int i = 0; i < count; i++) {
        const int last = sizes[i].done - 1;
        int64_t worst;

        heisenberg_spread(&sizes[i], last, &worst);
        fprintf(gnuplot,
                "\\nL = %" PRId64 ": %" PRId64 " samples, identity within %.1f standard errors "
                "at most, of %" PRId64 " temperatures",
                sizes[i].size, sizes[i].samples, fabs(heisenberg_deviation(&sizes[i], last, worst)),
                sizes[i].ladder);
    }
    fprintf(gnuplot, "\" font ',12'\n");
}

int heisenberg_draw(const heisenberg *sizes, int count)
{
    gnuplot g;

    if (!gnuplot_open(&g, HEISENBERG_PICTURE, 800, 1200))
        return 0;
    if (g.commands) {
        fprintf(g.commands, "set grid lc rgb '#dddddd'\nset lmargin 11\nset rmargin 2\n"
                            "set xtics nomirror\nset multiplot layout 3,1\n");
        write_title(g.commands, sizes, count);
        plot_energies(g.commands, sizes, count);
        fprintf(g.commands, "unset title\n");
        plot_lengths(g.commands, sizes, count);
        plot_acceptances(g.commands, sizes, count);
        fprintf(g.commands, "unset multiplot\n");
    }
    return gnuplot_close(&g) ? 1 : -1;
}
