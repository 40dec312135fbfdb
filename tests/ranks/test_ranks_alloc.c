/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every allocation of one rank fails in turn, in every call that there is for a lattice in several
 * ranks: all ranks say so, of the same call, none waits for another, and when the call is made
 * again the lattice is the one that nothing ever failed for. Linked with --wrap for the allocating
 * functions.
 */
#include "tests/ranks/threads.h"

#include <unistd.h>

#include "tests/support.h"

static _Thread_local long allocations; /* of the rank that fails */
static _Thread_local long fails_at;    /* 0: none */

static int must_fail(void)
{
    return fails_at && ++allocations == fails_at;
}

#include "tests/allocations.h"

/* ---- the calls, one after another */

enum { RANKS = 3, REPLICAS = 6, SITES = 6 * 9, ROOM = 8192 };

/* One rank of a play. */
typedef struct actor {
    const latmc_ranks *ranks;
    const char *path;
    latmc_division division;
    latmc_lattice *lattice;
} actor;

static latmc_status create(actor *a)
{
    return latmc_create_on_ranks(&a->lattice, a->ranks, LATMC_PHI4, 2, (int64_t[]){6, 9});
}

static latmc_status replicas(actor *a)
{
    return latmc_set_replicas(a->lattice, REPLICAS);
}

static latmc_status divide(actor *a)
{
    return latmc_set_division(a->lattice, a->division);
}

static latmc_status device(actor *a)
{
    return latmc_set_device(a->lattice, "cpu:scalar");
}

static latmc_status parameter(actor *a)
{
    return latmc_set_params(a->lattice, LATMC_MU2, (double[]){0.5, 0.6, 0.7, 0.8, 0.9, 1.0});
}

static latmc_status start(actor *a)
{
    return latmc_start(a->lattice, LATMC_START_HOT);
}

static latmc_status keep(actor *a)
{
    return latmc_keep_best(a->lattice, 1);
}

static latmc_status schedule(actor *a)
{
    return latmc_set_schedule(
        a->lattice, 2,
        (latmc_step[]){step_of(LATMC_METROPOLIS, 1, 1), step_of(LATMC_OVERRELAX, 1, 0)});
}

static latmc_status schedule_of_hits(actor *a)
{
    const latmc_step hits =
        step_with(step_of(LATMC_METROPOLIS, 1, 0), &(latmc_param){LATMC_HITS}, &(double){2.0});

    return latmc_set_schedule(a->lattice, 2, (latmc_step[]){step_of(LATMC_OVERRELAX, 1, 1), hits});
}

static latmc_status ramp(actor *a)
{
    return latmc_set_ramp(a->lattice, LATMC_MU2, (double[]){0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, 5);
}

static latmc_status sweep(actor *a)
{
    return latmc_sweep(a->lattice, LATMC_METROPOLIS, 2);
}

static latmc_status rounds(actor *a)
{
    return latmc_sweep(a->lattice, LATMC_SCHEDULE, 2);
}

static latmc_status record(actor *a)
{
    double series[2 * REPLICAS * 2];

    return record_series(
        a->lattice, LATMC_SCHEDULE, 1, 2, 2,
        (latmc_quantity[]){LATMC_QUANTITY(LATMC_ENERGY), LATMC_QUANTITY(LATMC_ACCEPTANCE)}, series);
}

static latmc_status observe(actor *a)
{
    double values[2 * REPLICAS];

    return latmc_observe(
        a->lattice, LATMC_BY_REPLICA, 2,
        (latmc_quantity[]){LATMC_QUANTITY(LATMC_MAGNETIZATION), LATMC_QUANTITY(LATMC_ACCEPTANCE)},
        values);
}

static latmc_status pairs(actor *a)
{
    double q;

    return latmc_observe_pairs(a->lattice, LATMC_BY_REPLICA, 1, (int64_t[]){0, 2}, 1,
                               &(latmc_quantity)LATMC_QUANTITY(LATMC_OVERLAP), &q);
}

static latmc_status momenta(actor *a)
{
    return latmc_set_momenta(a->lattice, 2, (int64_t[]){2, 0, -4, 6});
}

/* At both momenta: of all replicas, and of a pair. */
static latmc_status structures(latmc_lattice *l, double values[2 * REPLICAS])
{
    return latmc_observe(l, LATMC_BY_REPLICA, 2,
                         (latmc_quantity[]){LATMC_QUANTITY(LATMC_STRUCTURE_AT, 0),
                                            LATMC_QUANTITY(LATMC_STRUCTURE_AT, 1)},
                         values);
}

static latmc_status structure_of_pair(latmc_lattice *l, double *value)
{
    return latmc_observe_pairs(l, LATMC_BY_REPLICA, 1, (int64_t[]){0, 5}, 1,
                               &(latmc_quantity)LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE_AT, 1),
                               value);
}

