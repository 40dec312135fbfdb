/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture of vortices: where they are, which latmc_observe() only counts. */
#include "xy.h"

#include <math.h>
#include <stdio.h>

#include "gnuplot.h"

/* How often the shorter arc from s to t crosses the negative half of axis 0, by the rule of
 * doc/trajectory-onvector.md: 1 counterclockwise, -1 clockwise. */
static int crosses(const float *s, const float *t)
{
    const double turn = (double)s[0] * (double)t[1] - (double)s[1] * (double)t[0];

    if ((s[1] < 0) == (t[1] < 0))
        return 0;
    return t[1] < 0 ? turn > 0 : -(turn < 0);
}

/* The turns that the angles make around the plaquette whose lower left corner is (x, y), of a
 * periodic lattice: 1 a vortex, -1 an antivortex. */
static int turns_of(const float *vectors, int64_t size, int64_t x, int64_t y)
{
    const int64_t right = (x + 1) % size, up = (y + 1) % size;
    const float *const corner[] = {vectors + 2 * (y * size + x), vectors + 2 * (y * size + right),
                                   vectors + 2 * (up * size + right),
                                   vectors + 2 * (up * size + x)};
    int turns = 0;

    for (int i = 0; i < 4; i++)
        turns += crosses(corner[i], corner[(i + 1) % 4]);
    return turns;
}

/* A cyclic colour of the angle: from red through green and blue, a sixth of a turn at a time. */
static void print_colours(FILE *gnuplot, const float *vectors, int64_t size)
{
    for (int64_t i = 0; i < size * size; i++) {
        const double angle = atan2((double)vectors[2 * i + 1], (double)vectors[2 * i]);
        const double hue = angle / 3.14159265358979323846 * 3 + 3; /* 0 to 6 */
        double rgb[3];

        for (int c = 0; c < 3; c++) {
            const double away = fabs(fmod(hue + 6 - 2 * c, 6) - 3); /* 3 where it is purest */

            rgb[c] = 110 + 145 * fmax(0, fmin(1, away - 1));
        }
        fprintf(gnuplot, "%d %d %.0f %.0f %.0f\n", (int)(i % size), (int)(i / size), rgb[0], rgb[1],
                rgb[2]);
    }
    fprintf(gnuplot, "e\n");
}

/* Of one sign, in the middle of their plaquettes. */
static void print_vortices(FILE *gnuplot, const float *vectors, int64_t size, int turns)
{
    fprintf(gnuplot, "-9 -9\n"); /* outside, since there may be none */
    for (int64_t y = 0; y < size; y++)
        for (int64_t x = 0; x < size; x++)
            if (turns_of(vectors, size, x, y) == turns)
                fprintf(gnuplot, "%.1f %.1f\n", (double)x + 0.5, (double)y + 0.5);
    fprintf(gnuplot, "e\n");
}

static void draw_panel(FILE *gnuplot, const xy_curve *curve, int shown)
{
    const float *vectors = curve->shown[shown];

    fprintf(
        gnuplot,
        "set title \"T = %.2f: %d vortices and antivortices\\nangle 0 is cyan, \317\200 is red\"\n"
        "plot '-' with rgbimage notitle, "
        "'-' with points pt 7 ps 1.1 lc rgb '#000000' title 'vortex', "
        "'-' with points pt 7 ps 1.1 lc rgb '#ffffff' title 'antivortex'\n",
        curve->temperature[shown ? XY_TEMPS - 1 : 0], (int)curve->count[shown]);
    print_colours(gnuplot, vectors, curve->size);
    print_vortices(gnuplot, vectors, curve->size, 1);
    print_vortices(gnuplot, vectors, curve->size, -1);
}

int xy_draw_vortices(const xy_curve *curve)
{
    gnuplot g;

    if (!gnuplot_open(&g, XY_VORTICES, 1300, 720))
        return 0;
    if (g.commands) {
        fprintf(g.commands,
                "set multiplot layout 1,2\nset size ratio -1\nunset tics\n"
                "set key below horizontal box lc rgb '#777777'\nset border 0\n"
                "set xrange [-0.5:%d.5]\nset yrange [-0.5:%d.5]\n"
                "set object 1 rectangle from graph 0,0 to graph 1,1 fs empty\n"
                "set key opaque fillcolor rgb '#bbbbbb'\n",
                (int)curve->size - 1, (int)curve->size - 1);
        for (int shown = 0; shown < XY_SHOWN; shown++)
            draw_panel(g.commands, curve, shown);
        fprintf(g.commands, "unset multiplot\n");
    }
    return gnuplot_close(&g) ? 1 : -1;
}
