/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Brings the outcomes of a ration from the L2 cache to a walker (ising_resident.cu). This takes
 * longer than a sweep. So the outcomes of some half sweeps are in a ring in shared memory, to which
 * each thread brings 16 bytes. The loads bypass the L1 cache, which may have what was there two
 * rations ago.
 *
 * Invariant: threads bring a part in half sweep h, after the barrier that ends h - 1. The part goes
 * to positions of half sweeps before h. Half sweep h is read after a barrier, and before this
 * barrier every thread has seen its part of h arrive.
 */
#ifndef LM_CUDA_BITS_ISING_SUPPLY_CUH
#define LM_CUDA_BITS_ISING_SUPPLY_CUH

#include <cuda_pipeline_primitives.h>

#include "backends/cuda/bits/ising_ahead.cuh"

/* Half sweeps in the ring, and in a thread's registers (compute capability below 8.0). */
enum { LM_SUPPLY = 8, LM_SUPPLY_HELD = 4 };

typedef struct lm_supply {
    const uint32_t *from; /* this thread's part of the next half sweep to bring */
    uint32_t rest;        /* half sweeps that remain; 0 if the thread has no part */
    uint32_t step;        /* words from one half sweep to the next */
    uint32_t each;        /* words of a half sweep in the ring */
    uint32_t first;       /* the position in the ring of the next half sweep to read */
#if __CUDA_ARCH__ >= 800
    uint32_t spare; /* the next position to fill */
#else
    uint32_t half;              /* number of the present half sweep */
    uint4 held[LM_SUPPLY_HELD]; /* parts that go to the ring next */
#endif
} lm_supply;

/* Begins the supply of a group's outcomes of a ration. step: words from one half sweep to the
 * next; each: words of a half sweep. */
LM_INLINE lm_supply lm_supply_of(const void *outcomes, uint32_t step, uint32_t each,
                                 uint32_t halves)
{
    lm_supply s = {};
    s.from = (const uint32_t *)outcomes + 4 * threadIdx.x;
    s.step = step;
    s.each = each;
    s.rest = 4 * threadIdx.x < each ? halves : 0;
    return s;
}

#if __CUDA_ARCH__ >= 800

/* Brings half sweep h + LM_SUPPLY - 1 to the position of h - 1. */
LM_INLINE void lm_supply_bring(lm_supply *s, uint32_t *ring)
{
    if (s->rest > 0) {
        __pipeline_memcpy_async(ring + s->spare + 4 * threadIdx.x, s->from, sizeof(uint4));
        s->from += s->step;
        s->rest--;
    }
    __pipeline_commit();
}

LM_INLINE void lm_begin_supply(lm_supply *s, uint32_t *ring)
{
    LM_UNROLL
    for (int i = 0; i < LM_SUPPLY - 1; i++, s->spare += s->each)
        lm_supply_bring(s, ring);
    __pipeline_wait_prior(LM_SUPPLY - 2);
}

/* Waits until this thread's part of the next half sweep has arrived. */
LM_INLINE void lm_await_next(void)
{
    __pipeline_wait_prior(LM_SUPPLY - 2);
}

#else

/* Asks for four parts. Below compute capability 8.0, data on its way from memory is in a
 * register, and a register has no index: only an unrolled loop can tell one from another. So a
 * thread works every fourth half sweep. It puts four parts, asked for four half sweeps before,
 * into the half of the ring that all threads have read, and asks for the next four. */
LM_INLINE void lm_supply_hold(lm_supply *s)
{
    LM_UNROLL
    for (int i = 0; i < LM_SUPPLY_HELD; i++)
        if (s->rest > 0) {
            s->held[i] = __ldcg((const uint4 *)s->from);
            s->from += s->step;
            s->rest--;
        }
}

/* Works if h is a multiple of 4: brings half sweeps h + 4 .. h + 7 to the positions of h - 4 .. h -
 * 1. */
LM_INLINE void lm_supply_bring(lm_supply *s, uint32_t *ring)
{
    if (s->half % LM_SUPPLY_HELD == 0 && 4 * threadIdx.x < s->each) {
        uint32_t *to = ring + (s->half + LM_SUPPLY_HELD) % LM_SUPPLY * s->each + 4 * threadIdx.x;
        LM_UNROLL
        for (int i = 0; i < LM_SUPPLY_HELD; i++)
            *(uint4 *)(to + i * s->each) = s->held[i];
        lm_supply_hold(s);
    }
    s->half++;
}

LM_INLINE void lm_begin_supply(lm_supply *s, uint32_t *ring)
{
    lm_supply_hold(s);
    s->half = 0u - LM_SUPPLY_HELD;
    lm_supply_bring(s, ring);
    s->half = 0;
}

LM_INLINE void lm_await_next(void)
{
}

#endif

/* Returns a word's outcomes of the next half sweep. Their position may be filled from then on. */
template <int D>
LM_INLINE lm_outcome<D> lm_supply_take(lm_supply *s, const uint32_t *ring, uint32_t word)
{
    const uint32_t *from = ring + s->first + D * word;
    lm_outcome<D> o;
    LM_UNROLL
    for (int n = 0; n < D; n++)
        o.yes[n] = from[n];
#if __CUDA_ARCH__ >= 800
    s->spare = s->first;
#endif
    s->first = s->first + s->each == LM_SUPPLY * s->each ? 0 : s->first + s->each;
    return o;
}

#endif
