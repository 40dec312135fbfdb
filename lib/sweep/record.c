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
#include "lib/divide/workers.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/need.h"
#include "lib/lattice/pending.h"
#include "lib/measure/best.h"
#include "lib/measure/pairs.h"
#include "lib/measure/quantity.h"
#include "lib/measure/reading.h"
#include "lib/settings/params.h"
#include "lib/settings/slots.h"
#include "lib/sums/pair_count.h"
#include "lib/sums/row_sums.h"
#include "lib/sweep/course.h"
#include "lib/sweep/pace.h"

#include "lib/physics/exchange_state.h"

/* Measurements that a thread stores at once if they come replica by replica. Other threads then
 * find some to store, too. */
enum { STORED = 1 << 12 };

/* One call of latmc_record(). */
typedef struct recorder {
    latmc_lattice *lattice;
    const latmc_recording *asked;
    lm_course course;
    const lm_entry **observables; /* of the quantities */
    int64_t every, total;         /* sweeps between measurements; sweeps of the call */
    int64_t made;                 /* measurements made */
    int64_t swept;                /* sweeps made towards the next measurement */
    int not_ergodic;
    lm_measure out; /* out.sums begins with the last measurement that was taken */
} recorder;

/* Returns where a series has the next record. Series are numbered as `asked` has them. */
static double *next_of(const recorder *rec, double *all, int64_t series)
{
    const int64_t stride = rec->asked->stride ? rec->asked->stride : rec->asked->records;

    return all + series * stride + rec->made;
}

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
static int64_t capacity_for(const recorder *rec)
{
    const int64_t of_pairs = rec->asked->pair_count * lm_pair_sums_of(rec->lattice);
    const int64_t sums = lm_sums_count(rec->lattice);
    const int64_t fit = ((int64_t)1 << 18) / (sums > of_pairs ? sums : of_pairs);

    return fit < 1 ? 1 : fit < rec->asked->records ? fit : rec->asked->records;
}

/* Measurements to be stored in the series. An item is `step` measurements of one replica. */
typedef struct storing {
    const recorder *rec;
    const lm_measured *some;
    int64_t step;
    lm_reading reading; /* without a replica */
} storing;

/* Stores observables of replica number i, in the caller's order, from the sums of some
 * measurements. The slots are those in `state`. */
static void store_values(const storing *s, const int64_t *state, int64_t i, int64_t first,
                         int64_t end)
{
    const recorder *rec = s->rec;
    const lm_measured *some = s->some;
    const latmc_lattice *lat = rec->lattice;
    const int64_t r =
        rec->asked->order == LATMC_BY_SLOT ? state[LM_STATE_HOLDERS * lat->replicas + i] : i;
    double params[LM_MAX_PARAMS];
    lm_reading reading = s->reading;

    lm_params_of(lat, state[r], params);
    lm_reading_turn(&reading, lat, r, params, some->sums + first * some->step + r * some->apart);
    reading.slot = state[r];
    for (int64_t q = 0; q < rec->asked->quantity_count; q++) {
        reading.index = rec->asked->quantities[q].index;
        reading.second = rec->asked->quantities[q].second;
        lm_entry_values(rec->observables[q], reading, some->step, end - first,
                        next_of(rec, rec->asked->series, q * lat->replicas + i) + first);
    }
}

/* Stores one item. Items go through all replicas before the next measurements. If slots move, the
 * measurements are stored one by one. */
static void store_some(void *user, int thread, int64_t number)
{
    const storing *s = user;
    const recorder *rec = s->rec;
    const latmc_lattice *lat = rec->lattice;
    const int64_t *const states = s->some->states;
    const int64_t i = number % lat->replicas, first = number / lat->replicas * s->step;
    const int64_t end = first + s->step < s->some->count ? first + s->step : s->some->count;

    (void)thread;
    if (!states)
        store_values(s, lat->slots, i, first, end);
    for (int64_t m = first; states && m < end; m++)
        store_values(s, states + m * LM_STATE_WALKS * lat->replicas, i, m, m + 1);
}

