/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies replicas onto others of a lattice that is divided into lots. A lot copies by itself what
 * stays in it. A replica that a lot wants from another lot goes through host memory, once for each
 * lot that wants it. All ranks look at all of `from`, so each knows what the others send, and in
 * which order: by the lots that want replicas, and then by the first replica that gets them.
 */
#include "lib/divide/copies.h"

#include <stdlib.h>

#include "lib/base/minmax.h"
#include "lib/base/memory.h"
#include "lib/divide/workers.h"

typedef struct copies {
    const lm_pieces *p;
    const int64_t *of_rank, *from;
    int64_t rows, bytes; /* of a replica */
    int64_t *seen;       /* [replica]: 1 + the last lot that wanted it */
    int64_t *place;      /* [replica]: where it is in `in`, for this lot */
    /* [rank], and one more: the ranks' first replicas in `out` and in `in` */
    int64_t *out_begin, *in_begin;
    int64_t *next; /* [2 ranks]: the next places in `out`, and in `in` */
    char *out, *in;
    /* Consecutive replicas of a lot here that cross next, and their first place in memory. */
    struct {
        int lot;
        int64_t first, count;
        char *at;
    } run;
    int into; /* 1: replicas go into lots */
    latmc_status status;
} copies;

/* Looks at replica r of a lot, which gets a replica of another lot. `again`: the lot has wanted the
 * other one before. */
typedef void visit(copies *c, int lot, int64_t r, int again);

static void walk(copies *c, visit *look)
{
    const lm_division *d = c->p->division;

    for (int64_t r = 0; r < c->p->whole.replicas; r++)
        c->seen[r] = 0;
    for (int lot = 0; lot < d->pieces; lot++)
        for (int64_t r = d->begin[lot]; r < d->begin[lot + 1] && !c->status; r++) {
            const int64_t s = c->from[r];
            const int again = c->seen[s] == lot + 1;

            if (s >= d->begin[lot] && s < d->begin[lot + 1])
                continue;
            c->seen[s] = lot + 1;
            look(c, lot, r, again);
        }
}

static int rank_of_lot(const copies *c, int lot)
{
    int rank = 0;

    while (c->p->division->of_rank[rank + 1] <= lot)
        rank++;
    return rank;
}

static int rank_of(const copies *c, int64_t replica)
{
    int rank = 0;

    while (c->of_rank[rank + 1] <= replica)
        rank++;
    return rank;
}

static int lot_of(const copies *c, int64_t replica)
{
    int lot = 0;

    while (c->p->division->begin[lot + 1] <= replica)
        lot++;
    return lot;
}

/* ---- what crosses */

/* Moves all replicas of a lot, or only takes the memory for that. */
static latmc_status cross(const copies *c, int lot, lm_crossing x)
{
    static const int bits[] = {
        [LM_IN_WORDS] = 8, [LM_AS_FLOATS] = 32, [LM_AS_DOUBLES] = 64, [LM_AS_BYTES] = 8};
    const lm_spec *s = &c->p->whole;

    x.workers = lm_workers;
    x.share = lm_workers_share;
    x.bits = bits[s->kept];
    x.rows = c->rows;
    x.layer_rows = s->dims > 1 ? c->rows / s->extents[s->dims - 1] : 1;
    x.layer_bytes = c->bytes / (c->rows / x.layer_rows);
    x.pitch = c->bytes;
    x.replica -= c->p->division->begin[lot];
    return lm_plan_cross(c->p->plans[lot - c->p->first], &x);
}

static void end_run(copies *c)
{
    const lm_crossing x = {.in = c->into ? c->run.at : NULL,
                           .out = c->into ? NULL : c->run.at,
                           .replica = c->run.first,
                           .replicas = c->run.count};

    if (c->run.count && !c->status)
        c->status = cross(c, c->run.lot, x);
    c->run.count = 0;
}

static void add_to_run(copies *c, int lot, int64_t replica, char *at)
{
    if (lot != c->run.lot || replica != c->run.first + c->run.count ||
        at != c->run.at + c->run.count * c->bytes)
        end_run(c);
    if (!c->run.count) {
        c->run.lot = lot;
        c->run.first = replica;
        c->run.at = at;
    }
    c->run.count++;
}

/* ---- visits */

/* Counts what ranks send here, and what goes to them. */
static void count(copies *c, int lot, int64_t r, int again)
{
    const int own = lm_ranks_own(c->p->ranks), here = rank_of_lot(c, lot);
    const int there = rank_of(c, c->from[r]);

    if (again)
        return;
    if (here == own)
        c->in_begin[there + 1]++;
    else if (there == own)
        c->out_begin[here + 1]++;
}

/* Reads what is here and is wanted by another lot. */
static void read_out(copies *c, int lot, int64_t r, int again)
{
    const int ranks = lm_ranks_count(c->p->ranks), own = lm_ranks_own(c->p->ranks);
    const int here = rank_of_lot(c, lot);

    if (again || rank_of(c, c->from[r]) != own)
        return;
    add_to_run(c, lot_of(c, c->from[r]), c->from[r],
               here == own ? c->in + c->next[ranks + own]++ * c->bytes
                           : c->out + c->next[here]++ * c->bytes);
}

