/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs: a lattice that is cut along its slowest axis gives the whole lattice's answers to every
 * call, on every usable device. test_cuts has where it is cut, and what cannot be.
 */
#include <unistd.h>

#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/spec.h"
#include "tests/known/table.h"
#include "tests/models/cuts.h"
#include "tests/models/suite.h"
#include "tests/random/play.h"

static const int slab_counts[] = {2, 3, 5};

static int is_cpu(const char *device)
{
    return strncmp(device, "cpu:", 4) == 0;
}

/* The lanes share the cases: what there is to see is in the code around them. */
static int has_turn(const suite_stage *on, int number)
{
    int lanes = 0, own = 0;

    for (size_t i = 0; i < ALL(every_device); i++) {
        if (strcmp(every_device[i], on->device) == 0)
            own = lanes;
        lanes += is_cpu(every_device[i]) && usable(every_device[i]);
    }
    return !is_cpu(on->device) || number % lanes == own;
}

/* ---- the table of known answers: every call of its cases, with the committed answers */

/* The cuts of the case that is being played, and how often it has gone to a device. */
static lm_cuts cuts_played;
static int times_gone;

/* Every other time, so after a load, the lattice is whole. */
static void cut_or_whole(latmc_lattice *lattice, int home)
{
    inside_cut(lattice, times_gone++ % 2 || !home ? &(lm_cuts){0} : &cuts_played);
}

/* Between tiles where the case has an update that goes by tiles. */
static lm_cuts cuts_for(const random_case *c, const lm_spec *spec, int slabs)
{
    const lm_model *model = lm_model_of(c->model);
    lm_cuts cuts = cuts_unequal(spec, slabs);

    for (int s = 0; s < c->step_count; s++) {
        const case_verb verb = c->steps[s].verb;

        if ((verb == CASE_SWEEP || verb == CASE_RECORD || verb == CASE_TUNE) &&
            spec->tiled >> lm_update_number(model, (latmc_update)c->steps[s].id) & 1)
            return cuts_between_tiles(spec, slabs);
    }
    return cuts;
}

/* The lattice's spec, on whatever device. */
static lm_spec spec_of(const random_case *c)
{
    latmc_lattice *lattice = play_lattice(c, "cpu:scalar");
    lm_spec spec;

    assert_non_null(lattice);
    spec = lm_spec_of(lattice);
    latmc_destroy(lattice);
    return spec;
}

/* 0 if it has too few layers. */
static int play_cut(const table_row *row, const lm_spec *spec, const char *device, int slabs)
{
    const play_place place = {.device = device, .goes = cut_or_whole};
    play_answer got;

    cuts_played = cuts_for(&row->c, spec, slabs);
    times_gone = 0;
    if (!cuts_played.count)
        return 0;
    play_known(&row->c, &place, &got);
    if (got.refused || got.trajectory != row->trajectory || got.form != row->form)
        fail_msg("%s, in %d slabs, the second from layer %lld: %s: %s", device,
                 cuts_played.count + 1, (long long)cuts_played.layer[0],
                 got.refused ? "a call is refused" : "other answers", row->text);
    return 1;
}

/* Replicas on both sides of a multiple of 2^16 are never in one plan, so slabs refuse them. */
static int counters_differ(const random_case *c)
{
    return c->first >> 16 != (c->first + c->replicas - 1) >> 16;
}

