/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Ising model kept as bytes against its second implementation, beside what contract compares of
 * every model: settings that change in mid-run, sites that are given, many sweeps, sums of
 * sums of sums; and which lattices are kept so, with how many sites.
 */
#include "tests/models/ising_bytes.h"
#include "tests/models/pair.h"

static pair made(const test_sample *s, const char *device)
{
    const test_case c = {.model = &test_ising_bytes,
                         .shape = &s->shape,
                         .settings = s->settings,
                         .type = LATMC_INT8};

    return pair_of(&c, device);
}

static void change(pair *p, double beta, double field, const double *axis)
{
    ok(latmc_set_param(p->lattice, LATMC_BETA, beta));
    ok(latmc_set_param(p->lattice, LATMC_FIELD, field));
    ok(latmc_set_bond_type_couplings(p->lattice, axis));
    for (int64_t r = 0; r < p->c.shape->replicas; r++) {
        naive_vectors *n = p->naive[r];
        n->beta = beta;
        n->field = field;
        memcpy(n->axis, axis, (size_t)p->c.shape->dims * sizeof *axis);
    }
}

static const test_sample changing = {{2, {10, 7}, {P, A}, 0, 4},
                                     VECTORS(.beta = 1.0, .bonds = {NORMAL, .width = 1.0},
                                             .fields = {NORMAL, .width = 0.5}, .samples = 2)};

static void settings_change(void **state)
{
    pair p = made(&changing, suite_stage_of(state)->device);

    pair_start(&p, LATMC_START_HOT);
    pair_sweep(&p, LATMC_METROPOLIS, 2, "begun");
    change(&p, -0.7, 0.3, (double[]){0.0, 1.2});
    pair_sweep(&p, LATMC_HEATBATH, 2, "changed");
    change(&p, 0.0, -0.0, (double[]){1.0, -1.0});
    pair_sweep(&p, LATMC_METROPOLIS, 2, "without temperature");
    change(&p, 1e-3, 0.0, (double[]){-1.0, 0.5});
    pair_sweep(&p, LATMC_METROPOLIS, 2, "weak");
    pair_free(&p);
}

static void given_sites_are_swept(void **state)
{
    enum { SITES = 70 };
    int8_t s[SITES];
    uint64_t random = 4;
    pair p = made(&changing, suite_stage_of(state)->device);

    pair_start(&p, LATMC_START_COLD);
    for (int64_t r = 0; r < p.c.shape->replicas; r++) {
        naive_vectors *n = p.naive[r];
        for (int i = 0; i < SITES; i++) {
            s[i] = next_random(&random) >> 63 ? 1 : -1;
            n->s[i] = s[i];
        }
        ok(set_replica(p.lattice, r, LATMC_INT8, s, SITES));
    }
    pair_compare(&p, "given");
    pair_sweep(&p, LATMC_METROPOLIS, 3, "swept");
    pair_free(&p);
}

static const test_sample few = {{2, {4, 3}, {P, P}, 0, 3},
                                VECTORS(.beta = 0.3, .bonds = {NORMAL, .width = 1.0})};

static void many_sweeps(void **state)
{
    pair p = made(&few, suite_stage_of(state)->device);

    pair_start(&p, LATMC_START_HOT);
    pair_sweep(&p, LATMC_METROPOLIS, 4096, "in one call");
    pair_sweep(&p, LATMC_METROPOLIS, 2, "after it");
    pair_free(&p);
}

/* Enough sites for sums of sums of sums. */
static const test_sample million = {{1, {1050001}, {A}, 0, 1},
                                    VECTORS(.beta = 1.0, .field = 0.5,
                                            .bonds = {NORMAL, .width = 1.0},
                                            .fields = {NORMAL, .mean = 0.5, .width = 0.5})};

static void long_sums(void **state)
{
    pair p = made(&million, suite_stage_of(state)->device);

    pair_start(&p, LATMC_START_HOT);
    pair_sweep(&p, LATMC_METROPOLIS, 1, "swept");
    pair_free(&p);
}

