/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves sites of a field to arrays in device memory and back. */
#ifndef LM_CUDA_FIELD_CROSS_H
#define LM_CUDA_FIELD_CROSS_H

#include "backends/cuda/field/view.h"

typedef struct lm_field_array {
    char *bytes;
    int in;         /* 1: the sites go into the field */
    int own, there; /* bytes of a number in the field, and in the array */
    int digits;     /* > 0: the array has so many digits of each site, as they are saved */
    int spins;      /* 1: sites are -1 and +1 */
    int64_t replica, replicas;
    int64_t first, sites; /* number in memory of the first site; sites of a replica */
    int components;
    int64_t span_sites, span_bytes; /* of digits: sites that follow each other in the array */
    int64_t pitch;                  /* bytes from replica to replica */
} lm_field_array;

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t lm_launch_field_cross(const lm_field_view *view, const lm_field_array *array,
                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
