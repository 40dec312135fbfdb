/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets parameters, one value per slot, and the couplings of bond types. */
#include "lib/settings/params.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/base/text.h"
#include "lib/lattice/need.h"
#include "lib/settings/ramp.h"
#include "lib/settings/slots.h"

static double old_value(const latmc_lattice *lat, const lm_list *list, int p, int64_t r)
{
    if (!lat->params)
        return list->entries[p].preset;
    return lat->params[p * lat->replicas + (r < lat->replicas ? r : 0)];
}

latmc_status lm_params_resize(latmc_lattice *lat, const char *caller, int64_t replicas)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);
    const char *const what = "the parameters of all replicas";
    double *params = lm_zeroed(caller, what, list->count * replicas, sizeof *params);
    double *changed = lm_zeroed(caller, what, replicas, sizeof *changed);
    uint8_t *loose = lm_zeroed(caller, what, replicas, sizeof *loose);

    latmc_status status =
        lm_everywhere(lat, params && changed && loose ? LATMC_OK : LATMC_ERROR_MEMORY);

    if (!status)
        status = lm_slots_resize(lat, caller, replicas);
    if (status) {
        free(params);
        free(changed);
        free(loose);
        return status;
    }
    for (int p = 0; p < list->count; p++)
        for (int64_t r = 0; r < replicas; r++)
            params[p * replicas + r] = old_value(lat, list, p, r);
    free(lat->params);
    free(lat->changed);
    free(lat->loose);
    lat->params = params;
    lat->changed = changed;
    lat->loose = loose;
    lat->replicas = replicas;
    return LATMC_OK;
}

void lm_params_of(const latmc_lattice *lat, int64_t slot, double params[LM_MAX_PARAMS])
{
    for (int p = 0; p < lm_list_of(lat->model, LATMC_PARAMS)->count; p++)
        params[p] = lat->params[p * lat->replicas + slot];
}

int lm_params_index(const latmc_lattice *lat, const char *caller, latmc_param param)
{
    const lm_entry *parameter = lm_model_need(lat->model, LATMC_PARAMS, (int)param, caller);

    return parameter ? (int)(parameter - lm_list_of(lat->model, LATMC_PARAMS)->entries) : -1;
}

/* A NaN is in no range. */
static latmc_status check_value(const char *caller, const lm_entry *parameter, int64_t slot,
                                double value)
{
    if (!(value >= parameter->minimum && value <= parameter->maximum))
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %s of slot %" PRId64 " is %s; it must be a number from %s to %s",
                       caller, parameter->name, slot, lm_number(value).text,
                       lm_number(parameter->minimum).text, lm_number(parameter->maximum).text);
    if (parameter->step == 1.0 && value != (double)(int64_t)value)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %s of slot %" PRId64 " is %s; it must be a whole number", caller,
                       parameter->name, slot, lm_number(value).text);
    return LATMC_OK;
}

latmc_status lm_params_check(const latmc_lattice *lat, const char *caller, int index,
                             const double *values, int64_t stride)
{
    const lm_entry *parameter = &lm_list_of(lat->model, LATMC_PARAMS)->entries[index];
    latmc_status status = LATMC_OK;

    for (int64_t r = 0; r < lat->replicas && !status; r++)
        status = check_value(caller, parameter, r, values[r * stride]);
    return status;
}

static latmc_status check_values(const latmc_lattice *lattice, const char *caller,
                                 latmc_param param, const double *values, int64_t stride,
                                 int *index)
{
    const latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, caller), caller, "values", values);

    if (status)
        return status;
    *index = lm_params_index(lattice, caller, param);
    if (*index < 0)
        return LATMC_ERROR_UNKNOWN;
    lm_given_integer(lattice->ranks, "param", (int64_t)param);
    if (stride)
        lm_given_array(lattice->ranks, "values", values,
                       (size_t)lattice->replicas * sizeof *values);
    else
        lm_given_real(lattice->ranks, "value", *values);
    return lm_params_check(lattice, caller, *index, values, stride);
}

/* Sets values[r * stride] for replica r. Stride 0 gives all replicas the same value. */
static latmc_status set_values(latmc_lattice *lattice, const char *caller, latmc_param param,
                               const double *values, int64_t stride)
{
    int index = 0;
    const latmc_status status =
        lm_everywhere(lattice, check_values(lattice, caller, param, values, stride, &index));

    if (status)
        return status;
    for (int64_t r = 0; r < lattice->replicas; r++)
        lattice->params[index * lattice->replicas + r] = values[r * stride];
    lm_ramp_end(&lattice->ramps[index]);
    lattice->pending.params = 1;
    return LATMC_OK;
}

latmc_status latmc_set_param(latmc_lattice *lattice, latmc_param param, double value)
{
    LM_FLOATS;
    return set_values(lattice, __func__, param, &value, 0);
}

latmc_status latmc_set_params(latmc_lattice *lattice, latmc_param param, const double *values)
{
    LM_FLOATS;
    return set_values(lattice, __func__, param, values, 1);
}

latmc_status latmc_get_params(const latmc_lattice *lattice, latmc_param param, double *values)
{
    latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, __func__), __func__, "values", values);
    int index;

    if (status)
        return status;
    index = lm_params_index(lattice, __func__, param);
    if (index < 0)
        return LATMC_ERROR_UNKNOWN;
    memcpy(values, lattice->params + index * lattice->replicas,
           (size_t)lattice->replicas * sizeof *values);
    return LATMC_OK;
}

/* Refuses models whose bonds have no couplings, and a NULL array. */
static latmc_status need_couplings(const latmc_lattice *lattice, const char *caller,
                                   const double *couplings)
{
    latmc_status status = lm_need_lattice(lattice, caller);

    if (!status)
        status = lm_need_owner(lattice, caller, LM_OF_BONDS);
    return lm_need_pointer(status, caller, "couplings", couplings);
}

static latmc_status check_couplings(const latmc_lattice *lattice, const char *caller,
                                    const double *couplings)
{
    const latmc_status status = need_couplings(lattice, caller, couplings);
    double most;

    if (status)
        return status;
    most = lattice->model->couplings == LM_SIGN_COUPLINGS ? LM_MAX_COUPLING : LM_MAX_REAL;
    for (int t = 0; t < lm_bond_types(lattice); t++)
        if (!(couplings[t] >= -most && couplings[t] <= most))
            return lm_fail(
                LATMC_ERROR_ARGUMENT,
                "%s: the coupling of bond type %d is %s; it must be a number from %s to %s", caller,
                t, lm_number(couplings[t]).text, lm_number(-most).text, lm_number(most).text);
    lm_given_array(lattice->ranks, "couplings", couplings,
                   (size_t)lm_bond_types(lattice) * sizeof *couplings);
    return LATMC_OK;
}

latmc_status latmc_set_bond_type_couplings(latmc_lattice *lattice, const double *couplings)
{
    LM_FLOATS;
    const latmc_status status =
        lm_everywhere(lattice, check_couplings(lattice, __func__, couplings));

    if (status)
        return status;
    memcpy(lattice->type_couplings, couplings, (size_t)lm_bond_types(lattice) * sizeof *couplings);
    lattice->pending.params = 1;
    return LATMC_OK;
}

latmc_status latmc_get_bond_type_couplings(const latmc_lattice *lattice, double *couplings)
{
    const latmc_status status = need_couplings(lattice, __func__, couplings);

    if (!status)
        memcpy(couplings, lattice->type_couplings,
               (size_t)lm_bond_types(lattice) * sizeof *couplings);
    return status;
}
