/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fields whose sites are numbered beyond 2^32: some layers of a lattice of 4.3 10^9 sites, of which
 * one has sites below 2^32 and above. Starts and phases of every update on the scalar lane against
 * the second implementations, and on every usable device against the scalar lane.
 */
#include "lib/lattice/disorder.h"
#include "lib/lattice/spec.h"
#include "lib/physics/ising_observe.h"
#include "tests/models/ising_bytes_naive.h"

enum { LAYERS = 32, SKIPPED = 8 };    /* those at the ends see neighbours that the other has not */
enum { STEP = LM_SANITIZED ? 3 : 1 }; /* of the cases */

/* The place of an update in its model's list. */
enum { FIRST_UPDATE, SECOND_UPDATE, THIRD_UPDATE };

typedef struct case_of {
    latmc_model model;
    latmc_type type;
    latmc_update update;
    int place, phases; /* of it: in the list, by hand */
    int cutoff, disorder, hits;
    int odd;    /* extents that nodes do not divide, and colours that small lattices have not */
    int beyond; /* all sites are above 2^32 */
    int components;
    int64_t replica; /* of an ensemble */
} case_of;

/* Replicas beyond 2^16, and the last one of the ensemble. */
#define FAR  5 * (int64_t)65536 + 3
#define LAST ((int64_t)1 << 24) - 1

static const case_of cases[] = {
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_METROPOLIS, FIRST_UPDATE, 8, 1, 0, 1, 0, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_METROPOLIS, FIRST_UPDATE, 8, 1, 0, 5, 0, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_METROPOLIS, FIRST_UPDATE, 2, 0, 0, 2, 0, 1, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_BLOCK_METROPOLIS, SECOND_UPDATE, 4, 0, 0, 1, 0, 1, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_METROPOLIS, FIRST_UPDATE, 0, 1, 0, 9, 1, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_METROPOLIS, FIRST_UPDATE, 0, 0, 0, 1, 1, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_BLOCK_METROPOLIS, SECOND_UPDATE, 4, 1, 0, 1, 0, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_BLOCK_METROPOLIS, SECOND_UPDATE, 4, 1, 0, 2, 0, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_BLOCK_METROPOLIS, SECOND_UPDATE, 4, 0, 0, 9, 0, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_BLOCK_METROPOLIS, SECOND_UPDATE, 0, 1, 0, 3, 1, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_OVERRELAX, THIRD_UPDATE, 8, 1, 0, 1, 0, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT64, LATMC_METROPOLIS, FIRST_UPDATE, 8, 1, 0, 1, 0, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT64, LATMC_BLOCK_METROPOLIS, SECOND_UPDATE, 4, 1, 0, 5, 0, 0, 1, 0},
    {LATMC_ONVECTOR, LATMC_FLOAT32, LATMC_METROPOLIS, FIRST_UPDATE, 2, 0, 0, 5, 0, 0, 2, 0},
    {LATMC_ONVECTOR, LATMC_FLOAT32, LATMC_METROPOLIS, FIRST_UPDATE, 0, 0, 1, 2, 1, 0, 2, 0},
    {LATMC_ONVECTOR, LATMC_FLOAT64, LATMC_METROPOLIS, FIRST_UPDATE, 2, 0, 1, 5, 0, 0, 2, 0},
    {LATMC_ONVECTOR, LATMC_FLOAT32, LATMC_HEATBATH, THIRD_UPDATE, 2, 0, 1, 1, 0, 0, 4, 0},
    {LATMC_ONVECTOR, LATMC_FLOAT64, LATMC_HEATBATH, THIRD_UPDATE, 0, 0, 0, 1, 1, 0, 3, 0},
    {LATMC_ISING, LATMC_INT8, LATMC_METROPOLIS, FIRST_UPDATE, 2, 0, 1, 1, 0, 0, 1, 0},
    {LATMC_ISING, LATMC_INT8, LATMC_HEATBATH, SECOND_UPDATE, 2, 0, 1, 1, 0, 0, 1, 0},
    {LATMC_PHI4, LATMC_FLOAT64, LATMC_METROPOLIS, FIRST_UPDATE, 2, 0, 0, 5, 0, 1, 1, LAST},
    {LATMC_PHI4, LATMC_FLOAT32, LATMC_BLOCK_METROPOLIS, SECOND_UPDATE, 4, 1, 0, 2, 0, 0, 1, FAR},
    {LATMC_ISING, LATMC_INT8, LATMC_METROPOLIS, FIRST_UPDATE, 2, 0, 1, 1, 0, 1, 1, FAR},
};

