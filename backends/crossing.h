/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares a crossing: sites that move between a plan and an array in one call. */
#ifndef LM_CROSSING_H
#define LM_CROSSING_H

#include <latmc/latmc.h>

/* What a crossing needs beyond a plan's own numbers in host memory. */
enum {
    LM_CROSS_BITS = 1,  /* the array has the sites as they are saved, LATMC_BITS */
    LM_CROSS_REALS = 2, /* the array has floats, and the plan has doubles, or the other way round */
    LM_CROSS_DEVICE = 4 /* the array is memory of a device of the plan's backend */
};

/* All sites of some layers, of consecutive replicas. A chain is one layer. Bits are in the array as
 * doc/format.md, "Leaves", has them: every layer begins with a byte of its own. */
typedef struct lm_crossing {
    const char *in; /* the array, if sites go into the plan; otherwise NULL */
    char *out;      /* the array, if sites come out; otherwise NULL */
    int prepares; /* 1: the plan only takes the memory that the crossing will need, and keeps it */
    unsigned needs; /* LM_CROSS_.. */
    int bits;       /* of a number in the array; below 8 with LM_CROSS_BITS */
    int64_t replica, replicas;
    int64_t first_row, rows;         /* of whole layers, numbered in the whole lattice */
    int64_t layer_rows, layer_bytes; /* rows of a layer; its bytes in the array */
    int64_t pitch; /* bytes from a replica's sites in the array to the next one's */
    /* Threads of the host for the plan's use: lm_workers() and lm_workers_share(). */
    int (*workers)(int threads, double nanoseconds);
    void (*share)(int threads, int workers, int64_t count,
                  void (*do_item)(void *user, int thread, int64_t i), void *user);
} lm_crossing;

/* Returns the part of a crossing that has these replicas and rows. */
static inline lm_crossing lm_crossing_part(const lm_crossing *c, int64_t replica, int64_t replicas,
                                           int64_t first_row, int64_t rows)
{
    const int64_t on = (replica - c->replica) * c->pitch +
                       (first_row - c->first_row) / c->layer_rows * c->layer_bytes;
    lm_crossing part = *c;

    part.in = c->in ? c->in + on : NULL;
    part.out = c->out ? c->out + on : NULL;
    part.replica = replica;
    part.replicas = replicas;
    part.first_row = first_row;
    part.rows = rows;
    return part;
}

#endif
