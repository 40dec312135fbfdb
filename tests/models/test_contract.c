/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's trajectory against the naive one (ising_naive.h), bit for bit. */
#include "tests/models/ising_naive.h"

enum { SEED_LOW = 0x89abcdef };
enum { SWEEPS = 3 };
static const uint64_t seed = (uint64_t)0x1234567 << 32 | SEED_LOW, coupling_seed = 77;

typedef struct sample {
    model model;
    int64_t first, replicas;
    int mirror; /* replicas also differ in the sign of beta and the field */
} sample;

static const sample samples[] = {
    {{1, {2}, {P}, .beta = 0.4}, 0, 33, 0},
    {{1, {2}, {A}, .beta = 0.4, .field = 0.3}, 5, 3, 1},
    {{1, {3}, {P}, .beta = 0.5}, 6, 20, 1},
    {{1, {37}, {A}, .bonds = DRAWN, .beta = 0.6}, 0, 2, 1},
    {{1, {64}, {P}, .beta = 0.7}, 3, 2, 0},
    {{1, {1000}, {O}, .beta = 0.5, .field = -0.2}, 0, 2, 0},
    {{2, {2, 2}, {P, P}, .beta = 0.2}, 0, 40, 1},
    {{2, {4, 4}, {P, P}, .beta = 0.44}, 0, 17, 0},
    {{2, {4, 6}, {P, A}, .beta = 0.5}, 14, 9, 1},
    {{2, {6, 4}, {O, O}, .beta = 0.5, .field = 0.1}, 1, 9, 1},
    {{2, {3, 5}, {P, P}, .beta = 0.4}, 0, 9, 1},
    {{2, {5, 4}, {O, P}, .bonds = DRAWN, .beta = 0.7}, 2, 5, 0},
    {{2, {5, 7}, {O, P}, .beta = 0.4}, 0, 5, 0},
    {{2, {7, 3}, {P, O}, {1.0, -0.5}, .beta = 0.5, .field = 0.25}, 0, 5, 1},
    {{2, {33, 9}, {P, P}, .beta = 0.4}, 65533, 3, 0},
    {{2, {34, 8}, {A, P}, .bonds = PM1, .beta = 0.8}, 0, 3, 1},
    {{2, {66, 10}, {P, P}, .beta = 0.4}, 0, 2, 0},
    {{2, {130, 6}, {P, O}, .bonds = DILUTED, .beta = 0.6}, 1, 2, 1},
    {{2, {66, 6}, {P, P}, {-0.7, 1.1}, .beta = 0.5}, 0, 2, 1},
    {{2, {97, 5}, {P, P}, .bonds = DRAWN, .beta = 0.5}, 0, 2, 0},
    {{2, {8, 8}, {P, P}, .beta = 1.5}, 0, 8, 0},
    {{2, {8, 6}, {P, O}, .beta = 0.0, .field = 0.5}, 0, 2, 0},
    {{2, {6, 6}, {P, P}, .beta = 0.0}, 0, 1, 0},
    {{2, {8, 6}, {P, P}, .beta = -0.02}, 0, 5, 0}, /* 0 in one of the replicas of a word */
    {{2, {10, 8}, {P, P}, {1.0, 0.0}, .beta = 0.5}, 0, 3, 0}, /* loose at any size */
    {{2, {36, 2}, {P, A}, .beta = 0.5}, 0, 3, 1},
    /* Loose: weak fields, in some replicas; an axis whose bonds are hardly felt, or all, in the
     * first replicas only, since beta grows from one to the next. */
    {{1, {20}, {P}, .beta = 0.5, .field = 0.1}, 0, 7, 1},
    {{2, {6, 4}, {P, O}, .bonds = DILUTED, .beta = 0.4, .field = 1e-3}, 0, 5, 1},
    {{2, {16, 10}, {P, P}, .beta = 0.01}, 0, 6, 1},
    {{2, {10, 8}, {P, P}, {1.0, 0.06}, .beta = 0.5}, 0, 6, 0},
    {{3, {8, 4, 6}, {P, P, P}, {-0.01, 0.5, 0.02}, .beta = 0.3, .field = 1e-9}, 0, 5, 1},
    {{3, {2, 2, 2}, {P, P, P}, .beta = 0.15}, 31, 34, 1},
    {{3, {6, 4, 8}, {P, P, P}, .beta = 0.22}, 0, 8, 0},
    {{3, {3, 3, 2}, {P, P, P}, .beta = 0.22}, 0, 8, 1},
    {{3, {5, 3, 7}, {P, A, O}, .bonds = DILUTED, .beta = 0.4, .field = 0.2}, 0, 5, 1},
    {{3, {4, 3, 6}, {P, O, A}, {0.5, 1.0, -2.0}, DRAWN, .beta = 0.4}, 0, 9, 1},
    {{3, {40, 6, 4}, {P, P, P}, .bonds = DRAWN, .beta = 0.6}, 1, 2, 0},
    {{3, {66, 4, 2}, {P, O, P}, .beta = 0.25}, 0, 1, 0},
    {{4, {2, 2, 2, 2}, {P, P, P, P}, .beta = 0.1}, 7, 33, 1},
    {{4, {4, 4, 4, 4}, {P, P, P, P}, .beta = 0.15}, 0, 3, 0},
    {{4, {3, 5, 3, 4}, {P, P, O, P}, .beta = 0.15}, 0, 5, 1},
    {{4, {6, 4, 2, 6}, {P, A, P, P}, .bonds = DRAWN, .beta = 0.3, .field = 0.3}, 0, 5, 1},
    {{4, {5, 2, 3, 2}, {O, P, O, P}, {1.0, 0.3, -0.4, 0.6}, DILUTED, .beta = 0.3}, 3, 6, 1},
    {{4, {34, 2, 2, 4}, {P, P, P, O}, .beta = 0.15}, 0, 2, 0},
};

