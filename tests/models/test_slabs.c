/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs: a lattice cut along its slowest axis into plans that exchange their boundary layers
 * after every colour is the whole lattice, on every usable device, boundary and bulk
 * updated separately: every lattice of the table of known answers whose model can be cut. One that
 * cannot says so.
 */
#include "lib/lattice.h"
#include "lib/slabs.h"
#include "lib/tiles.h"
#include "tests/inside.h"
#include "tests/known/table.h"
#include "tests/models/suite.h"
#include "tests/random/play.h"

enum { MAX_SLABS = 5, SWEEPS = 2 };

/* A lattice in pieces. */
typedef struct pieces {
    int count;
    lm_spec spec[MAX_SLABS];
    lm_plan plan[MAX_SLABS];
    lm_slabs slabs;
} pieces;

/* Part of a lattice, as the whole one is: with its bonds, its parameters and its first state. */
static lm_plan open_part(const latmc_lattice *l, const lm_spec *spec, latmc_start_mode mode)
{
    uint8_t *loose = malloc((size_t)l->replicas);
    const lm_parameters parameters = {
        .values = l->params, .axis_coupling = l->axis_couplings, .loose = loose};
    lm_plan plan;

    assert_non_null(loose);
    ok(lm_plan_open(l->place.device->backend, spec, l->place.device->index, &plan));
    lm_plan_set_threads(plan, l->threads);
    ok(lm_place_put_disorder(l, __func__, spec, plan));
    if (l->model->couplings == LM_SIGN_COUPLINGS)
        lm_bonds_find_loose(l, loose);
    ok(plan.ops->put_parameters(plan.self, &parameters));
    free(loose);
    ok(plan.ops->start(plan.self, mode));
    return plan;
}

static void open_pieces(const latmc_lattice *l, latmc_start_mode mode, int slabs,
                        const int64_t *cuts, pieces *p)
{
    p->count = slabs;
    for (int k = 0; k < slabs; k++) {
        p->spec[k] = lm_spec_of(l);
        p->spec[k].first_layer = cuts[k];
        p->spec[k].layers = cuts[k + 1] - cuts[k];
        p->plan[k] = open_part(l, &p->spec[k], mode);
    }
    ok(lm_slabs_join(&p->slabs, p->plan, p->spec, slabs, (lm_transport){0}));
}

static void close_pieces(pieces *p)
{
    lm_slabs_part(&p->slabs);
    for (int k = 0; k < p->count; k++)
        lm_plan_close(&p->plan[k]);
}

/* The sums of some groups; those of the slabs together. */
static void compare_sums(const latmc_lattice *l, const pieces *p, unsigned groups)
{
    const int64_t count = lm_sums_count(l);
    double *want = calloc((size_t)count, sizeof *want), *got = calloc((size_t)count, sizeof *got);

    ok(lm_slabs_measure(&p->slabs, groups, got));
    ok(lm_plan_measure(l->place.plan, groups, want));
    assert_memory_equal(want, got, (size_t)count * sizeof *want);
    free(want);
    free(got);
}

static void compare_sites(const latmc_lattice *l, const pieces *p, int k)
{
    const lm_plan whole = l->place.plan, slab = p->plan[k];
    const int64_t layer_rows = l->rows / l->extents[l->dims - 1];
    const int64_t row = p->spec[k].first_layer * layer_rows, rows = p->spec[k].layers * layer_rows;
    const size_t bytes = (size_t)(rows * lm_row_numbers(l)) * (size_t)l->type->entry.bytes;
    void *a = suite_room(1, bytes), *b = suite_room(1, bytes);

    for (int64_t r = 0; r < l->replicas; r++) {
        ok(whole.ops->get_sites(whole.self, r, row, rows, a));
        ok(slab.ops->get_sites(slab.self, r, row, rows, b));
        assert_memory_equal(a, b, bytes);
    }
    assert_int_not_equal(slab.ops->get_sites(slab.self, 0, (row + rows) % l->rows, 1, a), LATMC_OK);
    free(a);
    free(b);
}

/* Sites, and all groups of sums, together and alone. */
static void compare(const latmc_lattice *l, const pieces *p)
{
    for (int k = 0; k < p->count; k++)
        compare_sites(l, p, k);
    for (int g = 0; g < l->model->groups; g++)
        compare_sums(l, p, 1u << g);
    compare_sums(l, p, 2 * lm_model_changes(l->model) - 1);
}

