/* SPDX-License-Identifier: BSD-3-Clause */
/* --update: the schedule of a lattice, and what it is in words. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_flags.h"

/* Parameters that say how many proposals a sweep of an update makes at each site. */
static const struct {
    const char *update, *param;
} repeats[] = {
    {"metropolis", "hits"}, {"block_metropolis", "hits"}, {"block_metropolis", "local_sweeps"}};

/* One value per replica, or NULL if the model has no such parameter. */
static double *param_values(const latmc_lattice *lattice, const char *name)
{
    const latmc_lattice_info info = lattice_info(lattice);
    double *values;
    int id;

    if (latmc_find(LATMC_PARAMS, (latmc_model)info.model, name, &id))
        return NULL;
    values = cli_memory(info.replicas, sizeof *values);
    cli_run(latmc_get_params(lattice, (latmc_param)id, values));
    return values;
}

double lattice_param(const latmc_lattice *lattice, const char *name, double otherwise)
{
    double *values = param_values(lattice, name);
    const double first = values ? values[0] : otherwise;

    free(values);
    return first;
}

/* The part's own value of an argument, or NaN. */
static double own_value(const latmc_lattice *lattice, int part, const char *name)
{
    const latmc_model model = (latmc_model)lattice_info(lattice).model;
    double value;
    int id;

    if (latmc_find(LATMC_PARAMS, model, name, &id) ||
        latmc_get_step_argument(lattice, part, (latmc_param)id, &value))
        return NAN;
    return value;
}

/* Proposals that a sweep makes at each site, the mean over the replicas. */
static double proposals(const latmc_lattice *lattice, int part, const char *update)
{
    const int64_t replicas = lattice_info(lattice).replicas;
    double *counts = cli_memory(replicas, sizeof *counts), mean = 0;

    for (int64_t r = 0; r < replicas; r++)
        counts[r] = 1;
    for (size_t i = 0; i < sizeof repeats / sizeof repeats[0]; i++) {
        const int uses = strcmp(repeats[i].update, update) == 0;
        double *values = uses ? param_values(lattice, repeats[i].param) : NULL;
        const double own = values ? own_value(lattice, part, repeats[i].param) : NAN;

        for (int64_t r = 0; values && r < replicas; r++)
            counts[r] *= isnan(own) ? values[r] : own;
        free(values);
    }
    for (int64_t r = 0; r < replicas; r++)
        mean += counts[r] / (double)replicas;
    free(counts);
    return mean;
}

/* NAME=VALUE, of a part: a parameter of the update, or how many exchanges follow it. */
static void read_argument(schedule_part *part, const char *word, const char *all,
                          const latmc_lattice *lattice)
{
    const char *rest = word;
    char name[NAME_BYTES];
    double value;
    int id;

    cli_next(&rest, '=', name, sizeof name);
    if (strcmp(name, "exchange") == 0 && rest) {
        if (!cli_integer(rest, 0, 1024, &part->exchanges))
            cli_refuse("--update is \"%s\"; exchange is a whole number from 0 to 1024", all);
        return;
    }
    if (part->arguments == ARGUMENTS_MAX || !rest || !cli_real(rest, &value))
        cli_refuse("--update is \"%s\"; after a colon a whole number >= 1 is needed, or an "
                   "argument such as hits=8 or exchange=1, of which there are at most %d",
                   all, ARGUMENTS_MAX);
    cli_setup(latmc_find(LATMC_PARAMS, (latmc_model)lattice_info(lattice).model, name, &id),
              "update");
    part->argument[part->arguments] = (latmc_param)id;
    part->value[part->arguments++] = value;
}

