/* SPDX-License-Identifier: BSD-3-Clause */
/* Records time series: sweeps and measurements alternate. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/abi.h"
#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/divide/hands.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/need.h"
#include "lib/lattice/params.h"
#include "lib/lattice/planes.h"
#include "lib/lattice/untold.h"
#include "lib/measure/best.h"
#include "lib/measure/course.h"
#include "lib/measure/pace.h"
#include "lib/measure/pairs.h"
#include "lib/measure/quantity.h"
#include "lib/measure/reading.h"

#include "lib/physics/exchange.h"

/* Measurements that a thread stores at once if they come replica by replica. Other threads then
 * find some to store, too. */
enum { STORED = 1 << 12 };

/* One call of latmc_record(). */
typedef struct recording {
    latmc_lattice *lattice;
    lm_course course;
    int64_t every, records; /* sweeps between measurements; number of measurements */
    int64_t total;          /* sweeps without those that an unfinished round has done */
    int count;
    const latmc_quantity *quantities;
    const lm_entry **observables; /* of the quantities */
    double *series;
    int64_t recorded;               /* measurements done */
    int64_t swept;                  /* sweeps since the last measurement */
    const latmc_pair_series *pairs; /* NULL: no pairs are recorded */
    lm_measure out;                 /* out.sums begins with the last measurement that was taken */
} recording;

/* Returns how many measurements are stored at once. Their sums fit a core's first cache, since they
 * are stored by replica but may come by measurement. They fill at least a cache line of a series,
 * so that each line is written once. */
static int64_t stored_at_once(const latmc_lattice *lattice)
{
    const int64_t fit = ((int64_t)1 << 12) / lm_sums_count(lattice), line = 8;

    return fit < line ? line : fit;
}

/* Returns how many measurements a plan makes before any is stored: about 2 MiB of sums, of replicas
 * or of pairs. Some cache holds them until then. */
static int64_t capacity_for(const recording *rec)
{
    const int64_t of_pairs = rec->pairs ? rec->pairs->pairs * lm_pair_sums_of(rec->lattice) : 0;
    const int64_t sums = lm_sums_count(rec->lattice);
    const int64_t fit = ((int64_t)1 << 18) / (sums > of_pairs ? sums : of_pairs);

    return fit < 1 ? 1 : fit < rec->records ? fit : rec->records;
}

/* Stores observables of replica number i, in the caller's order, from the sums of some
 * measurements. The slots are those in `state`. */
static void store_values(const recording *rec, const int64_t *state, int64_t i,
                         const lm_measured *some, int64_t first, int64_t end)
{
    const latmc_lattice *lat = rec->lattice;
    const int64_t r =
        lat->order == LATMC_ORDER_SLOT ? state[LM_STATE_HOLDERS * lat->replicas + i] : i;
    double params[LM_MAX_PARAMS];
    lm_reading reading;

    lm_params_of(lat, state[r], params);
    reading = lm_reading_at(lat, r, params, some->sums + first * some->step + r * some->apart);
    reading.slot = state[r];
    for (int q = 0; q < rec->count; q++) {
        reading.index = rec->quantities[q].index;
        reading.second = rec->quantities[q].second;
        lm_entry_values(rec->observables[q], reading, some->step, end - first,
                        rec->series + (q * lat->replicas + i) * rec->records + rec->recorded +
                            first);
    }
}

/* Measurements to be stored in the series. A chore stores `step` measurements of one replica. */
typedef struct storing {
    const recording *rec;
    const lm_measured *some;
    int64_t step;
} storing;

/* Stores one chore. Chores go through all replicas before the next measurements. If slots move, the
 * measurements are stored one by one. */
static void store_some(void *user, int thread, int64_t number)
{
    const storing *s = user;
    const recording *rec = s->rec;
    const latmc_lattice *lat = rec->lattice;
    const int64_t *const states = s->some->states;
    const int64_t i = number % lat->replicas, first = number / lat->replicas * s->step;
    const int64_t end = first + s->step < s->some->count ? first + s->step : s->some->count;

    (void)thread;
    if (!states)
        store_values(rec, lat->slots, i, s->some, first, end);
    for (int64_t m = first; states && m < end; m++)
        store_values(rec, states + m * LM_STATE_WALKS * lat->replicas, i, s->some, m, m + 1);
}

