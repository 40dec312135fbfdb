/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps slots, which are places of parameters; each replica has one. A caller counts by replicas
 * or by slots. */
#include "lib/settings/slots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/need.h"
#include "lib/lattice/pending.h"
#include "lib/settings/walks.h"

latmc_status lm_slots_resize(latmc_lattice *lat, const char *caller, int64_t replicas)
{
    int64_t *slots =
        lm_zeroed(caller, "the slots of all replicas", LM_STATE_ROWS * replicas, sizeof *slots);

    const latmc_status status = lm_everywhere(lat, slots ? LATMC_OK : LATMC_ERROR_MEMORY);

    if (status) {
        free(slots);
        return status;
    }
    free(lat->slots);
    lat->slots = slots;
    lat->holders = slots + replicas;
    lat->walks = lat->holders + replicas;
    lm_slots_reset(lat, replicas);
    return LATMC_OK;
}

void lm_slots_reset(latmc_lattice *lat, int64_t replicas)
{
    for (int64_t r = 0; r < replicas; r++)
        lat->slots[r] = lat->holders[r] = r;
    lm_pending_slots(lat);
    lat->pending.state_ahead = 0;
    lm_walks_reset(lat, replicas);
}

int lm_slots_moved(const latmc_lattice *lat)
{
    int64_t r = 0;

    while (r < lat->replicas && lat->slots[r] == r)
        r++;
    return r < lat->replicas;
}

static latmc_status check_slot(const latmc_lattice *lat, const char *caller, int64_t replica,
                               int64_t slot)
{
    const int64_t each = lat->replicas / lat->samples, first = replica / each * each;

    if (slot >= first && slot < first + each)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_ARGUMENT,
                   "%s: the slot of replica %" PRId64 " is %" PRId64 "; %" PRId64 " to %" PRId64
                   ", those of its sample, are allowed",
                   caller, replica, slot, first, first + each - 1);
}

/* Finds holders[slot]. Refuses slots that no replica, or more than one replica, would have. */
static latmc_status find_holders(const latmc_lattice *lat, const char *caller, const int64_t *slots,
                                 int64_t *holders)
{
    for (int64_t s = 0; s < lat->replicas; s++)
        holders[s] = -1;
    for (int64_t r = 0; r < lat->replicas; r++) {
        const latmc_status status = check_slot(lat, caller, r, slots[r]);

        if (status)
            return status;
        if (holders[slots[r]] >= 0)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: replicas %" PRId64 " and %" PRId64 " both have slot %" PRId64
                           "; each must have a slot of its own",
                           caller, holders[slots[r]], r, slots[r]);
        holders[slots[r]] = r;
    }
    return LATMC_OK;
}

static latmc_status take_slots(const latmc_lattice *lattice, const char *caller,
                               const int64_t *slots, int64_t **holders)
{
    const latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, caller), caller, "slots", slots);

    if (status)
        return status;
    lm_given_array(lattice->ranks, "slots", slots, (size_t)lattice->replicas * sizeof *slots);
    *holders = lm_zeroed(caller, "the slots of all replicas", lattice->replicas, sizeof **holders);
    return *holders ? find_holders(lattice, caller, slots, *holders) : LATMC_ERROR_MEMORY;
}

latmc_status latmc_set_slots(latmc_lattice *lattice, const int64_t *slots)
{
    int64_t *holders = NULL;
    const latmc_status status =
        lm_everywhere(lattice, take_slots(lattice, __func__, slots, &holders));

    if (!status) {
        memcpy(lattice->holders, holders, (size_t)lattice->replicas * sizeof *holders);
        memcpy(lattice->slots, slots, (size_t)lattice->replicas * sizeof *slots);
        lm_pending_slots(lattice);
        lm_walks_restart(lattice, lattice->replicas);
    }
    free(holders);
    return status;
}

static latmc_status check_ladders(const latmc_lattice *lattice, const char *caller, int64_t ladders)
{
    const latmc_status status = lm_need_lattice(lattice, caller);
    int64_t each;

    if (status)
        return status;
    each = lattice->replicas / lattice->samples;
    if (ladders < 1 || each % ladders)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: ladders is %" PRId64 "; with %" PRId64
                       " slots of a sample it must be at least 1 and divide them",
                       caller, ladders, each);
    lm_given_integer(lattice->ranks, "ladders", ladders);
    return LATMC_OK;
}

latmc_status latmc_set_ladders(latmc_lattice *lattice, int64_t ladders)
{
    const latmc_status status = lm_everywhere(lattice, check_ladders(lattice, __func__, ladders));

    if (status || ladders == lattice->ladders)
        return status;
    lattice->ladders = ladders;
    lm_pending_slots(lattice);
    lm_walks_reset(lattice, lattice->replicas);
    return LATMC_OK;
}

latmc_status latmc_get_slots(const latmc_lattice *lattice, int64_t *slots)
{
    const latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, __func__), __func__, "slots", slots);

    if (status)
        return status;
    memcpy(slots, lattice->slots, (size_t)lattice->replicas * sizeof *slots);
    return LATMC_OK;
}

latmc_status lm_order_check(const latmc_lattice *lattice, const char *caller, int64_t order)
{
    if (order != LATMC_BY_REPLICA && order != LATMC_BY_SLOT)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: order is %" PRId64
                       "; LATMC_BY_REPLICA (%d) and LATMC_BY_SLOT (%d) are allowed",
                       caller, order, LATMC_BY_REPLICA, LATMC_BY_SLOT);
    lm_given_integer(lattice->ranks, "order", order);
    return LATMC_OK;
}
