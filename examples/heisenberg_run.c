/* SPDX-License-Identifier: BSD-3-Clause */
/* A size is made, run bin by bin, and analysed. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "heisenberg.h"
#include "stop.h"

/* Measurements in a bin: more of them cost time and know little more than these. */
enum { MEASUREMENTS = 32, FIRST_BIN = 8 };

enum { ENERGY, LINK, SELF_LINK, TENSOR2, TENSOR4, STRUCTURE, INPUTS };

/* ---- ladders */

/* Each copy has a ladder of its own, from cold to hot. */
static int64_t slot_of(const heisenberg *h, int64_t sample, int copy, int64_t t)
{
    return (sample * HEISENBERG_COPIES + copy) * h->ladder + t;
}

/* In equal ratios: at low temperatures the specific heat hardly changes, and neighbours then
 * exchange equally often. */
static void set_temperatures(heisenberg *h)
{
    double *beta = cli_memory(HEISENBERG_COPIES * h->ladder * h->samples, sizeof *beta);

    h->temperature = cli_memory(h->ladder, sizeof *h->temperature);
    for (int64_t t = 0; t < h->ladder; t++)
        h->temperature[t] = h->from * pow(h->to / h->from, (double)t / (double)(h->ladder - 1));
    for (int64_t j = 0; j < h->samples; j++)
        for (int copy = 0; copy < HEISENBERG_COPIES; copy++)
            for (int64_t t = 0; t < h->ladder; t++)
                beta[slot_of(h, j, copy, t)] = 1 / h->temperature[t];
    cli_setup(latmc_set_params(h->lattice, LATMC_BETA, beta), "range");
    cli_run(latmc_set_ladders(h->lattice, HEISENBERG_COPIES));
    free(beta);
}

static void list_pairs(heisenberg *h)
{
    int64_t *pair = cli_memory((1 + HEISENBERG_COPIES) * h->samples * h->ladder, 2 * sizeof *pair);

    h->pairs = pair;
    for (int64_t j = 0; j < h->samples; j++)
        for (int64_t t = 0; t < h->ladder; t++)
            for (int copy = 0; copy < HEISENBERG_COPIES; copy++)
                *pair++ = slot_of(h, j, copy, t);
    for (int64_t j = 0; j < h->samples; j++)
        for (int copy = 0; copy < HEISENBERG_COPIES; copy++)
            for (int64_t t = 0; t < h->ladder; t++, pair += 2)
                pair[0] = pair[1] = slot_of(h, j, copy, t);
}

/* The last bin is the second half, the one before it the second half of the first, .. */
static void list_bins(heisenberg *h)
{
    while (h->bins < HEISENBERG_BINS && h->rounds >> h->bins >= FIRST_BIN)
        h->bins++;
    for (int b = 0; b < h->bins; b++)
        h->end[b] = h->rounds >> (h->bins - 1 - b);
}

void heisenberg_make(heisenberg *h)
{
    const int64_t points = h->ladder * h->samples;

    h->lattice = lattice_make(&h->wish);
    set_temperatures(h);
    lattice_configure(&h->wish, h->lattice);
    h->steps = lattice_schedule(&h->wish, h->lattice);
    list_pairs(h);
    list_bins(h);
    h->means = cli_memory(h->bins * INPUTS * points, sizeof *h->means);
    h->estimates = cli_memory(h->bins * h->ladder * HEISENBERG_QUANTITIES, sizeof *h->estimates);
    h->acceptance = cli_memory(h->ladder, sizeof *h->acceptance);
    h->exchanges = cli_memory(2 * h->ladder, sizeof *h->exchanges);
}

void heisenberg_free(heisenberg *h)
{
    free(h->temperature);
    free(h->pairs);
    free(h->means);
    free(h->estimates);
    free(h->acceptance);
    free(h->exchanges);
    latmc_destroy(h->lattice);
}

/* ---- measuring */

static double *mean_of(const heisenberg *h, int bin, int input, int64_t t)
{
    return h->means + ((bin * INPUTS + input) * h->ladder + t) * h->samples;
}

