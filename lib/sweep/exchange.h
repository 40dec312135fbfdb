/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges slots between sweeps. */
#ifndef LM_EXCHANGES_H
#define LM_EXCHANGES_H

#include "lib/lattice/lattice.h"

/* Makes one exchange by a measurement of the present sites. `sums` has room for lm_sums_count()
 * sums. On failure no slot has moved. The plan may make the exchange (lm_plan_exchanges()). If
 * *measured is nonzero, it uses the sums of these bundles that a run has left with it. *measured
 * is nonzero afterwards. The plan alone then has the state of exchanges. lm_pending_fetch_state()
 * must fetch the state before anything but a sweep reads it. */
latmc_status lm_exchange(latmc_lattice *lattice, const char *caller, double *sums, int *measured);
unsigned lm_exchange_bundles(const latmc_lattice *lattice);

#endif
