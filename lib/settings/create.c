/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and frees lattices. */
#include "lib/settings/create.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/best_memory.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/home.h"
#include "lib/lattice/planes.h"
#include "lib/settings/momenta.h"
#include "lib/settings/params.h"
#include "lib/settings/ramp.h"
#include "lib/settings/weights.h"

static void preset_options(const lm_model *model, int64_t options[LM_MAX_OPTIONS])
{
    const lm_list *list = lm_list_of(model, LATMC_OPTIONS);

    for (int i = 0; i < LM_MAX_OPTIONS; i++)
        options[i] = i < list->count ? (int64_t)list->entries[i].preset : 0;
}

static latmc_status check_extents(const char *caller, int64_t dims, const int64_t *extents)
{
    int64_t sites = 1;

    if (dims < 1 || dims > LATMC_MAX_DIMS)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: dims is %" PRId64 "; 1 to %d are allowed", caller,
                       dims, LATMC_MAX_DIMS);
    for (int a = 0; a < dims; a++) {
        if (extents[a] < 2)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: extent %d is %" PRId64 "; every extent must be at least 2", caller,
                           a, extents[a]);
        if (extents[a] > ((int64_t)1 << LM_SITE_BITS) / sites)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: with extent %d of %" PRId64 " there are more than 2^%d sites, the "
                           "most that a lattice may have",
                           caller, a, extents[a], LM_SITE_BITS);
        sites *= extents[a];
    }
    return LATMC_OK;
}

static void set_presets(latmc_lattice *lat, const lm_model *model, int dims, const int64_t *extents)
{
    lat->model = model;
    preset_options(model, lat->options);
    lm_options_changed(lat);
    lat->dims = dims;
    lat->sites = 1;
    lat->replicas = 1;
    lat->samples = lat->ladders = 1;
    lat->seed = 1;
    lat->wish = LATMC_DIVIDE_AUTO;
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        lat->extents[a] = a < dims ? extents[a] : 1;
        lat->boundaries[a] = LATMC_PERIODIC;
        lat->type_couplings[a] = 1.0;
        lat->sites *= lat->extents[a];
    }
    lat->rows = lat->sites / lat->extents[0];
}

latmc_status lm_create(const char *caller, latmc_lattice **lattice, latmc_model model, int64_t dims,
                       const int64_t *extents)
{
    const lm_model *m = lm_model_of((int)model);
    latmc_lattice *lat;
    latmc_status status;

    if (!lattice || !extents)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       lattice ? "extents" : "lattice");
    if (!m)
        return lm_fail(LATMC_ERROR_UNKNOWN,
                       "%s: there is no model number %d; latmc_describe() lists them", caller,
                       (int)model);
    status = check_extents(caller, dims, extents);
    if (status)
        return status;
    lat = lm_zeroed(caller, "a lattice's settings", 1, sizeof *lat);
    if (!lat)
        return LATMC_ERROR_MEMORY;
    set_presets(lat, m, (int)dims, extents);
    status = lm_params_resize(lat, caller, 1);
    if (status)
        latmc_destroy(lat);
    else
        *lattice = lat;
    return status;
}

latmc_status latmc_create(latmc_lattice **lattice, latmc_model model, int64_t dims,
                          const int64_t *extents)
{
    return lm_create(__func__, lattice, model, dims, extents);
}

void latmc_destroy(latmc_lattice *lattice)
{
    if (!lattice || lattice->watch.calling)
        return;
    lm_home_close(&lattice->home);
    for (int owner = 0; owner < LM_OWNERS; owner++)
        lm_disorder_free(&lattice->disorder[owner]);
    for (int i = 0; i < LATMC_MAX_WEIGHTS; i++)
        lm_weights_free(&lattice->weights.set[i]);
    free(lattice->weights.sums);
    lm_ramps_end(lattice);
    lm_best_free(&lattice->best);
    free(lattice->slots);
    free(lattice->params);
    free(lattice->changed);
    lm_plane_waves_free(lattice);
    lm_momenta_free(lattice->momenta);
    free(lattice->loose);
    free(lattice->rank_devices);
    lm_ranks_close(lattice->ranks);
    free(lattice);
}
