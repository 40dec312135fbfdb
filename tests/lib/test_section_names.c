/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in saved lattices: which may be missing, which are refused, and in which order they come.
 */
#include "tests/support.h"

#include "tests/lib/sections.h"

static latmc_lattice *rich_phi4(void)
{
    latmc_lattice *lat = NULL;

    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){6, 4}));
    ok(latmc_set_replicas(lat, 3));
    ok(latmc_set_option(lat, LATMC_PRECISION, 64));
    ok(latmc_set_param(lat, LATMC_G, 2.5));
    ok(latmc_set_params(lat, LATMC_FIELD, (double[]){0.5, 0.25, 0.125}));
    ok(latmc_set_device(lat, "cpu:scalar"));
    ok(latmc_start(lat, LATMC_START_HOT));
    return lat;
}

/* The entry of that name in a section of entries with `values` numbers each. */
static uint8_t *entry_of(const saved_section *s, const char *name, size_t values)
{
    for (size_t at = 0; at < s->length; at += SAVED_NAME + 8 * values)
        if (strncmp((char *)s->data + at, name, SAVED_NAME) == 0)
            return s->data + at;
    fail_msg("no %s", name);
    return NULL;
}

static void drop(saved_section *s, const char *name, size_t values)
{
    const size_t each = SAVED_NAME + 8 * values;
    uint8_t *entry = entry_of(s, name, values);

    memmove(entry, entry + each, s->length - each - (size_t)(entry - s->data));
    s->length -= each;
}

static void rename_entry(saved_section *s, const char *name, const char *other, size_t values)
{
    uint8_t *entry = entry_of(s, name, values);

    memset(entry, 0, SAVED_NAME);
    memcpy(entry, other, strlen(other));
}

static void a_parameter_that_is_missing_has_its_preset(void **state)
{
    latmc_description info = LATMC_INIT(latmc_description);
    int64_t count;

    (void)state;
    ok(latmc_count(LATMC_PARAMS, LATMC_PHI4, &count));
    for (int p = 0; p < count; p++) {
        saved_file f = sections_of(rich_phi4());
        latmc_lattice *lat = NULL, *original = rich_phi4();
        double values[3], others[3];

        ok(latmc_describe(LATMC_PARAMS, LATMC_PHI4, p, &info));
        drop(saved_named(&f, "params"), info.name, 3);
        ok(load(&f, &lat));
        ok(latmc_get_params(lat, (latmc_param)info.id, values));
        for (int r = 0; r < 3; r++)
            assert_true(values[r] == info.preset);
        for (int other = 0; other < count; other++) {
            ok(latmc_describe(LATMC_PARAMS, LATMC_PHI4, other, &info));
            ok(latmc_get_params(lat, (latmc_param)info.id, values));
            ok(latmc_get_params(original, (latmc_param)info.id, others));
            assert_true(other == p || memcmp(values, others, sizeof values) == 0);
        }
        assert_true(hash_of(lat) == hash_of(original));
        latmc_destroy(lat);
        latmc_destroy(original);
        saved_free(&f);
    }
}

static void options_and_arguments_that_are_missing_have_their_presets(void **state)
{
    saved_file f = sections_of(rich_phi4());
    latmc_disorder_info drawn = LATMC_INIT(latmc_disorder_info);
    latmc_lattice *lat = NULL;
    int64_t value;

    (void)state;
    drop(saved_named(&f, "options"), "cutoff", 1);
    ok(load(&f, &lat));
    ok(latmc_get_option(lat, LATMC_CUTOFF, &value));
    assert_int_equal(value, 0);
    ok(latmc_get_option(lat, LATMC_PRECISION, &value));
    assert_int_equal(value, 64);
    latmc_destroy(lat);
    lat = NULL;
    drop(saved_named(&f, "options"), "precision", 1); /* which is 32, and the sites are not */
    refuse_file(&f, LATMC_ERROR_DAMAGED, "\"sites\" has 600 bytes; with its settings");
    saved_free(&f);
    f = sections_of(rich_lattice(2));
    drop(saved_named(&f, "K-drawn"), "missing", 1);
    ok(load(&f, &lat));
    ok(latmc_get_coupling_info(lat, &drawn));
    assert_int_equal(drawn.distribution, LATMC_PLUS_MINUS_ONE);
    assert_true(drawn.values[0] == 0.75 && drawn.values[1] == 0.0);
    latmc_destroy(lat);
    saved_free(&f);
}

