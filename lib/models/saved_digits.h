/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts sites to their saved form: those that are fewer than 8 digits, and those that are
 * bytes. Eight sites with D digits are D bytes: byte k has digit k of the eight, the first one in
 * its lowest bit. Digits after the last site are 0. */
#ifndef LM_SAVED_DIGITS_H
#define LM_SAVED_DIGITS_H

#include <string.h>

#include "lib/base/signs.h"

/* These are for sites with one digit. The model says which value is 1, by its functions for up to
 * 64 sites. */
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

/* Saves the lowest digits of each number. */
static inline void lm_save_digits(int digits, const int8_t *numbers, int64_t count, uint8_t *bytes)
{
    for (; count > 0; count -= 8, numbers += 8)
        for (int k = 0; k < digits; k++)
            *bytes++ = (uint8_t)lm_bits_of_digits(numbers, count < 8 ? (int)count : 8, k);
}

/* Writes up to 8 numbers, each of which is a byte of `eight`. */
static inline void lm_put_eight(uint64_t eight, int64_t count, uint8_t *numbers)
{
    if (count >= 8)
        lm_put_u64(&numbers, eight);
    else
        for (; count > 0; count--, eight >>= 8)
            *numbers++ = (uint8_t)eight;
}

static inline void lm_load_digits(int digits, const uint8_t *bytes, int64_t count, uint8_t *numbers)
{
    for (; count > 0; count -= 8, numbers += 8) {
        uint64_t eight = 0;

        for (int k = 0; k < digits; k++)
            eight |= lm_bytes_of_bits(*bytes++) << k;
        lm_put_eight(eight, count, numbers);
    }
}

/* Returns whether all numbers are at most `most`, and digits after the last number are 0. */
static inline int lm_check_saved_digits(int digits, const uint8_t *bytes, int64_t count, int most)
{
    for (; count > 0; count -= 8, bytes += digits) {
        unsigned above = 0, any = 0;

        for (int k = 0; k < digits; k++) {
            above = most >> k & 1 ? above & bytes[k] : above | bytes[k];
            any |= bytes[k];
        }
        if (above || (count < 8 && any >> count))
            return 0;
    }
    return 1;
}

/* Serves as lm_site_type.check_saved for sites with one digit. */
static inline int lm_check_saved_bits(const uint8_t *bytes, int64_t count, int limit)
{
    (void)limit;
    return count % 8 == 0 || bytes[count / 8] >> count % 8 == 0;
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

#endif
