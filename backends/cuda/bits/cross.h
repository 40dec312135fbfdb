/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves sites of words to arrays in device memory and back, and copies replicas. */
#ifndef LM_CUDA_BITS_CROSS_H
#define LM_CUDA_BITS_CROSS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "backends/crossing.h"
#include "lib/geometry/siteword.h"

/* Where sites are in words: [group][sublattice][digit][row][word]. Strides are in words. */
typedef struct lm_bits_home {
    uint32_t *sites; /* word 0 of row 0 of group 0 */
    int64_t group_stride, sublattice_stride, digit_stride, row_stride;
    uint32_t width; /* words of a row */
    int sublattices, digits, per_word, segment;
    int bits; /* used bits of a row in its last word */
    int dims;
    int64_t extents[4], first_row; /* first_row: the number of row 0 in the lattice */
    int64_t first_nth;             /* the place of replica 0 in group 0 */
    lm_site_values numbers;
} lm_bits_home;

/* Sites in an array of device memory. A span begins with a byte of its own in the array, and its
 * sites follow each other there. It is a padded layer, or all rows. */
typedef struct lm_bits_array {
    char *bytes;
    int in;    /* 1: the sites go into words */
    int saved; /* 1: digits, as they are saved; 0: bytes */
    int64_t replica, replicas;
    int64_t row, rows; /* rows of the plan */
    int64_t span_rows, span_bytes;
    int64_t pitch; /* bytes from replica to replica */
} lm_bits_array;

/* Returns the array of a crossing in device memory. `row` is the plan's number of its first row,
 * and rows have `extent` sites. */
static inline lm_bits_array lm_bits_array_of(const lm_crossing *c, int64_t extent, int64_t row)
{
    const int padded = c->bits < 8 && c->layer_rows * extent % 8 != 0;
    const lm_bits_array array = {c->in ? (char *)c->in : c->out,
                                 c->in != NULL,
                                 c->bits < 8,
                                 c->replica,
                                 c->replicas,
                                 row,
                                 c->rows,
                                 padded ? c->layer_rows : c->rows,
                                 padded ? c->layer_bytes : c->rows / c->layer_rows * c->layer_bytes,
                                 c->pitch};
    return array;
}

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t lm_launch_cross(const lm_bits_home *home, const lm_bits_array *array,
                            cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
