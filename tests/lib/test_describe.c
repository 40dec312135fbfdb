/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes, descriptions and the structs that begin with their size. */
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
     {"energy", "energy2", "energy4", "magnetization", "abs_magnetization", "m2", "m4",
      "structure_0", "structure_1", "structure_2", "structure_3", "acceptance"}},
    {LATMC_ISING,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure_0",
      "overlap_structure_1", "overlap_structure_2", "overlap_structure_3"}},
    {LATMC_ISING, LATMC_BOUNDARIES, {"periodic", "antiperiodic", "open"}},
    {LATMC_ISING, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_ISING, LATMC_DISTRIBUTIONS, {"pm1", "gaussian"}},
    {LATMC_ISING, LATMC_ARGUMENTS, {"plus", "missing", "missing", "mean", "width"}},
    {LATMC_AUTOMATON, LATMC_PARAMS, {"noise"}},
    {LATMC_AUTOMATON, LATMC_UPDATES, {"synchronous"}},
    {LATMC_AUTOMATON, LATMC_OBSERVABLES, {"density", "activity"}},
    {LATMC_AUTOMATON, LATMC_PAIR_OBSERVABLES, {NULL}},
    {LATMC_AUTOMATON, LATMC_BOUNDARIES, {"periodic", "open"}},
    {LATMC_AUTOMATON, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_AUTOMATON, LATMC_DISTRIBUTIONS, {NULL}},
    {LATMC_AUTOMATON, LATMC_OPTIONS, {"birth", "survival"}},
    {LATMC_AUTOMATON, LATMC_TYPES, {"int8"}},
    {LATMC_BLUME_CAPEL, LATMC_PARAMS, {"beta", "crystal_field", "field"}},
    {LATMC_BLUME_CAPEL, LATMC_UPDATES, {"metropolis", "heatbath"}},
    {LATMC_BLUME_CAPEL,
     LATMC_OBSERVABLES,
     {"energy", "energy2", "energy4", "magnetization", "abs_magnetization", "m2", "m4",
      "quadrupole", "quadrupole2", "quadrupole4", "acceptance"}},
    {LATMC_BLUME_CAPEL,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure_0",
      "overlap_structure_1", "overlap_structure_2", "overlap_structure_3"}},
    {LATMC_BLUME_CAPEL, LATMC_BOUNDARIES, {"periodic", "antiperiodic", "open"}},
    {LATMC_BLUME_CAPEL, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_BLUME_CAPEL, LATMC_DISTRIBUTIONS, {"pm1"}},
    {LATMC_BLUME_CAPEL, LATMC_ARGUMENTS, {"plus", "missing"}},
    {LATMC_BLUME_CAPEL, LATMC_OPTIONS, {NULL}},
    {LATMC_BLUME_CAPEL, LATMC_TYPES, {"int8"}},
    {LATMC_ONVECTOR, LATMC_PARAMS, {"beta", "field", "epsilon", "hits"}},
    {LATMC_ONVECTOR, LATMC_UPDATES, {"metropolis", "overrelax", "heatbath"}},
    {LATMC_ONVECTOR,
     LATMC_OBSERVABLES,
     {"energy",
      "energy2",
      "energy4",
      "magnetization_0",
      "magnetization_1",
      "magnetization_2",
      "magnetization_3",
      "abs_magnetization",
      "m2",
      "m4",
      "structure_0",
      "structure_1",
      "structure_2",
      "structure_3",
      "helicity_0",
      "helicity_1",
      "helicity_2",
      "helicity_3",
      "vortices",
      "chirality",
      "chirality_0",
      "chirality_1",
      "chirality_2",
      "chirality_3",
      "acceptance"}},
    {LATMC_ONVECTOR,
     LATMC_PAIR_OBSERVABLES,
     {"overlap",
      "abs_overlap",
      "overlap2",
      "overlap4",
      "link_overlap",
      "overlap_structure_0",
      "overlap_structure_1",
      "overlap_structure_2",
      "overlap_structure_3",
      "tensor_overlap2",
      "tensor_overlap4",
      "tensor_structure_0",
      "tensor_structure_1",
      "tensor_structure_2",
      "tensor_structure_3",
      "chiral_overlap2_0",
      "chiral_overlap2_1",
      "chiral_overlap2_2",
      "chiral_overlap2_3",
      "chiral_structure_0",
      "chiral_structure_1",
      "chiral_structure_2",
      "chiral_structure_3"}},
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
     {"energy", "energy2", "energy4", "energy_gradient", "energy_potential", "energy_cutoff", "phi",
      "abs_phi", "phi2", "phi4", "m2", "m4", "structure_0", "structure_1", "structure_2",
      "structure_3", "acceptance"}},
    {LATMC_PHI4,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure_0",
      "overlap_structure_1", "overlap_structure_2", "overlap_structure_3"}},
    {LATMC_PHI4, LATMC_BOUNDARIES, {"periodic", "antiperiodic", "open"}},
    {LATMC_PHI4, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_PHI4, LATMC_DISTRIBUTIONS, {NULL}},
    {LATMC_PHI4, LATMC_ARGUMENTS, {NULL}},
    {LATMC_POTTS, LATMC_PARAMS, {"beta", "field"}},
    {LATMC_POTTS, LATMC_UPDATES, {"metropolis", "metropolis_other", "heatbath"}},
    {LATMC_POTTS,
     LATMC_OBSERVABLES, /* behind them come the occupations */
     {"energy", "energy2", "energy4", "order_parameter", "order_parameter2", "order_parameter4",
      "abs_magnetization", "m2", "m4", "acceptance"}},
    {LATMC_POTTS,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure_0",
      "overlap_structure_1", "overlap_structure_2", "overlap_structure_3"}},
    {LATMC_POTTS, LATMC_BOUNDARIES, {"periodic", "open"}},
    {LATMC_POTTS, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_POTTS, LATMC_DISTRIBUTIONS, {"pm1", "gaussian"}},
    {LATMC_POTTS, LATMC_ARGUMENTS, {"plus", "missing", "missing", "mean", "width"}},
    {LATMC_POTTS, LATMC_OPTIONS, {"q"}},
    {LATMC_POTTS, LATMC_TYPES, {"uint8"}},
    {LATMC_CLOCK, LATMC_PARAMS, {"beta", "field"}},
    {LATMC_CLOCK, LATMC_UPDATES, {"metropolis", "heatbath"}},
    {LATMC_CLOCK,
     LATMC_OBSERVABLES, /* behind them come the occupations */
     {"energy", "energy2", "energy4", "magnetization_0", "magnetization_1", "abs_magnetization",
      "m2", "m4", "structure_0", "structure_1", "structure_2", "structure_3", "helicity_0",
      "helicity_1", "helicity_2", "helicity_3", "acceptance"}},
    {LATMC_CLOCK,
     LATMC_PAIR_OBSERVABLES,
     {"overlap", "abs_overlap", "overlap2", "overlap4", "link_overlap", "overlap_structure_0",
      "overlap_structure_1", "overlap_structure_2", "overlap_structure_3"}},
    {LATMC_CLOCK, LATMC_BOUNDARIES, {"periodic", "open"}},
    {LATMC_CLOCK, LATMC_START_MODES, {"hot", "cold"}},
    {LATMC_CLOCK, LATMC_DISTRIBUTIONS, {"pm1", "gaussian"}},
    {LATMC_CLOCK, LATMC_ARGUMENTS, {"plus", "missing", "missing", "mean", "width"}},
    {LATMC_CLOCK, LATMC_OPTIONS, {"q"}},
    {LATMC_CLOCK, LATMC_TYPES, {"uint8"}},
};

