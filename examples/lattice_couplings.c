/* SPDX-License-Identifier: BSD-3-Clause */
/* The couplings of a lattice's bonds and the fields of its sites: their flags. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_file.h"

static const struct {
    const char *flag, *prefix; /* of the distribution, of what says how to draw */
    const char *plain;         /* what is not drawn */
    const char *why;           /* it takes no other flags */
    latmc_status (*draw)(latmc_lattice *lattice, latmc_distribution distribution, uint64_t seed,
                         int64_t count, const latmc_argument *arguments, const double *values);
    latmc_status (*give)(latmc_lattice *lattice, const double *numbers);
} kinds[DISORDERS] = {
    [OF_BONDS] = {"couplings", "coupling-", "uniform", "uniform couplings are not drawn",
                  latmc_draw_bond_couplings, latmc_set_bond_couplings},
    [OF_SITES] = {"site-fields", "site-field-", "none", "there are none otherwise",
                  latmc_draw_site_fields, latmc_set_site_fields},
};

int lattice_model_has(int model, disorder_kind k)
{
    const latmc_description info = lattice_thing_of(LATMC_MODELS, 0, model);

    return k == OF_BONDS ? info.has_couplings > 0 : info.has_site_fields;
}

/* ---- flags */

/* The flags of both kinds, one after the other. */
typedef struct flag_table {
    cli_option options[DISORDERS * DISORDER_FLAGS + 1];
    char names[DISORDERS * DISORDER_FLAGS][NAME_BYTES];
    char helps[DISORDERS * DISORDER_FLAGS][4 * NAME_BYTES];
    disorder_kind of[DISORDERS * DISORDER_FLAGS];
    int count;
} flag_table;

static const char *argument_of(const flag_table *t, int i)
{
    return t->options[i].name + strlen(kinds[t->of[i]].prefix);
}

static void add_option(flag_table *t, disorder_kind k, const latmc_description *argument)
{
    const int i = t->count;
    int place = 0; /* among those of this kind */

    for (int j = 0; j < i; j++) {
        if (t->of[j] == k && strcmp(argument_of(t, j), argument->name) == 0)
            return; /* of another distribution */
        place += t->of[j] == k;
    }
    if (place == DISORDER_FLAGS)
        return;
    snprintf(t->names[i], sizeof t->names[0], "%s%s", kinds[k].prefix, argument->name);
    snprintf(t->helps[i], sizeof t->helps[0], "of --%s: %s (%g)", kinds[k].flag, argument->meaning,
             argument->preset);
    t->of[i] = k;
    t->options[i] = (cli_option){
        .name = t->names[i],
        .type = CLI_TEXT,
        .offset = offsetof(lattice_flags, disorder) + (size_t)k * sizeof(disorder_flags) +
                  offsetof(disorder_flags, arguments) + (size_t)place * sizeof(const char *),
        .value = "X",
        .help = t->helps[i]};
    t->count++;
}

static const flag_table *all_flags(void)
{
    static flag_table t;

    if (t.count)
        return &t;
    for (int k = 0; k < DISORDERS; k++)
        for (int m = 0; m < lattice_things(LATMC_MODELS, 0); m++) {
            const int model = lattice_thing(LATMC_MODELS, 0, m).id;
            const int has = lattice_model_has(model, (disorder_kind)k);

            for (int i = 0; has && i < lattice_things(LATMC_ARGUMENTS, model); i++) {
                const latmc_description argument = lattice_thing(LATMC_ARGUMENTS, model, i);

                add_option(&t, (disorder_kind)k, &argument);
            }
        }
    return &t;
}

const cli_option *lattice_disorder_options(void)
{
    return all_flags()->options;
}

static const char *given_at(const lattice_flags *flags, const cli_option *option)
{
    return *(const char *const *)(const void *)((const char *)flags + option->offset);
}

/* The name of the distribution that is to be drawn from, or NULL. --local-fields has it up to a
 * colon. */
static const char *distribution_of(const lattice_flags *flags, disorder_kind k,
                                   char name[NAME_BYTES])
{
    const char *rest = k == OF_SITES && flags->local_fields ? flags->local_fields
                                                            : flags->disorder[k].distribution;

    if (!rest)
        return NULL;
    if (rest != flags->local_fields)
        return rest;
    return cli_next(&rest, ':', name, NAME_BYTES) ? name : "";
}

int lattice_draws(const lattice_flags *flags, disorder_kind k)
{
    char room[NAME_BYTES];
    const char *name = distribution_of(flags, k, room);

    return name && strcmp(name, kinds[k].plain) != 0;
}

static const char *const seeds[DISORDERS] = {"coupling-seed", "site-field-seed"};

/* A flag that says how to draw them, or NULL. */
static const char *drawing_flag(const lattice_flags *flags, disorder_kind k)
{
    const flag_table *t = all_flags();

    for (int i = 0; i < t->count; i++)
        if (t->of[i] == k && given_at(flags, &t->options[i]))
            return t->options[i].name;
    return flags->disorder[k].seed.given ? seeds[k] : NULL;
}

const char *lattice_disorder_flag(const lattice_flags *flags)
{
    for (int k = 0; k < DISORDERS; k++) {
        const char *flag =
            flags->disorder[k].distribution ? kinds[k].flag : drawing_flag(flags, (disorder_kind)k);

        if (flag)
            return flag;
    }
    return flags->local_fields ? "local-fields" : flags->samples ? "samples" : NULL;
}

