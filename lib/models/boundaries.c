/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the boundaries of models with bonds. */
#include "lib/models/model.h"

const lm_entry lm_boundaries[LM_BOUNDARIES] = {
    {.id = LATMC_PERIODIC, .name = "periodic", .meaning = "the last site's neighbour is the first"},
    {.id = LATMC_ANTIPERIODIC,
     .name = "antiperiodic",
     .meaning = "periodic, with the sign reversed beyond the end"},
    {.id = LATMC_OPEN, .name = "open", .meaning = "no bond between the last site and the first"},
};
