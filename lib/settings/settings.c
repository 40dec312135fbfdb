/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets and reads the settings that have no file of their own: replicas, boundaries, seed, options,
 * threads and the progress callback. */
#include <inttypes.h>

#include "lib/base/abi.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/home.h"
#include "lib/lattice/need.h"
#include "lib/settings/momenta.h"
#include "lib/settings/params.h"

static latmc_status check_replicas(const latmc_lattice *lattice, const char *caller,
                                   int64_t replicas)
{
    latmc_status status = lm_need_unstarted(lattice, caller);

    if (status)
        return status;
    if (replicas < 1 || replicas > lm_replicas_most(lattice))
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: replicas is %" PRId64 "; it must be 1 to %" PRId64, caller, replicas,
                       lm_replicas_most(lattice));
    if (replicas > lm_ensemble_of(lattice) - lattice->first_replica)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %" PRId64 " replicas from number %" PRId64
                       " on; an ensemble of such lattices has replicas 0 to %" PRId64,
                       caller, replicas, lattice->first_replica, lm_ensemble_of(lattice) - 1);
    if (replicas % lattice->samples)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %" PRId64 " replicas cannot be divided by %" PRId64
                       " samples; a multiple of them is allowed, or set the samples anew",
                       caller, replicas, lattice->samples);
    if (replicas / lattice->samples % lattice->ladders)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %" PRId64 " replicas of a sample cannot be divided by %" PRId64
                       " ladders; a multiple of them is allowed, or set the ladders anew",
                       caller, replicas / lattice->samples, lattice->ladders);
    lm_given_integer(lattice->ranks, "replicas", replicas);
    return LATMC_OK;
}

latmc_status latmc_set_replicas(latmc_lattice *lattice, int64_t replicas)
{
    const latmc_status status = lm_everywhere(lattice, check_replicas(lattice, __func__, replicas));

    return status ? status : lm_params_resize(lattice, __func__, replicas);
}

static latmc_status check_first(const latmc_lattice *lattice, const char *caller, int64_t first)
{
    latmc_status status = lm_need_unstarted(lattice, caller);

    if (status)
        return status;
    if (first < 0 || first > lm_ensemble_of(lattice) - lattice->replicas)
        return lm_fail(
            LATMC_ERROR_ARGUMENT,
            "%s: first is %" PRId64 "; with %" PRId64 " replicas it must be 0 to %" PRId64, caller,
            first, lattice->replicas, lm_ensemble_of(lattice) - lattice->replicas);
    lm_given_integer(lattice->ranks, "first", first);
    return LATMC_OK;
}

latmc_status latmc_set_first_replica(latmc_lattice *lattice, int64_t first)
{
    const latmc_status status = lm_everywhere(lattice, check_first(lattice, __func__, first));

    if (!status)
        lattice->first_replica = first;
    return status;
}

static latmc_status check_boundaries(const latmc_lattice *lattice, const char *caller,
                                     const latmc_boundary *boundaries)
{
    latmc_status status =
        lm_need_pointer(lm_need_unstarted(lattice, caller), caller, "boundaries", boundaries);

    if (status)
        return status;
    for (int a = 0; a < lattice->dims; a++)
        if (!lm_model_need(lattice->model, LATMC_BOUNDARIES, (int)boundaries[a], caller))
            return LATMC_ERROR_UNKNOWN;
    lm_given_array(lattice->ranks, "boundaries", boundaries,
                   (size_t)lattice->dims * sizeof *boundaries);
    return LATMC_OK;
}

latmc_status latmc_set_boundaries(latmc_lattice *lattice, const latmc_boundary *boundaries)
{
    const latmc_status status =
        lm_everywhere(lattice, check_boundaries(lattice, __func__, boundaries));

    for (int a = 0; !status && a < lattice->dims; a++)
        lattice->boundaries[a] = boundaries[a];
    return status;
}

latmc_status latmc_set_seed(latmc_lattice *lattice, uint64_t seed)
{
    latmc_status status = lm_need_unstarted(lattice, __func__);

    if (!status)
        lm_given_integer(lattice->ranks, "seed", (int64_t)seed);
    status = lm_everywhere(lattice, status);
    if (!status)
        lattice->seed = seed;
    return status;
}

/* Returns an option's index in the model's list. If there is none, it sets the message and returns
 * -1. */
static int option_index(const latmc_lattice *lattice, const char *caller, latmc_option option)
{
    const lm_entry *listed = lm_model_need(lattice->model, LATMC_OPTIONS, (int)option, caller);

    return listed ? (int)(listed - lm_list_of(lattice->model, LATMC_OPTIONS)->entries) : -1;
}

