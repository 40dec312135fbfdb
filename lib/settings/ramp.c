/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes parameters from sweep to sweep. */
#include "lib/settings/ramp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/need.h"
#include "lib/settings/params.h"

/* Computes doc/trajectory.md, "Ramps". The value stays in any range that contains both ends. */
double lm_ramp_value(const lm_ramp *ramp, int64_t replica, int64_t sweep)
{
    const double a = ramp->from[replica], b = ramp->to[replica];
    const int64_t k = sweep - ramp->first;

    return k < ramp->sweeps ? a + (b - a) * ((double)k / (double)ramp->sweeps) : b;
}

int lm_ramps_any(const latmc_lattice *lattice)
{
    int any = 0;

    for (int p = 0; p < LM_MAX_PARAMS; p++)
        any |= lattice->ramps[p].sweeps > 0;
    return any;
}

void lm_ramps_follow(latmc_lattice *lattice)
{
    for (int p = 0; p < LM_MAX_PARAMS; p++) {
        lm_ramp *ramp = &lattice->ramps[p];
        double *now = lattice->params + p * lattice->replicas;

        if (!ramp->sweeps)
            continue;
        for (int64_t r = 0; r < lattice->replicas; r++)
            now[r] = lm_ramp_value(ramp, r, lattice->sweeps);
        lattice->pending.params = 1;
        if (lattice->sweeps - ramp->first >= ramp->sweeps)
            lm_ramp_end(ramp);
    }
}

void lm_ramps_end(latmc_lattice *lattice)
{
    for (int p = 0; p < LM_MAX_PARAMS; p++)
        lm_ramp_end(&lattice->ramps[p]);
}

latmc_status lm_ramp_begin(latmc_lattice *lattice, const char *caller, int index,
                           const lm_ramp *given)
{
    const int64_t replicas = lattice->replicas;
    const size_t bytes = (size_t)replicas * sizeof *given->to;
    lm_ramp ramp = *given;

    latmc_status status;

    ramp.from = lm_zeroed(caller, "the ends of a ramp", 2 * replicas, sizeof *ramp.from);
    status = lm_everywhere(lattice, ramp.from ? LATMC_OK : LATMC_ERROR_MEMORY);
    if (status) {
        free(ramp.from);
        return status;
    }
    ramp.to = ramp.from + replicas;
    memcpy(ramp.from, given->from, bytes);
    memcpy(ramp.to, given->to, bytes);
    lm_ramp_end(&lattice->ramps[index]);
    lattice->ramps[index] = ramp;
    return LATMC_OK;
}

static latmc_status check_ramp(const latmc_lattice *lattice, const char *caller, latmc_param param,
                               const double *to, int64_t sweeps, int *index)
{
    const lm_entry *parameter;
    latmc_status status = lm_need_started(lattice, caller);

    if (status)
        return status;
    *index = lm_params_index(lattice, caller, param);
    if (*index < 0)
        return LATMC_ERROR_UNKNOWN;
    parameter = &lm_list_of(lattice->model, LATMC_PARAMS)->entries[*index];
    if (!to)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: to is NULL", caller);
    if (sweeps < 1 || sweeps >= LM_MAX_SWEEPS)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: sweeps is %" PRId64 "; 1 or more, and fewer than 2^40, are allowed",
                       caller, sweeps);
    if (parameter->step == 1.0)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is a whole number, which cannot follow a ramp",
                       caller, parameter->name);
    lm_given_integer(lattice->ranks, "param", (int64_t)param);
    lm_given_integer(lattice->ranks, "sweeps", sweeps);
    lm_given_array(lattice->ranks, "to", to, (size_t)lattice->replicas * sizeof *to);
    return lm_params_check(lattice, caller, *index, to, 1);
}

latmc_status latmc_set_ramp(latmc_lattice *lattice, latmc_param param, const double *to,
                            int64_t sweeps)
{
    LM_FLOATS;
    int index = 0;
    const latmc_status status =
        lm_everywhere(lattice, check_ramp(lattice, __func__, param, to, sweeps, &index));

    if (status)
        return status;
    return lm_ramp_begin(lattice, __func__, index,
                         &(lm_ramp){.first = lattice->sweeps,
                                    .sweeps = sweeps,
                                    .from = lattice->params + index * lattice->replicas,
                                    .to = (double *)to});
}

latmc_status latmc_get_ramp(const latmc_lattice *lattice, latmc_param param, double *to,
                            int64_t *sweeps)
{
    const lm_ramp *ramp;
    latmc_status status = lm_need_lattice(lattice, __func__);
    int index;

    if (status)
        return status;
    if (!to || !sweeps)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", __func__, to ? "sweeps" : "to");
    index = lm_params_index(lattice, __func__, param);
    if (index < 0)
        return LATMC_ERROR_UNKNOWN;
    ramp = &lattice->ramps[index];
    memcpy(to, ramp->sweeps ? ramp->to : lattice->params + index * lattice->replicas,
           (size_t)lattice->replicas * sizeof *to);
    *sweeps = ramp->sweeps ? ramp->first + ramp->sweeps - lattice->sweeps : 0;
    return LATMC_OK;
}
