/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and pieces from text. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

int cli_real(const char *text, double *value)
{
    char *end;
    double x;

    if (!strchr("+-.0123456789", text[0]))
        return 0;
    x = strtod(text, &end);
    if (end == text || *end || !isfinite(x))
        return 0;
    *value = x;
    return 1;
}

const char *cli_real_fault(const char *text)
{
    char *end;
    const double x = strtod(text, &end);

    if (strspn(text, " \t\n\v\f\r") || end == text || *end)
        return "is no number";
    if (isinf(x) && strpbrk(text, "0123456789"))
        return "is beyond the largest number, 1.8e308";
    return "is not finite";
}

/* 1e6 and 2.5e3 are whole; beyond 2^53 a double no longer says which number was meant. */
static int whole_real(const char *text, long long *value)
{
    double x;

    if (text[strspn(text, "+-.0123456789eE")] || !cli_real(text, &x))
        return 0;
    *value = (long long)fmax(-0x1p53, fmin(0x1p53, x));
    return (double)*value == x;
}

int cli_integer(const char *text, int64_t least, int64_t most, int64_t *value)
{
    char *end;
    long long x;

    if (!strchr("+-0123456789", text[0]))
        return 0;
    errno = 0;
    x = strtoll(text, &end, 10);
    if (end == text || errno || (*end && !whole_real(text, &x)) || x < least || x > most)
        return 0;
    *value = x;
    return 1;
}

/* Returns the first separator outside brackets, or NULL: "weighted[3,1]" is one piece. */
static const char *find_separator(const char *text, char separator)
{
    int within = 0;

    for (; *text && (within || *text != separator); text++)
        within = *text == '[' || (within && *text != ']');
    return *text ? text : NULL;
}

int cli_next(const char **rest, char separator, char *piece, size_t bytes)
{
    const char *from = *rest, *to;
    size_t length;

    if (!from)
        return 0;
    to = find_separator(from, separator);
    length = to ? (size_t)(to - from) : strlen(from);
    if (length >= bytes)
        return 0;
    memcpy(piece, from, length);
    piece[length] = '\0';
    *rest = to ? to + 1 : NULL;
    return 1;
}
