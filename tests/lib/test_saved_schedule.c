/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Schedules, ramps, slots and exchanges of saved lattices: kept to the last byte, and refused where
 * they cannot be, with every checksum right.
 */
#include <math.h>

#include "lib/sweep/course.h"
#include "tests/saved.h"
#include "tests/support.h"

enum { STEPS = 3, REPLICAS = 2, RAMP = 9, DONE = 4, EXCHANGES = 3 };

/* Places in the section "schedule", in "ramps", and in "exchange". */
enum {
    STEP = SAVED_NAME + 24,
    STEP_EXCHANGES = SAVED_NAME + 8,
    STEP_MOVES = SAVED_NAME + 16,
    COUNT = 8,
    FIRST_STEP = 16,
    FIRST_OWN = FIRST_STEP + STEPS * STEP,
    OWN = 8 + SAVED_NAME + 8,
    OWN_NAME = 8,
    OWN_VALUE = 8 + SAVED_NAME,
    RAMP_FIRST = SAVED_NAME,
    RAMP_SWEEPS = SAVED_NAME + 8,
    RAMP_FROM = SAVED_NAME + 16,
    RAMP_TO = RAMP_FROM + 8 * REPLICAS,
    DUE = 8,
    EXCHANGE = 16
};

/* In the section "walks", which has so many numbers of each slot or replica. */
enum {
    OFFERED = 0,
    ACCEPTED = 8 * REPLICAS,
    FROM_FIRST = 2 * ACCEPTED,
    FROM_LAST = 3 * ACCEPTED,
    TRIPS = 4 * ACCEPTED,
    ENDS = 5 * ACCEPTED,
    WALKS = 6 * ACCEPTED
};

/* Two steps have an argument of their own, the last one two; in the middle of a round and of a
 * ramp. */
static latmc_lattice *on_its_way(void)
{
    const latmc_param own[] = {LATMC_HITS, LATMC_LOCAL_SWEEPS};
    const double hits = 4.0, values[] = {2.0, 3.0};
    latmc_step steps[STEPS] = {step_with(step_of(LATMC_METROPOLIS, 1, 1), own, &hits),
                               step_of(LATMC_OVERRELAX, 2, 2),
                               step_with(step_of(LATMC_BLOCK_METROPOLIS, 3, 0), own, values)};
    latmc_lattice *lat = NULL;
    lm_course course;

    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){6, 4}));
    ok(latmc_set_replicas(lat, REPLICAS));
    ok(latmc_set_device(lat, "cpu:scalar"));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 2));
    steps[2].param_count = 2;
    ok(latmc_set_schedule(lat, STEPS, steps));
    ok(latmc_set_ramp(lat, LATMC_MU2, (double[]){-0.5, 0.25}, RAMP));
    ok(lm_course_begin(&course, lat, "on its way", LATMC_SCHEDULE));
    ok(lm_course_prepare(&course, DONE));
    ok(lm_course_sweep(&course, DONE));
    lm_course_end(&course);
    ok(latmc_set_slots(lat, (int64_t[]){1, 0}));
    return lat;
}

static saved_file saved_way(void)
{
    latmc_lattice *lat = on_its_way();
    size_t size;
    uint8_t *bytes = save_whole(lat, &size);
    const saved_file f = saved_open(bytes, size);

    free(bytes);
    latmc_destroy(lat);
    return f;
}

static void refuse_file(const saved_file *f, latmc_status status, const char *part)
{
    latmc_lattice *lat = NULL;
    size_t size;
    uint8_t *bytes = saved_close(f, &size);

    refused(status, part, latmc_load_memory(&lat, bytes, size));
    assert_null(lat);
    free(bytes);
}

