/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LM_TESTS_NUMBERS_H
#define LM_TESTS_NUMBERS_H

#include <stdint.h>

/* A small generator of the tests' own, so that they do not trust the library's. */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

#endif
