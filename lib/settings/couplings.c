/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets, draws and reads the couplings of the bonds and the fields of the sites. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/abi.h"
#include "lib/base/floats.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/base/text.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/need.h"
#include "lib/settings/slots.h"

static const char *const names[LM_OWNERS] = {
    [LM_OF_BONDS] = "couplings", [LM_OF_SITES] = "site fields"};

/* Returns how given numbers are kept. */
static lm_disorder_kind kind_of(const latmc_lattice *lattice, lm_owner owner, const double *values,
                                int64_t count)
{
    if (!values)
        return LM_UNIFORM;
    for (int64_t i = 0; i < count && owner == LM_OF_BONDS; i++)
        if (lattice->model->couplings == LM_SIGN_COUPLINGS && !lm_is_sign(values[i]))
            return LM_GIVEN_REALS;
    return LM_GIVEN;
}

static int signs_alone(const latmc_lattice *lattice, lm_owner owner)
{
    return owner == LM_OF_BONDS && lattice->model->signs_alone;
}

static latmc_status refuse_value(const latmc_lattice *lattice, const char *caller, lm_owner owner,
                                 int64_t at, double value)
{
    const int64_t each = lm_disorder_each(lattice, owner), cells = lm_cells(lattice);
    char what[96];

    if (owner == LM_OF_BONDS)
        snprintf(what, sizeof what, "the coupling of bond type %" PRId64 " in cell %" PRId64,
                 at / cells % lm_bond_types(lattice), at % cells);
    else
        snprintf(what, sizeof what, "the field of site %" PRId64, at % lattice->sites);
    if (signs_alone(lattice, owner))
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %s is %s, in sample %" PRId64
                       "; bonds of the model %s have -1, 0 and +1 alone",
                       caller, what, lm_number(value).text, at / each, lattice->model->entry.name);
    return lm_fail(LATMC_ERROR_ARGUMENT,
                   "%s: %s is %s, in sample %" PRId64 "; it must be a number from %s to %s", caller,
                   what, lm_number(value).text, at / each, lm_number(-LM_MAX_REAL).text,
                   lm_number(LM_MAX_REAL).text);
}

static int is_allowed(const latmc_lattice *lattice, lm_owner owner, double value)
{
    return signs_alone(lattice, owner) ? lm_is_sign(value)
                                       : value >= -LM_MAX_REAL && value <= LM_MAX_REAL;
}

/* Takes the numbers of all samples. NULL makes them uniform. */
static latmc_status take_given(const latmc_lattice *lattice, const char *caller, lm_owner owner,
                               const double *values, lm_disorder *given)
{
    latmc_status status = lm_need_unstarted(lattice, caller);
    int64_t each, count;

    if (!status)
        status = lm_need_owner(lattice, caller, owner);
    if (status)
        return status;
    each = lm_disorder_each(lattice, owner);
    count = values ? lattice->samples * each : 0;
    for (int64_t i = 0; i < count; i++)
        if (!is_allowed(lattice, owner, values[i]))
            return refuse_value(lattice, caller, owner, i, values[i]);
    lm_given_array(lattice->ranks, names[owner], values, (size_t)count * sizeof *values);
    given->kind = kind_of(lattice, owner, values, count);
    if (values)
        status = lm_disorder_room(lattice, caller, owner, given);
    if (status)
        return status;
    for (int64_t i = 0; given->signs && i < count; i++) {
        given->signs[i] = (int8_t)values[i];
        given->missing[i / each] |= given->signs[i] == 0;
    }
    if (given->reals)
        memcpy(given->reals, values, (size_t)count * sizeof *values);
    return LATMC_OK;
}

static latmc_status set(latmc_lattice *lattice, const char *caller, lm_owner owner,
                        const double *values)
{
    lm_disorder given = {.kind = LM_UNIFORM};
    const latmc_status status =
        lm_everywhere(lattice, take_given(lattice, caller, owner, values, &given));

    if (status)
        lm_disorder_free(&given);
    else
        lm_disorder_take(lattice, owner, given);
    return status;
}

latmc_status latmc_set_bond_couplings(latmc_lattice *lattice, const double *couplings)
{
    LM_FLOATS;
    return set(lattice, __func__, LM_OF_BONDS, couplings);
}

latmc_status latmc_set_site_fields(latmc_lattice *lattice, const double *fields)
{
    LM_FLOATS;
    return set(lattice, __func__, LM_OF_SITES, fields);
}

