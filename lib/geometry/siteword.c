/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/geometry/siteword.h"

#include "lib/geometry/colouring.h"
#include "lib/physics/geometry.h"
#include "lib/base/signs.h"

#define WORD_BITS 32

static int all_even(const lm_spec *spec)
{
    for (int a = 0; a < spec->dims; a++)
        if (spec->extents[a] % 2 != 0)
            return 0;
    return 1;
}

lm_words lm_words_of(const lm_spec *spec)
{
    lm_words w = {.folded = all_even(spec), .segment = WORD_BITS, .rows = 1};
    w.sublattices = w.folded ? 2 : 1;
    w.colours = lm_near_colours(spec);
    w.bits = w.folded ? spec->extents[0] / 2 : spec->extents[0];
    while (w.segment / 2 >= w.bits)
        w.segment /= 2;
    w.per_word = WORD_BITS / w.segment;
    w.width = (w.bits + WORD_BITS - 1) / WORD_BITS;
    for (int a = 1; a < spec->dims; a++)
        w.rows *= spec->extents[a];
    w.first_group = spec->first_replica / w.per_word;
    w.groups = (spec->first_replica + spec->replicas - 1) / w.per_word - w.first_group + 1;
    return w;
}

int lm_row_parity(const lm_spec *spec, int64_t row)
{
    int64_t x[LATMC_MAX_DIMS], sum = 0;
    lm_coordinates(row, 1, spec->dims, spec->extents, x);
    for (int a = 1; a < spec->dims; a++)
        sum += x[a];
    return (int)(sum & 1);
}

int lm_row_colour(const lm_spec *spec, const lm_words *words, int64_t row)
{
    int64_t x[LATMC_MAX_DIMS];
    int sum = 0;
    lm_coordinates(row, 1, spec->dims, spec->extents, x);
    for (int a = 1; a < spec->dims; a++)
        sum += lm_near_colour(spec, a, x[a]);
    return sum % words->colours;
}

uint32_t lm_replicas_mask(const lm_words *words, const lm_spec *spec, int64_t group)
{
    const uint32_t segment = words->segment == 32 ? ~0u : (1u << words->segment) - 1u;
    uint32_t mask = 0;
    for (int nth = 0; nth < words->per_word; nth++) {
        const int64_t r =
            (words->first_group + group) * words->per_word + nth - spec->first_replica;
        if (r >= 0 && r < spec->replicas)
            mask |= segment << nth * words->segment;
    }
    return mask;
}

uint32_t lm_replicate(const lm_words *words, uint32_t bits)
{
    uint32_t all = 0;
    for (int nth = 0; nth < words->per_word; nth++)
        all |= bits << nth * words->segment;
    return all;
}

/* Spreads bits to every second place of a word of twice the length. The second function is its
 * inverse. */
static uint64_t spread(uint32_t bits)
{
    uint64_t b = bits;

    b = (b | b << 16) & 0x0000ffff0000ffffu;
    b = (b | b << 8) & 0x00ff00ff00ff00ffu;
    b = (b | b << 4) & 0x0f0f0f0f0f0f0f0fu;
    b = (b | b << 2) & 0x3333333333333333u;
    return (b | b << 1) & 0x5555555555555555u;
}

static uint32_t gather(uint64_t b)
{
    b &= 0x5555555555555555u;
    b = (b | b >> 1) & 0x3333333333333333u;
    b = (b | b >> 2) & 0x0f0f0f0f0f0f0f0fu;
    b = (b | b >> 4) & 0x00ff00ff00ff00ffu;
    b = (b | b >> 8) & 0x0000ffff0000ffffu;
    return (uint32_t)(b | b >> 16);
}

static uint32_t low_bits(int64_t count)
{
    return count >= WORD_BITS ? ~0u : (1u << count) - 1u;
}

static uint32_t with_bits(uint32_t word, uint32_t bits, uint32_t mask)
{
    return (word & ~mask) | (bits & mask);
}

/* Returns how many sites from x on word j of the row has: as many as fit, or as the row still
 * has. */
static int in_word(const lm_words *words, int64_t extent, int64_t x)
{
    const int most = WORD_BITS * words->sublattices;

    return extent - x < most ? (int)(extent - x) : most;
}

void lm_row_pack(const lm_words *words, int row_parity, int nth, int digit, const int8_t *sites,
                 int64_t extent, uint32_t *const row[2])
{
    const int shift = nth * words->segment, even = row_parity, odd = 1 - row_parity;

    for (int64_t x = 0, j = 0; x < extent; x += WORD_BITS * words->sublattices, j++) {
        const int n = in_word(words, extent, x);
        const uint64_t bits =
            digit == LM_SIGN ? lm_bits_of_signs(sites + x, n)
                             : lm_bits_of_digits(sites + x, n, digit == LM_NEGATIVE ? 1 : digit);
        const uint32_t mask = low_bits(n / words->sublattices) << shift;

        if (words->folded) {
            row[even][j] = with_bits(row[even][j], gather(bits) << shift, mask);
            row[odd][j] = with_bits(row[odd][j], gather(bits >> 1) << shift, mask);
        } else {
            row[0][j] = with_bits(row[0][j], (uint32_t)bits << shift, mask);
        }
    }
}

void lm_row_unpack(const lm_words *words, int row_parity, int nth, int digit, int8_t *sites,
                   int64_t extent, const uint32_t *const row[2])
{
    const int shift = nth * words->segment, even = row_parity, odd = 1 - row_parity;

    for (int64_t x = 0, j = 0; x < extent; x += WORD_BITS * words->sublattices, j++) {
        const uint64_t bits =
            words->folded ? spread(row[even][j] >> shift) | spread(row[odd][j] >> shift) << 1
                          : row[0][j] >> shift;

        if (digit == LM_SIGN)
            lm_signs_of_bits(bits, sites + x, in_word(words, extent, x));
        else if (digit == LM_NEGATIVE)
            lm_negate_by_bits(bits, sites + x, in_word(words, extent, x));
        else
            lm_digits_of_bits(bits, sites + x, in_word(words, extent, x), digit);
    }
}
