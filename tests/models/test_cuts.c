/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where lattices are cut: in few slabs if they are too large for a plan, never where a slab would
 * be too thin or a tile be cut. What cannot be cut says so: a model, a chain and an update.
 */
#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/spec.h"
#include "tests/models/cuts.h"
#include "tests/models/suite.h"

/* ---- lattices that are too large for a plan */

/* As few slabs as there can be, each with its halo within the limit, between tiles if there are
 * any.
 */
static void check_cuts(const lm_spec *spec, int64_t most, int slabs)
{
    const lm_to_divide what = {.spec = spec,
                               .wish = LATMC_DIVIDE_AUTO,
                               .cuts = &(lm_cuts){0},
                               .most_sites = most,
                               .devices = 1};
    lm_division *d = NULL;
    lm_cuts cuts;
    int64_t layer = 1;

    for (int a = 0; a < spec->dims - 1; a++)
        layer *= spec->extents[a];
    ok(lm_divide(&what, &d));
    assert_int_equal(d->pieces, slabs);
    cuts.count = slabs - 1;
    memcpy(cuts.layer, d->begin + 1, (size_t)cuts.count * sizeof *cuts.layer);
    free(d);
    for (int k = 0; k < slabs && slabs > 1; k++) {
        const lm_spec slab = cuts_slab(spec, &cuts, k);
        assert_true((slab.layers + 2 * spec->reach) * layer <= most);
        assert_true(slab.layers >= spec->reach);
    }
    assert_false(slabs > 1 && spec->tiled && cuts_tiles(spec, &cuts, 0));
}

static void cuts_are_few(void **state)
{
    const int64_t layer = 8 * 8;
    lm_spec spec = {
        .dims = 3, .reach = 2, .extents = {8, 8, 64, 1}, .layers = 64, .replicas = 1, .samples = 1};

    (void)state;
    check_cuts(&spec, 64 * layer, 1);
    check_cuts(&spec, 64 * layer - 1, 2);
    check_cuts(&spec, 36 * layer, 2);
    check_cuts(&spec, 36 * layer - 1, 3);
    check_cuts(&spec, 6 * layer, 32);
    check_cuts(&spec, 5 * layer, 1); /* there are none */
    spec.tiled = 1;
    check_cuts(&spec, 36 * layer, 2);
    check_cuts(&spec, 35 * layer, 3); /* of 16, 24, 24 layers */
    check_cuts(&spec, 27 * layer, 4);
    spec.dims = 1;
    spec.extents[0] = spec.layers = 4096;
    check_cuts(&spec, 100, 1);
}

/* ---- refusals */

/* A lattice that cannot be cut so: a start leaves it unstarted, a move where it is. */
static void is_refused(const test_model *m, int dims, const int64_t *extents, const lm_cuts *cuts,
                       const char *why)
{
    latmc_lattice *lattice = suite_made(m, dims, extents);
    uint64_t hash;

    ok(latmc_set_device(lattice, "cpu"));
    inside_cut(lattice, cuts);
    refused(LATMC_ERROR_ARGUMENT, why, latmc_start(lattice, LATMC_START_HOT));
    assert_int_equal(info_of(lattice).started, 0);
    inside_cut(lattice, &(lm_cuts){0});
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, (latmc_update)m->updates[0], 1));
    hash = hash_of(lattice);
    inside_cut(lattice, cuts);
    refused(LATMC_ERROR_ARGUMENT, why, latmc_set_device(lattice, "cpu"));
    assert_int_equal(lattice->home.cuts.count, 0);
    assert_true(hash_of(lattice) == hash);
    ok(latmc_sweep(lattice, (latmc_update)m->updates[0], 1));
    latmc_destroy(lattice);
}

