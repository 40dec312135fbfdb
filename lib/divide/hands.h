/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares the host's own work of a call among threads. */
#ifndef LM_HANDS_H
#define LM_HANDS_H

#include "backends/backend.h"

/* Where latmc_set_threads() said so many: for how many threads so many nanoseconds are enough. */
int lm_hands(int threads, double nanoseconds);

/* Numbers 0 .. count - 1, each by one of at most so many threads, the caller among them. */
void lm_hands_share(int threads, int hands, int64_t count, lm_chore *chore, void *user);

#endif
