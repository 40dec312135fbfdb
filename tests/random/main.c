/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random: random cases, played on a device and on a reference. One trajectory on any device means
 * that every status, message, measurement, saved lattice and state is the same on both.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/cli.h"
#include "tests/promise.h"
#include "tests/random/draw.h"
#include "tests/random/reduce.h"
#include "tests/random/tally.h"
#include "tests/random/worker.h"

enum { SKIPPED = 77, MOST_FAILURES = 32 };

typedef struct options {
    int worker, print;
    const char *device, *reference, *plant;
    int64_t runs, repeat, jobs, threads, tries, failures, shrink, want_each;
    double seconds, limit, shrink_seconds, shrink_limit, cost;
    cli_seed first;
    cli_list kernels, cases;
    const char *file;
} options;

#define AT(member) offsetof(options, member)

enum { DAY = 86400 }; /* more than any time that is asked for, in s or ms */

static const cli_option flags[] = {
    {"device", CLI_TEXT, AT(device), "NAME", "device under test (cpu)", 0, 0},
    {"reference", CLI_TEXT, AT(reference), "NAME",
     "what it is compared with (auto: cpu:scalar, and for large cases of a GPU cpu)", 0, 0},
    {"runs", CLI_INTEGER, AT(runs), "N", "cases (1000; with --seconds no end)", 1, INT64_MAX},
    {"seconds", CLI_REAL, AT(seconds), "S", "begin no case after so many seconds", 0, DAY},
    {"first", CLI_SEED, AT(first), "NUMBER", "number of the first case (1)", 0, 0},
    {"kernel", CLI_LIST, AT(kernels), "NAME",
     "shapes for one kernel of a GPU; may be repeated (all)", 0, 0},
    {"want-each", CLI_INTEGER, AT(want_each), "N",
     "fail unless each of these kernels swept N lattices", 1, INT64_MAX},
    {"threads", CLI_INTEGER, AT(threads), "N", "most threads that a case asks for (1)", 1, 4096},
    {"cost", CLI_REAL, AT(cost), "MS", "most time of a case on the scalar lane, by estimate", 0,
     DAY},
    {"case", CLI_LIST, AT(cases), "TEXT", "play this case; may be repeated", 0, 0},
    {"cases", CLI_TEXT, AT(file), "FILE", "play the cases of a file, one a line", 0, 0},
    {"repeat", CLI_INTEGER, AT(repeat), "N", "play each given case N times (1)", 1, INT64_MAX},
    {"jobs", CLI_INTEGER, AT(jobs), "N", "processes at once (1)", 1, SUPERVISE_JOBS},
    {"limit", CLI_REAL, AT(limit), "S", "a case that takes longer hangs (120)", 0, DAY},
    {"failures", CLI_INTEGER, AT(failures), "N", "stop after so many (8)", 1, MOST_FAILURES},
    {"shrink", CLI_INTEGER, AT(shrink), "N", "failures to make smaller (3; 0 with --case)", 0,
     MOST_FAILURES},
    {"shrink-seconds", CLI_REAL, AT(shrink_seconds), "S", "time for each of them (120)", 0, DAY},
    {"shrink-limit", CLI_REAL, AT(shrink_limit), "S", "a smaller case that takes longer hangs (10)",
     0, DAY},
    {"tries", CLI_INTEGER, AT(tries), "N",
     "most plays of a smaller case, where the failure is not certain (20)", 1, 1000},
    {"print", CLI_SWITCH, AT(print), NULL, "print the cases and play none", 0, 0},
    {"plant", CLI_TEXT, AT(plant), "KIND", "plant a fault, to see it found", 0, 0},
    {"worker", CLI_SWITCH, AT(worker), NULL, "(what the program calls itself with)", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    .name = "random",
    .about = "Random cases, the same on a device and on a reference.",
    .notes = "--kernel: general, large, persistent, resident, alone, colours, tiles, vectors, "
             "spins, potts,\n"
             "generation, blume-capel, clock.\n"
             "--plant: flip, sometimes, value, status, message, hang, crash, quit.\n"
             "Exit status: 0 all the same, 1 not, 77 there is no such device."};

/* What the program is doing. */
typedef struct game {
    options o;
    const char *self; /* argv[0] */
    draw_wish wish;
    char **given; /* texts of cases, unless they are drawn */
    int64_t given_count;
    int64_t begun;
    double until; /* by the clock */
    tally tally;
    int64_t failure_count;
    char *failures[MOST_FAILURES];
    char failed[400]; /* the first of them, for the last line: often all that is kept of a run */
} game;

static int is_cpu(const options *o)
{
    return strncmp(o->device, "cpu", 3) == 0;
}

/* ---- flags */

static unsigned kinds_of(const cli_list *kernels)
{
    unsigned kinds = 0;

    for (int i = 0; i < kernels->count; i++) {
        int k = 0;
        while (k < DRAW_KINDS && strcmp(draw_names[k], kernels->items[i]) != 0)
            k++;
        if (k == DRAW_KINDS)
            cli_refuse("--kernel is \"%s\"; --help lists them", kernels->items[i]);
        kinds |= 1u << k;
    }
    return kinds;
}

/* As it will be printed. */
static void add_given(game *g, const char *text)
{
    static char whole[CASE_TEXT];
    random_case c;
    const char *bad = case_parse(text, &c);

    if (bad)
        cli_refuse("the case \"%.100s\" has a word that cannot be read: \"%s\"", text, bad);
    char **more = realloc(g->given, (size_t)(g->given_count + 1) * sizeof *more);
    char *copy = case_print(&c, whole, sizeof whole) ? strdup(whole) : NULL;
    if (!more || !copy)
        cli_fail("there is no memory for the cases");
    g->given = more;
    g->given[g->given_count++] = copy;
}

static void read_file(game *g)
{
    FILE *file = fopen(g->o.file, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;

    if (!file)
        cli_refuse("--cases is \"%s\", which cannot be read", g->o.file);
    while ((length = getline(&line, &room, file)) > 0) {
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (line[0] && line[0] != '#')
            add_given(g, line);
    }
    free(line);
    fclose(file);
    if (!g->given_count)
        cli_refuse("--cases is \"%s\", which has none", g->o.file);
}

/* The most that a case may cost, in ms: what keeps the mean at some ten on a CPU, whose reference
 * is the scalar lane; the reference of a GPU is faster for large cases. */
static double cost_of(const options *o)
{
    return 1e6 * (o->cost > 0.0 ? o->cost : is_cpu(o) ? 100.0 : 400.0);
}

static void prepare(game *g, int argc, char **argv)
{
    g->self = argv[0];
    g->o = (options){.device = "cpu",
                     .reference = "auto",
                     .plant = "none",
                     .repeat = 1,
                     .jobs = 1,
                     .threads = 1,
                     .tries = 20,
                     .failures = 8,
                     .shrink = -1,
                     .limit = 120.0,
                     .shrink_seconds = 120.0,
                     .shrink_limit = 10.0,
                     .first = {0, 1}};
    cli_parse(&program, (const cli_table[]){{flags, &g->o}, {NULL, NULL}}, argc, argv);
    if (plant_find(g->o.plant) == PLANT_KINDS)
        cli_refuse("--plant is \"%s\"; there are %s", g->o.plant, plant_list());
    g->wish = (draw_wish){kinds_of(&g->o.kernels), (int)g->o.threads, cost_of(&g->o)};
    for (int i = 0; i < g->o.cases.count; i++)
        add_given(g, g->o.cases.items[i]);
    if (g->o.file)
        read_file(g);
    if (g->o.shrink < 0)
        g->o.shrink = g->o.cases.count ? 0 : 3;
    if (!g->o.runs)
        g->o.runs = g->given_count       ? g->given_count * g->o.repeat
                    : g->o.seconds > 0.0 ? INT64_MAX
                                         : 1000;
}

/* ---- cases */

static void text_of(const game *g, int64_t index, job *j)
{
    j->number = g->o.first.value + (uint64_t)index;
    if (g->given_count) {
        snprintf(j->text, sizeof j->text, "%s", g->given[index % g->given_count]);
        return;
    }
    const random_case c = draw_case(j->number, &g->wish);
    random_case again;
    char other[CASE_TEXT];
    if (!case_print(&c, j->text, sizeof j->text) || case_parse(j->text, &again) ||
        !case_print(&again, other, sizeof other) || strcmp(j->text, other) != 0)
        cli_fail("case %" PRIu64 " is not what its text says: %s", j->number, j->text);
}

static int next_case(void *user, job *j)
{
    game *g = user;

    tally_progress(&g->tally);
    if (g->begun == g->o.runs || g->failure_count >= g->o.failures ||
        (g->o.seconds > 0.0 && supervise_clock() > g->until))
        return 0;
    text_of(g, g->begun++, j);
    return 1;
}

static void print_command(const game *g, const char *text)
{
    printf("    %s --device %s", g->self, g->o.device);
    if (strcmp(g->o.reference, "auto") != 0)
        printf(" --reference %s", g->o.reference);
    if (strcmp(g->o.plant, "none") != 0)
        printf(" --plant %s", g->o.plant);
    printf(" --case '%s'\n", text);
}

static void after_case(void *user, const job *j, const verdict *v)
{
    game *g = user;

    tally_add(&g->tally, j->number, v);
    if (!outcome_failed(v->outcome))
        return;
    const size_t told = strlen(g->failed);
    snprintf(g->failed + told, sizeof g->failed - told, "%s%s in case %" PRIu64, told ? ", " : ": ",
             outcome_name(v->outcome), j->number);
    printf("%s", outcome_name(v->outcome));
    if (!g->given_count)
        printf(" in case %" PRIu64, j->number);
    printf(": %s\n", v->what);
    print_command(g, j->text);
    fflush(stdout);
    if (g->failure_count < MOST_FAILURES)
        g->failures[g->failure_count++] = strdup(j->text);
}

/* ---- afterwards */

static void shrink_failure(game *g, supervisor *s, const char *text)
{
    char smallest[CASE_TEXT];
    reduction r = {
        .limit = g->o.shrink_limit, .seconds = g->o.shrink_seconds, .tries = (int)g->o.tries};

    if (!reduce_case(s, text, &r)) {
        printf("played %d times more it did not fail again:\n", r.confirmed);
        print_command(g, text);
        return;
    }
    case_print(&r.smallest, smallest, sizeof smallest);
    printf("a failure that came again in %d of %d plays; %s of %d candidates (%s): %s\n", r.failed,
           r.confirmed, r.in_time ? "the smallest" : "so far the smallest", r.candidates,
           outcome_name(r.verdict.outcome), r.verdict.what);
    print_command(g, smallest);
    fflush(stdout);
}

/* "phi4 colours" of the library is "colours" here. */
static int is_kernel(int kernel, const char *name)
{
    const char *space = strrchr(kernels_name(kernel), ' ');

    return strcmp(space ? space + 1 : kernels_name(kernel), name) == 0;
}

static int each_was_reached(const game *g)
{
    int all = 1;

    for (int kind = 0; g->o.want_each && kind < DRAW_KINDS; kind++) {
        int64_t lattices = 0;
        /* No kernel is named for vectors and bytes: they are swept by colours, too. */
        if (kind == DRAW_VECTORS || kind == DRAW_SPINS || kind == DRAW_POTTS ||
            kind == DRAW_CLOCK || kind == DRAW_CAPEL ||
            (g->wish.kinds && !(g->wish.kinds >> kind & 1u)))
            continue;
        for (int k = 0; k < kernels_count(); k++)
            if (is_kernel(k, draw_names[kind]))
                lattices += g->tally.lattices[k];
        printf("%s - kernel %s swept %" PRId64 " lattices; %" PRId64 " are wanted\n",
               lattices >= g->o.want_each ? "ok" : "FAILED", draw_names[kind], lattices,
               g->o.want_each);
        all &= lattices >= g->o.want_each;
    }
    return all;
}

static int finish(game *g, supervisor *s, supervise_status status)
{
    if (status == SUPERVISE_SKIPPED && promised(g->o.device)) {
        printf("FAILED - " PROMISE_BROKEN, g->o.device);
        return 1;
    }
    if (status == SUPERVISE_SKIPPED && g->tally.runs == 0) {
        printf("skipped - %s: %s\n", g->o.device, supervise_reason(s));
        return SKIPPED;
    }
    if (status != SUPERVISE_DONE)
        printf("there are no more workers: %s\n", supervise_reason(s));
    for (int64_t i = 0; i < g->failure_count && i < g->o.shrink; i++)
        shrink_failure(g, s, g->failures[i]);
    tally_report(&g->tally);
    const int same =
        status == SUPERVISE_DONE && tally_failures(&g->tally) == 0 && g->tally.of[OUTCOME_SAME];
    printf("%s - %" PRId64 " of %" PRId64 " runs on %s as on the reference%s%s\n",
           same ? "ok" : "FAILED", g->tally.of[OUTCOME_SAME], g->tally.runs, g->o.device,
           status == SUPERVISE_DONE ? "" : " before workers were no more", g->failed);
    return each_was_reached(g) && same ? 0 : 1;
}

static int play_all(game *g)
{
    char *arguments[] = {(char *)g->self,     "--worker",         "--device",
                         (char *)g->o.device, "--reference",      (char *)g->o.reference,
                         "--plant",           (char *)g->o.plant, NULL};
    const agenda a = {next_case, after_case, g, g->o.limit};
    supervisor *s = supervise_begin((int)g->o.jobs, arguments);

    if (!s)
        cli_fail("there is no memory for %" PRId64 " workers", g->o.jobs);
    setenv("OMP_WAIT_POLICY", "passive", 0); /* workers are often more than processors */
    g->tally.began = g->tally.told = supervise_clock();
    g->until = g->tally.began + g->o.seconds;
    if (!g->given_count)
        printf("cases from number %" PRIu64 " on, %s against %s, %" PRId64 " at once\n",
               g->o.first.value, g->o.device, g->o.reference, g->o.jobs);
    const int status = finish(g, s, supervise(s, &a));
    supervise_end(s);
    return status;
}

static int print_all(game *g)
{
    job j;

    for (int64_t i = 0; i < g->o.runs; i++) {
        text_of(g, i, &j);
        puts(j.text);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static game g;

    prepare(&g, argc, argv);
    if (g.o.worker)
        return worker_run(&(worker_setup){g.o.device, g.o.reference, g.o.plant});
    const int status = g.o.print ? print_all(&g) : play_all(&g);
    for (int64_t i = 0; i < g.given_count; i++)
        free(g.given[i]);
    for (int64_t i = 0; i < g.failure_count; i++)
        free(g.failures[i]);
    free(g.given);
    return cli_finish(status);
}
