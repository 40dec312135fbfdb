/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One lattice in several ranks, threads here: what fails on one fails on all, with its sentence,
 * and nothing hangs; ranks that were called differently are told so. (That trajectories are the
 * same, the cases of `known` show.)
 */
#include "tests/ranks/threads.h"

#include <unistd.h>

#include "lib/divide/pieces.h"
#include "lib/base/status.h"
#include "tests/inside.h"
#include "tests/support.h"
#include "tests/ranks/said.h"

typedef struct scene {
    const char *name;
    /* What all ranks do with a lattice that was started; the last status counts. */
    latmc_status (*play)(latmc_lattice *lattice, int rank);
    latmc_status want;
    const char *parts[2];
} scene;

typedef struct performance {
    const scene *scene;
    said said[RANKS];
} performance;

/* ---- scenes */

static latmc_status bad_parameter(latmc_lattice *l, int rank)
{
    return latmc_set_param(l, LATMC_BETA, rank == 1 ? -1e300 : 0.3);
}

static latmc_status bad_device(latmc_lattice *l, int rank)
{
    return latmc_set_device(l, rank == 1 ? "abacus:0" : "cpu:scalar");
}

static latmc_status bad_update(latmc_lattice *l, int rank)
{
    return latmc_sweep(l, rank == 1 ? LATMC_OVERRELAX : LATMC_METROPOLIS, 1);
}

static latmc_status bad_schedule(latmc_lattice *l, int rank)
{
    return set_round(l, LATMC_HEATBATH, rank != 1, 0);
}

static latmc_status bad_slots(latmc_lattice *l, int rank)
{
    const int64_t good[] = {1, 0}, bad[] = {1, 1};

    return latmc_set_slots(l, rank == 1 ? bad : good);
}

static latmc_status bad_observable(latmc_lattice *l, int rank)
{
    double e[2];

    return latmc_observe(l, LATMC_BY_REPLICA, 1,
                         &(latmc_quantity)LATMC_QUANTITY(rank == 1 ? LATMC_DENSITY : LATMC_ENERGY),
                         e);
}

static latmc_status bad_series(latmc_lattice *l, int rank)
{
    double e[8];

    return record_series(l, LATMC_METROPOLIS, 1, 4, 1,
                         &(latmc_quantity)LATMC_QUANTITY(LATMC_ENERGY), rank == 1 ? NULL : e);
}

static latmc_status bad_pairs(latmc_lattice *l, int rank)
{
    double q[1];

    return latmc_observe_pairs(l, LATMC_BY_REPLICA, 1, (int64_t[]){0, rank == 1 ? 7 : 1}, 1,
                               &(latmc_quantity)LATMC_QUANTITY(LATMC_OVERLAP), q);
}

/* Of the pair 0, second. */
static latmc_status pair_series(latmc_lattice *l, size_t size, int64_t second)
{
    double q[4];
    const latmc_recording pairs = {.size = size,
                                   .pair_count = 1,
                                   .pairs = (const int64_t[]){0, second},
                                   .pair_quantities =
                                       &(latmc_quantity)LATMC_QUANTITY(LATMC_OVERLAP),
                                   .pair_series = q,
                                   .pair_quantity_count = 1};

    return record_pair_series(l, LATMC_METROPOLIS, 1, 4, 0, NULL, NULL, &pairs);
}

static latmc_status bad_pair_series(latmc_lattice *l, int rank)
{
    return pair_series(l, sizeof(latmc_recording), rank == 1 ? -1 : 1);
}

static latmc_status no_pair_series(latmc_lattice *l, int rank)
{
    return pair_series(l, rank == 1 ? 0 : sizeof(latmc_recording), 1);
}

static latmc_status bad_bytes(latmc_lattice *l, int rank)
{
    int8_t sites[96];

    return get_replica(l, 0, LATMC_INT8, sites, rank == 1 ? 95 : 96);
}

static latmc_status bad_sites(latmc_lattice *l, int rank)
{
    int8_t sites[96];

    memset(sites, 1, sizeof sites);
    sites[95] = rank == 1 ? 2 : 1;
    return set_replica(l, 0, LATMC_INT8, sites, 96);
}

static latmc_status bad_hash(latmc_lattice *l, int rank)
{
    uint64_t hash;

    return latmc_state_hash(l, rank == 1 ? NULL : &hash);
}

static latmc_status bad_path(latmc_lattice *l, int rank)
{
    return latmc_save(l, rank == 1 ? NULL : "ranks.latmc");
}

static latmc_status bad_folder(latmc_lattice *l, int rank)
{
    (void)rank;
    return latmc_save(l, "no/such/folder/ranks.latmc");
}

static latmc_status bad_buffer(latmc_lattice *l, int rank)
{
    char bytes[4096];
    size_t used;

    return latmc_save_memory(l, bytes, rank == 1 ? 3 : sizeof bytes, &used);
}

static latmc_status other_counts(latmc_lattice *l, int rank)
{
    return latmc_sweep(l, LATMC_METROPOLIS, rank == 1 ? 11 : 10);
}

