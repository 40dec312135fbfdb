/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the thresholds of the Potts model in words from parameters (backends/rules.h). */
#include "backends/potts_rules.h"

#include <string.h>

#include "lib/physics/potts_words_rule.h"
#include "lib/physics/potts_words_shape.h"

/* The table of the heat bath has numbers instead of classes. */
static lm_rule_shape shape_of(const lm_spec *spec, const double *coupling, int update)
{
    lm_rule_shape s = {.sets = lm_equal_couplings(spec, coupling) ? 1 : spec->dims,
                       .missing = spec->signs,
                       .classes = 1,
                       .kinds = LM_POTTS_KINDS};
    s.bonds = 2 * spec->dims / s.sets;
    s.levels = 2 * s.bonds + 1;
    for (int i = 0; i < s.sets; i++)
        s.classes *= s.levels;
    if (update == LM_POTTS_HEATBATH)
        s = (lm_rule_shape){
            .heat_bath = 1, .sets = s.sets, .classes = LM_POTTS_OF_SLOT, .kinds = 1};
    return s;
}

/* Returns the energy that a class's move costs. */
static double cost_of(const lm_rules *rules, const lm_rule_shape *s, double field, int kind, int q)
{
    double cost = 0.0;
    for (int set = 0; set < s->sets; set++, q /= s->levels)
        cost += rules->coupling[set] * (q % s->levels - s->bonds);
    return cost + field * (kind - LM_POTTS_NO_FIELD);
}

static uint64_t bits_of(double value)
{
    const float rounded = (float)value;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

static int find(const lm_rules *rules, int which, int loose_bonds, int64_t slot, uint64_t *to)
{
    const lm_rule_shape *s = &rules->shape[which];
    const double beta = rules->beta[slot], field = rules->field[slot];
    (void)loose_bonds;
    if (which == LM_POTTS_HEATBATH) {
        to[LM_POTTS_OF_BETA] = bits_of(beta);
        to[LM_POTTS_OF_FIELD] = bits_of(field);
        return 0;
    }
    const double share = lm_potts_share(rules->spec->states, which);
    for (int kind = 0; kind < s->kinds; kind++)
        for (int q = 0; q < s->classes; q++)
            *to++ = lm_potts_threshold(share, beta, cost_of(rules, s, field, kind, q));
    return field != 0.0;
}

static int digits(const lm_spec *spec)
{
    return lm_potts_digits(spec->states);
}

const lm_words_model lm_potts_words_model = {.digits = digits,
                                             .updates = LM_POTTS_UPDATES,
                                             .parameters = LM_POTTS_FIELD + 1,
                                             .beta = LM_POTTS_BETA,
                                             .field = LM_POTTS_FIELD,
                                             .shape = shape_of,
                                             .find = find};
