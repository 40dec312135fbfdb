/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and freeing lattices, and the checks that all public functions share. */
#include "lib/lattice/lattice.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/status.h"

latmc_status lm_need(const latmc_lattice *lattice, const char *caller)
{
    if (!lattice)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: lattice is NULL", caller);
    if (lattice->watch.calling)
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: the lattice is in use by the call whose progress callback this is",
                       caller);
    lm_ranks_enter(lattice->ranks, caller);
    return LATMC_OK;
}

latmc_status lm_need_started(const latmc_lattice *lattice, const char *caller)
{
    latmc_status status = lm_need(lattice, caller);

    if (!status && !lm_is_started(lattice))
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: the lattice has no sites yet; call latmc_start() first", caller);
    return status;
}

latmc_status lm_need_unstarted(const latmc_lattice *lattice, const char *caller)
{
    latmc_status status = lm_need(lattice, caller);

    if (!status && lm_is_started(lattice))
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: the lattice is already started; this can only be set before", caller);
    return status;
}

latmc_status lm_need_owner(const latmc_lattice *lattice, const char *caller, lm_owner owner)
{
    if (lm_has(lattice, owner))
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_UNKNOWN,
                   owner == LM_OF_BONDS ? "%s: bonds of the model %s have no couplings"
                                        : "%s: sites of the model %s have no fields of their own",
                   caller, lattice->model->entry.name);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static int64_t layer_rows(const latmc_lattice *lattice)
{
    return lattice->dims > 1 ? lattice->rows / lattice->extents[lattice->dims - 1] : 1;
}

/* Unless a test says otherwise. */
#define CHUNK_NUMBERS ((int64_t)1 << 20)

int64_t lm_chunk_rows(const latmc_lattice *lattice)
{
    const int64_t wanted = lattice->chunk_numbers, budget = wanted ? wanted : CHUNK_NUMBERS;
    const int64_t row_numbers = lm_row_numbers(lattice), layer = layer_rows(lattice);
    const int64_t unit = 8 / common_divisor(row_numbers, 8);
    int64_t rows = budget / row_numbers / unit * unit;

    if (rows >= layer)
        rows = rows / layer * layer;
    else if (rows < unit)
        rows = unit < layer ? unit : layer;
    return rows < lattice->rows ? rows : lattice->rows;
}

int lm_next_rows(const latmc_lattice *lattice, lm_chunk *chunk)
{
    const int64_t layer = layer_rows(lattice), next = chunk->first + chunk->count;
    int64_t most = lm_chunk_rows(lattice);

    if (most < layer && most > layer - next % layer)
        most = layer - next % layer;
    return lm_next_chunk(chunk, lattice->rows, most);
}

lm_chunk lm_chunk_with(const latmc_lattice *lattice, int64_t row)
{
    const int64_t layer = layer_rows(lattice), most = lm_chunk_rows(lattice);
    const int64_t before = most < layer ? row / layer * layer : 0;
    lm_chunk chunk = {before + (row - before) / most * most, 0};

    lm_next_rows(lattice, &chunk);
    return chunk;
}

/* Where a replica is one chunk: so many at once. */
static int64_t block_replicas(const latmc_lattice *lattice)
{
    const int64_t rows = lm_chunk_rows(lattice), numbers = rows * lm_row_numbers(lattice);
    const int64_t wanted = lattice->chunk_numbers, budget = wanted ? wanted : CHUNK_NUMBERS;
    const int64_t fit = budget / numbers;

    return rows < lattice->rows || fit < 1 ? 1 : fit < lattice->replicas ? fit : lattice->replicas;
}

int lm_next_block(const latmc_lattice *lattice, lm_block *block)
{
    const int64_t most = block_replicas(lattice), next = block->replica + block->replicas;

    if (block->replicas && lm_next_rows(lattice, &block->rows))
        return 1;
    if (next == lattice->replicas)
        return 0;
    block->replica = next;
    block->replicas = lattice->replicas - next < most ? lattice->replicas - next : most;
    block->rows = (lm_chunk){0};
    return lm_next_rows(lattice, &block->rows);
}

