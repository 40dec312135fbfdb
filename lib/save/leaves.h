/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of sites or bonds as leaves, of which the state hash is made (doc/trajectory.md, "State
 * hash") and saved lattices have their large sections (doc/format.md). Leaves follow from the shape
 * alone, so that whoever has the numbers of one can encode, sum and place it.
 */
#ifndef LM_LEAVES_H
#define LM_LEAVES_H

#include "lib/base/checksum.h"
#include "lib/lattice/lattice.h"
#include "lib/save/stream.h"

typedef struct lm_leaves {
    int64_t trunks;       /* replicas; the axes of all samples, one sample after another; samples */
    int64_t numbers;      /* of a trunk */
    int64_t leaf_numbers; /* of a leaf; a trunk's last one may have fewer */
    int64_t per_trunk;    /* leaves */
    int size, bits;       /* of a number: bytes in an array, bits as it is saved */
    void (*encode)(const void *numbers, int64_t count, uint8_t *bytes);
} lm_leaves;

lm_leaves lm_leaves_of_sites(const latmc_lattice *lattice);
/* Of couplings or fields that are given. */
lm_leaves lm_leaves_of(const latmc_lattice *lattice, lm_owner owner);

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

/* The sums of leaves, in their order, become those of trunks and of all. */
enum { LM_TREE_SOME = 512 };
typedef struct lm_tree {
    int64_t per_trunk, leaf; /* the next one of its trunk */
    lm_checksum trunk, all;
    uint8_t some[LM_TREE_SOME * LM_SUM_BYTES]; /* of the trunk's sums, which are added together: */
    int64_t waiting;                           /* so many */
} lm_tree;

void lm_tree_begin(lm_tree *tree, const lm_leaves *leaves);
/* Sums as they are saved, each so many bytes behind the one before. */
void lm_tree_add(lm_tree *tree, const uint8_t *sums, size_t apart, int64_t count);
uint64_t lm_tree_value(const lm_tree *tree);

/* Leaves on their way out, each with its sum behind it. */
typedef struct lm_leaf_writer {
    lm_leaves leaves;
    lm_sink *sink; /* NULL: they are summed and go nowhere */
    lm_tree tree;
    int64_t left;       /* numbers of the present leaf */
    uint8_t *piece;     /* what goes out next: leaves and their sums */
    size_t used, begin; /* bytes of it; where what it has of the present leaf begins */
    int is_parted;      /* earlier pieces had some of the present leaf, */
    lm_checksum parts;  /* which is summed */
    uint8_t *sums;      /* where sums of leaves are to be kept, too; or NULL */
} lm_leaf_writer;

latmc_status lm_leaf_writer_open(lm_leaf_writer *writer, const char *caller,
                                 const lm_leaves *leaves, lm_sink *sink);
/* The next numbers; but at the end of a leaf they end at a whole byte. */
latmc_status lm_leaf_writer_add(lm_leaf_writer *writer, const void *numbers, int64_t count);
/* All numbers have been added: the last of them go out, and this is the sum of all. */
latmc_status lm_leaf_writer_end(lm_leaf_writer *writer, uint64_t *sum);
void lm_leaf_writer_close(lm_leaf_writer *writer);

/* lib/save/hash.c: all sites to a sink, which may be NULL, and the state hash. If the sink can go
 * where it is told, their section begins at `offset`. */
latmc_status lm_put_sites(const latmc_lattice *lattice, const char *caller, lm_sink *sink,
                          uint64_t offset, uint64_t *hash);
/* lib/save/leaves_here.c: the same where ranks have their own sites alone; the sink can go, or is
 * NULL.
 */
latmc_status lm_put_sites_here(const latmc_lattice *lattice, const char *caller, lm_sink *sink,
                               uint64_t offset, uint64_t *hash);

#endif
