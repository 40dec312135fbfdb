/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares teams, whose threads share the work of a call. The caller goes through the work in laps
 * (a colour, a measurement), one after another. In a lap all members do the same task, which takes
 * chunks until none are left. The caller is a member itself, and the only one that is sure to come.
 * The others join a lap when they come. A lap is over when all its chunks are done. So a thread
 * that the host does not run delays one chunk, and not its share of the lattice.
 *
 * The chunks of a lap are divided into shares, one for each thread. A thread begins with its own
 * share, because its core finds the same data in its cache in the next lap. Then it helps the
 * others.
 */
#ifndef LM_TEAM_H
#define LM_TEAM_H

#include <stdatomic.h>
#include <stdint.h>

#include "backends/backend.h"
#include "backends/cpu/team/crew.h"

enum { LM_TEAM_SHARES = 64 }; /* of more threads, several have one share */

/* Each share is on a cache line of its own. */
typedef struct lm_thread_share {
    /* upper half: the lap; lower half: the share's next chunk */
    _Alignas(64) _Atomic uint64_t next;
} lm_thread_share;

typedef struct lm_member lm_member;

/* Does a member's share of a lap. */
typedef void lm_team_task(lm_member *m, const void *shared);

typedef struct lm_team {
    int threads; /* that may take part */
    int first;   /* the caller's number */
    /* The caller writes these between laps, when no other member is at work. */
    uint32_t lap;
    lm_team_task *task;
    const void *shared;
    _Atomic int came; /* members that came in this lap, if that is waited for */
    int64_t next;     /* next chunk of this lap, in a team of one */
    lm_worker *workers;
    int share_count;
    lm_thread_share shares[LM_TEAM_SHARES]; /* not used in a team of one */
} lm_team;

/* What a thread knows of its team in a lap. */
struct lm_member {
    lm_team *team;
    int thread; /* its number among all threads of the call */
};

/* Returns the most threads for a call of `call` nanoseconds. `wanted` is the number that was set. 0
 * allows as many as OpenMP would take, but not more than the processors that the caller may use.
 * The function looks at both in every call that is long enough. */
int lm_team_most(int wanted, double call);

/* What makes threads worth while, in nanoseconds of work for one thread. Tests set it to 0, so
 * small lattices are shared, too. */
typedef struct lm_team_worth {
    double call;       /* the shortest call that several threads share */
    double call_share; /* the least work of a thread in a call */
    double lap_share;  /* the least work of a thread in a lap: some times the cost of calling it
                        */
    double chunk;      /* the least chunk of a lap */
} lm_team_worth;
extern lm_team_worth lm_worth;

/* For tests. If set, no member begins a lap before all have come, so they do meet. */
extern int lm_team_waits;

/* Returns how many threads, of `most`, a call should have. Times are in nanoseconds. */
int lm_team_size(int most, double call, double lap);

/* Gathers a team of at most `threads`, of `most` that the call may have. If a number was `set`, the
 * caller gets as many, if the host can make them. Otherwise all callers share the threads that make
 * `most` for one. */
void lm_team_gather(lm_team *team, int set, int most, int threads);
void lm_team_dismiss(lm_team *team);

/* Makes a team of one, for the thread with that number. */
void lm_team_alone(lm_team *team, int thread);

/* Makes a lap: every member that comes does the task. Returns when all members that have begun
 * are done. */
void lm_team_lap(lm_team *team, lm_team_task *task, const void *shared);

/* Takes a chunk of 0 .. chunks - 1 that nobody has taken in this lap. Returns 0 if there is none
 * left. All members must pass the same `chunks`. */
int lm_team_take(lm_member *m, int64_t chunks, int64_t *chunk);

/* Implement lm_backend.workers and .share. */
int lm_team_workers(int set, double nanoseconds);
void lm_team_share(int set, int workers, int64_t count, lm_do_item *do_item, void *user);

#endif
