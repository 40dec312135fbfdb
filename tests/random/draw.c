/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/draw.h"

#include <math.h>
#include <string.h>

#include "tests/numbers.h"
#include "tests/random/draw_steps.h"

const char *const draw_names[DRAW_KINDS] = {
    [DRAW_GENERAL] = "general",   [DRAW_LARGE] = "large",       [DRAW_PERSISTENT] = "persistent",
    [DRAW_RESIDENT] = "resident", [DRAW_COLOURS] = "colours",   [DRAW_TILES] = "tiles",
    [DRAW_VECTORS] = "vectors",   [DRAW_SPINS] = "spins",       [DRAW_ALONE] = "alone",
    [DRAW_POTTS] = "potts",       [DRAW_CAPEL] = "blume-capel", [DRAW_GENERATION] = "generation",
    [DRAW_NATURAL] = "natural",   [DRAW_CLOCK] = "clock",
};

/* How often a kind is drawn where all are wished for; the large ones cost most. Those behind them
 * have dice of their own: is_of(). */
static const int weights[DRAW_KINDS] = {
    [DRAW_GENERAL] = 30,  [DRAW_LARGE] = 7,    [DRAW_PERSISTENT] = 7,
    [DRAW_RESIDENT] = 22, [DRAW_COLOURS] = 19, [DRAW_TILES] = 15,
};

/* ---- parameters */

/* One for all, a few that take turns (a prime number of them, so that neighbours in a word
 * differ), or, of those that need not be whole, as many as there are replicas. */
case_values draw_values(draw_dice *d, const random_param *p, int64_t replicas)
{
    static const int counts[] = {1, 1, 2, 3, 5, 7};
    case_values v = {.count = replicas == 1 ? 1 : counts[draw_between(d, 0, 5)]};

    for (int i = 0; i < v.count; i++)
        v.value[i] = p->some(d);
    v.ramp = v.count == 2 && !p->whole;
    return v;
}

/* Lattices of the uniform rule have no field. */
int draw_is_plain(draw_kind kind)
{
    return kind == DRAW_LARGE || kind == DRAW_PERSISTENT || kind == DRAW_RESIDENT ||
           kind == DRAW_NATURAL;
}

static void set_params(draw_dice *d, draw_kind kind, random_case *c)
{
    const random_model *m = random_model_of(c->model);
    const int extreme = draw_chance(d, 0.02);

    for (int i = 0; i < m->param_count; i++) {
        random_param p = m->params[i];
        if (p.id == LATMC_FIELD && draw_is_plain(kind))
            p.chance = 0.02;
        if (p.extreme && extreme)
            p.some = p.extreme;
        if (draw_chance(d, p.chance))
            c->params[c->param_count++] = (case_param){p.id, draw_values(d, &p, c->replicas)};
    }
}

/* ---- what is fixed before the start */

static void set_boundaries(draw_dice *d, draw_kind kind, random_case *c)
{
    static const int all[] = {LATMC_PERIODIC, LATMC_ANTIPERIODIC, LATMC_OPEN};
    const int most = draw_is_plain(kind) ? 1 : 2; /* no bond may be missing */

    if (draw_chance(d, 0.5))
        return;
    for (int a = 0; a < c->dims; a++)
        c->boundaries[a] = all[draw_between(d, 0, most)];
}

static void set_start(draw_dice *d, random_case *c)
{
    const double of = case_uniform(&d->state);

    c->start = of < 0.7 ? LATMC_START_HOT : of < 0.9 ? LATMC_START_COLD : CASE_START_GIVEN;
    if (c->start == CASE_START_GIVEN)
        c->site_seed = draw_seed(d);
}

static void set_settings(draw_dice *d, draw_kind kind, const draw_wish *wish, random_case *c)
{
    c->seed = draw_chance(d, 0.1) ? next_random(&d->state) : (uint64_t)draw_between(d, 0, 9999);
    set_boundaries(d, kind, c);
    set_params(d, kind, c);
    if (random_model_of(c->model)->settings)
        random_model_of(c->model)->settings(d, draw_is_plain(kind), c);
    c->threads = (int)draw_between(d, 1, wish->threads);
    c->progress = draw_chance(d, 0.15);
    c->company = draw_chance(d, 0.1) ? (uint64_t)draw_between(d, 1, 999) : 0;
    set_start(d, c);
}

