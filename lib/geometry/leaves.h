/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of sites or bonds as leaves, of which the state hash is made (doc/trajectory.md, "State
 * hash") and saved lattices have their large sections (doc/format.md). Leaves follow from the shape
 * alone, so that whoever has the numbers of one can encode, sum and place it.
 */
#ifndef LM_LEAVES_H
#define LM_LEAVES_H

#include <stdint.h>

typedef struct lm_leaves {
    int64_t trunks;       /* replicas; the axes of all samples, one sample after another; samples */
    int64_t numbers;      /* of a trunk */
    int64_t leaf_numbers; /* of a leaf; a trunk's last one may have fewer */
    int64_t per_trunk;    /* leaves */
    int size, bits;       /* of a number: bytes in an array, bits as it is saved */
    void (*encode)(const void *numbers, int64_t count, uint8_t *bytes);
} lm_leaves;

/* So many numbers of a leaf, from one at a whole byte on, in bytes. */
static inline int64_t lm_numbers_bytes(const lm_leaves *leaves, int64_t numbers)
{
    return (numbers * leaves->bits + 7) / 8;
}

/* Numbers and bytes of a trunk's leaf. */
int64_t lm_leaf_numbers(const lm_leaves *leaves, int64_t leaf);
int64_t lm_leaf_bytes(const lm_leaves *leaves, int64_t leaf);
/* All leaves of a trunk, and of all trunks with their sums: as they are held and saved. */
int64_t lm_trunk_bytes(const lm_leaves *leaves);
uint64_t lm_leaves_bytes(const lm_leaves *leaves);

/* What is held, in as few leaves as it can be seen as: in one, if no byte is filled up. */
lm_leaves lm_leaves_joined(const lm_leaves *leaves);

/* Numbers `first` on of a trunk whose leaves are held; `first` is at a whole byte of its leaf. */
void lm_leaves_decode(const lm_leaves *leaves, const uint8_t *trunk, int64_t first, int64_t count,
                      void (*decode)(const uint8_t *bytes, int64_t count, void *numbers),
                      void *numbers);
/* All numbers of a trunk, leaf by leaf. */
void lm_leaves_encode(const lm_leaves *leaves, const void *numbers, uint8_t *trunk);

#endif
