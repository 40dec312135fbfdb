/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps colour by colour, by all members of a team: in laps, one for each colour, or in fronts.
 */
#include "backends/cpu/field/plan.h"
#include "lib/base/minmax.h"

/* The chunks for each of several threads, and the least sites of a chunk. One thread need not wait
 * for another. Its chunks have about LONE_CHUNK_SITES, whose copies a core still finds in its own
 * cache. */
enum { CHUNKS_PER_THREAD = 12, CHUNK_SITES = 256, LONE_CHUNK_SITES = 16384 };

/* What the laps of a sweep work on. `pass` lacks colour and rows. */
typedef struct field {
    lm_field_plan *plan;
    int64_t replica;
    const lm_field_layout *layout;
    const lm_field_box *box;
    const lm_field_pass *pass;
} field;

static void count(const field *f, int64_t accepted)
{
    atomic_fetch_add(&f->plan->counted[f->replica], accepted);
}

static void refresh_some(lm_member *m, const void *shared)
{
    const field *f = shared;
    int64_t colour;
    while (lm_team_take(m, f->box->colouring->colours, &colour))
        lm_field_halo_refresh(f->layout, f->box, colour * f->box->rows,
                              (colour + 1) * f->box->rows);
}

/* Returns the rows of a chunk, of `all` rows. There are enough chunks for threads to end together,
 * and none is too short for its cost. */
int64_t lm_field_chunk_rows(const lm_team *team, const lm_field_box *box, int64_t all)
{
    const int64_t row_sites = box->extents[0] * box->nodes / box->colouring->colours + 1;
    const int64_t sites = team->threads == 1 ? LONE_CHUNK_SITES : CHUNK_SITES;
    const int64_t smallest = (sites + row_sites - 1) / row_sites;
    if (team->threads == 1)
        return smallest;
    const int64_t wanted = (int64_t)team->threads * CHUNKS_PER_THREAD;
    const int64_t even = (all + wanted - 1) / wanted;
    return even > smallest ? even : smallest;
}

/* ---- laps */

/* Sweeps some rows of a colour, and copies the places that repeat them unless nothing reads
 * those. */
static int64_t sweep_rows(const field *f, int colour, int64_t first, int64_t last)
{
    const int64_t above = colour * f->box->rows;
    lm_field_pass pass = *f->pass;
    pass.colour = colour;
    pass.first_row = first;
    pass.last_row = last;
    const int64_t accepted = f->layout->lane->update(f->box, &pass);
    if (!pass.across)
        lm_field_halo_refresh(f->layout, f->box, above + pass.first_row, above + pass.last_row);
    return accepted;
}

/* One colour of rows [first, last). */
typedef struct colour_rows {
    const field *field;
    int colour;
    int64_t first, last;
} colour_rows;

static void sweep_colour(lm_member *m, const void *shared)
{
    const colour_rows *r = shared;
    const int64_t all = r->last - r->first, rows = lm_field_chunk_rows(m->team, r->field->box, all);
    int64_t accepted = 0, chunk;
    while (lm_team_take(m, (all + rows - 1) / rows, &chunk))
        accepted += sweep_rows(r->field, r->colour, r->first + chunk * rows,
                               r->first + lm_min((chunk + 1) * rows, all));
    count(r->field, accepted);
}

static void sweep_in_laps(lm_team *team, const field *f)
{
    for (int colour = 0; colour < f->box->colouring->colours; colour++)
        lm_team_lap(team, sweep_colour,
                    &(colour_rows){.field = f, .colour = colour, .last = f->box->rows});
}

/* ---- fronts
 *
 * A lattice that no cache holds comes from memory once in each lap. But it can be cut, across the
 * last axis, into slices as thick as the stencil reaches. A slice then reads only the next slices,
 * and of them only the colours before its own. So the colours may follow each other through the
 * lattice, each two slices behind the one before. What a colour has read is then still in the cache
 * for the next colour. The slices of a front, one of each colour, do not read each other.
 *
 * The lattice has no end. So each colour first stays one slice further away from slice 0, on both
 * sides, than the one before. A second pass fills what was left. */

enum { LAG = 2 };

/* Slice (at - c LAG) of the colours c = first .. last. */
typedef struct front {
    const field *field;
    int64_t at, slices;
    int first, last;
} front;

int64_t lm_field_slices(const lm_field_plan *p, int threads)
{
    const lm_field_layout *l = &p->layout;
    const lm_field_box *box = &l->box;
    if (box->dims == 1 || !lm_field_is_far(p))
        return 0;
    const int64_t layers = box->extents[box->dims - 1];
    const int64_t sites = box->rows / layers * box->extents[0] * box->nodes; /* of a layer */
    const int64_t wanted = (threads * p->front_limits.front_sites + sites - 1) / sites;
    const int64_t slices = layers / (wanted > l->reach_layers ? wanted : l->reach_layers);
    return slices > 2 * (box->colouring->colours - 1) ? slices : 0;
}

/* How threads divide a front. The rows of a layer form strips, if there are several. Otherwise the
 * layers of a slice form segments. So one thread rarely writes what another one reads next. */