/* Stores measurements by threads. No plan's threads are at work then: a device sweeps on, or all
 * threads wait. An observable takes about 2 ns on a core of 2024. */
static void store(const recording *rec, const lm_measured *some)
{
    const latmc_lattice *lat = rec->lattice;
    const int apart = some->step > some->each && !some->states;
    storing s = {rec, some, apart ? stored_at_once(lat) : STORED};
    const int64_t chores = lat->replicas * ((some->count + s.step - 1) / s.step);
    const double values = (double)rec->count * (double)lat->replicas * (double)some->count;
    const int hands = lm_hands(lat->threads, 2.0 * values);

    lm_hands_share(lat->threads, hands, rec->count ? chores : 0, store_some, &s);
}

static void store_pairs(const recording *rec, const lm_measured *some)
{
    const latmc_lattice *lat = rec->lattice;
    const int64_t count = rec->out.pairs.count, each = lm_pair_sums_of(lat);

    for (int q = 0; rec->pairs && q < rec->pairs->count; q++)
        for (int64_t p = 0; p < count; p++)
            lm_pair_values(lat, &rec->pairs->quantities[q], some->pair_sums + p * each,
                           count * each, some->count,
                           rec->pairs->series + (q * count + p) * rec->records + rec->recorded);
}

static void keep_last(recording *rec, const lm_measured *some)
{
    const double *last = some->sums + (some->count - 1) * some->step;
    const int k = lm_sums_of(rec->lattice);

    for (int64_t r = 0; r < rec->lattice->replicas && rec->out.bundles; r++)
        memmove(rec->out.sums + r * k, last + r * some->apart, (size_t)some->each * sizeof *last);
}

/* Stores quantities from the sums of the measurements that follow number `recorded`. */
static void take(void *taker, const lm_measured *some)
{
    recording *rec = taker;

    store(rec, some);
    store_pairs(rec, some);
    keep_last(rec, some);
    rec->recorded += some->count;
    rec->swept = 0;
}

/* Returns how many measurements are handed over at once. It is as many as are stored at once if
 * the plan streams. It is `capacity` with exchanges, with pairs, or without streaming. */
static int64_t taken_at_once(const recording *rec)
{
    const int64_t most = stored_at_once(rec->lattice);

    if (rec->course.sums || rec->pairs || !rec->lattice->home.plan.ops->streams)
        return rec->out.capacity;
    return most < rec->out.capacity ? most : rec->out.capacity;
}

/* Notes whether an ergodic sweep precedes every measurement to come. `rest` sweeps precede the
 * first one, and whole rounds the others. */
static void judge(recording *rec, int64_t rest, int64_t measurements)
{
    if ((!rec->lattice->mixed && !lm_course_mixes(&rec->course, rest)) ||
        (measurements > 1 && !lm_course_mixes(&rec->course, rec->every)))
        rec->lattice->not_ergodic = 1;
}

/*
 * Makes at most `budget` sweeps: some whole records, or a portion of one. A portion that completes
 * a record ends with the record's measurement.
 */
static latmc_status record_portion(recording *rec, int64_t budget, int64_t *done)
{
    latmc_lattice *lat = rec->lattice;
    const int64_t rest = rec->every - rec->swept;
    const int64_t measurements = budget < rest ? 0 : rec->swept ? 1 : budget / rec->every;
    latmc_status status;

    *done = measurements ? rest + (measurements - 1) * rec->every : budget;
    if (!measurements) {
        rec->swept += budget;
        status = lm_course_sweep(&rec->course, budget);
        return status ? status : lm_course_exchange(&rec->course);
    }
    judge(rec, rest, measurements);
    rec->out.every = rest;
    status = lm_course_record(&rec->course, measurements, &rec->out);
    if (status)
        return status;
    lat->mixed = 0;
    if (rec->out.bundles & lm_model_changes(lat->model))
        lm_changed_take(lat, rec->out.sums);
    return LATMC_OK;
}