/* Settings that make the whole lattice impossible, or the start come late. */
static void spoil(draw_dice *d, random_case *c)
{
    switch (draw_between(d, 0, 6)) {
    case 0:
        c->extents[draw_between(d, 0, c->dims - 1)] = draw_between(d, -1, 1);
        break;
    case 1:
        c->boundaries[draw_between(d, 0, c->dims - 1)] = 399;
        break;
    case 2:
        c->replicas = draw_chance(d, 0.5) ? 0 : ((int64_t)1 << 22) + 1;
        break;
    case 3:
        c->first = draw_chance(d, 0.5) ? -1 : ((int64_t)1 << 32);
        break;
    case 4:
        c->options[0] = (case_option){draw_chance(d, 0.5) ? LATMC_PRECISION : 3999, 33};
        c->option_count = 1;
        break;
    case 5:
        c->axes = (case_values){1, 0, {1e31}};
        break;
    default:
        c->start = CASE_START_NONE;
        c->steps[c->step_count - 1] = (case_step){.verb = CASE_START, .id = LATMC_START_HOT};
    }
}

/* How many replicas, or samples, an ensemble of such lattices can have. */
static int64_t ensemble_of(const random_case *c)
{
    return (int64_t)1 << (case_sites(c) <= (int64_t)1 << 32 ? 32 : 24);
}

/* Somewhere in an ensemble: where a group of a power of two of them begins anew, or at the end. */
static int64_t far_in(draw_dice *d, int64_t ensemble, int64_t count)
{
    const int64_t end = (int64_t)1 << draw_between(d, 16, 32);
    const int64_t first = end - draw_between(d, 0, count);

    return first > ensemble - count ? ensemble - count : first;
}

static void go_far(uint64_t number, random_case *c)
{
    draw_dice own = {number + ((uint64_t)1 << 53)};

    own.state = next_random(&own.state);
    if (!draw_chance(&own, 0.25))
        return;
    c->first = far_in(&own, ensemble_of(c), c->replicas);
    if (c->first_sample)
        c->first_sample = far_in(&own, ensemble_of(c), c->samples);
}

/* Samples of bonds and fields, by dice of their own as their shares: some divisor of the replicas,
 * if that does not cost too much, nor too much memory where they are given. */
static void set_samples(double cost, random_case *c)
{
    const int64_t most = (int64_t)1 << 20;
    draw_dice own = {c->bonds.seed + c->fields.seed + 2};
    random_case with = *c;

    own.state = next_random(&own.state);
    with.samples = draw_between(&own, 1, c->replicas);
    with.first_sample = draw_chance(&own, 0.5) ? 0 : draw_between(&own, 0, 65536 - with.samples);
    if (draw_chance(&own, 0.5))
        return;
    while (c->replicas % with.samples)
        with.samples--;
    if (case_cost(&with) <= cost && with.samples * with.dims * case_sites(&with) <= most)
        *c = with;
}

/* ---- more to measure, by dice of its own, so that all else of a case stays */

static int any_of(draw_dice *d, latmc_kind kind, const random_case *c)
{
    latmc_description info = LATMC_INIT(latmc_description);
    int64_t count = 0;

    if (draw_chance(d, 0.01) || latmc_count(kind, (latmc_model)c->model, &count) || !count ||
        latmc_describe(kind, (latmc_model)c->model, draw_between(d, 0, count - 1), &info))
        return 2999;
    return info.index == LATMC_INDEX_NONE ? info.id
                                          : CASE_THING(info.id, (int)draw_between(d, 0, 3));
}

/* Any observable that the model has, beside the others of a step. */
static void widen(draw_dice *d, int step, double cost, random_case *c)
{
    random_case with = *c;
    case_step *s = &with.steps[step];

    if ((s->verb != CASE_OBSERVE && s->verb != CASE_RECORD) || s->thing_count == CASE_THINGS ||
        draw_chance(d, 0.4))
        return;
    s->things[s->thing_count++] = any_of(d, LATMC_OBSERVABLES, c);
    if (case_cost(&with) <= cost)
        *c = with;
}

