/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Divides numbers of sites or bonds into leaves. The state hash is made of leaves
 * (doc/trajectory.md, "State hash"), and so are the large sections of saved lattices
 * (doc/format.md). Leaves follow from the shape alone. So whoever has a leaf's numbers can encode,
 * sum and place the leaf.
 */
#ifndef LM_LEAVES_H
#define LM_LEAVES_H

#include <stdint.h>

typedef struct lm_leaves {
    int64_t trunks;       /* number of replicas; of all samples' axes, sample by sample; or of
                             samples */
    int64_t numbers;      /* of a trunk */
    int64_t span_numbers; /* of a span, which is encoded at once: a layer if its last byte is
                            padded, otherwise a trunk */
    int64_t leaf_numbers; /* of a leaf, several layers; a trunk's last one may have fewer */
    int64_t per_trunk;    /* leaves of a trunk */
    int size, bits;       /* of a number: bytes in an array, bits as it is saved. Fewer than 8 bits
                             are digits, of which eight numbers at a time are saved */
    void (*encode)(const void *numbers, int64_t count, uint8_t *bytes);
} lm_leaves;

/* Returns leaves of about 4 KiB. A layer has `layer_numbers` numbers, and a trunk's last one may
 * have fewer. All other members of `leaves` are set but those of spans and leaves. */
lm_leaves lm_leaves_shape(lm_leaves leaves, int64_t layer_numbers);

/* Returns the bytes of that many numbers from the begin of a layer on. They end with a layer, or
 * with eight numbers. */
int64_t lm_numbers_bytes(const lm_leaves *leaves, int64_t numbers);

/* These return the numbers, and the bytes, of a trunk's leaf. */
int64_t lm_leaf_numbers(const lm_leaves *leaves, int64_t leaf);
int64_t lm_leaf_bytes(const lm_leaves *leaves, int64_t leaf);
/* The first returns the bytes of a trunk's leaves, as they are held in memory. The second returns
 * the bytes of all trunks with their sums, as they are saved. */
int64_t lm_trunk_bytes(const lm_leaves *leaves);
uint64_t lm_leaves_bytes(const lm_leaves *leaves);

/* Returns leaves that describe the same numbers in memory. It is a single span if no trunk's last
 * byte is padded, and otherwise the same leaves. */
lm_leaves lm_leaves_joined(const lm_leaves *leaves);

/* Decodes `count` numbers of a trunk in memory, from number `first` on. `first` must be the first
 * number of a layer, or of eight numbers in it. */
void lm_leaves_decode(const lm_leaves *leaves, const uint8_t *trunk, int64_t first, int64_t count,
                      void (*decode)(const uint8_t *bytes, int64_t count, void *numbers),
                      void *numbers);
/* Encodes `count` numbers from the begin of a layer on. */
void lm_leaves_encode(const lm_leaves *leaves, const void *numbers, int64_t count, uint8_t *bytes);

#endif
