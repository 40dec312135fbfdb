/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a lattice lives: opening plans, and moving from one device to another or, for the first
 * time, from host memory. */
#include <stdlib.h>
#include <string.h>

#include "lib/floats.h"
#include "lib/lattice.h"
#include "lib/status.h"

lm_spec lm_spec_of(const latmc_lattice *lattice)
{
    const lm_list *updates = lm_list_of(lattice->model, LATMC_UPDATES);
    lm_spec spec = {
        .model = (latmc_model)lattice->model->entry.id,
        .kept = lm_representation_of(lattice)->kept,
        .reach = lattice->model->reach ? lattice->model->reach(lattice->options) : 1,
        .groups = lattice->model->groups,
        .components = lm_components_of(lattice),
        .dims = lattice->dims,
        .first_layer = 0,
        .layers = lattice->extents[lattice->dims - 1],
        .first_replica = lattice->first_replica,
        .replicas = lattice->replicas,
        .seed = lattice->seed,
    };

    for (int i = 0; i < updates->count; i++)
        spec.tiled |= (unsigned)updates->entries[i].tiled << i;
    memcpy(spec.options, lattice->options, sizeof spec.options);
    for (int g = 0; g <= spec.groups; g++)
        spec.group_begin[g] = lm_group_begin_of(lattice, g);
    memcpy(spec.extents, lattice->extents, sizeof spec.extents);
    memcpy(spec.boundaries, lattice->boundaries, sizeof spec.boundaries);
    lm_disorder_flags(lattice, &spec);
    return spec;
}

static lm_backend_key key_of(const latmc_lattice *lattice)
{
    return (lm_backend_key){(latmc_model)lattice->model->entry.id,
                            lm_representation_of(lattice)->kept};
}

static latmc_status put_bonds(const latmc_lattice *lattice, const char *caller, int64_t samples,
                              lm_plan plan)
{
    const int64_t most = lm_chunk_rows(lattice);
    int8_t *bonds = lm_zeroed(caller, "some rows of bonds", most * lattice->extents[0], 1);
    latmc_status status = bonds ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int64_t of = 0; of < samples * lattice->dims; of++) {
        const int64_t sample = of / lattice->dims;
        const int axis = (int)(of % lattice->dims);

        for (lm_chunk c = {0}; !status && lm_next_chunk(&c, lattice->rows, most);) {
            lm_bonds_effective(lattice, sample, axis, c.first, c.count, bonds);
            status =
                lm_fail_in(caller, lm_plan_put_bonds(plan, sample, axis, c.first, c.count, bonds));
        }
    }
    free(bonds);
    return status;
}

static latmc_status put_values(const latmc_lattice *lattice, const char *caller,
                               const lm_spec *spec, lm_plan plan)
{
    const int64_t most = lm_chunk_rows(lattice), width = lattice->extents[0];
    const int first = spec->couplings ? 0 : spec->dims;
    const int end = spec->site_fields ? spec->dims + 1 : spec->dims;
    double *values =
        lm_zeroed(caller, "some rows of couplings or fields", most * width, sizeof *values);
    latmc_status status = values ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int64_t j = 0; j < spec->samples; j++)
        for (int k = first; k < end; k++)
            for (lm_chunk c = {0}; !status && lm_next_chunk(&c, lattice->rows, most);) {
                lm_disorder_own(lattice, k < spec->dims ? LM_OF_BONDS : LM_OF_SITES, j,
                                k < spec->dims ? k : 0, c.first * width, c.count * width, values);
                status =
                    lm_fail_in(caller, lm_plan_put_values(plan, j, k, c.first, c.count, values));
            }
    free(values);
    return status;
}

latmc_status lm_place_put_disorder(const latmc_lattice *lattice, const char *caller,
                                   const lm_spec *spec, lm_plan plan)
{
    latmc_status status = LATMC_OK;

    if (spec->signs)
        status = put_bonds(lattice, caller, spec->samples, plan);
    if (!status && (spec->couplings || spec->site_fields))
        status = put_values(lattice, caller, spec, plan);
    return status;
}

/* A lattice of more sites than a plan of the device has is cut in as few as it takes. */
static lm_cuts cuts_on(const latmc_lattice *lattice, const lm_spec *spec, const lm_device *device)
{
    const lm_backend_model *const row = lm_backend_row(device->backend, key_of(lattice));
    int64_t most = lattice->most_sites;

    if (!most && row)
        most = row->most_sites;
    return most && !lattice->cuts.count ? lm_cuts_for(spec, most) : lattice->cuts;
}

