/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums with momenta of any plan: the tables on the GPU, and what is done with the sums of blocks of
 * bars. A family has the kernel that makes these.
 */
#ifndef LM_CUDA_MOMENTA_H
#define LM_CUDA_MOMENTA_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "lib/physics/momentum_bar.h"

/* Kernels sum eight momenta at a time, an octet. The factors of an octet that is not full are 0. */
enum {
    LM_OCTET = 8,
    LM_OCTET_SUMS = 2 * LM_OCTET,
    LM_OCTET_SITES = LM_MOMENTUM_BAR * LM_OCTET /* factors of a bar's sites */
};

/* The tables of an octet follow each other. Words have a table of bits first, [2 kinds of bars][2:
 * odd sites][bits][8], and fields a table of the sites of a bar, [site][8]. Then each axis has a
 * table [x][8], and axis 0 a table [bar][8]. The sums of a block of bars are [term][octet][2][8].
 */
typedef struct lm_cuda_momenta {
    const lm_wave_number *tables;      /* [octet][octet_numbers] */
    int64_t octet_numbers, axis_at[4]; /* where the table of an axis begins in an octet's */
    int octets, terms, width;          /* width: terms * octets * LM_OCTET_SUMS */
    int64_t replica, replicas;         /* those to sum */
    int64_t first_layer, layers;       /* of the plan */
    int64_t layer_rows, blocks;        /* blocks of LM_SUMS_BLOCK bars that a layer has */
    uint32_t row_bars, whole_bars;     /* bars of a row; those that its end does not cut */
    int dims;
    int64_t extents[4];
    double *sums; /* [replica][layer][block][width] */
} lm_cuda_momenta;

#ifdef __cplusplus
extern "C" {
#endif

/* Adds the numbers of lists, in[list][count][width], in blocks of LM_SUMS_BLOCK:
 * out[list][block][width]. The width is a multiple of LM_OCTET_SUMS. */
cudaError_t lm_launch_momenta_fold(int64_t lists, int64_t count, int width, const double *in,
                                   double *out, cudaStream_t stream);

#ifdef __cplusplus
}
#else

#include "backends/cuda/plan.h"
#include "backends/site_sums.h"
#include "lib/geometry/spec.h"

/* Queues the kernel that makes the sums of blocks. */
typedef cudaError_t lm_cuda_momenta_kernel(const void *plan, const lm_cuda_momenta *momenta);

/* Makes lm_plan_ops.momenta of a plan that begins with its head. The first table of an octet is
 * made of `first`, [first_count][2][momentum]. */
latmc_status lm_cuda_sum_momenta(void *plan, const lm_spec *spec, const lm_momentum_order *order,
                                 const double *first, int64_t first_count,
                                 lm_cuda_momenta_kernel *kernel, double *sums, int *made);

#endif

#endif
