/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the sites of nodes of unequal extents (cuts.c). At a place not all nodes need have a site
 * of one colour. So there is a list of the places of each colour, with the nodes that have a site
 * there.
 */
#include <stdlib.h>

#include "backends/cpu/field/layout.h"
#include "lib/base/memory.h"
#include "lib/physics/geometry.h"

/* The nodes with a site of a colour at each place of some row, and the colours that occur. */
typedef struct row_masks {
    uint32_t *mask; /* [colour][extent along axis 0] */
    unsigned char *occurs;
} row_masks;

/* Marks the sites that node v has in the row at x[1 ..], each in the mask of its colour. */
static void mark_sites_of_node(const lm_field_layout *l, const lm_colouring *c, const int64_t *x,
                               int v, row_masks *m)
{
    const lm_field_node n = lm_field_node_of(l, v);
    int sum = 0, far = 0;
    for (int a = l->spec->dims - 1; a > 0; a--) {
        const int64_t at = n.begin[a] + x[a];
        if (at >= n.end[a])
            return;
        sum += c->sum[a][at];
        far = far * c->far_numbers[a] + c->far[a][at];
    }
    for (int64_t at = n.begin[0]; at < n.end[0]; at++) {
        const int colour = (sum + c->sum[0][at]) % c->modulus +
                           c->modulus * (far * c->far_numbers[0] + c->far[0][at]);
        m->occurs[colour] = 1;
        m->mask[colour * l->box.extents[0] + at - n.begin[0] + n.shift] |= (uint32_t)1 << v;
    }
}

/* Takes a row's places, in either pass of the index. It leaves the masks 0. */
static void take_row(const lm_field_layout *l, const lm_colouring *c, int64_t row, row_masks *m,
                     lm_field_masked *to)
{
    const int64_t extent = l->box.extents[0];
    for (int colour = 0; colour < c->colours; colour++) {
        uint32_t *mask = m->mask + colour * extent;
        for (int64_t x = 0; m->occurs[colour] && x < extent; x++) {
            if (!mask[x])
                continue;
            const int64_t at = lm_field_buckets_next(&to->buckets, colour * l->box.rows + row);
            if (at >= 0)
                to->list[at] = (lm_field_masked_place){(int32_t)x, mask[x]};
            mask[x] = 0;
        }
        m->occurs[colour] = 0;
    }
}

static void visit_rows(const lm_field_layout *l, const lm_colouring *c, row_masks *m,
                       lm_field_masked *to)
{
    for (int64_t row = 0; row < l->box.rows; row++) {
        int64_t x[LATMC_MAX_DIMS] = {0};
        lm_coordinates(row, 1, l->spec->dims, l->box.extents, x);
        for (int v = 0; v < l->box.nodes; v++)
            mark_sites_of_node(l, c, x, v, m);
        take_row(l, c, row, m, to);
    }
}

int lm_field_masked_make(lm_field_layout *l)
{
    static const char what[] = "the places of each colour";
    const lm_colouring *c = &l->classes.colouring;
    lm_field_masked *to = &l->masked;
    row_masks m = {lm_zeroed(NULL, what, c->colours * l->box.extents[0], sizeof *m.mask),
                   lm_zeroed(NULL, what, c->colours, 1)};
    if (m.mask && m.occurs && lm_field_buckets_make(&to->buckets, c->colours * l->box.rows, what)) {
        visit_rows(l, c, &m, to);
        to->list =
            lm_zeroed(NULL, what, lm_field_buckets_counted(&to->buckets) + 1, sizeof *to->list);
        if (to->list)
            visit_rows(l, c, &m, to);
    }
    free(m.mask);
    free(m.occurs);
    return to->list != NULL;
}
