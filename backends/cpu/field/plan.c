/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cpu/field/plan.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/physics/sums.h"
#include "lib/geometry/waves.h"

int64_t lm_field_numbers(const lm_field_plan *p)
{
    return p->layout.box.planes * p->layout.numbers;
}

void *lm_field_of(const lm_field_plan *p, int64_t replica)
{
    const lm_field_box *b = &p->layout.box;
    return p->fields + (size_t)(replica * lm_field_numbers(p) + b->planes * b->place0) * p->bytes;
}

void *lm_field_bonds_of(const lm_field_plan *p, int64_t replica)
{
    return p->bonds + (size_t)(replica * p->layout.numbers + p->layout.box.place0) * p->bytes;
}

const void *lm_field_rule_of(const lm_field_plan *p, int64_t replica)
{
    return p->rules + (size_t)replica * p->model->rule_bytes;
}

lm_field_pass lm_field_pass_of(const lm_field_plan *p, int update, int64_t replica, int64_t step)
{
    return (lm_field_pass){.update = update,
                           .tiled = lm_field_is_tiled(p, update),
                           .across = p->layout.box.across && p->lane->across >> update & 1,
                           .rule = lm_field_rule_of(p, replica),
                           .table = p->spec.kept == LM_AS_DOUBLES ? (const void *)p->spec.table
                                                                  : (const void *)p->table,
                           .keys = &p->keys,
                           .step = (uint64_t)step,
                           .group = lm_group_low(p->spec.first_replica + replica)};
}

int64_t lm_field_sample_of(const lm_field_plan *p, int64_t replica)
{
    return replica / (p->spec.replicas / p->layout.samples);
}

int lm_field_is_tiled(const lm_field_plan *p, int update)
{
    return p->spec.tiled >> update & 1;
}

lm_field_box lm_field_box_of(const lm_field_plan *p, int64_t replica)
{
    lm_field_box b = p->layout.box;
    b.field = lm_field_of(p, replica);
    b.fixed = lm_field_fixed_of(&p->layout, lm_field_sample_of(p, replica));
    b.far = lm_field_is_far(p);
    return b;
}

int lm_field_is_far(const lm_field_plan *p)
{
    const lm_field_layout *l = &p->layout;
    return (double)l->numbers * lm_field_site_bytes(l) >= (double)p->front_limits.field_bytes;
}

latmc_status lm_field_put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_field_plan *p = plan;
    for (int64_t r = 0; r < p->spec.replicas; r++)
        p->model->make_rule(lm_parameters_of(parameters, r), p->spec.replicas,
                            parameters->type_coupling, p->spec.states,
                            p->rules + (size_t)r * p->model->rule_bytes);
    return LATMC_OK;
}

/* ---- making and freeing */

static int allocate(lm_field_plan *p)
{
    static const char sites[] = "the sites of the lattice", sums[] = "the sums of a measurement",
                      rest[] = "the replicas of a plan";
    const int64_t replicas = p->spec.replicas;
    p->rules = lm_zeroed(NULL, rest, replicas, p->model->rule_bytes);
    p->stale = lm_zeroed(NULL, rest, replicas, 1);
    p->counted = lm_zeroed(NULL, rest, replicas, sizeof *p->counted);
    p->offers = lm_zeroed(NULL, rest, replicas, sizeof *p->offers);
    p->work =
        lm_zeroed(NULL, sums, replicas * p->layers * p->sums * p->layer_blocks, sizeof *p->work);
    p->layer_sums = lm_zeroed(NULL, sums, replicas * p->layers * p->sums, sizeof *p->layer_sums);
    p->memory =
        lm_zeroed(NULL, sites, replicas * lm_field_numbers(p) + LM_CACHE_LINE, (int64_t)p->bytes);
    p->fields = lm_align_to_cache_line(p->memory);
    /* It occupies no pages before something is measured. */
    p->bonds_memory =
        lm_zeroed(NULL, sums, (p->lane->bonds ? replicas * p->layout.numbers : 0) + LM_CACHE_LINE,
                  (int64_t)p->bytes);
    p->bonds = lm_align_to_cache_line(p->bonds_memory);
    return p->memory && p->bonds_memory && p->rules && p->stale && p->counted && p->offers &&
           p->work && p->layer_sums;
}

/* Returns the bytes of what belongs to a replica: sites, bonds, sums, a rule. */
static int64_t replica_bytes(const lm_field_plan *p)
{
    const int64_t numbers = lm_field_numbers(p) + (p->lane->bonds ? p->layout.numbers : 0);
    const int64_t sums = p->layers * p->sums * (p->layer_blocks + 1);
    const size_t rest = p->model->rule_bytes + 1 + sizeof *p->counted + sizeof *p->offers;
    return (int64_t)((size_t)numbers * p->bytes + (size_t)sums * sizeof *p->work + rest);
}

