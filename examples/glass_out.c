/* SPDX-License-Identifier: BSD-3-Clause */
/* A size and a crossing for people and for programs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "glass.h"
#include "page.h"
#include "results.h"

enum { BINS_SHOWN = 5 };

/* ---- for people */

static const char *heading(const void *user, int column)
{
    (void)user;
    return column == 0                      ? "T"
           : column == GLASS_QUANTITIES + 1 ? "exchanged"
                                            : glass_names[column - 1];
}

static void cell(const void *user, int64_t row, int column, char *text)
{
    const glass_size *g = user;

    if (column == 0)
        snprintf(text, PAGE_CELL, "%.4f", g->temperature[row]);
    else if (column <= GLASS_QUANTITIES)
        results_number(&g->estimate[row][column - 1], text);
    else
        snprintf(text, PAGE_CELL, row + 1 < g->steps ? "%.2f" : "-", g->acceptance[row]);
}

static const char *bin_heading(const void *user, int column)
{
    static const char *const names[] = {"measurements", "<q2>", "<energy>"};

    (void)user;
    return names[column];
}

static int first_shown(const glass_size *g)
{
    const int bins = glass_bins(g);

    return bins > BINS_SHOWN ? bins - BINS_SHOWN : 0;
}

static void bin_cell(const void *user, int64_t row, int column, char *text)
{
    const glass_size *g = user;
    const int bin = first_shown(g) + (int)row;
    latmc_estimate e;

    if (column == 0) {
        snprintf(text, PAGE_CELL, "%" PRId64 "..%" PRId64, bin ? (INT64_C(1) << (bin - 1)) + 1 : 1,
                 INT64_C(1) << bin);
        return;
    }
    e = glass_bin(g, bin, 0, column == 1 ? MEAN_Q2 : MEAN_ENERGY);
    results_number(&e, text);
}

static void print_bins(const glass_size *g)
{
    const page_table table = {.rows = glass_bins(g) - first_shown(g),
                              .columns = 3,
                              .labels = 1,
                              .user = g,
                              .heading = bin_heading,
                              .cell = bin_cell};
    char line[512];

    printf("\n");
    page_print_table(stdout, &table);
    snprintf(line, sizeof line,
             "At T = %.4f the last two of these bins differ, sample by sample, by %+.1f standard "
             "errors in <q2> and by %+.1f in the energy: %s",
             g->temperature[0], g->drift[0], g->drift[1],
             g->thermalized ? "nothing speaks against equilibrium."
                            : "NOT IN EQUILIBRIUM; it needs more --sweeps.");
    page_text(stdout, 2, line);
}

static void print_walks(const glass_size *g)
{
    char line[512], low[PAGE_CELL];

    snprintf(line, sizeof line,
             "A replica went %.2f times from the first slot to the last one and back, past the "
             "lowest temperature twice each time.",
             g->round_trips);
    page_text(stdout, 2, line);
    results_number(&g->low, low);
    snprintf(line, sizeof line,
             "Lowest energies found: %s per spin, the mean of %" PRId64 " samples; in %" PRId64
             " of them more than one replica had it.",
             low, g->samples, g->found_again);
    page_text(stdout, 2, line);
}

/* Returns how many sites were updated in a nanosecond. The time of measurements is included. */
static double rate_of(const glass_size *g)
{
    const double replicas = 2.0 * g->steps * (double)g->samples;

    return 1e-9 * (double)g->sites * replicas * (double)(g->records * g->every) / g->seconds;
}

void glass_print(const glass_size *g)
{
    const page_table table = {.rows = g->steps,
                              .columns = GLASS_QUANTITIES + 2,
                              .labels = 1,
                              .user = g,
                              .heading = heading,
                              .cell = cell};
    char line[512];

    snprintf(line, sizeof line,
             "L = %" PRId64 ": %" PRId64 " samples, %" PRId64 " replicas, %" PRId64 " of %" PRId64
             " measurements, one every %" PRId64
             " sweeps, %.1f s, %.3g updates/ns; means of the last bin",
             g->size, g->samples, 2 * g->steps * g->samples, g->records, g->wanted, g->every,
             g->seconds, rate_of(g));
    page_text(stdout, 2, line);
    page_print_table(stdout, &table);
    results_few_samples(g->samples, stdout);
    print_bins(g);
    print_walks(g);
    printf("\n");
    cli_flush();
}

