/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/devices/plan.h"

#include "lib/models/model.h"
#include "lib/base/status.h"

const lm_backend_model *lm_backend_row(const lm_backend *backend, lm_backend_key key)
{
    for (const lm_backend_model *const *row = backend->models; *row; row++)
        if ((*row)->model == key.model && (*row)->kept == key.kept)
            return *row;
    return NULL;
}

static latmc_status refuse(const lm_backend *backend, lm_backend_key key)
{
    static const char *const kept[] = {[LM_IN_WORDS] = "in words",
                                       [LM_AS_FLOATS] = "as floats",
                                       [LM_AS_DOUBLES] = "as doubles",
                                       [LM_AS_BYTES] = "as bytes"};
    const lm_model *const known = lm_model_of((int)key.model);

    return lm_fail(LATMC_ERROR_NO_DEVICE, "devices of the kind %s have no model %s (%d) %s",
                   backend->name, known ? known->entry.name : "of that number", (int)key.model,
                   kept[key.kept]);
}

/* Refuses impossible slabs: slabs of a chain, and slabs thinner than their neighbours need. */
static latmc_status check_layers(const lm_spec *spec)
{
    if (spec->dims == 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "chains cannot be cut in slabs");
    if (spec->layers < spec->reach)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "a slab of %lld layer is too thin; its neighbours need %d",
                       (long long)spec->layers, spec->reach);
    return LATMC_OK;
}

static latmc_status check_slab(const lm_backend *backend, const lm_spec *spec,
                               const lm_backend_model *row)
{
    if (spec->layers == spec->extents[spec->dims - 1])
        return LATMC_OK;
    if (!row->ops->slabs)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "lattices of this model cannot be cut in slabs on devices of the kind %s",
                       backend->name);
    return check_layers(spec);
}

latmc_status lm_plan_open(const lm_backend *backend, const lm_spec *spec, int device, lm_plan *plan)
{
    const lm_backend_key key = {spec->model, spec->kept};
    const lm_backend_model *const row = lm_backend_row(backend, key);
    lm_plan made;
    latmc_status status;

    if (!row)
        return refuse(backend, key);
    made.ops = row->ops;
    status = check_slab(backend, spec, row);
    if (!status)
        status = row->open(spec, row->engine, device, &made.self);
    if (!status)
        *plan = made;
    return status;
}

void lm_plan_close(lm_plan *plan)
{
    if (plan->ops)
        plan->ops->close(plan->self);
    *plan = (lm_plan){0};
}

latmc_status lm_plan_measure(lm_plan plan, unsigned bundles, double *sums)
{
    const lm_measure out = {.bundles = bundles, .sums = sums};

    return plan.ops->run(plan.self, &(lm_schedule){0}, &(lm_cursor){0}, 0, &out);
}

void lm_plan_set_threads(lm_plan plan, int threads)
{
    if (plan.ops->set_threads)
        plan.ops->set_threads(plan.self, threads);
}

latmc_status lm_plan_put_slots(lm_plan plan, const lm_parameters *parameters)
{
    return (plan.ops->put_slots ? plan.ops->put_slots : plan.ops->put_parameters)(plan.self,
                                                                                  parameters);
}

latmc_status lm_plan_put_bonds(lm_plan plan, int64_t sample, int axis, int64_t first_row,
                               int64_t rows, const int8_t *bonds)
{
    return plan.ops->put_bonds
               ? plan.ops->put_bonds(plan.self, sample, axis, first_row, rows, bonds)
               : LATMC_OK;
}

latmc_status lm_plan_put_values(lm_plan plan, int64_t sample, int k, int64_t first_row,
                                int64_t rows, const double *values)
{
    return plan.ops->put_values
               ? plan.ops->put_values(plan.self, sample, k, first_row, rows, values)
               : lm_fail(LATMC_ERROR_NO_DEVICE,
                         "the device has the model without couplings of bonds and fields of sites "
                         "that are real numbers");
}

latmc_status lm_plan_serves(lm_plan plan, int update)
{
    return plan.ops->serves ? plan.ops->serves(plan.self, update) : LATMC_OK;
}

latmc_status lm_plan_prepare(lm_plan plan, const lm_schedule *schedule, int64_t budget,
                             const lm_measure *out)
{
    return plan.ops->prepare ? plan.ops->prepare(plan.self, schedule, budget, out) : LATMC_OK;
}

latmc_status lm_plan_cross(lm_plan plan, const lm_crossing *c)
{
    latmc_status status = LATMC_OK;

    if (plan.ops->cross)
        return plan.ops->cross(plan.self, c);
    for (int64_t i = 0; i < c->replicas && !status && !c->prepares; i++) {
        const int64_t r = c->replica + i, at = i * c->pitch;

        status = c->in ? plan.ops->put_sites(plan.self, r, c->first_row, c->rows, c->in + at)
                       : plan.ops->get_sites(plan.self, r, c->first_row, c->rows, c->out + at);
    }
    return status;
}

latmc_status lm_plan_copy(lm_plan plan, const int64_t *from)
{
    return plan.ops->copy ? plan.ops->copy(plan.self, from)
                          : lm_fail(LATMC_ERROR_NO_DEVICE, "the device does not copy replicas");
}

int lm_plan_crosses(lm_plan plan, unsigned needs)
{
    return !(needs & ~(plan.ops->crosses ? plan.ops->crosses(plan.self) : 0u));
}

latmc_status lm_plan_wait(lm_plan plan)
{
    return plan.ops->wait ? plan.ops->wait(plan.self) : LATMC_OK;
}

int lm_plan_exchanges(lm_plan plan)
{
    return plan.ops->exchanges && plan.ops->exchanges(plan.self);
}

void lm_cursor_move(const lm_schedule *s, lm_cursor *at, int64_t sweeps)
{
    at->sweep += sweeps;
    at->done = (at->done + sweeps) % s->round;
}

int lm_schedule_step_at(const lm_schedule *s, const lm_cursor *at, int64_t *left)
{
    int64_t end = s->steps[0].sweeps;
    int i = 0;

    while (end <= at->done)
        end += s->steps[++i].sweeps;
    *left = end - at->done;
    return i;
}

lm_job lm_schedule_next(const lm_schedule *s, lm_cursor *at, int64_t most)
{
    int64_t left;
    const int i = lm_schedule_step_at(s, at, &left);
    const lm_job job = {.update = s->steps[i].update,
                        .first_sweep = at->sweep,
                        .sweeps = s->count > 1 && left < most ? left : most};

    lm_cursor_move(s, at, job.sweeps);
    return job;
}

int64_t lm_measure_count(const lm_measure *out, int64_t budget)
{
    return !out ? 0 : budget ? budget / out->every : 1;
}
