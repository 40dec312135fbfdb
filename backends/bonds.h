/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores the bonds of a lattice of bits at both of their ends. */
#ifndef LM_BACKENDS_BONDS_H
#define LM_BACKENDS_BONDS_H

#include "lib/geometry/siteword.h"

/*
 * Bits of bonds, [group][sublattice][number][row][word]. With one sample there is one group, for
 * all replicas. Each replica has the bits of its sample. A site's 2 dims bonds have numbers: 2a
 * down and 2a + 1 up along axis a. In a folded row, a site's x-neighbours are in the other
 * sublattice, at the same k and at k - 1 or k + 1. There, number 0 is the bond to the same k, and
 * number 1 the other bond.
 */
typedef struct lm_bond_bits {
    const lm_spec *spec;
    const lm_words *words;
    int64_t first_row, rows; /* of the slab */
    uint32_t *sign;          /* bonds that are -1; NULL: there can be none, and nothing is kept */
    uint32_t *gone;          /* bonds that are 0; NULL: there can be none */
} lm_bond_bits;

/* The first returns the words of one group, in a slab of `rows` rows. The second returns the
 * distance from one group of replicas to the next, or 0 if all have one sample. The third returns
 * the words of all groups. */
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

/* Stores a sample's bonds from rows [first_row, first_row + rows) one step up along an axis. Only
 * the ends in the slab are stored. */
void lm_bonds_put(const lm_bond_bits *to, int64_t sample, int axis, int64_t first_row, int64_t rows,
                  const int8_t *bonds);

#endif
