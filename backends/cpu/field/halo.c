/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the halo of the nodes, equal or not, through one interface for all that sweep. */
#include <stdlib.h>

#include "backends/cpu/field/layout.h"

int lm_field_halo_make(lm_field_layout *l)
{
    return (!l->unequal || lm_field_masked_make(l)) && lm_field_moves_make(l);
}

void lm_field_halo_free(lm_field_layout *l)
{
    free(l->halo.moves);
    free(l->halo.orders);
    free(l->halo.buckets.begin);
    free(l->masked.list);
    free(l->masked.buckets.begin);
    l->halo = (lm_field_halo){.moves = NULL};
    l->masked = (lm_field_masked){.list = NULL};
}

/* ---- across the nodes' ends, without a halo */

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
    const int64_t begin = h->buckets.begin[first], count = h->buckets.begin[last] - begin;
    l->lane->moves.refresh(box, h->orders, h->moves + begin, count, 0);
}
