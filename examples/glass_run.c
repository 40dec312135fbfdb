/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the samples of the +-J spin glass: two ladders that meet, and measurements of both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "glass.h"
#include "stop.h"

/* Sweeps and exchanges of a round; after each there is a measurement. Two exchanges are one of
 * every pair of neighbours. */
enum { SWEEPS = 10, EXCHANGES = 2, AXES = 3 };

static const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
static const latmc_quantity observed[] = {LATMC_QUANTITY(LATMC_LINK_OVERLAP),
                                          LATMC_QUANTITY(LATMC_OVERLAP2),
                                          LATMC_QUANTITY(LATMC_OVERLAP4),
                                          LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 0),
                                          LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 1),
                                          LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 2)};

static const glass_mean mean_of[] = {MEAN_LINKS, MEAN_Q2, MEAN_Q4, MEAN_WAVE, MEAN_WAVE, MEAN_WAVE};

enum { OBSERVED = sizeof observed / sizeof observed[0] };

/*
 * Exchanges go along all slots of a sample, from its first to its last, and both copies are in it:
 * one ladder comes down from the highest temperature to the lowest, the other goes up again. The
 * two slots that meet have one temperature: their replicas exchange always, and it changes nothing,
 * since the weight of all slots together is the product of theirs, before as after. So each slot
 * samples its own distribution and the two of a pair are independent of each other, as if the
 * ladders were apart; and replicas forget what they were at both ends, which are hot.
 */
int64_t glass_slot(const glass_size *g, int64_t sample, int copy, int step)
{
    return 2 * g->steps * sample + (copy ? g->steps + step : g->steps - 1 - step);
}

static void set_temperatures(const glass_size *g, latmc_lattice *lattice)
{
    double *betas = cli_memory(2 * g->steps * g->samples, sizeof *betas);

    for (int64_t j = 0; j < g->samples; j++)
        for (int copy = 0; copy < 2; copy++)
            for (int t = 0; t < g->steps; t++)
                betas[glass_slot(g, j, copy, t)] = 1 / g->temperature[t];
    cli_run(latmc_set_params(lattice, LATMC_BETA, betas));
    free(betas);
}

latmc_lattice *glass_make(const glass_size *g, const char *device, int64_t threads)
{
    const latmc_step step = {
        .size = sizeof step, .update = LATMC_METROPOLIS, .sweeps = SWEEPS, .exchanges = EXCHANGES};
    latmc_lattice *lattice;

    cli_setup(latmc_create(&lattice, LATMC_ISING, AXES, (int64_t[]){g->size, g->size, g->size}),
              "sizes");
    cli_setup(latmc_set_replicas(lattice, 2 * g->steps * g->samples), "samples");
    cli_setup(latmc_set_samples(lattice, g->samples, 0), "samples");
    cli_run(latmc_set_seed(lattice, g->seed));
    cli_run(latmc_draw_bond_couplings(lattice, LATMC_PLUS_MINUS_ONE, g->seed, 1,
                                      (const latmc_argument[]){LATMC_DRAW_PLUS},
                                      (const double[]){0.5}));
    set_temperatures(g, lattice);
    if (threads)
        cli_setup(latmc_set_threads(lattice, (int)threads), "threads");
    cli_setup(latmc_set_device(lattice, device ? device : "auto"), "device");
    cli_run(latmc_set_progress(lattice, stop_progress, NULL));
    cli_run(latmc_set_schedule(lattice, 1, &step));
    cli_run(latmc_start(lattice, LATMC_START_HOT));
    cli_run(latmc_keep_best(lattice, 1));
    return lattice;
}

void glass_prepare(glass_size *g)
{
    const int64_t numbers = GLASS_BINS * g->samples * g->steps * MEANS;

    cli_need_memory((double)numbers, "the means of samples");
    g->every = SWEEPS;
    g->sums = cli_memory(numbers, sizeof *g->sums);
    g->lowest = cli_memory(g->samples, sizeof *g->lowest);
    g->drawn = cli_memory((int64_t)GLASS_DRAWS * g->steps, sizeof *g->drawn);
}

void glass_free(glass_size *g)
{
    free(g->sums);
    free(g->lowest);
    free(g->drawn);
}

/* ---- a measurement */

/* Measurements that one call makes. A signal ends a call between two of them. */
typedef struct measurement {
    latmc_recording run; /* stride is the most of a call */
    int64_t pairs;
    int64_t *of;    /* [pair][2], pairs are [sample][step] */
    double *energy; /* [slot][measurement] */
    double *pair;   /* [observable][pair][measurement] */
} measurement;

/* A call makes as many measurements as have so many numbers, 32 MiB, but at least one. */
enum { NUMBERS = 1 << 22 };

