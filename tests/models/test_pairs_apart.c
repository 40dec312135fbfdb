/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over pairs of replicas where a device cannot make them as usual: without its memory, on
 * several devices, of a lattice that was loaded; and what is refused.
 */
#include "lib/physics/pair_sums.h"
#include "tests/models/pair_stage.h"

/* ---- without memory, and on several devices */

/* All observables of some pairs. */
static double *observed(latmc_lattice *lattice, int64_t *numbers)
{
    latmc_quantity all[MOST_OBSERVABLES];
    int64_t pairs[MOST_PAIRS][2];
    const int count = all_observables(lattice, all);
    const int64_t n = choose(info_of(lattice).replicas, pairs);
    double *values = suite_room(count * n, sizeof *values);

    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, n, pairs[0], count, all, values));
    *numbers = count * n;
    return values;
}

/* The host sums what a device has no memory for. */
static void sums_without_device_memory(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lattice = suite_rich(m, m->rich);
    lm_plan *plan;
    const lm_plan_ops *ops;
    lm_plan_ops without;
    double *want, *got;
    int64_t n;

    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    want = observed(lattice, &n);
    plan = &lattice->home.plan;
    ops = plan->ops;
    without = *ops;
    without.pairs = no_memory;
    without.pair_bundles = m->rich->type == LATMC_INT8 ? 1u << LM_PAIR_LINKS | 1u << LM_PAIR_OVERLAP
                                                       : (1u << LM_PAIR_BUNDLES) - 1u;
    without.pair_planes = no_memory_for_planes;
    lm_fail(LATMC_ERROR_STATE, "a failure before");
    plan->ops = &without;
    got = observed(lattice, &n);
    plan->ops = ops;
    same(got, want, n, "sums that the device has no memory for");
    assert_string_equal(latmc_error_message(), "a failure before");
    free(want);
    free(got);
    latmc_destroy(lattice);
}

/* Of replicas that two devices have, in pairs on one of them and on both: as of one device. */
static void check_dealt(latmc_lattice *lattice, const char *devices)
{
    int64_t n;
    double *want = observed(lattice, &n), *got;

    ok(latmc_set_division(lattice, LATMC_DIVIDE_REPLICAS));
    ok(latmc_set_device(lattice, devices));
    assert_non_null(lattice->home.plan.ops->lot);
    got = observed(lattice, &n);
    same(got, want, n, "pairs of several devices");
    free(want);
    free(got);
}

static void replicas_of_several_devices(void **state)
{
    static const shape shapes[] = {{2, {6, 4}, {P, A}, 0, 120}, {3, {4, 3, 6}, {P, O, P}, 0, 120}};
    const test_model *m = suite_stage_of(state)->model;
    const int gpu = usable("cuda:0") && has_model("cuda:0", (int)m->id);

    for (size_t i = 0; i < ALL(shapes); i++)
        for (int j = 0; m->variants[j].name; j++) {
            const test_case c = suite_case(m, &shapes[i], &m->variants[j]);
            latmc_lattice *lattice;

            if (!suite_serves(&c, m->variants[j].update))
                continue;
            lattice = suite_started(&c, 0, c.shape->replicas, "cpu:scalar", 1);
            ok(latmc_sweep(lattice, m->variants[j].update, 2));
            check_dealt(lattice, "cpu:scalar,scalar");
            if (gpu)
                check_dealt(lattice, "cuda:0,0");
            latmc_destroy(lattice);
        }
}

/* ---- rows */

/* Pairs of a loaded lattice are those of the saved one, and need no device. */
static void loaded_lattices_stay_where_they_are(void **state)
{
    const test_model *m = suite_stage_of(state)->model;

    for (const test_variant *v = m->rich; v->name; v++) {
        latmc_lattice *lattice = suite_rich(m, v), *loaded = NULL;
        const int64_t pairs[] = {0, 1, 1, 1, 1, 0};
        double saved[3 * 4], values[3 * 4];
        size_t bytes;
        void *file = save_whole(lattice, &bytes);

        ok(latmc_load_memory(&loaded, file, bytes));
        ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 3, pairs, 4, overlaps, saved));
        ok(latmc_observe_pairs(loaded, LATMC_BY_REPLICA, 3, pairs, 4, overlaps, values));
        same(values, saved, 12, "a loaded lattice");
        assert_null(loaded->home.plan.ops);
        check_pairs(loaded, 4);
        ok(latmc_sweep(loaded, v->update, 0));
        ok(latmc_observe_pairs(loaded, LATMC_BY_REPLICA, 3, pairs, 4, overlaps, values));
        same(values, saved, 12, "a loaded lattice on its device");
        free(file);
        latmc_destroy(lattice);
        latmc_destroy(loaded);
    }
}

/* ---- refusals */

static void bad_pairs_are_refused(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_status no = LATMC_ERROR_ARGUMENT, unknown = LATMC_ERROR_UNKNOWN;
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY), *q = overlaps;
    const int64_t pair[] = {0, 1};
    latmc_lattice *lattice = suite_made(m, 2, (int64_t[]){4, 4});
    double x = 7.0;

    refused(LATMC_ERROR_STATE, "latmc_start",
            latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pair, 1, q, &x));
    latmc_destroy(lattice);
    lattice = suite_rich(m, m->rich);
    refused(no, "pairs is NULL", latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, NULL, 1, q, &x));
    refused(no, "quantities is NULL",
            latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pair, 1, NULL, &x));
    refused(no, "values is NULL",
            latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pair, 1, q, NULL));
    refused(no, "pair_count is 0; it must be at least 1",
            latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 0, pair, 1, q, &x));
    refused(no, "pair_count is -1",
            latmc_observe_pairs(lattice, LATMC_BY_REPLICA, -1, pair, 1, q, &x));
    refused(no, "quantity_count is 0",
            latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pair, 0, q, &x));
    refused(no, "number 2 is in pair 0; 0 to 1",
            latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, (int64_t[]){0, 2}, 1, q, &x));
    refused(no, "number -1 is in pair 1; 0 to 1",
            latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 2, (int64_t[]){0, 1, -1, 0}, 1, q, &x));
    refused(
        unknown,
        "no observable of pairs number 2001; this one is of single replicas, for latmc_observe()",
        latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pair, 1, &energy, &x));
    if (suite_components(m) == 1) {
        const latmc_quantity tensor = LATMC_QUANTITY(LATMC_TENSOR_OVERLAP2);

        refused(unknown, "no observable of pairs number 2120; it has overlap (2101), abs_overlap",
                latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pair, 1, &tensor, &x));
    }
    refused(
        unknown,
        "no observable number 2101; this one is of pairs of replicas, for latmc_observe_pairs()",
        latmc_observe(lattice, LATMC_BY_REPLICA, 1, q, &x));
    refused(unknown, "no observable number 2104",
            record_series(lattice, m->rich->update, 1, 1, 1, q + 3, &x));
    assert_true(x == 7.0);
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(bad_pairs_are_refused),
        SUITE_TEST(loaded_lattices_stay_where_they_are),

        SUITE_TEST(sums_without_device_memory),
        SUITE_TEST(replicas_of_several_devices),
    };

    inside_share_all(1);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
