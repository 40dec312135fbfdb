/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs by hand: plans whose boundary layers travel over a transport, while what lies between them
 * is updated, are the whole lattice, on every usable device.
 */
#include "tests/known/table.h"
#include "tests/models/cuts.h"
#include "tests/models/suite.h"
#include "tests/random/play.h"

enum { SWEEPS = 2 };

/* A lattice in pieces, and what is on its way between them. */
typedef struct pieces {
    int count;
    lm_spec spec[LM_MAX_SLABS];
    lm_plan plan[LM_MAX_SLABS];
    lm_slabs slabs;
    char *sent; /* [slab][side] */
    size_t bytes;
    int begun, ended;
} pieces;

static latmc_status begin(void *self, int slab, lm_side side, const void *halo, size_t bytes)
{
    pieces *p = self;

    assert_int_equal(bytes, p->bytes);
    assert_int_equal(p->ended, 0);
    p->begun++;
    memcpy(p->sent + (size_t)(2 * slab + (int)side) * bytes, halo, bytes);
    return LATMC_OK;
}

/* All that a phase sends is on its way before anything is asked for. */
static latmc_status end(void *self, int slab, lm_side side, void *halo, size_t bytes)
{
    pieces *p = self;
    const int beyond = (side == LM_LOWER ? slab + p->count - 1 : slab + 1) % p->count;

    assert_int_equal(p->begun, 2 * p->count);
    if (++p->ended == 2 * p->count)
        p->begun = p->ended = 0;
    memcpy(halo, p->sent + (size_t)(2 * beyond + 1 - (int)side) * bytes, bytes);
    return LATMC_OK;
}

/* Part of a lattice, as the whole one is: with its bonds, its parameters and its first state. */
static lm_plan open_part(const latmc_lattice *l, const lm_spec *spec, latmc_start_mode mode)
{
    uint8_t *loose = malloc((size_t)l->replicas);
    const lm_parameters parameters = {
        .values = l->params, .axis_coupling = l->axis_couplings, .loose = loose};
    lm_plan plan;

    assert_non_null(loose);
    ok(lm_plan_open(l->place.device->backend, spec, l->place.device->index, &plan));
    ok(lm_place_put_disorder(l, __func__, spec, plan));
    if (l->model->couplings == LM_SIGN_COUPLINGS)
        lm_bonds_find_loose(l, loose);
    ok(plan.ops->put_parameters(plan.self, &parameters));
    free(loose);
    ok(plan.ops->start(plan.self, mode));
    return plan;
}

static void open_pieces(const latmc_lattice *l, latmc_start_mode mode, const lm_cuts *cuts,
                        pieces *p)
{
    const lm_spec spec = lm_spec_of(l);

    *p = (pieces){.count = cuts->count + 1};
    for (int k = 0; k < p->count; k++) {
        p->spec[k] = cuts_slab(&spec, cuts, k);
        p->plan[k] = open_part(l, &p->spec[k], mode);
    }
    ok(lm_slabs_join(&p->slabs, p->plan, p->spec, p->count,
                     (lm_transport){.self = p, .begin = begin, .end = end}));
    p->bytes = p->slabs.bytes;
    p->sent = suite_room(2 * p->count, p->bytes);
}

static void close_pieces(pieces *p)
{
    lm_slabs_part(&p->slabs);
    for (int k = 0; k < p->count; k++)
        lm_plan_close(&p->plan[k]);
    free(p->sent);
}

/* The sums of some groups; those of the slabs together. */
static void compare_sums(const latmc_lattice *l, pieces *p, unsigned groups)
{
    const int64_t count = lm_sums_count(l);
    double *want = suite_room(count, sizeof *want), *got = suite_room(count, sizeof *got);

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
static void compare(const latmc_lattice *l, pieces *p)
{
    for (int k = 0; k < p->count; k++)
        compare_sites(l, p, k);
    for (int g = 0; g < l->model->groups; g++)
        compare_sums(l, p, 1u << g);
    compare_sums(l, p, 2 * lm_model_changes(l->model) - 1);
}

/* Every update that the cuts allow. Some no lattice of these extents has. */
static void sweep_both(const test_model *m, latmc_lattice *l, const lm_cuts *cuts, pieces *p)
{
    const lm_spec spec = lm_spec_of(l);

    for (int i = 0; m->updates[i]; i++) {
        const lm_job job = {.update = i, .step = l->sweeps, .sweeps = SWEEPS};

        if (cuts_tiles(&spec, cuts, i) || latmc_sweep(l, (latmc_update)m->updates[i], job.sweeps))
            continue;
        ok(lm_slabs_prepare(&p->slabs, i));
        ok(lm_slabs_sweep(&p->slabs, &job));
        compare(l, p);
    }
}

/* In four slabs between tiles, or three or two unequal ones; 0 if it has too few layers, or is
 * another model's to the tests. */
static int check_case(const test_model *m, const random_case *c, const char *device, int number)
{
    latmc_lattice *l = play_lattice(c, device);
    lm_cuts cuts;
    lm_spec spec;
    pieces p;

    assert_non_null(l);
    spec = lm_spec_of(l);
    cuts = spec.tiled && number % 2 ? cuts_between_tiles(&spec, 4) : cuts_unequal(&spec, 3);
    if (!cuts.count)
        cuts = cuts_unequal(&spec, 2);
    if (cuts.count && (spec.kept == LM_AS_BYTES) == m->bytes &&
        spec.components == suite_components(m)) {
        open_pieces(l, (latmc_start_mode)c->start, &cuts, &p);
        compare_sums(l, &p, lm_model_changes(l->model) - 1);
        sweep_both(m, l, &cuts, &p);
        close_pieces(&p);
    } else {
        cuts.count = 0;
    }
    latmc_destroy(l);
    return cuts.count > 0;
}

/* Returns how many lattices of the table could be cut. */
static int exchange_the_table(const test_model *m, const char *device)
{
    static table_row row;
    FILE *table = fopen(KNOWN_TABLE, "r");
    int checked = 0;

    assert_non_null(table);
    while (table_next(table, &row)) {
        if (row.has_case && row.c.model == (int)m->id && row.c.dims > 1 &&
            row.c.start != CASE_START_GIVEN)
            checked += check_case(m, &row.c, device, checked);
    }
    fclose(table);
    return checked;
}

static void transports_make_the_whole(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_device_info info = LATMC_INIT(latmc_device_info);

    for (int i = 0; m->slabs && !latmc_device_describe(i, &info); i++)
        if (info.usable) {
            const int checked = exchange_the_table(m, info.name);

            print_message("%s: %d lattices\n", info.name, checked);
            assert_true(checked >= m->slabs);
        }
}

int main(void)
{
    static const suite_test tests[] = {SUITE_TEST(transports_make_the_whole)};

    inside_share_all(0);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
