/* SPDX-License-Identifier: BSD-3-Clause */
/* The payload of a saved lattice, whose checksum is known to be right, becomes the lattice's. */
#include "lib/load.h"

#include <stdlib.h>

#include "lib/bytes.h"
#include "lib/status.h"

/* The payload on its way in. */
typedef struct payload {
    lm_source *source;
    uint64_t offset;
} payload;

static latmc_status take(payload *p, void *data, int64_t bytes)
{
    latmc_status status = p->source->read(p->source, p->offset, data, (size_t)bytes);

    p->offset += (uint64_t)bytes;
    return status;
}

static latmc_status take_doubles(payload *p, double *values, int64_t count)
{
    uint8_t some[8 * 512];
    latmc_status status = LATMC_OK;

    for (int64_t i = 0; i < count && !status;) {
        const int64_t left = count - i;
        const int64_t n = left < 512 ? left : 512;
        const uint8_t *from = some;

        status = take(p, some, 8 * n);
        for (int64_t j = 0; j < n && !status; j++)
            values[i++] = lm_get_f64(&from);
    }
    return status;
}

static latmc_status take_params(payload *p, latmc_lattice *lat)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);
    double *values = lm_zeroed(lat->replicas, sizeof *values);
    latmc_status status = LATMC_OK;

    if (!values)
        return lm_no_memory(p->source->who, (double)lat->replicas * sizeof *values);
    for (int i = 0; i < list->count && !status; i++) {
        status = take_doubles(p, values, lat->replicas);
        if (!status)
            status = latmc_set_params(lat, (latmc_param)list->entries[i].id, values);
    }
    free(values);
    return lm_as_damage(p->source->who, status);
}

static latmc_status take_changed(payload *p, latmc_lattice *lat)
{
    latmc_status status = take_doubles(p, lat->changed, lat->replicas);

    for (int64_t r = 0; r < lat->replicas && !status; r++) {
        const double c = lat->changed[r];

        if (!(c >= 0.0 && c <= (double)lat->sites) ||
            (lat->model->whole_moves && c != (double)(int64_t)c))
            status = lm_damaged(p->source->who, "number of changed sites");
    }
    return status;
}

static latmc_status take_bonds(payload *p, latmc_lattice *lat)
{
    const int64_t count = lat->dims * lat->sites;
    latmc_status status;

    if (lat->bonds.kind != LM_BONDS_GIVEN)
        return LATMC_OK;
    lat->bonds.values = lm_zeroed(count, 1);
    if (!lat->bonds.values)
        return lm_no_memory(p->source->who, (double)count);
    status = take(p, lat->bonds.values, count);
    for (int64_t i = 0; i < count && !status; i++)
        if (lat->bonds.values[i] < -1 || lat->bonds.values[i] > 1)
            status = lm_damaged(p->source->who, "coupling of a bond");
    return status;
}

static latmc_status take_replica(payload *p, const latmc_lattice *lat, lm_place place,
                                 int64_t replica, void *sites, uint8_t *encoded)
{
    const int64_t chunk = lm_chunk_rows(lat);
    latmc_status status = LATMC_OK;

    for (int64_t first = 0; first < lat->rows && !status; first += chunk) {
        const int64_t left = lat->rows - first;
        const int64_t rows = left < chunk ? left : chunk;
        const int64_t count = rows * lat->extents[0];

        status = take(p, encoded, (count * lat->type->saved_bits + 7) / 8);
        if (!status && !lat->type->decode(encoded, count, sites))
            status = lm_damaged(p->source->who, "site");
        if (!status)
            status = place.device->backend->put_sites(place.plan, replica, first, rows, sites);
    }
    return status;
}

static latmc_status take_sites(payload *p, const latmc_lattice *lat, lm_place place)
{
    const int64_t count = lm_chunk_rows(lat) * lat->extents[0];
    const int64_t bytes = (count * lat->type->saved_bits + 7) / 8;
    void *sites = lm_zeroed(count, (int64_t)lat->type->bytes);
    uint8_t *encoded = lm_zeroed(bytes, 1);
    latmc_status status = LATMC_OK;

    if (!sites || !encoded)
        status = lm_no_memory(p->source->who, (double)count * (double)lat->type->bytes);
    for (int64_t r = 0; r < lat->replicas && !status; r++)
        status = take_replica(p, lat, place, r, sites, encoded);
    if (!status)
        status = place.device->backend->wait(place.plan);
    free(sites);
    free(encoded);
    return status;
}

/* The lattice gets its sites, on the device that "auto" is. */
static latmc_status settle(payload *p, latmc_lattice *lat)
{
    const lm_device *device;
    lm_place place;
    latmc_status status = lm_place_choose(lat, p->source->who, &device);

    if (!status)
        status = lm_place_open(lat, p->source->who, device, &place);
    if (status)
        return status;
    status = take_sites(p, lat, place);
    if (status)
        lm_place_close(&place);
    else
        lm_place_take(lat, place);
    return status;
}

latmc_status lm_load_payload(lm_source *source, latmc_lattice *lat)
{
    payload p = {.source = source, .offset = LM_HEADER_BYTES};
    latmc_status status = take_params(&p, lat);

    if (!status)
        status = take_changed(&p, lat);
    if (!status)
        status = take_bonds(&p, lat);
    return status ? status : settle(&p, lat);
}
