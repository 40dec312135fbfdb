/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes rows of bits to arrays, and reads them: as bytes, or as the digits of saved sites. */
#include "backends/cpu/bits/cross.h"
#include "lib/base/bytes.h"

enum { WORD = 64 };

const lm_cross_loops *lm_cross_loops_of(int device)
{
    static const lm_cross_loops *const lanes[] = {LM_EVERY_LANE(lm_cross_loops_, )};
    return lanes[device];
}

int64_t lm_cross_rows(const lm_crossing *c, int64_t extent, int64_t wanted)
{
    int64_t unit = 1;
    if (c->bits < 8 && c->layer_rows * extent % 8)
        return c->layer_rows;
    while (c->bits < 8 && unit * extent % 8)
        unit *= 2;
    return wanted > unit ? wanted / unit * unit : unit;
}

int64_t lm_cross_place(const lm_crossing *c, int64_t extent, int64_t replica, int64_t row)
{
    const int64_t layer = (row - c->first_row) / c->layer_rows;
    const int64_t in_layer = (row - c->first_row) % c->layer_rows;
    return (replica - c->replica) * c->pitch + layer * c->layer_bytes +
           in_layer * extent * c->bits / 8;
}

static uint64_t low_bits(int64_t count)
{
    return count >= WORD ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1;
}

/* ---- bits to bytes: a digit has every `step`-th byte */

typedef struct stream {
    uint8_t *to;
    const uint8_t *from;
    int64_t step, left; /* left: bytes that have not been read */
    uint64_t bits;
    int count; /* of bits, below 64 */
} stream;

static void put_word(stream *s, uint64_t bits)
{
    if (s->step == 1) {
        lm_put_u64(&s->to, bits);
        return;
    }
    for (int i = 0; i < 8; i++, s->to += s->step)
        *s->to = (uint8_t)(bits >> 8 * i);
}

/* Adds 1 to 64 bits. */
static void add(stream *s, uint64_t bits, int count)
{
    s->bits |= bits << s->count;
    if (s->count + count >= WORD) {
        put_word(s, s->bits);
        s->bits = s->count ? bits >> (WORD - s->count) : 0;
        count -= WORD;
    }
    s->count += count;
}

static void end(stream *s)
{
    for (; s->count > 0; s->count -= 8, s->bits >>= 8, s->to += s->step)
        *s->to = (uint8_t)s->bits;
}

static void save_digit(const lm_natural *n, int k, uint8_t *to)
{
    stream s = {.to = to + k, .step = n->digits};
    for (int64_t r = 0; r < n->rows; r++) {
        const uint64_t *row = n->digit[k] + r * n->words;
        int64_t left = n->extent;
        for (; left > WORD; left -= WORD)
            add(&s, *row++, WORD);
        add(&s, *row >> n->shift & low_bits(left), (int)left);
    }
    end(&s);
}

/* Returns whether the words of all rows follow each other in the array, as they are. */
static int are_as_saved(const lm_natural *n)
{
    return n->digits == 1 && n->extent % WORD == 0;
}

static void save_words(const lm_natural *n, uint8_t *to)
{
    for (int64_t i = 0; i < n->rows * n->words; i++)
        lm_put_u64(&to, n->digit[0][i]);
}

static void load_words(const lm_natural *n, const uint8_t *from)
{
    for (int64_t i = 0; i < n->rows * n->words; i++)
        n->digit[0][i] = lm_get_u64(&from);
}

void lm_natural_write(const lm_cross_loops *loops, const lm_natural *n, int saved, char *to)
{
    if (!saved)
        loops->to_bytes(n, (int8_t *)to);
    else if (are_as_saved(n))
        save_words(n, (uint8_t *)to);
    else
        for (int k = 0; k < n->digits; k++)
            save_digit(n, k, (uint8_t *)to);
}

/* ---- and back */

static uint64_t get_word(stream *s)
{
    uint64_t bits = 0;
    if (s->left >= 8 && s->step == 1) {
        s->left -= 8;
        return lm_get_u64(&s->from);
    }
    for (int i = 0; i < 8 && s->left > 0; i++, s->left--, s->from += s->step)
        bits |= (uint64_t)*s->from << 8 * i;
    return bits;
}

/* Returns the next 1 to 64 bits. */
static uint64_t next(stream *s, int count)
{
    const int rest = count - s->count; /* bits that the next word has */
    uint64_t bits = s->bits, more;
    if (rest <= 0) {
        s->bits >>= count; /* fewer than 64, as s->count */
        s->count -= count;
        return bits & low_bits(count);
    }
    more = get_word(s);
    bits |= more << s->count;
    s->bits = rest < WORD ? more >> rest : 0;
    s->count = WORD - rest;
    return bits & low_bits(count);
}

static void load_digit(const lm_natural *n, int k, const uint8_t *from)
{
    stream s = {.from = from + k, .step = n->digits, .left = (n->rows * n->extent + 7) / 8};
    for (int64_t r = 0; r < n->rows; r++) {
        uint64_t *row = n->digit[k] + r * n->words;
        int64_t left = n->extent;
        for (; left > WORD; left -= WORD)
            *row++ |= next(&s, WORD);
        *row |= next(&s, (int)left) << n->shift;
    }
}

void lm_natural_read(const lm_cross_loops *loops, const lm_natural *n, int saved, const char *from)
{
    if (!saved)
        loops->of_bytes(n, (const int8_t *)from);
    else if (are_as_saved(n))
        load_words(n, (const uint8_t *)from);
    else
        for (int k = 0; k < n->digits; k++)
            load_digit(n, k, (const uint8_t *)from);
}
