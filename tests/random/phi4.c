/* SPDX-License-Identifier: BSD-3-Clause */
/* The phi^4 model's random cases. */
#include <math.h>

#include "tests/random/models.h"

/* ---- drawing */

static double some_mu2(draw_dice *d)
{
    return draw_uniform(d, -4.0, 2.0);
}

static double some_g(draw_dice *d)
{
    return draw_chance(d, 0.02)  ? 0.0
           : draw_chance(d, 0.1) ? draw_uniform(d, 50.0, 1000.0)
                                 : draw_uniform(d, 0.1, 20.0);
}

static double some_inv_lambda(draw_dice *d)
{
    return draw_chance(d, 0.3) ? 0.0 : draw_uniform(d, 0.01, 2.0);
}

static double some_epsilon(draw_dice *d)
{
    return draw_rounded(draw_log(d, 0.05, 5.0));
}

static double some_hits(draw_dice *d)
{
    return draw_chance(d, 0.05) ? (double)draw_between(d, 9, 64) : (double)draw_between(d, 1, 8);
}

static double some_local_sweeps(draw_dice *d)
{
    return draw_chance(d, 0.03) ? (double)draw_between(d, 11, 255) : (double)draw_between(d, 1, 10);
}

/* Energies that overflow. */
static double extreme_mu2(draw_dice *d)
{
    return draw_rounded(-draw_log(d, 1e3, 1e6));
}

static const random_param params[] = {
    {.id = LATMC_MU2, .chance = 0.8, .some = some_mu2, .extreme = extreme_mu2},
    {.id = LATMC_G, .chance = 0.8, .some = some_g},
    {.id = LATMC_INV_LAMBDA, .chance = 0.6, .some = some_inv_lambda},
    {.id = LATMC_FIELD, .chance = 0.3, .some = random_field},
    {.id = LATMC_EPSILON, .chance = 0.6, .some = some_epsilon},
    {.id = LATMC_HITS, .chance = 0.4, .some = some_hits, .whole = 1},
    {.id = LATMC_LOCAL_SWEEPS, .chance = 0.4, .some = some_local_sweeps, .whole = 1},
};

static int some_value_is_not_0(const case_values *v)
{
    for (int i = 0; i < v->count; i++)
        if (v->value[i] != 0.0)
            return 1;
    return 0;
}

/* Whether the cut-off term is in any replica at any time. */
static int has_inv_lambda(const random_case *c)
{
    int has = 0;

    for (int p = 0; p < c->param_count; p++)
        has |= c->params[p].id == LATMC_INV_LAMBDA && some_value_is_not_0(&c->params[p].values);
    for (int s = 0; s < c->step_count; s++)
        has |= c->steps[s].verb == CASE_SET && c->steps[s].id == LATMC_INV_LAMBDA &&
               some_value_is_not_0(&c->steps[s].values);
    return has;
}

static void add_option(random_case *c, int id, int64_t value)
{
    c->options[c->option_count++] = (case_option){id, value};
}

/* Seldom the cut-off is off where it is wanted, which is refused, or on where it is not. */
static void set_options(draw_dice *d, random_case *c)
{
    const int wanted = has_inv_lambda(c);

    if (draw_chance(d, 0.4))
        add_option(c, LATMC_PRECISION, draw_chance(d, 0.7) ? 64 : 32);
    if (draw_chance(d, wanted ? 0.98 : 0.15))
        add_option(c, LATMC_CUTOFF, 1);
}

static int tunes(int update)
{
    return update != LATMC_OVERRELAX;
}

static const int observables[] = {LATMC_ENERGY,
                                  LATMC_ENERGY_GRADIENT,
                                  LATMC_ENERGY_POTENTIAL,
                                  LATMC_ENERGY_CUTOFF,
                                  LATMC_MAGNETIZATION,
                                  LATMC_ABS_MAGNETIZATION,
                                  LATMC_PHI_SQUARED,
                                  LATMC_PHI_FOURTH,
                                  LATMC_M2,
                                  LATMC_M4,
                                  CASE_THING(LATMC_STRUCTURE, 0),
                                  CASE_THING(LATMC_STRUCTURE, 1),
                                  CASE_THING(LATMC_STRUCTURE, 2),
                                  CASE_THING(LATMC_STRUCTURE, 3),
                                  LATMC_ACCEPTANCE,
                                  LATMC_ENERGY2,
                                  LATMC_ENERGY4};

static const int types[] = {LATMC_FLOAT32, LATMC_FLOAT64, 0};

/* Numbers that both types have come in one or the other. */
static latmc_type given(uint64_t seed)
{
    return seed & 1 ? LATMC_FLOAT32 : LATMC_FLOAT64;
}

/* ---- cost */

/* ns, as measured on a Zen 5: a visit of a site, a proposal, a site in a measurement. */
static const double visit_ns = 40.0, proposal_ns = 25.0, sum_ns = 30.0;

static double sweep_cost(const random_case *c, int update)
{
    const double sites = (double)case_sites(c) * (double)c->replicas;

    if (update == LATMC_OVERRELAX)
        return sites * (visit_ns + proposal_ns);
    return sites *
           (update == LATMC_BLOCK_METROPOLIS ? random_most_of(c, LATMC_LOCAL_SWEEPS) : 1.0) *
           (visit_ns + proposal_ns * random_most_of(c, LATMC_HITS));
}

static double sum_cost(const random_case *c)
{
    return (double)case_sites(c) * (double)c->replicas * sum_ns;
}

static double placing_cost(const random_case *c)
{
    (void)c;
    return 0.0;
}

const random_model random_phi4 = {
    .id = LATMC_PHI4,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .among = 9,
    .first = 2,
    .observables = observables,
    .observable_count = sizeof observables / sizeof observables[0],
    .tunes = tunes,
    .options = set_options,
    .types = types,
    .given = given,
    .sweep_cost = sweep_cost,
    .sum_cost = sum_cost,
    .placing_cost = placing_cost,
};