static void impossible_cuts_are_refused(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const int64_t extents[] = {6, 9};

    if (!m->slabs)
        skip();
    is_refused(m, 1, (int64_t[]){8}, &(lm_cuts){1, {4}}, "chains");
    is_refused(m, 2, extents, &(lm_cuts){1, {0}}, "cannot begin at layer 0");
    is_refused(m, 2, extents, &(lm_cuts){1, {9}}, "cannot begin at layer 9");
    is_refused(m, 2, extents, &(lm_cuts){2, {4, 4}}, "after one that begins at layer 4");
    is_refused(m, 2, extents, &(lm_cuts){2, {5, 4}}, "must grow, up to 8");
    is_refused(m, 2, extents, &(lm_cuts){.count = LM_MAX_SLABS}, "at most 64 slabs");
}

/* A slab must have what its neighbours need; the plans of others are closed again. */
static void too_thin_slabs_are_refused(void **state)
{
    const lm_cuts thin = {2, {4, 5}}, wide = {2, {4, 6}};
    latmc_lattice *lattice = NULL;

    (void)state;
    ok(latmc_create(&lattice, LATMC_PHI4, 2, (int64_t[]){8, 8}));
    ok(latmc_set_option(lattice, LATMC_CUTOFF, 1));
    inside_cut(lattice, &thin);
    refused(LATMC_ERROR_ARGUMENT, "too thin", latmc_start(lattice, LATMC_START_COLD));
    inside_cut(lattice, &wide);
    ok(latmc_start(lattice, LATMC_START_COLD));
    latmc_destroy(lattice);
}

/* On devices that cannot be used here too. */
static void models_stay_whole_where_they_must(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const int dims = m->slabs ? 1 : 2;
    latmc_lattice *lattice = suite_made(m, dims, (int64_t[]){8, 6});
    lm_spec spec;

    spec = lm_spec_of(lattice);
    spec.layers--;
    for (const lm_backend *const *b = lm_backends; *b; b++) {
        lm_plan plan = {0};
        if (lm_backend_row(*b, (lm_backend_key){m->id, spec.kept}))
            refused(LATMC_ERROR_ARGUMENT, "slabs", lm_plan_open(*b, &spec, 0, &plan));
        assert_null(plan.ops);
    }
    latmc_destroy(lattice);
}

