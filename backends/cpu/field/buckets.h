/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders the entries of a list by a key, in two passes. */
#ifndef LM_FIELD_BUCKETS_H
#define LM_FIELD_BUCKETS_H

#include <stdint.h>

/* A list in buckets, one for each key, which is a colour and a row of the box here. Key k has the
 * entries begin[k] .. begin[k + 1] - 1. The first pass counts the entries of each key, and the
 * second one puts them. */
typedef struct lm_field_buckets {
    int64_t keys, count;
    int64_t *begin; /* [keys + 2] */
    int counted;
} lm_field_buckets;

/* Takes memory; returns 0 if there is none. */
int lm_field_buckets_make(lm_field_buckets *buckets, int64_t keys, const char *what);

/* The place of the next entry of a key in the list, or -1 in the first pass. */
int64_t lm_field_buckets_next(lm_field_buckets *buckets, int64_t key);

/* Ends the first pass; returns the number of entries. */
int64_t lm_field_buckets_counted(lm_field_buckets *buckets);

#endif
