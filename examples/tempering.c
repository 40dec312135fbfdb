/* SPDX-License-Identifier: BSD-3-Clause */
#include "tempering.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

/* ---- which parameter */

/* Of all samples. */
static int64_t ladders_of(const latmc_lattice *lattice)
{
    return lattice_info(lattice).ladders * lattice_info(lattice).samples;
}

/* Does it differ between some slots of a ladder? */
static int varies(const latmc_lattice *lattice, latmc_param param)
{
    const int64_t replicas = lattice_info(lattice).replicas;
    const int64_t each = replicas / ladders_of(lattice);
    double *values = cli_memory(replicas, sizeof *values);
    int differ = 0;

    cli_run(latmc_get_params(lattice, param, values));
    for (int64_t s = 0; s < replicas; s++)
        differ |= values[s] != values[s / each * each];
    free(values);
    return differ;
}

/* The names of those that vary, with commas; how many they are. */
static int varying(const latmc_lattice *lattice, char *names, size_t bytes)
{
    const int model = lattice_info(lattice).model;
    int count = 0;

    names[0] = '\0';
    for (int i = 0; i < lattice_things(LATMC_PARAMS, model); i++) {
        const latmc_description param = lattice_thing(LATMC_PARAMS, model, i);
        const size_t used = strlen(names);

        if (!param.in_exchanges || !varies(lattice, (latmc_param)param.id))
            continue;
        snprintf(names + used, bytes - used, "%s%s", count ? ", " : "", param.name);
        count++;
    }
    return count;
}

void tempering_check(const lattice_flags *flags, const latmc_lattice *lattice)
{
    const int64_t replicas = lattice_info(lattice).replicas,
                  samples = lattice_info(lattice).samples;
    const int64_t ladders = lattice_info(lattice).ladders;
    char names[4 * NAME_BYTES], copies[48] = "";
    int count;

    if (!flags->temper)
        return;
    if (ladders > 1)
        snprintf(copies, sizeof copies, " of %" PRId64 " copies", ladders);
    if (replicas / ladders_of(lattice) < 2)
        cli_refuse("--temper needs 2 replicas or more of each %s; with %" PRId64
                   " replica%s and %" PRId64 " sample%s%s there is one",
                   ladders > 1 ? "copy of a sample" : "sample", replicas, replicas == 1 ? "" : "s",
                   samples, samples == 1 ? "" : "s", copies);
    count = varying(lattice, names, sizeof names);
    if (count != 1)
        cli_refuse("--temper needs one parameter that varies over the replicas, such as --set "
                   "beta=0.3:0.5; %s%s (--update metropolis:10:exchange=1 exchanges whatever "
                   "varies)",
                   count ? "these do: " : "none does", names);
}

/* ---- what came of it */

/* Fewer round trips of a ladder's replicas say that they have not mixed: doc/tempering.md. */
enum { LEAST_TRIPS = 10 };

typedef struct walked {
    int64_t replicas, ladders, copies, each; /* ladders of all samples, of a sample; its slots */
    int64_t *offered, *accepted, *from_first, *from_last, *round_trips;
} walked;

static walked read_walks(const latmc_lattice *lattice)
{
    walked w = {.replicas = lattice_info(lattice).replicas,
                .ladders = ladders_of(lattice),
                .copies = lattice_info(lattice).ladders};

    w.each = w.replicas / w.ladders;
    w.offered = cli_memory(5 * w.replicas, sizeof *w.offered);
    w.accepted = w.offered + w.replicas;
    w.from_first = w.accepted + w.replicas;
    w.from_last = w.from_first + w.replicas;
    w.round_trips = w.from_last + w.replicas;
    cli_run(latmc_get_exchange_counts(lattice, w.offered, w.accepted));
    cli_run(latmc_get_walks(lattice, w.from_first, w.from_last));
    cli_run(latmc_get_round_trips(lattice, w.round_trips));
    return w;
}

/* Of slots s and s + 1 of some ladders together; NaN if nothing was offered. */
static double acceptance(const walked *w, int64_t first, int64_t ladders, int64_t s)
{
    double offered = 0, accepted = 0;

    for (int64_t j = first; j < first + ladders; j++) {
        offered += (double)w->offered[j * w->each + s];
        accepted += (double)w->accepted[j * w->each + s];
    }
    return offered > 0 ? accepted / offered : (double)NAN;
}

static int64_t all_trips(const walked *w)
{
    int64_t all = 0;

    for (int64_t r = 0; r < w->replicas; r++)
        all += w->round_trips[r];
    return all;
}

static int64_t trips_of(const walked *w, int64_t ladder)
{
    int64_t all = 0;

    for (int64_t r = ladder * w->each; r < (ladder + 1) * w->each; r++)
        all += w->round_trips[r];
    return all;
}

static int is_exchanged(const walked *w, int64_t ladder)
{
    int64_t offered = 0;

    for (int64_t s = ladder * w->each; s < (ladder + 1) * w->each; s++)
        offered += w->offered[s];
    return offered > 0;
}