/* Also where it is a later step of a schedule, and nothing is swept or forgotten. */
static void cut_tiles_are_refused(void **state)
{
    const latmc_step steps[] = {step_of(LATMC_METROPOLIS, 3, 0),
                                step_of(LATMC_BLOCK_METROPOLIS, 1, 0)};
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    latmc_lattice *lattice = NULL;
    double values[2];
    uint64_t hash;

    (void)state;
    ok(latmc_create(&lattice, LATMC_PHI4, 3, (int64_t[]){8, 8, 40}));
    inside_cut(lattice, &(lm_cuts){2, {13, 22}});
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_OVERRELAX, 1)); /* alone it is not ergodic */
    assert_int_equal(record_not_ergodic(lattice, LATMC_OVERRELAX, 2, &energy, values), 1);
    hash = hash_of(lattice);
    ok(latmc_set_schedule(lattice, 2, steps));
    refused(LATMC_ERROR_ARGUMENT, "cut a tile", latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    refused(LATMC_ERROR_ARGUMENT, "the nearest place before is layer 20",
            latmc_sweep(lattice, LATMC_BLOCK_METROPOLIS, 1));
    refused(LATMC_ERROR_ARGUMENT, "latmc_tune: ", latmc_tune(lattice, LATMC_SCHEDULE, 1, 0.5));
    refused(LATMC_ERROR_ARGUMENT,
            "latmc_record: ", record_series(lattice, LATMC_SCHEDULE, 1, 2, 1, &energy, values));
    assert_true(hash_of(lattice) == hash);
    assert_int_equal(info_of(lattice).sweeps, 3);
    inside_cut(lattice, &(lm_cuts){2, {12, 20}});
    ok(latmc_set_device(lattice, "cpu:scalar"));
    refused(LATMC_ERROR_ARGUMENT, "the nearest place before is layer 6",
            latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    inside_cut(lattice, &(lm_cuts){1, {20}});
    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    latmc_destroy(lattice);
}

/* ---- parameters that some slabs have got and others not */

static const lm_plan_ops *real;
static int fails_at; /* that one does what it should, and says that it has failed */

static latmc_status fail_half_way(void *plan, const lm_parameters *parameters)
{
    const latmc_status status = real->put_parameters(plan, parameters);

    return --fails_at == 0 ? lm_fail(LATMC_ERROR_DEVICE, "sabotage") : status;
}

/* The one replica keeps its slot. Other parameters stay as they are. */
static latmc_status take_slots_alone(void *plan, const lm_parameters *parameters)
{
    (void)plan;
    (void)parameters;
    return LATMC_OK;
}

/* Steps with arguments of their own, in turn. */
static latmc_lattice *in_turn(void)
{
    const latmc_param hits = LATMC_HITS;
    const double own[] = {3.0, 1.0};
    const latmc_step steps[] = {step_with(step_of(LATMC_METROPOLIS, 1, 0), &hits, &own[0]),
                                step_with(step_of(LATMC_METROPOLIS, 1, 0), &hits, &own[1])};
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, LATMC_PHI4, 2, (int64_t[]){8, 12}));
    ok(latmc_set_schedule(lattice, 2, steps));
    inside_cut(lattice, &(lm_cuts){1, {5}});
    ok(latmc_set_device(lattice, "cpu:scalar"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

/* A call fails between the steps. The first step comes again, with its own arguments. */
static void parameters_are_put_again(void **state)
{
    latmc_lattice *calm = in_turn(), *lattice = in_turn();
    lm_plan_ops watched = *lattice->home.plan.ops;

    (void)state;
    real = lattice->home.plan.ops;
    watched.put_parameters = fail_half_way;
    watched.put_slots = take_slots_alone;
    lattice->home.plan.ops = &watched;
    fails_at = 2;
    refused(LATMC_ERROR_DEVICE, "latmc_sweep: sabotage", latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    assert_int_equal(info_of(lattice).sweeps, 1);
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    ok(latmc_sweep(calm, LATMC_SCHEDULE, 1));
    assert_true(hash_of(lattice) == hash_of(calm));
    lattice->home.plan.ops = real;
    latmc_destroy(lattice);
    latmc_destroy(calm);
}

/* A backend without the model's row refuses it by name. */
static void a_backend_without_the_model_says_so(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const lm_spec spec = {
        .model = m->id, .dims = 1, .extents = {4, 1, 1, 1}, .layers = 4, .replicas = 1};
    char part[40];

    snprintf(part, sizeof part, "no model %s", lm_model_of((int)m->id)->entry.name);
    for (const lm_backend *const *b = lm_backends; *b; b++) {
        const lm_backend none = {.name = (*b)->name,
                                 .models = (const lm_backend_model *const[]){NULL}};
        lm_plan plan = {0};
        refused(LATMC_ERROR_NO_DEVICE, part, lm_plan_open(&none, &spec, 0, &plan));
        assert_null(plan.ops);
    }
}

/* A model that there is not is refused by number. */
static void unknown_models_are_refused(void **state)
{
    const lm_spec spec = {
        .model = (latmc_model)999, .dims = 1, .extents = {4, 1, 1, 1}, .layers = 4, .replicas = 1};

    (void)state;
    for (const lm_backend *const *b = lm_backends; *b; b++) {
        lm_plan plan = {0};
        refused(LATMC_ERROR_NO_DEVICE, "no model of that number (999)",
                lm_plan_open(*b, &spec, 0, &plan));
        assert_null(plan.ops);
    }
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(impossible_cuts_are_refused),
        SUITE_TEST(models_stay_whole_where_they_must),
        SUITE_ONCE(too_thin_slabs_are_refused),
        SUITE_ONCE(cut_tiles_are_refused),
        SUITE_ONCE(parameters_are_put_again),
        SUITE_ONCE(cuts_are_few),
        SUITE_TEST(a_backend_without_the_model_says_so),
        SUITE_ONCE(unknown_models_are_refused),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
