/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a field's inner loops work on. The lattice is cut into boxes, the nodes, and
 * a vector holds the sites at the same place of as many nodes, so that neighbours are
 * vectors too: field[place][component][node]. Places go as far beyond the box on every side as the
 * stencil reaches; what lies there is moved from the nodes' neighbours (refresh). Nodes have equal
 * extents if that fills vectors; otherwise the box has the largest ones (masked places).
 * Tiles use the same: one tile a node.
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

/* Where the neighbours of all nodes are one vector: lane i of the place beyond the end `side` of an
 * axis is lane from[axis][side][i] of the place at the other end. */
typedef struct lm_field_across {
    int32_t from[LATMC_MAX_DIMS][2][LM_FIELD_MAX_REALS];
} lm_field_across;

typedef struct lm_field_box {
    int dims, kind; /* of the lattice: lib/physics/field.h */
    int reach;      /* depth of the halo */
    int nodes;      /* at most as many as a vector has lanes; the others have no site */
    int64_t extents[LATMC_MAX_DIMS];
    int64_t stride[LATMC_MAX_DIMS]; /* numbers of a component between places one step apart */
    int64_t number[LATMC_MAX_DIMS]; /* natural numbers between sites one step apart */
    int64_t rows;                   /* lines along axis 0 */
    void *field;                    /* place 0 of node 0 of the first component */
    const void *fixed;              /* the same of the first static value; NULL: none */
    int planes;                     /* components, or static values if `field` has these */
    int64_t place0;                 /* numbers of a component before place 0 of node 0 */
    const uint32_t *origin;         /* of each lane: natural number of its place 0, modulo 2^32 */
    /* Where numbers of the plan's sites differ in their high halves: each node's in full.
     * Otherwise NULL, and 2^24 times that of all. */
    const int64_t *wide;
    uint32_t high;
    const lm_colouring *colouring; /* of the places */
    const int64_t *xs;             /* coordinates along axis 0, class by class */
    const int64_t *class_begin;    /* [classes + 1] */
    /* If nodes differ in their extents: instead of classes, the masked places of row r of colour c
     * from masked_begin[c rows + r] on. Otherwise NULL. */
    const struct lm_field_masked_place *masked;
    const int64_t *masked_begin;
    const lm_field_across *across; /* NULL where neighbours are not one vector, or have a sign */
    int far; /* the lattice comes from memory: what is wanted soon is asked for */
} lm_field_box;

/* 2^24 (number / 2^32): what a counter has of it in its second word. */
static inline uint32_t lm_high_of(int64_t number)
{
    return (uint32_t)(number >> 32) << 24;
}

/* A place where some nodes have a site of a colour: x along axis 0, a bit for each node. Another
 * thread may be writing the others' values, which are read with the vector and not used. */
typedef struct lm_field_masked_place {
    int32_t x;
    uint32_t nodes;
} lm_field_masked_place;

/* A sweep of the sites of one colour in some rows. */
typedef struct lm_field_pass {
    int update;       /* its place in the model's list */
    int tiled;        /* the box has tiles: a group of sites shares its random numbers */
    const void *rule; /* the model's, of the replica */
    const lm_keys *keys;
    uint64_t step;
    uint32_t group;
    int local_sweep, colour;
    int upward; /* bonds() */
    int across; /* neighbours beyond the nodes are read where they are, not in the halo */
    int64_t first_row, last_row;
    const void *table; /* the model's, as numbers of the type of arithmetic */
} lm_field_pass;

/* How lanes of one vector come from those of another: lane i, if it comes at all, from lane
 * from[i], with a minus sign or without. Lanes that do not come from there are another thread's to
 * write, or stay 0 beyond an open end. */
typedef struct lm_field_order {
    int32_t from[LM_FIELD_MAX_REALS];
    uint32_t lanes, minus;
    int whole; /* all come, or there is nothing in the others */
} lm_field_order;

