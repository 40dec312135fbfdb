/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "tests/random/shrink.h"

/* Plays that show whether a case fails always; tries of a candidate if it does. */
enum { CONFIRMATIONS = 20, CERTAIN_TRIES = 5 };

/* A case is given out until it has failed so often as is asked, or been played so often. */
typedef struct trial {
    const random_case *c;
    int played, most, failures, enough;
    verdict verdict; /* of the last that failed */
} trial;

static int next_try(void *user, job *j)
{
    trial *t = user;

    if (t->played == t->most || t->failures >= t->enough)
        return 0;
    t->played++;
    return case_print(t->c, j->text, sizeof j->text);
}

static void after_try(void *user, const job *j, const verdict *v)
{
    trial *t = user;

    (void)j;
    if (!outcome_failed(v->outcome))
        return;
    t->failures++;
    t->verdict = *v;
}

static trial try_case(supervisor *s, const random_case *c, double limit, int most, int enough)
{
    trial t = {.c = c, .most = most, .enough = enough};
    const agenda a = {next_try, after_try, &t, limit};

    supervise(s, &a);
    return t;
}

/* A hang costs all the time that it has, so it is not asked for again and again. */
static trial confirm(supervisor *s, const random_case *c, const reduction *r)
{
    trial t = try_case(s, c, r->limit, 1, 1);

    if (t.failures > 0 && t.verdict.outcome == OUTCOME_HUNG)
        return t;
    return try_case(s, c, r->limit, CONFIRMATIONS, CONFIRMATIONS);
}

int reduce_case(supervisor *s, const char *text, reduction *r)
{
    const double until = supervise_clock() + r->seconds;
    random_case candidate;
    int at = 0, smaller_since = 0;

    if (case_parse(text, &r->smallest))
        return 0;
    const trial first = confirm(s, &r->smallest, r);
    r->failed = first.failures;
    r->confirmed = first.played;
    if (first.failures == 0)
        return 0;
    r->verdict = first.verdict;
    const int certain = first.failures == first.played;
    const int tries = certain && r->tries > CERTAIN_TRIES ? CERTAIN_TRIES : r->tries;
    while (supervise_clock() < until) {
        if (!shrink_next(&r->smallest, &at, &candidate)) {
            r->in_time = !smaller_since;
            if (r->in_time)
                break;
            at = smaller_since = 0;
            continue;
        }
        r->candidates++;
        const trial t = try_case(s, &candidate, r->limit, tries, 1);
        if (t.failures == 0)
            continue;
        r->smallest = candidate;
        r->verdict = t.verdict;
        smaller_since = 1;
        at--; /* the same again, as far as it goes */
    }
    return 1;
}
