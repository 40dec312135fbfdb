/* SPDX-License-Identifier: BSD-3-Clause */
/* What a lattice was made of, for programs and for people. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_flags.h"

/* A saved lattice's couplings are counted up to this number of them. */
#define BONDS_MAX (INT64_C(1) << 24)

/* How many couplings of a lattice are -1, 0 and +1. */
typedef struct bonds {
    int known;
    int64_t minus, zero, plus;
} bonds;

void lattice_extents_text(const latmc_lattice_info *info, char *text, size_t bytes)
{
    size_t used = 0;

    for (int axis = 0; axis < info->dims; axis++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%" PRId64, axis ? "x" : "",
                                 info->extents[axis]);
}

static bonds count_bonds(const latmc_lattice *lattice)
{
    const latmc_lattice_info info = lattice_info(lattice);
    const int64_t count = info.dims * info.sites;
    bonds b = {0};
    double *couplings;

    if (!lattice_things(LATMC_DISTRIBUTIONS, info.model)) { /* a model of uniform couplings */
        b.known = 1;
        return b;
    }
    if (count > BONDS_MAX)
        return b;
    couplings = cli_memory(count, sizeof *couplings);
    b.known = latmc_get_bond_couplings(lattice, 0, couplings) == LATMC_OK;
    for (int64_t i = 0; b.known && i < count; i++) {
        b.minus += couplings[i] < 0;
        b.zero += couplings[i] == 0;
        b.plus += couplings[i] > 0;
    }
    free(couplings);
    return b;
}

static int64_t option_value(const latmc_lattice *lattice, int option)
{
    int64_t value;

    cli_run(latmc_get_option(lattice, (latmc_option)option, &value));
    return value;
}

static void options_json(const latmc_lattice *lattice, json *j)
{
    const latmc_lattice_info info = lattice_info(lattice);

    json_open(j, "options", '{');
    for (int i = 0; i < lattice_things(LATMC_OPTIONS, info.model); i++) {
        const latmc_info option = lattice_thing(LATMC_OPTIONS, info.model, i);

        json_integer(j, option.name, option_value(lattice, option.id));
    }
    json_close(j, '}');
}

static uint64_t coupling_seed(const lattice_flags *flags)
{
    return flags->coupling_seed.given ? flags->coupling_seed.value : 1;
}

/* A saved lattice does not say what its couplings were drawn from. */
static void couplings_json(const lattice_flags *flags, const latmc_lattice *lattice, json *j)
{
    const bonds b = flags->load ? count_bonds(lattice) : (bonds){0};
    const int other = b.known && b.minus + b.zero > 0;

    json_open(j, "couplings", '{');
    json_text(j, "kind",
              lattice_draws(flags)                 ? flags->couplings
              : other || (flags->load && !b.known) ? "saved"
                                                   : "uniform");
    if (lattice_draws(flags))
        json_unsigned(j, "seed", coupling_seed(flags));
    if (other) {
        json_integer(j, "minus", b.minus);
        json_integer(j, "zero", b.zero);
        json_integer(j, "plus", b.plus);
    }
    json_close(j, '}');
}

void lattice_json(const lattice_flags *flags, const latmc_lattice *lattice, json *j)
{
    const latmc_lattice_info info = lattice_info(lattice);
    char device[NAME_BYTES];

    cli_run(latmc_get_device(lattice, device, sizeof device));
    json_text(j, "model", lattice_thing_of(LATMC_MODELS, 0, info.model).name);
    json_open(j, "extents", '[');
    for (int axis = 0; axis < info.dims; axis++)
        json_integer(j, NULL, info.extents[axis]);
    json_close(j, ']');
    json_open(j, "boundaries", '[');
    for (int axis = 0; axis < info.dims; axis++)
        json_text(j, NULL,
                  lattice_thing_of(LATMC_BOUNDARIES, info.model, info.boundaries[axis]).name);
    json_close(j, ']');
    couplings_json(flags, lattice, j);
    json_text(j, "type", lattice_type(&info).name);
    options_json(lattice, j);
    json_integer(j, "replica_count", info.replicas);
    json_integer(j, "first_replica", info.first_replica);
    json_unsigned(j, "seed", info.seed);
    json_text(j, "start", flags->start);
    json_text(j, "loaded_from", flags->load);
    json_text(j, "device", device);
    json_integer(j, "threads", info.threads);
}