static void fill_unreached(recording *rec)
{
    const int64_t columns = rec->count * rec->lattice->replicas;
    const int64_t of_pairs = rec->pairs ? rec->pairs->count * rec->pairs->pairs : 0;

    for (int64_t t = rec->recorded; t < rec->records; t++) {
        for (int64_t c = 0; c < columns; c++)
            rec->series[c * rec->records + t] = (double)NAN;
        for (int64_t c = 0; c < of_pairs; c++)
            rec->pairs->series[c * rec->records + t] = (double)NAN;
    }
}

static latmc_status run(recording *rec, const char *caller, lm_floats *host)
{
    latmc_lattice *lat = rec->lattice;
    latmc_status status = lm_everywhere(lat, lm_course_prepare(&rec->course, rec->total));
    lm_pace pace;

    if (status)
        return status;
    lat->not_ergodic = 0;
    rec->out.capacity = taken_at_once(rec);
    pace = lm_pace_begin(&lat->watch, host, rec->total);
    while (!status && pace.done < pace.total) {
        int64_t done = 0;

        status = lm_everywhere(lat, record_portion(rec, lm_pace_next(&pace), &done));
        if (!status && lm_pace_did(&pace, done)) {
            fill_unreached(rec);
            status = lm_pace_stopped(caller, &pace);
        }
    }
    return status;
}

/* Compares the ranks' arguments. With different lists, ranks would wait for each other's
 * measurements. */
static void give(const recording *rec)
{
    lm_ranks *const ranks = rec->lattice->ranks;
    const latmc_pair_series *p = rec->pairs;

    lm_given_integer(ranks, "every", rec->every);
    lm_given_integer(ranks, "records", rec->records);
    lm_given_integer(ranks, "count", rec->count);
    lm_given_array(ranks, "quantities", rec->quantities,
                   (size_t)rec->count * sizeof *rec->quantities);
    if (!p)
        return;
    lm_given_integer(ranks, "pairs", p->pairs);
    lm_given_array(ranks, "replicas of pairs", p->replicas,
                   2 * (size_t)p->pairs * sizeof *p->replicas);
    lm_given_integer(ranks, "count of pairs", p->count);
    lm_given_array(ranks, "quantities of pairs", p->quantities,
                   (size_t)p->count * sizeof *p->quantities);
}

/* Checks the lists of pairs. The call has two lists of quantities and two arrays for numbers, so
 * the message names the pairs. */
static latmc_status check_pairs(recording *rec)
{
    static const char caller[] = "latmc_record_pairs: of pairs";
    const latmc_pair_series *pairs = rec->pairs;
    latmc_status status;

    if (!pairs)
        return LATMC_OK;
    if (!pairs->series)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: series is NULL", caller);
    status = lm_pairs_check(rec->lattice, caller, pairs->pairs, pairs->replicas);
    return status ? status
                  : lm_pair_quantities_check(rec->lattice, caller, pairs->count, pairs->quantities,
                                             pairs->series, &rec->out.pairs.bundles);
}

static latmc_status check(recording *rec, const char *caller, latmc_update update)
{
    latmc_lattice *lat = rec->lattice;
    const int least = rec->pairs ? 0 : 1;
    latmc_status status;

    if (rec->count >= 1 && (!rec->quantities || !rec->series))
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       rec->quantities ? "series" : "quantities");
    if (rec->every < 1 || rec->records < 1 || rec->count < least)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: every is %" PRId64 ", records is %" PRId64
                       " and count is %d; each must be at least %s",
                       caller, rec->every, rec->records, rec->count, least ? "1" : "1, count 0");
    status = check_pairs(rec);
    if (status)
        return status;
    status = lm_course_begin(&rec->course, lat, caller, update);
    if (!status)
        give(rec);
    if (!status)
        status = lm_quantities_need(lat, caller, LATMC_OBSERVABLES, rec->count, rec->quantities,
                                    &rec->out.bundles);
    rec->out.bundles = lm_bundles_in_use(lat, rec->out.bundles) | lm_best_bundles(lat);
    if (!status)
        status = lm_course_length(&rec->course, rec->every, rec->records, &rec->total);
    if (status)
        return status;
    rec->every *= rec->course.schedule.round;
    rec->swept = rec->every * rec->records - rec->total;
    return LATMC_OK;
}