/* Does some slab cut a tile of the update? */
static int cuts_tiles(const pieces *p, int update)
{
    for (int k = 0; k < p->count; k++)
        if (lm_slab_serves(&p->spec[k], update))
            return 1;
    return 0;
}

/* Every update, coins among them, on the whole lattice and on its slabs; one whose tiles are cut
 * is refused and changes nothing. Some updates no lattice of these extents has. */
static void sweep_both(const test_model *m, latmc_lattice *l, pieces *p)
{
    for (int i = 0; m->updates[i]; i++) {
        const lm_job job = {.update = i, .step = l->sweeps, .sweeps = SWEEPS};

        if (cuts_tiles(p, i)) {
            refused(LATMC_ERROR_ARGUMENT, "tile", lm_slabs_sweep(&p->slabs, &job));
            continue;
        }
        if (latmc_sweep(l, (latmc_update)m->updates[i], job.sweeps))
            continue;
        ok(lm_slabs_sweep(&p->slabs, &job));
        compare(l, p);
    }
}

/* Layers [cuts[k], cuts[k + 1]) are slab k. Put again what was got, and halos are as they were. */
static void check_cut(const test_model *m, const random_case *c, const char *device, int slabs,
                      const int64_t *cuts)
{
    latmc_lattice *l = play_lattice(c, device);
    pieces p;

    assert_non_null(l);
    open_pieces(l, (latmc_start_mode)c->start, slabs, cuts, &p);
    compare_sums(l, &p, lm_model_changes(l->model) - 1);
    sweep_both(m, l, &p);
    ok(lm_slabs_exchange(&p.slabs));
    sweep_both(m, l, &p);
    close_pieces(&p);
    latmc_destroy(l);
}

/* Where tiles begin, as nearly as there are slabs. */
static int cut_between_tiles(const lm_spec *spec, int slabs, int64_t *cuts)
{
    const lm_tiles t = lm_tiles_of(spec);
    const int64_t count = t.count[spec->dims - 1];

    slabs = count < slabs ? (int)count : slabs;
    for (int k = 0; k <= slabs; k++)
        cuts[k] = lm_tile_begin(&t, spec->dims - 1, k * count / slabs);
    return slabs;
}

/* Slabs of unequal layers, the last of them as thin as may be; 0 if there are too few. */
static int cut_unequally(const lm_spec *spec, int slabs, int64_t *cuts)
{
    const int64_t layers = spec->extents[spec->dims - 1], least = spec->reach;

    if (layers < slabs * least)
        return 0;
    for (int k = 0; k <= slabs; k++)
        cuts[k] = k == slabs ? layers
                             : k * (least + (layers - slabs * least) * (k + 1) / (slabs * slabs));
    cuts[slabs - 1] = layers - least;
    return slabs;
}

static int check_case(const test_model *m, const random_case *c, const char *device)
{
    static const int counts[] = {2, 3, 5};
    latmc_lattice *l = play_lattice(c, device);
    int64_t cuts[MAX_SLABS + 1];
    lm_spec spec;
    int checked = 0;

    assert_non_null(l);
    spec = lm_spec_of(l);
    latmc_destroy(l);
    if ((spec.kept == LM_AS_BYTES) != m->bytes)
        return 0;
    for (size_t i = 0; i < ALL(counts); i++)
        if (cut_unequally(&spec, counts[i], cuts)) {
            check_cut(m, c, device, counts[i], cuts);
            checked = 1;
        }
    for (size_t i = 0; i < ALL(counts) && spec.tiled; i++) {
        const int slabs = cut_between_tiles(&spec, counts[i], cuts);

        if (slabs > 1)
            check_cut(m, c, device, slabs, cuts);
    }
    return checked;
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
            row.c.start != CASE_START_GIVEN)
            checked += check_case(m, &row.c, device);
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
    const test_model *m = ((const suite_stage *)*state)->model;

    is_refused(m, 1, (int64_t[]){8}, m->slabs ? "chains" : "slabs");
}

/* A slab must have what its neighbours need. */
static void too_thin_slabs_are_refused(void **state)
{
    const lm_spec spec = {.dims = 2, .extents = {8, 8, 1, 1}, .reach = 2, .layers = 1};

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "too thin", lm_slab_check(&spec));
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
        SUITE_TEST(chains_stay_whole),
        SUITE_TEST(slabs_make_the_whole_or_are_refused),
        SUITE_TEST(a_backend_without_the_model_says_so),
        SUITE_ONCE(unknown_models_are_refused),
        SUITE_ONCE(too_thin_slabs_are_refused),
    };

    inside_share_all(0);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
