/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ising model's random cases. */
#include <math.h>

#include "tests/numbers.h"
#include "tests/random/models.h"

/* ---- drawing */

static double some_beta(draw_dice *d)
{
    static const double critical[] = {0.44068679350977151, 0.2216544, 0.1496947};

    switch (draw_between(d, 0, 11)) {
    case 0:
        return 0.0;
    case 1:
        return draw_rounded(draw_log(d, 1e-6, 0.05));
    case 2:
        return draw_uniform(d, 1.0, 8.0);
    case 3:
        return draw_rounded(draw_log(d, 8.0, 1e4));
    case 4:
    case 5:
        return -draw_uniform(d, 0.05, 1.0);
    case 6:
    case 7:
        return draw_rounded(critical[draw_between(d, 0, 2)] * draw_uniform(d, 0.95, 1.05));
    default:
        return draw_uniform(d, 0.05, 1.0);
    }
}

static const random_param params[] = {
    {.id = LATMC_BETA, .chance = 0.95, .some = some_beta},
    {.id = LATMC_FIELD, .chance = 0.5, .some = random_field},
};

/* By dice of the bonds' own, so that the numbers of cases stay those of the same cases. */
static void set_shares(int uniform, random_case *c)
{
    static const int shares[] = {0, 1, 25, 50, 90, 100};
    draw_dice own = {c->bonds.seed + 1};

    own.state = next_random(&own.state);
    if (draw_chance(&own, 0.5))
        return;
    c->bonds.plus = shares[draw_between(&own, 0, 5)];
    c->bonds.missing = uniform ? 0 : shares[draw_between(&own, 0, 5)];
}

static void set_couplings(draw_dice *d, int uniform, random_case *c)
{
    static const int shares[] = {0, 0, 1, 10, 50, 100};

    if (draw_chance(d, uniform ? 0.7 : 0.5))
        return;
    c->bonds.from = CASE_DRAWN;
    c->bonds.seed = draw_seed(d);
    if (case_sites(c) * c->dims > 1 << 18 || draw_chance(d, 0.5)) {
        set_shares(uniform, c);
        return;
    }
    c->bonds.from = CASE_GIVEN;
    c->bonds.missing = uniform ? 0 : shares[draw_between(d, 0, 5)];
    c->bonds.negative = shares[draw_between(d, 0, 5)];
}

static void set_settings(draw_dice *d, int uniform, random_case *c)
{
    set_couplings(d, uniform, c);
    if (draw_chance(d, 0.3))
        c->axes = random_axes(d, uniform, c->dims);
}

/* Some of them turn out to be signs, and the lattice is kept in words. */
void random_spins(draw_dice *d, random_case *c)
{
    const int fields = draw_chance(d, 0.5);

    if (fields)
        c->fields = random_numbers(d, case_sites(c));
    if (!fields || draw_chance(d, 0.7))
        c->bonds = random_numbers(d, case_sites(c) * c->dims);
}

static const int observables[] = {
    LATMC_ENERGY, LATMC_ENERGY2, LATMC_ENERGY4, LATMC_MAGNETIZATION, LATMC_ABS_MAGNETIZATION,
    LATMC_M2,     LATMC_M4,      LATMC_CHANGED};

static const int types[] = {LATMC_INT8, 0};

static latmc_type given(uint64_t seed)
{
    (void)seed;
    return LATMC_INT8;
}

/* ---- cost */

/*
 * ns, as measured on a Zen 5: a site, by the uniform rule or by another, and a class of the rules
 * in which every axis has its own; a bond, when a lattice is placed; a site in a measurement, along
 * each axis.
 */
static const double plain_ns = 1.5, rule_ns = 5.0, class_ns = 2.3, bond_ns = 25.0, sum_ns = 0.5;

/* Bits of a word that one replica takes up; `half` is the length of its row. */
static int64_t segment_of(const random_case *c, int64_t *half)
{
    int64_t segment = 32;

    *half = c->extents[0];
    for (int a = 0, folded = 1; a < c->dims; a++) {
        folded &= c->extents[a] % 2 == 0;
        if (a == c->dims - 1 && folded)
            *half /= 2;
    }
    while (segment > 1 && segment / 2 >= *half)
        segment /= 2;
    return segment;
}

