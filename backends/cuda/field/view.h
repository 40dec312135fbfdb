/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan of a field as the kernels see it, and the kernels as the plan sees them.
 *
 * Sites are [replica][component][count], static values [sample][value][count]: a plane for each, in
 * one of the orders of place.cuh. A plane has at most 2^32 sites, so that places and steps between
 * them are taken modulo 2^32 in 32 bits.
 *
 * A slab also has `reach` layers below and above its own, its halo, which are not closed around the
 * lattice's ends. Coordinates are those of the whole lattice, ends and tables too; only numbers of
 * sites are the memory's, less by `base` than the lattice's, which may pass 2^32: random numbers
 * alone go by these (lm_range of lib/physics/draws.h).
 */
#ifndef LM_CUDA_FIELD_VIEW_H
#define LM_CUDA_FIELD_VIEW_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "backends/cuda/exchange.h"
#include "backends/cuda/seam.h"
#include "lib/physics/philox_keys.h"

/* lm_colouring on the device. */
typedef struct lm_field_colours {
    int colours, modulus, parts[4];
    const uint8_t *sum[4], *part[4]; /* by the coordinate along an axis */
    const uint32_t *list;            /* coordinates along axis 0, class by class, ascending */
    const uint32_t *begin;           /* [class]: where its part of the list begins; one more */
    uint32_t most;                   /* entries of the largest class */
    int parity;                      /* there are two: the parity of the sum of coordinates */
} lm_field_colours;

/* A number to divide by, known before: n / it = n factor >> shift for n < 2^31. With l its binary
 * logarithm rounded up, factor is 2^(31 + l) / it rounded down, plus 1, and too much by e / it, 0 <
 * e <= it <= 2^l; n e / it / 2^(31 + l) is below 1 / it, so that no n reaches the next quotient. */
typedef struct lm_field_divisor {
    uint32_t factor, shift;
} lm_field_divisor;
#define LM_FIELD_DIVISOR_END (1u << 31)

/* Of what is larger, which no kernel divides by, nothing. */
static inline lm_field_divisor lm_field_divisor_of(uint64_t number)
{
    uint32_t log = 0;
    const lm_field_divisor none = {0, 0};
    if (number == 0 || number > LM_FIELD_DIVISOR_END)
        return none;
    while ((uint64_t)1 << log < number)
        log++;
    const lm_field_divisor by = {(uint32_t)(((uint64_t)1 << (31 + log)) / number + 1), 31 + log};
    return by;
}

/* The halo beyond a side, in a plan that this one hands its boundary layers: places here are places
 * there plus a shift modulo 2^32, in planes as in the halves of planes. */
typedef struct lm_field_far_halo {
    void *sites;           /* that plan's; NULL: nothing is handed on */
    int64_t count;         /* numbers of a plane there, */
    uint32_t half;         /* of half a plane */
    uint32_t shift, bound; /* the lower side has the places below the bound, the upper the others */
    int negative;          /* the boundary between changes the sign */
} lm_field_far_halo;

enum { LM_KEEPS_NOTHING, LM_KEEPS_SITES, LM_KEEPS_FIXED };

/* Which registers a tile's kernel lacks depends on where the members lie that it reads: further
 * ones go to the end. */
