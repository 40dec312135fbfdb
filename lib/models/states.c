/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/models/states.h"

#include "lib/models/entries.h"
#include "lib/models/saved_bits.h"

const lm_entry lm_state_boundaries[LM_STATE_BOUNDARIES] = {
    {.id = LATMC_PERIODIC, .name = "periodic", .meaning = "the last site's neighbour is the first"},
    {.id = LATMC_OPEN, .name = "open", .meaning = "no bond between the last site and the first"},
};

const lm_entry lm_state_starts[LM_STATE_STARTS] = {
    {.id = LATMC_START_HOT,
     .name = "hot",
     .meaning = "every state with probability 1/q, drawn from the seed"},
    {.id = LATMC_START_COLD, .name = "cold", .meaning = "every site in state 0"},
};

static int64_t check_sites(const void *sites, int64_t count, int limit)
{
    const uint8_t *s = sites;
    int64_t i = 0;

    while (i < count && s[i] < limit)
        i++;
    return i;
}

static int check_saved(const uint8_t *bytes, int64_t count, int limit)
{
    return check_sites(bytes, count, limit) == count;
}

const lm_site_type lm_state_type = {.entry =
                                        LM_TYPE(UINT8, "uint8", "a state, 0 to q - 1", uint8_t, 8),
                                    .check = check_sites,
                                    .encode = lm_save_bytes,
                                    .decode = lm_load_bytes,
                                    .check_saved = check_saved};