void glass_print_crossing(const glass_crossing *x)
{
    char line[512], number[PAGE_CELL];

    results_number(&x->temperature, number);
    if (isfinite(x->temperature.value))
        snprintf(
            line, sizeof line,
            "xi/L of L = %" PRId64 " and L = %" PRId64 " cross at T = %s, where xi/L = %.3f"
            "; so do %.0f %% of sets of samples that are drawn from these, and the error is their "
            "spread.",
            x->size, x->larger, number, x->length, 100 * x->share);
    else
        snprintf(line, sizeof line,
                 "xi/L of L = %" PRId64 " and L = %" PRId64
                 " do not cross in this range of temperatures (%.0f %% of sets of samples that are "
                 "drawn from these do).",
                 x->size, x->larger, 100 * x->share);
    page_text(stdout, 2, line);
}

/* ---- for programs */

static void estimate_json(const char *name, const latmc_estimate *e, json *j)
{
    char error[NAME_BYTES];

    snprintf(error, sizeof error, "%s_error", name);
    json_real(j, name, e->value);
    json_real(j, error, e->error);
}

static void points_json(const glass_size *g, json *j)
{
    json_open(j, "points", '[');
    for (int t = 0; t < g->steps; t++) {
        json_open(j, NULL, '{');
        json_real(j, "temperature", g->temperature[t]);
        for (int q = 0; q < GLASS_QUANTITIES; q++)
            estimate_json(q == GLASS_LENGTH ? "xi_over_l" : glass_names[q], &g->estimate[t][q], j);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void bins_json(const glass_size *g, json *j)
{
    json_open(j, "bins", '[');
    for (int b = 0; b < glass_bins(g); b++) {
        const latmc_estimate q2 = glass_bin(g, b, 0, MEAN_Q2);
        const latmc_estimate energy = glass_bin(g, b, 0, MEAN_ENERGY);

        json_open(j, NULL, '{');
        json_integer(j, "measurements", b ? INT64_C(1) << (b - 1) : 1);
        estimate_json("q2", &q2, j);
        estimate_json("energy", &energy, j);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "drift_in_errors", '{');
    json_real(j, "q2", g->drift[0]);
    json_real(j, "energy", g->drift[1]);
    json_close(j, '}');
    json_boolean(j, "thermalized", g->thermalized);
}

void glass_json(const glass_size *g, json *j)
{
    json_open(j, NULL, '{');
    json_integer(j, "size", g->size);
    json_open(j, "extents", '[');
    for (int axis = 0; axis < 3; axis++)
        json_integer(j, NULL, g->size);
    json_close(j, ']');
    json_unsigned(j, "seed", g->seed);
    json_integer(j, "samples", g->samples);
    json_integer(j, "replicas", 2 * g->steps * g->samples);
    json_integer(j, "every", g->every);
    json_integer(j, "wanted", g->wanted);
    json_integer(j, "records", g->records);
    json_real(j, "seconds", g->seconds);
    json_real(j, "updates_per_ns", rate_of(g));
    points_json(g, j);
    bins_json(g, j);
    json_open(j, "acceptance", '[');
    for (int t = 0; t + 1 < g->steps; t++)
        json_real(j, NULL, g->acceptance[t]);
    json_close(j, ']');
    json_real(j, "round_trips", g->round_trips);
    json_open(j, "lowest", '{');
    estimate_json("energy", &g->low, j);
    json_integer(j, "found_again", g->found_again);
    json_open(j, "samples", '[');
    for (int64_t k = 0; k < g->samples; k++)
        json_real(j, NULL, g->lowest[k]);
    json_close(j, ']');
    json_close(j, '}');
    json_close(j, '}');
}

void glass_crossing_json(const glass_crossing *x, json *j)
{
    json_open(j, NULL, '{');
    json_integer(j, "size", x->size);
    json_integer(j, "larger_size", x->larger);
    estimate_json("temperature", &x->temperature, j);
    json_real(j, "xi_over_l", x->length);
    json_real(j, "share_of_draws", x->share);
    json_close(j, '}');
}
