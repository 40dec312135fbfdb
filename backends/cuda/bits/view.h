/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan as the kernels see it, and the kernels as the plan sees them.
 *
 * sites[group][sublattice][digit][row][word], rows numbered from 0 within the slab; the ghost
 * layers of a slab are rows below 0 and above the last. A whole lattice has no ghosts:
 * kernels find neighbours across its boundaries by arithmetic.
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

/* The halo beyond a side, in a plan that this one hands its boundary layer. */
typedef struct lm_bits_far_halo {
    uint32_t *sites; /* that plan's; NULL: nothing is handed on */
    int64_t sublattice_stride, group_stride, digit_stride;
    int64_t shift; /* from a row here to the same there */
} lm_bits_far_halo;

typedef struct lm_bits_view {
    uint32_t *sites;           /* word 0 of row 0 of sublattice 0 of group 0 */
    int64_t sublattice_stride; /* in words */
    int64_t group_stride;
    int64_t digit_stride;     /* the sublattice's where sites have one */
    int64_t rows, layer_rows; /* rows of the slab, rows of a layer */
    int64_t first_row;        /* number of row 0 in the whole lattice */
    int64_t extents[4];
    int whole;       /* 1: not a slab */
    int overlaps;    /* 1: the device can overlap kernels of one stream (9.0 and up) */
    int odd_ring[4]; /* 1: the last site of the axis adds 2 to its colour (lib/geometry/colouring.h)
                      */
    int dims, folded, sublattices, colours, pack, segment;
    int digits, sums;       /* of a site, of a replica */
    int bits;               /* used bits of a row in its last word */
    uint32_t width;         /* W */
    uint32_t segment_first; /* bit 0 of every segment */
    lm_keys keys;           /* of the random numbers: the seed */
    uint32_t first_group, groups;
    uint32_t bond_step;    /* sublattices of bonds from group to group; 0: all share one sample's */
    const uint32_t *lanes; /* [group]: bits of the replicas that exist */
    const uint32_t *sign, *gone; /* [group][sublattice][slot][row][word], or NULL */
    const uint32_t *uniform_planes, *flip;
    const uint32_t *planes[LM_RULE_UPDATES]; /* of the general rules */
    lm_rule_shape shape[LM_RULE_UPDATES];
    int apart; /* lm_rule_table, of the update that is made */
    /* What the planes are made of: [1: of a replica whose bonds make it loose][slot][..]; slots and
     * that of each replica, and the first one's number. */
    const uint64_t *thresholds[LM_RULE_UPDATES];
    const int64_t *slots;
    const uint8_t *loose;
    int64_t replicas, first_replica;
    double coupling[4];         /* [axis] */
    int states;                 /* of a site, of models with a number of them */
    lm_count *counts;           /* [group][replica of the word][sums] */
    lm_bits_far_halo beyond[2]; /* by side */
    lm_seam seam;
} lm_bits_view;

/* What to do with a colour of a slab. */
typedef struct lm_bits_pass {
    int update;
    int colour;
    uint64_t step;
    int64_t first, last; /* rows */
    int count;           /* count the sites that change */
} lm_bits_pass;

/* So many of 64 bits go with a launch, whose arguments have 4096 bytes. */
enum { LM_FEW_THRESHOLDS = 400 };

/* A table of thresholds, and where its planes go (backends/ising_rules.h). */
typedef struct lm_bits_spread {
    const uint64_t *thresholds; /* [1: of a replica whose bonds make it loose][slot][each] */
    const uint64_t *few;  /* host: if no replica is loose, LM_FEW_THRESHOLDS at most; or NULL */
    const int64_t *slots; /* [replica] */
    const uint8_t *loose; /* [replica]; NULL: none is */
    uint32_t *planes;     /* [group][group_words] */
    uint32_t *flips;      /* [group], the last threshold's; NULL: there are none */
    int64_t replicas, each;
    int64_t group_words;
    int stride, step, certain; /* lm_rule_form */
    int64_t first_group, groups, first_replica;
    int pack, segment;
    lm_count *clear; /* so many counts are 0 afterwards; or NULL */
    int64_t clears;
} lm_bits_spread;

/* Counts of some records, and the sums that they become. */
typedef struct lm_bits_settling {
    const lm_count *counts; /* [record][replica of a word][counted], of records so far apart; */
    int64_t record, counted;
    double *sums; /* [replica][record][each], those wanted of each: a bit for each of them */
    uint64_t wanted;
    int64_t lane, replicas, records, each; /* lane: the place of the first replica */
    int64_t sites;
    int spins; /* the sum of spins, whose count is that of spins +1; or -1 */
} lm_bits_settling;

