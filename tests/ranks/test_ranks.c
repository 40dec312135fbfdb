/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One lattice in several ranks, threads here: what fails on one fails on all, with its sentence,
 * and nothing hangs; ranks that were called differently are told so; files are those of one
 * process; how a lattice is divided. (That trajectories are the same, the cases of `known` show.)
 */
#include "tests/ranks/threads.h"

#include <unistd.h>

#include "lib/divide/pieces.h"
#include "lib/base/status.h"
#include "tests/inside.h"
#include "tests/support.h"

enum { RANKS = 3, TEXT = 512 };

/* What a rank says at the end of a scene. */
typedef struct said {
    latmc_status status;
    char message[TEXT];
    uint64_t hash;
    int64_t sweeps;
} said;

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
    return latmc_set_schedule(l, 1, &(latmc_update){LATMC_HEATBATH}, &(int64_t){rank != 1});
}

static latmc_status bad_slots(latmc_lattice *l, int rank)
{
    const int64_t good[] = {1, 0}, bad[] = {1, 1};

    return latmc_set_slots(l, rank == 1 ? bad : good);
}

static latmc_status bad_observable(latmc_lattice *l, int rank)
{
    double e[2];

    return latmc_observe(l, 1, &(latmc_observable){rank == 1 ? LATMC_PHI : LATMC_ENERGY}, e);
}

static latmc_status bad_series(latmc_lattice *l, int rank)
{
    double e[8];

    return latmc_record(l, LATMC_METROPOLIS, 1, 4, 1, &(latmc_observable){LATMC_ENERGY},
                        rank == 1 ? NULL : e);
}

static latmc_status bad_pairs(latmc_lattice *l, int rank)
{
    double q[1];

    return latmc_observe_pairs(l, 1, (int64_t[]){0, rank == 1 ? 7 : 1}, 1,
                               &(latmc_observable){LATMC_OVERLAP}, q);
}

/* Of the pair 0, second. */
static latmc_status pair_series(latmc_lattice *l, size_t size, int64_t second)
{
    double q[4];
    const latmc_pair_series pairs = {.size = size,
                                     .pairs = 1,
                                     .replicas = (const int64_t[]){0, second},
                                     .observables = &(latmc_observable){LATMC_OVERLAP},
                                     .series = q,
                                     .count = 1};

    return latmc_record_pairs(l, LATMC_METROPOLIS, 1, 4, 0, NULL, NULL, &pairs);
}

static latmc_status bad_pair_series(latmc_lattice *l, int rank)
{
    return pair_series(l, sizeof(latmc_pair_series), rank == 1 ? -1 : 1);
}

static latmc_status no_pair_series(latmc_lattice *l, int rank)
{
    return pair_series(l, rank == 1 ? 0 : sizeof(latmc_pair_series), 1);
}

static latmc_status bad_count(latmc_lattice *l, int rank)
{
    int8_t sites[96];

    return latmc_get_sites(l, 0, LATMC_INT8, sites, rank == 1 ? 95 : 96);
}

static latmc_status bad_sites(latmc_lattice *l, int rank)
{
    int8_t sites[96];

    memset(sites, 1, sizeof sites);
    sites[95] = rank == 1 ? 2 : 1;
    return latmc_set_sites(l, 0, LATMC_INT8, sites, 96);
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

    return latmc_record(l, LATMC_METROPOLIS, rank == 1 ? 2 : 3, rank == 1 ? 3 : 2, 1,
                        &(latmc_observable){LATMC_ENERGY}, e);
}

static latmc_status other_observables(latmc_lattice *l, int rank)
{
    const latmc_observable what[] = {LATMC_ENERGY, LATMC_STRUCTURE_0};
    double e[8];

    return latmc_observe(l, rank == 1 ? 1 : 2, what, e);
}

static latmc_status other_pairs(latmc_lattice *l, int rank)
{
    const int64_t pairs[] = {0, 1, 0, 0};
    double q[2];

    return latmc_observe_pairs(l, 1, rank == 1 ? pairs : pairs + 2, 1,
                               &(latmc_observable){LATMC_OVERLAP}, q);
}

