/* SPDX-License-Identifier: BSD-3-Clause */
/* What exchanges come to, counted from the slots as a user sees them: of each replica's walk the
 * ends that it was at are kept, one after another, and round trips are read off at last. */
#ifndef TESTS_NAIVE_WALKS_H
#define TESTS_NAIVE_WALKS_H

#include "tests/models/suite.h"

/* Ends that follow each other are different ones: so the first and how many say all. */
typedef struct naive_walk {
    int first;    /* 1: the walk's first end is the sample's first slot, 0 its last */
    int64_t ends; /* 0: at neither so far */
} naive_walk;

typedef struct naive_walks {
    int64_t n, each;
    int64_t *slots; /* before the next exchange */
    int64_t *offered, *accepted, *from_first, *from_last;
    naive_walk *walks;
} naive_walks;

static inline int is_at_first(const naive_walk *w)
{
    return w->ends % 2 ? w->first : !w->first;
}

static inline void walk_visit(naive_walks *w, int64_t replica)
{
    const int64_t place = w->slots[replica] % w->each;
    naive_walk *walk = &w->walks[replica];

    if (w->each == 1 || (place != 0 && place != w->each - 1))
        return;
    if (!walk->ends)
        walk->first = place == 0;
    if (!walk->ends || is_at_first(walk) != (place == 0))
        walk->ends++;
}

static inline void naive_begin(naive_walks *w, const latmc_lattice *lattice, int64_t each)
{
    *w = (naive_walks){.n = info_of(lattice).replicas, .each = each};
    w->slots = suite_room(5 * w->n, sizeof *w->slots);
    memset(w->slots, 0, (size_t)(5 * w->n) * sizeof *w->slots);
    w->offered = w->slots + w->n;
    w->accepted = w->offered + w->n;
    w->from_first = w->accepted + w->n;
    w->from_last = w->from_first + w->n;
    w->walks = suite_room(w->n, sizeof *w->walks);
    memset(w->walks, 0, (size_t)w->n * sizeof *w->walks);
    ok(latmc_get_slots(lattice, w->slots));
    for (int64_t r = 0; r < w->n; r++)
        walk_visit(w, r);
}

static inline void naive_end(naive_walks *w)
{
    free(w->slots);
    free(w->walks);
}

/* After exchange number k, which left these slots. */
static inline void naive_exchange(naive_walks *w, int64_t k, const int64_t *slots)
{
    for (int64_t s = 0; s < w->n; s++)
        w->offered[s] += s % w->each % 2 == k % 2 && s % w->each + 1 < w->each;
    for (int64_t r = 0; r < w->n; r++) {
        if (slots[r] > w->slots[r])
            w->accepted[w->slots[r]]++;
        w->slots[r] = slots[r];
        walk_visit(w, r);
        if (w->walks[r].ends && is_at_first(&w->walks[r]))
            w->from_first[slots[r]]++;
        else if (w->walks[r].ends)
            w->from_last[slots[r]]++;
    }
}

/* From the first slot to the last and back: two ends more, beginning with the first. */
static inline int64_t naive_round_trips(const naive_walk *w)
{
    const int64_t before = w->ends && !w->first;

    return w->ends - before < 1 ? 0 : (w->ends - before - 1) / 2;
}

/* The library's counts are these; how many round trips there were. */
static inline int64_t naive_compare(const naive_walks *w, const latmc_lattice *lattice)
{
    int64_t *counts = suite_room(5 * w->n, sizeof *counts), *trips = counts + 4 * w->n, all = 0;

    ok(latmc_get_exchange_counts(lattice, counts, counts + w->n));
    ok(latmc_get_walks(lattice, counts + 2 * w->n, counts + 3 * w->n));
    ok(latmc_get_round_trips(lattice, trips));
    for (int64_t i = 0; i < 4 * w->n; i++)
        if (counts[i] != w->offered[i])
            fail_msg("count %d of slot %d is %d, not %d", (int)(i / w->n), (int)(i % w->n),
                     (int)counts[i], (int)w->offered[i]);
    for (int64_t r = 0; r < w->n; r++) {
        if (trips[r] != naive_round_trips(&w->walks[r]))
            fail_msg("replica %d has made %d round trips, not %d", (int)r, (int)trips[r],
                     (int)naive_round_trips(&w->walks[r]));
        all += trips[r];
    }
    free(counts);
    return all;
}

#endif
