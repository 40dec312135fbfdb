/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a lattice is divided among ranks, threads here, or among devices: which part each has, what
 * cannot be divided, and which tables of functions for ranks are refused.
 */
#include "tests/ranks/threads.h"

#include "tests/inside.h"
#include "tests/support.h"
#include "tests/ranks/said.h"

/* ---- division */

static latmc_lattice *lattice_on(const char *device, int dims, const int64_t *extents,
                                 int64_t replicas)
{
    latmc_lattice *l = NULL;

    ok(latmc_create(&l, LATMC_ISING, dims, extents));
    ok(latmc_set_replicas(l, replicas));
    ok(latmc_set_device(l, device));
    return l;
}

static latmc_choice part_of(const latmc_lattice *l, int part)
{
    latmc_choice choice = LATMC_INIT(latmc_choice);

    ok(latmc_get_choice(l, part, LATMC_METROPOLIS, &choice));
    return choice;
}

static void lattices_are_divided(void **state)
{
    const int64_t extents[] = {64, 7};
    latmc_lattice *l = lattice_on("cpu:scalar,scalar,scalar", 2, extents, 1);
    int64_t next = 0;

    (void)state;
    assert_int_equal(part_of(l, 2).present, 0);
    ok(latmc_start(l, LATMC_START_HOT));
    for (int p = 0; p < 3; p++) {
        const latmc_choice part = part_of(l, p);

        assert_int_equal(part.present, 1);
        assert_int_equal(part.division, LATMC_DIVIDE_SLABS);
        assert_int_equal(part.parts, 3);
        assert_int_equal(part.first_layer, next);
        assert_true(part.layers == 2 || part.layers == 3);
        assert_true(part.first_replica == 0 && part.replicas == 1 && part.rank == 0);
        assert_string_equal(part.device, "cpu:scalar");
        assert_non_null(strstr(part.reason, "layers"));
        next += part.layers;
    }
    assert_int_equal(next, 7);
    refused(LATMC_ERROR_ARGUMENT, "division", latmc_set_division(l, (latmc_division)7));
    refused(LATMC_ERROR_ARGUMENT, "division", latmc_set_division(l, LATMC_DIVIDE_WHOLE));
    ok(latmc_set_device(l, "cpu:scalar"));
    assert_int_equal(part_of(l, 0).division, LATMC_DIVIDE_WHOLE);
    assert_int_equal(part_of(l, 0).layers, 7);
    latmc_destroy(l);
}

static void replicas_are_dealt_out(void **state)
{
    const int64_t extents[] = {64, 8};
    latmc_lattice *l = lattice_on("cpu:scalar,scalar", 2, extents, 7);

    (void)state;
    ok(latmc_start(l, LATMC_START_HOT));
    assert_int_equal(part_of(l, 0).division,
                     LATMC_DIVIDE_SLABS); /* 3 and 4 are not nearly as many */
    ok(latmc_set_division(l, LATMC_DIVIDE_REPLICAS));
    assert_int_equal(part_of(l, 0).division, LATMC_DIVIDE_SLABS); /* from the next device on */
    ok(latmc_set_device(l, "cpu:scalar,scalar"));
    assert_int_equal(part_of(l, 0).division, LATMC_DIVIDE_REPLICAS);
    assert_int_equal(part_of(l, 0).replicas + part_of(l, 1).replicas, 7);
    assert_int_equal(part_of(l, 1).first_replica, part_of(l, 0).replicas);
    assert_int_equal(part_of(l, 1).layers, 8);
    latmc_destroy(l);
    l = lattice_on("cpu:scalar,scalar", 2, extents, 8);
    ok(latmc_start(l, LATMC_START_HOT));
    assert_int_equal(part_of(l, 0).division, LATMC_DIVIDE_REPLICAS);
    assert_int_equal(part_of(l, 0).replicas, 4);
    latmc_destroy(l);
}

/* Replicas of a ladder stay together if devices then have nearly as many. */
static void ladders_stay_whole(void **state)
{
    static const struct {
        int64_t replicas, ladders, parts[3];
    } cases[] = {{40, 20, {12, 14, 14}}, {40, 1, {13, 13, 14}}, {20, 10, {6, 7, 7}}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        latmc_lattice *l =
            lattice_on("cpu:scalar,scalar,scalar", 2, (int64_t[]){64, 8}, cases[i].replicas);

        ok(latmc_set_ladders(l, cases[i].ladders));
        ok(latmc_start(l, LATMC_START_HOT));
        for (int p = 0; p < 3; p++)
            assert_int_equal(part_of(l, p).replicas, cases[i].parts[p]);
        ok(latmc_set_ladders(l, 1)); /* from the next device on */
        assert_int_equal(part_of(l, 0).replicas, cases[i].parts[0]);
        ok(latmc_set_device(l, "cpu:scalar,scalar,scalar"));
        assert_int_equal(part_of(l, 0).replicas, cases[i].replicas / 3);
        latmc_destroy(l);
    }
}

/* Samples that lack bonds, and such that do not, in different lots: the moves of the former alone
 * are weaker. */