/* Of pairs of a copy with the other one, numbered [sample][temperature]. */
static void add_pairs(heisenberg *h, int bin, double share)
{
    static const latmc_quantity what[] = {
        LATMC_QUANTITY(LATMC_LINK_OVERLAP),        LATMC_QUANTITY(LATMC_TENSOR_OVERLAP2),
        LATMC_QUANTITY(LATMC_TENSOR_OVERLAP4),     LATMC_QUANTITY(LATMC_TENSOR_STRUCTURE, 0),
        LATMC_QUANTITY(LATMC_TENSOR_STRUCTURE, 1), LATMC_QUANTITY(LATMC_TENSOR_STRUCTURE, 2)};
    static const int input[] = {LINK, TENSOR2, TENSOR4, STRUCTURE, STRUCTURE, STRUCTURE};
    enum { COUNT = sizeof what / sizeof what[0] };
    const int64_t pairs = h->samples * h->ladder;
    double *values = cli_memory(COUNT * pairs, sizeof *values);

    cli_run(latmc_observe_pairs(h->lattice, LATMC_BY_SLOT, pairs, h->pairs, COUNT, what, values));
    for (int o = 0; o < COUNT; o++)
        for (int64_t p = 0; p < pairs; p++)
            mean_of(h, bin, input[o], p % h->ladder)[p / h->ladder] +=
                share * values[o * pairs + p] / (input[o] == STRUCTURE ? HEISENBERG_DIMS : 1);
    free(values);
}

/* Of each slot, and of pairs of it with itself, numbered [sample][copy][temperature]. */
static void add_slots(heisenberg *h, int bin, double share)
{
    const int64_t each = HEISENBERG_COPIES * h->ladder, slots = h->samples * each;
    double *energy = cli_memory(2 * slots, sizeof *energy), *link = energy + slots;

    cli_run(latmc_observe(h->lattice, LATMC_BY_SLOT, 1,
                          (latmc_quantity[]){LATMC_QUANTITY(LATMC_ENERGY)}, energy));
    cli_run(latmc_observe_pairs(h->lattice, LATMC_BY_SLOT, slots,
                                h->pairs + 2 * h->samples * h->ladder, 1,
                                (latmc_quantity[]){LATMC_QUANTITY(LATMC_LINK_OVERLAP)}, link));
    for (int64_t k = 0; k < slots; k++) {
        const int64_t j = k / each, t = k % h->ladder;
        const int copy = (int)(k % each / h->ladder);

        mean_of(h, bin, ENERGY, t)[j] += share * energy[slot_of(h, j, copy, t)] / HEISENBERG_COPIES;
        mean_of(h, bin, SELF_LINK, t)[j] += share * link[k] / HEISENBERG_COPIES;
    }
    free(energy);
}

/* Of both copies of all samples: acceptances since the last call, round trips since the start. */
static void read_exchanges(heisenberg *h)
{
    const int64_t slots = HEISENBERG_COPIES * h->samples * h->ladder;
    int64_t *offered = cli_memory(3 * slots, sizeof *offered);
    int64_t *accepted = offered + slots, *trips = accepted + slots;

    cli_run(latmc_get_exchange_counts(h->lattice, offered, accepted));
    cli_run(latmc_get_round_trips(h->lattice, trips));
    for (int64_t t = 0; t + 1 < h->ladder; t++) {
        int64_t *before = h->exchanges + 2 * t, all = 0, made = 0;

        for (int64_t s = t; s < slots; s += h->ladder) {
            all += offered[s];
            made += accepted[s];
        }
        h->acceptance[t] = (double)(made - before[1]) / (double)(all - before[0]);
        before[0] = all;
        before[1] = made;
    }
    h->round_trips = 0;
    for (int64_t r = 0; r < slots; r++)
        h->round_trips += trips[r];
    free(offered);
}

static void run_bin(heisenberg *h, simulation *s, int bin)
{
    const int64_t begin = bin ? h->end[bin - 1] : 0, length = h->end[bin] - begin;
    const int64_t every = length > MEASUREMENTS ? length / MEASUREMENTS : 1;
    const int64_t records = length / every;

    simulation_sweep(s, length - records * every);
    for (int64_t i = 0; i < records; i++) {
        simulation_sweep(s, every);
        if (s->stopped || stop_asked()) {
            s->stopped = 1;
            return;
        }
        add_slots(h, bin, 1 / (double)records);
        add_pairs(h, bin, 1 / (double)records);
    }
    read_exchanges(h);
    h->done++;
}

/* ---- analysis */

/* What a formula needs besides the means. */
typedef struct place {
    double temperature, size;
    latmc_momentum momentum;
} place;

static double itself(const double *means, void *user)
{
    (void)user;
    return means[0];
}

/* means = {q_s, q_l}; an axis has as many bonds as there are sites. */
static double of_links(const double *means, void *user)
{
    const place *p = user;

    return -HEISENBERG_DIMS / p->temperature * (means[0] - means[1]);
}

static double difference(const double *means, void *user)
{
    return means[0] - of_links(means + 1, user);
}

/* (11 - 9 [q^4] / [q^2]^2) / 2: 0 if the nine parts of the tensor are Gaussian, 1 if q^2 has one
 * value. */
