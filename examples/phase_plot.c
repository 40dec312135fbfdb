/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "gnuplot.h"
#include "phase.h"

/* Columns of the data and rows of the picture. */
static const struct {
    const char *name, *label, *colour;
} shown[] = {
    {"abs_phi", "\342\237\250|\317\206|\342\237\251", "#4477aa"},
    {"susceptibility", "susceptibility \317\207", "#ee6677"},
    {"binder", "Binder cumulant U_4", "#228833"},
    {"xi", "correlation length \316\276", "#aa3377"},
};

enum { SHOWN = sizeof shown / sizeof shown[0] };

void phase_write_data(const phase_scan *scans, int count)
{
    FILE *file = fopen(PHASE_DATA, "w");

    if (!file)
        cli_fail("%s could not be opened for writing", PHASE_DATA);
    for (int i = 0; i < count; i++) {
        const phase_scan *s = &scans[i];

        fprintf(file, "%s# %s, g = %g, 1/Lambda = %g\n# mu2", i ? "\n\n" : "", s->extents, s->g,
                s->inv_lambda);
        for (int k = 0; k < SHOWN; k++)
            fprintf(file, "  %s error", shown[k].name);
        fprintf(file, "\n");
        for (int64_t r = 0; r < s->r.info.replicas; r++) {
            fprintf(file, "%.8f", s->mu2[r]);
            for (int k = 0; k < SHOWN; k++) {
                const latmc_estimate *e = results_find(&s->r, r, shown[k].name);

                fprintf(file, " %.8g %.3g", e->value, e->error);
            }
            fprintf(file, "\n");
        }
    }
    if (ferror(file) | fclose(file))
        cli_fail("%s could not be written", PHASE_DATA);
}

/* 1, 2 or 5 times a power of ten, not above `most`. */
static double round_step(double most)
{
    const double power = pow(10, floor(log10(most)));

    return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

/* Lines across all parts of a column: where the transition is, and what is known there. */
static void mark(FILE *gnuplot, const phase_scan *s, int row)
{
    const double edge = (s->to - s->from) * 0.03;

    fprintf(gnuplot,
            "unset arrow\nunset label\nunset logscale\nset xrange [%.8f:%.8f]\nset xtics %g\n",
            s->from - edge, s->to + edge, round_step((s->to - s->from) / 3));
    if (isfinite(s->transition))
        fprintf(gnuplot,
                "set arrow 1 from %.8f,graph 0 to %.8f,graph 1 nohead dt 2 lc rgb '#000000'\n",
                s->transition, s->transition);
    if (row == 2 && isfinite(s->critical))
        fprintf(gnuplot,
                "set arrow 2 from graph 0,first %.5f to graph 1,first %.5f nohead dt 3 "
                "lc rgb '#777777'\n"
                "set label 1 '%.4f' at graph 0.98,first %.5f right offset 0,0.6\n",
                s->critical, s->critical, s->critical, s->critical);
    if (row == 3)
        fprintf(gnuplot,
                "set logscale y\n"
                "set arrow 2 from graph 0,first %" PRId64 " to graph 1,first %" PRId64
                " nohead dt 3 lc rgb '#777777'\n"
                "set label 1 '\316\276 = L' at graph 0.98,first %" PRId64 " right offset 0,0.6\n",
                s->r.info.extents[0], s->r.info.extents[0], s->r.info.extents[0]);
}

static void write_title(FILE *gnuplot, const phase_scan *s)
{
    fprintf(gnuplot, "set title \"%s, g = %g, 1/\316\233 = %g", s->extents, s->g, s->inv_lambda);
    if (isfinite(s->transition))
        fprintf(gnuplot, ": \316\274^2_c = %.4f \302\261 %.4f", s->transition, s->error);
    fprintf(gnuplot, "\" font ',13'\n");
}

int phase_draw(const phase_scan *scans, int count)
{
    FILE *gnuplot = gnuplot_open(PHASE_PICTURE, 640 * count, 1400);

    if (!gnuplot)
        return 0;
    fprintf(gnuplot,
            "set grid lc rgb '#dddddd'\nunset key\nset lmargin 11\nset rmargin 2\n"
            "set xtics nomirror\nset multiplot layout %d,%d columnsfirst\n",
            (int)SHOWN, count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < SHOWN; k++) {
            mark(gnuplot, &scans[i], k);
            if (k)
                fprintf(gnuplot, "unset title\n");
            else
                write_title(gnuplot, &scans[i]);
            fprintf(gnuplot, "set xlabel '%s'\nset ylabel '%s'\n",
                    k == SHOWN - 1 ? "\316\274^2" : "", shown[k].label);
            fprintf(gnuplot,
                    "plot '%s' index %d using 1:%d with lines lw 1 lc rgb '%s', "
                    "'' index %d using 1:%d:%d with yerrorbars pt 7 ps 0.8 lc rgb '%s'\n",
                    PHASE_DATA, i, 2 * k + 2, shown[k].colour, i, 2 * k + 2, 2 * k + 3,
                    shown[k].colour);
        }
    fprintf(gnuplot, "unset multiplot\n");
    return gnuplot_close(gnuplot);
}
