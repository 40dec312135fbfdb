/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/numbers.h"

#define ALL(array) (sizeof(array) / sizeof((array)[0]))

const char *const draw_names[DRAW_KINDS] = {
    [DRAW_GENERAL] = "general",   [DRAW_LARGE] = "large",     [DRAW_PERSISTENT] = "persistent",
    [DRAW_RESIDENT] = "resident", [DRAW_COLOURS] = "colours", [DRAW_TILES] = "tiles",
};

/* How often a kind is drawn where all are wished for; the large ones cost most. */
static const int weights[DRAW_KINDS] = {
    [DRAW_GENERAL] = 30,  [DRAW_LARGE] = 7,    [DRAW_PERSISTENT] = 7,
    [DRAW_RESIDENT] = 22, [DRAW_COLOURS] = 19, [DRAW_TILES] = 15,
};

/* ---- dice */

int64_t draw_between(draw_dice *d, int64_t least, int64_t most)
{
    return least + (int64_t)(next_random(&d->state) % (uint64_t)(most - least + 1));
}

int draw_chance(draw_dice *d, double probability)
{
    return case_uniform(&d->state) < probability;
}

double draw_log(draw_dice *d, double least, double most)
{
    return least * pow(most / least, case_uniform(&d->state));
}

/* With few digits, so that the text of a case is short. */
static double rounded(double x)
{
    char text[40];

    snprintf(text, sizeof text, "%.4g", x);
    return strtod(text, NULL);
}

static double uniform(draw_dice *d, double least, double most)
{
    return rounded(least + (most - least) * case_uniform(&d->state));
}

static uint64_t small_seed(draw_dice *d)
{
    return draw_chance(d, 0.1) ? next_random(&d->state) : (uint64_t)draw_between(d, 0, 999);
}

/* ---- parameters */

static double some_beta(draw_dice *d)
{
    static const double critical[] = {0.44068679350977151, 0.2216544, 0.1496947};

    switch (draw_between(d, 0, 11)) {
    case 0:
        return 0.0;
    case 1:
        return rounded(draw_log(d, 1e-6, 0.05));
    case 2:
        return uniform(d, 1.0, 8.0);
    case 3:
        return rounded(draw_log(d, 8.0, 1e4));
    case 4:
    case 5:
        return -uniform(d, 0.05, 1.0);
    case 6:
    case 7:
        return rounded(critical[draw_between(d, 0, 2)] * uniform(d, 0.95, 1.05));
    default:
        return uniform(d, 0.05, 1.0);
    }
}

static double some_field(draw_dice *d)
{
    return draw_chance(d, 0.2) ? 0.0 : uniform(d, -1.5, 1.5);
}

static double some_mu2(draw_dice *d)
{
    return uniform(d, -4.0, 2.0);
}

static double some_g(draw_dice *d)
{
    return draw_chance(d, 0.02)  ? 0.0
           : draw_chance(d, 0.1) ? uniform(d, 50.0, 1000.0)
                                 : uniform(d, 0.1, 20.0);
}

static double some_inv_lambda(draw_dice *d)
{
    return draw_chance(d, 0.3) ? 0.0 : uniform(d, 0.01, 2.0);
}

static double some_epsilon(draw_dice *d)
{
    return rounded(draw_log(d, 0.05, 5.0));
}

static double some_hits(draw_dice *d)
{
    return draw_chance(d, 0.05) ? (double)draw_between(d, 9, 64) : (double)draw_between(d, 1, 8);
}

static double some_local_sweeps(draw_dice *d)
{
    return draw_chance(d, 0.03) ? (double)draw_between(d, 11, 255) : (double)draw_between(d, 1, 10);
}

static const struct drawn_param {
    int model, id;
    double chance; /* to be set at all */
    double (*some)(draw_dice *d);
} params[] = {
    {LATMC_ISING, LATMC_BETA, 0.95, some_beta},
    {LATMC_ISING, LATMC_FIELD, 0.5, some_field},
    {LATMC_PHI4, LATMC_MU2, 0.8, some_mu2},
    {LATMC_PHI4, LATMC_G, 0.8, some_g},
    {LATMC_PHI4, LATMC_INV_LAMBDA, 0.6, some_inv_lambda},
    {LATMC_PHI4, LATMC_FIELD, 0.3, some_field},
    {LATMC_PHI4, LATMC_EPSILON, 0.6, some_epsilon},
    {LATMC_PHI4, LATMC_HITS, 0.4, some_hits},
    {LATMC_PHI4, LATMC_LOCAL_SWEEPS, 0.4, some_local_sweeps},
};

