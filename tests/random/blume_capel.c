/* SPDX-License-Identifier: BSD-3-Clause */
/* The Blume-Capel model's random cases. */
#include <math.h>

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
        return draw_uniform(d, 0.1, 2.0);
    }
}

/* Often whole, when many moves cost nothing. */
static double some_crystal_field(draw_dice *d)
{
    return draw_chance(d, 0.3) ? (double)draw_between(d, -2, 6) : draw_uniform(d, -2.0, 4.0);
}

/* As much as may be. */
static double extreme_beta(draw_dice *d)
{
    return draw_chance(d, 0.5) ? 1e30 : -1e30;
}

static const random_param params[] = {
    {.id = LATMC_BETA, .chance = 0.9, .some = some_beta, .extreme = extreme_beta},
    {.id = LATMC_CRYSTAL_FIELD, .chance = 0.8, .some = some_crystal_field, .extreme = extreme_beta},
    {.id = LATMC_FIELD, .chance = 0.3, .some = random_field, .extreme = extreme_beta},
};

static void set_settings(draw_dice *d, int uniform, random_case *c)
{
    static const int shares[] = {0, 0, 1, 10, 50, 100};

    if (draw_chance(d, 0.4)) {
        c->bonds.from = draw_chance(d, 0.5) ? CASE_DRAWN : CASE_GIVEN;
        c->bonds.seed = draw_seed(d);
        c->bonds.missing = shares[draw_between(d, 0, 5)];
        if (c->bonds.from == CASE_GIVEN)
            c->bonds.negative = shares[draw_between(d, 0, 5)];
        else
            c->bonds.plus = shares[draw_between(d, 0, 5)];
    }
    if (draw_chance(d, 0.02)) /* which is refused */
        c->bonds = random_numbers(d, case_sites(c) * c->dims);
    if (draw_chance(d, 0.3))
        c->axes = random_axes(d, uniform, c->dims);
}

static const int observables[] = {
    LATMC_ENERGY, LATMC_ENERGY2, LATMC_ENERGY4,    LATMC_MAGNETIZATION, LATMC_ABS_MAGNETIZATION,
    LATMC_M2,     LATMC_M4,      LATMC_QUADRUPOLE, LATMC_QUADRUPOLE2,   LATMC_QUADRUPOLE4,
    LATMC_CHANGED};

static const char *const refused[] = {
    "sweep:799:3",
    "sweep:metropolis:-1",
    "sweep:metropolis_other:1",
    "record:metropolis:0x3:energy",
    "record:heatbath:2x0:energy",
    "observe:order_parameter",
    "tune:metropolis:3:0.5",
    "set:mu2:1",
    "set:crystal_field:nan",
    "set:crystal_field:1.1e30",
    "axes:nan",
    "start:499",
    "get:-1",
    "sites:65536:1",
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
    const double u = case_uniform(state);

    (void)components;
    s[0] = u < 0.3 ? -1.0f : u < 0.6 ? 0.0f : 1.0f;
}

/* ---- cost */

/* ns: a site by the rule of one coupling, a class where every axis has its own; a bond, when a
 * lattice is placed; a site in a measurement, along each axis. */
static const double rule_ns = 20.0, class_ns = 8.0, bond_ns = 25.0, sum_ns = 4.0;

static int axes_differ(const case_values *axes)
{
    for (int a = 1; a < axes->count; a++)
        if (axes->value[a] != axes->value[0])
            return 1;
    return 0;
}

static double all_sites(const random_case *c)
{
    return (double)case_sites(c) * (double)c->replicas;
}

/* At any time in the case. Words of lattices with an odd extent have sites of all colours. */
static double sweep_cost(const random_case *c, int update)
{
    int differ = axes_differ(&c->axes);

    (void)update;
    for (int s = 0; s < c->step_count; s++)
        differ |= c->steps[s].verb == CASE_AXES && axes_differ(&c->steps[s].values);
    return 2.5 * all_sites(c) * (rule_ns + (differ ? class_ns * pow(5.0, c->dims) : 0.0));
}

static double sum_cost(const random_case *c)
{
    return all_sites(c) * sum_ns * (c->dims + 2);
}

static double placing_cost(const random_case *c)
{
    return (double)case_sites(c) * c->dims * bond_ns * (c->samples > 1 ? (double)c->replicas : 1.0);
}

const random_model random_blume_capel = {
    .id = LATMC_BLUME_CAPEL,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .among = sizeof params / sizeof params[0],
    .observables = observables,
    .observable_count = sizeof observables / sizeof observables[0],
    .has_bonds = 1,
    .settings = set_settings,
    .refused = refused,
    .refused_count = sizeof refused / sizeof refused[0],
    .types = types,
    .given = given,
    .site = site,
    .sweep_cost = sweep_cost,
    .sum_cost = sum_cost,
    .placing_cost = placing_cost,
};
