/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites of many replicas in one call, and what these calls refuse. */
#include "tests/inside.h"
#include "tests/support.h"

enum { REPLICAS = 9, MOST = REPLICAS * 5 * 6 * 3 };

typedef struct sites_case {
    const char *name;
    latmc_model model;
    latmc_type own, type; /* of the lattice, of the array */
    int64_t chunk;        /* 0: the library's own */
    const char *device;
} sites_case;

static const sites_case cases[] = {
    {"words", LATMC_ISING, LATMC_INT8, LATMC_INT8, 0, "cpu:scalar"},
    {"some replicas a chunk", LATMC_ISING, LATMC_INT8, LATMC_INT8, 100, "cpu:scalar"},
    {"slabs", LATMC_ISING, LATMC_INT8, LATMC_INT8, 0, "cpu:scalar,scalar"},
    {"states", LATMC_POTTS, LATMC_UINT8, LATMC_UINT8, 100, "cpu:scalar"},
    {"a converted field", LATMC_PHI4, LATMC_FLOAT32, LATMC_FLOAT64, 0, "cpu:scalar"},
    {"parts of a replica", LATMC_PHI4, LATMC_FLOAT32, LATMC_FLOAT64, 8, "cpu:scalar"},
    {"vectors", LATMC_ONVECTOR, LATMC_FLOAT64, LATMC_FLOAT64, 0, "cpu:scalar"},
    {"converted vectors", LATMC_ONVECTOR, LATMC_FLOAT64, LATMC_FLOAT32, 200, "cpu:scalar"},
};

static latmc_lattice *make(const sites_case *c)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, c->model, 2, (int64_t[]){5, 6}));
    ok(latmc_set_replicas(lattice, REPLICAS));
    ok(set_type(lattice, c->own));
    ok(latmc_set_division(lattice, LATMC_DIVIDE_SLABS));
    ok(latmc_set_device(lattice, c->device));
    inside_chunk(lattice, c->chunk);
    return lattice;
}