/* One for all, a few that take turns (a prime number of them, so that neighbours in a word
 * differ), or, of those that need not be whole, as many as there are replicas. */
static case_values some_values(draw_dice *d, const struct drawn_param *p, int64_t replicas)
{
    static const int counts[] = {1, 1, 2, 3, 5, 7};
    case_values v = {.count = replicas == 1 ? 1 : counts[draw_between(d, 0, 5)]};

    for (int i = 0; i < v.count; i++)
        v.value[i] = p->some(d);
    v.ramp = v.count == 2 && p->id != LATMC_HITS && p->id != LATMC_LOCAL_SWEEPS;
    return v;
}

/* Lattices of the uniform rule have no field. */
static int is_plain_kind(draw_kind kind)
{
    return kind == DRAW_LARGE || kind == DRAW_PERSISTENT || kind == DRAW_RESIDENT;
}

/* Energies that overflow. */
static double extreme_mu2(draw_dice *d)
{
    return rounded(-draw_log(d, 1e3, 1e6));
}

static void set_params(draw_dice *d, draw_kind kind, random_case *c)
{
    const int extreme = draw_chance(d, 0.02);

    for (size_t i = 0; i < ALL(params); i++) {
        struct drawn_param p = params[i];
        if (p.id == LATMC_FIELD && is_plain_kind(kind))
            p.chance = 0.02;
        if (p.id == LATMC_MU2 && extreme)
            p.some = extreme_mu2;
        if (p.model == c->model && draw_chance(d, p.chance))
            c->params[c->param_count++] = (case_param){p.id, some_values(d, &p, c->replicas)};
    }
}

/* ---- what is fixed before the start */

static void set_boundaries(draw_dice *d, draw_kind kind, random_case *c)
{
    static const int all[] = {LATMC_PERIODIC, LATMC_ANTIPERIODIC, LATMC_OPEN};
    const int most = is_plain_kind(kind) ? 1 : 2; /* no bond may be missing */

    if (draw_chance(d, 0.5))
        return;
    for (int a = 0; a < c->dims; a++)
        c->boundaries[a] = all[draw_between(d, 0, most)];
}

static void set_couplings(draw_dice *d, draw_kind kind, random_case *c)
{
    static const int shares[] = {0, 0, 1, 10, 50, 100};
    const int uniform = is_plain_kind(kind);

    if (draw_chance(d, uniform ? 0.7 : 0.5))
        return;
    c->bonds = CASE_DRAWN;
    c->bond_seed = small_seed(d);
    if (case_sites(c) * c->dims > 1 << 18 || draw_chance(d, 0.5))
        return;
    c->bonds = CASE_GIVEN;
    c->missing = uniform ? 0 : shares[draw_between(d, 0, 5)];
    c->negative = shares[draw_between(d, 0, 5)];
}

static case_values some_axes(draw_dice *d, draw_kind kind, int dims)
{
    case_values v = {.count = dims};
    const int equal = is_plain_kind(kind) || draw_chance(d, 0.3);

    for (int a = 0; a < dims; a++) {
        v.value[a] = draw_chance(d, 0.15) ? 0.0 : uniform(d, -2.0, 2.0);
        if (equal && a > 0)
            v.value[a] = v.value[0];
    }
    return v;
}

static void set_ising(draw_dice *d, draw_kind kind, random_case *c)
{
    set_couplings(d, kind, c);
    if (draw_chance(d, 0.3))
        c->axes = some_axes(d, kind, c->dims);
}

static void set_start(draw_dice *d, random_case *c)
{
    const double of = case_uniform(&d->state);

    c->start = of < 0.7 ? LATMC_START_HOT : of < 0.9 ? LATMC_START_COLD : CASE_START_GIVEN;
    if (c->start == CASE_START_GIVEN)
        c->site_seed = small_seed(d);
}

