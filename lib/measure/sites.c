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
    if (type == LATMC_BITS)
        return "bits";
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

static latmc_status check_replicas(const latmc_lattice *lattice, const char *caller,
                                   const lm_sites *s)
{
    const int64_t left = lattice->replicas - s->of.first;

    if (s->of.first < 0 || left < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: first is %" PRId64 "; 0 to %" PRId64 " are allowed", caller,
                       s->of.first, lattice->replicas - 1);
    if (s->of.count < 1 || s->of.count > left)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: replicas is %" PRId64 "; 1 to %" PRId64
                       " are allowed from replica %" PRId64 " on",
                       caller, s->of.count, left, s->of.first);
    return LATMC_OK;
}

/* Returns whether an array is memory of the lattice's devices, or of those that it would get. */
static int is_of_device(const latmc_lattice *lattice, const char *caller, const void *array)
{
    lm_where where;
    const lm_device *device;

    if (lm_home_choose(lattice, caller, &where))
        return 0;
    device = where.devices[0];
    return device->backend->owns && device->backend->owns(device->index, array);
}

static latmc_status check_array(const latmc_lattice *lattice, const char *caller, const lm_sites *s,
                                const void *array)
{
    const int each = find_type(lattice->model, s->type)->entry.bytes;
    const size_t bytes = (size_t)(s->of.count * lm_replica_numbers(lattice) * each);

    if (s->bytes != bytes)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: bytes is %zu; it must be %zu, which latmc_sites_bytes() gives", caller,
                       s->bytes, bytes);
    if (is_of_device(lattice, caller, array))
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: sites is memory of a device; this version takes host memory alone",
                       caller);
    return LATMC_OK;
}

latmc_status lm_check_sites(const latmc_lattice *lattice, const char *caller, const lm_sites *s,
                            const void *array)
{
    latmc_status status = check_replicas(lattice, caller, s);

    if (!status && !lattice->ranks)
        status = lm_need_pointer(LATMC_OK, caller, "sites", array);
    lm_given_integer(lattice->ranks, "first", s->of.first);
    lm_given_integer(lattice->ranks, "replicas", s->of.count);
    lm_given_integer(lattice->ranks, "type", (int64_t)s->type);
    if (!status && !need_type(lattice, caller, s->type))
        status = LATMC_ERROR_UNKNOWN;
    return status || !array ? status : check_array(lattice, caller, s, array);
}

latmc_status latmc_sites_bytes(const latmc_lattice *lattice, int64_t replicas, latmc_type type,
                               size_t *bytes)
{
    const lm_site_type *found;
    latmc_status status = lm_need_pointer(lm_need(lattice, __func__), __func__, "bytes", bytes);
    int64_t each;

    if (status)
        return status;
    found = need_type(lattice, __func__, type);
    if (!found)
        return LATMC_ERROR_UNKNOWN;
    each = lm_replica_numbers(lattice) * found->entry.bytes;
    if (replicas < 0 || replicas > INT64_MAX / each)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: replicas is %" PRId64 "; 0 to %" PRId64 " are allowed", __func__,
                       replicas, INT64_MAX / each);
    *bytes = (size_t)(replicas * each);
    return LATMC_OK;
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

/* Returns where the sites of a batch are in an array. */
static size_t place_of(const latmc_lattice *lattice, const lm_sites *s, const lm_batch *b)
{
    const int64_t rows = (b->replica - s->of.first) * lattice->rows + b->rows.first;

    return (size_t)(rows * lm_row_numbers(lattice) *
                    find_type(lattice->model, s->type)->entry.bytes);
}

