/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the models, and looks things up in the list. */
#include "lib/models/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/status.h"
#include "lib/base/text.h"

#define ROW_OF(name) &lm_model_##name,
static const lm_model *const models[] = {LM_EVERY_MODEL(ROW_OF)};

/* ---- looking things up */

int lm_model_count(void)
{
    return (int)(sizeof models / sizeof models[0]);
}

const lm_model *lm_model_at(int index)
{
    return models[index];
}

const lm_model *lm_model_of(int id)
{
    for (int i = 0; i < lm_model_count(); i++)
        if (models[i]->entry.id == id)
            return models[i];
    return NULL;
}

const lm_site_type *lm_model_type(const lm_model *model, latmc_type type)
{
    for (int i = 0; i < model->type_count; i++)
        if ((latmc_type)model->types[i].entry.id == type)
            return &model->types[i];
    return NULL;
}

int lm_entry_count(const lm_model *model, latmc_kind kind)
{
    if (kind == LATMC_MODELS)
        return lm_model_count();
    return kind == LATMC_TYPES ? model->type_count
                               : lm_list_of(model, kind)->count + lm_shared_of(kind).count;
}

const lm_entry *lm_entry_at(const lm_model *model, latmc_kind kind, int index)
{
    const lm_list *own = kind == LATMC_MODELS ? NULL : lm_list_of(model, kind);

    if (kind == LATMC_MODELS)
        return &models[index]->entry;
    if (kind == LATMC_TYPES)
        return &model->types[index].entry;
    return index < own->count ? &own->entries[index]
                              : &lm_shared_of(kind).entries[index - own->count];
}

const lm_entry *lm_list_find(const lm_list *list, int id)
{
    for (int i = 0; i < list->count; i++)
        if (list->entries[i].id == id)
            return &list->entries[i];
    return NULL;
}

const lm_entry *lm_entry_find(const lm_model *model, latmc_kind kind, int id)
{
    const lm_list shared = lm_shared_of(kind);
    const lm_entry *own = lm_list_find(lm_list_of(model, kind), id);

    return own ? own : lm_list_find(&shared, id);
}

const lm_entry *lm_entry_named(const lm_model *model, latmc_kind kind, const char *text,
                               size_t length)
{
    for (int i = 0; i < lm_entry_count(model, kind); i++) {
        const lm_entry *e = lm_entry_at(model, kind, i);

        if (strlen(e->name) == length && memcmp(e->name, text, length) == 0)
            return e;
    }
    return NULL;
}

void lm_entry_names(const lm_model *model, latmc_kind kind, char *text, size_t bytes)
{
    for (int i = 0; i < lm_entry_count(model, kind); i++) {
        lm_append(text, bytes, *text ? ", " : "");
        lm_append(text, bytes, lm_entry_at(model, kind, i)->name);
    }
}

void lm_entry_values(const lm_entry *observable, lm_reading reading, int64_t stride, int64_t count,
                     double *values)
{
    if (observable->observe_many)
        observable->observe_many(&reading, stride, count, values);
    else
        for (int64_t i = 0; i < count; i++, reading.sums += stride)
            values[i] = observable->observe(&reading);
    for (int p = 1; p < observable->power; p *= 2)
        for (int64_t i = 0; i < count; i++)
            values[i] = values[i] * values[i];
    for (int64_t i = 0; i < count && observable->modulus; i++)
        values[i] = fabs(values[i]);
}

double lm_entry_value(const lm_entry *observable, lm_reading reading)
{
    double value;

    lm_entry_values(observable, reading, 0, 1, &value);
    return value;
}

int lm_update_is_tuned(const lm_model *model, const lm_entry *update)
{
    int reads = 0;

    for (int p = 0; p < update->param_count && model->tuned >= 0; p++)
        reads |=
            (int)update->params[p] == lm_list_of(model, LATMC_PARAMS)->entries[model->tuned].id;
    return reads;
}

int lm_update_number(const lm_model *model, latmc_update update)
{
    const lm_list *updates = lm_list_of(model, LATMC_UPDATES);

    return (int)(lm_list_find(updates, (int)update) - updates->entries);
}

const char *lm_kind_name(latmc_kind kind)
{
    static const char *const names[LM_KINDS] = {
        [LM_LIST_INDEX(LATMC_MODELS)] = "model",
        [LM_LIST_INDEX(LATMC_PARAMS)] = "parameter",
        [LM_LIST_INDEX(LATMC_UPDATES)] = "update",
        [LM_LIST_INDEX(LATMC_OBSERVABLES)] = "observable",
        [LM_LIST_INDEX(LATMC_BOUNDARIES)] = "boundary",
        [LM_LIST_INDEX(LATMC_START_MODES)] = "start mode",
        [LM_LIST_INDEX(LATMC_DISTRIBUTIONS)] = "distribution",
        [LM_LIST_INDEX(LATMC_ARGUMENTS)] = "argument of distributions",
        [LM_LIST_INDEX(LATMC_OPTIONS)] = "option",
        [LM_LIST_INDEX(LATMC_TYPES)] = "type",
        [LM_LIST_INDEX(LATMC_PAIR_OBSERVABLES)] = "observable of pairs",
    };

    return LM_LIST_INDEX(kind) >= 0 && LM_LIST_INDEX(kind) < LM_KINDS ? names[LM_LIST_INDEX(kind)]
                                                                      : NULL;
}

/* Returns what to do with something that belongs elsewhere, or NULL. */
static const char *advice(const lm_model *model, latmc_kind kind, int id)
{
    if (kind == LATMC_UPDATES && id == LATMC_SCHEDULE)
        return "LATMC_SCHEDULE stands for several updates, and one is needed here";
    if (kind == LATMC_OBSERVABLES && lm_entry_find(model, LATMC_PAIR_OBSERVABLES, id))
        return "this one is of pairs of replicas, for latmc_observe_pairs() and "
               "latmc_recording::pair_quantities";
    if (kind == LATMC_PAIR_OBSERVABLES && lm_entry_find(model, LATMC_OBSERVABLES, id))
        return "this one is of single replicas, for latmc_observe() and "
               "latmc_recording::quantities";
    return NULL;
}

const lm_entry *lm_model_need(const lm_model *model, latmc_kind kind, int id, const char *caller)
{
    const lm_entry *found = lm_entry_find(model, kind, id);
    const int count = lm_entry_count(model, kind);
    const char *const instead = found ? NULL : advice(model, kind, id);
    char known[512] = "";

    if (found)
        return found;
    for (int i = 0; i < count; i++) {
        const lm_entry *e = lm_entry_at(model, kind, i);
        char item[64];

        snprintf(item, sizeof item, "%s%s (%d)", i ? ", " : "", e->name, e->id);
        lm_append(known, sizeof known, item);
    }
    lm_fail(LATMC_ERROR_UNKNOWN, "%s: the model %s has no %s number %d; %s%s", caller,
            model->entry.name, lm_kind_name(kind), id, instead ? instead : "it has ",
            instead ? ""
            : count ? known
                    : "none");
    return NULL;
}