/* Tiles and colours of the first begin alike at the first layer and at 0, and it has 16 k. */
static const int64_t shapes[2][3] = {{72, 88, 678000}, {73, 87, 677000}};
static const double beta = 0.7, field = 0.25, epsilon = 0.9;
static const uint64_t seed = 0x123456789abcull;

static int64_t layer_sites(const case_of *c)
{
    return shapes[c->odd][0] * shapes[c->odd][1];
}

/* Number 2^32 is in a layer that is compared. */
static int64_t first_layer(const case_of *c)
{
    return (((int64_t)1 << 32) / layer_sites(c) - SKIPPED) / 16 * 16 + (c->beyond ? 32 : 0);
}

/* ---- by the library: not started, since nothing of it would fit the memory */

static latmc_lattice *lattice_of(const case_of *c)
{
    const double axes[] = {1.0, -0.5, 0.75};
    latmc_lattice *l = NULL;

    ok(latmc_create(&l, c->model, 3, shapes[c->odd]));
    ok(latmc_set_seed(l, seed));
    ok(latmc_set_first_replica(l, c->replica));
    if (c->model == LATMC_ONVECTOR)
        ok(latmc_set_option(l, LATMC_N, c->components));
    if (c->model == LATMC_PHI4) {
        ok(latmc_set_option(l, LATMC_CUTOFF, c->cutoff));
        ok(latmc_set_param(l, LATMC_MU2, 0.5));
        ok(latmc_set_param(l, LATMC_G, 2.0));
        ok(latmc_set_param(l, LATMC_INV_LAMBDA, c->cutoff ? 0.25 : 0.0));
        ok(latmc_set_param(l, LATMC_LOCAL_SWEEPS, 2));
    } else {
        ok(latmc_set_param(l, LATMC_BETA, beta));
        ok(latmc_set_param(l, LATMC_FIELD, field));
        ok(latmc_set_bond_type_couplings(l, axes));
    }
    if (c->model != LATMC_ISING) {
        ok(set_type(l, c->type));
        ok(latmc_set_param(l, LATMC_EPSILON, epsilon));
        ok(latmc_set_param(l, LATMC_HITS, c->hits));
    }
    if (c->disorder) {
        ok(latmc_draw_bond_couplings(l, LATMC_GAUSSIAN, 7, 0, NULL, NULL));
        ok(latmc_draw_site_fields(l, LATMC_GAUSSIAN, 8, 0, NULL, NULL));
    }
    return l;
}

/* Couplings along an axis, or fields, of the slab's rows and of the layers beside it. */
static double *own_numbers(const latmc_lattice *l, const lm_spec *spec, int k, int64_t *first_row,
                           int64_t *rows)
{
    const int64_t layer = l->extents[1];
    double *values;

    *first_row = (spec->first_layer - 1) * layer;
    *rows = (spec->layers + 2) * layer;
    values = malloc((size_t)(*rows * l->extents[0]) * sizeof *values);
    assert_non_null(values);
    lm_disorder_own(l, k < 3 ? LM_OF_BONDS : LM_OF_SITES, 0, k < 3 ? k : 0,
                    *first_row * l->extents[0], *rows * l->extents[0], values);
    return values;
}

static lm_plan open_slab(const case_of *c, const lm_backend *backend, int device)
{
    latmc_lattice *l = lattice_of(c);
    lm_spec spec = lm_spec_of(l);
    const lm_parameters parameters = {
        .values = l->params, .type_coupling = l->type_couplings, .loose = (uint8_t[]){0}};
    int64_t first, rows;
    lm_plan plan;

    spec.first_layer = first_layer(c);
    spec.layers = LAYERS;
    ok(lm_plan_open(backend, &spec, device, &plan));
    for (int k = 0; k < 4 && c->disorder; k++) {
        double *values = own_numbers(l, &spec, k, &first, &rows);
        ok(lm_plan_put_values(plan, 0, k, first, rows, values));
        free(values);
    }
    ok(plan.ops->put_parameters(plan.self, &parameters));
    ok(plan.ops->start(plan.self, LATMC_START_HOT));
    for (int side = LM_LOWER; side <= LM_UPPER; side++) { /* nothing lies beyond */
        void *halo = calloc(1, plan.ops->slabs->halo_bytes(plan.self));
        assert_non_null(halo);
        ok(plan.ops->slabs->unpack(plan.self, (lm_side)side, halo));
        free(halo);
    }
    latmc_destroy(l);
    return plan;
}

