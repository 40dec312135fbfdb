/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * known: plays the cases of a table of known answers on a device. The answers are the scalar
 * lane's, written down when the trajectory was last changed on purpose, so that code which moves,
 * or is made faster, is seen to change nothing.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/cli.h"
#include "tests/known/table.h"
#include "tests/promise.h"
#include "tests/random/names.h"
#include "tests/random/play.h"
#include "tests/ranks/threads.h"

enum { SKIPPED = 77 };

typedef struct options {
    int print;
    const char *device, *kernel, *model, *table;
    int64_t threads, ranks, want;
} options;

#define AT(member) offsetof(options, member)

static const cli_option flags[] = {
    {"table", CLI_TEXT, AT(table), "FILE", "the table (answers.txt beside the source)", 0, 0},
    {"device", CLI_TEXT, AT(device), "NAME", "device, or a list (every one that is usable)", 0, 0},
    {"ranks", CLI_INTEGER, AT(ranks), "N", "in so many ranks, threads of this process (1)", 1,
     RANKS_MOST},
    {"threads", CLI_INTEGER, AT(threads), "N", "threads, instead of each case's own", 1, 4096},
    {"kernel", CLI_TEXT, AT(kernel), "NAME",
     "of a GPU, forced upon every case; those that it cannot sweep are left out", 0, 0},
    {"model", CLI_TEXT, AT(model), "NAME", "only the cases of this model", 0, 0},
    {"want", CLI_INTEGER, AT(want), "N", "fail unless so many cases were swept (1)", 1, INT64_MAX},
    {"print", CLI_SWITCH, AT(print), NULL,
     "print the table with the answers of --device, cpu:scalar if none is named", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    .name = "known",
    .about = "Known answers: the same as the table's on every device.",
    .notes = "A line of the table: the answer for the trajectory (statuses, measurements, sites),\n"
             "that for state hashes and saves, and the case as tests/random writes it.\n"
             "--kernel: general, large, lines, ruled, natural, uniform natural, persistent,\n"
             "alone, resident, ising colours, phi4 colours, phi4 tiles, onvector colours, onvector "
             "packs,\n"
             "potts colours, potts words, potts plain, potts bath, potts blocks, potts small,\n"
             "generation, tiles of cells, blocks of cells, blume-capel, blume-capel plain,\n"
             "blume-capel small, clock colours.\n"
             "Exit status: 0 all the same, 1 not, 77 there is no such device."};

typedef struct tally {
    int64_t cases, swept, wrong;
    int64_t left_out; /* the device lacks their models, or they cannot be divided so */
} tally;

/* What is played, and on what. */
typedef struct game {
    options o;
    const char *device;
    int kernel; /* 0: chosen as for any user */
    int model;  /* 0: all */
    tally tally;
} game;

/* The number of a kernel, 0 if none is named. */
static int kernel_of(const options *o)
{
    for (int k = 1; o->kernel && k < kernels_count(); k++)
        if (strcmp(kernels_name(k), o->kernel) == 0)
            return k;
    if (o->kernel)
        cli_refuse("--kernel is \"%s\"; --help lists them, those of this build", o->kernel);
    return 0;
}

/* The same of a model. */
static int model_of(const options *o)
{
    int model = 0;

    if (o->model && !number_of(LATMC_MODELS, o->model, &model))
        cli_refuse("--model is \"%s\", which is none", o->model);
    return model;
}

static void report(const play_answer *got, const table_row *row)
{
    printf("not ok - %s\n", row->text);
    if (!row->has_answers)
        puts("  the table has no answers");
    else if (got->trajectory != row->trajectory)
        printf("  trajectory %016" PRIx64 ", and not %016" PRIx64 "\n", got->trajectory,
               row->trajectory);
    else
        printf("  state hashes and saves %016" PRIx64 ", and not %016" PRIx64 "\n", got->form,
               row->form);
}

/* The case on the devices, by one process or by ranks, which all must have the same answer. */
typedef struct turn {
    const game *game;
    const table_row *row;
    play_answer got[RANKS_MOST];
} turn;

static void play_rank(void *user, const latmc_ranks *ranks)
{
    turn *t = user;

    play_known(&t->row->c,
               &(play_place){.device = t->game->device, .kernel = t->game->kernel, .ranks = ranks},
               &t->got[ranks ? ranks->rank : 0]);
}

static play_answer answer_of(const game *g, const table_row *row)
{
    const int ranks = (int)g->o.ranks;
    turn t = {.game = g, .row = row};

    if (ranks <= 1) {
        play_rank(&t, NULL);
        return t.got[0];
    }
    setenv("LATMC_DEVICE", g->device, 1); /* as each of them would, at the same time */
    ranks_run(ranks, play_rank, &t);
    for (int r = 1; r < ranks; r++)
        if (memcmp(&t.got[r], &t.got[0], sizeof t.got[0]) != 0)
            t.got[0].trajectory = ~row->trajectory;
    return t.got[0];
}

/* Is the lattice more than one piece? */
static int is_divided(const game *g)
{
    return g->o.ranks > 1 || strchr(g->device, ',');
}

/* Under sanitizers lattices are a third of the table's, and divided ones fewer: what there is to
 * see of them is in the code that divides them. */
static int is_left_out(const game *g, const table_row *row)
{
    return LM_SANITIZED && row->c.seed % (is_divided(g) ? 5 : 3) != 0;
}

/* Is it one of those asked for? */
static int is_wanted(const game *g, const table_row *row)
{
    return row->has_case && (!g->model || row->c.model == g->model) && !is_left_out(g, row);
}

/* Whether the kind of device has the model of the case. */
static int has_model(const game *g, const table_row *row)
{
    latmc_lattice *lattice = NULL;
    latmc_status status = latmc_create(&lattice, (latmc_model)row->c.model, 2, (int64_t[]){64, 64});

    if (!status)
        status = latmc_set_device(lattice, g->device);
    if (!status)
        status = latmc_start(lattice, LATMC_START_COLD);
    latmc_destroy(lattice);
    return status != LATMC_ERROR_NO_DEVICE;
}

static void check(game *g, table_row *row)
{
    play_answer got;

    if (g->o.threads)
        row->c.threads = (int)g->o.threads;
    got = answer_of(g, row);
    if (got.refused && is_divided(g)) {
        g->tally.left_out++;
        return;
    }
    g->tally.cases++;
    if (got.refused) {
        g->tally.wrong++;
        printf("not ok - a call is refused: %s\n", row->text);
        return;
    }
    if (g->o.print) {
        printf("%016" PRIx64 " %016" PRIx64 " %s\n", got.trajectory, got.form, row->text);
        return;
    }
    if (g->kernel && got.swept[g->kernel] == 0)
        return;
    g->tally.swept++;
    if (row->has_answers && got.trajectory == row->trajectory && got.form == row->form)
        return;
    g->tally.wrong++;
    report(&got, row);
}

/* 1 if something is wrong. */
static int play_table(game *g, const char *device)
{
    static table_row row;
    FILE *file = fopen(g->o.table, "r");
    int64_t want;
    int bad;

    if (!file)
        cli_refuse("--table: %s: %s", g->o.table, strerror(errno));
    g->device = device;
    g->tally = (tally){0};
    want = !LM_SANITIZED   ? g->o.want
           : is_divided(g) ? (g->o.want + 9) / 10
                           : (2 * g->o.want + 8) / 9;
    while (table_next(file, &row))
        if (is_wanted(g, &row) && !has_model(g, &row))
            g->tally.left_out++;
        else if (is_wanted(g, &row))
            check(g, &row);
        else if (g->o.print && !row.has_case)
            puts(row.text);
    fclose(file);
    bad = g->tally.wrong || g->tally.swept < want;
    if (g->o.print)
        return g->tally.wrong != 0;
    printf("%s - %" PRId64 " of %" PRId64 " cases on %s%s%s: %" PRId64 " differ\n",
           bad ? "not ok" : "ok", g->tally.swept, g->tally.cases, device,
           g->o.kernel ? ", swept by " : "", g->o.kernel ? g->o.kernel : "", g->tally.wrong);
    if (g->tally.left_out)
        printf("  %" PRId64 " left out: the device lacks their models, or they have too few "
               "layers and replicas\n",
               g->tally.left_out);
    if (g->tally.swept < want)
        printf("  %" PRId64 " are wanted\n", want);
    fflush(stdout);
    return bad;
}

/* A list of devices. */
static int can_be_had(const char *device)
{
    latmc_lattice *lattice = NULL;
    latmc_status status = latmc_create(&lattice, LATMC_ISING, 1, (int64_t[]){4});

    if (!status)
        status = latmc_set_device(lattice, device);
    latmc_destroy(lattice);
    return !status;
}

/* The exit status where a test cannot be made on a device, or on any. */
static int without(const char *device, const char *why)
{
    const int broken = promised(device);

    printf(broken ? "FAILED - " PROMISE_BROKEN : "skip - %s\n", broken ? device : why);
    return broken ? 1 : SKIPPED;
}

/* On the device named, or on all. */
static int play(game *g)
{
    latmc_device_info info = LATMC_INIT(latmc_device_info);
    int bad = 0, played = 0;

    if (g->o.device && strchr(g->o.device, ',') && can_be_had(g->o.device))
        return play_table(g, g->o.device);
    for (int i = 0; !latmc_describe_device(i, &info); i++) {
        if (g->o.device && strcmp(g->o.device, info.name) != 0)
            continue;
        if (!info.usable) {
            bad |= without(info.name, info.name) != SKIPPED;
            continue;
        }
        bad |= play_table(g, info.name);
        played++;
    }
    return played || bad ? bad : without(g->o.device, "there is no such device");
}

int main(int argc, char **argv)
{
    game g = {.o = {.table = KNOWN_TABLE, .want = 1}};

    cli_parse(&program, (const cli_table[]){{flags, &g.o}, {NULL, NULL}}, argc, argv);
    if (g.o.print && !g.o.device)
        g.o.device = "cpu:scalar";
    if (g.o.kernel && !kernels_count())
        return without(g.o.device, "this build has no kernels of a GPU");
    g.kernel = kernel_of(&g.o);
    g.model = model_of(&g.o);
    return cli_finish(play(&g));
}