/* Each kind of thing that has a name. */
static void what_is_unknown_is_refused_by_its_name(void **state)
{
    static const struct {
        int bonds; /* of a rich lattice; -1: phi^4 */
        const char *section, *name;
        size_t values;
        const char *part;
    } cases[] = {
        {0, "lattice", "ising", 0, "has the model \"later\""},
        {0, "lattice", "hypercubic", 0, "has the lattice \"later\""},
        {0, "params", "beta", 2, "has the parameter \"later\""},
        {-1, "params", "local_sweeps", 3, "has the parameter \"later\""},
        {-1, "options", "cutoff", 1, "has the option \"later\""},
        {2, "K-drawn", "pm1", 1, "has the distribution \"later\""},
        {2, "K-drawn", "plus", 1, "has the argument of distributions \"later\""},
    };

    (void)state;
    for (size_t i = 0; i < ALL(cases); i++) {
        saved_file f = sections_of(cases[i].bonds < 0 ? rich_phi4() : rich_lattice(cases[i].bonds));

        rename_entry(saved_named(&f, cases[i].section), cases[i].name, "later", cases[i].values);
        refuse_file(&f, LATMC_ERROR_VERSION, cases[i].part);
        assert_non_null(strstr(latmc_error_message(), "a later version"));
        saved_free(&f);
    }
    /* what another distribution has, a distribution or parameter that the model does not have */
    saved_file f = sections_of(rich_lattice(2));

    rename_entry(saved_named(&f, "K-drawn"), "plus", "width", 1);
    refuse_file(&f, LATMC_ERROR_VERSION, "has the argument of distributions \"width\"");
    rename_entry(saved_named(&f, "K-drawn"), "pm1", "uniform", 1);
    refuse_file(&f, LATMC_ERROR_VERSION, "has the distribution \"uniform\"");
    rename_entry(saved_named(&f, "params"), "field", "epsilon", 2);
    rename_entry(saved_named(&f, "K-drawn"), "uniform", "pm1", 1);
    rename_entry(saved_named(&f, "K-drawn"), "width", "plus", 1);
    refuse_file(&f, LATMC_ERROR_VERSION, "has the parameter \"epsilon\"");
    saved_free(&f);
}

static void names_come_once_and_in_any_order(void **state)
{
    saved_file f = sections_of(rich_phi4());
    saved_section *params = saved_named(&f, "params");
    const size_t each = SAVED_NAME + 24;
    latmc_lattice *lat = NULL, *original = rich_phi4();
    uint8_t first[SAVED_NAME + 24];
    double values[2][3];

    (void)state;
    memcpy(first, params->data, each);
    memmove(params->data, params->data + each, params->length - each);
    memcpy(params->data + params->length - each, first, each);
    ok(load(&f, &lat));
    ok(latmc_get_params(lat, LATMC_MU2, values[0]));
    ok(latmc_get_params(original, LATMC_MU2, values[1]));
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    latmc_destroy(lat);
    memcpy(params->data + each, first, each);
    refuse_file(&f, LATMC_ERROR_DAMAGED, "two things of one name");
    latmc_destroy(original);
    saved_free(&f);
}

