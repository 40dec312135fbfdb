/* SPDX-License-Identifier: BSD-3-Clause */
/* The couplings of a lattice's bonds and the fields of its sites: flags, and what is said of them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_file.h"

/* Couplings that were given are counted up to this number of them. */
#define BONDS_MAX (INT64_C(1) << 24)

static const struct {
    const char *flag, *prefix; /* of the distribution, of what says how to draw */
    const char *key, *name;    /* in JSON, in text */
    const char *plain;         /* what is not drawn */
    const char *why;           /* it takes no other flags */
    latmc_status (*info)(const latmc_lattice *lattice, latmc_disorder_info *info);
    latmc_status (*draw)(latmc_lattice *lattice, latmc_distribution distribution, uint64_t seed,
                         int64_t count, const latmc_argument *arguments, const double *values);
    latmc_status (*give)(latmc_lattice *lattice, const double *numbers);
} kinds[DISORDERS] = {
    [OF_BONDS] = {"couplings", "coupling-", "couplings", "couplings", "uniform",
                  "uniform couplings are not drawn", latmc_get_coupling_info,
                  latmc_draw_bond_couplings, latmc_set_bond_couplings},
    [OF_SITES] = {"site-fields", "site-field-", "site_fields", "site fields", "none",
                  "there are none otherwise", latmc_get_field_info, latmc_draw_site_fields,
                  latmc_set_site_fields},
};

/* 0: the lattice's model has no such thing. */
static int info_of(const latmc_lattice *lattice, disorder_kind k, latmc_disorder_info *info)
{
    latmc_status status;

    *info = (latmc_disorder_info)LATMC_INIT(latmc_disorder_info);
    status = kinds[k].info(lattice, info);
    if (status != LATMC_ERROR_UNKNOWN)
        cli_run(status);
    return status == LATMC_OK;
}

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

/* ---- what is said of them */

/* How many of the couplings are -1, 0 and +1; 0 if they are too many to be counted, or some are
 * none of these. */
static int count_given(const latmc_lattice *lattice, int64_t counts[3])
{
    const latmc_lattice_info info = lattice_info(lattice);
    const int64_t each = info.bond_types * info.cells, samples = info.samples;
    double *couplings;
    int signs = 1;

    if (samples * each > BONDS_MAX)
        return 0;
    couplings = cli_memory(each, sizeof *couplings);
    counts[0] = counts[1] = counts[2] = 0;
    for (int64_t j = 0; j < samples && signs; j++) {
        cli_run(latmc_get_bond_couplings(lattice, j, couplings));
        for (int64_t i = 0; i < each; i++) {
            const double c = couplings[i];

            signs &= c == -1 || c == 0 || c == 1;
            counts[c < 0 ? 0 : c > 0 ? 2 : 1]++;
        }
    }
    free(couplings);
    return signs;
}

/* Adds |J| of the bonds along an axis. Returns whether some J are above 0 and some below. */
static int add_moduli(const double *couplings, int64_t count, double axis, double *sum)
{
    int above = 0, below = 0;

    for (int64_t i = 0; i < count; i++) {
        above |= couplings[i] > 0;
        below |= couplings[i] < 0;
        *sum += fabs(couplings[i] * axis);
    }
    return above && below && axis != 0;
}

double lattice_mixed_couplings(const latmc_lattice *lattice)
{
    const latmc_lattice_info info = lattice_info(lattice);
    const int64_t each = info.bond_types * info.cells;
    double axes[LATMC_ROOM_DIMS], *couplings, sum = 0;
    latmc_disorder_info origin;
    int mixed = 0;

    if (!info_of(lattice, OF_BONDS, &origin) || origin.origin == LATMC_ORIGIN_UNIFORM ||
        info.samples * each > BONDS_MAX)
        return 0;
    cli_run(latmc_get_bond_type_couplings(lattice, axes));
    couplings = cli_memory(each, sizeof *couplings);
    for (int64_t j = 0; j < info.samples; j++) {
        cli_run(latmc_get_bond_couplings(lattice, j, couplings));
        for (int64_t type = 0; type < info.bond_types; type++)
            mixed |= add_moduli(couplings + type * info.cells, info.cells, axes[type], &sum);
    }
    free(couplings);
    return mixed ? sum / (double)(info.samples * each) : 0;
}

static latmc_description argument_info(const latmc_lattice *lattice,
                                       const latmc_disorder_info *info, int i)
{
    return lattice_thing_of(LATMC_ARGUMENTS, lattice_info(lattice).model, info->arguments[i]);
}

static const char *distribution_name(const latmc_lattice *lattice, const latmc_disorder_info *info)
{
    return lattice_thing_of(LATMC_DISTRIBUTIONS, lattice_info(lattice).model, info->distribution)
        .name;
}

/* 0: its model has no couplings. */
static int axes_of(const latmc_lattice *lattice, double axes[LATMC_ROOM_DIMS])
{
    const latmc_status status = latmc_get_bond_type_couplings(lattice, axes);

    if (status != LATMC_ERROR_UNKNOWN)
        cli_run(status);
    return status == LATMC_OK;
}