/* Behind the observables of every model. */
static const char *const shared[] = {"slot", "holder"};

static const char *name_of(size_t k, int own, int i)
{
    static char name[24];

    if (i < own)
        return known[k].names[i];
    const int states = known[k].model == LATMC_POTTS ? 256 : known[k].model == LATMC_CLOCK ? 64 : 0;

    if (states && known[k].kind == LATMC_OBSERVABLES) {
        if (i < own + states) {
            snprintf(name, sizeof name, "occupation_%d", i - own);
            return name;
        }
        own += states;
    }
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
        int count = -1, id = -1, i = 0, own = 0;

        while (known[k].names[own])
            own++;
        ok(latmc_count(known[k].kind, known[k].model, &count));
        for (; name_of(k, own, i); i++) {
            latmc_info info = {.size = sizeof info};

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
    latmc_info info = {.size = sizeof info};
    const latmc_model no_model = (latmc_model)77;
    int n = 123;

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "kind 0", latmc_count((latmc_kind)0, LATMC_ISING, &n));
    refused(LATMC_ERROR_ARGUMENT, "kind 8", latmc_count((latmc_kind)8, LATMC_ISING, &n));
    refused(LATMC_ERROR_ARGUMENT, "kind -1", latmc_count((latmc_kind)-1, LATMC_ISING, &n));
    refused(LATMC_ERROR_UNKNOWN, "77", latmc_count(LATMC_PARAMS, no_model, &n));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_count(LATMC_PARAMS, LATMC_ISING, NULL));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_find(LATMC_PARAMS, LATMC_ISING, NULL, &n));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_find(LATMC_PARAMS, LATMC_ISING, "beta", NULL));
    refused(LATMC_ERROR_UNKNOWN, "beta, field", latmc_find(LATMC_PARAMS, LATMC_ISING, "b", &n));
    refused(LATMC_ERROR_UNKNOWN, "beta", latmc_find(LATMC_PARAMS, LATMC_ISING, "", &n));
    refused(LATMC_ERROR_UNKNOWN, "77", latmc_find(LATMC_PARAMS, no_model, "beta", &n));
    assert_int_equal(n, 123);
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

