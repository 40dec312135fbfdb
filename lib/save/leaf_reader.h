/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the leaves of a section. Each leaf is read once and compared with its sum, and all of them
 * with the section's. */
#ifndef LM_LEAF_READER_H
#define LM_LEAF_READER_H

#include "lib/save/leaf_writer.h"
#include "lib/save/section.h"

/* A section on its way in. */
typedef struct lm_leaf_reader {
    lm_source *source;
    const lm_section *section;
    int types; /* of a sample; 0: a trunk is a replica */
    int set;   /* number of the set of weights; -1: the leaves are not of weights */
    lm_leaves leaves;
    lm_tree tree;
    uint64_t offset; /* of the next leaf */
    int64_t next;    /* its number, counted through all trunks of this shape */
    uint8_t *buffer; /* several leaves with their sums, */
    uint8_t *to;     /* and where they go without */
} lm_leaf_reader;

/* Begins a section. The caller calls lm_leaf_reader_close() even after a failure. */
latmc_status lm_leaf_reader_open(lm_leaf_reader *reader, lm_source *source,
                                 const lm_section *section);
/* Reads all leaves of the next trunks, which have one shape. `set` and `types` are for messages. */
latmc_status lm_leaf_reader_take(lm_leaf_reader *reader, int set, int types,
                                 const lm_leaves *leaves, void *to);
/* Compares the sum of all leaves with the section's. */
latmc_status lm_leaf_reader_end(const lm_leaf_reader *reader);
void lm_leaf_reader_close(lm_leaf_reader *reader);

/* Reads a section whose trunks all have one shape. */
latmc_status lm_take_leaves(lm_source *source, const lm_section *section, int types,
                            const lm_leaves *leaves, void *to);

#endif
