/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ranks of a lattice do together (<latmc/ranks.h>). NULL stands for a lattice in one
 * process, where there is nothing to do.
 *
 * Every rank makes the same calls of the library and goes the same way through them, since it sees
 * the same settings, sums and sites. What may differ is whether a call can go on: memory, a device,
 * a file, an argument that one rank alone was given. So the ranks agree before a call changes what
 * it cannot take back, before data travel, and at the end of calls that may fail on the way. The
 * invariant: as long as no failure is known to all, every rank comes to the same agreements and
 * exchanges, in the same order; a rank that has failed leaves the call, and the next agreement that
 * it comes to, at the end at the latest, meets the one that the others came to, who then leave it,
 * too. Between two agreements in which data travel (a run of sweeps) a rank that has failed goes on
 * with the exchanges, whatever it sends.
 */
#ifndef LM_RANKS_H
#define LM_RANKS_H

#include <latmc/latmc.h>

enum { LM_MAX_RANKS = 4096 };

typedef struct lm_ranks lm_ranks;

/* Takes over the table, or releases what it points to and says why not. */
latmc_status lm_ranks_open(const char *caller, const latmc_ranks *table, lm_ranks **ranks);
void lm_ranks_close(lm_ranks *ranks);

int lm_ranks_count(const lm_ranks *ranks); /* 1 of NULL */
int lm_ranks_own(const lm_ranks *ranks);   /* 0 of NULL */

/* A public call begins, and no failure of it is known. */
void lm_ranks_enter(lm_ranks *ranks, const char *caller);
/* LATMC_OK if it is so on all ranks, and all came here in the same call with the same arguments;
 * otherwise the failure of the first rank that has one, and its message. Once that has happened in
 * a call, the rank's own status. */
latmc_status lm_ranks_agree(lm_ranks *ranks, latmc_status status);

/* What a call was given, by name; ranks compare it in each agreement that follows. An array counts
 * by its sum, and may be NULL. What only some values of an argument bring along is given after it.
 */
void lm_given_integer(lm_ranks *ranks, const char *name, int64_t value);
void lm_given_real(lm_ranks *ranks, const char *name, double value);
void lm_given_array(lm_ranks *ranks, const char *name, const void *values, size_t bytes);
/* Likewise what calls before have made of the lattice. */
void lm_given_setting(lm_ranks *ranks, const char *name, uint64_t sum);

/* values[i] becomes the largest of those of all ranks. */
latmc_status lm_ranks_most(lm_ranks *ranks, int count, int64_t *values);
/* Rank r has things begin[r] to begin[r + 1] - 1, of so many bytes each, of `data`; all will have
 * all of them. */
latmc_status lm_ranks_gather(lm_ranks *ranks, void *data, const int64_t *begin, size_t each);
/* Each rank has as many: rank r the r-th `bytes` of `data`. */
latmc_status lm_ranks_share(lm_ranks *ranks, void *data, size_t bytes);

/* Those that the first rank has. */
latmc_status lm_ranks_from_first(lm_ranks *ranks, void *data, size_t bytes);

/* Boundary layers: begins to send `out` to the rank before (direction 0) or after this one (1), the
 * last one being before the first, and to receive what comes in that direction from the other side;
 * waits for it. */
latmc_status lm_ranks_send(lm_ranks *ranks, int direction, const void *out, void *in, size_t bytes);
latmc_status lm_ranks_sent(lm_ranks *ranks, int direction);

/* A file that rank 0 has made: all of it that ranks write, each its own bytes. */
latmc_status lm_ranks_file_open(lm_ranks *ranks, const char *path, void **file);
latmc_status lm_ranks_file_write(lm_ranks *ranks, void *file, int64_t offset, const void *data,
                                 size_t bytes);
latmc_status lm_ranks_file_close(lm_ranks *ranks, void *file);

#endif
