/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantities: which a lattice has, their texts, and what is refused. */
#include "tests/support.h"

static latmc_lattice *lattice_of(latmc_model model, int dims)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, model, dims, (int64_t[]){4, 4, 4, 4}));
    return lattice;
}

/* ---- which there are */

typedef struct sizes_of {
    latmc_model model;
    int dims;
    latmc_option option; /* 0: none is set */
    int64_t value;
    latmc_observable observable;
    int64_t first, second;
} sizes_of;

static void sizes_follow_from_the_lattice(void **state)
{
    static const sizes_of rows[] = {
        {LATMC_ISING, 1, 0, 0, LATMC_ENERGY, 1, 1},
        {LATMC_ISING, 1, 0, 0, LATMC_STRUCTURE, 1, 1},
        {LATMC_ISING, 4, 0, 0, LATMC_STRUCTURE, 4, 1},
        {LATMC_ISING, 3, 0, 0, LATMC_OVERLAP_STRUCTURE, 3, 1},
        {LATMC_ISING, 3, 0, 0, LATMC_SLOT, 1, 1},
        {LATMC_POTTS, 2, 0, 0, LATMC_OCCUPATION, 3, 1},
        {LATMC_POTTS, 2, LATMC_Q, 256, LATMC_OCCUPATION, 256, 1},
        {LATMC_CLOCK, 2, LATMC_Q, 5, LATMC_OCCUPATION, 5, 1},
        {LATMC_CLOCK, 2, LATMC_Q, 5, LATMC_MAGNETIZATION, 2, 1},
        {LATMC_CLOCK, 3, 0, 0, LATMC_HELICITY, 3, 1},
        {LATMC_ONVECTOR, 2, LATMC_N, 2, LATMC_MAGNETIZATION, 2, 1},
        {LATMC_ONVECTOR, 2, LATMC_N, 4, LATMC_MAGNETIZATION, 4, 1},
        {LATMC_ONVECTOR, 2, LATMC_N, 2, LATMC_HELICITY, 2, 1},
        {LATMC_ONVECTOR, 2, LATMC_N, 3, LATMC_HELICITY, 0, 0},
        {LATMC_ONVECTOR, 2, LATMC_N, 2, LATMC_VORTICES, 1, 1},
        {LATMC_ONVECTOR, 3, LATMC_N, 2, LATMC_VORTICES, 0, 0},
        {LATMC_ONVECTOR, 2, LATMC_N, 3, LATMC_VORTICES, 0, 0},
        {LATMC_ONVECTOR, 3, LATMC_N, 3, LATMC_CHIRALITY, 3, 1},
        {LATMC_ONVECTOR, 3, LATMC_N, 4, LATMC_CHIRALITY, 0, 0},
        {LATMC_ONVECTOR, 3, LATMC_N, 3, LATMC_MEAN_CHIRALITY, 1, 1},
        {LATMC_ONVECTOR, 3, LATMC_N, 2, LATMC_MEAN_CHIRALITY, 0, 0},
        {LATMC_ONVECTOR, 3, LATMC_N, 4, LATMC_TENSOR_STRUCTURE, 3, 1},
        {LATMC_ONVECTOR, 3, LATMC_N, 3, LATMC_CHIRAL_OVERLAP2, 3, 1},
        {LATMC_ONVECTOR, 3, LATMC_N, 2, LATMC_CHIRAL_OVERLAP2, 0, 0},
        {LATMC_ONVECTOR, 3, LATMC_N, 4, LATMC_CHIRAL_STRUCTURE, 0, 0},
        {LATMC_PHI4, 2, LATMC_CUTOFF, 0, LATMC_ENERGY_CUTOFF, 0, 0},
        {LATMC_PHI4, 2, LATMC_CUTOFF, 1, LATMC_ENERGY_CUTOFF, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < ALL(rows); i++) {
        const sizes_of *row = &rows[i];
        latmc_lattice *lattice = lattice_of(row->model, row->dims);
        int64_t sizes[2] = {-1, -1};

        if (row->option)
            ok(latmc_set_option(lattice, row->option, row->value));
        ok(latmc_quantity_sizes(lattice, row->observable, sizes));
        if (sizes[0] != row->first || sizes[1] != row->second)
            fail_msg("row %d has %d x %d", (int)i, (int)sizes[0], (int)sizes[1]);
        latmc_destroy(lattice);
    }
}

/* ---- texts */

/* The text is found again. It needs exactly its own bytes. */
static void check_text(const latmc_lattice *lattice, latmc_quantity q)
{
    char text[64], exact[64];
    latmc_quantity found = {7, 7, 7, 7};

    memset(exact, 'x', sizeof exact);
    ok(latmc_quantity_text(lattice, q, text, sizeof text));
    ok(latmc_quantity_find(lattice, text, &found));
    assert_memory_equal(&found, &q, sizeof q);
    refused(LATMC_ERROR_ARGUMENT, "64 are always enough",
            latmc_quantity_text(lattice, q, exact, strlen(text)));
    assert_true(exact[0] == 'x');
    ok(latmc_quantity_text(lattice, q, exact, strlen(text) + 1));
    assert_string_equal(exact, text);
    assert_true(exact[strlen(text) + 1] == 'x');
}

static void check_observable(const latmc_lattice *lattice, const latmc_description *info)
{
    int64_t sizes[2];

    ok(latmc_quantity_sizes(lattice, (latmc_observable)info->id, sizes));
    for (int i = 0; i < sizes[0]; i++)
        for (int j = 0; j < sizes[1]; j++)
            check_text(lattice, (latmc_quantity)LATMC_QUANTITY(info->id, i, j));
}

static void every_quantity_has_a_text(void **state)
{
    static const int kinds[] = {LATMC_OBSERVABLES, LATMC_PAIR_OBSERVABLES};
    int64_t models;

    (void)state;
    ok(latmc_count(LATMC_MODELS, LATMC_ISING, &models));
    for (int m = 0; m < models; m++) {
        latmc_description model = LATMC_INIT(latmc_description), info = model;
        latmc_lattice *lattice;

        ok(latmc_describe(LATMC_MODELS, LATMC_ISING, m, &model));
        lattice = lattice_of((latmc_model)model.id, 2);
        for (size_t k = 0; k < ALL(kinds); k++)
            for (int i = 0; !latmc_describe((latmc_kind)kinds[k], (latmc_model)model.id, i, &info);
                 i++)
                check_observable(lattice, &info);
        latmc_destroy(lattice);
    }
}

static void texts_are_as_documented(void **state)
{
    latmc_lattice *lattice = lattice_of(LATMC_POTTS, 2);
    latmc_quantity q;
    char text[64];

    (void)state;
    ok(latmc_set_option(lattice, LATMC_Q, 256));
    ok(latmc_quantity_text(lattice, quantity_of(LATMC_OCCUPATION, 255), text, sizeof text));
    assert_string_equal(text, "occupation[255]");
    ok(latmc_quantity_text(lattice, quantity_of(LATMC_ENERGY, 0), text, sizeof text));
    assert_string_equal(text, "energy");
    ok(latmc_quantity_find(lattice, "occupation[007]", &q));
    assert_int_equal(q.index, 7);
    latmc_destroy(lattice);
}

static void other_texts_are_refused(void **state)
{
    static const char *const others[] = {
        "structure",     "structure[2]",  "structure[",     "structure[0",
        "structure[0]x", "structure[-1]", "structure[ 0]",  "structure[0,0]",
        "structure[]",   "structure[0],", "structure[1e0]", "structure[99999999999999999999]",
        "energy[0]",     "energy[]",      "energy[",        "structure[0,]",
    };
    latmc_lattice *lattice = lattice_of(LATMC_ISING, 2);
    latmc_quantity q = {7, 7, 7, 7};

    (void)state;
    for (size_t i = 0; i < ALL(others); i++)
        refused(LATMC_ERROR_ARGUMENT,
                others[i][0] == 'e' ? "it has energy" : "it has structure[0] to structure[1]",
                latmc_quantity_find(lattice, others[i], &q));
    refused(LATMC_ERROR_UNKNOWN, "energy, energy2", latmc_quantity_find(lattice, "", &q));
    refused(LATMC_ERROR_UNKNOWN, "overlap", latmc_quantity_find(lattice, "structur[0]", &q));
    refused(LATMC_ERROR_UNKNOWN, "\"vortices\"", latmc_quantity_find(lattice, "vortices", &q));
    refused(LATMC_ERROR_ARGUMENT, "text is NULL", latmc_quantity_find(lattice, NULL, &q));
    refused(LATMC_ERROR_ARGUMENT, "quantity is NULL", latmc_quantity_find(lattice, "m2", NULL));
    assert_int_equal(q.observable & q.index & q.second & q.reserved, 7);
    latmc_destroy(lattice);
}

/* ---- what is refused */

/* Each function refuses a quantity that the lattice does not have. */
static void refuse_everywhere(latmc_lattice *lattice, latmc_quantity q, latmc_status status,
                              const char *part)
{
    const int of_pairs = q.observable >= LATMC_OVERLAP;
    const int64_t pair[2] = {0, 0};
    double x = 7.0;
    char text[64] = "as it was";
    latmc_recording series = {.size = sizeof series,
                              .pair_count = 1,
                              .pairs = pair,
                              .pair_quantities = &q,
                              .pair_series = &x,
                              .pair_quantity_count = 1};

    refused(status, part, latmc_quantity_text(lattice, q, text, sizeof text));
    if (of_pairs) {
        refused(status, part, latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pair, 1, &q, &x));
        refused(status, part,
                record_pair_series(lattice, LATMC_METROPOLIS, 1, 1, 0, NULL, NULL, &series));
    } else {
        refused(status, part, latmc_observe(lattice, LATMC_BY_REPLICA, 1, &q, &x));
        refused(status, part, record_series(lattice, LATMC_METROPOLIS, 1, 1, 1, &q, &x));
    }
    assert_true(x == 7.0 && strcmp(text, "as it was") == 0);
}