static void put_in(copies *c, int lot, int64_t r, int again)
{
    const int ranks = lm_ranks_count(c->p->ranks);
    const int64_t s = c->from[r];

    if (rank_of_lot(c, lot) != lm_ranks_own(c->p->ranks))
        return;
    if (!again)
        c->place[s] = c->next[ranks + rank_of(c, s)]++;
    add_to_run(c, lot, r, c->in + c->place[s] * c->bytes);
}

/* ---- the steps */

static void begin_places(copies *c)
{
    const int ranks = lm_ranks_count(c->p->ranks);

    for (int k = 0; k < ranks; k++) {
        c->next[k] = c->out_begin[k];
        c->next[ranks + k] = c->in_begin[k];
    }
    c->run.count = 0;
}

/* Makes room for what crosses, and lets all lots take their memory. Nothing fails for lack of
 * memory later. */
static latmc_status prepare(copies *c)
{
    const lm_pieces *p = c->p;
    const int ranks = lm_ranks_count(p->ranks);

    walk(c, count);
    for (int k = 0; k < ranks; k++) {
        c->out_begin[k + 1] += c->out_begin[k];
        c->in_begin[k + 1] += c->in_begin[k];
    }
    c->out = lm_unzeroed(NULL, "replicas on their way", c->out_begin[ranks], (size_t)c->bytes);
    c->in = lm_unzeroed(NULL, "replicas on their way", c->in_begin[ranks], (size_t)c->bytes);
    if (!c->out || !c->in)
        return LATMC_ERROR_MEMORY;
    for (int i = 0; i < p->count && !c->status; i++) {
        const int lot = p->first + i;
        const int64_t first = p->division->begin[lot];
        const lm_crossing all = {.in = c->in,
                                 .prepares = 1,
                                 .replica = first,
                                 .replicas = p->division->begin[lot + 1] - first};

        c->status = cross(c, lot, all);
        if (!c->status)
            c->status = lm_plan_copy(p->plans[i], NULL);
    }
    return c->status;
}

/* Reads replicas out of lots, or puts them into lots. */
static latmc_status move_all(copies *c, int into)
{
    c->into = into;
    begin_places(c);
    walk(c, into ? put_in : read_out);
    end_run(c);
    return c->status;
}

/* Lots copy what stays in them. Replicas that get one of another lot keep their own for now. */
static latmc_status copy_within(copies *c)
{
    const lm_pieces *p = c->p;

    for (int i = 0; i < p->count && !c->status; i++) {
        const int64_t first = p->division->begin[p->first + i];
        const int64_t end = p->division->begin[p->first + i + 1];

        for (int64_t r = first; r < end; r++)
            c->place[r - first] =
                (c->from[r] >= first && c->from[r] < end ? c->from[r] : r) - first;
        c->status = lm_plan_copy(p->plans[i], c->place);
    }
    return c->status;
}

static latmc_status make_lists(copies *c)
{
    const int64_t replicas = c->p->whole.replicas;
    const int ranks = lm_ranks_count(c->p->ranks);

    c->seen = lm_zeroed(NULL, "replicas to copy", replicas, sizeof *c->seen);
    c->place = lm_zeroed(NULL, "replicas to copy", replicas, sizeof *c->place);
    c->out_begin = lm_zeroed(NULL, "replicas of ranks", ranks + 1, sizeof *c->out_begin);
    c->in_begin = lm_zeroed(NULL, "replicas of ranks", ranks + 1, sizeof *c->in_begin);
    c->next = lm_zeroed(NULL, "replicas of ranks", 2 * ranks, sizeof *c->next);
    return c->seen && c->place && c->out_begin && c->in_begin && c->next ? LATMC_OK
                                                                         : LATMC_ERROR_MEMORY;
}

static void free_all(copies *c)
{
    free(c->seen);
    free(c->place);
    free(c->out_begin);
    free(c->in_begin);
    free(c->next);
    free(c->out);
    free(c->in);
}

static latmc_status copy(copies *c)
{
    lm_ranks *const ranks = c->p->ranks;
    latmc_status status = make_lists(c);

    if (!status)
        status = prepare(c);
    if (!status)
        status = move_all(c, 0);
    status = lm_ranks_agree(ranks, status);
    if (!status)
        status = lm_ranks_exchange(
            ranks, &(lm_ranks_parts){c->out, c->in, c->out_begin, c->in_begin, c->bytes});
    if (!status)
        status = copy_within(c);
    if (!status)
        status = move_all(c, 1);
    return lm_ranks_agree(ranks, status);
}

latmc_status lm_lots_copy(const lm_pieces *p, const int64_t *of_rank, const int64_t *from)
{
    copies c = {.p = p, .of_rank = of_rank, .from = from, .rows = 1};
    latmc_status status;

    for (int a = 1; a < p->whole.dims; a++)
        c.rows *= p->whole.extents[a];
    c.bytes = c.rows * lm_pieces_row_bytes(&p->whole);
    status = copy(&c);
    free_all(&c);
    return status;
}