/* In 2, 3 or 5 slabs in turn, other ones on the next device. */
static void play_the_table(const suite_stage *on, int turn, int *checked)
{
    const test_model *m = on->model;
    static table_row row;
    FILE *table = fopen(KNOWN_TABLE, "r");

    assert_non_null(table);
    while (table_next(table, &row)) {
        lm_spec spec;

        if (!row.has_case || row.c.model != (int)m->id || row.c.dims == 1)
            continue;
        if (counters_differ(&row.c))
            continue;
        if (LM_SANITIZED ? row.c.seed % 5 != 0 : !has_turn(on, (int)(row.c.seed % 12)))
            continue;
        spec = spec_of(&row.c);
        if ((spec.kept == LM_AS_BYTES) != m->bytes)
            continue;
        if (spec.components != suite_components(m))
            continue;
        for (size_t i = 0; i < ALL(slab_counts); i++)
            if (play_cut(&row, &spec, on->device,
                         slab_counts[(i + (size_t)turn) % ALL(slab_counts)])) {
                (*checked)++;
                turn++;
                break;
            }
    }
    fclose(table);
}

/* A model that is akin to another has the same lattices of the table. */
static void cut_lattices_give_known_answers(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_device_info info = LATMC_INIT(latmc_device_info);

    for (int i = 0; m->slabs && !m->akin && !latmc_describe_device(i, &info); i++) {
        const suite_stage on = {.model = m, .device = info.name};
        int checked = 0;

        if (!info.usable)
            continue;
        play_the_table(&on, i, &checked);
        print_message("%s: %d lattices\n", info.name, checked);
        assert_true(checked >= m->slabs / (LM_SANITIZED ? 10 : is_cpu(on.device) ? 5 : 1));
    }
}

/* ---- all that the table has not, beside a whole lattice */

/* A lattice, whole and cut. */
typedef struct pair_of {
    const test_case *c;
    const test_variant *v;
    const char *device;
    lm_cuts cuts;
    latmc_lattice *whole, *cut;
} pair_of;

static const shape cut_shapes[] = {
    {2, {33, 36}, {A, P}, 5, 3},       {3, {8, 6, 34}, {P, O, A}, 0, 2},
    {3, {7, 8, 23}, {A, P, O}, 40, 2}, {4, {4, 5, 4, 13}, {P, A, O, P}, 3, 2},
    {3, {20, 6, 16}, {P, P, P}, 0, 1},
};

static void same(const pair_of *p, const char *after)
{
    const char *what = suite_difference(p->whole, p->cut, p->c->model);

    if (what)
        fail_msg("%s, %s, shape %d, %d slabs on %s, after %s: other %s", p->c->model->name,
                 p->v->name, p->c->number, p->cuts.count + 1, p->device, after, what);
}

/* Can both have the update? */
static int served(const pair_of *p, int place)
{
    const lm_spec spec = lm_spec_of(p->whole);

    return p->c->model->serves(p->c, (latmc_update)p->c->model->updates[place]) &&
           !cuts_tiles(&spec, &p->cuts, place);
}

/* Both sides of a call. */
#define BOTH(p, call)                                                                              \
    do {                                                                                           \
        latmc_lattice *lattice = (p)->whole;                                                       \
        ok(call);                                                                                  \
        lattice = (p)->cut;                                                                        \
        ok(call);                                                                                  \
    } while (0)

static void record_both(const pair_of *p, latmc_update update, int64_t every)
{
    enum { RECORDS = 3 };
    const test_model *m = p->c->model;
    int64_t numbers = RECORDS * p->c->shape->replicas;
    const suite_known list = suite_quantities(p->whole, m);
    const int count = list.count;
    double *want, *got;

    numbers *= count;
    want = suite_room(numbers, sizeof *want);
    got = suite_room(numbers, sizeof *got);
    ok(record_series(p->whole, update, every, RECORDS, count, list.of, want));
    ok(record_series(p->cut, update, every, RECORDS, count, list.of, got));
    assert_memory_equal(want, got, (size_t)numbers * sizeof *want);
    ok(record_series(p->whole, update, every, RECORDS, 1, m->observables, want));
    ok(record_series(p->cut, update, every, RECORDS, 1, m->observables, got));
    assert_memory_equal(want, got, RECORDS * sizeof *want);
    free(want);
    free(got);
}

