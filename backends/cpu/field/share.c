/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a call has, and which way they divide it. */
#include "backends/cpu/field/plan.h"

/* One replica after another, each by a team of one. */
static void work_on_some(lm_member *m, const void *shared)
{
    const lm_field_work *w = shared;
    int64_t replica;
    lm_team one;
    lm_team_alone(&one, m->thread);
    while (lm_team_take(m, w->plan->spec.replicas, &replica))
        w->replicas(&one, w->call, replica, replica + 1);
}

latmc_status lm_field_share(const lm_field_work *w)
{
    lm_field_plan *p = w->plan;
    const int64_t replicas = p->spec.replicas;
    const int most = lm_team_most(p->threads, w->time);
    const int together = lm_team_size(w->chunks < most ? (int)w->chunks : most, w->time, w->round);
    const int apart = lm_team_size(replicas < most ? (int)replicas : most, w->time, w->time);
    const int64_t longest = (replicas + apart - 1) / apart; /* what the last to end has done */
    const int separate = replicas >= 2 * most || replicas >= together * longest;
    lm_team team;
    const latmc_status status =
        w->tiled ? lm_field_tiling_make(p, separate ? apart : together) : LATMC_OK;
    if (status)
        return status;
    lm_field_fixed_refresh(&p->layout);
    lm_team_gather(&team, p->threads, most, separate ? apart : together);
    if (separate)
        lm_team_round(&team, work_on_some, w);
    else
        w->replicas(&team, w->call, 0, replicas);
    lm_team_dismiss(&team);
    return LATMC_OK;
}

/* On a core of 2024; another differs, but as much as the price of waking threads does. */
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
