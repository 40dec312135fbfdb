/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * After a quench to temperature 0 Metropolis ends where the heat bath does: in a ground state or in
 * straight stripes. No cluster blinks, that is, flips back and forth in step at no cost in energy.
 */
#include "tests/models/ising_plain.h"

enum { BEFORE = 500, LOOKS = 512, MOST_REPLICAS = 256 };

typedef struct quench {
    const char *name;
    model model;
    int replicas;
} quench;

/* At beta = 3 a field of 1e-9 is hardly felt, and few moves that cost energy are made. */
static const quench quenches[] = {
    {"8x8", {2, {8, 8}, {P, P}, .beta = 1e30}, 256},
    {"16x16", {2, {16, 16}, {P, P}, .beta = 1e30}, 128},
    {"32x32", {2, {32, 32}, {P, P}, .beta = 1e30}, 64},
    {"64x64", {2, {64, 64}, {P, P}, .beta = 1e30}, 64},
    {"8x8x8", {3, {8, 8, 8}, {P, P, P}, .beta = 1e30}, 128},
    {"16x15, three colours", {2, {16, 15}, {P, P}, .beta = 1e30}, 64},
    {"16x16, axes that differ", {2, {16, 16}, {P, P}, {1.0, -1.0}, .beta = 1e30}, 64},
    {"16x16, h = 1e-9", {2, {16, 16}, {P, P}, .beta = 3.0, .field = 1e-9}, 64},
};

/* Does a replica blink: does the same number of sites, and not none, flip in every sweep at
 * constant energy? */
static int blinks(const double *energy, const double *acceptance)
{
    for (int i = 0; i < LOOKS; i++)
        if (energy[i] != energy[0] || acceptance[i] != acceptance[0] || acceptance[i] == 0.0)
            return 0;
    return 1;
}

static int check(const quench *q)
{
    static const latmc_quantity things[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                            LATMC_QUANTITY(LATMC_CHANGED)};
    static double series[2 * MOST_REPLICAS * LOOKS];
    const double *const acceptance = series + q->replicas * LOOKS;
    latmc_lattice *lattice = model_lattice(&q->model, q->replicas, 7);
    int blinking = 0;

    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, BEFORE));
    ok(record_series(lattice, LATMC_METROPOLIS, 1, LOOKS, 2, things, series));
    for (int r = 0; r < q->replicas; r++)
        blinking += blinks(series + r * LOOKS, acceptance + r * LOOKS);
    latmc_destroy(lattice);
    if (blinking > 0)
        print_error("%s: %d of %d replicas blink\n", q->name, blinking, q->replicas);
    return blinking == 0;
}

static void nothing_blinks(void **state)
{
    int good = 1;

    (void)state;
    for (size_t i = 0; i < ALL(quenches); i++)
        good &= check(&quenches[i]);
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_blinks)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
