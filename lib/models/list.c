/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of models, and looking things up in it. */
#include "lib/model.h"

#include <math.h>
#include <stdio.h>

#include "lib/status.h"
#include "lib/text.h"

static const lm_model *const models[] = {
    &lm_model_ising,
    &lm_model_onvector,
    &lm_model_phi4,
};

const lm_entry lm_boundaries[LM_BOUNDARIES] = {
    {.id = LATMC_PERIODIC, .name = "periodic", .meaning = "the last site's neighbour is the first"},
    {.id = LATMC_ANTIPERIODIC,
     .name = "antiperiodic",
     .meaning = "periodic, with the sign reversed beyond the end"},
    {.id = LATMC_OPEN, .name = "open", .meaning = "no bond between the last site and the first"},
};

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

int lm_thing_count(const lm_model *model, latmc_kind kind)
{
    if (kind == LATMC_MODELS)
        return lm_model_count();
    return kind == LATMC_TYPES ? model->type_count : lm_list_of(model, kind)->count;
}

const lm_entry *lm_thing_at(const lm_model *model, latmc_kind kind, int index)
{
    if (kind == LATMC_MODELS)
        return &models[index]->entry;
    return kind == LATMC_TYPES ? &model->types[index].entry
                               : &lm_list_of(model, kind)->entries[index];
}

const lm_entry *lm_list_find(const lm_list *list, int id)
{
    for (int i = 0; i < list->count; i++)
        if (list->entries[i].id == id)
            return &list->entries[i];
    return NULL;
}

double lm_entry_value(const lm_entry *observable, lm_reading reading)
{
    double value;

    reading.which = observable->which;
    value = observable->observe(&reading);
    if (observable->power >= 2)
        value = value * value;
    if (observable->power == 4)
        value = value * value;
    return observable->modulus ? fabs(value) : value;
}

int lm_update_number(const lm_model *model, latmc_update update)
{
    const lm_list *updates = lm_list_of(model, LATMC_UPDATES);

    return (int)(lm_list_find(updates, (int)update) - updates->entries);
}

const char *lm_kind_name(latmc_kind kind)
{
    static const char *const names[LM_KINDS] = {
        [LM_PLACE(LATMC_MODELS)] = "model",
        [LM_PLACE(LATMC_PARAMS)] = "parameter",
        [LM_PLACE(LATMC_UPDATES)] = "update",
        [LM_PLACE(LATMC_OBSERVABLES)] = "observable",
        [LM_PLACE(LATMC_BOUNDARIES)] = "boundary",
        [LM_PLACE(LATMC_START_MODES)] = "start mode",
        [LM_PLACE(LATMC_DISTRIBUTIONS)] = "distribution",
        [LM_PLACE(LATMC_ARGUMENTS)] = "argument of distributions",
        [LM_PLACE(LATMC_OPTIONS)] = "option",
        [LM_PLACE(LATMC_TYPES)] = "type",
        [LM_PLACE(LATMC_PAIR_OBSERVABLES)] = "observable of pairs",
    };

    return LM_PLACE(kind) >= 0 && LM_PLACE(kind) < LM_KINDS ? names[LM_PLACE(kind)] : NULL;
}

const lm_entry *lm_model_need(const lm_model *model, latmc_kind kind, int id, const char *who)
{
    const lm_list *list = lm_list_of(model, kind);
    const lm_entry *found = lm_list_find(list, id);
    char known[512] = "";

    if (found)
        return found;
    for (int i = 0; i < list->count; i++) {
        char item[64];

        snprintf(item, sizeof item, "%s%s (%d)", i ? ", " : "", list->entries[i].name,
                 list->entries[i].id);
        lm_append(known, sizeof known, item);
    }
    lm_fail(LATMC_ERROR_UNKNOWN, "%s: the model %s has no %s number %d; it has %s", who,
            model->entry.name, lm_kind_name(kind), id, list->count ? known : "none");
    return NULL;
}
