/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/settings/check.h"

#include "lib/lattice/spec.h"
#include "lib/settings/params.h"
#include "lib/settings/ramp.h"

latmc_status lm_check_settings(const latmc_lattice *lattice, const char *caller, int64_t sweep)
{
    const lm_model *model = lattice->model;
    const lm_spec spec = lm_spec_of(lattice);
    double params[LM_MAX_PARAMS];
    latmc_status status = LATMC_OK;

    for (int64_t s = 0; model->check && s < lattice->replicas && !status; s++) {
        lm_params_of(lattice, s, params);
        for (int p = 0; p < LM_MAX_PARAMS; p++)
            if (lattice->ramps[p].sweeps)
                params[p] = lm_ramp_value(&lattice->ramps[p], s, sweep);
        status = model->check(&spec, caller, params);
    }
    return status;
}
