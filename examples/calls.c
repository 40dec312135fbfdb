/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "lattice_flags.h"

/* What the ways that set something set, forwards and backwards: values that the lattice has anyway,
 * and slots. */
typedef struct turns {
    latmc_param param;
    double *values[2];
    int64_t *slots[2];
} turns;

typedef latmc_status set(latmc_lattice *lattice, const turns *t, int turn);

static latmc_status set_nothing(latmc_lattice *lattice, const turns *t, int turn)
{
    (void)lattice;
    (void)t;
    (void)turn;
    return LATMC_OK;
}

static latmc_status set_params(latmc_lattice *lattice, const turns *t, int turn)
{
    return latmc_set_params(lattice, t->param, t->values[turn]);
}

static latmc_status set_slots(latmc_lattice *lattice, const turns *t, int turn)
{
    return latmc_set_slots(lattice, t->slots[turn]);
}

static const struct {
    const char *name;
    set *set; /* before each step; NULL: they are made in one call */
    int ramp;
} ways[] = {{"all", NULL, 0},
            {"one", set_nothing, 0},
            {"params", set_params, 0},
            {"slots", set_slots, 0},
            {"ramp", NULL, 1}};

int calls_way(const char *name)
{
    for (int i = 0; i < (int)(sizeof ways / sizeof ways[0]); i++)
        if (!name || strcmp(ways[i].name, name) == 0)
            return i;
    cli_refuse("--calls is \"%s\"; it can be all, one, params, slots or ramp", name);
    return 0;
}

static void prepare(const latmc_lattice *lattice, turns *t)
{
    const latmc_lattice_info info = lattice_info(lattice);
    const int64_t n = info.replicas;

    t->param = (latmc_param)lattice_thing(LATMC_PARAMS, info.model, 0).id;
    for (int turn = 0; turn < 2; turn++) {
        t->values[turn] = cli_memory(n, sizeof *t->values[turn]);
        t->slots[turn] = cli_memory(n, sizeof *t->slots[turn]);
    }
    cli_run(latmc_get_params(lattice, t->param, t->values[0]));
    for (int64_t r = 0; r < n; r++) {
        t->values[1][r] = t->values[0][n - 1 - r];
        t->slots[0][r] = r;
        t->slots[1][r] = n - 1 - r;
    }
}

static void finish(turns *t)
{
    for (int turn = 0; turn < 2; turn++) {
        free(t->values[turn]);
        free(t->slots[turn]);
    }
}

latmc_status calls_sweep(latmc_lattice *lattice, int way, int64_t steps, int64_t sweeps)
{
    turns t;
    latmc_status status = LATMC_OK;

    prepare(lattice, &t);
    if (ways[way].ramp)
        status = latmc_set_ramp(lattice, t.param, t.values[1], steps * sweeps);
    if (!ways[way].set)
        status = status ? status : latmc_sweep(lattice, LATMC_SCHEDULE, steps);
    for (int64_t i = 0; ways[way].set && i < steps && !status; i++) {
        status = ways[way].set(lattice, &t, (int)(i % 2));
        if (!status)
            status = latmc_sweep(lattice, LATMC_SCHEDULE, 1);
    }
    finish(&t);
    return status;
}
