/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Says how the sites of a replica lie in memory: the lattice is cut into nodes (nodes.h), in the
 * way that fills the vectors of its colouring best.
 */
#ifndef LM_FIELD_LAYOUT_H
#define LM_FIELD_LAYOUT_H

#include "backends/cpu/field/buckets.h"
#include "backends/cpu/field/nodes.h"
#include "backends/fixed.h"
#include "backends/slab_ops.h"

/* A colouring and the sites of each class along axis 0. */
typedef struct lm_field_classes {
    lm_colouring colouring;
    int64_t *xs, *begin;
} lm_field_classes;

/* What repeats sites outside of the nodes, by the colour and the row of those sites: who updates
 * some rows of a colour finds what to move in one range of the list. Sites of a colour do not read
 * each other, so they do not read these places either. */
typedef struct lm_field_halo {
    lm_field_buckets buckets;
    lm_field_move *moves;
    lm_field_order *orders; /* that occur */
    int64_t order_count;
} lm_field_halo;

typedef struct lm_field_masked {
    lm_field_buckets buckets;
    lm_field_masked_place *list;
} lm_field_masked;

/* Where an axis is cut: node k has the sites begin[k] .. begin[k + 1] - 1. They are shift[k] places
 * further along axis 0. */
typedef struct lm_field_cut {
    int nodes;
    int64_t begin[LM_FIELD_MAX_REALS + 1];
    int16_t shift[LM_FIELD_MAX_REALS];
} lm_field_cut;

typedef struct lm_field_layout {
    const lm_spec *spec;
    const lm_field_loops *lane;
    size_t bytes;                    /* of a component */
    size_t value_bytes;              /* of a static value */
    int kind;                        /* of the lattice: lib/physics/field.h */
    lm_fixed_value *fixed_value;     /* the first static values */
    int64_t extents[LATMC_MAX_DIMS]; /* of the sites that are here: a slab's, or all */
    lm_field_classes classes;        /* of these sites */
    lm_field_cut cuts[LATMC_MAX_DIMS];
    int unequal;                 /* 1: nodes differ in their extents, so there are masked places */
    lm_field_box box;            /* all members but `field` are set */
    lm_field_map map, fixed_map; /* maps of components, and of static values, which no end gives a
                                    sign */
    lm_field_map plane_map;      /* the map of one number for each site */
    uint32_t *origin;
    int64_t *wide;
    int reach_layers; /* layers along the last axis that a site reads are at most this far away */
    int64_t numbers;  /* of a component, with those beyond the nodes */

    lm_field_halo halo;
    lm_field_across across; /* if box.across is not NULL */
    lm_field_masked masked;
    int64_t samples;    /* samples of static values: 1, or spec->samples if they are given */
    int64_t per_vector; /* samples whose static values share a vector, each with as many nodes.
                           Nodes of a tiny lattice fill few lanes, and with many samples all lanes
                           would take much memory. */
    char *fixed;        /* static values of value_bytes, in `fixed_memory`, at the begin of a cache
                           line. Vectors of the last sample extend beyond its values by less than
                           one vector. */
    void *fixed_memory;
    int fixed_stale; /* 1: what lies beyond the nodes is not up to date */
} lm_field_layout;

latmc_status lm_field_classes_make(lm_field_classes *c, int64_t extent);
void lm_field_classes_free(lm_field_classes *c);

/* Returns the first whole cache line of memory that is one line longer than asked for. */
enum { LM_CACHE_LINE = 64 };
static inline char *lm_align_to_cache_line(void *memory)
{
    const uintptr_t at = (uintptr_t)memory;
    return (char *)memory + (LM_CACHE_LINE - at % LM_CACHE_LINE) % LM_CACHE_LINE;
}

/* Makes a layout that has spec, lane, the bytes, kind and fixed_value. */
latmc_status lm_field_layout_make(lm_field_layout *l, double *const *waves);
/* Makes the layout's part beyond its nodes, and the static values. It is called after the memory
 * for the sites is allocated. Otherwise a lattice that is too large would take its time here. */
