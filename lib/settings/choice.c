/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/settings/choice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/abi.h"
#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/divide/pieces.h"
#include "lib/geometry/colouring.h"
#include "lib/geometry/tiles.h"
#include "lib/lattice/bonds.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/home.h"
#include "lib/lattice/need.h"
#include "lib/lattice/spec.h"

/* ---- the division */

/* Divides the lattice as latmc_start() would, without the other ranks. A rank that has told no
 * devices will have one. */
static latmc_status divide(const latmc_lattice *lattice, const char *caller, lm_home_view *o)
{
    lm_to_divide what = lm_home_to_divide(lattice, &o->spec, &o->where);
    const int ranks = lm_ranks_count(lattice->ranks), own = lm_ranks_own(lattice->ranks);
    int64_t *devices = lm_zeroed(caller, "the devices of ranks", ranks, sizeof *devices);
    latmc_status status;

    if (!devices)
        return LATMC_ERROR_MEMORY;
    for (int r = 0; r < ranks; r++)
        devices[r] = r == own                ? o->where.count
                     : lattice->rank_devices ? lattice->rank_devices[r]
                                             : 1;
    what.rank_devices = devices;
    status = lm_fail_in(caller, lm_divide(&what, &o->division));
    free(devices);
    return status;
}

latmc_status lm_home_view_open(const latmc_lattice *lattice, const char *caller, lm_home_view *o)
{
    latmc_status status;

    *o = (lm_home_view){.spec = lm_spec_of(lattice), .present = lattice->home.plan.ops != NULL};
    if (o->present) {
        o->where = lattice->home.where;
        o->division = lattice->home.division;
        return LATMC_OK;
    }
    status = lm_home_choose(lattice, caller, &o->where);
    return status ? status : divide(lattice, caller, o);
}

void lm_home_view_close(lm_home_view *o)
{
    if (!o->present)
        free(o->division);
}

/* Returns the rank's device that has a part, or NULL. */
static const lm_device *device_of(const latmc_lattice *lattice, const lm_home_view *o, int part)
{
    const lm_division *d = o->division;
    const int rank = lm_ranks_own(lattice->ranks);

    if (part < d->of_rank[rank] || part >= d->of_rank[rank + 1])
        return NULL;
    return o->where.devices[d->device[part] - d->device[d->of_rank[rank]]];
}

static lm_spec spec_of(const lm_home_view *o, int part)
{
    lm_spec spec = o->spec;

    if (o->division->kind == LATMC_DIVIDE_SLABS)
        lm_cut_spec(o->division, part, &spec);
    if (o->division->kind == LATMC_DIVIDE_REPLICAS)
        lm_deal_spec(o->division, part, &spec);
    spec.sketch = 1;
    return spec;
}

/* ---- the kernel and the memory */

/* Returns the parameters of a part's replicas, each of which has a slot of its own, in memory that
 * the caller frees; NULL: there is none. */
static double *parameters_of(const latmc_lattice *lattice, const char *caller, const lm_spec *spec,
                             lm_parameters *parameters)
{
    const int count = lm_list_of(lattice->model, LATMC_PARAMS)->count;
    const int64_t n = spec->replicas, all = lattice->replicas;
    const int64_t first = spec->first_replica - lattice->first_replica;
    double *values = lm_zeroed(caller, "the parameters of a part", count * n + all, sizeof *values);
    uint8_t *loose = (uint8_t *)(values + count * n);

    if (!values)
        return NULL;
    for (int p = 0; p < count; p++)
        for (int64_t r = 0; r < n; r++)
            values[p * n + r] = lattice->params[p * all + lattice->slots[first + r]];
    if (spec->kept == LM_IN_WORDS)
        lm_bonds_find_loose(lattice, loose);
    *parameters = (lm_parameters){
        .values = values, .type_coupling = lattice->type_couplings, .loose = loose + first};
    return values;
}

static latmc_status sketch(const latmc_lattice *lattice, const char *caller,
                           const lm_device *device, const lm_spec *spec, int update, lm_sketch *to)
{
    lm_parameters parameters;
    lm_plan plan = {0};
    double *values = parameters_of(lattice, caller, spec, &parameters);
    latmc_status status = values ? LATMC_OK : LATMC_ERROR_MEMORY;

    if (!status)
        status = lm_plan_open(device->backend, spec, device->index, &plan);
    if (!status)
        status = plan.ops->sketch(plan.self, &parameters, update, to);
    lm_plan_close(&plan);
    free(values);
    return lm_fail_in(caller, status);
}

