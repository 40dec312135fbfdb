/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the sites of replicas onto those of others. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/home.h"
#include "lib/lattice/need.h"
#include "lib/lattice/pending.h"

/* Refuses numbers that are not of the replica's own sample. */
static latmc_status check_sample(const latmc_lattice *lattice, const char *caller, int64_t sample,
                                 const int64_t *from)
{
    const int64_t each = lattice->replicas / lattice->samples, first = sample * each;
    int64_t r = first;

    while (r < first + each && from[r] >= first && from[r] < first + each)
        r++;
    if (r < first + each)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: from[%" PRId64 "] is %" PRId64 "; %" PRId64 " to %" PRId64
                       ", the replicas of sample %" PRId64 ", are allowed",
                       caller, r, from[r], first, first + each - 1, sample);
    return LATMC_OK;
}

static latmc_status check_from(const latmc_lattice *lattice, const char *caller,
                               const int64_t *from)
{
    latmc_status status = lm_need_pointer(lm_need_started(lattice, caller), caller, "from", from);

    for (int64_t j = 0; !status && j < lattice->samples; j++)
        status = check_sample(lattice, caller, j, from);
    if (!status)
        lm_given_array(lattice->ranks, "from", from, (size_t)lattice->replicas * sizeof *from);
    return status;
}

/* A plan in one piece, or in slabs, copies what its last sweep changed. From lots the lattice
 * fetches it. */
static latmc_status fetch_changed(latmc_lattice *lattice, const char *caller)
{
    const lm_division *division = lattice->home.division;

    return division->pieces > 1 && division->kind == LATMC_DIVIDE_REPLICAS
               ? lm_pending_fetch_changed(lattice, caller)
               : LATMC_OK;
}

/* Copies replicas on their device, and what their last sweep changed, if the lattice has it. */
static latmc_status copy_all(latmc_lattice *lattice, const char *caller, const int64_t *from,
                             double *changed)
{
    const latmc_status status = lm_fail_in(caller, lm_plan_copy(lattice->home.plan, from));

    if (status || lattice->pending.changed)
        return status;
    for (int64_t r = 0; r < lattice->replicas; r++)
        changed[r] = lattice->changed[from[r]];
    memcpy(lattice->changed, changed, (size_t)lattice->replicas * sizeof *changed);
    return LATMC_OK;
}

static latmc_status copy(latmc_lattice *lattice, const char *caller, const int64_t *from)
{
    latmc_status status = lm_home_to_device(lattice, caller);
    double *changed;

    if (!status)
        status = fetch_changed(lattice, caller);
    if (status)
        return status;
    changed = lm_unzeroed(caller, "what the last sweep changed", lattice->replicas, sizeof *changed);
    status = changed ? copy_all(lattice, caller, from, changed) : LATMC_ERROR_MEMORY;
    free(changed);
    return status;
}

latmc_status latmc_copy_replicas(latmc_lattice *lattice, const int64_t *from)
{
    LM_FLOATS;
    latmc_status status = lm_everywhere(lattice, check_from(lattice, __func__, from));

    if (!status)
        status = copy(lattice, __func__, from);
    return lm_everywhere(lattice, status);
}
