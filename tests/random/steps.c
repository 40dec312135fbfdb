/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a case, played by one side. */
#include "tests/random/player.h"

#include <stdlib.h>
#include <string.h>

#include "tests/random/given.h"
#include "tests/random/models.h"
#include "tests/random/names.h"
#include "tests/recording.h"
#include "tests/sites.h"

/* ---- what both sides must agree in; 0 ends the case */

/* What a list of devices refuses, and one device does not. */
static int is_indivisible(const player *p, latmc_status status)
{
    const char *why = latmc_error_message();

    return status == LATMC_ERROR_ARGUMENT && p->side == PLAY_TESTED &&
           (strchr(p->now, ',') || p->setup->ranks) &&
           (strstr(why, "are too many for this lattice") ||
            strstr(why, "a lattice in slabs cannot have replicas") ||
            strstr(why, "cut a tile of this update"));
}

int player_said(player *p, latmc_status status)
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

uint64_t player_mixed(const void *bytes, size_t count)
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
    return player_said(p, latmc_sweep(p->lattice, (latmc_update)s->id, s->number));
}

static int play_tune(player *p, const case_step *s)
{
    force(p);
    return player_said(p,
                       latmc_tune(p->lattice, (latmc_update)s->id, s->number, s->values.value[0]));
}

/* Lists what is measured; returns how many. */
static int name_things(const case_step *s, latmc_quantity *things)
{
    int count = 0;

    for (int i = 0; i < s->thing_count; i++)
        if (s->things[i])
            things[count++] = case_quantity(s->things[i]);
    return count;
}

static int saw_thing(player *p, latmc_kind kind, int thing, double *values, int64_t count)
{
    char name[64] = "";

    return text_of_thing(kind, thing, name, sizeof name) && saw(p, name, values, count);
}

static const latmc_recording none = {.size = sizeof none};

static latmc_order order_of(const player *p)
{
    return p->by_slot ? LATMC_BY_SLOT : LATMC_BY_REPLICA;
}

static latmc_status record(player *p, latmc_update update, int64_t every, int64_t records,
                           int64_t count, const latmc_quantity *quantities, double *series,
                           const latmc_recording *pairs)
{
    latmc_recorded told = {.not_ergodic = -1};
    latmc_recording ordered = *pairs;
    latmc_status status;

    ordered.order = (int32_t)order_of(p);
    status =
        record_told(p->lattice, update, every, records, count, quantities, series, &ordered, &told);
    if (told.not_ergodic >= 0)
        p->not_ergodic = told.not_ergodic;
    return status;
}

static int play_record(player *p, const case_step *s)
{
    const int64_t each = s->records > 0 ? p->replicas * s->records : 0;
    double *series = given_room((s->thing_count + 1) * each, sizeof *series);
    double *const zeros = series + s->thing_count * each;
    latmc_quantity things[CASE_THINGS];
    const int count = name_things(s, things);
    latmc_status status;
    int same;

    force(p);
    status = record(p, (latmc_update)s->id, s->number, s->records, count, things, series, &none);
    same = player_said(p, status);
    for (int i = 0, k = 0; i < s->thing_count && same && !status; i++)
        same = saw_thing(p, LATMC_OBSERVABLES, s->things[i],
                         s->things[i] ? series + k++ * each : zeros, each);
    free(series);
    return same;
}

int player_observe(player *p, int thing)
{
    double *values = given_room(p->replicas, sizeof *values);
    const latmc_quantity what = case_quantity(thing);
    const latmc_status status =
        thing ? latmc_observe(p->lattice, order_of(p), 1, &what, values) : LATMC_OK;
    const int same =
        player_said(p, status) && saw_thing(p, LATMC_OBSERVABLES, thing, values, p->replicas);

    free(values);
    return same;
}

static int play_observe(player *p, const case_step *s)
{
    int same = 1;

    for (int i = 0; i < s->thing_count && same; i++)
        same = player_observe(p, s->things[i]);
    return same;
}

/* All that is asked of the pairs in one call. */
static int play_pairs(player *p, const case_step *s)
{
    const int64_t count = case_pairs_of(s->seed);
    double *values = given_room(count * s->thing_count, sizeof *values);
    latmc_quantity things[CASE_THINGS];
    int64_t pairs[CASE_MOST_PAIRS][2];
    latmc_status status;
    int same;

    name_things(s, things);
    for (int64_t i = 0; i < count; i++)
        case_pair(s->seed, i, p->replicas, pairs[i]);
    status = latmc_observe_pairs(p->lattice, order_of(p), count, pairs[0], s->thing_count, things,
                                 values);
    same = player_said(p, status);
    for (int i = 0; i < s->thing_count && same && !status; i++)
        same = saw_thing(p, LATMC_PAIR_OBSERVABLES, s->things[i], values + i * count, count);
    free(values);
    return same;
}

