/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes a plan as the kernels see it, and the kernels as the plan sees them.
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
#include "lib/physics/ising_observe.h"
#include "lib/physics/ising_shape.h"
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
    int dims, folded, sublattices, colours, pack, segment;
    int digits, sums;       /* digits of a site; sums of a replica */
    int bits;               /* used bits of a row in its last word */
    uint32_t width;         /* W */
    uint32_t segment_first; /* bit 0 of every segment */
    lm_keys keys;           /* keys of the random numbers: the seed */
    uint32_t first_group, groups;
    uint32_t
        bond_step; /* sublattices of bonds from group to group; 0: all groups share one sample's */
    const uint32_t *lanes;       /* [group]: bits of the replicas that exist */
    const uint32_t *sign, *gone; /* [group][sublattice][slot][row][word], or NULL */
    const uint32_t *uniform_planes, *flip;
    const uint32_t *planes[LM_RULE_UPDATES]; /* planes of the general rules */
    lm_rule_shape shape[LM_RULE_UPDATES];
    int apart; /* lm_rule_table, for the present update */
    /* The data of the planes. thresholds: [1: of a replica whose bonds make it loose][slot][..].
     * slots: the slot of each replica. loose: 1 for each loose replica. first_replica: the
     * number of the first replica. */
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

/* A table of thresholds, and where its planes go (backends/ising_rules.h). */
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
    int pack, segment;
    lm_count *clear; /* counts that the kernel sets to 0, and their number; or NULL */
    int64_t clears;
} lm_bits_spread;

/* Counts of some records, and the sums that they become. */
typedef struct lm_bits_settling {
    const lm_count
        *counts; /* [record][replica of a word][counted], with a step from record to record */
    int64_t record, counted;
    double *sums; /* [replica][record][each], the sums wanted; `wanted` has a bit for each */
    uint64_t wanted;
    int64_t lane, replicas, records, each; /* lane: the place of the first replica */
    int64_t sites;
    int spins; /* the number of the sum of spins, whose count is that of spins +1; or -1 */
} lm_bits_settling;

