/* SPDX-License-Identifier: BSD-3-Clause */
#include "page.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

enum { GAP = 2, COLUMNS_MAX = 128 };

/* Less is no page, and more is hard to read. */
enum { PRESET_WIDTH = 100, LEAST_WIDTH = 40, MOST_WIDTH = 200 };

static int terminal_width(void)
{
    struct winsize size;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static int page_width(void)
{
    const char *columns = getenv("COLUMNS");
    int64_t width;

    if (!columns || !cli_integer(columns, 1, INT_MAX, &width))
        width = terminal_width();
    if (!width)
        return PRESET_WIDTH;
    return (int)(width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width);
}

void page_text(FILE *file, int indent, const char *text)
{
    const int width = page_width();
    int used = 0;

    while (*text) {
        const size_t blanks = strspn(text, " "), length = strcspn(text + blanks, " \n");
        const int wanted = (int)(blanks + length);

        if (length && used && used + wanted > width) {
            fprintf(file, "\n%*s%.*s", indent, "", (int)length, text + blanks);
            used = indent + (int)length;
        } else {
            fprintf(file, "%.*s", wanted, text);
            used += wanted;
        }
        text += wanted;
        if (*text == '\n') {
            fprintf(file, "\n%*s", text[1] ? indent : 0, "");
            used = indent;
            text++;
        }
    }
    fprintf(file, "\n");
}

static int width_of(const page_table *t, int column)
{
    size_t width = strlen(t->heading(t->user, column));
    char text[PAGE_CELL];

    for (int64_t row = 0; row < t->rows; row++) {
        t->cell(t->user, row, column, text);
        if (strlen(text) > width)
            width = strlen(text);
    }
    return (int)width;
}

static void print_line(FILE *file, const page_table *t, const int *widths, int from, int to,
                       int64_t row)
{
    char text[PAGE_CELL];

    for (int column = 0; column < to; column++) {
        if (column == t->labels)
            column = from;
        if (row >= 0)
            t->cell(t->user, row, column, text);
        else
            snprintf(text, sizeof text, "%s", t->heading(t->user, column));
        fprintf(file, "%*s%*s", column ? GAP : 0, "", widths[column], text);
    }
    fprintf(file, "\n");
}

/* The first column that has no room beside those from `from` on. */
static int end_of_part(const page_table *t, const int *widths, int from)
{
    const int width = page_width();
    int used = 0, end = from;

    for (int column = 0; column < t->labels; column++)
        used += widths[column] + (column ? GAP : 0);
    while (end < t->columns) {
        int next = end, wanted = 0;

        do
            wanted += GAP + widths[next++];
        while (t->bound && next < t->columns && t->bound(t->user, next));
        if (end > from && used + wanted > width)
            break;
        used += wanted;
        end = next;
    }
    return end;
}

void page_print_table(FILE *file, const page_table *t)
{
    int widths[COLUMNS_MAX];

    for (int column = 0; column < t->columns; column++)
        widths[column] = width_of(t, column);
    for (int from = t->labels, to; from < t->columns; from = to) {
        to = end_of_part(t, widths, from);
        if (from > t->labels)
            fprintf(file, "\n");
        for (int64_t row = -1; row < t->rows; row++)
            print_line(file, t, widths, from, to, row);
    }
}