static measurement prepare(const glass_size *g)
{
    measurement m = {.pairs = g->samples * g->steps};
    const int64_t each = (2 + OBSERVED) * m.pairs, most = NUMBERS / each ? NUMBERS / each : 1;

    m.of = cli_memory(2 * m.pairs, sizeof *m.of);
    m.energy = cli_memory(2 * m.pairs * most, sizeof *m.energy);
    m.pair = cli_memory(OBSERVED * m.pairs * most, sizeof *m.pair);
    for (int64_t p = 0; p < m.pairs; p++)
        for (int copy = 0; copy < 2; copy++)
            m.of[2 * p + copy] = glass_slot(g, p / g->steps, copy, (int)(p % g->steps));
    m.run = (latmc_recording){.size = sizeof m.run,
                              .update = LATMC_SCHEDULE,
                              .order = LATMC_BY_SLOT,
                              .every = 1,
                              .stride = most,
                              .quantity_count = 1,
                              .quantities = &energy,
                              .series = m.energy,
                              .pair_count = m.pairs,
                              .pairs = m.of,
                              .pair_quantity_count = OBSERVED,
                              .pair_quantities = observed,
                              .pair_series = m.pair};
    return m;
}

static void release(measurement *m)
{
    free(m->of);
    free(m->energy);
    free(m->pair);
}

static int bin_of(int64_t record)
{
    int bin = 0;

    for (; record; record /= 2)
        bin++;
    return bin;
}

/* Adds measurement number i of a call to the sums of pair p. */
static void add(const measurement *m, int64_t p, int64_t i, double sums[MEANS])
{
    const int64_t stride = m->run.stride;
    const double *const energy_of = m->energy + i;

    sums[MEAN_ENERGY] +=
        (energy_of[m->of[2 * p] * stride] + energy_of[m->of[2 * p + 1] * stride]) / 2;
    for (int o = 0; o < OBSERVED; o++)
        sums[mean_of[o]] +=
            m->pair[(o * m->pairs + p) * stride + i] / (mean_of[o] == MEAN_WAVE ? AXES : 1);
}

static void add_all(glass_size *g, const measurement *m, int64_t made)
{
    for (int64_t p = 0; p < m->pairs; p++)
        for (int64_t i = 0; i < made; i++)
            add(m, p, i, g->sums + (bin_of(g->records + i) * m->pairs + p) * MEANS);
    g->records += made;
}

/* ---- what the replicas went through */

static void take_lowest(glass_size *g, const latmc_lattice *lattice)
{
    const int64_t each = 2 * g->steps;
    double *best = cli_memory(g->samples * each, sizeof *best);

    cli_run(latmc_get_best(lattice, best, NULL));
    g->found_again = 0;
    for (int64_t j = 0; j < g->samples; j++) {
        int64_t found = 0;

        g->lowest[j] = INFINITY;
        for (int64_t r = j * each; r < (j + 1) * each; r++)
            g->lowest[j] = fmin(g->lowest[j], best[r]);
        for (int64_t r = j * each; r < (j + 1) * each; r++)
            found += best[r] == g->lowest[j];
        g->found_again += found > 1;
    }
    free(best);
}

static void take_exchanges(glass_size *g, const latmc_lattice *lattice)
{
    const int64_t replicas = 2 * g->steps * g->samples;
    int64_t *counts = cli_memory(3 * replicas, sizeof *counts);
    int64_t *offered = counts, *accepted = offered + replicas, *trips = accepted + replicas;

    cli_run(latmc_get_exchange_counts(lattice, offered, accepted));
    cli_run(latmc_get_round_trips(lattice, trips));
    for (int t = 0; t + 1 < g->steps; t++) {
        double of = 0, yes = 0;

        for (int64_t j = 0; j < g->samples; j++) { /* a slot's counts are with the one after it */
            const int64_t down = glass_slot(g, j, 0, t + 1), up = glass_slot(g, j, 1, t);

            of += (double)(offered[down] + offered[up]);
            yes += (double)(accepted[down] + accepted[up]);
        }
        g->acceptance[t] = of > 0 ? yes / of : (double)NAN;
    }
    g->round_trips = 0;
    for (int64_t r = 0; r < replicas; r++)
        g->round_trips += (double)trips[r] / (double)replicas;
    free(counts);
}

int glass_run(glass_size *g, latmc_lattice *lattice)
{
    measurement m = prepare(g);
    const double begin = cli_clock();
    int stopped = 0;

    while (g->records < g->wanted && !stopped) {
        const int64_t rest = g->wanted - g->records;
        latmc_recorded made = {.size = sizeof made};

        m.run.records = rest < m.run.stride ? rest : m.run.stride;
        stopped = stop_after(latmc_record(lattice, &m.run, &made)) || stop_asked();
        add_all(g, &m, made.records);
    }
    g->seconds = cli_clock() - begin;
    if (g->records)
        take_lowest(g, lattice);
    take_exchanges(g, lattice);
    release(&m);
    return stopped && g->records < g->wanted;
}
