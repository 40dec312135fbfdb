/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the sites of a replica lie in memory: the lattice is cut into nodes (nodes.h), in the way
 * that fills the vectors of one colouring best. A replica changes its layout when inv_lambda
 * becomes zero or ceases to be so, and with it the colouring.
 */
#ifndef LM_FIELD_LAYOUT_H
#define LM_FIELD_LAYOUT_H

#include "backends/cpu/field/nodes.h"

/* A colouring and the sites of each class along axis 0. */
typedef struct lm_field_classes {
    lm_colouring colouring;
    int64_t *xs, *begin;
} lm_field_classes;

/* The places outside the box that repeat a site, by the colour and then the row of that site:
 * whoever updates some rows of a colour finds what to copy in one piece of the list. Sites of a
 * colour do not read each other, so they do not read these places either. */
typedef struct lm_field_ghosts {
    int64_t count;
    lm_field_ghost *list;
    int64_t *begin; /* [colours * rows + 1]: those of row r of colour c from begin[c rows + r] on */
} lm_field_ghosts;

/* By colour and row, likewise: the places to update (nodes.h); what repeats the sites there. */
typedef struct lm_field_masked_places {
    lm_field_masked_place *list;
    int64_t *begin;
} lm_field_masked_places;

typedef struct lm_field_copies {
    int64_t count;
    lm_field_copy *list;
    int64_t *begin;
} lm_field_copies;

/* Where an axis is cut: node k has the sites begin[k] .. begin[k + 1] - 1, and they are shift[k]
 * places further along axis 0. */
typedef struct lm_field_cut {
    int nodes;
    int64_t begin[LM_FIELD_MAX_NODES + 1];
    int16_t shift[LM_FIELD_MAX_NODES];
} lm_field_cut;

typedef struct lm_field_layout {
    const lm_spec *spec;
    const lm_field_loops *lane;
    size_t bytes; /* of a site */
    lm_field_classes classes;
    lm_field_cut cuts[LATMC_MAX_DIMS];
    int uneven;       /* nodes differ in their extents: spots and copies, no ghosts */
    lm_field_box box; /* but field */
    lm_field_map map;
    uint32_t *origin;
    int reach_layers; /* layers along the last axis that a site needs are at most so far away */
    int64_t numbers, place0; /* of a field; where place 0 of node 0 is */

    int filled;             /* what follows is made when a replica first needs it */
    lm_field_shift *shifts; /* [5^dims]; those that occur are made */
    lm_field_ghosts ghosts;
    lm_field_masked_places spots;
    lm_field_copies copies;
    char *degree;
} lm_field_layout;

latmc_status lm_field_classes_make(lm_field_classes *c, int64_t extent);
void lm_field_classes_free(lm_field_classes *c);

/* Sets the box and the map of a layout that has spec, lane and bytes. */
latmc_status lm_field_layout_make(lm_field_layout *l, int reach, double *const *waves);
latmc_status lm_field_layout_fill(lm_field_layout *l);
void lm_field_layout_free(lm_field_layout *l);

/* Has every site the same number in both? */
int lm_field_layout_same(const lm_field_layout *a, const lm_field_layout *b);

/* Fields from this size on are swept in fronts (sweep.c): a core's share of the last cache.
 */
enum { LM_FIELD_FRONT_BYTES = 16 << 20 };

/* What the surroundings of nodes with these extents cost, in updates of all sites. */
double lm_field_nodes_cost(const lm_field_layout *l, const int64_t *extents);

/* cuts.c: the sites of the longest node and of the shortest; by how many places shifts make
 * axis 0 longer. */
int64_t lm_field_longest_node(const lm_field_cut *cut);
int64_t lm_field_shortest_node(const lm_field_cut *cut);
int64_t lm_field_longest_shift(const lm_field_cut *cut);

/* Unequal nodes, if any cost less than `limit`: sets cuts, and *found to 1. Needs classes. */
latmc_status lm_field_cut_unequally(lm_field_layout *l, double limit, int *found);

/* From the counts of entries of each key, in begin[key + 2], to where those of a key begin, in
 * begin[key + 1]: whoever then puts entries there and moves that on leaves it in begin[key].
 * Returns the number of entries. */
static inline int64_t lm_field_prefix_sum(int64_t *begin, int64_t keys)
{
    for (int64_t k = 0; k < keys; k++)
        begin[k + 2] += begin[k + 1];
    return begin[keys + 1];
}

/* halo_equal.c, halo_unequal.c: 0 if there is no memory. Need classes, cuts, box and map. */
int lm_field_ghosts_make(lm_field_layout *l);
void lm_field_ghosts_free(lm_field_layout *l);
int lm_field_unequal_make(lm_field_layout *l);
void lm_field_unequal_free(lm_field_layout *l);

#endif
