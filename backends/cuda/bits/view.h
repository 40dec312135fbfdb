/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes a plan as the kernels see it, and the kernels that all models share as the plan sees
 * them. A model declares its own in a header named for it.
 *
 * The order is sites[group][sublattice][digit][row][word], with rows numbered from 0 within the
 * slab. The ghost layers of a slab are rows below 0 and above the last. A whole lattice has no
 * ghosts: kernels find neighbours across its boundaries by arithmetic.
 */
#ifndef LM_CUDA_BITS_VIEW_H
#define LM_CUDA_BITS_VIEW_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "backends/cuda/seam.h"
#include "lib/physics/rule_shape.h"
#include "lib/physics/philox_keys.h"

typedef unsigned long long lm_count;

/* The halo beyond a side, in the neighbouring plan, to which this plan hands its boundary layer. */
typedef struct lm_bits_far_halo {
    uint32_t *sites; /* sites of the neighbouring plan; NULL: nothing is handed on */
    int64_t sublattice_stride, group_stride, digit_stride;
    int64_t shift; /* rows from a row here to the same row there */
} lm_bits_far_halo;

typedef struct lm_bits_view {
    uint32_t *sites;           /* word 0 of row 0 of sublattice 0 of group 0 */
    int64_t sublattice_stride; /* in words */
    int64_t group_stride;
    int64_t
        digit_stride; /* stride of the digits; the sublattice's stride if sites have one digit */
    int64_t rows, layer_rows; /* rows of the slab; rows of a layer */
    int64_t first_row;        /* number of row 0 in the whole lattice */
    int64_t extents[4];
    int whole;       /* 1: a whole lattice, not a slab */
    int overlaps;    /* 1: the device can overlap kernels of one stream (9.0 and up) */
    int odd_ring[4]; /* 1: the last site of the axis adds 2 to its colour (lib/geometry/colouring.h)
                      */
    int dims, folded, sublattices, colours, per_word, segment;
    int digits, sums;       /* digits of a site; sums of a replica */
    int bits;               /* used bits of a row in its last word */
    uint32_t width;         /* W */
    uint32_t segment_first; /* bit 0 of every segment */
    lm_keys keys;           /* keys of the random numbers: the seed */
    uint32_t first_group, groups;
    uint32_t
        bond_step; /* sublattices of bonds from group to group; 0: all groups share one sample's */
    const uint32_t *replicas_mask; /* [group]: bits of the replicas that exist */
    const uint32_t *sign, *gone;   /* [group][sublattice][slot][row][word], or NULL */
    const uint32_t *uniform_planes, *flip;
    const uint32_t *planes[LM_RULE_UPDATES]; /* planes of the general rules */
    lm_rule_shape shape[LM_RULE_UPDATES];
    int by_spin; /* lm_rule_table, for the present update */
    /* The data of the planes. thresholds: [1: of a replica whose bonds make it loose][slot][..].
     * slots: the slot of each replica. loose: 1 for each loose replica. first_replica: the
     * number of the first replica, counted as first_group is, from a multiple of 2^16 groups. */
    const uint64_t *thresholds[LM_RULE_UPDATES];
    const int64_t *slots;
    const uint8_t *loose;
    int64_t replicas, first_replica;
    double coupling[4];         /* [axis] */
    int states;                 /* number of states of a site, in models that have one */
    lm_count *counts;           /* [group][replica of the word][sums] */
    lm_bits_far_halo beyond[2]; /* [side] */
    lm_seam seam;
} lm_bits_view;

/* What to do with a colour of a slab. */
typedef struct lm_bits_pass {
    int update;
    int colour;
    uint64_t step;
    int64_t first, last; /* rows */
    int count;           /* 1: count the sites that change */
} lm_bits_pass;

/* The most thresholds of 64 bits that go with a launch, whose arguments have 4096 bytes. */
enum { LM_FEW_THRESHOLDS = 400 };