int player_set(player *p, int id, const case_values *v)
{
    double *values = given_room(p->replicas, sizeof *values);
    int same;

    for (int64_t r = 0; r < p->replicas; r++)
        values[r] = case_value(v, r, p->replicas);
    same = player_said(p, v->count == 1 ? latmc_set_param(p->lattice, (latmc_param)id, values[0])
                                        : latmc_set_params(p->lattice, (latmc_param)id, values));
    free(values);
    return same;
}

static int play_set(player *p, const case_step *s)
{
    return player_set(p, s->id, &s->values);
}

static int play_axes(player *p, const case_step *s)
{
    return player_said(p, latmc_set_bond_type_couplings(p->lattice, s->values.value));
}

static int play_start(player *p, const case_step *s)
{
    const latmc_status status = latmc_start(p->lattice, (latmc_start_mode)s->id);

    if (!status)
        p->not_ergodic = 0;
    return player_said(p, status);
}

/* To the device where it is to be. */
int player_go(player *p)
{
    if (p->setup->goes && p->side == PLAY_TESTED)
        p->setup->goes(p->lattice, !p->away);
    return player_said(p, latmc_set_device(p->lattice, p->now));
}

/* The plan closes, and with it goes what it has counted. */
static int move(player *p, int away)
{
    const char *device = p->setup->devices[away ? PLAY_REFERENCE : p->side];

    if (strcmp(p->now, device) != 0)
        kernels_add(p->lattice, p->result->swept);
    p->now = device;
    p->away = away;
    return player_go(p);
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
    return player_said(p, latmc_set_device(p->lattice, "abacus:0"));
}