static void all_names_have_room(void **state)
{
    static const latmc_kind kinds[] = {LATMC_PARAMS, LATMC_OPTIONS, LATMC_DISTRIBUTIONS,
                                       LATMC_ARGUMENTS};
    latmc_description info = LATMC_INIT(latmc_description), model = LATMC_INIT(latmc_description);
    int64_t models, count;
    int seen = 0;

    (void)state;
    ok(latmc_count(LATMC_MODELS, (latmc_model)0, &models));
    for (int m = 0; m < models; m++) {
        ok(latmc_describe(LATMC_MODELS, (latmc_model)0, m, &model));
        assert_in_range(strlen(model.name), 1, SAVED_NAME);
        for (size_t k = 0; k < ALL(kinds); k++) {
            ok(latmc_count(kinds[k], (latmc_model)model.id, &count));
            assert_in_range(count, 0, 64);
            for (int i = 0; i < count; i++, seen++) {
                ok(latmc_describe(kinds[k], (latmc_model)model.id, i, &info));
                assert_in_range(strlen(info.name), 1, SAVED_NAME);
            }
        }
    }
    assert_true(seen > 10);
}

static void values_have_an_end(void **state)
{
    static const struct {
        const char *section;
        size_t less;
        const char *part;
    } cases[] = {{"params", 1, "\"params\" ends within a value"},
                 {"params", 47, "\"params\" ends within a value"},
                 {"K-drawn", 1, "\"K-drawn\" ends within a value"},
                 {"K-drawn", 81, "\"K-drawn\" ends within a value"},
                 {"changed", 1, "\"changed\" has 15 bytes; with its settings they would be 16"},
                 {"lattice", 8, "\"lattice\" has 248 bytes; with its settings they would be 256"},
                 {"sites", 1, "\"sites\" has 75 bytes; with its settings they would be 76"}};

    (void)state;
    for (size_t i = 0; i < ALL(cases); i++) {
        saved_file f = sections_of(rich_lattice(2));

        saved_named(&f, cases[i].section)->length -= cases[i].less;
        refuse_file(&f, LATMC_ERROR_DAMAGED, cases[i].part);
        saved_free(&f);
    }
}

/* More of what has names than there can be: refused before there is memory for it. */
static void too_many_things_are_refused(void **state)
{
    saved_file f = sections_of(rich_lattice(0));
    saved_section *params = saved_named(&f, "params");

    (void)state;
    free(params->data);
    params->length = 65 * 48;
    params->data = calloc(1, params->length);
    assert_non_null(params->data);
    refuse_file(&f, LATMC_ERROR_DAMAGED, "\"params\" has 3120 bytes; there can be 3072 at most");
    params->length -= 48;
    refuse_file(&f, LATMC_ERROR_DAMAGED, "a name that is none");
    saved_free(&f);
}

static void couplings_are_drawn_or_given_and_of_a_model_that_has_them(void **state)
{
    saved_file f = sections_of(rich_lattice(1)), g = sections_of(rich_lattice(2)),
               h = sections_of(rich_phi4());
    const saved_section *drawn = saved_named(&g, "K-drawn"), *given = saved_named(&f, "K-given");

    (void)state;
    saved_append(&f, "K-drawn", drawn->data, drawn->length);
    refuse_file(&f, LATMC_ERROR_DAMAGED, "couplings both drawn and given");
    saved_append(&h, "K-given", given->data, given->length);
    refuse_file(&h, LATMC_ERROR_DAMAGED, "bonds of the model phi4 have no couplings");
    saved_remove(&h, "K-given");
    saved_append(&h, "K-drawn", drawn->data, drawn->length);
    refuse_file(&h, LATMC_ERROR_DAMAGED, "bonds of the model phi4 have no couplings");
    saved_remove(&h, "K-drawn");
    saved_append(&h, "G-given", given->data, given->length);
    refuse_file(&h, LATMC_ERROR_DAMAGED, "sites of the model phi4 have no fields");
    saved_free(&f);
    saved_free(&g);
    saved_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parameter_that_is_missing_has_its_preset),
        cmocka_unit_test(options_and_arguments_that_are_missing_have_their_presets),
        cmocka_unit_test(what_is_unknown_is_refused_by_its_name),
        cmocka_unit_test(names_come_once_and_in_any_order),
        cmocka_unit_test(all_names_have_room),
        cmocka_unit_test(values_have_an_end),
        cmocka_unit_test(too_many_things_are_refused),
        cmocka_unit_test(couplings_are_drawn_or_given_and_of_a_model_that_has_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
