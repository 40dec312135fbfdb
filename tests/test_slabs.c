/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs: a lattice cut along its slowest axis into plans that exchange their boundary layers
 * after every colour is the whole lattice, on every usable device, boundary and bulk
 * updated separately. Also the one place where counters pass 2^32 words.
 */
#include <stdlib.h>

#include "backends/backend.h"
#include "tests/support.h"

enum { MAX_SLABS = 4, SUMS = 6, SWEEPS = 3 };

typedef struct cut {
    int dims;
    int64_t extents[4];
    int slabs;
    int64_t layers[MAX_SLABS];
    int64_t first_replica, replicas;
    int signs;
} cut;

static const cut cuts[] = {
    {2, {64, 8}, 2, {3, 5}, 0, 2, 0},      {2, {6, 10}, 3, {1, 2, 7}, 4, 9, 1},
    {2, {7, 9}, 2, {4, 5}, 0, 3, 1},       {2, {200, 7}, 3, {2, 4, 1}, 0, 1, 0},
    {3, {8, 6, 6}, 2, {1, 5}, 0, 5, 1},    {3, {70, 5, 7}, 3, {3, 2, 2}, 0, 1, 0},
    {4, {4, 6, 4, 6}, 2, {2, 4}, 0, 3, 1}, {4, {3, 4, 5, 5}, 2, {4, 1}, 0, 2, 0},
};

static int bipartite(const cut *c)
{
    for (int a = 0; a < c->dims; a++)
        if (c->extents[a] % 2)
            return 0;
    return 1;
}

static void *open_slab(const lm_backend *backend, int device, const cut *c, int64_t first,
                       int64_t layers)
{
    lm_spec spec = {.model = LATMC_ISING,
                    .dims = c->dims,
                    .extents = {1, 1, 1, 1},
                    .first_layer = first,
                    .layers = layers,
                    .first_replica = c->first_replica,
                    .replicas = c->replicas,
                    .seed = 99,
                    .signs = c->signs,
                    .bipartite = bipartite(c)};
    double values[2 * 16] = {0};
    const double axes[4] = {1, 1, 1, 1};
    const lm_parameters parameters = {.values = values, .axis_coupling = axes};
    void *plan = NULL;
    memcpy(spec.extents, c->extents, (size_t)c->dims * sizeof spec.extents[0]);
    for (int64_t r = 0; r < c->replicas; r++)
        values[r] = 0.3 + 0.05 * (double)r;
    assert_int_equal(backend->open(&spec, device, &plan), LATMC_OK);
    assert_int_equal(backend->put_parameters(plan, &parameters), LATMC_OK);
    return plan;
}

static int64_t rows_of(const cut *c)
{
    int64_t rows = 1;
    for (int a = 1; a < c->dims; a++)
        rows *= c->extents[a];
    return rows;
}

static void put_bonds(const lm_backend *backend, void *plan, const cut *c)
{
    const int64_t rows = rows_of(c), sites = rows * c->extents[0];
    int8_t *bonds = malloc((size_t)sites);
    uint64_t state = 5;
    for (int a = 0; a < c->dims && c->signs; a++) {
        for (int64_t i = 0; i < sites; i++)
            bonds[i] = next_random(&state) & 1 ? 1 : -1;
        assert_int_equal(backend->put_bonds(plan, a, 0, rows, bonds), LATMC_OK);
    }
    free(bonds);
}

/* A slab's halo comes from its neighbours' boundary layers, around the torus. */
static void exchange(const lm_backend *backend, void **slab, int slabs)
{
    void *halo = malloc(backend->halo_bytes(slab[0]));
    for (int i = 0; i < slabs; i++) {
        assert_int_equal(backend->pack(slab[i], LM_UPPER, halo), LATMC_OK);
        assert_int_equal(backend->unpack(slab[(i + 1) % slabs], LM_LOWER, halo), LATMC_OK);
        assert_int_equal(backend->pack(slab[(i + 1) % slabs], LM_LOWER, halo), LATMC_OK);
        assert_int_equal(backend->unpack(slab[i], LM_UPPER, halo), LATMC_OK);
    }
    free(halo);
}

static void sweep_slabs(const lm_backend *backend, void **slab, const cut *c, latmc_update update)
{
    for (int64_t step = 0; step < SWEEPS; step++)
        for (int colour = 0; colour < backend->colours(slab[0]); colour++) {
            for (int i = 0; i < c->slabs; i++) {
                assert_int_equal(backend->update(slab[i], update, step, colour, LM_BOUNDARY),
                                 LATMC_OK);
                assert_int_equal(backend->update(slab[i], update, step, colour, LM_BULK), LATMC_OK);
            }
            exchange(backend, slab, c->slabs);
        }
}

