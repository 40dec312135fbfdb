/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latmc-phi4-phase: the transition of the phi^4 model from its ordered to its disordered phase as
 * mu2 grows, in numbers, curves and pictures of the field. Where the transition is follows from the
 * Binder cumulant: phase_fit.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field_picture.h"
#include "phase.h"
#include "simulation.h"
#include "stop.h"

typedef struct phase_flags {
    const char *extents, *g, *inv_lambda, *mu2, *device, *output;
    cli_list option;
    int64_t replicas, sweeps, threads;
    cli_seed seed;
    int json;
} phase_flags;

#define AT(member) offsetof(phase_flags, member)

static const cli_option options[] = {
    {"extents", CLI_TEXT, AT(extents), "64x64,24x24x24", "one lattice or a list of up to 4", 0, 0},
    {"g", CLI_TEXT, AT(g), "LIST", "one number for all lattices, or one for each", 0, 0},
    {"inv-lambda", CLI_TEXT, AT(inv_lambda), "LIST", "1/Lambda, likewise", 0, 0},
    {"mu2", CLI_TEXT, AT(mu2), "FROM:TO,...", "range of mu2, likewise", 0, 0},
    {"replicas", CLI_INTEGER, AT(replicas), "N", "values of mu2 in the range (25)", 5, 65536},
    {"sweeps", CLI_INTEGER, AT(sweeps), "N",
     "steps with a measurement, for each lattice (6000 or less, by lattice and device); where they "
     "are "
     "too few for an error to be trusted it has a star",
     100, 1 << 30},
    {"option", CLI_LIST, AT(option), "NAME=VALUE",
     "an option of the model, precision=64 for doubles; cutoff=1 is set where 1/Lambda is not 0", 0,
     0},
    {"device", CLI_TEXT, AT(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {"seed", CLI_SEED, AT(seed), "N", "seed of the random numbers (1)", 0, 0},
    {"output", CLI_TEXT, AT(output), "DIR", "where pictures and data go; made if it is missing (.)",
     0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of tables", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-phi4-phase",
    "Phase transition of the phi^4 model in two and three dimensions: curves and pictures.",
    "Each lattice is simulated at many values of mu2 at once, from a cold start, with periodic "
    "boundaries. A step is five rounds of four sweeps of over-relaxation and one of Metropolis, "
    "then "
    "a measurement; a fifth as many steps as are measured thermalize, after 100 sweeps that set "
    "epsilon.\n"
    "Writes " PHASE_PICTURE " (if gnuplot is there): the order parameter <|phi|>, susceptibility, "
    "Binder cumulant and correlation length against mu2; their numbers in " PHASE_DATA "; and "
    "phi4-field-EXTENTS.png (if built with libpng): the field from the ordered to the disordered "
    "phase at the end of the run, in more than two dimensions the plane x2 = L2 / 2; all of them "
    "in "
    "place of what has these names.\n"
    "Without --extents: 64x64 with g = 6 and 1/Lambda = 0 and 24x24x24 with g = 6 and "
    "1/Lambda = 0.25, larger on a GPU. --extents needs --g, --inv-lambda and --mu2.\n"
    "The transition is where the Binder cumulant of the lattice passes its universal value. Of "
    "extents "
    "of 8 or more that 4 divides, a lattice of half the extents is run, too: how far the "
    "transition is from "
    "there "
    "tells the corrections to scaling, which are in the error. Below the transition xi has "
    "the "
    "square of the mean field in it, grows beyond the lattice and is no correlation length.\n"
    "A run that a signal stopped has the records that were reached, and no pictures.",
    lattice_print_devices};

/* A lattice with what it takes to see its transition. */
typedef struct preset {
    const char *extents, *g, *inv_lambda, *mu2;
    int64_t steps;
} preset;

enum { PRESETS = 2 };

static const preset cpu_presets[PRESETS] = {{"64x64", "6", "0", "-1.45:-1.1", 6000},
                                            {"24x24x24", "6", "0.25", "-0.55:-0.25", 800}};
static const preset gpu_presets[PRESETS] = {{"256x256", "6", "0", "-1.35:-1.2", 20000},
                                            {"64x64x64", "6", "0.25", "-0.46:-0.34", 4000}};

enum { REPLICAS = 25, TUNE = 100, HITS = 2, ROUNDS = 5 };

#define ROUND "overrelax:4,metropolis"

/* ROUNDS of them */
static const char *const step = ROUND "," ROUND "," ROUND "," ROUND "," ROUND;

/* ------------------------------------------------------------------------ flags */

/* Piece number `index` of a list; its only piece if it has but one. */
static void pick(const char *flag, const char *list, int index, int count, char *piece,
                 size_t bytes)
{
    const char *rest = list;
    int pieces = 1;

    for (const char *c = list; *c; c++)
        pieces += *c == ',';
    if (pieces != 1 && pieces != count)
        cli_refuse("--%s is \"%s\"; one value is needed, or one for each of the %d lattices", flag,
                   list, count);
    for (int i = 0; i <= (pieces == 1 ? 0 : index); i++)
        if (!cli_next(&rest, ',', piece, bytes))
            cli_refuse("--%s is \"%s\"; short values with commas between them are needed", flag,
                       list);
}

static double pick_real(const char *flag, const char *list, int index, int count)
{
    char piece[NAME_BYTES];
    double value;

    pick(flag, list, index, count, piece, sizeof piece);
    if (!cli_real(piece, &value))
        cli_refuse("--%s is \"%s\": \"%s\" %s", flag, list, piece, cli_real_fault(piece));
    return value;
}

static void pick_range(const char *list, int index, int count, phase_scan *s)
{
    char piece[NAME_BYTES], from[NAME_BYTES];
    const char *rest = piece;

    pick("mu2", list, index, count, piece, sizeof piece);
    if (!cli_next(&rest, ':', from, sizeof from) || !rest || !cli_real(from, &s->from) ||
        !cli_real(rest, &s->to) || s->from >= s->to)
        cli_refuse("--mu2 is \"%s\"; ranges FROM:TO with FROM < TO are needed", list);
}

/* One run of the program. */
typedef struct study {
    char device[64];
    int count;   /* of scans */
    int done;    /* of them, of which the last may have been stopped with some of its records */
    int at;      /* the last that was begun */
    int stopped; /* by a signal */
    phase_scan scans[PHASE_LATTICES];
} study;

static void plan_given(const phase_flags *flags, study *s)
{
    const char *rest = flags->extents;

    if (!flags->g || !flags->inv_lambda || !flags->mu2)
        cli_refuse("--extents needs --g, --inv-lambda and --mu2 with it");
    while (rest && s->count < PHASE_LATTICES &&
           cli_next(&rest, ',', s->scans[s->count].extents, sizeof s->scans[0].extents))
        s->count++;
    if (rest)
        cli_refuse("--extents is \"%s\"; at most %d lattices such as 64x64 are possible",
                   flags->extents, PHASE_LATTICES);
    for (int i = 0; i < s->count; i++)
        s->scans[i].wanted = cpu_presets[0].steps;
}

static void plan(const phase_flags *flags, study *s)
{
    const preset *presets = strncmp(s->device, "cuda", 4) == 0 ? gpu_presets : cpu_presets;

    if (flags->extents)
        plan_given(flags, s);
    else if ((flags->g || flags->inv_lambda) && !flags->mu2)
        cli_refuse("--mu2 is needed with --g and --inv-lambda, which move the transition");
    else
        for (; s->count < PRESETS; s->count++) {
            phase_scan *scan = &s->scans[s->count];

            snprintf(scan->extents, sizeof scan->extents, "%s", presets[s->count].extents);
            scan->wanted = presets[s->count].steps;
        }
    for (int i = 0; i < s->count; i++) {
        phase_scan *scan = &s->scans[i];
        const preset *p = &presets[i < PRESETS ? i : 0];

        scan->g = flags->g ? pick_real("g", flags->g, i, s->count) : atof(p->g);
        scan->inv_lambda = flags->inv_lambda
                               ? pick_real("inv-lambda", flags->inv_lambda, i, s->count)
                               : atof(p->inv_lambda);
        if (flags->mu2)
            pick_range(flags->mu2, i, s->count, scan);
        else
            pick_range(p->mu2, 0, 1, scan);
        if (flags->sweeps)
            scan->wanted = flags->sweeps;
    }
}

/* The device that will be used, which also decides about the sizes. */
static void choose_device(study *s, const phase_flags *flags)
{
    latmc_lattice *lattice;

    cli_run(latmc_create(&lattice, LATMC_PHI4, 2, (int64_t[]){8, 8}));
    cli_setup(latmc_set_device(lattice, flags->device ? flags->device : "auto"), "device");
    cli_run(latmc_get_device(lattice, s->device, sizeof s->device));
    latmc_destroy(lattice);
}

/* ------------------------------------------------------------------------- a run */

static void make(phase_scan *s, int number, const phase_flags *flags)
{
    double *mu2;

    s->number = number;
    s->wish = (lattice_flags){
        .model = "phi4",
        .extents = s->extents,
        .option = flags->option,
        .update = step,
        .device = flags->device,
        .threads = flags->threads,
        .start = "cold",
        .replicas = flags->replicas ? flags->replicas : REPLICAS,
        /* Lattices must not share random numbers. */
        .seed = {1, (flags->seed.given ? flags->seed.value : 1) + ((uint64_t)number << 32)},
    };
    if (s->inv_lambda != 0.0 && s->wish.option.count < CLI_LIST_MAX)
        s->wish.option.items[s->wish.option.count++] = "cutoff=1";
    s->lattice = lattice_make(&s->wish);
    mu2 = cli_memory(s->wish.replicas, sizeof *mu2);
    for (int64_t r = 0; r < s->wish.replicas; r++)
        mu2[r] = s->from + (s->to - s->from) * (double)r / (double)(s->wish.replicas - 1);
    cli_setup(latmc_set_param(s->lattice, LATMC_G, s->g), "g");
    cli_setup(latmc_set_param(s->lattice, LATMC_INV_LAMBDA, s->inv_lambda), "inv-lambda");
    cli_setup(latmc_set_params(s->lattice, LATMC_MU2, mu2), "mu2");
    cli_run(latmc_set_param(s->lattice, LATMC_HITS, HITS));
    free(mu2);
    lattice_configure(&s->wish, s->lattice);
    s->steps = lattice_schedule(&s->wish, s->lattice);
    s->round = ROUND;
    s->rounds = ROUNDS;
    s->r = results_prepare(s->lattice, s->wanted, 1, NULL);
}

static int64_t susceptibility_peak(const results *r)
{
    int64_t peak = 0;

    for (int64_t i = 1; i < r->info.replicas; i++)
        if (results_find(r, i, RESULT_SUSCEPTIBILITY)->value >
            results_find(r, peak, RESULT_SUSCEPTIBILITY)->value)
            peak = i;
    return peak;
}

/* The ends of the range, the transition, and what is halfway between. */
static void choose_shown(phase_scan *s, int64_t peak)
{
    const int last = (int)s->r.info.replicas - 1;
    int middle = (int)peak;

    if (isfinite(s->transition))
        middle = (int)lround((s->transition - s->from) / (s->to - s->from) * last);
    s->shown[0] = 0;
    s->shown[1] = middle / 2;
    s->shown[2] = middle;
    s->shown[3] = (middle + last + 1) / 2;
    s->shown[4] = last;
}

static void take_fields(phase_scan *s)
{
    const latmc_lattice_info *info = &s->r.info;
    const int64_t plane = info->extents[0] * info->extents[1];
    const int64_t middle = info->extents[2] / 2 * plane;
    float *all = cli_memory(info->sites, sizeof *all);

    s->fields = cli_memory(PHASE_PANELS * plane, sizeof *s->fields);
    for (int i = 0; i < PHASE_PANELS; i++) {
        cli_run(latmc_get_sites(s->lattice, s->shown[i], 1, LATMC_FLOAT32, all,
                                (size_t)info->sites * sizeof *all));
        memcpy(s->fields + i * plane, all + middle, (size_t)plane * sizeof *all);
    }
    free(all);
}

static const double *mu2_of(const results *r)
{
    for (int p = 0; p < r->params; p++)
        if (lattice_thing(LATMC_PARAMS, r->info.model, p).id == LATMC_MU2)
            return r->param_values + p * r->info.replicas;
    cli_fail("the model has no mu2");
}

/* What the records, at least one, say of the transition. */
static void find_transition(phase_scan *s)
{
    results_analyse(&s->r, s->lattice);
    s->mu2 = mu2_of(&s->r);
    s->critical = phase_critical(&s->r.info);
    phase_locate(s);
}

/* What is shown of the field. */
static void take_pictures(phase_scan *s)
{
    choose_shown(s, susceptibility_peak(&s->r));
    if (s->r.info.dims >= 2)
        take_fields(s);
    snprintf(s->picture, sizeof s->picture, "phi4-field-%s.png", s->extents);
}

/* Returns whether a signal ended it. */
static int run_scan(phase_scan *s)
{
    simulation sim = {.lattice = s->lattice, .steps = s->steps};
    const double begin = cli_clock();

    s->tune = TUNE;
    s->thermalize = s->wanted / 5;
    simulation_begin(&sim, 0, 1);
    cli_setup(latmc_start(s->lattice, LATMC_START_COLD), "extents");
    simulation_tune(&sim, s->tune);
    simulation_sweep(&sim, s->thermalize);
    simulation_record(&sim, 1, s->wanted, &s->r);
    s->seconds = cli_clock() - begin;
    if (s->r.records)
        find_transition(s);
    return sim.stopped;
}

/* The cut-off term needs extents of 3. */
enum { LEAST_HALF = 4 };

/* A lattice of half the extents shows how far the transition still moves with the size. Returns
 * whether a signal ended it. */
static int run_half(phase_scan *s, int number, const phase_flags *flags)
{
    const latmc_lattice_info *info = &s->r.info;
    const int64_t side = info->extents[0] / 2;
    phase_scan half = {.g = s->g, .inv_lambda = s->inv_lambda, .from = s->from, .to = s->to};
    size_t used = 0;
    int stopped;

    if (!isfinite(s->transition) || info->extents[0] % 4 || side < LEAST_HALF)
        return 0;
    for (int axis = 0; axis < info->dims; axis++)
        used += (size_t)snprintf(half.extents + used, sizeof half.extents - used, "%s%" PRId64,
                                 axis ? "x" : "", side);
    half.wanted = s->wanted;
    make(&half, PHASE_LATTICES + number, flags);
    stopped = run_scan(&half);
    if (!stopped)
        phase_correct(s, &half);
    results_free(&half.r);
    latmc_destroy(half.lattice);
    return stopped;
}

static void run_scans(study *s, const phase_flags *flags)
{
    for (int i = 0; i < s->count && !s->stopped; i++) {
        phase_scan *scan = &s->scans[i];

        s->at = i;
        s->stopped = run_scan(scan);
        if (!scan->r.records)
            continue;
        take_pictures(scan);
        if (!s->stopped)
            s->stopped = run_half(scan, i, flags);
        s->done++;
        if (!flags->json)
            phase_print(scan);
    }
}

/* Every one, so that the folder is found out about before the first sweep. */
static void enter(const study *s, const phase_flags *flags)
{
    char names[PHASE_LATTICES][NAME_BYTES + 32];
    const char *files[PHASE_LATTICES + 3] = {PHASE_PICTURE, PHASE_DATA};

    for (int i = 0; i < s->count; i++) {
        snprintf(names[i], sizeof names[i], "phi4-field-%s.png", s->scans[i].extents);
        files[i + 2] = names[i];
    }
    cli_enter(flags->output, files);
}

/* ------------------------------------------------------------------------ output */

static void print_json(const study *s, const phase_flags *flags, double seconds)
{
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    json_text(&j, "device", s->device);
    json_unsigned(&j, "seed", flags->seed.given ? flags->seed.value : 1);
    json_text(&j, "stopped_by", s->stopped ? stop_name() : NULL);
    json_open(&j, "lattices", '[');
    for (int i = 0; i < s->done; i++)
        phase_json(&s->scans[i], &j);
    json_close(&j, ']');
    json_real(&j, "seconds", seconds);
    json_close(&j, '}');
}

/* After all has been printed: a file that cannot be written costs nothing else. Returns whether
 * one could not; fills `made` with the names of those that were. */
static int write_files(const study *s, char *made, size_t bytes)
{
    const int written = s->done && phase_write_data(s->scans, s->done);
    int failed = s->done && !written;
    size_t used = 0;

    made[0] = '\0';
    if (written)
        used += (size_t)snprintf(made, bytes, "%s", PHASE_DATA);
    if (s->stopped)
        return failed;
    if (written) {
        const int drawn = phase_draw(s->scans, s->done);

        if (drawn > 0)
            used += (size_t)snprintf(made + used, bytes - used, ", %s", PHASE_PICTURE);
        failed |= drawn < 0;
    }
    for (int i = 0; i < s->done; i++)
        if (s->scans[i].fields && field_picture_possible) {
            const int drawn = phase_draw_field(&s->scans[i]);

            if (drawn)
                used += (size_t)snprintf(made + used, bytes - used, "%s%s", used ? ", " : "",
                                         s->scans[i].picture);
            failed |= !drawn;
        }
    return failed;
}

static void print_files(const study *s, const phase_flags *flags, const char *made, double seconds)
{
    char line[1024];

    if (!strstr(made, PHASE_PICTURE) && !s->stopped)
        printf("No curves (is gnuplot installed?)\n");
    if (!field_picture_possible)
        printf("No pictures of the field: this program was built without libpng\n");
    snprintf(line, sizeof line, "Files in %s: %s", flags->output ? flags->output : ".",
             made[0] ? made : "none");
    page_text(stdout, 2, line);
    printf("%.1f s in all\n", seconds);
}

int main(int argc, char **argv)
{
    phase_flags flags = {0};
    const cli_table tables[] = {{options, &flags}, {NULL, NULL}};
    const double begin = cli_clock();
    study *s = cli_memory(1, sizeof *s);
    char made[512];
    int status = 0;

    cli_parse(&program, tables, argc, argv);
    choose_device(s, &flags);
    plan(&flags, s);
    for (int i = 0; i < s->count; i++)
        make(&s->scans[i], i, &flags);
    enter(s, &flags);
    stop_prepare();
    run_scans(s, &flags);
    if (flags.json)
        print_json(s, &flags, cli_clock() - begin);
    cli_flush();
    if (s->stopped) {
        cli_warn("stopped by %s in lattice %d of %d, after %" PRId64 " of %" PRId64 " records",
                 stop_name(), s->at + 1, s->count, s->scans[s->at].r.records,
                 s->scans[s->at].wanted);
        status = stop_status();
    }
    if (write_files(s, made, sizeof made))
        status = CLI_FAILED;
    if (!flags.json)
        print_files(s, &flags, made, cli_clock() - begin);
    for (int i = 0; i < s->count; i++) {
        results_free(&s->scans[i].r);
        free(s->scans[i].fields);
        latmc_destroy(s->scans[i].lattice);
    }
    free(s);
    return cli_finish(status);
}
