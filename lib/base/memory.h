/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates memory. A failure's message says for what there was none. Backends give no `caller`,
 * because they do not know the public function. lib/ puts it before their message (lm_fail_in). */
#ifndef LM_MEMORY_H
#define LM_MEMORY_H

#include <latmc/latmc.h>

/* Sets a message, that there are no `bytes` bytes for `what`. Returns LATMC_ERROR_MEMORY. */
latmc_status lm_no_memory(const char *caller, const char *what, double bytes);

/* Returns zeroed memory for `count` things of `size` bytes, at least one byte. The caller frees it.
 * On failure it calls lm_no_memory() and returns NULL. */
void *lm_zeroed(const char *caller, const char *what, int64_t count, size_t size);

/* Does the same without zeros, for large memory that is overwritten before it is read. */
void *lm_unzeroed(const char *caller, const char *what, int64_t count, size_t size);

#endif
