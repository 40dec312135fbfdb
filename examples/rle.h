/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patterns of life-like automata in the run-length encoded form in which collections have them, and
 * rules as these write them: B3/S23. A program says why a file cannot be read or written.
 */
#ifndef RLE_H
#define RLE_H

#include <stddef.h>
#include <stdint.h>

enum { RLE_RULE_BYTES = 32 };

/* What is counted: bit n for n living neighbours. */
typedef struct rle_rule {
    int64_t birth, survival;
} rle_rule;

typedef struct rle_pattern {
    int64_t width, height;
    int8_t *cells; /* [row][column], 0 or 1; free() them */
    int has_rule;
    rle_rule rule;
} rle_pattern;

/* "B3/S23", "b3s23" or, survivals first, "23/3": 1 if it is one of these. */
int rle_read_rule(const char *text, rle_rule *rule);
void rle_write_rule(rle_rule rule, char text[RLE_RULE_BYTES]);

/* Stops with status 1 and a sentence if there is none in the file. */
rle_pattern rle_read(const char *path);

/* The least rectangle with all living cells of a field. 1 if the file is there; otherwise says why
 * not. */
int rle_write(const char *path, const int8_t *cells, int64_t width, int64_t height, rle_rule rule);

#endif
