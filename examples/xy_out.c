/* SPDX-License-Identifier: BSD-3-Clause */
/* A size, and the fit, for people and for programs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "page.h"
#include "results.h"
#include "xy.h"

void xy_print(const xy_curve *curve)
{
    char at[PAGE_CELL] = "-";

    if (isfinite(curve->crossing))
        results_number(&(latmc_estimate){.value = curve->crossing,
                                         .error = curve->error,
                                         .too_short = curve->too_short},
                       at);
    printf("L = %" PRId64 ": %" PRId64 " rounds to thermalize, %" PRId64
           " measured; exchanges %.0f %% or more; %.1f s\n%8s %14s %10s %16s\n",
           curve->size, curve->thermalize, curve->records, 100 * curve->least_exchanged,
           curve->seconds, "T", "helicity", "tau_int", "vortices");
    for (int t = 0; t < XY_TEMPS; t++) {
        char stiff[PAGE_CELL], dense[PAGE_CELL];

        results_number(&curve->helicity[t], stiff);
        results_number(&curve->vortices[t], dense);
        printf("%8.3f %14s %10.2f %16s\n", curve->temperature[t], stiff, curve->helicity[t].tau_int,
               dense);
    }
    printf("It is 2 T / pi at T = %s\n\n", at);
    fflush(stdout);
}

void xy_print_fit(const xy_fit *fit)
{
    char number[PAGE_CELL];

    if (!isfinite(fit->temperature))
        return;
    results_number(&(latmc_estimate){.value = fit->temperature,
                                     .error = fit->error,
                                     .too_short = fit->too_short},
                   number);
    printf("Y = (2 T / pi) (1 + 1 / u), u = 2 ln L + C + ln(ln L + C / 2), at T_KT = %s with C = "
           "%.2f\n"
           "Errors: statistical %.5f, corrections to scaling %.5f; chi2 = %.2f for %d degree%s of "
           "freedom\n",
           number, fit->c, fit->statistical, fit->systematic, fit->chi2, fit->degrees,
           fit->degrees == 1 ? "" : "s");
    if (fit->too_short)
        printf("* A point that was used has too short a series: this error is not to be trusted\n");
    printf(
        "Komura and Okabe (2012) have T_KT = %.5f(%d): this one is %+.1f standard errors away from "
        "it\n",
        XY_KNOWN, (int)lround(XY_KNOWN_ERROR * 1e5), (fit->temperature - XY_KNOWN) / fit->error);
}

void xy_curve_json(const xy_curve *curve, json *j)
{
    json_open(j, NULL, '{');
    json_integer(j, "size", curve->size);
    json_unsigned(j, "seed", curve->seed);
    json_integer(j, "thermalize", curve->thermalize);
    json_integer(j, "records", curve->records);
    json_real(j, "seconds", curve->seconds);
    json_real(j, "least_exchanged", curve->least_exchanged);
    json_real(j, "crossing", curve->crossing);
    json_real(j, "crossing_error", curve->error);
    json_boolean(j, "crossing_too_short", curve->too_short);
    json_open(j, "points", '[');
    for (int t = 0; t < XY_TEMPS; t++) {
        json_open(j, NULL, '{');
        json_real(j, "temperature", curve->temperature[t]);
        results_estimate_json("helicity", &curve->helicity[t], 0, j);
        results_estimate_json("vortices", &curve->vortices[t], 0, j);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "vortices", '[');
    for (int shown = 0; shown < XY_SHOWN; shown++)
        json_integer(j, NULL, curve->count[shown]);
    json_close(j, ']');
    json_close(j, '}');
}

void xy_fit_json(const xy_fit *fit, json *j)
{
    json_real(j, "t_kt", fit->temperature);
    json_real(j, "error", fit->error);
    json_real(j, "statistical_error", fit->statistical);
    json_real(j, "systematic_error", fit->systematic);
    json_boolean(j, "too_short", fit->too_short);
    json_real(j, "c", fit->c);
    json_real(j, "fit_chi2", fit->chi2);
    json_integer(j, "fit_degrees_of_freedom", fit->degrees);
    json_real(j, "known", XY_KNOWN);
    json_real(j, "known_error", XY_KNOWN_ERROR);
}
