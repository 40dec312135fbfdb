/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the Ising model's thresholds from parameters (backends/rules.h). */
#include "backends/ising_rules.h"

#include <math.h>

#include "lib/physics/ising_rule.h"
#include "lib/physics/ising_observe.h"

typedef struct physics {
    int dims, loose;
    double beta, field;
    const double *coupling; /* [axis] */
} physics;

static lm_rule_shape shape_of(const lm_spec *spec, const double *coupling, int update)
{
    static const int heat_bath[LM_ISING_UPDATES] = {[LM_ISING_HEATBATH] = 1};
    lm_rule_shape s = {.heat_bath = heat_bath[update], .missing = spec->missing, .classes = 1};
    s.kinds = s.heat_bath ? 1 : 2;
    s.sets = lm_equal_couplings(spec, coupling) ? 1 : spec->dims;
    s.bonds = 2 * spec->dims / s.sets;
    s.levels = (s.missing ? 2 * s.bonds : s.bonds) + 1;
    for (int i = 0; i < s.sets; i++)
        s.classes *= s.levels;
    return s;
}

/* Returns whether sites of a replica may lack a local field, or nearly lack one, with its bonds and
 * a slot's parameters: doc/trajectory-ising.md, "Loose". */
static int is_loose(const lm_spec *spec, const double *coupling, int loose_bonds, double beta)
{
    int loose = spec->dims == 1 || loose_bonds;
    for (int a = 0; a < spec->dims; a++)
        loose |= lm_ising_makes_loose(beta, coupling[a]);
    return loose;
}

/* Returns whether no replica is loose or has a field, all axes have one |J|, and no bond is
 * missing. */
static int is_uniform(const lm_rules *rules, int update)
{
    const lm_spec *spec = rules->spec;
    if (update != LM_ISING_METROPOLIS || spec->missing ||
        !lm_equal_couplings(spec, rules->coupling))
        return 0;
    for (int64_t i = 0; i < spec->replicas; i++)
        if (is_loose(spec, rules->coupling, rules->loose[i], rules->beta[i]) ||
            rules->field[i] != 0.0)
            return 0;
    return 1;
}

/* ---- thresholds of a slot */

/* Returns the local field of a class, the sum over the sets of J times (up - down). */
static double local_field(const lm_rule_shape *s, const double *coupling, int q)
{
    double local = 0.0;
    for (int set = 0; set < s->sets; set++, q /= s->levels) {
        const int level = q % s->levels;
        local += coupling[set] * (s->missing ? level - s->bonds : 2 * level - s->bonds);
    }
    return local;
}

static void find_rule(const lm_rule_shape *s, const physics *p, uint64_t *to)
{
    for (int spin = -1; spin <= (s->heat_bath ? -1 : 1); spin += 2)
        for (int q = 0; q < s->classes; q++) {
            const double local = local_field(s, p->coupling, q);
            *to++ = s->heat_bath
                        ? lm_ising_heatbath_threshold(p->beta, local, p->field)
                        : lm_ising_metropolis_threshold(p->loose, p->beta, spin, local, p->field);
        }
}

static void find_uniform(const physics *p, uint64_t *to)
{
    for (int n = 0; n < p->dims; n++) {
        const double local = fabs(p->coupling[0]) * (2 * p->dims - 2 * n);
        *to++ = lm_ising_metropolis_threshold(0, fabs(p->beta), 1, local, 0.0);
    }
    *to = (p->beta < 0.0) != (p->coupling[0] < 0.0); /* the product could underflow */
}

/* Returns whether Metropolis needs separate thresholds for spins down and spins up. It does if they
 * differ for some class and neither is certain. The thresholds of spins down come first. */
static int differ_by_spin(const lm_rule_shape *s, const uint64_t *of)
{
    const uint64_t *up = of + s->classes;
    for (int q = 0; !s->heat_bath && q < s->classes; q++)
        if (of[q] != up[q] && of[q] != LM_CERTAIN && up[q] != LM_CERTAIN)
            return 1;
    return 0;
}

static int find_thresholds(const lm_rules *rules, int which, int loose_bonds, int64_t slot,
                           uint64_t *to)
{
    const lm_spec *spec = rules->spec;
    const double beta = rules->beta[slot];
    const physics p = {.dims = spec->dims,
                       .loose = is_loose(spec, rules->coupling, loose_bonds, beta),
                       .beta = beta,
                       .field = rules->field[slot],
                       .coupling = rules->coupling};
    if (which == LM_UNIFORM_RULE) {
        find_uniform(&p, to);
        return 0;
    }
    find_rule(&rules->shape[which], &p, to);
    return differ_by_spin(&rules->shape[which], to);
}

const lm_words_model lm_ising_words_model = {.numbers = LM_TWO_SPINS,
                                             .updates = LM_ISING_UPDATES,
                                             .parameters = LM_ISING_FIELD + 1,
                                             .beta = LM_ISING_BETA,
                                             .field = LM_ISING_FIELD,
                                             .shape = shape_of,
                                             .uniform = is_uniform,
                                             .find = find_thresholds};
