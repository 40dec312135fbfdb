/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes waves of pairs of replicas of spins, from counts by planes that a device makes:
 * doc/trajectory.md, "Sums over pairs", "Waves of planes". */
#include "lib/sums/pair_planes.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/planes.h"
#include "lib/sums/pair_count.h"

#include "lib/physics/pair_sums.h"

enum { AT_ONCE = 1 << 18 }; /* planes of pairs at once: some megabytes */

int lm_pairs_have_planes(const latmc_lattice *lattice, lm_plan plan)
{
    return lattice->model->whole_products && plan.ops && plan.ops->pair_planes &&
           lm_all_planes(lattice->dims, lattice->extents) <= plan.ops->most_planes;
}

/* Fills M_k(x). A product is -1 where two spins differ. */
static void fill(const latmc_lattice *lattice, const int64_t *apart, lm_planes *planes)
{
    for (int a = 0; a < lattice->dims; a++) {
        const int64_t all = lattice->sites / lattice->extents[a];

        for (int64_t x = planes->begin[a]; x < planes->begin[a + 1]; x++)
            planes->sums[x] = (double)(all - 2 * apart[x]);
    }
}

static latmc_status sum_waves(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                              lm_planes *planes, int64_t pairs, const int64_t (*replicas)[2],
                              double *sums)
{
    const int64_t each = planes->begin[lattice->dims], fit = each < AT_ONCE ? AT_ONCE / each : 1;
    const int64_t most = pairs < fit ? pairs : fit, step = lm_pair_sums_of(lattice);
    int64_t *apart = lm_unzeroed(caller, "the planes of pairs", most * each, sizeof *apart);
    latmc_status status = apart ? LATMC_OK : LATMC_ERROR_MEMORY;

    sums += lm_pair_bundle_begin(LM_PAIR_WAVES, lattice->dims, 1);
    for (int64_t done = 0; done < pairs && !status; done += most) {
        const int64_t n = pairs - done < most ? pairs - done : most;

        status = lm_fail_in(caller, plan.ops->pair_planes(plan.self, n, replicas + done, apart));
        for (int64_t p = 0; p < n && !status; p++) {
            fill(lattice, apart + p * each, planes);
            lm_planes_end(planes, sums + (done + p) * step);
        }
    }
    free(apart);
    return status;
}

latmc_status lm_pairs_of_planes(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                                int64_t pairs, const int64_t (*replicas)[2], double *sums)
{
    lm_planes planes;
    latmc_status status = lm_planes_open(&planes, lattice, caller, 1);

    if (!status)
        status = sum_waves(lattice, caller, plan, &planes, pairs, replicas, sums);
    lm_planes_close(&planes);
    return status;
}