static latmc_status check_option(const latmc_lattice *lattice, const char *caller,
                                 latmc_option option, int64_t value)
{
    const latmc_status status = lm_need_unstarted(lattice, caller);
    const lm_entry *listed;
    int index;

    if (status)
        return status;
    index = option_index(lattice, caller, option);
    if (index < 0)
        return LATMC_ERROR_UNKNOWN;
    listed = &lm_list_of(lattice->model, LATMC_OPTIONS)->entries[index];
    if (value < (int64_t)listed->minimum || value > (int64_t)listed->maximum ||
        (value - (int64_t)listed->minimum) % (int64_t)listed->step != 0)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %s is %" PRId64 "; %d to %d in steps of %d are allowed", caller,
                       listed->name, value, (int)listed->minimum, (int)listed->maximum,
                       (int)listed->step);
    lm_given_integer(lattice->ranks, "option", (int64_t)option);
    lm_given_integer(lattice->ranks, "value", value);
    return LATMC_OK;
}

latmc_status latmc_set_option(latmc_lattice *lattice, latmc_option option, int64_t value)
{
    const latmc_status status =
        lm_everywhere(lattice, check_option(lattice, __func__, option, value));

    if (status)
        return status;
    lattice->options[option_index(lattice, __func__, option)] = value;
    lm_options_changed(lattice);
    return LATMC_OK;
}

latmc_status latmc_get_option(const latmc_lattice *lattice, latmc_option option, int64_t *value)
{
    const latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, __func__), __func__, "value", value);
    int index;

    if (status)
        return status;
    index = option_index(lattice, __func__, option);
    if (index < 0)
        return LATMC_ERROR_UNKNOWN;
    *value = lattice->options[index];
    return LATMC_OK;
}

latmc_status latmc_set_threads(latmc_lattice *lattice, int64_t threads)
{
    latmc_status status = lm_need_lattice(lattice, __func__);

    if (status)
        return status;
    if (threads < 0 || threads > LM_MAX_THREADS)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: threads is %" PRId64 "; 1 to %d, or 0 for OpenMP's choice, are allowed",
                       __func__, threads, LM_MAX_THREADS);
    lattice->threads = (int)threads;
    if (lattice->home.plan.ops)
        lm_plan_set_threads(lattice->home.plan, (int)threads);
    return LATMC_OK;
}

latmc_status latmc_set_progress(latmc_lattice *lattice, latmc_progress progress, void *user)
{
    latmc_status status = lm_need_lattice(lattice, __func__);

    if (status)
        return status;
    lattice->watch.progress = progress;
    lattice->watch.user = user;
    return LATMC_OK;
}

latmc_status latmc_get_lattice_info(const latmc_lattice *lattice, latmc_lattice_info *info)
{
    latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, __func__), __func__, "info", info);
    latmc_lattice_info known;

    if (status)
        return status;
    status = lm_struct_check(__func__, "latmc_lattice_info", info->size,
                             LM_SIZE_THROUGH(latmc_lattice_info, reserved));
    if (status)
        return status;
    known = (latmc_lattice_info){.model = lattice->model->entry.id,
                                 .dims = lattice->dims,
                                 .cells = lm_cells(lattice),
                                 .cell_sites = LM_CELL_SITES,
                                 .bond_types = lm_bond_types(lattice),
                                 .sites = lattice->sites,
                                 .replicas = lattice->replicas,
                                 .first_replica = lattice->first_replica,
                                 .samples = lattice->samples,
                                 .first_sample = lattice->first_sample,
                                 .seed = lattice->seed,
                                 .sweeps = lattice->sweeps,
                                 .started = lm_is_started(lattice),
                                 .threads = lattice->threads,
                                 .type = (int32_t)lattice->type->entry.id,
                                 .components = lm_components_of(lattice),
                                 .steps = lattice->rounds.count,
                                 .round_sweeps = lattice->rounds.sweeps,
                                 .round_done = lattice->rounds.done,
                                 .exchanges = lattice->exchanges,
                                 .division = (int32_t)lattice->wish,
                                 .keeps_best = lattice->best.energies != NULL,
                                 .ladders = lattice->ladders,
                                 .momenta = lm_momentum_count(lattice)};
    for (int a = 0; a < LATMC_ROOM_DIMS; a++) {
        known.extents[a] = a < lattice->dims ? lattice->extents[a] : 1;
        known.boundaries[a] = a < lattice->dims ? (int32_t)lattice->boundaries[a] : 0;
    }
    lm_struct_write(info, &known, sizeof known);
    return LATMC_OK;
}
