/* SPDX-License-Identifier: BSD-3-Clause */
/* What latmc-xy-helicity knows of a size, and what follows from all of them. */
#ifndef XY_H
#define XY_H

#include "json.h"

#include <latmc/latmc.h>

#define XY_PICTURE  "xy-helicity.png"
#define XY_DATA     "xy-helicity.dat"
#define XY_VORTICES "xy-vortices.png"

enum { XY_SIZES = 3, XY_TEMPS = 21, XY_SHOWN = 2, XY_BLOCKS = 32 };

typedef struct xy_curve {
    int64_t size, records, thermalize; /* rounds with a measurement; rounds before */
    uint64_t seed;
    double temperature[XY_TEMPS];
    latmc_estimate helicity[XY_TEMPS]; /* mean over both axes */
    double block[XY_BLOCKS][XY_TEMPS]; /* its means over equal pieces of the run */
    latmc_estimate vortices[XY_TEMPS]; /* per site */
    double
        least_exchanged; /* acceptance of the neighbours that exchange least; NaN: none offered */
    double crossing, error; /* where it is 2 T / pi; NaN if it is nowhere */
    int too_short;          /* a point beside the crossing is: its error is not to be trusted */
    double seconds;
    float *shown[XY_SHOWN];  /* vectors at the end, at the lowest and the highest temperature; */
    int64_t count[XY_SHOWN]; /* their vortices and antivortices */
} xy_curve;

/* T_KT by the sizes' dependence on ln L. */
typedef struct xy_fit {
    double temperature, error;      /* NaN if there is no least chi2 within the range */
    double statistical, systematic; /* the error is both in squares */
    double c, chi2;
    int degrees;
    int too_short; /* a point that was used is: the error is not to be trusted */
} xy_fit;

/* Fills `crossing` and `error`: on straight lines between the points. */
void xy_cross(xy_curve *curve);

/* From two sizes on; xy_fit.c says how. */
xy_fit xy_fit_of(const xy_curve *curves, int count);

/* What it has for u in Y = (2 T / pi) (1 + 1 / u) at T_KT. */
double xy_scale(int64_t size, double c);

/* ---- files in the current directory; reasons are said on stderr */

int xy_write_data(const xy_curve *curves, int count, const xy_fit *fit); /* 1: written */

/* 1: drawn, 0: gnuplot is missing, -1: it failed. From the data. */
int xy_draw(const xy_curve *curves, int count, const xy_fit *fit);
int xy_draw_vortices(const xy_curve *curve);

/* ---- for people and for programs */

/* beta_KT = 1.11996(6): Y. Komura and Y. Okabe, J. Phys. Soc. Jpn. 81, 113001 (2012). */
#define XY_KNOWN       0.89289
#define XY_KNOWN_ERROR 0.00005

void xy_print(const xy_curve *curve);
void xy_print_fit(const xy_fit *fit);
void xy_curve_json(const xy_curve *curve, json *j);
void xy_fit_json(const xy_fit *fit, json *j);

#endif
