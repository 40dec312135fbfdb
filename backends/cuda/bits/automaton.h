/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs cellular automata on GPUs: a launch reads one buffer and writes the next generation to the
 * other.
 *
 * The order is cells[replica][row][word]. A word has 32 cells of a row, and rows are padded to
 * whole quads of words. A ghost row lies before the first row and after the last: a slab's halo, or
 * dead cells beyond open ends. Kernels find rows across periodic ends of a whole lattice by
 * arithmetic. Cells across the ends of a row they always find so. Bits beyond the cells of a row
 * mean nothing.
 */
#ifndef LM_CUDA_AUTOMATON_H
#define LM_CUDA_AUTOMATON_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "backends/cuda/bits/view.h"
#include "lib/physics/automaton_rule.h"
#include "lib/physics/philox_keys.h"

enum { LM_AUTOMATON_QUAD = 4 };

typedef struct lm_automaton_view {
    const uint32_t *from; /* word 0 of row 0 of replica 0 */
    uint32_t *to;
    int64_t rows, first_row; /* rows of the slab; number of its first row in the whole lattice */
    int64_t replica_stride;  /* in words */
    uint32_t stride, words;  /* words of a row with padding, without it */
    int64_t extent;          /* cells of a row */
    int wraps,
        joined;   /* 1: the ends of columns are joined here; the ends of rows are joined here */
    int overlaps; /* lm_cuda_overlaps() of the next launch */
    lm_automaton_rule rule;
    const uint64_t *threshold; /* [replica] */
    int noisy;                 /* 1: some replica has noise */
    lm_keys keys;
    uint32_t first_replica, replicas;
    lm_count *counts; /* [replica][LM_AUTOMATON_BUNDLES]; NULL: nothing is counted */
} lm_automaton_view;

#ifdef __cplusplus
extern "C" {
#endif

/* Makes rows [first, last) of the next generation, and adds up changes. */
cudaError_t lm_launch_generation(const lm_automaton_view *view, uint64_t step, int64_t first,
                                 int64_t last, cudaStream_t stream);
/* Make some generations of a whole lattice in one launch, without counting changes
 * (automaton_tiles.cu). A launch has a most number of generations. */
int lm_tiles_serve(const lm_automaton_view *view);
/* Returns the time of one generation, in ns, in launches of at most `most`. */
double lm_tiles_ns(const lm_automaton_view *view, int64_t most, int processors);
cudaError_t lm_launch_tiles(const lm_automaton_view *view, int64_t most, int processors,
                            int64_t *made, cudaStream_t stream);
/* Makes sweeps and measurements of a small whole lattice, from `from` to `to`
 * (automaton_blocks.cu). */
int lm_automaton_blocks_serve(const lm_automaton_view *view);
cudaError_t lm_launch_automaton_blocks(const lm_automaton_view *view, const lm_walk *walk,
                                       cudaStream_t stream);
/* Adds up the living cells of `from`. */
cudaError_t lm_launch_living(const lm_automaton_view *view, cudaStream_t stream);
/* Makes half of all cells of `to` live, at random. */
cudaError_t lm_launch_hot(const lm_automaton_view *view, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
