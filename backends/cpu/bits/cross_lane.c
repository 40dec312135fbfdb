/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the inner loops of crossings, which are compiled once for each lane. Only the table at the
 * end is visible outside the object. */
#include LM_LANE_HEADER

#include <string.h>

#include "backends/cpu/bits/cross.h"
#include "lib/base/signs.h"
#include "lib/physics/weave.h"

/* ---- words of two sublattices, and bits in natural order */

/* Weaves rows that have one word. The sublattices change places from row to row. */
static void weave_short(const uint32_t *even, const uint32_t *odd, int64_t rows,
                        uint64_t *restrict bits)
{
    for (int64_t r = 0; r < rows; r++) {
        const uint32_t differ = (even[r] ^ odd[r]) & (uint32_t) - (r & 1);
        bits[r] = lm_weave((even[r] ^ differ) | (uint64_t)(odd[r] ^ differ) << 32);
    }
}

static void weave_row(const uint32_t *even, const uint32_t *odd, int64_t width,
                      uint64_t *restrict bits)
{
    for (int64_t j = 0; j < width; j++)
        bits[j] = lm_weave(even[j] | (uint64_t)odd[j] << 32);
}

static void weave(const lm_woven *w, uint64_t *bits)
{
    if (w->width == 1)
        weave_short(w->even, w->odd, w->rows, bits);
    else
        for (int64_t r = 0, t = 0; r < w->rows; r++, t += w->width)
            weave_row((r & 1 ? w->odd : w->even) + t, (r & 1 ? w->even : w->odd) + t, w->width,
                      bits + t);
}

LM_INLINE void store_pair(uint32_t *even, uint32_t *odd, uint64_t bits, uint32_t mask)
{
    const uint64_t x = lm_unweave(bits);
    *even ^= (*even ^ (uint32_t)x) & mask;
    *odd ^= (*odd ^ (uint32_t)(x >> 32)) & mask;
}

static void unweave_short(uint32_t *restrict even, uint32_t *restrict odd, int64_t rows,
                          uint32_t mask, const uint64_t *bits)
{
    for (int64_t r = 0; r < rows; r++) {
        const uint64_t x = lm_unweave(bits[r]);
        const uint32_t differ = ((uint32_t)x ^ (uint32_t)(x >> 32)) & (uint32_t) - (r & 1);
        even[r] ^= (even[r] ^ differ ^ (uint32_t)x) & mask;
        odd[r] ^= (odd[r] ^ differ ^ (uint32_t)(x >> 32)) & mask;
    }
}

static void unweave_row(uint32_t *restrict even, uint32_t *restrict odd, int64_t width,
                        uint32_t last, const uint64_t *bits)
{
    const int64_t whole = last == ~0u ? width : width - 1;
    for (int64_t j = 0; j < whole; j++) {
        const uint64_t x = lm_unweave(bits[j]);
        even[j] = (uint32_t)x;
        odd[j] = (uint32_t)(x >> 32);
    }
    if (whole < width)
        store_pair(even + whole, odd + whole, bits[whole], last);
}

static void unweave(const lm_woven *w, const uint64_t *bits)
{
    if (w->width == 1)
        unweave_short(w->even, w->odd, w->rows, w->last, bits);
    else
        for (int64_t r = 0, t = 0; r < w->rows; r++, t += w->width)
            unweave_row((r & 1 ? w->odd : w->even) + t, (r & 1 ? w->even : w->odd) + t, w->width,
                        w->last, bits + t);
}

/* ---- bytes */

enum { SITES = 64 };

#ifndef LM_SPREAD_BYTES
/* Sets 64 bytes to -1 where the bit is 1, and otherwise to 0. */
LM_INLINE void lm_spread_bytes(uint64_t bits, int8_t bytes[SITES])
{
    uint8_t *to = (uint8_t *)bytes;
    for (int i = 0; i < SITES; i += 8)
        lm_put_u64(&to, lm_bytes_of_bits(bits >> i) * 0xff);
}

/* Returns the highest bits of 64 bytes. */
LM_INLINE uint64_t lm_high_bits(const int8_t bytes[SITES])
{
    return lm_bits_of_digits(bytes, SITES, 7);
}
#endif

/* Makes 64 sites of their digits. Word k of digit[] has digit k of each site. */
LM_INLINE void values_of(const lm_natural *n, const uint64_t *digit, int8_t to[SITES])
{
    int8_t m[SITES], s[SITES];
    lm_spread_bytes(digit[0], m);
    if (n->numbers == LM_TWO_SPINS) {
        for (int i = 0; i < SITES; i++)
            to[i] = (int8_t)((m[i] & 2) - 1);
        return;
    }
    for (int i = 0; i < SITES; i++)
        to[i] = m[i] & 1;
    for (int k = 1; k < n->digits; k++) {
        const int8_t weight = (int8_t)(n->numbers == LM_THREE_SPINS ? -1 : 1 << k);
        lm_spread_bytes(digit[k], s);
        for (int i = 0; i < SITES; i++)
            to[i] |= s[i] & weight;
    }
}

