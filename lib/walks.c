/* SPDX-License-Identifier: BSD-3-Clause */
/* What exchanges have come to: how often neighbouring slots changed replicas, and how replicas
 * walked from one end of their ladder to the other. doc/trajectory.md, "Walks". */
#include <string.h>

#include "lib/lattice.h"
#include "lib/status.h"

/* Where the replica's walk is after it has come to a place. */
static int64_t end_of(int64_t before, int64_t place, int64_t each)
{
    if (each > 1 && place == 0)
        return LM_AT_FIRST;
    if (each > 1 && place == each - 1)
        return before == LM_AT_FIRST || before == LM_ON_RETURN ? LM_ON_RETURN : LM_AT_LAST;
    return before;
}

void lm_walks_restart(latmc_lattice *lat, int64_t replicas)
{
    const int64_t each = lm_ladder_slots(lat, replicas);
    int64_t *ends = lat->walks + LM_ENDS * replicas;

    for (int64_t r = 0; r < replicas; r++)
        ends[r] = end_of(LM_AT_NONE, lat->slots[r] % each, each);
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

void lm_walks_follow(latmc_lattice *lat, int64_t ladder)
{
    const int64_t each = lm_ladder_slots(lat, lat->replicas), first = ladder * each;
    const int64_t *holders = lat->holders + first;
    int64_t *ends = lm_walk_of(lat, LM_ENDS), *trips = lm_walk_of(lat, LM_ROUND_TRIPS);
    int64_t *from_first = lm_walk_of(lat, LM_FROM_FIRST) + first;
    int64_t *from_last = lm_walk_of(lat, LM_FROM_LAST) + first;

    if (each == 1)
        return;
    trips[holders[0]] += ends[holders[0]] == LM_ON_RETURN;
    ends[holders[0]] = end_of(ends[holders[0]], 0, each);
    ends[holders[each - 1]] = end_of(ends[holders[each - 1]], each - 1, each);
    for (int64_t s = 0; s < each; s++) {
        const int64_t end = ends[holders[s]];

        from_first[s] += end == LM_AT_FIRST;
        from_last[s] += end > LM_AT_FIRST;
    }
}

/* ---- reading */

static latmc_status need_some(const latmc_lattice *lattice, const char *caller, int wanted)
{
    const latmc_status status = lm_need(lattice, caller);

    if (status || wanted)
        return status;
    return lm_fail(LATMC_ERROR_ARGUMENT, "%s: all arrays are NULL; at least one is needed", caller);
}

static void copy(const latmc_lattice *lattice, lm_walk kind, int64_t *to)
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
    const latmc_status status = lm_need(lattice, __func__);

    if (status)
        return status;
    if (!round_trips)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: round_trips is NULL", __func__);
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
    const latmc_status status = lm_need(lattice, __func__);

    if (status)
        return status;
    lm_walks_reset(lattice, lattice->replicas);
    return LATMC_OK;
}
