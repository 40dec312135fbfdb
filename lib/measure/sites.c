/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives sites to the caller and takes them. */
#include "lib/measure/sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/chunk.h"
#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/base/text.h"
#include "lib/lattice/untold.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/need.h"
#include "lib/lattice/home.h"
#include "lib/lattice/rows.h"
#include "lib/lattice/spec.h"

/* Returns the model's type with that number, or NULL. */
static const lm_site_type *find_type(const lm_model *model, latmc_type type)
{
    for (int i = 0; i < model->type_count; i++)
        if ((latmc_type)model->types[i].entry.id == type)
            return &model->types[i];
    return NULL;
}

/* Returns the name of a type that this model lacks, if another model has it, and otherwise its
 * number. */
static const char *name_of(latmc_type type, char *number, size_t bytes)
{
    for (int i = 0; i < lm_model_count(); i++)
        if (find_type(lm_model_at(i), type))
            return find_type(lm_model_at(i), type)->entry.name;
    snprintf(number, bytes, "number %d", (int)type);
    return number;
}

/* Returns the type with that number, or NULL after a refusal. */
static const lm_site_type *need_type(const latmc_lattice *lattice, const char *caller,
                                     latmc_type type)
{
    const lm_site_type *found = find_type(lattice->model, type);
    char known[64] = "", number[32];

    if (found)
        return found;
    for (int i = 0; i < lattice->model->type_count; i++) {
        lm_append(known, sizeof known, i ? " or " : "");
        lm_append(known, sizeof known, lattice->model->types[i].entry.name);
    }
    lm_fail(LATMC_ERROR_UNKNOWN, "%s: sites of the model %s cannot be of type %s; they can be %s",
            caller, lattice->model->entry.name, name_of(type, number, sizeof number), known);
    return NULL;
}

latmc_status lm_check_sites(const latmc_lattice *lattice, const char *caller, int64_t replica,
                            latmc_type type, const void *sites, int64_t count)
{
    const int components = lm_components_of(lattice);

    if (!sites)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: sites is NULL", caller);
    if (replica < 0 || replica >= lattice->replicas)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: replica is %" PRId64 "; 0 to %" PRId64 " are allowed", caller, replica,
                       lattice->replicas - 1);
    if (count != lm_replica_numbers(lattice))
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: count is %" PRId64 "; it must be %" PRId64 ", the lattice's sites%s",
                       caller, count, lm_replica_numbers(lattice),
                       components > 1 ? " times the components of a site" : "");
    lm_given_integer(lattice->ranks, "replica", replica);
    lm_given_integer(lattice->ranks, "type", (int64_t)type);
    return need_type(lattice, caller, type) ? LATMC_OK : LATMC_ERROR_UNKNOWN;
}

/* Only these two types occur together in one model. */
void lm_convert_sites(const void *from, latmc_type type, void *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (type == LATMC_FLOAT32)
            ((double *)to)[i] = (double)((const float *)from)[i];
        else
            ((float *)to)[i] = (float)((const double *)from)[i];
}

/* Reads all sites. Sites of the lattice's own type cross all at once, others in chunks. */
static latmc_status get_all(const latmc_lattice *lattice, const char *caller, int64_t replica,
                            const lm_site_type *type, char *sites)
{
    const int64_t width = lm_row_numbers(lattice);
    void *buffer;
    latmc_status status = LATMC_OK;

    if (type->entry.id == lattice->type->entry.id)
        return lm_get_rows(lattice, caller, replica, (lm_chunk){0, lattice->rows}, sites);
    buffer = lm_zeroed(caller, "some rows of sites", lm_chunk_rows(lattice) * width,
                       lattice->type->entry.bytes);
    if (!buffer)
        return LATMC_ERROR_MEMORY;
    for (lm_chunk c = {0}; !status && lm_next_rows(lattice, &c);) {
        status = lm_get_rows(lattice, caller, replica, c, buffer);
        if (!status)
            lm_convert_sites(buffer, (latmc_type)lattice->type->entry.id,
                             sites + (size_t)(c.first * width) * type->entry.bytes,
                             c.count * width);
    }
    free(buffer);
    return status;
}

