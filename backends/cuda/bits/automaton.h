/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cellular automata on GPUs: a generation is made of one buffer and goes into another.
 *
 * cells[replica][row][word]: a word has 32 cells of a row, and rows are padded to whole quads of
 * words. A ghost row lies before the first row and after the last: a slab's halo, or dead cells
 * beyond open ends. Across periodic ends of a whole lattice kernels find rows by arithmetic, and
 * across those of a row always. What is beyond the cells of a row means nothing.
 */
#ifndef LM_CUDA_AUTOMATON_H
#define LM_CUDA_AUTOMATON_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "backends/cuda/bits/view.h"
#include "lib/physics/automaton_rule.h"
#include "lib/physics/philox_keys.h"

typedef unsigned long long lm_cells_count;

enum { LM_CELLS_QUAD = 4 };

typedef struct lm_cells_view {
    const uint32_t *from; /* word 0 of row 0 of replica 0 */
    uint32_t *to;
    int64_t rows, first_row; /* of the slab; number of its first in the whole lattice */
    int64_t replica_stride;  /* in words */
    uint32_t stride, words;  /* of a row: with and without padding */
    int64_t extent;          /* cells of a row */
    int wraps, joined;       /* ends of the columns, of the rows are joined here */
    int overlaps;            /* lm_cuda_overlaps(), of the next launch */
    lm_automaton_rule rule;
    const uint64_t *threshold; /* [replica] */
    int noisy;                 /* some replica is */
    lm_keys keys;
    uint32_t first_replica, replicas;
    lm_cells_count *counts; /* [replica][LM_AUTOMATON_GROUPS]; NULL: nothing is counted */
} lm_cells_view;

#ifdef __cplusplus
extern "C" {
#endif

/* Rows [first, last) of the next generation; adds up changes. */
cudaError_t lm_launch_generation(const lm_cells_view *view, uint64_t step, int64_t first,
                                 int64_t last, cudaStream_t stream);
/* automaton_tiles.cu: some generations of a whole lattice, at most so many, none of them counted,
 * in one launch. */
int lm_tiles_serve(const lm_cells_view *view);
/* What one of at most so many takes, in ns. */
double lm_tiles_ns(const lm_cells_view *view, int64_t most, int processors);
cudaError_t lm_launch_tiles(const lm_cells_view *view, int64_t most, int processors, int64_t *made,
                            cudaStream_t stream);
/* automaton_blocks.cu: sweeps and measurements of a small whole lattice, from `from` to `to`. */
int lm_cells_blocks_serve(const lm_cells_view *view);
cudaError_t lm_launch_cells_blocks(const lm_cells_view *view, const lm_walk *walk,
                                   cudaStream_t stream);
/* Adds up the cells of `from` that live. */
cudaError_t lm_launch_living(const lm_cells_view *view, cudaStream_t stream);
/* Half of all cells of `to`. */
cudaError_t lm_launch_hot(const lm_cells_view *view, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
