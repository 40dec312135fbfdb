/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the data of the phi^4 model and has gnuplot draw them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gnuplot.h"
#include "phase.h"

/* Columns of the data and rows of the picture. */
static const struct {
    int what;
    const char *label, *colour;
} shown[] = {
    {LATMC_ROLE_ABS_ORDER, "\342\237\250|\317\206|\342\237\251", "#4477aa"},
    {RESULT_SUSCEPTIBILITY, "susceptibility \317\207", "#ee6677"},
    {RESULT_BINDER, "Binder cumulant U_4", "#228833"},
    {RESULT_LENGTH, "correlation length \316\276", "#aa3377"},
};

enum { SHOWN = sizeof shown / sizeof shown[0] };

/* Its last column is 1 where xi is a correlation length. */
static void print_scan(FILE *file, const phase_scan *s)
{
    fprintf(file, "# %s, g = %g, 1/Lambda = %g\n# mu2", s->extents, s->g, s->inv_lambda);
    for (int k = 0; k < SHOWN; k++)
        fprintf(file, "  %s error", results_name(&s->r, shown[k].what));
    fprintf(file, "  xi is a length\n");
    for (int64_t r = 0; r < s->r.info.replicas; r++) {
        fprintf(file, "%.8f", s->mu2[r]);
        for (int k = 0; k < SHOWN; k++) {
            const latmc_estimate *e = results_find(&s->r, r, shown[k].what);

            fprintf(file, " %.8g %.3g", e->value, e->error);
        }
        fprintf(file, " %d\n", phase_has_length(s, r));
    }
}

int phase_write_data(const phase_scan *scans, int count)
{
    outfile data = outfile_open(PHASE_DATA);

    for (int i = 0; data.file && !ferror(data.file) && i < count; i++) {
        fprintf(data.file, "%s", i ? "\n\n" : "");
        print_scan(data.file, &scans[i]);
    }
    return outfile_close(&data, 1);
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
    if (row == 0)
        fprintf(gnuplot, "set label 1 'lines between points: guides to the eye' "
                         "at graph 0.95,graph 0.9 right font ',11'\n");
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
    if (row == 3 && isfinite(s->transition))
        fprintf(gnuplot,
                "set label 2 'grey: ordered phase, where \316\276 is no correlation length' "
                "at graph 0.02,graph 0.08 left font ',11'\n");
}

static void write_title(FILE *gnuplot, const phase_scan *s)
{
    fprintf(gnuplot, "set title \"\317\206^4 %s, g = %g, 1/\316\233 = %g", s->extents, s->g,
            s->inv_lambda);
    if (isfinite(s->transition))
        fprintf(gnuplot, "\\nU_4 = %.4f at \316\274^2 = %.4f \302\261 %.4f\\n(%s)", s->critical,
                s->transition, s->error,
                s->doubtful
                    ? "statistical, of this one lattice; series too short for it to be trusted"
                    : "statistical, of this one lattice; without corrections to scaling");
    fprintf(gnuplot, "\" font ',12'\n");
}

/* One quantity: points with their errors, and thin lines between them as guides to the eye. xi of
 * the ordered phase is grey, since it is no length there. */
static void plot(FILE *gnuplot, const phase_scan *s, int scan, int k)
{
    const int value = 2 * k + 2, flag = 2 * SHOWN + 2;

    fprintf(gnuplot, "set xlabel '%s'\nset ylabel '%s'\n", k == SHOWN - 1 ? "\316\274^2" : "",
            shown[k].label);
    if (shown[k].what != RESULT_LENGTH || !isfinite(s->transition)) {
        fprintf(gnuplot,
                "plot '%s' index %d using 1:%d with lines lw 1 lc rgb '%s', "
                "'' index %d using 1:%d:%d with yerrorbars pt 7 ps 0.8 lc rgb '%s'\n",
                PHASE_DATA, scan, value, shown[k].colour, scan, value, value + 1, shown[k].colour);
        return;
    }
    for (int length = 0; length < 2; length++)
        fprintf(
            gnuplot,
            "%s '%s' index %d using 1:($%d == %d ? $%d : NaN) with lines lw 1 dt %d lc rgb '%s', "
            "'' index %d using 1:($%d == %d ? $%d : NaN):%d with yerrorbars pt %d ps 0.8 "
            "lc rgb '%s'",
            length ? "," : "plot", PHASE_DATA, scan, flag, length, value, length ? 1 : 2,
            length ? shown[k].colour : "#aaaaaa", scan, flag, length, value, value + 1,
            length ? 7 : 6, length ? shown[k].colour : "#aaaaaa");
    fprintf(gnuplot, "\n");
}

int phase_draw(const phase_scan *scans, int count)
{
    gnuplot g;

    if (!gnuplot_open(&g, PHASE_PICTURE, 640 * count, 1440))
        return 0;
    if (g.commands) {
        fprintf(g.commands,
                "set grid lc rgb '#dddddd'\nunset key\nset lmargin 11\nset rmargin 2\n"
                "set xtics nomirror\nset multiplot layout %d,%d columnsfirst\n",
                (int)SHOWN, count);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < SHOWN; k++) {
                mark(g.commands, &scans[i], k);
                if (k)
                    fprintf(g.commands, "unset title\n");
                else
                    write_title(g.commands, &scans[i]);
                plot(g.commands, &scans[i], i, k);
            }
        fprintf(g.commands, "unset multiplot\n");
    }
    return gnuplot_close(&g) ? 1 : -1;
}
