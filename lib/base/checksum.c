/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes checksums. Only this file knows xxHash, whose code becomes part of it. */
#include "lib/base/checksum.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lib/base/bytes.h"

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

static inline int64_t take(uint8_t *to, const uint8_t *from, size_t bytes, int64_t count)
{
    int64_t n = 0;

    for (; n < count; n++, to += bytes) {
        const uint64_t sum = XXH64(from, bytes, 0);

        memcpy(to, from, bytes);
        from += bytes;
        if (lm_get_u64(&from) != sum)
            break;
    }
    return n;
}

/* If a compiler knows that the bytes are few, it leaves little of XXH64 and of memcpy(). */
int64_t lm_checksum_take(uint8_t *to, const uint8_t *blocks, size_t bytes, int64_t count)
{
    switch (bytes) {
    case 1:
        return take(to, blocks, 1, count);
    case 2:
        return take(to, blocks, 2, count);
    case 4:
        return take(to, blocks, 4, count);
    case 8:
        return take(to, blocks, 8, count);
    default:
        return take(to, blocks, bytes, count);
    }
}