latmc_status lm_field_layout_fill(lm_field_layout *l);
void lm_field_layout_free(lm_field_layout *l);

/* Fields of at least this size are swept in fronts (sweep.c), and come from memory. The size is a
 * core's share of the last cache. */
enum { LM_FIELD_FRONT_BYTES = 16 << 20 };

/* cost.c: whether nodes have no neighbours but each other if they are equal, and an update reads
 * these without a halo. */
int lm_field_reads_across(const lm_field_layout *l);

/* The most nodes that an axis may be cut into. The last axis of a slab stays whole, so that its
 * layers are layers of places: the outermost are its boundary, those beyond them its halo. */
int64_t lm_field_most_nodes(const lm_field_layout *l, int axis);

/* Returns the cost of the surroundings of nodes with these extents, in updates of all sites.
 * `across`: some update reads across their ends. */
double lm_field_nodes_cost(const lm_field_layout *l, const int64_t *extents, int across);

/* Returns whether the static values of all samples take little enough memory. One sample may take
 * any amount. There are `nodes` nodes. The largest has these extents, with shifts of up to
 * `grown`. */
int lm_field_has_room(const lm_field_layout *l, const int64_t *extents, int64_t grown, int nodes);

/* These are in cuts.c. They return the sites of the longest node and of the shortest node, and by
 * how many places shifts make axis 0 longer. */
int64_t lm_field_longest_node(const lm_field_cut *cut);
int64_t lm_field_shortest_node(const lm_field_cut *cut);
int64_t lm_field_longest_shift(const lm_field_cut *cut);

/* A node: its sites along each axis, and its shift in places along axis 0. */
typedef struct lm_field_node {
    int64_t begin[LATMC_MAX_DIMS], end[LATMC_MAX_DIMS];
    int64_t shift;
} lm_field_node;

lm_field_node lm_field_node_of(const lm_field_layout *l, int v);

/* Looks for unequal nodes that cost less than `limit`. If there are any, it sets cuts, and *found
 * to 1. It needs classes. */
latmc_status lm_field_cut_unequally(lm_field_layout *l, double limit, int *found);

/* Makes the halo. Returns 0 if there is no memory. It needs classes, cuts, box and map, and is in
 * halo.c. */
int lm_field_halo_make(lm_field_layout *l);
void lm_field_halo_free(lm_field_layout *l);

/* halo.c: finds how equal nodes that have no neighbours but each other read these without a halo,
 * if an update does so. Needs cuts and box. */
void lm_field_across_make(lm_field_layout *l);

/* Brings the copies of rows [first, last) up to date, all colours one after another. After the last
 * row come the places that repeat a slab's halo, for either side. */
void lm_field_halo_refresh(const lm_field_layout *l, const lm_field_box *box, int64_t first,
                           int64_t last);

static inline int64_t lm_field_halo_side(const lm_field_layout *l, lm_side side)
{
    return l->classes.colouring.colours * l->box.rows + (int64_t)side;
}

/* Returns the bytes of a site, with its static values. */
double lm_field_site_bytes(const lm_field_layout *l);

/* These are in fixed.c. The first sets the model's static values, and returns 0 if there is no
 * memory. The other brings what lies beyond the nodes up to date, if it is stale. No end gives it a
 * sign. */
int lm_field_fixed_make(lm_field_layout *l);
void lm_field_fixed_refresh(lm_field_layout *l);

/* Returns place 0 of node 0 of a sample's first static value, or NULL if there are none. */
void *lm_field_fixed_of(const lm_field_layout *l, int64_t sample);

/* Returns the static values of a box as a box of their own. */
lm_field_box lm_field_fixed_box(const lm_field_layout *l, const lm_field_box *box);

/* These are in halo_moves.c and halo_masked.c. They make the parts of lm_field_halo_make(): moves,
 * and masked places of unequal nodes. */
int lm_field_moves_make(lm_field_layout *l);
int lm_field_masked_make(lm_field_layout *l);

#endif