/* Only the side under test has threads, but both refuse what cannot be. */
static int play_threads(player *p, const case_step *s)
{
    const int possible = s->number >= 1 && s->number <= 4096;

    if (possible)
        p->threads = p->side == PLAY_TESTED ? (int)s->number : 1;
    return player_said(p, latmc_set_threads(p->lattice, possible ? p->threads : (int)s->number));
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

latmc_status player_watch(player *p)
{
    return latmc_set_progress(p->lattice, p->progress ? on_progress : NULL, p);
}

static int play_progress(player *p, const case_step *s)
{
    p->progress = s->number != 0;
    return player_said(p, player_watch(p));
}

static int play_replicas(player *p, const case_step *s)
{
    const int same = player_said(p, latmc_set_replicas(p->lattice, s->number));
    latmc_lattice_info info = LATMC_INIT(latmc_lattice_info);

    if (!latmc_get_lattice_info(p->lattice, &info))
        p->replicas = info.replicas;
    return same;
}

/* Takes the place of the lattice that it was saved from. */
static int settle(player *p, latmc_lattice *loaded)
{
    kernels_add(p->lattice, p->result->swept);
    latmc_destroy(p->lattice);
    p->lattice = loaded;
    p->not_ergodic = 0;
    p->by_slot = 0; /* the known answers are of such a player */
    return player_go(p) && player_said(p, latmc_set_threads(p->lattice, p->threads)) &&
           player_said(p, player_watch(p));
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
    if (!player_said(p, status))
        return 0;
    if (status)
        return 1;
    saved = given_room((int64_t)bytes, 1);
    same = player_said(p, latmc_save_memory(p->lattice, saved, bytes, &bytes)) &&
           notes_form(p->notes, "saved lattice", player_mixed(saved, bytes));
    if (same)
        same =
            player_said(p, p->setup->ranks && p->side == PLAY_TESTED
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
        player_said(p, status) &&
        notes_form(p->notes, "slots", player_mixed(slots, (size_t)p->replicas * sizeof *slots));

    free(slots);
    return same;
}

/* Within the samples. */
static int play_slots(player *p, const case_step *s)
{
    const int64_t samples = p->c->samples > 1 ? p->c->samples : 1, each = p->replicas / samples;
    int64_t *slots = given_room(p->replicas, sizeof *slots);
    uint64_t state = s->seed;

    for (int64_t r = 0; r < p->replicas; r++) {
        const int64_t first = each ? r / each * each : 0;
        const int64_t k = first + (int64_t)(case_uniform(&state) * (double)(r - first + 1));

        slots[r] = slots[k];
        slots[k] = r;
    }
    /* the known answers have two statuses of this step */
    const int same = player_said(p, latmc_set_slots(p->lattice, slots)) && player_said(p, LATMC_OK);

    p->by_slot = (int)(s->seed & 1);
    free(slots);
    return same && saw_slots(p);
}

static latmc_status set_rounds(player *p, const case_step *s, const case_rounds *r)
{
    latmc_step steps[] = {LATMC_INIT(latmc_step), LATMC_INIT(latmc_step)};

    steps[0].update = s->id;
    steps[1].update = LATMC_METROPOLIS;
    for (int i = 0; i < 2; i++) {
        steps[i].sweeps = r->sweeps[i];
        steps[i].exchanges = r->exchanges[i];
    }
    return latmc_set_schedule(p->lattice, r->sweeps[1] ? 2 : 1, steps);
}

static int play_rounds(player *p, const case_step *s)
{
    const case_rounds r = case_rounds_of(s->seed);
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    const int64_t count = r.records && s->number > 0 ? p->replicas * s->number : 0;
    double *series = given_room(count, sizeof *series);
    latmc_status status = set_rounds(p, s, &r);
    int same = player_said(p, status);

    force(p);
    if (same && !status && count)
        status = record(p, LATMC_SCHEDULE, 1, s->number, 1, &energy, series, &none);
    else if (same && !status)
        status = latmc_sweep(p->lattice, LATMC_SCHEDULE, s->number);
    same = same && player_said(p, status) && saw_slots(p);
    if (same && !status && count)
        same = saw(p, "energy", series, count);
    free(series);
    return same;
}

/* Energies are recorded or not, as in rounds. */
static int play_follow(player *p, const case_step *s)
{
    const case_rounds r = case_rounds_of(s->seed);
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    const int64_t each = s->number > 0 ? s->number : 0, pairs = case_pairs_of(s->seed);
    const int64_t count = r.records ? p->replicas * each : 0, of_pairs = pairs * each;
    double *series = given_room(count + of_pairs * s->thing_count, sizeof *series);
    latmc_quantity things[CASE_THINGS];
    int64_t replicas[CASE_MOST_PAIRS][2];
    const latmc_recording wanted = {.size = sizeof wanted,
                                    .pair_count = pairs,
                                    .pairs = replicas[0],
                                    .pair_quantities = things,
                                    .pair_series = series + count,
                                    .pair_quantity_count = s->thing_count};
    latmc_status status = set_rounds(p, s, &r);
    int same = player_said(p, status);

    name_things(s, things);
    for (int64_t i = 0; i < pairs; i++)
        case_pair(s->seed, i, p->replicas, replicas[i]);
    force(p);
    if (same && !status)
        status = record(p, LATMC_SCHEDULE, 1, s->number, r.records, &energy, series, &wanted);
    same = same && player_said(p, status) && saw_slots(p);
    if (same && !status && count)
        same = saw(p, "energy", series, count);
    for (int i = 0; i < s->thing_count && same && !status; i++)
        same = saw_thing(p, LATMC_PAIR_OBSERVABLES, s->things[i], series + count + i * of_pairs,
                         of_pairs);
    free(series);
    return same;
}

static int (*const plays[CASE_VERBS])(player *, const case_step *) = {
    [CASE_SWEEP] = play_sweep,       [CASE_RECORD] = play_record,     [CASE_OBSERVE] = play_observe,
    [CASE_TUNE] = play_tune,         [CASE_SET] = play_set,           [CASE_AXES] = play_axes,
    [CASE_START] = play_start,       [CASE_SITES] = player_sites,     [CASE_GET] = player_get,
    [CASE_HASH] = player_hash,       [CASE_AWAY] = play_away,         [CASE_HOME] = play_home,
    [CASE_NOWHERE] = play_nowhere,   [CASE_SAVE] = play_save,         [CASE_THREADS] = play_threads,
    [CASE_PROGRESS] = play_progress, [CASE_REPLICAS] = play_replicas, [CASE_SLOTS] = play_slots,
    [CASE_ROUNDS] = play_rounds,     [CASE_PAIRS] = play_pairs,       [CASE_FOLLOW] = play_follow,
    [CASE_WEIGH] = player_weigh,
};

int player_step(player *p)
{
    return plays[p->step->verb](p, p->step);
}
