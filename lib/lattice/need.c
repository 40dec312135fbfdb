/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/need.h"

#include "lib/base/status.h"
#include "lib/lattice/disorder.h"
#include "lib/lattice/home.h"

latmc_status lm_need_lattice(const latmc_lattice *lattice, const char *caller)
{
    if (!lattice)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: lattice is NULL", caller);
    if (lattice->watch.calling)
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: the lattice is in use by the call whose progress callback this is",
                       caller);
    lm_ranks_enter(lattice->ranks, caller);
    return LATMC_OK;
}

latmc_status lm_need_started(const latmc_lattice *lattice, const char *caller)
{
    latmc_status status = lm_need_lattice(lattice, caller);

    if (!status && !lm_is_started(lattice))
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: the lattice has no sites yet; call latmc_start() first", caller);
    return status;
}

latmc_status lm_need_unstarted(const latmc_lattice *lattice, const char *caller)
{
    latmc_status status = lm_need_lattice(lattice, caller);

    if (!status && lm_is_started(lattice))
        return lm_fail(
            LATMC_ERROR_STATE,
            "%s: the lattice is already started; this can only be set before latmc_start()",
            caller);
    return status;
}

latmc_status lm_need_pointer(latmc_status status, const char *caller, const char *name,
                             const void *pointer)
{
    return status || pointer ? status
                             : lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller, name);
}

latmc_status lm_need_owner(const latmc_lattice *lattice, const char *caller, lm_owner owner)
{
    if (lm_model_has_own(lattice, owner))
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_UNKNOWN,
                   owner == LM_OF_BONDS ? "%s: bonds of the model %s have no couplings"
                                        : "%s: sites of the model %s have no fields of their own",
                   caller, lattice->model->entry.name);
}