static void what_a_lattice_lacks_is_refused(void **state)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    latmc_lattice *ising = lattice_of(LATMC_ISING, 2), *potts = lattice_of(LATMC_POTTS, 2),
                  *vectors = lattice_of(LATMC_ONVECTOR, 3);

    (void)state;
    ok(latmc_set_option(vectors, LATMC_N, 2));
    ok(latmc_start(ising, LATMC_START_COLD));
    ok(latmc_start(potts, LATMC_START_COLD));
    ok(latmc_start(vectors, LATMC_START_COLD));
    refuse_everywhere(ising, quantity_of(LATMC_STRUCTURE, 2), no, "structure[0] to structure[1]");
    refuse_everywhere(ising, quantity_of(LATMC_STRUCTURE, -1), no, "structure[0] to structure[1]");
    refuse_everywhere(ising, quantity_of(LATMC_OVERLAP_STRUCTURE, 3), no,
                      "\"overlap_structure[3]\"");
    refuse_everywhere(ising, quantity_of(LATMC_ENERGY, 1), no, "\"energy[1]\"; it has energy");
    refuse_everywhere(ising, (latmc_quantity)LATMC_QUANTITY(LATMC_ENERGY, 0, 1), no,
                      "\"energy[0,1]\"; it has energy");
    refuse_everywhere(ising, (latmc_quantity)LATMC_QUANTITY(LATMC_STRUCTURE, 0, 1), no,
                      "\"structure[0,1]\"");
    refuse_everywhere(ising, (latmc_quantity){LATMC_ENERGY, 0, 0, 1}, no, "reserved is 1");
    refuse_everywhere(ising, quantity_of(LATMC_VORTICES, 0), LATMC_ERROR_UNKNOWN, "2065");
    refuse_everywhere(potts, quantity_of(LATMC_OCCUPATION, 3), no,
                      "occupation[0] to occupation[2]");
    refuse_everywhere(vectors, quantity_of(LATMC_VORTICES, 0), no, "the lattice has no vortices");
    refuse_everywhere(vectors, quantity_of(LATMC_CHIRALITY, 0), no, "the lattice has no chirality");
    refuse_everywhere(vectors, quantity_of(LATMC_CHIRAL_OVERLAP2, 0), no, "no chiral_overlap2");
    refuse_everywhere(vectors, quantity_of(LATMC_MAGNETIZATION, 2), no, "magnetization[1]");
    latmc_destroy(ising);
    latmc_destroy(potts);
    latmc_destroy(vectors);
}