/* Stores measurements by threads. No plan's threads are at work then: a device sweeps on, or all
 * threads wait. A core of 2024 takes about 30 ns for an item, and 2 ns for an observable. */
static void store(const recorder *rec, const lm_measured *some)
{
    const latmc_lattice *lat = rec->lattice;
    const int apart = some->step > some->each && !some->states;
    storing s = {rec, some, apart ? stored_at_once(lat) : STORED, lm_reading_of(lat, NULL, NULL)};
    const int64_t count = rec->asked->quantity_count;
    const int64_t items = lat->replicas * ((some->count + s.step - 1) / s.step);
    const double values = (double)count * (double)lat->replicas * (double)some->count;
    const int workers = lm_workers(lat->threads, 30.0 * (double)items + 2.0 * values);

    lm_workers_share(lat->threads, workers, count ? items : 0, store_some, &s);
}

static void store_pairs(const recorder *rec, const lm_measured *some)
{
    const latmc_quantity *const quantities = rec->asked->pair_quantities;
    const int64_t count = rec->out.pairs.count;

    for (int64_t q = 0; q < rec->asked->pair_quantity_count; q++) {
        int64_t each;
        const double *const from =
            lm_pair_begin(rec->lattice, &quantities[q], some->pair_sums, count, &each);

        for (int64_t p = 0; p < count; p++)
            lm_pair_values(rec->lattice, &quantities[q], from + p * each, count * each, some->count,
                           next_of(rec, rec->asked->pair_series, q * count + p));
    }
}

static void keep_last(recorder *rec, const lm_measured *some)
{
    const double *last = some->sums + (some->count - 1) * some->step;
    const int k = lm_sums_of(rec->lattice);

    for (int64_t r = 0; r < rec->lattice->replicas && rec->out.bundles; r++)
        memmove(rec->out.sums + r * k, last + r * some->apart, (size_t)some->each * sizeof *last);
}

/* Stores quantities from the sums of the measurements that follow number `made`. */
static void take(void *taker, const lm_measured *some)
{
    recorder *rec = taker;

    store(rec, some);
    store_pairs(rec, some);
    keep_last(rec, some);
    rec->made += some->count;
    rec->swept = 0;
}

/* Returns how many measurements are handed over at once. It is as many as are stored at once if
 * the plan streams. It is `capacity` with exchanges, with pairs, or without streaming. */
static int64_t taken_at_once(const recorder *rec)
{
    const int waits =
        rec->course.sums || rec->out.pairs.bundles || !rec->lattice->home.plan.ops->streams;
    const int64_t most = stored_at_once(rec->lattice);

    return waits || most > rec->out.capacity ? rec->out.capacity : most;
}

/* Notes whether an ergodic sweep precedes every measurement to come. `rest` sweeps precede the
 * first one, and whole rounds the others. */
static void judge(recorder *rec, int64_t rest, int64_t measurements)
{
    if ((!rec->lattice->mixed && !lm_course_mixes(&rec->course, rest)) ||
        (measurements > 1 && !lm_course_mixes(&rec->course, rec->every)))
        rec->not_ergodic = 1;
}

/*
 * Makes at most `budget` sweeps: some whole records, or a portion of one. A portion that completes
 * a record ends with the record's measurement.
 */
static latmc_status record_portion(recorder *rec, int64_t budget, int64_t *done)
{
    latmc_lattice *lat = rec->lattice;
    const int64_t rest = rec->every - rec->swept;
    const int64_t measurements = budget < rest ? 0 : rec->swept ? 1 : budget / rec->every;
    latmc_status status;

    *done = measurements ? rest + (measurements - 1) * rec->every : budget;
    if (measurements) {
        judge(rec, rest, measurements);
        rec->out.every = rest;
        status = lm_course_record(&rec->course, measurements, &rec->out);
        lat->mixed &= status != LATMC_OK;
    } else {
        rec->swept += budget;
        status = lm_course_sweep(&rec->course, budget);
        if (!status)
            status = lm_course_exchange(&rec->course);
    }
    if (!status && measurements && rec->out.bundles & lm_model_changes(lat->model))
        lm_pending_take_changed(lat, rec->out.sums);
    return status;
}

