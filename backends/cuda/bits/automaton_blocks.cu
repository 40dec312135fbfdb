// SPDX-License-Identifier: BSD-3-Clause
// Many generations of small lattices, and what is counted after them, in a launch: a block for each
// replica, which keeps its cells in shared memory, a generation there beside the one before it. A
// thread has a word of some rows below each other. No block waits for another.
#include "backends/cuda/bits/automaton.h"
#include "backends/cuda/launch.cuh"
#include "lib/physics/automaton.h"

namespace
{
enum { MOST = 1024, WARP = 32, MOST_BYTES = 48 << 10 };

// A thread's rows, and where its word's neighbours are in a row.
struct cells_block_place {
    int row, rows; // the first, how many
    int word, below, above;
    uint32_t low;         // the bit of the word below that is beside the first cell
    uint32_t mask, end;   // the cells of the word; beyond them there is the row's first, or 0
    uint32_t joins, more; // 1 or 0: the word below's bit counts, the word above's does
};

LM_INLINE cells_block_place place_of(const lm_automaton_view &v, int tall)
{
    const int words = (int)v.words, column = (int)threadIdx.x % words;
    const bool first = column == 0, last = column == words - 1;
    const uint32_t cells = last ? (uint32_t)(v.extent - 32 * (int64_t)column) : 32; // 1 .. 32
    cells_block_place p;
    p.row = (int)threadIdx.x / words * tall;
    p.rows = max(0, min(tall, (int)v.rows - p.row));
    p.row = min(p.row, (int)v.rows - 1); // of a thread without rows, which loads some nevertheless
    p.word = column;
    p.below = first ? words - 1 : column - 1;
    p.above = last ? 0 : column + 1;
    p.low = first ? (uint32_t)((v.extent - 1) % 32) : 31;
    p.mask = cells < 32 ? (1u << cells) - 1 : ~0u;
    p.end = last && v.joined && cells < 32 ? 1u << cells : 0;
    p.joins = !first || v.joined;
    p.more = !last || v.joined;
    return p;
}

LM_INLINE lm_automaton_triple around(const cells_block_place &p, const uint32_t *row)
{
    const uint32_t above = row[p.above];
    const uint32_t here = (row[p.word] & p.mask) | (above & 1 ? p.end : 0);
    return lm_automaton_triple_of(lm_or(lm_shl(here, 1), row[p.below] >> p.low & p.joins), here,
                                  lm_or(lm_shr(here, 1), lm_shl(above & p.more, 31)));
}

// What a thread has counted of a generation.
struct counted {
    int living, changed;
};

// The thread's words of the next generation. Rows -1 and `rows` are there, too.
template <bool LIFE, bool NOISY>
LM_INLINE counted generation(const lm_automaton_view &v, const cells_block_place &p,
                             const lm_stream &stream, uint64_t threshold, bool counts,
                             const uint32_t *from, uint32_t *to)
{
    const int words = (int)v.words;
    counted c = {0, 0};
    const uint32_t *row = from + p.row * words;
    lm_automaton_triple below =
        around(p, p.row == 0 && v.wraps ? from + (v.rows - 1) * words : row - words);
    lm_automaton_triple here = around(p, row);
    for (int i = 0; i < p.rows; i++) {
        const int y = p.row + i;
        row += words;
        const lm_automaton_triple above = around(p, y + 1 == v.rows && v.wraps ? from : row);
        const lm_alive alive = lm_alive_of(&below, &here, &above);
        uint32_t next = LIFE ? lm_automaton_life(&alive, here.here)
                             : lm_automaton_ruled(&v.rule, &alive, here.here);
        if (NOISY && threshold)
            next ^=
                lm_automaton_noise(&stream, (uint64_t)y * v.words + (uint32_t)p.word, threshold);
        if (counts) {
            c.living += __popc(next & p.mask);
            c.changed += __popc((next ^ here.here) & p.mask);
        }
        to[y * words + p.word] = next;
        below = here;
        here = above;
    }
    return c;
}

LM_INLINE void add(const lm_walk &w, lm_count *to, const counted &c, bool changes)
{
    const int living = lm_warp_sum(c.living), changed = lm_warp_sum(c.changed);
    if (threadIdx.x % WARP != 0)
        return;
    if (w.bundles >> LM_AUTOMATON_LIVING & 1 && living)
        atomicAdd(to + LM_AUTOMATON_LIVING, (lm_count)living);
    if (changes && changed)
        atomicAdd(to + LM_AUTOMATON_CHANGES, (lm_count)changed);
}

template <bool LIFE, bool NOISY>
__global__ void __launch_bounds__(MOST)
    block_kernel(const lm_automaton_view v, const lm_walk w, int tall)
{
    extern __shared__ uint32_t memory[];
    const int words = (int)v.words, all = (int)v.rows * words, each = all + 2 * words;
    uint32_t *now = memory + words, *next = now + each; // from row 0 on
    const uint32_t r = blockIdx.x;
    const uint64_t threshold = NOISY ? v.threshold[r] : 0;
    const cells_block_place p = place_of(v, tall);
    lm_count *counts = v.counts + r * LM_AUTOMATON_BUNDLES;
    for (int i = (int)threadIdx.x; i < 2 * each; i += (int)blockDim.x)
        memory[i] = 0; // beyond open ends
    __syncthreads();
    for (int i = (int)threadIdx.x; i < all; i += (int)blockDim.x)
        now[i] = v.from[r * v.replica_stride + i / words * v.stride + i % words];
    __syncthreads();
    uint64_t step = w.step;
    for (int64_t record = 0; record < w.records; record++) {
        const bool changes =
            w.counting == LM_COUNT_ALL || (w.counting == LM_COUNT_LAST && record + 1 == w.records);
        for (int64_t sweep = 1; sweep <= w.sweeps; sweep++, step++) {
            const bool due = sweep == w.sweeps && (changes || w.bundles);
            const lm_stream s =
                lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, step, v.first_replica + r, 0);
            const counted c = generation<LIFE, NOISY>(v, p, s, threshold, due, now, next);
            if (due)
                add(w, counts, c, changes);
            uint32_t *other = now;
            now = next;
            next = other;
            __syncthreads();
        }
        counts += v.replicas * LM_AUTOMATON_BUNDLES;
    }
    for (int i = (int)threadIdx.x; i < all; i += (int)blockDim.x)
        v.to[r * v.replica_stride + i / words * v.stride + i % words] = now[i];
}