static void what_is_loaded_is_saved_again(void **state)
{
    latmc_lattice *lat = on_its_way(), *copy = NULL;
    size_t size, again;
    uint8_t *first = save_whole(lat, &size), *second;
    latmc_lattice_info info;
    double to[REPLICAS];
    int64_t left, slots[REPLICAS], counts[REPLICAS];

    (void)state;
    ok(latmc_load_memory(&copy, first, size));
    second = save_whole(copy, &again);
    assert_true(size == again);
    assert_memory_equal(first, second, size);
    info = info_of(copy);
    assert_int_equal(info.steps, STEPS);
    assert_int_equal(info.round_sweeps, 6);
    assert_int_equal(info.round_done, DONE);
    assert_int_equal(info.exchanges, EXCHANGES);
    assert_int_equal(get_step(copy, 1).exchanges, 2);
    ok(latmc_get_slots(copy, slots));
    assert_true(slots[0] == 1 && slots[1] == 0);
    ok(latmc_get_exchange_counts(copy, counts, NULL));
    assert_true(counts[0] == 2 && counts[1] == 0);
    ok(latmc_get_walks(copy, counts, NULL));
    assert_true(counts[0] == EXCHANGES && counts[1] == 0);
    ok(latmc_get_ramp(copy, LATMC_MU2, to, &left));
    assert_int_equal(left, RAMP - DONE);
    assert_true(to[0] == -0.5 && to[1] == 0.25);
    assert_int_equal(get_step(copy, 2).param_count, 2);
    assert_true(get_step(copy, 2).values[1] == 3.0);
    assert_int_equal(get_step(copy, 1).param_count, 0);
    free(first);
    free(second);
    latmc_destroy(lat);
    latmc_destroy(copy);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A number of a section that is another one. */
typedef struct change {
    const char *section;
    size_t at;
    uint64_t value;
    const char *part; /* of the refusal */
} change;

static void numbers_that_cannot_be_are_refused(void **state)
{
    const change changes[] = {
        {"schedule", 0, 6, "sweeps of a round"},
        {"schedule", 0, UINT64_MAX, "sweeps of a round"},
        {"schedule", COUNT, 0, "number of steps"},
        {"schedule", COUNT, 2, "number of steps"},
        {"schedule", COUNT, 65, "number of steps"},
        {"schedule", COUNT, UINT64_MAX, "number of steps"},
        {"schedule", FIRST_STEP + SAVED_NAME, 0, "step 0 has 0 sweeps"},
        {"schedule", FIRST_STEP + SAVED_NAME, (uint64_t)1 << 40, "step 0"},
        {"schedule", FIRST_STEP + STEP + SAVED_NAME, UINT64_MAX, "step 1 has -1 sweeps"},
        {"schedule", FIRST_OWN + OWN, STEPS, "an argument of a step"},
        {"schedule", FIRST_OWN + 2 * OWN, 0, "an argument of a step"},
        {"schedule", FIRST_OWN + 2 * OWN, (uint64_t)1 << 60, "an argument of a step"},
        {"schedule", FIRST_OWN + OWN_VALUE, bits_of((double)NAN), "an argument of a step"},
        {"schedule", FIRST_OWN + OWN_VALUE, bits_of(0.0), "hits"},
        {"schedule", FIRST_OWN + OWN_VALUE, bits_of(1.5), "whole number"},
        {"ramps", RAMP_FIRST, 7, "a ramp"},
        {"ramps", RAMP_FIRST, UINT64_MAX, "a ramp"},
        {"ramps", RAMP_FIRST, 1, "not where its ramp is"},
        {"ramps", RAMP_SWEEPS, DONE, "a ramp"},
        {"ramps", RAMP_SWEEPS, 0, "a ramp"},
        {"ramps", RAMP_SWEEPS, UINT64_MAX, "a ramp"},
        {"ramps", RAMP_SWEEPS, (uint64_t)1 << 40, "a ramp"},
        {"ramps", RAMP_SWEEPS, RAMP + 1, "not where its ramp is"},
        {"ramps", RAMP_FROM, bits_of(1e7), "mu2"},
        {"ramps", RAMP_FROM + 8, bits_of(0.5), "not where its ramp is"},
        {"ramps", RAMP_TO, bits_of((double)NAN), "mu2"},
        {"ramps", RAMP_TO + 8, bits_of(0.5), "not where its ramp is"},
        {"slots", 0, 0, "both have slot 0"},
        {"slots", 0, 2, "slot of replica 0 is 2"},
        {"slots", 8, UINT64_MAX, "slot of replica 1 is -1"},
        {"exchange", 0, UINT64_MAX, "number of exchanges"},
        {"exchange", 0, (uint64_t)1 << 40, "number of exchanges"},
        {"exchange", DUE, 1, "exchanges that are due"}, /* within a step none are */
        {"exchange", DUE, UINT64_MAX, "exchanges that are due"},
        {"schedule", FIRST_STEP + STEP_EXCHANGES, 1025, "exchanges is 1025"},
        {"schedule", FIRST_STEP + 2 * STEP + STEP_EXCHANGES, UINT64_MAX, "exchanges is -1"},
        {"exchange", 0, EXCHANGES - 1, "what exchanges have come to"},
        {"walks", OFFERED, EXCHANGES + 1, "what exchanges have come to"},
        {"walks", OFFERED, UINT64_MAX, "what exchanges have come to"},
        {"walks", OFFERED + 8, 1, "what exchanges have come to"}, /* after the last slot */
        {"walks", ACCEPTED, EXCHANGES, "what exchanges have come to"},
        {"walks", FROM_LAST, 1, "what exchanges have come to"},
        {"walks", FROM_FIRST, EXCHANGES + 1, "what exchanges have come to"},
        {"walks", TRIPS, EXCHANGES + 1, "what exchanges have come to"},
        {"walks", ENDS, 0, "what exchanges have come to"}, /* replica 0 is at the last slot, */
        {"walks", ENDS, 1, "what exchanges have come to"},
        {"walks", ENDS, 4, "what exchanges have come to"},
        {"walks", ENDS, UINT64_MAX, "what exchanges have come to"},
        {"walks", ENDS + 8, 3, "what exchanges have come to"}, /* replica 1 at the first */
    };

    (void)state;
    for (size_t i = 0; i < ALL(changes); i++) {
        saved_file f = saved_way();
        saved_section *s = saved_named(&f, changes[i].section);

        saved_put(s->data + changes[i].at, changes[i].value, 8);
        refuse_file(&f, LATMC_ERROR_DAMAGED, changes[i].part);
        saved_free(&f);
    }
}

static void moves_are_of_a_later_version(void **state)
{
    saved_file f = saved_way();

    (void)state;
    saved_put(saved_named(&f, "schedule")->data + FIRST_STEP + STEP + STEP_MOVES, 1, 8);
    refuse_file(&f, LATMC_ERROR_VERSION, "has isoenergetic moves");
    saved_free(&f);
}

/* What has a name has one that is known, and stands where it may. */
static void names_that_cannot_be_are_refused(void **state)
{
    static const struct {
        const char *section;
        size_t at;
        const char *name;
        latmc_status status;
        const char *part;
    } names[] = {
        {"schedule", FIRST_STEP, "nosuch", LATMC_ERROR_VERSION, "update \"nosuch\""},
        {"schedule", FIRST_STEP, "heatbath", LATMC_ERROR_VERSION, "update \"heatbath\""},
        {"schedule", FIRST_OWN + OWN_NAME, "nosuch", LATMC_ERROR_VERSION, "parameter \"nosuch\""},
        {"schedule", FIRST_OWN + OWN_NAME, "epsilon", LATMC_ERROR_DAMAGED, "not an argument"},
        {"schedule", FIRST_OWN + 2 * OWN + OWN_NAME, "hits", LATMC_ERROR_DAMAGED,
         "an argument of a step"},
        {"ramps", 0, "nosuch", LATMC_ERROR_VERSION, "parameter \"nosuch\""},
        {"ramps", 0, "hits", LATMC_ERROR_DAMAGED, "a ramp"},
        {"ramps", 0, "field", LATMC_ERROR_DAMAGED, "not where its ramp is"},
    };

    (void)state;
    for (size_t i = 0; i < ALL(names); i++) {
        saved_file f = saved_way();
        saved_section *s = saved_named(&f, names[i].section);

        memset(s->data + names[i].at, 0, SAVED_NAME);
        memcpy(s->data + names[i].at, names[i].name, strlen(names[i].name));
        refuse_file(&f, names[i].status, names[i].part);
        saved_free(&f);
    }
}

static void lengths_that_cannot_be_are_refused(void **state)
{
    static const struct {
        const char *name;
        size_t whole;
    } sections[] = {{"schedule", FIRST_OWN + 3 * OWN},
                    {"ramps", RAMP_TO + 8 * REPLICAS},
                    {"slots", 8 * REPLICAS},
                    {"exchange", EXCHANGE},
                    {"walks", WALKS}};

    (void)state;
    for (size_t i = 0; i < ALL(sections); i++) {
        const size_t whole = sections[i].whole;

        for (size_t length = 0; length < whole; length++) {
            saved_file f = saved_way();
            saved_section *s = saved_named(&f, sections[i].name);

            assert_true(s->length == whole);
            s->length = length;
            /* a schedule with fewer own arguments is one, too */
            if (i || length < FIRST_OWN || (length - FIRST_OWN) % OWN)
                refuse_file(&f, LATMC_ERROR_DAMAGED, "");
            saved_free(&f);
        }
    }
}

/* What every lattice has is not saved. */
static void what_says_nothing_is_refused(void **state)
{
    saved_file f = saved_way();
    saved_section *s = saved_named(&f, "slots");

    (void)state;
    saved_put(s->data, 0, 8);
    saved_put(s->data + 8, 1, 8);
    refuse_file(&f, LATMC_ERROR_DAMAGED, "the replicas' own");
    saved_free(&f);
    f = saved_way();
    s = saved_named(&f, "exchange");
    memset(s->data, 0, s->length);
    refuse_file(&f, LATMC_ERROR_DAMAGED, "number of exchanges");
    saved_free(&f);
    f = saved_way();
    s = saved_named(&f, "walks");
    memset(s->data, 0, ENDS);
    refuse_file(&f, LATMC_ERROR_DAMAGED, "what exchanges have come to");
    saved_free(&f);
}

/* Exchanges that an earlier call still owes come before the next sweep of a round. */
static void exchanges_that_are_due_are_made(void **state)
{
    saved_file f = saved_way();
    latmc_lattice *lat = NULL;
    uint8_t *bytes, *again;
    size_t size, length;

    (void)state;
    saved_put(saved_named(&f, "schedule")->data, 3, 8); /* the second step has ended */
    saved_put(saved_named(&f, "exchange")->data + DUE, 2, 8);
    bytes = saved_close(&f, &size);
    ok(latmc_load_memory(&lat, bytes, size));
    again = save_whole(lat, &length);
    assert_true(length == size);
    assert_memory_equal(again, bytes, size);
    ok(latmc_set_device(lat, "cpu:scalar"));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 1)); /* which is not of the round */
    assert_int_equal(info_of(lat).exchanges, EXCHANGES);
    ok(latmc_sweep(lat, LATMC_SCHEDULE, 1));
    assert_int_equal(info_of(lat).exchanges, EXCHANGES + 2);
    ok(latmc_sweep(lat, LATMC_SCHEDULE, 1));
    assert_int_equal(info_of(lat).exchanges, EXCHANGES + 5);
    ok(latmc_start(lat, LATMC_START_COLD));
    assert_int_equal(info_of(lat).exchanges, 0);
    latmc_destroy(lat);
    free(bytes);
    free(again);
    saved_free(&f);
}