#ifdef __cplusplus
extern "C" {
#endif

/* plan.c: words of a sublattice that a launch on a whole lattice has at most, of all groups, where
 * its kernel counts these in 31 bits. Tests have fewer. */
extern int64_t lm_bits_launch_words;

/* spread.cu */
cudaError_t lm_launch_spread(const lm_bits_spread *spread, int overlaps, cudaStream_t stream);

/* settle.cu */
cudaError_t lm_launch_settle(const lm_bits_settling *settling, cudaStream_t stream);

/* general.cu: one thread a word, any rule, any shape */
cudaError_t lm_launch_update(const lm_bits_view *view, const lm_bits_pass *pass,
                             cudaStream_t stream);
cudaError_t lm_launch_start(const lm_bits_view *view, int hot, cudaStream_t stream);
/* counts[..][0 .. dims] of all groups, which must be 0 before. `sums`: the mask of what is added
 * up, one of LM_SUMS_OF_SITES. */
#define LM_SUMS_BONDS    (1u << LM_ISING_BONDS)
#define LM_SUMS_SPINS    (1u << LM_ISING_SPINS)
#define LM_SUMS_OF_SITES (LM_SUMS_BONDS | LM_SUMS_SPINS)
cudaError_t lm_launch_measure(const lm_bits_view *view, unsigned sums, cudaStream_t stream);

/* Some pairs of replicas of a whole lattice, or some replicas, and what is counted of each. */
typedef struct lm_bits_counting {
    int64_t first; /* in the ensemble: the replica that has number 0 here */
    int64_t pairs; /* or replicas */
    const int64_t
        *replicas;          /* device: [pair][2]; NULL: replicas from number 0 on, each by itself */
    const int64_t *holders; /* device: [slot]: the list's numbers are slots, which these have; NULL:
                               they are replicas */
    lm_count *counts;       /* device: [pair][..] */
} lm_bits_counting;

/* pairs.cu: the sites in which pairs differ, and their links if they are asked for
 * (lib/physics/pair_sums.h). view->sign must be NULL. */
cudaError_t lm_launch_pairs(const lm_bits_view *view, int links, const lm_bits_counting *twins,
                            cudaStream_t stream);
/* planes.cu: the sites in which pairs differ, or a replica's spins +1, of each plane
 * (lm_plan_ops.pair_planes). */
cudaError_t lm_launch_planes(const lm_bits_view *view, const lm_bits_counting *twins,
                             cudaStream_t stream);

/* Kernels of large whole lattices, folded but for one: large.cu, a colour by the uniform rule; */
int lm_large_serves(const lm_bits_view *view);
cudaError_t lm_launch_large(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
/* the same for lattices that do not fill a device so, without signs; */
int lm_lines_serve(const lm_bits_view *view);
cudaError_t lm_launch_lines(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
/* ruled.cu, a colour by the general rule; */
int lm_ruled_serves(const lm_bits_view *view, int update);
cudaError_t lm_launch_ruled(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
/* natural.cu, a colour of one in natural order, by the general rule; */
int lm_natural_serves(const lm_bits_view *view, int update);
cudaError_t lm_launch_natural(const lm_bits_view *view, const lm_bits_pass *pass,
                              cudaStream_t stream);
/* and by the uniform one; */
int lm_natural_uniform_serves(const lm_bits_view *view);
cudaError_t lm_launch_natural_uniform(const lm_bits_view *view, const lm_bits_pass *pass,
                                      cudaStream_t stream);
/* measure.cu, the same as lm_launch_measure(), whatever the rule. */
int lm_large_measures(const lm_bits_view *view);
cudaError_t lm_launch_large_measure(const lm_bits_view *view, unsigned sums, cudaStream_t stream);

/* potts.cu, the Potts model: a colour of any lattice or slab; of one whose sites are plain, with a
 * field (view.apart) or without, by Metropolis (lib/physics/potts_bits.h); start, sums. */
cudaError_t lm_launch_potts(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
int lm_potts_plain_serves(const lm_bits_view *view);
cudaError_t lm_launch_potts_plain(const lm_bits_view *view, const lm_bits_pass *pass,
                                  cudaStream_t stream);
/* the same by the heat bath, with a field or without, one replica a word; */
int lm_potts_bath_serves(const lm_bits_view *view);
cudaError_t lm_launch_potts_bath(const lm_bits_view *view, const lm_bits_pass *pass,
                                 cudaStream_t stream);
cudaError_t lm_launch_potts_start(const lm_bits_view *view, int hot, cudaStream_t stream);
cudaError_t lm_launch_potts_measure(const lm_bits_view *view, unsigned groups, cudaStream_t stream);
/* potts_measure.cu, the same where bonds are all there and positive. */
int lm_potts_plain_measures(const lm_bits_view *view);
cudaError_t lm_launch_potts_plain_measure(const lm_bits_view *view, unsigned groups,
                                          cudaStream_t stream);

/* blume_capel.cu, the Blume-Capel model: likewise. */
cudaError_t lm_launch_capel(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
int lm_capel_plain_serves(const lm_bits_view *view);
cudaError_t lm_launch_capel_plain(const lm_bits_view *view, const lm_bits_pass *pass,
                                  cudaStream_t stream);
cudaError_t lm_launch_capel_start(const lm_bits_view *view, int hot, cudaStream_t stream);
cudaError_t lm_launch_capel_measure(const lm_bits_view *view, unsigned groups, cudaStream_t stream);

/* persistent.cu: many sweeps of a middling one in one launch, all multiprocessors
 * together.
 * tagged: 2 rows W numbers, none of whose upper halves is in base .. base + 2 sweeps. */
int lm_persistent_serves(const lm_bits_view *view, int device);
cudaError_t lm_launch_persistent(const lm_bits_view *view, int device, uint64_t step,
                                 int64_t sweeps, int count, uint64_t *tagged, uint32_t base,
                                 cudaStream_t stream);

/* Kernels of many sweeps and measurements of small lattices, each in one multiprocessor, which has
 * a thread for every word of a colour. */
typedef struct lm_walk {
    int update;
    uint64_t step;   /* number of the first sweep */
    int64_t sweeps;  /* of a record */
    int64_t records; /* sweeps, then the sums into view->counts if `measures`, */
    int measures;    /* which moves on by all groups' sums every time */
    unsigned sums;   /* the mask of those that are added up */
    int counting; /* sites that change are counted in the last sweep of no record, the last, all */
    int metering; /* 1: multiprocessors have warps to spare, which may count (meters.cuh) */
} lm_walk;

enum { LM_COUNT_NONE, LM_COUNT_LAST, LM_COUNT_ALL };

/* alone.cu: any rule, or the uniform one of Metropolis. */
int lm_alone_serves(const lm_bits_view *view, int update, int uniform);
cudaError_t lm_launch_alone(const lm_bits_view *view, const lm_walk *walk, int uniform,
                            cudaStream_t stream);
/* Plain sites of the Potts model: by Metropolis, with a field or of more than four states
 * (potts_plain.cu); by the heat bath (potts.cu); of the Blume-Capel model, by Metropolis
 * (blume_capel.cu). */
int lm_potts_small_serves(const lm_bits_view *view, int field);
cudaError_t lm_launch_potts_small(const lm_bits_view *view, const lm_walk *walk,
                                  cudaStream_t stream);
int lm_potts_small_bath_serves(const lm_bits_view *view);
cudaError_t lm_launch_potts_small_bath(const lm_bits_view *view, const lm_walk *walk,
                                       cudaStream_t stream);
int lm_capel_small_serves(const lm_bits_view *view);
cudaError_t lm_launch_capel_small(const lm_bits_view *view, const lm_walk *walk,
                                  cudaStream_t stream);
/* potts_blocks.cu: plain sites of the Potts model, of up to four states without a field, by
 * Metropolis. */
int lm_potts_blocks_serve(const lm_bits_view *view);
cudaError_t lm_launch_potts_blocks(const lm_bits_view *view, const lm_walk *walk,
                                   cudaStream_t stream);

/* Of a sweep of a block that walks by outcomes drawn ahead, in ns on an H200: what it takes at
 * least, and more for each warp (doc/performance.md). */
#define LM_WALK_NS      150.0
#define LM_WALK_WARP_NS 22.0

/* resident.cu: the uniform rule. It takes a buffer of at most so many bytes, and so many counters.
 */
#define LM_AHEAD_BYTES    ((size_t)128 << 20)
#define LM_AHEAD_RING     2 /* batches in it; 4, shorter ones, lost 10 % */
#define LM_AHEAD_COUNTERS (2 * LM_AHEAD_RING)

/* Of the buffer for lattices like this; 0 if it does not serve them. */
size_t lm_resident_bytes(const lm_bits_view *view);
/* Its grid, half of which may walk; 0 if it does not serve lattices like this. */
unsigned lm_resident_blocks(const lm_bits_view *view, int device);
cudaError_t lm_launch_resident(const lm_bits_view *view, unsigned blocks, const lm_walk *walk,
                               void *buffer, lm_count *counters, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
