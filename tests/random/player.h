/* SPDX-License-Identifier: BSD-3-Clause */
/* One side of a case that is played, and its steps. Functions return 0 where the sides do not
 * agree, which ends the case. */
#ifndef LM_TESTS_RANDOM_PLAYER_H
#define LM_TESTS_RANDOM_PLAYER_H

#include "tests/random/play.h"

/* One side of a case. */
typedef struct player {
    const random_case *c;
    const play_setup *setup;
    int side;
    const char *now; /* the device, */
    int away;        /* and whether that is the other one's */
    const case_step *step;
    int threads, progress;
    int intruded;    /* a call in a callback was not refused */
    int by_slot;     /* 1: values are asked for by slot */
    int not_ergodic; /* what the last recording since the start told */
    latmc_lattice *lattice;
    int64_t sites, replicas; /* as the lattice has them */
    notes *notes;
    play_result *result;
} player;

int player_said(player *p, latmc_status status);
int player_set(player *p, int id, const case_values *v);
int player_go(player *p);
int player_give(player *p, int64_t replica, uint64_t seed);
int player_observe(player *p, int id);
int player_sites(player *p, const case_step *s);
int player_get(player *p, const case_step *s);
int player_hash(player *p, const case_step *s);
int player_weigh(player *p, const case_step *s);
/* Returns a number that depends on all of the bytes. */
uint64_t player_mixed(const void *bytes, size_t count);
latmc_status player_watch(player *p);

/* What the case says next. */
int player_step(player *p);

#endif
