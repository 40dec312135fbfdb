/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots, ladders and counts of exchanges of every model, and every bad argument to their calls. */
#include "tests/models/portrait.h"

/* Of two replicas. */
static void slots_check_their_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    latmc_lattice *lat = suite_rich(m, m->rich);
    portrait before = portrait_of(lat, m);
    const latmc_quantity slot = LATMC_QUANTITY(LATMC_SLOT);
    int64_t slots[2] = {77, 77};
    double values[2];

    refused(no, "slots is NULL", latmc_set_slots(lat, NULL));
    refused(no, "slots is NULL", latmc_get_slots(lat, NULL));
    refused(no, "the slot of replica 1 is 2", latmc_set_slots(lat, (int64_t[]){0, 2}));
    refused(no, "the slot of replica 0 is -1", latmc_set_slots(lat, (int64_t[]){-1, 0}));
    refused(no, "replicas 0 and 1 both have slot 1", latmc_set_slots(lat, (int64_t[]){1, 1}));
    refused(no, "ladders is 0; with 2 slots", latmc_set_ladders(lat, 0));
    refused(no, "ladders is -1", latmc_set_ladders(lat, -1));
    refused(no, "ladders is 3", latmc_set_ladders(lat, 3));
    refused(no, "order is 0", latmc_observe(lat, (latmc_order)0, 1, &slot, values));
    refused(no, "order is 873", latmc_observe(lat, (latmc_order)873, 1, &slot, values));
    unchanged(lat, m, &before);
    ok(latmc_get_slots(lat, slots));
    assert_true(slots[0] == 0 && slots[1] == 1);
    ok(latmc_set_slots(lat, (int64_t[]){1, 0}));
    ok(latmc_get_slots(lat, slots));
    assert_true(slots[0] == 1 && slots[1] == 0);
    ok(latmc_observe(lat, LATMC_BY_REPLICA, 1, &slot, values));
    assert_true(values[0] == 1.0 && values[1] == 0.0);
    ok(latmc_observe(lat, LATMC_BY_SLOT, 1, &slot, values));
    assert_true(values[0] == 0.0 && values[1] == 1.0);
    ok(latmc_set_ladders(lat, 2));
    assert_int_equal(info_of(lat).ladders, 2);
    latmc_destroy(lat);
}

/* Lattices that were not started have counts: none. */
static void counts_check_their_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    latmc_lattice *lat = suite_rich(m, m->rich), *unstarted = fresh(m, 2, (int64_t[]){4, 4});
    portrait before = portrait_of(lat, m);
    int64_t counts[2] = {77, 77};

    refused(no, "all arrays are NULL", latmc_get_exchange_counts(lat, NULL, NULL));
    refused(no, "all arrays are NULL", latmc_get_walks(lat, NULL, NULL));
    refused(no, "round_trips is NULL", latmc_get_round_trips(lat, NULL));
    ok(latmc_reset_exchange_counts(lat));
    unchanged(lat, m, &before);
    ok(latmc_get_exchange_counts(unstarted, &counts[0], NULL));
    ok(latmc_get_exchange_counts(unstarted, NULL, &counts[1]));
    assert_true(counts[0] == 0 && counts[1] == 0);
    counts[0] = counts[1] = 77;
    ok(latmc_get_walks(unstarted, &counts[0], NULL));
    ok(latmc_get_walks(unstarted, NULL, &counts[1]));
    assert_true(counts[0] == 0 && counts[1] == 0);
    counts[0] = 77;
    ok(latmc_get_round_trips(unstarted, counts));
    assert_int_equal(counts[0], 0);
    latmc_destroy(unstarted);
    latmc_destroy(lat);
}

/* Replicas that are new, and samples that are others, have slots of their own again. */
static void slots_keep_to_their_sample(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){4, 4});
    int64_t slots[4];

    ok(latmc_set_replicas(lat, 4));
    ok(latmc_set_slots(lat, (int64_t[]){3, 2, 1, 0}));
    if (m->has_couplings) {
        ok(latmc_set_samples(lat, 1, 7));
        ok(latmc_get_slots(lat, slots));
        assert_int_equal(slots[0], 3);
        ok(latmc_set_samples(lat, 2, 7));
        ok(latmc_get_slots(lat, slots));
        assert_true(slots[0] == 0 && slots[3] == 3);
        refused(LATMC_ERROR_ARGUMENT, "replica 1 is 2; 0 to 1, those of its sample",
                latmc_set_slots(lat, (int64_t[]){0, 2, 1, 3}));
        ok(latmc_set_slots(lat, (int64_t[]){1, 0, 2, 3}));
        ok(latmc_set_samples(lat, 1, 0));
    }
    ok(latmc_set_ladders(lat, 4));
    if (m->has_couplings)
        refused(LATMC_ERROR_ARGUMENT, "2 replicas of a sample cannot be divided by 4 ladders",
                latmc_set_samples(lat, 2, 0));
    refused(LATMC_ERROR_ARGUMENT, "2 replicas of a sample cannot be divided by 4 ladders",
            latmc_set_replicas(lat, 2));
    assert_int_equal(info_of(lat).ladders, 4);
    ok(latmc_set_replicas(lat, 8));
    assert_int_equal(info_of(lat).ladders, 4);
    ok(latmc_set_ladders(lat, 1));
    ok(latmc_set_replicas(lat, 2));
    ok(latmc_get_slots(lat, slots));
    assert_true(slots[0] == 0 && slots[1] == 1);
    latmc_destroy(lat);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(slots_check_their_arguments),
        SUITE_TEST(counts_check_their_arguments),
        SUITE_TEST(slots_keep_to_their_sample),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