static void set_settings(draw_dice *d, draw_kind kind, const draw_wish *wish, random_case *c)
{
    c->seed = draw_chance(d, 0.1) ? next_random(&d->state) : (uint64_t)draw_between(d, 0, 9999);
    set_boundaries(d, kind, c);
    set_params(d, kind, c);
    if (c->model == LATMC_ISING)
        set_ising(d, kind, c);
    else if (draw_chance(d, 0.4))
        c->precision = draw_chance(d, 0.7) ? LATMC_FLOAT64 : LATMC_FLOAT32;
    c->threads = (int)draw_between(d, 1, wish->threads);
    c->progress = draw_chance(d, 0.15);
    c->company = draw_chance(d, 0.1) ? (uint64_t)draw_between(d, 1, 999) : 0;
    set_start(d, c);
}

/* ---- steps */

static const int ising_observables[] = {
    LATMC_ENERGY, LATMC_ENERGY2, LATMC_ENERGY4,   LATMC_MAGNETIZATION, LATMC_ABS_MAGNETIZATION,
    LATMC_M2,     LATMC_M4,      LATMC_ACCEPTANCE};
static const int phi4_observables[] = {LATMC_ENERGY,
                                       LATMC_ENERGY_GRADIENT,
                                       LATMC_ENERGY_POTENTIAL,
                                       LATMC_ENERGY_CUTOFF,
                                       LATMC_PHI,
                                       LATMC_ABS_PHI,
                                       LATMC_PHI_SQUARED,
                                       LATMC_PHI_FOURTH,
                                       LATMC_M2,
                                       LATMC_M4,
                                       LATMC_STRUCTURE_0,
                                       LATMC_STRUCTURE_1,
                                       LATMC_STRUCTURE_2,
                                       LATMC_STRUCTURE_3,
                                       LATMC_ACCEPTANCE,
                                       LATMC_ENERGY2,
                                       LATMC_ENERGY4};

static void set_things(draw_dice *d, const random_case *c, case_step *s)
{
    const int *all = c->model == LATMC_ISING ? ising_observables : phi4_observables;
    const int64_t count =
        c->model == LATMC_ISING ? (int64_t)ALL(ising_observables) : (int64_t)ALL(phi4_observables);

    s->thing_count = (int)draw_between(d, 1, 4);
    for (int i = 0; i < s->thing_count; i++)
        s->things[i] = all[draw_between(d, 0, count - 1)];
}

static int some_update(draw_dice *d, draw_kind kind)
{
    if (is_plain_kind(kind))
        return draw_chance(d, 0.95) ? LATMC_METROPOLIS : LATMC_HEATBATH;
    if (kind == DRAW_GENERAL)
        return draw_chance(d, 0.5) ? LATMC_METROPOLIS : LATMC_HEATBATH;
    if (draw_chance(d, 0.2))
        return LATMC_OVERRELAX;
    return draw_chance(d, 0.9) == (kind == DRAW_TILES) ? LATMC_BLOCK_METROPOLIS : LATMC_METROPOLIS;
}

/* `sweeps` of them, alone or with measurements between. */
static case_step some_sweeps(draw_dice *d, draw_kind kind, const random_case *c, int64_t sweeps)
{
    case_step s = {.verb = CASE_SWEEP, .id = some_update(d, kind), .number = sweeps};

    if (draw_chance(d, 0.5)) {
        s.verb = CASE_RECORD;
        set_things(d, c, &s);
        s.number = llround(draw_log(d, 1.0, (double)sweeps));
        s.records = sweeps / s.number;
        while (s.records * c->replicas * s.thing_count > 1 << 19)
            s.records /= 2;
    }
    if (s.id != LATMC_OVERRELAX && c->model == LATMC_PHI4 && draw_chance(d, 0.1))
        return (case_step){.verb = CASE_TUNE,
                           .id = s.id,
                           .number = sweeps < 30 ? sweeps : 30,
                           .values = {1, 0, {uniform(d, 0.05, 0.95)}}};
    return s;
}

