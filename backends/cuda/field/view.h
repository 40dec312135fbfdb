/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes a plan of a field as the kernels see it, and the kernels as the plan sees them.
 *
 * Sites are [replica][component][count], static values [sample][value][count]. Each component and
 * value has a plane, in one of the orders of place.cuh. A plane has at most 2^32 sites. So places
 * and steps between places are taken modulo 2^32, in 32 bits.
 *
 * A slab also has a halo, `reach` layers below and above its own, which are not closed around the
 * lattice's ends. Coordinates, ends and tables are those of the whole lattice. Only numbers of
 * sites are the memory's: they are the lattice's numbers less `base`. The lattice's numbers may
 * pass 2^32, and only random numbers use them (lm_range of lib/physics/draws.h).
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
    int colours, modulus, far_numbers[4];
    const uint8_t *sum[4], *far[4]; /* [axis][coordinate] */
    const uint32_t *list;           /* coordinates along axis 0, class by class, ascending */
    const uint32_t *begin; /* [class]: where its part of the list begins; the end follows */
    uint32_t most;         /* entries of the largest class */
    int parity;            /* 1: there are two colours, the parity of the sum of coordinates */
} lm_field_colours;

/* A divisor that is known before: n / it = n factor >> shift for n < 2^31. Let l be its binary
 * logarithm, rounded up. factor is 2^(31 + l) / it rounded down, plus 1. So it is too large by e
 * / it, with 0 < e <= it <= 2^l. The error n e / it / 2^(31 + l) is below 1 / it, so that no n
 * reaches the next quotient. */
typedef struct lm_field_divisor {
    uint32_t factor, shift;
} lm_field_divisor;
#define LM_FIELD_DIVISOR_END (1u << 31)

/* Makes a divisor; for a larger number, by which no kernel divides, it makes an empty one. */
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

/* The halo beyond a side, in the neighbouring plan, to which this plan hands its boundary
 * layers. A place there is a place here plus a shift, modulo 2^32, in planes and in halves of
 * planes. */
typedef struct lm_field_far_halo {
    void *sites;   /* sites of the neighbouring plan; NULL: nothing is handed on */
    int64_t count; /* numbers of a plane there */
    uint32_t half; /* numbers of half a plane there */
    uint32_t shift,
        bound;    /* the lower side has the places below `bound`, the upper side the others */
    int negative; /* 1: the boundary between the slabs changes the sign */
} lm_field_far_halo;

enum { LM_KEEPS_NOTHING, LM_KEEPS_SITES, LM_KEEPS_FIXED };

/* Further members go to the end: the places of the members that a tile's kernel reads decide
 * which registers it lacks. */
typedef struct lm_field_view {
    void *sites;
    const void *rules;            /* [replica], as the model's kernels have them */
    int64_t count;                /* numbers of a plane: N for a whole lattice */
    uint32_t first_layer, layers; /* the slab's own layers; a chain has 1 */
    int dims, reach;              /* reach: the steps to a site's neighbours, 1 or 2 */
    uint32_t last[4];             /* extents less 1; 0 beyond dims */
    uint32_t stride[4];           /* steps between neighbours along an axis */
    int open[4];                  /* 1: the axis has ends */
    int negative[4]; /* 1: the axis is antiperiodic; 0 for the axis that is cut, whose halo has the
                        sign */
    int any_open;
    int overlaps; /* 1: the device can overlap kernels of one stream (9.0 and up) */
    int processors;
    uint32_t first_replica, replicas;
    lm_keys keys;
    lm_field_colours colours;
    uint32_t tiles[4];             /* tiles along an axis; 1 beyond dims */
    const uint32_t *tile_begin[4]; /* [tile]: its first coordinate; the end follows */
    const double *wave[4];         /* [axis][coordinate]: cosine and sine */
    unsigned long long *accepted;  /* [replica][tally]: proposals accepted in a sweep that counts */
    int kind;                      /* kind of the lattice: lib/physics/field.h */
    const void *fixed;             /* static values, */
    int fixed_values;              /* static values of a site */
    uint32_t sample_replicas;      /* consecutive replicas with the same static values */
    int by_colour;                 /* the order of a plane: place.cuh */
    uint32_t half;                 /* count / 2 */
    lm_field_divisor by[4];        /* extents; for axis 0 half of it, rounded up */
    uint32_t
        around[4]; /* extents: steps from beyond an end to the other end; 0 along the cut axis */
    uint32_t origin[4];  /* first coordinate in memory, modulo 2^32; 0 except in a slab */
    uint32_t base;       /* number of the site at place 0, modulo 2^32 */
    uint32_t base_high;  /* 2^24 (number / 2^32), as counters have it */
    int slab, connected; /* 1: it is a slab; 1: some side hands its layers on */
    lm_field_far_halo beyond[2];
    int by_class;          /* the order of a row: place.cuh */
    const uint32_t *rank;  /* [coordinate]: its place in colours.list */
    const uint32_t *steps; /* [place][4]: places that are -2, -1, 1 and 2 steps away */
    lm_seam seam;          /* of a connected slab */
    uint32_t tallies;      /* tallies of a replica, a power of two; its count is their sum */
    int keeps;             /* what should stay in the L2 cache */
    const double *table;   /* the model's table (lm_spec.table) */
    const void *rounded;   /* the table as numbers of the type of arithmetic */
} lm_field_view;

static inline uint64_t lm_field_layer_sites(const lm_field_view *v)
{
    return v->dims == 1 ? (uint64_t)v->count : v->stride[v->dims - 1];
}

