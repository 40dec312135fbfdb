/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/load_weights.h"

#include "lib/base/bytes.h"
#include "lib/lattice/lattice_leaves.h"
#include "lib/save/leaf_reader.h"
#include "lib/save/load_leaves.h"
#include "lib/save/section_list.h"
#include "lib/settings/weights.h"

/* Takes what the list says of a set. */
static latmc_status take_set(const lm_source *source, const uint8_t **from, int64_t *after,
                             latmc_lattice *lat)
{
    const int64_t number = (int64_t)lm_get_u64(from);
    const uint32_t kind = lm_get_u32(from), signs = lm_get_u32(from);
    const int64_t samples = (int64_t)lm_get_u64(from);

    if (number < *after || number >= LATMC_MAX_WEIGHTS)
        return lm_damaged(source, "number of weights");
    if (kind != LM_WEIGHTS_OF_SITES && (kind != LM_WEIGHTS_OF_BONDS || !lat->model->products))
        return lm_damaged(source, "what weights belong to");
    if (signs > 1)
        return lm_damaged(source, "whether weights are signs");
    if (samples != 1 && samples != lat->samples)
        return lm_damaged(source, "samples of weights");
    lat->weights.set[number] =
        (lm_weights){.owner = kind == LM_WEIGHTS_OF_BONDS ? LM_OF_BONDS : LM_OF_SITES,
                     .samples = samples,
                     .as_signs = (int)signs};
    *after = number + 1;
    return LATMC_OK;
}

latmc_status lm_take_weights(const lm_source *source, const lm_section *s, const uint8_t *from,
                             latmc_lattice *lat)
{
    const uint8_t *const end = from + s->length;
    int64_t after = 0;
    latmc_status status = s->length ? LATMC_OK : lm_damaged(source, "an empty list of weights");

    while (from < end && !status)
        status = take_set(source, &from, &after, lat);
    lm_weights_counted(lat);
    return status;
}

latmc_status lm_weights_room_for(const lm_source *source, const lm_section *section,
                                 latmc_lattice *lat)
{
    latmc_status status = LATMC_OK;

    if (section)
        status = lm_need_length(
            source, section,
            lm_section_list[LM_SECTION_WEIGHTS_GIVEN].leaves(lat, LM_SECTION_WEIGHTS_GIVEN));
    for (int i = 0; i < LATMC_MAX_WEIGHTS && !status; i++)
        if (lat->weights.set[i].samples)
            status = lm_weights_room(lat, source->caller, &lat->weights.set[i]);
    return status;
}

/* Weights of which all are signs are saved as such. */
static latmc_status use(const lm_source *source, const latmc_lattice *lat, const lm_weights *set)
{
    const int64_t count = lm_weights_count(lat, set);
    int are_signs = 0;
    latmc_status status;

    if (set->as_signs)
        return lm_check_signs(source, count, set->signs, "weight");
    status = lm_decode_reals(source, count, set->reals, "weight", &are_signs);
    return status || !are_signs ? status
                                : lm_damaged(source, "weights that are all signs, as real numbers");
}

latmc_status lm_load_weights(lm_source *source, const lm_section *section, latmc_lattice *lat)
{
    lm_leaf_reader r;
    latmc_status status;

    if (!section)
        return LATMC_OK;
    status = lm_leaf_reader_open(&r, source, section);
    for (int i = 0; i < LATMC_MAX_WEIGHTS && !status; i++) {
        const lm_weights *set = &lat->weights.set[i];
        const lm_leaves leaves = lm_leaves_of_weights(lat, set);
        const int types = lm_trunks_of_sample(lat, set->owner);

        if (set->samples)
            status = lm_leaf_reader_take(&r, i, types, &leaves, lm_weights_numbers(set));
    }
    if (!status)
        status = lm_leaf_reader_end(&r);
    lm_leaf_reader_close(&r);
    for (int i = 0; i < LATMC_MAX_WEIGHTS && !status; i++)
        if (lat->weights.set[i].samples)
            status = use(source, lat, &lat->weights.set[i]);
    return status;
}