/* Calls that one model or both must refuse, or that the other takes. */
static const char *const refused[] = {
    "sweep:799:3",
    "sweep:metropolis:-1",
    "sweep:metropolis:1099511627776",
    "sweep:heatbath:2",
    "sweep:block_metropolis:1",
    "sweep:overrelax:1",
    "record:metropolis:0x3:energy",
    "record:metropolis:2x0:energy",
    "record:metropolis:1x2:2999",
    "record:heatbath:1x2:m2",
    "observe:2999",
    "observe:phi",
    "observe:magnetization",
    "tune:metropolis:2:0.01",
    "tune:metropolis:-1:0.5",
    "tune:metropolis:1:0.5",
    "tune:overrelax:3:0.5",
    "set:1999:1",
    "set:beta:nan",
    "set:beta:0.3,inf",
    "set:field:1e31",
    "set:hits:65",
    "set:hits:1.5",
    "set:epsilon:0",
    "set:g:-0.5",
    "set:inv_lambda:-1",
    "set:mu2:2e6",
    "axes:nan",
    "axes:1e31",
    "start:499",
    "get:-1",
    "sites:65536:1",
    "threads:-1",
    "threads:4097",
    "replicas:3",
    "nowhere",
};

static case_step parsed(const char *text)
{
    case_step s = {0};

    case_parse_step(text, &s);
    return s;
}

static case_step other_set(draw_dice *d, const random_case *c)
{
    const struct drawn_param *p;

    do
        p = &params[draw_between(d, 0, (int64_t)ALL(params) - 1)];
    while (p->model != c->model);
    return (case_step){.verb = CASE_SET, .id = p->id, .values = some_values(d, p, c->replicas)};
}

/* A step that is no sweep. */
static case_step some_other(draw_dice *d, draw_kind kind, const draw_wish *wish,
                            const random_case *c)
{
    static const case_verb verbs[] = {
        CASE_OBSERVE, CASE_OBSERVE, CASE_SET,   CASE_SET,   CASE_SET,     CASE_AXES,
        CASE_SAVE,    CASE_SAVE,    CASE_SITES, CASE_GET,   CASE_HASH,    CASE_AWAY,
        CASE_AWAY,    CASE_HOME,    CASE_HOME,  CASE_START, CASE_THREADS, CASE_PROGRESS};
    case_step s = {.verb = verbs[draw_between(d, 0, (int64_t)ALL(verbs) - 1)]};

    if (draw_chance(d, 0.2))
        return parsed(refused[draw_between(d, 0, (int64_t)ALL(refused) - 1)]);
    if (s.verb == CASE_SET && !(is_plain_kind(kind) && draw_chance(d, 0.8)))
        return other_set(d, c);
    if (s.verb == CASE_SET) /* which keeps to the uniform rule */
        return (case_step){
            .verb = CASE_SET, .id = LATMC_BETA, .values = some_values(d, &params[0], c->replicas)};
    if (s.verb == CASE_OBSERVE)
        set_things(d, c, &s);
    if (s.verb == CASE_AXES)
        s.values = some_axes(d, kind, c->dims);
    s.id = draw_chance(d, 0.5) ? LATMC_START_HOT : LATMC_START_COLD;
    s.seed = small_seed(d);
    s.number = s.verb == CASE_THREADS    ? draw_between(d, 1, wish->threads)
               : s.verb == CASE_PROGRESS ? draw_between(d, 0, 1)
                                         : draw_between(d, 0, c->replicas - 1);
    return s;
}

/* Sweeps of all steps together: those that fit the cost, and batches of them where a kernel works
 * in batches. */
static double some_total(draw_dice *d, draw_kind kind, const random_case *c, double cost)
{
    static const double most[DRAW_KINDS] = {
        [DRAW_GENERAL] = 400.0,   [DRAW_LARGE] = 40.0,    [DRAW_PERSISTENT] = 40.0,
        [DRAW_RESIDENT] = 2000.0, [DRAW_COLOURS] = 200.0, [DRAW_TILES] = 40.0,
    };
    random_case one = *c;
    double sweep;

    one.steps[0] = (case_step){.verb = CASE_SWEEP,
                               .id = kind == DRAW_TILES ? LATMC_BLOCK_METROPOLIS : LATMC_METROPOLIS,
                               .number = 1};
    one.step_count = 1;
    sweep = case_cost(&one);
    one.step_count = 0;
    sweep -= case_cost(&one);
    const double wish = kind == DRAW_RESIDENT ? (double)draw_batch(c, kind) * draw_log(d, 0.2, 8.0)
                                              : draw_log(d, 1.0, most[kind]);
    return fmax(1.0, fmin(fmin(wish, most[kind]), 0.7 * cost / sweep));
}

