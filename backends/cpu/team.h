/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that share the work of a lattice. A team works in rounds (a colour, a measurement): its
 * members take chunks of the round until there are none left and then meet. A thread that
 * the host has put to sleep so holds up one chunk and not its share of the lattice.
 *
 * The chunks of a round are divided into parts, one for each thread, and a thread begins with its
 * own: what a core has in its cache it meets again in the next round. Then it helps the others.
 */
#ifndef LM_TEAM_H
#define LM_TEAM_H

#include <stdatomic.h>
#include <stdint.h>

#include "backends/cpu/barrier.h"

enum { LM_TEAM_PARTS = 64 }; /* more threads than that share parts */

/* Each on a cache line of its own. */
typedef struct lm_team_part {
    /* upper half: the round; lower half: the next chunk of the part */
    _Alignas(64) _Atomic uint64_t next;
} lm_team_part;

typedef struct lm_team {
    int threads, part_count;
    lm_barrier barrier;
    lm_team_part parts[LM_TEAM_PARTS];
} lm_team;

/* What a thread knows of its team. */
typedef struct lm_member {
    lm_team *team;
    int thread;     /* its number among all threads at work, those of other teams too */
    int leader;     /* one member is */
    uint32_t round; /* every member counts them alike */
    uint32_t next;  /* chunk of this round, in a team of one */
} lm_member;

/* A member's share in the work on items [first, last): lattices, or groups of them. */
typedef void lm_team_work(lm_member *m, const void *shared, int64_t first, int64_t last);

/* The number of threads that are wanted; 0 wants as many as OpenMP would take. */
int lm_team_threads(int wanted);

/* One team works on items [0, items). */
void lm_team_together(int threads, int64_t items, lm_team_work *work, const void *shared);

/* Each item has a team of one, which needs no barrier and stays in a core's cache. */
void lm_team_apart(int threads, int64_t items, lm_team_work *work, const void *shared);

/* A chunk of 0 .. chunks - 1 that nobody has taken in this round; 0 if there is none left. */
int lm_team_take(lm_member *m, int64_t chunks, int64_t *chunk);

/* Ends the round: waits for all members. */
void lm_team_meet(lm_member *m);

#endif
