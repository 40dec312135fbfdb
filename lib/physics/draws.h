/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Says which random numbers a site takes that is kept one in a lane. They are blocks of the counter
 * of doc/trajectory.md. The counter's index is the site's number, or the number of the first site
 * of its group.
 *
 * Include a vocabulary of words and one of reals first.
 */
#ifndef LM_DRAWS_H
#define LM_DRAWS_H

#include "lib/physics/philox.h"

/* Numbers of sites, as counters have them. */
typedef struct lm_index {
    lm_bits low; /* number % 2^32 */
#ifndef __CUDACC__
    lm_bits high; /* 2^24 (number / 2^32); used only if the draws are wide */
#endif
} lm_index;

#ifdef __CUDACC__
/* A range of sites' numbers. It passes a multiple of 2^32 at most once. Numbers beyond the multiple
 * are, modulo 2^32, below the first site's number. */
typedef struct lm_range {
    uint32_t low, high; /* of the first site: number % 2^32, 2^24 (number / 2^32) */
    bool group;         /* known to the compiler: the range is a group's, whose stream has `high` in
                           c1 */
} lm_range;

/* Returns 2^24 (number / 2^32) of a site in the range. */
LM_INLINE uint32_t lm_high_in(const lm_range &range, uint32_t low)
{
    if (!range.group)
        /* computed where it is used, because keeping it would take a register */
        asm volatile("" : "+r"(low));
    return range.high + (low < range.low ? 1u << 24 : 0u);
}
#endif

/* Which random numbers a site's update takes. */
typedef struct lm_draws {
    lm_stream stream;
#ifdef __CUDACC__
    lm_range range;
#else
    /* 1: sites differ in number / 2^32. Vectors then pay for a second word of the counter that
     * differs between lanes. 0: stream.c1 has this part of the sites' numbers. The value is known
     * to the compiler, so code that never draws wide does not contain it. */
    int wide;
#endif
    lm_index site;       /* each site draws for itself what is seldom drawn */
    lm_index index;      /* the number whose blocks the proposals take: the site's, or the number of
                            the first site of its group, which is not greater */
    uint32_t block, tie; /* the first blocks; bits 16 .. of the block are its stage */
    int word;            /* of the first block */
#ifdef LM_DRAWS_PAIRS
    const lm_bits *pair; /* block 0 of the site's pair, if code that updates both sites drew it;
                            NULL: not drawn. The compiler knows which. It is only in CUDA, and for a
                            model that asks for it. With it, phi^4's kernels, which copy draws, were
                            a quarter longer and took a fifth more time. */
#endif
} lm_draws;

/* Two sites whose numbers differ only in this bit are a *pair*. Of every four sites in a row, the
 * first and the third are a pair, and the second and the fourth. Neighbours are in different
 * pairs. */
#define LM_OTHER_OF_PAIR 2u

/* Draws block number `draw` of the sites with the numbers `of`: four numbers for each. `of` is one
 * of the two numbers that draws have. */
#ifdef __CUDACC__

LM_INLINE void lm_draw_block(const lm_draws *draws, lm_index of, uint32_t draw, lm_bits out[4])
{
    lm_random_sites(&draws->stream, of.low, draw | lm_high_in(draws->range, of.low), out);
}

/* Draws the block of the sites' pairs, which is that of the lower number. Its high part equals the
 * site's own, because no pair has a multiple of 2^32 between its sites. */
LM_INLINE void lm_draw_block_of_pair(const lm_draws *draws, lm_index of, uint32_t draw,
                                     lm_bits out[4])
{
    lm_random_sites(&draws->stream, of.low & ~LM_OTHER_OF_PAIR,
                    draw | lm_high_in(draws->range, of.low), out);
}

#else

typedef struct lm_block {
    lm_bits word[4];
} lm_block;

/* It is not inline, because few lattices call it and every update would contain its code. */
static __attribute__((noinline)) lm_block lm_draw_wide(lm_stream stream, lm_index of, uint32_t draw)
{
    lm_block block;
    lm_random_wide(&stream, of.low, of.high, draw, block.word);
    return block;
}

LM_INLINE void lm_draw_block(const lm_draws *draws, lm_index of, uint32_t draw, lm_bits out[4])
{
    if (!draws->wide) {
        lm_random_sites(&draws->stream, of.low, draw, out);
        return;
    }
    const lm_block block = lm_draw_wide(draws->stream, of, draw);
    LM_UNROLL
    for (int j = 0; j < 4; j++)
        out[j] = block.word[j];
}

LM_INLINE void lm_draw_block_of_pair(const lm_draws *draws, lm_index of, uint32_t draw,
                                     lm_bits out[4])
{
    of.low = lm_and(of.low, lm_set(~LM_OTHER_OF_PAIR));
    lm_draw_block(draws, of, draw, out);
}

#endif

#endif
