/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps statistics of exchanges. They say how often neighbouring slots changed replicas, and how
 * replicas walked from one end of their ladder to the other: doc/trajectory.md, "Walks". */
#include "lib/settings/walks.h"

#include <string.h>

#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/need.h"
#include "lib/physics/exchange_rule.h"

void lm_walks_restart(latmc_lattice *lat, int64_t replicas)
{
    const int64_t each = lm_ladder_slots(lat, replicas);
    int64_t *ends = lat->walks + LM_ENDS * replicas;

    for (int64_t r = 0; r < replicas; r++)
        ends[r] = lm_walk_end(LM_AT_NONE, lat->slots[r] % each, each);
    lat->pending.state = 1;
}

void lm_walks_reset(latmc_lattice *lat, int64_t replicas)
{
    memset(lat->walks, 0, (size_t)(LM_WALKS * replicas) * sizeof *lat->walks);
    lm_walks_restart(lat, replicas);
}

int lm_walks_counted(const latmc_lattice *lat)
{
    int64_t any = 0;

    for (int64_t i = 0; i < LM_ENDS * lat->replicas; i++)
        any |= lat->walks[i];
    return any != 0;
}

/* ---- reading */

static latmc_status need_some(const latmc_lattice *lattice, const char *caller, int wanted)
{
    const latmc_status status = lm_need_lattice(lattice, caller);

    if (status || wanted)
        return status;
    return lm_fail(LATMC_ERROR_ARGUMENT, "%s: all arrays are NULL; at least one is needed", caller);
}

static void copy(const latmc_lattice *lattice, lm_walk_row kind, int64_t *to)
{
    if (to)
        memcpy(to, lm_walk_of(lattice, kind), (size_t)lattice->replicas * sizeof *to);
}

latmc_status latmc_get_exchange_counts(const latmc_lattice *lattice, int64_t *offered,
                                       int64_t *accepted)
{
    const latmc_status status = need_some(lattice, __func__, offered || accepted);

    if (status)
        return status;
    copy(lattice, LM_OFFERED, offered);
    copy(lattice, LM_ACCEPTED, accepted);
    return LATMC_OK;
}

latmc_status latmc_get_round_trips(const latmc_lattice *lattice, int64_t *round_trips)
{
    const latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, __func__), __func__, "round_trips", round_trips);

    if (status)
        return status;
    copy(lattice, LM_ROUND_TRIPS, round_trips);
    return LATMC_OK;
}

latmc_status latmc_get_walks(const latmc_lattice *lattice, int64_t *from_first, int64_t *from_last)
{
    const latmc_status status = need_some(lattice, __func__, from_first || from_last);

    if (status)
        return status;
    copy(lattice, LM_FROM_FIRST, from_first);
    copy(lattice, LM_FROM_LAST, from_last);
    return LATMC_OK;
}

latmc_status latmc_reset_exchange_counts(latmc_lattice *lattice)
{
    const latmc_status status = lm_everywhere(lattice, lm_need_lattice(lattice, __func__));

    if (status)
        return status;
    lm_walks_reset(lattice, lattice->replicas);
    return LATMC_OK;
}