/* Behind some step. */
static void insert_pairs(draw_dice *d, double cost, random_case *c)
{
    random_case with = *c;
    const int at = (int)draw_between(d, 1, c->step_count);
    case_step s = {.verb = CASE_PAIRS, .seed = draw_seed(d)};

    s.thing_count = (int)draw_between(d, 1, 4);
    for (int i = 0; i < s.thing_count; i++)
        s.things[i] = any_of(d, LATMC_PAIR_OBSERVABLES, c);
    if (c->step_count == CASE_STEPS)
        return;
    memmove(with.steps + at + 1, with.steps + at,
            (size_t)(c->step_count - at) * sizeof *with.steps);
    with.steps[at] = s;
    with.step_count++;
    if (case_cost(&with) <= cost)
        *c = with;
}

/* Rounds with pairs after each. */
static void follow_pairs(uint64_t number, double cost, random_case *c)
{
    draw_dice own = {number + ((uint64_t)1 << 56)};

    own.state = next_random(&own.state);
    for (int i = 0; i < c->step_count; i++) {
        random_case with = *c;
        case_step *s = &with.steps[i];

        if (s->verb != CASE_ROUNDS || draw_chance(&own, 0.4))
            continue;
        s->verb = CASE_FOLLOW;
        s->thing_count = (int)draw_between(&own, 1, 3);
        for (int k = 0; k < s->thing_count; k++)
            s->things[k] = any_of(&own, LATMC_PAIR_OBSERVABLES, c);
        while (s->number > 1 && case_cost(&with) > cost)
            s->number /= 2;
        if (case_cost(&with) <= cost)
            *c = with;
    }
}

/* Returns the update of the first step that sweeps, or Metropolis. */
static int first_update(const random_case *c)
{
    for (int i = 0; i < c->step_count; i++)
        if (c->steps[i].verb == CASE_SWEEP || c->steps[i].verb == CASE_RECORD)
            return c->steps[i].id;
    return LATMC_METROPOLIS;
}

/* Weights behind some step, with the update of the first sweeps. */
static void insert_weights(uint64_t number, double cost, random_case *c)
{
    draw_dice own = {number + ((uint64_t)1 << 54)};
    random_case with = *c;
    int at;

    own.state = next_random(&own.state);
    if (draw_chance(&own, 0.7) || c->step_count == CASE_STEPS)
        return;
    at = (int)draw_between(&own, 1, c->step_count);
    memmove(with.steps + at + 1, with.steps + at,
            (size_t)(c->step_count - at) * sizeof *with.steps);
    with.steps[at] =
        (case_step){.verb = CASE_WEIGH, .id = first_update(c), .seed = draw_seed(&own)};
    with.step_count++;
    if (case_cost(&with) <= cost)
        *c = with;
}

static void measure_more(uint64_t number, double cost, random_case *c)
{
    draw_dice own = {number + ((uint64_t)1 << 59)};

    own.state = next_random(&own.state);
    for (int i = 0; i < c->step_count; i++)
        widen(&own, i, cost, c);
    for (int k = 0; k < 2; k++)
        if (draw_chance(&own, 0.5))
            insert_pairs(&own, cost, c);
}

/* A lattice of this kind, which is never started; NULL if it is refused. */
static latmc_lattice *kind_of(const random_case *c)
{
    static const int64_t extents[LATMC_MAX_DIMS] = {4, 4, 4, 4};
    latmc_lattice *lattice = NULL;
    latmc_status status = latmc_create(&lattice, (latmc_model)c->model, c->dims, extents);

    for (int i = 0; i < c->option_count && !status; i++)
        status = latmc_set_option(lattice, (latmc_option)c->options[i].id, c->options[i].value);
    if (!status)
        return lattice;
    latmc_destroy(lattice);
    return NULL;
}

/* Turns quantities that such lattices do not have into others that they have, or else calls would
 * only be refused. */
static void fit_things(const latmc_lattice *lattice, case_step *s)
{
    for (int i = 0; i < s->thing_count; i++) {
        const latmc_quantity q = case_quantity(s->things[i]);
        int64_t sizes[2];

        if (latmc_quantity_sizes(lattice, (latmc_observable)q.observable, sizes))
            continue; /* the model has no such observable, which is to be refused */
        s->things[i] = sizes[0] ? CASE_THING(q.observable, (int)(q.index % sizes[0]))
                       : s->verb == CASE_OBSERVE || s->verb == CASE_RECORD ? LATMC_ENERGY
                                                                           : LATMC_OVERLAP;
    }
}

static void fit_all_things(random_case *c)
{
    latmc_lattice *lattice = kind_of(c);

    for (int i = 0; i < c->step_count && lattice; i++)
        fit_things(lattice, &c->steps[i]);
    latmc_destroy(lattice);
}

