/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Carries boundary layers to and from the host, in a stream of their own beside the plan's stream.
 * The layers are on their way while the plan's stream updates the bulk. This update neither changes
 * the boundary layers nor reads the halo.
 */
#ifndef LM_CUDA_FERRY_H
#define LM_CUDA_FERRY_H

#include <cuda_runtime_api.h>

#include "backends/slab_ops.h"

struct lm_cuda_head;

typedef struct lm_cuda_ferry {
    cudaStream_t stream; /* NULL before the first layer */
    cudaEvent_t updated; /* in the plan's stream: the boundary layers are up to date */
    cudaEvent_t unpacked;
    int follows; /* 1: a layer has been packed in this phase, so this stream comes after all readers
                    of the halo */
} lm_cuda_ferry;

/* Begin copies out of the boundary layers, which the caller queues in *stream; begin and end
 * copies into the halo. */
cudaError_t lm_cuda_begin_pack(struct lm_cuda_head *head, cudaStream_t *stream);
cudaError_t lm_cuda_begin_unpack(struct lm_cuda_head *head, cudaStream_t *stream);
cudaError_t lm_cuda_end_unpack(struct lm_cuda_head *head);

/* Layers on the device: ranges of some bytes, and the bytes from one to the next. */
typedef struct lm_cuda_layers {
    void *first;
    size_t ranges, bytes, pitch;
} lm_cuda_layers;

/* Copies layers to a halo on the host, or from it if `in`. */
cudaError_t lm_cuda_copy_layers(const lm_cuda_layers *layers, void *halo, int in,
                                cudaStream_t stream);
/* Pack and unpack layers as they are. */
latmc_status lm_cuda_pack_layers(struct lm_cuda_head *head, const lm_cuda_layers *layers,
                                 void *halo);
latmc_status lm_cuda_unpack_layers(struct lm_cuda_head *head, const lm_cuda_layers *layers,
                                   void *halo);

/* Says that the plan's stream is about to get another phase. */
void lm_cuda_ferry_leaves(struct lm_cuda_head *head);
void lm_cuda_end_ferry(struct lm_cuda_head *head);

/* Operations of lm_slab_ops. */
latmc_status lm_cuda_packed(void *plan);
void *lm_cuda_take_buffer(void *plan, size_t bytes);
void lm_cuda_give_buffer(void *plan, void *buffer);

#endif