/* Is the inverse of values_of(). */
LM_INLINE void digits_of(const lm_natural *n, const int8_t from[SITES], uint64_t *digit)
{
    int8_t m[SITES];
    for (int k = 0; k < n->digits; k++) {
        for (int i = 0; i < SITES; i++)
            m[i] = (int8_t)(n->numbers == LM_TWO_SPINS ? ~from[i] : (uint8_t)from[i] << (7 - k));
        digit[k] = lm_high_bits(m);
    }
}

/* Writes the sites of digits, at most SITES of them. The next function reads them. */
LM_INLINE void put_values(const lm_natural *n, const uint64_t *digit, int64_t count, int8_t *sites)
{
    int8_t some[SITES];
    values_of(n, digit, count < SITES ? some : sites);
    if (count < SITES)
        memcpy(sites, some, (size_t)count);
}

LM_INLINE void get_digits(const lm_natural *n, const int8_t *sites, int64_t count, uint64_t *digit)
{
    int8_t some[SITES] = {0};
    if (count < SITES)
        memcpy(some, sites, (size_t)count);
    digits_of(n, count < SITES ? some : sites, digit);
}

LM_INLINE uint64_t low_bits(int64_t count)
{
    return count < SITES ? ((uint64_t)1 << count) - 1 : ~(uint64_t)0;
}

/* Returns how many rows are converted at once: as many as have at most SITES sites, or one. */
LM_INLINE int64_t rows_at_once(const lm_natural *n, int64_t row)
{
    const int64_t fit = n->extent < SITES ? SITES / n->extent : 1;
    return fit < n->rows - row ? fit : n->rows - row;
}

/* Moves some short rows. */
static void rows_to_bytes(const lm_natural *n, int64_t row, int64_t rows, int8_t *sites)
{
    uint64_t digit[LM_CROSS_DIGITS] = {0};
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < n->digits; k++)
            digit[k] |= (n->digit[k][(row + i) * n->words] >> n->shift & low_bits(n->extent))
                        << i * n->extent;
    put_values(n, digit, rows * n->extent, sites);
}

static void bytes_to_rows(const lm_natural *n, int64_t row, int64_t rows, const int8_t *sites)
{
    uint64_t digit[LM_CROSS_DIGITS];
    get_digits(n, sites, rows * n->extent, digit);
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < n->digits; k++)
            n->digit[k][(row + i) * n->words] |= (digit[k] >> i * n->extent & low_bits(n->extent))
                                                 << n->shift;
}

/* Moves one long row. */
static void row_to_bytes(const lm_natural *n, int64_t row, int8_t *sites)
{
    for (int64_t x = 0, at = row * n->words; x < n->extent; x += SITES, at++) {
        uint64_t digit[LM_CROSS_DIGITS];
        for (int k = 0; k < n->digits; k++)
            digit[k] = n->digit[k][at];
        put_values(n, digit, n->extent - x < SITES ? n->extent - x : SITES, sites + x);
    }
}

static void bytes_to_row(const lm_natural *n, int64_t row, const int8_t *sites)
{
    for (int64_t x = 0, at = row * n->words; x < n->extent; x += SITES, at++) {
        uint64_t digit[LM_CROSS_DIGITS];
        get_digits(n, sites + x, n->extent - x < SITES ? n->extent - x : SITES, digit);
        for (int k = 0; k < n->digits; k++)
            n->digit[k][at] |= digit[k] & low_bits(n->extent - x);
    }
}

static void to_bytes(const lm_natural *n, int8_t *sites)
{
    for (int64_t r = 0, rows; r < n->rows; r += rows) {
        rows = rows_at_once(n, r);
        if (n->extent < SITES)
            rows_to_bytes(n, r, rows, sites + r * n->extent);
        else
            row_to_bytes(n, r, sites + r * n->extent);
    }
    lm_leave();
}

static void of_bytes(const lm_natural *n, const int8_t *sites)
{
    for (int64_t r = 0, rows; r < n->rows; r += rows) {
        rows = rows_at_once(n, r);
        if (n->extent < SITES)
            bytes_to_rows(n, r, rows, sites + r * n->extent);
        else
            bytes_to_row(n, r, sites + r * n->extent);
    }
    lm_leave();
}

#define CROSS_LOOPS LM_LANE_NAME(lm_cross_loops_, )
const lm_cross_loops CROSS_LOOPS = {weave, unweave, to_bytes, of_bytes};
