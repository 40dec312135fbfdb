/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives sites to the caller, and takes them from the caller. */
#include "lib/sites/sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/chunk.h"
#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/base/text.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/home.h"
#include "lib/lattice/lattice_leaves.h"
#include "lib/lattice/need.h"
#include "lib/lattice/pending.h"
#include "lib/settings/check.h"

/* Returns the name of a type that this model lacks, if another model has it, and otherwise its
 * number. */
static const char *name_of(latmc_type type, char *number, size_t bytes)
{
    for (int i = 0; i < lm_model_count(); i++)
        if (lm_model_type(lm_model_at(i), type))
            return lm_model_type(lm_model_at(i), type)->entry.name;
    snprintf(number, bytes, "number %d", (int)type);
    return number;
}

/* Returns whether a lattice has a type of its model. Sites are bits only if they are saved so. */
static int has_type(const latmc_lattice *lattice, const lm_site_type *type)
{
    return type && (type->entry.id != LATMC_BITS || lattice->type->entry.bits < 8);
}

/* Refuses types that sites lack. */
static latmc_status need_type(const latmc_lattice *lattice, const char *caller, latmc_type type)
{
    const lm_model *model = lattice->model;
    char known[64] = "", number[32];

    if (has_type(lattice, lm_model_type(model, type)))
        return LATMC_OK;
    for (int i = 0; i < model->type_count; i++)
        if (has_type(lattice, &model->types[i])) {
            lm_append(known, sizeof known, i ? " or " : "");
            lm_append(known, sizeof known, model->types[i].entry.name);
        }
    return lm_fail(LATMC_ERROR_UNKNOWN,
                   "%s: sites of this lattice of the model %s cannot be of type %s; they can be %s",
                   caller, model->entry.name, name_of(type, number, sizeof number), known);
}

static latmc_status check_replicas(const latmc_lattice *lattice, const char *caller,
                                   const lm_array *s)
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

/* Finds whose memory an array is, among the lattice's devices or those that it would get. */
static void find_owner(const latmc_lattice *lattice, const char *caller, const void *array,
                       lm_array *s)
{
    lm_device_list where;
    const lm_device *device;

    if (lm_home_choose(lattice, caller, &where))
        return;
    device = where.devices[0];
    if (device->backend->owns && device->backend->owns(device->index, array)) {
        s->owner = device->backend;
        s->device = device->index;
    }
}

static latmc_status check_array(const latmc_lattice *lattice, const char *caller, lm_array *s,
                                const void *array)
{
    const size_t bytes = (size_t)(s->of.count * lm_type_bytes(lattice, s->type));

    if (s->bytes != bytes)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: bytes is %zu; it must be %zu, which latmc_sites_bytes() gives", caller,
                       s->bytes, bytes);
    find_owner(lattice, caller, array, s);
    return LATMC_OK;
}

latmc_status lm_check_sites(const latmc_lattice *lattice, const char *caller, lm_array *s,
                            const void *array)
{
    latmc_status status = check_replicas(lattice, caller, s);

    if (!status && !lattice->ranks)
        status = lm_need_pointer(LATMC_OK, caller, "sites", array);
    lm_given_integer(lattice->ranks, "first", s->of.first);
    lm_given_integer(lattice->ranks, "replicas", s->of.count);
    lm_given_integer(lattice->ranks, "type", (int64_t)s->type);
    if (!status)
        status = need_type(lattice, caller, s->type);
    return status || !array ? status : check_array(lattice, caller, s, array);
}

latmc_status latmc_sites_bytes(const latmc_lattice *lattice, int64_t replicas, latmc_type type,
                               size_t *bytes)
{
    latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, __func__), __func__, "bytes", bytes);
    int64_t each;

    if (!status)
        status = need_type(lattice, __func__, type);
    if (status)
        return status;
    each = lm_type_bytes(lattice, type);
    if (replicas < 0 || replicas > INT64_MAX / each)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: replicas is %" PRId64 "; 0 to %" PRId64 " are allowed", __func__,
                       replicas, INT64_MAX / each);
    *bytes = (size_t)(replicas * each);
    return LATMC_OK;
}

latmc_status latmc_get_sites(latmc_lattice *lattice, int64_t first, int64_t replicas,
                             latmc_type type, void *sites, size_t bytes)
{
    LM_FLOATS;
    lm_array asked = {.of = {first, replicas}, .type = type, .bytes = bytes};
    latmc_status status = lm_need_started(lattice, __func__);

    if (!status)
        status = lm_check_sites(lattice, __func__, &asked, sites);
    status = lm_everywhere(lattice, status); /* before anything is written */
    if (!status)
        status = lm_sites_out(lattice, __func__, &asked, sites);
    return lm_everywhere(lattice, status);
}

