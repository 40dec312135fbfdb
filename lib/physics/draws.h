/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which random numbers a site takes that is kept one a lane: blocks of the counter of
 * doc/trajectory.md, whose index is the site's number, or that of the first site of its group.
 *
 * Include a vocabulary of words and one of reals first.
 */
#ifndef LM_DRAWS_H
#define LM_DRAWS_H

#include "lib/physics/philox.h"

/* Numbers of sites as counters have them. */
typedef struct lm_index {
    lm_bits low; /* number % 2^32 */
#ifndef __CUDACC__
    lm_bits high; /* 2^24 (number / 2^32); looked at if the draws are wide */
#endif
} lm_index;

#ifdef __CUDACC__
/* What is known of sites' numbers. These pass a multiple of 2^32 once at most: beyond it they are,
 * modulo 2^32, below that of the first site. */
typedef struct lm_range {
    uint32_t low, high; /* the first one's: number % 2^32, 2^24 (number / 2^32) */
    bool group;         /* known to the compiler: it is a group's, whose stream has `high` in c1 */
} lm_range;

/* 2^24 (number / 2^32) of a site among them. */
LM_INLINE uint32_t lm_high_in(const lm_range &range, uint32_t low)
{
    if (!range.group)
        asm volatile("" : "+r"(low)); /* made where it is used: kept, it would take a register */
    return range.high + (low < range.low ? 1u << 24 : 0u);
}
#endif

/* Which random numbers a site's update takes. */
typedef struct lm_draws {
    lm_stream stream;
#ifdef __CUDACC__
    lm_range range;
#else
    /* Sites differ in number / 2^32: vectors then pay for another word of the counter that is not
     * the same in all lanes. Otherwise stream.c1 has that word's part of their numbers. Known to
     * the compiler: those who never draw so should not have the text for it. */
    int wide;
#endif
    lm_index site;       /* what is seldom drawn, each site draws for itself */
    lm_index index;      /* the number whose blocks the proposals take: the site's, or that of the
                            first one of its group, which is not above it */
    uint32_t block, tie; /* the first ones; in bits 16 .. of the block its stage */
    int word;            /* of the first block */
#ifdef LM_DRAWS_PAIRS
    const lm_bits *pair; /* block 0 of the site's pair, if who updates both of it drew it; NULL:
                            not drawn. Known to the compiler which. In CUDA, and of a model that
                            asks for it: phi^4's kernels, which copy draws, were a quarter longer
                            with it and took a fifth more time */
#endif
} lm_draws;

/* Two sites whose numbers differ in this bit alone are a *pair*: of every four sites in a row the
 * first and the third, the second and the fourth. Neighbours are in different ones. */
#define LM_OTHER_OF_PAIR 2u

/* Block number `draw` of the sites with the numbers `of`, one of the two that draws have: four
 * numbers. */
#ifdef __CUDACC__

LM_INLINE void lm_draw_block(const lm_draws *draws, lm_index of, uint32_t draw, lm_bits out[4])
{
    lm_random_sites(&draws->stream, of.low, draw | lm_high_in(draws->range, of.low), out);
}

/* The block of the sites' pairs: that of the lower number. Its high part is the site's own too,
 * since no pair has a multiple of 2^32 between its sites. */
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

/* A function, since few lattices call it and every update would have its text. */
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
