/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads what a saved lattice calls by a name: options, parameters, distributions and their
 * arguments. One that is missing has its preset, so that a model may gain some; one that the model
 * does not have is refused by its name.
 */
#include "lib/save/load_named.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/need.h"
#include "lib/save/section.h"

latmc_status lm_load_unknown(const lm_source *source, const char *kind, const char *name)
{
    const char *c = name;

    while (*c > ' ' && *c <= '~')
        c++;
    if (*c || c == name)
        return lm_damaged(source, "a name that is none");
    return lm_fail(LATMC_ERROR_VERSION,
                   "%s: %s has the %s \"%s\", which this library does not know; a later version "
                   "has saved it",
                   source->caller, source->name, kind, name);
}

latmc_status lm_load_name(lm_names *n, const uint8_t **from, const lm_entry **entry)
{
    const uint8_t *const bytes = *from;
    char name[LM_NAME_BYTES + 1];

    lm_get_name(from, name);
    for (size_t i = strlen(name); i < LM_NAME_BYTES; i++)
        if (bytes[i])
            return lm_damaged(n->source, "a name that is none");
    for (int i = 0; i < n->list->count; i++) {
        *entry = &n->list->entries[i];
        if ((*entry)->distribution != n->distribution || strcmp((*entry)->name, name) != 0)
            continue;
        if (n->once && n->seen & (uint64_t)1 << i)
            return lm_damaged(n->source, "two things of one name");
        n->seen |= (uint64_t)1 << i;
        return LATMC_OK;
    }
    return lm_load_unknown(n->source, lm_kind_name(n->kind), name);
}

latmc_status lm_take_options(const lm_source *source, const lm_section *s, const uint8_t *from,
                             latmc_lattice *lat)
{
    lm_names n = {source, lm_list_of(lat->model, LATMC_OPTIONS), LATMC_OPTIONS, 0, 1, 0};
    latmc_status status = LATMC_OK;

    for (uint64_t i = 0; i < s->length / LM_NAMED && !status; i++) {
        const lm_entry *option;

        status = lm_load_name(&n, &from, &option);
        if (!status)
            status = lm_damaged_if_refused(source, latmc_set_option(lat, (latmc_option)option->id,
                                                                    (int64_t)lm_get_u64(&from)));
    }
    return status;
}

latmc_status lm_take_params(const lm_source *source, const lm_section *s, const uint8_t *from,
                            latmc_lattice *lat)
{
    lm_names n = {source, lm_list_of(lat->model, LATMC_PARAMS), LATMC_PARAMS, 0, 1, 0};
    const uint64_t each = LM_NAME_BYTES + LM_NUMBER * (uint64_t)lat->replicas;
    double *values =
        lm_zeroed(source->caller, "a parameter of all replicas", lat->replicas, sizeof *values);
    latmc_status status = values ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (uint64_t i = 0; i < s->length / each && !status; i++) {
        const lm_entry *parameter;

        status = lm_load_name(&n, &from, &parameter);
        if (status)
            break;
        for (int64_t r = 0; r < lat->replicas; r++)
            values[r] = lm_get_f64(&from);
        status = lm_damaged_if_refused(source,
                                       latmc_set_params(lat, (latmc_param)parameter->id, values));
    }
    free(values);
    return status;
}

latmc_status lm_take_changed(const lm_source *source, const lm_section *s, const uint8_t *from,
                             latmc_lattice *lat)
{
    (void)s;
    for (int64_t r = 0; r < lat->replicas; r++) {
        const double c = lm_get_f64(&from);

        lat->changed[r] = c;
        if (!(c >= 0.0 && c <= (double)lat->sites) ||
            (lat->model->whole_moves && c != (double)(int64_t)c))
            return lm_damaged(source, "number of changed sites");
    }
    return LATMC_OK;
}

latmc_status lm_take_momenta(const lm_source *source, const lm_section *s, const uint8_t *from,
                             latmc_lattice *lat)
{
    const uint64_t count = lm_get_u64(&from), each = LM_NUMBER * (uint64_t)lat->dims;
    int64_t n[LATMC_MAX_MOMENTA * LATMC_MAX_DIMS];

    if (count < 1 || count > LATMC_MAX_MOMENTA || s->length != LM_NUMBER + count * each)
        return lm_damaged(source, "number of momenta");
    for (uint64_t i = 0; i < count * (uint64_t)lat->dims; i++)
        n[i] = (int64_t)lm_get_u64(&from);
    return lm_damaged_if_refused(source, latmc_set_momenta(lat, (int64_t)count, n));
}

latmc_status lm_take_drawn(const lm_source *source, const lm_section *s, const uint8_t *from,
                           latmc_lattice *lat)
{
    const lm_owner owner = lm_owner_of(s->id);
    lm_names d = {source, lm_list_of(lat->model, LATMC_DISTRIBUTIONS), LATMC_DISTRIBUTIONS, 0, 1,
                  0};
    lm_names n = {source, lm_list_of(lat->model, LATMC_ARGUMENTS), LATMC_ARGUMENTS, 0, 1, 0};
    latmc_argument arguments[LM_ARGUMENTS];
    double values[LM_ARGUMENTS];
    int count = 0;
    const lm_entry *distribution, *argument;
    latmc_status status = lm_damaged_if_refused(source, lm_need_owner(lat, source->caller, owner));
    uint64_t seed;

    if (!status)
        status = lm_load_name(&d, &from, &distribution);
    if (status)
        return status;
    n.distribution = distribution->id;
    seed = lm_get_u64(&from);
    for (uint64_t i = 1; i < s->length / LM_NAMED && !status; i++) {
        status = lm_load_name(&n, &from, &argument);
        if (status)
            return status;
        arguments[count] = (latmc_argument)argument->id;
        values[count++] = lm_get_f64(&from);
    }
    return lm_damaged_if_refused(
        source, (owner == LM_OF_BONDS ? latmc_draw_bond_couplings : latmc_draw_site_fields)(
                    lat, (latmc_distribution)distribution->id, seed, count, arguments, values));
}