/* Says whether some axis is open or antiperiodic. */
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
    int phase;          /* the colour; with block Metropolis the sub-grid */
    int variant;        /* variant of the update, as the model numbers its own */
    int count;          /* 1: add to view.accepted, which begins as 0 */
    uint32_t replica;   /* the replica that block 0 of the grid's y serves */
    uint32_t replicas;  /* replicas from there on; 0: all */
    uint32_t row, rows; /* colour: the first row in memory, and how many rows */
    int packs;          /* 1: the largest packs, however few they are */
    uint32_t threads;   /* threads of a row, where rows go by class */
    lm_field_divisor by_threads;
    uint32_t first_1, rows_1; /* in bricks: the strip of the launch, rows along axis 1 */
    lm_field_divisor by_1;
    int ends; /* tiles: bit s is set if some may be at side s of the slab */
    /* For packs: where the last colour leaves the sums of its bonds, [replica][leaf]; or NULL.
     * The second flag says that sites stand still, so that nothing is updated. */
    double *leaves;
    int still;
    int backward; /* 1: the last block first (lm_field_block()) */
} lm_cuda_field_pass;

/* Copies consecutive sites between [site][plane], as the host has them, and the planes that
 * kernels read. Behind a plane's last site come the next replica's. */
typedef struct lm_field_transfer {
    void *planes; /* the first plane */
    void *sites;
    uint64_t first, numbers; /* the first site; sites times planes */
    uint32_t count;          /* number of planes */
    int in;                  /* 1: from the sites to the planes; 0: back */
    size_t bytes;            /* bytes of a number: 1, 4, 8 */
} lm_field_transfer;

/* Copies consecutive rows from one order to another: place i of a row goes to place to[i]. */
typedef struct lm_field_rows {
    void *numbers; /* numbers of the first row */
    uint64_t rows;
    uint32_t width;
    const uint32_t *to;
    size_t bytes; /* bytes of a number: 1, 4, 8 */
} lm_field_rows;

/* A row must fit in the shared memory of a block. */
#define LM_FIELD_ROW_BYTES 32768u

/* Negates ranges of planes, or sets them to 0 if the factor is 0. */
typedef struct lm_field_scale {
    void *numbers; /* numbers of the first range */
    uint64_t pitch, length,
        ranges; /* numbers from one range to the next; numbers of each; number of ranges */
    int factor;
    size_t bytes; /* bytes of a number: 1, 4, 8 */
} lm_field_scale;

/* The bundles that a measurement makes, and the number of their sums. Sums follow each
 * other, without the sums of other bundles. */
typedef struct lm_cuda_field_wanted {
    unsigned bundles;
    int sums;
} lm_cuda_field_wanted;

/* A stage of a measurement: `outer` lists of `count` elements. Each list becomes the sums of its
 * blocks. */
typedef struct lm_field_fold {
    uint64_t outer, count;
    const double *in; /* [outer][count][sums] */
    double *out;      /* [outer][LM_SUMS_BLOCKS(count)][pitch] */
    int sums, pitch;
    int overlaps; /* 1: the launch may begin while the previous one runs */
} lm_field_fold;

/* Says whether packs of such lattices can leave sums behind. In other lattices few users need
 * these sums, and their kernels would double the number. */
#define LM_PACKS_LEAVE(dims, kind) ((dims) < 4 && (kind) < 2)

/* The tiles for each multiprocessor from which on blocks have four of them. Each block then
 * still has a multiprocessor to itself, or a part of one. */
#define LM_FIELD_MANY_TILES 4u

/* The most replicas of a launch: a grid's y ends at 65535. */
#define LM_FIELD_REPLICAS 32768u

typedef struct lm_field_kernels {
    int by_colour; /* 1: lattices of the model keep sites by colour where they can */
    int by_class;  /* 1: rows go by class while they are swept by colours */
    int (*fixed)(int dims, int kind); /* returns the static values that are in memory */
    cudaError_t (*start)(const lm_field_view *view, int hot, cudaStream_t stream);
    /* Updates a colour of all replicas, with a thread for each site. */
    cudaError_t (*colour)(const lm_field_view *view, const lm_cuda_field_pass *pass,
                          cudaStream_t stream);
    /* Updates a sub-grid of all replicas, with a thread block for each tile. */
    cudaError_t (*tiles)(const lm_field_view *view, const lm_cuda_field_pass *pass,
                         cudaStream_t stream);
    /* Makes the first stage of the sums of `replicas` replicas from `replica` on, over the
     * layers' sites. */
    cudaError_t (*sums)(const lm_field_view *view, lm_cuda_field_wanted wanted, uint32_t replica,
                        uint32_t replicas, double *out, cudaStream_t stream);
    /* Makes the leaves of all replicas, [replica][layer][leaf], of the sum that a sweep may
     * leave behind (LM_HOOK_BONDS of lib/physics/field.h). `sums` does not make it. NULL: there
     * is no such sum. */
    cudaError_t (*leaves)(const lm_field_view *view, double *out, cudaStream_t stream);
    lm_cuda_exchange_by *exchange; /* exchange.cuh with the model's action */
} lm_field_kernels;

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels of fold.cu and transfer.cu, for all types. */
cudaError_t lm_launch_field_fold(const lm_field_fold *fold, cudaStream_t stream);
/* Adds up the lists of `layers` layers, `outer` times, to out[outer][pitch]. There are at most
 * LM_FOLDED_LAYERS layers, and a list has at most a block of numbers. */
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