static latmc_status other_pair_series(latmc_lattice *l, int rank)
{
    double q[8];
    const latmc_pair_series pairs = {.size = sizeof pairs,
                                     .pairs = rank == 1 ? 1 : 2,
                                     .replicas = (const int64_t[]){0, 1, 0, 0},
                                     .observables = &(latmc_observable){LATMC_OVERLAP},
                                     .series = q,
                                     .count = 1};

    return latmc_record_pairs(l, LATMC_METROPOLIS, 1, 4, 0, NULL, NULL, &pairs);
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
                     : latmc_observe(l, 1, &(latmc_observable){LATMC_ENERGY}, e);
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
    return latmc_record(l, LATMC_METROPOLIS, 1, 40, 1, &(latmc_observable){LATMC_ENERGY}, e);
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
    if (latmc_state_hash(l, &own->hash) || latmc_get_info(l, &info))
        own->hash = 0;
    own->sweeps = info.sweeps;
    latmc_destroy(l);
}

static void what_fails_on_one_fails_on_all(void **state)
{
    static const scene scenes[] = {
        {"parameter", bad_parameter, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_set_param: beta"}},
        {"device", bad_device, LATMC_ERROR_NO_DEVICE, {"rank 1: latmc_set_device", "abacus"}},
        {"update", bad_update, LATMC_ERROR_UNKNOWN, {"rank 1: latmc_sweep"}},
        {"schedule", bad_schedule, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_set_schedule"}},
        {"slots", bad_slots, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_set_slots"}},
        {"observable", bad_observable, LATMC_ERROR_UNKNOWN, {"rank 1: latmc_observe"}},
        {"series", bad_series, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_record", "NULL"}},
        {"pairs", bad_pairs, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_observe_pairs", "replica 7"}},
        {"series of pairs",
         bad_pair_series,
         LATMC_ERROR_ARGUMENT,
         {"rank 1: latmc_record_pairs", "replica -1"}},
        {"no series of pairs",
         no_pair_series,
         LATMC_ERROR_ARGUMENT,
         {"rank 1: latmc_record_pairs", "size"}},
        {"count", bad_count, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_get_sites", "95"}},
        {"sites", bad_sites, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_set_sites", "site 95"}},
        {"hash", bad_hash, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_state_hash"}},
        {"path", bad_path, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_save"}},
        {"folder", bad_folder, LATMC_ERROR_IO, {"rank 0: latmc_save", "no/such/folder"}},
        {"buffer", bad_buffer, LATMC_ERROR_ARGUMENT, {"rank 1: latmc_save_memory", "capacity"}},
        {"counts", other_counts, LATMC_ERROR_STATE, {"latmc_sweep", "other arguments"}},
        {"other series", other_series, LATMC_ERROR_STATE, {"latmc_record", "other arguments"}},
        {"other observables",
         other_observables,
         LATMC_ERROR_STATE,
         {"latmc_observe", "other arguments"}},
        {"other pairs", other_pairs, LATMC_ERROR_STATE, {"latmc_observe_pairs", "other arguments"}},
        {"other series of pairs",
         other_pair_series,
         LATMC_ERROR_STATE,
         {"latmc_record_pairs", "other arguments"}},
        {"other buffer", other_buffer, LATMC_ERROR_STATE, {"latmc_save_memory", "other arguments"}},
        {"parameters",
         other_parameters,
         LATMC_ERROR_STATE,
         {"latmc_sweep", "the parameters on rank"}},
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

/* ---- files */

enum { FILE_ROOM = 1 << 18 };

/* A lattice of vectors, by layers or by replicas, in so many ranks. */
typedef struct filing {
    latmc_division division;
    char path[TEXT];
    const char *from; /* loaded, and not made */
    latmc_status status[RANKS_MOST];
    char message[TEXT];
} filing;

static latmc_status make(const latmc_ranks *ranks, const filing *f, latmc_lattice **l)
{
    const int64_t extents[] = {6, 5, 10};
    latmc_status status = ranks ? latmc_create_on_ranks(l, ranks, LATMC_ONVECTOR, 3, extents)
                                : latmc_create(l, LATMC_ONVECTOR, 3, extents);

    if (!status)
        status = latmc_set_option(*l, LATMC_N, 3);
    if (!status)
        status = latmc_set_replicas(*l, 10);
    if (!status)
        status = latmc_set_division(*l, f->division);
    if (!status)
        status = latmc_set_device(*l, "cpu:scalar");
    if (!status)
        status = latmc_start(*l, LATMC_START_HOT);
    return status ? status : latmc_keep_best(*l, 1);
}

static void file_it(void *user, const latmc_ranks *ranks)
{
    filing *f = user;
    const int rank = ranks ? ranks->rank : 0;
    latmc_lattice *l = NULL;
    latmc_status status;

    if (f->from)
        status = ranks ? latmc_load_on_ranks(&l, ranks, f->from) : latmc_load(&l, f->from);
    else
        status = make(ranks, f, &l);
    if (!status && f->from)
        status = latmc_set_division(l, f->division);
    if (!status && f->from)
        status = latmc_set_device(l, "cpu:scalar");
    if (!status)
        status = latmc_sweep(l, LATMC_HEATBATH, 2);
    if (!status)
        status = latmc_save(l, f->path);
    f->status[rank] = status;
    if (status && rank == 0)
        snprintf(f->message, TEXT, "%s", latmc_error_message());
    latmc_destroy(l);
}

static size_t bytes_of(const char *path, char bytes[FILE_ROOM])
{
    FILE *file = fopen(path, "rb");
    size_t count;

    assert_non_null(file);
    count = fread(bytes, 1, FILE_ROOM, file);
    assert_true(count > 1000 && count < FILE_ROOM);
    fclose(file);
    return count;
}

static void file_is(const char *path, const char *other)
{
    static char a[FILE_ROOM], b[FILE_ROOM];
    const size_t count = bytes_of(path, a);

    assert_int_equal(count, bytes_of(other, b));
    assert_memory_equal(a, b, count);
}

static void run_filing(filing *f, int ranks)
{
    if (ranks)
        ranks_run(ranks, file_it, f);
    else
        file_it(f, NULL);
    for (int r = 0; r < ranks || r == 0; r++)
        if (f->status[r])
            fail_msg("%d ranks, rank %d: %s", ranks, r, f->message);
}

/* Saved by one process, then by each number of ranks; loaded by another number, and saved again. */
static void files_are_those_of_one_process(void **state)
{
    static const int counts[] = {1, 2, 3, 5};
    char folder[] = "ranks-XXXXXX", first[TEXT], second[TEXT];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(first, TEXT, "%s/first", folder);
    snprintf(second, TEXT, "%s/second", folder);
    for (int kind = 0; kind < 2; kind++) {
        filing f = {.division = LATMC_UNDIVIDED};

        snprintf(f.path, TEXT, "%s/first", folder);
        run_filing(&f, 0);
        f.from = first;
        snprintf(f.path, TEXT, "%s/second", folder);
        run_filing(&f, 0);
        for (size_t i = 0; i < ALL(counts); i++) {
            filing g = {.division = kind ? LATMC_BY_LAYERS : LATMC_BY_REPLICAS};

            snprintf(g.path, TEXT, "%s/by-ranks", folder);
            run_filing(&g, counts[i]);
            file_is(g.path, first);
            g.from = first;
            run_filing(&g, counts[ALL(counts) - 1 - i]);
            file_is(g.path, second);
            remove(g.path);
        }
        remove(first);
        remove(second);
    }
    assert_int_equal(rmdir(folder), 0); /* nothing was left beside them */
}

/* ---- sites that come in chunks, converted */

enum { CHUNKED = 7 * 9 };

typedef struct chunked {
    double sites[RANKS][CHUNKED], want[CHUNKED];
    latmc_status status[RANKS];
} chunked;

static latmc_status sites_of(latmc_lattice *l, double *sites)
{
    latmc_status status = latmc_set_device(l, "cpu:scalar");

    if (!status)
        status = latmc_start(l, LATMC_START_HOT);
    if (!status)
        status = latmc_sweep(l, LATMC_METROPOLIS, 2);
    inside_chunk(l, 8);
    return status ? status : latmc_get_sites(l, 0, LATMC_FLOAT64, sites, CHUNKED);
}

static void get_chunks(void *user, const latmc_ranks *ranks)
{
    chunked *c = user;
    latmc_lattice *l = NULL;
    latmc_status status = latmc_create_on_ranks(&l, ranks, LATMC_PHI4, 2, (int64_t[]){7, 9});

    c->status[ranks->rank] = status ? status : sites_of(l, c->sites[ranks->rank]);
    latmc_destroy(l);
}

static void sites_come_in_chunks(void **state)
{
    static chunked c;
    latmc_lattice *l = NULL;

    (void)state;
    ok(latmc_create(&l, LATMC_PHI4, 2, (int64_t[]){7, 9}));
    ok(sites_of(l, c.want));
    latmc_destroy(l);
    ranks_run(RANKS, get_chunks, &c);
    for (int r = 0; r < RANKS; r++) {
        assert_int_equal(c.status[r], LATMC_OK);
        assert_memory_equal(c.sites[r], c.want, sizeof c.want);
    }
}

/* ---- division */

static latmc_lattice *lattice_on(const char *device, int dims, const int64_t *extents,
                                 int64_t replicas)
{
    latmc_lattice *l = NULL;

    ok(latmc_create(&l, LATMC_ISING, dims, extents));
    ok(latmc_set_replicas(l, replicas));
    ok(latmc_set_device(l, device));
    return l;
}

static latmc_part_info part_of(const latmc_lattice *l, int part)
{
    latmc_part_info info = LATMC_INIT(latmc_part_info);

    ok(latmc_get_part(l, part, &info));
    return info;
}

static void lattices_are_divided(void **state)
{
    const int64_t extents[] = {64, 7};
    latmc_lattice *l = lattice_on("cpu:scalar,scalar,scalar", 2, extents, 1);
    latmc_part_info part, unset = {.size = 3};
    int64_t next = 0;

    (void)state;
    part = (latmc_part_info)LATMC_INIT(latmc_part_info);
    refused(LATMC_ERROR_STATE, "latmc_start()", latmc_get_part(l, 0, &part));
    ok(latmc_start(l, LATMC_START_HOT));
    for (int p = 0; p < 3; p++) {
        part = part_of(l, p);
        assert_int_equal(part.division, LATMC_BY_LAYERS);
        assert_int_equal(part.parts, 3);
        assert_int_equal(part.first_layer, next);
        assert_true(part.layers == 2 || part.layers == 3);
        assert_true(part.first_replica == 0 && part.replicas == 1 && part.rank == 0);
        assert_string_equal(part.device, "cpu:scalar");
        assert_non_null(strstr(part.reason, "layers"));
        next += part.layers;
    }
    assert_int_equal(next, 7);
    refused(LATMC_ERROR_ARGUMENT, "0 to 2", latmc_get_part(l, 3, &part));
    refused(LATMC_ERROR_ARGUMENT, "0 to 2", latmc_get_part(l, -1, &part));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_get_part(l, 0, NULL));
    refused(LATMC_ERROR_ARGUMENT, "size", latmc_get_part(l, 0, &unset));
    refused(LATMC_ERROR_ARGUMENT, "division", latmc_set_division(l, (latmc_division)7));
    ok(latmc_set_device(l, "cpu:scalar"));
    assert_int_equal(part_of(l, 0).division, LATMC_UNDIVIDED);
    assert_int_equal(part_of(l, 0).layers, 7);
    latmc_destroy(l);
}

static void replicas_are_dealt_out(void **state)
{
    const int64_t extents[] = {64, 8};
    latmc_lattice *l = lattice_on("cpu:scalar,scalar", 2, extents, 7);

    (void)state;
    ok(latmc_start(l, LATMC_START_HOT));
    assert_int_equal(part_of(l, 0).division, LATMC_BY_LAYERS); /* 3 and 4 are not nearly as many */
    ok(latmc_set_division(l, LATMC_BY_REPLICAS));
    assert_int_equal(part_of(l, 0).division, LATMC_BY_LAYERS); /* from the next device on */
    ok(latmc_set_device(l, "cpu:scalar,scalar"));
    assert_int_equal(part_of(l, 0).division, LATMC_BY_REPLICAS);
    assert_int_equal(part_of(l, 0).replicas + part_of(l, 1).replicas, 7);
    assert_int_equal(part_of(l, 1).first_replica, part_of(l, 0).replicas);
    assert_int_equal(part_of(l, 1).layers, 8);
    latmc_destroy(l);
    l = lattice_on("cpu:scalar,scalar", 2, extents, 8);
    ok(latmc_start(l, LATMC_START_HOT));
    assert_int_equal(part_of(l, 0).division, LATMC_BY_REPLICAS);
    assert_int_equal(part_of(l, 0).replicas, 4);
    latmc_destroy(l);
}

/* Samples that lack bonds, and such that do not, in different lots: the moves of the former alone
 * are weaker. */
static void lots_have_their_own_weak_moves(void **state)
{
    static double bonds[2][2 * 64 * 8];
    const int64_t extents[] = {64, 8};
    uint64_t want = 0, got = 0;

    (void)state;
    for (int i = 0; i < 2 * 64 * 8; i++) {
        bonds[0][i] = 1.0;
        bonds[1][i] = i % 3 ? 1.0 : 0.0;
    }
    for (int lots = 0; lots < 2; lots++) {
        latmc_lattice *l = lattice_on(lots ? "cpu:scalar,scalar" : "cpu:scalar", 2, extents, 4);

        ok(latmc_set_samples(l, 2, 0));
        ok(latmc_set_bond_couplings(l, bonds[0]));
        ok(latmc_set_param(l, LATMC_BETA, 0.4));
        ok(latmc_start(l, LATMC_START_HOT));
        assert_int_equal(part_of(l, 0).division, lots ? LATMC_BY_REPLICAS : LATMC_UNDIVIDED);
        ok(latmc_sweep(l, LATMC_METROPOLIS, 20));
        ok(latmc_state_hash(l, lots ? &got : &want));
        latmc_destroy(l);
    }
    assert_true(got == want);
}

static void refuse_ranks(void *user, const latmc_ranks *ranks)
{
    said *own = (said *)user + ranks->rank;
    latmc_lattice *l = NULL;

    own->status = latmc_create_on_ranks(&l, ranks, LATMC_ISING, 1, (int64_t[]){64});
    if (!own->status)
        own->status = latmc_set_device(l, "cpu:scalar");
    if (!own->status)
        own->status = latmc_start(l, LATMC_START_HOT);
    snprintf(own->message, TEXT, "%s", latmc_error_message());
    latmc_destroy(l);
}

/* Who gave ranks is told of ranks. */
static void too_many_ranks_are_refused(void **state)
{
    said all[RANKS] = {{0}};

    (void)state;
    ranks_run(RANKS, refuse_ranks, all);
    for (int r = 0; r < RANKS; r++) {
        assert_int_equal(all[r].status, LATMC_ERROR_ARGUMENT);
        assert_non_null(strstr(all[r].message, "3 devices of 3 ranks are too many"));
        assert_non_null(strstr(all[r].message, "1 replica can be dealt out to 1 device, "));
    }
}

/* Few replicas that share words are not dealt out, though there are as many as devices. */
static void replicas_that_share_words_stay_together(void **state)
{
    latmc_lattice *l = lattice_on("cpu:scalar,scalar", 3, (int64_t[]){8, 8, 8}, 4);

    (void)state;
    ok(latmc_start(l, LATMC_START_HOT));
    assert_int_equal(part_of(l, 0).division, LATMC_BY_LAYERS);
    assert_non_null(strstr(part_of(l, 0).reason, "share words"));
    latmc_destroy(l);
}

static void too_many_devices_are_refused(void **state)
{
    const char *const three = "cpu:scalar,scalar,scalar";
    latmc_lattice *l = lattice_on(three, 1, (int64_t[]){64}, 1);

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "chains are not cut", latmc_start(l, LATMC_START_HOT));
    ok(latmc_set_device(l, "cpu:scalar"));
    ok(latmc_start(l, LATMC_START_HOT));
    refused(LATMC_ERROR_ARGUMENT, "3 devices are too many", latmc_set_device(l, three));
    ok(latmc_sweep(l, LATMC_METROPOLIS, 1)); /* it is where it was */
    latmc_destroy(l);
    l = lattice_on(three, 2, (int64_t[]){64, 2}, 2);
    refused(LATMC_ERROR_ARGUMENT, "2 layers", latmc_start(l, LATMC_START_HOT));
    latmc_destroy(l);
}

/* ---- tables */

static void tables_are_checked(void **state)
{
    const latmc_ranks none = {.size = sizeof none, .ranks = 1}, small = {.size = 8};
    latmc_lattice *l = NULL;
    const int64_t extents[] = {4, 4};

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "ranks is NULL",
            latmc_create_on_ranks(&l, NULL, LATMC_ISING, 2, extents));
    refused(LATMC_ERROR_ARGUMENT, "size",
            latmc_create_on_ranks(&l, &small, LATMC_ISING, 2, extents));
    refused(LATMC_ERROR_ARGUMENT, "function",
            latmc_create_on_ranks(&l, &none, LATMC_ISING, 2, extents));
    refused(LATMC_ERROR_ARGUMENT, "function", latmc_load_on_ranks(&l, &none, "nowhere"));
    refused(LATMC_ERROR_ARGUMENT, "function", latmc_load_memory_on_ranks(&l, &none, "", 0));
    assert_null(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fails_on_one_fails_on_all),
        cmocka_unit_test(files_are_those_of_one_process),
        cmocka_unit_test(sites_come_in_chunks),
        cmocka_unit_test(lattices_are_divided),
        cmocka_unit_test(replicas_are_dealt_out),
        cmocka_unit_test(lots_have_their_own_weak_moves),
        cmocka_unit_test(too_many_ranks_are_refused),
        cmocka_unit_test(replicas_that_share_words_stay_together),
        cmocka_unit_test(too_many_devices_are_refused),
        cmocka_unit_test(tables_are_checked),
    };

    return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
