/* SPDX-License-Identifier: BSD-3-Clause */
#include "lattice_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 256, MOST_WORDS = 4, MOST_SAMPLES = 1 << 22 };

typedef struct reader {
    const char *flag, *path;
    FILE *file;
    latmc_lattice_info info;
    disorder_kind kind;
    int64_t line; /* number of the present line */
    int words;
    char *word[MOST_WORDS]; /* they point into `text` */
    char text[LINE_BYTES];
    int64_t first_site; /* number of the first site in the file: 0 or 1 */
    int64_t stated;     /* bonds that the file says it has; -1: it says nothing */
    int64_t each;       /* numbers of a sample */
    int64_t samples;    /* those that have been read */
    double *values;     /* [sample][number] */
} reader;

const char *lattice_file_names(const char *value)
{
    const size_t length = strlen(LATTICE_FILE_PREFIX);

    return value && strncmp(value, LATTICE_FILE_PREFIX, length) == 0 ? value + length : NULL;
}

/* Says what is wrong with the present line. */
__attribute__((format(printf, 2, 3))) static _Noreturn void refuse(const reader *r,
                                                                   const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_refuse("--%s: \"%s\", line %" PRId64 ": %s", r->flag, r->path, r->line, text);
}

/* ---- lines */

static void split(reader *r)
{
    char *at = r->text;

    at[strcspn(at, "#")] = '\0';
    for (r->words = 0; *(at += strspn(at, " \t\r\n")); r->words++) {
        if (r->words == MOST_WORDS)
            refuse(r, "the line has more than %d words", MOST_WORDS);
        r->word[r->words] = at;
        at += strcspn(at, " \t\r\n");
        if (*at)
            *at++ = '\0';
    }
}

/* Goes to the next line that says something. Returns 0 at the end. */
static int next_line(reader *r)
{
    do {
        if (!fgets(r->text, sizeof r->text, r->file)) {
            if (ferror(r->file))
                refuse(r, "the file cannot be read: %s", strerror(errno));
            return 0;
        }
        r->line++;
        if (!strchr(r->text, '\n') && !feof(r->file))
            refuse(r, "the line is longer than %d bytes", LINE_BYTES - 2);
        split(r);
    } while (!r->words);
    return 1;
}

static double real_of(const reader *r, const char *word)
{
    double value;

    if (!cli_real(word, &value))
        refuse(r, "\"%s\" %s", word, cli_real_fault(word));
    return value;
}

/* Returns a site of which the coordinates are given, such as 3,0,7. */
static int64_t site_at(const reader *r, const char *word)
{
    const char *rest = word;
    char piece[NAME_BYTES];
    int64_t site = 0, stride = 1, x;

    for (int a = 0; a < r->info.dims; a++) {
        if (!cli_next(&rest, ',', piece, sizeof piece) ||
            !cli_integer(piece, 0, r->info.extents[a] - 1, &x))
            refuse(r, "\"%s\" is no site; coordinate %d must be 0 to %" PRId64, word, a,
                   r->info.extents[a] - 1);
        site += stride * x;
        stride *= r->info.extents[a];
    }
    if (rest)
        refuse(r, "\"%s\" has more coordinates than the lattice, which has %" PRId64, word,
               r->info.dims);
    return site;
}

static int64_t site_of(const reader *r, const char *word)
{
    const int64_t last = r->first_site + r->info.sites - 1;
    int64_t site;

    if (strchr(word, ','))
        return site_at(r, word);
    if (!cli_integer(word, r->first_site, last, &site))
        refuse(r,
               "\"%s\" is no site; sites are %" PRId64 " to %" PRId64
               ", or count from 1 below a first line with the numbers of sites and bonds",
               word, r->first_site, last);
    return site - r->first_site;
}

/* ---- samples */

/* Begins a sample of zeros. */
static double *add_sample(reader *r)
{
    double *more;

    if (r->samples == MOST_SAMPLES)
        refuse(r, "there are more than %d samples", MOST_SAMPLES);
    cli_need_memory((double)(r->samples + 1) * (double)r->each, "numbers of files");
    more = realloc(r->values, (size_t)(r->samples + 1) * (size_t)r->each * sizeof *more);
    if (!more)
        cli_fail("there is no memory for the numbers of files");
    r->values = more;
    more += r->samples++ * r->each;
    memset(more, 0, (size_t)r->each * sizeof *more);
    return more;
}

/* Numbers in the library's order, of any number of samples. */
static void read_numbers(reader *r)
{
    double *sample = NULL;
    int64_t count = 0;

    do {
        if (r->words != 1)
            refuse(r, "the line has %d words; the lines above it have one number", r->words);
        if (count % r->each == 0)
            sample = add_sample(r);
        sample[count++ % r->each] = real_of(r, r->word[0]);
    } while (next_line(r));
    if (count % r->each)
        refuse(r, "the file ends after %" PRId64 " numbers; a sample has %" PRId64, count, r->each);
}

