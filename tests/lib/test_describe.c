/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes with their sentences, and the descriptions of all that has a name. */
#include "tests/support.h"

#include <pthread.h>

static void every_status_has_a_name_and_a_sentence(void **state)
{
    static const struct {
        latmc_status status;
        int value;
        const char *name;
    } rows[] = {
#define ROW(name, value, text) {name, value, #name},
        LATMC_STATUS_LIST(ROW)
#undef ROW
    };

    (void)state;
    for (size_t i = 0; i < ALL(rows); i++) {
        assert_int_equal((int)rows[i].status, rows[i].value);
        assert_string_equal(latmc_status_name(rows[i].status), rows[i].name);
        assert_true(strlen(latmc_status_text(rows[i].status)) > 5);
    }
    assert_string_equal(latmc_status_name((latmc_status)999), "LATMC_UNKNOWN_STATUS");
    assert_string_equal(latmc_status_name((latmc_status)-1), "LATMC_UNKNOWN_STATUS");
    assert_non_null(latmc_status_text((latmc_status)999));
    assert_true(latmc_version()[0] >= '0' && latmc_version()[0] <= '9');
}

static void *fail_elsewhere(void *result)
{
    int n;

    *(int *)result = latmc_error_message()[0] == '\0' &&
                     latmc_find(LATMC_MODELS, LATMC_ISING, "nothing", &n) == LATMC_ERROR_UNKNOWN &&
                     strstr(latmc_error_message(), "nothing") != NULL;
    return NULL;
}

static void the_message_belongs_to_the_thread(void **state)
{
    pthread_t thread;
    int result = 0;

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "count is NULL", latmc_count(LATMC_MODELS, LATMC_ISING, NULL));
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &result), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(result, 1);
    assert_non_null(strstr(latmc_error_message(), "count is NULL"));
    latmc_destroy(new_lattice(1, (int64_t[]){4}));
    assert_non_null(strstr(latmc_error_message(), "count is NULL"));
}