typedef struct cuts {
    int64_t layer_rows, strip_rows, segment_layers;
    int64_t strips, segments, colours;
} cuts;

static cuts cuts_of(const lm_team *team, const front *f)
{
    const lm_field_box *box = f->field->box;
    const int64_t layers = box->extents[box->dims - 1], rows = box->rows / layers;
    const int64_t thickest = (layers + f->slices - 1) / f->slices;
    cuts c = {.layer_rows = rows, .colours = f->last - f->first + 1};
    const int64_t wanted = lm_field_chunk_rows(team, box, rows * thickest * c.colours);
    c.strip_rows = lm_min(wanted, rows);
    c.segment_layers = lm_min(wanted / c.strip_rows, thickest);
    c.strips = (rows + c.strip_rows - 1) / c.strip_rows;
    c.segments = (thickest + c.segment_layers - 1) / c.segment_layers;
    return c;
}

/* Sweeps chunk number n, a segment of a strip. The last colour comes first, because slices that did
 * read each other would then show. */
static int64_t sweep_chunk(const front *f, const cuts *c, int64_t n)
{
    const lm_field_box *box = f->field->box;
    const int64_t segment = n % c->segments, strip = n / c->segments / c->colours;
    const int64_t colour = f->last - n / c->segments % c->colours;
    const int64_t slice = (f->at - colour * LAG + f->slices) % f->slices;
    const int64_t layers = box->extents[box->dims - 1], first = strip * c->strip_rows;
    const int64_t layer = slice * layers / f->slices + segment * c->segment_layers;
    const int64_t end = lm_min(layer + c->segment_layers, (slice + 1) * layers / f->slices);
    if (layer >= end)
        return 0;
    return sweep_rows(f->field, (int)colour, layer * c->layer_rows + first,
                      (end - 1) * c->layer_rows + lm_min(first + c->strip_rows, c->layer_rows));
}

static void sweep_front(lm_member *m, const void *shared)
{
    const front *f = shared;
    const cuts c = cuts_of(m->team, f);
    int64_t accepted = 0, chunk;
    while (lm_team_take(m, c.strips * c.colours * c.segments, &chunk))
        accepted += sweep_chunk(f, &c, chunk);
    count(f->field, accepted);
}

/* Sweeps colour c of slices [c margin, end - c margin). */
static void sweep_fronts(lm_team *team, const field *field, int64_t slices, int64_t end, int margin)
{
    const int64_t last = field->box->colouring->colours - 1;
    for (int64_t at = 0; at < end + last * (LAG - margin); at++) {
        const front f = {
            .field = field,
            .at = at,
            .slices = slices,
            .first = at < end ? 0 : (int)((at - end) / (LAG - margin)) + 1,
            .last = (int)lm_min(at / (LAG + margin), last),
        };
        if (f.first <= f.last)
            lm_team_lap(team, sweep_front, &f);
    }
}

/* Sweeps colour c first in slices [c, slices - c), then in [-c, c). */
static void sweep_in_fronts(lm_team *team, const field *f, int64_t slices)
{
    sweep_fronts(team, f, slices, slices, 1);
    sweep_fronts(team, f, slices, 0, -1);
}

/* ---- a whole sweep, either way, or some of it */

void lm_field_refresh(lm_team *team, lm_field_plan *p, int64_t replica)
{
    const lm_field_box box = lm_field_box_of(p, replica);
    const field f = {.plan = p, .replica = replica, .layout = &p->layout, .box = &box};
    if (p->stale[replica])
        lm_team_lap(team, refresh_some, &f);
    p->stale[replica] = 0;
}

/* Prepares the halo as a sweep reads it and leaves it. */
static void prepare_halo(lm_team *team, lm_field_plan *p, int64_t replica,
                         const lm_field_pass *pass)
{
    if (pass->across)
        p->stale[replica] = 1;
    else
        lm_field_refresh(team, p, replica);
}

void lm_field_sweep_colours(lm_team *team, lm_field_plan *p, int64_t replica,
                            const lm_field_pass *pass)
{
    const lm_field_box box = lm_field_box_of(p, replica);
    const field f = {
        .plan = p, .replica = replica, .layout = &p->layout, .box = &box, .pass = pass};
    const int64_t slices = lm_field_slices(p, team->threads);
    prepare_halo(team, p, replica, pass);
    if (slices)
        sweep_in_fronts(team, &f, slices);
    else
        sweep_in_laps(team, &f);
}

void lm_field_sweep_rows(lm_team *team, lm_field_plan *p, int64_t replica,
                         const lm_field_pass *pass)
{
    const lm_field_box box = lm_field_box_of(p, replica);
    const field f = {
        .plan = p, .replica = replica, .layout = &p->layout, .box = &box, .pass = pass};
    const colour_rows all = {
        .field = &f, .colour = pass->colour, .first = pass->first_row, .last = pass->last_row};
    prepare_halo(team, p, replica, pass);
    lm_team_lap(team, sweep_colour, &all);
}
