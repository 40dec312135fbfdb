/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Orders the entries of a list by a key. While entries are counted, begin[k + 2] is the number of
 * entries of key k. Their sums make begin[k + 1] the place of the first entry. Each entry that is
 * put moves that place on by one, and leaves the first place in begin[k].
 */
#include "backends/cpu/field/buckets.h"

#include "lib/base/memory.h"

int lm_field_buckets_make(lm_field_buckets *buckets, int64_t keys, const char *what)
{
    *buckets = (lm_field_buckets){.keys = keys};
    buckets->begin = lm_zeroed(NULL, what, keys + 2, sizeof *buckets->begin);
    return buckets->begin != NULL;
}

int64_t lm_field_buckets_next(lm_field_buckets *buckets, int64_t key)
{
    if (buckets->counted)
        return buckets->begin[key + 1]++;
    buckets->begin[key + 2]++;
    return -1;
}

int64_t lm_field_buckets_counted(lm_field_buckets *buckets)
{
    for (int64_t k = 0; k < buckets->keys; k++)
        buckets->begin[k + 2] += buckets->begin[k + 1];
    buckets->counted = 1;
    return buckets->count = buckets->begin[buckets->keys + 1];
}
