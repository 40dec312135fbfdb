/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/shrink.h"

#include <string.h>

/* What became of variant number `variant` of a change; one that changed may be as before. */
typedef enum change { NONE_LEFT, NO_CHANGE, CHANGED } change;

/* Something between `least` and `x`: the least, half, one less. */
static int64_t less(int64_t x, int64_t least, int how)
{
    const int64_t smaller = how == 0 ? least : how == 1 ? least + (x - least) / 2 : x - 1;

    return smaller < x && smaller >= least ? smaller : x;
}

/* ---- steps */

static void remove_steps(random_case *c, int first, int count)
{
    memmove(c->steps + first, c->steps + first + count,
            (size_t)(c->step_count - first - count) * sizeof *c->steps);
    c->step_count -= count;
}

/* Halves of them, quarters, .., single ones; from the end. */
static change without_steps(random_case *c, int variant)
{
    for (int chunk = (c->step_count + 1) / 2; chunk > 0; chunk = chunk == 1 ? 0 : (chunk + 1) / 2)
        for (int end = c->step_count; end > 0; end -= chunk)
            if (variant-- == 0) {
                const int first = end > chunk ? end - chunk : 0;
                if (end - first == c->step_count)
                    return NO_CHANGE;
                remove_steps(c, first, end - first);
                return CHANGED;
            }
    return NONE_LEFT;
}

/* Numbers of a step; those of refused calls, which are beyond all reason, stay. */
static change with_smaller_step(random_case *c, int variant)
{
    enum { WAYS = 10 };
    if (variant >= WAYS * c->step_count)
        return NONE_LEFT;
    case_step *s = &c->steps[variant / WAYS];
    const int way = variant % WAYS, sweeps = s->verb == CASE_SWEEP || s->verb == CASE_TUNE;

    if (s->number > 1 << 30)
        return NO_CHANGE;
    if (way < 3 && s->verb == CASE_RECORD)
        s->records = less(s->records, 1, way);
    else if (way >= 3 && way < 6 && (sweeps || s->verb == CASE_RECORD))
        s->number = less(s->number, 1, way - 3);
    else if (way == 6 && s->verb == CASE_RECORD)
        *s = (case_step){.verb = CASE_SWEEP, .id = s->id, .number = s->number * s->records};
    else if (way == 7 && s->thing_count > 1)
        s->thing_count = 1;
    else if (way == 8 && s->thing_count > 1)
        memmove(s->things, s->things + 1, (size_t)--s->thing_count * sizeof *s->things);
    else if (way == 9 && s->verb == CASE_SET && s->values.count > 1)
        s->values = (case_values){1, 0, {s->values.value[0]}};
    return CHANGED;
}

/* ---- the lattice */

static change with_fewer_replicas(random_case *c, int variant)
{
    const int64_t before = c->replicas;

    if (variant > 2)
        return NONE_LEFT;
    if (before > 65536)
        return NO_CHANGE;
    c->replicas = less(before, 1, variant);
    if (c->samples < 1 || c->replicas % c->samples)
        c->samples = 1;
    for (int s = 0; s < c->step_count; s++)
        if (c->steps[s].number >= 0 && c->steps[s].number < before &&
            (c->steps[s].verb == CASE_SITES || c->steps[s].verb == CASE_GET))
            c->steps[s].number %= c->replicas;
    return CHANGED;
}

static change without_axis(random_case *c, int variant)
{
    if (variant >= c->dims)
        return NONE_LEFT;
    if (c->dims == 1)
        return NO_CHANGE;
    c->dims--;
    for (int a = variant; a < c->dims; a++) {
        c->extents[a] = c->extents[a + 1];
        c->boundaries[a] = c->boundaries[a + 1];
        c->axes.value[a] = c->axes.value[a + 1];
    }
    c->extents[c->dims] = 1;
    c->boundaries[c->dims] = LATMC_PERIODIC;
    if (c->axes.count)
        c->axes.count = c->dims;
    return CHANGED;
}

/* The largest number up to `x` that leaves the remainder of `like` by `unit`. */
static int64_t alike(int64_t x, int64_t like, int64_t unit)
{
    return x - ((x - like) % unit + unit) % unit;
}

