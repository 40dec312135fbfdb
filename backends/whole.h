/* SPDX-License-Identifier: BSD-3-Clause */
/* What is the same in every table of a model whose lattices stay whole and whose bonds have no
 * couplings. */
#ifndef LM_WHOLE_LATTICES_H
#define LM_WHOLE_LATTICES_H

#include "backends/backend.h"

/* Refuses a slab: for `open`, so that none of the functions below that fail is ever called. */
latmc_status lm_whole_check(const lm_spec *spec);

latmc_status lm_whole_put_bonds(void *plan, int axis, int64_t first_row, int64_t rows,
                                const int8_t *bonds);
size_t lm_whole_halo_bytes(const void *plan);
latmc_status lm_whole_update(void *plan, latmc_update update, int64_t step, int colour,
                             lm_part part);
latmc_status lm_whole_pack(void *plan, lm_side side, void *halo);
latmc_status lm_whole_unpack(void *plan, lm_side side, const void *halo);

#define LM_WHOLE_LATTICES                                                                          \
    .put_bonds = lm_whole_put_bonds, .halo_bytes = lm_whole_halo_bytes, .update = lm_whole_update, \
    .pack = lm_whole_pack, .unpack = lm_whole_unpack

#endif
