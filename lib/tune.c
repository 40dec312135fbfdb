/* SPDX-License-Identifier: BSD-3-Clause */
/* Setting the width of proposals during thermalization. */
#include <inttypes.h>

#include "lib/floats.h"
#include "lib/lattice.h"
#include "lib/status.h"

/* doc/trajectory-phi4.md, "Tuning": steps shrink, so that the width settles, in its range. */
static double next_width(const lm_entry *range, double width, double acceptance, double target,
                         int64_t sweep)
{
    double q = acceptance / target;

    q = q < 0.5 ? 0.5 : q > 2.0 ? 2.0 : q;
    width *= 1.0 + (q - 1.0) * 8.0 / (8.0 + (double)sweep);
    return width < range->minimum   ? range->minimum
           : width > range->maximum ? range->maximum
                                    : width;
}

static latmc_status tune_once(latmc_lattice *lat, const char *caller, latmc_update update,
                              double target, int64_t sweep)
{
    const lm_entry *range = &lm_list_of(lat->model, LATMC_PARAMS)->entries[lat->model->tuned];
    double *width = lat->params + lat->model->tuned * lat->replicas;
    latmc_status status = lm_push_params(lat, caller, update);

    if (!status)
        status = lm_sweep_piece(lat, caller, update, 1);
    if (!status)
        status = lm_fetch_changed(lat, caller);
    for (int64_t r = 0; r < lat->replicas && !status; r++)
        width[r] = next_width(range, width[r], lat->changed[r] / (double)lat->sites, target, sweep);
    lat->params_pending = 1;
    return status;
}

static latmc_status check(const latmc_lattice *lat, const char *caller, latmc_update update,
                          int64_t sweeps, double target)
{
    const lm_entry *entry;

    if (lat->model->tuned < 0)
        return lm_fail(LATMC_ERROR_UNKNOWN, "%s: the model %s has no epsilon to tune", caller,
                       lat->model->entry.name);
    entry = lm_model_need(lat->model, LATMC_UPDATES, (int)update, caller);
    if (!entry)
        return LATMC_ERROR_UNKNOWN;
    if (!lat->model->tunes(update))
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: the update %s does not use epsilon", caller,
                       entry->name);
    if (sweeps < 0 || !(target >= 0.05 && target <= 0.95))
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: sweeps is %" PRId64 " and target %g; sweeps must be 0 or more and "
                       "target from 0.05 to 0.95",
                       caller, sweeps, target);
    return lm_check_sweeps(lat, caller, 1, sweeps);
}

latmc_status latmc_tune(latmc_lattice *lattice, latmc_update update, int64_t sweeps, double target)
{
    LM_FLOATS;
    latmc_status status = lm_need_started(lattice, __func__);
    lm_pace pace;

    if (!status)
        status = check(lattice, __func__, update, sweeps, target);
    if (status)
        return status;
    pace = lm_pace_begin(&lattice->watch, &lm_host, sweeps);
    while (!status && pace.done < pace.total) {
        lm_pace_next(&pace);
        status = tune_once(lattice, __func__, update, target, pace.done);
        if (!status && lm_pace_did(&pace, 1))
            status = lm_stopped(__func__, &pace);
    }
    return status;
}