/* ---- bonds and sites */

/* Returns the site one step up along an axis, or -1 beyond an open end. */
static int64_t up_of(const reader *r, int64_t site, int axis)
{
    const int64_t extent = r->info.extents[axis];
    int64_t stride = 1, x;

    for (int a = 0; a < axis; a++)
        stride *= r->info.extents[a];
    x = site / stride % extent;
    if (x == extent - 1)
        return r->info.boundaries[axis] == LATMC_OPEN ? -1 : site - x * stride;
    return site + stride;
}

/* Finds the bond between two sites that is not taken yet. An extent of 2 has two, and the one from
 * the lower site comes first. */
static int64_t bond_between(const reader *r, int64_t a, int64_t b, const char *taken)
{
    const int64_t from[] = {a < b ? a : b, a < b ? b : a};
    int found = 0;

    for (int axis = 0; axis < r->info.dims; axis++)
        for (int i = 0; i < 2; i++) {
            const int64_t bond = axis * r->info.cells + from[i];

            if (up_of(r, from[i], axis) != from[1 - i])
                continue;
            if (!taken[bond])
                return bond;
            found = 1;
        }
    if (found)
        refuse(r, "the bond between the sites %s and %s has a number already", r->word[0],
               r->word[1]);
    refuse(r, "the lattice has no bond between the sites %s and %s", r->word[0], r->word[1]);
}

/* Returns the place of the present line's number. */
static int64_t place_of(const reader *r, const char *taken)
{
    const int64_t site = site_of(r, r->word[0]);

    if (r->kind == OF_BONDS)
        return bond_between(r, site, site_of(r, r->word[1]), taken);
    if (taken[site])
        refuse(r, "site %s has a number already", r->word[0]);
    return site;
}

/* Lines of one sample. What has no line is 0. */
static void read_list(reader *r)
{
    const int words = r->kind == OF_BONDS ? 3 : 2;
    char *taken = cli_memory(r->each, 1);
    double *sample = add_sample(r);
    int64_t count = 0;

    do {
        int64_t place;

        if (r->words != words)
            refuse(r, "the line has %d words; %s is needed", r->words,
                   r->kind == OF_BONDS ? "SITE SITE NUMBER" : "SITE NUMBER");
        place = place_of(r, taken);
        taken[place] = 1;
        sample[place] = real_of(r, r->word[words - 1]);
        count++;
    } while (next_line(r));
    free(taken);
    if (r->stated >= 0 && count != r->stated)
        refuse(r, "the file has %" PRId64 " bonds; its first line says %" PRId64, count, r->stated);
}

/* The first line of published instances has the numbers of sites and of bonds. */
static void read_header(reader *r)
{
    int64_t sites;

    if (!cli_integer(r->word[0], 1, INT64_MAX, &sites) ||
        !cli_integer(r->word[1], 0, INT64_MAX, &r->stated))
        refuse(r, "two words must be the numbers of sites and of bonds");
    if (sites != r->info.sites)
        refuse(r, "the file has %" PRId64 " sites; the lattice has %" PRId64, sites, r->info.sites);
    r->first_site = 1;
    if (!next_line(r))
        refuse(r, "the file has no bonds");
}

static void read_file(reader *r)
{
    r->line = r->first_site = 0;
    r->stated = -1;
    r->file = fopen(r->path, "r");
    if (!r->file)
        cli_refuse("--%s: \"%s\" cannot be opened: %s", r->flag, r->path, strerror(errno));
    if (!next_line(r))
        refuse(r, "the file has no numbers");
    if (r->kind == DISORDERS)
        r->kind = r->words == 3 ? OF_BONDS : OF_SITES;
    r->each = r->kind == OF_BONDS ? r->info.bond_types * r->info.cells : r->info.sites;
    if (r->words == 2 && r->kind == OF_BONDS)
        read_header(r);
    (r->words == 1 ? read_numbers : read_list)(r);
    fclose(r->file);
}

double *lattice_file_read(const latmc_lattice *lattice, disorder_kind *kind, const char *flag,
                          const char *names, int64_t *samples)
{
    reader r = {.flag = flag, .kind = *kind, .info = lattice_info(lattice)};
    const char *rest = names;
    char path[4096];

    r.path = path;
    while (rest) {
        if (!cli_next(&rest, ',', path, sizeof path) || !path[0])
            cli_refuse("--%s is \"" LATTICE_FILE_PREFIX "%s\"; names of files with commas between "
                       "them are needed",
                       flag, names);
        read_file(&r);
    }
    *kind = r.kind;
    *samples = r.samples;
    return r.values;
}
