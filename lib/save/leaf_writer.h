/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of leaves, and leaves on their way out. */
#ifndef LM_LEAF_WRITER_H
#define LM_LEAF_WRITER_H

#include "lib/base/checksum.h"
#include "lib/geometry/leaves.h"
#include "lib/save/stream.h"

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

#endif
