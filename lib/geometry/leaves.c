/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/geometry/leaves.h"

#include "lib/base/checksum.h"
#include "lib/base/least.h"

int64_t lm_leaf_numbers(const lm_leaves *l, int64_t leaf)
{
    return lm_least(l->leaf_numbers, l->numbers - leaf * l->leaf_numbers);
}

int64_t lm_leaf_bytes(const lm_leaves *l, int64_t leaf)
{
    return lm_numbers_bytes(l, lm_leaf_numbers(l, leaf));
}

int64_t lm_trunk_bytes(const lm_leaves *l)
{
    const int64_t last = l->per_trunk - 1;

    return last * lm_numbers_bytes(l, l->leaf_numbers) + lm_leaf_bytes(l, last);
}

/* The result is below 2^63. 2^16 samples of 2^40 bonds along 4 axes, in leaves of 2, have 5 2^58
 * bytes. */
uint64_t lm_leaves_bytes(const lm_leaves *l)
{
    return (uint64_t)l->trunks * (uint64_t)(lm_trunk_bytes(l) + l->per_trunk * LM_SUM_BYTES);
}

lm_leaves lm_leaves_joined(const lm_leaves *l)
{
    lm_leaves joined = *l;

    if (l->leaf_numbers * l->bits % 8 == 0 && l->numbers * l->bits % 8 == 0) {
        joined.trunks = joined.per_trunk = 1;
        joined.numbers = joined.leaf_numbers = l->trunks * l->numbers;
    }
    return joined;
}

void lm_leaves_decode(const lm_leaves *leaves, const uint8_t *trunk, int64_t first, int64_t count,
                      void (*decode)(const uint8_t *, int64_t, void *), void *numbers)
{
    const lm_leaves joined = lm_leaves_joined(leaves), *const l = &joined;
    char *to = numbers;

    while (count > 0) {
        const int64_t leaf = first / l->leaf_numbers, in = first % l->leaf_numbers;
        const int64_t n = lm_least(l->leaf_numbers - in, count);

        decode(trunk + leaf * lm_numbers_bytes(l, l->leaf_numbers) + in * l->bits / 8, n, to);
        to += n * l->size;
        first += n;
        count -= n;
    }
}

void lm_leaves_encode(const lm_leaves *leaves, const void *numbers, uint8_t *trunk)
{
    const char *from = numbers;

    for (int64_t leaf = 0; leaf < leaves->per_trunk; leaf++) {
        leaves->encode(from, lm_leaf_numbers(leaves, leaf), trunk);
        from += lm_leaf_numbers(leaves, leaf) * leaves->size;
        trunk += lm_leaf_bytes(leaves, leaf);
    }
}
