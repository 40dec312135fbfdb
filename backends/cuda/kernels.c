/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/kernels.h"

#include <math.h>
#include <string.h>

#include "backends/cuda/plan.h"

static int serves(const lm_cuda_kernel *k, const void *plan, int update)
{
    return !k->serves || k->serves(plan, update);
}

/* Returns the time of a sweep. With `records`, the job is made so many times, and each time ends
 * with a measurement. Where the kernel makes no records, a measurement takes about as long as a
 * sweep. */
static double cost_of(const lm_cuda_kernel *k, const void *plan, const lm_job *job, int64_t records)
{
    lm_job all = *job;
    if (!k->cost)
        return HUGE_VAL;
    if (records == 0)
        return k->cost(plan, job);
    if (!k->record)
        return k->cost(plan, job) * (1.0 + 1.0 / (double)job->sweeps);
    all.sweeps *= records;
    return k->cost(plan, &all);
}

static const lm_cuda_kernel *cheapest(const lm_cuda_kernels *all, const void *plan,
                                      const lm_job *job, int64_t records)
{
    const lm_cuda_kernel *best = NULL;
    double least = 0.0;
    for (int i = 0; i < all->count; i++) {
        const lm_cuda_kernel *k = &all->list[i];
        if (!serves(k, plan, job->update))
            continue;
        const double cost = cost_of(k, plan, job, records);
        if (!best || cost < least) {
            best = k;
            least = cost;
        }
    }
    return best;
}

/* Returns the kernel that a test has asked for, if it serves. */
static const lm_cuda_kernel *forced(const lm_cuda_head *h, int update)
{
    const lm_cuda_kernel *first = &h->kernels->list[0];
    if (!h->forced)
        return NULL;
    return serves(h->forced, h, update) ? h->forced : serves(first, h, update) ? first : NULL;
}

static const lm_cuda_kernel *best(const lm_cuda_head *h, const lm_job *job, int64_t records)
{
    const lm_cuda_kernel *k = forced(h, job->update);
    return k ? k : cheapest(h->kernels, h, job, records);
}

const lm_cuda_kernel *lm_cuda_choose(void *plan, const lm_job *job)
{
    lm_cuda_head *h = plan;
    const lm_cuda_kernel *k = best(h, job, 0);
    h->swept[k - h->kernels->list] += job->sweeps;
    return k;
}

const lm_cuda_kernel *lm_cuda_recorder(void *plan, const lm_job *job, int64_t records)
{
    lm_cuda_head *h = plan;
    const lm_cuda_kernel *k = best(h, job, records);
    if (!k->record)
        return NULL;
    h->swept[k - h->kernels->list] += records * job->sweeps;
    return k;
}

const char *lm_cuda_likely(const void *plan, int update, int64_t sweeps)
{
    const lm_job job = {.update = update, .sweeps = sweeps};
    return best(plan, &job, 0)->name;
}

/* Returns the kernel's number in the model's list, or -1. */
static int place_of(const lm_cuda_kernels *all, const char *kernel)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->list[i].name, kernel) == 0)
            return i;
    return -1;
}

int lm_cuda_force(void *plan, const char *kernel, int update)
{
    lm_cuda_head *h = plan;
    const int i = place_of(h->kernels, kernel);
    if (i < 0)
        return 0;
    h->forced = &h->kernels->list[i];
    return serves(h->forced, plan, update);
}

int64_t lm_cuda_swept(const void *plan, const char *kernel)
{
    const lm_cuda_head *h = plan;
    const int i = place_of(h->kernels, kernel);
    return i < 0 ? 0 : h->swept[i];
}
