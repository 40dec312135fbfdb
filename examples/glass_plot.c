/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the data of the +-J spin glass and has gnuplot draw them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "glass.h"
#include "gnuplot.h"

static const char *const colours[GLASS_SIZES] = {"#4477aa", "#228833", "#ccbb44",
                                                 "#ee6677", "#aa3377", "#332288"};

/* ---- the data: a block of lines for each size, then one of the crossings */

static void print_size(FILE *file, const glass_size *g)
{
    fprintf(file, "# L = %" PRId64 ", %" PRId64 " samples%s\n# T", g->size, g->samples,
            g->thermalized ? "" : ", not in equilibrium");
    for (int q = 0; q < GLASS_QUANTITIES; q++)
        fprintf(file, "  %s error", glass_names[q]);
    fprintf(file, "\n");
    for (int t = 0; t < g->steps; t++) {
        fprintf(file, "%.8f", g->temperature[t]);
        for (int q = 0; q < GLASS_QUANTITIES; q++)
            fprintf(file, " %.8g %.3g", g->estimate[t][q].value, g->estimate[t][q].error);
        fprintf(file, "\n");
    }
}

int glass_write_data(const glass_size *sizes, int count, const glass_crossing *crossings)
{
    outfile data = outfile_open(GLASS_DATA);

    for (int i = 0; data.file && !ferror(data.file) && i < count; i++) {
        fprintf(data.file, "%s", i ? "\n\n" : "");
        print_size(data.file, &sizes[i]);
    }
    if (data.file)
        fprintf(data.file, "\n\n# where xi/L of two sizes cross\n# L  larger L  T error  xi/L\n");
    for (int i = 0; data.file && !ferror(data.file) && i + 1 < count; i++)
        fprintf(data.file, "%" PRId64 " %" PRId64 " %.8g %.3g %.8g\n", crossings[i].size,
                crossings[i].larger, crossings[i].temperature.value, crossings[i].temperature.error,
                crossings[i].length);
    return outfile_close(&data, 1);
}

/* ---- the picture */

/* The literature's transition, as wide as its error. */
static void mark(FILE *gnuplot)
{
    fprintf(gnuplot,
            "set object 1 rectangle from %.4f,graph 0 to %.4f,graph 1 fc rgb '#bbbbbb' "
            "fs solid 0.6 noborder behind\n",
            GLASS_TC - GLASS_TC_ERROR, GLASS_TC + GLASS_TC_ERROR);
}

static void plot_sizes(FILE *gnuplot, const glass_size *sizes, int count, glass_quantity q)
{
    for (int i = 0; i < count; i++)
        fprintf(gnuplot,
                "%s '%s' index %d using 1:%d with lines lw 1 lc rgb '%s' notitle, "
                "'' index %d using 1:%d:%d with yerrorbars pt %d ps 0.9 lc rgb '%s' "
                "title 'L = %" PRId64 ", %" PRId64 " samples%s'",
                i ? "," : "plot", GLASS_DATA, i, 2 * q + 2, colours[i], i, 2 * q + 2, 2 * q + 3,
                sizes[i].thermalized ? 7 : 6, colours[i], sizes[i].size, sizes[i].samples,
                sizes[i].thermalized ? "" : ", not in equilibrium");
}

/* What is no curve of a size. */
static void plot_rest(FILE *gnuplot, int count, const glass_crossing *crossings)
{
    int crossed = 0;

    for (int i = 0; i + 1 < count; i++)
        crossed += isfinite(crossings[i].temperature.value);
    if (crossed)
        fprintf(gnuplot,
                ", '%s' index %d using 3:5:4 with xerrorbars pt 4 ps 1.6 lw 2 lc rgb '#000000' "
                "title 'crossings'",
                GLASS_DATA, count);
    fprintf(gnuplot,
            ", NaN with boxes fs solid 0.6 noborder lc rgb '#bbbbbb' "
            "title 'T_c = %.4f \302\261 %.4f (literature)'",
            GLASS_TC, GLASS_TC_ERROR);
}

int glass_draw(const glass_size *sizes, int count, const glass_crossing *crossings)
{
    const double low = sizes[0].temperature[0], high = sizes[0].temperature[sizes[0].steps - 1];
    const double edge = 0.03 * (high - low);
    gnuplot g;

    if (!gnuplot_open(&g, GLASS_PICTURE, 1400, 760))
        return 0;
    if (g.commands) {
        fprintf(g.commands,
                "set grid lc rgb '#dddddd'\nset xrange [%.8f:%.8f]\nset yrange [0:*]\n"
                "set xtics nomirror\nset xlabel 'temperature T  [J/k_B]'\n"
                "set key right top reverse Left samplen 2 font ',13'\n"
                "set multiplot layout 1,2 title '3D \302\261J spin glass, L x L x L sites, "
                "periodic; errors: bootstrap by samples; lines: guides to the eye'\n",
                low - edge, high + edge);
        mark(g.commands);
        fprintf(g.commands, "set ylabel 'correlation length \316\276_L / L'\n");
        plot_sizes(g.commands, sizes, count, GLASS_LENGTH);
        plot_rest(g.commands, count, crossings);
        fprintf(g.commands,
                "\nset yrange [*<0:*]\nset ylabel 'g = (3 - \342\237\250q^4\342\237\251 / "
                "\342\237\250q^2\342\237\251^2) / 2'\n");
        plot_sizes(g.commands, sizes, count, GLASS_BINDER);
        fprintf(g.commands, "\nunset multiplot\n");
    }
    return gnuplot_close(&g) ? 1 : -1;
}
