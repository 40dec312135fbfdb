/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measurements make what is asked for, and that alone: an observable is the same by itself and
 * among all others, on every device; a plan writes the bundles that it was asked for; and a
 * call asks for those that its observables need.
 */
#include "lib/lattice/spec.h"
#include "lib/measure/reading.h"
#include "tests/inside.h"
#include "tests/models/suite.h"

enum { RECORDS = 3, BETWEEN = 2, MOST = 40 };

/* ---- observables */

static void compare_alone(latmc_lattice *lattice, const test_model *m)
{
    const int64_t replicas = info_of(lattice).replicas;
    const suite_known list = suite_quantities(lattice, m);
    const int count = list.count;
    double *all = suite_room(count * replicas, sizeof *all),
           *one = suite_room(replicas, sizeof *one);

    ok(latmc_observe(lattice, LATMC_BY_REPLICA, count, list.of, all));
    for (int o = 0; o < count; o++) {
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &list.of[o], one));
        if (memcmp(one, all + o * replicas, (size_t)replicas * sizeof *one) != 0)
            fail_msg("observable %d by itself is %.17g, among all %.17g", list.of[o].observable,
                     one[0], all[o * replicas]);
    }
    free(all);
    free(one);
}

/* Before any sweep, after one, when all is known, and after a record of something else. */
static void alone_on(const test_case *c, latmc_update update, const char *device, int threads)
{
    const test_model *m = c->model;
    latmc_lattice *lattice = suite_started(c, 0, c->shape->replicas, device, threads);
    double *series = suite_room(c->shape->replicas * RECORDS, sizeof *series);
    const suite_known list = suite_quantities(lattice, m);

    compare_alone(lattice, m);
    ok(latmc_sweep(lattice, update, m->sweeps));
    compare_alone(lattice, m);
    compare_alone(lattice, m);
    for (int o = 0; o < list.count; o += 3) {
        ok(record_series(lattice, update, BETWEEN, RECORDS, 1, list.of + o, series));
        compare_alone(lattice, m);
    }
    free(series);
    latmc_destroy(lattice);
}

/* ---- masks */

/* What stands where nothing was written. */
static const double untouched = -0x1.23456789abcdep+300;

static double *blank(int64_t count)
{
    double *sums = suite_room(count, sizeof *sums);

    for (int64_t i = 0; i < count; i++)
        sums[i] = untouched;
    return sums;
}

/* Of `count` replicas and records. */
static void check_mask(const lm_spec *spec, unsigned mask, const double *got, const double *all,
                       int64_t count)
{
    const int sums = lm_spec_sums(spec);

    for (int64_t i = 0; i < count; i++)
        for (int g = 0; g < spec->bundles; g++)
            for (int k = spec->bundle_begin[g]; k < spec->bundle_begin[g + 1]; k++) {
                const double *want = mask >> g & 1 ? &all[i * sums + k] : &untouched;
                if (memcmp(&got[i * sums + k], want, sizeof *want) != 0)
                    fail_msg("mask %x: sum %d of bundle %d is %g, not %g", mask, k, g,
                             got[i * sums + k], *want);
            }
}

static void measure_by_masks(const latmc_lattice *lattice)
{
    const lm_spec spec = lm_spec_of(lattice);
    const unsigned everything = (1u << spec.bundles) - 1;
    const int64_t count = spec.replicas * lm_spec_sums(&spec);
    double *all = blank(count);

    ok(lm_plan_measure(lattice->home.plan, everything, all));
    for (unsigned mask = 1; mask < everything; mask++) {
        double *some = blank(count);
        ok(lm_plan_measure(lattice->home.plan, mask, some));
        check_mask(&spec, mask, some, all, spec.replicas);
        free(some);
    }
    free(all);
}

/* Records of a lattice that begins anew; then its changes, which are kept whatever was asked for.
 */
