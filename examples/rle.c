/* SPDX-License-Identifier: BSD-3-Clause */
#include "rle.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "outfile.h"

#define MOST_CELLS (INT64_C(1) << 32)

enum { LINE = 70 };

/* ---- rules */

/* The digits at *text as a mask; moves on. 0: one of them is 9. */
static int read_counts(const char **text, int64_t *mask)
{
    for (*mask = 0; isdigit((unsigned char)**text); ++*text) {
        if (**text == '9')
            return 0;
        *mask |= INT64_C(1) << (**text - '0');
    }
    return 1;
}

static int is_letter(char c, char letter)
{
    return toupper((unsigned char)c) == letter;
}

int rle_read_rule(const char *text, rle_rule *rule)
{
    rle_rule r = {0, 0};
    const int lettered = is_letter(*text, 'B');

    text += lettered;
    if (!read_counts(&text, lettered ? &r.birth : &r.survival))
        return 0;
    if (*text != '/' && !(lettered && is_letter(*text, 'S')))
        return 0;
    text += *text == '/';
    if (lettered && !is_letter(*text++, 'S'))
        return 0;
    if (!read_counts(&text, lettered ? &r.survival : &r.birth) || *text)
        return 0;
    *rule = r;
    return 1;
}

static char *put_counts(char *to, char letter, int64_t mask)
{
    *to++ = letter;
    for (int n = 0; n <= 8; n++)
        if (mask >> n & 1)
            *to++ = (char)('0' + n);
    return to;
}

void rle_write_rule(rle_rule rule, char text[RLE_RULE_BYTES])
{
    char *end = put_counts(text, 'B', rule.birth);

    *end++ = '/';
    *put_counts(end, 'S', rule.survival) = '\0';
}

/* ---- reading */

typedef struct reader {
    const char *path;
    FILE *file;
} reader;

static _Noreturn void fail(const reader *r, const char *what)
{
    cli_fail("\"%s\" is no pattern in run-length encoding: %s", r->path, what);
}

/* The line "x = 3, y = 3, rule = B3/S23", behind comments. */
static void read_header(const reader *r, rle_pattern *p)
{
    char line[1024], rule[512];
    int64_t *const sides[2] = {&p->width, &p->height};
    int found;

    do
        if (!fgets(line, sizeof line, r->file))
            fail(r, "it has no line such as x = 3, y = 3");
    while (*line == '#' || strspn(line, " \t\r\n") == strlen(line));
    found =
        sscanf(line, " x = %" SCNd64 " , y = %" SCNd64 " , rule = %511s", sides[0], sides[1], rule);
    if (found < 2)
        fail(r, "its first line is none such as x = 3, y = 3");
    for (int a = 0; a < 2; a++)
        if (*sides[a] < 1 || *sides[a] > MOST_CELLS || p->width > MOST_CELLS / *sides[a])
            fail(r, "its width or height is less than 1 or too much");
    p->has_rule = found == 3;
    if (p->has_rule && !rle_read_rule(rule, &p->rule))
        fail(r, "its rule is none such as B3/S23");
}

/* A number, 1 if there is none, and the letter behind it. */
static int read_run(const reader *r, int64_t *count)
{
    int c, digits = 0;

    *count = 0;
    while ((c = fgetc(r->file)) != EOF && (isspace(c) || isdigit(c)))
        if (isdigit(c)) {
            *count = 10 * *count + (c - '0');
            digits = 1;
            if (*count > MOST_CELLS)
                fail(r, "a run is too long");
        }
    if (!digits)
        *count = 1;
    return c;
}

static void read_cells(const reader *r, rle_pattern *p)
{
    int64_t x = 0, y = 0, count;

    for (int c = read_run(r, &count); c != '!'; c = read_run(r, &count))
        if (c == '$') {
            y += count;
            x = 0;
        } else if (c == 'b' || c == 'o') {
            if (x + count > p->width || y >= p->height)
                fail(r, "cells are outside of its rectangle");
            memset(p->cells + y * p->width + x, c == 'o', (size_t)count);
            x += count;
        } else {
            fail(r, c == EOF ? "it does not end with !" : "a letter is none of b, o, $ and !");
        }
}

rle_pattern rle_read(const char *path)
{
    const reader r = {path, fopen(path, "r")};
    rle_pattern p = {0};

    if (!r.file)
        cli_fail("cannot read \"%s\"", path);
    read_header(&r, &p);
    p.cells = cli_memory(p.width * p.height, 1);
    read_cells(&r, &p);
    fclose(r.file);
    return p;
}

/* ---- writing */

/* Runs of a file, in lines. */
typedef struct writer {
    FILE *file;
    int column;
} writer;

static void put_run(writer *w, int64_t count, char letter)
{
    char text[32];
    const int length = count > 1 ? snprintf(text, sizeof text, "%" PRId64 "%c", count, letter)
                                 : snprintf(text, sizeof text, "%c", letter);

    if (!count)
        return;
    if (w->column + length > LINE) {
        fputc('\n', w->file);
        w->column = 0;
    }
    fputs(text, w->file);
    w->column += length;
}

typedef struct frame {
    int64_t left, right, top, bottom; /* right and bottom excluded; nothing lives: all 0 */
} frame;

static frame frame_of(const int8_t *cells, int64_t width, int64_t height)
{
    frame f = {width, 0, height, 0};

    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++)
            if (cells[y * width + x]) {
                f.left = x < f.left ? x : f.left;
                f.right = x >= f.right ? x + 1 : f.right;
                f.top = y < f.top ? y : f.top;
                f.bottom = y + 1;
            }
    return f.bottom ? f : (frame){0, 0, 0, 0};
}

/* Dead cells at the end of a row are left out, and so are ends of rows at the end. */
static void put_cells(writer *w, const int8_t *cells, int64_t width, frame f)
{
    int64_t ends = 0;

    for (int64_t y = f.top; y < f.bottom; y++, ends++)
        for (int64_t x = f.left, next; x < f.right; x = next) {
            const int8_t *row = cells + y * width, lives = row[x];

            for (next = x; next < f.right && row[next] == lives;)
                next++;
            if (next == f.right && !lives)
                break;
            put_run(w, ends, '$');
            ends = 0;
            put_run(w, next - x, lives ? 'o' : 'b');
        }
    put_run(w, 1, '!');
}

int rle_write(const char *path, const int8_t *cells, int64_t width, int64_t height, rle_rule rule)
{
    const frame f = frame_of(cells, width, height);
    outfile out = outfile_open(path);
    writer w = {out.file, 0};
    char text[RLE_RULE_BYTES];

    if (w.file) {
        rle_write_rule(rule, text);
        fprintf(w.file, "x = %" PRId64 ", y = %" PRId64 ", rule = %s\n", f.right - f.left,
                f.bottom - f.top, text);
        put_cells(&w, cells, width, f);
        fputc('\n', w.file);
    }
    return outfile_close(&out, 1);
}
