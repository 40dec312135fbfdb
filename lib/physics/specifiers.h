/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the specifiers of functions that hosts and threads of a GPU both call. The compiler
 * decides whether it inlines those that are LM_EVERYWHERE. It inlines LM_EVERYWHERE_INLINE. */
#ifndef LM_SPECIFIERS_H
#define LM_SPECIFIERS_H

#ifdef __CUDACC__
#define LM_EVERYWHERE        static inline __host__ __device__
#define LM_EVERYWHERE_INLINE static __host__ __device__ __forceinline__
#else
#define LM_EVERYWHERE        static inline
#define LM_EVERYWHERE_INLINE static inline
#endif

#endif