static double *record_by_mask(const test_case *c, int update, const char *device, int threads,
                              unsigned mask)
{
    latmc_lattice *lattice = suite_started(c, 0, c->shape->replicas, device, threads);
    const latmc_update id = (latmc_update)c->model->updates[update];
    const lm_schedule_step only = {.update = update, .sweeps = 1};
    const lm_schedule schedule = {.steps = &only, .count = 1, .round = 1};
    lm_measure out = {.every = BETWEEN, .bundles = mask};
    const lm_spec spec = lm_spec_of(lattice);
    const int64_t each = spec.replicas * lm_spec_sums(&spec);
    const lm_plan *plan = &lattice->home.plan;
    double *sums = blank((RECORDS + 1) * each);

    ok(latmc_sweep(lattice, id, 1)); /* the plan knows the parameters */
    out.sums = sums;
    ok(plan->ops->run(plan->self, &schedule, &(lm_cursor){.sweep = 1}, RECORDS * BETWEEN, &out));
    ok(lm_plan_measure(*plan, lm_changes_of(&spec), sums + RECORDS * each));
    latmc_destroy(lattice);
    return sums;
}

static void record_by_masks(const test_case *c, int update, const char *device, int threads)
{
    latmc_lattice *lattice = suite_lattice(c, 0, c->shape->replicas);
    const lm_spec spec = lm_spec_of(lattice);
    const unsigned everything = (1u << spec.bundles) - 1;
    const int64_t count = spec.replicas * RECORDS, sums = lm_spec_sums(&spec);
    double *all = record_by_mask(c, update, device, threads, everything);

    for (int g = 0; g < 2 * spec.bundles; g++) {
        const unsigned one = 1u << g / 2, mask = g % 2 ? everything & ~one : one;
        double *some = record_by_mask(c, update, device, threads, mask);
        check_mask(&spec, mask, some, all, count);
        check_mask(&spec, lm_changes_of(&spec), some + count * sums, all + count * sums,
                   spec.replicas);
        free(some);
    }
    free(all);
    latmc_destroy(lattice);
}

static int place_of(const test_model *m, latmc_update update)
{
    int i = 0;

    while (m->updates[i] != (int)update)
        i++;
    return i;
}

/* Measurements of all; records, which begin a lattice for each mask, of one in four. */
static void masks_on(const test_case *c, latmc_update update, const char *device, int threads)
{
    latmc_lattice *lattice = suite_started(c, 0, c->shape->replicas, device, threads);

    ok(latmc_sweep(lattice, update, c->model->sweeps));
    measure_by_masks(lattice);
    latmc_destroy(lattice);
    if (c->number % 4 == 0)
        record_by_masks(c, place_of(c->model, update), device, threads);
}

/* ---- every device */

typedef void check_on(const test_case *c, latmc_update update, const char *device, int threads);

/* Every shape with every third of the variants, another third for the next shape. */
static void on_all_shapes(void **state, check_on *check)
{
    /* Threads wake each other for every round of these small lattices, which takes most of the
     * time. */
    static const int threads[] = {1, 2, 1, 1, 3, 1};
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;

    for (int i = 0; m->shapes[i].dims; i++)
        for (int j = 0; m->variants[j].name; j++) {
            test_case c = suite_case(m, &m->shapes[i], &m->variants[j]);
            c.number = i + j;
            if (c.number % 3 == 0 && suite_has_case(on, c.number / 12) &&
                suite_serves(&c, m->variants[j].update))
                check(&c, m->variants[j].update, on->device, threads[c.number / 3 % ALL(threads)]);
        }
}

static void observables_do_not_need_each_other(void **state)
{
    on_all_shapes(state, alone_on);
}

static void plans_make_what_they_are_asked_for(void **state)
{
    on_all_shapes(state, masks_on);
}

/* ---- what is asked for */

static struct {
    const lm_plan_ops *real;
    unsigned bundles; /* of all that was measured */
    int calls;        /* which measure */
} spied;

static latmc_status spy(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                        int64_t budget, const lm_measure *out)
{
    spied.bundles |= out ? out->bundles : 0;
    spied.calls += out != NULL;
    return spied.real->run(plan, schedule, cursor, budget, out);
}