/* No number means two things, of whatever kinds and models. */
static latmc_model nth_model(int m)
{
    latmc_info info = LATMC_INIT(latmc_info);

    ok(latmc_describe(LATMC_MODELS, (latmc_model)0, m, &info));
    return (latmc_model)info.id;
}

static void numbers_belong_to_one_kind(void **state)
{
    enum { MOST = 4000 };
    static int owner[MOST]; /* kind, or 1 for a status */
    int models = 0;

    (void)state;
    ok(latmc_count(LATMC_MODELS, (latmc_model)0, &models));
    assert_in_range(models, 2, 100);
#define OWN(name, value, text) owner[value] = 1;
    LATMC_STATUS_LIST(OWN)
#undef OWN
    for (int kind = LATMC_MODELS; kind <= LATMC_PAIR_OBSERVABLES; kind++) {
        assert_int_equal(owner[kind], 0);
        owner[kind] = -1;
    }
    for (int kind = LATMC_MODELS; kind <= LATMC_PAIR_OBSERVABLES; kind++)
        for (int m = 0; m < models; m++) {
            const latmc_model model = nth_model(m);
            int count = 0;

            ok(latmc_count((latmc_kind)kind, model, &count));
            for (int i = 0; i < count; i++) {
                latmc_info info = LATMC_INIT(latmc_info);

                ok(latmc_describe((latmc_kind)kind, model, i, &info));
                assert_in_range(info.id, 1, MOST - 1);
                assert_true(owner[info.id] == 0 || owner[info.id] == kind);
                owner[info.id] = kind;
            }
        }
    for (int role = 900; role < 1000; role++)
        assert_int_equal(owner[role], 0);
}

/* ---- roles */

static const latmc_role roles[] = {
    LATMC_ROLE_NONE,      LATMC_ROLE_ENERGY,     LATMC_ROLE_ENERGY2,    LATMC_ROLE_ENERGY4,
    LATMC_ROLE_ORDER,     LATMC_ROLE_ABS_ORDER,  LATMC_ROLE_ORDER2,     LATMC_ROLE_ORDER4,
    LATMC_ROLE_STRUCTURE, LATMC_ROLE_OCCUPATION, LATMC_ROLE_ACCEPTANCE, LATMC_ROLE_SLOT,
    LATMC_ROLE_HOLDER};

