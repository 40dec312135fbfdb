/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets blocks at the sides of a slab wait for the neighbouring slabs, and tells these when a
 * block has ended. */
#ifndef LM_CUDA_SEAM_CUH
#define LM_CUDA_SEAM_CUH

#include "backends/cuda/launch.cuh"
#include "backends/cuda/seam.h"

/* Returns the number of the thread's block. Blocks at the sides begin first, and so end while
 * the bulk is under way. Then the neighbour's blocks need not wait for them. And the launch does
 * not end with what takes longest, stores in another device's memory. `backward`: the bulk
 * begins with its last block, since the cache still has what the previous colour read there. */
LM_INLINE uint32_t lm_seam_block(const lm_seam &m, int backward = 0)
{
    const bool turned = backward && blockIdx.x >= m.ahead;
    const uint32_t block = (turned ? m.ahead + gridDim.x - 1u - blockIdx.x : blockIdx.x) + m.turn;
    return block >= gridDim.x ? block - gridDim.x : block;
}

/* Bit s is set if the block is at side s. It is the same for all threads of the block, even
 * those without a site. */
LM_INLINE uint32_t lm_seam_sides(const lm_seam &m, uint32_t block)
{
    return (block >= m.first[0] && block < m.end[0] ? 1u : 0u) |
           (block >= m.first[1] && block < m.end[1] ? 2u : 0u);
}

/* The longest wait of a block. If a neighbouring device has failed, its blocks will never
 * arrive. A block that has waited so long, by the device's clock, ends its own device's work
 * with an error. So the host does not wait for ever. Nothing else comes near this time: a phase
 * takes milliseconds, and other processes use the device for as long in turn. */
#ifdef LM_DISTURB
#define LM_SEAM_PATIENCE 5000000000ull /* ns */
#else
#define LM_SEAM_PATIENCE 60000000000ull
#endif

LM_INLINE uint64_t lm_seam_clock(void)
{
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

/* Waits for a counter. One look takes some tenths of a microsecond. */
LM_INLINE void lm_seam_poll(const lm_seam_count *come, lm_seam_count wanted)
{
    lm_seam_count now;
    uint64_t began = 0;
    uint32_t looks = 0;
    do {
        asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(now) : "l"(come) : "memory");
        if ((++looks & 0xffffu) == 0) {
            if (!began)
                began = lm_seam_clock();
            else if (lm_seam_clock() - began > LM_SEAM_PATIENCE)
                __trap();
        }
    } while (now < wanted);
}

/* Returns lm_seam_sides() of a block that has its number from lm_seam_block(). Blocks of the
 * bulk make one comparison. */
LM_INLINE uint32_t lm_seam_sides_here(const lm_seam &m)
{
    return blockIdx.x < m.ahead ? lm_seam_sides(m, lm_seam_block(m)) : 0;
}

/* Waits for the neighbours of a block at the sides. It must be called after lm_await_previous(),
 * before the block reads the halo or stores in a neighbour's halo. */
LM_INLINE void lm_seam_await(const lm_seam &m, uint32_t sides)
{
    if (!sides || !m.come)
        return;
    lm_disturb(LM_BEFORE_SEAM);
    if (threadIdx.x == 0) {
        LM_UNROLL
        for (int s = 0; s < 2; s++)
            if (sides >> s & 1)
                lm_seam_poll(m.come + s, m.wanted[s]);
    }
    __syncthreads();
    lm_disturb(LM_AFTER_SEAM);
}

/* Tells the neighbours that the block has ended. It must be called when all threads have read
 * what they need and stored what is new. */
LM_INLINE void lm_seam_post(const lm_seam &m, uint32_t sides)
{
    if (!sides || !m.come)
        return;
    lm_disturb(LM_BEFORE_SEAM_POST);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    asm volatile("fence.acq_rel.sys;" ::: "memory");
    LM_UNROLL
    for (int s = 0; s < 2; s++)
        if (sides >> s & 1 && m.post[s])
            asm volatile("red.relaxed.sys.global.add.u64 [%0], 1;" ::"l"(m.post[s]) : "memory");
}

/* Sets the blocks at side s. Blocks take `each` units at a time; units begin .. end - 1 are at
 * side s. */
static inline void lm_seam_cut(lm_seam *m, int s, uint64_t begin, uint64_t end, unsigned each)
{
    m->first[s] = (uint32_t)(begin / each);
    m->end[s] = begin < end ? (uint32_t)((end + each - 1) / each) : m->first[s];
    m->turn = s && begin < end ? m->first[s] : 0;
    m->ahead = m->end[0] - m->first[0] + m->end[1] - m->first[1];
}

/* Counts a launch that has been made, with `times` blocks for each block that m numbers. */
static inline void lm_seam_launched(const lm_seam *m, unsigned times)
{
    for (int s = 0; s < 2 && m->posts; s++)
        m->posts[s] += (lm_seam_count)(m->end[s] - m->first[s]) * times;
}

#endif
