/* SPDX-License-Identifier: BSD-3-Clause */
#include "binder_plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "gnuplot.h"

static const char *const colours[BINDER_SIZES] = {"#4477aa", "#228833", "#ccbb44",
                                                  "#ee6677", "#aa3377", "#332288"};

static void print_curve(FILE *file, const binder_curve *c)
{
    fprintf(file, "# L = %" PRId64 "\n# temperature  U4  error  fit\n", c->size);
    for (int t = 0; t < BINDER_TEMPS; t++)
        fprintf(file, "%.10f %.8f %.8f %.8f\n", c->temperature[t], c->u4[t], c->error[t],
                binder_value(c, c->temperature[t]));
}

int binder_write_data(const binder_curve *curves, int count)
{
    outfile data = outfile_open(BINDER_DATA);

    for (int i = 0; data.file && !ferror(data.file) && i < count; i++) {
        fprintf(data.file, "%s", i ? "\n\n" : "");
        print_curve(data.file, &curves[i]);
    }
    return outfile_close(&data, 1);
}

/* What both parts of the picture share. */
static void set_up(FILE *gnuplot, const binder_curve *curves, int count)
{
    fprintf(gnuplot, "set samples 400\n"
                     "set grid lc rgb '#dddddd'\n"
                     "set multiplot\n");
    for (int i = 0; i < count; i++) {
        const binder_curve *c = &curves[i];

        fprintf(gnuplot, "x%d(T) = (T / %.10f - 1) * %" PRId64 "\nf%d(T) = ", i, c->centre, c->size,
                i);
        for (int k = 0; k < BINDER_TERMS; k++)
            fprintf(gnuplot, "%s%.10e * x%d(T)**%d", k ? " + " : "", c->fit[k], i, k);
        fprintf(gnuplot, "\n");
    }
}

/* A grey band for the result, a dashed line for the exact value; legend() explains both. */
static void mark_tc(FILE *gnuplot, const binder_result *r, double exact)
{
    fprintf(gnuplot,
            "set object 9 rectangle from %.8f,graph 0 to %.8f,graph 1 fc rgb '#bbbbbb' "
            "fs solid 0.6 noborder behind\n"
            "set arrow 1 from %.8f,graph 0 to %.8f,graph 1 nohead dt 2 lc rgb '#000000'\n",
            r->tc - r->error, r->tc + r->error, exact, exact);
}

static void plot(FILE *gnuplot, const binder_curve *curves, int count, const char *title)
{
    for (int i = 0; i < count; i++)
        fprintf(gnuplot,
                "%s '%s' index %d using 1:2:3 with yerrorbars pt 7 ps 0.7 lc rgb '%s' "
                "%s 'L = %" PRId64 "', [%.8f:%.8f] f%d(x) with lines lc rgb '%s' notitle",
                i ? "," : "plot", BINDER_DATA, i, colours[i], title, curves[i].size,
                curves[i].temperature[0], curves[i].temperature[BINDER_TEMPS - 1], i, colours[i]);
}

/* What is no curve of a size, in words. */
static void legend(FILE *gnuplot, const binder_result *r, double exact)
{
    fprintf(gnuplot,
            ", NaN with lines lc rgb '#555555' title 'lines: polynomial fits, degree %d'"
            ", NaN with boxes fs solid 0.6 noborder lc rgb '#bbbbbb' "
            "title 'band, found: T_c = %.5f \302\261 %.5f (1 \317\203)'"
            ", NaN with lines dt 2 lc rgb '#000000' title 'exact: T_c = %.6f (Onsager)'",
            BINDER_TERMS - 1, r->tc, r->error, exact);
}

/* Leaves room for the inset above the curves. */
static void print_range(FILE *gnuplot, const binder_curve *curves, int count)
{
    double low = 1, high = 0;

    for (int i = 0; i < count; i++)
        for (int t = 0; t < BINDER_TEMPS; t++) {
            low = fmin(low, curves[i].u4[t] - curves[i].error[t]);
            high = fmax(high, curves[i].u4[t] + curves[i].error[t]);
        }
    fprintf(gnuplot, "set xrange [%.8f:%.8f]\nset yrange [%.8f:%.8f]\n",
            curves[0].temperature[0] - 0.005, curves[0].temperature[BINDER_TEMPS - 1] + 0.005,
            low - 0.05 * (high - low), high + 0.7 * (high - low));
}

static void draw_all(FILE *gnuplot, const binder_curve *curves, int count, const binder_result *r,
                     double exact)
{
    fprintf(gnuplot,
            "set title 'Binder cumulants of the 2D Ising model, L x L sites, periodic'\n"
            "set xlabel 'temperature T  [J/k_B]'\n"
            "set ylabel 'U_4 = 1 - \342\237\250m^4\342\237\251 / 3\342\237\250m^2\342\237\251^2'\n"
            "set key left bottom reverse Left samplen 2\n");
    print_range(gnuplot, curves, count);
    plot(gnuplot, curves, count, "title");
    legend(gnuplot, r, exact);
    fprintf(gnuplot, "\n");
}

/* The neighbourhood of T_c, as wide as a third of the largest size's window. */
static void draw_inset(FILE *gnuplot, const binder_curve *curves, int count, const binder_result *r,
                       double exact)
{
    const binder_curve *c = &curves[count - 1];
    const double half = (c->temperature[BINDER_TEMPS - 1] - c->temperature[0]) / 6;

    fprintf(gnuplot,
            "set origin 0.53,0.50\n"
            "set size 0.44,0.42\n"
            "set object 2 rectangle from graph -0.16,-0.12 to graph 1.03,1.04 fc rgb 'white' "
            "fs solid noborder behind\n"
            "unset title\nunset xlabel\nunset ylabel\nunset key\n"
            "set label 2 'exact' at %.8f,graph 0.07 right offset -0.5,0\n"
            "set label 3 'found' at %.8f,graph 0.07 left offset 0.5,0\n"
            "set xrange [%.8f:%.8f]\n"
            "set yrange [f%d(%.8f):f%d(%.8f)]\n"
            "set xtics %.3f\n",
            fmin(exact, r->tc - r->error), fmax(exact, r->tc + r->error), exact - half,
            exact + half, count - 1, exact + half, count - 1, exact - half,
            half > 0.002 ? 0.004 : 0.001);
    plot(gnuplot, curves, count, "notitle");
    fprintf(gnuplot, "\n");
}

int binder_draw(const binder_curve *curves, int count, const binder_result *result, double exact)
{
    gnuplot g;

    if (!gnuplot_open(&g, BINDER_PICTURE, 1200, 800))
        return 0;
    if (g.commands) {
        set_up(g.commands, curves, count);
        mark_tc(g.commands, result, exact);
        draw_all(g.commands, curves, count, result, exact);
        draw_inset(g.commands, curves, count, result, exact);
    }
    return gnuplot_close(&g) ? 1 : -1;
}
