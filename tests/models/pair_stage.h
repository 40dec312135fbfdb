/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of sums over pairs share. */
#ifndef LM_TESTS_MODELS_PAIR_STAGE_H
#define LM_TESTS_MODELS_PAIR_STAGE_H

#include "tests/models/momenta_by_hand.h"

#include "lib/base/status.h"

enum { MOST_PAIRS = 400, MOST_OBSERVABLES = 40 };

static const latmc_quantity overlaps[] = {
    LATMC_QUANTITY(LATMC_OVERLAP), LATMC_QUANTITY(LATMC_ABS_OVERLAP),
    LATMC_QUANTITY(LATMC_OVERLAP2), LATMC_QUANTITY(LATMC_OVERLAP4)};

/* Those of pairs that the lattice has, with some momenta. */
static inline int all_observables(latmc_lattice *lattice, latmc_quantity all[MOST_OBSERVABLES])
{
    hand_set_pair_momenta(lattice);
    return suite_pair_quantities(lattice, all, MOST_OBSERVABLES);
}

/* ---- pairs */

/* Each of some replicas with each of some others, itself among them; returns how many. */
static inline int64_t choose(int64_t replicas, int64_t pairs[MOST_PAIRS][2])
{
    const int64_t step = replicas / 12 + 1;
    int64_t n = 0;

    for (int64_t a = 0; a < replicas; a += step)
        for (int64_t b = 0; b < replicas; b += step) {
            pairs[n][0] = (a + b) % 3 ? a : replicas - 1 - a;
            pairs[n][1] = b;
            n++;
        }
    return n;
}

static inline void same(const double *got, const double *want, int64_t count, const char *what)
{
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&got[i], &want[i], sizeof got[i]) != 0)
            fail_msg("%s: number %d is %.17g, not %.17g", what, (int)i, got[i], want[i]);
}

/* What the powers and the modulus are made of is the overlap, each number by itself. */
static inline void check_powers(const double *values, int64_t pairs)
{
    double want[3 * MOST_PAIRS] = {0};

    for (int64_t p = 0; p < pairs; p++) {
        const double q = values[p], q2 = q * q;

        want[p] = q < 0.0 ? -q : q;
        want[pairs + p] = q2;
        want[2 * pairs + p] = q2 * q2;
    }
    same(values + pairs, want, 3 * pairs, "the overlap's modulus and powers");
}

static inline void check_by_hand(latmc_lattice *lattice, const int64_t pair[2], int count,
                                 const latmc_quantity *all, const double *values, int64_t stride)
{
    hand h = hand_of(lattice, pair[0], pair[1]);

    for (int o = 0; o < count; o++) {
        const int made_of =
            all[o].observable >= LATMC_ABS_OVERLAP && all[o].observable <= LATMC_OVERLAP4;
        const double want = made_of ? values[o * stride] : hand_pair_value(&h, all[o]);

        if (memcmp(&want, &values[o * stride], sizeof want) != 0)
            fail_msg("observable %d by hand is %.17g, not %.17g", all[o].observable, want,
                     values[o * stride]);
    }
    hand_free(&h);
}

/* All pairs at once, each by itself, turned round, with the observables the other way round; a few
 * by hand. */
static inline void check_pairs(latmc_lattice *lattice, int by_hand)
{
    static double values[MOST_OBSERVABLES * MOST_PAIRS];
    int64_t pairs[MOST_PAIRS][2];
    latmc_quantity all[MOST_OBSERVABLES], reversed[MOST_OBSERVABLES];
    const int count = all_observables(lattice, all);
    const int64_t n = choose(info_of(lattice).replicas, pairs);

    for (int o = 0; o < count; o++)
        reversed[o] = all[count - 1 - o];
    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, n, pairs[0], count, all, values));
    check_powers(values, n);
    for (int64_t p = 0; p<n; p += n> 20 ? 7 : 1) {
        const int64_t back[2] = {pairs[p][1], pairs[p][0]};
        double alone[MOST_OBSERVABLES];

        ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, back, count, reversed, alone));
        for (int o = 0; o < count; o++)
            same(alone + o, values + (count - 1 - o) * n + p, 1, "a pair turned round, alone");
    }
    for (int o = 0; o < count; o++) {
        double alone;

        ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pairs[n - 1], 1, all + o, &alone));
        same(&alone, values + o * n + n - 1, 1, "an observable alone");
    }
    for (int i = 0; i < by_hand; i++) {
        const int64_t p = (i + 1) * (n - 1) / by_hand;

        check_by_hand(lattice, pairs[p], count, all, values + p, n);
    }
}

/* ---- every device */

/* All observables of a list of pairs are those of each pair by itself, on another device. */
static inline void check_list(latmc_lattice *lattice, latmc_lattice *twin, int64_t n,
                              const int64_t (*pairs)[2])
{
    latmc_quantity all[MOST_OBSERVABLES];
    const int count = all_observables(lattice, all);
    double values[MOST_OBSERVABLES * 8], alone[MOST_OBSERVABLES];

    assert_true(n <= 8);
    hand_set_pair_momenta(twin);
    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, n, pairs[0], count, all, values));
    for (int64_t p = 0; p < n; p++) {
        ok(latmc_observe_pairs(twin, LATMC_BY_REPLICA, 1, pairs[p], count, all, alone));
        for (int o = 0; o < count; o++)
            same(values + o * n + p, alone + o, 1, "a pair of a list");
    }
}

/* ---- without memory, and on several devices */

/* A device that fails when it has written something. */
static inline latmc_status no_memory(void *plan, unsigned bundles, int64_t pairs,
                                     const int64_t (*replicas)[2], double *sums)
{
    (void)plan, (void)bundles, (void)pairs, (void)replicas;
    sums[0] = (double)NAN;
    return lm_fail(LATMC_ERROR_DEVICE_MEMORY, "there is none");
}

static inline latmc_status no_memory_for_planes(void *plan, int64_t pairs,
                                                const int64_t (*replicas)[2], int64_t *apart)
{
    (void)plan, (void)pairs, (void)replicas, (void)apart;
    return lm_fail(LATMC_ERROR_DEVICE_MEMORY, "there is none");
}

#endif
