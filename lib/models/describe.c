/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements latmc_count(), latmc_describe() and latmc_find(), which make the table of models
 * public. */
#include <inttypes.h>
#include <string.h>

#include "lib/base/abi.h"
#include "lib/models/model.h"
#include "lib/base/status.h"

/* The entries of one kind. */
typedef struct entries {
    latmc_kind kind;
    const lm_model *model; /* NULL: the models themselves */
    int count;
} entries;

static latmc_status find_things(const char *caller, latmc_kind kind, latmc_model model,
                                entries *out)
{
    const lm_model *m = NULL;

    if (!lm_kind_name(kind))
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: there is no kind %d; kinds are %d to %d", caller,
                       (int)kind, LATMC_MODELS, LATMC_PAIR_OBSERVABLES);
    if (kind != LATMC_MODELS) {
        m = lm_model_of((int)model);
        if (!m)
            return lm_fail(LATMC_ERROR_UNKNOWN, "%s: there is no model number %d", caller,
                           (int)model);
    }
    *out = (entries){kind, m, lm_entry_count(m, kind)};
    return LATMC_OK;
}

latmc_status latmc_count(latmc_kind kind, latmc_model model, int64_t *count)
{
    entries t = {LATMC_MODELS, NULL, 0};
    latmc_status status;

    if (!count)
        return lm_fail(LATMC_ERROR_ARGUMENT, "latmc_count: count is NULL");
    status = find_things(__func__, kind, model, &t);
    if (status)
        return status;
    *count = t.count;
    return LATMC_OK;
}

/* ---- what belongs to one kind of entries */

static void describe_model(const lm_model *model, latmc_description *info)
{
    info->has_couplings = model->couplings == LM_NO_COUPLINGS ? 0 : model->signs_alone ? 1 : 2;
    info->has_site_fields = model->site_fields;
    info->has_exchanges = model->action != NULL;
}

static void describe_param(const lm_model *model, int index, latmc_description *info)
{
    const lm_entry *e = &lm_list_of(model, LATMC_PARAMS)->entries[index];

    info->in_ramps = e->step != 1.0;
    info->in_exchanges = lm_param_in_action(model, index);
    info->in_steps = e->of_updates;
}

static void describe_update(const lm_model *model, const lm_entry *e, latmc_description *info)
{
    info->tuned = lm_update_is_tuned(model, e);
    info->param_count = e->param_count;
    info->params = e->params;
}

static void describe_observable(const lm_entry *e, latmc_description *info)
{
    info->role = (int32_t)e->role;
    info->index = e->index ? (int32_t)e->index : LATMC_INDEX_NONE;
    info->second = e->second ? (int32_t)e->second : LATMC_INDEX_NONE;
}

static latmc_description describe(const entries *t, int index)
{
    const lm_entry *e = lm_entry_at(t->model, t->kind, index);
    latmc_description info = {.name = e->name,
                              .meaning = e->meaning,
                              .id = e->id,
                              .distribution = e->distribution,
                              .minimum = e->minimum,
                              .maximum = e->maximum,
                              .preset = e->preset,
                              .step = e->step,
                              .ergodic = e->ergodic,
                              .per_site = e->per_site,
                              .bytes = e->bytes,
                              .bits = e->bits};

    if (t->kind == LATMC_MODELS)
        describe_model(lm_model_at(index), &info);
    if (t->kind == LATMC_PARAMS)
        describe_param(t->model, index, &info);
    if (t->kind == LATMC_UPDATES)
        describe_update(t->model, e, &info);
    if (t->kind == LATMC_OBSERVABLES || t->kind == LATMC_PAIR_OBSERVABLES)
        describe_observable(e, &info);
    return info;
}

latmc_status latmc_describe(latmc_kind kind, latmc_model model, int64_t number,
                            latmc_description *info)
{
    entries t = {LATMC_MODELS, NULL, 0};
    latmc_description known;
    latmc_status status;

    if (!info)
        return lm_fail(LATMC_ERROR_ARGUMENT, "latmc_describe: info is NULL");
    status = lm_struct_check(__func__, "latmc_description", info->size,
                             LM_SIZE_THROUGH(latmc_description, bits));
    if (!status)
        status = find_things(__func__, kind, model, &t);
    if (status)
        return status;
    if (number < 0 || number >= t.count)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "latmc_describe: %s number %" PRId64 " was asked for; there are 0 to %d",
                       lm_kind_name(kind), number, t.count - 1);
    known = describe(&t, (int)number);
    lm_struct_write(info, &known, sizeof *info);
    return LATMC_OK;
}

latmc_status latmc_find(latmc_kind kind, latmc_model model, const char *name, int32_t *id)
{
    const lm_entry *e;
    entries t = {LATMC_MODELS, NULL, 0};
    latmc_status status;
    char known[512] = "";

    if (!name || !id)
        return lm_fail(LATMC_ERROR_ARGUMENT, "latmc_find: %s is NULL", name ? "id" : "name");
    status = find_things(__func__, kind, model, &t);
    if (status)
        return status;
    e = lm_entry_named(t.model, t.kind, name, strlen(name));
    if (e) {
        *id = e->id;
        return LATMC_OK;
    }
    lm_entry_names(t.model, t.kind, known, sizeof known);
    if (!t.count)
        return lm_fail(LATMC_ERROR_UNKNOWN,
                       "latmc_find: there is no %s \"%.100s\": the model %s has none",
                       lm_kind_name(kind), name, t.model->entry.name);
    return lm_fail(LATMC_ERROR_UNKNOWN, "latmc_find: there is no %s \"%.100s\"; there are: %s",
                   lm_kind_name(kind), name, known);
}
