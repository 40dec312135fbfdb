/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs say of a lattice's couplings and site fields, in text and in JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_file.h"

/* Couplings that were given are counted up to this number of them. */
#define BONDS_MAX (INT64_C(1) << 24)

static const struct {
    const char *key, *name; /* in JSON, in text */
    const char *plain;      /* where nothing was drawn or given */
    latmc_status (*info)(const latmc_lattice *lattice, latmc_disorder_info *info);
} names[DISORDERS] = {
    [OF_BONDS] = {"couplings", "couplings", "uniform", latmc_get_coupling_info},
    [OF_SITES] = {"site_fields", "site fields", "none", latmc_get_field_info},
};

/* 0: the lattice's model has no such thing. */
static int info_of(const latmc_lattice *lattice, disorder_kind k, latmc_disorder_info *info)
{
    latmc_status status;

    *info = (latmc_disorder_info)LATMC_INIT(latmc_disorder_info);
    status = names[k].info(lattice, info);
    if (status != LATMC_ERROR_UNKNOWN)
        cli_run(status);
    return status == LATMC_OK;
}

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
    json_open(j, names[k].key, '{');
    if (has && info.origin == LATMC_ORIGIN_DRAWN) {
        json_text(j, "kind", distribution_name(lattice, &info));
        json_unsigned(j, "seed", info.seed);
        for (int i = 0; i < info.argument_count; i++)
            json_real(j, argument_info(lattice, &info, i).name, info.values[i]);
    } else
        json_text(j, "kind", has && info.origin == LATMC_ORIGIN_GIVEN ? "given" : names[k].plain);
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
        snprintf(text, bytes, ", %s %s%s of seed %" PRIu64, names[k].name,
                 distribution_name(lattice, info), more, info->seed);
    } else if (k == OF_BONDS && count_given(lattice, counts))
        snprintf(text, bytes,
                 ", couplings as given (%" PRId64 " are -1, %" PRId64 " are 0, %" PRId64 " are +1)",
                 counts[0], counts[1], counts[2]);
    else
        snprintf(text, bytes, ", %s as given", names[k].name);
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