/* ---- given sites */

static latmc_status check_numbers(const latmc_lattice *lattice, const char *caller,
                                  const lm_array *given, const void *sites)
{
    const lm_site_type *type = lm_model_type(lattice->model, given->type);
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

/* Returns whether saved bytes of a replica are those of sites that the model has. */
static int are_saved(const latmc_lattice *lattice, const lm_leaves *leaves, const uint8_t *trunk)
{
    int are = 1;

    for (int64_t at = 0; at < leaves->numbers && are; at += leaves->span_numbers)
        are = lattice->type->check_saved(trunk + lm_numbers_bytes(leaves, at), leaves->span_numbers,
                                         lm_state_limit(lattice));
    return are;
}

static latmc_status check_bits(const latmc_lattice *lattice, const char *caller,
                               const lm_array *given, const void *sites)
{
    const uint8_t *bytes = sites;
    const lm_leaves leaves = lm_leaves_of_sites(lattice);

    for (int64_t i = 0; i < given->of.count; i++)
        if (!are_saved(lattice, &leaves, bytes + i * lm_trunk_bytes(&leaves)))
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: replica %" PRId64
                           " has a site whose digits the model %s does not have, or digits after "
                           "the last site of a layer, which must be 0",
                           caller, given->of.first + i, lattice->model->entry.name);
    return LATMC_OK;
}

/* Returns whether the host need not look at given sites: all bytes are sites of the model, and no
 * other rank was given any. */
static int are_all_allowed(const latmc_lattice *lattice, const lm_array *given)
{
    const lm_leaves leaves = lm_leaves_of_sites(lattice);

    return !lattice->ranks && given->type == LATMC_BITS && leaves.bits == 1 &&
           leaves.span_numbers == leaves.numbers && leaves.numbers % 8 == 0;
}

/* Brings sites from a device to memory of the host, which the caller frees. */
static latmc_status fetch(const char *caller, lm_array *given, const void **sites, void **fetched)
{
    latmc_status status;

    *fetched = lm_zeroed(caller, "sites from a device", (int64_t)given->bytes, 1);
    status = *fetched ? lm_sites_copy(given, caller, *fetched, *sites) : LATMC_ERROR_MEMORY;
    *sites = *fetched;
    given->owner = NULL;
    return status;
}

static latmc_status check_given(const latmc_lattice *lattice, const char *caller, lm_array *given,
                                const void **sites, void **fetched)
{
    latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, caller), caller, "sites", *sites);

    if (!status)
        status = lm_check_sites(lattice, caller, given, *sites);
    if (status || are_all_allowed(lattice, given))
        return status;
    if (given->owner && *sites)
        status = fetch(caller, given, sites, fetched);
    if (!status)
        status = (given->type == LATMC_BITS ? check_bits : check_numbers)(lattice, caller, given,
                                                                          *sites);
    if (!status)
        lm_given_array(lattice->ranks, "sites", *sites, given->bytes);
    return status;
}

/* Starts a cold lattice, with given sites in some replicas. */
static latmc_status begin_with(latmc_lattice *lattice, const char *caller, const lm_array *given,
                               const char *sites)
{
    lm_home home;
    latmc_status status = lm_check_settings(lattice, caller, lattice->sweeps);

    if (!status)
        status = lm_home_start(lattice, caller, LATMC_START_COLD, &home);
    if (status)
        return status;
    status = lm_everywhere(lattice, lm_sites_in(lattice, caller, home.plan, given, sites));
    if (status)
        lm_home_close(&home);
    else
        lm_home_take(lattice, home);
    return status;
}

static latmc_status set_sites(latmc_lattice *lattice, const char *caller, const lm_array *given,
                              const char *sites)
{
    latmc_status status;

    if (!lm_is_started(lattice))
        return begin_with(lattice, caller, given, sites);
    status = lm_home_to_device(lattice, caller);
    if (!status)
        status = lm_pending_fetch_changed(lattice, caller);
    return status ? status : lm_sites_in(lattice, caller, lattice->home.plan, given, sites);
}

latmc_status latmc_set_sites(latmc_lattice *lattice, int64_t first, int64_t replicas,
                             latmc_type type, const void *sites, size_t bytes)
{
    LM_FLOATS;
    lm_array given = {.of = {first, replicas}, .type = type, .bytes = bytes};
    void *fetched = NULL;
    latmc_status status =
        lm_everywhere(lattice, check_given(lattice, __func__, &given, &sites, &fetched));

    if (!status)
        status = lm_everywhere(lattice, set_sites(lattice, __func__, &given, sites));
    free(fetched);
    return status;
}