/* The arguments that were given; returns how many. */
static int read_arguments(const lattice_flags *flags, disorder_kind k, latmc_model model,
                          latmc_argument *arguments, double *values)
{
    const flag_table *t = all_flags();
    int count = 0;

    for (int i = 0; i < t->count; i++) {
        const char *text = given_at(flags, &t->options[i]);
        int id;

        if (t->of[i] != k || !text)
            continue;
        if (!cli_real(text, &values[count]))
            cli_refuse("--%s is \"%s\", which %s", t->options[i].name, text, cli_real_fault(text));
        cli_setup(latmc_find(LATMC_ARGUMENTS, model, argument_of(t, i), &id), t->options[i].name);
        arguments[count++] = (latmc_argument)id;
    }
    return count;
}

/* The same of --local-fields, NAME:VALUE:..: a number alone is a width. */
static int read_local(const char *text, latmc_model model, latmc_argument *arguments,
                      double *values)
{
    const char *rest = text;
    char piece[NAME_BYTES], name[NAME_BYTES];
    int count = 0;

    cli_next(&rest, ':', piece, sizeof piece);
    while (rest && count < DISORDER_FLAGS) {
        const char *value = piece;
        int id = LATMC_DRAW_WIDTH, named;

        named = cli_next(&rest, ':', piece, sizeof piece) && strchr(piece, '=');
        if (named)
            cli_next(&value, '=', name, sizeof name);
        if (!value || !cli_real(value, &values[count]))
            cli_refuse("--local-fields is \"%s\"; behind a colon a number, the width, or an "
                       "argument such as width=0.5 is needed",
                       text);
        if (named)
            cli_setup(latmc_find(LATMC_ARGUMENTS, model, name, &id), "local-fields");
        arguments[count++] = (latmc_argument)id;
    }
    return count;
}

/* Of site fields one of two flags, with arguments of its own. */
static void check_local(const lattice_flags *flags)
{
    const disorder_flags *sites = &flags->disorder[OF_SITES];
    const char *flag = drawing_flag(flags, OF_SITES);

    if (sites->distribution)
        flag = kinds[OF_SITES].flag;
    if (flags->local_fields && flag && strcmp(flag, seeds[OF_SITES]) != 0)
        cli_refuse("--local-fields cannot be given with --%s", flag);
}

/* Numbers from files, of one kind. */
typedef struct from_files {
    double *numbers; /* NULL: there are none */
    int64_t samples;
} from_files;

static from_files read_files(const lattice_flags *flags, disorder_kind k,
                             const latmc_lattice *lattice)
{
    const char *names = lattice_file_names(flags->disorder[k].distribution);
    const char *flag = drawing_flag(flags, k);
    from_files f = {NULL, 0};

    if (!names)
        return f;
    if (flag)
        cli_refuse("--%s cannot be given with --%s " LATTICE_FILE_PREFIX "%s, of which nothing is "
                   "drawn",
                   flag, kinds[k].flag, names);
    f.numbers = lattice_file_read(lattice, &k, kinds[k].flag, names, &f.samples);
    return f;
}

static void draw(const lattice_flags *flags, disorder_kind k, latmc_lattice *lattice)
{
    const latmc_model model = (latmc_model)lattice_info(lattice).model;
    const disorder_flags *own = &flags->disorder[k];
    const int local = k == OF_SITES && flags->local_fields;
    const char *flag = drawing_flag(flags, k), *by = local ? "local-fields" : kinds[k].flag;
    latmc_argument arguments[DISORDER_FLAGS];
    double values[DISORDER_FLAGS];
    char name[NAME_BYTES];
    int id, count;

    if (!lattice_draws(flags, k)) {
        if (flag)
            cli_refuse("--%s needs --%s with it, such as --%s pm1: %s", flag, kinds[k].flag,
                       kinds[k].flag, kinds[k].why);
        return;
    }
    cli_setup(latmc_find(LATMC_DISTRIBUTIONS, model, distribution_of(flags, k, name), &id), by);
    count = local ? read_local(flags->local_fields, model, arguments, values)
                  : read_arguments(flags, k, model, arguments, values);
    cli_setup(kinds[k].draw(lattice, (latmc_distribution)id, own->seed.given ? own->seed.value : 1,
                            count, arguments, values),
              by);
}

/* The samples of files, which --samples may repeat, and of what is drawn. */
static void set_samples(const lattice_flags *flags, const from_files files[DISORDERS],
                        latmc_lattice *lattice)
{
    int64_t samples = flags->samples;

    for (int k = 0; k < DISORDERS; k++) {
        if (samples && files[k].numbers && files[k].samples != samples)
            cli_refuse("the files of --%s have %" PRId64 " samples, and not %" PRId64 " as %s",
                       kinds[k].flag, files[k].samples, samples,
                       flags->samples ? "--samples says" : "those of --couplings");
        samples = files[k].numbers ? files[k].samples : samples;
    }
    if (!samples || (!flags->samples && samples == 1))
        return;
    if (!lattice_draws(flags, OF_BONDS) && !lattice_draws(flags, OF_SITES))
        cli_refuse("--samples needs --couplings or --site-fields with it, such as --couplings pm1: "
                   "there are samples of what is drawn");
    cli_setup(latmc_set_samples(lattice, samples, 0), "samples");
}

void lattice_set_disorder(const lattice_flags *flags, latmc_lattice *lattice)
{
    from_files files[DISORDERS];

    check_local(flags);
    for (int k = 0; k < DISORDERS; k++)
        files[k] = read_files(flags, (disorder_kind)k, lattice);
    for (int k = 0; k < DISORDERS; k++)
        if (!files[k].numbers)
            draw(flags, (disorder_kind)k, lattice);
    set_samples(flags, files, lattice);
    for (int k = 0; k < DISORDERS; k++) {
        if (files[k].numbers)
            cli_setup(kinds[k].give(lattice, files[k].numbers), kinds[k].flag);
        free(files[k].numbers);
    }
}