/* Each place of the halo has about one move. */
static int64_t layout_bytes(const lm_field_layout *l, int64_t sites)
{
    const int64_t moves = (l->numbers - sites) / l->box.nodes;
    const int64_t fields = (l->samples + l->per_vector - 1) / l->per_vector;
    return moves * (int64_t)sizeof *l->halo.moves +
           fields * l->fixed_map.planes * l->numbers * (int64_t)l->value_bytes;
}

latmc_status lm_field_sketch(void *plan, const lm_parameters *parameters, int update,
                             lm_sketch *sketch)
{
    const lm_field_plan *p = plan;
    const int tiled = lm_field_is_tiled(p, update);
    (void)parameters;
    sketch->kernel = tiled ? "tiles" : "colours";
    sketch->host_bytes = (int64_t)sizeof *p + p->spec.replicas * replica_bytes(p) +
                         layout_bytes(&p->layout, p->sites) +
                         (tiled ? lm_field_tiling_bytes(p, sketch->threads) : 0);
    return LATMC_OK;
}

static int make_waves(lm_field_plan *p)
{
    for (int a = 0; a < p->spec.dims; a++) {
        const int64_t extent = p->spec.extents[a];
        p->waves[a] = lm_zeroed(NULL, "the waves of an axis", 2 * extent, sizeof *p->waves[a]);
        if (!p->waves[a])
            return 0;
        lm_waves(p->spec.boundaries[a] == LATMC_ANTIPERIODIC ? 2 * extent : extent, extent,
                 p->waves[a]);
    }
    return 1;
}

static latmc_status fill(lm_field_plan *p)
{
    lm_field_layout *l = &p->layout;
    p->sites = p->spec.layers;
    for (int a = 0; a < p->spec.dims - 1; a++)
        p->sites *= p->spec.extents[a];
    p->layers = p->spec.dims == 1 ? 1 : p->spec.layers;
    p->layer_blocks = LM_SUMS_BLOCKS(p->sites / p->layers);
    if (!make_waves(p))
        return LATMC_ERROR_MEMORY;
    l->spec = &p->spec;
    l->lane = p->lane;
    l->bytes = p->bytes;
    l->value_bytes = p->spec.kept == LM_AS_DOUBLES ? sizeof(double) : sizeof(float);
    l->kind = p->model->kind ? p->model->kind(&p->spec) : 0;
    l->fixed_value = p->model->fixed_value;
    const latmc_status status = lm_field_layout_make(l, p->waves);
    if (status || p->spec.sketch)
        return status;
    return allocate(p) ? lm_field_layout_fill(l) : LATMC_ERROR_MEMORY;
}

latmc_status lm_field_open(const lm_spec *spec, const void *engine, int lane, void **plan)
{
    const lm_field_model *const model = engine;
    static const size_t bytes[] = {[LM_FIELD_FLOATS] = sizeof(float),
                                   [LM_FIELD_DOUBLES] = sizeof(double),
                                   [LM_FIELD_BYTES] = 1};
    const int element = spec->kept == LM_AS_DOUBLES ? LM_FIELD_DOUBLES
                        : spec->kept == LM_AS_BYTES ? LM_FIELD_BYTES
                                                    : LM_FIELD_FLOATS;
    lm_field_plan *p = lm_zeroed(NULL, "a plan", 1, sizeof *p);
    if (!p)
        return LATMC_ERROR_MEMORY;
    p->spec = *spec;
    p->model = model;
    p->lane = model->loops[element][lane];
    p->bytes = bytes[element];
    p->keys = lm_keys_of(spec->seed, (uint64_t)spec->first_replica);
    lm_fixed_round(spec->table, LM_MAX_TABLE, 0, p->table);
    p->sums = lm_spec_sums(spec) - 1;
    p->front_limits.field_bytes = LM_FIELD_FRONT_BYTES;
    p->front_limits.front_sites = 4096; /* some microseconds between barriers */
    const latmc_status status = fill(p);
    if (status) {
        lm_field_close(p);
        return status;
    }
    *plan = p;
    return LATMC_OK;
}

void lm_field_close(void *plan)
{
    lm_field_plan *p = plan;
    lm_field_tiling_free(&p->tiling);
    lm_field_layout_free(&p->layout);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        free(p->waves[a]);
    free(p->memory);
    free(p->bonds_memory);
    free(p->rules);
    free(p->stale);
    free(p->counted);
    free(p->offers);
    free(p->work);
    free(p->layer_sums);
    free(p->room.words);
    free(p);
}
