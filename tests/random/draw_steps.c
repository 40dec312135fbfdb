/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/draw_steps.h"

#include <math.h>

#define ALL(array) (sizeof(array) / sizeof((array)[0]))

static void set_things(draw_dice *d, const random_case *c, case_step *s)
{
    const random_model *m = random_model_of(c->model);

    s->thing_count = (int)draw_between(d, 1, 4);
    for (int i = 0; i < s->thing_count; i++)
        s->things[i] = m->observables[draw_between(d, 0, m->observable_count - 1)];
}

static int some_update(draw_dice *d, draw_kind kind)
{
    if (kind == DRAW_GENERATION)
        return draw_chance(d, 0.98) ? LATMC_SYNCHRONOUS : LATMC_METROPOLIS;
    if (kind == DRAW_VECTORS)
        return draw_chance(d, 0.4)    ? LATMC_METROPOLIS
               : draw_chance(d, 0.5)  ? LATMC_HEATBATH
               : draw_chance(d, 0.95) ? LATMC_OVERRELAX
                                      : LATMC_BLOCK_METROPOLIS;
    if (draw_is_plain(kind))
        return draw_chance(d, 0.95) ? LATMC_METROPOLIS : LATMC_HEATBATH;
    if (kind == DRAW_POTTS && draw_chance(d, 0.3))
        return LATMC_METROPOLIS_OTHER;
    if (kind == DRAW_POTTS || kind == DRAW_CLOCK || kind == DRAW_CAPEL || kind == DRAW_GENERAL ||
        kind == DRAW_SPINS || kind == DRAW_ALONE)
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
    if (random_tunes(c, s.id) && draw_chance(d, 0.1))
        return (case_step){.verb = CASE_TUNE,
                           .id = s.id,
                           .number = sweeps < 30 ? sweeps : 30,
                           .values = {1, 0, {draw_uniform(d, 0.05, 0.95)}}};
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

static case_step some_refused(draw_dice *d, const random_model *m)
{
    if (m->refused)
        return parsed(m->refused[draw_between(d, 0, m->refused_count - 1)]);
    return parsed(refused[draw_between(d, 0, (int64_t)ALL(refused) - 1)]);
}

static case_step other_set(draw_dice *d, const random_case *c)
{
    const random_model *m = random_model_of(c->model);
    const random_param *p;
    int64_t i;

    do
        i = draw_between(d, 0, m->among - 1) - m->first;
    while (i < 0 || i >= m->param_count);
    p = &m->params[i];
    return (case_step){.verb = CASE_SET, .id = p->id, .values = draw_values(d, p, c->replicas)};
}

/* A step that is no sweep. */
static case_step some_other(draw_dice *d, draw_kind kind, const draw_wish *wish,
                            const random_case *c)
{
    static const case_verb verbs[] = {
        CASE_OBSERVE, CASE_OBSERVE, CASE_SET,     CASE_SET,      CASE_SET,  CASE_AXES, CASE_SAVE,
        CASE_SAVE,    CASE_SITES,   CASE_GET,     CASE_HASH,     CASE_AWAY, CASE_AWAY, CASE_HOME,
        CASE_HOME,    CASE_START,   CASE_THREADS, CASE_PROGRESS, CASE_SLOTS};
    case_step s = {.verb = verbs[draw_between(d, 0, (int64_t)ALL(verbs) - 1)]};

    if (draw_chance(d, 0.2))
        return some_refused(d, random_model_of(c->model));
    if (s.verb == CASE_SET && !(draw_is_plain(kind) && draw_chance(d, 0.8)))
        return other_set(d, c);
    if (s.verb == CASE_SET) /* which keeps to the uniform rule */
        return (case_step){.verb = CASE_SET,
                           .id = LATMC_BETA,
                           .values =
                               draw_values(d, random_model_of(LATMC_ISING)->params, c->replicas)};
    if (s.verb == CASE_OBSERVE)
        set_things(d, c, &s);
    if (s.verb == CASE_AXES)
        s.values = random_axes(d, draw_is_plain(kind), c->dims);
    s.id = draw_chance(d, 0.5) ? LATMC_START_HOT : LATMC_START_COLD;
    s.seed = draw_seed(d);
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
        [DRAW_GENERAL] = 400.0,   [DRAW_LARGE] = 40.0,       [DRAW_PERSISTENT] = 40.0,
        [DRAW_RESIDENT] = 2000.0, [DRAW_COLOURS] = 200.0,    [DRAW_TILES] = 40.0,
        [DRAW_VECTORS] = 200.0,   [DRAW_SPINS] = 200.0,      [DRAW_ALONE] = 400.0,
        [DRAW_POTTS] = 200.0,     [DRAW_GENERATION] = 400.0, [DRAW_CAPEL] = 200.0,
        [DRAW_NATURAL] = 100.0,   [DRAW_CLOCK] = 200.0,
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

/* About as many sweeps, in rounds. */
static case_step as_rounds(draw_dice *d, const case_step *s)
{
    case_step rounds = {.verb = CASE_ROUNDS, .id = s->id, .seed = draw_seed(d)};
    const case_rounds r = case_rounds_of(rounds.seed);

    rounds.number = s->number / (r.sweeps[0] + r.sweeps[1]) + 1;
    return rounds;
}

void draw_steps(draw_dice *d, draw_kind kind, const draw_wish *wish, double cost, random_case *c)
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
        if (s->verb == CASE_SWEEP && draw_chance(d, 0.2))
            *s = as_rounds(d, s);
        left = fmax(left - share, 1.0);
    }
    c->steps[c->step_count] = (case_step){.verb = CASE_OBSERVE};
    set_things(d, c, &c->steps[c->step_count++]);
}
