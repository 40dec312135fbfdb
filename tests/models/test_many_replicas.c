/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lattices of more than 2^16 replicas, which have several lots on one device: they are what smaller
 * lattices of the same ensemble are, in sweeps, exchanges, series, slots, copies and saves.
 */
#include <stdlib.h>
#include <unistd.h>

#include "tests/models/suite.h"

/* Whole ladders; a small lattice's replicas begin in the middle of a lot of the large one. */
enum { LADDER = 4, PARTS = 3, PART = 22000, MANY = PARTS * PART, RECORDS = 2 };

typedef struct ensemble {
    latmc_model model;
    latmc_update update;
    int64_t extents[2];
    int samples; /* of a part */
} ensemble;

static const ensemble ensembles[] = {
    {LATMC_ISING, LATMC_METROPOLIS, {4, 4}, 1},
    {LATMC_ISING, LATMC_HEATBATH, {3, 3}, 1},
    {LATMC_ISING, LATMC_METROPOLIS, {4, 2}, PART / 8}, /* 2^16 lies between samples */
    {LATMC_PHI4, LATMC_METROPOLIS, {2, 2}, 1},
    {LATMC_CLOCK, LATMC_HEATBATH, {2, 2}, PART / (11 * LADDER)}, /* .. within a sample */
};

static const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);

static latmc_lattice *made(const ensemble *e, const char *device, int64_t first, int64_t replicas)
{
    const int64_t samples = e->samples > 1 ? replicas / PART * e->samples : 1;
    const latmc_step step = {.size = sizeof step, .update = e->update, .sweeps = 2, .exchanges = 1};
    latmc_lattice *lat = NULL;
    double *beta = suite_room(replicas, sizeof *beta);

    for (int64_t r = 0; r < replicas; r++)
        beta[r] = 0.2 + 0.1 * (double)(r % LADDER);
    ok(latmc_create(&lat, e->model, 2, e->extents));
    ok(latmc_set_replicas(lat, replicas));
    ok(latmc_set_first_replica(lat, first));
    ok(latmc_set_seed(lat, 11));
    if (e->samples > 1) {
        ok(latmc_set_samples(lat, samples, first / PART * e->samples));
        ok(latmc_draw_bond_couplings(lat, LATMC_GAUSSIAN, 5, 0, NULL, NULL));
    }
    ok(latmc_set_ladders(lat, replicas / samples / LADDER));
    ok(latmc_set_params(lat, e->model == LATMC_PHI4 ? LATMC_MU2 : LATMC_BETA, beta));
    ok(latmc_set_schedule(lat, 1, &step));
    ok(latmc_set_device(lat, device));
    ok(latmc_start(lat, LATMC_START_HOT));
    free(beta);
    return lat;
}

/* Sweeps, exchanges and a series; then the replicas of the series' end. */
static void advance(latmc_lattice *lat, int64_t replicas, double *numbers)
{
    ok(latmc_sweep(lat, LATMC_SCHEDULE, 2));
    ok(record_series(lat, LATMC_SCHEDULE, 1, RECORDS, 1, &energy, numbers));
    ok(latmc_observe(lat, LATMC_BY_REPLICA, 1, &energy, numbers + RECORDS * replicas));
}

/* A copy of each tenth replica onto the next one, within the parts. */
static void copy_some(latmc_lattice *lat, int64_t replicas)
{
    int64_t *from = suite_room(replicas, sizeof *from);

    for (int64_t r = 0; r < replicas; r++)
        from[r] = r % 10 == 1 ? r - 1 : r;
    ok(latmc_copy_replicas(lat, from));
    free(from);
}

static latmc_lattice *saved_and_loaded(latmc_lattice *lat, const char *device)
{
    char path[] = "/tmp/latmc-many-XXXXXX";
    const int file = mkstemp(path);

    assert_true(file >= 0);
    close(file);
    ok(latmc_save(lat, path));
    latmc_destroy(lat);
    ok(latmc_load(&lat, path));
    unlink(path);
    ok(latmc_set_device(lat, device));
    return lat;
}

static void compare(const ensemble *e, const char *device)
{
    const int64_t each = RECORDS + 1;
    double *all = suite_room(MANY, 2 * (RECORDS + 1) * sizeof *all);
    double *some = suite_room(PART, 2 * (RECORDS + 1) * sizeof *some);
    latmc_lattice *whole = made(e, device, 0, MANY);

    advance(whole, MANY, all);
    copy_some(whole, MANY);
    whole = saved_and_loaded(whole, device);
    advance(whole, MANY, all + each * MANY);
    latmc_destroy(whole);
    for (int part = 0; part < PARTS; part++) {
        latmc_lattice *own = made(e, "cpu", part * PART, PART);

        advance(own, PART, some);
        copy_some(own, PART);
        advance(own, PART, some + each * PART);
        latmc_destroy(own);
        for (int half = 0; half < 2; half++) {
            const double *const want = some + half * each * PART;
            const double *const got = all + half * each * MANY;
            const int64_t first = part * PART;

            for (int64_t i = 0; i < RECORDS * PART; i++)
                if (got[RECORDS * first + i] != want[i])
                    fail_msg("%s: record %d of replica %d", device, (int)(i % RECORDS),
                             (int)(first + i / RECORDS));
            assert_memory_equal(got + RECORDS * MANY + first, want + RECORDS * PART,
                                PART * sizeof *got);
        }
    }
    free(all);
    free(some);
}

static void many_replicas_are_those_of_smaller_lattices(void **state)
{
    enum { PLAYED = LM_SANITIZED ? 1 : ALL(ensembles) }; /* a sanitizer takes two minutes for all */
    static const char *const devices[] = {"cpu", "cuda:0"};

    (void)state;
    for (size_t d = 0; d < ALL(devices); d++)
        for (size_t i = 0; i < PLAYED && (d == 0 || usable(devices[d])); i++)
            compare(&ensembles[i], devices[d]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_replicas_are_those_of_smaller_lattices)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
