/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Applies any rule of the Ising model to whole vectors, as the uniform rule is applied: two draws
 * side by side for all words, and words with ties set aside (ties.h). lib/physics/ising_words.h
 * defines the classes and the order of draws.
 *
 * A class is found by the binary digits of its sets' levels, side by side. Only ising_words_lane.c
 * includes this file.
 */
#ifndef LM_BITS_ISING_ANY_RULE_H
#define LM_BITS_ISING_ANY_RULE_H

#include "backends/cpu/bits/ties.h"

enum {
    CLASS_DIGITS = LM_TIE_HINTS - 1, /* for the levels of all sets */
    MOST_CHOICES = 64                /* classes of all kinds: 2 * 3^3 */
};

/* What the compiler knows of a rule: its update, the sets of its bonds, and whether bonds may be
 * missing. */
typedef struct any_form {
    int heat_bath, dims, sets, missing;
} any_form;

/* Sites of one threshold: the index of their mask for spins -1 and for spins +1, and the planes of
 * their threshold. */
typedef struct choice {
    int mask[2];
    const uint32_t *planes;
} choice;

/* The choices that leave something to chance. All other sites say yes. */
typedef struct choices {
    int count;
    choice of[MOST_CHOICES];
} choices;

typedef struct any_rule {
    any_form form;
    const choices *choices;
} any_rule;

/* ---- the form */

LM_INLINE int level_digits(int levels)
{
    return levels <= 4 ? 2 : levels <= 8 ? 3 : levels <= 16 ? 4 : 5;
}

LM_INLINE lm_rule_shape shape_of(any_form f)
{
    const int bonds = 2 * f.dims / f.sets;
    return (lm_rule_shape){.sets = f.sets,
                           .bonds = bonds,
                           .missing = f.missing,
                           .levels = f.missing ? 2 * bonds + 1 : bonds + 1};
}

/* Returns the digits for the levels of all sets. */
LM_INLINE int form_digits(any_form f)
{
    return f.sets * level_digits(shape_of(f).levels);
}

/* Returns whether a rule is small enough. */
static int is_small(const lm_rule_shape *s)
{
    return s->sets * level_digits(s->levels) <= CLASS_DIGITS &&
           s->classes * s->kinds <= MOST_CHOICES;
}

/* ---- choices */

/* Sets the levels to those of the next class. Returns the digits of the next class. */
static int next_class(const lm_rule_shape *s, int *level)
{
    const int digits = level_digits(s->levels);
    int mask = 0, carry = 1;
    for (int set = 0; set < s->sets; set++) {
        level[set] += carry;
        carry = level[set] == s->levels;
        level[set] = carry ? 0 : level[set];
        mask |= level[set] << set * digits;
    }
    return mask;
}

LM_INLINE void add_choice(const lm_bits_band *b, choices *c, int down, int up,
                          const uint32_t *planes)
{
    if ((planes[LM_BIT_PLANES] & b->replicas_mask) != b->replicas_mask)
        c->of[c->count++] = (choice){{down, up}, planes};
}

/* Adds the spins -1 of class i, and the spins +1 of the class that has all neighbours reversed.
 * Without a field both have one threshold, and are one choice. */
static void add_kinds(const lm_bits_band *b, choices *c, const int *mask, int i, int none)
{
    const int classes = b->rule->shape.classes, reversed = classes - 1 - i;
    const uint32_t *const down = b->rule->planes + i * LM_RULE_STRIDE;
    const uint32_t *const up = b->rule->planes + (classes + reversed) * LM_RULE_STRIDE;
    if (memcmp(down, up, LM_RULE_STRIDE * sizeof *up) == 0) {
        add_choice(b, c, mask[i], mask[reversed], down);
    } else {
        add_choice(b, c, mask[i], none, down);
        add_choice(b, c, none, mask[reversed], up);
    }
}

/* Finds the choices. No site has the mask number `none`. */
static void find_choices(const lm_bits_band *b, int none, choices *c)
{
    const lm_rule_shape *s = &b->rule->shape;
    int level[LM_MAX_BONDS / 2] = {0}, mask[MOST_CHOICES]; /* too large to be set to 0 */
    mask[0] = 0;
    for (int i = 1; i < s->classes; i++)
        mask[i] = next_class(s, level);
    c->count = 0;
    for (int i = 0; i < s->classes && s->heat_bath; i++)
        add_choice(b, c, mask[i], none, b->rule->planes + i * LM_RULE_STRIDE);
    for (int i = 0; i < s->classes && !s->heat_bath; i++)
        add_kinds(b, c, mask, i, none);
}

/* Sets mask[i] to the sites whose digits are those of i. */
LM_INLINE void make_masks(int digits, const lm_word *digit, lm_word *mask)
{
    mask[0] = lm_set(~0u);
    LM_UNROLL
    for (int j = 0; j < digits; j++) {
        const int half = 1 << j;
        for (int i = 0; i < half; i++) {
            mask[half + i] = lm_and(mask[i], digit[j]);
            mask[i] = lm_andnot(digit[j], mask[i]);
        }
    }
}