/* Which observable of a model has a role; those that are not here have none. */
typedef struct part {
    latmc_model model;
    latmc_role role;
    int axis;
    const char *name;
} part;

static const part parts[] = {
    {LATMC_POTTS, LATMC_ROLE_ENERGY, 0, "energy"},
    {LATMC_POTTS, LATMC_ROLE_ENERGY2, 0, "energy2"},
    {LATMC_POTTS, LATMC_ROLE_ENERGY4, 0, "energy4"},
    {LATMC_POTTS, LATMC_ROLE_ABS_ORDER, 0, "abs_magnetization"},
    {LATMC_POTTS, LATMC_ROLE_ORDER2, 0, "m2"},
    {LATMC_POTTS, LATMC_ROLE_ORDER4, 0, "m4"},
    {LATMC_POTTS, LATMC_ROLE_ACCEPTANCE, 0, "acceptance"},
    {LATMC_POTTS, LATMC_ROLE_OCCUPATION, 0, "occupation_0"},
    {LATMC_POTTS, LATMC_ROLE_OCCUPATION, 9, "occupation_9"},
    {LATMC_POTTS, LATMC_ROLE_OCCUPATION, 99, "occupation_99"},
    {LATMC_POTTS, LATMC_ROLE_OCCUPATION, 100, "occupation_100"},
    {LATMC_POTTS, LATMC_ROLE_OCCUPATION, 215, "occupation_215"},
    {LATMC_POTTS, LATMC_ROLE_OCCUPATION, 255, "occupation_255"},
    {LATMC_CLOCK, LATMC_ROLE_ENERGY, 0, "energy"},
    {LATMC_CLOCK, LATMC_ROLE_ENERGY2, 0, "energy2"},
    {LATMC_CLOCK, LATMC_ROLE_ENERGY4, 0, "energy4"},
    {LATMC_CLOCK, LATMC_ROLE_ABS_ORDER, 0, "abs_magnetization"},
    {LATMC_CLOCK, LATMC_ROLE_ORDER2, 0, "m2"},
    {LATMC_CLOCK, LATMC_ROLE_ORDER4, 0, "m4"},
    {LATMC_CLOCK, LATMC_ROLE_STRUCTURE, 3, "structure_3"},
    {LATMC_CLOCK, LATMC_ROLE_ACCEPTANCE, 0, "acceptance"},
    {LATMC_CLOCK, LATMC_ROLE_OCCUPATION, 63, "occupation_63"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ENERGY, 0, "energy"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ENERGY2, 0, "energy2"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ENERGY4, 0, "energy4"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ORDER, 0, "magnetization"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ABS_ORDER, 0, "abs_magnetization"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ORDER2, 0, "m2"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ORDER4, 0, "m4"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ACCEPTANCE, 0, "acceptance"},
    {LATMC_ISING, LATMC_ROLE_ENERGY, 0, "energy"},
    {LATMC_ISING, LATMC_ROLE_ENERGY2, 0, "energy2"},
    {LATMC_ISING, LATMC_ROLE_ENERGY4, 0, "energy4"},
    {LATMC_ISING, LATMC_ROLE_ORDER, 0, "magnetization"},
    {LATMC_ISING, LATMC_ROLE_ABS_ORDER, 0, "abs_magnetization"},
    {LATMC_ISING, LATMC_ROLE_ORDER2, 0, "m2"},
    {LATMC_ISING, LATMC_ROLE_ORDER4, 0, "m4"},
    {LATMC_ISING, LATMC_ROLE_STRUCTURE, 0, "structure_0"},
    {LATMC_ISING, LATMC_ROLE_STRUCTURE, 1, "structure_1"},
    {LATMC_ISING, LATMC_ROLE_STRUCTURE, 2, "structure_2"},
    {LATMC_ISING, LATMC_ROLE_STRUCTURE, 3, "structure_3"},
    {LATMC_ISING, LATMC_ROLE_ACCEPTANCE, 0, "acceptance"},
    {LATMC_ISING, LATMC_ROLE_SLOT, 0, "slot"},
    {LATMC_ISING, LATMC_ROLE_HOLDER, 0, "holder"},
    {LATMC_ONVECTOR, LATMC_ROLE_ENERGY, 0, "energy"},
    {LATMC_ONVECTOR, LATMC_ROLE_ENERGY2, 0, "energy2"},
    {LATMC_ONVECTOR, LATMC_ROLE_ENERGY4, 0, "energy4"},
    {LATMC_ONVECTOR, LATMC_ROLE_ABS_ORDER, 0, "abs_magnetization"},
    {LATMC_ONVECTOR, LATMC_ROLE_ORDER2, 0, "m2"},
    {LATMC_ONVECTOR, LATMC_ROLE_ORDER4, 0, "m4"},
    {LATMC_ONVECTOR, LATMC_ROLE_STRUCTURE, 0, "structure_0"},
    {LATMC_ONVECTOR, LATMC_ROLE_STRUCTURE, 1, "structure_1"},
    {LATMC_ONVECTOR, LATMC_ROLE_STRUCTURE, 2, "structure_2"},
    {LATMC_ONVECTOR, LATMC_ROLE_STRUCTURE, 3, "structure_3"},
    {LATMC_ONVECTOR, LATMC_ROLE_ACCEPTANCE, 0, "acceptance"},
    {LATMC_ONVECTOR, LATMC_ROLE_SLOT, 0, "slot"},
    {LATMC_ONVECTOR, LATMC_ROLE_HOLDER, 0, "holder"},
    {LATMC_PHI4, LATMC_ROLE_ENERGY, 0, "energy"},
    {LATMC_PHI4, LATMC_ROLE_ENERGY2, 0, "energy2"},
    {LATMC_PHI4, LATMC_ROLE_ENERGY4, 0, "energy4"},
    {LATMC_PHI4, LATMC_ROLE_ORDER, 0, "phi"},
    {LATMC_PHI4, LATMC_ROLE_ABS_ORDER, 0, "abs_phi"},
    {LATMC_PHI4, LATMC_ROLE_ORDER2, 0, "m2"},
    {LATMC_PHI4, LATMC_ROLE_ORDER4, 0, "m4"},
    {LATMC_PHI4, LATMC_ROLE_STRUCTURE, 0, "structure_0"},
    {LATMC_PHI4, LATMC_ROLE_STRUCTURE, 1, "structure_1"},
    {LATMC_PHI4, LATMC_ROLE_STRUCTURE, 2, "structure_2"},
    {LATMC_PHI4, LATMC_ROLE_STRUCTURE, 3, "structure_3"},
    {LATMC_PHI4, LATMC_ROLE_ACCEPTANCE, 0, "acceptance"},
    {LATMC_PHI4, LATMC_ROLE_SLOT, 0, "slot"},
    {LATMC_PHI4, LATMC_ROLE_HOLDER, 0, "holder"},
};

