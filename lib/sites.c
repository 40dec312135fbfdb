/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites in and out, and their hash. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/checksum.h"
#include "lib/lattice.h"
#include "lib/status.h"

static latmc_status check_request(const latmc_lattice *lattice, const char *who, int64_t replica,
                                  latmc_type type, const void *sites, int64_t count)
{
    if (!sites)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: sites is NULL", who);
    if (replica < 0 || replica >= lattice->replicas)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: replica is %" PRId64 "; 0 to %" PRId64 " are allowed", who, replica,
                       lattice->replicas - 1);
    if (type != lattice->type->id)
        return lm_fail(
            LATMC_ERROR_UNKNOWN,
            "%s: sites of this lattice of the model %s have no type number %d; they have %d", who,
            lattice->model->entry.name, (int)type, (int)lattice->type->id);
    if (count != lattice->sites)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: count is %" PRId64 "; it must be %" PRId64 ", the lattice's sites", who,
                       count, lattice->sites);
    return LATMC_OK;
}

latmc_status latmc_get_sites(latmc_lattice *lattice, int64_t replica, latmc_type type, void *sites,
                             int64_t count)
{
    const char *const who = "latmc_get_sites";
    latmc_status status = lm_need_started(lattice, who);

    if (!status)
        status = check_request(lattice, who, replica, type, sites, count);
    if (status)
        return status;
    return lattice->place.device->backend->get_sites(lattice->place.plan, replica, 0, lattice->rows,
                                                     sites);
}

static latmc_status put_all(const latmc_lattice *lattice, lm_place place, int64_t replica,
                            const void *sites)
{
    return place.device->backend->put_sites(place.plan, replica, 0, lattice->rows, sites);
}

/* A cold lattice but for one replica. */
static latmc_status begin_with(latmc_lattice *lattice, const char *who, int64_t replica,
                               const void *sites)
{
    lm_place place;
    latmc_status status = lm_open_started(lattice, who, LATMC_START_COLD, &place);

    if (status)
        return status;
    status = put_all(lattice, place, replica, sites);
    if (status)
        lm_place_close(&place);
    else
        lm_place_take(lattice, place);
    return status;
}

latmc_status latmc_set_sites(latmc_lattice *lattice, int64_t replica, latmc_type type,
                             const void *sites, int64_t count)
{
    const char *const who = "latmc_set_sites";
    latmc_status status = lm_need(lattice, who);
    int64_t bad;

    if (!status)
        status = check_request(lattice, who, replica, type, sites, count);
    if (status)
        return status;
    bad = lattice->type->check(sites, count);
    if (bad < count)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: site %" PRId64 " has a value that the model %s does not have; "
                       "it must be %s",
                       who, bad, lattice->model->entry.name, lattice->type->allowed);
    if (!lattice->place.plan)
        return begin_with(lattice, who, replica, sites);
    status = lm_fetch_changed(lattice, who);
    return status ? status : put_all(lattice, lattice->place, replica, sites);
}

static latmc_status hash_replica(const latmc_lattice *lattice, int64_t replica, void *buffer,
                                 lm_checksum *sum)
{
    const lm_place place = lattice->place;
    const int64_t chunk = lm_chunk_rows(lattice);
    latmc_status status = LATMC_OK;

    for (int64_t first = 0; first < lattice->rows && !status; first += chunk) {
        const int64_t left = lattice->rows - first;
        const int64_t rows = left < chunk ? left : chunk;

        status = place.device->backend->get_sites(place.plan, replica, first, rows, buffer);
        if (!status)
            lm_checksum_add(sum, buffer,
                            (size_t)(rows * lattice->extents[0]) * lattice->type->bytes);
    }
    return status;
}

latmc_status latmc_state_hash(latmc_lattice *lattice, uint64_t *hash)
{
    const char *const who = "latmc_state_hash";
    latmc_status status = lm_need_started(lattice, who);
    lm_checksum sum;
    int64_t count;
    void *buffer;

    if (status)
        return status;
    if (!hash)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: hash is NULL", who);
    count = lm_chunk_rows(lattice) * lattice->extents[0];
    buffer = lm_zeroed(count, (int64_t)lattice->type->bytes);
    if (!buffer)
        return lm_no_memory(who, (double)count * (double)lattice->type->bytes);
    lm_checksum_begin(&sum);
    for (int64_t r = 0; r < lattice->replicas && !status; r++)
        status = hash_replica(lattice, r, buffer, &sum);
    free(buffer);
    if (!status)
        *hash = lm_checksum_value(&sum);
    return status;
}
