/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc-simulate: any model of the library by flags. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copies.h"
#include "lattice_sums.h"
#include "outfile.h"
#include "ranks.h"
#include "simulation.h"
#include "stop.h"
#include "tempering.h"

typedef struct run_flags {
    const char *save, *csv, *momenta, *quantities;
    cli_list weights;
    int64_t tune, thermalize, sweeps, every;
    int hash, json, structure, mpi, each;
} run_flags;

/* The state hash copies all sites from the device and reads them: of more sites than these, in all
 * replicas, it is made for those who ask for it. */
#define HASHED_SITES (INT64_C(1) << 30)
#define MOST_SWEEPS  (INT64_C(1) << 40)
#define HOT_AND_COLD "hot,cold"
#define AT(member)   offsetof(run_flags, member)

static const cli_option begin_options[] = {
    {"start", CLI_TEXT, offsetof(lattice_flags, start), "NAME",
     "first configuration, hot or cold, or hot,cold: replicas by turns, or copies; a transition of "
     "first order then shows where these disagree (hot)",
     0, 0},
    {"rule", CLI_TEXT, offsetof(lattice_flags, rule), "B3/S23",
     "rule of an automaton, for the options birth and survival: numbers of living neighbours with "
     "which cells come to life, and with which they stay",
     0, 0},
    {"load", CLI_TEXT, offsetof(lattice_flags, load), "FILE",
     "continue a saved lattice, which has its own model, extents, replicas, options, boundaries, "
     "couplings, parameters and seeds; its updates, exchanges, ramps and copies go on unless "
     "--update, "
     "--temper or --copies gives others (--update metropolis:1:exchange=0 ends exchanges)",
     0, 0},
    {"temper", CLI_INTEGER, offsetof(lattice_flags, temper), "STEPS",
     "parallel tempering: after so many steps replicas with neighbouring values of the parameter "
     "that varies over them exchange these; --set gives the values for the replicas of each "
     "sample, "
     "or of each of its --copies, which have a ladder each",
     1, MOST_SWEEPS},
    {"anneal", CLI_LIST, offsetof(lattice_flags, anneal), "NAME=FROM:TO",
     "a parameter of all replicas that goes from one value to another over the --sweeps: sweep k "
     "of n, counted from 0, is made at FROM + (TO - FROM) k / n, so that none is made at TO; the "
     "lowest energy of each is told",
     0, 0},
    {"copies", CLI_INTEGER, offsetof(lattice_flags, copies), "N",
     COPIES_HELP "; observables of pairs of copies, such as overlaps, are measured (1)", 1,
     COPIES_MAX},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_option run_options[] = {
    {"tune", CLI_INTEGER, AT(tune), "N",
     "sweeps before all others that set epsilon for an acceptance of 1/2, of the first update of "
     "--update that has an epsilon (0)",
     0, MOST_SWEEPS},
    {"thermalize", CLI_INTEGER, AT(thermalize), "N", "steps before the first measurement (0)", 0,
     MOST_SWEEPS},
    {"sweeps", CLI_INTEGER, AT(sweeps), "N",
     "steps with measurements; 0 measures the lattice as it is (1000)", 0, MOST_SWEEPS},
    {"every", CLI_INTEGER, AT(every), "K",
     "steps from one measurement to the next (1, or those of --temper)", 1, MOST_SWEEPS},
    {"save", CLI_TEXT, AT(save), "FILE", "save the lattice at the end", 0, 0},
    {"csv", CLI_TEXT, AT(csv), "FILE", "write the time series", 0, 0},
    {"hash", CLI_SWITCH, AT(hash), NULL,
     "print the state hash also of more than 2^30 sites in all replicas, of which it takes a while",
     0, 0},
    {"momenta", CLI_TEXT, AT(momenta), "N,M:N,M",
     "measure structure factors at these momenta, structure_at[0] and so on: for each momentum a "
     "whole number n for each axis, along which it is pi n / L; even numbers, but odd ones along "
     "antiperiodic axes; such as 2,0:4,0",
     0, 0},
    {"structure", CLI_SWITCH, AT(structure), NULL,
     "measure structure factors and xi also of a model whose sites are bits, where a measurement "
     "then "
     "takes as long as many sweeps",
     0, 0},
    {"quantities", CLI_TEXT, AT(quantities), "LIST",
     "what is measured and told of replicas, such as energy,binder,structure[0],weighted[1,0]; "
     "structure stands for that of all axes (all that the model has)",
     0, 0},
    {"weights", CLI_LIST, AT(weights), "NAME", LATTICE_WEIGHTS_HELP, 0, 0},
    {"each", CLI_SWITCH, AT(each), NULL,
     "a row of the table for each replica, also where several have the same parameters and are "
     "joined: samples to the mean of theirs with the error of their spread, other replicas to one "
     "mean",
     0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of a table", 0, 0},
    {"mpi", CLI_SWITCH, AT(mpi), NULL, RANKS_HELP, 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-simulate",
    "Monte Carlo simulation of a lattice model: means, errors and autocorrelation times.",
    "A step is one pass through the list of --update; with one update of one sweep, as preset, it "
    "is one sweep. Steps left over after the last multiple of --every are done as well.\n"
    "Errors are one standard error, autocorrelation included; tau_int is 1/2 for independent "
    "measurements and counts in measurements. Files are written whole, in place of what was there, "
    "or not at all.",
    lattice_print_models};

/* What a saved lattice has fixed cannot be given with it. */
static void refuse_with_load(const lattice_flags *lattice)
{
    const struct {
        const char *flag;
        int given;
    } fixed[] = {
        {"model", lattice->model != NULL},
        {"extents", lattice->extents != NULL},
        {"replicas", lattice->replicas != 0},
        {"option", lattice->option.count > 0},
        {"rule", lattice->rule != NULL},
        {"boundary", lattice->boundary != NULL},
        {"axis-couplings", lattice->axis_couplings != NULL},
        {"seed", lattice->seed.given},
        {"start", lattice->start != NULL},
        {lattice_disorder_flag(lattice), lattice_disorder_flag(lattice) != NULL},
    };

    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (fixed[i].given)
            cli_refuse("--%s cannot be given with --load: the saved lattice has its own",
                       fixed[i].flag);
}

/* Exchanges end rounds, and measurements come after them. */
static void check_temper(int64_t temper, const run_flags *run)
{
    const struct {
        const char *flag;
        int64_t steps;
    } counts[] = {{"thermalize", run->thermalize}, {"every", run->every}, {"sweeps", run->sweeps}};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].steps % temper)
            cli_refuse("--%s is %" PRId64 "; with --temper %" PRId64
                       " it must be a multiple of that",
                       counts[i].flag, counts[i].steps, temper);
}

/* When exchanges are known, which a loaded lattice may have brought. */
static void settle_steps(const lattice_flags *lattice, run_flags *run)
{
    if (!run->every)
        run->every = lattice->temper ? lattice->temper : 1;
    if (lattice->temper)
        check_temper(lattice->temper, run);
    if (run->sweeps && run->sweeps < run->every)
        cli_refuse("--every is %" PRId64 ": of %" PRId64 " --sweeps none would be measured",
                   run->every, run->sweeps);
}

/* Before anything is done, so that no result is lost for a wrong flag. */
static void check_flags(const lattice_flags *lattice, const run_flags *run)
{
    const char *fault;

    if (lattice->anneal.count && !run->sweeps)
        cli_refuse("--anneal needs --sweeps, over which it goes");
    if (run->csv && !ranks_own() && (fault = outfile_fault(run->csv)))
        cli_refuse("--csv is \"%s\", which cannot be written: %s", run->csv, fault);
    if (run->save && !ranks_own() && (fault = outfile_save_fault(run->save)))
        cli_refuse("--save is \"%s\", which cannot be written: %s", run->save, fault);
    if (run->csv && run->save && strcmp(run->csv, run->save) == 0)
        cli_refuse("--csv and --save are both \"%s\"", run->csv);
    if (lattice->load)
        refuse_with_load(lattice);
}

/* What a saved lattice was run with goes on, as if the flags had been given again. */
static void take_over(lattice_flags *flags, const latmc_lattice *lattice)
{
    const int names_exchanges = flags->update && strstr(flags->update, "exchange=");

    if (!flags->temper && !names_exchanges)
        flags->temper = lattice_own_temper(lattice);
    if (!flags->copies && copies_are_there(lattice))
        flags->copies = lattice_info(lattice).ladders;
}

static void check_structure(const run_flags *run, const latmc_lattice *lattice)
{
    const int model = lattice_info(lattice).model;

    if (run->structure && lattice_place_of(model, LATMC_ROLE_STRUCTURE) < 0)
        cli_refuse("--structure: %s has no structure factors",
                   lattice_thing_of(LATMC_MODELS, 0, model).name);
}

static latmc_lattice *make(lattice_flags *flags)
{
    latmc_lattice *lattice;

    if (flags->load) {
        cli_setup(ranks_load(&lattice, flags->load), "load");
        take_over(flags, lattice);
    } else
        lattice = lattice_make(flags);
    lattice_configure(flags, lattice);
    anneal_prepare(flags, lattice);
    return lattice;
}

/* Replicas by turns or, of several copies, copies. */
static void start_hot_and_cold(latmc_lattice *lattice)
{
    const latmc_lattice_info info = lattice_info(lattice);
    const latmc_type type = (latmc_type)lattice_type(&info).id;
    const int64_t turn =
        info.ladders > 1 ? info.replicas / lattice_info(lattice).samples / info.ladders : 1;
    size_t bytes;
    void *cold;

    cli_run(latmc_sites_bytes(lattice, 1, type, &bytes));
    cold = cli_memory((int64_t)bytes, 1);
    cli_run(latmc_start(lattice, LATMC_START_COLD));
    cli_run(latmc_get_sites(lattice, 0, 1, type, cold, bytes));
    cli_run(latmc_start(lattice, LATMC_START_HOT));
    for (int64_t r = 0; r < info.replicas; r++)
        if (r / turn % 2)
            cli_run(latmc_set_sites(lattice, r, 1, type, cold, bytes));
    free(cold);
}

static void start(lattice_flags *flags, latmc_lattice *lattice)
{
    int mode;

    if (flags->load)
        return;
    if (!flags->start)
        flags->start = "hot";
    if (strcmp(flags->start, HOT_AND_COLD) == 0) {
        start_hot_and_cold(lattice);
        return;
    }
    cli_setup(latmc_find(LATMC_START_MODES, (latmc_model)lattice_info(lattice).model, flags->start,
                         &mode),
              "start");
    cli_run(latmc_start(lattice, (latmc_start_mode)mode));
}

/* Sweeps that the flags ask for, if a trajectory has room for so many. */
static int64_t total_sweeps(const simulation *s, const run_flags *flags)
{
    const int64_t left = MOST_SWEEPS - 1 - lattice_info(s->lattice).sweeps;

    if (flags->thermalize + flags->sweeps > (left - flags->tune) / s->steps.sweeps)
        cli_refuse("--tune, --thermalize and --sweeps come to more sweeps than the %" PRId64
                   " that are left of the 2^40 of a trajectory",
                   left);
    return flags->tune + (flags->thermalize + flags->sweeps) * s->steps.sweeps;
}

/* What is true of the whole run. */
typedef struct summary {
    char hash[24]; /* or none */
    char stopped[128];
    int64_t sweeps; /* since the start */
    double seconds, rate;
} summary;

/* All sweeps and measurements. */
static summary run(simulation *s, const lattice_flags *wish, const run_flags *flags, results *r,
                   copies *pairs)
{
    const int64_t records = flags->sweeps / flags->every;
    summary out = {.rate = NAN};
    int64_t before;
    double begin, updates;

    simulation_tune(s, flags->tune);
    simulation_sweep(s, flags->thermalize);
    if (!s->stopped) {
        if (flags->tune || flags->thermalize) /* what these came to says nothing of the rest */
            cli_run(latmc_reset_exchange_counts(s->lattice));
        anneal_begin(wish, s->lattice, flags->sweeps * s->steps.sweeps);
    }
    results_note_ramps(r, s->lattice,
                       flags->every * s->steps.sweeps - lattice_info(s->lattice).round_done,
                       flags->every * s->steps.sweeps);
    before = lattice_info(s->lattice).sweeps;
    begin = cli_clock();
    if (pairs)
        copies_record(pairs, s, flags->every, records, r);
    else
        simulation_record(s, flags->every, records, r);
    simulation_sweep(s, flags->sweeps % flags->every);
    out.seconds = cli_clock() - begin;
    if (!flags->sweeps && !s->stopped) {
        cli_run(latmc_observe(s->lattice, LATMC_BY_SLOT, r->observables, r->measured, r->series));
        r->records = 1;
        if (pairs)
            copies_measure(pairs, s->lattice);
    }
    out.sweeps = lattice_info(s->lattice).sweeps;
    updates = (double)(out.sweeps - before) * s->steps.updates / (double)s->steps.sweeps;
    if (updates > 0)
        out.rate = (double)r->info.sites * (double)r->info.replicas * updates / out.seconds * 1e-9;
    if (s->stopped)
        snprintf(out.stopped, sizeof out.stopped,
                 "stopped by %s after %" PRId64 " of %" PRId64 " records, %" PRId64
                 " sweeps since the start",
                 stop_name(), r->records, records, out.sweeps);
    return out;
}

static void print_json(const simulation *s, const lattice_flags *wish, const run_flags *flags,
                       const results *r, const copies *pairs, const summary *about)
{
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    lattice_json(wish, s->lattice, &j);
    schedule_json(&s->steps, r->info.model, &j);
    anneal_json(wish, s->lattice, &j);
    json_integer(&j, "tune", flags->tune);
    json_integer(&j, "thermalize", flags->thermalize);
    json_integer(&j, "sweeps", flags->sweeps);
    json_integer(&j, "every", flags->every);
    json_integer(&j, "records", flags->sweeps ? r->records : 0);
    json_text(&j, "stopped_by", s->stopped ? stop_name() : NULL);
    json_integer(&j, "sweeps_since_start", about->sweeps);
    json_real(&j, "seconds", about->seconds);
    json_real(&j, "updates_per_ns", about->rate);
    json_text(&j, "state_hash", about->hash[0] ? about->hash : NULL);
    json_boolean(&j, "not_ergodic", r->not_ergodic);
    if (r->exchanges)
        tempering_json(wish, s->lattice, &j);
    results_json(r, &j);
    if (pairs)
        copies_json(pairs, r, &j);
    json_close(&j, '}');
}

static void print_table(const simulation *s, const lattice_flags *wish, const run_flags *flags,
                        const results *r, const copies *pairs, const summary *about)
{
    char line[1024];
    size_t used;

    lattice_text(wish, s->lattice, line, sizeof line);
    page_text(stdout, 2, line);
    schedule_text(&s->steps, r->info.model, line, sizeof line);
    used = strlen(line);
    if (wish->temper)
        used += (size_t)snprintf(line + used, sizeof line - used,
                                 ", an exchange every %" PRId64 " step%s", wish->temper,
                                 wish->temper == 1 ? "" : "s");
    for (int i = 0; i < wish->anneal.count; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, ", annealed: %.100s",
                                 wish->anneal.items[i]);
    if (flags->tune)
        used += (size_t)snprintf(line + used, sizeof line - used, ", %" PRId64 " sweeps to tune",
                                 flags->tune);
    snprintf(line + used, sizeof line - used,
             ", %" PRId64 " steps to thermalize, %" PRId64 " steps measured every %" PRId64
             ", %" PRId64 " sweeps since the start",
             flags->thermalize, flags->sweeps, flags->every, about->sweeps);
    page_text(stdout, 2, line);
    if (isfinite(about->rate))
        printf("%.3g s, %.4g updates/ns\n", about->seconds, about->rate);
    if (s->stopped)
        printf("%s\n", about->stopped);
    if (about->hash[0])
        printf("state_hash %s\n", about->hash);
    anneal_table(wish, s->lattice, stdout);
    if (r->exchanges)
        tempering_table(s->lattice, r, stdout);
    results_table(r, flags->each, stdout);
    if (pairs)
        copies_table(pairs, r, stdout);
}

static void find_hash(const simulation *s, const run_flags *flags, summary *about)
{
    const latmc_lattice_info info = lattice_info(s->lattice);
    uint64_t hash;

    if (!flags->hash && info.sites > HASHED_SITES / info.replicas)
        return;
    cli_run(latmc_state_hash(s->lattice, &hash));
    snprintf(about->hash, sizeof about->hash, "%016" PRIx64, hash);
}

/* What fails here costs nothing of the rest. */
static int write_files(const simulation *s, const run_flags *flags, const results *r)
{
    int failed = 0;

    if (flags->csv && !ranks_own()) {
        outfile csv = outfile_open(flags->csv);
        results measured = *r;

        measured.records = flags->sweeps ? r->records : 0;
        if (csv.file)
            results_csv(&measured, csv.file);
        failed |= !outfile_close(&csv, 1);
    }
    if (flags->save && latmc_save(s->lattice, flags->save)) {
        cli_warn("--save: %s", cli_reason());
        failed = 1;
    }
    return failed;
}

int main(int argc, char **argv)
{
    lattice_flags wish = {.create = ranks_create};
    run_flags flags = {.sweeps = 1000};
    const cli_table tables[] = {{lattice_options, &wish},
                                {lattice_disorder_options(), &wish},
                                {begin_options, &wish},
                                {run_options, &flags},
                                {NULL, NULL}};
    simulation s = {0};
    results r;
    copies pairs = {0}, *of_pairs = NULL;
    summary about;
    int status = 0, tempers;

    ranks_begin(program.name, argc, argv);
    cli_parse(&program, tables, argc, argv);
    check_flags(&wish, &flags);
    ranks_meet();
    wish.device = ranks_device(wish.device);
    tempers = wish.temper > 0;
    s.lattice = make(&wish);
    lattice_set_weights(&flags.weights, s.lattice);
    settle_steps(&wish, &flags);
    s.steps = lattice_schedule(&wish, s.lattice);
    if (tempers)
        tempering_check(&wish, s.lattice);
    check_structure(&flags, s.lattice);
    lattice_set_momenta(flags.momenta, s.lattice);
    r = results_prepare(s.lattice, flags.sweeps / flags.every, flags.structure, flags.quantities);
    if (wish.copies > 1) {
        pairs = copies_prepare(s.lattice, wish.copies, flags.sweeps / flags.every);
        of_pairs = &pairs;
    }
    simulation_begin(&s, !flags.json && !ranks_own() && isatty(STDERR_FILENO),
                     total_sweeps(&s, &flags));
    stop_prepare();
    start(&wish, s.lattice);
    about = run(&s, &wish, &flags, &r, of_pairs);
    simulation_end(&s);
    find_hash(&s, &flags, &about);
    results_analyse(&r, s.lattice);
    if (r.exchanges)
        tempering_judge(s.lattice, &r);
    results_join(&r);
    if (of_pairs)
        copies_analyse(of_pairs, &r);
    (flags.json ? print_json : print_table)(&s, &wish, &flags, &r, of_pairs, &about);
    cli_flush();
    if (s.stopped) {
        cli_warn("%s", about.stopped);
        status = stop_status();
    }
    if (write_files(&s, &flags, &r))
        status = CLI_FAILED;
    results_free(&r);
    copies_free(&pairs);
    latmc_destroy(s.lattice);
    return ranks_end(cli_finish(status));
}