static const struct {
    latmc_model model;
    latmc_kind kind;
    const char *names[28];
} known[] = {
    {LATMC_ISING,
     LATMC_MODELS,
     {"ising", "automaton", "blume_capel", "clock", "onvector", "phi4", "potts"}},
    {LATMC_ISING, LATMC_PARAMS, {"beta", "field"}},
    {LATMC_ISING, LATMC_UPDATES, {"metropolis", "heatbath"}},
    {LATMC_ISING,
     LATMC_OBSERVABLES,
     {"energy", "energy2", "energy4", "magnetization", "abs_magnetization", "m2", "m4", "structure",
      "changed"}},
    {LATMC_ISING,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure",
      "overlap_structure_at"}},
    {LATMC_ISING, LATMC_BOUNDARIES, {"periodic", "antiperiodic", "open"}},
    {LATMC_ISING, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_ISING, LATMC_DISTRIBUTIONS, {"pm1", "gaussian"}},
    {LATMC_ISING, LATMC_ARGUMENTS, {"plus", "missing", "missing", "mean", "width"}},
    {LATMC_AUTOMATON, LATMC_PARAMS, {"noise"}},
    {LATMC_AUTOMATON, LATMC_UPDATES, {"synchronous"}},
    {LATMC_AUTOMATON, LATMC_OBSERVABLES, {"density", "changed"}},
    {LATMC_AUTOMATON, LATMC_PAIR_OBSERVABLES, {NULL}},
    {LATMC_AUTOMATON, LATMC_BOUNDARIES, {"periodic", "open"}},
    {LATMC_AUTOMATON, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_AUTOMATON, LATMC_DISTRIBUTIONS, {NULL}},
    {LATMC_AUTOMATON, LATMC_OPTIONS, {"birth", "survival"}},
    {LATMC_AUTOMATON, LATMC_TYPES, {"int8", "bits"}},
    {LATMC_BLUME_CAPEL, LATMC_PARAMS, {"beta", "crystal_field", "field"}},
    {LATMC_BLUME_CAPEL, LATMC_UPDATES, {"metropolis", "heatbath"}},
    {LATMC_BLUME_CAPEL,
     LATMC_OBSERVABLES,
     {"energy", "energy2", "energy4", "magnetization", "abs_magnetization", "m2", "m4",
      "quadrupole", "quadrupole2", "quadrupole4", "changed"}},
    {LATMC_BLUME_CAPEL,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure",
      "overlap_structure_at"}},
    {LATMC_BLUME_CAPEL, LATMC_BOUNDARIES, {"periodic", "antiperiodic", "open"}},
    {LATMC_BLUME_CAPEL, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_BLUME_CAPEL, LATMC_DISTRIBUTIONS, {"pm1"}},
    {LATMC_BLUME_CAPEL, LATMC_ARGUMENTS, {"plus", "missing"}},
    {LATMC_BLUME_CAPEL, LATMC_OPTIONS, {NULL}},
    {LATMC_BLUME_CAPEL, LATMC_TYPES, {"int8", "bits"}},
    {LATMC_ONVECTOR, LATMC_PARAMS, {"beta", "field", "epsilon", "hits"}},
    {LATMC_ONVECTOR, LATMC_UPDATES, {"metropolis", "overrelax", "heatbath"}},
    {LATMC_ONVECTOR,
     LATMC_OBSERVABLES,
     {"energy", "energy2", "energy4", "magnetization", "abs_magnetization", "m2", "m4", "structure",
      "helicity", "vortices", "chirality", "mean_chirality", "acceptance"}},
    {LATMC_ONVECTOR,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure",
      "overlap_structure_at", "tensor_overlap2", "tensor_overlap4", "tensor_structure",
      "tensor_structure_at", "chiral_overlap2", "chiral_structure", "chiral_structure_at"}},
    {LATMC_ONVECTOR, LATMC_BOUNDARIES, {"periodic", "antiperiodic", "open"}},
    {LATMC_ONVECTOR, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_ONVECTOR, LATMC_DISTRIBUTIONS, {"pm1", "gaussian"}},
    {LATMC_ONVECTOR, LATMC_ARGUMENTS, {"plus", "missing", "missing", "mean", "width"}},
    {LATMC_ONVECTOR, LATMC_OPTIONS, {"precision", "n"}},
    {LATMC_ONVECTOR, LATMC_TYPES, {"float32", "float64"}},
    {LATMC_PHI4,
     LATMC_PARAMS,
     {"mu2", "g", "inv_lambda", "field", "epsilon", "hits", "local_sweeps"}},
    {LATMC_PHI4, LATMC_UPDATES, {"metropolis", "block_metropolis", "overrelax"}},
    {LATMC_PHI4,
     LATMC_OBSERVABLES,
     {"energy", "energy2", "energy4", "energy_gradient", "energy_potential", "energy_cutoff",
      "magnetization", "abs_magnetization", "m2", "m4", "phi_squared", "phi_fourth", "structure",
      "acceptance"}},
    {LATMC_PHI4,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure",
      "overlap_structure_at"}},
    {LATMC_PHI4, LATMC_BOUNDARIES, {"periodic", "antiperiodic", "open"}},
    {LATMC_PHI4, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_PHI4, LATMC_DISTRIBUTIONS, {NULL}},
    {LATMC_PHI4, LATMC_ARGUMENTS, {NULL}},
    {LATMC_POTTS, LATMC_PARAMS, {"beta", "field"}},
    {LATMC_POTTS, LATMC_UPDATES, {"metropolis", "metropolis_other", "heatbath"}},
    {LATMC_POTTS,
     LATMC_OBSERVABLES,
     {"energy", "energy2", "energy4", "order_parameter", "order_parameter2", "order_parameter4",
      "abs_magnetization", "m2", "m4", "changed", "occupation"}},
    {LATMC_POTTS,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure",
      "overlap_structure_at"}},
    {LATMC_POTTS, LATMC_BOUNDARIES, {"periodic", "open"}},
    {LATMC_POTTS, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_POTTS, LATMC_DISTRIBUTIONS, {"pm1", "gaussian"}},
    {LATMC_POTTS, LATMC_ARGUMENTS, {"plus", "missing", "missing", "mean", "width"}},
    {LATMC_POTTS, LATMC_OPTIONS, {"q"}},
    {LATMC_POTTS, LATMC_TYPES, {"uint8", "bits"}},
    {LATMC_CLOCK, LATMC_PARAMS, {"beta", "field"}},
    {LATMC_CLOCK, LATMC_UPDATES, {"metropolis", "heatbath"}},
    {LATMC_CLOCK,
     LATMC_OBSERVABLES,
     {"energy", "energy2", "energy4", "magnetization", "abs_magnetization", "m2", "m4", "structure",
      "helicity", "changed", "occupation"}},
    {LATMC_CLOCK,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure",
      "overlap_structure_at"}},
    {LATMC_CLOCK, LATMC_BOUNDARIES, {"periodic", "open"}},
    {LATMC_CLOCK, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_CLOCK, LATMC_DISTRIBUTIONS, {"pm1", "gaussian"}},
    {LATMC_CLOCK, LATMC_ARGUMENTS, {"plus", "missing", "missing", "mean", "width"}},
    {LATMC_CLOCK, LATMC_OPTIONS, {"q"}},
    {LATMC_CLOCK, LATMC_TYPES, {"uint8"}},
};

/* Behind the observables of every model. */
static const char *const shared[] = {"structure_at", "weighted", "abs_weighted", "weighted2",
                                     "weighted4",    "slot",     "holder"};

static const char *name_of(size_t k, int own, int i)
{
    if (i < own)
        return known[k].names[i];
    return known[k].kind == LATMC_OBSERVABLES && i - own < (int)ALL(shared) ? shared[i - own]
                                                                            : NULL;
}

