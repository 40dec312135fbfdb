/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latmc-heisenberg-glass: samples of the three-dimensional Heisenberg spin glass at many
 * temperatures, whether they are in equilibrium, and how the spins' correlation length grows as it
 * gets cold.
 *
 * Over-relaxation beside the heat bath and exchanges of temperatures: M. Bernaschi, G. Parisi,
 * L. Parisi, Comput. Phys. Commun. 182, 1265 (2011); K. Hukushima, K. Nemoto, J. Phys. Soc. Jpn.
 * 65, 1604 (1996). heisenberg.h has the identity.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heisenberg.h"
#include "stop.h"

typedef struct heisenberg_flags {
    const char *sizes, *range, *device, *output;
    int64_t samples, temperatures, rounds, overrelax, threads;
    cli_seed seed;
    int json;
} heisenberg_flags;

#define AT(member) offsetof(heisenberg_flags, member)

static const cli_option options[] = {
    {"sizes", CLI_TEXT, AT(sizes), "LIST", "lattice sizes L, at most 4 (4,6; on a GPU 4,6,8,12)", 0,
     0},
    {"samples", CLI_INTEGER, AT(samples), "N",
     "samples of the couplings, at least 32 for errors to be trusted (64; on a GPU 128)", 2,
     1 << 20},
    {"temperatures", CLI_INTEGER, AT(temperatures), "N", "temperatures (12; on a GPU 32)", 2, 1024},
    {"range", CLI_TEXT, AT(range), "FROM:TO", "coldest and hottest of them (0.12:0.4)", 0, 0},
    {"rounds", CLI_INTEGER, AT(rounds), "N",
     "rounds, of which the second half counts (1024; on a GPU 8192)", 16, 1 << 30},
    {"overrelax", CLI_INTEGER, AT(overrelax), "N", "sweeps of over-relaxation in a round (4)", 1,
     1024},
    {"device", CLI_TEXT, AT(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {"seed", CLI_SEED, AT(seed), "N", "seed of the random numbers and of the couplings (1)", 0, 0},
    {"output", CLI_TEXT, AT(output), "DIR", "where picture and data go; made if it is missing (.)",
     0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of tables", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-heisenberg-glass",
    "Heisenberg spin glass in three dimensions: is it in equilibrium, and how far do spins see?",
    "Couplings are Gaussian of mean 0 and width 1, boundaries periodic, starts hot. All samples of "
    "a "
    "size, two copies of each, are one lattice at temperatures in equal ratios. A round is a sweep "
    "of "
    "the heat bath, over-relaxation, and an exchange offered to every other pair of neighbours in "
    "temperature, to the others in the next.\n"
    "In equilibrium the energy is that \"of links\", -(3/T) (q_s - q_l), where q_l is the link "
    "overlap of the two copies and q_s that of a copy with itself, both per bond. Before, the "
    "energy "
    "is too high, and that of links too low. Both are told for the second half of the rounds, and "
    "for "
    "bins that each are as long as all before them. Errors are those of the samples' spread. q2 is "
    "the sum over the tensor of overlaps, xi of its structure factor, the mean over the axes.\n"
    "Writes " HEISENBERG_PICTURE " (if gnuplot is there) with energies, xi/L and the share of "
    "exchanges that were made, and " HEISENBERG_DATA
    ", in place of what has these names. Results depend on "
    "no device and no number of threads. A run that a signal stopped has the bins that were whole, "
    "and no picture.",
    lattice_print_devices};

/* What is run if flags do not say it. */
typedef struct preset {
    const char *sizes;
    int64_t samples, temperatures, rounds;
} preset;

static const preset cpu_preset = {"4,6", 64, 12, 1024};
static const preset gpu_preset = {"4,6,8,12", 128, 32, 8192};

enum { OVERRELAX = 4, REPLICAS_MAX = 1 << 22, LARGEST = 1024 };

static const double coldest = 0.12, hottest = 0.4;

/* One run of the program. */
typedef struct study {
    char device[64];
    int count; /* of sizes */
    int done;  /* of them, of which the last may have been stopped with some of its bins */
    int at;    /* the last that was begun */
    int stopped;
    heisenberg sizes[HEISENBERG_SIZES];
} study;

static uint64_t seed_of(const heisenberg_flags *flags)
{
    return flags->seed.given ? flags->seed.value : 1;
}

/* ------------------------------------------------------------------------ flags */

static int64_t or_preset(int64_t given, int64_t preset)
{
    return given ? given : preset;
}

static void read_sizes(study *s, const char *list)
{
    const char *rest = list;
    char piece[NAME_BYTES];

    for (; rest; s->count++)
        if (s->count == HEISENBERG_SIZES || !cli_next(&rest, ',', piece, sizeof piece) ||
            !cli_integer(piece, 2, LARGEST, &s->sizes[s->count].size))
            cli_refuse("--sizes is \"%s\"; at most %d whole numbers from 2 to %d with commas "
                       "between them are needed",
                       list, HEISENBERG_SIZES, LARGEST);
}

static void read_range(const char *text, heisenberg *h)
{
    const char *rest = text;
    char from[NAME_BYTES];

    h->from = coldest;
    h->to = hottest;
    if (text && (!cli_next(&rest, ':', from, sizeof from) || !rest || !cli_real(from, &h->from) ||
                 !cli_real(rest, &h->to) || h->from <= 0 || h->from >= h->to))
        cli_refuse("--range is \"%s\"; FROM:TO with 0 < FROM < TO is needed", text);
}

static void plan_size(heisenberg *h, const heisenberg_flags *flags, const preset *p)
{
    /* Sizes must not share random numbers. */
    const cli_seed seed = {1, seed_of(flags) + ((uint64_t)h->size << 32)};
    int64_t replicas;

    h->samples = or_preset(flags->samples, p->samples);
    h->ladder = or_preset(flags->temperatures, p->temperatures);
    h->rounds = or_preset(flags->rounds, p->rounds);
    read_range(flags->range, h);
    replicas = HEISENBERG_COPIES * h->samples * h->ladder;
    if (replicas > REPLICAS_MAX)
        cli_refuse("--samples is %" PRId64 " and --temperatures %" PRId64 ": with two copies that "
                   "makes %" PRId64 " replicas, and %d are the most",
                   h->samples, h->ladder, replicas, REPLICAS_MAX);
    snprintf(h->extents, sizeof h->extents, "%" PRId64 "x%" PRId64 "x%" PRId64, h->size, h->size,
             h->size);
    snprintf(h->update, sizeof h->update, "heatbath,overrelax:%" PRId64 ":exchange=1",
             or_preset(flags->overrelax, OVERRELAX));
    h->wish = (lattice_flags){
        .model = "onvector",
        .extents = h->extents,
        .update = h->update,
        .device = flags->device,
        .start = "hot",
        .option = {1, {"n=3"}},
        .seed = seed,
        .replicas = replicas,
        .threads = flags->threads,
        .samples = h->samples,
        .disorder[OF_BONDS] = {.distribution = "gaussian", .seed = seed},
    };
}

/* The device that will be used, which also decides about the presets. */
static void plan(study *s, const heisenberg_flags *flags)
{
    const preset *p;
    latmc_lattice *lattice;

    cli_run(latmc_create(&lattice, LATMC_ONVECTOR, HEISENBERG_DIMS, (int64_t[]){4, 4, 4}));
    cli_setup(latmc_set_device(lattice, flags->device ? flags->device : "auto"), "device");
    cli_run(latmc_get_device(lattice, s->device, sizeof s->device));
    latmc_destroy(lattice);
    p = strncmp(s->device, "cuda", 4) == 0 ? &gpu_preset : &cpu_preset;
    read_sizes(s, flags->sizes ? flags->sizes : p->sizes);
    for (int i = 0; i < s->count; i++)
        plan_size(&s->sizes[i], flags, p);
}

/* ------------------------------------------------------------------------- a run */

static void run_sizes(study *s, const heisenberg_flags *flags)
{
    for (int i = 0; i < s->count && !s->stopped; i++) {
        s->at = i;
        s->stopped = heisenberg_run(&s->sizes[i]);
        if (!s->sizes[i].done)
            continue;
        s->done++;
        if (!flags->json)
            heisenberg_print(&s->sizes[i]);
    }
}

static void print_json(const study *s, const heisenberg_flags *flags, double seconds)
{
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    json_text(&j, "device", s->device);
    json_unsigned(&j, "seed", seed_of(flags));
    json_text(&j, "stopped_by", s->stopped ? stop_name() : NULL);
    json_open(&j, "sizes", '[');
    for (int i = 0; i < s->done; i++)
        heisenberg_json(&s->sizes[i], &j);
    json_close(&j, ']');
    json_real(&j, "seconds", seconds);
    json_close(&j, '}');
}

/* After all has been printed: a file that cannot be written costs nothing else. Returns whether
 * one could not. */
static int write_files(const study *s, const heisenberg_flags *flags, double begin)
{
    const char *folder = flags->output ? flags->output : ".";
    const int written = s->done && heisenberg_write_data(s->sizes, s->done);
    const int drawn = written && !s->stopped ? heisenberg_draw(s->sizes, s->done) : 0;

    if (!flags->json && drawn > 0)
        printf("Picture: %s/" HEISENBERG_PICTURE "\n", folder);
    if (!flags->json && !drawn)
        printf("No picture%s\n", written && !s->stopped ? " (is gnuplot installed?)" : "");
    if (!flags->json && written)
        printf("Data: %s/" HEISENBERG_DATA "\n", folder);
    if (!flags->json)
        printf("%.1f s in all\n", cli_clock() - begin);
    return (s->done && !written) || drawn < 0;
}

int main(int argc, char **argv)
{
    static const char *const files[] = {HEISENBERG_PICTURE, HEISENBERG_DATA, NULL};
    heisenberg_flags flags = {0};
    const cli_table tables[] = {{options, &flags}, {NULL, NULL}};
    const double begin = cli_clock();
    study *s = cli_memory(1, sizeof *s);
    int status = 0;

    cli_parse(&program, tables, argc, argv);
    plan(s, &flags);
    for (int i = 0; i < s->count; i++)
        heisenberg_make(&s->sizes[i]);
    cli_enter(flags.output, files);
    stop_prepare();
    run_sizes(s, &flags);
    if (flags.json)
        print_json(s, &flags, cli_clock() - begin);
    cli_flush();
    if (s->stopped) {
        const heisenberg *h = &s->sizes[s->at];

        cli_warn("stopped by %s in size %d of %d, with %" PRId64 " of %" PRId64
                 " rounds in whole bins",
                 stop_name(), s->at + 1, s->count, h->done ? h->end[h->done - 1] : 0, h->rounds);
        status = stop_status();
    }
    if (write_files(s, &flags, begin))
        status = CLI_FAILED;
    for (int i = 0; i < s->count; i++)
        heisenberg_free(&s->sizes[i]);
    free(s);
    return cli_finish(status);
}