/* A table of thresholds, and where its planes go (backends/rules.h). */
typedef struct lm_bits_spread {
    const uint64_t *thresholds; /* [1: of a replica whose bonds make it loose][slot][each] */
    const uint64_t *few;        /* host: the thresholds if no replica is loose and they are at most
                                   LM_FEW_THRESHOLDS; or NULL */
    const int64_t *slots;       /* [replica] */
    const uint8_t *loose;       /* [replica], 1: loose; NULL: no replica is */
    uint32_t *planes;           /* [group][group_words] */
    uint32_t *flips;            /* [group], for the last threshold; NULL: there are none */
    int64_t replicas, each;
    int64_t group_words;
    int stride, step, certain; /* lm_rule_form */
    int64_t first_group, groups, first_replica;
    int per_word, segment;
    lm_count *clear; /* counts that the kernel sets to 0, and their number; or NULL */
    int64_t clears;
} lm_bits_spread;

/* Counts of some records, and the sums that they become. */
typedef struct lm_bits_record_sums {
    const lm_count
        *counts; /* [record][replica of a word][counted], with a step from record to record */
    int64_t record, counted;
    double *sums; /* [replica][record][each], the sums wanted; `wanted` has a bit for each */
    uint64_t wanted;
    int64_t nth, replicas, records, each; /* nth: the place of the first replica */
    int64_t sites;
    int spins; /* the number of the sum of spins, whose count is that of spins +1; or -1 */
} lm_bits_record_sums;

/* What kernels do that make many sweeps and measurements of small lattices. Each lattice is in
 * one multiprocessor, which has a thread for every word of a colour. */
typedef struct lm_walk {
    int update;
    uint64_t step;    /* number of the first sweep */
    int64_t sweeps;   /* sweeps of a record */
    int64_t records;  /* number of records: sweeps, then the sums into view->counts if `measures` */
    int measures;     /* 1: measure; view->counts moves on by all groups' sums each time */
    unsigned bundles; /* what to measure, as a mask */
    int counting;     /* count changes in the last sweep of no record, of the last, of all */
    int metering;     /* 1: multiprocessors have idle warps, which may count (meters.cuh) */
} lm_walk;

enum { LM_COUNT_NONE, LM_COUNT_LAST, LM_COUNT_ALL };

#ifdef __cplusplus
extern "C" {
#endif

/* The most words of a sublattice, over all groups, in a launch on a whole lattice (plan.c). It
 * matters for kernels that count these words in 31 bits. Tests set it lower. */
extern int64_t lm_bits_launch_words;

/* Makes planes of thresholds (spread.cu). */
cudaError_t lm_launch_spread(const lm_bits_spread *spread, int overlaps, cudaStream_t stream);

/* Makes sums of counts (sum_records.cu). */
cudaError_t lm_launch_sum_records(const lm_bits_record_sums *record_sums, cudaStream_t stream);

/* Some pairs of replicas of a whole lattice, or some replicas, and what is counted of each. */
typedef struct lm_bits_counting {
    int64_t first; /* the number in the ensemble of replica 0 here */
    int64_t pairs; /* number of pairs, or of replicas */
    const int64_t
        *replicas;          /* device: [pair][2]; NULL: replicas from number 0 on, each by itself */
    const int64_t *holders; /* device: [slot], the replica that has it; the list then names slots;
                               NULL: it names replicas */
    lm_count *counts;       /* device: [pair][..] */
} lm_bits_counting;

/* Counts the sites in which pairs differ, and their links if `links` is set
 * (lib/physics/pair_sums.h; pairs.cu). view->sign must be NULL. */
cudaError_t lm_launch_pairs(const lm_bits_view *view, int links, const lm_bits_counting *twins,
                            cudaStream_t stream);
/* Counts, for each plane, the sites in which pairs differ, or a replica's spins +1
 * (lm_plan_ops.pair_planes; planes.cu). */
cudaError_t lm_launch_planes(const lm_bits_view *view, const lm_bits_counting *twins,
                             cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
