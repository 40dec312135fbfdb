/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites in and out, and their hash. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/checksum.h"
#include "lib/floats.h"
#include "lib/header.h"
#include "lib/status.h"
#include "lib/text.h"

/* A model's type with that number, or NULL. */
static const lm_site_type *find_type(const lm_model *model, latmc_type type)
{
    for (int i = 0; i < model->type_count; i++)
        if (model->types[i].id == type)
            return &model->types[i];
    return NULL;
}

static const lm_site_type *type_of(const latmc_lattice *lattice, latmc_type type)
{
    return find_type(lattice->model, type);
}

/* What to call a type that this model does not have: by its name, if another one has it. */
static const char *name_of(latmc_type type, char *number, size_t bytes)
{
    for (int i = 0; i < lm_model_count(); i++)
        if (find_type(lm_model_at(i), type))
            return find_type(lm_model_at(i), type)->name;
    snprintf(number, bytes, "number %d", (int)type);
    return number;
}

const lm_site_type *lm_need_type(const latmc_lattice *lattice, const char *caller, latmc_type type)
{
    const lm_site_type *found = type_of(lattice, type);
    char known[64] = "", number[32];

    if (found)
        return found;
    for (int i = 0; i < lattice->model->type_count; i++) {
        lm_append(known, sizeof known, i ? " or " : "");
        lm_append(known, sizeof known, lattice->model->types[i].name);
    }
    lm_fail(LATMC_ERROR_UNKNOWN, "%s: sites of the model %s cannot be of type %s; they can be %s",
            caller, lattice->model->entry.name, name_of(type, number, sizeof number), known);
    return NULL;
}

latmc_status lm_get_rows(const latmc_lattice *lattice, const char *caller, int64_t replica,
                         int64_t first, int64_t rows, void *sites)
{
    const lm_place *place = &lattice->place;
    const int64_t before = first * lattice->extents[0] * lattice->type->saved_bits / 8;

    if (place->plan.ops)
        return lm_fail_in(
            caller, place->plan.ops->get_sites(place->plan.self, replica, first, rows, sites));
    /* It was checked when it was loaded. */
    lattice->type->decode(place->held + replica * lm_saved_replica_bytes(lattice) + before,
                          rows * lattice->extents[0], sites);
    return LATMC_OK;
}

static latmc_status check_request(const latmc_lattice *lattice, const char *caller, int64_t replica,
                                  latmc_type type, const void *sites, int64_t count)
{
    if (!sites)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: sites is NULL", caller);
    if (replica < 0 || replica >= lattice->replicas)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: replica is %" PRId64 "; 0 to %" PRId64 " are allowed", caller, replica,
                       lattice->replicas - 1);
    if (count != lattice->sites)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: count is %" PRId64 "; it must be %" PRId64 ", the lattice's sites",
                       caller, count, lattice->sites);
    return lm_need_type(lattice, caller, type) ? LATMC_OK : LATMC_ERROR_UNKNOWN;
}

/* A model of more than one type has these two. */
static void convert(const void *from, latmc_type type, void *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (type == LATMC_FLOAT32)
            ((double *)to)[i] = (double)((const float *)from)[i];
        else
            ((float *)to)[i] = (float)((const double *)from)[i];
}

static char *at(const void *sites, const lm_site_type *type, int64_t i)
{
    return (char *)(uintptr_t)sites + (size_t)i * type->bytes;
}

/* Some rows of a replica, in the lattice's own type, from the lattice or, if `to` is not NULL, to
 * that plan. */
static latmc_status move_rows(const latmc_lattice *lattice, const char *caller, const lm_plan *to,
                              int64_t replica, int64_t first, int64_t rows,
                              const lm_site_type *type, void *sites, void *buffer)
{
    const int64_t count = rows * lattice->extents[0];
    void *own = type == lattice->type ? sites : buffer;
    latmc_status status;

    if (to && own != sites)
        convert(sites, type->id, own, count);
    if (to)
        status = lm_fail_in(caller, to->ops->put_sites(to->self, replica, first, rows, own));
    else
        status = lm_get_rows(lattice, caller, replica, first, rows, own);
    if (!status && !to && own != sites)
        convert(own, lattice->type->id, sites, count);
    return status;
}

