/* SPDX-License-Identifier: BSD-3-Clause */
/* Replicas with the same parameters: their joint means and errors, and whether they agree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"

/* Below this probability the replicas' means differ beyond chance. Errors are estimates themselves,
 * and a table makes hundreds of comparisons. */
static const double least_probability = 1e-5;
/* Thousands of replicas would show errors that are a few per cent too small: their squares must be
 * off by this factor. */
static const double most_ratio = 2;

int64_t results_sample(const results *r, int64_t replica)
{
    return replica / (r->info.replicas / r->samples);
}

int64_t results_copy(const results *r, int64_t replica)
{
    const int64_t each = r->info.replicas / r->samples;

    return replica % each / (each / r->info.ladders);
}

int results_is_tuned(const results *r, int param)
{
    return lattice_thing(LATMC_PARAMS, r->info.model, param).id == LATMC_EPSILON;
}

/* ---- which replicas */

typedef struct place {
    const results *r;
    int64_t replica;
} place;

static int order_of(double a, double b)
{
    return (a > b) - (a < b);
}

/* At both ends of a ramp, if there is one. */
static int compare_parameters(const place *a, const place *b)
{
    const results *r = a->r;
    int order = 0;

    for (int p = 0; p < r->params && !order; p++) {
        if (results_is_tuned(r, p))
            continue;
        order = order_of(results_param(r, p, a->replica), results_param(r, p, b->replica));
        if (!order && results_is_ramped(r, p))
            order = order_of(r->courses[p].from[a->replica], r->courses[p].from[b->replica]);
    }
    return order;
}

static int compare_places(const void *a, const void *b)
{
    const place *one = a, *other = b;
    const int order = compare_parameters(one, other);

    return order ? order : (one->replica > other->replica) - (one->replica < other->replica);
}

static int compare_joints(const void *a, const void *b)
{
    const joint *one = a, *other = b;

    return (one->members[0] > other->members[0]) - (one->members[0] < other->members[0]);
}

/* A sample has all its replicas side by side, and members are in their order. */
static int64_t count_samples(const results *r, const joint *j)
{
    int64_t samples = 1;

    for (int64_t m = 1; m < j->replicas; m++)
        samples += results_sample(r, j->members[m]) != results_sample(r, j->members[m - 1]);
    return samples;
}

/* Fills joints and members; joints are in the order of their first replicas. */
static void find_joints(results *r)
{
    const int64_t replicas = r->info.replicas;
    place *places = cli_memory(replicas, sizeof *places);

    for (int64_t i = 0; i < replicas; i++)
        places[i] = (place){r, i};
    qsort(places, (size_t)replicas, sizeof *places, compare_places);
    for (int64_t i = 0; i < replicas; i++) {
        if (!i || compare_parameters(&places[i], &places[i - 1]))
            r->joint[r->joints++] = (joint){.members = r->members + i};
        r->members[i] = places[i].replica;
        r->joint[r->joints - 1].replicas++;
    }
    free(places);
    for (int64_t k = 0; k < r->joints; k++)
        r->joint[k].samples = count_samples(r, &r->joint[k]);
    qsort(r->joint, (size_t)r->joints, sizeof *r->joint, compare_joints);
}

/* ---- their means */

/* What the members have of one quantity. */
typedef struct gathered {
    int64_t count;
    latmc_estimate *of; /* [count] */
    double *means;      /* [sample], or [count] if there is one sample */
    int64_t numbers;
    int are_finite, have_errors, are_equal, marked; /* marked: at least half of them */
} gathered;

static void gather(const results *r, const joint *j, int quantity, gathered *g)
{
    int64_t marked = 0, in_sample = 0;

    g->count = j->replicas;
    g->numbers = 0;
    g->are_finite = g->have_errors = g->are_equal = 1;
    for (int64_t m = 0; m < j->replicas; m++) {
        const int64_t replica = j->members[m];
        const latmc_estimate e = r->estimates[replica * r->quantities + quantity];

        if (!m || j->samples == 1 ||
            results_sample(r, replica) != results_sample(r, j->members[m - 1])) {
            g->means[g->numbers++] = 0;
            in_sample = 0;
        }
        in_sample++;
        g->means[g->numbers - 1] += (e.value - g->means[g->numbers - 1]) / (double)in_sample;
        g->of[m] = e;
        g->are_finite &= isfinite(e.value);
        g->have_errors &= isfinite(e.error);
        g->are_equal &= e.value == g->of[0].value;
        marked += e.too_short;
    }
    g->marked = 2 * marked >= g->count;
}

/* Errors, and the squares of tau_int's errors, of independent replicas of equal length. */
static latmc_estimate combine(const gathered *g)
{
    const double n = (double)g->count;
    latmc_estimate e = {.size = sizeof e};

    for (int64_t m = 0; m < g->count; m++) {
        e.value += g->of[m].value / n;
        e.error += g->of[m].error * g->of[m].error / (n * n);
        e.tau_int += g->of[m].tau_int / n;
        e.tau_error += g->of[m].tau_error * g->of[m].tau_error / (n * n);
    }
    e.error = sqrt(e.error);
    e.tau_error = sqrt(e.tau_error);
    return e;
}