static void bad_calls_are_refused(void **state)
{
    const latmc_quantity pair = LATMC_QUANTITY(LATMC_OVERLAP),
                         energy = LATMC_QUANTITY(LATMC_ENERGY);
    latmc_lattice *lattice = lattice_of(LATMC_ISING, 2);
    int64_t sizes[2] = {7, 7};
    char text[64];
    double x = 7.0;

    (void)state;
    ok(latmc_start(lattice, LATMC_START_COLD));
    refused(LATMC_ERROR_ARGUMENT, "sizes is NULL", latmc_quantity_sizes(lattice, LATMC_M2, NULL));
    refused(LATMC_ERROR_UNKNOWN, "2065", latmc_quantity_sizes(lattice, LATMC_VORTICES, sizes));
    refused(LATMC_ERROR_UNKNOWN, "2120",
            latmc_quantity_sizes(lattice, LATMC_TENSOR_OVERLAP2, sizes));
    refused(LATMC_ERROR_ARGUMENT, "lattice is NULL", latmc_quantity_sizes(NULL, LATMC_M2, sizes));
    refused(LATMC_ERROR_ARGUMENT, "text is NULL", latmc_quantity_text(lattice, energy, NULL, 64));
    refused(LATMC_ERROR_ARGUMENT, "capacity is 0", latmc_quantity_text(lattice, energy, text, 0));
    refused(LATMC_ERROR_UNKNOWN, "2101", latmc_observe(lattice, LATMC_BY_REPLICA, 1, &pair, &x));
    refused(LATMC_ERROR_UNKNOWN, "2001",
            latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, (int64_t[]){0, 0}, 1, &energy, &x));
    assert_true(x == 7.0 && sizes[0] == 7 && sizes[1] == 7);
    latmc_destroy(lattice);
}

