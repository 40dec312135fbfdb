/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Public structs that begin with their size, so that a program and a library of
 * different ages can exchange them.
 *
 * The rule: a struct only ever grows at its end. A size smaller than that of the
 * struct's first version, or absurdly large (an unset member), is refused. Of a size in
 * between, that many bytes are written; of a larger one, from a newer header, what this
 * library does not know is set to zero. `size` itself stays as the caller gave it.
 */
#ifndef LM_ABI_H
#define LM_ABI_H

#include <latmc/latmc.h>

/* Bytes of a struct up to and including a member: the last one of its first version. */
#define LM_SIZE_THROUGH(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/* LATMC_OK, or the refusal of a struct of `type` whose size is `given`. */
latmc_status lm_struct_check(const char *caller, const char *type, size_t given, size_t least);

/* Copies all but the size out of `known` (of `bytes` bytes) to the caller's struct. */
void lm_struct_write(void *target, const void *known, size_t bytes);

#endif
