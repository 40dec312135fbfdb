/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes waves of pairs of replicas of spins, from counts by planes that a device makes:
 * doc/trajectory.md, "Sums over pairs", "Waves of planes". */
#include "lib/sums/pair_planes.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/divide/workers.h"
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

/* Waves of pairs that are to be computed from the planes of some. An item is a pair. */
typedef struct summing {
    const latmc_lattice *lattice;
    lm_planes *planes; /* [thread] */
    const int64_t *apart;
    double *waves; /* of the first of these pairs */
} summing;

static void sum_pair(void *user, int thread, int64_t pair)
{
    const summing *s = user;
    lm_planes *const planes = &s->planes[thread];

    fill(s->lattice, s->apart + pair * planes->begin[planes->dims], planes);
    lm_planes_end(planes, s->waves + pair * lm_pair_sums_of(s->lattice));
}

static latmc_status sum_waves(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                              lm_planes *planes, int threads, int64_t pairs,
                              const int64_t (*replicas)[2], double *sums)
{
    const int64_t each = planes->begin[lattice->dims], fit = each < AT_ONCE ? AT_ONCE / each : 1;
    const int64_t most = pairs < fit ? pairs : fit, step = lm_pair_sums_of(lattice);
    int64_t *apart = lm_unzeroed(caller, "the planes of pairs", most * each, sizeof *apart);
    latmc_status status = apart ? LATMC_OK : LATMC_ERROR_MEMORY;
    summing s = {lattice, planes, apart,
                 sums + lm_pair_bundle_begin(LM_PAIR_WAVES, lattice->dims, 1)};

    for (int64_t done = 0; done < pairs && !status; done += most, s.waves += most * step) {
        const int64_t n = pairs - done < most ? pairs - done : most;

        status = lm_fail_in(caller, plan.ops->pair_planes(plan.self, n, replicas + done, apart));
        if (!status)
            lm_workers_share(lattice->threads, threads, n, sum_pair, &s);
    }
    free(apart);
    return status;
}

/* Threads for the waves of some pairs: a plane takes about 8 ns on a core of 2024. */
static int threads_for(const latmc_lattice *lattice, int64_t pairs)
{
    const double planes = (double)lm_all_planes(lattice->dims, lattice->extents);

    return lm_workers(lattice->threads, 8.0 * planes * (double)pairs);
}

latmc_status lm_pairs_of_planes(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                                int64_t pairs, const int64_t (*replicas)[2], double *sums)
{
    const int threads = threads_for(lattice, pairs);
    lm_planes *const planes = lm_zeroed(caller, "planes of pairs", threads, sizeof *planes);
    latmc_status status = planes ? lm_planes_open(planes, lattice, caller, 1) : LATMC_ERROR_MEMORY;

    for (int t = 1; t < threads && !status; t++)
        status = lm_planes_open_beside(&planes[t], planes, caller);
    if (!status)
        status = sum_waves(lattice, caller, plan, planes, threads, pairs, replicas, sums);
    for (int t = threads - 1; t >= 0 && planes; t--)
        lm_planes_close(&planes[t]);
    free(planes);
    return status;
}
