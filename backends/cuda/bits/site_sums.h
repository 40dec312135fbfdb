/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the sites of words with momenta and with weights, as their kernels see them. */
#ifndef LM_CUDA_BITS_SITE_SUMS_H
#define LM_CUDA_BITS_SITE_SUMS_H

#include "backends/cuda/bits/cross.h"
#include "lib/physics/momentum_bar.h"

/* Momenta are summed in octets. Those that an octet lacks have the factor 0. */
enum {
    LM_OCTET = 8,
    LM_OCTET_SUMS = 2 * LM_OCTET,
    LM_OCTET_BITS = 2 * LM_MOMENTUM_HALF * LM_OCTET /* of a kind of bars */
};

/* Tables of an octet are [2 kinds of bars][2: odd sites][bits][8], and of each axis [x][8], of axis
 * 0 [bar][8]. They follow each other. The sums of a block of bars are [term][octet][2][8]. */
typedef struct lm_bits_momenta {
    lm_bits_home home;
    const lm_wave_number *tables;      /* [octet][octet_numbers] */
    int64_t octet_numbers, axis_at[4]; /* where the table of an axis begins in an octet's */
    int octets, terms, width;  /* width: numbers of a block, terms * octets * LM_OCTET_SUMS */
    int64_t replica, replicas; /* those to sum */
    int64_t first_layer, layers;
    int64_t layer_rows, blocks;    /* blocks of LM_SUMS_BLOCK bars that a layer has */
    uint32_t row_bars, whole_bars; /* bars of a row; those that the row's end does not cut */
    double *sums;                  /* [replica][layer][block][width] */
} lm_bits_momenta;

/* A set of weights -1, 0 and +1: bits that say which are not 0, and which are -1, each
 * [group][sublattice][row][word]. */
typedef struct lm_bits_weights {
    const uint32_t *some, *minus;
    int64_t group_stride; /* 0: all groups have the same weights */
} lm_bits_weights;

typedef struct lm_bits_weighing {
    lm_bits_home home;
    int64_t groups, replicas, words; /* words: of a sublattice */
    int sets, terms;
    const lm_bits_weights *set; /* device */
    unsigned long long *sums;   /* [replica][set][term], zeros before */
} lm_bits_weighing;

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t lm_launch_momenta(const lm_bits_momenta *momenta, cudaStream_t stream);
/* Adds the numbers of lists, in[list][count][sums], in blocks of LM_SUMS_BLOCK:
 * out[list][block][sums]. `sums` is a multiple of LM_OCTET_SUMS. */
cudaError_t lm_launch_momenta_fold(int64_t lists, int64_t count, int sums, const double *in,
                                   double *out, cudaStream_t stream);
cudaError_t lm_launch_weigh(const lm_bits_weighing *weighing, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
