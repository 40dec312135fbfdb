/* SPDX-License-Identifier: BSD-3-Clause */
/* The halo of the nodes, equal or not: one interface for who sweeps. */
#include <stdlib.h>

#include "backends/cpu/field/layout.h"
#include "lib/base/memory.h"

/* ---- lists by key
 *
 * While entries are counted begin[k + 2] is the number of key k's. Sums of these make begin[k + 1]
 * the place of its first entry; each that is put moves it on, and leaves what it was in begin[k].
 */

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

/* ---- the halo */

int lm_field_halo_make(lm_field_layout *l)
{
    return (!l->unequal || lm_field_masked_make(l)) && lm_field_moves_make(l);
}

void lm_field_halo_free(lm_field_layout *l)
{
    free(l->halo.moves);
    free(l->halo.orders);
    free(l->halo.index.begin);
    free(l->masked.list);
    free(l->masked.index.begin);
    l->halo = (lm_field_halo){.moves = NULL};
    l->masked = (lm_field_masked){.list = NULL};
}

/* ---- across the nodes' ends, without a halo */

int lm_field_reads_across(const lm_field_layout *l)
{
    int reads = l->lane->across && !l->map.halo;
    for (int a = 0; a < l->spec->dims; a++)
        reads &= l->spec->boundaries[a] == LATMC_PERIODIC;
    return reads;
}

/* Lanes without a node read themselves. */
static void find_lanes(const lm_field_layout *l, int axis, int step, int stride, int32_t *from)
{
    const int nodes = l->cuts[axis].nodes;
    for (int v = 0; v < LM_FIELD_MAX_REALS; v++) {
        const int k = v / stride % nodes, next = (k + step + nodes) % nodes;
        from[v] = v < l->box.nodes ? v + (next - k) * stride : v;
    }
}

void lm_field_across_make(lm_field_layout *l)
{
    int stride = 1;
    if (l->unequal || !lm_field_reads_across(l))
        return;
    for (int a = 0; a < l->spec->dims; a++) {
        find_lanes(l, a, -1, stride, l->across.from[a][LM_LOWER]);
        find_lanes(l, a, 1, stride, l->across.from[a][LM_UPPER]);
        stride *= l->cuts[a].nodes;
    }
    l->box.across = &l->across;
}

void lm_field_halo_refresh(const lm_field_layout *l, const lm_field_box *box, int64_t first,
                           int64_t last)
{
    const lm_field_halo *h = &l->halo;
    const int64_t begin = h->index.begin[first], count = h->index.begin[last] - begin;
    l->lane->moves.refresh(box, h->orders, h->moves + begin, count, 0);
}
