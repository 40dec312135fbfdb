/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc_count(), latmc_describe() and latmc_find(): they make the model table public. */
#include <inttypes.h>
#include <string.h>

#include "lib/base/abi.h"
#include "lib/models/model.h"
#include "lib/base/status.h"

/* The entries of one kind. */
typedef struct things {
    latmc_kind kind;
    const lm_model *model; /* NULL: the models themselves */
    int count;
} things;

static latmc_status find_things(const char *caller, latmc_kind kind, latmc_model model, things *out)
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
    *out = (things){kind, m, lm_thing_count(m, kind)};
    return LATMC_OK;
}

latmc_status latmc_count(latmc_kind kind, latmc_model model, int64_t *count)
{
    things t = {LATMC_MODELS, NULL, 0};
    latmc_status status;

    if (!count)
        return lm_fail(LATMC_ERROR_ARGUMENT, "latmc_count: count is NULL");
    status = find_things(__func__, kind, model, &t);
    if (status)
        return status;
    *count = t.count;
    return LATMC_OK;
}

/* Returns what an index of an observable counts. Other entries have none. */
static int32_t counted(const lm_entry *e, latmc_index index)
{
    return e->role && !index ? LATMC_INDEX_NONE : (int32_t)index;
}

latmc_status latmc_describe(latmc_kind kind, latmc_model model, int64_t number, latmc_info *info)
{
    const lm_entry *e;
    things t = {LATMC_MODELS, NULL, 0};
    latmc_status status;

    if (!info)
        return lm_fail(LATMC_ERROR_ARGUMENT, "latmc_describe: info is NULL");
    status =
        lm_struct_check(__func__, "latmc_info", info->size, LM_SIZE_THROUGH(latmc_info, preset));
    if (!status)
        status = find_things(__func__, kind, model, &t);
    if (status)
        return status;
    if (number < 0 || number >= t.count)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "latmc_describe: %s number %" PRId64 " was asked for; there are 0 to %d",
                       lm_kind_name(kind), number, t.count - 1);
    e = lm_thing_at(t.model, t.kind, (int)number);
    lm_struct_write(info,
                    &(latmc_info){.id = e->id,
                                  .per_site = e->per_site,
                                  .name = e->name,
                                  .meaning = e->meaning,
                                  .minimum = e->minimum,
                                  .maximum = e->maximum,
                                  .preset = e->preset,
                                  .ergodic = e->ergodic,
                                  .role = (int32_t)e->role,
                                  .index = counted(e, e->index),
                                  .second = counted(e, e->second),
                                  .distribution = e->distribution,
                                  .step = e->step,
                                  .bytes = e->bytes,
                                  .bits = e->bits},
                    sizeof *info);
    return LATMC_OK;
}

latmc_status latmc_find(latmc_kind kind, latmc_model model, const char *name, int32_t *id)
{
    const lm_entry *e;
    things t = {LATMC_MODELS, NULL, 0};
    latmc_status status;
    char known[512] = "";

    if (!name || !id)
        return lm_fail(LATMC_ERROR_ARGUMENT, "latmc_find: %s is NULL", name ? "id" : "name");
    status = find_things(__func__, kind, model, &t);
    if (status)
        return status;
    e = lm_thing_named(t.model, t.kind, name, strlen(name));
    if (e) {
        *id = e->id;
        return LATMC_OK;
    }
    lm_thing_names(t.model, t.kind, known, sizeof known);
    if (!t.count)
        return lm_fail(LATMC_ERROR_UNKNOWN,
                       "latmc_find: there is no %s \"%.100s\": the model %s has none",
                       lm_kind_name(kind), name, t.model->entry.name);
    return lm_fail(LATMC_ERROR_UNKNOWN, "latmc_find: there is no %s \"%.100s\"; there are: %s",
                   lm_kind_name(kind), name, known);
}
