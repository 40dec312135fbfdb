/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making a lattice from a saved one. Nothing is believed: the size is compared before
 * anything large is allocated, the checksums before anything is used, and every value
 * passes through the same door as a user's.
 */
#include "lib/load.h"

#include <inttypes.h>

#include "lib/bytes.h"
#include "lib/checksum.h"
#include "lib/status.h"

latmc_status lm_damaged(const char *who, const char *what)
{
    return lm_fail(LATMC_ERROR_DAMAGED, "%s: the saved lattice has an impossible value: %s", who,
                   what);
}

latmc_status lm_as_damage(const char *who, latmc_status status)
{
    if (status != LATMC_ERROR_ARGUMENT && status != LATMC_ERROR_UNKNOWN)
        return status;
    return lm_damaged(who, latmc_error_message());
}

static latmc_status read_header(lm_source *source, uint8_t bytes[LM_HEADER_BYTES],
                                lm_header *header)
{
    const size_t have = source->size < LM_HEADER_BYTES ? (size_t)source->size : LM_HEADER_BYTES;
    latmc_status status = source->read(source, 0, bytes, have);

    if (!status)
        status = lm_header_read(source->who, bytes, have, header);
    if (!status && header->bytes != source->size)
        status = lm_fail(LATMC_ERROR_DAMAGED,
                         "%s: the data has %" PRIu64 " bytes, but the saved lattice has %" PRIu64
                         ": it is truncated, or something follows it",
                         source->who, source->size, header->bytes);
    return status;
}

static latmc_status check_payload(lm_source *source)
{
    uint8_t some[1 << 14];
    const uint8_t *expected = some;
    const uint64_t end = source->size - 8;
    lm_checksum sum;
    latmc_status status;

    lm_checksum_begin(&sum);
    for (uint64_t at = LM_HEADER_BYTES; at < end;) {
        const size_t n = end - at < sizeof some ? (size_t)(end - at) : sizeof some;

        status = source->read(source, at, some, n);
        if (status)
            return status;
        lm_checksum_add(&sum, some, n);
        at += n;
    }
    status = source->read(source, end, some, 8);
    if (!status && lm_get_u64(&expected) != lm_checksum_value(&sum))
        status = lm_fail(LATMC_ERROR_DAMAGED,
                         "%s: the saved lattice is damaged: its checksum is wrong", source->who);
    return status;
}

/* What the setters have not seen. Whatever this library would not have written, such as
 * padding that is not zero or another number of parameters, is refused too. */
static latmc_status check_built(const char *who, const latmc_lattice *lat,
                                const uint8_t bytes[LM_HEADER_BYTES])
{
    const lm_header header = lm_header_of(lat);
    uint8_t again[LM_HEADER_BYTES];

    if (lat->sweeps < 0 || lat->sweeps >= LM_MAX_SWEEPS)
        return lm_damaged(who, "number of sweeps");
    if ((int)lat->bonds.kind < LM_BONDS_UNIFORM ||
        (int)lat->bonds.kind > (lat->model->has_bonds ? LM_BONDS_DRAWN : LM_BONDS_UNIFORM))
        return lm_damaged(who, "kind of bonds");
    lm_header_write(&header, again);
    if (memcmp(bytes, again, sizeof again) != 0)
        return lm_damaged(who, "the header is not what this lattice would have");
    return LATMC_OK;
}

/* An unstarted lattice with all that the header says. */
static latmc_status build(const char *who, const lm_header *h, const uint8_t bytes[LM_HEADER_BYTES],
                          latmc_lattice **lattice)
{
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    latmc_lattice *lat;
    latmc_status status = latmc_create(&lat, lm_header_model(h), h->dims, h->extents);

    if (status)
        return lm_as_damage(who, status);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        boundaries[a] = lm_header_boundary(h, a);
    for (int i = 0; i < lat->model->type_count; i++)
        if (lat->model->types[i].saved_bits == h->site_bits)
            lat->type = &lat->model->types[i];
    status = latmc_set_replicas(lat, h->replicas);
    if (!status)
        status = latmc_set_first_replica(lat, h->first_replica);
    if (!status)
        status = latmc_set_boundaries(lat, boundaries);
    if (!status)
        status = latmc_set_seed(lat, h->seed);
    if (!status && lat->model->has_bonds)
        status = latmc_set_axis_couplings(lat, h->axis_couplings);
    lat->sweeps = h->sweeps;
    lat->bonds = (lm_bonds){.kind = (lm_bond_kind)h->bonds, .seed = h->bond_seed};
    status = status ? lm_as_damage(who, status) : check_built(who, lat, bytes);
    if (status)
        latmc_destroy(lat);
    else
        *lattice = lat;
    return status;
}

latmc_status lm_load_from(lm_source *source, latmc_lattice **lattice)
{
    uint8_t bytes[LM_HEADER_BYTES] = {0};
    latmc_lattice *lat = NULL;
    lm_header header;
    latmc_status status = read_header(source, bytes, &header);

    if (!status)
        status = build(source->who, &header, bytes, &lat);
    if (status)
        return status;
    status = check_payload(source);
    if (!status)
        status = lm_load_payload(source, lat);
    if (status)
        latmc_destroy(lat);
    else
        *lattice = lat;
    return status;
}