/* NAME:N:ARGUMENT=VALUE:.. */
static schedule_part read_part(const char *piece, const char *all, const latmc_lattice *lattice)
{
    const latmc_model model = (latmc_model)lattice_info(lattice).model;
    schedule_part part = {.sweeps = 1};
    const char *rest = piece;
    char word[NAME_BYTES];
    int id;

    cli_next(&rest, ':', word, sizeof word);
    cli_setup(latmc_find(LATMC_UPDATES, model, word, &id), "update");
    part.update = (latmc_update)id;
    for (int first = 1; rest; first = 0) {
        if (!cli_next(&rest, ':', word, sizeof word))
            word[0] = '\0';
        if (!first || !cli_integer(word, 1, INT32_MAX, &part.sweeps))
            read_argument(&part, word, all, lattice);
    }
    return part;
}

/* The schedule that the library gets: all passes of a round, one after the other; of a single
 * update they are one step. */
typedef struct rounds {
    int count;
    latmc_update updates[LATMC_MAX_STEPS];
    int64_t sweeps[LATMC_MAX_STEPS];
} rounds;

static rounds rounds_of(const schedule *s)
{
    const int64_t passes = s->count == 1 ? 1 : s->passes;
    rounds r = {.count = 0};

    if (passes > LATMC_MAX_STEPS / s->count)
        cli_refuse("--temper is %" PRId64 "; with %d updates in --update it must be at most %d",
                   s->passes, s->count, LATMC_MAX_STEPS / s->count);
    for (; r.count < s->count * passes; r.count++) {
        const schedule_part *part = &s->parts[r.count % s->count];

        r.updates[r.count] = part->update;
        r.sweeps[r.count] = part->sweeps * (s->count == 1 ? s->passes : 1);
    }
    return r;
}

/* A loaded lattice that has this very schedule goes on with it where it was. */
static int has_already(const latmc_lattice *lattice, const rounds *r)
{
    int same = lattice_info(lattice).steps == r->count;

    for (int i = 0; i < r->count && same; i++) {
        latmc_update update;
        int64_t sweeps;

        cli_run(latmc_get_step(lattice, i, &update, &sweeps));
        same = update == r->updates[i] && sweeps == r->sweeps[i];
    }
    return same;
}

/* Those that are given, and none that a loaded lattice may have. */
static void give_arguments(latmc_lattice *lattice, const schedule_part *part, int step)
{
    const int model = lattice_info(lattice).model;
    double value;

    for (int i = 0; i < lattice_things(LATMC_PARAMS, model); i++) {
        const latmc_param param = (latmc_param)lattice_thing(LATMC_PARAMS, model, i).id;

        if (!latmc_get_step_argument(lattice, step, param, &value))
            cli_run(latmc_set_step_argument(lattice, step, param, NAN));
    }
    for (int a = 0; a < part->arguments; a++)
        cli_setup(latmc_set_step_argument(lattice, step, part->argument[a], part->value[a]),
                  "update");
}

static void give(latmc_lattice *lattice, const schedule *s, int temper)
{
    const rounds r = rounds_of(s);

    if (!has_already(lattice, &r))
        cli_setup(latmc_set_schedule(lattice, r.count, r.updates, r.sweeps),
                  temper ? "temper" : "update");
    for (int i = 0; i < r.count; i++) {
        const schedule_part *part = &s->parts[i % s->count];

        give_arguments(lattice, part, i);
        cli_run(latmc_set_step_exchanges(lattice, i, temper ? i == r.count - 1 : part->exchanges));
    }
}

/* ---- the schedule that a lattice has */

static schedule_part own_part(const latmc_lattice *lattice, int step)
{
    const int model = lattice_info(lattice).model;
    schedule_part part = {.sweeps = 0};

    cli_run(latmc_get_step(lattice, step, &part.update, &part.sweeps));
    cli_run(latmc_get_step_exchanges(lattice, step, &part.exchanges));
    for (int i = 0; i < lattice_things(LATMC_PARAMS, model) && part.arguments < ARGUMENTS_MAX;
         i++) {
        const latmc_param param = (latmc_param)lattice_thing(LATMC_PARAMS, model, i).id;

        if (!latmc_get_step_argument(lattice, step, param, &part.value[part.arguments]) &&
            !isnan(part.value[part.arguments]))
            part.argument[part.arguments++] = param;
    }
    return part;
}

