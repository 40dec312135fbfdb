/* SPDX-License-Identifier: BSD-3-Clause */
/* The bonds of a bit lattice, seen from both of their ends. */
#ifndef LM_BONDS_H
#define LM_BONDS_H

#include "lib/geometry/siteword.h"

/*
 * Bits of bonds, [group][sublattice][slot][row][word]; with one sample there is one group, that of
 * all. Each replica's bits are those of its sample. A site's 2 dims bonds have slots: 2a down and
 * 2a + 1 up along axis a. In a folded row, whose sites meet their x-neighbours in the other
 * sublattice at the same k and at k - 1 or k + 1, slot 0 is the bond to the same k and slot 1 the
 * other one.
 */
typedef struct lm_bond_bits {
    const lm_spec *spec;
    const lm_words *words;
    int64_t first_row, rows; /* of the slab */
    uint32_t *sign;          /* bonds that are -1; NULL: none can be, and nothing is kept */
    uint32_t *gone;          /* bonds that are 0; NULL: none can be */
} lm_bond_bits;

/* Words of one group, of a slab of so many rows; from one group of replicas to the next: 0 where
 * all have one sample; of all groups. */
static inline int64_t lm_bonds_words(const lm_spec *spec, const lm_words *words, int64_t rows)
{
    return (int64_t)words->sublattices * 2 * spec->dims * rows * words->width;
}

static inline int64_t lm_bonds_stride(const lm_spec *spec, const lm_words *words, int64_t rows)
{
    return spec->samples > 1 ? lm_bonds_words(spec, words, rows) : 0;
}

static inline int64_t lm_bonds_all_words(const lm_spec *spec, const lm_words *words, int64_t rows)
{
    return lm_bonds_words(spec, words, rows) * (spec->samples > 1 ? words->groups : 1);
}

/* Keeps, of a sample's bonds from rows [first_row, first_row + rows) one step up along an axis, the
 * ends that are in the slab. */
void lm_bonds_put(const lm_bond_bits *to, int64_t sample, int axis, int64_t first_row, int64_t rows,
                  const int8_t *bonds);

#endif
