/* SPDX-License-Identifier: BSD-3-Clause */
/* The data, and the picture of the curves that gnuplot draws from them. */
#include "xy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "gnuplot.h"

static const char *const colours[XY_SIZES] = {"#4477aa", "#228833", "#ee6677"};

int xy_write_data(const xy_curve *curves, int count, const xy_fit *fit)
{
    outfile data = outfile_open(XY_DATA);

    for (int i = 0; data.file && i < count; i++) {
        const xy_curve *c = &curves[i];

        fprintf(data.file, "%s# L = %" PRId64 "\n# temperature  helicity  error  vortices  error\n",
                i ? "\n\n" : "", c->size);
        for (int t = 0; t < XY_TEMPS; t++)
            fprintf(data.file, "%.8f %.8f %.8f %.8f %.8f\n", c->temperature[t],
                    c->helicity[t].value, c->helicity[t].error, c->vortices[t].value,
                    c->vortices[t].error);
    }
    if (data.file) { /* the jump at the crossings, by ln L */
        fprintf(data.file, "\n\n# crossings\n# L  temperature  error\n");
        for (int i = 0; i < count; i++)
            fprintf(data.file, "%" PRId64 " %.8f %.8f\n", curves[i].size, curves[i].crossing,
                    curves[i].error);
        fprintf(data.file, "\n\n# fit\n# T_KT  error  C  chi2\n%.8f %.8f %.8f %.8f\n",
                fit->temperature, fit->error, fit->c, fit->chi2);
    }
    return outfile_close(&data, 1);
}

/* The fit's error as a grey band, the known value as a dashed line, the universal jump. */
static void set_up(FILE *gnuplot, const xy_fit *fit)
{
    fprintf(
        gnuplot,
        "set grid lc rgb '#dddddd'\nset samples 200\nset xrange [0.69:1.11]\n"
        "set xlabel 'temperature T  [J/k_B]'\nset ylabel 'helicity modulus \316\245  [J]'\n"
        "set key right top reverse Left samplen 2 opaque\nset yrange [:1.1]\n"
        "set title 'XY model in two dimensions: \316\245 jumps from 2T/\317\200 to 0 at T_{KT}'\n"
        "set arrow 1 from %.5f,graph 0 to %.5f,graph 1 nohead dt 2 lc rgb '#000000'\n"
        "set label 1 'T_{KT} = %.5f' at %.5f,graph 0.04 left offset 0.6,0\n",
        XY_KNOWN, XY_KNOWN, XY_KNOWN, XY_KNOWN);
    if (isfinite(fit->temperature))
        fprintf(gnuplot,
                "set object 9 rectangle from %.8f,graph 0 to %.8f,graph 1 fc rgb '#bbbbbb' fs "
                "solid 0.6 noborder behind\n"
                "set label 2 'found: %.4f \302\261 %.4f' at %.5f,graph 0.10 left offset 0.6,0\n",
                fit->temperature - fit->error, fit->temperature + fit->error, fit->temperature,
                fit->error, XY_KNOWN);
}

/* Points with errors, lines between them; dotted: where the fit has each size cross at T_KT. */
static void plot(FILE *gnuplot, const xy_curve *curves, int count, const xy_fit *fit)
{
    fprintf(gnuplot, "plot 2 * x / pi with lines lw 2 lc rgb '#000000' title '2T/\317\200'");
    for (int i = 0; i < count; i++) {
        fprintf(
            gnuplot,
            ", '" XY_DATA "' index %d with lines lc rgb '%s' notitle"
            ", '' index %d using 1:2:3 with yerrorbars pt 7 ps 0.8 lc rgb '%s' title 'L = %" PRId64
            "'",
            i, colours[i], i, colours[i], curves[i].size);
        if (isfinite(fit->c))
            fprintf(gnuplot, ", 2 * x / pi * (1 + 1 / (%.8f)) with lines dt 3 lc rgb '%s' notitle",
                    xy_scale(curves[i].size, fit->c), colours[i]);
    }
    if (isfinite(fit->c))
        fprintf(gnuplot, ", NaN with lines dt 3 lc rgb '#000000' title 'the fit, where each size "
                         "crosses at T_{KT}'");
    fprintf(gnuplot, "\n");
}

int xy_draw(const xy_curve *curves, int count, const xy_fit *fit)
{
    gnuplot g;

    if (!gnuplot_open(&g, XY_PICTURE, 1200, 800))
        return 0;
    if (g.commands) {
        set_up(g.commands, fit);
        plot(g.commands, curves, count, fit);
    }
    return gnuplot_close(&g) ? 1 : -1;
}
