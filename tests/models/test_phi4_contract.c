/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the contract has of the phi^4 model alone: a cut-off that changes, colours in fronts, long
 * sums, energies that overflow. The library against the second implementation, bit for bit.
 */
#include <float.h>

#include "tests/inside.h"
#include "tests/models/pair.h"
#include "tests/models/phi4.h"

static pair made(const test_sample *samples, int number, const char *device)
{
    const test_case c = {.model = &test_phi4,
                         .shape = &samples[number].shape,
                         .settings = samples[number].settings,
                         .type = LATMC_FLOAT32,
                         .number = number};

    return pair_of(&c, device);
}

#define CHANGING                                                                                   \
    FIELD(.vary = phi4_same, .mu2 = 0.5, .g = 2.0, .kappa = 0.25, .epsilon = 1.1, .hits = 3,       \
          .local_sweeps = 2)

static const test_sample changing_lattices[] = {
    {{2, {34, 22}, {P, P}, 0, 2}, CHANGING},
    {{3, {30, 9, 17}, {P, A, P}, 0, 2}, CHANGING},
    {{3, {14, 8, 16}, {O, P, P}, 0, 2}, CHANGING},
};

/* With the option on inv_lambda may be 0, in one replica and in all, at some time or at all. */
static void inv_lambda_changes(void **state)
{
    static const double kappa[][2] = {{0.0, 0.0}, {0.25, 0.0}, {0.0, 0.5}, {0.25, 0.5}, {0.0, 0.0}};
    const suite_stage *on = suite_stage_of(state);

    for (size_t l = 0; l < ALL(changing_lattices); l++) {
        pair p = made(changing_lattices, (int)l, on->device);
        pair_start(&p, LATMC_START_HOT);
        for (size_t k = 0; k < ALL(kappa); k++) {
            ok(latmc_set_params(p.lattice, LATMC_INV_LAMBDA, kappa[k]));
            for (int r = 0; r < 2; r++)
                ((naive_field *)p.naive[r])->m.kappa = kappa[k][r];
            pair_sweep(&p, LATMC_METROPOLIS, 1, "Metropolis after a change");
            if (k % 2)
                pair_sweep(&p, LATMC_BLOCK_METROPOLIS, 1, "block Metropolis after a change");
        }
        pair_free(&p);
    }
}

/* A replica whose inv_lambda is 0. */
static field_model with_and_without(const test_case *c, int64_t r)
{
    field_model m = phi4_same(c, r);

    m.kappa = r == 0 ? 0.0 : 0.3;
    m.cutoff = 1;
    return m;
}

#define FAR_FRONTS                                                                                 \
    FIELD(.vary = with_and_without, .mu2 = 0.5, .g = 2.0, .kappa = 0.3, .epsilon = 1.1, .hits = 3)
#define NEAR_FRONTS FIELD(.vary = phi4_same, .mu2 = 0.5, .g = 2.0, .epsilon = 1.1, .hits = 3)

enum { FAR_LATTICES = 5 };

/* 437 = 4 x 109 + 1: nodes do not end together, and slices are as thin as they may be. */
static const test_sample long_lattices[] = {
    {{2, {40, 700}, {P, P}, 0, 2}, FAR_FRONTS},
    {{2, {34, 437}, {A, P}, 0, 2}, FAR_FRONTS},
    {{2, {10, 300}, {P, O}, 0, 2}, FAR_FRONTS},
    {{3, {8, 16, 160}, {P, P, A}, 0, 2}, FAR_FRONTS},
    {{3, {14, 7, 320}, {P, P, P}, 0, 2}, FAR_FRONTS},
    {{2, {40, 700}, {P, P}, 0, 2}, NEAR_FRONTS},
    {{2, {34, 437}, {A, P}, 0, 2}, NEAR_FRONTS},
    {{3, {14, 7, 320}, {P, P, O}, 0, 2}, NEAR_FRONTS},
};

static void fronts_on(int number, const char *device, int threads)
{
    pair p = made(long_lattices, number, device);

    ok(latmc_set_threads(p.lattice, threads));
    pair_start(&p, LATMC_START_HOT);
    inside_force_fronts(p.lattice);
    if (number < FAR_LATTICES || strcmp(device, "cpu:scalar") == 0)
        assert_true(inside_slices(p.lattice, threads) > 0);
    pair_sweep(&p, LATMC_METROPOLIS, 2, "Metropolis in fronts");
    pair_sweep(&p, LATMC_OVERRELAX, 1, "over-relaxation in fronts");
    pair_free(&p);
}