// Threads to each word of a row, and the rows of each.
int tall_of(const lm_automaton_view *v)
{
    const int64_t columns = MOST / (int64_t)v->words;
    return (int)((v->rows + columns - 1) / columns);
}

size_t bytes_of(const lm_automaton_view *v)
{
    return 2 * (size_t)(v->rows + 2) * v->words * sizeof(uint32_t);
}

} // namespace

extern "C" int lm_automaton_blocks_serve(const lm_automaton_view *v)
{
    return v->words <= MOST && v->rows < MOST_BYTES && bytes_of(v) <= MOST_BYTES;
}

extern "C" cudaError_t lm_launch_automaton_blocks(const lm_automaton_view *v, const lm_walk *w,
                                                  cudaStream_t stream)
{
    const int tall = tall_of(v);
    const unsigned threads = (unsigned)((v->rows + tall - 1) / tall) * v->words;
    const void *kernel = v->noisy       ? (const void *)block_kernel<false, true>
                         : v->rule.life ? (const void *)block_kernel<true, false>
                                        : (const void *)block_kernel<false, false>;
    int rows = tall;
    void *arguments[] = {(void *)v, (void *)w, &rows};
    return cudaLaunchKernel(kernel, dim3(v->replicas), dim3((threads + WARP - 1) / WARP * WARP),
                            arguments, bytes_of(v), stream);
}