typedef struct lm_field_view {
    void *sites;
    const void *rules;            /* [replica], as the model's kernels have them */
    int64_t count;                /* numbers of a plane: N of a whole lattice */
    uint32_t first_layer, layers; /* of its own; 1 of a chain */
    int dims, reach;              /* how far a site needs others: 1 or 2 */
    uint32_t last[4];             /* extents less 1; 0 beyond dims */
    uint32_t stride[4];           /* between neighbours along an axis */
    int open[4];                  /* the axis has ends */
    int negative[4]; /* it is antiperiodic; not the one that is cut, whose halo has the sign */
    int any_open;
    int overlaps; /* the device can overlap kernels of one stream (9.0 and up) */
    int processors;
    uint32_t first_replica, replicas;
    lm_keys keys;
    lm_field_colours colours;
    uint32_t tiles[4];             /* along an axis; 1 beyond dims */
    const uint32_t *tile_begin[4]; /* [tile]: its first coordinate; one more */
    const double *wave[4];         /* cosine and sine by coordinate */
    unsigned long long *accepted;  /* [replica][tally]: accepted in a sweep that counts */
    int kind;                      /* of the lattice: lib/physics/field.h */
    const void *fixed;             /* static values, */
    int fixed_values;              /* so many, of a site */
    uint32_t sample_replicas;      /* that have the same, one after another */
    int by_colour;                 /* the order of a plane: place.cuh */
    uint32_t half;                 /* count / 2 */
    lm_field_divisor by[4];        /* extents, of axis 0 half of it, rounded up */
    uint32_t around[4];  /* extents: from beyond an end to the other one; 0 along the cut axis */
    uint32_t origin[4];  /* the first coordinate in memory: 0 but for a slab, modulo 2^32 */
    uint32_t base;       /* the number of the site there, modulo 2^32; */
    uint32_t base_high;  /* 2^24 (number / 2^32), as counters have it */
    int slab, connected; /* it is a slab; some side hands its layers on: */
    lm_field_far_halo beyond[2];
    int by_class;          /* the order of a row: place.cuh */
    const uint32_t *rank;  /* [coordinate]: its place in colours.list */
    const uint32_t *steps; /* [place][4]: those of -2, -1, 1 and 2 steps from there */
    lm_seam seam;          /* of a slab that is connected */
    uint32_t tallies;      /* of a replica, whose count is their sum: a power of two */
    int keeps;             /* what had better stay in the L2 cache: */
    const double *table;   /* the model's (lm_spec.table), */
    const void *rounded;   /* and as numbers of the type of arithmetic */
} lm_field_view;

static inline uint64_t lm_field_layer_sites(const lm_field_view *v)
{
    return v->dims == 1 ? (uint64_t)v->count : v->stride[v->dims - 1];
}

/* Some axis is open or antiperiodic. */
static inline int lm_field_has_ends(const lm_field_view *v)
{
    int ends = 0;
    for (int a = 0; a < v->dims; a++)
        ends |= v->open[a] | v->negative[a];
    return ends;
}

/* What a launch does. */
typedef struct lm_cuda_field_pass {
    uint64_t step;
    int part;           /* the colour; of block Metropolis the sub-grid */
    int variant;        /* of the update, as the model tells its own apart */
    int count;          /* add to view.accepted, which begins as 0 */
    uint32_t replica;   /* that block 0 of the grid's y serves, */
    uint32_t replicas;  /* and so many from there on; 0: all */
    uint32_t row, rows; /* of a colour: only so many rows, from number `row` of the memory on */
    int packs;          /* the largest, however few these are */
    uint32_t threads;   /* of a row, where rows go by class */
    lm_field_divisor by_threads;
    uint32_t first_1, rows_1; /* likewise, in bricks: the strip of the launch, rows along axis 1 */
    lm_field_divisor by_1;
    int ends; /* of tiles: bit s: some may be at side s of the slab */
    /* Of packs: where the last colour leaves what its bonds come to, [replica][leaf]; or NULL. Do
     * the sites stand still? Then nothing is updated. */
    double *leaves;
    int still;
    int backward; /* the last block first (lm_field_block()) */
} lm_cuda_field_pass;

/* Numbers of sites that follow each other: between [site][plane], as the host has them, and the
 * planes that kernels read; those behind a plane's last site are the next replica's. */
typedef struct lm_field_transfer {
    void *planes; /* the first of them */
    void *sites;
    uint64_t first, numbers; /* the first site; sites times planes */
    uint32_t count;          /* planes */
    int in;                  /* from the sites to the planes, otherwise back */
    size_t bytes;            /* of a number: 1, 4, 8 */
} lm_field_transfer;

/* Rows that follow each other, from one order to another: what is at place i of a row goes to place
 * to[i]. */
typedef struct lm_field_rows {
    void *numbers; /* the first row's */
    uint64_t rows;
    uint32_t width;
    const uint32_t *to;
    size_t bytes; /* of a number: 1, 4, 8 */
} lm_field_rows;

/* A row must fit in the shared memory of a block. */
#define LM_FIELD_ROW_BYTES 32768u

/* Pieces of planes that become their negative, or 0 if the factor is 0. */
typedef struct lm_field_scale {
    void *numbers;                  /* the first piece's */
    uint64_t pitch, length, pieces; /* numbers from one to the next, of each; how many */
    int factor;
    size_t bytes; /* of a number: 1, 4, 8 */
} lm_field_scale;

