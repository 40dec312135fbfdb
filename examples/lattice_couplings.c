/* SPDX-License-Identifier: BSD-3-Clause */
/* The couplings of a lattice's bonds: flags, and what is said of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_flags.h"

/* Couplings that were given are counted up to this number of them. */
#define BONDS_MAX (INT64_C(1) << 24)

static const char prefix[] = "coupling-";

static const char *argument_of(const cli_option *option)
{
    return option->name + sizeof prefix - 1;
}

static void add_option(cli_option *options, int *count, const latmc_info *argument)
{
    static char names[COUPLING_FLAGS][NAME_BYTES], helps[COUPLING_FLAGS][4 * NAME_BYTES];

    for (int i = 0; i < *count; i++) /* of another distribution */
        if (strcmp(argument_of(&options[i]), argument->name) == 0)
            return;
    if (*count == COUPLING_FLAGS)
        return;
    snprintf(names[*count], sizeof names[0], "%s%s", prefix, argument->name);
    snprintf(helps[*count], sizeof helps[0], "of --couplings: %s (%g)", argument->meaning,
             argument->preset);
    options[*count] = (cli_option){.name = names[*count],
                                   .type = CLI_TEXT,
                                   .offset = offsetof(lattice_flags, arguments) +
                                             (size_t)*count * sizeof(const char *),
                                   .value = "X",
                                   .help = helps[*count]};
    ++*count;
}

const cli_option *lattice_coupling_options(void)
{
    static cli_option options[COUPLING_FLAGS + 1];
    int count = 0;

    for (int m = 0; !options[0].name && m < lattice_things(LATMC_MODELS, 0); m++) {
        const int model = lattice_thing(LATMC_MODELS, 0, m).id;

        for (int i = 0; i < lattice_things(LATMC_ARGUMENTS, model); i++) {
            const latmc_info argument = lattice_thing(LATMC_ARGUMENTS, model, i);

            add_option(options, &count, &argument);
        }
    }
    return options;
}

int lattice_draws(const lattice_flags *flags)
{
    return flags->couplings && strcmp(flags->couplings, "uniform") != 0;
}

/* A flag that says how to draw them, or NULL. */
static const char *drawing_flag(const lattice_flags *flags)
{
    const cli_option *options = lattice_coupling_options();

    for (int i = 0; options[i].name; i++)
        if (flags->arguments[i])
            return options[i].name;
    return flags->coupling_seed.given ? "coupling-seed" : flags->samples ? "samples" : NULL;
}

const char *lattice_coupling_flag(const lattice_flags *flags)
{
    return flags->couplings ? "couplings" : drawing_flag(flags);
}

/* The arguments that were given; returns how many. */
static int read_arguments(const lattice_flags *flags, latmc_model model, latmc_argument *arguments,
                          double *values)
{
    const cli_option *options = lattice_coupling_options();
    int count = 0;

    for (int i = 0; options[i].name; i++) {
        int id;

        if (!flags->arguments[i])
            continue;
        if (!cli_real(flags->arguments[i], &values[count]))
            cli_refuse("--%s is \"%s\", which %s", options[i].name, flags->arguments[i],
                       cli_real_fault(flags->arguments[i]));
        cli_setup(latmc_find(LATMC_ARGUMENTS, model, argument_of(&options[i]), &id),
                  options[i].name);
        arguments[count++] = (latmc_argument)id;
    }
    return count;
}

void lattice_set_couplings(const lattice_flags *flags, latmc_lattice *lattice)
{
    const latmc_model model = (latmc_model)lattice_info(lattice).model;
    latmc_argument arguments[COUPLING_FLAGS];
    double values[COUPLING_FLAGS];
    const char *flag = drawing_flag(flags);
    int id, count;

    if (!lattice_draws(flags)) {
        if (flag)
            cli_refuse("--%s needs --couplings with it, such as --couplings pm1: uniform couplings "
                       "are not drawn",
                       flag);
        return;
    }
    cli_setup(latmc_find(LATMC_DISTRIBUTIONS, model, flags->couplings, &id), "couplings");
    count = read_arguments(flags, model, arguments, values);
    cli_setup(latmc_draw_bond_couplings(lattice, (latmc_distribution)id,
                                        flags->coupling_seed.given ? flags->coupling_seed.value : 1,
                                        count, arguments, values),
              "couplings");
    if (flags->samples)
        cli_setup(latmc_set_samples(lattice, flags->samples, 0), "samples");
}

/* ---- what is said of them */