static void fill_unreached(const recorder *rec)
{
    const latmc_recording *asked = rec->asked;
    const int64_t series = asked->quantity_count * rec->lattice->replicas;
    const int64_t of_pairs = asked->pair_quantity_count * asked->pair_count;

    for (int64_t t = 0; t < asked->records - rec->made; t++) {
        for (int64_t k = 0; k < series; k++)
            next_of(rec, asked->series, k)[t] = (double)NAN;
        for (int64_t k = 0; k < of_pairs; k++)
            next_of(rec, asked->pair_series, k)[t] = (double)NAN;
    }
}

static latmc_status run(recorder *rec, lm_floats *host)
{
    latmc_lattice *lat = rec->lattice;
    latmc_status status = lm_everywhere(lat, lm_course_prepare(&rec->course, rec->total));
    lm_pace pace;

    if (status)
        return status;
    rec->out.capacity = taken_at_once(rec);
    pace = lm_pace_begin(&lat->watch, host, rec->total);
    while (!status && pace.done < pace.total) {
        int64_t done = 0;

        status = lm_everywhere(lat, record_portion(rec, lm_pace_next(&pace), &done));
        if (!status && lm_pace_did(&pace, done)) {
            fill_unreached(rec);
            status = lm_pace_stopped(rec->course.caller, &pace);
        }
    }
    return status;
}

/* ---- what is asked for */

/* Compares the ranks' arguments. With different lists, ranks would wait for each other's
 * measurements. */
static void give(const recorder *rec)
{
    lm_ranks *const ranks = rec->lattice->ranks;
    const latmc_recording *a = rec->asked;

    lm_given_integer(ranks, "every", a->every);
    lm_given_integer(ranks, "records", a->records);
    lm_given_integer(ranks, "swept", a->swept);
    lm_given_integer(ranks, "quantity_count", a->quantity_count);
    lm_given_array(ranks, "quantities", a->quantities,
                   (size_t)a->quantity_count * sizeof *a->quantities);
    lm_given_integer(ranks, "pair_count", a->pair_count);
    lm_given_array(ranks, "pairs", a->pairs, 2 * (size_t)a->pair_count * sizeof *a->pairs);
    lm_given_integer(ranks, "pair_quantity_count", a->pair_quantity_count);
    lm_given_array(ranks, "pair_quantities", a->pair_quantities,
                   (size_t)a->pair_quantity_count * sizeof *a->pair_quantities);
}

/* Checks the structs' sizes, and reads what is asked for as this library knows it. */
static latmc_status read_structs(latmc_lattice *lattice, const char *caller,
                                 const latmc_recording *given, const latmc_recorded *recorded,
                                 latmc_recording *asked)
{
    static const char type[] = "latmc_recording";
    latmc_status status = lm_need_started(lattice, caller);

    status = lm_need_pointer(status, caller, "recording", given);
    if (!status)
        status = lm_struct_check(caller, type, given->size,
                                 LM_SIZE_THROUGH(latmc_recording, statistics));
    if (!status)
        status = lm_struct_read(caller, type, given, asked, sizeof *asked);
    if (!status && !asked->order)
        asked->order = LATMC_BY_REPLICA;
    if (!status && recorded)
        status = lm_struct_check(caller, "latmc_recorded", recorded->size,
                                 LM_SIZE_THROUGH(latmc_recorded, reserved));
    return status;
}

