/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a lattice's plans. Moves its sites from one device to another or, the first time, from host
 * memory. */
#include "lib/lattice/home.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/chunk.h"
#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/divide/pieces.h"
#include "lib/lattice/bonds.h"
#include "lib/lattice/pending.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/need.h"
#include "lib/lattice/rows.h"
#include "lib/lattice/spec.h"

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

/* Gives a plan of this lattice, or of a slab of it, the bonds and fields that the spec
 * announces. */
static latmc_status put_disorder(const latmc_lattice *lattice, const char *caller,
                                 const lm_spec *spec, lm_plan plan)
{
    latmc_status status = LATMC_OK;

    if (spec->signs)
        status = put_bonds(lattice, caller, spec->samples, plan);
    if (!status && (spec->couplings || spec->site_fields))
        status = put_values(lattice, caller, spec, plan);
    return status;
}

/* Returns the most sites that a plan may have on any of these devices. */
static int64_t most_sites_on(const latmc_lattice *lattice, const lm_device_list *where)
{
    const lm_backend_model *const row = lm_backend_row(where->devices[0]->backend, key_of(lattice));

    return lattice->most_sites || !row ? lattice->most_sites : row->most_sites;
}

lm_to_divide lm_home_to_divide(const latmc_lattice *lattice, const lm_spec *spec,
                               const lm_device_list *where)
{
    return (lm_to_divide){.spec = spec,
                          .ladder = lm_ladder_slots(lattice, lattice->replicas),
                          .wish = lattice->wish,
                          .cuts = &lattice->cuts,
                          .most_sites = most_sites_on(lattice, where),
                          .ranks = lattice->ranks,
                          .devices = where->count};
}

/* Opens a plan on one device, or of slabs, or of lots of replicas. */
static latmc_status open_plan(const lm_device_list *where, const lm_spec *spec,
                              const lm_division *division, lm_ranks *ranks, lm_plan *plan)
{
    if (division->kind == LATMC_DIVIDE_SLABS)
        return lm_cut_open(where, spec, division, ranks, plan);
    if (division->kind == LATMC_DIVIDE_REPLICAS)
        return lm_deal_open(where, spec, division, ranks, plan);
    return lm_plan_open(where->devices[0]->backend, spec, where->devices[0]->index, plan);
}

static latmc_status open_pieces(const latmc_lattice *lattice, const char *caller,
                                const lm_spec *spec, const lm_device_list *where, lm_home *home)
{
    const lm_to_divide what = lm_home_to_divide(lattice, spec, where);
    latmc_status status = lm_divide(&what, &home->division);

    if (status)
        return lm_fail_in(caller, status);
    status = open_plan(where, spec, home->division, lattice->ranks, &home->plan);
    if (status && !lattice->wanted.count && lm_device_wish())
        status = lm_fail_in(LM_DEVICE_WISH, status);
    return lm_fail_in(caller, status);
}

/* Opens a plan of the lattice on some devices, with its bonds and without sites. The call is
 * collective. The caller closes the home with lm_home_close(). */
static latmc_status open_home(const latmc_lattice *lattice, const char *caller,
                              const lm_device_list *where, lm_home *home)
{
    const lm_spec spec = lm_spec_of(lattice);
    lm_home made = {.where = *where,
                    .ladder = lm_ladder_slots(lattice, lattice->replicas),
                    .wish = lattice->wish,
                    .cuts = lattice->cuts};
    latmc_status status = open_pieces(lattice, caller, &spec, where, &made);

    if (!status) {
        lm_plan_set_threads(made.plan, lattice->threads);
        status = put_disorder(lattice, caller, &spec, made.plan);
    }
    status = lm_ranks_agree(lattice->ranks, status);
    if (status)
        lm_home_close(&made);
    else
        *home = made;
    return status;
}

void lm_home_close(lm_home *home)
{
    lm_plan_close(&home->plan);
    free(home->held);
    free(home->division);
    home->held = NULL;
    home->division = NULL;
}

latmc_status lm_home_choose(const latmc_lattice *lattice, const char *caller, lm_device_list *where)
{
    if (!lattice->wanted.count)
        return lm_device_find(caller, key_of(lattice), "auto", where);
    *where = lattice->wanted;
    return LATMC_OK;
}

void lm_home_take(latmc_lattice *lattice, lm_home home)
{
    lm_home_close(&lattice->home);
    lattice->home = home;
    lattice->wanted = home.where;
    lm_pending_all(lattice);
}

latmc_status lm_home_start(const latmc_lattice *lattice, const char *caller, latmc_start_mode mode,
                           lm_home *home)
{
    lm_device_list where;
    lm_home made;
    latmc_status status = lm_home_choose(lattice, caller, &where);

    if (!status)
        status = open_home(lattice, caller, &where, &made);
    if (status)
        return status;
    status = lm_fail_in(caller, made.plan.ops->start(made.plan.self, mode));
    if (status)
        lm_home_close(&made);
    else
        *home = made;
    return status;
}

