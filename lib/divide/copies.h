/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies replicas of a lattice whose pieces are lots, from lot to lot and from rank to rank. */
#ifndef LM_COPIES_H
#define LM_COPIES_H

#include "lib/divide/pieces.h"

/* Implements lm_plan_ops.copy for these pieces. of_rank[rank], and one more, are the ranks' first
 * replicas. The call is collective. It takes host memory for the replicas that change lots. */
latmc_status lm_lots_copy(const lm_pieces *pieces, const int64_t *of_rank, const int64_t *from);

#endif
