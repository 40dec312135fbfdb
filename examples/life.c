/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc-life: a cellular automaton as an animation, in the terminal and in a picture. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "gif.h"
#include "lattice_flags.h"
#include "rle.h"
#include "stop.h"

typedef struct life_flags {
    const char *pattern, *extents, *rule, *boundary, *device, *picture, *write;
    int64_t generations, every, delay, zoom, threads;
    double noise; /* 0: not given */
    cli_seed seed;
    int still;
} life_flags;

#define AT(member) offsetof(life_flags, member)

#define PATTERN_NAMES "glider, gun, rpentomino, acorn or soup"

static const cli_option options[] = {
    {"pattern", CLI_TEXT, AT(pattern), "NAME",
     "a file in run-length encoding (.rle), or " PATTERN_NAMES " (gun). In soup half of the "
     "cells live",
     0, 0},
    {"extents", CLI_TEXT, AT(extents), "80x48",
     "columns and rows of the field (those of the rule's grid, or 80x48)", 0, 0},
    {"rule", CLI_TEXT, AT(rule), "B3/S23",
     "numbers of living neighbours for births and survival (the pattern's own, or B3/S23); "
     "23/3, HighLife and other forms and names that pattern files use will do. Behind the rule "
     ":T72,48 is a torus of 72 x 48 cells, and :P72,48 a field with open boundaries",
     0, 0},
    {"boundary", CLI_TEXT, AT(boundary), "NAME",
     "periodic or open (that of the rule's grid, or periodic)", 0, 0},
    {"noise", CLI_REAL, AT(noise), "P",
     "probability with which a cell becomes the other of what the rule says (0)", 0, 1},
    {"generations", CLI_INTEGER, AT(generations), "N", "generations (200)", 0, INT64_C(1) << 32},
    {"every", CLI_INTEGER, AT(every), "K", "generations from one frame to the next (1)", 1,
     INT64_C(1) << 32},
    {"delay", CLI_INTEGER, AT(delay), "MS", "time of a frame, in ms (80)", 0, 100000},
    {"picture", CLI_TEXT, AT(picture), "FILE", "write an animated picture (.gif)", 0, 0},
    {"zoom", CLI_INTEGER, AT(zoom), "N", "pixels of a cell's side in it (5)", 1, 64},
    {"write", CLI_TEXT, AT(write), "FILE", "write the last generation in run-length encoding", 0,
     0},
    {"still", CLI_SWITCH, AT(still), NULL,
     "show the last generation alone, as where stdout is no terminal", 0, 0},
    {"seed", CLI_SEED, AT(seed), "N", "seed of the random numbers (1)", 0, 0},
    {"device", CLI_TEXT, AT(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-life", "Conway's Life and its relatives: an animation in the terminal and in a picture.",
    "A character of the terminal shows two cells, one above the other.", lattice_print_devices};

static const struct {
    const char *name, *text;
} patterns[] = {
    {"glider", "x = 3, y = 3\nbob$2bo$3o!"},
    {"gun", "x = 36, y = 9\n24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$"
            "2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!"},
    {"rpentomino", "x = 3, y = 3\nb2o$2o$bo!"},
    {"acorn", "x = 7, y = 3\nbo$3bo$2o2b3o!"},
};

/* ---- the field */

typedef struct field {
    latmc_lattice *lattice;
    int64_t width, height;
    rle_rule rule;
    const char *boundary;
    int in_grid; /* the rule says how large it is */
    int8_t *cells;
} field;

static void read_extents(const char *text, field *f)
{
    const char *rest = text;
    char width[32], height[32];

    if (!cli_next(&rest, 'x', width, sizeof width) ||
        !cli_next(&rest, 'x', height, sizeof height) || rest ||
        !cli_integer(width, 3, INT32_MAX, &f->width) ||
        !cli_integer(height, 3, INT32_MAX, &f->height))
        cli_refuse("--extents is \"%s\"; two whole numbers >= 3 with x between them are needed, "
                   "such as 80x48",
                   text);
}

/* By name, or out of a file. */
static rle_pattern find_pattern(const char *name)
{
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        if (strcmp(name, patterns[i].name) == 0)
            return rle_parse(name, patterns[i].text);
    if (access(name, F_OK) != 0)
        cli_fail("there is no file \"%s\", and a pattern without a file is " PATTERN_NAMES, name);
    return rle_read(name);
}

/* The size that centres the pattern: its header's, unless that cannot be. */
static int64_t size_of(int64_t header, int64_t needed, int64_t field)
{
    return header >= needed && header <= field ? header : needed;
}

static void put_pattern(field *f, const rle_pattern *p)
{
    int64_t left = f->width / 2 - size_of(p->width, p->right, f->width) / 2;
    int64_t top = f->height / 2 - size_of(p->height, p->bottom, f->height) / 2;

    if (p->right > f->width || p->bottom > f->height)
        cli_refuse("the pattern has %" PRId64 " x %" PRId64 " cells, which a field of %" PRId64
                   " x %" PRId64 " cannot hold: --extents",
                   p->right, p->bottom, f->width, f->height);
    if (f->in_grid && p->placed) {
        left = f->width / 2 + p->left;
        top = f->height / 2 + p->top;
    }
    if (left < 0 || top < 0 || left > f->width - p->right || top > f->height - p->bottom)
        cli_refuse("the pattern's place (Pos=%" PRId64 ",%" PRId64 ") leaves its grid of %" PRId64
                   " x %" PRId64 " cells",
                   p->left, p->top, f->width, f->height);
    for (int64_t i = 0; i < p->count; i++)
        memset(f->cells + (top + p->runs[i].y) * f->width + left + p->runs[i].x, 1,
               (size_t)p->runs[i].count);
}

/* A rule, and the grid behind it: 1 if there are both. */
static int read_bounded(const char *text, rle_rule *rule, rle_grid *grid)
{
    char plain[RLE_TEXT_BYTES];
    const size_t length = strcspn(text, ":");

    snprintf(plain, sizeof plain, "%.*s", (int)length, text);
    return length < sizeof plain && rle_read_rule(plain, rule) &&
           rle_read_grid(text + length, grid);
}

static rle_grid read_rule(const life_flags *flags, const rle_pattern *pattern, field *f)
{
    static const char needed[] =
        RLE_RULES " is needed, without a grid or with one such as :T72,48 or :P72,48";
    const char *text = *pattern->rule ? pattern->rule : "B3/S23";
    rle_grid grid;

    if (flags->rule && !read_bounded(flags->rule, &f->rule, &grid))
        cli_refuse("--rule is \"%s\"; %s", flags->rule, needed);
    if (!flags->rule && !read_bounded(text, &f->rule, &grid))
        cli_fail("the rule of \"%s\" is \"%s\"; %s: --rule replaces it", flags->pattern, text,
                 needed);
    return grid;
}

/* The grid of a rule is the field, with which flags may agree. */
static void read_size(const life_flags *flags, rle_grid grid, field *f)
{
    f->in_grid = grid.width > 0;
    f->boundary = flags->boundary ? flags->boundary : grid.open ? "open" : "periodic";
    read_extents(flags->extents ? flags->extents : "80x48", f);
    if (!f->in_grid)
        return;
    if (grid.width < 3 || grid.height < 3)
        cli_refuse("the rule's grid has %" PRId64 " x %" PRId64 " cells; 3 a side are the least",
                   grid.width, grid.height);
    if (flags->extents && (f->width != grid.width || f->height != grid.height))
        cli_refuse("--extents is \"%s\", and the rule's grid has %" PRId64 " x %" PRId64
                   " cells; --rule replaces the rule with its grid",
                   flags->extents, grid.width, grid.height);
    if ((strcmp(f->boundary, "open") == 0) != grid.open)
        cli_refuse("--boundary is \"%s\", and the rule's grid is %s; --rule replaces the rule with "
                   "its grid",
                   f->boundary, grid.open ? "open" : "periodic");
    f->width = grid.width;
    f->height = grid.height;
}

static void make_lattice(field *f, const life_flags *flags)
{
    latmc_boundary both[2];
    int id;

    cli_setup(latmc_create(&f->lattice, LATMC_AUTOMATON, 2, (int64_t[]){f->width, f->height}),
              "extents");
    cli_setup(latmc_set_option(f->lattice, LATMC_BIRTH, f->rule.birth), "rule");
    cli_setup(latmc_set_option(f->lattice, LATMC_SURVIVAL, f->rule.survival), "rule");
    cli_setup(latmc_find(LATMC_BOUNDARIES, LATMC_AUTOMATON, f->boundary, &id), "boundary");
    both[0] = both[1] = (latmc_boundary)id;
    cli_setup(latmc_set_boundaries(f->lattice, both), "boundary");
    if (flags->noise > 0)
        cli_setup(latmc_set_param(f->lattice, LATMC_NOISE, flags->noise), "noise");
    if (flags->seed.given)
        cli_setup(latmc_set_seed(f->lattice, flags->seed.value), "seed");
    cli_setup(latmc_set_threads(f->lattice, (int)flags->threads), "threads");
    cli_setup(latmc_set_device(f->lattice, flags->device), "device");
}

/* One byte per cell. */
static size_t cells_of(const field *f)
{
    return (size_t)(f->width * f->height);
}

static void get_cells(field *f)
{
    cli_run(latmc_get_sites(f->lattice, 0, 1, LATMC_INT8, f->cells, cells_of(f)));
}

static field make(const life_flags *flags)
{
    const int soup = strcmp(flags->pattern, "soup") == 0;
    const rle_pattern pattern = soup ? (rle_pattern){0} : find_pattern(flags->pattern);
    field f = {.width = 0};

    read_size(flags, read_rule(flags, &pattern, &f), &f);
    cli_need_memory((double)f.width * (double)f.height / 8, "cells");
    f.cells = cli_memory(f.width * f.height, 1);
    make_lattice(&f, flags);
    if (!soup)
        put_pattern(&f, &pattern);
    cli_run(soup ? latmc_start(f.lattice, LATMC_START_HOT)
                 : latmc_set_sites(f.lattice, 0, 1, LATMC_INT8, f.cells, cells_of(&f)));
    free(pattern.runs);
    get_cells(&f);
    return f;
}

/* ---- frames */

/* Two cells are one character: none, the upper, the lower, both. */
static void show(const field *f)
{
    static const char *const blocks[] = {" ", "\342\226\200", "\342\226\204", "\342\226\210"};

    for (int64_t y = 0; y < f->height; y += 2) {
        for (int64_t x = 0; x < f->width; x++) {
            const int upper = f->cells[y * f->width + x];
            const int lower = y + 1 < f->height ? f->cells[(y + 1) * f->width + x] : 0;

            fputs(blocks[upper + 2 * lower], stdout);
        }
        putchar('\n');
    }
}

static void tell(const field *f, int64_t generation)
{
    const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_DENSITY), LATMC_QUANTITY(LATMC_CHANGED)};
    char rule[RLE_RULE_BYTES];
    double values[2];

    cli_run(latmc_observe(f->lattice, LATMC_BY_REPLICA, 2, what, values));
    rle_write_rule(f->rule, rule);
    printf("%s, generation %" PRId64 ": %.0f cells live, %.0f changed\n", rule, generation,
           values[0] * (double)(f->width * f->height), values[1] * (double)(f->width * f->height));
}