static void kind_json(const latmc_lattice *lattice, disorder_kind k, json *j)
{
    latmc_disorder_info info;
    const int has = info_of(lattice, k, &info);
    int64_t counts[3];

    if (!has && k == OF_SITES)
        return;
    json_open(j, kinds[k].key, '{');
    if (has && info.origin == LATMC_ORIGIN_DRAWN) {
        json_text(j, "kind", distribution_name(lattice, &info));
        json_unsigned(j, "seed", info.seed);
        for (int i = 0; i < info.argument_count; i++)
            json_real(j, argument_info(lattice, &info, i).name, info.values[i]);
    } else
        json_text(j, "kind", has && info.origin == LATMC_ORIGIN_GIVEN ? "given" : kinds[k].plain);
    if (has && info.origin == LATMC_ORIGIN_GIVEN && k == OF_BONDS && count_given(lattice, counts)) {
        json_integer(j, "minus", counts[0]);
        json_integer(j, "zero", counts[1]);
        json_integer(j, "plus", counts[2]);
    }
    if (has && info.origin != LATMC_ORIGIN_UNIFORM) {
        json_integer(j, "samples", lattice_info(lattice).samples);
        json_integer(j, "first_sample", lattice_info(lattice).first_sample);
    }
    json_close(j, '}');
}

void lattice_disorder_json(const latmc_lattice *lattice, json *j)
{
    double axes[LATMC_ROOM_DIMS];

    for (int k = 0; k < DISORDERS; k++)
        kind_json(lattice, (disorder_kind)k, j);
    if (!axes_of(lattice, axes))
        return;
    json_open(j, "axis_couplings", '[');
    for (int axis = 0; axis < lattice_info(lattice).bond_types; axis++)
        json_real(j, NULL, axes[axis]);
    json_close(j, ']');
}

/* " with plus 0.9 and missing 0.1": the arguments that are not the presets. */
static void arguments_text(const latmc_lattice *lattice, const latmc_disorder_info *info,
                           char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < info->argument_count && used < bytes; i++) {
        const latmc_description argument = argument_info(lattice, info, i);

        if (info->values[i] != argument.preset)
            used += (size_t)snprintf(text + used, bytes - used, " %s %s %g", used ? "and" : "with",
                                     argument.name, info->values[i]);
    }
}

static void kind_text(const latmc_lattice *lattice, disorder_kind k,
                      const latmc_disorder_info *info, char *text, size_t bytes)
{
    char more[2 * NAME_BYTES] = "";
    int64_t counts[3];

    if (info->origin == LATMC_ORIGIN_UNIFORM)
        snprintf(text, bytes, "%s", k == OF_BONDS ? ", couplings 1" : "");
    else if (info->origin == LATMC_ORIGIN_DRAWN) {
        arguments_text(lattice, info, more, sizeof more);
        snprintf(text, bytes, ", %s %s%s of seed %" PRIu64, kinds[k].name,
                 distribution_name(lattice, info), more, info->seed);
    } else if (k == OF_BONDS && count_given(lattice, counts))
        snprintf(text, bytes,
                 ", couplings as given (%" PRId64 " are -1, %" PRId64 " are 0, %" PRId64 " are +1)",
                 counts[0], counts[1], counts[2]);
    else
        snprintf(text, bytes, ", %s as given", kinds[k].name);
}

/* ", axis couplings 1 x 0.5"; "" where all are 1. */
static void axes_text(const latmc_lattice *lattice, char *text, size_t bytes)
{
    const int64_t dims = lattice_info(lattice).bond_types;
    double axes[LATMC_ROOM_DIMS];
    size_t used = 0;
    int plain = 1;

    text[0] = '\0';
    if (!axes_of(lattice, axes))
        return;
    for (int axis = 0; axis < dims; axis++)
        plain &= axes[axis] == 1;
    for (int axis = 0; !plain && axis < dims && used < bytes; axis++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%g",
                                 axis ? " x " : ", axis couplings ", axes[axis]);
}

int lattice_has_site_fields(const latmc_lattice *lattice)
{
    latmc_disorder_info info;

    return info_of(lattice, OF_SITES, &info) && info.origin != LATMC_ORIGIN_UNIFORM;
}

void lattice_disorder_text(const latmc_lattice *lattice, char *text, size_t bytes)
{
    const int64_t samples = lattice_info(lattice).samples;
    size_t used = 0;

    text[0] = '\0';
    for (int k = 0; k < DISORDERS; k++) {
        latmc_disorder_info info;

        if (!info_of(lattice, (disorder_kind)k, &info))
            continue;
        kind_text(lattice, (disorder_kind)k, &info, text + used, bytes - used);
        used = strlen(text);
    }
    axes_text(lattice, text + used, bytes - used);
    used += strlen(text + used);
    if (samples > 1)
        snprintf(text + used, bytes - used, ", %" PRId64 " samples", samples);
}
