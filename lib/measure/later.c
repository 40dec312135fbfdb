/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that this version refuses. */
#include "lib/base/status.h"
#include "lib/lattice/need.h"

latmc_status latmc_copy_replicas(latmc_lattice *lattice, const int64_t *from)
{
    latmc_status status =
        lm_need_pointer(lm_need_started(lattice, __func__), __func__, "from", from);

    if (!status)
        status = lm_fail(LATMC_ERROR_STATE, "%s: this version does not copy replicas", __func__);
    return lm_everywhere(lattice, status);
}
