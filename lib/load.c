/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making a lattice from a saved one. Nothing is believed: the size is compared before
 * anything large is allocated, the checksums before anything is used, and every value
 * passes through the same door as a user's. Every byte is read once, so that what is used is
 * what was summed, however the file changes meanwhile.
 */
#include "lib/load.h"

#include <inttypes.h>
#include <string.h>

#include "lib/status.h"

latmc_status lm_damaged(const lm_source *source, const char *what)
{
    return lm_fail(LATMC_ERROR_DAMAGED, "%s: %s has an impossible value: %s", source->who,
                   source->name, what);
}

latmc_status lm_as_damage(const lm_source *source, latmc_status status)
{
    if (status != LATMC_ERROR_ARGUMENT && status != LATMC_ERROR_UNKNOWN)
        return lm_fail_in(source->who, status);
    return lm_damaged(source, latmc_error_message());
}

static latmc_status read_header(lm_source *source, uint8_t bytes[LM_HEADER_BYTES],
                                lm_header *header)
{
    const size_t have = source->size < LM_HEADER_BYTES ? (size_t)source->size : LM_HEADER_BYTES;
    latmc_status status = source->read(source, 0, bytes, have);

    if (!status)
        status = lm_header_read(source, bytes, have, header);
    if (!status && header->bytes != source->size)
        status = lm_fail(LATMC_ERROR_DAMAGED,
                         "%s: %s has %" PRIu64 " bytes, but its header says %" PRIu64
                         ": it is truncated, or something follows it",
                         source->who, source->name, source->size, header->bytes);
    return status;
}

/* What the setters have not seen. Whatever this library would not have written, such as
 * padding that is not zero or another number of parameters, is refused too. */
static latmc_status check_built(const lm_source *source, const latmc_lattice *lat,
                                const uint8_t bytes[LM_HEADER_BYTES])
{
    const lm_header header = lm_header_of(lat);
    uint8_t again[LM_HEADER_BYTES];

    if (lat->sweeps < 0 || lat->sweeps >= LM_MAX_SWEEPS)
        return lm_damaged(source, "number of sweeps");
    lm_header_write(&header, again);
    if (memcmp(bytes, again, sizeof again) != 0)
        return lm_damaged(source, "the header is not what this lattice would have");
    return LATMC_OK;
}

static latmc_status set_options(latmc_lattice *lat, const lm_header *h)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_OPTIONS);
    latmc_status status = LATMC_OK;

    for (int i = 0; i < list->count && !status; i++)
        status = latmc_set_option(lat, (latmc_option)list->entries[i].id, h->options[i]);
    return status;
}

/* Given ones come with the payload. A kind that the lattice has not taken over is noticed after. */
static latmc_status build_disorder(const lm_header_disorder *d, lm_owner owner, latmc_lattice *lat)
{
    const lm_list *known = lm_list_of(lat->model, LATMC_ARGUMENTS);
    const latmc_distribution distribution = lm_header_distribution(d);
    latmc_argument arguments[LM_ARGUMENTS];
    double values[LM_ARGUMENTS];
    int count = 0;

    if (d->kind == LM_GIVEN && lm_has(lat, owner))
        lat->disorder[owner].kind = LM_GIVEN;
    if (d->kind != LM_DRAWN)
        return LATMC_OK;
    for (int i = 0; i < known->count; i++)
        if (known->entries[i].distribution == (int)distribution) {
            arguments[count] = (latmc_argument)known->entries[i].id;
            values[count++] = d->arguments[LM_ARGUMENT(known->entries[i].id)];
        }
    return (owner == LM_OF_BONDS ? latmc_draw_bond_couplings : latmc_draw_site_fields)(
        lat, distribution, d->seed, count, arguments, values);
}

static latmc_status build_all_disorder(const lm_header *h, latmc_lattice *lat)
{
    latmc_status status = LATMC_OK;

    if (lm_has(lat, LM_OF_BONDS) || lm_has(lat, LM_OF_SITES))
        status = latmc_set_samples(lat, h->samples, h->first_sample);
    for (int owner = 0; owner < LM_OWNERS && !status; owner++)
        status = build_disorder(&h->disorder[owner], (lm_owner)owner, lat);
    return status;
}

/* An unstarted lattice with all that the header says. */
static latmc_status build(const lm_source *source, const lm_header *h,
                          const uint8_t bytes[LM_HEADER_BYTES], latmc_lattice **lattice)
{
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    latmc_lattice *lat;
    latmc_status status = latmc_create(&lat, lm_header_model(h), h->dims, h->extents);

    if (status)
        return lm_as_damage(source, status);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        boundaries[a] = lm_header_boundary(h, a);
    status = set_options(lat, h);
    if (!status)
        status = latmc_set_replicas(lat, h->replicas);
    if (!status)
        status = latmc_set_first_replica(lat, h->first_replica);
    if (!status)
        status = latmc_set_boundaries(lat, boundaries);
    if (!status)
        status = latmc_set_seed(lat, h->seed);
    if (!status && lm_has(lat, LM_OF_BONDS))
        status = latmc_set_axis_couplings(lat, h->axis_couplings);
    if (!status)
        status = build_all_disorder(h, lat);
    lat->sweeps = h->sweeps;
    status = status ? lm_as_damage(source, status) : check_built(source, lat, bytes);
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
        status = build(source, &header, bytes, &lat);
    if (status)
        return status;
    status = lm_load_payload(source, bytes, lat);
    if (status)
        latmc_destroy(lat);
    else
        *lattice = lat;
    return status;
}
