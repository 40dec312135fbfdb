/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One trajectory, any device: every usable device, thread count and division of the replicas gives
 * the sites and the observables of the scalar lane, bit for bit, on awkward lattices.
 */
#include "tests/inside.h"
#include "tests/models/suite.h"

enum { RECORDS = 3 };

/* All that a run has come to. */
typedef struct outcome {
    uint64_t start, swept, recorded, tuned; /* hashes */
    int64_t observed, recorded_count, count;
    double *numbers; /* measurements; the series; parameters and measurements at the end */
} outcome;

static int tunes(const test_model *m, latmc_update update)
{
    return m->tuned && suite_has(m->tuning_updates, (int)update);
}

static outcome run(const test_case *c, latmc_update update, const char *device, int threads)
{
    const test_model *m = c->model;
    const int64_t replicas = c->shape->replicas;
    latmc_lattice *lattice = suite_started(c, 0, replicas, device, threads);
    const suite_known list = suite_quantities(lattice, m);
    const int64_t things = list.count;
    outcome o = {.start = hash_of(lattice),
                 .observed = things * replicas,
                 .recorded_count = things * replicas * RECORDS};
    int64_t rest;
    double *last;

    ok(latmc_sweep(lattice, update, m->sweeps));
    o.swept = hash_of(lattice);
    o.numbers = suite_room(o.observed + o.recorded_count, sizeof *o.numbers);
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, things, list.of, o.numbers));
    ok(record_series(lattice, update, 2, RECORDS, list.count, list.of, o.numbers + o.observed));
    o.recorded = hash_of(lattice);
    if (tunes(m, update))
        ok(latmc_tune(lattice, update, 2, 0.4));
    o.tuned = hash_of(lattice);
    last = suite_numbers(lattice, m, &rest);
    o.count = o.observed + o.recorded_count + rest;
    o.numbers = realloc(o.numbers, (size_t)o.count * sizeof *o.numbers);
    assert_non_null(o.numbers);
    memcpy(o.numbers + o.observed + o.recorded_count, last, (size_t)rest * sizeof *last);
    free(last);
    latmc_destroy(lattice);
    return o;
}

static const char *number_kind(const outcome *o, int64_t i)
{
    return i < o->observed                       ? "an observable"
           : i < o->observed + o->recorded_count ? "the series"
                                                 : "what there is at the end";
}

static void compare(const test_case *c, const test_variant *v, const char *device, int threads,
                    const outcome *want)
{
    outcome got = run(c, v->update, device, threads);
    int64_t i = 0;

    while (i < got.count && memcmp(&got.numbers[i], &want->numbers[i], sizeof(double)) == 0)
        i++;
    if (i < got.count || got.start != want->start || got.swept != want->swept ||
        got.recorded != want->recorded || got.tuned != want->tuned)
        fail_msg("%s, %d threads, %s, %s, shape %d: start %d, swept %d, recorded %d, tuned %d; %s",
                 device, threads, c->model->name, v->name, c->number, got.start == want->start,
                 got.swept == want->swept, got.recorded == want->recorded, got.tuned == want->tuned,
                 i < got.count ? number_kind(&got, i) : "the numbers are the same");
    free(got.numbers);
}

/* What the scalar lane makes of each of a model's shapes and variants, in turn: once for all
 * devices, since it takes most of the time. */
static struct {
    const test_model *model;
    int made;
    outcome of[1024];
} wanted;

static const outcome *want_of(const test_case *c, const test_variant *v, int n)
{
    if (wanted.model != c->model)
        while (wanted.made > 0)
            free(wanted.of[--wanted.made].numbers);
    wanted.model = c->model;
    assert_true(n <= wanted.made && n < (int)ALL(wanted.of));
    if (n == wanted.made) {
        wanted.of[n] = run(c, v->update, "cpu:scalar", 1);
        wanted.made++;
    }
    return &wanted.of[n];
}

/* With 1, 2 and 3 threads: all of them, or one of them in turn; but for what is wanted itself. */
static void on_threads(const test_case *c, const test_variant *v, const char *device, int turn,
                       const outcome *want)
{
    const int gpu = strncmp(device, "cuda", 4) == 0, all = c->model->every_thread_count;
    const int scalar = strcmp(device, "cpu:scalar") == 0;

    for (int threads = 1 + scalar; threads <= (gpu ? 1 : 3); threads++)
        if (gpu || all || threads == (scalar ? 2 + turn % 2 : 1 + turn % 3))
            compare(c, v, device, threads, want);
}

static void device_agrees(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    int n = 0;

    for (int i = 0; m->shapes[i].dims; i++)
        for (int j = 0; m->variants[j].name; j++) {
            const test_variant *v = &m->variants[j];
            test_case c = suite_case(m, &m->shapes[i], v);
            c.number = i;
            if (suite_serves(&c, v->update))
                on_threads(&c, v, on->device, i + j, want_of(&c, v, n++));
        }
}

