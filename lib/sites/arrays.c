/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves sites at once if the plan can, and otherwise by batches of the lattice's own numbers, which
 * are converted here. */
#include "lib/sites/arrays.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/divide/workers.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_leaves.h"
#include "lib/lattice/rows.h"

int64_t lm_type_bytes(const latmc_lattice *lattice, latmc_type type)
{
    const lm_leaves leaves = lm_leaves_of_sites(lattice);

    return type == LATMC_BITS
               ? lm_trunk_bytes(&leaves)
               : lm_replica_numbers(lattice) * lm_model_type(lattice->model, type)->entry.bytes;
}

/* ---- all at once */

static lm_crossing crossing_of(const latmc_lattice *lattice, const lm_array *s)
{
    const int bits = s->type == LATMC_BITS, own = (int)s->type == lattice->type->entry.id;
    const int64_t pitch = lm_type_bytes(lattice, s->type), layer = lm_layer_rows(lattice);

    return (lm_crossing){.workers = lm_workers,
                         .share = lm_workers_share,
                         .needs = (bits  ? LM_CROSS_BITS
                                   : own ? 0u
                                         : LM_CROSS_REALS) |
                                  (s->owner ? LM_CROSS_DEVICE : 0u),
                         .bits = bits ? lattice->type->entry.bits
                                      : 8 * lm_model_type(lattice->model, s->type)->entry.bytes,
                         .replica = s->of.first,
                         .replicas = s->of.count,
                         .rows = lattice->rows,
                         .layer_rows = layer,
                         .layer_bytes = pitch / (lattice->rows / layer),
                         .pitch = pitch};
}

/* Ranks gather sites, and not all of them may want any. */
static int crosses_at_once(const latmc_lattice *lattice, lm_plan plan, unsigned needs)
{
    return lm_ranks_count(lattice->ranks) == 1 && plan.ops && plan.ops->cross &&
           lm_plan_crosses(plan, needs);
}

/* ---- by batches */

/* Only these two types occur together in one model. */
static void convert(const void *from, latmc_type type, void *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (type == LATMC_FLOAT32)
            ((double *)to)[i] = (double)((const float *)from)[i];
        else
            ((float *)to)[i] = (float)((const double *)from)[i];
}

/* Returns where the sites of a batch are in an array. */
static size_t place_of(const latmc_lattice *lattice, const lm_array *s, const lm_batch *b)
{
    const int64_t replicas = (b->replica - s->of.first) * lm_type_bytes(lattice, s->type);
    const int64_t numbers = b->rows.first * lm_row_numbers(lattice);
    const lm_leaves leaves = lm_leaves_of_sites(lattice);

    return (size_t)(replicas +
                    (s->type == LATMC_BITS
                         ? lm_numbers_bytes(&leaves, numbers)
                         : numbers * lm_model_type(lattice->model, s->type)->entry.bytes));
}

/* Packs a batch of the lattice's own numbers, whose first row in the array begins at `bytes`. */
static void pack(const latmc_lattice *lattice, const lm_batch *b, const char *numbers,
                 uint8_t *bytes)
{
    const int64_t each = b->rows.count * lm_row_numbers(lattice);
    const lm_leaves leaves = lm_leaves_of_sites(lattice);

    for (int64_t i = 0; i < b->replicas; i++)
        lm_leaves_encode(&leaves, numbers + i * each * leaves.size, each,
                         bytes + i * lm_trunk_bytes(&leaves));
}

/* Is the inverse of pack(). `bytes` are those of all sites of the batch's replicas. */
static void unpack(const latmc_lattice *lattice, const lm_batch *b, const uint8_t *bytes,
                   char *numbers)
{
    const int64_t width = lm_row_numbers(lattice), each = b->rows.count * width;
    const lm_leaves leaves = lm_leaves_of_sites(lattice);

    for (int64_t i = 0; i < b->replicas; i++)
        lm_leaves_decode(&leaves, bytes + i * lm_trunk_bytes(&leaves), b->rows.first * width, each,
                         lattice->type->decode, numbers + i * each * leaves.size);
}

void lm_unpack_sites(const latmc_lattice *lattice, const uint8_t *trunk, latmc_type type,
                     void *buffer, void *sites)
{
    const latmc_type own = (latmc_type)lattice->type->entry.id;
    const lm_batch all = {0, 1, {0, lattice->rows}};

    if (type == LATMC_BITS)
        memcpy(sites, trunk, (size_t)lm_type_bytes(lattice, type));
    else
        unpack(lattice, &all, trunk, type == own ? sites : buffer);
    if (type != LATMC_BITS && type != own)
        convert(buffer, own, sites, lm_replica_numbers(lattice));
}

/* Converts a batch of the lattice's own numbers to what was asked for. */
static void give(const latmc_lattice *lattice, const lm_array *asked, const lm_batch *b,
                 const void *own, char *sites)
{
    char *const to = sites + place_of(lattice, asked, b);

    if (asked->type == LATMC_BITS)
        pack(lattice, b, own, (uint8_t *)to);
    else
        convert(own, (latmc_type)lattice->type->entry.id, to, lm_batch_numbers(lattice, b));
}

