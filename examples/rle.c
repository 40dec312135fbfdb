/* SPDX-License-Identifier: BSD-3-Clause */
#include "rle.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "outfile.h"

/* No pattern has more columns or rows. */
#define MOST_CELLS (INT64_C(1) << 32)

enum { LINE = 70 };

/* ---- reading */

typedef struct reader {
    const char *path;
    FILE *file;
    int fresh; /* the next character begins a line */
    int cut;   /* the last line had more characters than were kept */
} reader;

static _Noreturn void fail(const reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static _Noreturn void fail(const reader *r, const char *format, ...)
{
    char why[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    cli_fail("\"%s\" is no pattern in run-length encoding: %s", r->path, why);
}

/* Lines end with CR, LF or both: an empty line more is no matter. */
static int next(reader *r)
{
    int c = fgetc(r->file);

    if (c == EOF && ferror(r->file))
        cli_fail("cannot read \"%s\": %s", r->path, strerror(errno));
    if (c == '\0')
        fail(r, "it has a zero byte, which no text has");
    c = c == '\r' ? '\n' : c;
    r->fresh = c == '\n';
    return c;
}

/* Keeps the beginning of a line that is longer. 0: the file is at its end. */
static int read_line(reader *r, char line[RLE_TEXT_BYTES])
{
    int length = 0, c;

    r->cut = 0;
    while ((c = next(r)) != EOF && c != '\n')
        if (length < RLE_TEXT_BYTES - 1)
            line[length++] = (char)c;
        else
            r->cut = 1;
    line[length] = '\0';
    return c != EOF || length > 0;
}

static const char *behind_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

static void take_rule(const reader *r, const char *text, rle_pattern *p)
{
    size_t length = strcspn(text = behind_blanks(text), " \t");

    if (r->cut)
        fail(r, "the line of its rule is longer than %d characters", RLE_TEXT_BYTES - 1);
    length -= length && text[length - 1] == ',';
    snprintf(p->rule, sizeof p->rule, "%.*s", (int)length, text);
}

/* XLife has its rule in one comment, and Golly a place in another. */
static void take_comment(const reader *r, const char *line, rle_pattern *p)
{
    const char *place = strncmp(line, "#CXRLE", 6) == 0 ? strstr(line, "Pos=") : NULL;

    if (line[1] == 'r' && (isblank((unsigned char)line[2]) || isdigit((unsigned char)line[2])))
        take_rule(r, line + 2, p);
    if (place)
        p->placed = sscanf(place, "Pos=%9" SCNd64 ",%9" SCNd64, &p->left, &p->top) == 2;
}

/* "x = 3" and the comma behind it; moves on. */
static int read_side(const char **text, char name, int64_t *side)
{
    const char *at = behind_blanks(*text);
    unsigned long long value;
    char *end;

    if (*at != name || *(at = behind_blanks(at + 1)) != '=')
        return 0;
    at = behind_blanks(at + 1);
    if (!isdigit((unsigned char)*at))
        return 0;
    value = strtoull(at, &end, 10);
    *side = value < MOST_CELLS ? (int64_t)value : MOST_CELLS;
    at = behind_blanks(end);
    *text = behind_blanks(at + (*at == ','));
    return 1;
}

/* Makes what may be no text one that can be shown. */
static const char *shown(char *line)
{
    for (char *c = line; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
    return line;
}

/* The line "x = 3, y = 3, rule = B3/S23", behind comments. */
static void read_header(reader *r, rle_pattern *p)
{
    char line[RLE_TEXT_BYTES];
    const char *at = line;

    do {
        if (!read_line(r, line))
            fail(r, "it has no line such as x = 3, y = 3");
        if (*line == '#')
            take_comment(r, line, p);
    } while (*line == '#' || !*behind_blanks(line));
    if (!read_side(&at, 'x', &p->width) || !read_side(&at, 'y', &p->height))
        fail(r, "its first line is \"%.60s\", none such as x = 3, y = 3", shown(line));
    if (!*at)
        return;
    if (strncmp(at, "rule", 4) != 0 || *(at = behind_blanks(at + 4)) != '=')
        fail(r, "what follows its width and height is none such as rule = B3/S23");
    take_rule(r, at + 1, p);
}

/* The next character that is neither blank nor of a comment line. */
static int next_item(reader *r, rle_pattern *p)
{
    char line[RLE_TEXT_BYTES];

    for (;;) {
        const int fresh = r->fresh, c = next(r);

        if (fresh && c == '#') {
            ungetc(c, r->file);
            read_line(r, line);
            take_comment(r, line, p);
            r->fresh = 1;
        } else if (c == EOF || !isspace(c)) {
            return c;
        }
    }
}

/* A number, 1 if there is none, and the letter right behind it; EOF at the end. */
static int read_run(reader *r, rle_pattern *p, int64_t *count)
{
    int c = next_item(r, p);

    *count = 1;
    if (c == EOF || !isdigit(c))
        return c;
    for (*count = 0; c != EOF && isdigit(c); c = next(r)) {
        *count = 10 * *count + (c - '0');
        if (*count > MOST_CELLS)
            fail(r, "a run is longer than %" PRId64, MOST_CELLS);
    }
    if (!*count)
        fail(r, "a run has 0 cells");
    if (c == EOF || isspace(c))
        fail(r, "the number %" PRId64 " has no letter right behind it", *count);
    return c;
}

static void add_run(rle_pattern *p, rle_run run)
{
    /* Powers of 2 are when there is no more room. */
    if ((p->count & (p->count - 1)) == 0) {
        const int64_t room = p->count ? 2 * p->count : 1;

        cli_need_memory((double)room * sizeof run / sizeof(double), "the runs of the pattern");
        p->runs = realloc(p->runs, (size_t)room * sizeof run);
        if (!p->runs)
            cli_fail("there is no memory for %" PRId64 " runs of the pattern", room);
    }
    p->runs[p->count++] = run;
    p->right = run.x + run.count > p->right ? run.x + run.count : p->right;
    p->bottom = run.y + 1;
}

static _Noreturn void refuse_letter(const reader *r, int c)
{
    if (!isprint(c))
        fail(r, "the byte %d is none of b, o, $ and !", c);
    if (isalpha(c))
        fail(r, "the letter \"%c\" is none of b, o, $ and !, which two states have", c);
    fail(r, "the character \"%c\" is none of b, o, $ and !", c);
}

/* The end of the file is as good as a !. */
static void read_cells(reader *r, rle_pattern *p)
{
    int64_t x = 0, y = 0, count;

    for (int c = read_run(r, p, &count); c != '!' && c != EOF; c = read_run(r, p, &count)) {
        if (c == '$') {
            y += count;
            x = 0;
        } else if (c == 'o' || c == 'A') {
            add_run(p, (rle_run){x, y, count});
            x += count;
        } else if (c == 'b' || c == '.') {
            x += count;
        } else {
            refuse_letter(r, c);
        }
        if (x > MOST_CELLS || y > MOST_CELLS)
            fail(r, "it has more than %" PRId64 " columns or rows", MOST_CELLS);
    }
}

/* The mark with which some editors begin a text. */
static void skip_mark(reader *r)
{
    const int c = fgetc(r->file);

    if (c != 0xef)
        ungetc(c, r->file);
    else if (fgetc(r->file) != 0xbb || fgetc(r->file) != 0xbf)
        fail(r, "its first byte is that of no text");
}

static rle_pattern read_all(reader *r)
{
    rle_pattern p = {0};

    skip_mark(r);
    read_header(r, &p);
    read_cells(r, &p);
    fclose(r->file);
    return p;
}

rle_pattern rle_read(const char *path)
{
    reader r = {path, fopen(path, "r"), 1, 0};

    if (!r.file)
        cli_fail("cannot read \"%s\": %s", path, strerror(errno));
    return read_all(&r);
}

rle_pattern rle_parse(const char *name, const char *text)
{
    reader r = {name, fmemopen((void *)text, strlen(text), "r"), 1, 0};

    if (!r.file)
        cli_fail("there is no memory to read \"%s\"", name);
    return read_all(&r);
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
