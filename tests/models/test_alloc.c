/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every allocation of every call fails in turn: LATMC_ERROR_MEMORY each time, and the
 * lattice is as before. Linked with --wrap for the allocating functions. With LM_FAILS_ON_GPU they
 * are those of a GPU's driver, of whose memory LATMC_ERROR_DEVICE_MEMORY tells.
 */
#include "lib/lattice/spec.h"
#include "tests/models/cuts.h"
#include "tests/models/scene.h"

#include <unistd.h>

static long allocations; /* since arm() */
static long fails_at;    /* 0: none */

static int must_fail(void)
{
    return ++allocations == fails_at;
}

#ifdef LM_FAILS_ON_GPU
#include "tests/cuda/allocations.h"
#else
#include "tests/allocations.h"
#endif

static void arm(long n)
{
    allocations = 0;
    fails_at = n;
}

static long disarm(void)
{
    fails_at = 0;
    return allocations;
}

#ifndef LM_FAILS_ON_GPU
static int has_another_lane(void)
{
    int lanes = 0;

    for (size_t i = 0; i < ALL(every_device); i++)
        lanes += strncmp(every_device[i], "cpu:", 4) == 0 && usable(every_device[i]);
    return lanes > 1;
}

/* Each call by itself, with a lattice made for it. */
static void every_failure_leaves_the_lattice(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    char folder[] = "/tmp/latmc-alloc-XXXXXX", path[64]; /* latmc_save() reads the folder's names */
    saboteur by = {.arm = arm,
                   .disarm = disarm,
                   .status = LATMC_ERROR_MEMORY,
                   .part = " bytes",
                   .home = "cpu:scalar",
                   .path = path};

    if (m->akin)
        skip();
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/saved", folder);
    for (const test_variant *v = m->rich; v->name; v++) {
        by.target = (v - m->rich) % 2 && has_another_lane() ? "cpu" : "cpu:scalar,scalar";
        const long total = walk_all(m, v, &by, 1);
        print_message("%s, %s: %ld allocations\n", m->name, v->name, total);
        assert_true(total > 30);
    }
    unlink(path);
    rmdir(folder);
}
#endif

/* ---- calls one after another, on one lattice, beside one without failures
 *
 * But for latmc_tune(), which may fail between sweeps, and then those that were done count. */

typedef struct story {
    const test_model *model;
    latmc_lattice *lattice;
    const char *here, *there; /* devices */
    lm_cuts cuts;             /* of the lattice, whole on every other device */
    int moves;                /* that were made */
    int update;               /* the place of the next one */
} story;

static latmc_status story_start(story *s)
{
    return latmc_start(s->lattice, LATMC_START_HOT);
}

/* The updates in turn. */
static latmc_status story_sweep(story *s)
{
    return latmc_sweep(s->lattice, (latmc_update)s->model->updates[s->update], 2);
}

static latmc_status story_change(story *s)
{
    const latmc_status status = s->model->change(s->lattice);

    return status ? status : story_sweep(s);
}

static latmc_status story_record(story *s)
{
    double values[2 * 3];

    return record_series(s->lattice, (latmc_update)s->model->updates[s->update], 1, 2, 1,
                         s->model->observables, values);
}

/* The first momentum is one of the sites, the second one of pairs. */
static latmc_status story_momenta(story *s)
{
    const int odd = info_of(s->lattice).boundaries[2] == LATMC_ANTIPERIODIC;

    return latmc_set_momenta(s->lattice, 2, (int64_t[]){2, 0, odd ? 1 : 2, 2, 0, 4});
}

static latmc_status story_observe(story *s)
{
    const latmc_quantity of_sites = LATMC_QUANTITY(LATMC_STRUCTURE_AT, 0);
    double values[3];

    s->lattice->threads = 1; /* further ones do without memory, which nobody notices */
    return latmc_observe(s->lattice, LATMC_BY_REPLICA, 1, &of_sites, values);
}

static latmc_status story_pairs(story *s)
{
    const latmc_quantity of_pairs = LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE_AT, 1);
    double value;

    return latmc_observe_pairs(s->lattice, LATMC_BY_REPLICA, 1, (int64_t[]){0, 2}, 1, &of_pairs,
                               &value);
}

/* There and, the next time, back. */
static latmc_status story_move(story *s)
{
    const char *const to = s->there;
    latmc_status status;

    inside_cut(s->lattice, s->moves % 2 ? &s->cuts : &(lm_cuts){0});
    status = latmc_set_device(s->lattice, to);
    if (!status) {
        s->there = s->here;
        s->here = to;
        s->moves++;
    }
    return status;
}

static const struct {
    const char *name; /* as that of a step */
    latmc_status (*call)(story *s);
} chapters[] = {
    {"start", story_start},         {"sweep", story_sweep},     {"sweep, change", story_change},
    {"sweep", story_sweep},         {"record", story_record},   {"sweep", story_sweep},
    {"set_device", story_move},     {"sweep", story_sweep},     {"set_device", story_move},
    {"sweep", story_sweep},         {"set_device", story_move}, {"sweep", story_sweep},
    {"set_momenta", story_momenta}, {"observe", story_observe}, {"observe_pairs", story_pairs},
};

