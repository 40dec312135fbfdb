/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's trajectory of the phi^4 model against the naive one, bit for bit. */
#include <float.h>

#include "backends/cpu/field/plan.h"
#include "lib/lattice.h"
#include "tests/models/phi4_naive_sums.h"

enum { MAX_REPLICAS = 5, METROPOLIS_SWEEPS = 2, TUNED = 3 };
static const uint64_t seed = 0x0123456789abcdefu;

typedef struct sample {
    field_model model; /* of replica 0 */
    int64_t first, replicas;
} sample;

/* kappa > 0 is for the odd replicas of a lattice that has it, but see vary(). */
static const sample samples[] = {
    {{1, {2}, {P}, 1.0, 1.0, .kappa = 0.0}, 0, 3},
    {{1, {2}, {A}, 0.5, 2.0, .kappa = 0.0}, 7, 3},
    {{1, {2}, {O}, 0.5, 2.0, .kappa = 0.0}, 0, 2},
    {{1, {3}, {P}, 0.7, 1.0, .kappa = 0.3}, 0, 4},
    {{1, {3}, {A}, -0.7, 3.0, .kappa = 0.5}, 0, 4},
    {{1, {3}, {O}, -0.7, 3.0, .kappa = 0.5}, 0, 4},
    {{1, {5}, {P}, -1.0, 3.0, .kappa = 0.5}, 0, 4},
    {{1, {7}, {A}, -1.0, 3.0, .kappa = 0.5}, 1, 4},
    {{1, {11}, {O}, -1.0, 3.0, .kappa = 0.5}, 65532, 4},
    {{1, {10}, {P}, 1.0, 0.0, .kappa = 0.25}, 0, 4},
    {{1, {1000}, {P}, -0.5, 3.0, .kappa = 0.5}, 0, 2},
    {{1, {517}, {A}, -0.5, 3.0, .kappa = 0.5}, 0, 2},
    {{1, {2500}, {O}, -0.5, 3.0, .kappa = 0.5}, 0, 2},
    {{2, {2, 2}, {P, P}, 1.0, 1.0, .kappa = 0.0}, 0, 4},
    {{2, {2, 6}, {A, O}, 1.0, 1.0, .kappa = 0.0}, 0, 2},
    {{2, {3, 3}, {P, P}, -0.5, 3.0, .kappa = 0.25}, 0, 4},
    {{2, {4, 4}, {P, P}, -0.5, 3.0, .kappa = 0.25}, 0, 4},
    {{2, {4, 5}, {A, P}, -0.5, 3.0, .kappa = 0.25}, 0, 4},
    {{2, {5, 5}, {P, P}, -0.5, 3.0, .kappa = 0.25}, 0, 4},
    {{2, {8, 8}, {P, P}, -0.5, 3.0, .kappa = 0.25}, 3, 4},
    {{2, {10, 10}, {P, P}, -0.5, 3.0, .kappa = 1.0}, 0, 2},
    {{2, {10, 15}, {P, A}, -0.5, 3.0, .kappa = 1.0}, 0, 2},
    {{2, {12, 7}, {P, P}, 0.5, 2.0, .kappa = 1.0}, 0, 2},
    {{2, {16, 17}, {P, P}, 0.5, 2.0, .kappa = 1.0}, 0, 2},
    {{2, {17, 16}, {O, P}, 0.5, 2.0, .kappa = 1.0}, 0, 2},
    {{2, {11, 13}, {O, O}, 0.5, 2.0, .kappa = 1.0}, 0, 2},
    {{2, {3, 16}, {O, A}, 0.5, 2.0, .kappa = 1.0}, 0, 4},
    {{2, {70, 34}, {P, P}, -0.5, 3.0, .kappa = 0.25}, 0, 2},
    {{2, {1100, 3}, {P, P}, -0.5, 3.0, .kappa = 0.25}, 0, 2},
    {{2, {3, 1100}, {P, O}, -0.5, 3.0, .kappa = 0.25}, 0, 2},
    {{3, {2, 2, 2}, {P, A, P}, 0.5, 2.0, .kappa = 0.0}, 0, 2},
    {{3, {3, 3, 3}, {P, P, P}, 0.3, 4.0, .kappa = 0.25}, 0, 4},
    {{3, {4, 4, 4}, {P, P, P}, -0.5, 3.0, .kappa = 0.5}, 0, 4},
    {{3, {4, 5, 7}, {A, P, P}, 0.3, 4.0, .kappa = 0.25}, 0, 4},
    {{3, {5, 3, 7}, {P, A, O}, 0.3, 4.0, .kappa = 0.25}, 0, 4},
    {{3, {7, 7, 7}, {P, P, P}, 0.3, 4.0, .kappa = 0.25}, 0, 2},
    {{3, {8, 8, 8}, {P, P, P}, 0.3, 4.0, .kappa = 0.25}, 5, 2},
    {{3, {10, 8, 12}, {P, O, A}, 0.3, 4.0, .kappa = 0.25}, 0, 2},
    {{3, {11, 16, 5}, {O, P, P}, 0.3, 4.0, .kappa = 0.25}, 0, 2},
    {{3, {3, 4, 6}, {O, O, O}, 0.3, 4.0, .kappa = 0.25}, 0, 2},
    {{3, {17, 4, 20}, {P, P, P}, 0.3, 4.0, .kappa = 0.25}, 0, 2},
    {{3, {40, 30, 3}, {P, P, O}, 0.3, 4.0, .kappa = 0.25}, 0, 2},
    {{3, {14, 17, 27}, {P, A, P}, 0.3, 4.0, .kappa = 0.25}, 0, 2},
    {{3, {29, 30, 31}, {P, P, P}, 0.3, 4.0, .kappa = 0.25}, 1, 1},
    {{3, {28, 9, 34}, {P, P, O}, 0.3, 4.0, .kappa = 0.25}, 0, 1},
    {{4, {2, 3, 2, 4}, {P, P, A, O}, 0.3, 4.0, .kappa = 0.0}, 0, 2},
    {{4, {3, 3, 3, 3}, {P, P, P, P}, 0.3, 4.0, .kappa = 0.25}, 0, 2},
    {{4, {4, 4, 4, 4}, {P, P, P, P}, -0.5, 3.0, .kappa = 0.25}, 0, 2},
    {{4, {5, 4, 3, 7}, {P, A, O, P}, -0.5, 3.0, .kappa = 0.25}, 0, 2},
    {{4, {8, 5, 4, 10}, {P, P, A, P}, -0.5, 3.0, .kappa = 0.25}, 0, 2},
    {{4, {11, 4, 4, 4}, {O, O, P, P}, -0.5, 3.0, .kappa = 0.25}, 0, 2},
    {{4, {9, 9, 9, 9}, {P, P, P, P}, -0.5, 3.0, .kappa = 0.25}, 0, 1},
    {{4, {10, 9, 12, 9}, {P, P, P, P}, -0.5, 3.0, .kappa = 0.25}, 0, 1},
};

