/* SPDX-License-Identifier: BSD-3-Clause */
/* The cellular automata's random cases. */
#include "tests/random/models.h"

/* ---- drawing */

static double some_noise(draw_dice *d)
{
    switch (draw_between(d, 0, 9)) {
    case 0:
        return 1.0;
    case 1:
        return draw_rounded(draw_log(d, 1e-11, 1e-4));
    case 2:
    case 3:
        return 0.0;
    default:
        return draw_uniform(d, 0.0, 1.0);
    }
}

static const random_param params[] = {{.id = LATMC_NOISE, .chance = 0.5, .some = some_noise}};

/* Other boundaries are refused. */
static void set_settings(draw_dice *d, int uniform, random_case *c)
{
    (void)uniform;
    for (int a = 0; a < c->dims; a++)
        if (c->boundaries[a] == LATMC_ANTIPERIODIC && draw_chance(d, 0.98))
            c->boundaries[a] = LATMC_OPEN;
}

/* Any rule, seldom one that is none; or Life. */
static void set_options(draw_dice *d, random_case *c)
{
    static const int ids[] = {LATMC_BIRTH, LATMC_SURVIVAL};

    for (int i = 0; i < 2; i++)
        if (draw_chance(d, 0.7))
            c->options[c->option_count++] =
                (case_option){ids[i], draw_chance(d, 0.01) ? 512 : draw_between(d, 0, 511)};
}

static const int observables[] = {LATMC_DENSITY, LATMC_CHANGED};

static const char *const refused[] = {
    "sweep:metropolis:1",
    "sweep:synchronous:-1",
    "record:synchronous:0x3:density",
    "record:heatbath:1x2:density",
    "record:synchronous:1x2:energy",
    "observe:m2",
    "tune:synchronous:3:0.5",
    "set:beta:1",
    "set:noise:1.5",
    "set:noise:nan",
    "axes:1",
    "start:499",
    "get:-1",
    "sites:65536:1",
    "replicas:3",
    "nowhere",
};

/* ---- playing */

static const int types[] = {LATMC_INT8, 0};

static latmc_type given(uint64_t seed)
{
    (void)seed;
    return LATMC_INT8;
}

static void site(uint64_t *state, int components, float *s)
{
    (void)components;
    s[0] = case_uniform(state) < 0.4 ? 1.0f : 0.0f;
}

/* ---- cost */

/* ns: a cell of a generation, with noise; of a measurement. */
static const double visit_ns = 3.0, sum_ns = 1.0;

static double all_sites(const random_case *c)
{
    return (double)case_sites(c) * (double)c->replicas;
}

static double sweep_cost(const random_case *c, int update)
{
    (void)update;
    return all_sites(c) * visit_ns;
}

static double sum_cost(const random_case *c)
{
    return all_sites(c) * sum_ns;
}

static double placing_cost(const random_case *c)
{
    (void)c;
    return 0.0;
}

const random_model random_automaton = {
    .id = LATMC_AUTOMATON,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .among = sizeof params / sizeof params[0],
    .observables = observables,
    .observable_count = sizeof observables / sizeof observables[0],
    .settings = set_settings,
    .options = set_options,
    .refused = refused,
    .refused_count = sizeof refused / sizeof refused[0],
    .types = types,
    .given = given,
    .site = site,
    .sweep_cost = sweep_cost,
    .sum_cost = sum_cost,
    .placing_cost = placing_cost,
};
