// SPDX-License-Identifier: BSD-3-Clause
// Generations of cellular automata: a thread has a quad of words in some rows below each other.
#include "backends/cuda/bits/automaton.h"
#include "backends/cuda/launch.cuh"
#include "lib/physics/automaton.h"

namespace
{
enum { BLOCK = 256, QUAD = LM_AUTOMATON_QUAD, MOST_BLOCKS_Y = 32768 };

// A thread's rows: all are loaded before any is made, so that many loads are on their way.
// Philox leaves no registers for so many.
template <bool NOISY> constexpr int rows_of = NOISY ? 2 : 8;

// A row's words of a thread, and those beside them, of which one bit matters.
struct quad {
    uint32_t w[QUAD + 2];
};

// Where a thread's words are in their rows.
struct cells_column {
    uint32_t word; // the first
    int last;      // 1: it has the end of the row
};

// Words of a row as they are, and what is across its ends put beside its cells.
LM_INLINE quad load(const lm_automaton_view &v, const cells_column &c, const uint32_t *row)
{
    const uint4 here = *(const uint4 *)(row + c.word);
    quad q = {{0, here.x, here.y, here.z, here.w, 0}};
    if (c.word > 0)
        q.w[0] = row[c.word - 1];
    else if (v.joined)
        q.w[0] = row[v.words - 1] >> (uint32_t)((v.extent - 1) % 32) << 31;
    if (!c.last) {
        q.w[QUAD + 1] = row[c.word + QUAD];
        return q;
    }
    const uint32_t beyond = v.joined ? row[0] & 1 : 0;
    const uint32_t cells = (uint32_t)(v.extent - 32 * (int64_t)c.word); // 1 .. 128
    LM_UNROLL
    for (uint32_t k = 0; k <= QUAD; k++)
        if (k == cells / 32)
            q.w[k + 1] = (q.w[k + 1] & ((1u << cells % 32) - 1)) | beyond << cells % 32;
    return q;
}

// The bits of a word that are cells.
LM_INLINE uint32_t valid(const lm_automaton_view &v, uint32_t word)
{
    const int64_t cells = v.extent - 32 * (int64_t)word;
    return cells >= 32 ? ~0u : cells > 0 ? (1u << cells) - 1 : 0;
}

// Number y of the slab's rows, or one beside them.
LM_INLINE const uint32_t *row_at(const lm_automaton_view &v, const uint32_t *cells, int64_t y)
{
    if (v.wraps)
        y = y < 0 ? y + v.rows : y >= v.rows ? y - v.rows : y;
    return cells + y * v.stride;
}

LM_INLINE lm_automaton_triple cells_of(const quad &q, int k)
{
    return lm_automaton_triple_of(lm_or(lm_shl(q.w[k + 1], 1), lm_shr(q.w[k], 31)), q.w[k + 1],
                                  lm_or(lm_shr(q.w[k + 1], 1), lm_shl(q.w[k + 2], 31)));
}

// Word k of a quad in the next generation, but for noise.
template <bool LIFE>
LM_INLINE uint32_t next_of(const lm_automaton_view &v, const quad &above, const quad &here,
                           const quad &below, int k)
{
    const lm_automaton_triple a = cells_of(above, k), h = cells_of(here, k), b = cells_of(below, k);
    const lm_alive alive = lm_alive_of(&a, &h, &b);
    return LIFE ? lm_automaton_life(&alive, h.here) : lm_automaton_ruled(&v.rule, &alive, h.here);
}

// The thread's rows of a replica, from row y on, as far as row `last`.
template <bool LIFE, bool NOISY, bool COUNT>
LM_INLINE int update_rows(const lm_automaton_view &v, uint32_t r, const cells_column &c,
                          uint64_t step, int64_t y, int64_t last)
{
    constexpr int ROWS = rows_of<NOISY>;
    const uint32_t *from = v.from + r * v.replica_stride;
    uint32_t *to = v.to + r * v.replica_stride + c.word;
    const uint64_t threshold = NOISY ? v.threshold[r] : 0;
    const lm_stream s = lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, step, v.first_replica + r, 0);
    quad rows[ROWS + 2];
    int changed = 0;
    LM_UNROLL
    for (int i = 0; i < ROWS + 2; i++)
        rows[i] = load(v, c, row_at(v, from, y + i - 1 < last ? y + i - 1 : last));
    LM_UNROLL
    for (int i = 0; i < ROWS; i++) {
        uint32_t next[QUAD];
        LM_UNROLL
        for (int k = 0; k < QUAD; k++) {
            next[k] = next_of<LIFE>(v, rows[i], rows[i + 1], rows[i + 2], k);
            if (NOISY && threshold)
                next[k] ^= lm_automaton_noise(
                    &s, (uint64_t)(v.first_row + y + i) * v.words + c.word + k, threshold);
            if (COUNT && y + i < last)
                changed += __popc((next[k] ^ rows[i + 1].w[k + 1]) & valid(v, c.word + k));
        }
        if (y + i < last)
            *(uint4 *)(to + (y + i) * v.stride) = make_uint4(next[0], next[1], next[2], next[3]);
    }
    return changed;
}

