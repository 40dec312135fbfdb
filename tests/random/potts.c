/* SPDX-License-Identifier: BSD-3-Clause */
/* The Potts model's random cases, and those of the clock model, which are like them. */
#include "tests/random/models.h"

/* ---- drawing */

static double some_beta(draw_dice *d)
{
    switch (draw_between(d, 0, 9)) {
    case 0:
        return 0.0;
    case 1:
        return draw_rounded(draw_log(d, 5.0, 1e3));
    case 2:
        return -draw_uniform(d, 0.1, 1.5);
    default:
        return draw_uniform(d, 0.1, 3.0);
    }
}

/* As much as may be. */
static double extreme_beta(draw_dice *d)
{
    return draw_chance(d, 0.5) ? 1e30 : -1e30;
}

static const random_param params[] = {
    {.id = LATMC_BETA, .chance = 0.9, .some = some_beta, .extreme = extreme_beta},
    {.id = LATMC_FIELD, .chance = 0.3, .some = random_field, .extreme = extreme_beta},
};

static void set_settings(draw_dice *d, int uniform, random_case *c)
{
    if (draw_chance(d, 0.4))
        c->bonds = random_numbers(d, case_sites(c) * c->dims);
    if (draw_chance(d, 0.2))
        c->fields = random_numbers(d, case_sites(c));
    if (draw_chance(d, 0.3))
        c->axes = random_axes(d, uniform, c->dims);
    for (int a = 0; a < c->dims; a++) /* the others are refused */
        if (c->boundaries[a] == LATMC_ANTIPERIODIC && draw_chance(d, 0.98))
            c->boundaries[a] = LATMC_OPEN;
}

/* Seldom a number of states that is refused. */
static void set_options(draw_dice *d, random_case *c)
{
    static const int some[] = {2, 4, 5, 7, 9, 10, 12, 16, 17, 128, 256};

    if (draw_chance(d, 0.7))
        c->options[c->option_count++] =
            (case_option){LATMC_Q, draw_chance(d, 0.02) ? 257 : some[draw_between(d, 0, 10)]};
}

static const int observables[] = {
    LATMC_ENERGY,
    LATMC_ENERGY2,
    LATMC_ENERGY4,
    LATMC_ORDER_PARAMETER,
    LATMC_ORDER_PARAMETER2,
    LATMC_ORDER_PARAMETER4,
    LATMC_ABS_MAGNETIZATION,
    LATMC_M2,
    LATMC_M4,
    LATMC_CHANGED,
    CASE_THING(LATMC_OCCUPATION, 0),
    CASE_THING(LATMC_OCCUPATION, 1),
    CASE_THING(LATMC_OCCUPATION, 8),
    CASE_THING(LATMC_OCCUPATION, 255),
};

/* The same of the clock model. */
static void set_clock_options(draw_dice *d, random_case *c)
{
    static const int some[] = {2, 3, 4, 5, 7, 8, 16, 31, 63, 64};

    if (draw_chance(d, 0.7))
        c->options[c->option_count++] =
            (case_option){LATMC_Q, draw_chance(d, 0.02) ? 65 : some[draw_between(d, 0, 9)]};
}

static const int clock_observables[] = {
    LATMC_ENERGY,
    LATMC_ENERGY2,
    LATMC_ENERGY4,
    CASE_THING(LATMC_MAGNETIZATION, 0),
    CASE_THING(LATMC_MAGNETIZATION, 1),
    LATMC_ABS_MAGNETIZATION,
    LATMC_M2,
    LATMC_M4,
    CASE_THING(LATMC_STRUCTURE, 0),
    CASE_THING(LATMC_STRUCTURE, 1),
    CASE_THING(LATMC_STRUCTURE, 2),
    CASE_THING(LATMC_STRUCTURE, 3),
    CASE_THING(LATMC_HELICITY, 0),
    CASE_THING(LATMC_HELICITY, 1),
    CASE_THING(LATMC_HELICITY, 2),
    CASE_THING(LATMC_HELICITY, 3),
    LATMC_CHANGED,
    CASE_THING(LATMC_OCCUPATION, 0),
    CASE_THING(LATMC_OCCUPATION, 1),
    CASE_THING(LATMC_OCCUPATION, 63),
};

static const char *const refused[] = {
    "sweep:799:3",
    "sweep:metropolis:-1",
    "sweep:overrelax:1",
    "record:metropolis:0x3:energy",
    "record:heatbath:2x0:energy",
    "record:metropolis:1x2:2999",
    "observe:magnetization",
    "tune:metropolis:3:0.5",
    "set:mu2:1",
    "set:beta:nan",
    "set:beta:1.1e30",
    "axes:nan",
    "start:499",
    "get:-1",
    "sites:65536:1",
    "replicas:3",
    "nowhere",
};

/* ---- playing */

static const int types[] = {LATMC_UINT8, 0};

static latmc_type given(uint64_t seed)
{
    (void)seed;
    return LATMC_UINT8;
}

/* States that every number of states has. */
static void site(uint64_t *state, int components, float *s)
{
    (void)components;
    s[0] = case_uniform(state) < 0.7 ? 0.0f : 1.0f;
}

/* ---- cost */

/* ns: a visit of a site along each axis, all else of it; a site in a measurement along each axis; a
 * bond or a field when a lattice is placed. */
static const double visit_ns = 15.0, metropolis_ns = 40.0, bath_ns = 60.0, bath_axis_ns = 40.0,
                    sum_ns = 10.0, number_ns = 60.0;

static double all_sites(const random_case *c)
{
    return (double)case_sites(c) * (double)c->replicas;
}

static double sweep_cost(const random_case *c, int update)
{
    const double made = update == LATMC_HEATBATH ? bath_ns + bath_axis_ns * c->dims : metropolis_ns;

    return all_sites(c) * (visit_ns * c->dims + made);
}

/* The heat bath asks every state. */
static double clock_sweep_cost(const random_case *c, int update)
{
    const double bath = 64.0 * 4.0;

    return all_sites(c) * (visit_ns * c->dims + (update == LATMC_HEATBATH ? bath : metropolis_ns));
}

static double sum_cost(const random_case *c)
{
    return all_sites(c) * sum_ns * (c->dims + 2) + 256.0 * (double)c->replicas;
}

/* Bonds and fields of each replica, or of all together. */
static double placing_cost(const random_case *c)
{
    const double times = c->samples > 1 ? (double)c->replicas : 1.0;

    return (double)case_sites(c) * (c->dims + 1) * number_ns * times;
}

const random_model random_potts = {
    .id = LATMC_POTTS,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .among = sizeof params / sizeof params[0],
    .observables = observables,
    .observable_count = sizeof observables / sizeof observables[0],
    .has_bonds = 1,
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

const random_model random_clock = {
    .id = LATMC_CLOCK,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .among = sizeof params / sizeof params[0],
    .observables = clock_observables,
    .observable_count = sizeof clock_observables / sizeof clock_observables[0],
    .has_bonds = 1,
    .settings = set_settings,
    .options = set_clock_options,
    .refused = refused,
    .refused_count = sizeof refused / sizeof refused[0],
    .types = types,
    .given = given,
    .site = site,
    .sweep_cost = clock_sweep_cost,
    .sum_cost = sum_cost,
    .placing_cost = placing_cost,
};
