/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/numbers.h"
#include "tests/random/company.h"
#include "tests/random/given.h"
#include "tests/random/models.h"
#include "tests/random/names.h"

/* One side of a case. */
typedef struct player {
    const random_case *c;
    const play_setup *setup;
    int side;
    const char *now; /* the device, */
    int away;        /* and whether that is the other one's */
    const case_step *step;
    int threads, progress;
    int intruded; /* a call in a callback was not refused */
    latmc_lattice *lattice;
    int64_t sites, replicas; /* as the lattice has them */
    notes *notes;
    play_result *result;
} player;

static const case_step no_step = {.verb = CASE_HASH};

/* ---- what both sides must agree in; 0 ends the case */

/* What a list of devices refuses, and one device does not. */
static int is_indivisible(const player *p, latmc_status status)
{
    const char *why = latmc_error_message();

    return status == LATMC_ERROR_ARGUMENT && p->side == PLAY_TESTED &&
           (strchr(p->now, ',') || p->setup->ranks) &&
           (strstr(why, "are too many for this lattice") ||
            strstr(why, "cut a tile of this update"));
}

static int said(player *p, latmc_status status)
{
    if (is_indivisible(p, status)) {
        p->result->left_out = 1;
        return 0;
    }
    if (p->side == PLAY_TESTED)
        status = plant_status(p->setup->plant, status);
    return notes_status(p->notes, status);
}

static int saw(player *p, const char *what, double *values, int64_t count)
{
    if (p->side == PLAY_TESTED)
        plant_value(p->setup->plant, p->c, p->step, values, count);
    return notes_values(p->notes, what, values, count);
}