/* Says in how many phases an update sweeps. */
static latmc_status find_phases(const lm_spec *spec, const lm_entry *update, int64_t *phases)
{
    lm_colouring colouring;
    latmc_status status;

    *phases = 1;
    if (update->at_once)
        return LATMC_OK;
    if (update->tiled) {
        *phases = lm_tiles_refuse(spec) < 0 ? lm_tiles_of(spec).phases : 0;
        return LATMC_OK;
    }
    status = lm_colouring_make(spec, spec->reach, &colouring);
    if (status)
        return status;
    *phases = colouring.colours;
    lm_colouring_free(&colouring);
    return LATMC_OK;
}

/* A call of an hour is worth all threads. */
static int threads_of(const latmc_lattice *lattice, const lm_device *device)
{
    const lm_backend *backend = device->backend;

    return backend->workers ? backend->workers(lattice->threads, 3600e9) : 0;
}

static latmc_status put_own(const latmc_lattice *lattice, const char *caller,
                            const lm_device *device, const lm_spec *spec, int update,
                            latmc_choice *c)
{
    lm_sketch s = {.threads = threads_of(lattice, device), .kernel = ""};
    const latmc_status status = sketch(lattice, caller, device, spec, update, &s);

    if (status)
        return status;
    memcpy(c->device, device->info.name, sizeof c->device);
    strncpy(c->kernel, s.kernel, sizeof c->kernel - 1);
    c->threads = s.threads;
    c->host_bytes = s.host_bytes;
    c->device_bytes = s.device_bytes;
    return LATMC_OK;
}

latmc_status lm_choice_of(const latmc_lattice *lattice, const char *caller, const lm_home_view *o,
                          int part, const lm_entry *update, latmc_choice *choice)
{
    static const char *const kept[] = {[LM_IN_WORDS] = "words",
                                       [LM_AS_FLOATS] = "floats",
                                       [LM_AS_DOUBLES] = "doubles",
                                       [LM_AS_BYTES] = "bytes"};
    const lm_device *device = device_of(lattice, o, part);
    const lm_spec spec = spec_of(o, part);
    latmc_status status;

    *choice = (latmc_choice){.parts = o->division->pieces,
                             .first_layer = spec.first_layer,
                             .layers = spec.layers,
                             .first_replica = spec.first_replica - lattice->first_replica,
                             .replicas = spec.replicas,
                             .division = (int32_t)o->division->kind,
                             .present = o->present,
                             .reason = o->division->reason};
    while (part >= o->division->of_rank[choice->rank + 1])
        choice->rank++;
    strncpy(choice->representation, kept[spec.kept], sizeof choice->representation - 1);
    status = lm_fail_in(caller, find_phases(&spec, update, &choice->phases));
    if (status || !device)
        return status;
    return put_own(lattice, caller, device, &spec,
                   lm_update_number(lattice->model, (latmc_update)update->id), choice);
}

/* ---- the public call */

static latmc_status describe(const latmc_lattice *lattice, const char *caller, int64_t part,
                             const lm_entry *update, latmc_choice *choice)
{
    lm_home_view o;
    latmc_status status = lm_home_view_open(lattice, caller, &o);

    if (!status && (part < 0 || part >= o.division->pieces))
        status = lm_fail(LATMC_ERROR_ARGUMENT, "%s: part is %" PRId64 "; 0 to %d are allowed",
                         caller, part, o.division->pieces - 1);
    if (!status)
        status = lm_choice_of(lattice, caller, &o, (int)part, update, choice);
    lm_home_view_close(&o);
    return status;
}

latmc_status latmc_get_choice(const latmc_lattice *lattice, int64_t part, latmc_update update,
                              latmc_choice *choice)
{
    LM_FLOATS;
    const lm_entry *of;
    latmc_choice known;
    latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, __func__), __func__, "choice", choice);

    if (!status)
        status = lm_struct_check(__func__, "latmc_choice", choice->size,
                                 LM_SIZE_THROUGH(latmc_choice, reason));
    if (status)
        return status;
    of = lm_model_need(lattice->model, LATMC_UPDATES, (int)update, __func__);
    if (!of)
        return LATMC_ERROR_UNKNOWN;
    status = describe(lattice, __func__, part, of, &known);
    if (!status)
        lm_struct_write(choice, &known, sizeof *choice);
    return status;
}