/* ---- which lattices are kept so */

/* The hash after some sweeps of an 8 x 6 lattice with such bonds and fields; NULL: none. */
static uint64_t swept(const double *bonds, const double *fields)
{
    latmc_lattice *lattice = new_lattice(2, (int64_t[]){8, 6});

    ok(latmc_set_bond_couplings(lattice, bonds));
    ok(latmc_set_site_fields(lattice, fields));
    ok(latmc_set_device(lattice, "cpu:scalar"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_HEATBATH, 3));
    const uint64_t hash = hash_of(lattice);
    latmc_destroy(lattice);
    return hash;
}

/* Bonds that are all signs are kept in words, and one that is not makes bytes of all; so do fields,
 * were they 0. What a lattice had before it is given others does not matter. */
static void kinds_of_couplings_decide(void **state)
{
    enum { SITES = 48 };
    double bonds[2 * SITES], fields[SITES] = {0.0};

    (void)state;
    for (int i = 0; i < 2 * SITES; i++)
        bonds[i] = 1.0;
    const uint64_t words = swept(NULL, NULL), bytes = swept(NULL, fields);
    assert_true(words != bytes);
    assert_true(swept(bonds, NULL) == words);
    assert_true(swept(bonds, fields) == bytes);
    for (int i = 0; i < 2 * SITES; i += 2 * SITES - 1) { /* the first, the last */
        bonds[i] = 1.0 + 0x1p-40;                        /* as a float it is 1 */
        assert_true(swept(bonds, NULL) == bytes);
        assert_true(swept(bonds, fields) == bytes);
        bonds[i] = 1.0;
    }
}

static void couplings_are_taken_back(void **state)
{
    const double bonds[4] = {0.5, 1.0, -1.0, 2.0};
    latmc_lattice *lattice = new_lattice(1, (int64_t[]){4}), *other;

    (void)state;
    ok(latmc_set_bond_couplings(lattice, bonds));
    ok(latmc_draw_site_fields(lattice, LATMC_GAUSSIAN, 1, 0, NULL, NULL));
    ok(latmc_set_bond_couplings(lattice, (double[]){1.0, 0.0, -1.0, 1.0}));
    ok(latmc_set_site_fields(lattice, NULL));
    other = new_lattice(1, (int64_t[]){4});
    ok(latmc_set_bond_couplings(other, (double[]){1.0, 0.0, -1.0, 1.0}));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_start(other, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 5));
    ok(latmc_sweep(other, LATMC_METROPOLIS, 5));
    assert_true(hash_of(lattice) == hash_of(other));
    latmc_destroy(lattice);
    latmc_destroy(other);
}

/* As bytes there may be as many sites as in words: memory alone refuses them. */
static void bytes_have_as_many_sites(void **state)
{
    const int64_t side = (int64_t)1 << 20;
    latmc_lattice *lattice = new_lattice(2, (int64_t[]){side, side});

    (void)state;
    ok(latmc_draw_bond_couplings(lattice, LATMC_GAUSSIAN, 6, 0, NULL, NULL));
    ok(latmc_draw_site_fields(lattice, LATMC_GAUSSIAN, 6, 0, NULL, NULL));
    ok(latmc_set_replicas(lattice, 65536));
    ok(latmc_set_device(lattice, "cpu:scalar"));
    refused(LATMC_ERROR_MEMORY, "memory", latmc_start(lattice, LATMC_START_COLD));
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_ON_DEVICES(settings_change),     SUITE_ON_DEVICES(given_sites_are_swept),
        SUITE_ON_DEVICES(many_sweeps),         SUITE_ON_DEVICES(long_sums),
        SUITE_TEST(kinds_of_couplings_decide), SUITE_TEST(couplings_are_taken_back),
        SUITE_TEST(bytes_have_as_many_sites),
    };

    return suite_run(&test_ising_bytes, tests, ALL(tests), NULL, NULL);
}