/* A library that stands on this one says what failed in its own functions. */
static void a_failure_can_be_another_librarys(void **state)
{
    char words[2000], before[1024];

    (void)state;
    assert_int_equal(latmc_fail(LATMC_ERROR_STATE, "over_create: 100 %s of it"), LATMC_ERROR_STATE);
    assert_string_equal(latmc_error_message(), "over_create: 100 %s of it");
    assert_int_equal(latmc_fail(LATMC_OK, "nothing"), LATMC_OK);
    assert_string_equal(latmc_error_message(), "over_create: 100 %s of it");
    assert_int_equal(latmc_fail(LATMC_ERROR_IO, NULL), LATMC_ERROR_IO);
    assert_string_equal(latmc_error_message(), latmc_status_text(LATMC_ERROR_IO));
    memset(words, 'x', sizeof words);
    words[sizeof words - 1] = '\0';
    assert_int_equal(latmc_fail(LATMC_ERROR_MEMORY, words), LATMC_ERROR_MEMORY);
    assert_int_equal(strlen(latmc_error_message()), 1023);
    snprintf(before, sizeof before, "%s", latmc_error_message());
    assert_int_equal(latmc_fail(LATMC_ERROR_DEVICE, latmc_error_message()), LATMC_ERROR_DEVICE);
    assert_string_equal(latmc_error_message(), before);
}

static void everything_is_described_and_found(void **state)
{
    (void)state;
    for (size_t k = 0; k < ALL(known); k++) {
        int64_t count = -1;
        int id = -1, i = 0, own = 0;

        while (known[k].names[own])
            own++;
        ok(latmc_count(known[k].kind, known[k].model, &count));
        for (; name_of(k, own, i); i++) {
            latmc_description info = {.size = sizeof info};

            ok(latmc_describe(known[k].kind, known[k].model, i, &info));
            assert_string_equal(info.name, name_of(k, own, i));
            assert_true(strlen(info.meaning) > 2);
            ok(latmc_find(known[k].kind, known[k].model, info.name, &id));
            assert_int_equal(id, info.id);
            if (known[k].kind == LATMC_PARAMS || known[k].kind == LATMC_ARGUMENTS)
                assert_true(info.minimum <= info.preset && info.preset <= info.maximum &&
                            info.minimum < info.maximum);
            assert_int_equal(info.distribution, known[k].kind != LATMC_ARGUMENTS ? 0
                                                : i < 2 ? LATMC_PLUS_MINUS_ONE
                                                        : LATMC_GAUSSIAN);
        }
        assert_int_equal(count, i);
    }
}

static void bad_questions_are_refused(void **state)
{
    latmc_description info = {.size = sizeof info};
    const latmc_model no_model = (latmc_model)77;
    int64_t n = 123;
    int id = 123;

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "kind 0", latmc_count((latmc_kind)0, LATMC_ISING, &n));
    refused(LATMC_ERROR_ARGUMENT, "kind 8", latmc_count((latmc_kind)8, LATMC_ISING, &n));
    refused(LATMC_ERROR_ARGUMENT, "kind -1", latmc_count((latmc_kind)-1, LATMC_ISING, &n));
    refused(LATMC_ERROR_UNKNOWN, "77", latmc_count(LATMC_PARAMS, no_model, &n));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_count(LATMC_PARAMS, LATMC_ISING, NULL));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_find(LATMC_PARAMS, LATMC_ISING, NULL, &id));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_find(LATMC_PARAMS, LATMC_ISING, "beta", NULL));
    refused(LATMC_ERROR_UNKNOWN, "beta, field", latmc_find(LATMC_PARAMS, LATMC_ISING, "b", &id));
    refused(LATMC_ERROR_UNKNOWN, "beta", latmc_find(LATMC_PARAMS, LATMC_ISING, "", &id));
    refused(LATMC_ERROR_UNKNOWN, "77", latmc_find(LATMC_PARAMS, no_model, "beta", &id));
    assert_true(n == 123 && id == 123);
    ok(latmc_count(LATMC_MODELS, no_model, &n));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_describe(LATMC_PARAMS, LATMC_ISING, 0, NULL));
    refused(LATMC_ERROR_ARGUMENT, "0 to 1", latmc_describe(LATMC_PARAMS, LATMC_ISING, 2, &info));
    refused(LATMC_ERROR_ARGUMENT, "-1", latmc_describe(LATMC_PARAMS, LATMC_ISING, -1, &info));
    refused(LATMC_ERROR_UNKNOWN, "77", latmc_describe(LATMC_PARAMS, no_model, 0, &info));
    refused(LATMC_ERROR_ARGUMENT, "kind 9", latmc_describe((latmc_kind)9, LATMC_ISING, 0, &info));
    assert_null(info.name);
}

static void the_version_is_that_of_the_header(void **state)
{
    char text[64];

    (void)state;
    snprintf(text, sizeof text, "%d.%d.%d", LATMC_VERSION_MAJOR, LATMC_VERSION_MINOR,
             LATMC_VERSION_PATCH);
    assert_string_equal(latmc_version(), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_and_a_sentence),
        cmocka_unit_test(the_message_belongs_to_the_thread),
        cmocka_unit_test(a_failure_can_be_another_librarys),
        cmocka_unit_test(everything_is_described_and_found),
        cmocka_unit_test(bad_questions_are_refused),
        cmocka_unit_test(the_version_is_that_of_the_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
