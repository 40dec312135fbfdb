/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares what a field's inner loops work on. The lattice is cut into boxes, the nodes. A vector
 * holds the sites at the same place of as many nodes, so neighbours are vectors, too:
 * field[place][component][node]. Places go beyond the box on every side, as far as the stencil
 * reaches. The values there are moved from the nodes' neighbours (refresh). Nodes have equal
 * extents if that fills vectors. Otherwise the box has the largest extents (masked places). Tiles
 * use the same, with one tile in a node.
 */
#ifndef LM_FIELD_NODES_H
#define LM_FIELD_NODES_H

#include "backends/cpu/lanes.h"
#include "lib/geometry/colouring.h"
#include "lib/physics/philox_keys.h"

enum {
    LM_FIELD_MAX_REACH = 2,
    LM_FIELD_MAX_COMPONENTS = 4,
    LM_FIELD_MAX_FIXED = 5, /* static values of a site */
    LM_FIELD_MAX_REALS = 16,
    LM_FIELD_MAX_SUMS = 264
};

/* If the neighbours of all nodes are one vector: lane i of the place beyond the end `side` of an
 * axis is lane from[axis][side][i] of the place at the other end. */
typedef struct lm_field_across {
    int32_t from[LATMC_MAX_DIMS][2][LM_FIELD_MAX_REALS];
} lm_field_across;

typedef struct lm_field_box {
    int dims, kind; /* of the lattice: lib/physics/field.h */
    int reach;      /* depth of the halo */
    int nodes;      /* at most the lanes of a vector; other lanes have no site */
    int64_t extents[LATMC_MAX_DIMS];
    int64_t stride[LATMC_MAX_DIMS]; /* numbers of a component between places one step apart */
    int64_t number[LATMC_MAX_DIMS]; /* natural numbers between sites one step apart */
    int64_t rows;                   /* lines along axis 0 */
    void *field;                    /* place 0 of node 0 of the first component */
    const void *fixed;              /* the same of the first static value; NULL: none */
    int planes;                     /* number of components, or of static values if `field` has
                                       these */
    int64_t place0;                 /* numbers of a component before place 0 of node 0 */
    const uint32_t *origin;         /* of each lane: natural number of its place 0, modulo 2^32 */
    /* Each node's high half in full if numbers of the plan's sites differ in their high halves.
     * Otherwise it is NULL, and `high` is 2^24 times the high half of all. */
    const int64_t *wide;
    uint32_t high;
    const lm_colouring *colouring; /* of the places */
    const int64_t *xs;             /* coordinates along axis 0, class by class */
    const int64_t *class_begin;    /* [classes + 1] */
    /* If nodes differ in their extents, these replace classes. The masked places of row r of colour
     * c begin at masked_begin[c rows + r]. Otherwise it is NULL. */
    const struct lm_field_masked_place *masked;
    const int64_t *masked_begin;
    const lm_field_across *across; /* NULL if neighbours are not one vector, or have a sign */
    int far; /* 1: the lattice comes from memory, so what is needed soon is prefetched */
} lm_field_box;

/* Returns 2^24 (number / 2^32), a counter's part of the number in its second word. */
static inline uint32_t lm_high_of(int64_t number)
{
    return (uint32_t)(number >> 32) << 24;
}

/* A place where some nodes have a site of a colour: x along axis 0, and a bit for each node.
 * Another thread may be writing the other nodes' values. They are read with the vector and not
 * used. */
typedef struct lm_field_masked_place {
    int32_t x;
    uint32_t nodes;
} lm_field_masked_place;

/* A sweep of the sites of one colour in some rows. */
typedef struct lm_field_pass {
    int update;       /* its index in the model's list */
    int tiled;        /* 1: the box has tiles, and a group of sites shares its random numbers */
    const void *rule; /* the model's rule of the replica */
    const lm_keys *keys;
    uint64_t step;
    uint32_t group;
    int local_sweep, colour;
    int upward; /* for bonds() */
    int across; /* 1: neighbours beyond the nodes are read where they are, not in the halo */
    int64_t first_row, last_row;
    const void *table; /* the model's table, in the type of arithmetic */
} lm_field_pass;

/* How lanes of one vector come from those of another. Lane i, if it comes, comes from lane from[i],
 * with or without a minus sign. Other lanes are written by another thread, or stay 0 beyond an open
 * end. */