/* Replica r of a sample: no two are alike. */
static field_model vary(const sample *s, int64_t r)
{
    static const int hits[] = {1, 5, 8, 3, 4, 2, 6};
    field_model m = s->model;
    const int turn = (int)(s - samples) + (int)r;

    m.mu2 += 0.1 * (double)r;
    m.g *= 1.0 + 0.25 * (double)r;
    m.kappa *= turn % 3 == 0 ? 0.0 : 1.0 + 0.3 * (double)r;
    m.field = turn % 2 ? 0.1 * (double)r - 0.15 : 0.0;
    m.epsilon = 0.9 + 0.37 * (double)r;
    m.hits = hits[turn % (int)ALL(hits)];
    m.local_sweeps = turn % 2 ? 3 : 1;
    return m;
}

static const char *const types[] = {"float", "double"};

static void compare_sites(const sample *s, latmc_lattice *lattice, int64_t r, const naive_field *n,
                          const char *when)
{
    double *sites = malloc((size_t)n->sites * sizeof *sites);
    const latmc_type type = n->single ? LATMC_FLOAT32 : LATMC_FLOAT64;

    assert_non_null(sites);
    ok(latmc_get_sites(lattice, r, type, sites, n->sites));
    for (int i = 0; i < n->sites; i++) {
        const float want = (float)n->phi[i];
        const double got = n->single ? (double)((float *)sites)[i] : sites[i];
        if (memcmp(n->single ? (const void *)((float *)sites + i) : (const void *)(sites + i),
                   n->single ? (const void *)&want : (const void *)&n->phi[i],
                   n->single ? sizeof(float) : sizeof(double)) != 0) {
            char name[80];
            fail_msg("%s, %s, sample %d (%s), replica %d: site %d is %a, not %a", when,
                     types[!n->single], (int)(s - samples), field_name(&n->m, name), (int)r, i, got,
                     n->phi[i]);
        }
    }
    free(sites);
}