static size_t slab_bytes(const case_of *c)
{
    const size_t number = c->type == LATMC_INT8 ? 1 : c->type == LATMC_FLOAT32 ? 4 : 8;

    return (size_t)(LAYERS * layer_sites(c) * c->components) * number;
}

static void *sites_of(const case_of *c, lm_plan plan)
{
    const int64_t rows = shapes[c->odd][1];
    void *sites = malloc(slab_bytes(c));

    assert_non_null(sites);
    ok(plan.ops->get_sites(plan.self, 0, first_layer(c) * rows, LAYERS * rows, sites));
    return sites;
}

/* ---- by hand: the layers as a lattice of their own, whose first site has another number */

static naive_vectors by_hand(const case_of *c)
{
    vector_model m = {.lattice = {.dims = 3,
                                  .extents = {shapes[0][0], shapes[0][1], LAYERS, 1},
                                  .boundaries = {P, P, P},
                                  .mu2 = 0.5,
                                  .g = 2.0,
                                  .kappa = c->cutoff ? 0.25 : 0.0,
                                  .cutoff = c->cutoff,
                                  .epsilon = epsilon,
                                  .hits = c->hits,
                                  .local_sweeps = 2},
                      .axis = {1.0, -0.5, 0.75},
                      .beta = beta,
                      .field = field,
                      .n = c->components};
    naive_vectors n = naive_vectors_of(&m, c->type == LATMC_INT8 ? LATMC_FLOAT32 : c->type, seed,
                                       (uint64_t)c->replica);

    n.f.first = first_layer(c) * layer_sites(c);
    return n;
}

static void disorder_by_hand(const case_of *c, naive_vectors *n)
{
    latmc_lattice *l = lattice_of(c);
    const lm_spec slab = {.first_layer = first_layer(c), .layers = LAYERS};
    int64_t first, rows;

    for (int k = 0; k < 4; k++) {
        double *values = own_numbers(l, &slab, k, &first, &rows);
        for (int i = 0; i < n->f.sites; i++) {
            const double value = naive_t(&n->f, values[layer_sites(c) + i]);
            if (k < 3)
                n->bonds[k * n->f.sites + i] = value;
            else
                n->fields[i] = value;
        }
        free(values);
    }
    latmc_destroy(l);
}

static double *numbers_by_hand(const case_of *c, naive_vectors *n)
{
    return c->model == LATMC_PHI4 ? n->f.phi : n->s;
}

static void start_by_hand(const case_of *c, naive_vectors *n)
{
    if (c->model == LATMC_PHI4)
        naive_field_start(&n->f, LATMC_START_HOT);
    else if (c->model == LATMC_ONVECTOR)
        naive_vectors_start(n, LATMC_START_HOT);
    else
        naive_spins_start(n, LATMC_START_HOT);
}

static void phase_by_hand(const case_of *c, naive_vectors *n, int phase)
{
    if (c->update == LATMC_BLOCK_METROPOLIS)
        naive_sub_grid_sweep(&n->f, phase);
    else if (c->model == LATMC_PHI4)
        naive_colour_sweep(&n->f, c->update, phase);
    else if (c->model == LATMC_ONVECTOR)
        naive_vectors_colour(n, c->update, phase);
    else
        naive_spins_colour(n, c->update, phase);
}

static double number_at(const case_of *c, const void *sites, int64_t i)
{
    return c->type == LATMC_INT8      ? ((const int8_t *)sites)[i]
           : c->type == LATMC_FLOAT32 ? (double)((const float *)sites)[i]
                                      : ((const double *)sites)[i];
}

