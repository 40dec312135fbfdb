/* SPDX-License-Identifier: BSD-3-Clause */
/* A tile's extents, its threads and its place in shared memory, all known to the compiler. */
#ifndef LM_CUDA_PHI4_SHAPE_CUH
#define LM_CUDA_PHI4_SHAPE_CUH

/* A Turing has 1024 threads, in 16 blocks; others 1536 or more in 24, which is enough. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define LM_PHI4_RESIDENT 1024
#define LM_PHI4_AT_ONCE  16
#else
#define LM_PHI4_RESIDENT 1280
#define LM_PHI4_AT_ONCE  24
#endif

/*
 * Everything of a full tile. In shared memory it is a box with REACH sites more at each end.
 * stride() keeps the 32 sites of a warp, and hence their neighbours, in different banks where
 * that is possible: in three dimensions they are 8 y's of 4 z's with x = (colour - 2 y - 3 z) % 8,
 * or with four x's of a row and 8 y's.
 */
template <int D, int REACH> struct lm_phi4_shape {
    static constexpr int log = D == 1 ? 8 : D == 2 ? 4 : D == 3 ? 3 : 2;
    static constexpr int most = 1 << log;
    static constexpr int modulus = REACH == 1 ? 2 : D == 1 ? 4 : D == 4 ? 9 : 8;
    static constexpr int per_row = (most + modulus - 1) / modulus;
    static constexpr int threads = per_row << (D - 1) * log; /* one for each site of a colour */
    /* Blocks that a multiprocessor must be able to hold, which bounds the registers: 48 for floats.
     * Some of what is needed once a colour or less goes to local memory for that. */
    static constexpr int resident = LM_REAL_BITS == 32 ? LM_PHI4_RESIDENT : 512; /* threads */
    static constexpr int at_once =
        resident / threads < LM_PHI4_AT_ONCE ? resident / threads : LM_PHI4_AT_ONCE;
    static constexpr int width = most + 2 * REACH;
    static constexpr int lanes = D == 1 ? threads : D == 2 ? 32 : D == 3 ? 16 : 8; /* for a row */

    static constexpr __host__ __device__ int stride(int a)
    {
        return a == 0   ? 1
               : D == 2 ? (REACH == 1 ? 24 : 20)
               : D == 3 ? (a == 1       ? 12
                           : REACH == 1 ? 120
                                        : 150)
               : D == 4 ? (a == 1   ? width
                           : a == 2 ? width * width
                                    : width * width * width)
                        : 1;
    }
    static constexpr __host__ __device__ int size()
    {
        int last = 0;
        for (int a = 0; a < D; a++)
            last += (width - 1) * stride(a);
        return last + 1;
    }
    static constexpr __host__ __device__ int rows() /* of the box */
    {
        int n = 1;
        for (int a = 1; a < D; a++)
            n *= width;
        return n;
    }
};

#endif