static double binder(const double *means, void *user)
{
    (void)user;
    return (11 - 9 * means[1] / (means[0] * means[0])) / 2;
}

static double susceptibility(const double *means, void *user)
{
    const place *p = user;
    latmc_scale scale = {
        .size = sizeof scale, .beta = 1 / p->temperature, .sites = pow(p->size, HEISENBERG_DIMS)};

    return latmc_spin_glass_susceptibility(means, &scale);
}

static double length_by_size(const double *means, void *user)
{
    place *p = user;

    return latmc_correlation_length(means, &p->momentum) / p->size;
}

enum { MOST_INPUTS = 3 };

static const struct {
    const char *name;
    latmc_derived formula;
    int count, inputs[MOST_INPUTS];
} quantities[HEISENBERG_QUANTITIES] = {
    [HEISENBERG_ENERGY] = {"energy", itself, 1, {ENERGY}},
    [HEISENBERG_OF_LINKS] = {"energy_of_links", of_links, 2, {SELF_LINK, LINK}},
    [HEISENBERG_DIFFERENCE] = {"difference", difference, 3, {ENERGY, SELF_LINK, LINK}},
    [HEISENBERG_LINK] = {"link_overlap", itself, 1, {LINK}},
    [HEISENBERG_SELF_LINK] = {"self_link_overlap", itself, 1, {SELF_LINK}},
    [HEISENBERG_TENSOR2] = {"tensor_overlap2", itself, 1, {TENSOR2}},
    [HEISENBERG_TENSOR4] = {"tensor_overlap4", itself, 1, {TENSOR4}},
    [HEISENBERG_BINDER] = {"binder", binder, 2, {TENSOR2, TENSOR4}},
    [HEISENBERG_SUSCEPTIBILITY] = {"spin_glass_susceptibility", susceptibility, 1, {TENSOR2}},
    [HEISENBERG_LENGTH] = {"xi_over_l", length_by_size, 2, {TENSOR2, STRUCTURE}},
};

const char *heisenberg_name(heisenberg_quantity q)
{
    return quantities[q].name;
}

/* Samples are independent, and each is a mean of its own: one left out in turn. */
static void analyse(heisenberg *h, int bin)
{
    for (int64_t t = 0; t < h->ladder; t++)
        for (int q = 0; q < HEISENBERG_QUANTITIES; q++) {
            latmc_estimate *e = &h->estimates[(bin * h->ladder + t) * HEISENBERG_QUANTITIES + q];
            place p = {.temperature = h->temperature[t],
                       .size = (double)h->size,
                       .momentum = {sizeof p.momentum, 2 * acos(-1.0) / (double)h->size}};
            const double *series[MOST_INPUTS];

            for (int i = 0; i < quantities[q].count; i++)
                series[i] = mean_of(h, bin, quantities[q].inputs[i], t);
            *e = (latmc_estimate)LATMC_INIT(latmc_estimate);
            cli_run(latmc_average_derived(&(latmc_derivation){.size = sizeof(latmc_derivation),
                                                              .series = series,
                                                              .series_count = quantities[q].count,
                                                              .count = h->samples,
                                                              .function = quantities[q].formula,
                                                              .user = &p},
                                          e));
        }
}

int heisenberg_run(heisenberg *h)
{
    simulation s = {.lattice = h->lattice, .steps = h->steps};
    const double begin = cli_clock();

    simulation_begin(&s, 0, h->rounds * h->steps.sweeps);
    cli_setup(latmc_start(h->lattice, LATMC_START_HOT), "sizes");
    for (int b = 0; b < h->bins && !s.stopped; b++)
        run_bin(h, &s, b);
    h->seconds = cli_clock() - begin;
    for (int b = 0; b < h->done; b++)
        analyse(h, b);
    return s.stopped;
}

const latmc_estimate *heisenberg_find(const heisenberg *h, int bin, int64_t temperature,
                                      heisenberg_quantity q)
{
    return &h->estimates[(bin * h->ladder + temperature) * HEISENBERG_QUANTITIES + q];
}

double heisenberg_deviation(const heisenberg *h, int bin, int64_t temperature)
{
    const latmc_estimate *e = heisenberg_find(h, bin, temperature, HEISENBERG_DIFFERENCE);

    return e->value / e->error;
}

double heisenberg_spread(const heisenberg *h, int bin, int64_t *worst)
{
    double square = 0;

    *worst = 0;
    for (int64_t t = 0; t < h->ladder; t++) {
        const double d = heisenberg_deviation(h, bin, t);

        square += d * d / (double)h->ladder;
        if (fabs(d) > fabs(heisenberg_deviation(h, bin, *worst)))
            *worst = t;
    }
    return sqrt(square);
}
