/* SPDX-License-Identifier: BSD-3-Clause */
/* What a lattice was made of, for programs and for people. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_flags.h"

void lattice_extents_text(const latmc_lattice_info *info, char *text, size_t bytes)
{
    size_t used = 0;

    for (int axis = 0; axis < info->dims; axis++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%" PRId64, axis ? "x" : "",
                                 info->extents[axis]);
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
        const latmc_description option = lattice_thing(LATMC_OPTIONS, info.model, i);

        json_integer(j, option.name, option_value(lattice, option.id));
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
    lattice_disorder_json(lattice, j);
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

static void add_options(writer *w, const latmc_lattice *lattice)
{
    const latmc_lattice_info info = lattice_info(lattice);

    for (int i = 0; i < lattice_things(LATMC_OPTIONS, info.model); i++) {
        const latmc_description option = lattice_thing(LATMC_OPTIONS, info.model, i);

        add(w, ", %s %" PRId64, option.name, option_value(lattice, option.id));
    }
}

void lattice_text(const lattice_flags *flags, const latmc_lattice *lattice, char *text,
                  size_t bytes)
{
    const latmc_lattice_info info = lattice_info(lattice);
    writer w = {.text = text, .bytes = bytes};
    char name[NAME_BYTES * 2], disorder[NAME_BYTES * 8];
    int same = 1;

    lattice_extents_text(&info, name, sizeof name);
    add(&w, "%s %s", lattice_thing_of(LATMC_MODELS, 0, info.model).name, name);
    for (int axis = 1; axis < info.dims; axis++)
        same &= info.boundaries[axis] == info.boundaries[0];
    for (int axis = 0; axis < (same ? 1 : info.dims); axis++)
        add(&w, "%s%s", axis ? " x " : ", ",
            lattice_thing_of(LATMC_BOUNDARIES, info.model, info.boundaries[axis]).name);
    lattice_disorder_text(lattice, disorder, sizeof disorder);
    add(&w, "%s", disorder);
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
        for (int a = 0; a < s->parts[i].arguments; a++)
            json_real(j, lattice_thing_of(LATMC_PARAMS, model, s->parts[i].argument[a]).name,
                      s->parts[i].value[a]);
        if (s->parts[i].exchanges)
            json_integer(j, "exchange", s->parts[i].exchanges);
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
        if (s->parts[i].sweeps > 1 || s->parts[i].arguments || s->parts[i].exchanges)
            add(&w, ":%" PRId64, s->parts[i].sweeps);
        for (int a = 0; a < s->parts[i].arguments; a++)
            add(&w, ":%s=%g", lattice_thing_of(LATMC_PARAMS, model, s->parts[i].argument[a]).name,
                s->parts[i].value[a]);
        if (s->parts[i].exchanges)
            add(&w, ":exchange=%" PRId64, s->parts[i].exchanges);
    }
}
