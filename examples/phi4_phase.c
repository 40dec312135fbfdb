/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phi4-phase: the transition of the phi^4 model from its ordered to its disordered phase as mu2
 * grows, in numbers, curves and pictures of the field.
 *
 * Where the transition is follows from the Binder cumulant: at the transition of a large
 * lattice of equal periodic extents it has the value of the Ising universality class, 0.61069 in
 * two dimensions (J. Salas, A. D. Sokal, J. Stat. Phys. 98, 551 (2000)) and 0.46548 in three
 * (A. M. Ferrenberg, J. Xu, D. P. Landau, Phys. Rev. E 97, 043301 (2018)).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field_picture.h"
#include "phase.h"

typedef struct phase_flags {
    const char *extents, *g, *inv_lambda, *mu2, *precision, *device, *output;
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
    {"sweeps", CLI_INTEGER, AT(sweeps), "N", "steps with a measurement, for each lattice", 100,
     1 << 30},
    {"precision", CLI_TEXT, AT(precision), "NAME", "float32 or float64 (float32)", 0, 0},
    {"device", CLI_TEXT, AT(device), "NAME", "auto, cpu, cpu:avx2, cuda:0, ... (auto)", 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", "threads of a CPU device (OpenMP's choice)", 1,
     4096},
    {"seed", CLI_SEED, AT(seed), "N", "seed of the random numbers (1)", 0, 0},
    {"output", CLI_TEXT, AT(output), "DIR", "where pictures and data go (.)", 0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of tables", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "phi4-phase",
    "Phase transition of the phi^4 model in two and three dimensions: curves and pictures.",
    "Each lattice is simulated at many values of mu2 at once. A step is five rounds of\n"
    "four sweeps of over-relaxation and one of Metropolis, then a measurement; a fifth as many\n"
    "steps as are measured thermalize, after 100 sweeps that set epsilon.\n"
    "Writes " PHASE_PICTURE " (if gnuplot is there): the order parameter <|phi|>, susceptibility,\n"
    "Binder cumulant and correlation length against mu2; their numbers in " PHASE_DATA "; and\n"
    "phi4-field-EXTENTS.png (if built with libpng): the field from the ordered to the disordered\n"
    "phase at the end of the run, in more than two dimensions the plane x2 = L2 / 2.\n"
    "Without --extents: 64x64 with g = 6 and 1/Lambda = 0 and 24x24x24 with g = 6 and\n"
    "1/Lambda = 0.25, larger on a GPU. --extents needs --g, --inv-lambda and --mu2.\n"
    "Below the transition the correlation length has the square of the mean field in it and grows\n"
    "beyond the lattice. Exit status: 0, 1 if the run failed, 2 if a flag was wrong.",
    NULL};

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

enum { REPLICAS = 25, TUNE = 100, ROUNDS = 5, RELAX = 4, HITS = 2 };

static const double tune_target = 0.5;

/* Binder cumulant at the transition, by dimension. */
static const double critical_binder[LATMC_MAX_DIMS + 1] = {NAN, NAN, 0.61069, 0.46548, NAN};

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
        cli_refuse("--%s is \"%s\"; numbers are needed", flag, list);
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
    int count;
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
        s->scans[i].steps = cpu_presets[0].steps;
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
            scan->steps = presets[s->count].steps;
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
            scan->steps = flags->sweeps;
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

static latmc_lattice *make(const phase_scan *s, int number, const phase_flags *flags)
{
    const lattice_flags wish = {
        .model = "phi4",
        .extents = s->extents,
        .precision = flags->precision,
        .device = flags->device,
        .threads = flags->threads,
        .replicas = flags->replicas ? flags->replicas : REPLICAS,
        /* Lattices must not share random numbers. */
        .seed = {1, (flags->seed.given ? flags->seed.value : 1) + ((uint64_t)number << 32)},
    };
    latmc_lattice *lattice = lattice_make(&wish);
    double *mu2 = cli_memory(wish.replicas, sizeof *mu2);

    for (int64_t r = 0; r < wish.replicas; r++)
        mu2[r] = s->from + (s->to - s->from) * (double)r / (double)(wish.replicas - 1);
    cli_setup(latmc_set_param(lattice, LATMC_G, s->g), "g");
    cli_setup(latmc_set_param(lattice, LATMC_INV_LAMBDA, s->inv_lambda), "inv-lambda");
    cli_setup(latmc_set_params(lattice, LATMC_MU2, mu2), "mu2");
    cli_run(latmc_set_param(lattice, LATMC_HITS, HITS));
    free(mu2);
    lattice_configure(&wish, lattice);
    cli_setup(latmc_start(lattice, LATMC_START_COLD), "extents");
    return lattice;
}

static void sweep(latmc_lattice *lattice, int64_t rounds)
{
    for (int64_t round = 0; round < rounds; round++) {
        cli_run(latmc_sweep(lattice, LATMC_OVERRELAX, RELAX));
        cli_run(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    }
}

static void measure(latmc_lattice *lattice, results *r)
{
    const int64_t lines = r->observables * r->info.replicas;
    double *now = cli_memory(lines, sizeof *now);

    for (int64_t t = 0; t < r->records; t++) {
        sweep(lattice, ROUNDS - 1);
        cli_run(latmc_sweep(lattice, LATMC_OVERRELAX, RELAX));
        cli_run(latmc_record(lattice, LATMC_METROPOLIS, 1, 1, r->observables, r->ids, now));
        for (int64_t i = 0; i < lines; i++)
            r->series[i * r->records + t] = now[i];
    }
    free(now);
}

/* Where the Binder cumulant falls through its critical value, on straight lines between the
 * points; of several places, as noise may make them, the one next to the susceptibility's peak. */
static void locate(phase_scan *s, int64_t peak)
{
    double nearest = INFINITY;

    s->transition = s->error = NAN;
    for (int64_t r = 0; r + 1 < s->r.info.replicas; r++) {
        const latmc_estimate *low = results_find(&s->r, r, "binder");
        const latmc_estimate *high = results_find(&s->r, r + 1, "binder");
        const double fall = low->value - high->value, width = s->mu2[r + 1] - s->mu2[r];
        const double share = (low->value - s->critical) / fall;
        const double distance = fabs(s->mu2[r] + share * width - s->mu2[peak]);

        if (!(fall > 0 && share >= 0 && share < 1 && distance < nearest))
            continue;
        nearest = distance;
        s->transition = s->mu2[r] + share * width;
        s->error = width / fall * hypot((1 - share) * low->error, share * high->error);
    }
}

static int64_t susceptibility_peak(const results *r)
{
    int64_t peak = 0;

    for (int64_t i = 1; i < r->info.replicas; i++)
        if (results_find(r, i, "susceptibility")->value >
            results_find(r, peak, "susceptibility")->value)
            peak = i;
    return peak;
}

static int has_equal_extents(const latmc_lattice_info *info)
{
    for (int axis = 1; axis < info->dims; axis++)
        if (info->extents[axis] != info->extents[0])
            return 0;
    return 1;
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

static void take_fields(latmc_lattice *lattice, phase_scan *s)
{
    const latmc_lattice_info *info = &s->r.info;
    const int64_t plane = info->extents[0] * info->extents[1];
    const int64_t middle = info->extents[2] / 2 * plane;
    float *all = cli_memory(info->sites, sizeof *all);

    s->fields = cli_memory(PHASE_PANELS * plane, sizeof *s->fields);
    for (int i = 0; i < PHASE_PANELS; i++) {
        cli_run(latmc_get_sites(lattice, s->shown[i], LATMC_FLOAT32, all, info->sites));
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

static void run_scan(phase_scan *s, int number, const phase_flags *flags)
{
    latmc_lattice *lattice = make(s, number, flags);
    const double begin = cli_clock();
    int64_t peak;

    cli_setup(latmc_tune(lattice, LATMC_METROPOLIS, TUNE, tune_target), "extents");
    s->r = results_prepare(lattice, s->steps);
    s->mu2 = mu2_of(&s->r);
    sweep(lattice, s->steps / 5 * ROUNDS);
    measure(lattice, &s->r);
    s->seconds = cli_clock() - begin;
    results_analyse(&s->r);
    s->critical = has_equal_extents(&s->r.info) ? critical_binder[s->r.info.dims] : (double)NAN;
    peak = susceptibility_peak(&s->r);
    locate(s, peak);
    choose_shown(s, peak);
    if (s->r.info.dims >= 2)
        take_fields(lattice, s);
    latmc_destroy(lattice);
}

static void draw_fields(phase_scan *s)
{
    double mu2[PHASE_PANELS];

    if (!s->fields)
        return;
    for (int i = 0; i < PHASE_PANELS; i++)
        mu2[i] = s->mu2[s->shown[i]];
    snprintf(s->picture, sizeof s->picture, "phi4-field-%s.png", s->extents);
    s->drawn = field_picture_draw(s->picture, s->fields, mu2, PHASE_PANELS,
                                  (int)s->r.info.extents[0], (int)s->r.info.extents[1]);
}

/* ------------------------------------------------------------------------ output */

static void print_scan(const phase_scan *s, const study *all)
{
    static const char *const columns[] = {"abs_phi", "susceptibility", "binder",
                                          "xi",      "energy",         "acceptance"};
    int doubtful = 0;

    printf("phi4 %s, g = %g, 1/Lambda = %g, %" PRId64 " steps on %s in %.1f s\n%10s", s->extents,
           s->g, s->inv_lambda, s->steps, all->device, s->seconds, "mu2");
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++)
        printf(" %16s", columns[k]);
    printf("\n");
    for (int64_t r = 0; r < s->r.info.replicas; r++) {
        printf("%10.5f", s->mu2[r]);
        for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
            const latmc_estimate *e = results_find(&s->r, r, columns[k]);
            char text[64];

            results_number(e, text, sizeof text);
            printf(" %16s", text);
            doubtful |= e->too_short;
        }
        printf("\n");
    }
    if (doubtful)
        printf("* The series is too short to trust the error: give more --sweeps.\n");
    if (isfinite(s->transition))
        printf("The Binder cumulant is %.5f at mu2 = %.5f +- %.5f (statistical error)\n",
               s->critical, s->transition, s->error);
    printf("\n");
    fflush(stdout);
}

static void scan_json(const phase_scan *s, json *j)
{
    json_open(j, NULL, '{');
    json_text(j, "extents", s->extents);
    json_real(j, "g", s->g);
    json_real(j, "inv_lambda", s->inv_lambda);
    json_text(j, "precision", lattice_precision(&s->r.info));
    json_unsigned(j, "seed", s->r.info.seed);
    json_integer(j, "steps", s->steps);
    json_real(j, "seconds", s->seconds);
    json_open(j, "transition", '{');
    json_real(j, "binder", s->critical);
    json_real(j, "mu2", s->transition);
    json_real(j, "error", s->error);
    json_close(j, '}');
    json_text(j, "picture", s->drawn ? s->picture : "");
    results_json(&s->r, j);
    json_close(j, '}');
}

static void print_json(const study *s, const phase_flags *flags, int drawn, double seconds)
{
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    json_text(&j, "device", s->device);
    json_unsigned(&j, "seed", flags->seed.given ? flags->seed.value : 1);
    json_open(&j, "lattices", '[');
    for (int i = 0; i < s->count; i++)
        scan_json(&s->scans[i], &j);
    json_close(&j, ']');
    json_text(&j, "picture", drawn ? PHASE_PICTURE : "");
    json_text(&j, "data", PHASE_DATA);
    json_real(&j, "seconds", seconds);
    json_close(&j, '}');
}

static void print_files(const study *s, const phase_flags *flags, int drawn, double seconds)
{
    const char *directory = flags->output ? flags->output : ".";

    if (drawn)
        printf("Curves: %s/%s\n", directory, PHASE_PICTURE);
    else
        printf("No curves (is gnuplot installed?); data: %s/%s\n", directory, PHASE_DATA);
    if (!field_picture_possible)
        printf("No pictures of the field: this program was built without libpng\n");
    for (int i = 0; i < s->count; i++)
        if (s->scans[i].drawn)
            printf("Field:  %s/%s\n", directory, s->scans[i].picture);
        else if (field_picture_possible && s->scans[i].fields)
            printf("%s/%s could not be written\n", directory, s->scans[i].picture);
    printf("%.1f s in all\n", seconds);
}

int main(int argc, char **argv)
{
    phase_flags flags = {0};
    const cli_table tables[] = {{options, &flags}, {NULL, NULL}};
    const double begin = cli_clock();
    study *s = cli_memory(1, sizeof *s);
    int drawn;

    cli_parse(&program, tables, argc, argv);
    choose_device(s, &flags);
    plan(&flags, s);
    if (flags.output)
        cli_enter(flags.output);
    for (int i = 0; i < s->count; i++) {
        run_scan(&s->scans[i], i, &flags);
        draw_fields(&s->scans[i]);
        if (!flags.json)
            print_scan(&s->scans[i], s);
    }
    phase_write_data(s->scans, s->count);
    drawn = phase_draw(s->scans, s->count);
    (flags.json ? print_json : print_files)(s, &flags, drawn, cli_clock() - begin);
    for (int i = 0; i < s->count; i++) {
        results_free(&s->scans[i].r);
        free(s->scans[i].fields);
    }
    free(s);
    return cli_finish();
}
