/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/whole.h"

#include "lib/status.h"

static latmc_status refuse(void)
{
    return lm_fail(LATMC_ERROR_ARGUMENT, "lattices of this model cannot be cut in slabs yet");
}

latmc_status lm_whole_check(const lm_spec *spec)
{
    return spec->layers == spec->extents[spec->dims - 1] ? LATMC_OK : refuse();
}

/* Boundaries are all that there is to say of such bonds, and the spec has them. */
latmc_status lm_whole_put_bonds(void *plan, int axis, int64_t first_row, int64_t rows,
                                const int8_t *bonds)
{
    (void)plan, (void)axis, (void)first_row, (void)rows, (void)bonds;
    return LATMC_OK;
}

size_t lm_whole_halo_bytes(const void *plan)
{
    (void)plan;
    return 0;
}

latmc_status lm_whole_update(void *plan, latmc_update update, int64_t step, int colour,
                             lm_part part)
{
    (void)plan, (void)update, (void)step, (void)colour, (void)part;
    return refuse();
}

latmc_status lm_whole_pack(void *plan, lm_side side, void *halo)
{
    (void)plan, (void)side, (void)halo;
    return refuse();
}

latmc_status lm_whole_unpack(void *plan, lm_side side, const void *halo)
{
    (void)plan, (void)side, (void)halo;
    return refuse();
}