/* Asserts what the calls since the last time have asked for. */
static void asked(int calls, unsigned bundles)
{
    assert_int_equal(spied.calls, calls);
    assert_int_equal(spied.bundles, bundles);
    spied.calls = 0;
    spied.bundles = 0;
}

/* A model whose order has no sign need not have its modulus. */
static const lm_entry *entry_of(const latmc_lattice *lattice, latmc_role role)
{
    const lm_list *list = lm_list_of(lattice->model, LATMC_OBSERVABLES);

    for (int i = 0; i < list->count; i++)
        if (list->entries[i].role == role)
            return &list->entries[i];
    if (role == LATMC_ROLE_ABS_ORDER)
        return entry_of(lattice, LATMC_ROLE_ORDER);
    fail_msg("the model %s has no observable of the role %d", lattice->model->entry.name, role);
    return NULL;
}

static void changes_are_asked_for_once(latmc_lattice *lattice, const test_model *m,
                                       latmc_update update)
{
    const unsigned changes = lm_model_changes(lattice->model);
    const latmc_quantity share = suite_share(m);
    double values[MOST];
    size_t bytes;

    ok(latmc_sweep(lattice, update, 1));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &share, values));
    asked(1, changes);
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &share, values));
    asked(0, 0);
    ok(record_series(lattice, update, 1, RECORDS, 1, &share, values));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &share, values));
    asked(1, changes);
    ok(latmc_sweep(lattice, update, 1));
    free(save_whole(lattice, &bytes));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &share, values));
    asked(1, changes);
    if (m->tuned) {
        ok(latmc_tune(lattice, (latmc_update)m->tuning_updates[0], 4, 0.5));
        asked(4, changes);
    }
}

/* The cut-off term's sums are not, where the option is off, nor those of fields where there are
 * none. */
static unsigned needed(const latmc_lattice *lattice, unsigned bundles)
{
    return lm_bundles_in_use(lattice, bundles);
}

static void no_more_is_asked_for_than_is_needed(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const test_variant *v = m->variants;
    const test_case c = suite_case(m, &rich_shape, v);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu:scalar", 0);
    const lm_entry *order = entry_of(lattice, LATMC_ROLE_ABS_ORDER);
    const lm_entry *energy = entry_of(lattice, LATMC_ROLE_ENERGY);
    const latmc_quantity both[] = {LATMC_QUANTITY(order->id), LATMC_QUANTITY(energy->id)};
    const latmc_quantity share = suite_share(m);
    lm_plan_ops watched = *lattice->home.plan.ops;
    double values[MOST];

    spied.real = lattice->home.plan.ops;
    watched.run = spy;
    lattice->home.plan.ops = &watched;
    changes_are_asked_for_once(lattice, m, v->update);
    ok(latmc_sweep(lattice, v->update, 1));
    asked(0, 0);
    assert_int_equal((order->bundles | energy->bundles) & lm_model_changes(lattice->model), 0);
    assert_int_not_equal(order->bundles, energy->bundles);
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, both, values));
    asked(1, order->bundles);
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 2, both, values));
    asked(1, needed(lattice, order->bundles | energy->bundles));
    ok(record_series(lattice, v->update, 1, RECORDS, 1, both, values));
    asked(1, order->bundles);
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &share,
                     values)); /* of the record's last sweep */
    asked(1, lm_model_changes(lattice->model));
    ok(observe_one(lattice, LATMC_SLOT, values));
    ok(record_series(lattice, v->update, 1, 1, 1, (latmc_quantity[]){LATMC_QUANTITY(LATMC_SLOT)},
                     values));
    asked(0, 0);
    lattice->home.plan.ops = spied.real;
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(no_more_is_asked_for_than_is_needed),
        SUITE_ON_DEVICES(observables_do_not_need_each_other),
        SUITE_ON_DEVICES(plans_make_what_they_are_asked_for),
    };

    inside_share_all(1);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