#define PAIRS(model, q, name)                                                                      \
    {model, LATMC_ROLE_ORDER2, 0, q "2"}, {model, LATMC_ROLE_ORDER4, 0, q "4"},                    \
        {model, LATMC_ROLE_STRUCTURE, 0, name "_structure_0"},                                     \
        {model, LATMC_ROLE_STRUCTURE, 1, name "_structure_1"},                                     \
        {model, LATMC_ROLE_STRUCTURE, 2, name "_structure_2"},                                     \
    {                                                                                              \
        model, LATMC_ROLE_STRUCTURE, 3, name "_structure_3"                                        \
    }

/* Of pairs. */
static const part pair_parts[] = {
    PAIRS(LATMC_ISING, "overlap", "overlap"),
    PAIRS(LATMC_PHI4, "overlap", "overlap"),
    PAIRS(LATMC_ONVECTOR, "tensor_overlap", "tensor"),
    {LATMC_ISING, LATMC_ROLE_ORDER, 0, "overlap"},
    {LATMC_PHI4, LATMC_ROLE_ORDER, 0, "overlap"},
    {LATMC_ISING, LATMC_ROLE_ABS_ORDER, 0, "abs_overlap"},
    {LATMC_PHI4, LATMC_ROLE_ABS_ORDER, 0, "abs_overlap"},
};

