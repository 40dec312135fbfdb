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
static double own_value(const schedule_part *part, latmc_model model, const char *name)
{
    int id = 0;

    cli_run(latmc_find(LATMC_PARAMS, model, name, &id));
    for (int a = 0; a < part->arguments; a++)
        if (part->argument[a] == (latmc_param)id)
            return part->value[a];
    return NAN;
}

/* Proposals that a sweep makes at each site, the mean over the replicas. */
static double proposals(const latmc_lattice *lattice, const schedule_part *part)
{
    const latmc_model model = (latmc_model)lattice_info(lattice).model;
    const char *update = lattice_thing_of(LATMC_UPDATES, model, part->update).name;
    const int64_t replicas = lattice_info(lattice).replicas;
    double *counts = cli_memory(replicas, sizeof *counts), mean = 0;

    for (int64_t r = 0; r < replicas; r++)
        counts[r] = 1;
    for (size_t i = 0; i < sizeof repeats / sizeof repeats[0]; i++) {
        const int uses = strcmp(repeats[i].update, update) == 0;
        double *values = uses ? param_values(lattice, repeats[i].param) : NULL;
        const double own = values ? own_value(part, model, repeats[i].param) : NAN;

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

/* The steps that the library gets: all passes of a round, one after the other; of a single update
 * they are one step. Returns how many. */
static int steps_of(const schedule *s, int temper, latmc_step *steps)
{
    const int64_t passes = s->count == 1 ? 1 : s->passes;
    int count = 0;

    if (passes > LATMC_MAX_STEPS / s->count)
        cli_refuse("--temper is %" PRId64 "; with %d updates in --update it must be at most %d",
                   s->passes, s->count, LATMC_MAX_STEPS / s->count);
    for (; count < s->count * passes; count++) {
        const schedule_part *part = &s->parts[count % s->count];

        steps[count] = (latmc_step){.size = sizeof *steps,
                                    .update = (int32_t)part->update,
                                    .sweeps = part->sweeps * (s->count == 1 ? s->passes : 1),
                                    .exchanges = temper ? 0 : part->exchanges,
                                    .param_count = part->arguments,
                                    .params = part->argument,
                                    .values = part->value};
    }
    if (temper)
        steps[count - 1].exchanges = 1;
    return count;
}

static int has_value(const latmc_step *step, latmc_param param, double value)
{
    int has = 0;

    for (int64_t k = 0; k < step->param_count; k++)
        has |= step->params[k] == param && step->values[k] == value;
    return has;
}

static int are_same(const latmc_step *a, const latmc_step *b)
{
    int same = a->update == b->update && a->sweeps == b->sweeps && a->exchanges == b->exchanges &&
               a->param_count == b->param_count;

    for (int64_t k = 0; k < a->param_count && same; k++)
        same = has_value(b, a->params[k], a->values[k]);
    return same;
}

/* A loaded lattice that has this very schedule goes on with it where it was. */
static void give(latmc_lattice *lattice, const schedule *s, int temper)
{
    latmc_step steps[LATMC_MAX_STEPS];
    const int count = steps_of(s, temper, steps);
    int has_already = lattice_info(lattice).steps == count;

    for (int i = 0; i < count && has_already; i++) {
        const latmc_step own = lattice_step(lattice, i);

        has_already = are_same(&own, &steps[i]);
    }
    if (!has_already)
        cli_setup(latmc_set_schedule(lattice, count, steps), "update");
}

/* ---- the schedule that a lattice has */

latmc_step lattice_step(const latmc_lattice *lattice, int number)
{
    latmc_step step = LATMC_INIT(latmc_step);

    cli_run(latmc_get_step(lattice, number, &step));
    return step;
}

static schedule_part own_part(const latmc_lattice *lattice, int number)
{
    const latmc_step step = lattice_step(lattice, number);
    schedule_part part = {
        .update = (latmc_update)step.update, .sweeps = step.sweeps, .exchanges = step.exchanges};

    for (; part.arguments < step.param_count && part.arguments < ARGUMENTS_MAX; part.arguments++) {
        part.argument[part.arguments] = step.params[part.arguments];
        part.value[part.arguments] = step.values[part.arguments];
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
        s.updates += (double)s.parts[i].sweeps * proposals(lattice, &s.parts[i]);
    return s;
}
