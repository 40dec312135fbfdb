/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists that are ordered by a key and made in two passes. */
#ifndef LM_FIELD_INDEX_H
#define LM_FIELD_INDEX_H

#include <stdint.h>

/* Where the entries of a list begin that is ordered by a key, here a colour and a row of the box:
 * those of key k are begin[k] .. begin[k + 1] - 1. The first pass counts the entries of each key,
 * the second one puts them. */
typedef struct lm_field_index {
    int64_t keys, count;
    int64_t *begin; /* [keys + 2] */
    int counted;
} lm_field_index;

/* Takes memory; returns 0 if there is none. */
int lm_field_index_make(lm_field_index *index, int64_t keys, const char *what);

/* The place of the next entry of a key in the list, or -1 in the first pass. */
int64_t lm_field_index_next(lm_field_index *index, int64_t key);

/* Ends the first pass; returns the number of entries. */
int64_t lm_field_index_counted(lm_field_index *index);

#endif