static latmc_status check_samples(const latmc_lattice *lattice, const char *caller, int64_t samples,
                                  int64_t first)
{
    const latmc_status status = lm_need_unstarted(lattice, caller);

    if (status)
        return status;
    if (!lm_model_has_own(lattice, LM_OF_BONDS) && !lm_model_has_own(lattice, LM_OF_SITES))
        return lm_fail(LATMC_ERROR_UNKNOWN,
                       "%s: the model %s has neither couplings of bonds nor fields of sites, so it "
                       "has no samples",
                       caller, lattice->model->entry.name);
    if (samples < 1 || lattice->replicas % samples)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: samples is %" PRId64 "; with %" PRId64
                       " replicas it must be at least 1 and divide them",
                       caller, samples, lattice->replicas);
    if (lattice->replicas / samples % lattice->ladders)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %" PRId64 " replicas of a sample cannot be divided by %" PRId64
                       " ladders; set the ladders anew first",
                       caller, lattice->replicas / samples, lattice->ladders);
    if (first < 0 || first > lm_ensemble_of(lattice) - samples)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: first is %" PRId64 "; with %" PRId64
                       " samples it must be 0 to %" PRId64,
                       caller, first, samples, lm_ensemble_of(lattice) - samples);
    for (int owner = 0; owner < LM_OWNERS; owner++)
        if (samples != lattice->samples && lm_is_given(&lattice->disorder[owner]))
            return lm_fail(LATMC_ERROR_STATE,
                           "%s: %s were given for %" PRId64 " samples, not for %" PRId64
                           "; set the samples first, or remove the %s with NULL",
                           caller, names[owner], lattice->samples, samples, names[owner]);
    for (int i = 0; i < LATMC_MAX_WEIGHTS; i++)
        if (samples != lattice->samples && lattice->weights.set[i].samples > 1)
            return lm_fail(LATMC_ERROR_STATE,
                           "%s: weights number %d were given for %" PRId64
                           " samples, not for %" PRId64 "; remove them with NULL first",
                           caller, i, lattice->samples, samples);
    lm_given_integer(lattice->ranks, "samples", samples);
    lm_given_integer(lattice->ranks, "first", first);
    return LATMC_OK;
}

latmc_status latmc_set_samples(latmc_lattice *lattice, int64_t samples, int64_t first)
{
    const latmc_status status =
        lm_everywhere(lattice, check_samples(lattice, __func__, samples, first));
    int others;

    if (status)
        return status;
    others = samples != lattice->samples;
    lattice->samples = samples;
    lattice->first_sample = first;
    if (others)
        lm_slots_reset(lattice, lattice->replicas);
    return LATMC_OK;
}

/* Returns the name of an argument that a distribution lacks, if any distribution has it, and
 * otherwise "number". */
static const char *name_of_argument(latmc_argument argument)
{
    const lm_entry *e = NULL;

    for (int i = 0; i < lm_model_count() && !e; i++)
        e = lm_list_find(lm_list_of(lm_model_at(i), LATMC_ARGUMENTS), (int)argument);
    return e ? e->name : "number";
}

/* Returns the model's description of a distribution's argument, or NULL after a refusal. */
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
    lm_fail(LATMC_ERROR_UNKNOWN, "%s: the distribution %s has no argument %s (%d); it has %s",
            caller, distribution->name, name_of_argument(argument), (int)argument, known);
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

static latmc_status check_arguments(const char *caller, int64_t count,
                                    const latmc_argument *arguments, const double *values)
{
    if (count < 0)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: argument_count is %" PRId64 "; it must be >= 0",
                       caller, count);
    if (count && (!arguments || !values))
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL, and argument_count %" PRId64, caller,
                       arguments ? "values" : "arguments", count);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < i; j++)
            if (arguments[i] == arguments[j])
                return lm_fail(LATMC_ERROR_ARGUMENT,
                               "%s: the argument %s (%d) is given twice, as arguments[%" PRId64
                               "] and arguments[%" PRId64 "]; each can be given once",
                               caller, name_of_argument(arguments[i]), (int)arguments[i], j, i);
    return LATMC_OK;
}

static latmc_status check_draw(const latmc_lattice *lattice, const char *caller, lm_owner owner,
                               lm_draw *how, int64_t count, const latmc_argument *arguments,
                               const double *values)
{
    latmc_status status = lm_need_unstarted(lattice, caller);
    const lm_entry *distribution;

    if (!status)
        status = lm_need_owner(lattice, caller, owner);
    if (status)
        return status;
    distribution =
        lm_model_need(lattice->model, LATMC_DISTRIBUTIONS, (int)how->distribution, caller);
    if (!distribution)
        return LATMC_ERROR_UNKNOWN;
    status = check_arguments(caller, count, arguments, values);
    for (int64_t i = 0; i < count && !status; i++)
        status = take_argument(lattice, caller, distribution, arguments[i], values[i], how);
    if (status)
        return status;
    lm_given_integer(lattice->ranks, "distribution", (int64_t)how->distribution);
    lm_given_integer(lattice->ranks, "seed", (int64_t)how->seed);
    lm_given_array(lattice->ranks, "values", how->values, sizeof how->values);
    return LATMC_OK;
}