void tempering_judge(const latmc_lattice *lattice, results *r)
{
    walked w = read_walks(lattice);

    for (int64_t k = 0; k < w.ladders; k++) {
        if (!is_exchanged(&w, k) || trips_of(&w, k) >= LEAST_TRIPS)
            continue;
        r->few_trips++;
        for (int64_t i = k * w.each * r->quantities; i < (k + 1) * w.each * r->quantities; i++)
            r->estimates[i].too_short = 1;
    }
    free(w.offered);
}

static void acceptance_json(const walked *w, int64_t first, int64_t ladders, json *j)
{
    json_open(j, "acceptance", '[');
    for (int64_t s = 0; s + 1 < w->each; s++)
        json_real(j, NULL, acceptance(w, first, ladders, s));
    json_close(j, ']');
}

static void ladder_json(const walked *w, int64_t ladder, json *j)
{
    const int64_t first = ladder * w->each;

    json_open(j, NULL, '{');
    json_integer(j, "sample", ladder / w->copies);
    json_integer(j, "copy", ladder % w->copies);
    json_boolean(j, "few_round_trips",
                 is_exchanged(w, ladder) && trips_of(w, ladder) < LEAST_TRIPS);
    acceptance_json(w, ladder, 1, j);
    json_open(j, "round_trips", '[');
    for (int64_t r = first; r < first + w->each; r++)
        json_integer(j, NULL, w->round_trips[r]);
    json_close(j, ']');
    json_open(j, "from_first", '[');
    for (int64_t s = first; s < first + w->each; s++)
        json_real(j, NULL, (double)w->from_first[s] / (double)(w->from_first[s] + w->from_last[s]));
    json_close(j, ']');
    json_close(j, '}');
}

void tempering_json(const lattice_flags *flags, const latmc_lattice *lattice, json *j)
{
    walked w = read_walks(lattice);
    char names[4 * NAME_BYTES];
    const int count = varying(lattice, names, sizeof names);

    json_open(j, "tempering", '{');
    json_text(j, "parameter", count ? names : NULL);
    if (flags->temper)
        json_integer(j, "steps", flags->temper);
    acceptance_json(&w, 0, w.ladders, j);
    json_integer(j, "round_trips", all_trips(&w));
    json_open(j, "ladders", '[');
    for (int64_t k = 0; k < w.ladders; k++)
        ladder_json(&w, k, j);
    json_close(j, ']');
    json_close(j, '}');
    free(w.offered);
}

static void few_trips(const walked *w, const results *r, FILE *file)
{
    char line[16 * NAME_BYTES], of[4 * NAME_BYTES] = "";

    if (!r->few_trips)
        return;
    if (w->ladders > 1)
        snprintf(of, sizeof of, " in %" PRId64 " of %" PRId64 " ladders", r->few_trips, w->ladders);
    snprintf(line, sizeof line,
             "* Fewer than %d round trips were made%s: the replicas have not mixed, and the means "
             "of the cold slots are "
             "not to be trusted. Give more --sweeps, or slots nearer to each other.",
             LEAST_TRIPS, of);
    page_text(file, 2, line);
}

void tempering_table(const latmc_lattice *lattice, const results *r, FILE *file)
{
    walked w = read_walks(lattice);
    char names[4 * NAME_BYTES], line[16 * NAME_BYTES];
    int64_t least = 0, most = 0;

    varying(lattice, names, sizeof names);
    for (int64_t s = 1; s + 1 < w.each; s++) {
        const double a = acceptance(&w, 0, w.ladders, s);

        least = a < acceptance(&w, 0, w.ladders, least) ? s : least;
        most = a > acceptance(&w, 0, w.ladders, most) ? s : most;
    }
    if (w.each > 1 && isfinite(acceptance(&w, 0, w.ladders, least)))
        snprintf(line, sizeof line,
                 "Tempering%s%s: neighbours accept %.3g (slots %" PRId64 " and %" PRId64
                 ") to %.3g (slots %" PRId64 " and %" PRId64 ") of their exchanges, %" PRId64
                 " round trip%s of %" PRId64 " replicas.",
                 names[0] ? " in " : "", names, acceptance(&w, 0, w.ladders, least), least,
                 least + 1, acceptance(&w, 0, w.ladders, most), most, most + 1, all_trips(&w),
                 all_trips(&w) == 1 ? "" : "s", w.replicas);
    else
        snprintf(line, sizeof line, "Tempering: no exchange was offered.");
    page_text(file, 2, line);
    few_trips(&w, r, file);
    free(w.offered);
}

/* ---- annealing */

typedef struct annealed {
    char name[NAME_BYTES];
    double from, to;
} annealed;

static double read_end(const char *text, const char *end)
{
    double value;

    if (!cli_real(end, &value))
        cli_refuse("--anneal is \"%s\": \"%s\" %s", text, end, cli_real_fault(end));
    return value;
}