static latmc_status check_numbers(const char *caller, const latmc_recording *a)
{
    const struct {
        const char *name;
        int64_t given, least, most;
    } numbers[] = {{"every", a->every, 1, INT64_MAX},
                   {"records", a->records, 0, INT64_MAX},
                   {"swept", a->swept, 0, LM_MAX_SWEEPS},
                   {"quantity_count", a->quantity_count, 0, INT64_MAX},
                   {"pair_count", a->pair_count, 0, INT64_MAX},
                   {"pair_quantity_count", a->pair_quantity_count, 0, INT64_MAX},
                   {"stride", a->stride, a->stride ? a->records : 0, INT64_MAX}};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].given < numbers[i].least || numbers[i].given > numbers[i].most)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: %s is %" PRId64 "; %" PRId64 " to %" PRId64 " is allowed", caller,
                           numbers[i].name, numbers[i].given, numbers[i].least, numbers[i].most);
    return a->statistics
               ? lm_fail(LATMC_ERROR_ARGUMENT,
                         "%s: statistics is not NULL; this version has no statistics", caller)
               : LATMC_OK;
}

static latmc_status check_arrays(const char *caller, const latmc_recording *a)
{
    latmc_status status = LATMC_OK;

    if (a->quantity_count) {
        status = lm_need_pointer(status, caller, "quantities", a->quantities);
        status = lm_need_pointer(status, caller, "series", a->series);
    }
    if (a->pair_count)
        status = lm_need_pointer(status, caller, "pairs", a->pairs);
    if (a->pair_quantity_count) {
        status = lm_need_pointer(status, caller, "pair_quantities", a->pair_quantities);
        status = lm_need_pointer(status, caller, "pair_series", a->pair_series);
    }
    return status;
}

/* Finds the bundles of all quantities, or refuses quantities and pairs that do not exist. */
static latmc_status check_quantities(recorder *rec)
{
    const latmc_lattice *lat = rec->lattice;
    const latmc_recording *a = rec->asked;
    const char *caller = rec->course.caller;
    lm_measure *out = &rec->out;
    latmc_status status = lm_quantities_need(lat, caller, LATMC_OBSERVABLES, a->quantity_count,
                                             a->quantities, &out->bundles);

    out->bundles = lm_bundles_in_use(lat, out->bundles) | lm_best_bundles(lat);
    if (!status)
        status = lm_quantities_need(lat, caller, LATMC_PAIR_OBSERVABLES, a->pair_quantity_count,
                                    a->pair_quantities, &out->pairs.bundles);
    if (!status && a->pair_count)
        status = lm_pairs_check(lat, caller, a->pair_count, a->pairs);
    if (!a->pair_count)
        out->pairs.bundles = 0;
    return status;
}

/* A continued recording whose series are as long as its rest would write over other series. */
static latmc_status check_stride(const recorder *rec)
{
    const latmc_recording *a = rec->asked;
    const int64_t series =
        a->quantity_count * rec->lattice->replicas + a->pair_quantity_count * a->pair_count;

    if (a->swept && !a->stride && series > 1)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: stride is 0 and swept is %" PRId64
                       "; a recording that is continued needs the length of the whole series as "
                       "stride",
                       rec->course.caller, a->swept);
    return LATMC_OK;
}

/* Finds the sweeps of the call, and those that the first measurement does not need any more. */
static latmc_status check_sweeps(recorder *rec)
{
    const latmc_recording *a = rec->asked;
    const int64_t round = rec->course.schedule.round, done = lm_course_cursor(&rec->course).done;
    latmc_status status;

    if (a->swept / round >= a->every)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: swept is %" PRId64 "; it must be less than the %" PRId64
                       " times %" PRId64
                       " sweeps between measurements, so give latmc_recorded::swept of the call "
                       "that was stopped, or 0",
                       rec->course.caller, a->swept, a->every, round);
    if (a->swept && a->swept % round != done)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: swept is %" PRId64 ", which ends with %" PRId64 " of the %" PRId64
                       " sweeps of a round, but the schedule has made %" PRId64
                       "; give latmc_recorded::swept of the call that was stopped, and make no "
                       "sweeps of the schedule in between",
                       rec->course.caller, a->swept, a->swept % round, round, done);
    rec->swept = a->swept ? a->swept : done;
    status = lm_course_length(&rec->course, a->every, a->records, rec->swept, &rec->total);
    if (!status) {
        rec->every = a->every * round;
        rec->lattice->mixed |= a->swept && lm_course_mixes(&rec->course, rec->every);
    }
    return status;
}

