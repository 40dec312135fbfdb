/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs: a lattice cut along its slowest axis into plans that exchange their boundary layers
 * after every colour is the whole lattice, on every usable device, boundary and bulk
 * updated separately: every lattice of the table of known answers whose model can be cut. One that
 * cannot says so.
 */
#include "lib/lattice.h"
#include "tests/known/table.h"
#include "tests/models/suite.h"
#include "tests/random/play.h"

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
    uint8_t *loose = malloc((size_t)l->replicas);
    const lm_parameters parameters = {
        .values = l->params, .axis_coupling = l->axis_couplings, .loose = loose};
    lm_spec spec = lm_spec_of(l);
    lm_plan plan;
    spec.first_layer = first;
    spec.layers = layers;
    ok(lm_plan_open(l->place.device->backend, &spec, l->place.device->index, &plan));
    int8_t *bonds = malloc((size_t)l->sites);
    for (int64_t j = 0; j < spec.samples && spec.signs; j++)
        for (int a = 0; a < l->dims; a++) {
            lm_bonds_effective(l, j, a, 0, l->rows, bonds);
            ok(lm_plan_put_bonds(plan, j, a, 0, l->rows, bonds));
        }
    free(bonds);
    assert_non_null(loose);
    lm_bonds_find_loose(l, loose);
    ok(plan.ops->put_parameters(plan.self, &parameters));
    free(loose);
    ok(plan.ops->start(plan.self, mode));
    return plan;
}

static int64_t layer_rows(const latmc_lattice *l)
{
    return l->rows / l->extents[l->dims - 1];
}

/* The sums of some groups; those of the slabs together. */
static void compare_sums(const latmc_lattice *l, const lm_plan *slab, int slabs, unsigned groups)
{
    const int64_t count = lm_sums_count(l);
    double *want = calloc((size_t)count, sizeof *want), *got = calloc((size_t)count, sizeof *got),
           *part = calloc((size_t)count, sizeof *part);
    for (int k = 0; k < slabs; k++) {
        ok(lm_plan_measure(slab[k], groups, part));
        for (int64_t i = 0; i < count; i++)
            got[i] += part[i];
    }
    ok(lm_plan_measure(l->place.plan, groups, want));
    assert_memory_equal(want, got, (size_t)count * sizeof *want);
    free(want);
    free(got);
    free(part);
}

/* Sites, and all groups of sums, together and alone, but the last: changes are not counted colour
 * by colour. */
static void compare(const latmc_lattice *l, const lm_plan *slab, int slabs, const int64_t *layers)
{
    const lm_plan whole = l->place.plan;
    int64_t row = 0;
    for (int k = 0; k < slabs; k++) {
        const int64_t rows = layers[k] * layer_rows(l), sites = rows * l->extents[0];
        const size_t bytes = (size_t)sites * (size_t)l->type->entry.bytes;
        void *a = suite_room(1, bytes), *b = suite_room(1, bytes);
        for (int64_t r = 0; r < l->replicas; r++) {
            ok(whole.ops->get_sites(whole.self, r, row, rows, a));
            ok(slab[k].ops->get_sites(slab[k].self, r, row, rows, b));
            assert_memory_equal(a, b, bytes);
        }
        assert_int_not_equal(slab[k].ops->get_sites(slab[k].self, 0, (row + rows) % l->rows, 1, a),
                             LATMC_OK);
        free(a);
        free(b);
        row += rows;
    }
    for (int g = 0; g < l->model->groups - 1; g++)
        compare_sums(l, slab, slabs, 1u << g);
    compare_sums(l, slab, slabs, lm_model_changes(l->model) - 1);
}

/* Every update, coins among them, on the whole lattice and on its slabs. */
static void check_cut(const test_model *m, const random_case *c, const char *device, int slabs,
                      const int64_t *layers)
{
    latmc_lattice *l = play_lattice(c, device);
    lm_plan slab[MAX_SLABS];
    int64_t first = 0;
    assert_non_null(l);
    for (int k = 0; k < slabs; first += layers[k++])
        slab[k] = open_part(l, first, layers[k], (latmc_start_mode)c->start);
    exchange(slab, slabs);
    for (int i = 0; m->updates[i]; i++) {
        const lm_job job = {.update = i, .step = i * SWEEPS, .sweeps = SWEEPS};
        ok(latmc_sweep(l, (latmc_update)m->updates[i], job.sweeps));
        sweep_slabs(slab, slabs, &job);
    }
    compare(l, slab, slabs, layers);
    for (int k = 0; k < slabs; k++)
        lm_plan_close(&slab[k]);
    latmc_destroy(l);
}

/* 2 and 3 unequal slabs; a layer alone is boundary on either side. */
static void check_case(const test_model *m, const random_case *c, const char *device)
{
    const int64_t layers = c->extents[c->dims - 1], few = (layers + 2) / 4;
    check_cut(m, c, device, 2, (int64_t[]){1, layers - 1});
    if (layers > 2)
        check_cut(m, c, device, 3, (int64_t[]){few ? few : 1, layers - 1 - (few ? few : 1), 1});
}

/* How many lattices of the table were cut. */
static int cut_the_table(const test_model *m, const char *device)
{
    static table_row row;
    FILE *table = fopen(KNOWN_TABLE, "r");
    int checked = 0;

    assert_non_null(table);
    while (table_next(table, &row))
        if (row.has_case && row.c.model == (int)m->id && row.c.dims > 1 &&
            row.c.start != CASE_START_GIVEN) {
            check_case(m, &row.c, device);
            checked++;
        }
    fclose(table);
    return checked;
}

/* A slab, on devices that cannot be used here too. */
static void is_refused(const test_model *m, int dims, const int64_t *extents, const char *why)
{
    latmc_lattice *lattice = NULL;
    lm_spec spec;

    ok(latmc_create(&lattice, m->id, dims, extents));
    spec = lm_spec_of(lattice);
    spec.layers--;
    for (const lm_backend *const *b = lm_backends; *b; b++) {
        lm_plan plan = {0};
        if (lm_backend_row(*b, (lm_backend_key){m->id, spec.kept}))
            refused(LATMC_ERROR_ARGUMENT, why, lm_plan_open(*b, &spec, 0, &plan));
        assert_null(plan.ops);
    }
    latmc_destroy(lattice);
}

static void stays_whole(const test_model *m)
{
    is_refused(m, 2, (int64_t[]){4, 6}, "slabs");
}

static void chains_stay_whole(void **state)
{
    is_refused(((const suite_stage *)*state)->model, 1, (int64_t[]){8}, "chains");
}

static void slabs_make_the_whole_or_are_refused(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_device_info info = LATMC_INIT(latmc_device_info);

    if (!m->slabs)
        stays_whole(m);
    for (int i = 0; m->slabs && !latmc_device_describe(i, &info); i++) {
        const int checked = info.usable ? cut_the_table(m, info.name) : m->slabs;
        print_message("%s: %d lattices\n", info.name, info.usable ? checked : 0);
        assert_true(checked >= m->slabs);
    }
}

/* A backend without the model's row refuses it by name. */
static void a_backend_without_the_model_says_so(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const lm_spec spec = {
        .model = m->id, .dims = 1, .extents = {4, 1, 1, 1}, .layers = 4, .replicas = 1};
    char part[40];

    snprintf(part, sizeof part, "no model %s", m->name);
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
        SUITE_TEST(chains_stay_whole),
        SUITE_TEST(slabs_make_the_whole_or_are_refused),
        SUITE_TEST(a_backend_without_the_model_says_so),
        SUITE_ONCE(unknown_models_are_refused),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
