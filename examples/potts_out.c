/* SPDX-License-Identifier: BSD-3-Clause */
/* The curves and the phases, for people and for programs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "potts.h"
#include "results.h"

static const char *const names[POTTS_QUANTITIES] = {"energy", "specific_heat", "binder"};

double potts_deviation(const potts_curve *curve, potts_quantity quantity)
{
    double sum = 0;
    int count = 0;

    for (int t = 0; t < POTTS_TEMPS; t++) {
        const latmc_estimate *e = &curve->found[quantity][t];
        const double far = (e->value - curve->exact[quantity][t]) / e->error;

        if (isfinite(far) && !e->too_short) {
            sum += far * far;
            count++;
        }
    }
    return count ? sum / count : (double)NAN;
}

static void number(double value, double error, char *text)
{
    results_number(&(latmc_estimate){.value = value, .error = error}, text);
}

void potts_print_curve(const potts_curve *curve)
{
    const double e = potts_deviation(curve, POTTS_ENERGY), c = potts_deviation(curve, POTTS_HEAT);
    int peak = 0;
    char heat[PAGE_CELL];

    for (int t = 1; t < POTTS_TEMPS; t++)
        if (curve->found[POTTS_HEAT][t].value > curve->found[POTTS_HEAT][peak].value)
            peak = t;
    results_number(&curve->found[POTTS_HEAT][peak], heat);
    printf("%d  %3" PRId64 "  %8" PRId64 "  C <= %-14s at T = %.1f  ", curve->dims, curve->size,
           curve->records, heat, curve->temperature[peak]);
    if (isfinite(e))
        printf("chi2 %.2f of E, %.2f of C  ", e, c);
    printf("%.2f s\n", curve->seconds);
    fflush(stdout);
}

void potts_print_phases(const potts_phases *p)
{
    const double exact = POTTS_DISORDERED - POTTS_ORDERED;
    char ordered[PAGE_CELL], disordered[PAGE_CELL], latent[PAGE_CELL];

    number(p->energy[0], p->error[0], ordered);
    number(p->energy[1], p->error[1], disordered);
    number(p->latent, p->latent_error, latent);
    printf("\nTen states at T = 1 / ln(1 + sqrt 10), where two phases meet (%.1f s):\n"
           "ordered     E/N = %s, exactly %.6f\ndisordered  E/N = %s, exactly %.6f\n"
           "latent heat %s, Baxter's is %.6f: %+.1f standard errors away\n",
           p->seconds, ordered, POTTS_ORDERED, disordered, POTTS_DISORDERED, latent, exact,
           (p->latent - exact) / p->latent_error);
}

void potts_curve_json(const potts_curve *curve, json *j)
{
    json_open(j, NULL, '{');
    json_integer(j, "dims", curve->dims);
    json_integer(j, "size", curve->size);
    json_unsigned(j, "seed", curve->seed);
    json_integer(j, "records", curve->records);
    json_real(j, "seconds", curve->seconds);
    json_open(j, "points", '[');
    for (int t = 0; t < POTTS_TEMPS; t++) {
        json_open(j, NULL, '{');
        json_real(j, "temperature", curve->temperature[t]);
        for (int q = 0; q < POTTS_QUANTITIES; q++)
            results_estimate_json(names[q], &curve->found[q][t], 0, j);
        json_open(j, "exact", '{');
        for (int q = 0; q < POTTS_QUANTITIES; q++)
            json_real(j, names[q], curve->exact[q][t]);
        json_close(j, '}');
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

void potts_phases_json(const potts_phases *p, json *j)
{
    static const char *const phase[] = {"ordered", "disordered"};
    const double exact[] = {POTTS_ORDERED, POTTS_DISORDERED};

    json_open(j, "ten_states", '{');
    json_integer(j, "replicas", p->replicas);
    json_integer(j, "records", p->records);
    for (int i = 0; i < 2; i++) {
        json_open(j, phase[i], '{');
        json_real(j, "energy", p->energy[i]);
        json_real(j, "error", p->error[i]);
        json_real(j, "exact", exact[i]);
        json_close(j, '}');
    }
    json_real(j, "latent_heat", p->latent);
    json_real(j, "latent_heat_error", p->latent_error);
    json_real(j, "latent_heat_exact", POTTS_DISORDERED - POTTS_ORDERED);
    json_open(j, "histogram", '[');
    for (int b = 0; b < POTTS_BINS; b++)
        json_real(j, NULL, p->count[b]);
    json_close(j, ']');
    json_real(j, "seconds", p->seconds);
    json_close(j, '}');
}