static void compare_observables(const sample *s, latmc_lattice *lattice, int64_t r,
                                const naive_field *n, const char *when)
{
    static const latmc_observable what[] = {
        LATMC_ENERGY,
        LATMC_ENERGY_GRADIENT,
        LATMC_ENERGY_POTENTIAL,
        LATMC_ENERGY_CUTOFF,
        LATMC_ACCEPTANCE,
        LATMC_PHI,
        LATMC_ABS_PHI,
        LATMC_M2,
        LATMC_M4,
        LATMC_PHI_SQUARED,
        LATMC_PHI_FOURTH,
        LATMC_STRUCTURE_0,
        LATMC_STRUCTURE_1,
        LATMC_STRUCTURE_2,
        LATMC_STRUCTURE_3,
    };
    double sums[S_SUMS], values[MAX_REPLICAS];

    naive_sums(n, sums);
    for (size_t i = 0; i < ALL(what); i++) {
        const double want = naive_observable(n, sums, what[i]);
        char name[80];
        ok(latmc_observe(lattice, what[i], values));
        if (memcmp(&values[r], &want, sizeof want) != 0)
            fail_msg("%s, %s, sample %d (%s), replica %d: observable %d is %a, not %a (%g)", when,
                     types[!n->single], (int)(s - samples), field_name(&n->m, name), (int)r,
                     (int)what[i], values[r], want, values[r] - want);
    }
}

/* A lattice and its replicas done by hand, side by side. */
typedef struct pair {
    const sample *sample;
    latmc_lattice *lattice;
    naive_field naive[MAX_REPLICAS];
} pair;

/* given: the replicas' models, or NULL if they are to vary. */
static pair pair_of(const sample *s, const field_model *given, latmc_type type, const char *device)
{
    field_model models[MAX_REPLICAS];
    pair p = {.sample = s};

    for (int64_t r = 0; r < s->replicas; r++) {
        models[r] = given ? given[r] : vary(s, r);
        p.naive[r] = naive_field_of(&models[r], type, seed, (uint64_t)(s->first + r));
    }
    p.lattice = field_lattice(models, s->replicas, type, seed);
    ok(latmc_set_first_replica(p.lattice, s->first));
    ok(latmc_set_threads(p.lattice, 1));
    ok(latmc_set_device(p.lattice, device));
    return p;
}

static void pair_free(pair *p)
{
    for (int64_t r = 0; r < p->sample->replicas; r++)
        naive_field_free(&p->naive[r]);
    latmc_destroy(p->lattice);
}

static void pair_start(pair *p, latmc_start_mode mode)
{
    ok(latmc_start(p->lattice, mode));
    for (int64_t r = 0; r < p->sample->replicas; r++) {
        naive_field_start(&p->naive[r], mode);
        compare_sites(p->sample, p->lattice, r, &p->naive[r], "start");
        compare_observables(p->sample, p->lattice, r, &p->naive[r], "start");
    }
}

static void pair_sweep(pair *p, latmc_update update, int sweeps, const char *when)
{
    ok(latmc_sweep(p->lattice, update, sweeps));
    for (int64_t r = 0; r < p->sample->replicas; r++) {
        for (int k = 0; k < sweeps; k++)
            naive_field_sweep(&p->naive[r], update);
        compare_sites(p->sample, p->lattice, r, &p->naive[r], when);
        compare_observables(p->sample, p->lattice, r, &p->naive[r], when);
    }
}

static void pair_tune(pair *p, latmc_update update, double target)
{
    double epsilon[MAX_REPLICAS];

    ok(latmc_tune(p->lattice, update, TUNED, target));
    ok(latmc_get_params(p->lattice, LATMC_EPSILON, epsilon));
    for (int64_t r = 0; r < p->sample->replicas; r++) {
        naive_tune(&p->naive[r], update, TUNED, target);
        compare_sites(p->sample, p->lattice, r, &p->naive[r], "tuned");
        if (epsilon[r] != p->naive[r].m.epsilon)
            fail_msg("sample %d, replica %d: tuned to %a, not %a", (int)(p->sample - samples),
                     (int)r, epsilon[r], p->naive[r].m.epsilon);
    }
}

static void follow(const sample *s, latmc_type type, const char *device)
{
    pair p = pair_of(s, NULL, type, device);
    const int tiled = field_can_be_tiled(&s->model);

    pair_start(&p, LATMC_START_COLD);
    pair_sweep(&p, LATMC_METROPOLIS, 1, "Metropolis from cold");
    pair_start(&p, LATMC_START_HOT);
    pair_sweep(&p, LATMC_METROPOLIS, METROPOLIS_SWEEPS, "Metropolis");
    pair_sweep(&p, LATMC_OVERRELAX, 1, "over-relaxation");
    if (tiled)
        pair_sweep(&p, LATMC_BLOCK_METROPOLIS, 2, "block Metropolis");
    pair_tune(&p, tiled ? LATMC_BLOCK_METROPOLIS : LATMC_METROPOLIS, 0.6);
    pair_sweep(&p, LATMC_METROPOLIS, 1, "Metropolis once more");
    pair_free(&p);
}

