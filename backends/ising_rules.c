/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/ising_rules.h"

#include <math.h>
#include <stdlib.h>

#include "lib/physics/ising_rule.h"
#include "lib/memory.h"

#define PLANES 32
#define STRIDE (PLANES + 1) /* and the plane of the certain */

typedef struct physics {
    int dims, loose;
    double beta, field;
    const double *coupling; /* [axis] */
} physics;

static int equal_couplings(const lm_spec *spec, const double *coupling)
{
    for (int a = 1; a < spec->dims; a++)
        if (coupling[a] != coupling[0])
            return 0;
    return 1;
}

static lm_ising_shape shape_of(const lm_spec *spec, const lm_parameters *p, int update)
{
    static const int heat_bath[LM_ISING_UPDATES] = {[LM_ISING_HEATBATH] = 1};
    lm_ising_shape s = {.heat_bath = heat_bath[update], .missing = spec->missing, .classes = 1};
    s.sets = equal_couplings(spec, p->axis_coupling) ? 1 : spec->dims;
    s.bonds = 2 * spec->dims / s.sets;
    s.levels = (s.missing ? 2 * s.bonds : s.bonds) + 1;
    for (int i = 0; i < s.sets; i++)
        s.classes *= s.levels;
    return s;
}

size_t lm_ising_rule_words(const lm_ising_shape *shape)
{
    return (size_t)(shape->heat_bath ? 1 : 2) * (size_t)shape->classes * STRIDE;
}

/* Whether sites of a replica may lack a local field, or nearly: doc/trajectory-ising.md, "Loose".
 */
static int is_loose(const lm_spec *spec, const lm_parameters *p, int64_t r)
{
    const double beta = lm_parameters_of(p, r)[LM_ISING_BETA * spec->replicas];
    int loose = spec->dims == 1 || p->loose[r];
    for (int a = 0; a < spec->dims; a++)
        loose |= lm_ising_is_weak(beta, p->axis_coupling[a]);
    return loose;
}

static int is_uniform(const lm_spec *spec, const lm_parameters *p)
{
    if (spec->missing || !equal_couplings(spec, p->axis_coupling))
        return 0;
    for (int64_t r = 0; r < spec->replicas; r++)
        if (is_loose(spec, p, r) || lm_parameters_of(p, r)[LM_ISING_FIELD * spec->replicas] != 0.0)
            return 0;
    return 1;
}

/* The local field of a class: the sum over the sets of J times (up - down). */
static double local_field(const lm_ising_shape *s, const double *coupling, int q)
{
    double local = 0.0;
    for (int set = 0; set < s->sets; set++, q /= s->levels) {
        const int level = q % s->levels;
        local += coupling[set] * (s->missing ? level - s->bonds : 2 * level - s->bonds);
    }
    return local;
}

/* Writes the threshold's bits into every plane of one class, in the bits of `lane`. */
static void put_threshold(uint32_t *planes, int stride, uint64_t threshold, uint32_t lane)
{
    for (int k = 0; k < PLANES; k++)
        if (threshold >> (PLANES - 1 - k) & 1)
            planes[k * stride] |= lane;
}

static void put_rule(const lm_ising_shape *s, const physics *p, uint32_t lane, uint32_t *planes)
{
    for (int spin = -1; spin <= (s->heat_bath ? -1 : 1); spin += 2) {
        for (int q = 0; q < s->classes; q++, planes += STRIDE) {
            const double local = local_field(s, p->coupling, q);
            const uint64_t t = s->heat_bath ? lm_ising_heatbath_threshold(p->beta, local, p->field)
                                            : lm_ising_metropolis_threshold(p->loose, p->beta, spin,
                                                                            local, p->field);
            if (t == LM_CERTAIN)
                planes[PLANES] |= lane;
            else
                put_threshold(planes, 1, t, lane);
        }
    }
}

static void put_uniform(const physics *p, uint32_t lane, uint32_t *planes)
{
    for (int n = 0; n < p->dims; n++) {
        const double local = fabs(p->coupling[0]) * (2 * p->dims - 2 * n);
        const uint64_t t = lm_ising_metropolis_threshold(0, fabs(p->beta), 1, local, 0.0);
        put_threshold(planes + n, p->dims, t, lane);
    }
}

static void put_replica(const lm_spec *spec, const lm_words *words, const lm_parameters *par,
                        int64_t r, lm_ising_rules *rules)
{
    const physics p = {.dims = spec->dims,
                       .loose = is_loose(spec, par, r),
                       .beta = lm_parameters_of(par, r)[LM_ISING_BETA * spec->replicas],
                       .field = lm_parameters_of(par, r)[LM_ISING_FIELD * spec->replicas],
                       .coupling = par->axis_coupling};
    const int64_t number = spec->first_replica + r;
    const size_t g = (size_t)(number / words->pack - words->first_group);
    const uint32_t segment = words->segment == 32 ? ~0u : (1u << words->segment) - 1u;
    const uint32_t lane = segment << (number % words->pack) * words->segment;
    for (int i = 0; i < LM_ISING_UPDATES; i++)
        put_rule(&rules->shape[i], &p, lane,
                 rules->planes[i] + g * lm_ising_rule_words(&rules->shape[i]));
    if (rules->uniform[LM_ISING_METROPOLIS]) {
        put_uniform(&p, lane, rules->uniform_planes + g * (size_t)(PLANES * spec->dims));
        if ((p.beta < 0.0) != (p.coupling[0] < 0.0)) /* the product could underflow */
            rules->flip[g] |= lane;
    }
}

latmc_status lm_ising_rules_make(const lm_spec *spec, const lm_words *words,
                                 const lm_parameters *parameters, lm_ising_rules *rules)
{
    const int64_t groups = words->groups, uniform = groups * PLANES * spec->dims;
    lm_ising_rules new = {.uniform = {[LM_ISING_METROPOLIS] = is_uniform(spec, parameters)}};
    int64_t general[LM_ISING_UPDATES];
    new.words = uniform + groups;
    for (int i = 0; i < LM_ISING_UPDATES; i++) {
        new.shape[i] = shape_of(spec, parameters, i);
        general[i] = groups * (int64_t)lm_ising_rule_words(&new.shape[i]);
        new.words += general[i];
    }
    uint32_t *at = new.tables =
        lm_zeroed(NULL, "the thresholds of all replicas", new.words, sizeof *at);
    if (!at)
        return LATMC_ERROR_MEMORY;
    new.uniform_planes = at; /* the first, since kernels load four of its words at a time */
    new.flip = at += uniform;
    at += groups;
    for (int i = 0; i < LM_ISING_UPDATES; at += general[i++])
        new.planes[i] = at;
    for (int64_t r = 0; r < spec->replicas; r++)
        put_replica(spec, words, parameters, r, &new);
    *rules = new;
    return LATMC_OK;
}

void lm_ising_rules_free(lm_ising_rules *rules)
{
    free(rules->tables);
    *rules = (lm_ising_rules){0};
}
