/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice of the phi^4 model on the CPU: every replica a field of nodes (phi4_box.h). */
#ifndef LM_PHI4_PLAN_H
#define LM_PHI4_PLAN_H

#include <stdatomic.h>

#include "backends/cpu/lanes.h"
#include "backends/cpu/phi4_box.h"
#include "backends/forward.h"
#include "lib/tiles.h"

/* A colouring and the sites of each class along axis 0. */
typedef struct lm_phi4_classes {
    lm_colouring colouring;
    int64_t *xs, *begin;
} lm_phi4_classes;

/* The places outside the box that repeat a site, by the colour and then the row of that site:
 * whoever updates some rows of a colour finds what to copy in one piece of the list. Sites of a
 * colour do not read each other, so they do not read these places either. */
typedef struct lm_phi4_ghosts {
    int64_t count;
    lm_phi4_ghost *list;
    int64_t *begin; /* [colours * rows + 1]: those of row r of colour c from begin[c rows + r] on */
} lm_phi4_ghosts;

/* Nodes of unequal extents along an axis: node k has the sites begin[k] .. begin[k + 1] - 1, and
 * they are shift[k] places further along axis 0. */
typedef struct lm_phi4_cut {
    int nodes;
    int64_t begin[LM_BOX_MAX_REALS + 1], shift[LM_BOX_MAX_REALS];
} lm_phi4_cut;

/* By colour and row (phi4_box.h): the places to update; what repeats the sites there. */
typedef struct lm_phi4_spots {
    lm_phi4_spot *list;
    int64_t *begin;
} lm_phi4_spots;

typedef struct lm_phi4_copies {
    int64_t count;
    lm_phi4_copy *list;
    int64_t *begin;
} lm_phi4_copies;

/* Tiles of one sub-grid and one shape, as many as a vector holds. */
typedef struct lm_phi4_bundle {
    int phase, count;
    int64_t extents[LATMC_MAX_DIMS];
    int64_t begin[LM_BOX_MAX_REALS][LATMC_MAX_DIMS];
    uint32_t origin[LM_BOX_MAX_REALS];
} lm_phi4_bundle;

/* The tiles of a lattice; made when they are first needed. */
typedef struct lm_phi4_tiling {
    lm_tiles tiles;
    lm_phi4_bundle *bundles;
    int64_t count, *phase_begin;   /* [phases + 1] */
    lm_phi4_classes classes[2][2]; /* [reach - 1][extent along axis 0 is the largest] */
    int threads;                   /* that there are buffers for */
    int64_t numbers, place0;       /* of a buffer */
    char *buffers; /* [thread][2]: field, degree; in `memory`, where vectors share no cache line */
    void *memory;
} lm_phi4_tiling;

typedef struct lm_phi4_plan {
    lm_plan_head head;
    lm_spec spec;
    const lm_phi4_lane *lane;
    size_t bytes; /* of a site */
    int threads;
    lm_keys keys;
    int64_t sites, layers, layer_blocks;
    int sums;

    lm_phi4_classes classes[2]; /* [reach - 1] */
    lm_phi4_map map;
    double *waves[LATMC_MAX_DIMS];
    lm_phi4_box box; /* but field, reach and colouring */
    int64_t nodes[LATMC_MAX_DIMS];
    uint32_t *origin;
    lm_phi4_shift *shifts;    /* [5^dims]; those that occur are made */
    lm_phi4_ghosts ghosts[2]; /* [reach - 1] */
    int uneven;               /* nodes have unequal extents: cuts, spots and copies, no ghosts */
    lm_phi4_cut cuts[LATMC_MAX_DIMS];
    lm_phi4_spots spots[2];   /* [reach - 1] */
    lm_phi4_copies copies[2]; /* [reach - 1] */
    int64_t numbers, place0;  /* of a field; where place 0 of node 0 is */
    char *fields;             /* [replica]; likewise */
    void *memory;
    char *degree;

    lm_phi4_rule *rules;       /* [replica] */
    unsigned char *stale;      /* [replica]: what lies beyond the nodes is not up to date */
    _Atomic int64_t *counted;  /* [replica]: accepted proposals of the last sweep, */
    double *offers;            /* and how many each site had */
    double *work, *layer_sums; /* [replica] */
    lm_phi4_tiling tiling;
} lm_phi4_plan;

latmc_status lm_phi4_open(const lm_spec *spec, const lm_phi4_lane *lane, lm_phi4_plan **plan);
void lm_phi4_close(lm_phi4_plan *p);
latmc_status lm_phi4_classes_make(lm_phi4_classes *c, int64_t extent);
void lm_phi4_classes_free(lm_phi4_classes *c);

/* The first whole cache line of memory that has one more than asked for. */
enum { LM_CACHE_LINE = 64 };
static inline char *lm_whole_line(void *memory)
{
    const uintptr_t at = (uintptr_t)memory;
    return (char *)memory + (LM_CACHE_LINE - at % LM_CACHE_LINE) % LM_CACHE_LINE;
}

/* The box of a replica in the colouring that its parameters ask for. */
lm_phi4_box lm_phi4_box_of(const lm_phi4_plan *p, int64_t replica);
void *lm_phi4_field(const lm_phi4_plan *p, int64_t replica);

/* phi4_ghosts.c: 0 if there is no memory. Needs classes and box. */
int lm_phi4_ghosts_make(lm_phi4_plan *p);
void lm_phi4_ghosts_free(lm_phi4_plan *p);

/* What copying the surroundings of nodes with these extents costs, in updates of all sites. */
double lm_phi4_halo_cost(const lm_phi4_plan *p, const int64_t *extents);

/* phi4_cuts.c: unequal nodes, if any cost less than `cost`: p->cuts, and 1. Needs classes. */
int lm_phi4_cut_unevenly(lm_phi4_plan *p, double cost);

/* phi4_uneven.c: spots and copies; 0 if there is no memory. Needs classes, cuts, box and map. */
int lm_phi4_uneven_make(lm_phi4_plan *p);
void lm_phi4_uneven_free(lm_phi4_plan *p);

/* phi4_tiles.c: the tiling with buffers for so many threads; the box of a bundle in a buffer. */
latmc_status lm_phi4_tiling_make(lm_phi4_plan *p, int threads);
void lm_phi4_tiling_free(lm_phi4_tiling *t);
lm_phi4_box lm_phi4_tile_box(const lm_phi4_plan *p, const lm_phi4_bundle *b, int reach, int thread);

/* phi4_run.c: records times sweeps and, if sums is not NULL, a measurement. */
latmc_status lm_phi4_run(lm_phi4_plan *p, const lm_job *job, int64_t records, double *sums);

#endif
