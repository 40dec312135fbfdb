/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs: a lattice cut along its slowest axis into plans that exchange their boundary layers
 * after every colour is the whole lattice, on every usable device, boundary and bulk
 * updated separately: every Ising lattice of the table of known answers. Also the one place where
 * counters pass 2^32 words.
 */
#include <stdlib.h>

#include "lib/lattice.h"
#include "lib/physics/ising_shape.h"
#include "tests/known/table.h"
#include "tests/random/play.h"
#include "tests/support.h"

enum { MAX_SLABS = 3, SWEEPS = 2 };

/* A slab's halo comes from its neighbours' boundary layers, around the torus. */
static void exchange(const lm_plan *slab, int slabs)
{
    const lm_slab_ops *ops = slab[0].ops->slabs;
    void *halo = malloc(ops->halo_bytes(slab[0].self));
    for (int i = 0; i < slabs; i++) {
        ok(ops->pack(slab[i].self, LM_UPPER, halo));
        ok(ops->unpack(slab[(i + 1) % slabs].self, LM_LOWER, halo));
        ok(ops->pack(slab[(i + 1) % slabs].self, LM_LOWER, halo));
        ok(ops->unpack(slab[i].self, LM_UPPER, halo));
    }
    free(halo);
}

static void sweep_slabs(const lm_plan *slab, int slabs, const lm_job *job)
{
    const lm_slab_ops *ops = slab[0].ops->slabs;

    for (int64_t i = 0; i < job->sweeps; i++)
        for (int colour = 0; colour < ops->colours(slab[0].self); colour++) {
            for (int k = 0; k < slabs; k++) {
                ok(ops->update(slab[k].self, job->update, job->step + i, colour, LM_BOUNDARY));
                ok(ops->update(slab[k].self, job->update, job->step + i, colour, LM_BULK));
            }
            exchange(slab, slabs);
        }
}

/* Part of a lattice, as the whole one is: with its bonds, its parameters and its first state. */
static lm_plan open_part(const latmc_lattice *l, int64_t first, int64_t layers,
                         latmc_start_mode mode)
{
    const lm_parameters parameters = {.values = l->params, .axis_coupling = l->axis_couplings};
    lm_spec spec = lm_spec_of(l);
    lm_plan plan;
    spec.first_layer = first;
    spec.layers = layers;
    ok(lm_plan_open(l->place.device->backend, &spec, l->place.device->index, &plan));
    int8_t *bonds = malloc((size_t)l->sites);
    for (int a = 0; a < l->dims && spec.signs; a++) {
        lm_bonds_effective(l, a, 0, l->rows, bonds);
        ok(lm_plan_put_bonds(plan, a, 0, l->rows, bonds));
    }
    free(bonds);
    ok(plan.ops->put_parameters(plan.self, &parameters));
    ok(plan.ops->start(plan.self, mode));
    return plan;
}

static int64_t layer_rows(const latmc_lattice *l)
{
    return l->rows / l->extents[l->dims - 1];
}

/* Sites, and the sums but the last, since changes are not counted colour by colour. */
static void compare(const latmc_lattice *l, const lm_plan *slab, int slabs, const int64_t *layers)
{
    const lm_plan whole = l->place.plan;
    const int64_t sums = l->dims + 2, count = l->replicas * sums;
    double *want = calloc((size_t)count, sizeof *want), *got = calloc((size_t)count, sizeof *got),
           *part = calloc((size_t)count, sizeof *part);
    int64_t row = 0;
    for (int k = 0; k < slabs; k++) {
        const int64_t rows = layers[k] * layer_rows(l), sites = rows * l->extents[0];
        int8_t *a = malloc((size_t)sites), *b = malloc((size_t)sites);
        for (int64_t r = 0; r < l->replicas; r++) {
            ok(whole.ops->get_sites(whole.self, r, row, rows, a));
            ok(slab[k].ops->get_sites(slab[k].self, r, row, rows, b));
            assert_memory_equal(a, b, (size_t)sites);
        }
        assert_int_not_equal(slab[k].ops->get_sites(slab[k].self, 0, (row + rows) % l->rows, 1, a),
                             LATMC_OK);
        ok(slab[k].ops->measure(slab[k].self, part));
        for (int64_t i = 0; i < count; i++)
            got[i] += part[i];
        free(a);
        free(b);
        row += rows;
    }
    ok(whole.ops->measure(whole.self, want));
    for (int64_t r = 0; r < l->replicas; r++)
        assert_memory_equal(want + r * sums, got + r * sums, (size_t)(sums - 1) * sizeof *want);
    free(want);
    free(got);
    free(part);
}