static latmc_status copy_sites(const latmc_lattice *lattice, const char *caller, lm_plan to)
{
    void *sites =
        lm_zeroed(caller, "some rows of sites", lm_batch_room(lattice), lattice->type->entry.bytes);
    latmc_status status = sites ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (lm_batch b = {0}; !status && lm_next_batch(lattice, &b);) {
        status = lm_get_batch(lattice, caller, &b, sites);
        if (!status)
            status = lm_put_batch(lattice, caller, to, &b, sites);
    }
    if (!status)
        status = lm_fail_in(caller, lm_plan_wait(to));
    free(sites);
    return status;
}

static latmc_status move(latmc_lattice *lattice, const char *caller, const lm_device_list *where)
{
    lm_home home;
    latmc_status status = lm_pending_fetch_changed(lattice, caller);

    if (!status)
        status = open_home(lattice, caller, where, &home);
    if (status)
        return status;
    status = copy_sites(lattice, caller, home.plan);
    if (status)
        lm_home_close(&home);
    else
        lm_home_take(lattice, home);
    return status;
}

latmc_status lm_home_to_device(latmc_lattice *lattice, const char *caller)
{
    lm_device_list where;
    latmc_status status;

    if (lattice->home.plan.ops)
        return LATMC_OK;
    status = lm_home_choose(lattice, caller, &where);
    return status ? status : move(lattice, caller, &where);
}

/* Returns whether a new home on these devices would be like the present one. If one rank has to
 * move, all ranks move. */
static int stays(const latmc_lattice *lattice, const lm_device_list *where)
{
    const lm_home *home = &lattice->home;

    return lm_device_lists_equal(&home->where, where) && home->wish == lattice->wish &&
           (home->division->kind != LATMC_DIVIDE_REPLICAS ||
            home->ladder == lm_ladder_slots(lattice, lattice->replicas)) &&
           lm_cuts_are_equal(&home->cuts, &lattice->cuts);
}

/* Finds the rank's devices, and makes room to remember the number of those of all ranks. */
static latmc_status find_devices(latmc_lattice *lattice, const char *caller, const char *device,
                                 lm_device_list *found)
{
    const int ranks = lm_ranks_count(lattice->ranks);

    if (!device)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: device is NULL", caller);
    if (!lattice->rank_devices)
        lattice->rank_devices =
            lm_zeroed(caller, "the devices of ranks", ranks, sizeof *lattice->rank_devices);
    return lattice->rank_devices ? lm_device_find(caller, key_of(lattice), device, found)
                                 : LATMC_ERROR_MEMORY;
}

latmc_status latmc_set_device(latmc_lattice *lattice, const char *device)
{
    LM_FLOATS;
    lm_device_list found = {.count = 0};
    int64_t moves;
    latmc_status status = lm_need_lattice(lattice, __func__);

    if (status)
        return status;
    status = lm_ranks_agree(lattice->ranks, find_devices(lattice, __func__, device, &found));
    if (status)
        return status;
    moves = lattice->home.plan.ops && !stays(lattice, &found);
    status = lm_ranks_most(lattice->ranks, 1, &moves);
    if (!status && moves)
        status = lm_ranks_agree(lattice->ranks, move(lattice, __func__, &found));
    if (status)
        return status;
    lattice->wanted = found;
    lattice->rank_devices[lm_ranks_own(lattice->ranks)] = found.count;
    return lm_ranks_share(lattice->ranks, lattice->rank_devices, sizeof *lattice->rank_devices);
}

latmc_status latmc_get_device(const latmc_lattice *lattice, char *name, size_t bytes)
{
    lm_device_list where;
    size_t needed = sizeof where.devices[0]->info.name;
    latmc_status status = lm_need_lattice(lattice, __func__);

    if (status)
        return status;
    if (name && bytes >= needed) {
        status = lm_home_choose(lattice, __func__, &where);
        if (status)
            return status;
        needed = lm_device_list_name(&where, NULL, 0);
    }
    if (!name || bytes < needed)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: name %s %zu bytes; at least %zu are needed",
                       __func__, name ? "has" : "is NULL, given as", bytes, needed);
    lm_device_list_name(&where, name, bytes);
    return LATMC_OK;
}

/* ---- division */

latmc_status latmc_set_division(latmc_lattice *lattice, latmc_division division)
{
    latmc_status status = lm_need_lattice(lattice, __func__);

    if (status)
        return status;
    if (division != LATMC_DIVIDE_AUTO && division != LATMC_DIVIDE_SLABS &&
        division != LATMC_DIVIDE_REPLICAS)
        status =
            lm_fail(LATMC_ERROR_ARGUMENT, "%s: division is %d; %d, %d and %d are allowed", __func__,
                    (int)division, LATMC_DIVIDE_AUTO, LATMC_DIVIDE_SLABS, LATMC_DIVIDE_REPLICAS);
    lm_given_integer(lattice->ranks, "division", (int64_t)division);
    status = lm_ranks_agree(lattice->ranks, status);
    if (!status)
        lattice->wish = division;
    return status;
}
