/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds vectors of sites that are not updated at once: they wait for others, or are begun and
 * finished later. A part of lane.c, which includes it.
 */
#ifndef LM_FIELD_LANE_LATER_H
#define LM_FIELD_LANE_LATER_H

LM_INLINE void store(lm_element *p, lm_real s, lm_mask valid, int some)
{
    if (some)
        lm_element_store_some(p, s, valid);
    else
        lm_element_store(p, s);
}

#if LM_HOOK_TOGETHER
enum { LM_WAITING = LM_HOOK_TOGETHER };
#else
enum { LM_WAITING = 1 };
#endif

/* Sites that wait for others of their colour, to be updated together. */
typedef struct lm_waiting {
    int count;
    lm_element *at[LM_WAITING]; /* the first component */
    lm_hook_site site[LM_WAITING];
    lm_draws draws[LM_WAITING];
    lm_mask valid[LM_WAITING];
} lm_waiting;

#if LM_HOOK_TOGETHER
LM_INLINE void load_waiting(const lm_waiting *w, int i, lm_real *s)
{
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        s[c] = lm_element_load(w->at[i] + c * LM_REALS);
}

LM_INLINE void store_waiting(const lm_waiting *w, int i, const lm_real *s, int some)
{
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        store(w->at[i] + c * LM_REALS, s[c], w->valid[i], some);
}

/* A function, for there are many places that could have it inline, and it is long. */
static __attribute__((noinline)) void update_waiting(lm_waiting *w, const lm_hook_common *common,
                                                     int some, lm_tally *accepted)
{
    lm_real s[LM_WAITING][LM_HOOK_COMPONENTS];
    LM_UNROLL
    for (int i = 0; i < LM_WAITING; i++)
        load_waiting(w, i, s[i]);
    lm_hook_update_together(common, w->site, s, w->draws, w->valid, accepted);
    LM_UNROLL
    for (int i = 0; i < LM_WAITING; i++) {
        if (i == w->count)
            break; /* a condition for each one costs the heat bath 7 % with gcc 12 */
        store_waiting(w, i, s[i], some);
    }
    w->count = 0;
}

LM_INLINE void update_later(lm_waiting *w, const lm_hook_common *common, const lm_hook_site *site,
                            lm_element *p, lm_mask valid, int some, lm_tally *accepted)
{
    const int i = w->count++;
    w->at[i] = p;
    w->site[i] = *site;
    w->valid[i] = valid;
    if (w->count == LM_WAITING)
        update_waiting(w, common, some, accepted);
}

/* Updates the sites that are left. Others fill the vector; they do not count and are not stored. */
static __attribute__((noinline)) void update_last(lm_waiting *w, const lm_hook_common *common,
                                                  int some, lm_tally *accepted)
{
    if (w->count == 0)
        return;
    for (int i = w->count; i < LM_WAITING; i++) {
        w->at[i] = w->at[0];
        w->site[i] = w->site[0];
        w->draws[i] = w->draws[0];
        w->valid[i] = lm_mask_first(0);
    }
    update_waiting(w, common, some, accepted);
}
#endif

/* A vector of sites after the first step of its update; p is NULL if there is none. */
typedef struct lm_begun_vector {
    lm_element *p; /* the first component */
#ifdef LM_HOOK_STEPS
    lm_mask valid;
    lm_hook_begun begun;
    lm_real s[LM_HOOK_COMPONENTS];
#endif
} lm_begun_vector;

#ifdef LM_HOOK_STEPS
LM_INLINE void finish_vector(lm_begun_vector *v, int some, lm_tally *accepted)
{
    if (!v->p)
        return;
    lm_hook_finish(&v->begun, v->s, v->valid, accepted);
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        store(v->p + c * LM_REALS, v->s[c], v->valid, some);
}

/* Makes the first step of a vector and then the second step of the one before it. What follows
 * from a division waits longer than a core looks ahead. So the next division is already on its
 * way meanwhile. Sites of a colour do not read each other, and may be stored late. */
LM_INLINE void update_in_steps(const lm_hook_site *site, const lm_reader *read, lm_mask valid,
                               int some, lm_begun_vector *before, lm_tally *accepted)
{
    lm_begun_vector v = {.p = read->field[0], .valid = valid};
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        v.s[c] = lm_element_load(read->field[c]);
    v.begun = lm_hook_begin(site, v.s);
    finish_vector(before, some, accepted);
    *before = v;
}
#endif

#endif
