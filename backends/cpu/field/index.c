/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists that are ordered by a key. While entries are counted, begin[k + 2] is the number of entries
 * of key k. Their sums make begin[k + 1] the place of the first entry. Each entry that is put moves
 * that place on by one, and leaves the first place in begin[k].
 */
#include "backends/cpu/field/index.h"

#include "lib/base/memory.h"

int lm_field_index_make(lm_field_index *index, int64_t keys, const char *what)
{
    *index = (lm_field_index){.keys = keys};
    index->begin = lm_zeroed(NULL, what, keys + 2, sizeof *index->begin);
    return index->begin != NULL;
}

int64_t lm_field_index_next(lm_field_index *index, int64_t key)
{
    if (index->counted)
        return index->begin[key + 1]++;
    index->begin[key + 2]++;
    return -1;
}

int64_t lm_field_index_counted(lm_field_index *index)
{
    for (int64_t k = 0; k < index->keys; k++)
        index->begin[k + 2] += index->begin[k + 1];
    index->counted = 1;
    return index->count = index->begin[index->keys + 1];
}