static double beta_of(const sample *s, int64_t r)
{
    return s->model.beta * (s->mirror && r % 3 == 1 ? -1.0 : 1.0) + 0.01 * (double)r;
}

static double field_of(const sample *s, int64_t r)
{
    return s->mirror && r % 2 == 1 ? -s->model.field : s->model.field;
}

static latmc_lattice *make(const sample *s, const char *device)
{
    latmc_lattice *lattice = model_lattice(&s->model, s->replicas, seed);
    double beta[64], field[64];

    for (int64_t r = 0; r < s->replicas; r++) {
        beta[r] = beta_of(s, r);
        field[r] = field_of(s, r);
    }
    ok(latmc_set_first_replica(lattice, s->first));
    ok(latmc_set_threads(lattice, 1));
    ok(latmc_set_params(lattice, LATMC_BETA, beta));
    ok(latmc_set_params(lattice, LATMC_FIELD, field));
    ok(latmc_set_device(lattice, device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

static void compare_observables(const sample *s, latmc_lattice *lattice, int64_t r, const naive *n,
                                const char *when)
{
    const latmc_observable observables[] = {LATMC_ENERGY, LATMC_MAGNETIZATION, LATMC_ACCEPTANCE};
    double want[3] = {plain_energy(&n->p, n->s) / n->p.sites, 0.0, (double)n->changed / n->p.sites};

    for (int i = 0; i < n->p.sites; i++)
        want[1] += (double)n->s[i] / n->p.sites;
    for (size_t i = 0; i < ALL(observables); i++) {
        double values[64];
        ok(latmc_observe(lattice, observables[i], values));
        if (fabs(values[r] - want[i]) > 1e-12)
            fail_msg("%s, sample %d, replica %d: observable %d is %.17g, not %.17g", when,
                     (int)(s - samples), (int)r, (int)observables[i], values[r], want[i]);
    }
}

static void compare(const sample *s, latmc_lattice *lattice, int64_t r, const naive *n,
                    const char *when)
{
    int8_t *sites = malloc((size_t)n->p.sites);

    assert_non_null(sites);
    ok(latmc_get_sites(lattice, r, LATMC_INT8, sites, n->p.sites));
    for (int i = 0; i < n->p.sites; i++)
        if (sites[i] != n->s[i])
            fail_msg("%s, sample %d, replica %d: site %d is %d, not %d", when, (int)(s - samples),
                     (int)r, i, sites[i], n->s[i]);
    free(sites);
    compare_observables(s, lattice, r, n, when);
}

static naive naive_replica(const sample *s, const double *bonds, int64_t r)
{
    naive n = {.p = plain_of(&s->model, bonds), .colours = plain_colours(&s->model), .folded = 1};

    for (int a = 0; a < s->model.dims; a++)
        n.folded &= s->model.extents[a] % 2 == 0;
    n.p.beta = beta_of(s, r);
    n.p.field = field_of(s, r);
    n.seed = seed;
    n.replica = (uint64_t)(s->first + r);
    n.s = malloc((size_t)n.p.sites);
    assert_non_null(n.s);
    naive_start(&n);
    return n;
}

static void follow(const sample *s, const char *device)
{
    double *bonds = model_bonds(&s->model);

    if (s->model.bonds == DRAWN)
        naive_drawn(coupling_seed, s->model.dims, model_sites(&s->model), bonds);
    for (int64_t r = 0; r < s->replicas; r++) {
        latmc_lattice *lattice = make(s, device);
        naive n = naive_replica(s, bonds, r);
        compare(s, lattice, r, &n, "start");
        for (int i = 0; i < SWEEPS; i++)
            naive_sweep(&n, LATMC_METROPOLIS);
        ok(latmc_sweep(lattice, LATMC_METROPOLIS, SWEEPS));
        compare(s, lattice, r, &n, "Metropolis");
        naive_sweep(&n, LATMC_HEATBATH);
        naive_sweep(&n, LATMC_HEATBATH);
        ok(latmc_sweep(lattice, LATMC_HEATBATH, 2));
        compare(s, lattice, r, &n, "heat bath");
        plain_free(&n.p);
        free(n.s);
        latmc_destroy(lattice);
    }
    free(bonds);
}

/* Long enough for coins to be tossed in the first sweep, and again in the 4097th. */
static void coins_come_again(void **state)
{
    static const sample some[] = {
        {{2, {4, 16}, {P, P}, .beta = 0.44}, 3, 1, 0},
        {{2, {13, 5}, {P, P}, .beta = 0.4}, 0, 1, 0},
        {{2, {4, 4}, {P, O}, .bonds = DILUTED, .beta = 0.6}, 0, 1, 0},
        {{1, {9}, {P}, .beta = 0.5}, 0, 1, 0},
    };

    if (!usable(*state))
        skip();
    for (size_t i = 0; i < ALL(some); i++) {
        double *bonds = model_bonds(&some[i].model);
        latmc_lattice *lattice = make(&some[i], *state);
        naive n = naive_replica(&some[i], bonds, 0);

        ok(latmc_sweep(lattice, LATMC_METROPOLIS, 4094));
        for (int k = 0; k < 4099; k++) {
            naive_sweep(&n, LATMC_METROPOLIS);
            if (k < 4093)
                continue;
            compare(&some[i], lattice, 0, &n, "Metropolis");
            ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
        }
        plain_free(&n.p);
        free(n.s);
        free(bonds);
        latmc_destroy(lattice);
    }
}

static void contract(void **state)
{
    if (!usable(*state))
        skip();
    for (size_t i = 0; i < ALL(samples); i++)
        follow(&samples[i], *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(contract, "cpu:scalar"),
        cmocka_unit_test_prestate(contract, "cpu:avx512"),
        cmocka_unit_test_prestate(contract, "cuda:0"),
        cmocka_unit_test_prestate(coins_come_again, "cpu:scalar"),
        cmocka_unit_test_prestate(coins_come_again, "cpu:avx512"),
        cmocka_unit_test_prestate(coins_come_again, "cuda:0"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
