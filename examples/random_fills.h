/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc-bench --random: how fast arrays are filled with random numbers. */
#ifndef RANDOM_FILLS_H
#define RANDOM_FILLS_H

#include "json.h"

#define RANDOM_FILLS_HELP                                                                          \
    "instead of lattices, arrays filled with random numbers: words, uniform32, uniform64, "        \
    "gaussian32, gaussian64 (floats, doubles) or all; numbers per nanosecond, the share of a "     \
    "GPU's bandwidth being that of filling its memory with one number"

/* On that device, or NULL: on every usable one. As JSON, or NULL: a table. */
void random_fills(const char *kind, const char *device, int threads, double seconds, json *j);

#endif
