/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares a plan of the engine of fields on CPUs, in which every replica is a field of nodes
 * (nodes.h). */
#ifndef LM_FIELD_PLAN_H
#define LM_FIELD_PLAN_H

#include <stdatomic.h>

#include "backends/cpu/copies.h"
#include "backends/cpu/field/layout.h"
#include "backends/cpu/team/split.h"
#include "backends/backend.h"
#include "lib/geometry/tiles.h"

/* Tiles of one sub-grid, one part of a slab and one shape, as many as a vector holds. */
typedef struct lm_field_bundle {
    int64_t list; /* lm_field_tile_list() */
    int count;
    int64_t extents[LATMC_MAX_DIMS];
    int64_t begin[LM_FIELD_MAX_REALS][LATMC_MAX_DIMS]; /* coordinates of the map */
    uint32_t origin[LM_FIELD_MAX_REALS]; /* numbers of their first sites, as in lm_field_box */
    int64_t wide[LM_FIELD_MAX_REALS];
} lm_field_bundle;

/* The tiles of a lattice or a slab; made when they are first needed. */
typedef struct lm_field_tiling {
    lm_tiles tiles;
    lm_field_bundle *bundles;
    int64_t count, *begin;       /* [2 phases + 1]: the first bundle of each list */
    lm_field_classes classes[2]; /* [extent along axis 0 is the largest] */
    int threads;                 /* that there are buffers for */
    int64_t numbers, place0;     /* of a component in a buffer */
    int planes;                  /* components and static values */
    char *buffers; /* [thread], components before static values; in `memory`, where vectors share no
                      cache line */
    void *memory;
} lm_field_tiling;

/* What a component is kept as. */
enum { LM_FIELD_FLOATS, LM_FIELD_DOUBLES, LM_FIELD_BYTES, LM_FIELD_ELEMENTS };

/* What the engine must know of a model. A rule is what the model makes of a replica's parameters.
 */
typedef struct lm_field_model {
    const lm_field_loops *const *loops[LM_FIELD_ELEMENTS]; /* by the type of sites and lane */
    size_t rule_bytes;
    /* From [parameter * stride] and the couplings of the axes. */
    void (*make_rule)(const double *values, int64_t stride, const double *type_coupling, int states,
                      void *rule);
    int (*kind)(const lm_spec *spec);      /* of a lattice: lib/physics/field.h; NULL: 0 */
    int (*local_sweeps)(const void *rule); /* of a tile in a sweep; NULL: no update has tiles */
    double (*proposals)(const void *rule, int update); /* for a site in a sweep */
    lm_fixed_value *fixed_value;                       /* NULL if there are no static values */
} lm_field_model;

typedef struct lm_field_plan {
    lm_spec spec;
    const lm_field_model *model;
    const lm_field_loops *lane;
    size_t bytes; /* of a component */
    int threads;
    lm_keys keys;
    int64_t sites, layers, layer_blocks;
    int sums; /* of sites; that of changes follows them */

    lm_field_layout layout;
    double *waves[LATMC_MAX_DIMS]; /* cosine and sine by coordinate */
    char *fields;                  /* [replica]; in `memory`, at the begin of a cache line */
    void *memory;

    struct {
        int64_t field_bytes; /* the least that a field has */
        int64_t front_sites; /* that a front should have for each thread */
    } front_limits;          /* sweep.c */

    float table[LM_MAX_TABLE]; /* spec.table, rounded */
    char *rules;               /* [replica], the model's */
    unsigned char *stale;      /* [replica]: what lies beyond the nodes is not up to date */
    _Atomic int64_t *counted;  /* [replica]: accepted proposals of the last sweep, */
    double *offers;            /* and how many each site had */
    double *work, *layer_sums; /* [replica] */
    lm_cpu_room room;
    char *bonds;        /* [replica]: a number a site, if the lane has such a sum; in */
    void *bonds_memory; /* this, at the begin of a cache line */
    lm_field_tiling tiling;
    void *peers[2]; /* [side]: plans that have the boundary layers there as their halo, or NULL */
} lm_field_plan;

/* A model's row. `engine` is its lm_field_model, and `opener` opens its plans. */
#define LM_CPU_FIELD_ROW(of, type, its_engine, opener)                                             \
    {                                                                                              \
        .model = of, .kept = type, .ops = &lm_field_ops, .engine = its_engine, .open = opener      \
    }

latmc_status lm_field_open(const lm_spec *spec, const void *engine, int lane, void **plan);
void lm_field_close(void *plan);

const void *lm_field_rule_of(const lm_field_plan *p, int64_t replica);
lm_field_pass lm_field_pass_of(const lm_field_plan *p, int update, int64_t replica, int64_t step);
int lm_field_is_tiled(const lm_field_plan *p, int update);

