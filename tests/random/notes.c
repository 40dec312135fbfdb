/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/notes.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int differ(notes *n, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int differ(notes *n, const char *format, ...)
{
    va_list arguments;
    const int length = snprintf(n->difference, sizeof n->difference, "%s: ", n->where);

    va_start(arguments, format);
    if (length >= 0 && (size_t)length < sizeof n->difference)
        vsnprintf(n->difference + length, sizeof n->difference - (size_t)length, format, arguments);
    va_end(arguments);
    return 0;
}

static void *memory(void *old, size_t bytes)
{
    void *made = realloc(old, bytes ? bytes : 1);

    if (!made) {
        fputs("random: no memory to remember what a case saw\n", stderr);
        exit(2);
    }
    return made;
}

static note *add(notes *n)
{
    if (n->count == n->room) {
        n->room = n->room ? 2 * n->room : 64;
        n->all = memory(n->all, (size_t)n->room * sizeof *n->all);
    }
    n->all[n->count] = (note){0};
    return &n->all[n->count++];
}

/* The first side's note, or NULL if it had made no more calls. */
static const note *take(notes *n)
{
    return n->next < n->count ? &n->all[n->next++] : NULL;
}

/* Which of several ranks it was, and that there are some. */
static void without_ranks(char *text)
{
    char *rank = strstr(text, ": rank "), *many = strstr(text, "_on_ranks: ");
    int length = 0;

    if (many)
        memmove(many, many + strlen("_on_ranks"), strlen(many + strlen("_on_ranks")) + 1);
    if (rank && sscanf(rank, ": rank %*d%n", &length) == 0 && length && rank[length] == ':')
        memmove(rank, rank + length, strlen(rank + length) + 1);
}

/* Devices' names, and ranks, are the only things in which messages may differ. */
static void without_names(const notes *n, char *text)
{
    static const char device[] = "DEVICE";

    without_ranks(text);
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(n->devices[i]);
        for (char *at = text; (at = strstr(at, n->devices[i])) != NULL; at += strlen(device)) {
            memmove(at + strlen(device), at + length, strlen(at + length) + 1);
            memcpy(at, device, strlen(device));
        }
    }
}

int notes_status(notes *n, latmc_status status)
{
    char text[4096];
    const note *first;

    snprintf(text, sizeof text / 2, "%s%s%s", latmc_status_name(status), status ? ": " : "",
             status ? latmc_error_message() : "");
    without_names(n, text);
    if (!n->comparing) {
        note *new = add(n);
        new->message = memory(NULL, strlen(text) + 1);
        strcpy(new->message, text);
        return 1;
    }
    first = take(n);
    if (!first || !first->message)
        return differ(n, "\"%s\", a call that the other side did not make", text);
    if (strcmp(first->message, text) == 0)
        return 1;
    return differ(n, "\"%.200s\", and not \"%.200s\"", text, first->message);
}

/* Bit for bit; but no contract says which of its bits make a NaN. */
static int same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

int notes_values(notes *n, const char *what, const double *values, int64_t count)
{
    const note *first;

    if (!n->comparing) {
        note *new = add(n);
        new->values = memory(NULL, (size_t)count * sizeof *values);
        new->count = count;
        memcpy(new->values, values, (size_t)count * sizeof *values);
        return 1;
    }
    first = take(n);
    if (!first || !first->values || first->count != count)
        return differ(n, "%s, which the other side did not ask for", what);
    for (int64_t i = 0; i < count; i++)
        if (!same(values[i], first->values[i]))
            return differ(n, "%s, number %" PRId64 " of %" PRId64 ": %.17g, and not %.17g", what,
                          i + 1, count, values[i], first->values[i]);
    return 1;
}

static int take_number(notes *n, const char *what, uint64_t number, int of_form)
{
    const note *first;

    if (!n->comparing) {
        *add(n) = (note){.is_number = 1, .of_form = of_form, .number = number};
        return 1;
    }
    first = take(n);
    if (!first || !first->is_number)
        return differ(n, "%s, which the other side did not ask for", what);
    if (number == first->number)
        return 1;
    return differ(n, "%s %016" PRIx64 ", and not %016" PRIx64, what, number, first->number);
}

int notes_number(notes *n, const char *what, uint64_t number)
{
    return take_number(n, what, number, 0);
}

int notes_form(notes *n, const char *what, uint64_t number)
{
    return take_number(n, what, number, 1);
}

static uint64_t stirred(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return sum ^ sum >> 29;
}

static uint64_t stir_status(uint64_t sum, const char *message)
{
    for (; *message && *message != ':'; message++)
        sum = stirred(sum, (unsigned char)*message);
    return sum;
}

static uint64_t stir_values(uint64_t sum, const note *seen)
{
    for (int64_t i = 0; i < seen->count; i++) {
        uint64_t bits;

        memcpy(&bits, &seen->values[i], sizeof bits);
        sum = stirred(sum, isnan(seen->values[i]) ? 1 : bits);
    }
    return sum;
}

uint64_t notes_digest(const notes *n, int form)
{
    uint64_t sum = 0;

    for (const note *seen = n->all; seen < n->all + n->count; seen++)
        if (seen->is_number && seen->of_form == form)
            sum = stirred(sum, seen->number);
        else if (seen->message && !form)
            sum = stir_status(sum, seen->message);
        else if (seen->values && !form)
            sum = stir_values(sum, seen);
    return sum;
}

int notes_refused(const notes *n)
{
    for (int64_t i = 0; i < n->count; i++)
        if (n->all[i].message && strcmp(n->all[i].message, latmc_status_name(LATMC_OK)) != 0)
            return 1;
    return 0;
}

void notes_compare(notes *n)
{
    n->comparing = 1;
    n->next = 0;
}

int notes_end(notes *n)
{
    if (n->difference[0])
        return 0;
    return n->next == n->count ? 1 : differ(n, "the other side went on");
}

void notes_free(notes *n)
{
    for (int64_t i = 0; i < n->count; i++) {
        free(n->all[i].message);
        free(n->all[i].values);
    }
    free(n->all);
    *n = (notes){0};
}
