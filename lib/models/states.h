/* SPDX-License-Identifier: BSD-3-Clause */
/* Models whose sites have one of q states. A state is a byte in arrays and in saved files. */
#ifndef LM_STATES_H
#define LM_STATES_H

#include "lib/models/model.h"

extern const lm_site_type lm_state_type;

/* A state has no opposite, so no axis is antiperiodic. */
enum { LM_STATE_BOUNDARIES = 2, LM_STATE_STARTS = 2 };
extern const lm_entry lm_state_boundaries[LM_STATE_BOUNDARIES], lm_state_starts[LM_STATE_STARTS];

/* The share of the sites in each state, for a list of observables. The function reads the state
 * from lm_reading.which. It must allow states of q or more. It reads these bundles. */
#define LM_OCCUPATION(a, name_of_a, bundles_, function)                                            \
    {                                                                                              \
        .id = LATMC_OCCUPATION_0 + (a), .name = "occupation_" name_of_a,                           \
        .meaning = "share of the sites in state " name_of_a "; 0 from q on",                       \
        .role = LATMC_ROLE_OCCUPATION, .axis = (a), .bundles = bundles_, .observe = function,      \
        .which = (a)                                                                               \
    }
#define LM_OCCUPATIONS_10(tens, t, g, f)                                                           \
    LM_OCCUPATION(10 * (tens), t "0", g, f), LM_OCCUPATION(10 * (tens) + 1, t "1", g, f),          \
        LM_OCCUPATION(10 * (tens) + 2, t "2", g, f), LM_OCCUPATION(10 * (tens) + 3, t "3", g, f),  \
        LM_OCCUPATION(10 * (tens) + 4, t "4", g, f), LM_OCCUPATION(10 * (tens) + 5, t "5", g, f),  \
        LM_OCCUPATION(10 * (tens) + 6, t "6", g, f), LM_OCCUPATION(10 * (tens) + 7, t "7", g, f),  \
        LM_OCCUPATION(10 * (tens) + 8, t "8", g, f), LM_OCCUPATION(10 * (tens) + 9, t "9", g, f)
#define LM_OCCUPATIONS_50(tens, a, b, c, d, e, g, f)                                               \
    LM_OCCUPATIONS_10(tens, a, g, f), LM_OCCUPATIONS_10((tens) + 1, b, g, f),                      \
        LM_OCCUPATIONS_10((tens) + 2, c, g, f), LM_OCCUPATIONS_10((tens) + 3, d, g, f),            \
        LM_OCCUPATIONS_10((tens) + 4, e, g, f)
#define LM_OCCUPATIONS_64(g, f)                                                                    \
    LM_OCCUPATIONS_10(0, "", g, f), LM_OCCUPATIONS_50(1, "1", "2", "3", "4", "5", g, f),           \
        LM_OCCUPATION(60, "60", g, f), LM_OCCUPATION(61, "61", g, f),                              \
        LM_OCCUPATION(62, "62", g, f), LM_OCCUPATION(63, "63", g, f)
#define LM_OCCUPATIONS_256(g, f)                                                                   \
    LM_OCCUPATIONS_10(0, "", g, f), LM_OCCUPATIONS_50(1, "1", "2", "3", "4", "5", g, f),           \
        LM_OCCUPATIONS_50(6, "6", "7", "8", "9", "10", g, f),                                      \
        LM_OCCUPATIONS_50(11, "11", "12", "13", "14", "15", g, f),                                 \
        LM_OCCUPATIONS_50(16, "16", "17", "18", "19", "20", g, f),                                 \
        LM_OCCUPATIONS_10(21, "21", g, f), LM_OCCUPATIONS_10(22, "22", g, f),                      \
        LM_OCCUPATIONS_10(23, "23", g, f), LM_OCCUPATIONS_10(24, "24", g, f),                      \
        LM_OCCUPATION(250, "250", g, f), LM_OCCUPATION(251, "251", g, f),                          \
        LM_OCCUPATION(252, "252", g, f), LM_OCCUPATION(253, "253", g, f),                          \
        LM_OCCUPATION(254, "254", g, f), LM_OCCUPATION(255, "255", g, f)

#endif