/* Converts given sites to the lattice's own type, and to values that a lattice may have. */
static void take_given(const latmc_lattice *lattice, const lm_site_type *type, const char *from,
                       void *to, int64_t count)
{
    const lm_site_type *own = lattice->type;

    if (type->entry.id == own->entry.id)
        memcpy(to, from, (size_t)(count * own->entry.bytes));
    else
        lm_convert_sites(from, (latmc_type)type->entry.id, to, count);
    if (own->settle)
        own->settle(to, count, lm_state_limit(lattice));
}

static latmc_status put_all(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                            int64_t replica, const lm_site_type *type, const char *sites)
{
    const int as_given = type->entry.id == lattice->type->entry.id && !type->settle;
    const int64_t most = as_given ? lattice->rows : lm_chunk_rows(lattice),
                  width = lm_row_numbers(lattice);
    void *buffer = lm_zeroed(caller, "some rows of sites", as_given ? 0 : most * width,
                             lattice->type->entry.bytes);
    latmc_status status = buffer ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (lm_chunk c = {0}; !status && lm_next_chunk(&c, lattice->rows, most);) {
        const char *from = sites + (size_t)(c.first * width) * type->entry.bytes;

        if (!as_given)
            take_given(lattice, type, from, buffer, c.count * width);
        status = lm_fail_in(caller, plan.ops->put_sites(plan.self, replica, c.first, c.count,
                                                        as_given ? from : buffer));
    }
    free(buffer);
    return status;
}

latmc_status latmc_get_sites(latmc_lattice *lattice, int64_t replica, latmc_type type, void *sites,
                             int64_t count)
{
    LM_FLOATS;
    latmc_status status = lm_need_started(lattice, __func__);

    if (!status)
        status = lm_check_sites(lattice, __func__, replica, type, sites, count);
    status = lm_everywhere(lattice, status); /* before anything is written */
    if (!status)
        status = get_all(lattice, __func__, replica, find_type(lattice->model, type), sites);
    return lm_everywhere(lattice, status);
}

/* Starts a cold lattice, with given sites in one replica. */
static latmc_status begin_with(latmc_lattice *lattice, const char *caller, int64_t replica,
                               const lm_site_type *type, const void *sites)
{
    lm_home home;
    latmc_status status = lm_check_settings(lattice, caller, lattice->sweeps);

    if (!status)
        status = lm_home_start(lattice, caller, LATMC_START_COLD, &home);
    if (status)
        return status;
    status = lm_everywhere(lattice, put_all(lattice, caller, home.plan, replica, type, sites));
    if (status)
        lm_home_close(&home);
    else
        lm_home_take(lattice, home);
    return status;
}

static latmc_status check_given(const latmc_lattice *lattice, const char *caller, int64_t replica,
                                latmc_type type, const void *sites, int64_t count)
{
    const lm_site_type *given;
    latmc_status status = lm_need(lattice, caller);
    int64_t bad;

    if (!status)
        status = lm_check_sites(lattice, caller, replica, type, sites, count);
    if (status)
        return status;
    given = find_type(lattice->model, type);
    bad = given->check(sites, count, lm_state_limit(lattice));
    if (bad < count)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: site %" PRId64 " has a value that the model %s does not have; "
                       "it must be %s",
                       caller, bad / lm_components_of(lattice), lattice->model->entry.name,
                       given->entry.meaning);
    lm_given_array(lattice->ranks, "sites", sites, (size_t)count * given->entry.bytes);
    return LATMC_OK;
}

latmc_status latmc_set_sites(latmc_lattice *lattice, int64_t replica, latmc_type type,
                             const void *sites, int64_t count)
{
    LM_FLOATS;
    const lm_site_type *given;
    latmc_status status =
        lm_everywhere(lattice, check_given(lattice, __func__, replica, type, sites, count));

    if (status)
        return status;
    given = find_type(lattice->model, type);
    if (!lm_is_started(lattice))
        return lm_everywhere(lattice, begin_with(lattice, __func__, replica, given, sites));
    status = lm_home_settle(lattice, __func__);
    if (!status)
        status = lm_changed_fetch(lattice, __func__);
    if (!status)
        status = put_all(lattice, __func__, lattice->home.plan, replica, given, sites);
    return lm_everywhere(lattice, status);
}