/* Reads sites, which may be unwanted (NULL) on this rank. */
static latmc_status get_all(const latmc_lattice *lattice, const char *caller, const lm_sites *s,
                            char *sites)
{
    const latmc_type own = (latmc_type)lattice->type->entry.id;
    const int as_asked = sites && s->type == own;
    void *buffer = lm_zeroed(caller, "some rows of sites", as_asked ? 0 : lm_batch_room(lattice),
                             lattice->type->entry.bytes);
    latmc_status status = buffer ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (lm_batch b = {0}; !status && lm_next_batch_of(lattice, s->of, &b);) {
        char *to = sites ? sites + place_of(lattice, s, &b) : NULL;

        status = lm_get_batch(lattice, caller, &b, as_asked ? to : buffer);
        if (!status && sites && !as_asked)
            lm_convert_sites(buffer, own, to, lm_batch_numbers(lattice, &b));
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
                            const lm_sites *s, const char *sites)
{
    const lm_site_type *type = find_type(lattice->model, s->type);
    const int as_given = type->entry.id == lattice->type->entry.id && !type->settle;
    void *buffer = lm_zeroed(caller, "some rows of sites", as_given ? 0 : lm_batch_room(lattice),
                             lattice->type->entry.bytes);
    latmc_status status = buffer ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (lm_batch b = {0}; !status && lm_next_batch_of(lattice, s->of, &b);) {
        const char *from = sites + place_of(lattice, s, &b);

        if (!as_given)
            take_given(lattice, type, from, buffer, lm_batch_numbers(lattice, &b));
        status = lm_put_batch(lattice, caller, plan, &b, as_given ? from : buffer);
    }
    free(buffer);
    return status;
}

latmc_status latmc_get_sites(latmc_lattice *lattice, int64_t first, int64_t replicas,
                             latmc_type type, void *sites, size_t bytes)
{
    LM_FLOATS;
    const lm_sites asked = {{first, replicas}, type, bytes};
    latmc_status status = lm_need_started(lattice, __func__);

    if (!status)
        status = lm_check_sites(lattice, __func__, &asked, sites);
    status = lm_everywhere(lattice, status); /* before anything is written */
    if (!status)
        status = get_all(lattice, __func__, &asked, sites);
    return lm_everywhere(lattice, status);
}

/* Starts a cold lattice, with given sites in some replicas. */
static latmc_status begin_with(latmc_lattice *lattice, const char *caller, const lm_sites *given,
                               const void *sites)
{
    lm_home home;
    latmc_status status = lm_spec_check(lattice, caller, lattice->sweeps);

    if (!status)
        status = lm_home_start(lattice, caller, LATMC_START_COLD, &home);
    if (status)
        return status;
    status = lm_everywhere(lattice, put_all(lattice, caller, home.plan, given, sites));
    if (status)
        lm_home_close(&home);
    else
        lm_home_take(lattice, home);
    return status;
}

static latmc_status check_values(const latmc_lattice *lattice, const char *caller,
                                 const lm_sites *given, const void *sites)
{
    const lm_site_type *type = find_type(lattice->model, given->type);
    const int64_t replica = lm_replica_numbers(lattice), count = given->of.count * replica;
    const int64_t bad = type->check(sites, count, lm_state_limit(lattice));

    if (bad < count)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: site %" PRId64 " of replica %" PRId64
                       " has a value that the model %s does not have; it must be %s",
                       caller, bad % replica / lm_components_of(lattice),
                       given->of.first + bad / replica, lattice->model->entry.name,
                       type->entry.meaning);
    return LATMC_OK;
}

static latmc_status check_given(const latmc_lattice *lattice, const char *caller,
                                const lm_sites *given, const void *sites)
{
    latmc_status status = lm_need_pointer(lm_need(lattice, caller), caller, "sites", sites);

    if (!status)
        status = lm_check_sites(lattice, caller, given, sites);
    if (!status)
        status = check_values(lattice, caller, given, sites);
    if (!status)
        lm_given_array(lattice->ranks, "sites", sites, given->bytes);
    return status;
}

latmc_status latmc_set_sites(latmc_lattice *lattice, int64_t first, int64_t replicas,
                             latmc_type type, const void *sites, size_t bytes)
{
    LM_FLOATS;
    const lm_sites given = {{first, replicas}, type, bytes};
    latmc_status status = lm_everywhere(lattice, check_given(lattice, __func__, &given, sites));

    if (status)
        return status;
    if (!lm_is_started(lattice))
        return lm_everywhere(lattice, begin_with(lattice, __func__, &given, sites));
    status = lm_home_settle(lattice, __func__);
    if (!status)
        status = lm_untold_changed(lattice, __func__);
    if (!status)
        status = put_all(lattice, __func__, lattice->home.plan, &given, sites);
    return lm_everywhere(lattice, status);
}