static int disagree(const gathered *g)
{
    double chi2, probability;

    if (!g->have_errors)
        return !g->are_equal;
    cli_run(latmc_compare(g->of, g->count, &chi2, &probability));
    return probability < least_probability && chi2 > most_ratio * (double)(g->count - 1);
}

/* From the spread of the means of samples or, of one sample, of replicas. */
static latmc_estimate spread_of(const gathered *g)
{
    latmc_estimate e = {.size = sizeof e};

    cli_run(latmc_average(g->means, g->numbers, &e));
    return e;
}

static latmc_estimate join(const results *r, const joint *j, const gathered *g, int differ)
{
    latmc_estimate e = combine(g);

    if (j->replicas == 1)
        return g->of[0];
    if (!g->are_finite || results_is_ramped(r, -1))
        return e;
    if (j->samples > 1) {
        e = spread_of(g);
        e.too_short |= g->marked;
    } else {
        if (differ || (!g->have_errors && !g->are_equal)) {
            const latmc_estimate spread = spread_of(g);

            e.error = e.error > spread.error ? e.error : spread.error;
        }
        e.too_short = g->marked || differ;
    }
    return e;
}

/* Formulas differ where what they are made of does. Acceptances are those of each one's proposals.
 */
static int differs(const results *r, const joint *j, int i, const gathered *g, const char *before)
{
    const quantity *q = &r->list[i];

    if (q->formula)
        return before[q->inputs[0]] || before[q->inputs[1]];
    return j->samples == 1 && j->replicas > 1 && r->records >= 2 && !q->is_path &&
           q->what != LATMC_ROLE_ACCEPTANCE && g->are_finite && !results_is_ramped(r, -1) &&
           disagree(g);
}

/* Replicas that agree in energy and in the order parameter's modulus may differ in its sign or
 * direction, between which the model without a field makes no difference. */
static void forgive(const results *r, char *differ)
{
    int any = 0, has_energy = 0;

    for (int i = 0; i < r->observables; i++) {
        const int what = r->list[i].what;

        has_energy |= what == LATMC_ROLE_ENERGY;
        any |= differ[i] && (what == LATMC_ROLE_ENERGY || what == LATMC_ROLE_ABS_ORDER ||
                             (what == LATMC_ROLE_ORDER && r->has_field));
    }
    if (has_energy && !any)
        memset(differ, 0, (size_t)r->quantities);
}

static void join_all(results *r, gathered *g)
{
    for (int64_t k = 0; k < r->joints; k++)
        for (int i = 0; i < r->quantities; i++) {
            char *differ = r->differ + k * r->quantities;

            gather(r, &r->joint[k], i, g);
            differ[i] = (char)differs(r, &r->joint[k], i, g, differ);
            r->joined[k * r->quantities + i] = join(r, &r->joint[k], g, differ[i]);
        }
    for (int64_t k = 0; k < r->joints; k++)
        forgive(r, r->differ + k * r->quantities);
}

/* ---- glasses */

/* Two copies may both have missed a slow mode: doc/errors.md has the figures. */
enum { CHECKING_COPIES = 3 };

/* Whether couplings of both signs may make a glass. Averages of |<s_i s_j>| over independent
 * couplings are at most the sums over paths without return of <tanh(beta |J|)> for each step. They
 * decay exponentially if (2d - 1) <tanh(beta |J|)> < 1: M. E. Fisher, Phys. Rev. 162, 480 (1967).
 * The mean of the tanh is at most the tanh of the mean. Vectors and Potts states have smaller steps
 * than the tanh. */
static int may_be_glass(const results *r, int64_t replica)
{
    const double beta = r->beta < 0 ? 1 : results_param(r, r->beta, replica);

    return (double)(2 * r->info.dims - 1) * tanh(fabs(beta) * r->mixed) >= 1;
}

/* Exchanges bring a glass to equilibrium, and their round trips show it. Without them copies of a
 * sample must agree. */
static void find_unchecked(results *r)
{
    r->unchecked = cli_memory(r->info.replicas, sizeof *r->unchecked);
    if (r->exchanges || results_is_ramped(r, -1) || !r->records)
        return;
    for (int64_t k = 0; k < r->joints; k++)
        for (int64_t m = 0; m < r->joint[k].replicas; m++)
            r->unchecked[r->joint[k].members[m]] =
                r->joint[k].replicas < CHECKING_COPIES * r->joint[k].samples &&
                may_be_glass(r, r->joint[k].members[m]);
}

void results_join(results *r)
{
    const int64_t replicas = r->info.replicas;
    gathered g;

    r->joint = cli_memory(replicas, sizeof *r->joint);
    r->members = cli_memory(replicas, sizeof *r->members);
    find_joints(r);
    find_unchecked(r);
    r->joined = cli_memory(r->joints * r->quantities, sizeof *r->joined);
    r->differ = cli_memory(r->joints * r->quantities, sizeof *r->differ);
    g.of = cli_memory(replicas, sizeof *g.of);
    g.means = cli_memory(replicas, sizeof *g.means);
    join_all(r, &g);
    free(g.of);
    free(g.means);
}
