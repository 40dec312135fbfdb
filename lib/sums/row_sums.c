/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/sums/row_sums.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/minmax.h"
#include "lib/base/status.h"
#include "lib/divide/workers.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_chunks.h"
#include "lib/lattice/planes.h"
#include "lib/sums/plane_waves.h"

static const lm_row_summing *const kinds[] = {&lm_momentum_summing, &lm_weight_summing};
enum { KINDS = sizeof kinds / sizeof *kinds };

unsigned lm_row_sums(const latmc_lattice *lattice, unsigned bundles)
{
    return bundles & (lm_representation_of(lattice)->by_planes | LM_MOMENTUM_SUMS | LM_WEIGHT_SUMS);
}

latmc_status lm_row_sums_prepare(latmc_lattice *lattice, const char *caller, unsigned bundles)
{
    latmc_status status = LATMC_OK;

    if (bundles & lm_representation_of(lattice)->by_planes)
        status = lm_plane_waves_prepare(lattice, caller);
    for (int k = 0; k < KINDS && !status; k++)
        if (bundles & kinds[k]->bundle)
            status = kinds[k]->prepare(lattice, caller);
    return status;
}

/* ---- a thread */

typedef struct thread_sums {
    lm_row_cache cache;
    void *summing[KINDS]; /* NULL: not asked for */
    latmc_status failed;  /* further threads only read host memory, which cannot fail, so the
                             message is the caller's own */
} thread_sums;

static void close_thread_sums(thread_sums *h)
{
    lm_row_cache_close(&h->cache);
    for (int k = 0; k < KINDS; k++)
        kinds[k]->close(h->summing[k]);
}

static int rows_together(const latmc_lattice *lattice, unsigned bundles)
{
    int most = 1;

    for (int k = 0; k < KINDS; k++)
        if (bundles & kinds[k]->bundle && kinds[k]->together)
            most = (int)lm_max(most, kinds[k]->together(lattice));
    return most;
}

static latmc_status open_thread_sums(thread_sums *h, const latmc_lattice *lattice,
                                     const char *caller, unsigned bundles)
{
    latmc_status status =
        lm_row_cache_open(&h->cache, lattice, caller, rows_together(lattice, bundles));

    for (int k = 0; k < KINDS && !status; k++)
        if (bundles & kinds[k]->bundle) {
            h->summing[k] = kinds[k]->open(lattice, caller);
            status = h->summing[k] ? LATMC_OK : LATMC_ERROR_MEMORY;
        }
    return status;
}

static latmc_status add_rows(thread_sums *h, int64_t replica, lm_chunk rows)
{
    const char *sites;
    latmc_status status = lm_row_cached(&h->cache, replica, rows.first, &sites);

    for (int k = 0; k < KINDS && !status; k++)
        if (h->summing[k])
            status = kinds[k]->add(h->summing[k], &h->cache, replica, rows, sites);
    return status;
}

static latmc_status sum_replica(thread_sums *h, int64_t replica)
{
    latmc_status status = LATMC_OK;

    for (lm_chunk c = {0}; !status && lm_next_rows(h->cache.lattice, &c);)
        status = add_rows(h, replica, c);
    for (int k = 0; k < KINDS && !status; k++)
        if (h->summing[k])
            kinds[k]->end(h->summing[k], replica);
    return status;
}

/* ---- all replicas, shared by threads */

typedef struct sharing {
    thread_sums *threads;
    int count;
} sharing;

static void sum_one(void *user, int thread, int64_t replica)
{
    thread_sums *const h = &((const sharing *)user)->threads[thread];

    if (!h->failed)
        h->failed = sum_replica(h, replica);
}

static int hands_for(const latmc_lattice *lattice, unsigned bundles)
{
    const lm_plan_ops *const ops = lattice->home.plan.ops;
    double time = 0.0;

    for (int k = 0; k < KINDS; k++)
        if (bundles & kinds[k]->bundle)
            time += kinds[k]->time(lattice);
    return ops && ops->read_at_once
               ? (int)lm_min(lm_workers(lattice->threads, time * (double)lattice->replicas),
                             lattice->replicas)
               : 1;
}

/* Opens as many threads' sums as are wanted and find memory. Only the first one must succeed. */
static latmc_status open_hands(sharing *s, const latmc_lattice *lattice, const char *caller,
                               unsigned bundles, int wanted)
{
    const latmc_status status = open_thread_sums(&s->threads[0], lattice, caller, bundles);
    const lm_message before = lm_message_now();

    for (s->count = 1; s->count < wanted && !status; s->count++)
        if (open_thread_sums(&s->threads[s->count], lattice, caller, bundles)) {
            close_thread_sums(&s->threads[s->count]);
            lm_message_again(&before);
            break;
        }
    return status;
}

static latmc_status sum_rows(const latmc_lattice *lattice, const char *caller, unsigned bundles)
{
    const int wanted = hands_for(lattice, bundles);
    sharing s = {.threads = lm_zeroed(caller, "threads' sums", wanted, sizeof *s.threads)};
    latmc_status status = s.threads ? LATMC_OK : LATMC_ERROR_MEMORY;

    if (!status)
        status = open_hands(&s, lattice, caller, bundles, wanted);
    if (!status)
        lm_workers_share(lattice->threads, s.count, lattice->replicas, sum_one, &s);
    for (int i = 0; i < s.count; i++) {
        status = status ? status : s.threads[i].failed;
        close_thread_sums(&s.threads[i]);
    }
    free(s.threads);
    return status;
}

/* ---- by the plan */

/* Asks the plan for sums of a kind. If a device lacks memory for them, rows are used. */
static latmc_status ask_plan(latmc_lattice *lattice, const char *caller, const lm_row_summing *kind,
                             unsigned *left)
{
    const lm_message before = lm_message_now();
    int made = 0;
    latmc_status status = lattice->home.plan.ops ? kind->ask(lattice, caller, &made) : LATMC_OK;

    if (status == LATMC_ERROR_DEVICE_MEMORY) {
        lm_message_again(&before);
        status = LATMC_OK;
        made = 0;
    }
    if (kind->made(lattice, made))
        *left &= ~kind->bundle;
    return status;
}

latmc_status lm_row_sums_measure(latmc_lattice *lattice, const char *caller, unsigned bundles)
{
    const unsigned planes = bundles & lm_representation_of(lattice)->by_planes;
    unsigned left = bundles & ~planes;
    latmc_status status = lm_row_sums_prepare(lattice, caller, bundles);

    if (!status && planes)
        status = lm_plane_waves_measure(lattice, caller);
    for (int k = 0; k < KINDS && !status; k++)
        if (left & kinds[k]->bundle)
            status = ask_plan(lattice, caller, kinds[k], &left);
    return status || !left ? status : sum_rows(lattice, caller, left);
}
