/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Says how the threads of a call divide its units: replicas, or words of replicas. Either each
 * thread takes whole units (apart), or all threads work on the laps of every unit (together).
 */
#ifndef LM_SPLIT_H
#define LM_SPLIT_H

#include "backends/cpu/team/team.h"

typedef struct lm_team_split {
    int apart;   /* each thread has units of its own */
    int threads; /* of at most `most` */
    int most;
} lm_team_split;

/* Returns the quicker way for a call that takes one thread `call` nanoseconds. The call may have
 * `most` threads, and its laps would have `together`. */
lm_team_split lm_team_split_of(int64_t units, int most, int together, double call);

/* A call's work on units first .. last - 1, by a team. */
typedef void lm_team_work(lm_team *team, const void *call, int64_t first, int64_t last);

/* Does the work on all units. `set`: the threads that the caller of the library has set, or 0. */
void lm_team_do(int set, lm_team_split split, int64_t units, lm_team_work *work, const void *call);

/* The rows of every unit, cut into chunks that the members of a team take. */
typedef struct lm_team_rows {
    int64_t rows, chunk_rows, chunks;
} lm_team_rows;

/* What one thread takes, in nanoseconds: for the call, for a lap of all units, for a row. */
typedef struct lm_team_times {
    double call, lap, row;
} lm_team_times;

/* Cuts the rows for the quicker way, and returns it. */
lm_team_split lm_team_split_rows(lm_team_rows *rows, int64_t units, int set,
                                 const lm_team_times *times);

/* Rows of a unit that no other member has taken in this lap. */
typedef struct lm_team_range {
    int64_t unit, first, last;
} lm_team_range;

/* Takes the next range of rows of units first .. last - 1; it returns 0 if there is none left. */
int lm_team_take_rows(lm_member *m, const lm_team_rows *rows, int64_t first, int64_t last,
                      lm_team_range *range);

#endif
