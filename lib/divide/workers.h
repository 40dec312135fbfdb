/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares the host's own work of a call among threads. */
#ifndef LM_WORKERS_H
#define LM_WORKERS_H

#include "backends/backend.h"

/* Returns how many threads suit work of that many nanoseconds. `threads` is the number set by
 * latmc_set_threads(). */
int lm_workers(int threads, double nanoseconds);

/* Does items 0 to count - 1, each by one of at most `workers` threads. The caller is one of them.
 */
void lm_workers_share(int threads, int workers, int64_t count, lm_do_item *do_item, void *user);

#endif
