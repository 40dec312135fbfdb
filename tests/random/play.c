/* SPDX-License-Identifier: BSD-3-Clause */
/* A case is played by both sides: what comes before its steps, and all that can be asked behind
 * them. */
#include "tests/random/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/random/company.h"
#include "tests/random/given.h"
#include "tests/random/names.h"
#include "tests/random/player.h"

static const case_step no_step = {.verb = CASE_HASH};

/* ---- before the steps */

typedef latmc_status draw_call(latmc_lattice *, latmc_distribution, uint64_t, int64_t,
                               const latmc_argument *, const double *);
typedef latmc_status give_call(latmc_lattice *, const double *);

/* Couplings of bonds, or fields of sites: drawn, or `count` that are given. */
static int set_numbers(player *p, const case_numbers *n, int64_t count, draw_call *draw,
                       give_call *give)
{
    static const latmc_argument signs[] = {LATMC_DRAW_MISSING, LATMC_DRAW_PLUS};
    static const latmc_argument normal[] = {LATMC_DRAW_MISSING, LATMC_DRAW_MEAN, LATMC_DRAW_WIDTH};
    const double shares[] = {n->missing / 100.0, n->plus / 100.0};
    const double gaussian[] = {n->missing / 100.0, n->mean, n->width};
    double *numbers;
    int same;

    if (n->from == CASE_UNIFORM)
        return 1;
    if (n->from == CASE_DRAWN)
        return player_said(p, draw(p->lattice, LATMC_PLUS_MINUS_ONE, n->seed, 2, signs, shares));
    if (n->from == CASE_GAUSSIAN)
        return player_said(p, draw(p->lattice, LATMC_GAUSSIAN, n->seed, 3, normal, gaussian));
    numbers = given_numbers(n, count);
    same = player_said(p, give(p->lattice, numbers));
    free(numbers);
    return same;
}

static int set_disorder(player *p)
{
    const random_case *c = p->c;
    const int64_t each = c->samples * p->sites;

    if ((c->samples != 1 || c->first_sample) &&
        !player_said(p, latmc_set_samples(p->lattice, c->samples, c->first_sample)))
        return 0;
    return set_numbers(p, &c->bonds, each * c->dims, latmc_draw_bond_couplings,
                       latmc_set_bond_couplings) &&
           set_numbers(p, &c->fields, each, latmc_draw_site_fields, latmc_set_site_fields);
}

/* Up to the first that is refused. */
static latmc_status set_options(latmc_lattice *lattice, const random_case *c)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < c->option_count && !status; i++)
        status = latmc_set_option(lattice, (latmc_option)c->options[i].id, c->options[i].value);
    return status;
}

static int set_shape(player *p)
{
    const random_case *c = p->c;
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    latmc_lattice_info info = LATMC_INIT(latmc_lattice_info);

    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        boundaries[a] = (latmc_boundary)c->boundaries[a];
    if (!player_said(p, latmc_set_boundaries(p->lattice, boundaries)) ||
        !player_said(p, latmc_set_replicas(p->lattice, c->replicas)) ||
        !player_said(p, latmc_set_first_replica(p->lattice, c->first)) ||
        !player_said(p, latmc_set_seed(p->lattice, c->seed)))
        return 0;
    if (c->option_count && !player_said(p, set_options(p->lattice, c)))
        return 0;
    if (!player_said(p, latmc_get_lattice_info(p->lattice, &info)))
        return 0;
    p->sites = info.sites;
    p->replicas = info.replicas;
    return 1;
}

static int set_up(player *p)
{
    const random_case *c = p->c;
    int same = set_shape(p) && set_disorder(p);

    if (same && c->axes.count)
        same = player_said(p, latmc_set_bond_type_couplings(p->lattice, c->axes.value));
    for (int i = 0; i < c->param_count && same; i++)
        same = player_set(p, c->params[i].id, &c->params[i].values);
    if (same)
        same = player_go(p) && player_said(p, latmc_set_threads(p->lattice, p->threads)) &&
               player_said(p, player_watch(p));
    if (!same || c->start == CASE_START_NONE)
        return same;
    if (c->start == CASE_START_GIVEN)
        return player_give(p, (int64_t)(c->site_seed % (uint64_t)p->replicas), c->site_seed);
    return player_said(p, latmc_start(p->lattice, (latmc_start_mode)c->start));
}

