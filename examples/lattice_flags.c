/* SPDX-License-Identifier: BSD-3-Clause */
#include "lattice_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rle.h"

#define AT(member) offsetof(lattice_flags, member)

const cli_option lattice_options[] = {
    {"model", CLI_TEXT, AT(model), "NAME", "model, one of those below (the first of them)", 0, 0},
    {"extents", CLI_TEXT, AT(extents), "64x64", "sites along each axis", 0, 0},
    {"replicas", CLI_INTEGER, AT(replicas), "N", "lattices that are run together (1)", 1, 1 << 22},
    {"set", CLI_LIST, AT(set), "NAME=VALUES",
     "a parameter, one of those below: one value, a list a,b,c or a range a:b over the replicas", 0,
     0},
    {"option", CLI_LIST, AT(option), "NAME=VALUE",
     "an option of the model, one of those below, such as precision=64", 0, 0},
    {"boundary", CLI_TEXT, AT(boundary), "NAME", "boundary of all axes, or a list (periodic)", 0,
     0},
    {"axis-couplings", CLI_TEXT, AT(axis_couplings), "1,0.5",
     "coupling of all bonds along each axis, or one for all axes, which multiplies those that "
     "--couplings draws (1)",
     0, 0},
    {"couplings", CLI_TEXT, AT(disorder[OF_BONDS].distribution), "NAME",
     "uniform, a distribution such as pm1, or " LATTICE_FILE_HELP " (uniform)", 0, 0},
    {"coupling-seed", CLI_SEED, AT(disorder[OF_BONDS].seed), "N",
     "seed of the couplings that --couplings draws (1)", 0, 0},
    {"site-fields", CLI_TEXT, AT(disorder[OF_SITES].distribution), "NAME",
     "none, a distribution such as gaussian, or file:NAME as of --couplings, of the models that "
     "have fields of sites (none)",
     0, 0},
    {"local-fields", CLI_TEXT, AT(local_fields), "NAME[:X]",
     "the same as --site-fields NAME with its arguments behind, such as gaussian:0.5 of that "
     "width, "
     "or gaussian:mean=0.1:width=0.5",
     0, 0},
    {"site-field-seed", CLI_SEED, AT(disorder[OF_SITES].seed), "N",
     "seed of the fields that --site-fields or --local-fields draws (1)", 0, 0},
    {"samples", CLI_INTEGER, AT(samples), "N",
     "samples of couplings and site fields: so many groups of replicas, as many in each, have "
     "their own "
     "(1)",
     1, 1 << 22},
    {"update", CLI_TEXT, AT(update), "NAME:N,...",
     "what one step does: N sweeps of an update, then of the next (the model's first, 1); such as "
     "metropolis:2:hits=8,overrelax:4 where a sweep has an argument of its own, and "
     "metropolis:10:exchange=1 for parallel tempering, where replicas of neighbouring parameters "
     "then exchange them",
     0, 0},
    {"seed", CLI_SEED, AT(seed), "N", "seed of the random numbers (1)", 0, 0},
    {"device", CLI_TEXT, AT(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

latmc_lattice_info lattice_info(const latmc_lattice *lattice)
{
    latmc_lattice_info info = {.size = sizeof info};

    cli_run(latmc_get_lattice_info(lattice, &info));
    return info;
}

int64_t lattice_devices(void)
{
    int64_t count;

    cli_run(latmc_count_devices(&count));
    return count;
}

int lattice_things(latmc_kind kind, int model)
{
    int64_t count;

    cli_run(latmc_count(kind, (latmc_model)model, &count));
    return (int)count;
}

latmc_description lattice_thing(latmc_kind kind, int model, int index)
{
    latmc_description info = {.size = sizeof info};

    cli_run(latmc_describe(kind, (latmc_model)model, index, &info));
    return info;
}

latmc_description lattice_thing_of(latmc_kind kind, int model, int id)
{
    for (int i = 0; i < lattice_things(kind, model); i++) {
        const latmc_description info = lattice_thing(kind, model, i);

        if (info.id == id)
            return info;
    }
    cli_fail("the library knows no thing number %d of kind %d", id, (int)kind);
}

int64_t lattice_quantities(const latmc_lattice *lattice, int observable)
{
    int64_t sizes[2];

    cli_run(latmc_quantity_sizes(lattice, (latmc_observable)observable, sizes));
    return sizes[0] * sizes[1];
}

int lattice_quantity(const latmc_lattice *lattice, int observable, int64_t number,
                     latmc_quantity *quantity, char text[QUANTITY_BYTES])
{
    int64_t sizes[2];

    cli_run(latmc_quantity_sizes(lattice, (latmc_observable)observable, sizes));
    *quantity = (latmc_quantity)LATMC_QUANTITY(observable, number / sizes[1], number % sizes[1]);
    return latmc_quantity_text(lattice, *quantity, text, QUANTITY_BYTES) == LATMC_OK;
}

int lattice_place_of(int model, latmc_role role)
{
    for (int i = 0; i < lattice_things(LATMC_OBSERVABLES, model); i++)
        if (lattice_thing(LATMC_OBSERVABLES, model, i).role == (int)role)
            return i;
    return -1;
}

latmc_description lattice_type(const latmc_lattice_info *info)
{
    return lattice_thing_of(LATMC_TYPES, info->model, info->type);
}

static int read_extents(const char *text, int64_t extents[LATMC_MAX_DIMS])
{
    const char *rest = text;
    char piece[NAME_BYTES];
    int dims = 0;

    while (cli_next(&rest, 'x', piece, sizeof piece)) {
        if (dims == LATMC_MAX_DIMS || !cli_integer(piece, 2, INT64_MAX, &extents[dims++])) {
            dims = 0;
            break;
        }
    }
    if (!dims || rest)
        cli_refuse("--extents is \"%s\"; 1 to %d whole numbers >= 2 with x between them are "
                   "needed, such as 64x64",
                   text, LATMC_MAX_DIMS);
    return dims;
}

static void set_option(const char *text, latmc_lattice *lattice)
{
    const char *rest = text;
    char name[NAME_BYTES];
    int64_t value;
    int id;

    if (!cli_next(&rest, '=', name, sizeof name) || !rest ||
        !cli_integer(rest, INT64_MIN, INT64_MAX, &value))
        cli_refuse("--option is \"%s\"; NAME=VALUE with a whole number is needed, such as "
                   "precision=64",
                   text);
    cli_setup(latmc_find(LATMC_OPTIONS, (latmc_model)lattice_info(lattice).model, name, &id),
              "option");
    cli_setup(latmc_set_option(lattice, (latmc_option)id, value), "option");
}

/* Of a model with options for births and survivals. */
static void set_rule(const char *text, latmc_lattice *lattice)
{
    const latmc_model model = (latmc_model)lattice_info(lattice).model;
    rle_rule rule;
    int birth, survival;

    if (!rle_read_rule(text, &rule))
        cli_refuse("--rule is \"%s\"; one such as B3/S23 is needed, with the numbers of living "
                   "neighbours, 0 to 8, for births and for survival",
                   text);
    if (latmc_find(LATMC_OPTIONS, model, "birth", &birth) ||
        latmc_find(LATMC_OPTIONS, model, "survival", &survival))
        cli_refuse("--rule needs a model that has rules, such as --model automaton; %s has none",
                   lattice_thing_of(LATMC_MODELS, 0, (int)model).name);
    cli_setup(latmc_set_option(lattice, (latmc_option)birth, rule.birth), "rule");
    cli_setup(latmc_set_option(lattice, (latmc_option)survival, rule.survival), "rule");
}

typedef struct by_axis {
    int dims;
    char of[LATMC_MAX_DIMS][NAME_BYTES];
} by_axis;

/* What a flag says of the axes: one for all of them, or one for each. */
static by_axis read_by_axis(const char *flag, const char *what, const char *text,
                            const latmc_lattice *lattice)
{
    by_axis by = {.dims = lattice_info(lattice).dims};
    const char *rest = text;
    int count = 0;

    while (count < by.dims && cli_next(&rest, ',', by.of[count], sizeof by.of[count]))
        count++;
    if (rest || (count != 1 && count != by.dims))
        cli_refuse("--%s is \"%s\"; one %s or a list of %d, one for each axis, is needed", flag,
                   text, what, by.dims);
    for (; count < by.dims; count++)
        memcpy(by.of[count], by.of[0], sizeof by.of[0]);
    return by;
}

static void set_boundaries(const char *text, latmc_lattice *lattice)
{
    const latmc_model model = (latmc_model)lattice_info(lattice).model;
    const by_axis by = read_by_axis("boundary", "name", text, lattice);
    latmc_boundary boundaries[LATMC_MAX_DIMS];

    for (int axis = 0; axis < by.dims; axis++) {
        int id;

        cli_setup(latmc_find(LATMC_BOUNDARIES, model, by.of[axis], &id), "boundary");
        boundaries[axis] = (latmc_boundary)id;
    }
    cli_setup(latmc_set_boundaries(lattice, boundaries), "boundary");
}

static void set_axis_couplings(const char *text, latmc_lattice *lattice)
{
    const by_axis by = read_by_axis("axis-couplings", "number", text, lattice);
    double couplings[LATMC_MAX_DIMS];

    for (int axis = 0; axis < by.dims; axis++)
        if (!cli_real(by.of[axis], &couplings[axis]))
            cli_refuse("--axis-couplings is \"%s\": \"%s\" %s", text, by.of[axis],
                       cli_real_fault(by.of[axis]));
    cli_setup(latmc_set_bond_type_couplings(lattice, couplings), "axis-couplings");
}

latmc_lattice *lattice_make(const lattice_flags *flags)
{
    latmc_lattice *lattice;
    int64_t extents[LATMC_MAX_DIMS];
    int model, dims;

    if (!flags->extents)
        cli_refuse("--extents is needed, such as --extents 64x64");
    dims = read_extents(flags->extents, extents);
    model = lattice_thing(LATMC_MODELS, 0, 0).id;
    if (flags->model)
        cli_setup(latmc_find(LATMC_MODELS, (latmc_model)0, flags->model, &model), "model");
    cli_setup(
        (flags->create ? flags->create : latmc_create)(&lattice, (latmc_model)model, dims, extents),
        "extents");
    if (flags->replicas)
        cli_setup(latmc_set_replicas(lattice, flags->replicas), "replicas");
    if (flags->seed.given)
        cli_setup(latmc_set_seed(lattice, flags->seed.value), "seed");
    for (int i = 0; i < flags->option.count; i++)
        set_option(flags->option.items[i], lattice);
    if (flags->rule)
        set_rule(flags->rule, lattice);
    if (flags->boundary)
        set_boundaries(flags->boundary, lattice);
    if (flags->axis_couplings)
        set_axis_couplings(flags->axis_couplings, lattice);
    lattice_set_disorder(flags, lattice);
    return lattice;
}

/* One parameter as --set gives it. */
typedef struct setting {
    const char *text;
    latmc_description param;
    int64_t replicas; /* with --temper those of a sample, and so of all samples */
    double *values;
} setting;

static double read_value(const setting *s, const char *text)
{
    double value;

    if (!cli_real(text, &value))
        cli_refuse("--set is \"%s\": \"%s\" %s; %s is a number from %g to %g", s->text, text,
                   cli_real_fault(text), s->param.name, s->param.minimum, s->param.maximum);
    return value;
}

/* a:b, both ends included */
static int read_range(const setting *s, const char *text)
{
    const char *rest = text;
    char piece[NAME_BYTES];
    double from, to;

    if (!cli_next(&rest, ':', piece, sizeof piece) || strchr(rest, ':') || s->replicas < 2)
        return 0;
    from = read_value(s, piece);
    to = read_value(s, rest);
    for (int64_t r = 0; r < s->replicas; r++)
        s->values[r] = from + (to - from) * (double)r / (double)(s->replicas - 1);
    s->values[s->replicas - 1] = to;
    return 1;
}

/* a,b,c or a */
static int read_values(const setting *s, const char *text)
{
    const char *rest = text;
    char piece[NAME_BYTES];
    int64_t count = 0;

    while (count < s->replicas && cli_next(&rest, ',', piece, sizeof piece))
        s->values[count++] = read_value(s, piece);
    if (rest || (count != 1 && count != s->replicas))
        return 0;
    while (count < s->replicas)
        s->values[count++] = s->values[0];
    return 1;
}

/* Each copy has a ladder of its own, whose replicas alone are exchanged. */
static void set_ladders(const lattice_flags *flags, latmc_lattice *lattice)
{
    const int64_t replicas = lattice_info(lattice).replicas;

    if (flags->copies < 2 || lattice_info(lattice).ladders == flags->copies)
        return;
    if (replicas / lattice_info(lattice).samples % flags->copies)
        cli_refuse("--copies is %" PRId64 ": the %" PRId64
                   " --replicas must be a multiple of copies times samples",
                   flags->copies, replicas);
    cli_run(latmc_set_ladders(lattice, flags->copies));
}

/* --set gives the values for a ladder: all replicas, or with copies or tempering those of a copy of
 * a sample. */
static int64_t ladders_of(const lattice_flags *flags, const latmc_lattice *lattice)
{
    const int64_t ladders = lattice_info(lattice).ladders;

    return ladders * (ladders > 1 || flags->temper ? lattice_info(lattice).samples : 1);
}

static void set_param(const char *text, const lattice_flags *flags, latmc_lattice *lattice)
{
    const latmc_lattice_info info = lattice_info(lattice);
    const int64_t ladders = ladders_of(flags, lattice);
    setting s = {.text = text, .replicas = info.replicas / ladders};
    const char *rest = text;
    char name[NAME_BYTES];
    int id;

    if (!cli_next(&rest, '=', name, sizeof name) || !rest)
        cli_refuse("--set is \"%s\"; NAME=VALUES is needed, such as beta=0.44", text);
    cli_setup(latmc_find(LATMC_PARAMS, (latmc_model)info.model, name, &id), "set");
    s.param = lattice_thing_of(LATMC_PARAMS, info.model, id);
    s.values = cli_memory(info.replicas, sizeof *s.values);
    if (!(strchr(rest, ':') ? read_range : read_values)(&s, rest))
        cli_refuse("--set is \"%s\"; with %" PRId64 " replica%s%s one number, a list of %" PRId64
                   " or a range from:to with two ends (2 replicas or more) is needed",
                   text, s.replicas, s.replicas == 1 ? "" : "s",
                   info.ladders > 1 ? " of each copy"
                   : ladders > 1    ? " of each sample"
                                    : "",
                   s.replicas);
    for (int64_t r = s.replicas; r < info.replicas; r++)
        s.values[r] = s.values[r - s.replicas];
    cli_setup(latmc_set_params(lattice, (latmc_param)id, s.values), "set");
    free(s.values);
}

int64_t lattice_pairs(const latmc_lattice *lattice, int64_t copies, int64_t (**of)[2])
{
    const int64_t samples = lattice_info(lattice).samples;
    const int64_t ladder = lattice_info(lattice).replicas / samples / copies;
    const int64_t pairs = samples * ladder * (copies * (copies - 1) / 2);
    int64_t p = 0;

    *of = cli_memory(pairs, sizeof **of);
    for (int64_t j = 0; j < samples; j++)
        for (int64_t t = 0; t < ladder; t++)
            for (int64_t a = 0; a < copies; a++)
                for (int64_t b = a + 1; b < copies; b++, p++) {
                    (*of)[p][0] = (j * copies + a) * ladder + t;
                    (*of)[p][1] = (j * copies + b) * ladder + t;
                }
    return pairs;
}

void lattice_configure(const lattice_flags *flags, latmc_lattice *lattice)
{
    set_ladders(flags, lattice);
    for (int i = 0; i < flags->set.count; i++)
        set_param(flags->set.items[i], flags, lattice);
    if (flags->threads)
        cli_setup(latmc_set_threads(lattice, (int)flags->threads), "threads");
    cli_setup(latmc_set_device(lattice, flags->device ? flags->device : "auto"), "device");
}
