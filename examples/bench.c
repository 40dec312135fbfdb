/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc-bench: updates per nanosecond, beside what the memory would allow. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "measure.h"
#include "page.h"
#include "random_fills.h"
#include "ranks.h"
#include "replica_map.h"
#include "scaling.h"
#include "stop.h"

typedef struct bench_flags {
    double seconds;
    const char *observe, *calls, *scaling, *random;
    int measure, json, map, mpi;
} bench_flags;

#define AT(member) offsetof(bench_flags, member)

static const cli_option copies_option[] = {
    {"copies", CLI_INTEGER, offsetof(lattice_flags, copies), "N", COPIES_HELP " (1)", 1,
     COPIES_MAX},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_option bench_options[] = {
    {"seconds", CLI_REAL, AT(seconds), "S", "time of the measured sweeps of each case (1)", 0,
     1000000},
    {"measure", CLI_SWITCH, AT(measure), NULL,
     "measure the energy and the order parameter after every step", 0, 0},
    {"observe", CLI_TEXT, AT(observe), "NAME,..",
     "measure these observables after every step, such as changed, or with --copies overlap", 0, 0},
    {"calls", CLI_TEXT, AT(calls), "WAY", CALLS_HELP, 0, 0},
    {"scaling", CLI_TEXT, AT(scaling), "KIND", SCALING_HELP, 0, 0},
    {"map", CLI_SWITCH, AT(map), NULL, REPLICA_MAP_HELP, 0, 0},
    {"random", CLI_TEXT, AT(random), "KIND", RANDOM_FILLS_HELP, 0, 0},
    {"mpi", CLI_SWITCH, AT(mpi), NULL, RANKS_HELP, 0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of a table", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-bench", "Speed of the lattice models: updates per nanosecond.",
    "Without --extents a set of standard cases runs on every usable device, or on that of "
    "--device; "
    "flags that describe a lattice need --extents with them. A case warms up and is then timed in "
    "five rounds; the median counts, and the spread is that from the slowest to the fastest round. "
    "Bytes per update are the least that a sweep over a lattice larger than all caches moves, "
    "colour by colour: each site once in, once out, once in as a neighbour, and each drawn "
    "coupling "
    "once for either colour, all of it divided by the proposals that a sweep makes at a site: "
    "every "
    "proposal is an update. The memory's limit is the measured bandwidth over these bytes: a share "
    "far below 100 % means that arithmetic is the limit, and a lattice that fits a cache is not "
    "bound by it at all; with --seconds below 0.1 the bandwidth is not measured. Behind an update "
    "stand its hits and, after an x, its local sweeps. A "
    "signal ends the run with the cases that are done.",
    lattice_print_models};

#define TC_2D  "beta=0.4406867935"
#define TC_3D  "beta=0.221654626"
#define PHI4   "inv_lambda=0.25", "mu2=-0.5", "g=3", "epsilon=1"
#define TILES  PHI4, "hits=8", "local_sweeps=50"
#define CUTOFF "cutoff=1"

enum { SETS_MAX = 6 };

/* The standard cases; the largest are for GPUs alone. Without an update: the model's first, or
 * that of --update. */
static const struct {
    const char *model, *extents, *couplings, *update, *option;
    int64_t replicas;
    int gpu_only;
    const char *set[SETS_MAX];
} standard[] = {
    {"ising", "2048x2048", NULL, NULL, NULL, 1, 0, {TC_2D}},
    {"ising", "1000x1000", NULL, NULL, NULL, 1, 0, {TC_2D}},
    {"ising", "1024x1024", NULL, NULL, NULL, 1, 0, {TC_2D}},
    {"ising", "8192x8192", NULL, NULL, NULL, 1, 0, {TC_2D}},
    {"ising", "32768x32768", NULL, NULL, NULL, 1, 1, {TC_2D}},
    {"ising", "128x128x128", NULL, NULL, NULL, 1, 0, {TC_3D}},
    {"ising", "128x128x128", "pm1", NULL, NULL, 1, 0, {"beta=0.909"}},
    {"ising", "512x512x512", NULL, NULL, NULL, 1, 1, {TC_3D}},
    {"ising", "64x64", NULL, NULL, NULL, 45, 0, {"beta=0.38:0.5"}},
    {"ising", "24x24x24", NULL, NULL, NULL, 64, 0, {"beta=0.2:0.24"}},
    {"phi4", "64x64x64", NULL, "metropolis", CUTOFF, 1, 0, {PHI4, "hits=8"}},
    {"phi4", "64x64x64", NULL, "metropolis", CUTOFF, 1, 0, {PHI4, "hits=1"}},
    {"phi4", "64x64x64", NULL, "block_metropolis", CUTOFF, 1, 0, {TILES}},
    {"phi4", "128x128x128", NULL, "metropolis", CUTOFF, 1, 0, {PHI4, "hits=8"}},
    {"phi4", "128x128x128", NULL, "metropolis", CUTOFF, 1, 0, {PHI4, "hits=1"}},
    {"phi4", "128x128x128", NULL, "block_metropolis", CUTOFF, 1, 0, {TILES}},
    {"phi4", "256x256x256", NULL, "metropolis", CUTOFF, 1, 1, {PHI4, "hits=8"}},
    {"phi4", "256x256x256", NULL, "metropolis", CUTOFF, 1, 1, {PHI4, "hits=1"}},
    {"phi4", "256x256x256", NULL, "block_metropolis", CUTOFF, 1, 1, {TILES}},
    {"phi4", "512x512x512", NULL, "metropolis", CUTOFF, 1, 1, {PHI4, "hits=8"}},
    {"phi4", "512x512x512", NULL, "metropolis", CUTOFF, 1, 1, {PHI4, "hits=1"}},
    {"phi4", "512x512x512", NULL, "block_metropolis", CUTOFF, 1, 1, {TILES}},
};

static int is_of_pairs(int model, int id)
{
    for (int i = 0; i < lattice_things(LATMC_PAIR_OBSERVABLES, model); i++)
        if (lattice_thing(LATMC_PAIR_OBSERVABLES, model, i).id == id)
            return 1;
    return 0;
}

/* Those that --observe names, of replicas or, where there are copies, of pairs. */
static void take_observables(course *c, const char *names, int model, int64_t copies)
{
    char name[NAME_BYTES];

    while (names) {
        latmc_quantity found;

        if (c->run.quantity_count + c->run.pair_quantity_count == MEASURED_MAX ||
            !cli_next(&names, ',', name, sizeof name))
            cli_refuse("--observe takes at most %d short names with commas between them",
                       MEASURED_MAX);
        cli_setup(latmc_quantity_find(c->lattice, name, &found), "observe");
        if (!is_of_pairs(model, found.observable))
            c->quantities[c->run.quantity_count++] = found;
        else if (copies > 1)
            c->of_pairs[c->run.pair_quantity_count++] = found;
        else
            cli_refuse("--observe %s needs --copies, whose pairs have it", name);
    }
}

/* Which pairs they are. */
static void take_pairs(course *c, int64_t copies)
{
    int64_t(*of)[2] = NULL;

    if (!c->run.pair_quantity_count)
        return;
    c->run.pair_count = lattice_pairs(c->lattice, copies, &of);
    c->run.pairs = of[0];
}

static void choose_observables(course *c, const lattice_flags *wish, const bench_flags *flags,
                               int model)
{
    static const latmc_role roles[] = {LATMC_ROLE_ENERGY, LATMC_ROLE_ORDER};

    if (flags->measure && flags->observe)
        cli_refuse("--measure and --observe do not go together");
    if (flags->calls)
        cli_refuse("--calls does not go with --measure or --observe, which record");
    c->run.quantities = c->quantities;
    c->run.pair_quantities = c->of_pairs;
    if (flags->observe)
        take_observables(c, flags->observe, model, wish->copies);
    take_pairs(c, wish->copies);
    for (size_t i = 0; flags->measure && i < sizeof roles / sizeof roles[0]; i++) {
        const int place = lattice_place_of(model, roles[i]);

        if (place >= 0)
            c->quantities[c->run.quantity_count++] =
                (latmc_quantity)LATMC_QUANTITY(lattice_thing(LATMC_OBSERVABLES, model, place).id);
    }
}

static void print_row(const lattice_flags *wish, const measurement *m)
{
    const double share = 100 * m->median * m->bytes / m->bandwidth;
    char update[sizeof m->update + 64], percent[32] = "-", line[2048];
    size_t used = (size_t)snprintf(update, sizeof update, "%s", m->update);

    if (m->hits > 1 || m->local_sweeps > 1)
        used += (size_t)snprintf(update + used, sizeof update - used, " %.0f", m->hits);
    if (m->local_sweeps > 1)
        snprintf(update + used, sizeof update - used, "x%.0f", m->local_sweeps);
    if (isfinite(share))
        snprintf(percent, sizeof percent, "%.1f %%", share);
    snprintf(line, sizeof line, "%-10s %-5s %-11s %8" PRId64 " %-9s %10.4g %5.1f %% %8s  %s",
             m->device, m->model, m->extents, m->replicas,
             wish->disorder[OF_BONDS].distribution ? wish->disorder[OF_BONDS].distribution
                                                   : "uniform",
             m->median, 100 * (m->fastest - m->slowest) / m->median, percent, update);
    page_text(stdout, 4, line);
    cli_flush();
}

static void print_quantity(const course *c, latmc_quantity quantity, json *j)
{
    char text[QUANTITY_BYTES];

    cli_run(latmc_quantity_text(c->lattice, quantity, text, sizeof text));
    json_text(j, NULL, text);
}

static void print_case(const lattice_flags *wish, const bench_flags *flags, const course *c,
                       const measurement *m, json *j)
{
    json_open(j, NULL, '{');
    lattice_json(wish, c->lattice, j);
    json_open(j, "set", '[');
    for (int i = 0; i < wish->set.count; i++)
        json_text(j, NULL, wish->set.items[i]);
    json_close(j, ']');
    schedule_json(&c->steps, lattice_info(c->lattice).model, j);
    json_integer(j, "hits", (int64_t)m->hits);
    json_integer(j, "local_sweeps", (int64_t)m->local_sweeps);
    json_text(j, "calls", flags->calls ? flags->calls : "all");
    json_integer(j, "copies", wish->copies ? wish->copies : 1);
    json_open(j, "observables", '[');
    for (int o = 0; o < c->run.quantity_count; o++)
        print_quantity(c, c->quantities[o], j);
    for (int o = 0; o < c->run.pair_quantity_count; o++)
        print_quantity(c, c->of_pairs[o], j);
    json_close(j, ']');
    json_real(j, "seconds_wanted", flags->seconds);
    json_real(j, "updates_per_ns", m->median);
    json_real(j, "slowest", m->slowest);
    json_real(j, "fastest", m->fastest);
    json_integer(j, "rounds", MEASURED_ROUNDS);
    json_integer(j, "sweeps_per_round", m->sweeps);
    json_real(j, "bytes_per_update", m->bytes);
    json_real(j, "bandwidth_bytes_per_ns", m->bandwidth);
    json_real(j, "share_of_memory_limit", m->median * m->bytes / m->bandwidth);
    json_close(j, '}');
}

/* What stands above the first case; nothing does if a flag proves wrong. */
static void print_head(const bench_flags *flags, json *j)
{
    static int done;

    if (done++)
        return;
    if (flags->json) {
        json_open(j, NULL, '{');
        json_text(j, "version", latmc_version());
        json_open(j, "cases", '[');
    } else
        printf("%-10s %-5s %-11s %8s %-9s %10s %7s %8s  %s\n", "device", "model", "extents",
               "replicas", "couplings", "updates/ns", "spread", "of limit", "update");
}

/* What a row has no room for. */
static void print_inputs(const lattice_flags *wish, const course *c)
{
    char line[1024];
    size_t used;

    lattice_text(wish, c->lattice, line, sizeof line);
    used = strlen(line);
    for (int i = 0; i < wish->set.count && used < sizeof line; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, ", %s", wish->set.items[i]);
    page_text(stdout, 2, line);
}

/* The median of its rates; 0 if a signal came before. */
static double run_case(const lattice_flags *wish, const bench_flags *flags, int standard_case,
                       json *j)
{
    double rate = 0;
    course c = {.lattice = lattice_make(wish),
                .run = {.size = sizeof c.run, .update = LATMC_SCHEDULE, .every = 1},
                .way = calls_way(flags->calls)};
    measurement m;

    lattice_configure(wish, c.lattice);
    c.steps = lattice_schedule(wish, c.lattice);
    if (flags->measure || flags->observe)
        choose_observables(&c, wish, flags, lattice_info(c.lattice).model);
    if (measure_case(wish, flags->seconds, &c, &m)) {
        rate = m.median;
        if (!standard_case && !flags->json)
            print_inputs(wish, &c);
        print_head(flags, j);
        if (flags->json)
            print_case(wish, flags, &c, &m, j);
        else
            print_row(wish, &m);
    }
    free((void *)c.run.pairs);
    latmc_destroy(c.lattice);
    return rate;
}

/* Whether the model of a standard case has all options that are given. */
static int has_options(const lattice_flags *wish, int model)
{
    for (int i = 0; i < wish->option.count; i++) {
        const char *rest = wish->option.items[i];
        char name[NAME_BYTES];
        int id;

        if (!cli_next(&rest, '=', name, sizeof name) ||
            latmc_find(LATMC_OPTIONS, (latmc_model)model, name, &id))
            return 0;
    }
    return 1;
}

/* Whether a standard case is one of those that --option and --update leave. */
static int wanted(const lattice_flags *wish, size_t i)
{
    const char *rest = wish->update;
    char name[NAME_BYTES];
    int model, id;

    cli_run(latmc_find(LATMC_MODELS, (latmc_model)0, standard[i].model, &model));
    if (!has_options(wish, model))
        return 0;
    if (!rest)
        return 1;
    if (standard[i].update)
        return strcmp(wish->update, standard[i].update) == 0;
    return cli_next(&rest, strchr(rest, ':') ? ':' : ',', name, sizeof name) &&
           !latmc_find(LATMC_UPDATES, (latmc_model)model, name, &id);
}

static void run_standard(const lattice_flags *wish, const bench_flags *flags, const char *device,
                         json *j)
{
    const int gpu = strncmp(device, "cuda", 4) == 0;

    for (size_t i = 0; i < sizeof standard / sizeof standard[0] && !stop_asked(); i++) {
        lattice_flags one = *wish;

        if ((standard[i].gpu_only && !gpu) || !wanted(wish, i))
            continue;
        one.model = standard[i].model;
        one.extents = standard[i].extents;
        one.disorder[OF_BONDS].distribution = standard[i].couplings;
        one.replicas = standard[i].replicas;
        if (standard[i].update)
            one.update = standard[i].update;
        one.set = (cli_list){0};
        while (one.set.count < SETS_MAX && standard[i].set[one.set.count]) {
            one.set.items[one.set.count] = standard[i].set[one.set.count];
            one.set.count++;
        }
        if (standard[i].option && one.option.count < CLI_LIST_MAX)
            one.option.items[one.option.count++] = standard[i].option;
        one.device = device;
        run_case(&one, flags, 1, j);
    }
}

static void run_scaling(const lattice_flags *wish, const bench_flags *flags, scaling *s, json *j)
{
    for (int i = 0; i < s->count && !stop_asked(); i++) {
        lattice_flags one = *wish;

        one.device = s->rows[i].device;
        one.extents = s->rows[i].extents;
        if (ranks_among(s->rows[i].devices))
            s->rows[i].rate = run_case(&one, flags, i > 0, j);
        ranks_among(0);
    }
}

static void run_map(const lattice_flags *wish, const bench_flags *flags, replica_map *m, json *j)
{
    for (int i = 0; i < m->count && !stop_asked(); i++) {
        lattice_flags one = *wish;

        one.replicas = m->rows[i].replicas;
        m->rows[i].rate = run_case(&one, flags, i > 0, j);
    }
}

static void run_all(const lattice_flags *wish, const bench_flags *flags, json *j)
{
    if (wish->extents)
        run_case(wish, flags, 0, j);
    else if (wish->device)
        run_standard(wish, flags, wish->device, j);
    else
        for (int64_t i = 0; i < lattice_devices() && !stop_asked(); i++) {
            latmc_device_info device = {.size = sizeof device};

            cli_run(latmc_describe_device(i, &device));
            if (device.usable)
                run_standard(wish, flags, device.name, j);
        }
}

int main(int argc, char **argv)
{
    lattice_flags wish = {.start = "hot", .create = ranks_create};
    bench_flags flags = {.seconds = 1};
    const cli_table tables[] = {{lattice_options, &wish},
                                {lattice_disorder_options(), &wish},
                                {copies_option, &wish},
                                {bench_options, &flags},
                                {NULL, NULL}};
    json j = {.file = stdout};
    scaling s = {0};
    replica_map m = {0};

    ranks_begin(program.name, argc, argv);
    cli_parse(&program, tables, argc, argv);
    if (!wish.extents && (wish.model || wish.replicas || wish.copies || wish.set.count ||
                          wish.boundary || wish.axis_couplings || lattice_disorder_flag(&wish)))
        cli_refuse(
            "flags that describe a lattice need --extents with them, such as --extents 256x256");
    if (flags.random) {
        if (wish.extents || flags.scaling || flags.map || flags.calls || flags.mpi ||
            flags.measure || flags.observe)
            cli_refuse("--random goes with --device, --threads, --seconds and --json alone");
        random_fills(flags.random, wish.device, (int)wish.threads, flags.seconds,
                     flags.json ? &j : NULL);
        return cli_finish(0);
    }
    wish.device = ranks_device(wish.device);
    if (flags.scaling)
        s = scaling_plan(flags.scaling, &wish);
    if (flags.map)
        m = replica_map_plan(&wish);
    if (flags.map && flags.scaling)
        cli_refuse("--map and --scaling do not go together");
    stop_prepare();
    if (flags.scaling)
        run_scaling(&wish, &flags, &s, &j);
    else if (flags.map)
        run_map(&wish, &flags, &m, &j);
    else
        run_all(&wish, &flags, &j);
    if (flags.json) {
        print_head(&flags, &j);
        json_close(&j, ']');
        if (flags.scaling)
            scaling_json(&s, &j);
        if (flags.map)
            replica_map_json(&m, &j);
        json_text(&j, "stopped_by", stop_asked() ? stop_name() : NULL);
        json_close(&j, '}');
    }
    if (flags.scaling && !flags.json)
        scaling_table(&s);
    if (flags.map && !flags.json)
        replica_map_table(&m);
    if (stop_asked())
        cli_warn("stopped by %s: the cases above are those that were done", stop_name());
    return ranks_end(cli_finish(stop_asked() ? stop_status() : 0));
}
