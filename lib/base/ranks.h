/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares what the ranks of a lattice do together (<latmc/ranks.h>). NULL stands for a lattice in
 * one process. All functions then do nothing.
 *
 * Every rank makes the same calls and takes the same way through them, because it sees the same
 * settings, sums and sites. Ranks may differ only in whether a call can go on. The reasons are
 * memory, a device, a file, or an argument that only one rank was given. So the ranks agree before
 * a call changes anything irrevocably, before data travel, and at the end of calls that may fail on
 * the way.
 *
 * Invariant: while no failure is known to all, every rank comes to the same agreements and
 * exchanges, in the same order. A rank that has failed leaves the call. It comes to its next
 * agreement, at the end at the latest, while the others come to one, too. These two agreements
 * meet, and then the others also leave the call. A run of sweeps is different, since data travel
 * between two agreements. There, a rank that has failed goes on with the exchanges, whatever it
 * sends.
 */
#ifndef LM_RANKS_H
#define LM_RANKS_H

#include <latmc/latmc.h>

enum { LM_MAX_RANKS = 4096 };

typedef struct lm_ranks lm_ranks;

/* Takes over the table. On failure it releases what the table points to and sets the message. */
latmc_status lm_ranks_open(const char *caller, const latmc_ranks *table, lm_ranks **ranks);
void lm_ranks_close(lm_ranks *ranks);

int lm_ranks_count(const lm_ranks *ranks); /* 1 for NULL */
int lm_ranks_own(const lm_ranks *ranks);   /* 0 for NULL */

/* Begins a public call. No failure of it is known. */
void lm_ranks_enter(lm_ranks *ranks, const char *caller);
/* Returns LATMC_OK if all ranks have it, and all came here in the same call with the same
 * arguments. Otherwise it returns the failure of the first rank that has one, with its message.
 * After such a failure, further agreements in the call return the rank's own status. */
latmc_status lm_ranks_agree(lm_ranks *ranks, latmc_status status);

/* Name what a call was given. Ranks compare it in every later agreement of the call. An array is
 * compared by its sum and may be NULL. If an argument depends on another's value, the other is
 * given first. */
void lm_given_integer(lm_ranks *ranks, const char *name, int64_t value);
void lm_given_real(lm_ranks *ranks, const char *name, double value);
void lm_given_array(lm_ranks *ranks, const char *name, const void *values, size_t bytes);
/* Names a result of earlier calls on the lattice, and compares it in the same way. */
void lm_given_setting(lm_ranks *ranks, const char *name, uint64_t sum);

/* Sets values[i] to its largest value on any rank. */
latmc_status lm_ranks_most(lm_ranks *ranks, int count, int64_t *values);
/* Gathers things of `each` bytes in `data`. Rank r has things begin[r] to begin[r + 1] - 1. All
 * ranks then have all of them. */
latmc_status lm_ranks_gather(lm_ranks *ranks, void *data, const int64_t *begin, size_t each);
/* Gathers data of equal size. Rank r has the r-th `bytes` of `data`. */
latmc_status lm_ranks_share(lm_ranks *ranks, void *data, size_t bytes);

/* Things of `each` bytes that every rank sends to every other. Those for rank r are
 * out[out_begin[r] * each] and on. Those from rank r come to in[in_begin[r] * each] and on. A
 * rank's own part of `in` stays as it is. */
typedef struct lm_ranks_parts {
    const char *out;
    char *in;
    const int64_t *out_begin, *in_begin; /* [rank], and one more */
    int64_t each;
} lm_ranks_parts;
latmc_status lm_ranks_exchange(lm_ranks *ranks, const lm_ranks_parts *exchange);

/* Gives all ranks the data of the first rank. */
latmc_status lm_ranks_from_first(lm_ranks *ranks, void *data, size_t bytes);

/* lm_ranks_send() begins an exchange of boundary layers. It sends `out` to the rank before this one
 * (direction 0) or after it (direction 1). It receives `in` from the opposite side. The ranks form
 * a ring. lm_ranks_sent() waits for the exchange. */
latmc_status lm_ranks_send(lm_ranks *ranks, int direction, const void *out, void *in, size_t bytes);
latmc_status lm_ranks_sent(lm_ranks *ranks, int direction);

/* These write a file that rank 0 has made. Ranks write it together, each its own bytes. */
latmc_status lm_ranks_file_open(lm_ranks *ranks, const char *path, void **file);
latmc_status lm_ranks_file_write(lm_ranks *ranks, void *file, int64_t offset, const void *data,
                                 size_t bytes);
latmc_status lm_ranks_file_close(lm_ranks *ranks, void *file);

#endif