static void contract(void **state)
{
    if (!usable(*state))
        skip();
    for (size_t i = 0; i < ALL(samples); i++) {
        follow(&samples[i], LATMC_FLOAT32, *state);
        follow(&samples[i], LATMC_FLOAT64, *state);
    }
}

/* The cut-off comes and goes, in one replica and in all: with it the colours, and on some devices
 * where the sites are. */
static void cutoff_changes(void **state)
{
    static const sample lattices[] = {
        {{2, {34, 22}, {P, P}, 0.5, 2.0, .epsilon = 1.1, .hits = 3, .local_sweeps = 2}, 0, 2},
        {{3, {30, 9, 17}, {P, A, P}, 0.5, 2.0, .epsilon = 1.1, .hits = 3, .local_sweeps = 2}, 0, 2},
        {{3, {14, 8, 16}, {O, P, P}, 0.5, 2.0, .epsilon = 1.1, .hits = 3, .local_sweeps = 2}, 0, 2},
    };
    static const double kappa[][2] = {{0.0, 0.0}, {0.25, 0.0}, {0.0, 0.5}, {0.25, 0.5}, {0.0, 0.0}};

    if (!usable(*state))
        skip();
    for (size_t l = 0; l < ALL(lattices); l++) {
        const field_model models[] = {lattices[l].model, lattices[l].model};
        pair p = pair_of(&lattices[l], models, LATMC_FLOAT32, *state);
        pair_start(&p, LATMC_START_HOT);
        for (size_t k = 0; k < ALL(kappa); k++) {
            ok(latmc_set_params(p.lattice, LATMC_INV_LAMBDA, kappa[k]));
            for (int r = 0; r < 2; r++)
                naive_set_kappa(&p.naive[r], kappa[k][r]);
            pair_sweep(&p, LATMC_METROPOLIS, 1, "Metropolis after a change");
            if (k % 2)
                pair_sweep(&p, LATMC_BLOCK_METROPOLIS, 1, "block Metropolis after a change");
        }
        pair_free(&p);
    }
}

/* Colours that follow each other through the lattice, which only large ones have by themselves: a
 * replica of few and one of many colours. */
static void fronts_on(const sample *s, const char *device, int threads)
{
    field_model models[] = {s->model, s->model};
    models[1].kappa = 0.3;
    pair p = pair_of(s, models, LATMC_FLOAT32, device);

    ok(latmc_set_threads(p.lattice, threads));
    pair_start(&p, LATMC_START_HOT);
    lm_field_plan *plan = p.lattice->place.plan.self;
    plan->front_limits.field_bytes = 0;
    plan->front_limits.front_sites = 1;
    assert_true(lm_field_slices(plan, &plan->layouts[1], threads) > 0);
    if (strcmp(device, "cpu:scalar") == 0)
        assert_true(lm_field_slices(plan, &plan->layouts[0], threads) > 0);
    pair_sweep(&p, LATMC_METROPOLIS, 2, "Metropolis in fronts");
    pair_sweep(&p, LATMC_OVERRELAX, 1, "over-relaxation in fronts");
    pair_free(&p);
}

/* 437 = 4 x 109 + 1: nodes do not end together, and slices are as thin as they may be. */
static void fronts(void **state)
{
    static const sample lattices[] = {
        {{2, {40, 700}, {P, P}, 0.5, 2.0, .kappa = 0.0, .epsilon = 1.1, .hits = 3}, 0, 2},
        {{2, {34, 437}, {A, P}, 0.5, 2.0, .kappa = 0.0, .epsilon = 1.1, .hits = 3}, 0, 2},
        {{2, {10, 300}, {P, O}, 0.5, 2.0, .kappa = 0.0, .epsilon = 1.1, .hits = 3}, 0, 2},
        {{3, {8, 16, 160}, {P, P, A}, 0.5, 2.0, .kappa = 0.0, .epsilon = 1.1, .hits = 3}, 0, 2},
        {{3, {14, 7, 320}, {P, P, P}, 0.5, 2.0, .kappa = 0.0, .epsilon = 1.1, .hits = 3}, 0, 2},
    };

    if (!usable(*state))
        skip();
    for (size_t l = 0; l < ALL(lattices); l++)
        for (int threads = 1; threads <= 3; threads += 2)
            fronts_on(&lattices[l], *state, threads);
}