typedef struct writer {
    char *text;
    size_t used, bytes;
} writer;

static void add(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(writer *w, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (w->used < w->bytes)
        w->used += (size_t)vsnprintf(w->text + w->used, w->bytes - w->used, format, arguments);
    va_end(arguments);
}

static void add_couplings(writer *w, const lattice_flags *flags, const latmc_lattice *lattice)
{
    const bonds b = flags->load ? count_bonds(lattice) : (bonds){0};

    if (lattice_draws(flags))
        add(w, ", couplings %s of seed %" PRIu64, flags->couplings, coupling_seed(flags));
    else if (b.known && b.minus + b.zero > 0)
        add(w, ", couplings as saved (%" PRId64 " are -1, %" PRId64 " are 0, %" PRId64 " are +1)",
            b.minus, b.zero, b.plus);
    else
        add(w, ", couplings %s", flags->load && !b.known ? "as saved" : "1");
}

static void add_options(writer *w, const latmc_lattice *lattice)
{
    const latmc_lattice_info info = lattice_info(lattice);

    for (int i = 0; i < lattice_things(LATMC_OPTIONS, info.model); i++) {
        const latmc_info option = lattice_thing(LATMC_OPTIONS, info.model, i);

        add(w, ", %s %" PRId64, option.name, option_value(lattice, option.id));
    }
}

void lattice_text(const lattice_flags *flags, const latmc_lattice *lattice, char *text,
                  size_t bytes)
{
    const latmc_lattice_info info = lattice_info(lattice);
    writer w = {.text = text, .bytes = bytes};
    char name[NAME_BYTES * 2];
    int same = 1;

    lattice_extents_text(&info, name, sizeof name);
    add(&w, "%s %s", lattice_thing_of(LATMC_MODELS, 0, info.model).name, name);
    for (int axis = 1; axis < info.dims; axis++)
        same &= info.boundaries[axis] == info.boundaries[0];
    for (int axis = 0; axis < (same ? 1 : info.dims); axis++)
        add(&w, "%s%s", axis ? " x " : ", ",
            lattice_thing_of(LATMC_BOUNDARIES, info.model, info.boundaries[axis]).name);
    if (lattice_things(LATMC_DISTRIBUTIONS, info.model))
        add_couplings(&w, flags, lattice);
    add_options(&w, lattice);
    add(&w, ", %" PRId64 " replica%s", info.replicas, info.replicas == 1 ? "" : "s");
    if (info.first_replica)
        add(&w, " from number %" PRId64, info.first_replica);
    add(&w, ", seed %" PRIu64, info.seed);
    if (flags->load)
        add(&w, ", loaded from %s", flags->load);
    else
        add(&w, ", %s start", flags->start);
    cli_run(latmc_get_device(lattice, name, sizeof name));
    add(&w, ", on %s", name);
    if (info.threads)
        add(&w, " with %d thread%s", (int)info.threads, info.threads == 1 ? "" : "s");
    else if (strncmp(name, "cpu", 3) == 0)
        add(&w, ", threads of the library's choice");
}

void schedule_json(const schedule *s, int model, json *j)
{
    json_open(j, "update", '[');
    for (int i = 0; i < s->count; i++) {
        json_open(j, NULL, '{');
        json_text(j, "name", lattice_thing_of(LATMC_UPDATES, model, s->parts[i].update).name);
        json_integer(j, "sweeps", s->parts[i].sweeps);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void schedule_text(const schedule *s, int model, char *text, size_t bytes)
{
    writer w = {.text = text, .bytes = bytes};

    for (int i = 0; i < s->count; i++) {
        add(&w, "%s%s", i ? ", " : "",
            lattice_thing_of(LATMC_UPDATES, model, s->parts[i].update).name);
        if (s->parts[i].sweeps > 1)
            add(&w, ":%" PRId64, s->parts[i].sweeps);
    }
}
