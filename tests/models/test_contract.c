/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's trajectory against a second implementation of each model, one site at a time: its
 * samples, with each type of sites, in all replicas, on every device. The second one takes most of
 * the time, so each sample is done by hand once, beside its lattices on all devices.
 */
#include "tests/models/pair.h"

/* What the lattice can have of the step: an update, a start mode, or nothing. */
static int chosen(const test_case *c, const test_step *s)
{
    if (s->verb == TEST_START || c->model->serves(c, (latmc_update)s->what))
        return s->what;
    return s->otherwise;
}

static void take(pair *p, const test_step *s)
{
    const int what = chosen(&p->c, s);
    char when[40];

    if (what == 0)
        return;
    snprintf(when, sizeof when, "step %d, update %d", (int)(s - p->c.model->steps), what);
    if (s->verb == TEST_START)
        pair_start(p, (latmc_start_mode)what);
    else if (s->verb == TEST_SWEEP)
        pair_sweep(p, (latmc_update)what, s->sweeps, when);
    else
        pair_tune(p, (latmc_update)what, s->sweeps, s->target);
}

/* Those that can be used and have the model. */
static int devices_of(const test_model *m, const char **devices)
{
    int count = 0;

    for (size_t d = 0; d < ALL(every_device); d++)
        if (usable(every_device[d]) && has_model(every_device[d], (int)m->id))
            devices[count++] = every_device[d];
    return count;
}

static void play(const test_model *m)
{
    const char *devices[ALL(every_device)];
    const int count = devices_of(m, devices);

    assert_true(count > 0);
    print_message("%s: on %d devices\n", m->name, count);
    for (int i = 0; m->samples[i].settings; i++)
        for (const int *type = m->types; *type; type++) {
            const test_case c = {.model = m,
                                 .shape = &m->samples[i].shape,
                                 .settings = m->samples[i].settings,
                                 .type = (latmc_type)*type,
                                 .number = i};
            pair p = pair_on(&c, devices, count);
            for (const test_step *s = m->steps; s->verb; s++)
                take(&p, s);
            pair_free(&p);
        }
}

static void contract(void **state)
{
    for (const test_model *m = suite_stage_of(state)->model; m; m = m->further)
        play(m);
}

/* Arguments: --model NAME, for one model alone. */
int main(int count, char **argument)
{
    static const suite_test tests[] = {SUITE_TEST(contract)};
    const test_model *alone = NULL;

    for (size_t m = 0; count == 3 && m < test_models_count; m++)
        if (strcmp(argument[2], test_models[m]->name) == 0)
            alone = test_models[m];
    if (count > 1 && (!alone || strcmp(argument[1], "--model") != 0))
        return 2;
    return suite_run(alone, tests, ALL(tests), NULL, NULL);
}