static void a_parameter_has_one_ramp(void **state)
{
    saved_file f = saved_way();
    saved_section *s = saved_named(&f, "ramps");

    (void)state;
    s->data = realloc(s->data, 2 * s->length);
    assert_non_null(s->data);
    memcpy(s->data + s->length, s->data, s->length);
    s->length *= 2;
    refuse_file(&f, LATMC_ERROR_DAMAGED, "two things of one name");
    saved_free(&f);
}

/* ---- ladders: two of a sample of four */

static saved_file saved_ladders(void)
{
    latmc_lattice *lat = NULL;
    saved_file f;
    uint8_t *bytes;
    size_t size;

    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){6, 4}));
    ok(latmc_set_replicas(lat, 4));
    ok(latmc_set_device(lat, "cpu:scalar"));
    ok(latmc_set_ladders(lat, 2));
    ok(latmc_start(lat, LATMC_START_HOT));
    bytes = save_whole(lat, &size);
    f = saved_open(bytes, size);
    free(bytes);
    latmc_destroy(lat);
    return f;
}

static int64_t loaded_ladders(const saved_file *f)
{
    latmc_lattice *lat = NULL;
    size_t size;
    uint8_t *bytes = saved_close(f, &size);
    int64_t ladders;

    ok(latmc_load_memory(&lat, bytes, size));
    ladders = info_of(lat).ladders;
    latmc_destroy(lat);
    free(bytes);
    return ladders;
}