/* 0: the model's bonds have no couplings. */
static int info_of(const latmc_lattice *lattice, latmc_disorder_info *info)
{
    *info = (latmc_disorder_info)LATMC_INIT(latmc_disorder_info);
    if (!lattice_things(LATMC_DISTRIBUTIONS, lattice_info(lattice).model))
        return 0;
    cli_run(latmc_get_bond_info(lattice, info));
    return 1;
}

/* How many of them are -1, 0 and +1; 0 if they are too many to be counted. */
static int count_given(const latmc_lattice *lattice, int64_t samples, int64_t counts[3])
{
    const latmc_lattice_info info = lattice_info(lattice);
    const int64_t each = info.dims * info.sites;
    double *couplings;

    if (samples * each > BONDS_MAX)
        return 0;
    couplings = cli_memory(each, sizeof *couplings);
    counts[0] = counts[1] = counts[2] = 0;
    for (int64_t j = 0; j < samples; j++) {
        cli_run(latmc_get_bond_couplings(lattice, j, couplings));
        for (int64_t i = 0; i < each; i++)
            counts[couplings[i] < 0 ? 0 : couplings[i] > 0 ? 2 : 1]++;
    }
    free(couplings);
    return 1;
}

static latmc_info argument_info(const latmc_lattice *lattice, const latmc_disorder_info *info,
                                int i)
{
    return lattice_thing_of(LATMC_ARGUMENTS, lattice_info(lattice).model, info->arguments[i]);
}

static const char *distribution_name(const latmc_lattice *lattice, const latmc_disorder_info *info)
{
    return lattice_thing_of(LATMC_DISTRIBUTIONS, lattice_info(lattice).model, info->distribution)
        .name;
}

void lattice_couplings_json(const latmc_lattice *lattice, json *j)
{
    latmc_disorder_info info;
    const int has = info_of(lattice, &info);
    int64_t counts[3];

    json_open(j, "couplings", '{');
    if (has && info.origin == LATMC_COUPLINGS_DRAWN) {
        json_text(j, "kind", distribution_name(lattice, &info));
        json_unsigned(j, "seed", info.seed);
        for (int i = 0; i < info.count; i++)
            json_real(j, argument_info(lattice, &info, i).name, info.values[i]);
    } else
        json_text(j, "kind", has && info.origin == LATMC_COUPLINGS_GIVEN ? "given" : "uniform");
    if (has && info.origin == LATMC_COUPLINGS_GIVEN && count_given(lattice, info.samples, counts)) {
        json_integer(j, "minus", counts[0]);
        json_integer(j, "zero", counts[1]);
        json_integer(j, "plus", counts[2]);
    }
    if (has && info.origin != LATMC_COUPLINGS_UNIFORM) {
        json_integer(j, "samples", info.samples);
        json_integer(j, "first_sample", info.first_sample);
    }
    json_close(j, '}');
}

/* " with plus 0.9 and missing 0.1": the arguments that are not the presets. */
static void arguments_text(const latmc_lattice *lattice, const latmc_disorder_info *info,
                           char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < info->count && used < bytes; i++) {
        const latmc_info argument = argument_info(lattice, info, i);

        if (info->values[i] != argument.preset)
            used += (size_t)snprintf(text + used, bytes - used, " %s %s %g", used ? "and" : "with",
                                     argument.name, info->values[i]);
    }
}

void lattice_couplings_text(const latmc_lattice *lattice, char *text, size_t bytes)
{
    latmc_disorder_info info;
    const int has = info_of(lattice, &info);
    char more[2 * NAME_BYTES] = "";
    int64_t counts[3];
    size_t used;

    if (!has)
        snprintf(text, bytes, "%s", "");
    else if (info.origin == LATMC_COUPLINGS_UNIFORM)
        snprintf(text, bytes, ", couplings 1");
    else if (info.origin == LATMC_COUPLINGS_DRAWN) {
        arguments_text(lattice, &info, more, sizeof more);
        snprintf(text, bytes, ", couplings %s%s of seed %" PRIu64,
                 distribution_name(lattice, &info), more, info.seed);
    } else if (count_given(lattice, info.samples, counts))
        snprintf(text, bytes,
                 ", couplings as given (%" PRId64 " are -1, %" PRId64 " are 0, %" PRId64 " are +1)",
                 counts[0], counts[1], counts[2]);
    else
        snprintf(text, bytes, ", couplings as given");
    used = strlen(text);
    if (has && info.origin != LATMC_COUPLINGS_UNIFORM && info.samples > 1)
        snprintf(text + used, bytes - used, ", %" PRId64 " samples", info.samples);
}
