/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests that are not about threads change inside the CPU backend, in one place. */
#ifndef LM_TESTS_INSIDE_H
#define LM_TESTS_INSIDE_H

#include "backends/cpu/field/plan.h"
#include "backends/cpu/team/team.h"
#include "lib/lattice/lattice.h"

/* Small lattices have all the threads that they ask for; `meet`: and these do meet. */
static inline void inside_share_all(int meet)
{
    lm_worth = (lm_team_worth){0};
    lm_team_waits = meet;
}

/* Where the lattice is cut from the next device on that it goes to, or is started on. */
static inline void inside_cut(latmc_lattice *lattice, const lm_cuts *cuts)
{
    lattice->cuts = *cuts;
}

/* From then on it is cut by itself if it has more sites. */
static inline void inside_limit(latmc_lattice *lattice, int64_t most_sites)
{
    lattice->most_sites = most_sites;
}

/* What goes through lib/ row by row does so in chunks of so many numbers, and at least of a few
 * rows.
 */
static inline void inside_chunk(latmc_lattice *lattice, int64_t numbers)
{
    lattice->chunk_numbers = numbers;
}

/* Colours follow each other through the lattice, which only large ones have by themselves. The
 * lattice is one of a field, started on a CPU. */
static inline void inside_force_fronts(latmc_lattice *lattice)
{
    lm_field_plan *plan = lattice->home.plan.self;

    plan->front_limits.field_bytes = 0;
    plan->front_limits.front_sites = 1;
}

/* How many slices they then have; 0: no fronts. */
static inline int64_t inside_slices(const latmc_lattice *lattice, int threads)
{
    return lm_field_slices(lattice->home.plan.self, threads);
}

#endif
