/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates memory, and says in a sentence when there is none. Backends give no `caller`, since
 * they do not know the public function: lib/ puts it before what they say (lm_fail_in). */
#ifndef LM_MEMORY_H
#define LM_MEMORY_H

#include <latmc/latmc.h>

/* LATMC_ERROR_MEMORY: so many bytes for `what`. */
latmc_status lm_no_memory(const char *caller, const char *what, double bytes);

/* Zeroed memory for `count` things of `size` bytes, for one byte at least; NULL after
 * lm_no_memory(). */
void *lm_zeroed(const char *caller, const char *what, int64_t count, size_t size);

/* The same, not zeroed: for much that is all overwritten before it is read. */
void *lm_unset(const char *caller, const char *what, int64_t count, size_t size);

#endif