/* The replica's box; where place 0 of node 0 is; whose static values it has. */
lm_field_box lm_field_box_of(const lm_field_plan *p, int64_t replica);
void *lm_field_of(const lm_field_plan *p, int64_t replica);
void *lm_field_bonds_of(const lm_field_plan *p, int64_t replica);
int64_t lm_field_sample_of(const lm_field_plan *p, int64_t replica);
int64_t lm_field_numbers(const lm_field_plan *p); /* of a replica */
int lm_field_is_far(const lm_field_plan *p);      /* no cache holds a replica */

/* tiling.c: the tiling with buffers for so many threads, and the bytes that it would take. */
latmc_status lm_field_tiling_make(lm_field_plan *p, int threads);
int64_t lm_field_tiling_bytes(const lm_field_plan *p, int threads);
void lm_field_tiling_free(lm_field_tiling *t);

/* Tiles come in lists of bundles: of each phase those at the ends of a slab, which a whole lattice
 * has not, then the others. */
static inline int64_t lm_field_tile_list(int phase, lm_part part)
{
    return 2 * (int64_t)phase + (part == LM_BULK);
}

/* tiles.c: the tiles of one list of a replica; adds to the proposals that were accepted. */
void lm_field_sweep_tiles(lm_team *team, lm_field_plan *p, int64_t replica,
                          const lm_field_pass *pass, int64_t list);

/* sweep.c: one sweep of a replica, which adds to the proposals that were accepted. The
 * pass's colour and rows are set there. */
void lm_field_sweep_colours(lm_team *team, lm_field_plan *p, int64_t replica,
                            const lm_field_pass *pass);
/* The colour and the rows that the pass has. */
void lm_field_sweep_rows(lm_team *team, lm_field_plan *p, int64_t replica,
                         const lm_field_pass *pass);

/* What is beyond the nodes, if it is not up to date. Rows of a chunk, of `all` that there are. */
void lm_field_refresh(lm_team *team, lm_field_plan *p, int64_t replica);
int64_t lm_field_chunk_rows(const lm_team *team, const lm_field_box *box, int64_t all);

/* The slices that so many threads sweep in fronts; 0 if the colours had no room between them, or a
 * cache holds the field anyway. */
int64_t lm_field_slices(const lm_field_plan *p, int threads);

latmc_status lm_field_sketch(void *plan, const lm_parameters *parameters, int update,
                             lm_sketch *sketch);
/* The rules of all replicas. On failure nothing changes. */
latmc_status lm_field_put_parameters(void *plan, const lm_parameters *parameters);

/* share.c: a call's work, divided among threads: replicas side by side if there are enough of them,
 * otherwise all threads on one replica after another. */
typedef struct lm_field_work {
    lm_field_plan *plan;
    const void *call;
    lm_team_work *replicas;
    int tiled;        /* it sweeps tiles: the tiling is there, its buffers are made */
    int64_t chunks;   /* of a lap, at most */
    double time, lap; /* one thread's, in nanoseconds: all of it; of the average lap */
} lm_field_work;
latmc_status lm_field_share(const lm_field_work *work);

/* What one thread takes for a site of all replicas, in nanoseconds, in a sweep; in a measurement.
 */
double lm_field_sweep_time(const lm_field_plan *p, int update);
double lm_field_measure_time(const lm_field_plan *p);

/* run.c: lm_plan_ops.run, on all threads. */
latmc_status lm_field_prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                              const lm_measure *out);
latmc_status lm_field_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                          int64_t budget, const lm_measure *out);
/* The sums of sites of some bundles. */
lm_field_wanted lm_field_wanted_of(const lm_spec *spec, unsigned bundles);
/* Makes those of a replica by layer: returns [wanted->count][p->layers]. */
double *lm_field_measure_layers(lm_team *team, lm_field_plan *p, const lm_field_wanted *wanted,
                                int64_t replica);

/* fixed.c: lm_plan_ops.put_values. */
latmc_status lm_field_put_values(void *plan, int64_t sample, int k, int64_t first_row, int64_t rows,
                                 const double *values);

/* connect.c: the factor of the bond to the layers beyond a slab's side; what repeats the halo
 * there; an operation of lm_slab_ops; what a phase has changed, to the slabs that it is connected
 * with. */
int lm_field_factor_beyond(const lm_spec *spec, lm_side side);
void lm_field_refresh_side(const lm_field_plan *plan, int64_t replica, lm_side side);
int lm_field_connect(void *plan, lm_side side, void *peer);
void lm_field_bring(const lm_field_plan *plan, int update, int phase);

/* ops.c: for a model's row; slab.c. */
extern const lm_plan_ops lm_field_ops;
extern const lm_slab_ops lm_field_slab_ops;

#endif
