/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/case.h"

#include "tests/numbers.h"
#include "tests/random/models.h"

random_case case_new(int model, int dims, const int64_t *extents)
{
    random_case c = {.model = model,
                     .dims = dims,
                     .bonds = {.plus = 50, .width = 1.0},
                     .fields = {.plus = 50, .width = 1.0},
                     .samples = 1,
                     .replicas = 1,
                     .seed = 1,
                     .threads = 1,
                     .start = LATMC_START_HOT};

    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        c.extents[a] = a < dims ? extents[a] : 1;
        c.boundaries[a] = LATMC_PERIODIC;
    }
    return c;
}

int64_t case_sites(const random_case *c)
{
    int64_t sites = 1;

    for (int a = 0; a < c->dims; a++)
        sites *= c->extents[a];
    return sites;
}

double case_value(const case_values *v, int64_t replica, int64_t replicas)
{
    if (!v->ramp)
        return v->value[replica % v->count];
    return v->value[0] + (v->value[1] - v->value[0]) * (double)replica /
                             (double)(replicas > 1 ? replicas - 1 : 1);
}

double case_uniform(uint64_t *state)
{
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

case_rounds case_rounds_of(uint64_t seed)
{
    case_rounds r = {.sweeps = {1 + (int64_t)(seed % 3), (int64_t)(seed >> 16) % 3},
                     .exchanges = {(int64_t)(seed >> 8) % 3, (int64_t)(seed >> 24) % 2},
                     .records = (int)(seed >> 32) & 1};

    if (!r.sweeps[1])
        r.exchanges[1] = 0;
    return r;
}

int64_t case_pairs_of(uint64_t seed)
{
    return 1 + (int64_t)(seed % (CASE_MOST_PAIRS - 1));
}

void case_pair(uint64_t seed, int64_t i, int64_t replicas, int64_t pair[2])
{
    uint64_t state = seed + (uint64_t)i;

    state = next_random(&state);
    for (int k = 0; k < 2; k++)
        pair[k] = (int64_t)(case_uniform(&state) * (double)replicas);
    if (i % 4 == 3)
        pair[1] = pair[0];
}

/* ---- cost */

/* ns of the scalar lane for a site on its way in or out, as measured on a Zen 5. */
static const double site_ns = 4.0;

/* All sites go out, or in. */
static double passage_cost(const random_case *c)
{
    return (double)case_sites(c) * (double)c->replicas * site_ns;
}

/* Structure factors of sites that are bits, and whatever is made by rows, have all sites brought to
 * the host; what a pair takes of each of its sites there. */
static const double pair_ns = 8.0;

static int has_waves(const case_step *s)
{
    int any = 0;

    for (int i = 0; i < s->thing_count; i++)
        any |= case_quantity(s->things[i]).observable == LATMC_STRUCTURE;
    return any;
}

static double pairs_cost(const random_case *c, const case_step *s)
{
    const int components = random_components(c);

    return (double)case_pairs_of(s->seed) * (double)case_sites(c) *
           (2.0 * site_ns + pair_ns * c->dims * components * components);
}

/* Three measurements, each of some sums of all components, or of all bond types, and with momenta.
 */
static double weights_cost(const random_case *c)
{
    const double sums = random_components(c) + c->dims + 4.0;

    return 3.0 * passage_cost(c) * (5.0 + sums);
}

static double round_cost(const random_case *c, const case_step *s)
{
    const random_model *m = random_model_of(c->model);
    const case_rounds r = case_rounds_of(s->seed);
    const double measured = (double)(r.exchanges[0] + r.exchanges[1] + r.records);

    return (double)r.sweeps[0] * m->sweep_cost(c, s->id) +
           (double)r.sweeps[1] * m->sweep_cost(c, LATMC_METROPOLIS) + measured * m->sum_cost(c);
}

static double step_cost(const random_case *c, const case_step *s)
{
    const random_model *m = random_model_of(c->model);
    const double most = 1e9; /* more sweeps than this are refused */
    const double n = s->number > 0 && (double)s->number < most ? (double)s->number : 0.0;

    switch (s->verb) {
    case CASE_SWEEP:
    case CASE_TUNE:
        return n * m->sweep_cost(c, s->id);
    case CASE_RECORD:
        return s->records > 0 ? (double)s->records * (n * m->sweep_cost(c, s->id) + m->sum_cost(c) +
                                                      has_waves(s) * passage_cost(c))
                              : 0.0;
    case CASE_ROUNDS:
        return n * round_cost(c, s);
    case CASE_FOLLOW:
        return n * (round_cost(c, s) + pairs_cost(c, s));
    case CASE_OBSERVE:
        return s->thing_count * m->sum_cost(c) + has_waves(s) * passage_cost(c);
    case CASE_PAIRS:
        return pairs_cost(c, s);
    case CASE_WEIGH:
        return 2.0 * m->sweep_cost(c, s->id) + weights_cost(c);
    case CASE_SAVE:
        return 3.0 * passage_cost(c) + m->placing_cost(c);
    case CASE_AWAY:
    case CASE_HOME:
        return passage_cost(c) + m->placing_cost(c);
    case CASE_HASH:
        return passage_cost(c);
    default:
        return 0.0;
    }
}

double case_cost(const random_case *c)
{
    const random_model *m = random_model_of(c->model);
    double cost = 2.0 * passage_cost(c) + m->placing_cost(c);

    for (int s = 0; s < c->step_count; s++)
        cost += step_cost(c, &c->steps[s]);
    return cost;
}