/* Only CPUs have fronts. */
static void fronts(void **state)
{
    const suite_stage *on = suite_stage_of(state);

    if (strncmp(on->device, "cpu", 3) != 0)
        skip();
    for (size_t l = 0; l < ALL(long_lattices); l++)
        for (int threads = 1; threads <= 3; threads += 2)
            fronts_on((int)l, on->device, threads);
}

/* Enough sites for sums of sums of sums. */
static const test_sample million = {
    {1, {1050001}, {P}, 0, 1},
    FIELD(.vary = phi4_same, .mu2 = 1.0, .g = 1.0, .kappa = 0.25, .epsilon = 1.0)};

/* ---- updates in turn, and what is read between them: a device may keep sites in an order of its
 * own for each */

static const test_sample alternating_lattices[] = {
    {{3, {16, 8, 24}, {P, P, P}, 0, 3}, CHANGING},
    {{3, {40, 4, 6}, {P, O, A}, 0, 2}, CHANGING},
    {{3, {13, 7, 10}, {A, P, P}, 0, 2}, CHANGING},
    {{2, {24, 37}, {O, P}, 0, 2}, NEAR_FRONTS},
    {{2, {32, 64}, {P, P}, 0, 2}, NEAR_FRONTS},
    {{4, {8, 6, 4, 10}, {P, P, P, P}, 0, 2}, CHANGING},
    {{2, {8200, 6}, {P, P}, 0, 1}, CHANGING},
    {{1, {1000}, {P}, 0, 2}, CHANGING},
};

/* Sweeps of each update follow one another, with a measurement (1) or a row read (2) after some. */
static const struct turn {
    latmc_update update;
    int sweeps, reads;
} turns[] = {
    {LATMC_METROPOLIS, 2, 1},       {LATMC_OVERRELAX, 1, 0},  {LATMC_BLOCK_METROPOLIS, 1, 0},
    {LATMC_METROPOLIS, 1, 0},       {LATMC_METROPOLIS, 1, 2}, {LATMC_OVERRELAX, 2, 1},
    {LATMC_BLOCK_METROPOLIS, 2, 1}, {LATMC_METROPOLIS, 1, 0},
};

static void take_turn(latmc_lattice *lattice, const struct turn *turn, double *numbers)
{
    const int64_t sites = info_of(lattice).sites;
    const suite_known list = suite_quantities(lattice, &test_phi4);

    ok(latmc_sweep(lattice, turn->update, turn->sweeps));
    if (turn->reads == 1)
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, list.count, list.of, numbers));
    if (turn->reads == 2)
        ok(get_replica(lattice, 0, LATMC_FLOAT64, numbers, sites));
}

static void updates_in_turn(void **state)
{
    const suite_stage *on = suite_stage_of(state);

    for (int l = 0; l < (int)ALL(alternating_lattices); l++) {
        const test_sample *s = &alternating_lattices[l];
        const test_case c = {.model = &test_phi4,
                             .shape = &s->shape,
                             .settings = s->settings,
                             .type = LATMC_FLOAT32,
                             .number = l};
        latmc_lattice *got = suite_started(&c, 0, s->shape.replicas, on->device, 0);
        latmc_lattice *want = suite_started(&c, 0, s->shape.replicas, "cpu:scalar", 1);
        const int64_t most = info_of(want).sites + SUITE_QUANTITIES * 3;
        double *read = suite_room(most, sizeof *read), *known = suite_room(most, sizeof *known);
        for (size_t t = 0; t < ALL(turns); t++) {
            take_turn(got, &turns[t], read);
            take_turn(want, &turns[t], known);
            if (memcmp(read, known, (size_t)most * sizeof *read) != 0)
                fail_msg("lattice %d, turn %zu, on %s", l, t, on->device);
        }
        assert_true(hash_of(got) == hash_of(want));
        ok(latmc_sweep(got, LATMC_METROPOLIS, 1));
        ok(latmc_start(got, LATMC_START_HOT));
        ok(latmc_start(want, LATMC_START_HOT));
        assert_true(hash_of(got) == hash_of(want));
        free(read);
        free(known);
        latmc_destroy(got);
        latmc_destroy(want);
    }
}

