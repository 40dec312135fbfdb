/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library says of a lattice on a GPU: the kernel that it names sweeps, and the memory that
 * it foresees is taken. */
#include <cuda_runtime_api.h>

#include "backends/cuda/plan.h"
#include "lib/lattice/lattice.h"
#include "tests/support.h"

static int allocations; /* how often memory of a GPU or locked memory was asked for */

static int must_fail(void)
{
    allocations++;
    return 0;
}

#include "tests/cuda/allocations.h"

typedef struct gpu_case {
    latmc_model model;
    int64_t extents[2], replicas;
    latmc_update update;
} gpu_case;

static const gpu_case cases[] = {
    {LATMC_ISING, {64, 64}, 1, LATMC_METROPOLIS},
    {LATMC_ISING, {64, 64}, 999, LATMC_HEATBATH},
    {LATMC_ISING, {4096, 4096}, 1, LATMC_METROPOLIS},
    {LATMC_ISING, {255, 256}, 1, LATMC_METROPOLIS},
    {LATMC_POTTS, {32, 32}, 65, LATMC_METROPOLIS},
    {LATMC_POTTS, {2048, 2048}, 2, LATMC_HEATBATH},
    {LATMC_AUTOMATON, {640, 640}, 2, LATMC_SYNCHRONOUS},
    {LATMC_PHI4, {256, 256}, 4, LATMC_METROPOLIS},
    {LATMC_PHI4, {256, 256}, 4, LATMC_OVERRELAX},
    {LATMC_ONVECTOR, {256, 256}, 4, LATMC_METROPOLIS},
};

static latmc_lattice *make(const gpu_case *c)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, c->model, 2, c->extents));
    ok(latmc_set_replicas(lattice, c->replicas));
    ok(latmc_set_device(lattice, "cuda:0"));
    return lattice;
}

static latmc_choice choice_of(const latmc_lattice *lattice, latmc_update update)
{
    latmc_choice choice = LATMC_INIT(latmc_choice);

    ok(latmc_get_choice(lattice, 0, update, &choice));
    return choice;
}

/* The bytes are right within an eighth. */
static void the_choice_comes_true(void **state)
{
    (void)state;
    needs("cuda:0");
    for (size_t k = 0; k < ALL(cases); k++) {
        const gpu_case *c = &cases[k];
        latmc_lattice *lattice = make(c);
        const latmc_choice before = choice_of(lattice, c->update);
        latmc_choice after;
        int64_t got;

        gpu_bytes = 0;
        ok(latmc_start(lattice, LATMC_START_HOT));
        ok(latmc_sweep(lattice, c->update, LM_CUDA_TYPICAL_SWEEPS));
        got = (int64_t)gpu_bytes;
        print_message("case %d: %s, %lld bytes foreseen, %lld taken\n", (int)k, before.kernel,
                      (long long)before.device_bytes, (long long)got);
        assert_int_equal(lm_cuda_swept(lattice->home.plan.self, before.kernel),
                         LM_CUDA_TYPICAL_SWEEPS);
        assert_int_equal(before.threads, 0);
        assert_in_range(before.device_bytes, got - got / 8, got + got / 8);
        after = choice_of(lattice, c->update);
        assert_int_equal(after.present, 1);
        after.present = 0;
        assert_memory_equal(&after, &before, sizeof after);
        latmc_destroy(lattice);
    }
}

/* A description of more than any GPU has takes none of its memory. */
static void describing_takes_no_memory(void **state)
{
    const gpu_case huge = {LATMC_PHI4, {1 << 16, 1 << 15}, 64, LATMC_METROPOLIS};
    latmc_lattice *lattice;
    int before;

    (void)state;
    needs("cuda:0");
    lattice = make(&huge);
    before = allocations;
    assert_true(before > 0); /* those of the tests before are counted */
    assert_true(choice_of(lattice, LATMC_METROPOLIS).device_bytes >> 39 == 1);
    assert_int_equal(allocations, before);
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_choice_comes_true),
        cmocka_unit_test(describing_takes_no_memory),
    };

    return cmocka_run_group_tests_name("choice on a GPU", tests, NULL, NULL);
}
