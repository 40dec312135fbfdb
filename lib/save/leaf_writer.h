/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes sums of leaves, and writes leaves. */
#ifndef LM_LEAF_WRITER_H
#define LM_LEAF_WRITER_H

#include "lib/base/checksum.h"
#include "lib/geometry/leaves.h"
#include "lib/save/stream.h"

/* Combines the sums of leaves, in their order, to the sums of trunks and of all. */
enum { LM_TREE_SOME = 512 };
typedef struct lm_tree {
    int64_t per_trunk, leaf; /* the number of the trunk's next leaf */
    lm_checksum trunk, all;
    uint8_t some[LM_TREE_SOME * LM_SUM_BYTES]; /* buffer for sums of the trunk, which are added
                                                  together */
    int64_t waiting;                           /* number of sums in the buffer */
} lm_tree;

void lm_tree_begin(lm_tree *tree, const lm_leaves *leaves);
/* Adds `count` sums in their saved form, `apart` bytes from each other. */
void lm_tree_add(lm_tree *tree, const uint8_t *sums, size_t apart, int64_t count);
uint64_t lm_tree_value(const lm_tree *tree);

/* Writes leaves, each followed by its sum. */
typedef struct lm_leaf_writer {
    lm_leaves leaves;
    lm_sink *sink; /* NULL: leaves are only summed */
    lm_tree tree;
    int64_t left;       /* numbers that the present leaf still takes */
    uint8_t *buffer;    /* buffer for output: leaves and their sums */
    size_t used, begin; /* bytes in use; where the present leaf begins in the buffer */
    int is_parted;      /* 1: earlier buffers had some of the present leaf */
    lm_checksum parts;  /* the sum of these parts */
    uint8_t *sums;      /* where to keep a copy of the leaves' sums; or NULL */
} lm_leaf_writer;

latmc_status lm_leaf_writer_open(lm_leaf_writer *writer, const char *caller,
                                 const lm_leaves *leaves, lm_sink *sink);
/* Goes on with trunks of another shape. The trunk before them must be complete. */
void lm_leaf_writer_next(lm_leaf_writer *writer, const lm_leaves *leaves);
/* Adds the next numbers. They must end with a layer, or with eight numbers in it. */
latmc_status lm_leaf_writer_add(lm_leaf_writer *writer, const void *numbers, int64_t count);
/* Ends the writing after all numbers were added. It writes the last of them and returns the sum of
 * all. */
latmc_status lm_leaf_writer_end(lm_leaf_writer *writer, uint64_t *sum);
void lm_leaf_writer_close(lm_leaf_writer *writer);

#endif
