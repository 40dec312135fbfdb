/* SPDX-License-Identifier: BSD-3-Clause */
/* What descriptions say of models, parameters and updates is what lattices do. */
#include "tests/support.h"

/* ---- which parameters an update reads */

/* A value, and another one for which some site of a sweep differs. */
static const struct {
    latmc_param param;
    double value, other;
} values[] = {
    {LATMC_BETA, 0.4, 0.7},         {LATMC_FIELD, 0.1, 0.4},   {LATMC_CRYSTAL_FIELD, 0.1, 0.6},
    {LATMC_NOISE, 0.1, 0.3},        {LATMC_MU2, -1.0, -0.5},   {LATMC_G, 6.0, 3.0},
    {LATMC_INV_LAMBDA, 0.25, 0.5},  {LATMC_EPSILON, 0.9, 0.5}, {LATMC_HITS, 1.0, 3.0},
    {LATMC_LOCAL_SWEEPS, 1.0, 2.0},
};

static double value_of(latmc_param param, int other)
{
    size_t i = 0;

    while (i < ALL(values) && values[i].param != param)
        i++;
    assert_true(i < ALL(values));
    return other ? values[i].other : values[i].value;
}

/* A lattice whose parameters have these values, but one of them another. */
static latmc_lattice *with_other(latmc_model model, int other)
{
    latmc_lattice *lattice = NULL;
    latmc_description param = LATMC_INIT(latmc_description);

    ok(latmc_create(&lattice, model, 2, (int64_t[]){32, 32}));
    if (model == LATMC_PHI4)
        ok(latmc_set_option(lattice, LATMC_CUTOFF, 1));
    for (int i = 0; !latmc_describe(LATMC_PARAMS, model, i, &param); i++)
        ok(latmc_set_param(lattice, (latmc_param)param.id,
                           value_of((latmc_param)param.id, i == other)));
    ok(latmc_set_device(lattice, "cpu:scalar"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

/* The hash of the sites after two sweeps. */
static uint64_t swept(latmc_model model, latmc_update update, int other)
{
    latmc_lattice *lattice = with_other(model, other);
    uint64_t hash;

    ok(latmc_sweep(lattice, update, 2));
    hash = hash_of(lattice);
    latmc_destroy(lattice);
    return hash;
}

static int reads(const latmc_description *update, latmc_param param)
{
    int times = 0;

    for (int64_t i = 0; i < update->param_count; i++)
        times += update->params[i] == param;
    return times;
}

static void check_update(latmc_model model, const latmc_description *update)
{
    const uint64_t hash = swept(model, (latmc_update)update->id, -1);
    latmc_description param = LATMC_INIT(latmc_description);
    int64_t known = 0;

    for (int i = 0; !latmc_describe(LATMC_PARAMS, model, i, &param); i++) {
        const int named = reads(update, (latmc_param)param.id);
        const int changes = swept(model, (latmc_update)update->id, i) != hash;

        if (named != changes)
            fail_msg("model %d, %s: %s is named %d times, and changes %d", (int)model, update->name,
                     param.name, named, changes);
        known += named;
    }
    assert_int_equal(known, update->param_count);
}

/* ---- every model */

static void each_model(void (*check)(const latmc_description *model))
{
    latmc_description model = LATMC_INIT(latmc_description);

    for (int m = 0; !latmc_describe(LATMC_MODELS, LATMC_ISING, m, &model); m++)
        check(&model);
}

static void check_updates(const latmc_description *model)
{
    latmc_description update = LATMC_INIT(latmc_description);

    for (int i = 0; !latmc_describe(LATMC_UPDATES, (latmc_model)model->id, i, &update); i++)
        check_update((latmc_model)model->id, &update);
}

static void updates_read_what_they_name(void **state)
{
    (void)state;
    each_model(check_updates);
}

/* An update is tuned if and only if latmc_tune() takes it. */
static void check_tuning(const latmc_description *model)
{
    latmc_description update = LATMC_INIT(latmc_description);

    for (int i = 0; !latmc_describe(LATMC_UPDATES, (latmc_model)model->id, i, &update); i++) {
        latmc_lattice *lattice = with_other((latmc_model)model->id, -1);
        const latmc_status status = latmc_tune(lattice, (latmc_update)update.id, 2, 0.5);

        assert_int_equal(status == LATMC_OK, update.tuned);
        latmc_destroy(lattice);
    }
}

static void updates_are_tuned_as_described(void **state)
{
    (void)state;
    each_model(check_tuning);
}

/* ---- parameters */

static int can_ramp(latmc_model model, latmc_param param)
{
    latmc_lattice *lattice = with_other(model, -1);
    const double to = value_of(param, 1);
    const latmc_status status = latmc_set_ramp(lattice, param, &to, 3);

    latmc_destroy(lattice);
    return status == LATMC_OK;
}

static int can_step(latmc_model model, latmc_param param)
{
    latmc_lattice *lattice = with_other(model, -1);
    latmc_description update = LATMC_INIT(latmc_description);
    const double other = value_of(param, 1);
    latmc_step step;
    latmc_status status;

    ok(latmc_describe(LATMC_UPDATES, model, 0, &update));
    step = step_of((latmc_update)update.id, 1, 0);
    step = step_with(step, &param, &other);
    status = latmc_set_schedule(lattice, 1, &step);
    latmc_destroy(lattice);
    return status == LATMC_OK;
}

static void check_params(const latmc_description *model)
{
    const latmc_model id = (latmc_model)model->id;
    latmc_description param = LATMC_INIT(latmc_description);

    for (int i = 0; !latmc_describe(LATMC_PARAMS, id, i, &param); i++) {
        const latmc_param of = (latmc_param)param.id;
        const int physical = of != LATMC_EPSILON && !param.in_steps;

        assert_int_equal(can_ramp(id, of), param.in_ramps);
        assert_int_equal(can_step(id, of), param.in_steps);
        assert_int_equal(param.in_exchanges, physical && model->has_exchanges);
    }
}

static void parameters_are_used_as_described(void **state)
{
    (void)state;
    each_model(check_params);
}

/* ---- models */

static latmc_status give_coupling(latmc_model model, double coupling)
{
    latmc_lattice *lattice = NULL;
    double couplings[4];
    latmc_status status = latmc_create(&lattice, model, 1, (int64_t[]){4});

    for (int i = 0; i < 4; i++)
        couplings[i] = coupling;
    if (!status)
        status = latmc_set_bond_couplings(lattice, couplings);
    latmc_destroy(lattice);
    return status;
}

static int has_fields(latmc_model model)
{
    latmc_lattice *lattice = NULL;
    latmc_status status = latmc_create(&lattice, model, 1, (int64_t[]){4});

    if (!status)
        status = latmc_set_site_fields(lattice, (double[]){0.1, 0.2, 0.3, 0.4});
    latmc_destroy(lattice);
    return status == LATMC_OK;
}

static int has_exchanges(const latmc_description *model)
{
    latmc_lattice *lattice = NULL;
    latmc_description update = LATMC_INIT(latmc_description);
    latmc_step step;
    latmc_status status;

    ok(latmc_describe(LATMC_UPDATES, (latmc_model)model->id, 0, &update));
    ok(latmc_create(&lattice, (latmc_model)model->id, 2, (int64_t[]){32, 32}));
    ok(latmc_set_replicas(lattice, 2));
    step = step_of((latmc_update)update.id, 1, 1);
    status = latmc_set_schedule(lattice, 1, &step);
    if (!status)
        status = latmc_start(lattice, LATMC_START_HOT);
    if (!status)
        status = latmc_sweep(lattice, LATMC_SCHEDULE, 1);
    latmc_destroy(lattice);
    return status == LATMC_OK;
}

static void check_model(const latmc_description *model)
{
    const latmc_model id = (latmc_model)model->id;
    const int signs = give_coupling(id, -1.0) == LATMC_OK,
              reals = give_coupling(id, 0.3) == LATMC_OK;

    assert_int_equal(model->has_couplings, signs + reals);
    assert_int_equal(model->has_site_fields, has_fields(id));
    assert_int_equal(model->has_exchanges, has_exchanges(model));
}

static void models_have_what_is_described(void **state)
{
    (void)state;
    each_model(check_model);
}

/* Members that are not for a kind are 0. */
static void other_members_are_zero(void **state)
{
    latmc_description info = LATMC_INIT(latmc_description);

    (void)state;
    ok(latmc_describe(LATMC_MODELS, LATMC_ISING, 0, &info));
    assert_int_equal(info.in_ramps | info.in_exchanges | info.in_steps | info.tuned | info.index,
                     0);
    assert_true(!info.params && info.param_count == 0);
    ok(latmc_describe(LATMC_PARAMS, LATMC_ISING, 0, &info));
    assert_int_equal(info.has_couplings | info.has_site_fields | info.has_exchanges, 0);
    assert_true(!info.params && info.param_count == 0 && !info.index && !info.second && !info.role);
    ok(latmc_describe(LATMC_OBSERVABLES, LATMC_ISING, 0, &info));
    assert_int_equal(info.in_ramps | info.has_couplings | info.tuned, 0);
    assert_int_equal(info.index, LATMC_INDEX_NONE);
    assert_int_equal(info.second, LATMC_INDEX_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_read_what_they_name),
        cmocka_unit_test(updates_are_tuned_as_described),
        cmocka_unit_test(parameters_are_used_as_described),
        cmocka_unit_test(models_have_what_is_described),
        cmocka_unit_test(other_members_are_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
