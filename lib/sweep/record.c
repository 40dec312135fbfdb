/* SPDX-License-Identifier: BSD-3-Clause */
/* Records time series: sweeps and measurements alternate. */
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
#include "lib/measure/pairs.h"
#include "lib/measure/reading.h"
#include "lib/settings/params.h"
#include "lib/sums/pair_count.h"
#include "lib/sums/row_sums.h"
#include "lib/sweep/pace.h"
#include "lib/sweep/recorder.h"

#include "lib/physics/exchange_state.h"

/* Measurements that a thread stores at once if they come replica by replica. Other threads then
 * find some to store, too. */
enum { STORED = 1 << 12 };

/* Returns the values from the beginning of a series to that of the next one. */
static int64_t stride_of(const lm_recorder *rec)
{
    return rec->asked->stride ? rec->asked->stride : rec->asked->records;
}

/* Returns where a series has the next record. Series are numbered as `asked` has them. */
static double *next_of(const lm_recorder *rec, double *all, int64_t series)
{
    return all + series * stride_of(rec) + rec->made;
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
static int64_t capacity_for(const lm_recorder *rec)
{
    const int64_t of_pairs = rec->asked->pair_count * lm_pair_sums_of(rec->lattice);
    const int64_t sums = lm_sums_count(rec->lattice);
    const int64_t fit = ((int64_t)1 << 18) / (sums > of_pairs ? sums : of_pairs);

    return fit < 1 ? 1 : fit < rec->asked->records ? fit : rec->asked->records;
}

/* Measurements to be stored in the series. An item is `step` measurements of one replica. */
typedef struct storing {
    const lm_recorder *rec;
    const lm_measured *some;
    int64_t step;
    lm_reading reading; /* without a replica */
} storing;

/* Stores observables of replica number i, in the caller's order, from the sums of some
 * measurements. The slots are those in `state`. */
static void store_values(const storing *s, const int64_t *state, int64_t i, int64_t first,
                         int64_t end)
{
    const lm_recorder *rec = s->rec;
    const lm_measured *some = s->some;
    const latmc_lattice *lat = rec->lattice;
    const int64_t r =
        rec->asked->order == LATMC_BY_SLOT ? state[LM_STATE_HOLDERS * lat->replicas + i] : i;
    double params[LM_MAX_PARAMS];
    lm_reading reading = s->reading;

    lm_params_of(lat, state[r], params);
    lm_reading_turn(&reading, lat, r, params,
                    some->sums + first * some->step + r * some->replica_step);
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
    const lm_recorder *rec = s->rec;
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
 * threads wait. */
static void store(const lm_recorder *rec, const lm_measured *some)
{
    const latmc_lattice *lat = rec->lattice;
    const int apart = some->step > some->each && !some->states;
    storing s = {rec, some, apart ? stored_at_once(lat) : STORED, lm_reading_of(lat, NULL, NULL)};
    const int64_t count = rec->asked->quantity_count;
    const int64_t items = lat->replicas * ((some->count + s.step - 1) / s.step);
    const double values = (double)count * (double)lat->replicas * (double)some->count;
    const int workers = lm_workers(lat->threads, LM_ITEM_NS * (double)items + LM_VALUE_NS * values);

    lm_workers_share(lat->threads, workers, count ? items : 0, store_some, &s);
}

static void store_pairs(const lm_recorder *rec, const lm_measured *some)
{
    const int64_t count = rec->out.pairs.count;

    for (int64_t q = 0; q < rec->asked->pair_quantity_count; q++)
        lm_pair_store(rec->lattice, &rec->asked->pair_quantities[q], some->pair_sums, count,
                      some->count, next_of(rec, rec->asked->pair_series, q * count),
                      stride_of(rec));
}

static void keep_last(lm_recorder *rec, const lm_measured *some)
{
    const double *last = some->sums + (some->count - 1) * some->step;
    const int k = lm_sums_of(rec->lattice);

    for (int64_t r = 0; r < rec->lattice->replicas && rec->out.bundles; r++)
        memmove(rec->out.sums + r * k, last + r * some->replica_step,
                (size_t)some->each * sizeof *last);
}

/* Stores quantities from the sums of the measurements that follow number `made`. */
static void take(void *taker, const lm_measured *some)
{
    lm_recorder *rec = taker;

    store(rec, some);
    store_pairs(rec, some);
    keep_last(rec, some);
    rec->made += some->count;
    rec->swept = 0;
}

/* Returns how many measurements are handed over at once. It is as many as are stored at once if
 * the plan streams. It is `capacity` with exchanges, with pairs, or without streaming. */
static int64_t taken_at_once(const lm_recorder *rec)
{
    const int waits =
        rec->course.sums || rec->out.pairs.bundles || !rec->lattice->home.plan.ops->streams;
    const int64_t most = stored_at_once(rec->lattice);

    return waits || most > rec->out.capacity ? rec->out.capacity : most;
}

/* Notes whether an ergodic sweep precedes every measurement to come. `rest` sweeps precede the
 * first one, and whole rounds the others. */
static void judge(lm_recorder *rec, int64_t rest, int64_t measurements)
{
    if ((!rec->lattice->mixed && !lm_course_mixes(&rec->course, rest)) ||
        (measurements > 1 && !lm_course_mixes(&rec->course, rec->every)))
        rec->not_ergodic = 1;
}

/*
 * Makes at most `budget` sweeps: some whole records, or a portion of one. A portion that completes
 * a record ends with the record's measurement.
 */
static latmc_status record_portion(lm_recorder *rec, int64_t budget, int64_t *done)
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

static void fill_unreached(const lm_recorder *rec)
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

static latmc_status run(lm_recorder *rec, lm_floats *host)
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

/* ---- the call */

/* Allocates memory for the sums of `capacity` measurements, and for slots that move while
 * measurements are under way. */
static latmc_status prepare_out(lm_recorder *rec, const char *caller)
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

static latmc_status prepare(lm_recorder *rec, const char *caller)
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

static void end(lm_recorder *rec)
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
    lm_recorder rec = {.lattice = lattice, .asked = &asked};
    latmc_recorded done = {.size = sizeof done};
    latmc_status status = lm_recording_read(lattice, __func__, recording, recorded, &asked);

    if (!status)
        status = lm_recorder_check(&rec, __func__);
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
