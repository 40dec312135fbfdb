/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cpu/field/plan.h"

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#define LM_SUMS_INLINE static inline
#include "lib/physics/sums.h"
#include "lib/waves.h"

void *lm_field_of(const lm_field_plan *p, int64_t replica)
{
    return p->fields + (size_t)(replica * p->numbers + p->layout_of[replica]->place0) * p->bytes;
}

const void *lm_field_rule_of(const lm_field_plan *p, int64_t replica)
{
    return p->rules + (size_t)replica * p->model->rule_bytes;
}

lm_field_box lm_field_box_of(const lm_field_plan *p, int64_t replica)
{
    lm_field_box b = p->layout_of[replica]->box;
    b.field = lm_field_of(p, replica);
    return b;
}

/* ---- parameters */

static lm_field_layout *layout_for(lm_field_plan *p, const void *rules, int64_t replica)
{
    const char *rule = (const char *)rules + (size_t)replica * p->model->rule_bytes;
    return &p->layouts[p->model->reach(rule) - 1];
}

/* Through `sites`, in natural order; NULL if both layouts have every site at the same place. */
static void change_layout(lm_field_plan *p, int64_t replica, const lm_field_layout *to, void *sites)
{
    const lm_field_layout *from = p->layout_of[replica];
    const int64_t rows = p->sites / p->spec.extents[0];
    p->stale[replica] = 1;
    if (sites) {
        p->lane->get(&from->map, lm_field_of(p, replica), 0, rows, sites);
        memset(p->fields + (size_t)(replica * p->numbers) * p->bytes, 0,
               (size_t)p->numbers * p->bytes);
    }
    p->layout_of[replica] = to;
    if (sites)
        p->lane->put(&to->map, lm_field_of(p, replica), 0, rows, sites);
}

/* Makes the layouts that the rules ask for. *moves: must sites move? */
static latmc_status prepare(lm_field_plan *p, const void *rules, int *moves)
{
    latmc_status status = LATMC_OK;
    *moves = 0;
    for (int64_t r = 0; r < p->spec.replicas && !status; r++) {
        lm_field_layout *to = layout_for(p, rules, r);
        status = lm_field_layout_fill(to);
        *moves |= p->layout_of[r] != to;
    }
    *moves = *moves && !lm_field_layout_same(&p->layouts[0], &p->layouts[1]);
    return status;
}

static void *rules_of(const lm_field_plan *p, const double *values)
{
    const int64_t replicas = p->spec.replicas;
    char *rules = lm_zeroed(NULL, "the parameters of all replicas", replicas, p->model->rule_bytes);
    for (int64_t r = 0; rules && r < replicas; r++)
        p->model->make_rule(values + r, replicas, rules + (size_t)r * p->model->rule_bytes);
    return rules;
}

static void apply(lm_field_plan *p, const void *rules, void *sites)
{
    for (int64_t r = 0; r < p->spec.replicas; r++) {
        const lm_field_layout *to = layout_for(p, rules, r);
        if (p->layout_of[r] != to)
            change_layout(p, r, to, sites);
    }
    memcpy(p->rules, rules, (size_t)p->spec.replicas * p->model->rule_bytes);
}

latmc_status lm_field_put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_field_plan *p = plan;
    void *rules = rules_of(p, parameters->values), *sites = NULL;
    int moves = 0;
    latmc_status status = rules ? prepare(p, rules, &moves) : LATMC_ERROR_MEMORY;
    if (!status && moves) {
        sites = lm_zeroed(NULL, "the sites of a replica", p->sites, p->bytes);
        status = sites ? LATMC_OK : LATMC_ERROR_MEMORY;
    }
    if (!status)
        apply(p, rules, sites);
    free(rules);
    free(sites);
    return status;
}

/* ---- making and freeing */

static int allocate(lm_field_plan *p)
{
    static const char sites[] = "the sites of the lattice", sums[] = "the sums of a measurement",
                      rest[] = "the replicas of a plan";
    const int64_t replicas = p->spec.replicas;
    const int64_t layer = p->spec.dims == 1 ? p->sites : p->sites / p->layers;
    p->layer_blocks = LM_SUMS_BLOCKS(layer);
    p->layout_of = lm_zeroed(NULL, rest, replicas, sizeof *p->layout_of);
    p->rules = lm_zeroed(NULL, rest, replicas, p->model->rule_bytes);
    p->stale = lm_zeroed(NULL, rest, replicas, 1);
    p->counted = lm_zeroed(NULL, rest, replicas, sizeof *p->counted);
    p->offers = lm_zeroed(NULL, rest, replicas, sizeof *p->offers);
    p->work =
        lm_zeroed(NULL, sums, replicas * p->layers * p->sums * p->layer_blocks, sizeof *p->work);
    p->layer_sums = lm_zeroed(NULL, sums, replicas * p->layers * p->sums, sizeof *p->layer_sums);
    p->memory =
        lm_zeroed(NULL, sites, replicas * p->numbers * (int64_t)p->bytes + LM_CACHE_LINE, 1);
    p->fields = lm_align_to_cache_line(p->memory);
    return p->layout_of && p->memory && p->rules && p->stale && p->counted && p->offers &&
           p->work && p->layer_sums;
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
    latmc_status status = LATMC_OK;
    p->sites = 1;
    for (int a = 0; a < p->spec.dims; a++)
        p->sites *= p->spec.extents[a];
    p->layers = p->spec.dims == 1 ? 1 : p->spec.extents[p->spec.dims - 1];
    int good = make_waves(p);
    for (int i = 0; i < 2 && good && !status; i++) {
        lm_field_layout *l = &p->layouts[i];
        l->spec = &p->spec;
        l->lane = p->lane;
        l->bytes = p->bytes;
        status = lm_field_layout_make(l, i + 1, p->waves);
        p->numbers = l->numbers > p->numbers ? l->numbers : p->numbers;
    }
    if (status)
        return status;
    if (!good || !allocate(p))
        return LATMC_ERROR_MEMORY;
    for (int64_t r = 0; r < p->spec.replicas; r++)
        p->layout_of[r] = &p->layouts[0];
    return LATMC_OK;
}

latmc_status lm_field_open(const lm_spec *spec, const lm_field_model *model, int lane,
                           lm_field_plan **plan)
{
    const int doubles = spec->type == LATMC_FLOAT64;
    lm_field_plan *p = lm_zeroed(NULL, "a plan", 1, sizeof *p);
    if (!p)
        return LATMC_ERROR_MEMORY;
    p->spec = *spec;
    p->model = model;
    p->lane = model->loops[doubles][lane];
    p->bytes = doubles ? sizeof(double) : sizeof(float);
    p->keys = lm_keys_of(spec->seed);
    p->sums = spec->sums - 1;
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
    for (int i = 0; i < 2; i++)
        lm_field_layout_free(&p->layouts[i]);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        free(p->waves[a]);
    free(p->layout_of);
    free(p->memory);
    free(p->rules);
    free(p->stale);
    free(p->counted);
    free(p->offers);
    free(p->work);
    free(p->layer_sums);
    free(p);
}
