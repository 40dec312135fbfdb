/* SPDX-License-Identifier: BSD-3-Clause */
/* A size for people and for programs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "heisenberg.h"

/* A column of a table is a quantity, or one of these. */
enum { TEMPERATURE = HEISENBERG_QUANTITIES, DEVIATION, ACCEPTANCE, ROUNDS };

typedef struct column {
    const char *heading;
    int what;
} column;

static const column by_temperature[] = {
    {"T", TEMPERATURE},
    {"energy", HEISENBERG_ENERGY},
    {"of links", HEISENBERG_OF_LINKS},
    {"difference", HEISENBERG_DIFFERENCE},
    {"sigma", DEVIATION},
    {"q2", HEISENBERG_TENSOR2},
    {"binder", HEISENBERG_BINDER},
    {"xi/L", HEISENBERG_LENGTH},
    {"swapped", ACCEPTANCE},
};

/* The coldest temperature, which comes to equilibrium last; then the differences of two others. */
static const column by_time[] = {
    {"rounds", ROUNDS},
    {"energy", HEISENBERG_ENERGY},
    {"of links", HEISENBERG_OF_LINKS},
    {"difference", HEISENBERG_DIFFERENCE},
    {"sigma", DEVIATION},
    {"q2", HEISENBERG_TENSOR2},
    {"xi/L", HEISENBERG_LENGTH},
    {"mid T", DEVIATION},
    {"hot T", DEVIATION},
};

enum {
    TEMPERATURE_COLUMNS = sizeof by_temperature / sizeof by_temperature[0],
    TIME_COLUMNS = sizeof by_time / sizeof by_time[0],
    MIDDLE = TIME_COLUMNS - 2
};

static void write_cell(const heisenberg *h, int bin, int64_t t, int what, char *text)
{
    switch (what) {
    case TEMPERATURE:
        snprintf(text, PAGE_CELL, "%.4f", h->temperature[t]);
        break;
    case DEVIATION:
        snprintf(text, PAGE_CELL, "%+.1f", heisenberg_deviation(h, bin, t));
        break;
    case ACCEPTANCE:
        snprintf(text, PAGE_CELL, t + 1 < h->ladder ? "%.3f" : "-", h->acceptance[t]);
        break;
    case ROUNDS:
        snprintf(text, PAGE_CELL, "%" PRId64 "-%" PRId64, bin ? h->end[bin - 1] + 1 : 1,
                 h->end[bin]);
        break;
    default:
        results_number(heisenberg_find(h, bin, t, (heisenberg_quantity)what), text);
    }
}

static const char *temperature_heading(const void *user, int column)
{
    (void)user;
    return by_temperature[column].heading;
}

static void temperature_cell(const void *user, int64_t row, int column, char *text)
{
    const heisenberg *h = user;

    write_cell(h, h->done - 1, row, by_temperature[column].what, text);
}

static const char *time_heading(const void *user, int column)
{
    (void)user;
    return by_time[column].heading;
}

static void time_cell(const void *user, int64_t row, int column, char *text)
{
    const heisenberg *h = user;
    const int64_t t = column < MIDDLE ? 0 : column == MIDDLE ? h->ladder / 2 : h->ladder - 1;

    write_cell(h, (int)row, t, by_time[column].what, text);
}

/* Returns how many sites were updated in a nanosecond, in whole bins. The time of measurements is
 * included. */
static double rate_of(const heisenberg *h)
{
    const latmc_lattice_info info = lattice_info(h->lattice);
    const double updates = h->steps.updates * (double)h->end[h->done - 1];

    return 1e-9 * (double)info.sites * (double)info.replicas * updates / h->seconds;
}

static void print_head(const heisenberg *h)
{
    char line[1024];

    lattice_text(&h->wish, h->lattice, line, sizeof line);
    page_text(stdout, 2, line);
    snprintf(line, sizeof line,
             "These seeds are --seed %" PRIu64 " plus %" PRId64
             " * 2^32, since sizes must not share "
             "random numbers.",
             h->wish.seed.value - ((uint64_t)h->size << 32), h->size);
    page_text(stdout, 2, line);
    snprintf(line, sizeof line,
             "%" PRId64 " temperatures, 2 copies; a round is %s; %" PRId64 " of %" PRId64
             " rounds, %.1f s, %.3g updates/ns",
             h->ladder, h->update, h->end[h->done - 1], h->rounds, h->seconds, rate_of(h));
    page_text(stdout, 2, line);
}