#ifdef LM_FAILS_ON_GPU
static const shape story_shape = {3, {66, 6, 8}, {P, O, A}, 0, 3}; /* no word has two replicas */
#else
static const shape story_shape = {3, {13, 4, 8}, {P, O, A}, 0, 3};
#endif

static story story_of(const suite_stage *on, const test_variant *v, int slabs)
{
    const test_case c = suite_case(on->model, &story_shape, v);
    story s = {.model = on->model,
               .lattice = suite_lattice(&c, 0, story_shape.replicas),
               .here = on->device,
               .there = strcmp(on->device, "cpu:scalar") ? "cpu:scalar" : "cpu"};

    if (slabs) {
        const lm_spec spec = lm_spec_of(s.lattice);

        s.cuts = cuts_between_tiles(&spec, slabs);
    }
    inside_cut(s.lattice, &s.cuts);
    ok(latmc_set_division(s.lattice, LATMC_DIVIDE_REPLICAS));
    ok(latmc_set_device(s.lattice, on->device));
    return s;
}

/* The updates take turns. */
static void go_on(story *s)
{
    s->update = s->model->updates[s->update + 1] ? s->update + 1 : 0;
}

/* Whether a call may succeed though an allocation failed. If a GPU lacks memory for sums with
 * momenta, lib/ makes them from rows. */
static int may_go_on(size_t call)
{
#ifdef LM_FAILS_ON_GPU
    return chapters[call].call == story_observe;
#else
    (void)call;
    return 0;
#endif
}

/* Memory that the driver locks is the host's. */
static int is_failure(latmc_status status)
{
#ifdef LM_FAILS_ON_GPU
    return status == LATMC_ERROR_DEVICE_MEMORY || status == LATMC_ERROR_MEMORY;
#else
    return status == LATMC_ERROR_MEMORY;
#endif
}

/* Lets one allocation after another fail until the call succeeds; how many there were. */
static long call_with_failures(story *s, size_t call)
{
    const uint64_t before = call > 0 ? hash_of(s->lattice) : 0;

    for (long n = 1;; n = next_failure(n)) {
        arm(n);
        const latmc_status status = chapters[call].call(s);
        const long seen = disarm();
        if (status == LATMC_OK && seen < n)
            return seen;
        if (status == LATMC_OK && !may_go_on(call))
            fail_msg("call %d: failure %ld went unnoticed", (int)call, n);
        if (status == LATMC_OK)
            continue;
        assert_true(is_failure(status));
        if (!names_function(chapters[call].name) || !strstr(latmc_error_message(), " bytes"))
            fail_msg("%s: \"%s\"", chapters[call].name, latmc_error_message());
        if (call > 0 && hash_of(s->lattice) != before)
            fail_msg("call %d, failure %ld: the sites have changed", (int)call, n);
    }
}

/* A lattice, in slabs or (0) whole, beside a whole one. */
static long tell(const suite_stage *on, const test_variant *v, int slabs)
{
    story calm = story_of(on, v, 0), s = story_of(on, v, slabs);
    long total = 0;

    for (size_t call = 0; call < ALL(chapters); call++) {
        ok(chapters[call].call(&calm));
        total += call_with_failures(&s, call);
        if (hash_of(s.lattice) != hash_of(calm.lattice))
            fail_msg("call %d: another trajectory after failures", (int)call);
        go_on(&calm);
        go_on(&s);
    }
    latmc_destroy(s.lattice);
    latmc_destroy(calm.lattice);
    return total;
}

#ifdef LM_FAILS_ON_GPU
/* On one, and where replicas are dealt out to two: none of them sweeps before all have memory. */
static void every_failure_on_a_gpu_leaves_the_trajectory(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const suite_stage alone = {m, "cuda:0"}, two = {m, "cuda:0,0"};

    needs("cuda:0");
    for (const test_variant *v = m->rich; v->name; v++) {
        const long one = tell(&alone, v, 0), both = tell(&two, v, 0);
        print_message("%s: %ld allocations, of two %ld\n", v->name, one, both);
        assert_true(one > 20);
        assert_true(both > one);
    }
}
#else
/* On devices in host memory; what a GPU's driver does with a failure is its own affair. */
static void every_failure_leaves_the_trajectory(void **state)
{
    const suite_stage *on = suite_stage_of(state);

    if (strncmp(on->device, "cuda", 4) == 0)
        skip();
    for (const test_variant *v = on->model->rich; v->name; v++) {
        const long total = tell(on, v, 0), cut = on->model->slabs ? tell(on, v, 2) : 0;
        print_message("%s: %ld allocations, in slabs %ld\n", v->name, total, cut);
        assert_true(total > (has_another_lane() ? 30 : 15)); /* "cpu" may be where it was */
        assert_true(cut > total || !on->model->slabs);
    }
}
#endif

int main(void)
{
    static const suite_test tests[] = {
#ifdef LM_FAILS_ON_GPU
        SUITE_TEST(every_failure_on_a_gpu_leaves_the_trajectory),
#else
        SUITE_TEST(every_failure_leaves_the_lattice),
        SUITE_ON_DEVICES(every_failure_leaves_the_trajectory),
#endif
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