static void check_role(latmc_kind kind, latmc_model model, const latmc_info *info)
{
    const int of_pairs = kind == LATMC_PAIR_OBSERVABLES;
    const part *list = of_pairs ? pair_parts : parts;
    const size_t count = of_pairs ? ALL(pair_parts) : ALL(parts);
    int known_role = 0;

    for (size_t i = 0; i < ALL(roles); i++)
        known_role |= info->role == (int)roles[i];
    assert_true(known_role);
    assert_true(info->axis == 0 || info->role == LATMC_ROLE_STRUCTURE ||
                info->role == LATMC_ROLE_OCCUPATION);
    for (size_t i = 0; i < count; i++) {
        const int same = info->role == (int)list[i].role && info->axis == list[i].axis;

        if (list[i].model == model)
            assert_int_equal(strcmp(info->name, list[i].name) == 0, same);
    }
}

/* An observable has one role, a role no more than one observable, and other things have none. */
static void observables_have_their_roles(void **state)
{
    int models = 0;

    (void)state;
    ok(latmc_count(LATMC_MODELS, (latmc_model)0, &models));
    for (int m = 0; m < models; m++)
        for (int kind = LATMC_MODELS; kind <= LATMC_PAIR_OBSERVABLES; kind++) {
            const latmc_model model = nth_model(m);
            unsigned char taken[1000][256] = {{0}};
            int count = 0;

            ok(latmc_count((latmc_kind)kind, model, &count));
            for (int i = 0; i < count; i++) {
                latmc_info info = LATMC_INIT(latmc_info);

                ok(latmc_describe((latmc_kind)kind, model, i, &info));
                if (kind != LATMC_OBSERVABLES && kind != LATMC_PAIR_OBSERVABLES) {
                    assert_int_equal(info.role | info.axis, 0);
                    continue;
                }
                check_role((latmc_kind)kind, model, &info);
                assert_in_range(info.axis, 0,
                                info.role == LATMC_ROLE_OCCUPATION ? 255
                                                                   : LATMC_MAX_DIMS - 1);
                assert_true(info.role == LATMC_ROLE_NONE || !taken[info.role][info.axis]++);
            }
        }
}

/* A struct of another age: shorter is refused, longer is filled up with zeros. */
static void the_size_of_a_struct_is_respected(void **state)
{
    struct {
        latmc_info info;
        unsigned char more[40];
    } newer;
    latmc_info info = {.size = offsetof(latmc_info, ergodic) - 1, .id = 42};

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "sizeof(latmc_info)",
            latmc_describe(LATMC_PARAMS, LATMC_ISING, 0, &info));
    info.size = 0;
    refused(LATMC_ERROR_ARGUMENT, "size", latmc_describe(LATMC_PARAMS, LATMC_ISING, 0, &info));
    info.size = (size_t)-1;
    refused(LATMC_ERROR_ARGUMENT, "size", latmc_describe(LATMC_PARAMS, LATMC_ISING, 0, &info));
    assert_int_equal(info.id, 42);
    memset(&newer, 0xaa, sizeof newer);
    newer.info.size = sizeof newer - 8;
    ok(latmc_describe(LATMC_PARAMS, LATMC_ISING, 0, &newer.info));
    assert_string_equal(newer.info.name, "beta");
    assert_true(newer.info.size == sizeof newer - 8);
    for (size_t i = 0; i < sizeof newer.more; i++)
        assert_int_equal(newer.more[i], i < sizeof newer.more - 8 ? 0 : 0xaa);
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
        cmocka_unit_test(numbers_belong_to_one_kind),
        cmocka_unit_test(observables_have_their_roles),
        cmocka_unit_test(the_size_of_a_struct_is_respected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
