/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of replicas: of every model, whole and divided, against the sites before the call. */
#include "tests/inside.h"
#include "tests/support.h"

enum { REPLICAS = 12, MOST = 3000 };

typedef struct copy_case {
    const char *name;
    latmc_model model;
    int dims;
    int64_t extents[4];
    latmc_update update;
    latmc_option option;
    int64_t value;
    const char *device;
    latmc_division division;
} copy_case;

#define NONE  (latmc_option)0, 0
#define SLABS LATMC_DIVIDE_SLABS
#define LOTS  LATMC_DIVIDE_REPLICAS

static const copy_case cases[] = {
    {"words of 8", LATMC_ISING, 2, {16, 6}, LATMC_METROPOLIS, NONE, "cpu", LOTS},
    {"words of 1", LATMC_ISING, 2, {2, 4}, LATMC_METROPOLIS, NONE, "cpu", LOTS},
    {"long rows", LATMC_ISING, 2, {130, 4}, LATMC_METROPOLIS, NONE, "cpu", LOTS},
    {"odd", LATMC_ISING, 3, {5, 3, 7}, LATMC_HEATBATH, NONE, "cpu", LOTS},
    {"a chain", LATMC_ISING, 1, {77}, LATMC_METROPOLIS, NONE, "cpu", LOTS},
    {"slabs", LATMC_ISING, 3, {6, 4, 8}, LATMC_METROPOLIS, NONE, "cpu:scalar,scalar", SLABS},
    {"lots", LATMC_ISING, 2, {16, 6}, LATMC_METROPOLIS, NONE, "cpu:scalar,scalar,scalar", LOTS},
    {"lots of one",
     LATMC_ISING,
     2,
     {40, 6},
     LATMC_METROPOLIS,
     NONE,
     "cpu:scalar,scalar,scalar,scalar,scalar,scalar,scalar",
     LOTS},
    {"states", LATMC_POTTS, 2, {14, 6}, LATMC_METROPOLIS, LATMC_Q, 5, "cpu", LOTS},
    {"states as bytes", LATMC_POTTS, 2, {7, 6}, LATMC_HEATBATH, LATMC_Q, 30, "cpu", LOTS},
    {"angles", LATMC_CLOCK, 2, {7, 6}, LATMC_METROPOLIS, LATMC_Q, 6, "cpu:scalar,scalar", SLABS},
    {"three spins", LATMC_BLUME_CAPEL, 2, {10, 6}, LATMC_METROPOLIS, NONE, "cpu", LOTS},
    {"cells", LATMC_AUTOMATON, 2, {20, 9}, LATMC_SYNCHRONOUS, NONE, "cpu", LOTS},
    {"a line of words", LATMC_AUTOMATON, 2, {512, 5}, LATMC_SYNCHRONOUS, NONE, "cpu", LOTS},
    {"slabs of cells",
     LATMC_AUTOMATON,
     2,
     {33, 8},
     LATMC_SYNCHRONOUS,
     NONE,
     "cpu:scalar,scalar",
     SLABS},
    {"a field", LATMC_PHI4, 3, {6, 4, 5}, LATMC_METROPOLIS, NONE, "cpu", LOTS},
    {"tiles", LATMC_PHI4, 2, {12, 10}, LATMC_BLOCK_METROPOLIS, NONE, "cpu", LOTS},
    {"lots of a field",
     LATMC_PHI4,
     2,
     {8, 6},
     LATMC_METROPOLIS,
     LATMC_PRECISION,
     64,
     "cpu:scalar,scalar",
     LOTS},
    {"vectors", LATMC_ONVECTOR, 2, {8, 6}, LATMC_METROPOLIS, LATMC_N, 3, "cpu", LOTS},
    {"slabs of vectors",
     LATMC_ONVECTOR,
     3,
     {4, 6, 8},
     LATMC_HEATBATH,
     LATMC_N,
     2,
     "cpu:scalar,scalar",
     SLABS},
};

/* Cycles, fan-out, replicas that are lost, and some that stay. */
static const int64_t lists[][REPLICAS] = {
    {1, 2, 0, 3, 3, 3, 11, 10, 8, 8, 7, 6},
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
};

static latmc_lattice *make(const copy_case *c)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, c->model, c->dims, c->extents));
    ok(latmc_set_first_replica(lattice, 5));
    ok(latmc_set_replicas(lattice, REPLICAS));
    if (c->option)
        ok(latmc_set_option(lattice, c->option, c->value));
    ok(latmc_set_seed(lattice, 57));
    ok(latmc_set_division(lattice, c->division));
    ok(latmc_set_device(lattice, c->device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, c->update, 2));
    return lattice;
}

static double sites[MOST * REPLICAS], now[MOST * REPLICAS];

/* All sites, and the bytes of a replica. */
static size_t read_sites(latmc_lattice *lattice, double *to)
{
    const latmc_type type = (latmc_type)info_of(lattice).type;
    size_t bytes = 0;

    ok(latmc_sites_bytes(lattice, REPLICAS, type, &bytes));
    assert_true(bytes <= sizeof sites);
    ok(latmc_get_sites(lattice, 0, REPLICAS, type, to, bytes));
    return bytes / REPLICAS;
}

static void read_changed(latmc_lattice *lattice, double changed[REPLICAS])
{
    const latmc_quantity states = LATMC_QUANTITY(LATMC_CHANGED);
    const latmc_quantity reals = LATMC_QUANTITY(LATMC_ACCEPTANCE);

    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1,
                     info_of(lattice).type < LATMC_FLOAT32 ? &states : &reals, changed));
}

