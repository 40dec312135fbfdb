/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the Blume-Capel model's thresholds from parameters (backends/rules.h). */
#include "backends/blume_capel_rules.h"

#include "lib/physics/blume_capel_observe.h"
#include "lib/physics/blume_capel_rule.h"

static lm_rule_shape shape_of(const lm_spec *spec, const double *coupling, int update)
{
    const int heat_bath = update == LM_BLUME_CAPEL_HEATBATH;
    lm_rule_shape s = {.heat_bath = heat_bath,
                       .sets = 1,
                       .missing = spec->signs,
                       .classes = 1,
                       .kinds = heat_bath ? LM_BLUME_CAPEL_CHOICES : LM_BLUME_CAPEL_KINDS};
    for (int a = 1; a < spec->dims; a++)
        if (coupling[a] != coupling[0])
            s.sets = spec->dims;
    s.bonds = 2 * spec->dims / s.sets;
    s.levels = 2 * s.bonds + 1;
    for (int i = 0; i < s.sets; i++)
        s.classes *= s.levels;
    return s;
}

/* Returns the sum over the sets of J times the sum of the set's neighbours. */
static double local_field(const lm_rules *rules, const lm_rule_shape *s, int q)
{
    double local = 0.0;
    for (int set = 0; set < s->sets; set++, q /= s->levels)
        local += rules->coupling[set] * (q % s->levels - s->bonds);
    return local;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Computes the thresholds of plain sites from those of the moves of one set. */
static void find_plain(const lm_rule_shape *s, uint64_t *to)
{
    static const struct {
        int pair, there, back;
    } pairs[] = {{LM_BLUME_CAPEL_PAIR_UP, LM_BLUME_CAPEL_TO_UP, LM_BLUME_CAPEL_FROM_UP},
                 {LM_BLUME_CAPEL_PAIR_DOWN, LM_BLUME_CAPEL_TO_DOWN, LM_BLUME_CAPEL_FROM_DOWN},
                 {LM_BLUME_CAPEL_TURN, LM_BLUME_CAPEL_UP_DOWN, LM_BLUME_CAPEL_DOWN_UP}};
    for (int i = 0; i < (int)(sizeof pairs / sizeof *pairs); i++) {
        const uint64_t *come = to + pairs[i].there * s->classes;
        const uint64_t *go = to + pairs[i].back * s->classes;
        for (int q = 0; q < s->classes; q++)
            to[pairs[i].pair * s->classes + q] = s->sets == 1 ? lesser(come[q], go[q]) : 0;
    }
}

static int find(const lm_rules *rules, int which, int loose_bonds, int64_t slot, uint64_t *to)
{
    const lm_rule_shape *s = &rules->shape[which];
    const double *values = rules->values + slot;
    const int64_t slots = rules->spec->replicas;
    const lm_blume_capel_slot of = {.beta = values[LM_BLUME_CAPEL_BETA * slots],
                                    .crystal_field = values[LM_BLUME_CAPEL_CRYSTAL_FIELD * slots],
                                    .field = values[LM_BLUME_CAPEL_FIELD * slots]};
    (void)loose_bonds;
    for (int kind = 0; kind < (s->heat_bath ? LM_BLUME_CAPEL_CHOICES : LM_BLUME_CAPEL_MOVES);
         kind++)
        for (int q = 0; q < s->classes; q++) {
            const double local = local_field(rules, s, q);
            to[kind * s->classes + q] = s->heat_bath ? lm_blume_capel_choice(&of, kind, local)
                                                     : lm_blume_capel_threshold(&of, kind, local);
        }
    if (!s->heat_bath)
        find_plain(s, to);
    return of.field != 0.0;
}

static int two_digits(const lm_spec *spec)
{
    (void)spec;
    return LM_BLUME_CAPEL_DIGITS;
}

const lm_words_model lm_blume_capel_words_model = {.numbers = LM_THREE_SPINS,
                                                   .digits = two_digits,
                                                   .updates = LM_BLUME_CAPEL_UPDATES,
                                                   .parameters = LM_BLUME_CAPEL_PARAMS,
                                                   .beta = LM_BLUME_CAPEL_BETA,
                                                   .field = LM_BLUME_CAPEL_FIELD,
                                                   .shape = shape_of,
                                                   .find = find};