static void long_sums(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    pair p;

    if (LM_SANITIZED && !suite_has_case(on, 0))
        return;
    p = made(&million, 0, on->device);
    pair_start(&p, LATMC_START_HOT);
    pair_free(&p);
}

/* ---- energies that no float can hold */

enum { WILD = 5 };

/*
 * The largest parameters; and, where a2 all but vanishes, reflections that carry the field away
 * until phi^2 overflows. Then E is infinite, or undefined if g4 rounds to 0 or terms of either sign
 * are infinite. `critical`: mu2 counts from where a2 = 0.
 */
static field_model wild(const test_case *c, int64_t r)
{
    static const struct {
        double mu2, g, kappa, field;
        int critical;
    } table[WILD] = {
        {-1e6, 1e6, 1e6, 1e6, 0},     {-1.0, 1e-300, 100.0, 1.0, 1}, {-1e-3, 1e-42, 0.0, -1.0, 1},
        {0.0, 1e-30, 1e-300, 0.0, 1}, {1e6, 1e6, 0.0, -1e6, 0},
    };
    const double d = 2.0 * c->shape->dims;
    field_model m = phi4_same(c, r);

    m.g = table[r].g;
    m.kappa = table[r].kappa;
    m.cutoff = 1;
    m.field = table[r].field;
    m.mu2 = table[r].mu2 - (table[r].critical ? d + m.kappa * (d * d + d) : 0.0);
    m.epsilon = r % 2 ? 1.0 : 1e6;
    m.hits = 3 + (int)r;
    m.local_sweeps = 2;
    return m;
}

/* From fields of magnitude 1e6. */
static void start_far(pair *p)
{
    uint64_t random = 1;

    ok(latmc_start(p->lattice, LATMC_START_COLD));
    for (int64_t r = 0; r < p->c.shape->replicas; r++) {
        naive_field *n = p->naive[r];
        naive_field_start(n, LATMC_START_COLD);
        for (int i = 0; i < n->sites; i++)
            n->phi[i] = next_random(&random) % 2 ? 1e6 : -1e6;
        ok(set_replica(p->lattice, r, LATMC_FLOAT64, n->phi, n->sites));
    }
}

/* Some changes of H were infinite and, since the last call, some undefined; the fields are not. */
static void met_overflow(pair *p, const char *when)
{
    long infinite = 0, undefined = 0;

    for (int64_t r = 0; r < p->c.shape->replicas; r++) {
        naive_field *n = p->naive[r];
        infinite += n->infinite;
        undefined += n->undefined;
        n->undefined = 0;
        for (int i = 0; i < n->sites; i++)
            assert_true(n->phi[i] * n->phi[i] <= (double)FLT_MAX);
    }
    if (!infinite || !undefined)
        fail_msg("%s: %ld infinite changes of H, %ld undefined ones", when, infinite, undefined);
}

static void sweep_far(pair *p, latmc_update update, const char *when)
{
    pair_sweep(p, update, 5, when);
    met_overflow(p, when);
}

static const test_sample wild_lattices[] = {
    {{2, {72, 60}, {P, P}, 0, WILD}, FIELD(.vary = wild)},
    {{3, {18, 12, 20}, {A, O, P}, 0, WILD}, FIELD(.vary = wild)},
};

static void overflow_is_refused(void **state)
{
    const suite_stage *on = suite_stage_of(state);

    for (size_t l = 0; l < ALL(wild_lattices); l++)
        for (int threads = 1; threads <= 3; threads += LM_SANITIZED ? 2 : 1) {
            pair p = made(wild_lattices, (int)l, on->device);
            ok(latmc_set_threads(p.lattice, threads));
            start_far(&p);
            sweep_far(&p, LATMC_OVERRELAX, "far away, over-relaxation");
            sweep_far(&p, LATMC_METROPOLIS, "far away, Metropolis");
            sweep_far(&p, LATMC_BLOCK_METROPOLIS, "far away, block Metropolis");
            pair_free(&p);
        }
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_ON_DEVICES(inv_lambda_changes),  SUITE_ON_DEVICES(fronts),
        SUITE_ON_DEVICES(updates_in_turn),     SUITE_ON_DEVICES(long_sums),
        SUITE_ON_DEVICES(overflow_is_refused),
    };

    inside_share_all(0);
    return suite_run(&test_phi4, tests, ALL(tests), NULL, NULL);
}