static latmc_status check(recorder *rec, const char *caller)
{
    const latmc_recording *a = rec->asked;
    latmc_status status = check_numbers(caller, a);

    if (!status)
        status = lm_order_check(rec->lattice, caller, a->order);
    if (!status)
        status = check_arrays(caller, a);
    if (!status)
        status = lm_course_begin(&rec->course, rec->lattice, caller, (latmc_update)a->update);
    if (!status) {
        give(rec);
        status = check_quantities(rec);
    }
    if (!status)
        status = check_stride(rec);
    return status ? status : check_sweeps(rec);
}

/* ---- the call */

/* Allocates memory for the sums of `capacity` measurements, and for slots that move while
 * measurements are under way. */
static latmc_status prepare_out(recorder *rec, const char *caller)
{
    const latmc_lattice *lat = rec->lattice;
    const int64_t pairs = rec->asked->pair_count, capacity = capacity_for(rec);
    const int moves = rec->course.sums && rec->asked->quantity_count > 0;
    lm_measure *out = &rec->out;

    out->take = take;
    out->taker = rec;
    out->capacity = capacity;
    out->pairs.count = pairs;
    out->pairs.of = (const int64_t(*)[2])rec->asked->pairs;
    out->pairs.by_slot = rec->asked->order == LATMC_BY_SLOT;
    out->sums = lm_zeroed(caller, "the sums of measurements", capacity * lm_sums_count(lat),
                          sizeof *out->sums);
    out->pair_sums = lm_unzeroed(
        caller, "the sums of pairs",
        pairs * (capacity * lm_pair_sums_of(lat) + lm_pair_sums_at(lat, out->pairs.bundles)),
        sizeof *out->pair_sums);
    rec->course.pairs = lm_unzeroed(caller, "a list of pairs", pairs, sizeof *rec->course.pairs);
    if (moves)
        out->states = lm_unzeroed(caller, "slots on their way", capacity * lat->replicas,
                                  LM_STATE_WALKS * sizeof *out->states);
    return out->sums && out->pair_sums && rec->course.pairs && (out->states || !moves)
               ? LATMC_OK
               : LATMC_ERROR_MEMORY;
}

static latmc_status prepare(recorder *rec, const char *caller)
{
    const latmc_lattice *lat = rec->lattice;
    const int64_t count = rec->asked->quantity_count;
    const unsigned own = lm_row_sums(lat, rec->out.bundles);

    rec->observables = lm_zeroed(caller, "a list of observables", count, sizeof *rec->observables);
    for (int64_t q = 0; q < count && rec->observables; q++)
        rec->observables[q] =
            lm_entry_find(lat->model, LATMC_OBSERVABLES, rec->asked->quantities[q].observable);
    return !rec->observables || lm_row_sums_prepare(rec->lattice, caller, own)
               ? LATMC_ERROR_MEMORY
               : prepare_out(rec, caller);
}

static void end(recorder *rec)
{
    lm_course_end(&rec->course);
    free(rec->observables);
    free(rec->out.sums);
    free(rec->out.pair_sums);
    free(rec->out.states);
}

latmc_status latmc_record(latmc_lattice *lattice, const latmc_recording *recording,
                          latmc_recorded *recorded)
{
    LM_FLOATS;
    latmc_recording asked;
    recorder rec = {.lattice = lattice, .asked = &asked};
    latmc_recorded done = {.size = sizeof done};
    latmc_status status = read_structs(lattice, __func__, recording, recorded, &asked);

    if (!status)
        status = check(&rec, __func__);
    if (!status)
        status = prepare(&rec, __func__);
    if (!status)
        status = run(&rec, &lm_host);
    end(&rec);
    status = lm_everywhere(lattice, status);
    done.records = rec.made;
    done.swept = status ? rec.swept : 0;
    done.not_ergodic = rec.not_ergodic;
    if (recorded && (!status || status == LATMC_CANCELLED))
        lm_struct_write(recorded, &done, sizeof done);
    return status;
}
