/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/case.h"

#include <math.h>

#include "tests/numbers.h"

random_case case_new(int model, int dims, const int64_t *extents)
{
    random_case c = {.model = model,
                     .dims = dims,
                     .replicas = 1,
                     .seed = 1,
                     .threads = 1,
                     .start = LATMC_START_HOT};

    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        c.extents[a] = a < dims ? extents[a] : 1;
        c.boundaries[a] = LATMC_PERIODIC;
    }
    return c;
}

int64_t case_sites(const random_case *c)
{
    int64_t sites = 1;

    for (int a = 0; a < c->dims; a++)
        sites *= c->extents[a];
    return sites;
}

double case_value(const case_values *v, int64_t replica, int64_t replicas)
{
    if (!v->ramp)
        return v->value[replica % v->count];
    return v->value[0] + (v->value[1] - v->value[0]) * (double)replica /
                             (double)(replicas > 1 ? replicas - 1 : 1);
}

double case_uniform(uint64_t *state)
{
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

/* ---- cost */

/*
 * ns of the scalar lane, as measured on a Zen 5: an Ising site, by the uniform rule or by another,
 * and a class of the rules in which every axis has its own; a visit of a site of a field and a
 * proposal; a bond, when a lattice is placed; a site on its way in or out, and in a measurement,
 * of spins along each axis.
 */
static const double plain_ns = 1.5, rule_ns = 5.0, class_ns = 2.3, visit_ns = 40.0,
                    proposal_ns = 25.0, bond_ns = 25.0, site_ns = 4.0, spin_sum_ns = 0.5,
                    field_sum_ns = 30.0;

/* A factor that repeats proposals, as any replica has it at any time. */
static double most_of(const random_case *c, int id)
{
    double most = 1.0;

    for (int p = 0; p < c->param_count; p++)
        for (int i = 0; c->params[p].id == id && i < c->params[p].values.count; i++)
            most = fmax(most, c->params[p].values.value[i]);
    for (int s = 0; s < c->step_count; s++)
        for (int i = 0;
             c->steps[s].verb == CASE_SET && c->steps[s].id == id && i < c->steps[s].values.count;
             i++)
            most = fmax(most, c->steps[s].values.value[i]);
    return fmin(most, 255.0);
}

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
    int signs = c->bonds != CASE_UNIFORM;

    for (int a = 0; a < c->dims; a++)
        signs |= c->boundaries[a] != LATMC_PERIODIC;
    return signs;
}

static int is_missing(const random_case *c)
{
    int missing = c->bonds == CASE_GIVEN && c->missing;

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

static double sweep_cost(const random_case *c, int update)
{
    const double sites = (double)case_sites(c) * (double)c->replicas;

    if (c->model == LATMC_ISING)
        return bits_of(c) * fmax(spin_cost(c), update == LATMC_HEATBATH ? rule_ns : 0.0);
    if (update == LATMC_OVERRELAX)
        return sites * (visit_ns + proposal_ns);
    return sites * (update == LATMC_BLOCK_METROPOLIS ? most_of(c, LATMC_LOCAL_SWEEPS) : 1.0) *
           (visit_ns + proposal_ns * most_of(c, LATMC_HITS));
}

/* Replicas that share a word are counted one by one. */
static double sum_cost(const random_case *c)
{
    int64_t half;
    const double sharing = 32.0 / (double)segment_of(c, &half);

    return (double)case_sites(c) * (double)c->replicas *
           (c->model == LATMC_ISING ? c->dims * fmax(sharing / 4.0, spin_sum_ns) : field_sum_ns);
}

/* All sites go out, or in. */
static double passage_cost(const random_case *c)
{
    return (double)case_sites(c) * (double)c->replicas * site_ns;
}

static double placing_cost(const random_case *c)
{
    return c->model == LATMC_ISING && has_signs(c)
               ? (double)case_sites(c) * (double)c->dims * bond_ns
               : 0.0;
}

static double step_cost(const random_case *c, const case_step *s)
{
    const double most = 1e9; /* more sweeps than this are refused */
    const double n = s->number > 0 && (double)s->number < most ? (double)s->number : 0.0;

    switch (s->verb) {
    case CASE_SWEEP:
    case CASE_TUNE:
        return n * sweep_cost(c, s->id);
    case CASE_RECORD:
        return s->records > 0 ? (double)s->records * (n * sweep_cost(c, s->id) + sum_cost(c)) : 0.0;
    case CASE_OBSERVE:
        return s->thing_count * sum_cost(c);
    case CASE_SAVE:
        return 3.0 * passage_cost(c) + placing_cost(c);
    case CASE_AWAY:
    case CASE_HOME:
        return passage_cost(c) + placing_cost(c);
    case CASE_HASH:
        return passage_cost(c);
    default:
        return 0.0;
    }
}

double case_cost(const random_case *c)
{
    double cost = 2.0 * passage_cost(c) + placing_cost(c);

    for (int s = 0; s < c->step_count; s++)
        cost += step_cost(c, &c->steps[s]);
    return cost;
}
