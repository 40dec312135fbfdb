/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that share the work of a call. The caller goes through it in rounds (a colour, a
 * measurement), one after another; in a round all members do the same task, which takes chunks
 * of it until there are none left. The caller is a member itself, and the only one that is sure to
 * come: the others join a round when they come, and a round is over when all its chunks are done.
 * So a thread that the host does not run holds up one chunk, and not its share of the lattice.
 *
 * The chunks of a round are divided into parts, one for each thread, and a thread begins with its
 * own: what a core has in its cache it meets again in the next round. Then it helps the others.
 */
#ifndef LM_TEAM_H
#define LM_TEAM_H

#include <stdatomic.h>
#include <stdint.h>

#include "backends/backend.h"
#include "backends/cpu/team/crew.h"

enum { LM_TEAM_PARTS = 64 }; /* more threads than that share parts */

/* Each on a cache line of its own. */
typedef struct lm_team_part {
    /* upper half: the round; lower half: the next chunk of the part */
    _Alignas(64) _Atomic uint64_t next;
} lm_team_part;

typedef struct lm_member lm_member;

/* A member's share in a round. */
typedef void lm_team_task(lm_member *m, const void *shared);

typedef struct lm_team {
    int threads; /* that may take part */
    int first;   /* the caller's number */
    /* Written by the caller between rounds, when no other member is at work. */
    uint32_t round;
    lm_team_task *task;
    const void *shared;
    _Atomic int came; /* in this round, where that is waited for */
    int64_t next;     /* chunk of this round, in a team of one */
    lm_worker *workers;
    int part_count;
    lm_team_part parts[LM_TEAM_PARTS]; /* not in a team of one */
} lm_team;

/* What a thread knows of its team in a round. */
struct lm_member {
    lm_team *team;
    int thread; /* its number among all threads of the call */
};

/* The most threads that a call of so many nanoseconds may have, if `wanted` were set: 0 wants as
 * many as OpenMP would take, but not more than processors that the caller may use. Both are looked
 * at in every call that is worth the look. */
int lm_team_most(int wanted, double call);

/* What makes threads worth while, in nanoseconds of work for one thread. Tests set it to 0, so that
 * small lattices are shared, too. */
typedef struct lm_team_worth {
    double call;        /* the least call that more than one thread share */
    double call_share;  /* the least that a thread has of a call */
    double round_share; /* and of a round: some times the price of calling it */
    double chunk;       /* the least chunk of a round */
} lm_team_worth;
extern lm_team_worth lm_worth;

/* Tests: no member begins a round before all have come, so that they do meet. */
extern int lm_team_waits;

/* How many threads, of `most`, a call of so many nanoseconds in rounds of so many should have. */
int lm_team_size(int most, double call, double round);

/* A team of at most `threads`, of `most` that the call may have. Those that were set the caller
 * gets, if the host can make them; else callers share what makes `most` for one. */
void lm_team_gather(lm_team *team, int set, int most, int threads);
void lm_team_dismiss(lm_team *team);

/* A team of one, which a thread of that number is. */
void lm_team_alone(lm_team *team, int thread);

/* A round: every member that comes does the task. Returns when all that have begun are done. */
void lm_team_round(lm_team *team, lm_team_task *task, const void *shared);

/* A chunk of 0 .. chunks - 1 that nobody has taken in this round; 0 if there is none left. All
 * members ask with the same `chunks`. */
int lm_team_take(lm_member *m, int64_t chunks, int64_t *chunk);

/* lm_backend.hands and .share. */
int lm_team_hands(int set, double nanoseconds);
void lm_team_share(int set, int hands, int64_t count, lm_chore *chore, void *user);

#endif