static annealed read_anneal(const char *text)
{
    annealed a;
    const char *rest = text;
    char piece[NAME_BYTES];

    if (!cli_next(&rest, '=', a.name, sizeof a.name) || !rest ||
        !cli_next(&rest, ':', piece, sizeof piece) || !rest || strchr(rest, ':'))
        cli_refuse("--anneal is \"%s\"; NAME=FROM:TO with two numbers is needed, such as "
                   "beta=0.1:2",
                   text);
    a.from = read_end(text, piece);
    a.to = read_end(text, rest);
    return a;
}

static latmc_param anneal_param(const latmc_lattice *lattice, const annealed *a)
{
    int id;

    cli_setup(latmc_find(LATMC_PARAMS, (latmc_model)lattice_info(lattice).model, a->name, &id),
              "anneal");
    return (latmc_param)id;
}

/* NAME of the items of another flag. */
static int is_among(const cli_list *list, int count, const char *name)
{
    const size_t length = strlen(name);

    for (int i = 0; i < count; i++)
        if (strncmp(list->items[i], name, length) == 0 && list->items[i][length] == '=')
            return 1;
    return 0;
}

void anneal_prepare(const lattice_flags *flags, latmc_lattice *lattice)
{
    for (int i = 0; i < flags->anneal.count; i++) {
        const annealed a = read_anneal(flags->anneal.items[i]);
        const latmc_description param =
            lattice_thing_of(LATMC_PARAMS, lattice_info(lattice).model, anneal_param(lattice, &a));

        if (is_among(&flags->set, flags->set.count, a.name) || is_among(&flags->anneal, i, a.name))
            cli_refuse("--anneal is \"%s\": %s is given twice", flags->anneal.items[i], a.name);
        if (param.step == 1)
            cli_refuse("--anneal is \"%s\": %s is a whole number, which no ramp takes",
                       flags->anneal.items[i], a.name);
        if (!(a.to >= param.minimum && a.to <= param.maximum))
            cli_refuse("--anneal is \"%s\"; %s is a number from %g to %g", flags->anneal.items[i],
                       a.name, param.minimum, param.maximum);
        cli_setup(latmc_set_param(lattice, (latmc_param)param.id, a.from), "anneal");
    }
}

void anneal_begin(const lattice_flags *flags, latmc_lattice *lattice, int64_t sweeps)
{
    const int64_t replicas = lattice_info(lattice).replicas;

    for (int i = 0; i < flags->anneal.count; i++) {
        const annealed a = read_anneal(flags->anneal.items[i]);
        double *to = cli_memory(replicas, sizeof *to);

        for (int64_t s = 0; s < replicas; s++)
            to[s] = a.to;
        cli_setup(latmc_set_ramp(lattice, anneal_param(lattice, &a), to, sweeps), "anneal");
        free(to);
    }
    if (flags->anneal.count)
        cli_run(latmc_keep_best(lattice, 1));
}

/* Of each replica, NaN where nothing was measured; when they were had, after `replicas` of them. */
static double *best_energies(const latmc_lattice *lattice, int64_t **sweeps)
{
    const int64_t replicas = lattice_info(lattice).replicas;
    double *energies = cli_memory(replicas, sizeof *energies);

    *sweeps = cli_memory(replicas, sizeof **sweeps);
    if (latmc_get_best(lattice, energies, *sweeps)) /* a signal came before the ramp began */
        for (int64_t r = 0; r < replicas; r++)
            energies[r] = (double)NAN;
    return energies;
}

static void best_json(const latmc_lattice *lattice, json *j)
{
    const int64_t replicas = lattice_info(lattice).replicas;
    int64_t *sweeps;
    double *energies = best_energies(lattice, &sweeps);

    json_open(j, "best", '{');
    json_open(j, "energy", '[');
    for (int64_t r = 0; r < replicas; r++)
        json_real(j, NULL, energies[r]);
    json_close(j, ']');
    json_open(j, "sweeps_since_start", '[');
    for (int64_t r = 0; r < replicas; r++)
        json_integer(j, NULL, sweeps[r]);
    json_close(j, ']');
    json_close(j, '}');
    free(energies);
    free(sweeps);
}

void anneal_table(const lattice_flags *flags, const latmc_lattice *lattice, FILE *file)
{
    int64_t *sweeps, best = 0;
    double *energies;

    if (!flags->anneal.count)
        return;
    energies = best_energies(lattice, &sweeps);
    for (int64_t r = 1; r < lattice_info(lattice).replicas; r++)
        best = energies[r] < energies[best] ? r : best;
    if (isfinite(energies[best]))
        fprintf(file,
                "lowest energy %.10g, of replica %" PRId64 " after %" PRId64
                " sweeps since the start\n",
                energies[best], best, sweeps[best]);
    free(energies);
    free(sweeps);
}

void anneal_json(const lattice_flags *flags, const latmc_lattice *lattice, json *j)
{
    if (!flags->anneal.count)
        return;
    best_json(lattice, j);
    json_open(j, "anneal", '[');
    for (int i = 0; i < flags->anneal.count; i++) {
        const annealed a = read_anneal(flags->anneal.items[i]);

        json_open(j, NULL, '{');
        json_text(j, "name", a.name);
        json_real(j, "from", a.from);
        json_real(j, "to", a.to);
        json_close(j, '}');
    }
    json_close(j, ']');
}
