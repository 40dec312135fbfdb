/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks quantities, which are observables with their indices. */
#ifndef LM_QUANTITY_H
#define LM_QUANTITY_H

#include "lib/lattice/lattice.h"

/* Checks quantities of replicas or of pairs. It refuses what the model or the lattice does not
 * have. *bundles becomes the mask of the bundles that the observables name. */
latmc_status lm_quantities_need(const latmc_lattice *lattice, const char *caller, latmc_kind kind,
                                int64_t count, const latmc_quantity *quantities, unsigned *bundles);

#endif