static latmc_status other_series(latmc_lattice *l, int rank)
{
    double e[12];

    return record_series(l, LATMC_METROPOLIS, rank == 1 ? 2 : 3, rank == 1 ? 3 : 2, 1,
                         &(latmc_quantity)LATMC_QUANTITY(LATMC_ENERGY), e);
}

static latmc_status other_observables(latmc_lattice *l, int rank)
{
    const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                   LATMC_QUANTITY(LATMC_STRUCTURE, 0)};
    double e[8];

    return latmc_observe(l, LATMC_BY_REPLICA, rank == 1 ? 1 : 2, what, e);
}

static latmc_status other_pairs(latmc_lattice *l, int rank)
{
    const int64_t pairs[] = {0, 1, 0, 0};
    double q[2];

    return latmc_observe_pairs(l, LATMC_BY_REPLICA, 1, rank == 1 ? pairs : pairs + 2, 1,
                               &(latmc_quantity)LATMC_QUANTITY(LATMC_OVERLAP), q);
}

static latmc_status other_pair_series(latmc_lattice *l, int rank)
{
    double q[8];
    const latmc_recording pairs = {.size = sizeof pairs,
                                   .pair_count = rank == 1 ? 1 : 2,
                                   .pairs = (const int64_t[]){0, 1, 0, 0},
                                   .pair_quantities =
                                       &(latmc_quantity)LATMC_QUANTITY(LATMC_OVERLAP),
                                   .pair_series = q,
                                   .pair_quantity_count = 1};

    return record_pair_series(l, LATMC_METROPOLIS, 1, 4, 0, NULL, NULL, &pairs);
}

static latmc_status other_buffer(latmc_lattice *l, int rank)
{
    char bytes[4096];
    size_t used;

    return latmc_save_memory(l, rank == 1 ? NULL : bytes, sizeof bytes, &used);
}

/* No call of a program's makes them differ. */
static latmc_status other_parameters(latmc_lattice *l, int rank)
{
    if (rank == 1)
        l->params[1] = 0.31;
    return latmc_set_seed(l, 3) != LATMC_ERROR_STATE ? LATMC_ERROR_IO
                                                     : latmc_sweep(l, LATMC_METROPOLIS, 1);
}

static latmc_status other_calls(latmc_lattice *l, int rank)
{
    double e[2];
    uint64_t hash;

    return rank == 1 ? latmc_state_hash(l, &hash)
                     : latmc_observe(l, LATMC_BY_REPLICA, 1,
                                     &(latmc_quantity)LATMC_QUANTITY(LATMC_ENERGY), e);
}

static latmc_status other_calls_without_arguments(latmc_lattice *l, int rank)
{
    uint64_t hash;

    return rank == 1 ? latmc_reset_exchange_counts(l) : latmc_state_hash(l, &hash);
}

static int stop_it(void *user, int64_t done, int64_t total)
{
    (void)user, (void)done, (void)total;
    return 1;
}

static int let_it(void *user, int64_t done, int64_t total)
{
    (void)user, (void)done, (void)total;
    return 0;
}

static latmc_status stopped_by_one(latmc_lattice *l, int rank)
{
    return latmc_set_progress(l, rank == 1 ? stop_it : let_it, NULL)
               ? LATMC_ERROR_IO
               : latmc_sweep(l, LATMC_METROPOLIS, (int64_t)1 << 38);
}

static latmc_status watched_by_one(latmc_lattice *l, int rank)
{
    return latmc_set_progress(l, rank == 1 ? stop_it : NULL, NULL)
               ? LATMC_ERROR_IO
               : latmc_sweep(l, LATMC_METROPOLIS, (int64_t)1 << 38);
}

/* A device that fails in the middle of a run, of one rank's slab. */
static _Thread_local int updates_left;
static _Thread_local lm_slab_ops failing_slabs;
static _Thread_local lm_plan_ops failing;
static _Thread_local latmc_status (*real_update)(void *, int, int64_t, int, lm_part);

static latmc_status update_or_fail(void *plan, int update, int64_t step, int phase, lm_part part)
{
    if (updates_left-- == 0)
        return lm_fail(LATMC_ERROR_DEVICE, "it has caught fire");
    return real_update(plan, update, step, phase, part);
}

static void fail_later(latmc_lattice *l, int updates)
{
    lm_pieces *pieces = l->home.plan.self;

    failing = *pieces->plans[0].ops;
    failing_slabs = *failing.slabs;
    real_update = failing_slabs.update;
    failing_slabs.update = update_or_fail;
    failing.slabs = &failing_slabs;
    pieces->plans[0].ops = &failing;
    updates_left = updates;
}

static latmc_status device_fails(latmc_lattice *l, int rank)
{
    if (rank == 1)
        fail_later(l, 33);
    return latmc_sweep(l, LATMC_METROPOLIS, 40);
}

static latmc_status device_fails_recording(latmc_lattice *l, int rank)
{
    double e[2 * 40];

    if (rank == 1)
        fail_later(l, 33);
    return record_series(l, LATMC_METROPOLIS, 1, 40, 1,
                         &(latmc_quantity)LATMC_QUANTITY(LATMC_ENERGY), e);
}