/* Both updates, coins among them, on the whole lattice and on its slabs. */
static void check_cut(const random_case *c, const char *device, int slabs, const int64_t *layers)
{
    latmc_lattice *l = play_lattice(c, device);
    lm_plan slab[MAX_SLABS];
    int64_t first = 0;
    assert_non_null(l);
    for (int k = 0; k < slabs; first += layers[k++])
        slab[k] = open_part(l, first, layers[k], (latmc_start_mode)c->start);
    exchange(slab, slabs);
    for (int i = 0; i < LM_ISING_UPDATES; i++) {
        static const latmc_update updates[] = {LATMC_METROPOLIS, LATMC_HEATBATH};
        const lm_job job = {.update = i, .step = i * SWEEPS, .sweeps = SWEEPS};
        ok(latmc_sweep(l, updates[i], job.sweeps));
        sweep_slabs(slab, slabs, &job);
    }
    compare(l, slab, slabs, layers);
    for (int k = 0; k < slabs; k++)
        lm_plan_close(&slab[k]);
    latmc_destroy(l);
}

/* 2 and 3 unequal slabs; a layer alone is boundary on either side. */
static void check_case(const random_case *c, const char *device)
{
    const int64_t layers = c->extents[c->dims - 1], few = (layers + 2) / 4;
    check_cut(c, device, 2, (int64_t[]){1, layers - 1});
    if (layers > 2)
        check_cut(c, device, 3, (int64_t[]){few ? few : 1, layers - 1 - (few ? few : 1), 1});
}

static void slabs_make_the_whole(void **state)
{
    latmc_device_info info = LATMC_INIT(latmc_device_info);
    static table_row row;
    for (int i = 0; !latmc_device_describe(i, &info); i++) {
        FILE *table = fopen(KNOWN_TABLE, "r");
        int checked = 0;
        assert_non_null(table);
        while (info.usable && table_next(table, &row))
            if (row.has_case && row.c.model == LATMC_ISING && row.c.dims > 1 &&
                row.c.start != CASE_START_GIVEN) {
                check_case(&row.c, info.name);
                checked++;
            }
        fclose(table);
        assert_true(checked > 100 || !info.usable);
        print_message("%s: %d lattices\n", info.name, checked);
    }
    (void)state;
}

/* Layers whose words are numbered from just below 2^32: lanes must not let a vector's counters
 * run over into the wrong upper half. Every lane against the scalar one. */
enum { HUGE_WIDTH = 8192 - 64, HUGE_LAYERS = 5 };

static lm_plan open_huge(const lm_backend *backend, int device, int64_t first)
{
    const double axes[4] = {1, 1, 1, 1}, values[2] = {0.3, 0.0};
    const lm_parameters parameters = {.values = values, .axis_coupling = axes};
    const lm_spec spec = {.model = LATMC_ISING,
                          .dims = 2,
                          .extents = {HUGE_WIDTH, (int64_t)1 << 27, 1, 1},
                          .first_layer = first,
                          .layers = HUGE_LAYERS,
                          .replicas = 1,
                          .seed = 99,
                          .bipartite = 1};
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
        ok(slab.ops->slabs->update(slab.self, LM_ISING_METROPOLIS, 0, 0, LM_WHOLE));
        ok(slab.ops->get_sites(slab.self, 0, first, HUGE_LAYERS, compared ? got : want));
        if (compared++)
            assert_memory_equal(want, got, sizeof want);
        lm_plan_close(&slab);
    }
    (void)state;
}

/* A model without slabs says so, on devices that cannot be used here too. */
static void fields_stay_whole(void **state)
{
    const lm_spec spec = {.model = LATMC_PHI4,
                          .type = LATMC_FLOAT32,
                          .dims = 2,
                          .extents = {4, 6, 1, 1},
                          .boundaries = {LATMC_PERIODIC, LATMC_PERIODIC},
                          .layers = 5,
                          .replicas = 1};
    (void)state;
    for (const lm_backend *const *b = lm_backends; *b; b++) {
        lm_plan plan = {0};
        refused(LATMC_ERROR_ARGUMENT, "slabs", lm_plan_open(*b, &spec, 0, &plan));
        assert_null(plan.ops);
    }
}

/* Every model that there is has its row or is refused by name; one that there is not, by number. */
static void unknown_models_are_refused(void **state)
{
    const lm_spec spec = {
        .model = (latmc_model)999, .dims = 1, .extents = {4, 1, 1, 1}, .layers = 4, .replicas = 1};
    (void)state;
    for (const lm_backend *const *b = lm_backends; *b; b++) {
        const lm_backend none = {.name = (*b)->name,
                                 .models = (const lm_backend_model *const[]){NULL}};
        lm_spec known = spec;
        lm_plan plan = {0};
        refused(LATMC_ERROR_NO_DEVICE, "no model of that number (999)",
                lm_plan_open(*b, &spec, 0, &plan));
        known.model = LATMC_ISING;
        refused(LATMC_ERROR_NO_DEVICE, "no model ising", lm_plan_open(&none, &known, 0, &plan));
        assert_null(plan.ops);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_make_the_whole),
        cmocka_unit_test(fields_stay_whole),
        cmocka_unit_test(unknown_models_are_refused),
        cmocka_unit_test(beyond_32_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
