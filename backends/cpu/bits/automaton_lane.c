/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the inner loops of cellular automata, which are compiled once for each lane. Only the
 * table at the end is visible outside the object. */
#include LM_LANE_HEADER

#include "backends/cpu/bits/automaton.h"
#include "lib/physics/automaton.h"

/* Rows that are updated side by side. A word is read for two more rows, which stay in the cache. */
enum { TALL = 8 };

LM_INLINE lm_automaton_triple cells_at(const uint32_t *p)
{
    const lm_word here = lm_load(p);
    return lm_automaton_triple_of(lm_or(lm_shl(here, 1), lm_shr(lm_load(p - 1), 31)), here,
                                  lm_or(lm_shr(here, 1), lm_shl(lm_load(p + 1), 31)));
}

static lm_stream stream_of(const lm_automaton_band *b, lm_domain domain)
{
    return lm_stream_of(b->keys, domain, b->step, b->group, 0);
}

/* Returns the noise of LM_LANES words. Words beyond a multiple of 2^32 have the blocks beyond
 * it. */
LM_INLINE lm_word noise_at(const lm_stream *s, uint64_t index, uint64_t threshold)
{
    const uint64_t rest = ((uint64_t)1 << 32) - (uint32_t)index;
    const lm_word noise = lm_automaton_noise(s, index, threshold);
    if (rest >= LM_LANES)
        return noise;
    uint32_t low[LM_LANES], high[LM_LANES];
    lm_store(low, noise);
    lm_store(high, lm_automaton_noise(s, index + ((uint64_t)1 << 32), threshold));
    for (uint64_t i = rest; i < LM_LANES; i++)
        low[i] = high[i];
    return lm_load(low);
}

/* Updates the words at j of `rows` rows from row y on, one below the other. */
LM_INLINE void update_column(const lm_automaton_band *b, int64_t y, int64_t rows, int64_t j,
                             int life, const lm_stream *noise)
{
    const uint32_t *from = b->from + y * b->stride + j;
    uint32_t *to = b->to + y * b->stride + j;
    lm_automaton_triple above = cells_at(from - b->stride), here = cells_at(from);
    for (int64_t i = 0; i < rows; i++, to += b->stride) {
        from += b->stride;
        const lm_automaton_triple below = cells_at(from);
        const lm_alive alive = lm_alive_of(&above, &here, &below);
        lm_word next = life ? lm_automaton_life(&alive, here.here)
                            : lm_automaton_ruled(b->rule, &alive, here.here);
        if (noise)
            next = lm_xor(
                next, noise_at(noise, b->index + (uint64_t)((y + i) * b->words + j), b->threshold));
        lm_store(to, next);
        above = here;
        here = below;
    }
}

LM_INLINE void update(const lm_automaton_band *b, int life, int noisy)
{
    const lm_stream s = stream_of(b, LM_DOMAIN_UPDATE);
    for (int64_t y = 0; y < b->rows; y += TALL) {
        const int64_t rows = b->rows - y < TALL ? b->rows - y : TALL;
        for (int64_t j = 0; j < b->padded; j += LM_LANES)
            update_column(b, y, rows, j, life, noisy ? &s : NULL);
    }
    lm_leave();
}

static void update_life(const lm_automaton_band *b)
{
    update(b, 1, 0);
}

static void update_any(const lm_automaton_band *b)
{
    update(b, 0, 0);
}

static void update_noisy(const lm_automaton_band *b)
{
    update(b, 0, 1);
}

static void update_one(const lm_automaton_band *b)
{
    (b->threshold ? update_noisy : b->rule->life ? update_life : update_any)(b);
}

/* Counts the cells that differ between two rows, or that live in one. */
LM_INLINE int64_t ones(const lm_automaton_band *b, int apart)
{
    int64_t sum = 0;
    for (int64_t y = 0; y < b->rows; y++)
        for (int64_t j = 0; j < b->padded; j += LM_LANES) {
            const lm_word a = lm_load(b->from + y * b->stride + j);
            const lm_word c = apart ? lm_xor(a, lm_load(b->to + y * b->stride + j)) : a;
            sum += lm_popcount(lm_and(c, lm_load(b->valid + j)));
        }
    lm_leave();
    return sum;
}

static int64_t changed(const lm_automaton_band *b)
{
    return ones(b, 1);
}

static int64_t living(const lm_automaton_band *b)
{
    return ones(b, 0);
}

/* Makes random cells by the bits of word 0 of each word's first block. Half of them live. */
static void hot(const lm_automaton_band *b)
{
    const lm_stream s = stream_of(b, LM_DOMAIN_START);
    for (int64_t y = 0; y < b->rows; y++)
        for (int64_t j = 0; j < b->padded; j += LM_LANES)
            lm_store(
                b->to + y * b->stride + j,
                lm_not(noise_at(&s, b->index + (uint64_t)(y * b->words + j), (uint64_t)1 << 31)));
    lm_leave();
}

const lm_automaton_loops LM_LANE_NAME(lm_automaton_loops_, ) = {
    .words = LM_LANES, .update = update_one, .changed = changed, .living = living, .hot = hot};
