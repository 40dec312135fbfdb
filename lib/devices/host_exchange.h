/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes exchanges of slots on the host, for plans that do not make them on their device. */
#ifndef LM_HOST_EXCHANGE_H
#define LM_HOST_EXCHANGE_H

#include "backends/backend.h"
#include "lib/models/model.h"

/* The input of an exchange. Replicas and slots are those of one plan. */
typedef struct lm_offers {
    const lm_model *model;
    lm_reading reading;   /* of the lattice, without sums and parameters */
    const double *values; /* [parameter][slot] */
    const double *sums;   /* [replica][each], of the order's bundles */
    int each;
    int64_t replicas;
    int64_t first_replica; /* its number */
    uint64_t seed;
} lm_offers;

/* Makes an exchange: doc/trajectory.md, "Slots and exchanges". It changes the state
 * (lib/physics/exchange_state.h) and ignores order->state. */
void lm_exchange_slots(const lm_offers *offers, const lm_exchange_order *order, int64_t *state);

#endif
