/* SPDX-License-Identifier: BSD-3-Clause */
/* Setting, drawing and reading the couplings of the bonds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/abi.h"
#include "lib/floats.h"
#include "lib/lattice.h"
#include "lib/status.h"
#include "lib/text.h"

static void replace_bonds(latmc_lattice *lattice, lm_bonds bonds)
{
    lm_bonds_free(&lattice->bonds);
    lattice->bonds = bonds;
}

static latmc_status check_bonds(const char *caller, const latmc_lattice *lattice,
                                const double *couplings)
{
    for (int64_t i = 0; i < lattice->samples * lattice->dims * lattice->sites; i++)
        if (couplings[i] != 1.0 && couplings[i] != -1.0 && couplings[i] != 0.0)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: the coupling of site %" PRId64 " along axis %" PRId64
                           " is %s, in sample %" PRId64 "; -1, 0 and 1 are allowed",
                           caller, i % lattice->sites, i / lattice->sites % lattice->dims,
                           lm_number(couplings[i]).text, i / lattice->sites / lattice->dims);
    return LATMC_OK;
}

latmc_status latmc_set_bond_couplings(latmc_lattice *lattice, const double *couplings)
{
    LM_FLOATS;
    latmc_status status = lm_need_unstarted(lattice, __func__);
    lm_bonds given = {.kind = LM_BONDS_GIVEN};
    int64_t count;

    if (!status)
        status = lm_need_bonds(lattice, __func__);
    if (status)
        return status;
    if (!couplings) {
        replace_bonds(lattice, (lm_bonds){.kind = LM_BONDS_UNIFORM});
        return LATMC_OK;
    }
    status = check_bonds(__func__, lattice, couplings);
    if (status)
        return status;
    count = lattice->dims * lattice->sites;
    status = lm_bonds_room(lattice, __func__, &given);
    if (status)
        return status;
    for (int64_t i = 0; i < lattice->samples * count; i++) {
        given.values[i] = (int8_t)couplings[i];
        given.gaps[i / count] |= given.values[i] == 0;
    }
    replace_bonds(lattice, given);
    return LATMC_OK;
}

latmc_status latmc_set_samples(latmc_lattice *lattice, int64_t samples, int64_t first)
{
    latmc_status status = lm_need_unstarted(lattice, __func__);

    if (!status)
        status = lm_need_bonds(lattice, __func__);
    if (status)
        return status;
    if (samples < 1 || lattice->replicas % samples)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: samples is %" PRId64 "; with %" PRId64
                       " replicas it must be at least 1 and divide them",
                       __func__, samples, lattice->replicas);
    if (first < 0 || first > LM_MAX_SAMPLES - samples)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: first is %" PRId64 "; with %" PRId64
                       " samples it must be 0 to %" PRId64,
                       __func__, first, samples, LM_MAX_SAMPLES - samples);
    if (samples != lattice->samples && lattice->bonds.kind == LM_BONDS_GIVEN)
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: the couplings of %" PRId64 " samples are given, and not of %" PRId64
                       "; set the samples first, or take the couplings back with NULL",
                       __func__, lattice->samples, samples);
    lattice->samples = samples;
    lattice->first_sample = first;
    return LATMC_OK;
}

/* The model's description of a distribution's argument, or NULL after a refusal. */
static const lm_entry *need_argument(const latmc_lattice *lattice, const char *caller,
                                     const lm_entry *distribution, latmc_argument argument)
{
    const lm_list *list = lm_list_of(lattice->model, LATMC_ARGUMENTS);
    char known[256] = "";

    for (int i = 0; i < list->count; i++) {
        const lm_entry *e = &list->entries[i];
        char item[64];

        if (e->distribution != distribution->id)
            continue;
        if (e->id == (int)argument)
            return e;
        snprintf(item, sizeof item, "%s%s (%d)", known[0] ? ", " : "", e->name, e->id);
        lm_append(known, sizeof known, item);
    }
    lm_fail(LATMC_ERROR_UNKNOWN, "%s: the distribution %s has no argument number %d; it has %s",
            caller, distribution->name, (int)argument, known);
    return NULL;
}

static latmc_status take_argument(const latmc_lattice *lattice, const char *caller,
                                  const lm_entry *distribution, latmc_argument argument,
                                  double value, lm_draw *draw)
{
    const lm_entry *e = need_argument(lattice, caller, distribution, argument);

    if (!e)
        return LATMC_ERROR_UNKNOWN;
    if (!(value >= e->minimum && value <= e->maximum))
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %s of the distribution %s is %s; it must be a number from %s to %s",
                       caller, e->name, distribution->name, lm_number(value).text,
                       lm_number(e->minimum).text, lm_number(e->maximum).text);
    draw->values[LM_ARGUMENT(argument)] = value;
    return LATMC_OK;
}

