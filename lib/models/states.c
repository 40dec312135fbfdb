/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/models/states.h"

#include "lib/models/byte_values.h"
#include "lib/models/entries.h"
#include "lib/models/saved_digits.h"

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
    return lm_first_strange((lm_byte_values){.most = (uint8_t)(limit - 1)}, sites, count);
}

static int check_bytes(const uint8_t *bytes, int64_t count, int limit)
{
    return check_sites(bytes, count, limit) == count;
}

#define STATES(bits, save, load, check_)                                                           \
    {                                                                                              \
        .entry = LM_TYPE(UINT8, "uint8", "a state, 0 to q - 1", uint8_t, bits),                    \
        .check = check_sites, .encode = save, .decode = load, .check_saved = check_                \
    }

const lm_site_type lm_state_types[2] = {STATES(8, lm_save_bytes, lm_load_bytes, check_bytes),
                                        LM_SAVED_TYPE(LM_STATE_DIGITS)};

/* The functions for states of so many digits. */
#define DIGITS(n)                                                                                  \
    static void encode_##n(const void *sites, int64_t count, uint8_t *bytes)                       \
    {                                                                                              \
        lm_save_digits(n, sites, count, bytes);                                                    \
    }                                                                                              \
    static void decode_##n(const uint8_t *bytes, int64_t count, void *sites)                       \
    {                                                                                              \
        lm_load_digits(n, bytes, count, sites);                                                    \
    }                                                                                              \
    static int check_##n(const uint8_t *bytes, int64_t count, int limit)                           \
    {                                                                                              \
        return lm_check_saved_digits(n, bytes, count, limit - 1);                                  \
    }
DIGITS(1)
DIGITS(2)
DIGITS(3)
DIGITS(4)

const lm_site_type lm_digit_types[LM_STATE_DIGITS] = {
    STATES(1, encode_1, decode_1, check_1), STATES(2, encode_2, decode_2, check_2),
    STATES(3, encode_3, decode_3, check_3), STATES(4, encode_4, decode_4, check_4)};