/* The sites that the bits of an Ising lattice's words could be, as often as a sweep visits them:
 * words of lattices with an odd extent have sites of all colours. */
static double bits_of(const random_case *c)
{
    int64_t half;
    const int64_t segment = segment_of(c, &half);
    const double rows = (double)case_sites(c) / (double)half;
    const double words = segment < 32 ? ceil((double)c->replicas * (double)segment / 32.0)
                                      : (double)c->replicas * (double)((half + 31) / 32);

    return 32.0 * rows * words * (half == c->extents[0] ? 2.5 : 1.0);
}

static int has_signs(const random_case *c)
{
    int signs = c->bonds.from != CASE_UNIFORM;

    for (int a = 0; a < c->dims; a++)
        signs |= c->boundaries[a] != LATMC_PERIODIC;
    return signs;
}

static int is_missing(const random_case *c)
{
    int missing = c->bonds.from != CASE_UNIFORM && c->bonds.missing;

    for (int a = 0; a < c->dims; a++)
        missing |= c->boundaries[a] == LATMC_OPEN;
    return missing;
}

static int axes_differ(const case_values *axes)
{
    for (int a = 1; a < axes->count; a++)
        if (axes->value[a] != axes->value[0])
            return 1;
    return 0;
}

/* At any time in the case. */
static double spin_cost(const random_case *c)
{
    int differ = axes_differ(&c->axes), field = 0;

    for (int s = 0; s < c->step_count; s++)
        differ |= c->steps[s].verb == CASE_AXES && axes_differ(&c->steps[s].values);
    for (int p = 0; p < c->param_count; p++)
        field |= c->params[p].id == LATMC_FIELD;
    if (differ)
        return rule_ns + class_ns * pow(is_missing(c) ? 5.0 : 3.0, c->dims);
    return field || is_missing(c) || c->dims == 1 ? rule_ns : plain_ns;
}

/* A spin kept as a byte: a visit, a measurement; a number, when a lattice is placed. */
static const double visit_ns = 40.0, add_ns = 10.0, number_ns = 60.0;

static int is_of_bytes(const random_case *c)
{
    return c->fields.from != CASE_UNIFORM || c->bonds.from == CASE_GAUSSIAN ||
           c->bonds.from == CASE_REALS;
}

static double all_sites(const random_case *c)
{
    return (double)case_sites(c) * (double)c->replicas;
}

static double sweep_cost(const random_case *c, int update)
{
    if (is_of_bytes(c))
        return all_sites(c) * visit_ns;
    return bits_of(c) * fmax(spin_cost(c), update == LATMC_HEATBATH ? rule_ns : 0.0);
}

/* Replicas that share a word are counted one by one. */
static double sum_cost(const random_case *c)
{
    int64_t half;
    const double sharing = 32.0 / (double)segment_of(c, &half);

    if (is_of_bytes(c))
        return all_sites(c) * add_ns * (c->dims + 2);
    return all_sites(c) * (c->dims * fmax(sharing / 4.0, sum_ns));
}

static double placing_cost(const random_case *c)
{
    const double times =
        c->samples > 1 ? (double)c->replicas : 1.0; /* or less, if they share words */

    if (is_of_bytes(c))
        return (double)case_sites(c) * (c->dims + 1) * number_ns * times;
    return has_signs(c) ? (double)case_sites(c) * (double)c->dims * bond_ns * times : 0.0;
}

const random_model random_ising = {
    .id = LATMC_ISING,
    .params = params,
    .param_count = 2,
    .among = 9,
    .first = 0,
    .observables = observables,
    .observable_count = sizeof observables / sizeof observables[0],
    .has_bonds = 1,
    .settings = set_settings,
    .types = types,
    .given = given,
    .sweep_cost = sweep_cost,
    .sum_cost = sum_cost,
    .placing_cost = placing_cost,
};