/* Finds bits first .. first + n - 1 of every site's threshold. Certain sites get 0. Returns the
 * sites that are not certain. The heat bath's choices do not depend on a site's own spin. */
LM_INLINE lm_word find_planes(const any_rule *a, const lm_word *mask, lm_word s, int first, int n,
                              lm_word *t)
{
    lm_word open = lm_set(0);
    LM_UNROLL
    for (int k = 0; k < n; k++)
        t[k] = lm_set(0);
    for (int i = 0; i < a->choices->count; i++) {
        const choice *const c = &a->choices->of[i];
        const lm_word down = mask[c->mask[0]];
        const lm_word m = a->form.heat_bath ? down : lm_select(s, mask[c->mask[1]], down);
        LM_UNROLL
        for (int k = 0; k < n; k++)
            t[k] = lm_and_or(m, lm_set(c->planes[first + k]), t[k]);
        open = lm_or(open, lm_andnot(lm_set(c->planes[LM_BIT_PLANES]), m));
    }
    return open;
}

/* ---- updates */

/* Makes one more draw for tied words. The hints are the spins and the digits of classes. Sites that
 * are still tied at the end say no. */
LM_INLINE lm_word settle_any(const void *rule, const lm_bits_band *b, const lm_word *hint,
                             lm_word *tied, const lm_word *r, int draw)
{
    const any_rule *a = rule;
    const lm_word before = *tied;
    lm_ballot v = {lm_set(0), before};
    lm_word mask[1 << CLASS_DIGITS], t[4];
    (void)b;
    make_masks(form_digits(a->form), hint + 1, mask);
    find_planes(a, mask, hint[0], 4 * draw, 4, t);
    lm_ballot_bit_planes(&v, 4, r, t);
    *tied = v.tied;
    return lm_ising_changes(a->form.heat_bath, hint[0], v.yes,
                            draw == LM_ISING_DRAWS - 1 ? before : lm_andnot(v.tied, before));
}

/* Finds the digits of the levels of a vector's sites. */
LM_INLINE void find_digits(const lm_bits_band *b, any_form f, int64_t t, int64_t in_pattern,
                           lm_word *digit)
{
    const lm_rule_shape shape = shape_of(f);
    const int digits = level_digits(shape.levels);
    lm_word up[LM_MAX_BONDS], gone[LM_MAX_BONDS];
    neighbours(b, f.dims, t, in_pattern, up);
    for (int i = 0; i < 2 * f.dims && f.missing; i++)
        gone[i] = b->gone[i] ? lm_load(b->gone[i] + t) : lm_set(0);
    LM_UNROLL
    for (int set = 0; set < f.sets; set++) {
        lm_word count[LM_LEVEL_DIGITS];
        lm_ising_level(&shape, set, up, gone, count);
        LM_UNROLL
        for (int j = 0; j < digits; j++)
            digit[set * digits + j] = count[j];
    }
}

LM_INLINE void update_any_vector(const void *rule, const lm_bits_band *b, int64_t t,
                                 int64_t in_pattern, int n, const lm_stream *stream, ties *q)
{
    const any_rule *const a = rule;
    const uint64_t index = b->index + (uint64_t)t;
    const int digits = form_digits(a->form);
    const lm_word s = lm_load(b->own + t), valid = active_in(b, in_pattern, n);
    lm_word hint[LM_TIE_HINTS] = {s}, mask[1 << CLASS_DIGITS];
    lm_word planes[4 * LM_ISING_HEAD], r[4 * LM_ISING_HEAD];
    find_digits(b, a->form, t, in_pattern, hint + 1);
    make_masks(digits, hint + 1, mask);
    const lm_word open = find_planes(a, mask, s, 0, 4 * LM_ISING_HEAD, planes);
    lm_ballot v = {lm_andnot(open, valid), lm_and(open, valid)};
    lm_random_draws(stream, index, 0, LM_ISING_HEAD, r);
    lm_ballot_bit_planes(&v, 4 * LM_ISING_HEAD, r, planes);
    const lm_word changes = lm_ising_changes(a->form.heat_bath, s, v.yes, lm_andnot(v.tied, valid));
    store_words(b->own + t, lm_xor(s, changes), n);
    if (b->changed)
        count_bits(b->shape, changes, LM_LANES, b->changed);
    q->count = put_ties(q, q->count, lm_count_from((uint32_t)index), v.tied, hint, 1 + digits);
}

/* Updates all of the bands and returns 1. */
LM_INLINE int update_any(const lm_bits_band *bands, int count, any_form form,
                         const lm_stream *stream)
{
    choices c; /* too large to be set to 0 */
    const any_rule a = {form, &c};
    find_choices(bands, (1 << form_digits(form)) - 1, &c); /* no level has all digits 1 */
    const tie_rule rule = {update_any_vector, settle_any, &a, 1 + form_digits(form)};
    update_bands(bands, count, stream, &rule);
    return 1;
}

#endif