/* A mixed list has each value where it belongs. */
static void each_index_has_its_value(void **state)
{
    const latmc_quantity what[] = {
        LATMC_QUANTITY(LATMC_OCCUPATION, 2), LATMC_QUANTITY(LATMC_ENERGY),
        LATMC_QUANTITY(LATMC_OCCUPATION, 0), LATMC_QUANTITY(LATMC_OCCUPATION, 1)};
    latmc_lattice *lattice = lattice_of(LATMC_POTTS, 1);
    double now[ALL(what)], series[ALL(what)];

    (void)state;
    ok(latmc_start(lattice, LATMC_START_COLD));
    ok(set_replica(lattice, 0, LATMC_UINT8, (uint8_t[]){0, 0, 2, 1}, 4));
    ok(latmc_set_param(lattice, LATMC_BETA, 1e30));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, ALL(what), what, now));
    assert_true(now[0] == 0.25 && now[1] == -0.25 && now[2] == 0.5 && now[3] == 0.25);
    ok(record_series(lattice, LATMC_HEATBATH, 20, 1, ALL(what), what, series));
    assert_true(series[0] + series[2] + series[3] == 1.0);
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, ALL(what), what, now));
    assert_memory_equal(now, series, sizeof now);
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_from_the_lattice),
        cmocka_unit_test(every_quantity_has_a_text),
        cmocka_unit_test(texts_are_as_documented),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(what_a_lattice_lacks_is_refused),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(each_index_has_its_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