/* A lattice with the same sites, each given by itself. */
static uint64_t swept_by_hand(const copy_case *c, const int64_t *from, size_t each)
{
    latmc_lattice *lattice = make(c);
    const latmc_type type = (latmc_type)info_of(lattice).type;
    uint64_t hash;

    for (int64_t r = 0; r < REPLICAS; r++)
        ok(latmc_set_sites(lattice, r, 1, type, (char *)sites + (size_t)from[r] * each, each));
    ok(latmc_sweep(lattice, c->update, 2));
    hash = hash_of(lattice);
    latmc_destroy(lattice);
    return hash;
}

static void copy_once(const copy_case *c, const int64_t *from)
{
    latmc_lattice *lattice = make(c);
    const size_t each = read_sites(lattice, sites);
    double before[REPLICAS], after[REPLICAS];
    latmc_lattice *other = make(c); /* it has not told what its last sweep changed */

    read_changed(lattice, before);
    ok(latmc_copy_replicas(lattice, from));
    ok(latmc_copy_replicas(other, from));
    assert_true(hash_of(lattice) == hash_of(other));
    read_sites(lattice, now);
    for (int64_t r = 0; r < REPLICAS; r++)
        if (memcmp((char *)now + (size_t)r * each, (char *)sites + (size_t)from[r] * each, each))
            fail_msg("%s: replica %d is another", c->name, (int)r);
    read_changed(lattice, after);
    for (int64_t r = 0; r < REPLICAS; r++)
        assert_true(after[r] == before[from[r]]);
    read_changed(other, after);
    for (int64_t r = 0; r < REPLICAS; r++)
        if (after[r] != before[from[r]])
            fail_msg("%s: replica %d has the changes of another", c->name, (int)r);
    ok(latmc_sweep(lattice, c->update, 2));
    if (hash_of(lattice) != swept_by_hand(c, from, each))
        fail_msg("%s: copies sweep otherwise", c->name);
    latmc_destroy(lattice);
    latmc_destroy(other);
}

static void copies_are_the_sites_before(void **state)
{
    (void)state;
    for (size_t k = 0; k < ALL(cases); k++)
        for (size_t i = 0; i < ALL(lists); i++)
            copy_once(&cases[k], lists[i]);
}

/* A copy is of the replica that has the number, whatever slot it has; slots and best sites stay. */
static void slots_and_best_sites_stay(void **state)
{
    static const int64_t moved[REPLICAS] = {3, 2, 1, 0, 4, 5, 6, 7, 8, 9, 11, 10};
    latmc_lattice *lattice = make(&cases[0]);
    int64_t slots[REPLICAS];
    double best[REPLICAS], later[REPLICAS];

    (void)state;
    ok(latmc_set_slots(lattice, moved));
    ok(latmc_keep_best(lattice, 1));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    ok(latmc_get_best(lattice, best, NULL));
    read_sites(lattice, sites);
    ok(latmc_copy_replicas(lattice, lists[0]));
    read_sites(lattice, now);
    for (size_t r = 0; r < REPLICAS; r++)
        assert_memory_equal((char *)now + r * 96, (char *)sites + (size_t)lists[0][r] * 96, 96);
    ok(latmc_get_slots(lattice, slots));
    assert_memory_equal(slots, moved, sizeof slots);
    ok(latmc_get_best(lattice, later, NULL));
    assert_memory_equal(later, best, sizeof best);
    latmc_destroy(lattice);
}

/* A loaded lattice goes to a device first. */
static void loaded_replicas_are_copied(void **state)
{
    latmc_lattice *lattice = make(&cases[0]), *loaded = NULL;
    size_t bytes;
    uint8_t *saved = save_whole(lattice, &bytes);

    (void)state;
    ok(latmc_load_memory(&loaded, saved, bytes));
    ok(latmc_copy_replicas(lattice, lists[0]));
    ok(latmc_copy_replicas(loaded, lists[0]));
    assert_true(hash_of(lattice) == hash_of(loaded));
    free(saved);
    latmc_destroy(lattice);
    latmc_destroy(loaded);
}

static void wrong_copies_are_refused(void **state)
{
    latmc_lattice *lattice = NULL;
    int64_t from[REPLICAS];
    uint64_t hash;

    (void)state;
    ok(latmc_create(&lattice, LATMC_ISING, 2, (int64_t[]){6, 4}));
    ok(latmc_set_replicas(lattice, REPLICAS));
    ok(latmc_set_samples(lattice, 3, 0));
    refused(LATMC_ERROR_STATE, "start", latmc_copy_replicas(lattice, lists[3]));
    ok(latmc_start(lattice, LATMC_START_HOT));
    hash = hash_of(lattice);
    refused(LATMC_ERROR_ARGUMENT, "from is NULL", latmc_copy_replicas(lattice, NULL));
    memcpy(from, lists[3], sizeof from);
    from[7] = 8;
    refused(LATMC_ERROR_ARGUMENT, "from[7] is 8; 4 to 7, the replicas of sample 1, are allowed",
            latmc_copy_replicas(lattice, from));
    from[7] = 4;
    from[11] = -1;
    refused(LATMC_ERROR_ARGUMENT, "from[11] is -1", latmc_copy_replicas(lattice, from));
    assert_true(hash_of(lattice) == hash);
    from[11] = 8;
    ok(latmc_copy_replicas(lattice, from));
    assert_true(hash_of(lattice) != hash);
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_the_sites_before),
        cmocka_unit_test(slots_and_best_sites_stay),
        cmocka_unit_test(loaded_replicas_are_copied),
        cmocka_unit_test(wrong_copies_are_refused),
    };

    inside_share_all(0);
    return cmocka_run_group_tests_name("copies", tests, NULL, NULL);
}
