/* SPDX-License-Identifier: BSD-3-Clause */
/* The only file that knows xxHash; its code becomes part of this one. */
#include "lib/checksum.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(XXH64_state_t) <= sizeof(lm_checksum), "room for the state of XXH64");

void lm_checksum_begin(lm_checksum *sum)
{
    XXH64_state_t state;

    XXH64_reset(&state, 0);
    memset(sum, 0, sizeof *sum);
    memcpy(sum, &state, sizeof state);
}

void lm_checksum_add(lm_checksum *sum, const void *data, size_t bytes)
{
    XXH64_state_t state;

    memcpy(&state, sum, sizeof state);
    XXH64_update(&state, data, bytes);
    memcpy(sum, &state, sizeof state);
}

uint64_t lm_checksum_value(const lm_checksum *sum)
{
    XXH64_state_t state;

    memcpy(&state, sum, sizeof state);
    return XXH64_digest(&state);
}

uint64_t lm_checksum_of(const void *data, size_t bytes)
{
    return XXH64(data, bytes, 0);
}