static int are_alike(const schedule_part *a, const schedule_part *b)
{
    int alike = a->update == b->update && a->sweeps == b->sweeps && a->arguments == b->arguments;

    for (int i = 0; i < a->arguments && alike; i++)
        alike = a->argument[i] == b->argument[i] && a->value[i] == b->value[i];
    return alike;
}

/* The schedule is its first parts, so many of them, again and again. */
static int period(const schedule *s)
{
    for (int n = 1; n < s->count; n++) {
        int repeats = s->count % n == 0;

        for (int i = n; i < s->count && repeats; i++)
            repeats = are_alike(&s->parts[i], &s->parts[i - n]);
        if (repeats)
            return n;
    }
    return s->count;
}

/* The inverse of rounds_of(): a round that ends with an exchange is so many passes of a step. */
static void take_apart(schedule *s)
{
    const int length = period(s);

    s->passes = s->count / length;
    s->count = length;
    if (s->count == 1) {
        s->passes *= s->parts[0].sweeps;
        s->parts[0].sweeps = 1;
    }
}

static schedule own_schedule(const latmc_lattice *lattice, int64_t *temper)
{
    schedule s = {.count = lattice_info(lattice).steps, .passes = 1};
    int64_t *last, within = 0;

    *temper = 0;
    for (int i = 0; i < s.count; i++) {
        s.parts[i] = own_part(lattice, i);
        within += i < s.count - 1 ? s.parts[i].exchanges : 0;
    }
    last = s.count ? &s.parts[s.count - 1].exchanges : &within;
    if (!within && *last == 1) {
        *last = 0;
        take_apart(&s);
        *temper = s.passes;
    }
    return s;
}

int64_t lattice_own_temper(const latmc_lattice *lattice)
{
    int64_t temper;

    own_schedule(lattice, &temper);
    return temper;
}

/* ---- what is run */

static schedule read_schedule(const char *text, const latmc_lattice *lattice)
{
    const char *rest = text;
    char piece[2 * NAME_BYTES];
    schedule s = {.count = 0};

    while (s.count < SCHEDULE_MAX && cli_next(&rest, ',', piece, sizeof piece))
        s.parts[s.count++] = read_part(piece, text, lattice);
    if (rest)
        cli_refuse("--update is \"%s\"; at most %d updates of short names are possible", text,
                   SCHEDULE_MAX);
    return s;
}

schedule lattice_schedule(const lattice_flags *flags, latmc_lattice *lattice)
{
    const int model = lattice_info(lattice).model;
    const char *text = flags->update ? flags->update : lattice_thing(LATMC_UPDATES, model, 0).name;
    int64_t own_temper;
    schedule s = own_schedule(lattice, &own_temper);

    if (flags->update || !s.count)
        s = read_schedule(text, lattice);
    s.passes = flags->temper ? flags->temper : 1;
    for (int i = 0; i < s.count; i++) {
        s.exchanges |= s.parts[i].exchanges > 0;
        s.sweeps += s.parts[i].sweeps;
    }
    if (flags->temper && s.exchanges)
        cli_refuse(flags->update
                       ? "--temper and an exchange in --update \"%s\" cannot be given together"
                       : "--temper cannot be given with a loaded schedule that has exchanges "
                         "between its steps; --update, such as %s, gives another schedule",
                   text);
    give(lattice, &s, flags->temper > 0);
    s.exchanges |= flags->temper > 0;
    for (int i = 0; i < s.count; i++)
        s.updates +=
            (double)s.parts[i].sweeps *
            proposals(lattice, i, lattice_thing_of(LATMC_UPDATES, model, s.parts[i].update).name);
    return s;
}
