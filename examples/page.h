/* SPDX-License-Identifier: BSD-3-Clause */
/* Text for people: lines and tables that fit the screen. Its width is that of the terminal at the
 * standard output or, before it, what the environment variable COLUMNS says; otherwise 100. */
#ifndef PAGE_H
#define PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PAGE_CELL = 64 };

/* Words, with new lines where the width or the text wants them; each after the first begins
 * with `indent` blanks. Ends with a new line. */
void page_text(FILE *file, int indent, const char *text);

typedef struct page_table {
    int64_t rows;
    int columns;
    int labels; /* the first columns, which say what a row is and come again in every part */
    const void *user;
    const char *(*heading)(const void *user, int column);
    /* At most PAGE_CELL bytes; `bound`, if set, says that a column stays with the one before it. */
    void (*cell)(const void *user, int64_t row, int column, char *text);
    int (*bound)(const void *user, int column);
} page_table;

/* In as many parts, one below the other, as the width asks for. */
void page_print_table(FILE *file, const page_table *table);

#endif