static void compare(const lm_backend *backend, void *whole, void **slab, const cut *c)
{
    const int64_t layer_rows = rows_of(c) / c->extents[c->dims - 1];
    const int sums = c->dims + 1; /* changes are not counted colour by colour */
    double want[16 * SUMS], got[16 * SUMS], part[16 * SUMS];
    memset(got, 0, sizeof got);
    int64_t row = 0;
    for (int i = 0; i < c->slabs; i++) {
        const int64_t rows = c->layers[i] * layer_rows, sites = rows * c->extents[0];
        int8_t *a = malloc((size_t)sites), *b = malloc((size_t)sites);
        for (int64_t r = 0; r < c->replicas; r++) {
            assert_int_equal(backend->get_sites(whole, r, row, rows, a), LATMC_OK);
            assert_int_equal(backend->get_sites(slab[i], r, row, rows, b), LATMC_OK);
            assert_memory_equal(a, b, (size_t)sites);
        }
        assert_int_not_equal(backend->get_sites(slab[i], 0, (row + rows) % rows_of(c), 1, a),
                             LATMC_OK);
        assert_int_equal(backend->measure(slab[i], part), LATMC_OK);
        for (int k = 0; k < c->replicas * (c->dims + 2); k++)
            got[k] += part[k];
        free(a);
        free(b);
        row += rows;
    }
    assert_int_equal(backend->measure(whole, want), LATMC_OK);
    for (int64_t r = 0; r < c->replicas; r++)
        assert_memory_equal(want + r * (c->dims + 2), got + r * (c->dims + 2),
                            (size_t)sums * sizeof *want);
}

static void check_cut(const lm_backend *backend, int device, const cut *c, latmc_update update)
{
    const int64_t layers = c->extents[c->dims - 1];
    const lm_job job = {.update = update, .sweeps = SWEEPS};
    void *whole = open_slab(backend, device, c, 0, layers), *slab[MAX_SLABS];
    int64_t first = 0;
    put_bonds(backend, whole, c);
    for (int i = 0; i < c->slabs; first += c->layers[i++]) {
        slab[i] = open_slab(backend, device, c, first, c->layers[i]);
        put_bonds(backend, slab[i], c);
        assert_int_equal(backend->start(slab[i], LATMC_START_HOT), LATMC_OK);
    }
    exchange(backend, slab, c->slabs);
    assert_int_equal(backend->start(whole, LATMC_START_HOT), LATMC_OK);
    assert_int_equal(backend->sweep(whole, &job), LATMC_OK);
    sweep_slabs(backend, slab, c, update);
    compare(backend, whole, slab, c);
    backend->close(whole);
    for (int i = 0; i < c->slabs; i++)
        backend->close(slab[i]);
}

static void slabs_make_the_whole(void **state)
{
    for (const lm_backend *const *b = lm_backends; *b; b++) {
        int checked = 0;
        for (int device = 0; device < (*b)->count(); device++) {
            latmc_device_info info = {.size = sizeof info};
            (*b)->describe(device, &info);
            for (size_t i = 0; info.usable && i < ALL(cuts); i++, checked++) {
                check_cut(*b, device, &cuts[i], LATMC_METROPOLIS);
                check_cut(*b, device, &cuts[i], LATMC_HEATBATH);
            }
        }
        if (!checked)
            print_message("no usable device of backend %s\n", (*b)->name);
    }
    (void)state;
}

/* Layers whose words are numbered from just below 2^32: lanes must not let a vector's counters
 * run over into the wrong upper half. Every lane against the scalar one. */
static void beyond_32_bits(void **state)
{
    const cut huge = {2, {8192 - 64, (int64_t)1 << 27}, 1, {5}, 0, 1, 0};
    const int64_t width = (huge.extents[0] / 2 + 31) / 32;
    const int64_t first = ((int64_t)1 << 32) / width - 2;
    const lm_backend *backend = NULL;
    int8_t want[5 * 8192], got[5 * 8192];
    size_t compared = 0;
    for (const lm_backend *const *b = lm_backends; *b; b++)
        backend = *b; /* "cpu" is the last */
    for (int device = backend->count() - 1; device >= 0; device--) {
        latmc_device_info info = {.size = sizeof info};
        backend->describe(device, &info);
        if (!info.usable)
            continue;
        void *slab = open_slab(backend, device, &huge, first, 5);
        assert_int_equal(backend->start(slab, LATMC_START_HOT), LATMC_OK);
        assert_int_equal(backend->update(slab, LATMC_METROPOLIS, 0, 0, LM_WHOLE), LATMC_OK);
        assert_int_equal(backend->get_sites(slab, 0, first, 5, compared ? got : want), LATMC_OK);
        if (compared++)
            assert_memory_equal(want, got, (size_t)(5 * huge.extents[0]));
        backend->close(slab);
    }
    (void)state;
}

/* A model without slabs says so. */
static void fields_stay_whole(void **state)
{
    const lm_spec spec = {.model = LATMC_PHI4,
                          .type = LATMC_FLOAT32,
                          .dims = 2,
                          .extents = {4, 6, 1, 1},
                          .boundaries = {LATMC_PERIODIC, LATMC_PERIODIC},
                          .layers = 5,
                          .replicas = 1};
    for (const lm_backend *const *b = lm_backends; *b; b++)
        for (int device = 0; device < (*b)->count(); device++) {
            latmc_device_info info = {.size = sizeof info};
            void *plan = NULL;
            (*b)->describe(device, &info);
            if (info.usable)
                refused(LATMC_ERROR_ARGUMENT, "slabs", (*b)->open(&spec, device, &plan));
            assert_null(plan);
        }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_make_the_whole),
        cmocka_unit_test(fields_stay_whole),
        cmocka_unit_test(beyond_32_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