static void updates_alone(const pair_of *p)
{
    const test_model *m = p->c->model;

    for (int i = 0; m->updates[i]; i++) {
        const latmc_update update = (latmc_update)m->updates[i];

        if (!served(p, i))
            continue;
        BOTH(p, latmc_sweep(lattice, update, 2));
        same(p, "sweeps");
        record_both(p, update, 2);
        if (m->tuned && suite_has(m->tuning_updates, (int)update))
            BOTH(p, latmc_tune(lattice, update, 3, 0.5));
        same(p, "a series and tuning");
    }
}

/* All updates that there are, the first of them with hits of its own and exchanges of replicas; a
 * parameter on its way. */
static void in_schedules(const pair_of *p)
{
    const test_model *m = p->c->model;
    const int64_t sweeps[] = {2, 1, 3};
    const latmc_param hits = LATMC_HITS;
    const double ends[] = {0.6, 0.5, 0.7}, own = 3.0;
    latmc_step steps[3];
    int count = 0, tunes = 0;

    for (int i = 0; m->updates[i]; i++)
        if (served(p, i)) {
            steps[count] = step_of((latmc_update)m->updates[i], sweeps[count], 0);
            count++;
            tunes |= m->tuned && suite_has(m->tuning_updates, m->updates[i]);
        }
    if (suite_has(m->params, LATMC_HITS))
        steps[0] = step_with(steps[0], &hits, &own);
    steps[0].exchanges = p->c->shape->replicas > 1 ? 2 : 0;
    BOTH(p, latmc_set_schedule(lattice, count, steps));
    BOTH(p, latmc_sweep(lattice, LATMC_SCHEDULE, 2));
    same(p, "rounds");
    record_both(p, LATMC_SCHEDULE, 1);
    if (tunes)
        BOTH(p, latmc_tune(lattice, LATMC_SCHEDULE, 2, 0.4));
    BOTH(p, latmc_set_ramp(lattice, (latmc_param)m->params[0], ends, 4));
    record_both(p, LATMC_SCHEDULE, 1);
    same(p, "a ramp");
}

static void pairs_of_replicas(const pair_of *p)
{
    const latmc_quantity overlap = LATMC_QUANTITY(LATMC_OVERLAP);
    const int64_t replicas[] = {0, p->c->shape->replicas - 1, 0, 0};
    double want[2], got[2];

    ok(latmc_observe_pairs(p->whole, LATMC_BY_REPLICA, 2, replicas, 1, &overlap, want));
    ok(latmc_observe_pairs(p->cut, LATMC_BY_REPLICA, 2, replicas, 1, &overlap, got));
    assert_memory_equal(want, got, sizeof want);
}

/* Some rows, which lie in one slab or in several, out and in; none beyond the last. */
static void rows_are_dealt(const pair_of *p)
{
    const lm_plan whole = p->whole->home.plan, cut = p->cut->home.plan;
    const int64_t rows = p->whole->rows, replica = p->c->shape->replicas - 1;
    const size_t row = (size_t)lm_row_numbers(p->whole) * (size_t)p->whole->type->entry.bytes;
    char *want = suite_room(2 * rows, row), *got = suite_room(2 * rows, row);

    for (int64_t first = 0; first < rows; first += 1 + rows / 13)
        for (int64_t count = 1; first + count <= rows; count += 1 + rows / 7) {
            const size_t bytes = (size_t)count * row;

            ok(whole.ops->get_sites(whole.self, replica, first, count, want));
            ok(cut.ops->get_sites(cut.self, replica, first, count, got));
            assert_memory_equal(want, got, 2 * (size_t)rows * row); /* and nothing else */
            ok(whole.ops->get_sites(whole.self, 0, first, count, want));
            ok(cut.ops->put_sites(cut.self, replica, first, count, want));
            ok(cut.ops->get_sites(cut.self, replica, first, count, want));
            ok(whole.ops->get_sites(whole.self, 0, first, count, got));
            assert_memory_equal(want, got, bytes);
            ok(whole.ops->get_sites(whole.self, replica, first, count, want));
            ok(cut.ops->put_sites(cut.self, replica, first, count, want));
            memset(want, 0, bytes);
            memset(got, 0, bytes);
        }
    refused(LATMC_ERROR_ARGUMENT, "not all in this slab",
            cut.ops->get_sites(cut.self, 0, rows - 1, 2, got));
    free(want);
    free(got);
    same(p, "rows went out and in");
}

