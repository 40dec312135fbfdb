// SPDX-License-Identifier: BSD-3-Clause
// Public streams: words and floats, or doubles, by LM_REAL_BITS. A thread makes a block at a time
// and stores its 16 bytes at once, threads of a warp one after the other.
#include "backends/cuda/random/random.h"
#include "lib/physics/real_one.h"

#include "lib/physics/random.h"

namespace
{

enum { BLOCK = 256, AT_ONCE = 2 };

constexpr int EACH = 16 / sizeof(lm_scalar); // numbers of a block

// The 16 bytes of a block.
union whole {
    uint4 bytes;
    uint32_t words[4];
    lm_scalar reals[EACH];
};

struct source {
    lm_keys keys;
    uint64_t stream;
};

LM_INLINE void blocks_of(const source &of, uint64_t block, lm_word first[1][LM_COUPLE],
                         lm_word last[1][LM_COUPLE])
{
    const lm_stream s = lm_public_stream(&of.keys, of.stream, block);
    lm_random_blocks(1, &s, (uint32_t)block, first, last);
}

#if LM_REAL_BITS == 32
struct words {
    static __device__ __forceinline__ whole make(const source &of, uint64_t block)
    {
        lm_word first[1][LM_COUPLE], last[1][LM_COUPLE];
        whole w;
        blocks_of(of, block, first, last);
        w.bytes = make_uint4(first[0][0], first[0][1], last[0][0], last[0][1]);
        return w;
    }
};
#endif

struct uniform {
    static __device__ __forceinline__ whole make(const source &of, uint64_t block)
    {
        lm_word first[1][LM_COUPLE], last[1][LM_COUPLE];
        whole w;
        blocks_of(of, block, first, last);
        lm_couple_uniform(first[0], w.reals);
        lm_couple_uniform(last[0], w.reals + LM_COUPLE_REALS);
        return w;
    }
};

struct gaussian {
    static __device__ __forceinline__ whole make(const source &of, uint64_t block)
    {
        lm_word first[1][LM_COUPLE], last[1][LM_COUPLE];
        whole w;
        blocks_of(of, block, first, last);
        lm_couple_gaussian(first[0], last[0], w.reals, w.reals + LM_COUPLE_REALS);
        return w;
    }
};

// What is filled: numbers [begin, end) of the stream, the blocks first .. first + blocks - 1.
struct range {
    uint64_t begin, end, first, blocks;
    int aligned; // whole blocks are at multiples of 16 bytes
};

// The numbers of a block that are asked for.
LM_INLINE void put(const range &r, uint64_t block, const whole &w, lm_scalar *to)
{
    const uint64_t number = block * EACH;
    if (r.aligned && number >= r.begin && number + EACH <= r.end) {
        __stcs((uint4 *)(to + (number - r.begin)), w.bytes);
        return;
    }
    LM_UNROLL
    for (int i = 0; i < EACH; i++)
        if (number + i >= r.begin && number + i < r.end)
            to[number + i - r.begin] = w.reals[i];
}

template <class KIND>
__global__ void __launch_bounds__(BLOCK) fill(const source of, const range r, lm_scalar *to)
{
    const uint64_t stride = (uint64_t)gridDim.x * BLOCK;
    for (uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x; i < r.blocks;
         i += AT_ONCE * stride) {
        LM_UNROLL
        for (int k = 0; k < AT_ONCE; k++)
            if (i + k * stride < r.blocks)
                put(r, r.first + i + k * stride, KIND::make(of, r.first + i + k * stride), to);
    }
}

} // namespace

#if LM_REAL_BITS == 32
#define LAUNCH lm_cuda_random_32
#else
#define LAUNCH lm_cuda_random_64
#endif

extern "C" cudaError_t LAUNCH(const lm_numbers *order, int processors, void *to)
{
    const source of = {lm_keys_of(order->seed), order->stream};
    lm_scalar *numbers = (lm_scalar *)to;
    range r = {(uint64_t)order->first, (uint64_t)(order->first + order->count), 0, 0, 0};
    r.first = r.begin / EACH;
    r.blocks = (r.end - 1) / EACH - r.first + 1;
    r.aligned = (uintptr_t)(numbers - r.begin % EACH) % 16 == 0;
    const bool normal =
        order->kind == LATMC_RANDOM_GAUSSIAN_FLOAT || order->kind == LATMC_RANDOM_GAUSSIAN_DOUBLE;
    void (*kernel)(source, range, lm_scalar *) = normal ? fill<gaussian> : fill<uniform>;
#if LM_REAL_BITS == 32
    if (order->kind == LATMC_RANDOM_WORDS)
        kernel = fill<words>;
#endif
    // No more than run at once: all have as much to do, and those that came after the others would
    // have the device for themselves.
    int each = 1;
    const cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, BLOCK, 0);
    const uint64_t grid = (r.blocks + BLOCK - 1) / BLOCK, most = (uint64_t)processors * each;
    if (e != cudaSuccess)
        return e;
    kernel<<<(unsigned)(grid < most ? grid : most), BLOCK>>>(of, r, numbers);
    return cudaGetLastError();
}
