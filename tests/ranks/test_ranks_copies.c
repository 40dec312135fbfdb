/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of replicas, and sites in arrays, of lattices on several ranks, which are threads here:
 * whatever devices have the replicas, the lattice is as in one process.
 */
#include "tests/ranks/threads.h"

#include "tests/inside.h"
#include "tests/support.h"

enum { REPLICAS = 13, SIDE = 10, MOST_RANKS = 4, BYTES = REPLICAS * SIDE * 6 * 8 };

typedef struct copies {
    const char *name;
    latmc_model model;
    latmc_division division;
    const char *device;
    int ranks;
    latmc_type type; /* of the array */
} copies;

static const copies cases[] = {
    {"lots on ranks", LATMC_ISING, LATMC_DIVIDE_REPLICAS, "cpu:scalar", 3, LATMC_BITS},
    {"lots on two ranks", LATMC_ISING, LATMC_DIVIDE_REPLICAS, "cpu:scalar", 2, LATMC_INT8},
    {"lots on devices of ranks", LATMC_PHI4, LATMC_DIVIDE_REPLICAS, "cpu:scalar,scalar", 3,
     LATMC_FLOAT64},
    {"lots on many ranks", LATMC_PHI4, LATMC_DIVIDE_REPLICAS, "cpu:scalar", 4, LATMC_FLOAT32},
    {"slabs on ranks", LATMC_ISING, LATMC_DIVIDE_SLABS, "cpu:scalar", 3, LATMC_BITS},
    {"slabs on devices of ranks", LATMC_PHI4, LATMC_DIVIDE_SLABS, "cpu:scalar,scalar", 2,
     LATMC_FLOAT32},
};

/* Replicas that cross to one rank, to several, and to none. */
static const int64_t lists[][REPLICAS] = {
    {12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
    {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7},
    {0, 0, 1, 2, 3, 3, 4, 6, 9, 9, 9, 11, 12},
    {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 12},
};

typedef struct played {
    const copies *of;
    const int64_t *from;
    int unwanted; /* a rank that wants no sites */
    uint64_t hash[MOST_RANKS];
    double sites[MOST_RANKS][BYTES / 8], changed[MOST_RANKS][REPLICAS];
    latmc_status status[MOST_RANKS];
} played;

static latmc_status prepare(latmc_lattice *l, const copies *c, const char *device)
{
    latmc_status status = latmc_set_replicas(l, REPLICAS);

    if (!status)
        status = latmc_set_division(l, c->division);
    if (!status)
        status = latmc_set_device(l, device);
    if (!status)
        status = latmc_start(l, LATMC_START_HOT);
    return status ? status : latmc_sweep(l, LATMC_METROPOLIS, 1);
}

/* Copies, gets sites, and gives some of them to other replicas. */
static latmc_status play(latmc_lattice *l, played *p, int rank)
{
    const latmc_quantity changed = p->of->model == LATMC_ISING
                                       ? (latmc_quantity)LATMC_QUANTITY(LATMC_CHANGED)
                                       : (latmc_quantity)LATMC_QUANTITY(LATMC_ACCEPTANCE);
    size_t bytes = 0, some = 0;
    void *const sites = p->sites[rank];
    latmc_status status = latmc_copy_replicas(l, p->from);

    if (!status)
        status = latmc_observe(l, LATMC_BY_REPLICA, 1, &changed, p->changed[rank]);
    if (!status)
        status = latmc_sites_bytes(l, REPLICAS, p->of->type, &bytes);
    if (!status)
        status =
            latmc_get_sites(l, 0, REPLICAS, p->of->type, rank == p->unwanted ? NULL : sites, bytes);
    if (!status)
        status = latmc_get_sites(l, 0, REPLICAS, p->of->type, sites, bytes);
    if (!status)
        status = latmc_sites_bytes(l, 5, p->of->type, &some);
    if (!status)
        status = latmc_set_sites(l, 6, 5, p->of->type, sites, some);
    if (!status)
        status = latmc_sweep(l, LATMC_METROPOLIS, 1);
    return status ? status : latmc_state_hash(l, &p->hash[rank]);
}

static int64_t extents[] = {SIDE, 6};

static void play_rank(void *user, const latmc_ranks *ranks)
{
    played *p = user;
    const int rank = (int)ranks->rank;
    latmc_lattice *l = NULL;
    latmc_status status = latmc_create_on_ranks(&l, ranks, p->of->model, 2, extents);

    if (!status)
        status = prepare(l, p->of, p->of->device);
    p->status[rank] = status ? status : play(l, p, rank);
    latmc_destroy(l);
}

static void compare(const copies *c, const int64_t *from)
{
    static played want, got;
    latmc_lattice *l = NULL;

    want = (played){.of = c, .from = from, .unwanted = -1};
    got = (played){.of = c, .from = from, .unwanted = 1};
    ok(latmc_create(&l, c->model, 2, extents));
    ok(prepare(l, c, "cpu:scalar"));
    ok(play(l, &want, 0));
    latmc_destroy(l);
    ranks_run(c->ranks, play_rank, &got);
    for (int r = 0; r < c->ranks; r++) {
        assert_int_equal(got.status[r], LATMC_OK);
        if (got.hash[r] != want.hash[0] ||
            memcmp(got.sites[r], want.sites[0], sizeof want.sites[0]) != 0 ||
            memcmp(got.changed[r], want.changed[0], sizeof want.changed[0]) != 0)
            fail_msg("%s, rank %d: not as in one process", c->name, r);
    }
}

static void ranks_copy_as_one_process(void **state)
{
    (void)state;
    for (size_t k = 0; k < ALL(cases); k++)
        for (size_t i = 0; i < ALL(lists); i++)
            compare(&cases[k], lists[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_copy_as_one_process)};

    return cmocka_run_group_tests_name("copies on ranks", tests, NULL, NULL);
}
