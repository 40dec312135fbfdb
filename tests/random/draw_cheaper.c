/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes from a random case until it costs no more than it may. */
#include <math.h>

#include "tests/random/draw.h"
#include "tests/random/models.h"

/* The step with the most sweeps of those that could do with fewer, or NULL. */
static case_step *longest(random_case *c)
{
    case_step *most = NULL;
    int64_t sweeps = 0;

    for (int i = 0; i < c->step_count; i++) {
        case_step *s = &c->steps[i];
        const int64_t records = s->verb == CASE_RECORD ? s->records : 1;
        if ((s->verb == CASE_SWEEP || s->verb == CASE_TUNE || s->verb == CASE_RECORD ||
             s->verb == CASE_ROUNDS || s->verb == CASE_FOLLOW) &&
            s->number < 1 << 20 && s->number * records > (sweeps > 1 ? sweeps : 1)) {
            sweeps = s->number * records;
            most = s;
        }
    }
    return most;
}

/* Bonds of large lattices take longer than their sweeps, wherever the lattice is placed anew. */
static void without_bonds(random_case *c)
{
    c->bonds.from = c->fields.from = CASE_UNIFORM;
    for (int a = 0; a < c->dims; a++)
        c->boundaries[a] = LATMC_PERIODIC;
}

/* Halves what repeats proposals; 0 if there is nothing to halve. */
static int halve(case_values *v)
{
    int yes = 0;

    for (int i = 0; i < v->count; i++)
        if (v->value[i] > 1.0) {
            v->value[i] = ceil(v->value[i] / 2.0);
            yes = 1;
        }
    return yes;
}

static int with_fewer_proposals(random_case *c)
{
    int yes = 0;

    for (int i = 0; i < c->param_count; i++)
        yes |= random_repeats(c->params[i].id) && halve(&c->params[i].values);
    for (int i = 0; i < c->step_count; i++)
        yes |= c->steps[i].verb == CASE_SET && random_repeats(c->steps[i].id) &&
               halve(&c->steps[i].values);
    return yes;
}

/* The longest extent becomes half of it, odd or even as before. */
static int shorten(random_case *c)
{
    int64_t *longest = c->extents;

    for (int a = 1; a < c->dims; a++)
        if (c->extents[a] > *longest)
            longest = &c->extents[a];
    if (*longest < 8)
        return 0;
    *longest = *longest / 4 * 2 + (*longest & 1);
    return 1;
}

void draw_cheaper(double cost, random_case *c)
{
    case_step *s;

    while (case_cost(c) > cost && (s = longest(c)) != NULL) {
        if (s->verb == CASE_RECORD && s->records > 1)
            s->records /= 2;
        else
            s->number /= 2;
    }
    while (case_cost(c) > cost && with_fewer_proposals(c))
        ;
    if (case_cost(c) > cost && random_model_of(c->model)->has_bonds)
        without_bonds(c);
    for (int i = 0; i < c->step_count && case_cost(c) > cost; i++)
        if (c->steps[i].verb == CASE_SAVE || c->steps[i].verb == CASE_AWAY)
            c->steps[i] = (case_step){.verb = CASE_NOWHERE};
        else if (c->steps[i].verb == CASE_OBSERVE)
            c->steps[i].thing_count = 1;
    while (case_cost(c) > cost && c->replicas > 1)
        c->replicas = (c->replicas + 1) / 2;
    while (case_cost(c) > cost && shorten(c))
        ;
}
