/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts an automaton's cells, bytes of value 0 or 1, to bits and back, eight at a time. The
 * first cell is the lowest bit. */
#ifndef LM_AUTOMATON_CELLS_H
#define LM_AUTOMATON_CELLS_H

#include "lib/base/signs.h"

/* Returns the bits of 1 to 64 cells. The other bits are 0. */
static inline uint64_t lm_automaton_bits(const int8_t *cells, int count)
{
    return lm_bits_of_digits(cells, count, 0);
}

/* Is the inverse of lm_automaton_bits(). */
static inline void lm_automaton_cells(uint64_t bits, int8_t *cells, int count)
{
    uint8_t *to = (uint8_t *)cells;
    int i = 0;

    for (; i + 8 <= count; i += 8, bits >>= 8)
        lm_put_u64(&to, lm_bytes_of_bits(bits));
    for (; i < count; i++, bits >>= 1)
        *to++ = bits & 1;
}

/* These move a row of `extent` cells to its words and back. A word has 32 cells. */
static inline void lm_automaton_pack(const int8_t *cells, int64_t extent, uint32_t *words)
{
    for (int64_t x = 0; x < extent; x += 32)
        *words++ = (uint32_t)lm_automaton_bits(cells + x, extent - x < 32 ? (int)(extent - x) : 32);
}

static inline void lm_automaton_unpack(const uint32_t *words, int64_t extent, int8_t *cells)
{
    for (int64_t x = 0; x < extent; x += 32)
        lm_automaton_cells(*words++, cells + x, extent - x < 32 ? (int)(extent - x) : 32);
}

#endif