/* ---- playing them */

static latmc_status open_lattice(const latmc_ranks *ranks, latmc_lattice **l)
{
    latmc_status status = latmc_create_on_ranks(l, ranks, LATMC_ISING, 2, (int64_t[]){8, 12});

    if (!status)
        status = latmc_set_replicas(*l, 2);
    if (!status)
        status = latmc_set_param(*l, LATMC_BETA, 0.4);
    if (!status)
        status = latmc_set_device(*l, "cpu:scalar");
    return status ? status : latmc_start(*l, LATMC_START_HOT);
}

static void play_scene(void *user, const latmc_ranks *ranks)
{
    performance *p = user;
    said *own = &p->said[ranks->rank];
    latmc_lattice_info info = LATMC_INIT(latmc_lattice_info);
    latmc_lattice *l = NULL;

    own->status = open_lattice(ranks, &l);
    if (!own->status)
        own->status = p->scene->play(l, ranks->rank);
    snprintf(own->message, TEXT, "%s", latmc_error_message());
    if (latmc_state_hash(l, &own->hash) || latmc_get_lattice_info(l, &info))
        own->hash = 0;
    own->sweeps = info.sweeps;
    latmc_destroy(l);
}

static const scene scenes[] = {
    {"parameter", bad_parameter, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_set_param: beta"}},
    {"device", bad_device, LATMC_ERROR_NO_DEVICE, {"rank 1: latmc_set_device", "abacus"}},
    {"update", bad_update, LATMC_ERROR_UNKNOWN, {"rank 1: latmc_sweep"}},
    {"schedule", bad_schedule, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_set_schedule"}},
    {"slots", bad_slots, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_set_slots"}},
    {"observable", bad_observable, LATMC_ERROR_UNKNOWN, {"rank 1: latmc_observe"}},
    {"series", bad_series, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_record", "NULL"}},
    {"pairs", bad_pairs, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_observe_pairs", "number 7"}},
    {"series of pairs",
     bad_pair_series,
     LATMC_ERROR_ARGUMENT,
     {"rank 1: latmc_record", "number -1"}},
    {"no series of pairs", no_pair_series, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_record", "size"}},
    {"bytes", bad_bytes, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_get_sites", "95"}},
    {"sites", bad_sites, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_set_sites", "site 95"}},
    {"hash", bad_hash, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_state_hash"}},
    {"path", bad_path, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_save"}},
    {"folder", bad_folder, LATMC_ERROR_IO, {"rank 0: latmc_save", "no/such/folder"}},
    {"buffer", bad_buffer, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_save_memory", "capacity"}},
    {"counts", other_counts, LATMC_ERROR_STATE, {"latmc_sweep", "different arguments"}},
    {"other series", other_series, LATMC_ERROR_STATE, {"latmc_record", "different arguments"}},
    {"other observables",
     other_observables,
     LATMC_ERROR_STATE,
     {"latmc_observe", "different arguments"}},
    {"other pairs", other_pairs, LATMC_ERROR_STATE, {"latmc_observe_pairs", "different arguments"}},
    {"other series of pairs",
     other_pair_series,
     LATMC_ERROR_STATE,
     {"latmc_record", "different arguments"}},
    {"other buffer", other_buffer, LATMC_ERROR_STATE, {"latmc_save_memory", "different arguments"}},
    {"parameters", other_parameters, LATMC_ERROR_STATE, {"latmc_sweep", "the parameters on rank"}},
    {"calls", other_calls, LATMC_ERROR_STATE, {"different functions"}},
    {"calls without arguments",
     other_calls_without_arguments,
     LATMC_ERROR_STATE,
     {"different functions"}},
    {"fire", device_fails, LATMC_ERROR_DEVICE, {"rank 1: ", "caught fire"}},
    {"fire while recording",
     device_fails_recording,
     LATMC_ERROR_DEVICE,
     {"rank 1: ", "caught fire"}},
    {"stopped", stopped_by_one, LATMC_CANCELLED, {"callback"}},
    {"watched", watched_by_one, LATMC_CANCELLED, {"callback"}},
};

static void what_fails_on_one_fails_on_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL(scenes); i++) {
        const scene *s = &scenes[i];
        performance p = {.scene = s};

        alarm(60);
        ranks_run(RANKS, play_scene, &p);
        alarm(0);
        for (int r = 0; r < RANKS; r++) {
            const said *a = &p.said[r];

            if (a->status != s->want || !strstr(a->message, s->parts[0]) ||
                (s->parts[1] && !strstr(a->message, s->parts[1])))
                fail_msg("%s, rank %d: %s (%s)", s->name, r, latmc_status_name(a->status),
                         a->message);
            if (!a->hash || a->hash != p.said[0].hash || a->sweeps != p.said[0].sweeps)
                fail_msg("%s: rank %d has another lattice than rank 0", s->name, r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fails_on_one_fails_on_all),
    };

    return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
