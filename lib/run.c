/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting and sweeping. */
#include <inttypes.h>
#include <string.h>

#include "lib/floats.h"
#include "lib/lattice.h"
#include "lib/pace.h"
#include "lib/status.h"

/* What only all settings together show. */
static latmc_status check_settings(const latmc_lattice *lattice, const char *caller)
{
    const lm_model *model = lattice->model;
    const lm_spec spec = lm_spec_of(lattice);
    double params[LM_MAX_PARAMS];
    latmc_status status = LATMC_OK;

    for (int64_t r = 0; model->check && r < lattice->replicas && !status; r++) {
        lm_params_of(lattice, r, params);
        status = model->check(&spec, caller, params);
    }
    return status;
}

static latmc_status check_update(const latmc_lattice *lattice, const char *caller,
                                 latmc_update update)
{
    const lm_spec spec = lm_spec_of(lattice);

    return lattice->model->check_update ? lattice->model->check_update(&spec, caller, update)
                                        : LATMC_OK;
}

latmc_status lm_push_params(latmc_lattice *lattice, const char *caller, latmc_update update)
{
    const lm_plan *plan = &lattice->place.plan;
    const lm_parameters parameters = {lattice->params, lattice->axis_couplings, lattice->loose};
    latmc_status status = check_update(lattice, caller, update);

    if (!status)
        status = check_settings(lattice, caller);
    if (!status)
        status = lm_place_settle(lattice, caller);
    if (!status && lattice->params_pending && lattice->model->couplings == LM_SIGN_COUPLINGS)
        lm_bonds_find_loose(lattice, lattice->loose);
    if (!status && lattice->params_pending)
        status = lm_fail_in(caller, plan->ops->put_parameters(plan->self, &parameters));
    if (!status)
        lattice->params_pending = 0;
    return status;
}

latmc_status lm_check_sweeps(const latmc_lattice *lattice, const char *caller, int64_t every,
                             int64_t times)
{
    const int64_t left = LM_MAX_SWEEPS - 1 - lattice->sweeps;

    if (times <= left / every)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_STATE,
                   "%s: after %" PRId64 " sweeps, %" PRId64 " times %" PRId64
                   " more are too many; a trajectory has fewer than 2^40",
                   caller, lattice->sweeps, times, every);
}

latmc_status lm_open_started(const latmc_lattice *lattice, const char *caller,
                             latmc_start_mode mode, lm_place *place)
{
    const lm_device *device;
    lm_place made;
    latmc_status status = lm_place_choose(lattice, caller, &device);

    if (!status)
        status = lm_place_open(lattice, caller, device, &made);
    if (status)
        return status;
    status = lm_fail_in(caller, made.plan.ops->start(made.plan.self, mode));
    if (status)
        lm_place_close(&made);
    else
        *place = made;
    return status;
}

latmc_status latmc_start(latmc_lattice *lattice, latmc_start_mode mode)
{
    LM_FLOATS;
    lm_place place;
    latmc_status status = lm_need(lattice, __func__);

    if (status)
        return status;
    if (!lm_model_need(lattice->model, LATMC_START_MODES, (int)mode, __func__))
        return LATMC_ERROR_UNKNOWN;
    status = check_settings(lattice, __func__);
    if (status)
        return status;
    place = lattice->place;
    if (place.plan.ops)
        status = lm_fail_in(__func__, place.plan.ops->start(place.plan.self, mode));
    else
        status = lm_open_started(lattice, __func__, mode, &place);
    if (status)
        return status;
    if (!lattice->place.plan.ops)
        lm_place_take(lattice, place);
    lattice->sweeps = 0;
    lattice->mixed = lattice->not_ergodic = 0;
    lattice->changed_pending = 0;
    memset(lattice->changed, 0, (size_t)lattice->replicas * sizeof *lattice->changed);
    return LATMC_OK;
}

latmc_status lm_sweep_piece(latmc_lattice *lattice, const char *caller, latmc_update update,
                            int64_t sweeps)
{
    const lm_plan plan = lattice->place.plan;
    const lm_job job = {.update = lm_update_number(lattice->model, update),
                        .step = lattice->sweeps,
                        .sweeps = sweeps};
    latmc_status status = plan.ops->sweep(plan.self, &job);

    if (status)
        return lm_fail_in(caller, status);
    lattice->sweeps += sweeps;
    lattice->mixed |= lm_list_find(lm_list_of(lattice->model, LATMC_UPDATES), (int)update)->ergodic;
    lattice->changed_pending = 1;
    return lm_fail_in(caller, lm_plan_wait(plan));
}

latmc_status lm_stopped(const char *caller, const lm_pace *pace)
{
    return lm_fail(LATMC_CANCELLED,
                   "%s: the progress callback stopped the call after %" PRId64 " of %" PRId64
                   " sweeps",
                   caller, pace->done, pace->total);
}

latmc_status latmc_sweep(latmc_lattice *lattice, latmc_update update, int64_t sweeps)
{
    LM_FLOATS;
    latmc_status status = lm_need_started(lattice, __func__);
    lm_pace pace;

    if (status)
        return status;
    if (!lm_model_need(lattice->model, LATMC_UPDATES, (int)update, __func__))
        return LATMC_ERROR_UNKNOWN;
    if (sweeps < 0)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: sweeps is %" PRId64 "; 0 or more are allowed",
                       __func__, sweeps);
    status = lm_check_sweeps(lattice, __func__, 1, sweeps);
    if (!status)
        status = lm_push_params(lattice, __func__, update);
    pace = lm_pace_begin(&lattice->watch, &lm_host, sweeps);
    while (!status && pace.done < pace.total) {
        const int64_t piece = lm_pace_next(&pace);

        status = lm_sweep_piece(lattice, __func__, update, piece);
        if (!status && lm_pace_did(&pace, piece))
            status = lm_stopped(__func__, &pace);
    }
    return status;
}