/* Sites of the first replica to the last, whose halos are then others. */
static void given_sites(const pair_of *p)
{
    const test_model *m = p->c->model;
    const int64_t count = lm_replica_numbers(p->whole);
    void *sites = suite_room(count, sizeof(double));

    ok(get_replica(p->cut, 0, p->c->type, sites, count));
    BOTH(p, set_replica(lattice, p->c->shape->replicas - 1, p->c->type, sites, count));
    free(sites);
    same(p, "sites were set");
    BOTH(p, latmc_sweep(lattice, (latmc_update)m->updates[0], 1));
    same(p, "sites were set and swept");
    BOTH(p, latmc_start(lattice, LATMC_START_HOT));
    BOTH(p, latmc_sweep(lattice, (latmc_update)m->updates[0], 1));
    same(p, "another start");
}

/* A saved lattice, whose file is no more. */
static char *saved(latmc_lattice *lattice, size_t *bytes)
{
    char path[] = "/tmp/latmc-slabs-XXXXXX", *file;
    FILE *in;

    close(mkstemp(path));
    ok(latmc_save(lattice, path));
    ok(latmc_save_memory(lattice, NULL, 0, bytes));
    file = suite_room(1, *bytes + 1);
    in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(fread(file, 1, *bytes + 1, in), *bytes);
    fclose(in);
    unlink(path);
    return file;
}

static void load(latmc_lattice **lattice, const char *file, size_t bytes, const lm_cuts *cuts,
                 const char *device)
{
    latmc_destroy(*lattice);
    ok(latmc_load_memory(lattice, file, bytes));
    inside_cut(*lattice, cuts);
    ok(latmc_set_device(*lattice, device));
}

/* The files are the same, and each is loaded as the other. */
static void saves(pair_of *p)
{
    size_t of_whole, of_cut;
    char *whole = saved(p->whole, &of_whole), *cut = saved(p->cut, &of_cut);

    assert_int_equal(of_whole, of_cut);
    assert_memory_equal(whole, cut, of_whole);
    load(&p->whole, cut, of_cut, &(lm_cuts){0}, p->device);
    load(&p->cut, whole, of_whole, &p->cuts, p->device);
    free(whole);
    free(cut);
    same(p, "loads");
    BOTH(p, latmc_sweep(lattice, (latmc_update)p->c->model->updates[0], 1));
    assert_int_equal(p->cut->home.cuts.count, p->cuts.count);
    same(p, "a sweep of loaded ones");
}

static void go(latmc_lattice *lattice, const lm_cuts *cuts, const char *device)
{
    inside_cut(lattice, cuts);
    ok(latmc_set_device(lattice, device));
    assert_int_equal(lattice->home.cuts.count, cuts->count);
}

/* Whole, cut in another way, and as before, with sweeps in between. */
static void moves(const pair_of *p)
{
    const lm_spec spec = lm_spec_of(p->whole);
    const lm_cuts others[] = {{0}, cuts_unequal(&spec, 2), p->cuts};
    const latmc_update update = (latmc_update)p->c->model->updates[0];

    for (size_t i = 0; i < ALL(others); i++) {
        BOTH(p, latmc_sweep(lattice, update, 1)); /* so that changes are to be fetched */
        go(p->cut, &others[i], i == 0 ? "cpu:scalar" : p->device);
        same(p, "a move");
        BOTH(p, latmc_sweep(lattice, update, 1));
        same(p, "a move and a sweep");
    }
}