latmc_status lm_place_open(const latmc_lattice *lattice, const char *caller,
                           const lm_device *device, lm_place *place)
{
    const lm_spec spec = lm_spec_of(lattice);
    const lm_cuts cuts = cuts_on(lattice, &spec, device);
    lm_place made = {.device = device, .cuts = lattice->cuts};
    latmc_status status = lm_cut_open(device->backend, &spec, device->index, &cuts, &made.plan);

    if (status && !lattice->wanted && lm_device_wish())
        status = lm_fail_in(LM_DEVICE_WISH, status);
    if (status)
        return lm_fail_in(caller, status);
    lm_plan_set_threads(made.plan, lattice->threads);
    status = lm_place_put_disorder(lattice, caller, &spec, made.plan);
    if (status)
        lm_place_close(&made);
    else
        *place = made;
    return status;
}

void lm_place_close(lm_place *place)
{
    lm_plan_close(&place->plan);
    free(place->held);
    place->held = NULL;
}

latmc_status lm_place_choose(const latmc_lattice *lattice, const char *caller,
                             const lm_device **device)
{
    if (!lattice->wanted)
        return lm_device_find(caller, key_of(lattice), "auto", device);
    *device = lattice->wanted;
    return LATMC_OK;
}

void lm_place_take(latmc_lattice *lattice, lm_place place)
{
    lm_place_close(&lattice->place);
    lattice->place = place;
    lattice->wanted = place.device;
    lattice->params_pending = lattice->state_pending = 1;
    lattice->state_ahead = 0;
}

static latmc_status copy_sites(const latmc_lattice *lattice, const char *caller, lm_plan to)
{
    void *sites =
        lm_zeroed(caller, "some rows of sites", lm_chunk_rows(lattice) * lm_row_numbers(lattice),
                  lattice->type->entry.bytes);
    latmc_status status = sites ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int64_t r = 0; r < lattice->replicas; r++)
        for (lm_chunk c = {0}; !status && lm_next_rows(lattice, &c);) {
            status = lm_get_rows(lattice, caller, r, c, sites);
            if (!status)
                status = lm_fail_in(caller, to.ops->put_sites(to.self, r, c.first, c.count, sites));
        }
    if (!status)
        status = lm_fail_in(caller, lm_plan_wait(to));
    free(sites);
    return status;
}

static latmc_status move(latmc_lattice *lattice, const char *caller, const lm_device *device)
{
    lm_place place;
    latmc_status status = lm_fetch_changed(lattice, caller);

    if (!status)
        status = lm_place_open(lattice, caller, device, &place);
    if (status)
        return status;
    status = copy_sites(lattice, caller, place.plan);
    if (status)
        lm_place_close(&place);
    else
        lm_place_take(lattice, place);
    return status;
}

latmc_status lm_place_settle(latmc_lattice *lattice, const char *caller)
{
    const lm_device *device;
    latmc_status status;

    if (lattice->place.plan.ops)
        return LATMC_OK;
    status = lm_place_choose(lattice, caller, &device);
    return status ? status : move(lattice, caller, device);
}

static int is_at(const lm_place *place, const lm_device *device, const lm_cuts *cuts)
{
    return place->device == device && lm_cuts_are_equal(&place->cuts, cuts);
}

latmc_status latmc_set_device(latmc_lattice *lattice, const char *device)
{
    LM_FLOATS;
    const lm_device *found;
    latmc_status status = lm_need(lattice, __func__);

    if (status)
        return status;
    if (!device)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: device is NULL", __func__);
    status = lm_device_find(__func__, key_of(lattice), device, &found);
    if (status)
        return status;
    if (lattice->place.plan.ops && !is_at(&lattice->place, found, &lattice->cuts))
        return move(lattice, __func__, found);
    lattice->wanted = found;
    return LATMC_OK;
}

latmc_status latmc_get_device(const latmc_lattice *lattice, char *name, size_t bytes)
{
    const lm_device *device;
    latmc_status status = lm_need(lattice, __func__);

    if (status)
        return status;
    if (!name || bytes < sizeof device->info.name)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: name %s %zu bytes; at least %zu are needed",
                       __func__, name ? "has" : "is NULL, given as", bytes,
                       sizeof device->info.name);
    status = lm_place_choose(lattice, __func__, &device);
    if (!status)
        memcpy(name, device->info.name, sizeof device->info.name);
    return status;
}
