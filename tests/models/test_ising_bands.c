/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bands of the Ising model that are long enough for words with ties to be set aside
 * (backends/cpu/bits/ties.h), by every form of rule: a set of bonds or one for each axis, bonds
 * missing or not, both updates, one replica or several in a word; and with a vector's rest. Every
 * lane sweeps as the scalar one does.
 */
#include "tests/support.h"

enum { SWEEPS = 12, LENGTH = 3, REPLICAS = 5 };

typedef struct band {
    shape shape;
    double axis[4]; /* couplings; all 0: they are alike */
    int diluted;
    double field;
} band;

static const band bands[] = {
    {{1, {4507}, {P}, 0, 1}, {0}, 0, 0.1},
    {{1, {4507}, {O}, 0, 2}, {0}, 0, 0},
    {{2, {96, 88}, {P, P}, 0, 1}, {0}, 0, 0},
    {{2, {96, 88}, {P, P}, 0, 1}, {0}, 0, 0.1},
    {{2, {96, 88}, {A, P}, 0, 2}, {1, 0.5}, 0, 0},
    {{2, {61, 90}, {P, O}, 0, 1}, {0}, 0, 0},
    {{2, {64, 130}, {P, P}, 0, 3}, {0}, 1, 0.2},
    {{2, {70, 94}, {P, P}, 0, 1}, {1, 0.5}, 1, 0},
    {{2, {10, 150}, {P, P}, 0, 5}, {0}, 0, 0.2},
    {{2, {384, 32}, {P, P}, 0, 1}, {0}, 0, 0}, /* vectors of rows 1 to 3 */
    {{3, {40, 70, 4}, {P, P, P}, 0, 1}, {0}, 0, 0},
    {{3, {40, 70, 4}, {P, P, P}, 0, 1}, {0}, 0, 0.1},
    {{3, {40, 70, 4}, {P, O, P}, 0, 2}, {0}, 0, 0},
    {{3, {40, 70, 4}, {P, P, P}, 0, 1}, {1, 0.5, 0.25}, 0, 0.1},
    {{3, {40, 70, 3}, {P, P, P}, 0, 1}, {1, 0.5, 0.25}, 1, 0}, /* too many classes */
    {{4, {34, 68, 2, 2}, {P, P, P, P}, 0, 1}, {0}, 0, 0},
    {{4, {34, 68, 2, 2}, {P, P, P, P}, 0, 1}, {0}, 0, 0.1},
    {{4, {34, 68, 2, 2}, {P, O, P, P}, 0, 2}, {0}, 0, 0},
};

static void dilute(latmc_lattice *l)
{
    const int64_t bonds = info_of(l).sites * info_of(l).dims;
    double *of = malloc((size_t)bonds * sizeof *of);

    assert_non_null(of);
    for (int64_t i = 0; i < bonds; i++)
        of[i] = (i * 7 + i / 13) % 5 == 0 ? 0.0 : (i * 11 + i / 17) % 3 == 0 ? -1.0 : 1.0;
    ok(latmc_set_bond_couplings(l, of));
    free(of);
}

static latmc_lattice *lattice_of(const band *b, const char *device, int apart)
{
    latmc_lattice *l = NULL;
    double beta[REPLICAS];

    for (int r = 0; r < REPLICAS; r++)
        beta[r] = 0.3 + 0.1 * r * apart;
    ok(latmc_create(&l, LATMC_ISING, b->shape.dims, b->shape.extents));
    ok(latmc_set_boundaries(l, b->shape.boundaries));
    ok(latmc_set_replicas(l, b->shape.replicas));
    ok(latmc_set_params(l, LATMC_BETA, beta));
    ok(latmc_set_param(l, LATMC_FIELD, b->field));
    if (b->axis[0] != 0.0)
        ok(latmc_set_bond_type_couplings(l, b->axis));
    if (b->diluted)
        dilute(l);
    ok(latmc_set_device(l, device));
    ok(latmc_start(l, LATMC_START_HOT));
    return l;
}

/* Replicas of one temperature, and of several. */
static void compare(const band *b, const char *device, latmc_update update, int apart)
{
    const latmc_quantity of[] = {LATMC_QUANTITY(LATMC_ENERGY), LATMC_QUANTITY(LATMC_CHANGED)};
    latmc_lattice *l[2] = {lattice_of(b, "cpu:scalar", apart), lattice_of(b, device, apart)};
    double series[2][ALL(of) * LENGTH * REPLICAS];

    memset(series, 0, sizeof series);
    for (int i = 0; i < 2; i++)
        ok(record_series(l[i], update, SWEEPS / LENGTH, LENGTH, (int)ALL(of), of, series[i]));
    if (hash_of(l[0]) != hash_of(l[1]) || memcmp(series[0], series[1], sizeof series[0]) != 0)
        fail_msg("band %d, update %d on %s: another outcome", (int)(b - bands), (int)update,
                 device);
    for (int i = 0; i < 2; i++)
        latmc_destroy(l[i]);
}

static void lanes_sweep_long_bands_alike(void **state)
{
    (void)state;
    for (size_t d = 0; d < ALL(every_device); d++) {
        if (strncmp(every_device[d], "cpu:", 4) != 0 || !usable(every_device[d]))
            continue;
        for (size_t i = 0; i < ALL(bands); i++)
            for (int apart = 0; apart < 2; apart++) {
                compare(&bands[i], every_device[d], LATMC_METROPOLIS, apart);
                compare(&bands[i], every_device[d], LATMC_HEATBATH, apart);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_sweep_long_bands_alike)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