static void rest(int64_t ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&time, NULL);
}

/* Returns how many generations were made. */
static int64_t animate(field *f, const life_flags *flags, gif *picture)
{
    const int moves = !flags->still && isatty(STDOUT_FILENO);
    int64_t done = 0;
    int stopped = 0;

    for (;;) {
        const int64_t left = flags->generations - done;
        const int64_t next = left < flags->every ? left : flags->every;

        if (moves) {
            printf("\033[H\033[J");
            show(f);
            tell(f, done);
            fflush(stdout);
            rest(flags->delay);
        }
        if (picture)
            gif_frame(picture, f->cells);
        if (!left || stopped || stop_asked())
            break;
        stopped = stop_after(latmc_sweep(f->lattice, LATMC_SYNCHRONOUS, next));
        done = flags->generations - left + (stopped ? 0 : next);
        get_cells(f);
    }
    if (!moves) {
        show(f);
        tell(f, done);
    }
    return done;
}

int main(int argc, char **argv)
{
    life_flags flags = {
        .pattern = "gun", .device = "auto", .generations = 200, .every = 1, .delay = 80, .zoom = 5};
    const cli_table tables[] = {{options, &flags}, {NULL, NULL}};
    gif picture;
    field f;
    int good = 1;

    cli_parse(&program, tables, argc, argv);
    f = make(&flags);
    if (flags.picture &&
        (f.width * flags.zoom > GIF_MOST_PIXELS || f.height * flags.zoom > GIF_MOST_PIXELS))
        cli_refuse("--zoom %" PRId64 " makes a picture of more than %d pixels a side", flags.zoom,
                   GIF_MOST_PIXELS);
    stop_prepare();
    cli_run(latmc_set_progress(f.lattice, stop_progress, NULL));
    if (flags.picture)
        picture = gif_open(flags.picture, f.width, f.height, (int)flags.zoom,
                           (int)(flags.delay + 5) / 10);
    animate(&f, &flags, flags.picture ? &picture : NULL);
    cli_flush();
    if (flags.picture)
        good &= gif_close(&picture);
    if (flags.write)
        good &= rle_write(flags.write, f.cells, f.width, f.height, f.rule);
    latmc_destroy(f.lattice);
    free(f.cells);
    return cli_finish(stop_name() ? stop_status() : good ? 0 : CLI_FAILED);
}
