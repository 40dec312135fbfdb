/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void new_line(json *j)
{
    fprintf(j->file, "\n%*s", 2 * j->depth, "");
}

static void quoted(json *j, const char *text)
{
    fputc('"', j->file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            fprintf(j->file, "\\%c", c);
        else if (c < 0x20)
            fprintf(j->file, "\\u%04x", c);
        else
            fputc(c, j->file);
    }
    fputc('"', j->file);
}

/* What stands before a value: comma, new line, key. */
static void begin(json *j, const char *key)
{
    if (j->used[j->depth])
        fputc(',', j->file);
    j->used[j->depth] = 1;
    if (j->depth)
        new_line(j);
    if (key) {
        quoted(j, key);
        fputs(": ", j->file);
    }
}

void json_open(json *j, const char *key, char bracket)
{
    begin(j, key);
    fputc(bracket, j->file);
    j->used[++j->depth] = 0;
}

void json_close(json *j, char bracket)
{
    const int used = j->used[j->depth--];

    if (used)
        new_line(j);
    fputc(bracket, j->file);
    if (!j->depth) {
        fputc('\n', j->file);
        j->used[0] = 0;
    }
}

void json_text(json *j, const char *key, const char *value)
{
    begin(j, key);
    if (value)
        quoted(j, value);
    else
        fputs("null", j->file);
}

void json_integer(json *j, const char *key, int64_t value)
{
    begin(j, key);
    fprintf(j->file, "%" PRId64, value);
}

void json_unsigned(json *j, const char *key, uint64_t value)
{
    begin(j, key);
    fprintf(j->file, "%" PRIu64, value);
}

void json_boolean(json *j, const char *key, int value)
{
    begin(j, key);
    fputs(value ? "true" : "false", j->file);
}

json_digits json_shortest(double value)
{
    json_digits d;

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(d.text, sizeof d.text, "%.*g", digits, value);
        if (strtod(d.text, NULL) == value)
            break;
    }
    return d;
}

void json_real(json *j, const char *key, double value)
{
    begin(j, key);
    fputs(isfinite(value) ? json_shortest(value).text : "null", j->file);
}
