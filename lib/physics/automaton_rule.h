/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what follows from the options and parameters of cellular automata, for host and
 * kernels. */
#ifndef LM_AUTOMATON_RULE_H
#define LM_AUTOMATON_RULE_H

#include <stdint.h>

#include "lib/physics/automaton_observe.h"

enum { LM_LIFE_BIRTH = 1 << 3, LM_LIFE_SURVIVAL = 1 << 2 | 1 << 3 };

typedef struct lm_automaton_rule {
    int life; /* 1: the rule is Conway's */
    /* ~0 if a cell lives with n neighbours, otherwise 0: lives[4 (n / 2) + n % 2] for a dead cell,
     * 2 more for a living one */
    uint32_t lives[20];
} lm_automaton_rule;

static inline lm_automaton_rule lm_automaton_rule_of(const int64_t *options)
{
    const int64_t birth = options[LM_AUTOMATON_BIRTH], survival = options[LM_AUTOMATON_SURVIVAL];
    lm_automaton_rule rule = {birth == LM_LIFE_BIRTH && survival == LM_LIFE_SURVIVAL, {0}};
    for (int n = 0; n <= 8; n++) {
        rule.lives[4 * (n / 2) + n % 2] = birth >> n & 1 ? ~0u : 0u;
        rule.lives[4 * (n / 2) + n % 2 + 2] = survival >> n & 1 ? ~0u : 0u;
    }
    return rule;
}

/* Returns a probability in units of 2^-32. */
static inline uint64_t lm_automaton_threshold(double noise)
{
    return (uint64_t)(noise * 4294967296.0 + 0.5);
}

/* Returns the words of a row. */
static inline int64_t lm_automaton_words(int64_t extent)
{
    return (extent + 31) / 32;
}

#endif
