/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Colours of field models: proper on every lattice, those of doc/trajectory.md, and few.
 */
#include "lib/geometry/colouring.h"
#include "tests/models/phi4_naive_sweep.h"

enum { MOST_SITES = 12000, LATTICES = 400 };

/* Fails if a site within two steps (one, if near) has the colour of `site`. */
static void check_around(const naive_field *n, int site, int reach)
{
    const field_model *m = &n->m;

    for (int a = 0; a < m->dims; a++)
        for (int b = a; b < m->dims; b++)
            for (int i = -reach; i <= reach; i++)
                for (int j = -reach; j <= reach; j++) {
                    double sign = 1.0;
                    int to = site;
                    if (abs(i) + abs(j) > reach || (a == b && j != 0))
                        continue;
                    to = field_step(m, to, a, i, &sign);
                    to = to < 0 ? to : field_step(m, to, b, j, &sign);
                    if (to >= 0 && (i || j) && n->colour[to] == n->colour[site]) {
                        char name[80];
                        fail_msg("%s: sites %d and %d have one colour", field_name(m, name), site,
                                 to);
                    }
                }
}

static void check_lattice(const field_model *m)
{
    naive_field n = naive_field_of(m, LATMC_FLOAT64, 1, 0);
    const int reach = field_has_cutoff(m) ? 2 : 1;
    lm_spec spec = {.dims = m->dims};
    lm_colouring c;

    memcpy(spec.extents, m->extents, sizeof spec.extents);
    memcpy(spec.boundaries, m->boundaries, sizeof spec.boundaries);
    ok(lm_colouring_make(&spec, reach, &c));
    assert_int_equal(c.colours, n.colours);
    for (int i = 0; i < n.sites; i++) {
        int64_t x[LATMC_MAX_DIMS] = {0};
        for (int a = 0; a < m->dims; a++)
            x[a] = field_coordinate(m, i, a);
        if (lm_colour_of(&c, x) != n.colour[i]) {
            char name[80];
            fail_msg("%s: site %d has colour %d, not %d", field_name(m, name), i,
                     lm_colour_of(&c, x), n.colour[i]);
        }
        check_around(&n, i, reach);
    }
    lm_colouring_free(&c);
    naive_field_free(&n);
}

static void chains(void **state)
{
    (void)state;
    for (int extent = 3; extent < 130; extent++)
        for (int boundary = 0; boundary < 2; boundary++)
            for (int far = 0; far < 2; far++) {
                const field_model m = {1,   {extent}, {boundary ? O : P},
                                       1.0, 1.0,      .kappa = far ? 0.25 : 0.0};
                check_lattice(&m);
            }
}

/* Extents from 3 on, long and short ones; one axis in six is open. */
static void any_lattices(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (int i = 0; i < LATTICES; i++) {
        static const int most[] = {0, 0, 100, 45, 14};
        field_model m = {.dims = 2 + i % 3, .mu2 = 1.0, .kappa = i % 4 ? 0.25 : 0.0};
        for (int a = 0; a < m.dims; a++) {
            m.extents[a] = 3 + (int64_t)(next_random(&random) % (unsigned)(most[m.dims] - 2));
            m.boundaries[a] = next_random(&random) % 6 == 0 ? O : P;
        }
        if (field_sites(&m) <= MOST_SITES)
            check_lattice(&m);
    }
}

/* Of any four extents of four blocks in a row, each with its own remainder; of two blocks; of one.
 */
static void blocks(void **state)
{
    (void)state;
    for (int extent = 5; extent < 60; extent++) {
        const field_model plane = {2, {extent, extent + 1}, {P, P}, 1.0, 1.0, .kappa = 0.25};
        const field_model box = {3, {7, extent, 11}, {P, P, A}, 1.0, 1.0, .kappa = 0.25};
        check_lattice(&plane);
        check_lattice(&box);
    }
}

static void counts(void **state)
{
    static const struct {
        field_model model;
        int near, far;
    } table[] = {
        {{1, {12}, {P}, 1.0, 1.0, .kappa = 0.0}, 2, 3},
        {{1, {11}, {P}, 1.0, 1.0, .kappa = 0.0}, 3, 4},
        {{2, {64, 64}, {P, P}, 1.0, 1.0, .kappa = 0.0}, 2, 8},
        {{2, {33, 63}, {P, P}, 1.0, 1.0, .kappa = 0.0}, 3, 9},
        {{2, {34, 34}, {P, P}, 1.0, 1.0, .kappa = 0.0}, 2, 10},
        {{2, {101, 64}, {A, P}, 1.0, 1.0, .kappa = 0.0}, 3, 10},
        {{3, {21, 14, 7}, {P, P, P}, 1.0, 1.0, .kappa = 0.0}, 3, 7},
        {{3, {16, 24, 8}, {P, P, P}, 1.0, 1.0, .kappa = 0.0}, 2, 8},
        {{3, {16, 20, 24}, {P, P, P}, 1.0, 1.0, .kappa = 0.0}, 2, 13},
        {{3, {17, 34, 37}, {P, A, P}, 1.0, 1.0, .kappa = 0.0}, 3, 13},
        {{3, {17, 10, 9}, {O, O, O}, 1.0, 1.0, .kappa = 0.0}, 2, 7},
        {{4, {9, 10, 11, 12}, {P, P, P, P}, 1.0, 1.0, .kappa = 0.0}, 3, 17},
        {{4, {9, 9, 9, 9}, {P, P, P, P}, 1.0, 1.0, .kappa = 0.0}, 3, 9},
    };

    (void)state;
    for (size_t i = 0; i < ALL(table); i++)
        for (int far = 0; far < 2; far++) {
            field_model m = table[i].model;
            m.kappa = far ? 0.25 : 0.0;
            naive_field n = naive_field_of(&m, LATMC_FLOAT64, 1, 0);
            assert_int_equal(n.colours, far ? table[i].far : table[i].near);
            check_lattice(&m);
            naive_field_free(&n);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains),
        cmocka_unit_test(any_lattices),
        cmocka_unit_test(blocks),
        cmocka_unit_test(counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
