/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/geometry/leaves.h"

#include "lib/base/checksum.h"
#include "lib/base/minmax.h"

enum { LEAF_BYTES = 4096 }; /* of several layers; a layer of more bytes is a leaf, too */

/* Returns the bytes of that many numbers of a span. */
static int64_t bytes_in_span(const lm_leaves *l, int64_t numbers)
{
    return l->bits < 8 ? (numbers + 7) / 8 * l->bits : numbers * (l->bits / 8);
}

lm_leaves lm_leaves_shape(lm_leaves leaves, int64_t layer_numbers)
{
    lm_leaves *const l = &leaves;
    const int64_t layers = lm_max(LEAF_BYTES / bytes_in_span(l, layer_numbers), 1);

    l->span_numbers = l->bits < 8 && layer_numbers % 8 ? layer_numbers : l->numbers;
    l->leaf_numbers = lm_min(layers * layer_numbers, l->numbers);
    l->per_trunk = (l->numbers - 1) / l->leaf_numbers + 1;
    return leaves;
}

int64_t lm_numbers_bytes(const lm_leaves *l, int64_t numbers)
{
    if (numbers <= l->span_numbers)
        return bytes_in_span(l, numbers);
    return numbers / l->span_numbers * bytes_in_span(l, l->span_numbers) +
           bytes_in_span(l, numbers % l->span_numbers);
}

int64_t lm_leaf_numbers(const lm_leaves *l, int64_t leaf)
{
    return lm_min(l->leaf_numbers, l->numbers - leaf * l->leaf_numbers);
}

int64_t lm_leaf_bytes(const lm_leaves *l, int64_t leaf)
{
    return lm_numbers_bytes(l, lm_leaf_numbers(l, leaf));
}

int64_t lm_trunk_bytes(const lm_leaves *l)
{
    return lm_numbers_bytes(l, l->numbers);
}

/* The result is below 2^63. A lattice has at most 2^56 sites (LM_MAX_SITES), so its bonds along 4
 * axes have 2^61 bytes, and a sum stands behind more than 2 KiB or behind a trunk. */
uint64_t lm_leaves_bytes(const lm_leaves *l)
{
    return (uint64_t)l->trunks * (uint64_t)(lm_trunk_bytes(l) + l->per_trunk * LM_SUM_BYTES);
}

lm_leaves lm_leaves_joined(const lm_leaves *l)
{
    lm_leaves joined = *l;

    if (l->bits >= 8 || (l->span_numbers == l->numbers && l->numbers % 8 == 0)) {
        joined.trunks = joined.per_trunk = 1;
        joined.numbers = joined.span_numbers = joined.leaf_numbers = l->trunks * l->numbers;
    }
    return joined;
}

void lm_leaves_decode(const lm_leaves *l, const uint8_t *trunk, int64_t first, int64_t count,
                      void (*decode)(const uint8_t *, int64_t, void *), void *numbers)
{
    char *to = numbers;

    while (count > 0) {
        const int64_t n = lm_min(l->span_numbers - first % l->span_numbers, count);

        decode(trunk + lm_numbers_bytes(l, first), n, to);
        to += n * l->size;
        first += n;
        count -= n;
    }
}

void lm_leaves_encode(const lm_leaves *l, const void *numbers, int64_t count, uint8_t *bytes)
{
    const char *from = numbers;

    while (count > 0) {
        const int64_t n = lm_min(l->span_numbers, count);

        l->encode(from, n, bytes);
        bytes += bytes_in_span(l, n);
        from += n * l->size;
        count -= n;
    }
}