static void add_steps(draw_dice *d, draw_kind kind, const draw_wish *wish, double cost,
                      random_case *c)
{
    const int count = (int)draw_between(d, 1, 8);
    double left = some_total(d, kind, c, cost);

    while (c->step_count < count) {
        case_step *s = &c->steps[c->step_count++];
        if (c->step_count < count && draw_chance(d, 0.5)) {
            *s = some_other(d, kind, wish, c);
            continue;
        }
        const double most = kind == DRAW_RESIDENT && draw_chance(d, 0.5) ? 1.2 : 8.0;
        const double share = c->step_count == count ? left : draw_log(d, left / most, left);
        *s = some_sweeps(d, kind, c, share < 1.0 ? 1 : llround(share));
        left = fmax(left - share, 1.0);
    }
    c->steps[c->step_count] = (case_step){.verb = CASE_OBSERVE};
    set_things(d, c, &c->steps[c->step_count++]);
}

/* The step with the most sweeps of those that could do with fewer, or NULL. */
static case_step *longest(random_case *c)
{
    case_step *most = NULL;
    int64_t sweeps = 0;

    for (int i = 0; i < c->step_count; i++) {
        case_step *s = &c->steps[i];
        const int64_t records = s->verb == CASE_RECORD ? s->records : 1;
        if ((s->verb == CASE_SWEEP || s->verb == CASE_TUNE || s->verb == CASE_RECORD) &&
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
    c->bonds = CASE_UNIFORM;
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

static int repeats(int id)
{
    return id == LATMC_HITS || id == LATMC_LOCAL_SWEEPS;
}

static int with_fewer_proposals(random_case *c)
{
    int yes = 0;

    for (int i = 0; i < c->param_count; i++)
        yes |= repeats(c->params[i].id) && halve(&c->params[i].values);
    for (int i = 0; i < c->step_count; i++)
        yes |=
            c->steps[i].verb == CASE_SET && repeats(c->steps[i].id) && halve(&c->steps[i].values);
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

/* Until it costs no more than it may. */
static void make_cheaper(double cost, random_case *c)
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
    if (case_cost(c) > cost && c->model == LATMC_ISING)
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
        c->replicas = draw_chance(d, 0.5) ? 0 : 65537;
        break;
    case 3:
        c->first = draw_chance(d, 0.5) ? -1 : 65536;
        break;
    case 4:
        c->precision = c->model == LATMC_ISING ? LATMC_FLOAT32 : LATMC_INT8;
        break;
    case 5:
        c->axes = (case_values){1, 0, {1e31}};
        break;
    default:
        c->start = CASE_START_NONE;
        c->steps[c->step_count - 1] = (case_step){.verb = CASE_START, .id = LATMC_START_HOT};
    }
}

static draw_kind some_kind(draw_dice *d, unsigned kinds)
{
    int total = 0;

    for (int k = 0; k < DRAW_KINDS; k++)
        total += !kinds || kinds >> k & 1u ? weights[k] : 0;
    int64_t at = draw_between(d, 0, total - 1);
    for (int k = 0;; k++) {
        at -= !kinds || kinds >> k & 1u ? weights[k] : 0;
        if (at < 0)
            return (draw_kind)k;
    }
}

random_case draw_case(uint64_t number, const draw_wish *wish)
{
    /* From the cheapest case to the dearest: where there is something to see only in large
     * lattices, or after many sweeps, few are cheap. */
    static const double spans[DRAW_KINDS] = {
        [DRAW_GENERAL] = 3000.0, [DRAW_LARGE] = 300.0,    [DRAW_PERSISTENT] = 100.0,
        [DRAW_RESIDENT] = 100.0, [DRAW_COLOURS] = 3000.0, [DRAW_TILES] = 3000.0,
    };
    draw_dice d = {number};

    d.state = next_random(&d.state); /* or neighbours would follow each other */
    const draw_kind kind = some_kind(&d, wish->kinds);
    const double cost = draw_log(&d, wish->cost / spans[kind], wish->cost);
    random_case c = draw_shape(&d, kind, cost);
    set_settings(&d, kind, wish, &c);
    add_steps(&d, kind, wish, cost, &c);
    make_cheaper(wish->cost, &c);
    if (draw_chance(&d, 0.02))
        spoil(&d, &c);
    return c;
}
