/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/plant.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "tests/numbers.h"
#include "tests/random/models.h"
#include "tests/sites.h"

static const char *const names[PLANT_KINDS] = {
    [PLANT_NONE] = "none",   [PLANT_FLIP] = "flip",     [PLANT_SOMETIMES] = "sometimes",
    [PLANT_VALUE] = "value", [PLANT_STATUS] = "status", [PLANT_MESSAGE] = "message",
    [PLANT_HANG] = "hang",   [PLANT_CRASH] = "crash",   [PLANT_QUIT] = "quit",
    [PLANT_PAIRS] = "pairs",
};

plant_kind plant_find(const char *name)
{
    int k = 0;

    while (k < PLANT_KINDS && strcmp(names[k], name) != 0)
        k++;
    return (plant_kind)k;
}

const char *plant_list(void)
{
    return "flip, sometimes, value, pairs, status, message, hang, crash, quit";
}

int plant_armed(const random_case *c, const case_step *s)
{
    const int64_t refused = 1 << 20; /* so many sweeps */
    int64_t longest = 0;

    for (int a = 0; a < c->dims; a++)
        longest = c->extents[a] > longest ? c->extents[a] : longest;
    if (longest < 5 || s->number > refused || s->records > refused)
        return 0;
    return (s->verb == CASE_SWEEP && s->number >= 3) ||
           (s->verb == CASE_RECORD && s->number > 0 && s->number * s->records >= 3);
}

/* Of the last site of the last replica; of a state another one. */
static void change_sign(const random_case *c, latmc_lattice *lattice)
{
    const int components = random_components(c);
    const int64_t numbers = case_sites(c) * components;
    const int first = random_model_of(c->model)->types[0];
    const latmc_type type =
        first == LATMC_INT8 || first == LATMC_UINT8 ? (latmc_type)first : LATMC_FLOAT64;
    void *all = malloc((size_t)numbers * sizeof(double));

    if (all && !get_replica(lattice, c->replicas - 1, type, all, numbers)) {
        for (int64_t i = numbers - components; i < numbers; i++)
            if (type == LATMC_INT8)
                ((int8_t *)all)[i] = (int8_t) - ((int8_t *)all)[i];
            else if (type == LATMC_UINT8)
                ((uint8_t *)all)[i] = ((uint8_t *)all)[i] == 0;
            else
                ((double *)all)[i] = -((double *)all)[i];
        if (set_replica(lattice, c->replicas - 1, type, all, numbers))
            abort();
    }
    free(all);
}

static int every_other_time(void)
{
    struct timespec now;
    uint64_t state;

    clock_gettime(CLOCK_MONOTONIC, &now);
    state = (uint64_t)now.tv_nsec;
    return next_random(&state) >> 63 != 0;
}

static void crash(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    raise(SIGSEGV);
}

void plant_step(plant_kind plant, const random_case *c, const case_step *s, latmc_lattice *lattice)
{
    if (plant == PLANT_NONE || !plant_armed(c, s))
        return;
    if (plant == PLANT_FLIP || (plant == PLANT_SOMETIMES && every_other_time()))
        change_sign(c, lattice);
    if (plant == PLANT_HANG)
        for (;;)
            pause();
    if (plant == PLANT_CRASH)
        crash();
    if (plant == PLANT_QUIT)
        _exit(0);
}

latmc_status plant_status(plant_kind plant, latmc_status status)
{
    int id;

    if (status == LATMC_OK)
        return status;
    if (plant == PLANT_MESSAGE && latmc_find(LATMC_MODELS, LATMC_ISING, "planted", &id))
        return status; /* whose sentence is another one now */
    return plant == PLANT_STATUS ? LATMC_ERROR_IO : status;
}

void plant_value(plant_kind plant, const random_case *c, const case_step *s, double *values,
                 int64_t count)
{
    const int armed = plant == PLANT_PAIRS   ? s->verb == CASE_PAIRS
                      : plant == PLANT_VALUE ? plant_armed(c, s)
                                             : 0;

    if (armed && count > 0)
        values[count - 1] = nextafter(values[count - 1], INFINITY);
}
