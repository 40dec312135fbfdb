/* SPDX-License-Identifier: BSD-3-Clause */
/* The one place where the Ising model's counters pass 2^32 words: in a slab of a huge lattice. */
#include "lib/lattice.h"
#include "lib/physics/ising_shape.h"
#include "tests/models/ising_spec.h"
#include "tests/support.h"

/* Layers whose words are numbered from just below 2^32: lanes must not let a vector's counters
 * run over into the wrong upper half. Every lane against the scalar one. */
enum { HUGE_WIDTH = 8192 - 64, HUGE_LAYERS = 5 };

static lm_plan open_huge(const lm_backend *backend, int device, int64_t first)
{
    const double axes[4] = {1, 1, 1, 1}, values[2] = {0.3, 0.0};
    const lm_parameters parameters = {
        .values = values, .axis_coupling = axes, .loose = (uint8_t[]){0}};
    const lm_spec spec =
        ising_spec_with_sums((lm_spec){.model = LATMC_ISING,
                                       .kept = LM_IN_WORDS,
                                       .dims = 2,
                                       .extents = {HUGE_WIDTH, (int64_t)1 << 27, 1, 1},
                                       .first_layer = first,
                                       .layers = HUGE_LAYERS,
                                       .replicas = 1,
                                       .seed = 99});
    lm_plan plan;
    ok(lm_plan_open(backend, &spec, device, &plan));
    ok(plan.ops->put_parameters(plan.self, &parameters));
    ok(plan.ops->start(plan.self, LATMC_START_HOT));
    return plan;
}

static void beyond_32_bits(void **state)
{
    const int64_t width = (HUGE_WIDTH / 2 + 31) / 32, first = ((int64_t)1 << 32) / width - 2;
    const lm_backend *backend = NULL;
    int8_t want[HUGE_LAYERS * HUGE_WIDTH], got[HUGE_LAYERS * HUGE_WIDTH];
    size_t compared = 0;
    for (const lm_backend *const *b = lm_backends; *b; b++)
        backend = *b; /* "cpu" is the last */
    for (int device = backend->count() - 1; device >= 0; device--) {
        latmc_device_info info = {.size = sizeof info};
        backend->describe(device, &info);
        if (!info.usable)
            continue;
        lm_plan slab = open_huge(backend, device, first);
        for (int64_t step = 0; step < 3; step++) /* the first tosses coins, others do not */
            ok(slab.ops->slabs->update(slab.self, LM_ISING_METROPOLIS, step, 0, LM_WHOLE));
        ok(slab.ops->get_sites(slab.self, 0, first, HUGE_LAYERS, compared ? got : want));
        if (compared++)
            assert_memory_equal(want, got, sizeof want);
        lm_plan_close(&slab);
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(beyond_32_bits)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
