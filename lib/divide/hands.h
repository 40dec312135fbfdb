/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares the host's own work of a call among threads. */
#ifndef LM_HANDS_H
#define LM_HANDS_H

#include "backends/backend.h"

/* Returns how many threads suit work of that many nanoseconds. `threads` is the number set by
 * latmc_set_threads(). */
int lm_hands(int threads, double nanoseconds);

/* Does items 0 to count - 1, each by one of at most `hands` threads. The caller is one of them. */
void lm_hands_share(int threads, int hands, int64_t count, lm_chore *chore, void *user);

#endif