static void ladders_are_kept_or_refused(void **state)
{
    const struct {
        uint64_t value;
        const char *part;
    } others[] = {{0, "ladders is 0"},
                  {1, "the samples"},
                  {3, "ladders is 3"},
                  {UINT64_MAX, "ladders is -1"}};
    saved_file f = saved_ladders();

    (void)state;
    assert_int_equal(saved_named(&f, "ladders")->length, 8);
    assert_int_equal(loaded_ladders(&f), 2);
    for (size_t i = 0; i < ALL(others); i++) {
        saved_put(saved_named(&f, "ladders")->data, others[i].value, 8);
        refuse_file(&f, LATMC_ERROR_DAMAGED, others[i].part);
    }
    saved_put(saved_named(&f, "ladders")->data, 4, 8);
    assert_int_equal(loaded_ladders(&f), 4);
    for (size_t length = 0; length < 8; length++) {
        saved_named(&f, "ladders")->length = length;
        refuse_file(&f, LATMC_ERROR_DAMAGED, "");
    }
    saved_remove(&f, "ladders");
    assert_int_equal(loaded_ladders(&f), 1);
    saved_free(&f);
}

/* None of the sections has to be there. */
static void without_them_there_are_none(void **state)
{
    saved_file f = saved_way();
    latmc_lattice *lat = NULL;
    double to[REPLICAS];
    int64_t left, slots[REPLICAS], counts[REPLICAS];
    size_t size;
    uint8_t *bytes;

    (void)state;
    saved_remove(&f, "schedule");
    saved_remove(&f, "ramps");
    saved_remove(&f, "slots");
    saved_remove(&f, "exchange");
    refuse_file(&f, LATMC_ERROR_DAMAGED, "what exchanges have come to");
    saved_remove(&f, "walks");
    bytes = saved_close(&f, &size);
    ok(latmc_load_memory(&lat, bytes, size));
    assert_int_equal(info_of(lat).steps, 0);
    assert_int_equal(info_of(lat).exchanges, 0);
    ok(latmc_get_slots(lat, slots));
    assert_true(slots[0] == 0 && slots[1] == 1);
    ok(latmc_get_exchange_counts(lat, counts, NULL));
    assert_true(counts[0] == 0 && counts[1] == 0);
    ok(latmc_get_ramp(lat, LATMC_MU2, to, &left));
    assert_int_equal(left, 0);
    free(bytes);
    saved_free(&f);
    latmc_destroy(lat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_loaded_is_saved_again),
        cmocka_unit_test(numbers_that_cannot_be_are_refused),
        cmocka_unit_test(moves_are_of_a_later_version),
        cmocka_unit_test(names_that_cannot_be_are_refused),
        cmocka_unit_test(lengths_that_cannot_be_are_refused),
        cmocka_unit_test(what_says_nothing_is_refused),
        cmocka_unit_test(exchanges_that_are_due_are_made),
        cmocka_unit_test(a_parameter_has_one_ramp),
        cmocka_unit_test(ladders_are_kept_or_refused),
        cmocka_unit_test(without_them_there_are_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