#ifdef __cplusplus
extern "C" {
#endif

/* The most words of a sublattice, over all groups, in a launch on a whole lattice (plan.c). It
 * matters for kernels that count these words in 31 bits. Tests set it lower. */
extern int64_t lm_bits_launch_words;

/* Makes planes of thresholds (spread.cu). */
cudaError_t lm_launch_spread(const lm_bits_spread *spread, int overlaps, cudaStream_t stream);

/* Makes sums of counts (settle.cu). */
cudaError_t lm_launch_settle(const lm_bits_settling *settling, cudaStream_t stream);

/* Updates a colour by any rule, in any shape, with a thread for each word (general.cu). */
cudaError_t lm_launch_update(const lm_bits_view *view, const lm_bits_pass *pass,
                             cudaStream_t stream);
cudaError_t lm_launch_start(const lm_bits_view *view, int hot, cudaStream_t stream);
/* Adds to counts[..][0 .. dims] of all groups, which must be 0 before. `sums` is the mask of the
 * sums to add up, some of LM_SUMS_OF_SITES. */
#define LM_SUMS_BONDS    (1u << LM_ISING_BONDS)
#define LM_SUMS_SPINS    (1u << LM_ISING_SPINS)
#define LM_SUMS_OF_SITES (LM_SUMS_BONDS | LM_SUMS_SPINS)
cudaError_t lm_launch_measure(const lm_bits_view *view, unsigned sums, cudaStream_t stream);

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

/* Kernels of large lattices follow; all but the natural one need folded lattices. large.cu
 * updates a colour by the uniform rule. */
int lm_large_serves(const lm_bits_view *view);
cudaError_t lm_launch_large(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
/* Updates a colour by the uniform rule, without signs, for lattices that do not fill a device
 * with patches of two rows. */
int lm_lines_serve(const lm_bits_view *view);
cudaError_t lm_launch_lines(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
/* Updates a colour by the general rule (ruled.cu). */
int lm_ruled_serves(const lm_bits_view *view, int update);
cudaError_t lm_launch_ruled(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
/* Updates a colour of a lattice in natural order by the general rule (natural.cu). */
int lm_natural_serves(const lm_bits_view *view, int update);
cudaError_t lm_launch_natural(const lm_bits_view *view, const lm_bits_pass *pass,
                              cudaStream_t stream);
/* Updates a colour of a lattice in natural order by the uniform rule (natural.cu). */
int lm_natural_uniform_serves(const lm_bits_view *view);
cudaError_t lm_launch_natural_uniform(const lm_bits_view *view, const lm_bits_pass *pass,
                                      cudaStream_t stream);
/* Measures as lm_launch_measure() does, whatever the rule (measure.cu). */
int lm_large_measures(const lm_bits_view *view);
cudaError_t lm_launch_large_measure(const lm_bits_view *view, unsigned sums, cudaStream_t stream);

/* Kernels of the Potts model (potts.cu). lm_launch_potts() updates a colour of any lattice or
 * slab. The next kernels update plain sites, with a field (view.apart) or without, by Metropolis
 * (lib/physics/potts_bits.h). The others make the start and the sums. */
cudaError_t lm_launch_potts(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
int lm_potts_plain_serves(const lm_bits_view *view);
cudaError_t lm_launch_potts_plain(const lm_bits_view *view, const lm_bits_pass *pass,
                                  cudaStream_t stream);
/* Updates plain sites by the heat bath, with a field or without, with one replica a word. */
int lm_potts_bath_serves(const lm_bits_view *view);
cudaError_t lm_launch_potts_bath(const lm_bits_view *view, const lm_bits_pass *pass,
                                 cudaStream_t stream);
cudaError_t lm_launch_potts_start(const lm_bits_view *view, int hot, cudaStream_t stream);
cudaError_t lm_launch_potts_measure(const lm_bits_view *view, unsigned bundles,
                                    cudaStream_t stream);
/* Measures plain sites whose bonds are all present and positive (potts_measure.cu). */
int lm_potts_plain_measures(const lm_bits_view *view);
cudaError_t lm_launch_potts_plain_measure(const lm_bits_view *view, unsigned bundles,
                                          cudaStream_t stream);

/* Kernels of the Blume-Capel model, in the same order (blume_capel.cu). */
cudaError_t lm_launch_capel(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
int lm_capel_plain_serves(const lm_bits_view *view);
cudaError_t lm_launch_capel_plain(const lm_bits_view *view, const lm_bits_pass *pass,
                                  cudaStream_t stream);
cudaError_t lm_launch_capel_start(const lm_bits_view *view, int hot, cudaStream_t stream);
cudaError_t lm_launch_capel_measure(const lm_bits_view *view, unsigned bundles,
                                    cudaStream_t stream);

/* Makes many sweeps of a lattice of medium size in one launch, with all multiprocessors together
 * (persistent.cu). tagged: 2 rows W numbers, none of whose upper halves is in base .. base + 2
 * sweeps. */
int lm_persistent_serves(const lm_bits_view *view, int device);
cudaError_t lm_launch_persistent(const lm_bits_view *view, int device, uint64_t step,
                                 int64_t sweeps, int count, uint64_t *tagged, uint32_t base,
                                 cudaStream_t stream);

/* What kernels do that make many sweeps and measurements of small lattices. Each lattice is in
 * one multiprocessor, which has a thread for every word of a colour. */
typedef struct lm_walk {
    int update;
    uint64_t step;   /* number of the first sweep */
    int64_t sweeps;  /* sweeps of a record */
    int64_t records; /* number of records: sweeps, then the sums into view->counts if `measures` */
    int measures;    /* 1: measure; view->counts moves on by all groups' sums each time */
    unsigned sums;   /* the mask of the sums to add up */
    int counting;    /* count changes in the last sweep of no record, of the last, of all */
    int metering;    /* 1: multiprocessors have idle warps, which may count (meters.cuh) */
} lm_walk;

enum { LM_COUNT_NONE, LM_COUNT_LAST, LM_COUNT_ALL };

/* Walks by any rule, or by the uniform Metropolis rule (alone.cu). */
int lm_alone_serves(const lm_bits_view *view, int update, int uniform);
cudaError_t lm_launch_alone(const lm_bits_view *view, const lm_walk *walk, int uniform,
                            cudaStream_t stream);
/* Walk plain sites (potts_plain.cu, potts.cu, blume_capel.cu). The Potts kernels use Metropolis,
 * with a field or with more than four states, or the heat bath. The Blume-Capel kernel uses
 * Metropolis. */
int lm_potts_small_serves(const lm_bits_view *view, int field);
cudaError_t lm_launch_potts_small(const lm_bits_view *view, const lm_walk *walk,
                                  cudaStream_t stream);
int lm_potts_small_bath_serves(const lm_bits_view *view);
cudaError_t lm_launch_potts_small_bath(const lm_bits_view *view, const lm_walk *walk,
                                       cudaStream_t stream);
int lm_capel_small_serves(const lm_bits_view *view);
cudaError_t lm_launch_capel_small(const lm_bits_view *view, const lm_walk *walk,
                                  cudaStream_t stream);
/* Walks plain sites of the Potts model by Metropolis, with up to four states and without a field
 * (potts_blocks.cu). */
int lm_potts_blocks_serve(const lm_bits_view *view);
cudaError_t lm_launch_potts_blocks(const lm_bits_view *view, const lm_walk *walk,
                                   cudaStream_t stream);

/* The time of a sweep of a block that walks with outcomes drawn ahead: the least time, and more
 * for each warp. In ns on an H200 (doc/performance.md). */
#define LM_WALK_NS      150.0
#define LM_WALK_WARP_NS 22.0

/* Walks by the uniform rule (resident.cu). LM_AHEAD_BYTES is the most that its buffer has; the
 * number of its counters follows. */
#define LM_AHEAD_BYTES    ((size_t)128 << 20)
#define LM_AHEAD_RING     2 /* batches in the buffer; with 4 shorter ones it lost 10 % */
#define LM_AHEAD_COUNTERS (2 * LM_AHEAD_RING)

/* Returns the bytes of the buffer for lattices like this; 0 if the kernel does not serve them. */
size_t lm_resident_bytes(const lm_bits_view *view);
/* Returns the kernel's grid, half of which may walk; 0 if it does not serve lattices like this. */
unsigned lm_resident_blocks(const lm_bits_view *view, int device);
cudaError_t lm_launch_resident(const lm_bits_view *view, unsigned blocks, const lm_walk *walk,
                               void *buffer, lm_count *counters, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