static latmc_status observe_structures(actor *a)
{
    double values[2 * REPLICAS];

    return structures(a->lattice, values);
}

static latmc_status observe_pair(actor *a)
{
    double value;

    return structure_of_pair(a->lattice, &value);
}

static latmc_status slots(actor *a)
{
    return latmc_set_slots(a->lattice, (int64_t[]){2, 0, 1, 3, 5, 4});
}

static latmc_status sites_out(actor *a)
{
    float sites[SITES];

    return get_replica(a->lattice, 1, LATMC_FLOAT32, sites, SITES);
}

static latmc_status sites_in(actor *a)
{
    float sites[SITES] = {0.5f};

    return set_replica(a->lattice, 1, LATMC_FLOAT32, sites, SITES);
}

static latmc_status hash(actor *a)
{
    uint64_t unused;

    return latmc_state_hash(a->lattice, &unused);
}

static latmc_status save(actor *a)
{
    return latmc_save(a->lattice, a->path);
}

static latmc_status save_memory(actor *a)
{
    char bytes[ROOM];
    size_t used;

    return latmc_save_memory(a->lattice, bytes, sizeof bytes, &used);
}

/* From the file, in the place of the one that it was saved from. */
static latmc_status load(actor *a)
{
    latmc_lattice *loaded = NULL;
    latmc_status status = latmc_load_on_ranks(&loaded, a->ranks, a->path);

    if (!status) {
        latmc_destroy(a->lattice);
        a->lattice = loaded;
    }
    return status;
}

static latmc_status move(actor *a)
{
    return latmc_set_device(a->lattice, "cpu:scalar,scalar");
}

static latmc_status (*const calls[])(actor *) = {
    create,       replicas,
    divide,       device,
    parameter,    start,
    keep,         schedule,
    sweep,        schedule_of_hits,
    ramp,         rounds,
    record,       observe,
    pairs,        slots,
    sites_out,    sites_in,
    hash,         save,
    save_memory,  load,
    device,       sweep,
    divide,       move,
    observe,      rounds,
    record,       hash,
    momenta,      observe_structures,
    observe_pair,
};

/* ---- plays */

typedef struct play {
    const char *path;
    latmc_division division;
    int clumsy;        /* the rank that fails, */
    long at;           /* at this allocation */
    int failed[RANKS]; /* the call that failed, -1: none */
    latmc_status status[RANKS];
    int again[RANKS]; /* it failed again */
    uint64_t hash[RANKS];
    int alike[RANKS]; /* structure factors are those of the lattice in one process */
} play;

static int alone_is_alike(const actor *a)
{
    latmc_lattice *alone = NULL;
    double of[2][2 * REPLICAS + 1];
    char bytes[ROOM];
    size_t used;
    int good = !latmc_save_memory(a->lattice, bytes, sizeof bytes, &used) &&
               !structures(a->lattice, of[0]) &&
               !structure_of_pair(a->lattice, &of[0][2 * REPLICAS]);

    good = good && !latmc_load_memory(&alone, bytes, used) && !structures(alone, of[1]) &&
           !structure_of_pair(alone, &of[1][2 * REPLICAS]) &&
           memcmp(of[0], of[1], sizeof of[0]) == 0;
    latmc_destroy(alone);
    return good;
}

