/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The payload of a saved lattice becomes the lattice's: all of it is read once, its checksum
 * compared, and only then looked at. Sites stay as they are saved until a device is to have them.
 */
#include "lib/load.h"

#include <stdlib.h>

#include "lib/bytes.h"
#include "lib/checksum.h"
#include "lib/status.h"

enum { PIECE = 1 << 20 }; /* bytes that a cache holds from reading to summing */

/* The payload on its way in. */
typedef struct payload {
    lm_source *source;
    uint64_t offset;
    lm_checksum sum;
    uint8_t *numbers; /* parameters and changed sites */
} payload;

static latmc_status take(payload *p, uint8_t *to, int64_t bytes)
{
    latmc_status status = LATMC_OK;

    for (lm_chunk c = {0}; !status && lm_next_chunk(&c, bytes, PIECE);) {
        status = p->source->read(p->source, p->offset, to + c.first, (size_t)c.count);
        if (!status)
            lm_checksum_add(&p->sum, to + c.first, (size_t)c.count);
        p->offset += (uint64_t)c.count;
    }
    return status;
}

static int64_t number_bytes(const latmc_lattice *lat)
{
    return 8 * (lm_list_of(lat->model, LATMC_PARAMS)->count + 1) * lat->replicas;
}

static int64_t site_bytes(const latmc_lattice *lat)
{
    return lat->replicas * lm_saved_replica_bytes(lat);
}

/* Memory comes first: what a host has no room for need not be read. */
static latmc_status make_room(payload *p, latmc_lattice *lat)
{
    const char *const caller = p->source->who;
    latmc_status status = LATMC_OK;

    p->numbers = lm_zeroed(caller, "a saved lattice's parameters", number_bytes(lat), 1);
    for (int owner = 0; owner < LM_OWNERS && p->numbers && !status; owner++)
        if (lat->disorder[owner].kind == LM_GIVEN)
            status = lm_disorder_room(lat, caller, (lm_owner)owner, &lat->disorder[owner]);
    if (p->numbers && !status)
        lat->place.held = lm_zeroed(caller, "a saved lattice's sites", site_bytes(lat), 1);
    return lat->place.held ? LATMC_OK : LATMC_ERROR_MEMORY;
}

static latmc_status take_all(payload *p, latmc_lattice *lat)
{
    uint8_t last[8];
    const uint8_t *expected = last;
    latmc_status status = take(p, p->numbers, number_bytes(lat));

    for (int owner = 0; owner < LM_OWNERS && !status; owner++)
        status = take(p, lm_disorder_given(&lat->disorder[owner]),
                      lm_disorder_bytes(lat, (lm_owner)owner));
    if (!status)
        status = take(p, lat->place.held, site_bytes(lat));
    if (!status)
        status = p->source->read(p->source, p->offset, last, sizeof last);
    if (!status && lm_get_u64(&expected) != lm_checksum_value(&p->sum))
        status = lm_fail(LATMC_ERROR_DAMAGED, "%s: %s is damaged: its checksum is wrong",
                         p->source->who, p->source->name);
    return status;
}

/* ---- what was read, value by value */

static void decode_doubles(const uint8_t **from, double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = lm_get_f64(from);
}

static latmc_status use_params(const lm_source *source, const uint8_t **from, latmc_lattice *lat)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);
    double *values =
        lm_zeroed(source->who, "a parameter of all replicas", lat->replicas, sizeof *values);
    latmc_status status = LATMC_OK;

    if (!values)
        return LATMC_ERROR_MEMORY;
    for (int i = 0; i < list->count && !status; i++) {
        decode_doubles(from, values, lat->replicas);
        status = latmc_set_params(lat, (latmc_param)list->entries[i].id, values);
    }
    free(values);
    return status ? lm_as_damage(source, status) : LATMC_OK;
}

static latmc_status use_changed(const lm_source *source, const uint8_t **from, latmc_lattice *lat)
{
    decode_doubles(from, lat->changed, lat->replicas);
    for (int64_t r = 0; r < lat->replicas; r++) {
        const double c = lat->changed[r];

        if (!(c >= 0.0 && c <= (double)lat->sites) ||
            (lat->model->whole_moves && c != (double)(int64_t)c))
            return lm_damaged(source, "number of changed sites");
    }
    return LATMC_OK;
}

static latmc_status use_signs(const lm_source *source, latmc_lattice *lat, lm_disorder *own)
{
    const int64_t each = lm_disorder_each(lat, LM_OF_BONDS);

    for (int64_t i = 0; i < lat->samples * each; i++) {
        if (own->signs[i] < -1 || own->signs[i] > 1)
            return lm_damaged(source, "coupling of a bond");
        own->gaps[i / each] |= own->signs[i] == 0;
    }
    return LATMC_OK;
}

/* Numbers become what they are where they were read. */
static latmc_status use_reals(const lm_source *source, const latmc_lattice *lat, lm_owner owner,
                              double *reals)
{
    const uint8_t *from = (const uint8_t *)reals;

    for (int64_t i = 0; i < lat->samples * lm_disorder_each(lat, owner); i++) {
        reals[i] = lm_get_f64(&from);
        if (!(reals[i] >= -LM_MAX_REAL && reals[i] <= LM_MAX_REAL))
            return lm_damaged(source,
                              owner == LM_OF_BONDS ? "coupling of a bond" : "field of a site");
    }
    return LATMC_OK;
}

static latmc_status use_disorder(const lm_source *source, latmc_lattice *lat, lm_owner owner)
{
    lm_disorder *own = &lat->disorder[owner];

    if (own->kind != LM_GIVEN)
        return LATMC_OK;
    return lm_keeps_signs(lat, owner) ? use_signs(source, lat, own)
                                      : use_reals(source, lat, owner, own->reals);
}

static latmc_status check_sites(const lm_source *source, const latmc_lattice *lat)
{
    for (int64_t r = 0; r < lat->replicas; r++)
        if (!lat->type->check_saved(lat->place.held + r * lm_saved_replica_bytes(lat),
                                    lm_replica_numbers(lat)))
            return lm_damaged(source, "site");
    return LATMC_OK;
}

latmc_status lm_load_payload(lm_source *source, const uint8_t bytes[LM_HEADER_BYTES],
                             latmc_lattice *lat)
{
    payload p = {.source = source, .offset = LM_HEADER_BYTES};
    const uint8_t *from;
    latmc_status status = make_room(&p, lat);

    lm_checksum_begin(&p.sum);
    lm_checksum_add(&p.sum, bytes, LM_HEADER_BYTES);
    if (!status)
        status = take_all(&p, lat);
    from = p.numbers;
    if (!status)
        status = use_params(source, &from, lat);
    if (!status)
        status = use_changed(source, &from, lat);
    for (int owner = 0; owner < LM_OWNERS && !status; owner++)
        status = use_disorder(source, lat, (lm_owner)owner);
    if (!status)
        status = check_sites(source, lat);
    free(p.numbers);
    return status;
}