static uint64_t mixed(const void *bytes, size_t count)
{
    uint64_t sum = count, word;

    for (size_t i = 0; i < count; i += sizeof word) {
        word = 0;
        memcpy(&word, (const char *)bytes + i, count - i < sizeof word ? count - i : sizeof word);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    return sum;
}

/* ---- steps */

/* Before whatever sweeps, since each plan chooses its kernels anew. */
static void force(player *p)
{
    if (p->setup->kernel)
        kernels_force(p->lattice, p->setup->kernel);
}

static int play_sweep(player *p, const case_step *s)
{
    force(p);
    return said(p, latmc_sweep(p->lattice, (latmc_update)s->id, s->number));
}

static int play_tune(player *p, const case_step *s)
{
    force(p);
    return said(p, latmc_tune(p->lattice, (latmc_update)s->id, s->number, s->values.value[0]));
}

static void name_things(const case_step *s, latmc_observable *things)
{
    for (int i = 0; i < s->thing_count; i++)
        things[i] = (latmc_observable)s->things[i];
}

static const char *thing_name(latmc_kind kind, int id)
{
    const char *name = name_of(kind, id);

    return name ? name : "an unknown observable";
}

static int play_record(player *p, const case_step *s)
{
    const int64_t each = s->records > 0 ? p->replicas * s->records : 0;
    double *series = given_room(s->thing_count * each, sizeof *series);
    latmc_observable things[CASE_THINGS];
    latmc_status status;
    int same;

    name_things(s, things);
    force(p);
    status = latmc_record(p->lattice, (latmc_update)s->id, s->number, s->records, s->thing_count,
                          things, series);
    same = said(p, status);
    for (int i = 0; i < s->thing_count && same && !status; i++)
        same = saw(p, thing_name(LATMC_OBSERVABLES, s->things[i]), series + i * each, each);
    free(series);
    return same;
}

static int observe(player *p, int id)
{
    double *values = given_room(p->replicas, sizeof *values);
    const latmc_status status =
        latmc_observe(p->lattice, 1, &(latmc_observable){(latmc_observable)id}, values);
    const int same =
        said(p, status) && saw(p, thing_name(LATMC_OBSERVABLES, id), values, p->replicas);

    free(values);
    return same;
}

static int play_observe(player *p, const case_step *s)
{
    int same = 1;

    for (int i = 0; i < s->thing_count && same; i++)
        same = observe(p, s->things[i]);
    return same;
}

/* All that is asked of the pairs in one call. */
static int play_pairs(player *p, const case_step *s)
{
    const int64_t count = case_pairs_of(s->seed);
    double *values = given_room(count * s->thing_count, sizeof *values);
    latmc_observable things[CASE_THINGS];
    int64_t pairs[CASE_MOST_PAIRS][2];
    latmc_status status;
    int same;

    name_things(s, things);
    for (int64_t i = 0; i < count; i++)
        case_pair(s->seed, i, p->replicas, pairs[i]);
    status = latmc_observe_pairs(p->lattice, count, pairs[0], s->thing_count, things, values);
    same = said(p, status);
    for (int i = 0; i < s->thing_count && same && !status; i++)
        same = saw(p, thing_name(LATMC_PAIR_OBSERVABLES, s->things[i]), values + i * count, count);
    free(values);
    return same;
}

static int set_values(player *p, int id, const case_values *v)
{
    double *values = given_room(p->replicas, sizeof *values);
    int same;

    for (int64_t r = 0; r < p->replicas; r++)
        values[r] = case_value(v, r, p->replicas);
    same = said(p, v->count == 1 ? latmc_set_param(p->lattice, (latmc_param)id, values[0])
                                 : latmc_set_params(p->lattice, (latmc_param)id, values));
    free(values);
    return same;
}

static int play_set(player *p, const case_step *s)
{
    return set_values(p, s->id, &s->values);
}

static int play_axes(player *p, const case_step *s)
{
    return said(p, latmc_set_axis_couplings(p->lattice, s->values.value));
}

static int play_start(player *p, const case_step *s)
{
    return said(p, latmc_start(p->lattice, (latmc_start_mode)s->id));
}

/* Numbers of all sites of a replica. */
static int64_t site_numbers(const player *p)
{
    return p->sites * random_components(p->c);
}

static int give_sites(player *p, int64_t replica, uint64_t seed)
{
    const int64_t count = site_numbers(p);
    double *sites = given_room(count, sizeof *sites);
    const latmc_type type = given_sites(p->c, seed, sites, count);
    const int same = said(p, latmc_set_sites(p->lattice, replica, type, sites, count));

    free(sites);
    return same;
}

static int play_sites(player *p, const case_step *s)
{
    return give_sites(p, s->number, s->seed);
}

static int get_sites(player *p, int64_t replica, latmc_type type)
{
    const size_t bytes = type == LATMC_INT8 || type == LATMC_UINT8 ? 1
                         : type == LATMC_FLOAT32                   ? sizeof(float)
                                                                   : sizeof(double);
    const int64_t count = site_numbers(p);
    double *sites = given_room(count, sizeof *sites);
    const latmc_status status = latmc_get_sites(p->lattice, replica, type, sites, count);
    const int same =
        said(p, status) && notes_number(p->notes, "sites", mixed(sites, (size_t)count * bytes));

    free(sites);
    return same;
}

/* In every type that the model has. */
static int play_get(player *p, const case_step *s)
{
    const int *type = random_model_of(p->c->model)->types;
    int same = 1;

    for (; *type && same; type++)
        same = get_sites(p, s->number, (latmc_type)*type);
    return same;
}

static int play_hash(player *p, const case_step *s)
{
    uint64_t hash = 0;
    const latmc_status status = latmc_state_hash(p->lattice, &hash);

    (void)s;
    return said(p, status) && notes_form(p->notes, "state hash", hash);
}

/* To the device where it is to be. */
static int go(player *p)
{
    if (p->setup->goes && p->side == PLAY_TESTED)
        p->setup->goes(p->lattice, !p->away);
    return said(p, latmc_set_device(p->lattice, p->now));
}

/* The plan closes, and with it goes what it has counted. */
static int move(player *p, int away)
{
    const char *device = p->setup->devices[away ? PLAY_REFERENCE : p->side];

    if (strcmp(p->now, device) != 0)
        kernels_add(p->lattice, p->result->swept);
    p->now = device;
    p->away = away;
    return go(p);
}

static int play_away(player *p, const case_step *s)
{
    (void)s;
    return move(p, 1);
}

static int play_home(player *p, const case_step *s)
{
    (void)s;
    return move(p, 0);
}

static int play_nowhere(player *p, const case_step *s)
{
    (void)s;
    return said(p, latmc_set_device(p->lattice, "abacus:0"));
}

/* Only the side under test has threads, but both refuse what cannot be. */
static int play_threads(player *p, const case_step *s)
{
    const int possible = s->number >= 1 && s->number <= 4096;

    if (possible)
        p->threads = p->side == PLAY_TESTED ? (int)s->number : 1;
    return said(p, latmc_set_threads(p->lattice, possible ? p->threads : (int)s->number));
}

/* Cuts calls into pieces, and must not reach its own lattice. */
static int on_progress(void *user, int64_t done, int64_t total)
{
    player *p = user;

    (void)done;
    (void)total;
    if (latmc_sweep(p->lattice, LATMC_METROPOLIS, 1) != LATMC_ERROR_STATE)
        p->intruded = 1;
    return 0;
}

static latmc_status watch(player *p)
{
    return latmc_set_progress(p->lattice, p->progress ? on_progress : NULL, p);
}

static int play_progress(player *p, const case_step *s)
{
    p->progress = s->number != 0;
    return said(p, watch(p));
}

static int play_replicas(player *p, const case_step *s)
{
    const int same = said(p, latmc_set_replicas(p->lattice, s->number));
    latmc_lattice_info info = LATMC_INIT(latmc_lattice_info);

    if (!latmc_get_info(p->lattice, &info))
        p->replicas = info.replicas;
    return same;
}

/* Takes the place of the lattice that it was saved from. */
static int settle(player *p, latmc_lattice *loaded)
{
    kernels_add(p->lattice, p->result->swept);
    latmc_destroy(p->lattice);
    p->lattice = loaded;
    return go(p) && said(p, latmc_set_threads(p->lattice, p->threads)) && said(p, watch(p));
}

static int play_save(player *p, const case_step *s)
{
    latmc_lattice *loaded = NULL;
    latmc_status status;
    size_t bytes = 0;
    void *saved;
    int same;

    (void)s;
    status = latmc_save_memory(p->lattice, NULL, 0, &bytes);
    if (!said(p, status))
        return 0;
    if (status)
        return 1;
    saved = given_room((int64_t)bytes, 1);
    same = said(p, latmc_save_memory(p->lattice, saved, bytes, &bytes)) &&
           notes_form(p->notes, "saved lattice", mixed(saved, bytes));
    if (same)
        same = said(p, p->setup->ranks && p->side == PLAY_TESTED
                           ? latmc_load_memory_on_ranks(&loaded, p->setup->ranks, saved, bytes)
                           : latmc_load_memory(&loaded, saved, bytes));
    free(saved);
    return same && loaded ? settle(p, loaded) : same;
}

/* ---- slots */

static int saw_slots(player *p)
{
    int64_t *slots = given_room(p->replicas, sizeof *slots);
    const latmc_status status = latmc_get_slots(p->lattice, slots);
    const int same =
        said(p, status) &&
        notes_form(p->notes, "slots", mixed(slots, (size_t)p->replicas * sizeof *slots));

    free(slots);
    return same;
}

/* Within the samples. */
static int play_slots(player *p, const case_step *s)
{
    const int64_t samples = p->c->samples > 1 ? p->c->samples : 1, each = p->replicas / samples;
    int64_t *slots = given_room(p->replicas, sizeof *slots);
    uint64_t state = s->seed;
    int same;

    for (int64_t r = 0; r < p->replicas; r++) {
        const int64_t first = each ? r / each * each : 0;
        const int64_t k = first + (int64_t)(case_uniform(&state) * (double)(r - first + 1));

        slots[r] = slots[k];
        slots[k] = r;
    }
    same = said(p, latmc_set_slots(p->lattice, slots)) &&
           said(p, latmc_set_order(p->lattice, s->seed & 1 ? LATMC_BY_SLOT : LATMC_BY_REPLICA));
    free(slots);
    return same && saw_slots(p);
}

static latmc_status set_rounds(player *p, const case_step *s, const case_rounds *r)
{
    const latmc_update updates[] = {(latmc_update)s->id, LATMC_METROPOLIS};
    const int steps = r->sweeps[1] ? 2 : 1;
    latmc_status status = latmc_set_schedule(p->lattice, steps, updates, r->sweeps);

    for (int i = 0; i < steps && !status; i++)
        status = latmc_set_step_exchanges(p->lattice, i, r->exchanges[i]);
    return status;
}

static int play_rounds(player *p, const case_step *s)
{
    const case_rounds r = case_rounds_of(s->seed);
    const latmc_observable energy = LATMC_ENERGY;
    const int64_t count = r.records && s->number > 0 ? p->replicas * s->number : 0;
    double *series = given_room(count, sizeof *series);
    latmc_status status = set_rounds(p, s, &r);
    int same = said(p, status);

    force(p);
    if (same && !status && count)
        status = latmc_record(p->lattice, LATMC_SCHEDULE, 1, s->number, 1, &energy, series);
    else if (same && !status)
        status = latmc_sweep(p->lattice, LATMC_SCHEDULE, s->number);
    same = same && said(p, status) && saw_slots(p);
    if (same && !status && count)
        same = saw(p, "energy", series, count);
    free(series);
    return same;
}

/* Energies are recorded or not, as in rounds; by the order that slots were given. */
static int play_follow(player *p, const case_step *s)
{
    const case_rounds r = case_rounds_of(s->seed);
    const latmc_observable energy = LATMC_ENERGY;
    const int64_t each = s->number > 0 ? s->number : 0, pairs = case_pairs_of(s->seed);
    const int64_t count = r.records ? p->replicas * each : 0, of_pairs = pairs * each;
    double *series = given_room(count + of_pairs * s->thing_count, sizeof *series);
    latmc_observable things[CASE_THINGS];
    int64_t replicas[CASE_MOST_PAIRS][2];
    const latmc_pair_series wanted = {.size = sizeof wanted,
                                      .pairs = pairs,
                                      .replicas = replicas[0],
                                      .observables = things,
                                      .series = series + count,
                                      .count = s->thing_count};
    latmc_status status = set_rounds(p, s, &r);
    int same = said(p, status);

    name_things(s, things);
    for (int64_t i = 0; i < pairs; i++)
        case_pair(s->seed, i, p->replicas, replicas[i]);
    force(p);
    if (same && !status)
        status = latmc_record_pairs(p->lattice, LATMC_SCHEDULE, 1, s->number, r.records, &energy,
                                    series, &wanted);
    same = same && said(p, status) && saw_slots(p);
    if (same && !status && count)
        same = saw(p, "energy", series, count);
    for (int i = 0; i < s->thing_count && same && !status; i++)
        same = saw(p, thing_name(LATMC_PAIR_OBSERVABLES, s->things[i]),
                   series + count + i * of_pairs, of_pairs);
    free(series);
    return same;
}

static int (*const plays[CASE_VERBS])(player *, const case_step *) = {
    [CASE_SWEEP] = play_sweep,       [CASE_RECORD] = play_record,     [CASE_OBSERVE] = play_observe,
    [CASE_TUNE] = play_tune,         [CASE_SET] = play_set,           [CASE_AXES] = play_axes,
    [CASE_START] = play_start,       [CASE_SITES] = play_sites,       [CASE_GET] = play_get,
    [CASE_HASH] = play_hash,         [CASE_AWAY] = play_away,         [CASE_HOME] = play_home,
    [CASE_NOWHERE] = play_nowhere,   [CASE_SAVE] = play_save,         [CASE_THREADS] = play_threads,
    [CASE_PROGRESS] = play_progress, [CASE_REPLICAS] = play_replicas, [CASE_SLOTS] = play_slots,
    [CASE_ROUNDS] = play_rounds,     [CASE_PAIRS] = play_pairs,       [CASE_FOLLOW] = play_follow,
};

/* ---- before the steps */

typedef latmc_status draw_call(latmc_lattice *, latmc_distribution, uint64_t, int,
                               const latmc_argument *, const double *);
typedef latmc_status give_call(latmc_lattice *, const double *);

/* Couplings of bonds, or fields of sites: drawn, or `count` that are given. */
static int set_numbers(player *p, const case_numbers *n, int64_t count, draw_call *draw,
                       give_call *give)
{
    static const latmc_argument signs[] = {LATMC_MISSING, LATMC_PLUS};
    static const latmc_argument normal[] = {LATMC_MISSING, LATMC_MEAN, LATMC_WIDTH};
    const double shares[] = {n->missing / 100.0, n->plus / 100.0};
    const double gaussian[] = {n->missing / 100.0, n->mean, n->width};
    double *numbers;
    int same;

    if (n->from == CASE_UNIFORM)
        return 1;
    if (n->from == CASE_DRAWN)
        return said(p, draw(p->lattice, LATMC_PLUS_MINUS_ONE, n->seed, 2, signs, shares));
    if (n->from == CASE_GAUSSIAN)
        return said(p, draw(p->lattice, LATMC_GAUSSIAN, n->seed, 3, normal, gaussian));
    numbers = given_numbers(n, count);
    same = said(p, give(p->lattice, numbers));
    free(numbers);
    return same;
}

static int set_disorder(player *p)
{
    const random_case *c = p->c;
    const int64_t each = c->samples * p->sites;

    if ((c->samples != 1 || c->first_sample) &&
        !said(p, latmc_set_samples(p->lattice, c->samples, c->first_sample)))
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
    if (!said(p, latmc_set_boundaries(p->lattice, boundaries)) ||
        !said(p, latmc_set_replicas(p->lattice, c->replicas)) ||
        !said(p, latmc_set_first_replica(p->lattice, c->first)) ||
        !said(p, latmc_set_seed(p->lattice, c->seed)))
        return 0;
    if (c->option_count && !said(p, set_options(p->lattice, c)))
        return 0;
    if (!said(p, latmc_get_info(p->lattice, &info)))
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
        same = said(p, latmc_set_axis_couplings(p->lattice, c->axes.value));
    for (int i = 0; i < c->param_count && same; i++)
        same = set_values(p, c->params[i].id, &c->params[i].values);
    if (same)
        same = go(p) && said(p, latmc_set_threads(p->lattice, p->threads)) && said(p, watch(p));
    if (!same || c->start == CASE_START_NONE)
        return same;
    if (c->start == CASE_START_GIVEN)
        return give_sites(p, (int64_t)(c->site_seed % (uint64_t)p->replicas), c->site_seed);
    return said(p, latmc_start(p->lattice, (latmc_start_mode)c->start));
}

/* ---- after them: all that can be asked */

static int look_at_params(player *p)
{
    latmc_info info = LATMC_INIT(latmc_info);
    double *values = given_room(p->replicas, sizeof *values);
    int same = 1;

    for (int i = 0; same && !latmc_describe(LATMC_PARAMS, (latmc_model)p->c->model, i, &info); i++)
        same = said(p, latmc_get_params(p->lattice, (latmc_param)info.id, values)) &&
               notes_values(p->notes, info.name, values, p->replicas);
    free(values);
    return same;
}

static int look_at_info(player *p)
{
    latmc_lattice_info i = LATMC_INIT(latmc_lattice_info);

    if (!said(p, latmc_get_info(p->lattice, &i)))
        return 0;
    return notes_values(p->notes, "sweeps, started, replicas, first, type, ergodic",
                        (double[]){(double)i.sweeps, i.started, (double)i.replicas,
                                   (double)i.first_replica, i.type, i.not_ergodic},
                        6) &&
           notes_values(p->notes, "calls that a callback got through", (double[]){p->intruded}, 1);
}

static int look_at_observables(player *p)
{
    const int64_t few = 4096;
    latmc_info info = LATMC_INIT(latmc_info);
    int same = 1;

    for (int i = 0; same && p->sites * p->replicas <= few &&
                    !latmc_describe(LATMC_OBSERVABLES, (latmc_model)p->c->model, i, &info);
         i++)
        same = observe(p, info.id);
    return same;
}

/* Some replicas with the next one, the last with the first: all that can be asked of small ones. */
static int look_at_pairs(player *p)
{
    enum { MOST = 40, FEW = 4096 };
    const int64_t pairs = p->replicas < MOST ? p->replicas : MOST;
    int64_t replicas[MOST][2];
    latmc_info info = LATMC_INIT(latmc_info);
    int same = 1;

    for (int64_t i = 0; i < pairs; i++) {
        replicas[i][0] = p->replicas - 1 - i;
        replicas[i][1] = (p->replicas - i) % p->replicas;
    }
    for (int i = 0; same && (i == 0 || p->sites * p->replicas <= FEW) &&
                    !latmc_describe(LATMC_PAIR_OBSERVABLES, (latmc_model)p->c->model, i, &info);
         i++) {
        const latmc_observable what = (latmc_observable)info.id;
        double values[MOST];
        const latmc_status status =
            latmc_observe_pairs(p->lattice, pairs, replicas[0], 1, &what, values);

        same = said(p, status) && (status || notes_values(p->notes, info.name, values, pairs));
    }
    return same;
}

/* What a table of known answers keeps: the sites themselves, and nothing that a model may gain. */
static int look_at_sites(player *p)
{
    int same = play_hash(p, NULL);

    for (int64_t r = 0; r < p->replicas && same; r++)
        same = play_get(p, &(case_step){.verb = CASE_GET, .number = r});
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
    if (!said(p, create(p)))
        return 0;
    if (!p->lattice)
        return 1;
    same = set_up(p);
    for (int s = 0; s < p->c->step_count && same; s++) {
        reach(p, s);
        same = plays[p->step->verb](p, p->step);
        if (same && p->side == PLAY_TESTED)
            plant_step(p->setup->plant, p->c, p->step, p->lattice);
    }
    if (!same)
        return 0;
    reach(p, p->c->step_count);
    if (p->setup->known)
        return look_at_sites(p);
    return play_hash(p, NULL) && look_at_info(p) && look_at_params(p) && look_at_observables(p) &&
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
    int refused = !said(&p, latmc_create(&p.lattice, (latmc_model)c->model, c->dims, c->extents)) ||
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