static latmc_status get_batches(const latmc_lattice *lattice, const char *caller, const lm_array *s,
                                char *sites)
{
    const int as_asked = sites && (int)s->type == lattice->type->entry.id;
    void *buffer = lm_zeroed(caller, "some rows of sites", as_asked ? 0 : lm_batch_room(lattice),
                             lattice->type->entry.bytes);
    latmc_status status = buffer ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (lm_batch b = {0}; !status && lm_next_batch_of(lattice, s->of, &b);) {
        status =
            lm_get_batch(lattice, caller, &b, as_asked ? sites + place_of(lattice, s, &b) : buffer);
        if (!status && sites && !as_asked)
            give(lattice, s, &b, buffer, sites);
    }
    free(buffer);
    return status;
}

/* Converts a batch of given sites to the lattice's own numbers, and to values that a lattice may
 * have. */
static void take(const latmc_lattice *lattice, const lm_array *given, const lm_batch *b,
                 const char *sites, void *to)
{
    const lm_site_type *own = lattice->type;
    const int64_t count = lm_batch_numbers(lattice, b);
    const char *const from = sites + place_of(lattice, given, b);

    if (given->type == LATMC_BITS)
        unpack(lattice, b,
               (const uint8_t *)sites +
                   (b->replica - given->of.first) * lm_type_bytes(lattice, given->type),
               to);
    else if ((int)given->type == own->entry.id)
        memcpy(to, from, (size_t)(count * own->entry.bytes));
    else
        convert(from, given->type, to, count);
    if (own->normalise)
        own->normalise(to, count, lm_state_limit(lattice));
}

static latmc_status put_batches(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                                const lm_array *given, const char *sites)
{
    void *buffer =
        lm_zeroed(caller, "some rows of sites", lm_batch_room(lattice), lattice->type->entry.bytes);
    latmc_status status = buffer ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (lm_batch b = {0}; !status && lm_next_batch_of(lattice, given->of, &b);) {
        take(lattice, given, &b, sites, buffer);
        status = lm_put_batch(lattice, caller, plan, &b, buffer);
    }
    free(buffer);
    return status;
}

/* ---- what the calls do */

latmc_status lm_sites_copy(const lm_array *s, const char *caller, void *to, const void *from)
{
    return lm_fail_in(caller, s->owner->copy(s->device, to, from, s->bytes));
}

static latmc_status get_to_host(const latmc_lattice *lattice, const char *caller,
                                const lm_array *asked, char *sites)
{
    lm_crossing c = crossing_of(lattice, asked);

    c.out = sites;
    c.needs &= ~(unsigned)LM_CROSS_DEVICE;
    return sites && crosses_at_once(lattice, lattice->home.plan, c.needs)
               ? lm_fail_in(caller, lm_plan_cross(lattice->home.plan, &c))
               : get_batches(lattice, caller, asked, sites);
}

/* Sites that the plan cannot write to a device go through memory of the host. */
static latmc_status get_through_host(const latmc_lattice *lattice, const char *caller,
                                     const lm_array *asked, char *sites)
{
    char *here = lm_zeroed(caller, "sites on their way to a device", (int64_t)asked->bytes, 1);
    latmc_status status = here ? LATMC_OK : LATMC_ERROR_MEMORY;

    if (!status)
        status = get_to_host(lattice, caller, asked, here);
    if (!status)
        status = lm_sites_copy(asked, caller, sites, here);
    free(here);
    return status;
}

latmc_status lm_sites_out(const latmc_lattice *lattice, const char *caller, const lm_array *asked,
                          char *sites)
{
    lm_crossing c;

    if (!sites || !asked->owner)
        return get_to_host(lattice, caller, asked, sites);
    c = crossing_of(lattice, asked);
    c.out = sites;
    return crosses_at_once(lattice, lattice->home.plan, c.needs)
               ? lm_fail_in(caller, lm_plan_cross(lattice->home.plan, &c))
               : get_through_host(lattice, caller, asked, sites);
}

/* Sites that the plan cannot read from a device go through memory of the host. */
static latmc_status put_through_host(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                                     const lm_array *given, const char *sites)
{
    char *here = lm_unzeroed(caller, "sites from a device", (int64_t)given->bytes, 1);
    latmc_status status = here ? LATMC_OK : LATMC_ERROR_MEMORY;

    if (!status)
        status = lm_sites_copy(given, caller, here, sites);
    if (!status)
        status = put_batches(lattice, caller, plan, given, here);
    free(here);
    return status;
}

latmc_status lm_sites_in(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                         const lm_array *given, const char *sites)
{
    lm_crossing c = crossing_of(lattice, given);

    c.in = sites;
    if (!lattice->type->normalise && crosses_at_once(lattice, plan, c.needs))
        return lm_fail_in(caller, lm_plan_cross(plan, &c));
    return (given->owner ? put_through_host : put_batches)(lattice, caller, plan, given, sites);
}
