/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a state of exchanges is: LM_STATE_ROWS rows, each with as many whole numbers as there
 * are slots. */
#ifndef LM_EXCHANGE_STATE_H
#define LM_EXCHANGE_STATE_H

/* The rows of a state. */
enum {
    LM_STATE_SLOTS,   /* [replica]: the slot whose parameters it has */
    LM_STATE_HOLDERS, /* [slot]: the replica that has it */
    LM_STATE_WALKS    /* the rows of lm_walk_row begin here */
};

/* The statistics of exchanges since counting began. Each slot has its proposals with the next slot,
 * and the accepted ones. It also has how often its replica was last at the first slot, or at the
 * last slot. Each replica has its round trips, and the state of its walk, an lm_end. */
typedef enum lm_walk_row {
    LM_OFFERED,
    LM_ACCEPTED,
    LM_FROM_FIRST,
    LM_FROM_LAST,
    LM_ROUND_TRIPS,
    LM_ENDS, /* after all counts */
    LM_WALKS
} lm_walk_row;

enum { LM_STATE_ROWS = LM_STATE_WALKS + LM_WALKS };

/* The end of its sample's slots at which a replica was last. */
typedef enum lm_end {
    LM_AT_NONE,
    LM_AT_FIRST,
    LM_AT_LAST,
    LM_ON_RETURN /* last at the last slot, and before it at the first slot */
} lm_end;

#endif