/* Tuned if the model has something to tune. */
static uint64_t advanced(const test_case *c, const test_variant *v, const char *device)
{
    latmc_lattice *lattice = suite_started(c, 0, c->shape->replicas, device, 0);
    uint64_t hash;

    if (tunes(c->model, v->update))
        ok(latmc_tune(lattice, v->update, 2, 0.4));
    else
        ok(latmc_sweep(lattice, v->update, 2));
    hash = hash_of(lattice);
    latmc_destroy(lattice);
    return hash;
}

/* By the scalar lane, once for all devices. */
typedef struct hashes {
    const test_model *model;
    int made;
    uint64_t of[1024];
} hashes;

static uint64_t hash_wanted(hashes *h, const test_case *c, const test_variant *v, int n)
{
    h->made = h->model == c->model ? h->made : 0;
    h->model = c->model;
    assert_true(n <= h->made && n < (int)ALL(h->of));
    if (n == h->made)
        h->of[h->made++] = advanced(c, v, "cpu:scalar");
    return h->of[n];
}

static void large_ensembles(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_variant *v = on->model->large_variant;
    static hashes wanted_large;
    int compared = 0;

    for (const shape *s = on->model->large; s->dims; s++) {
        if (suite_is_too_large(s) || strcmp(on->device, "cpu:scalar") == 0)
            continue;
        const test_case c = suite_case(on->model, s, v);
        assert_true(advanced(&c, v, on->device) == hash_wanted(&wanted_large, &c, v, compared));
        compared++;
    }
    if (compared == 0)
        skip();
}

/* First replicas far into an ensemble. With 1, 4 and 16 replicas a word the first three lie before
 * a group that begins a new 2^16, and the last one is as far as an ensemble goes. */
static int64_t far_first(int turn, int64_t replicas)
{
    const int64_t ends[] = {(int64_t)1 << 16, (int64_t)1 << 18, (int64_t)1 << 20};

    return turn % 4 < 3 ? ends[turn % 4] - (replicas + 1) / 2 : ((int64_t)1 << 32) - replicas;
}

enum { MOST_FAR = 1 << 17 }; /* sites */

static int64_t sites_of(const shape *s)
{
    int64_t sites = s->replicas;

    for (int a = 0; a < s->dims; a++)
        sites *= s->extents[a];
    return sites;
}

static void far_ensembles(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    const int scalar = strcmp(on->device, "cpu:scalar") == 0;
    static hashes wanted_far;
    int n = 0;

    for (int i = 0; m->shapes[i].dims; i++) {
        shape far = m->shapes[i];
        far.first = far_first(i, far.replicas);
        for (int j = 0; m->variants[j].name; j++) {
            const test_variant *v = &m->variants[j];
            const test_case c = suite_case(m, &far, v);
            if ((i + j) % 2 || sites_of(&far) > MOST_FAR || !suite_serves(&c, v->update))
                continue;
            const uint64_t want = hash_wanted(&wanted_far, &c, v, n++);
            if (!scalar && advanced(&c, v, on->device) != want)
                fail_msg("%s, %s, %s, shape %d", on->device, m->name, v->name, i);
        }
    }
}

/* Three replicas by themselves are those of the whole. */
static void compare_third(latmc_lattice *whole, const test_case *c, latmc_update update,
                          int64_t first)
{
    const int64_t sites = suite_count(c->model, info_of(whole).sites);
    const size_t bytes = (size_t)sites * suite_bytes(c->type);
    latmc_lattice *third = suite_started(c, first, 3, "cpu", 0);
    void *want = suite_room(1, bytes), *got = suite_room(1, bytes);

    ok(latmc_sweep(third, update, c->model->sweeps));
    for (int64_t r = 0; r < 3; r++) {
        ok(get_replica(whole, first + r, c->type, want, sites));
        ok(get_replica(third, r, c->type, got, sites));
        assert_memory_equal(want, got, bytes);
    }
    free(want);
    free(got);
    latmc_destroy(third);
}

/* An ensemble of nine in three parts, cut within words that replicas share. */
static void divided_ensemble(void **state)
{
    const test_model *m = suite_stage_of(state)->model;

    for (const test_variant *v = m->variants; v->name; v++) {
        const test_case c = suite_case(m, &m->nine, v);
        latmc_lattice *whole = suite_started(&c, 0, 9, "cpu", 0);
        ok(latmc_sweep(whole, v->update, m->sweeps));
        for (int64_t first = 0; first < 9; first += 3)
            compare_third(whole, &c, v->update, first);
        latmc_destroy(whole);
    }
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_ON_DEVICES(device_agrees),
        SUITE_ON_DEVICES(large_ensembles),
        SUITE_ON_DEVICES(far_ensembles),
        SUITE_TEST(divided_ensemble),
    };

    inside_share_all(1);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