typedef struct lm_field_order {
    int32_t from[LM_FIELD_MAX_REALS];
    uint32_t lanes, minus;
    int whole; /* 1: all lanes come, or the others hold nothing */
} lm_field_order;

/* A place outside of nodes, and a place with the sites that it repeats, in numbers of a component
 * from place 0 on. */
typedef struct lm_field_move {
    int64_t to, from;
    int32_t order;
} lm_field_move;

/* Where the site with coordinates x is: the sum of at[a][x_a], in numbers from place 0 of node 0.
 * Its `planes` components (or static values) are a vector apart. A slab's map begins and ends with
 * `halo` layers of its neighbours, as the boundary makes them. A whole lattice's map has none. */
typedef struct lm_field_map {
    int dims, planes, halo;
    int64_t first_layer, first_row; /* in the lattice, of the map's coordinates 0 */
    int64_t lattice_layers;
    int64_t extents[LATMC_MAX_DIMS]; /* with the halo */
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    int64_t *at[LATMC_MAX_DIMS];
    const double *wave[LATMC_MAX_DIMS]; /* cosine and sine by coordinate */
} lm_field_map;

/* Where a measurement finds a replica's numbers: components, static values, and sums of bonds. Each
 * pointer is to the first one at place 0 of node 0, and each has its map. */
typedef struct lm_field_source {
    const lm_field_map *map, *fixed_map, *bonds_map;
    const void *field, *fixed, *bonds;
    int fixed_values;
    int upward;          /* 1: bonds are those upward, and all sites count */
    const double *table; /* the model's table (lm_spec) */
} lm_field_source;

/* What a measurement makes: some bundles, and the numbers of these sums. */
typedef struct lm_field_wanted {
    unsigned bundles;
    int count, sum[LM_FIELD_MAX_SUMS];
} lm_field_wanted;

/* Moves numbers of one type. */
typedef struct lm_field_moves {
    /* Refreshes copies. Components get their signs. Static values get no sign, and only nodes'
     * lanes are written. */
    void (*refresh)(const lm_field_box *, const lm_field_order *, const lm_field_move *,
                    int64_t moves, int values);
    /* Writes rows of one replica in natural order, by their numbers in the lattice, from the
     * caller's array [site][plane]. */
    void (*put)(const lm_field_map *, void *field, int64_t first_row, int64_t rows,
                const void *sites);
} lm_field_moves;

/* What one lane exports for one type of site. */
typedef struct lm_field_loops {
    int reals;                        /* sites of a vector */
    int (*fixed)(int dims, int kind); /* returns the static values of a site */
    int64_t (*update)(const lm_field_box *,
                      const lm_field_pass *pass); /* returns the number of accepted proposals
                                                   */
    unsigned across; /* bit i: update i can read neighbours across the nodes' ends */
    lm_field_moves moves;
    /* Reads rows, as moves.put() writes them, to the caller's array. */
    void (*get)(const lm_field_map *, const void *field, int64_t first_row, int64_t rows,
                void *sites);
    lm_field_moves values; /* the same for static values, which may have another type */
    void (*start)(const lm_field_map *, void *field, int hot, const lm_keys *keys, uint32_t group,
                  int64_t first_row, int64_t rows);
    /* load_tile() copies a tile with its halo to a node of a box of tiles. The tile begins at these
     * coordinates of the map. store_tile() copies it back without the halo. Both are NULL if the
     * model has no tiles. */
    void (*load_tile)(const lm_field_map *, const void *field, const int64_t *begin,
                      const lm_field_box *box, int node);
    void (*store_tile)(const lm_field_map *, void *field, const int64_t *begin,
                       const lm_field_box *box, int node);
    /* Computes the sums of bonds for all sites of some rows, or of the bonds upward alone: one
     * number for each site, from place 0 of node 0 on. NULL if the model has no such sum. */
    void (*bonds)(const lm_field_box *, const lm_field_pass *pass, void *to);
    /* Computes sums[wanted->count] over the sites of one of the slab's layers (of the whole chain).
     * `work` is a buffer. For each block of LM_SUMS_BLOCK sites it has as many numbers as the model
     * has sums. */
    void (*layer_sums)(const lm_field_source *from, int64_t layer, const lm_field_wanted *wanted,
                       double *work, double *sums);
} lm_field_loops;

#endif