int64_t lm_block_numbers(const latmc_lattice *lattice, const lm_block *block)
{
    return block->replicas * block->rows.count * lm_row_numbers(lattice);
}

int64_t lm_block_room(const latmc_lattice *lattice)
{
    return block_replicas(lattice) * lm_chunk_rows(lattice) * lm_row_numbers(lattice);
}

static void preset_options(const lm_model *model, int64_t options[LM_MAX_OPTIONS])
{
    const lm_list *list = lm_list_of(model, LATMC_OPTIONS);

    for (int i = 0; i < LM_MAX_OPTIONS; i++)
        options[i] = i < list->count ? (int64_t)list->entries[i].preset : 0;
}

static latmc_status check_extents(const char *caller, int dims, const int64_t *extents)
{
    int64_t sites = 1;

    if (dims < 1 || dims > LATMC_MAX_DIMS)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: dims is %d; 1 to %d are allowed", caller, dims,
                       LATMC_MAX_DIMS);
    for (int a = 0; a < dims; a++) {
        if (extents[a] < 2)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: extent %d is %" PRId64 "; every extent must be at least 2", caller,
                           a, extents[a]);
        if (extents[a] > ((int64_t)1 << LM_SITE_BITS) / sites)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: with extent %d of %" PRId64 " there are more than 2^%d sites, the "
                           "most that a lattice may have",
                           caller, a, extents[a], LM_SITE_BITS);
        sites *= extents[a];
    }
    return LATMC_OK;
}

static void set_presets(latmc_lattice *lat, const lm_model *model, int dims, const int64_t *extents)
{
    lat->model = model;
    preset_options(model, lat->options);
    lat->type = lm_representation_of(lat)->type;
    lat->dims = dims;
    lat->sites = 1;
    lat->replicas = 1;
    lat->samples = lat->ladders = 1;
    lat->seed = 1;
    lat->order = LATMC_BY_REPLICA;
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        lat->extents[a] = a < dims ? extents[a] : 1;
        lat->boundaries[a] = LATMC_PERIODIC;
        lat->axis_couplings[a] = 1.0;
        lat->sites *= lat->extents[a];
    }
    lat->rows = lat->sites / lat->extents[0];
}

latmc_status lm_create(const char *caller, latmc_lattice **lattice, latmc_model model, int dims,
                       const int64_t *extents)
{
    const lm_model *m = lm_model_of((int)model);
    latmc_lattice *lat;
    latmc_status status;

    if (!lattice || !extents)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       lattice ? "extents" : "lattice");
    if (!m)
        return lm_fail(LATMC_ERROR_UNKNOWN,
                       "%s: there is no model number %d; latmc_describe() lists them", caller,
                       (int)model);
    status = check_extents(caller, dims, extents);
    if (status)
        return status;
    lat = lm_zeroed(caller, "a lattice's settings", 1, sizeof *lat);
    if (!lat)
        return LATMC_ERROR_MEMORY;
    set_presets(lat, m, dims, extents);
    status = lm_params_resize(lat, caller, 1);
    if (status)
        latmc_destroy(lat);
    else
        *lattice = lat;
    return status;
}

latmc_status latmc_create(latmc_lattice **lattice, latmc_model model, int dims,
                          const int64_t *extents)
{
    return lm_create(__func__, lattice, model, dims, extents);
}

void latmc_destroy(latmc_lattice *lattice)
{
    if (!lattice || lattice->watch.calling)
        return;
    lm_place_close(&lattice->place);
    for (int owner = 0; owner < LM_OWNERS; owner++)
        lm_disorder_free(&lattice->disorder[owner]);
    lm_ramps_end(lattice);
    lm_best_free(&lattice->best);
    free(lattice->slots);
    free(lattice->params);
    free(lattice->changed);
    lm_plane_waves_free(lattice);
    free(lattice->loose);
    lm_ranks_close(lattice->ranks);
    free(lattice);
}