/* Half, odd or even as before and with the same remainder by 4, 32 or 64 where that can be; then
 * a little less. */
static change with_smaller_extent(random_case *c, int variant)
{
    enum { WAYS = 9 };
    static const int64_t units[] = {64, 32, 4, 2, 1}, steps[] = {64, 4, 2, 1};
    if (variant >= WAYS * c->dims)
        return NONE_LEFT;
    int64_t *x = &c->extents[variant / WAYS];
    const int way = variant % WAYS;
    const int64_t smaller = way < 5 ? alike(*x / 2, *x, units[way]) : *x - steps[way - 5];

    if (smaller < 2 || smaller >= *x)
        return NO_CHANGE;
    *x = smaller;
    return CHANGED;
}

/* ---- settings */

static change with_simpler_params(random_case *c, int variant)
{
    enum { WAYS = 4 };
    if (variant >= WAYS * c->param_count)
        return NONE_LEFT;
    const int p = variant / WAYS, way = variant % WAYS;
    case_values *v = &c->params[p].values;

    if (way == 0) {
        memmove(c->params + p, c->params + p + 1,
                (size_t)(--c->param_count - p) * sizeof *c->params);
        return CHANGED;
    }
    if (v->count == 1 || way > v->count)
        return NO_CHANGE;
    *v = (case_values){1, 0, {v->value[way == 3 ? v->count - 1 : way - 1]}};
    return CHANGED;
}

static change with_periodic_axis(random_case *c, int variant)
{
    if (variant >= c->dims)
        return NONE_LEFT;
    if (c->boundaries[variant] == LATMC_PERIODIC)
        return NO_CHANGE;
    c->boundaries[variant] = LATMC_PERIODIC;
    return CHANGED;
}

static change with_simpler_settings(random_case *c, int variant)
{
    static const case_numbers plain = {.plus = 50, .width = 1.0};

    switch (variant) {
    case 0:
        c->bonds = plain;
        break;
    case 1:
        c->bonds.missing = 0;
        break;
    case 2:
        c->axes = (case_values){0};
        break;
    case 3:
        c->first = 0;
        break;
    case 4:
        c->seed = 1;
        break;
    case 5:
        c->option_count -= c->option_count > 0;
        break;
    case 6:
        c->threads = 1;
        break;
    case 7:
        c->threads = c->threads > 2 ? 2 : c->threads;
        break;
    case 8:
        c->progress = 0;
        break;
    case 9:
        c->company = 0;
        break;
    case 10:
        if (c->start == CASE_START_GIVEN)
            c->start = LATMC_START_HOT;
        break;
    case 11:
        c->samples = 1;
        break;
    case 12:
        c->first_sample = 0;
        break;
    case 13:
        c->bonds.plus = 50;
        break;
    case 14:
        c->fields = plain;
        break;
    case 15:
        c->fields.missing = 0;
        break;
    case 16:
        c->bonds.mean = c->fields.mean = 0.0;
        break;
    case 17:
        c->bonds.width = c->fields.width = 1.0;
        break;
    default:
        return NONE_LEFT;
    }
    return CHANGED;
}

static int is_other(const random_case *a, const random_case *b)
{
    static char texts[2][CASE_TEXT];

    return case_print(a, texts[0], CASE_TEXT) && case_print(b, texts[1], CASE_TEXT) &&
           strcmp(texts[0], texts[1]) != 0;
}

int shrink_next(const random_case *c, int *at, random_case *smaller)
{
    static change (*const changes[])(random_case *, int) = {
        without_steps,     with_fewer_replicas,   without_axis,        with_smaller_extent,
        with_smaller_step, with_simpler_settings, with_simpler_params, with_periodic_axis,
    };
    int number = 0;

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        for (int variant = 0;; variant++, number++) {
            *smaller = *c;
            const change done = changes[i](smaller, variant);
            if (done == NONE_LEFT)
                break;
            if (done == CHANGED && number >= *at && is_other(c, smaller)) {
                *at = number + 1;
                return 1;
            }
        }
    return 0;
}
