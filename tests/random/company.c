/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/company.h"

#include <stdio.h>

/* On a GPU these are swept by different kernels. */
static const struct {
    latmc_model model;
    int dims;
    int64_t extents[LATMC_MAX_DIMS], replicas;
} lattices[] = {
    {LATMC_ISING, 2, {66, 34}, 5},
    {LATMC_ISING, 2, {512, 130}, 1},
    {LATMC_ISING, 3, {33, 8, 6}, 3},
    {LATMC_PHI4, 2, {24, 20}, 2},
};

enum { CALLS = 12, LONGEST = 9 };

static latmc_status play(latmc_lattice *lattice, company *c)
{
    latmc_status status = latmc_set_seed(lattice, c->seed);

    if (!status)
        status = latmc_set_device(lattice, c->device);
    if (!status)
        status = latmc_set_threads(lattice, 1);
    if (!status)
        status = latmc_start(lattice, LATMC_START_HOT);
    for (int i = 0; i < CALLS && !status; i++)
        status = latmc_sweep(lattice, LATMC_METROPOLIS, 1 + (int64_t)(c->seed + 5 * i) % LONGEST);
    return status ? status : latmc_state_hash(lattice, &c->hash);
}

static void *keep_company(void *user)
{
    company *c = user;
    const size_t which = c->seed % (sizeof lattices / sizeof lattices[0]);
    latmc_lattice *lattice = NULL;

    c->status = latmc_create(&lattice, lattices[which].model, lattices[which].dims,
                             lattices[which].extents);
    if (!c->status)
        c->status = latmc_set_replicas(lattice, lattices[which].replicas);
    if (!c->status)
        c->status = play(lattice, c);
    snprintf(c->what, sizeof c->what, "status of the company%s%s", c->status ? ": " : "",
             c->status ? latmc_error_message() : "");
    latmc_destroy(lattice);
    return NULL;
}

void company_begin(company *c, uint64_t seed, const char *device, int apart)
{
    *c = (company){.seed = seed, .device = device, .what = "status of the company"};
    if (!seed)
        return;
    c->apart = apart && pthread_create(&c->thread, NULL, keep_company, c) == 0;
    if (!c->apart)
        keep_company(c);
}

void company_end(company *c)
{
    if (c->apart)
        pthread_join(c->thread, NULL);
    c->apart = 0;
}