static void lots_have_their_own_weak_moves(void **state)
{
    static double bonds[2][2 * 64 * 8];
    const int64_t extents[] = {64, 8};
    uint64_t want = 0, got = 0;

    (void)state;
    for (int i = 0; i < 2 * 64 * 8; i++) {
        bonds[0][i] = 1.0;
        bonds[1][i] = i % 3 ? 1.0 : 0.0;
    }
    for (int lots = 0; lots < 2; lots++) {
        latmc_lattice *l = lattice_on(lots ? "cpu:scalar,scalar" : "cpu:scalar", 2, extents, 4);

        ok(latmc_set_samples(l, 2, 0));
        ok(latmc_set_bond_couplings(l, bonds[0]));
        ok(latmc_set_param(l, LATMC_BETA, 0.4));
        ok(latmc_start(l, LATMC_START_HOT));
        assert_int_equal(part_of(l, 0).division, lots ? LATMC_DIVIDE_REPLICAS : LATMC_DIVIDE_WHOLE);
        ok(latmc_sweep(l, LATMC_METROPOLIS, 20));
        ok(latmc_state_hash(l, lots ? &got : &want));
        latmc_destroy(l);
    }
    assert_true(got == want);
}

static void refuse_ranks(void *user, const latmc_ranks *ranks)
{
    said *own = (said *)user + ranks->rank;
    latmc_lattice *l = NULL;

    own->status = latmc_create_on_ranks(&l, ranks, LATMC_ISING, 1, (int64_t[]){64});
    if (!own->status)
        own->status = latmc_set_device(l, "cpu:scalar");
    if (!own->status)
        own->status = latmc_start(l, LATMC_START_HOT);
    snprintf(own->message, TEXT, "%s", latmc_error_message());
    latmc_destroy(l);
}

/* Who gave ranks is told of ranks. */
static void too_many_ranks_are_refused(void **state)
{
    said all[RANKS] = {{0}};

    (void)state;
    ranks_run(RANKS, refuse_ranks, all);
    for (int r = 0; r < RANKS; r++) {
        assert_int_equal(all[r].status, LATMC_ERROR_ARGUMENT);
        assert_non_null(strstr(all[r].message, "3 devices of 3 ranks are too many"));
        assert_non_null(strstr(all[r].message, "1 replica can be dealt out to 1 device, "));
    }
}

/* Few replicas that share words are not dealt out, though there are as many as devices. */
static void replicas_that_share_words_stay_together(void **state)
{
    latmc_lattice *l = lattice_on("cpu:scalar,scalar", 3, (int64_t[]){8, 8, 8}, 4);

    (void)state;
    ok(latmc_start(l, LATMC_START_HOT));
    assert_int_equal(part_of(l, 0).division, LATMC_DIVIDE_SLABS);
    assert_non_null(strstr(part_of(l, 0).reason, "share words"));
    latmc_destroy(l);
}

static void too_many_devices_are_refused(void **state)
{
    const char *const three = "cpu:scalar,scalar,scalar";
    latmc_lattice *l = lattice_on(three, 1, (int64_t[]){64}, 1);

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "chains are not cut", latmc_start(l, LATMC_START_HOT));
    ok(latmc_set_device(l, "cpu:scalar"));
    ok(latmc_start(l, LATMC_START_HOT));
    refused(LATMC_ERROR_ARGUMENT, "3 devices are too many", latmc_set_device(l, three));
    ok(latmc_sweep(l, LATMC_METROPOLIS, 1)); /* it is where it was */
    latmc_destroy(l);
    l = lattice_on(three, 2, (int64_t[]){64, 2}, 2);
    refused(LATMC_ERROR_ARGUMENT, "2 layers", latmc_start(l, LATMC_START_HOT));
    latmc_destroy(l);
}

/* ---- tables */

static void tables_are_checked(void **state)
{
    const latmc_ranks none = {.size = sizeof none, .ranks = 1}, small = {.size = 8};
    latmc_lattice *l = NULL;
    const int64_t extents[] = {4, 4};

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "ranks is NULL",
            latmc_create_on_ranks(&l, NULL, LATMC_ISING, 2, extents));
    refused(LATMC_ERROR_ARGUMENT, "size",
            latmc_create_on_ranks(&l, &small, LATMC_ISING, 2, extents));
    refused(LATMC_ERROR_ARGUMENT, "function",
            latmc_create_on_ranks(&l, &none, LATMC_ISING, 2, extents));
    refused(LATMC_ERROR_ARGUMENT, "function", latmc_load_on_ranks(&l, &none, "nowhere"));
    refused(LATMC_ERROR_ARGUMENT, "function", latmc_load_memory_on_ranks(&l, &none, "", 0));
    assert_null(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_are_divided),
        cmocka_unit_test(replicas_are_dealt_out),
        cmocka_unit_test(ladders_stay_whole),
        cmocka_unit_test(lots_have_their_own_weak_moves),
        cmocka_unit_test(too_many_ranks_are_refused),
        cmocka_unit_test(replicas_that_share_words_stay_together),
        cmocka_unit_test(too_many_devices_are_refused),
        cmocka_unit_test(tables_are_checked),
    };

    return cmocka_run_group_tests_name("division", tests, NULL, NULL);
}
