/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice of the phi^4 model in the memory of a GPU. */
#ifndef LM_CUDA_FIELD_PLAN_H
#define LM_CUDA_FIELD_PLAN_H

#include "backends/backend.h"
#include "backends/cuda/cuda.h"
#include "backends/cuda/field/view.h"
#include "lib/tiles.h"

typedef struct lm_cuda_field_plan {
    lm_cuda_head head;
    const lm_field_kernels *kernels;
    lm_spec spec;
    lm_tiles tiles;
    int device;
    size_t site_bytes;
    cudaStream_t stream;
    lm_field_view view;
    int sums;       /* of a replica in a measurement, less the accepted proposals */
    int reaches[2]; /* whether a replica has reach 1, reach 2 */
    uint32_t part;  /* replicas that are measured at once */
    void *tables;   /* device: colourings, tiles and waves, in one piece */
    double *offers; /* device: [Metropolis, block Metropolis, over-relaxation][replica] */
    double *share;  /* device: [replica], accepted proposals by those for each site */
    double *fold[2];
} lm_cuda_field_plan;

/* backends/cuda/field/tables.c: what the view points to, for the plan's life. */
latmc_status lm_cuda_field_tables(lm_cuda_field_plan *plan);

/* run.c: the kernels that sweep; sweeps and measurements, queued on the plan's stream. */
cudaError_t lm_cuda_field_sweep(lm_cuda_field_plan *plan, const lm_job *job, int count);
latmc_status lm_cuda_field_record(lm_cuda_field_plan *plan, const lm_job *job, int64_t records,
                                  int accepted, double *sums);

#endif
