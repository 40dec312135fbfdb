/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes boundary layers of a slab to the halo of its neighbour. A layer of places includes what
 * lies beyond the nodes along the other axes. It has the same memory in both slabs if these axes
 * are cut alike. After a colour, only the colour's places and their copies have changed.
 */
#include <string.h>

#include "backends/cpu/field/plan.h"
#include "lib/physics/geometry.h"

int lm_field_factor_beyond(const lm_spec *s, lm_side side)
{
    const int axis = s->dims - 1;
    int64_t layer = side == LM_LOWER ? s->first_layer - 1 : s->first_layer + s->layers;
    return lm_fold(lm_end_factor(s->boundaries[axis]), s->extents[axis], &layer);
}

void lm_field_refresh_side(const lm_field_plan *p, int64_t replica, lm_side side)
{
    const lm_field_box box = lm_field_box_of(p, replica);
    const int64_t places = lm_field_halo_side(&p->layout, side);
    lm_field_halo_refresh(&p->layout, &box, places, places + 1);
}

static int cut_alike(const lm_field_cut *a, const lm_field_cut *b)
{
    return a->nodes == b->nodes &&
           memcmp(a->begin, b->begin, ((size_t)a->nodes + 1) * sizeof *a->begin) == 0 &&
           memcmp(a->shift, b->shift, (size_t)a->nodes * sizeof *a->shift) == 0;
}

/* Layers beyond an antiperiodic end must change their sign on the way. */
int lm_field_connect(void *plan, lm_side side, void *peer)
{
    lm_field_plan *p = plan;
    const lm_field_plan *to = peer;
    int alike = to && p->lane == to->lane && lm_field_factor_beyond(&p->spec, side) >= 0;
    for (int a = 0; alike && a < p->spec.dims - 1; a++)
        alike = cut_alike(&p->layout.cuts[a], &to->layout.cuts[a]);
    p->peers[side] = alike ? peer : NULL;
    return alike;
}

/* Some layers of a replica, and where their first row begins here and in the neighbour. */
typedef struct handed_layers {
    const lm_field_plan *from;
    const char *ours;
    char *theirs;
    int64_t first; /* the first layer's number in its own slab */
} handed_layers;

/* Returns place 0 of a layer, without what lies before it in its own layer. */
static char *layer_of(const lm_field_plan *p, int64_t replica, int64_t layer)
{
    const lm_field_box *b = &p->layout.box;
    const int64_t number = b->planes * layer * b->stride[b->dims - 1];
    return (char *)lm_field_of(p, replica) + number * (int64_t)p->bytes;
}

/* Copies places with all their components. `at` and `numbers` are those of one component, from
 * place 0 of the first layer on. */
static void copy(const handed_layers *l, int64_t at, int64_t numbers)
{
    const int64_t bytes = l->from->layout.box.planes * (int64_t)l->from->bytes;
    memcpy(l->theirs + at * bytes, l->ours + at * bytes, (size_t)(numbers * bytes));
}

static void bring_all(const handed_layers *l)
{
    const lm_field_box *b = &l->from->layout.box;
    const int last = b->dims - 1;
    copy(l, b->reach * b->stride[last] - b->place0, b->reach * b->stride[last]);
}

/* Copies the places of a colour in a row of the box. */
static void bring_row(const handed_layers *l, int colour, int64_t row)
{
    const lm_field_box *b = &l->from->layout.box;
    int64_t x[LATMC_MAX_DIMS] = {0}, at = -l->first * b->stride[b->dims - 1];
    lm_coordinates(row, 1, b->dims, b->extents, x);
    for (int a = 1; a < b->dims; a++)
        at += x[a] * b->stride[a];
    if (b->masked) {
        const int64_t *begin = b->masked_begin + colour * b->rows + row;
        for (int64_t i = begin[0]; i < begin[1]; i++)
            copy(l, at + b->masked[i].x * b->stride[0], b->stride[0]);
        return;
    }
    const int class = lm_colour_class_in_row(b->colouring, colour, x);
    for (int64_t i = b->class_begin[class < 0 ? 0 : class];
         class >= 0 && i < b->class_begin[class + 1]; i++)
        copy(l, at + b->xs[i] * b->stride[0], b->stride[0]);
}

/* Copies what repeats the sites of a colour in some rows. It lies in the same layers. */
static void bring_repeated(const handed_layers *l, int colour, int64_t row, int64_t rows)
{
    const lm_field_layout *layout = &l->from->layout;
    const lm_field_box *b = &layout->box;
    const int64_t *begin = layout->halo.buckets.begin + colour * b->rows + row;
    const int64_t first = l->first * b->stride[b->dims - 1];
    for (int64_t i = begin[0]; i < begin[rows]; i++)
        copy(l, layout->halo.moves[i].to - first, b->stride[0]);
}

static void bring_colour(const handed_layers *l, int colour)
{
    const lm_field_box *b = &l->from->layout.box;
    const int64_t rows = b->rows / l->from->layers, first = l->first * rows;
    for (int64_t row = first; row < first + b->reach * rows; row++)
        bring_row(l, colour, row);
    bring_repeated(l, colour, first, b->reach * rows);
}

/* After tiles, the places that repeat sites are not up to date. */
static void bring(const lm_field_plan *from, lm_side side, int update, int phase)
{
    lm_field_plan *to = from->peers[side];
    const int all = lm_field_is_tiled(from, update);
    const int64_t first = side == LM_UPPER ? from->layers - to->spec.reach : 0;
    const int64_t place = side == LM_UPPER ? -(int64_t)to->spec.reach : to->layers;
    for (int64_t r = 0; r < to->spec.replicas; r++) {
        const handed_layers l = {.from = from,
                                 .ours = layer_of(from, r, first),
                                 .theirs = layer_of(to, r, place),
                                 .first = first};
        if (all)
            bring_all(&l);
        else
            bring_colour(&l, phase);
        if (from->stale[r])
            lm_field_refresh_side(to, r, lm_other_side(side));
    }
}

/* Beyond an open end the halo stays 0. */
void lm_field_bring(const lm_field_plan *p, int update, int phase)
{
    for (int side = LM_LOWER; side <= LM_UPPER; side++)
        if (p->peers[side] && lm_field_factor_beyond(&p->spec, (lm_side)side))
            bring(p, (lm_side)side, update, phase);
}