/* Some slabs, between tiles where the variant's update goes by tiles. */
static void tell(const test_case *c, const test_variant *v, const char *device, int slabs)
{
    pair_of p = {.c = c, .v = v, .device = device};
    lm_spec spec;

    p.whole = suite_started(c, 0, c->shape->replicas, "cpu:scalar", 1);
    spec = lm_spec_of(p.whole);
    p.cuts = spec.tiled >> lm_update_number(p.whole->model, v->update) & 1
                 ? cuts_between_tiles(&spec, slabs)
                 : cuts_unequal(&spec, slabs);
    assert_true(p.cuts.count > 0);
    p.cut = suite_lattice(c, 0, c->shape->replicas);
    inside_cut(p.cut, &p.cuts);
    ok(latmc_set_threads(p.cut, 1 + slabs % 3));
    ok(latmc_set_device(p.cut, device));
    ok(latmc_start(p.cut, LATMC_START_HOT));
    assert_int_equal(p.cut->home.cuts.count, p.cuts.count);
    same(&p, "the start");
    updates_alone(&p);
    in_schedules(&p);
    pairs_of_replicas(&p);
    rows_are_dealt(&p);
    saves(&p);
    moves(&p);
    given_sites(&p);
    latmc_destroy(p.whole);
    latmc_destroy(p.cut);
}

/* Each variant on one of the shapes, in turn. */
static void cut_is_whole(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    int told = 0;

    for (int j = 0; m->slabs && m->variants[j].name; j++) {
        test_case c = suite_case(m, &cut_shapes[(size_t)j % ALL(cut_shapes)], &m->variants[j]);

        c.number = j;
        if (!m->serves(&c, m->variants[j].update) || !has_turn(on, j))
            continue;
        if (LM_SANITIZED && told > 0 && j / 2 % 2) /* every other one of a lane's */
            continue;
        tell(&c, &m->variants[j], on->device, slab_counts[(size_t)j % ALL(slab_counts)]);
        told++;
    }
    assert_true(told >= (is_cpu(on->device) ? 1 : 4) || !m->slabs);
}

/* ---- lattices that are too large for a plan */

/* A plan of slabs is none itself. */
static int is_cut(const latmc_lattice *lattice)
{
    return lattice->home.plan.ops->slabs == NULL;
}

/* What is too large for a plan is cut by itself, and nothing else shows it. */
static void large_lattices_are_cut(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    static const shape large = {3, {8, 6, 40}, {P, O, A}, 0, 2};

    for (int j = 0; m->slabs && m->variants[j].name; j++) {
        const test_case c = suite_case(m, &large, &m->variants[j]);
        pair_of p = {.c = &c, .v = &m->variants[j], .device = on->device};

        if (!m->serves(&c, p.v->update) || !has_turn(on, j + 1))
            continue;
        p.whole = suite_started(&c, 0, 2, "cpu:scalar", 1);
        p.cut = suite_lattice(&c, 0, 2);
        inside_limit(p.cut, 8 * 6 * 20);
        ok(latmc_set_device(p.cut, on->device));
        ok(latmc_start(p.cut, LATMC_START_HOT));
        assert_true(is_cut(p.cut) && !is_cut(p.whole));
        same(&p, "the start");
        updates_alone(&p);
        const void *plan = p.cut->home.plan.self;
        ok(latmc_set_device(p.cut, on->device)); /* there it is */
        assert_ptr_equal(p.cut->home.plan.self, plan);
        inside_limit(p.cut, 0);
        ok(latmc_set_device(p.cut, strcmp(on->device, "cpu:scalar") ? "cpu:scalar" : "cpu"));
        same(&p, "a move");
        latmc_destroy(p.whole);
        latmc_destroy(p.cut);
    }
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_ON_DEVICES(large_lattices_are_cut),
        SUITE_ON_DEVICES(cut_is_whole),
        SUITE_TEST(cut_lattices_give_known_answers),
    };

    inside_share_all(0);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
