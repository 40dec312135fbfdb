/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patterns of life-like automata in the run-length encoded form in which collections have them, and
 * rules as these write them. A program says why a file cannot be read or written.
 */
#ifndef RLE_H
#define RLE_H

#include <stddef.h>
#include <stdint.h>

enum { RLE_RULE_BYTES = 32, RLE_TEXT_BYTES = 256 };

/* What is counted: bit n for n living neighbours. */
typedef struct rle_rule {
    int64_t birth, survival;
} rle_rule;

/* The bounded grid behind a rule: ":T72,48" is a torus, ":P72,48" a plane with dead surroundings.
 */
typedef struct rle_grid {
    int64_t width, height; /* 0: the rule names no grid */
    int open;              /* a plane */
} rle_grid;

/* Living cells of one row, from column x on. */
typedef struct rle_run {
    int64_t x, y, count;
} rle_run;

typedef struct rle_pattern {
    int64_t width, height; /* as its header has them, which need not be right */
    int64_t right, bottom; /* the least size that holds all living cells; 0 if nothing lives */
    rle_run *runs;         /* free() them */
    int64_t count;
    int placed;                /* Golly saved the place of its upper left corner, */
    int64_t left, top;         /* counted from the middle of the grid */
    char rule[RLE_TEXT_BYTES]; /* with its grid; "": it names none */
} rle_pattern;

/* The words that a refusal of a rule has in common. */
#define RLE_RULES "a rule such as B3/S23, S23/B3, 23/3 or HighLife"

/* "B3/S23", "s23b3", survivals first "23/3", or a name: 1 if the text is one of these. Two states
 * may be said as in "23/3/2". */
int rle_read_rule(const char *text, rle_rule *rule);
void rle_write_rule(rle_rule rule, char text[RLE_RULE_BYTES]);

/* The text from the colon on, or "": 1 if it is none or a grid that is finite. One number is both
 * sides. */
int rle_read_grid(const char *text, rle_grid *grid);

/* Stops with status 1 and a sentence if there is none in the file. */
rle_pattern rle_read(const char *path);

/* The same of a text. */
rle_pattern rle_parse(const char *name, const char *text);

/* The least rectangle with all living cells of a field. 1 if the file is there; otherwise says why
 * not. */
int rle_write(const char *path, const int8_t *cells, int64_t width, int64_t height, rle_rule rule);

#endif
