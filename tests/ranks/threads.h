/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that are threads of this process. */
#ifndef LM_TESTS_RANKS_THREADS_H
#define LM_TESTS_RANKS_THREADS_H

#include <latmc/latmc.h>

enum { RANKS_MOST = 16 };

/* Calls work(user, ranks) in so many threads at once, each with a table of its own; returns when
 * all have returned. The tables may serve several lattices, one after another. */
void ranks_run(int count, void (*work)(void *user, const latmc_ranks *ranks), void *user);

#endif