/* A place outside of nodes, and one with sites that it repeats, in numbers of a component from
 * place 0 on. */
typedef struct lm_field_move {
    int64_t to, from;
    int32_t order;
} lm_field_move;

/* Where the site with coordinates x is: the sum of at[a][x_a], in numbers from place 0 of node 0;
 * its `planes` components (or static values) are a vector apart. A slab's map begins and ends with
 * `halo` layers of its neighbours, as the boundary makes them; that of a whole lattice has none. */
typedef struct lm_field_map {
    int dims, planes, halo;
    int64_t first_layer, first_row; /* of the lattice: those of coordinates 0 */
    int64_t lattice_layers;
    int64_t extents[LATMC_MAX_DIMS]; /* with the halo */
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    int64_t *at[LATMC_MAX_DIMS];
    const double *wave[LATMC_MAX_DIMS]; /* cosine and sine by coordinate */
} lm_field_map;

/* Where a measurement has a replica's numbers: components, static values, and what bonds have come
 * to, the first of each, at place 0 of node 0; each with its map. */
typedef struct lm_field_source {
    const lm_field_map *map, *fixed_map, *bonds_map;
    const void *field, *fixed, *bonds;
    int fixed_values;
    int upward;          /* bonds are those upward, and those of all sites count */
    const double *table; /* the model's (lm_spec) */
} lm_field_source;

/* What a measurement makes: some groups of sums, and these sums' numbers. */
typedef struct lm_field_wanted {
    unsigned groups;
    int count, sum[LM_FIELD_MAX_SUMS];
} lm_field_wanted;

/* Moving numbers of one type. */
typedef struct lm_field_moves {
    /* Of components with their signs; of static values without, and of nodes' lanes alone. */
    void (*refresh)(const lm_field_box *, const lm_field_order *, const lm_field_move *,
                    int64_t moves, int values);
    /* Rows of one replica in natural order, by their numbers in the lattice: from the caller's
     * array [site][plane]. */
    void (*put)(const lm_field_map *, void *field, int64_t first_row, int64_t rows,
                const void *sites);
} lm_field_moves;

/* What one lane exports for one type of site. */
typedef struct lm_field_loops {
    int reals;                        /* sites of a vector */
    int (*fixed)(int dims, int kind); /* static values of a site */
    int64_t (*update)(const lm_field_box *, const lm_field_pass *pass); /* accepted proposals */
    unsigned across; /* a bit for each update that can read neighbours across the nodes' ends */
    lm_field_moves moves;
    /* Rows as moves.put() has them, to the caller's array. */
    void (*get)(const lm_field_map *, const void *field, int64_t first_row, int64_t rows,
                void *sites);
    lm_field_moves values; /* the same for static values, whose type may be another */
    void (*start)(const lm_field_map *, void *field, int hot, const lm_keys *keys, uint32_t group,
                  int64_t first_row, int64_t rows);
    /* A tile that begins at these coordinates of the map, with its halo, to a node of a box of
     * tiles, and back without it; NULL if the model has no tiles. */
    void (*load_tile)(const lm_field_map *, const void *field, const int64_t *begin,
                      const lm_field_box *box, int node);
    void (*store_tile)(const lm_field_map *, void *field, const int64_t *begin,
                       const lm_field_box *box, int node);
    /* What bonds come to, of all sites of some rows, or of the bonds upward alone: one number a
     * site, from place 0 of node 0 on. NULL if the model has no such sum. */
    void (*bonds)(const lm_field_box *, const lm_field_pass *pass, void *to);
    /* sums[wanted->count] over the sites of an own layer (of the whole chain), which have so many
     * static values. `work`: room for as many numbers for each block of LM_SUMS_BLOCK sites,
     * as all sums of the model are. */
    void (*layer_sums)(const lm_field_source *from, int64_t layer, const lm_field_wanted *wanted,
                       double *work, double *sums);
} lm_field_loops;

#endif