/* Enough sites for sums of sums of sums. */
static void long_sums(void **state)
{
    static const sample s = {{1, {1050001}, {P}, 1.0, 1.0, .kappa = 0.25, .epsilon = 1.0}, 0, 1};

    if (!usable(*state))
        skip();
    pair p = pair_of(&s, &s.model, LATMC_FLOAT32, *state);
    pair_start(&p, LATMC_START_HOT);
    pair_free(&p);
}

/* ---- energies that no float can hold */

/*
 * The largest parameters; and, where a2 all but vanishes, reflections that carry the field away
 * until phi^2 overflows. Then E is infinite, or undefined if g4 rounds to 0 or terms of either sign
 * are infinite. `critical`: mu2 counts from where a2 = 0.
 */
static field_model wild_model(const field_model *lattice, int64_t r)
{
    static const struct {
        double mu2, g, kappa, field;
        int critical;
    } table[MAX_REPLICAS] = {
        {-1e6, 1e6, 1e6, 1e6, 0},     {-1.0, 1e-300, 100.0, 1.0, 1}, {-1e-3, 1e-42, 0.0, -1.0, 1},
        {0.0, 1e-30, 1e-300, 0.0, 1}, {1e6, 1e6, 0.0, -1e6, 0},
    };
    const double d = 2.0 * lattice->dims;
    field_model m = *lattice;

    m.g = table[r].g;
    m.kappa = table[r].kappa;
    m.field = table[r].field;
    m.mu2 = table[r].mu2 - (table[r].critical ? d + m.kappa * (d * d + d) : 0.0);
    m.epsilon = r % 2 ? 1.0 : 1e6;
    m.hits = 3 + (int)r;
    m.local_sweeps = 2;
    return m;
}

/* From fields of magnitude 1e6. */
static void pair_start_far(pair *p)
{
    uint64_t random = 1;

    ok(latmc_start(p->lattice, LATMC_START_COLD));
    for (int64_t r = 0; r < p->sample->replicas; r++) {
        naive_field *n = &p->naive[r];
        naive_field_start(n, LATMC_START_COLD);
        for (int i = 0; i < n->sites; i++)
            n->phi[i] = next_random(&random) % 2 ? 1e6 : -1e6;
        ok(latmc_set_sites(p->lattice, r, LATMC_FLOAT64, n->phi, n->sites));
    }
}

/* Some changes of H were infinite and, since the last call, some undefined; the fields are not. */
static void met_overflow(pair *p, const char *when)
{
    long infinite = 0, undefined = 0;

    for (int64_t r = 0; r < p->sample->replicas; r++) {
        naive_field *n = &p->naive[r];
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

static void overflow_is_refused(void **state)
{
    static const sample lattices[] = {{{2, {72, 60}, {P, P}, .mu2 = 0.0}, 0, MAX_REPLICAS},
                                      {{3, {18, 12, 20}, {A, O, P}, .mu2 = 0.0}, 0, MAX_REPLICAS}};

    if (!usable(*state))
        skip();
    for (size_t l = 0; l < ALL(lattices); l++)
        for (int threads = 1; threads <= 3; threads++) {
            field_model models[MAX_REPLICAS];
            for (int64_t r = 0; r < MAX_REPLICAS; r++)
                models[r] = wild_model(&lattices[l].model, r);
            pair p = pair_of(&lattices[l], models, LATMC_FLOAT32, *state);
            ok(latmc_set_threads(p.lattice, threads));
            pair_start_far(&p);
            sweep_far(&p, LATMC_OVERRELAX, "far away, over-relaxation");
            sweep_far(&p, LATMC_METROPOLIS, "far away, Metropolis");
            sweep_far(&p, LATMC_BLOCK_METROPOLIS, "far away, block Metropolis");
            pair_free(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_DEVICE(contract),
        ON_EVERY_DEVICE(cutoff_changes),
        ON_EVERY_DEVICE(overflow_is_refused),
        cmocka_unit_test_prestate(fronts, "cpu:scalar"),
        cmocka_unit_test_prestate(fronts, "cpu:avx2"),
        cmocka_unit_test_prestate(fronts, "cpu:avx512"),
        cmocka_unit_test_prestate(long_sums, "cpu:scalar"),
        cmocka_unit_test_prestate(long_sums, "cpu:avx512"),
        cmocka_unit_test_prestate(long_sums, "cuda:0"),
    };
    lm_worth = (lm_team_worth){0}; /* small lattices have all the threads that they ask for */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
