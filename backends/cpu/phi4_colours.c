/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sweep colour by colour, by all members of a team: in rounds, one for each colour, or in fronts.
 */
#include "backends/cpu/phi4_plan.h"

enum { CHUNKS_PER_THREAD = 24, CHUNK_SITES = 256 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Copies what rows [first, last) of all colours one after another have beyond the nodes. */
static void refresh(const lm_phi4_layout *l, const lm_phi4_box *box, int64_t first, int64_t last)
{
    const lm_phi4_ghosts *g = &l->ghosts;
    const lm_phi4_copies *c = &l->copies;
    if (l->uneven)
        l->lane->copy(box, c->list + c->begin[first], c->begin[last] - c->begin[first]);
    else
        l->lane->refresh(box, l->shifts, g->list + g->begin[first],
                         g->begin[last] - g->begin[first]);
}

static void refresh_all(lm_member *m, const lm_phi4_layout *l, const lm_phi4_box *box)
{
    int64_t colour;
    while (lm_team_take(m, box->colouring->colours, &colour))
        refresh(l, box, colour * box->rows, (colour + 1) * box->rows);
    lm_team_meet(m);
}

/* Rows of a chunk, of `all` that there are: enough chunks for threads to end together, none too
 * short for its price. */
static int64_t chunk_rows(const lm_member *m, const lm_phi4_box *box, int64_t all)
{
    const int64_t row_sites = box->extents[0] * box->nodes / box->colouring->colours + 1;
    const int64_t smallest = (CHUNK_SITES + row_sites - 1) / row_sites;
    const int64_t wanted = (int64_t)m->team->threads * CHUNKS_PER_THREAD;
    const int64_t even = (all + wanted - 1) / wanted;
    return even > smallest ? even : smallest;
}

/* ---- rounds */

/* Some rows of a colour, and what repeats them. */
static int64_t sweep_some(const lm_phi4_layout *l, const lm_phi4_box *box, lm_phi4_pass pass)
{
    const int64_t above = pass.colour * box->rows;
    const int64_t accepted = l->lane->update(box, &pass);
    refresh(l, box, above + pass.first_row, above + pass.last_row);
    return accepted;
}

/* One colour, as far as this member takes part in it. */
static int64_t sweep_round(lm_member *m, const lm_phi4_layout *l, const lm_phi4_box *box,
                           lm_phi4_pass pass)
{
    const int64_t rows = chunk_rows(m, box, box->rows), chunks = (box->rows + rows - 1) / rows;
    int64_t accepted = 0, chunk;
    while (lm_team_take(m, chunks, &chunk)) {
        pass.first_row = chunk * rows;
        pass.last_row = least(pass.first_row + rows, box->rows);
        accepted += sweep_some(l, box, pass);
    }
    return accepted;
}

/* Colour by colour: a round for each. */
static int64_t sweep_rounds(lm_member *m, const lm_phi4_layout *l, const lm_phi4_box *box,
                            lm_phi4_pass pass)
{
    const int last = box->colouring->colours - 1;
    int64_t accepted = 0;
    for (pass.colour = 0; pass.colour < last; pass.colour++) {
        accepted += sweep_round(m, l, box, pass);
        lm_team_meet(m);
    }
    return accepted + sweep_round(m, l, box, pass);
}

/* ---- fronts
 *
 * A lattice that no cache holds comes from memory once in each round. But if it is cut, across the
 * last axis, into slices as thick as the stencil reaches, a slice needs the next ones only, and of
 * these the colours before its own. So the colours may follow each other through the lattice, each
 * two slices behind the one before, and what a colour has read is still there for the next. The
 * slices of a front, one of each colour, do not need each other.
 *
 * Since the lattice has no end, each colour first keeps one slice more away from slice 0, on both
 * sides, than the one before; a second pass fills what was left.
 */

enum { LAG = 2 };

/* Slice (at - c LAG) of the colours c = first .. last. */
typedef struct front {
    int64_t at, slices;
    int first, last;
} front;

int64_t lm_phi4_slices(const lm_phi4_plan *p, const lm_phi4_layout *l, int threads)
{
    const lm_phi4_box *box = &l->box;
    if (box->dims == 1 || l->numbers * (int64_t)l->bytes < p->front_limits.field_bytes)
        return 0;
    const int64_t layers = box->extents[box->dims - 1];
    const int64_t sites = box->rows / layers * box->extents[0] * box->nodes; /* of a layer */
    const int64_t wanted = (threads * p->front_limits.front_sites + sites - 1) / sites;
    const int64_t slices = layers / (wanted > l->reach_layers ? wanted : l->reach_layers);
    return slices > 2 * (box->colouring->colours - 1) ? slices : 0;
}

/* One front, as far as this member takes part in it. Threads divide the rows of a layer, if there
 * are several, else the colours, so that what one writes is rarely what another reads next. The
 * last colour comes first, because any slices that did need each other would then show. */
static int64_t sweep_front(lm_member *m, const lm_phi4_layout *l, const lm_phi4_box *box,
                           lm_phi4_pass pass, const front *f)
{
    const int64_t layers = box->extents[box->dims - 1], rows = box->rows / layers;
    const int64_t colours = f->last - f->first + 1;
    const int64_t thickest = (layers + f->slices - 1) / f->slices;
    const int64_t wanted = chunk_rows(m, box, rows * thickest * colours);
    const int64_t step = least(wanted, rows);
    const int64_t deep = least(wanted / step, thickest); /* layers of a chunk */
    const int64_t pieces = (thickest + deep - 1) / deep;
    const int64_t chunks = (rows + step - 1) / step * colours * pieces;
    int64_t accepted = 0, chunk;
    while (lm_team_take(m, chunks, &chunk)) {
        const int64_t c = f->last - chunk / pieces % colours;
        const int64_t slice = (f->at - c * LAG + f->slices) % f->slices;
        const int64_t layer = slice * layers / f->slices + chunk % pieces * deep;
        const int64_t end = least(layer + deep, (slice + 1) * layers / f->slices);
        const int64_t first = chunk / pieces / colours * step;
        pass.colour = (int)c;
        pass.first_row = layer * rows + first;
        pass.last_row = (end - 1) * rows + least(first + step, rows);
        if (layer < end)
            accepted += sweep_some(l, box, pass);
    }
    return accepted;
}

/* Colour c of slices [c margin, end - c margin). */
static int64_t sweep_fronts(lm_member *m, const lm_phi4_layout *l, const lm_phi4_box *box,
                            lm_phi4_pass pass, int64_t slices, int64_t end, int margin)
{
    const int64_t last = box->colouring->colours - 1;
    int64_t accepted = 0;
    for (int64_t at = 0; at < end + last * (LAG - margin); at++) {
        const front f = {
            .at = at,
            .slices = slices,
            .first = at < end ? 0 : (int)((at - end) / (LAG - margin)) + 1,
            .last = (int)least(at / (LAG + margin), last),
        };
        if (f.first > f.last)
            continue;
        accepted += sweep_front(m, l, box, pass, &f);
        lm_team_meet(m);
    }
    return accepted;
}

/* Colour c first in slices [c, slices - c), then in [-c, c). */
static int64_t sweep_in_fronts(lm_member *m, const lm_phi4_layout *l, const lm_phi4_box *box,
                               lm_phi4_pass pass, int64_t slices)
{
    const int64_t most = sweep_fronts(m, l, box, pass, slices, slices, 1);
    return most + sweep_fronts(m, l, box, pass, slices, 0, -1);
}

/* ---- either way */

int64_t lm_phi4_sweep_colours(lm_member *m, lm_phi4_plan *p, int64_t replica,
                              const lm_phi4_pass *pass)
{
    const lm_phi4_layout *l = p->layout_of[replica];
    const lm_phi4_box box = lm_phi4_box_of(p, replica);
    const int64_t slices = lm_phi4_slices(p, l, m->team->threads);
    if (p->stale[replica]) {
        refresh_all(m, l, &box);
        if (m->leader)
            p->stale[replica] = 0; /* all have read it */
    }
    return slices ? sweep_in_fronts(m, l, &box, *pass, slices) : sweep_rounds(m, l, &box, *pass);
}