static void act(void *user, const latmc_ranks *ranks)
{
    play *p = user;
    const int r = ranks->rank;
    actor a = {.ranks = ranks, .path = p->path, .division = p->division};

    p->failed[r] = -1;
    allocations = 0;
    fails_at = r == p->clumsy ? p->at : 0;
    for (size_t i = 0; i < ALL(calls); i++) {
        const latmc_status status = calls[i](&a);

        if (!status)
            continue;
        if (p->failed[r] < 0) {
            p->failed[r] = (int)i;
            p->status[r] = status;
            i--;
            continue;
        }
        p->again[r] = 1;
        return;
    }
    fails_at = 0;
    if (latmc_state_hash(a.lattice, &p->hash[r]))
        p->hash[r] = 0;
    p->alike[r] = alone_is_alike(&a);
    latmc_destroy(a.lattice);
}

/* Returns whether something failed. */
static int check(const play *p, uint64_t want)
{
    for (int r = 0; r < RANKS; r++) {
        if (p->again[r])
            fail_msg("allocation %ld of rank %d: call %d fails again on rank %d", p->at, p->clumsy,
                     p->failed[r], r);
        if (p->failed[r] != p->failed[0])
            fail_msg("allocation %ld of rank %d: call %d fails on rank %d and %d on rank 0", p->at,
                     p->clumsy, p->failed[r], r, p->failed[0]);
        if (p->failed[0] >= 0 && p->status[r] != LATMC_ERROR_MEMORY)
            fail_msg("allocation %ld of rank %d: call %d on rank %d is %s", p->at, p->clumsy,
                     p->failed[r], r, latmc_status_name(p->status[r]));
        if (!p->alike[r])
            fail_msg("allocation %ld of rank %d: other structure factors on rank %d", p->at,
                     p->clumsy, r);
        if (p->hash[r] != want)
            fail_msg("allocation %ld of rank %d, call %d: another lattice", p->at, p->clumsy,
                     p->failed[0]);
    }
    return p->failed[0] >= 0;
}

enum { STEP = LM_SANITIZED ? 3 : 1 }; /* of the allocations that fail */

static void fail_in_turn(latmc_division division, int clumsy)
{
    char path[] = "/tmp/latmc-ranks-XXXXXX";
    play p = {.path = path, .division = division, .clumsy = -1};
    uint64_t want;
    long n = clumsy % STEP + 1 - STEP;

    close(mkstemp(path));
    ranks_run(RANKS, act, &p);
    want = p.hash[0];
    assert_true(want && p.failed[0] < 0 && p.alike[0] && p.alike[1] && p.alike[2]);
    do {
        n += STEP;
        p = (play){.path = path, .division = division, .clumsy = clumsy, .at = n};
        alarm(60);
        ranks_run(RANKS, act, &p);
        alarm(0);
    } while (check(&p, want));
    print_message("%ld allocations\n", n - STEP);
    assert_true(n > 100);
    unlink(path);
}

static void slabs_of_the_first_rank(void **state)
{
    (void)state;
    fail_in_turn(LATMC_DIVIDE_SLABS, 0);
}

static void slabs_of_another_rank(void **state)
{
    (void)state;
    fail_in_turn(LATMC_DIVIDE_SLABS, 1);
}

static void replicas_of_another_rank(void **state)
{
    (void)state;
    fail_in_turn(LATMC_DIVIDE_REPLICAS, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_of_the_first_rank),
        cmocka_unit_test(slabs_of_another_rank),
        cmocka_unit_test(replicas_of_another_rank),
    };

    return cmocka_run_group_tests_name("ranks, alloc", tests, NULL, NULL);
}
