/* SPDX-License-Identifier: BSD-3-Clause */
/* The saved form of sites with two values. Site i has bit i % 8 of byte i / 8. Bits after the last
 * site are 0. The model says which value is 1, by its functions for up to 64 sites. */
#ifndef LM_SAVED_BITS_H
#define LM_SAVED_BITS_H

#include <string.h>

#include "lib/base/bytes.h"

static inline void lm_save_bits(uint64_t (*bits_of)(const int8_t *, int), const int8_t *sites,
                                int64_t count, uint8_t *bytes)
{
    for (; count >= 64; count -= 64, sites += 64)
        lm_put_u64(&bytes, bits_of(sites, 64));
    for (; count > 0; count -= 8, sites += 8)
        *bytes++ = (uint8_t)bits_of(sites, count < 8 ? (int)count : 8);
}

static inline void lm_load_bits(void (*sites_of)(uint64_t, int8_t *, int), const uint8_t *bytes,
                                int64_t count, int8_t *sites)
{
    for (; count >= 64; count -= 64, sites += 64)
        sites_of(lm_get_u64(&bytes), sites, 64);
    for (; count > 0; count -= 8, sites += 8)
        sites_of(*bytes++, sites, count < 8 ? (int)count : 8);
}

/* Serve as lm_site_type.encode and .decode for sites that are saved as they are, as bytes. */
static inline void lm_save_bytes(const void *sites, int64_t count, uint8_t *bytes)
{
    memcpy(bytes, sites, (size_t)count);
}

static inline void lm_load_bytes(const uint8_t *bytes, int64_t count, void *sites)
{
    memcpy(sites, bytes, (size_t)count);
}

/* Serves as lm_site_type.check_saved for these sites. */
static inline int lm_check_saved_bits(const uint8_t *bytes, int64_t count, int limit)
{
    (void)limit;
    return count % 8 == 0 || bytes[count / 8] >> count % 8 == 0;
}

#endif