static latmc_status check_arguments(const char *caller, int count, const latmc_argument *arguments,
                                    const double *values)
{
    if (count < 0)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: count is %d; 0 arguments or more can be given",
                       caller, count);
    if (count && (!arguments || !values))
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL, and count %d", caller,
                       arguments ? "values" : "arguments", count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (arguments[i] == arguments[j])
                return lm_fail(LATMC_ERROR_ARGUMENT,
                               "%s: argument number %d is given twice, as arguments[%d] and "
                               "arguments[%d]; each can be given once",
                               caller, (int)arguments[i], j, i);
    return LATMC_OK;
}

latmc_status latmc_draw_bond_couplings(latmc_lattice *lattice, latmc_distribution distribution,
                                       uint64_t seed, int count, const latmc_argument *arguments,
                                       const double *values)
{
    LM_FLOATS;
    latmc_status status = lm_need_unstarted(lattice, __func__);
    lm_draw draw = lm_draw_of(distribution, seed);
    const lm_entry *entry;

    if (status)
        return status;
    entry = lm_model_need(lattice->model, LATMC_DISTRIBUTIONS, (int)distribution, __func__);
    if (!entry)
        return LATMC_ERROR_UNKNOWN;
    status = check_arguments(__func__, count, arguments, values);
    for (int i = 0; i < count && !status; i++)
        status = take_argument(lattice, __func__, entry, arguments[i], values[i], &draw);
    if (status)
        return status;
    replace_bonds(lattice, (lm_bonds){.kind = LM_BONDS_DRAWN, .draw = draw});
    return LATMC_OK;
}

latmc_status latmc_get_bond_couplings(const latmc_lattice *lattice, int64_t sample,
                                      double *couplings)
{
    latmc_status status = lm_need(lattice, __func__);
    int8_t some[1024];

    if (!status)
        status = lm_need_bonds(lattice, __func__);
    if (status)
        return status;
    if (!couplings)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: couplings is NULL", __func__);
    if (sample < 0 || sample >= lattice->samples)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: sample is %" PRId64 "; there are 0 to %" PRId64,
                       __func__, sample, lattice->samples - 1);
    for (int axis = 0; axis < lattice->dims; axis++)
        for (lm_chunk c = {0}; lm_next_chunk(&c, lattice->sites, (int64_t)sizeof some);) {
            lm_bonds_own(lattice, sample, axis, c.first, c.count, some);
            for (int64_t i = 0; i < c.count; i++)
                couplings[axis * lattice->sites + c.first + i] = some[i];
        }
    return LATMC_OK;
}

/* The arguments of the distribution that they were drawn from. */
static void list_arguments(const latmc_lattice *lattice, latmc_bond_info *info)
{
    const lm_list *list = lm_list_of(lattice->model, LATMC_ARGUMENTS);
    const lm_draw *draw = &lattice->bonds.draw;

    for (int i = 0; i < list->count; i++)
        if (list->entries[i].distribution == (int)draw->distribution) {
            info->arguments[info->count] = list->entries[i].id;
            info->values[info->count++] = draw->values[LM_ARGUMENT(list->entries[i].id)];
        }
}

latmc_status latmc_get_bond_info(const latmc_lattice *lattice, latmc_bond_info *info)
{
    static const int32_t origins[] = {[LM_BONDS_UNIFORM] = LATMC_COUPLINGS_UNIFORM,
                                      [LM_BONDS_GIVEN] = LATMC_COUPLINGS_GIVEN,
                                      [LM_BONDS_DRAWN] = LATMC_COUPLINGS_DRAWN};
    latmc_status status = lm_need(lattice, __func__);
    latmc_bond_info known = {0};

    if (!status)
        status = lm_need_bonds(lattice, __func__);
    if (status)
        return status;
    if (!info)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: info is NULL", __func__);
    status = lm_struct_check(__func__, "latmc_bond_info", info->size,
                             LM_SIZE_THROUGH(latmc_bond_info, values));
    if (status)
        return status;
    known.samples = lattice->samples;
    known.first_sample = lattice->first_sample;
    known.origin = origins[lattice->bonds.kind];
    if (lattice->bonds.kind == LM_BONDS_DRAWN) {
        known.distribution = (int32_t)lattice->bonds.draw.distribution;
        known.seed = lattice->bonds.draw.seed;
        list_arguments(lattice, &known);
    }
    lm_struct_write(info, &known, sizeof known);
    return LATMC_OK;
}
