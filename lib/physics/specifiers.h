/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines LM_SUMS_INLINE, the specifiers of functions that hosts and threads of a GPU both call. */
#ifndef LM_SPECIFIERS_H
#define LM_SPECIFIERS_H

#ifdef __CUDACC__
#define LM_SUMS_INLINE static __host__ __device__ __forceinline__
#else
#define LM_SUMS_INLINE static inline
#endif

#endif
