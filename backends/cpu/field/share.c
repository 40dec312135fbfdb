/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides how many threads a call has, and how they divide its work. */
#include "backends/cpu/field/plan.h"

latmc_status lm_field_share(const lm_field_work *w)
{
    lm_field_plan *p = w->plan;
    const int64_t replicas = p->spec.replicas;
    const int most = lm_team_most(p->threads, w->time);
    const int together = lm_team_size(w->chunks < most ? (int)w->chunks : most, w->time, w->lap);
    const lm_team_split split = lm_team_split_of(replicas, most, together, w->time);
    const latmc_status status = w->tiled ? lm_field_tiling_make(p, split.threads) : LATMC_OK;
    if (status)
        return status;
    lm_field_fixed_refresh(&p->layout);
    lm_team_do(p->threads, split, replicas, w->replicas, w->call);
    return LATMC_OK;
}

/* Estimates the time of a sweep of all replicas by one thread, in nanoseconds on a core of 2024.
 * Other cores differ, but so does the price of waking threads. */
double lm_field_sweep_time(const lm_field_plan *p, int update)
{
    double time = 0.0;
    for (int64_t k = 0; k < p->spec.replicas; k++) {
        const void *rule = lm_field_rule_of(p, k);
        const double visits = lm_field_is_tiled(p, update) ? p->model->local_sweeps(rule) : 1;
        time += 16.0 * (2.0 * visits + 1.1 * p->model->proposals(rule, update)) / p->lane->reals;
    }
    return time;
}

double lm_field_measure_time(const lm_field_plan *p)
{
    return 4.0 * (double)p->spec.replicas;
}