/* The groups of sums that a measurement makes, and how many sums they have: these follow each other
 * without those that nobody asks for. */
typedef struct lm_cuda_field_wanted {
    unsigned groups;
    int sums;
} lm_cuda_field_wanted;

/* A stage of a measurement: `outer` lists of `count` elements; each becomes one of its blocks'
 * sums. */
typedef struct lm_field_fold {
    uint64_t outer, count;
    const double *in; /* [outer][count][sums] */
    double *out;      /* [outer][LM_SUMS_BLOCKS(count)][pitch] */
    int sums, pitch;
    int overlaps; /* may it begin while the launch before it runs? */
} lm_field_fold;

/* Packs of such lattices can leave sums behind. Few ask for these of the others, whose kernels
 * would be as many again. */
#define LM_PACKS_LEAVE(dims, kind) ((dims) < 4 && (kind) < 2)

/* With so many tiles for each multiprocessor blocks have four of them: each block then still has a
 * multiprocessor to itself, or a part of one. */
#define LM_FIELD_MANY_TILES 4u

/* Replicas that one launch serves at most: a grid's y ends at 65535. */
#define LM_FIELD_REPLICAS 32768u

typedef struct lm_field_kernels {
    int by_colour; /* the model's lattices keep their sites by colour where they can, */
    int by_class;  /* or their rows by class while they are swept by colours */
    int (*fixed)(int dims, int kind); /* static values in memory */
    cudaError_t (*start)(const lm_field_view *view, int hot, cudaStream_t stream);
    /* A colour of all replicas, a thread a site. */
    cudaError_t (*colour)(const lm_field_view *view, const lm_cuda_field_pass *pass,
                          cudaStream_t stream);
    /* A sub-grid of all replicas, a thread block a tile. */
    cudaError_t (*tiles)(const lm_field_view *view, const lm_cuda_field_pass *pass,
                         cudaStream_t stream);
    /* Sites of `replicas` replicas from `replica` on: the first stage, of the layers' sites. */
    cudaError_t (*sums)(const lm_field_view *view, lm_cuda_field_wanted wanted, uint32_t replica,
                        uint32_t replicas, double *out, cudaStream_t stream);
    /* Of all replicas the leaves, [replica][layer][leaf], of the sum that a sweep may leave behind
     * (LM_HOOK_BONDS of lib/physics/field.h), which `sums` does not make; NULL: there is none. */
    cudaError_t (*leaves)(const lm_field_view *view, double *out, cudaStream_t stream);
    lm_cuda_exchange_by *exchange; /* exchange.cuh, with the model's action */
} lm_field_kernels;

#ifdef __cplusplus
/* Defines a model's kernels for sites of LM_ELEMENT_BITS: lm_phi4_kernels_32 and so on. */
#define LM_FIELD_KERNELS(model)          LM_FIELD_KERNELS_OF(model, LM_ELEMENT_BITS)
#define LM_FIELD_KERNELS_OF(model, bits) LM_FIELD_KERNELS_NAMED(model, bits)
#define LM_FIELD_KERNELS_NAMED(model, bits)                                                        \
    extern "C" const lm_field_kernels lm_##model##_kernels_##bits

extern "C" {
#endif

/* fold.cu, transfer.cu, whatever the type: */
cudaError_t lm_launch_field_fold(const lm_field_fold *fold, cudaStream_t stream);
/* Of `outer` times so many layers of a list each, to out [outer][pitch]: at most LM_FOLDED_LAYERS
 * of a block of numbers. */
enum { LM_FOLDED_LAYERS = 64 };
cudaError_t lm_launch_field_fold_layers(const lm_field_fold *fold, uint64_t layers,
                                        cudaStream_t stream);
cudaError_t lm_launch_field_transfer(const lm_field_view *view, const lm_field_transfer *transfer,
                                     cudaStream_t stream);
cudaError_t lm_launch_field_arrange(const lm_field_rows *rows, cudaStream_t stream);
cudaError_t lm_launch_field_scale(const lm_field_scale *scale, cudaStream_t stream);
#ifdef __cplusplus
}
#endif

#endif