/* Those that have no weight, since is_of() draws them, have one where they are wished for. */
static int weight_of(int kind, unsigned kinds)
{
    if (!kinds)
        return weights[kind];
    return !(kinds >> kind & 1u) ? 0 : weights[kind] ? weights[kind] : 15;
}

static draw_kind some_kind(draw_dice *d, unsigned kinds)
{
    int total = 0;

    for (int k = 0; k < DRAW_KINDS; k++)
        total += weight_of(k, kinds);
    int64_t at = draw_between(d, 0, total - 1);
    for (int k = 0;; k++) {
        at -= weight_of(k, kinds);
        if (at < 0)
            return (draw_kind)k;
    }
}

/* By dice of the number's own, so that the numbers of the other cases stay those of the same cases.
 */
static int is_of(draw_kind kind, uint64_t number, const draw_wish *wish)
{
    static const struct {
        int bit;
        double chance;
    } dice[DRAW_KINDS] = {
        [DRAW_VECTORS] = {62, 0.2},  [DRAW_SPINS] = {61, 0.15},      [DRAW_ALONE] = {60, 0.1},
        [DRAW_POTTS] = {59, 0.12},   [DRAW_GENERATION] = {58, 0.08}, [DRAW_CAPEL] = {57, 0.08},
        [DRAW_NATURAL] = {56, 0.06}, [DRAW_CLOCK] = {55, 0.08},
    };
    draw_dice own = {number + ((uint64_t)1 << dice[kind].bit)};

    if (wish->kinds)
        return wish->kinds == 1u << kind;
    own.state = next_random(&own.state);
    return draw_chance(&own, dice[kind].chance);
}

random_case draw_case(uint64_t number, const draw_wish *wish)
{
    /* From the cheapest case to the dearest: where there is something to see only in large
     * lattices, or after many sweeps, few are cheap. */
    static const double spans[DRAW_KINDS] = {
        [DRAW_GENERAL] = 3000.0, [DRAW_LARGE] = 300.0,       [DRAW_PERSISTENT] = 100.0,
        [DRAW_RESIDENT] = 100.0, [DRAW_COLOURS] = 3000.0,    [DRAW_TILES] = 3000.0,
        [DRAW_VECTORS] = 3000.0, [DRAW_SPINS] = 3000.0,      [DRAW_ALONE] = 300.0,
        [DRAW_POTTS] = 3000.0,   [DRAW_GENERATION] = 3000.0, [DRAW_CAPEL] = 3000.0,
        [DRAW_NATURAL] = 300.0,  [DRAW_CLOCK] = 3000.0,
    };
    draw_dice d = {number};

    d.state = next_random(&d.state); /* or neighbours would follow each other */
    const draw_kind kind = is_of(DRAW_POTTS, number, wish)        ? DRAW_POTTS
                           : is_of(DRAW_GENERATION, number, wish) ? DRAW_GENERATION
                           : is_of(DRAW_CAPEL, number, wish)      ? DRAW_CAPEL
                           : is_of(DRAW_SPINS, number, wish)      ? DRAW_SPINS
                           : is_of(DRAW_VECTORS, number, wish)    ? DRAW_VECTORS
                           : is_of(DRAW_ALONE, number, wish)      ? DRAW_ALONE
                           : is_of(DRAW_NATURAL, number, wish)    ? DRAW_NATURAL
                           : is_of(DRAW_CLOCK, number, wish)      ? DRAW_CLOCK
                                                                  : some_kind(&d, wish->kinds);
    const double cost = draw_log(&d, wish->cost / spans[kind], wish->cost);
    random_case c = draw_shape(&d, kind, cost);
    set_settings(&d, kind, wish, &c);
    if (kind == DRAW_SPINS)
        random_spins(&d, &c);
    draw_steps(&d, kind, wish, cost, &c);
    draw_cheaper(wish->cost, &c);
    if (random_model_of(c.model)->options)
        random_model_of(c.model)->options(&d, &c);
    if (c.bonds.from != CASE_UNIFORM || c.fields.from != CASE_UNIFORM)
        set_samples(wish->cost, &c);
    go_far(number, &c);
    if (draw_chance(&d, 0.02))
        spoil(&d, &c);
    measure_more(number, wish->cost, &c);
    follow_pairs(number, wish->cost, &c);
    insert_weights(number, wish->cost, &c);
    fit_all_things(&c);
    return c;
}