LM_INLINE void add(const lm_automaton_view &v, uint32_t r, int bundle, int count)
{
    count = lm_warp_sum(count);
    if (threadIdx.x % 32 == 0 && count)
        atomicAdd(v.counts + r * LM_AUTOMATON_BUNDLES + bundle, (lm_count)count);
}

template <bool LIFE, bool NOISY, bool COUNT>
__global__ void __launch_bounds__(BLOCK)
    generation(const lm_automaton_view v, uint64_t step, int64_t first, int64_t last)
{
    const uint32_t quads = v.stride / QUAD, t = blockIdx.x * BLOCK + threadIdx.x;
    const cells_column c = {t % quads * QUAD, t % quads == quads - 1};
    const int64_t y = first + (int64_t)(t / quads) * rows_of<NOISY>;
    lm_await_previous();
    for (uint32_t r = blockIdx.y; r < v.replicas; r += gridDim.y) {
        const int changed = y < last ? update_rows<LIFE, NOISY, COUNT>(v, r, c, step, y, last) : 0;
        if (COUNT)
            add(v, r, LM_AUTOMATON_CHANGES, changed);
    }
}

// Words of all rows, a thread each and then the next.
__global__ void __launch_bounds__(BLOCK) living(const lm_automaton_view v)
{
    const uint64_t all = (uint64_t)v.rows * v.stride;
    lm_await_previous();
    for (uint32_t r = blockIdx.y; r < v.replicas; r += gridDim.y) {
        int sum = 0;
        for (uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x; i < all;
             i += (uint64_t)gridDim.x * BLOCK)
            sum += __popc(v.from[r * v.replica_stride + i] &
                          valid(v, (uint32_t)(i - lm_quotient(i, (uint64_t)v.stride) * v.stride)));
        add(v, r, LM_AUTOMATON_LIVING, sum);
    }
}

__global__ void __launch_bounds__(BLOCK) hot(const lm_automaton_view v)
{
    const uint64_t all = (uint64_t)v.rows * v.stride;
    lm_await_previous();
    for (uint32_t r = blockIdx.y; r < v.replicas; r += gridDim.y) {
        const lm_stream s = lm_stream_of(&v.keys, LM_DOMAIN_START, 0, v.first_replica + r, 0);
        for (uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x; i < all;
             i += (uint64_t)gridDim.x * BLOCK) {
            const uint64_t y = lm_quotient(i, (uint64_t)v.stride);
            uint32_t words[4];
            lm_random_words(&s, (v.first_row + y) * v.words + (i - y * v.stride), 0, words);
            v.to[r * v.replica_stride + i] = words[0];
        }
    }
}

unsigned replicas_at_once(const lm_automaton_view *v)
{
    return v->replicas < MOST_BLOCKS_Y ? v->replicas : (unsigned)MOST_BLOCKS_Y;
}

cudaError_t launch_all(void (*kernel)(lm_automaton_view), const lm_automaton_view *v,
                       cudaStream_t stream)
{
    const uint64_t blocks = ((uint64_t)v->rows * v->stride + BLOCK - 1) / BLOCK;
    void *arguments[] = {(void *)v};
    return lm_launch_overlapping(
        (const void *)kernel, dim3((unsigned)(blocks < 1024 ? blocks : 1024), replicas_at_once(v)),
        BLOCK, arguments, v->overlaps, stream);
}

template <bool LIFE, bool NOISY> const void *kernel_of(const lm_automaton_view *v)
{
    return v->counts ? (const void *)generation<LIFE, NOISY, true>
                     : (const void *)generation<LIFE, NOISY, false>;
}

} // namespace

extern "C" cudaError_t lm_launch_generation(const lm_automaton_view *v, uint64_t step,
                                            int64_t first, int64_t last, cudaStream_t stream)
{
    const int rows = v->noisy ? rows_of<true> : rows_of<false>;
    const uint64_t bands = (uint64_t)(last - first + rows - 1) / (uint64_t)rows;
    const uint64_t blocks = (bands * (v->stride / QUAD) + BLOCK - 1) / BLOCK;
    const void *kernel = v->noisy       ? kernel_of<false, true>(v)
                         : v->rule.life ? kernel_of<true, false>(v)
                                        : kernel_of<false, false>(v);
    void *arguments[] = {(void *)v, &step, &first, &last};
    return lm_launch_overlapping(kernel, dim3((unsigned)blocks, replicas_at_once(v)), BLOCK,
                                 arguments, v->overlaps, stream);
}

extern "C" cudaError_t lm_launch_living(const lm_automaton_view *v, cudaStream_t stream)
{
    return launch_all(living, v, stream);
}

extern "C" cudaError_t lm_launch_hot(const lm_automaton_view *v, cudaStream_t stream)
{
    return launch_all(hot, v, stream);
}
