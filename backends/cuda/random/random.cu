// SPDX-License-Identifier: BSD-3-Clause
// Public streams: words and floats, or doubles, by LM_REAL_BITS. A thread makes one block and
// stores its 16 bytes at once. Threads that make several, as many as run at once, store 4 % less in
// the same time.
#include "backends/cuda/random/random.h"
#include "lib/physics/real_one.h"

#include "lib/physics/random.h"

namespace
{
enum { BLOCK = 256 };

constexpr int EACH = 16 / sizeof(lm_scalar); // numbers of a block

// The 16 bytes of a block.
union whole {
    uint4 bytes;
    uint32_t words[4];
    lm_scalar reals[EACH];
};

struct random_source {
    lm_keys keys;
    uint64_t stream;
};

LM_INLINE void blocks_of(const random_source &of, uint64_t block, lm_word first[1][LM_COUPLE],
                         lm_word last[1][LM_COUPLE])
{
    const lm_stream s = lm_public_stream(&of.keys, of.stream, block);
    lm_random_blocks(1, &s, (uint32_t)block, first, last);
}

#if LM_REAL_BITS == 32
struct words {
    static __device__ __forceinline__ whole make(const random_source &of, uint64_t block)
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
    static __device__ __forceinline__ whole make(const random_source &of, uint64_t block)
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
    static __device__ __forceinline__ whole make(const random_source &of, uint64_t block)
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
        *(uint4 *)(to + (number - r.begin)) = w.bytes;
        return;
    }
    LM_UNROLL
    for (int i = 0; i < EACH; i++)
        if (number + i >= r.begin && number + i < r.end)
            to[number + i - r.begin] = w.reals[i];
}

template <class KIND>
__global__ void __launch_bounds__(BLOCK) fill(const random_source of, const range r, lm_scalar *to)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < r.blocks)
        put(r, r.first + i, KIND::make(of, r.first + i), to);
}

} // namespace

#if LM_REAL_BITS == 32
#define LAUNCH lm_cuda_random_32
#else
#define LAUNCH lm_cuda_random_64
#endif

extern "C" cudaError_t LAUNCH(const lm_numbers *order, void *to)
{
    const random_source of = {lm_keys_of(order->seed, 0), order->stream};
    lm_scalar *numbers = (lm_scalar *)to;
    range r = {(uint64_t)order->first, (uint64_t)(order->first + order->count), 0, 0, 0};
    r.first = r.begin / EACH;
    r.blocks = (r.end - 1) / EACH - r.first + 1;
    r.aligned = (uintptr_t)(numbers - r.begin % EACH) % 16 == 0;
    const bool normal =
        order->kind == LATMC_RANDOM_GAUSSIAN_FLOAT || order->kind == LATMC_RANDOM_GAUSSIAN_DOUBLE;
    void (*kernel)(random_source, range, lm_scalar *) = normal ? fill<gaussian> : fill<uniform>;
#if LM_REAL_BITS == 32
    if (order->kind == LATMC_RANDOM_WORDS)
        kernel = fill<words>;
#endif
    // No memory has as many numbers as a grid has threads.
    kernel<<<(unsigned)((r.blocks + BLOCK - 1) / BLOCK), BLOCK>>>(of, r, numbers);
    return cudaGetLastError();
}