static latmc_status draw(latmc_lattice *lattice, const char *caller, lm_owner owner, lm_draw how,
                         int64_t count, const latmc_argument *arguments, const double *values)
{
    const latmc_status status =
        lm_everywhere(lattice, check_draw(lattice, caller, owner, &how, count, arguments, values));

    if (!status)
        lm_disorder_take(lattice, owner, (lm_disorder){.kind = LM_DRAWN, .draw = how});
    return status;
}

latmc_status latmc_draw_bond_couplings(latmc_lattice *lattice, latmc_distribution distribution,
                                       uint64_t seed, int64_t argument_count,
                                       const latmc_argument *arguments, const double *values)
{
    LM_FLOATS;
    return draw(lattice, __func__, LM_OF_BONDS, lm_draw_of(distribution, seed), argument_count,
                arguments, values);
}

latmc_status latmc_draw_site_fields(latmc_lattice *lattice, latmc_distribution distribution,
                                    uint64_t seed, int64_t argument_count,
                                    const latmc_argument *arguments, const double *values)
{
    LM_FLOATS;
    return draw(lattice, __func__, LM_OF_SITES, lm_draw_of(distribution, seed), argument_count,
                arguments, values);
}

/* Gets the numbers of one sample. `name` is the caller's name for `numbers`, for messages. */
static latmc_status get(const latmc_lattice *lattice, const char *caller, lm_owner owner,
                        int64_t sample, const char *name, double *numbers)
{
    latmc_status status = lm_need_lattice(lattice, caller);
    int64_t each;

    if (!status)
        status = lm_need_owner(lattice, caller, owner);
    status = lm_need_pointer(status, caller, name, numbers);
    if (status)
        return status;
    if (sample < 0 || sample >= lattice->samples)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: sample is %" PRId64 "; there are 0 to %" PRId64,
                       caller, sample, lattice->samples - 1);
    each = owner == LM_OF_BONDS ? lm_cells(lattice) : lattice->sites;
    for (int type = 0; type < lm_disorder_each(lattice, owner) / each; type++)
        lm_disorder_own(lattice, owner, sample, type, 0, each, numbers + type * each);
    return LATMC_OK;
}

latmc_status latmc_get_bond_couplings(const latmc_lattice *lattice, int64_t sample,
                                      double *couplings)
{
    LM_FLOATS;
    return get(lattice, __func__, LM_OF_BONDS, sample, "couplings", couplings);
}

latmc_status latmc_get_site_fields(const latmc_lattice *lattice, int64_t sample, double *fields)
{
    LM_FLOATS;
    return get(lattice, __func__, LM_OF_SITES, sample, "fields", fields);
}

/* Lists the arguments of the distribution from which the numbers were drawn. */
static void list_arguments(const latmc_lattice *lattice, const lm_draw *draw,
                           latmc_disorder_info *info)
{
    const lm_list *list = lm_list_of(lattice->model, LATMC_ARGUMENTS);

    for (int i = 0; i < list->count; i++)
        if (list->entries[i].distribution == (int)draw->distribution) {
            info->arguments[info->argument_count] = list->entries[i].id;
            info->values[info->argument_count++] = draw->values[LM_ARGUMENT(list->entries[i].id)];
        }
}

static latmc_status tell(const latmc_lattice *lattice, const char *caller, lm_owner owner,
                         latmc_disorder_info *info)
{
    static const int32_t origins[] = {[LM_UNIFORM] = LATMC_ORIGIN_UNIFORM,
                                      [LM_GIVEN] = LATMC_ORIGIN_GIVEN,
                                      [LM_GIVEN_REALS] = LATMC_ORIGIN_GIVEN,
                                      [LM_DRAWN] = LATMC_ORIGIN_DRAWN};
    latmc_status status = lm_need_lattice(lattice, caller);
    latmc_disorder_info known = {0};
    const lm_disorder *own;

    if (!status)
        status = lm_need_owner(lattice, caller, owner);
    status = lm_need_pointer(status, caller, "info", info);
    if (status)
        return status;
    status = lm_struct_check(caller, "latmc_disorder_info", info->size,
                             LM_SIZE_THROUGH(latmc_disorder_info, values));
    if (status)
        return status;
    own = &lattice->disorder[owner];
    known.origin = origins[own->kind];
    if (own->kind == LM_DRAWN) {
        known.distribution = (int32_t)own->draw.distribution;
        known.seed = own->draw.seed;
        list_arguments(lattice, &own->draw, &known);
    }
    lm_struct_write(info, &known, sizeof known);
    return LATMC_OK;
}

latmc_status latmc_get_coupling_info(const latmc_lattice *lattice, latmc_disorder_info *info)
{
    return tell(lattice, __func__, LM_OF_BONDS, info);
}

latmc_status latmc_get_field_info(const latmc_lattice *lattice, latmc_disorder_info *info)
{
    return tell(lattice, __func__, LM_OF_SITES, info);
}