/* Allocates memory for the sums of `capacity` measurements, and for slots that move while
 * measurements are under way. */
static latmc_status prepare_out(recording *rec, const char *caller)
{
    const latmc_lattice *lat = rec->lattice;
    const int64_t pairs = rec->pairs ? rec->pairs->pairs : 0, capacity = capacity_for(rec);
    const int moves = rec->course.sums && rec->count > 0;
    lm_measure *out = &rec->out;

    out->pairs.count = pairs;
    out->pairs.of = rec->pairs ? (const int64_t(*)[2])rec->pairs->replicas : NULL;
    out->sums = lm_zeroed(caller, "the sums of measurements", capacity * lm_sums_count(lat),
                          sizeof *out->sums);
    out->pair_sums = lm_unset(caller, "the sums of pairs", capacity * pairs,
                              (size_t)lm_pair_sums_of(lat) * sizeof *out->pair_sums);
    rec->course.pairs = lm_unset(caller, "a list of pairs", pairs, sizeof *rec->course.pairs);
    if (moves)
        out->states = lm_unset(caller, "slots on their way", capacity * lat->replicas,
                               LM_STATE_WALKS * sizeof *out->states);
    out->capacity = capacity;
    return out->sums && out->pair_sums && rec->course.pairs && (out->states || !moves)
               ? LATMC_OK
               : LATMC_ERROR_MEMORY;
}

static latmc_status prepare(recording *rec, const char *caller)
{
    const latmc_lattice *lat = rec->lattice;

    rec->out.take = take;
    rec->out.taker = rec;
    rec->observables =
        lm_zeroed(caller, "a list of observables", rec->count + 1, sizeof *rec->observables);
    if (!rec->observables)
        return LATMC_ERROR_MEMORY;
    for (int o = 0; o < rec->count; o++)
        rec->observables[o] =
            lm_thing_find(lat->model, LATMC_OBSERVABLES, rec->quantities[o].observable);
    if (rec->out.bundles & lm_representation_of(lat)->by_planes &&
        lm_plane_waves_prepare(rec->lattice, caller))
        return LATMC_ERROR_MEMORY;
    return prepare_out(rec, caller);
}

static latmc_status record(recording *rec, const char *caller, latmc_update update, lm_floats *host)
{
    latmc_status status = lm_need_started(rec->lattice, caller);

    if (!status)
        status = check(rec, caller, update);
    if (!status)
        status = prepare(rec, caller);
    if (!status)
        status = run(rec, caller, host);
    lm_course_end(&rec->course);
    free(rec->observables);
    free(rec->out.sums);
    free(rec->out.pair_sums);
    free(rec->out.states);
    return lm_everywhere(rec->lattice, status);
}

latmc_status latmc_record(latmc_lattice *lattice, latmc_update update, int64_t every,
                          int64_t records, int count, const latmc_quantity *quantities,
                          double *series)
{
    LM_FLOATS;
    recording rec = {.lattice = lattice,
                     .every = every,
                     .records = records,
                     .count = count,
                     .quantities = quantities,
                     .series = series};

    return record(&rec, __func__, update, &lm_host);
}

latmc_status latmc_record_pairs(latmc_lattice *lattice, latmc_update update, int64_t every,
                                int64_t records, int count, const latmc_quantity *quantities,
                                double *series, const latmc_pair_series *pairs)
{
    LM_FLOATS;
    recording rec = {.lattice = lattice,
                     .every = every,
                     .records = records,
                     .count = count,
                     .quantities = quantities,
                     .series = series,
                     .pairs = pairs};
    latmc_status status = lm_need_started(lattice, __func__);

    if (!status && !pairs)
        status = lm_fail(LATMC_ERROR_ARGUMENT, "%s: pairs is NULL", __func__);
    if (!status)
        status = lm_struct_check(__func__, "latmc_pair_series", pairs->size, sizeof *pairs);
    return status ? lm_everywhere(lattice, status) : record(&rec, __func__, update, &lm_host);
}
