/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over sites of a lattice in pieces (backends/site_sums.h), if all pieces make their own. */
#ifndef LM_DIVIDE_SITE_SUMS_H
#define LM_DIVIDE_SITE_SUMS_H

#include "lib/divide/pieces.h"

/* Implement lm_plan_ops.momenta and .weigh for lots and for slabs. of_rank[rank], and one more, are
 * the ranks' first replicas, or their first layers. The calls are collective. */
latmc_status lm_lots_momenta(const lm_pieces *pieces, const int64_t *of_rank,
                             const lm_momentum_order *order, double *sums, int *made);
latmc_status lm_lots_weigh(const lm_pieces *pieces, const int64_t *of_rank,
                           const lm_weight_order *order, int64_t *sums, int *made);
latmc_status lm_slabs_momenta(const lm_pieces *pieces, const int64_t *of_rank,
                              const lm_momentum_order *order, double *sums, int *made);
latmc_status lm_slabs_weigh(const lm_pieces *pieces, const lm_weight_order *order, int64_t *sums,
                            int *made);

#endif