static latmc_lattice *started(const sites_case *c)
{
    latmc_lattice *lattice = make(c);

    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

static size_t bytes_of(const latmc_lattice *lattice, int64_t replicas, latmc_type type)
{
    size_t bytes = 0;

    ok(latmc_sites_bytes(lattice, replicas, type, &bytes));
    return bytes;
}

/* Replicas 2 to 7 of a lattice in one call are those of single calls. */
static void many_are_one_by_one(void **state)
{
    static double all[MOST], one[MOST];

    (void)state;
    for (size_t k = 0; k < ALL(cases); k++) {
        const sites_case *c = &cases[k];
        latmc_lattice *lattice = started(c);
        const size_t each = bytes_of(lattice, 1, c->type);

        ok(latmc_get_sites(lattice, 2, 6, c->type, all, 6 * each));
        for (int64_t i = 0; i < 6; i++) {
            ok(latmc_get_sites(lattice, 2 + i, 1, c->type, one, each));
            if (memcmp(one, (char *)all + (size_t)i * each, each) != 0)
                fail_msg("%s: replica %d differs", c->name, (int)(2 + i));
        }
        latmc_destroy(lattice);
    }
}

/* One call gives what single calls give, and leaves the other replicas alone. */
static void many_are_given(void **state)
{
    static double given[MOST], now[MOST];

    (void)state;
    for (size_t k = 0; k < ALL(cases); k++) {
        const sites_case *c = &cases[k];
        latmc_lattice *at_once = started(c), *singly = started(c);
        const size_t each = bytes_of(singly, 1, c->type);

        ok(latmc_get_sites(singly, 0, 5, c->type, given, 5 * each));
        ok(latmc_set_sites(at_once, 3, 5, c->type, given, 5 * each));
        for (int64_t i = 0; i < 5; i++)
            ok(latmc_set_sites(singly, 3 + i, 1, c->type, (char *)given + (size_t)i * each, each));
        if (hash_of(at_once) != hash_of(singly))
            fail_msg("%s: the sites differ", c->name);
        if (c->type == c->own) {
            ok(latmc_get_sites(at_once, 3, 5, c->type, now, 5 * each));
            assert_memory_equal(now, given, 5 * each);
        }
        latmc_destroy(at_once);
        latmc_destroy(singly);
    }
}

static void many_start_a_lattice(void **state)
{
    latmc_lattice *lattice = make(&cases[0]);
    int8_t given[2 * 30], got[REPLICAS * 30];

    (void)state;
    memset(given, -1, sizeof given);
    ok(latmc_set_sites(lattice, 4, 2, LATMC_INT8, given, sizeof given));
    ok(latmc_get_sites(lattice, 0, REPLICAS, LATMC_INT8, got, sizeof got));
    for (int i = 0; i < REPLICAS * 30; i++)
        assert_int_equal(got[i], i / 30 == 4 || i / 30 == 5 ? -1 : 1);
    latmc_destroy(lattice);
}

static void best_ones_are_one_by_one(void **state)
{
    static double all[MOST], one[MOST];

    (void)state;
    for (size_t k = 0; k < ALL(cases); k++) {
        const sites_case *c = &cases[k];
        latmc_lattice *lattice = started(c);
        const size_t each = bytes_of(lattice, 1, c->type);

        ok(latmc_keep_best(lattice, 1));
        ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
        ok(latmc_get_best_sites(lattice, 1, 7, c->type, all, 7 * each));
        for (int64_t i = 0; i < 7; i++) {
            ok(latmc_get_best_sites(lattice, 1 + i, 1, c->type, one, each));
            if (memcmp(one, (char *)all + (size_t)i * each, each) != 0)
                fail_msg("%s: best replica %d differs", c->name, (int)(1 + i));
        }
        latmc_destroy(lattice);
    }
}

static void bytes_are_told(void **state)
{
    latmc_lattice *spins = make(&cases[0]), *vectors = make(&cases[6]);
    size_t bytes = 7;

    (void)state;
    assert_true(bytes_of(spins, 0, LATMC_INT8) == 0);
    assert_true(bytes_of(spins, 5, LATMC_INT8) == 5 * 30);
    assert_true(bytes_of(vectors, 5, LATMC_FLOAT32) == 5 * 30 * 4 * 2);
    assert_true(bytes_of(vectors, 1000000, LATMC_FLOAT64) == 1000000 * 30 * 8 * 2);
    refused(LATMC_ERROR_ARGUMENT, "replicas is -1",
            latmc_sites_bytes(spins, -1, LATMC_INT8, &bytes));
    refused(LATMC_ERROR_ARGUMENT, "0 to", latmc_sites_bytes(spins, INT64_MAX, LATMC_INT8, &bytes));
    refused(LATMC_ERROR_UNKNOWN, "type bits", latmc_sites_bytes(vectors, 1, LATMC_BITS, &bytes));
    refused(LATMC_ERROR_UNKNOWN, "type float", latmc_sites_bytes(spins, 1, LATMC_FLOAT32, &bytes));
    refused(LATMC_ERROR_ARGUMENT, "bytes is NULL", latmc_sites_bytes(spins, 1, LATMC_INT8, NULL));
    assert_int_equal(bytes, 7);
    latmc_destroy(spins);
    latmc_destroy(vectors);
}

static void wrong_replicas_are_refused(void **state)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    latmc_lattice *lattice = started(&cases[0]);
    const uint64_t hash = hash_of(lattice);
    int8_t s[REPLICAS * 30] = {0};

    (void)state;
    refused(no, "first is 9", latmc_get_sites(lattice, 9, 1, LATMC_INT8, s, 30));
    refused(no, "first is -1", latmc_get_sites(lattice, -1, 1, LATMC_INT8, s, 30));
    refused(no, "replicas is 0", latmc_get_sites(lattice, 0, 0, LATMC_INT8, s, 0));
    refused(no, "1 to 2 are allowed from replica 7 on",
            latmc_get_sites(lattice, 7, 3, LATMC_INT8, s, 90));
    refused(no, "replicas is 9223372036854775807",
            latmc_get_sites(lattice, 1, INT64_MAX, LATMC_INT8, s, 90));
    refused(no, "bytes is 89; it must be 90", latmc_get_sites(lattice, 0, 3, LATMC_INT8, s, 89));
    refused(no, "bytes is 91", latmc_set_sites(lattice, 0, 3, LATMC_INT8, s, 91));
    refused(no, "bytes is 4; it must be 6", latmc_get_sites(lattice, 0, 1, LATMC_BITS, s, 4));
    for (int i = 0; i < REPLICAS * 30; i++)
        assert_int_equal(s[i], 0);
    memset(s, 1, sizeof s);
    s[3 * 30 + 17] = 0;
    refused(no, "site 17 of replica 5", latmc_set_sites(lattice, 2, 7, LATMC_INT8, s, 210));
    assert_true(hash_of(lattice) == hash);
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_are_one_by_one),  cmocka_unit_test(many_are_given),
        cmocka_unit_test(many_start_a_lattice), cmocka_unit_test(best_ones_are_one_by_one),
        cmocka_unit_test(bytes_are_told),       cmocka_unit_test(wrong_replicas_are_refused),
    };

    return cmocka_run_group_tests_name("sites", tests, NULL, NULL);
}
