/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Public structs begin with their size. So a program and a library of different ages can exchange
 * them.
 *
 * The rule: a struct only ever grows at its end. A size is refused if it is smaller than the
 * struct's first version, or absurdly large, as an unset member is. For a size in between, that
 * many bytes are written. A larger size comes from a newer header. Members that this library does
 * not know are then set to zero. `size` itself stays as the caller gave it.
 */
#ifndef LM_ABI_H
#define LM_ABI_H

#include <latmc/latmc.h>

/* The bytes of a struct up to and including a member, the last one of its first version. */
#define LM_SIZE_THROUGH(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/* Returns LATMC_OK, or refuses a struct of `type` because of its size `given`. */
latmc_status lm_struct_check(const char *caller, const char *type, size_t given, size_t least);

/* Copies the caller's struct, whose size was checked, to `known`, which has `bytes` bytes. Members
 * that the caller does not have are 0. Members that this library does not have must be 0. */
latmc_status lm_struct_read(const char *caller, const char *type, const void *given, void *known,
                            size_t bytes);

/* Copies all but the size from `known`, which has `bytes` bytes, to the caller's struct. */
void lm_struct_write(void *target, const void *known, size_t bytes);

#endif