static latmc_status move_replica(const latmc_lattice *lattice, const char *caller,
                                 const lm_plan *to, int64_t replica, latmc_type type, void *sites)
{
    const lm_site_type *given = type_of(lattice, type);
    const int64_t chunk = given == lattice->type ? lattice->rows : lm_chunk_rows(lattice);
    const int64_t room = given == lattice->type ? 0 : chunk * lattice->extents[0];
    void *buffer = lm_zeroed(caller, "some rows of sites", room, lattice->type->bytes);
    latmc_status status = buffer ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int64_t first = 0; first < lattice->rows && !status; first += chunk) {
        const int64_t left = lattice->rows - first;

        status = move_rows(lattice, caller, to, replica, first, left < chunk ? left : chunk, given,
                           at(sites, given, first * lattice->extents[0]), buffer);
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
        status = check_request(lattice, __func__, replica, type, sites, count);
    if (status)
        return status;
    return move_replica(lattice, __func__, NULL, replica, type, sites);
}

static latmc_status put_all(const latmc_lattice *lattice, const char *caller, const lm_plan *to,
                            int64_t replica, latmc_type type, const void *sites)
{
    return move_replica(lattice, caller, to, replica, type, (void *)(uintptr_t)sites);
}

/* A cold lattice but for one replica. */
static latmc_status begin_with(latmc_lattice *lattice, const char *caller, int64_t replica,
                               latmc_type type, const void *sites)
{
    lm_place place;
    latmc_status status = lm_open_started(lattice, caller, LATMC_START_COLD, &place);

    if (status)
        return status;
    status = put_all(lattice, caller, &place.plan, replica, type, sites);
    if (status)
        lm_place_close(&place);
    else
        lm_place_take(lattice, place);
    return status;
}

latmc_status latmc_set_sites(latmc_lattice *lattice, int64_t replica, latmc_type type,
                             const void *sites, int64_t count)
{
    LM_FLOATS;
    latmc_status status = lm_need(lattice, __func__);
    int64_t bad;

    if (!status)
        status = check_request(lattice, __func__, replica, type, sites, count);
    if (status)
        return status;
    bad = type_of(lattice, type)->check(sites, count);
    if (bad < count)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: site %" PRId64 " has a value that the model %s does not have; "
                       "it must be %s",
                       __func__, bad, lattice->model->entry.name, type_of(lattice, type)->allowed);
    if (!lm_is_started(lattice))
        return begin_with(lattice, __func__, replica, type, sites);
    status = lm_place_settle(lattice, __func__);
    if (!status)
        status = lm_fetch_changed(lattice, __func__);
    return status ? status : put_all(lattice, __func__, &lattice->place.plan, replica, type, sites);
}

static latmc_status hash_replica(const latmc_lattice *lattice, const char *caller, int64_t replica,
                                 void *buffer, lm_checksum *sum)
{
    const int64_t chunk = lm_chunk_rows(lattice);
    latmc_status status = LATMC_OK;

    for (int64_t first = 0; first < lattice->rows && !status; first += chunk) {
        const int64_t left = lattice->rows - first;
        const int64_t rows = left < chunk ? left : chunk;

        status = lm_get_rows(lattice, caller, replica, first, rows, buffer);
        if (!status)
            lm_checksum_add(sum, buffer,
                            (size_t)(rows * lattice->extents[0]) * lattice->type->bytes);
    }
    return status;
}

latmc_status latmc_state_hash(latmc_lattice *lattice, uint64_t *hash)
{
    LM_FLOATS;
    latmc_status status = lm_need_started(lattice, __func__);
    lm_checksum sum;
    int64_t count;
    void *buffer;

    if (status)
        return status;
    if (!hash)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: hash is NULL", __func__);
    count = lm_chunk_rows(lattice) * lattice->extents[0];
    buffer = lm_zeroed(__func__, "some rows of sites", count, lattice->type->bytes);
    if (!buffer)
        return LATMC_ERROR_MEMORY;
    lm_checksum_begin(&sum);
    for (int64_t r = 0; r < lattice->replicas && !status; r++)
        status = hash_replica(lattice, __func__, r, buffer, &sum);
    free(buffer);
    if (!status)
        *hash = lm_checksum_value(&sum);
    return status;
}
