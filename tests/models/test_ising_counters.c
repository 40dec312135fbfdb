/* SPDX-License-Identifier: BSD-3-Clause */
/* The one place where the Ising model's counters pass 2^32 words: in a slab of a huge lattice. */
#include "lib/devices/plan.h"
#include "lib/physics/ising_observe.h"
#include "tests/models/ising_spec.h"
#include "tests/support.h"

/* Layers whose words are numbered from just below 2^32: lanes must not let a vector's counters
 * run over into the wrong upper half, nor GPUs a launch's. And layers above, whose ties wait with
 * that half, too. Every device against the scalar lane. The replica's group is beyond 2^16. */
enum { HUGE_WIDTH = 8192 - 64, HUGE_LAYERS = 5, HUGE_REPLICA = 165 * 65536 + 3 };

static lm_plan open_huge(const lm_backend *backend, int device, int64_t first)
{
    const double axes[4] = {1, 1, 1, 1}, values[2] = {0.3, 0.0};
    const lm_parameters parameters = {
        .values = values, .type_coupling = axes, .loose = (uint8_t[]){0}};
    const lm_spec spec =
        ising_spec_with_sums((lm_spec){.model = LATMC_ISING,
                                       .kept = LM_IN_WORDS,
                                       .dims = 2,
                                       .extents = {HUGE_WIDTH, (int64_t)1 << 27, 1, 1},
                                       .first_layer = first,
                                       .layers = HUGE_LAYERS,
                                       .first_replica = HUGE_REPLICA,
                                       .replicas = 1,
                                       .seed = 99});
    lm_plan plan;
    ok(lm_plan_open(backend, &spec, device, &plan));
    ok(plan.ops->put_parameters(plan.self, &parameters));
    ok(plan.ops->start(plan.self, LATMC_START_HOT));
    return plan;
}

static void sweep_huge(const lm_backend *backend, int device, int64_t first, int update,
                       int8_t *sites)
{
    lm_plan slab = open_huge(backend, device, first);
    ok(slab.ops->slabs->begin(slab.self, update, 0));
    for (int64_t step = 0; step < 3; step++)
        ok(slab.ops->slabs->update(slab.self, update, step, 0, LM_WHOLE));
    ok(slab.ops->get_sites(slab.self, 0, first, HUGE_LAYERS, sites));
    lm_plan_close(&slab);
}

static void compare_huge(int64_t first, int update)
{
    static int8_t want[HUGE_LAYERS * HUGE_WIDTH], got[HUGE_LAYERS * HUGE_WIDTH];
    int count = 0;
    while (lm_backends[count]) /* "cpu" is the last, and its last device the scalar lane */
        count++;
    const lm_backend *cpu = lm_backends[count - 1];
    sweep_huge(cpu, cpu->count() - 1, first, update, want);
    for (int b = 0; b < count; b++)
        for (int device = 0; device < lm_backends[b]->count(); device++) {
            latmc_device_info info = {.size = sizeof info};
            lm_backends[b]->describe(device, &info);
            if (!info.usable)
                continue;
            sweep_huge(lm_backends[b], device, first, update, got);
            assert_memory_equal(want, got, sizeof want);
        }
}

static void beyond_32_bits(void **state)
{
    const int64_t width = (HUGE_WIDTH / 2 + 31) / 32, border = ((int64_t)1 << 32) / width;
    for (int above = 0; above < 2; above++) {
        compare_huge(above ? border + 1 : border - 2, LM_ISING_METROPOLIS);
        compare_huge(above ? border + 1 : border - 2, LM_ISING_HEATBATH);
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(beyond_32_bits)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
