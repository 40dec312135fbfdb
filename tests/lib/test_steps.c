/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The array of steps that a schedule is given: programs of other versions have steps of other
 * sizes, what is read can be set again, and what is refused leaves the schedule as it was.
 */
#include "tests/support.h"

enum { MORE = 16 };

/* A step as a later version may know it. */
typedef struct later_step {
    latmc_step step;
    char more[MORE];
} later_step;

static const latmc_param own[] = {LATMC_LOCAL_SWEEPS, LATMC_HITS};
static const double values[] = {3.0, 2.0};

static latmc_lattice *fields(void)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, LATMC_PHI4, 2, (int64_t[]){6, 4}));
    ok(latmc_set_replicas(lattice, 2));
    return lattice;
}

/* Two steps, the second with values of its own. */
static void fill(latmc_step *first, latmc_step *second, size_t size)
{
    *first = step_of(LATMC_OVERRELAX, 2, 3);
    *second = step_with(step_of(LATMC_BLOCK_METROPOLIS, 4, 0), own, values);
    second->param_count = 2;
    first->size = second->size = size;
}

static void is_filled(const latmc_lattice *lattice)
{
    const latmc_step first = get_step(lattice, 0), second = get_step(lattice, 1);

    assert_int_equal(info_of(lattice).steps, 2);
    assert_true(first.update == LATMC_OVERRELAX && first.sweeps == 2 && first.exchanges == 3);
    assert_true(first.param_count == 0 && !first.params && !first.values);
    assert_true(second.update == LATMC_BLOCK_METROPOLIS && second.sweeps == 4);
    assert_true(second.exchanges == 0 && second.moves == 0 && second.reserved == 0);
    assert_int_equal(second.param_count, 2); /* in the order of the model's parameters */
    assert_true(second.params[0] == LATMC_HITS && second.values[0] == 2.0);
    assert_true(second.params[1] == LATMC_LOCAL_SWEEPS && second.values[1] == 3.0);
}

static void steps_are_read_as_they_were_set(void **state)
{
    latmc_lattice *lattice = fields();
    latmc_step steps[2];

    (void)state;
    fill(&steps[0], &steps[1], sizeof *steps);
    ok(latmc_set_schedule(lattice, 2, steps));
    is_filled(lattice);
    steps[0] = get_step(lattice, 0);
    steps[1] = get_step(lattice, 1); /* whose arrays are the lattice's */
    ok(latmc_set_schedule(lattice, 2, steps));
    is_filled(lattice);
    steps[0] = get_step(lattice, 1);
    ok(latmc_set_schedule(lattice, 2, (latmc_step[]){steps[0], step_of(LATMC_METROPOLIS, 1, 0)}));
    assert_true(get_step(lattice, 0).param_count == 2 && get_step(lattice, 0).values[1] == 3.0);
    assert_int_equal(get_step(lattice, 1).param_count, 0);
    latmc_destroy(lattice);
}

/* Steps of a newer program are larger. What this library does not know must be 0. */
static void steps_of_newer_programs_are_read(void **state)
{
    latmc_lattice *lattice = fields();
    later_step steps[2] = {0};

    (void)state;
    fill(&steps[0].step, &steps[1].step, sizeof *steps);
    ok(latmc_set_schedule(lattice, 2, &steps[0].step));
    is_filled(lattice);
    steps[1].more[MORE - 1] = 1;
    refused(LATMC_ERROR_ARGUMENT, "step 1: latmc_step has a member that this library does not have",
            latmc_set_schedule(lattice, 2, &steps[0].step));
    is_filled(lattice);
    memset(steps, 0x55, sizeof steps);
    steps[0].step.size = sizeof *steps;
    ok(latmc_get_step(lattice, 0, &steps[0].step));
    assert_true(steps[0].step.size == sizeof *steps && steps[0].step.sweeps == 2);
    for (int i = 0; i < MORE; i++)
        assert_int_equal(steps[0].more[i], 0);
    latmc_destroy(lattice);
}

static void other_sizes_are_refused(void **state)
{
    latmc_lattice *lattice = fields();
    later_step steps[2] = {0};
    latmc_step step;

    (void)state;
    fill(&steps[0].step, &steps[1].step, sizeof *steps);
    ok(latmc_set_schedule(lattice, 2, &steps[0].step));
    steps[1].step.size = sizeof step;
    refused(LATMC_ERROR_ARGUMENT, "step 1 has size 64; all steps must have the same",
            latmc_set_schedule(lattice, 2, &steps[0].step));
    for (size_t size = 0; size < sizeof step; size++) {
        step = step_of(LATMC_METROPOLIS, 1, 0);
        step.size = size;
        refused(LATMC_ERROR_ARGUMENT, "sizeof(latmc_step)", latmc_set_schedule(lattice, 1, &step));
        refused(LATMC_ERROR_ARGUMENT, "sizeof(latmc_step)", latmc_get_step(lattice, 0, &step));
    }
    is_filled(lattice);
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_read_as_they_were_set),
        cmocka_unit_test(steps_of_newer_programs_are_read),
        cmocka_unit_test(other_sizes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