/* All that do not see the ends; then all become those of the library. */
static void compare_by_hand(const case_of *c, naive_vectors *n, lm_plan plan, int phase)
{
    const int64_t layer = layer_sites(c) * c->components;
    double *want = numbers_by_hand(c, n);
    void *got = sites_of(c, plan);

    for (int64_t i = SKIPPED * layer; i < (LAYERS - SKIPPED) * layer; i++)
        if (number_at(c, got, i) != want[i])
            fail_msg("case %d, phase %d: site 2^32 %+lld: %a, not %a", (int)(c - cases), phase,
                     (long long)(n->f.first + i / c->components - ((int64_t)1 << 32)),
                     number_at(c, got, i), want[i]);
    for (int64_t i = 0; i < LAYERS * layer; i++)
        want[i] = number_at(c, got, i);
    free(got);
}

/* ---- both */

static const lm_backend *cpu(void)
{
    const lm_backend *const *last = lm_backends;

    while (last[1])
        last++;
    return *last;
}

/* The reference is the last device. */
static lm_plan open_scalar(const case_of *c)
{
    return open_slab(c, cpu(), cpu()->count() - 1);
}

static void slabs_are_as_by_hand(void **state)
{
    (void)state;
    for (size_t k = 0; k < ALL(cases); k += STEP) {
        const case_of *c = &cases[k];
        if (c->odd)
            continue;
        lm_plan plan = open_scalar(c);
        naive_vectors n = by_hand(c);
        if (c->disorder)
            disorder_by_hand(c, &n);
        start_by_hand(c, &n);
        compare_by_hand(c, &n, plan, -1);
        assert_int_equal(plan.ops->slabs->phases(plan.self, c->place), c->phases);
        for (int phase = 0; phase < c->phases; phase++) {
            n.f.step = 3;
            phase_by_hand(c, &n, phase);
            ok(plan.ops->slabs->update(plan.self, c->place, 3, phase, LM_WHOLE));
            compare_by_hand(c, &n, plan, phase);
        }
        naive_vectors_free(&n);
        lm_plan_close(&plan);
    }
}

typedef struct compared {
    latmc_device_info device;
    lm_plan plan;
} compared;

/* The case on every other device that can be used; how many there are. */
static int open_others(const case_of *c, compared *others, int most)
{
    int count = 0;

    for (const lm_backend *const *b = lm_backends; *b; b++)
        for (int device = (*b)->count() - 1; device >= 0; device--) {
            latmc_device_info info = {.size = sizeof info};
            (*b)->describe(device, &info);
            if (!info.usable || (*b == cpu() && device == cpu()->count() - 1))
                continue;
            assert_true(count < most);
            others[count++] = (compared){info, open_slab(c, *b, device)};
        }
    return count;
}

static void compare_sites(const case_of *c, lm_plan want, const compared *others, int count,
                          int phase)
{
    void *sites = sites_of(c, want);

    for (int i = 0; i < count; i++) {
        void *got = sites_of(c, others[i].plan);
        if (memcmp(sites, got, slab_bytes(c)) != 0)
            fail_msg("%s, case %d, phase %d: other sites", others[i].device.name, (int)(c - cases),
                     phase);
        free(got);
    }
    free(sites);
}

/* Two sweeps, after each phase of which all sites are those of the scalar lane, which makes them
 * once for all devices. */
static void compare_devices(const case_of *c)
{
    compared others[16];
    const int count = open_others(c, others, ALL(others));
    lm_plan want = open_scalar(c);
    const int phases = want.ops->slabs->phases(want.self, c->place);

    for (int k = -1; k < 2 * phases; k++) {
        const int64_t step = k / phases;
        if (k >= 0)
            ok(want.ops->slabs->update(want.self, c->place, step, k % phases, LM_WHOLE));
        for (int i = 0; i < count && k >= 0; i++)
            ok(others[i].plan.ops->slabs->update(others[i].plan.self, c->place, step, k % phases,
                                                 LM_WHOLE));
        compare_sites(c, want, others, count, k);
    }
    for (int i = 0; i < count; i++)
        lm_plan_close(&others[i].plan);
    lm_plan_close(&want);
}

static void devices_agree(void **state)
{
    (void)state;
    for (size_t k = 0; k < ALL(cases); k += STEP)
        compare_devices(&cases[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slabs_are_as_by_hand),
                                       cmocka_unit_test(devices_agree)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
