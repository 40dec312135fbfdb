/* SPDX-License-Identifier: BSD-3-Clause */
/* Setting, drawing and reading the couplings of the bonds. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/floats.h"
#include "lib/lattice.h"
#include "lib/status.h"
#include "lib/text.h"

static void replace_bonds(latmc_lattice *lattice, lm_bonds bonds)
{
    free(lattice->bonds.values);
    lattice->bonds = bonds;
}

static latmc_status check_bonds(const char *caller, const latmc_lattice *lattice,
                                const double *couplings)
{
    for (int64_t i = 0; i < lattice->dims * lattice->sites; i++)
        if (couplings[i] != 1.0 && couplings[i] != -1.0 && couplings[i] != 0.0)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: the coupling of site %" PRId64 " along axis %" PRId64
                           " is %s; -1, 0 and 1 are allowed",
                           caller, i % lattice->sites, i / lattice->sites,
                           lm_number(couplings[i]).text);
    return LATMC_OK;
}

latmc_status latmc_set_bond_couplings(latmc_lattice *lattice, const double *couplings)
{
    LM_FLOATS;
    latmc_status status = lm_need_unstarted(lattice, __func__);
    int64_t count;
    int8_t *values;
    int missing = 0;

    if (!status)
        status = lm_need_bonds(lattice, __func__);
    if (status)
        return status;
    if (!couplings) {
        replace_bonds(lattice, (lm_bonds){.kind = LM_BONDS_UNIFORM});
        return LATMC_OK;
    }
    status = check_bonds(__func__, lattice, couplings);
    if (status)
        return status;
    count = lattice->dims * lattice->sites;
    values = lm_zeroed(__func__, "the couplings of the bonds", count, 1);
    if (!values)
        return LATMC_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        values[i] = (int8_t)couplings[i];
        missing |= values[i] == 0;
    }
    replace_bonds(lattice,
                  (lm_bonds){.kind = LM_BONDS_GIVEN, .values = values, .missing = missing});
    return LATMC_OK;
}

latmc_status latmc_draw_bond_couplings(latmc_lattice *lattice, latmc_distribution distribution,
                                       uint64_t seed)
{
    latmc_status status = lm_need_unstarted(lattice, __func__);

    if (status)
        return status;
    if (!lm_model_need(lattice->model, LATMC_DISTRIBUTIONS, (int)distribution, __func__))
        return LATMC_ERROR_UNKNOWN;
    replace_bonds(lattice, (lm_bonds){.kind = LM_BONDS_DRAWN, .seed = seed});
    return LATMC_OK;
}

latmc_status latmc_get_bond_couplings(const latmc_lattice *lattice, double *couplings)
{
    latmc_status status = lm_need(lattice, __func__);
    int8_t some[1024];

    if (!status)
        status = lm_need_bonds(lattice, __func__);
    if (status)
        return status;
    if (!couplings)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: couplings is NULL", __func__);
    for (int axis = 0; axis < lattice->dims; axis++)
        for (lm_chunk c = {0}; lm_next_chunk(&c, lattice->sites, (int64_t)sizeof some);) {
            lm_bonds_own(lattice, axis, c.first, c.count, some);
            for (int64_t i = 0; i < c.count; i++)
                couplings[axis * lattice->sites + c.first + i] = some[i];
        }
    return LATMC_OK;
}