/* ---- after them: all that can be asked */

static int look_at_params(player *p)
{
    latmc_description info = LATMC_INIT(latmc_description);
    double *values = given_room(p->replicas, sizeof *values);
    int same = 1;

    for (int i = 0; same && !latmc_describe(LATMC_PARAMS, (latmc_model)p->c->model, i, &info); i++)
        same = player_said(p, latmc_get_params(p->lattice, (latmc_param)info.id, values)) &&
               notes_values(p->notes, info.name, values, p->replicas);
    free(values);
    return same;
}

static int look_at_info(player *p)
{
    latmc_lattice_info i = LATMC_INIT(latmc_lattice_info);

    if (!player_said(p, latmc_get_lattice_info(p->lattice, &i)))
        return 0;
    return notes_values(p->notes, "sweeps, started, replicas, first, type, ergodic",
                        (double[]){(double)i.sweeps, i.started, (double)i.replicas,
                                   (double)i.first_replica, i.type, p->not_ergodic},
                        6) &&
           notes_values(p->notes, "calls that a callback got through", (double[]){p->intruded}, 1);
}

/* How many quantities of an observable the lattice has. */
static int64_t quantities_of(const player *p, int id)
{
    int64_t sizes[2];

    return latmc_quantity_sizes(p->lattice, (latmc_observable)id, sizes) ? 0 : sizes[0] * sizes[1];
}

static int look_at_observables(player *p)
{
    const int64_t few = 4096;
    latmc_description info = LATMC_INIT(latmc_description);
    int same = 1;

    for (int i = 0; same && p->sites * p->replicas <= few &&
                    !latmc_describe(LATMC_OBSERVABLES, (latmc_model)p->c->model, i, &info);
         i++)
        for (int k = 0; same && k < quantities_of(p, info.id); k++)
            same = player_observe(p, CASE_THING(info.id, k));
    return same;
}

/* Some pairs of replicas, and what is asked of them. */
enum { MOST_PAIRS = 40 };

static int look_at_pairs_of(player *p, int64_t pairs, const int64_t *replicas, int thing)
{
    const latmc_quantity what = case_quantity(thing);
    double values[MOST_PAIRS];
    char name[64] = "";
    const latmc_status status =
        latmc_observe_pairs(p->lattice, LATMC_BY_REPLICA, pairs, replicas, 1, &what, values);

    return player_said(p, status) &&
           text_of_thing(LATMC_PAIR_OBSERVABLES, thing, name, sizeof name) &&
           (status || notes_values(p->notes, name, values, pairs));
}

/* Some replicas with the next one, the last with the first: all that can be asked of small ones. */
static int look_at_pairs(player *p)
{
    enum { FEW = 4096 };
    const int64_t pairs = p->replicas < MOST_PAIRS ? p->replicas : MOST_PAIRS;
    int64_t replicas[MOST_PAIRS][2];
    latmc_description info = LATMC_INIT(latmc_description);
    int same = 1;

    for (int i = 0; i < pairs; i++) {
        replicas[i][0] = p->replicas - 1 - i;
        replicas[i][1] = (p->replicas - i) % p->replicas;
    }
    for (int i = 0; same && (i == 0 || p->sites * p->replicas <= FEW) &&
                    !latmc_describe(LATMC_PAIR_OBSERVABLES, (latmc_model)p->c->model, i, &info);
         i++)
        for (int k = 0; same && k < quantities_of(p, info.id); k++)
            same = look_at_pairs_of(p, pairs, replicas[0], CASE_THING(info.id, k));
    return same;
}

/* What a table of known answers keeps: the sites themselves, and nothing that a model may gain. */
static int look_at_sites(player *p)
{
    int same = player_hash(p, NULL);

    for (int64_t r = 0; r < p->replicas && same; r++)
        same = player_get(p, &(case_step){.verb = CASE_GET, .number = r});
    return same;
}

/* ---- a side */

/* From 0 on the case's steps; -1 is what comes before them, and after the last the end. */
static void reach(player *p, int step)
{
    char *where = p->notes->where, text[256] = "";
    const size_t bytes = sizeof p->notes->where;
    const int inside = step >= 0 && step < p->c->step_count;

    p->step = inside ? &p->c->steps[step] : &no_step;
    p->setup->at(p->side, step);
    if (inside && case_print_step(p->step, text, sizeof text))
        snprintf(where, bytes, "step %d (%s)", step + 1, text);
    else
        snprintf(where, bytes, "%s", step < 0 ? "settings" : "the end");
}

