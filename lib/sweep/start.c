/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts lattices from a first configuration. */
#include <string.h>

#include "lib/base/floats.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/lattice/best_memory.h"
#include "lib/lattice/home.h"
#include "lib/lattice/need.h"
#include "lib/lattice/pending.h"
#include "lib/ranks/alike.h"
#include "lib/settings/check.h"
#include "lib/settings/ramp.h"
#include "lib/settings/walks.h"

latmc_status latmc_start(latmc_lattice *lattice, latmc_start_mode mode)
{
    LM_FLOATS;
    lm_home home;
    latmc_status status = lm_need_lattice(lattice, __func__);

    if (!status)
        lm_given_integer(lattice->ranks, "mode", (int64_t)mode);
    if (!status && !lm_model_need(lattice->model, LATMC_START_MODES, (int)mode, __func__))
        status = LATMC_ERROR_UNKNOWN;
    if (!status)
        status = lm_check_settings(lattice, __func__, lattice->sweeps);
    if (!status)
        status = lm_ranks_alike(lattice);
    if (status)
        return lm_everywhere(lattice, status);
    home = lattice->home;
    if (home.plan.ops)
        status = lm_fail_in(__func__, home.plan.ops->start(home.plan.self, mode));
    else
        status = lm_home_start(lattice, __func__, mode, &home);
    status = lm_everywhere(lattice, status);
    if (status)
        return status;
    if (!lattice->home.plan.ops)
        lm_home_take(lattice, home);
    lm_ramps_end(lattice);
    lattice->sweeps = lattice->rounds.done = 0;
    lattice->exchanges = lattice->rounds.due = 0;
    lattice->pending.state_ahead = 0; /* a device that failed has kept it */
    lm_pending_slots(lattice);
    lm_walks_reset(lattice, lattice->replicas);
    lm_best_restart(lattice);
    lattice->mixed = 0;
    lattice->pending.changed = 0;
    memset(lattice->changed, 0, (size_t)lattice->replicas * sizeof *lattice->changed);
    return LATMC_OK;
}