static void print_verdict(const heisenberg *h)
{
    const int last = h->done - 1;
    char line[512];
    int64_t worst;
    const double spread = heisenberg_spread(h, last, &worst);

    snprintf(line, sizeof line,
             "The identity: energies and those of links differ by %.2f standard errors in root "
             "mean square over "
             "the temperatures, by %+.2f at most of %" PRId64
             " (T = %.4f). Temperatures share their samples: "
             "these are not independent.",
             spread, heisenberg_deviation(h, last, worst), h->ladder, h->temperature[worst]);
    page_text(stdout, 2, line);
    snprintf(
        line, sizeof line,
        "%" PRId64 " round trips of %" PRId64
        " replicas since the start, each from the coldest temperature to the hottest and back.",
        h->round_trips, HEISENBERG_COPIES * h->samples * h->ladder);
    page_text(stdout, 2, line);
}

void heisenberg_print(const heisenberg *h)
{
    const page_table temperatures = {.rows = h->ladder,
                                     .columns = TEMPERATURE_COLUMNS,
                                     .labels = 1,
                                     .user = h,
                                     .heading = temperature_heading,
                                     .cell = temperature_cell};
    const page_table times = {.rows = h->done,
                              .columns = TIME_COLUMNS,
                              .labels = 1,
                              .user = h,
                              .heading = time_heading,
                              .cell = time_cell};
    char line[256];

    print_head(h);
    snprintf(line, sizeof line,
             "Rounds %" PRId64 " to %" PRId64
             "; sigma: the difference in standard errors; swapped: "
             "the share of exchanges with the next temperature that were made",
             h->done > 1 ? h->end[h->done - 2] + 1 : 1, h->end[h->done - 1]);
    page_text(stdout, 2, line);
    page_print_table(stdout, &temperatures);
    results_few_samples(h->samples, stdout);
    print_verdict(h);
    snprintf(line, sizeof line,
             "The coldest temperature, T = %.4f, on its way to equilibrium:", h->temperature[0]);
    page_text(stdout, 2, line);
    page_print_table(stdout, &times);
    printf("\n");
    cli_flush();
}

/* ---- JSON */

static void point_json(const heisenberg *h, int bin, int64_t t, json *j)
{
    json_open(j, NULL, '{');
    json_real(j, "temperature", h->temperature[t]);
    json_real(j, "deviation_in_errors", heisenberg_deviation(h, bin, t));
    if (bin == h->done - 1 && t + 1 < h->ladder)
        json_real(j, "acceptance", h->acceptance[t]);
    json_open(j, "observables", '{');
    for (int q = 0; q < HEISENBERG_QUANTITIES; q++)
        results_estimate_json(heisenberg_name((heisenberg_quantity)q),
                              heisenberg_find(h, bin, t, (heisenberg_quantity)q), 0, j);
    json_close(j, '}');
    json_close(j, '}');
}

static void bin_json(const heisenberg *h, int bin, json *j)
{
    int64_t worst;

    json_open(j, NULL, '{');
    json_integer(j, "from_round", bin ? h->end[bin - 1] + 1 : 1);
    json_integer(j, "to_round", h->end[bin]);
    json_real(j, "deviation_rms", heisenberg_spread(h, bin, &worst));
    json_open(j, "points", '[');
    for (int64_t t = 0; t < h->ladder; t++)
        point_json(h, bin, t, j);
    json_close(j, ']');
    json_close(j, '}');
}

void heisenberg_json(const heisenberg *h, json *j)
{
    json_open(j, NULL, '{');
    lattice_json(&h->wish, h->lattice, j);
    schedule_json(&h->steps, lattice_info(h->lattice).model, j);
    json_integer(j, "size", h->size);
    json_integer(j, "copies", HEISENBERG_COPIES);
    json_integer(j, "temperatures", h->ladder);
    json_integer(j, "rounds_wanted", h->rounds);
    json_integer(j, "rounds", h->end[h->done - 1]);
    json_real(j, "seconds", h->seconds);
    json_real(j, "updates_per_ns", rate_of(h));
    json_integer(j, "round_trips", h->round_trips);
    json_open(j, "bins", '[');
    for (int b = 0; b < h->done; b++)
        bin_json(h, b, j);
    json_close(j, ']');
    json_close(j, '}');
}