static latmc_status create(player *p)
{
    const latmc_model model = (latmc_model)p->c->model;

    return p->setup->ranks && p->side == PLAY_TESTED
               ? latmc_create_on_ranks(&p->lattice, p->setup->ranks, model, p->c->dims,
                                       p->c->extents)
               : latmc_create(&p->lattice, model, p->c->dims, p->c->extents);
}

static int play_steps(player *p)
{
    int same;

    reach(p, -1);
    if (!player_said(p, create(p)))
        return 0;
    if (!p->lattice)
        return 1;
    same = set_up(p);
    for (int s = 0; s < p->c->step_count && same; s++) {
        reach(p, s);
        same = player_step(p);
        if (same && p->side == PLAY_TESTED)
            plant_step(p->setup->plant, p->c, p->step, p->lattice);
    }
    if (!same)
        return 0;
    reach(p, p->c->step_count);
    if (p->setup->known)
        return look_at_sites(p);
    return player_hash(p, NULL) && look_at_info(p) && look_at_params(p) && look_at_observables(p) &&
           look_at_pairs(p);
}

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int play_side(const random_case *c, const play_setup *setup, int side, notes *n,
                     play_result *result)
{
    const double began = cpu_seconds();
    player p = {.c = c,
                .setup = setup,
                .side = side,
                .now = setup->devices[side],
                .threads = side == PLAY_TESTED ? c->threads : 1,
                .progress = c->progress,
                .notes = n,
                .result = result};
    company beside;
    int same;

    if (!getenv("LATMC_DEVICE") || strcmp(getenv("LATMC_DEVICE"), p.now) != 0)
        setenv("LATMC_DEVICE", p.now, 1); /* where a loaded lattice finds itself at first */
    company_begin(&beside, c->company, p.now, side == PLAY_TESTED);
    same = play_steps(&p);
    company_end(&beside);
    if (same)
        same = notes_number(n, beside.what, (uint64_t)beside.status) &&
               notes_number(n, "state hash of the company", beside.hash);
    kernels_add(p.lattice, result->swept);
    latmc_destroy(p.lattice);
    result->cpu[side] = cpu_seconds() - began;
    return same;
}

void play_case(const random_case *c, const play_setup *setup, play_result *result)
{
    notes n = {.devices = {setup->devices[0], setup->devices[1]}};

    *result = (play_result){0};
    play_side(c, setup, PLAY_REFERENCE, &n, result);
    notes_compare(&n);
    if (play_side(c, setup, PLAY_TESTED, &n, result))
        result->same = notes_end(&n);
    if (result->left_out)
        n.difference[0] = '\0';
    memcpy(result->difference, n.difference, sizeof result->difference);
    notes_free(&n);
}

static void nobody(int side, int step)
{
    (void)side;
    (void)step;
}

latmc_lattice *play_lattice(const random_case *c, const char *device)
{
    const play_setup setup = {.devices = {device, device}, .at = nobody};
    notes n = {.devices = {device, device}};
    player p = {.c = c, .setup = &setup, .now = device, .threads = c->threads, .notes = &n};
    int refused =
        !player_said(&p, latmc_create(&p.lattice, (latmc_model)c->model, c->dims, c->extents)) ||
        !p.lattice || !set_up(&p);

    refused |= notes_refused(&n);
    notes_free(&n);
    if (!refused)
        return p.lattice;
    latmc_destroy(p.lattice);
    return NULL;
}

void play_known(const random_case *c, const play_place *place, play_answer *answer)
{
    const play_setup setup = {.devices = {"cpu:scalar", place->device},
                              .at = nobody,
                              .kernel = place->kernel,
                              .goes = place->goes,
                              .known = 1,
                              .ranks = place->ranks};
    notes n = {.devices = {setup.devices[0], setup.devices[1]}};
    play_result result = {0};

    play_side(c, &setup, PLAY_TESTED, &n, &result);
    *answer = (play_answer){.trajectory = notes_digest(&n, 0),
                            .form = notes_digest(&n, 1),
                            .refused = notes_refused(&n) || result.left_out};
    memcpy(answer->swept, result.swept, sizeof answer->swept);
    notes_free(&n);
}
