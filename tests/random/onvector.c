/* SPDX-License-Identifier: BSD-3-Clause */
/* The O(n) vector model's random cases. */
#include <math.h>

#include "tests/random/models.h"

/* ---- drawing */

static double some_beta(draw_dice *d)
{
    switch (draw_between(d, 0, 9)) {
    case 0:
        return 0.0;
    case 1:
        return draw_rounded(draw_log(d, 1e-6, 0.05));
    case 2:
        return draw_rounded(draw_log(d, 5.0, 1e3));
    case 3:
        return -draw_uniform(d, 0.1, 1.5);
    default:
        return draw_uniform(d, 0.1, 2.0);
    }
}

/* As much as may be. */
static double extreme_beta(draw_dice *d)
{
    return draw_chance(d, 0.5) ? 1e6 : -1e6;
}

static double some_epsilon(draw_dice *d)
{
    return draw_chance(d, 0.2) ? 1.0 : draw_rounded(draw_log(d, 0.01, 1.0));
}

static double extreme_epsilon(draw_dice *d)
{
    (void)d;
    return 1e-6;
}

static double some_hits(draw_dice *d)
{
    return draw_chance(d, 0.05) ? (double)draw_between(d, 9, 64) : (double)draw_between(d, 1, 8);
}

static double extreme_field(draw_dice *d)
{
    return draw_chance(d, 0.5) ? 1e6 : -1e6;
}

static const random_param params[] = {
    {.id = LATMC_BETA, .chance = 0.9, .some = some_beta, .extreme = extreme_beta},
    {.id = LATMC_FIELD, .chance = 0.4, .some = random_field, .extreme = extreme_field},
    {.id = LATMC_EPSILON, .chance = 0.6, .some = some_epsilon, .extreme = extreme_epsilon},
    {.id = LATMC_HITS, .chance = 0.4, .some = some_hits, .whole = 1},
};

static void set_settings(draw_dice *d, int uniform, random_case *c)
{
    if (draw_chance(d, 0.6))
        c->bonds = random_numbers(d, case_sites(c) * c->dims);
    if (draw_chance(d, 0.35))
        c->fields = random_numbers(d, case_sites(c));
    if (draw_chance(d, 0.3))
        c->axes = random_axes(d, uniform, c->dims);
}

/* n by dice of its own. Seldom another one, which is refused. */
static void set_options(draw_dice *d, random_case *c)
{
    if (draw_chance(d, 0.4))
        c->options[c->option_count++] =
            (case_option){LATMC_PRECISION, draw_chance(d, 0.7) ? 64 : 32};
    if (draw_chance(d, 0.6))
        c->options[c->option_count++] =
            (case_option){LATMC_N, draw_chance(d, 0.98) ? draw_between(d, 2, 4) : 5};
}

static int tunes(int update)
{
    return update == LATMC_METROPOLIS;
}

static const int observables[] = {
    LATMC_ENERGY,
    LATMC_ENERGY2,
    LATMC_ENERGY4,
    CASE_THING(LATMC_MAGNETIZATION, 0),
    CASE_THING(LATMC_MAGNETIZATION, 1),
    LATMC_ABS_MAGNETIZATION,
    LATMC_M2,
    LATMC_M4,
    LATMC_ACCEPTANCE,
    CASE_THING(LATMC_MAGNETIZATION, 2),
    CASE_THING(LATMC_MAGNETIZATION, 3),
};

static const char *const refused[] = {
    "sweep:799:3",
    "sweep:metropolis:-1",
    "sweep:heatbath:-2",
    "sweep:block_metropolis:1",
    "record:metropolis:0x3:energy",
    "record:overrelax:2x0:energy",
    "record:metropolis:1x2:2999",
    "record:block_metropolis:1x2:m2",
    "observe:phi",
    "observe:magnetization",
    "tune:overrelax:3:0.5",
    "tune:heatbath:3:0.5",
    "tune:metropolis:2:0.01",
    "set:mu2:1",
    "set:beta:1.1e6",
    "set:beta:nan",
    "set:field:-1.1e6",
    "set:epsilon:1.01",
    "set:epsilon:0",
    "set:hits:65",
    "set:hits:2.5",
    "axes:nan",
    "axes:1.1e6",
    "start:499",
    "get:-1",
    "sites:65536:1",
    "replicas:3",
    "nowhere",
};

/* ---- playing */

static const int types[] = {LATMC_FLOAT32, LATMC_FLOAT64, 0};

static latmc_type given(uint64_t seed)
{
    return seed & 1 ? LATMC_FLOAT32 : LATMC_FLOAT64;
}

/* 2, unless the case says another number that there is. */
static int components(const random_case *c)
{
    int n = 2;

    for (int i = 0; i < c->option_count; i++)
        if (c->options[i].id == LATMC_N && c->options[i].value >= 2 && c->options[i].value <= 4)
            n = (int)c->options[i].value;
    return n;
}

/* By rational numbers, which are the same everywhere: a point of the tangent plane, seen from the
 * opposite of the first axis or, turned over, of its end. */
static void site(uint64_t *state, int n, float *s)
{
    double t[RANDOM_COMPONENTS], square = 0.0, sign;

    for (int c = 1; c < n; c++) {
        t[c] = 2.0 * case_uniform(state) - 1.0;
        square += t[c] * t[c];
    }
    sign = case_uniform(state) < 0.5 ? -1.0 : 1.0;
    s[0] = (float)(sign * (1.0 - square) / (1.0 + square));
    for (int c = 1; c < n; c++)
        s[c] = (float)(2.0 * t[c] / (1.0 + square));
}

/* ---- cost */

/* ns: a visit of a site along each axis, a proposal, a site in a measurement along each axis, a
 * bond or a field when a lattice is placed. */
static const double visit_ns = 15.0, proposal_ns = 35.0, bath_ns = 200.0, sum_ns = 10.0,
                    number_ns = 60.0;

static double all_sites(const random_case *c)
{
    return (double)case_sites(c) * (double)c->replicas;
}

static double sweep_cost(const random_case *c, int update)
{
    const double proposals = update == LATMC_OVERRELAX ? 1.0 : random_most_of(c, LATMC_HITS);
    const double made = update == LATMC_HEATBATH ? bath_ns : proposal_ns * proposals;

    return all_sites(c) * (visit_ns * c->dims + made);
}

static double sum_cost(const random_case *c)
{
    return all_sites(c) * sum_ns * (c->dims + 2);
}

/* Bonds and fields of each replica, or of all together. */
static double placing_cost(const random_case *c)
{
    const double times = c->samples > 1 ? (double)c->replicas : 1.0;
    const int numbers =
        (c->bonds.from != CASE_UNIFORM ? c->dims : 0) + (c->fields.from != CASE_UNIFORM);

    return (double)case_sites(c) * numbers * number_ns * times;
}

const random_model random_onvector = {
    .id = LATMC_ONVECTOR,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .among = sizeof params / sizeof params[0],
    .observables = observables,
    .observable_count = sizeof observables / sizeof observables[0],
    .has_bonds = 1,
    .tunes = tunes,
    .settings = set_settings,
    .options = set_options,
    .refused = refused,
    .refused_count = sizeof refused / sizeof refused[0],
    .types = types,
    .given = given,
    .components = components,
    .site = site,
    .sweep_cost = sweep_cost,
    .sum_cost = sum_cost,
    .placing_cost = placing_cost,
};
