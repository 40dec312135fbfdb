/* SPDX-License-Identifier: BSD-3-Clause */
/* Time series: sweeps and measurements in turn. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/course.h"
#include "lib/floats.h"
#include "lib/status.h"

/* One call of latmc_record(). */
typedef struct recording {
    latmc_lattice *lattice;
    lm_course course;
    int64_t every, records; /* sweeps of a record; records */
    int64_t total;          /* sweeps: those of an unfinished round are done */
    int count;
    const lm_entry **observables;
    unsigned groups; /* of sums, that they need, .. */
    unsigned planes; /* .. and that lib/planes.h makes, one measurement at a time */
    double *series;
    double *sums; /* of `room` measurements; once they are taken, of the last one */
    int64_t room;
    int64_t recorded; /* measurements done */
    int64_t swept;    /* sweeps since the last of them */
} recording;

/* Measurements whose sums fit a core's first cache: what is measured is stored by replica, but may
 * come by measurement. */
static int64_t stored_at_once(const latmc_lattice *lattice)
{
    const int64_t fit = ((int64_t)1 << 12) / lm_sums_count(lattice);

    return fit < 1 ? 1 : fit;
}

/* Measurements that a plan makes before any is stored: about 2 MiB of sums, which some cache has
 * until then. */
static int64_t room_for(const latmc_lattice *lattice, int64_t records)
{
    const int64_t fit = ((int64_t)1 << 18) / lm_sums_count(lattice);

    return fit < 1 ? 1 : fit < records ? fit : records;
}

/* The observables of replica number i of the order from the sums of some measurements. */
static void store_values(const recording *rec, int64_t i, const lm_taken *some, int64_t first,
                         int64_t end)
{
    const latmc_lattice *lat = rec->lattice;
    const int64_t r = lm_replica_at(lat, i);
    double params[LM_MAX_PARAMS];

    lm_params_of(lat, lat->slots[r], params);
    const lm_reading reading =
        lm_reading_at(lat, r, params, some->first + first * some->step + r * some->apart);
    for (int o = 0; o < rec->count; o++)
        lm_entry_values(rec->observables[o], reading, some->step, end - first,
                        rec->series + (o * lat->replicas + i) * rec->records + rec->recorded +
                            first);
}

static void keep_last(recording *rec, const lm_taken *some)
{
    const double *last = some->first + (some->count - 1) * some->step;
    const int k = lm_sums_of(rec->lattice);

    for (int64_t r = 0; r < rec->lattice->replicas; r++)
        memmove(rec->sums + r * k, last + r * some->apart, (size_t)k * sizeof *last);
}

/* Observables from the sums of the measurements after the `recorded`th. */
static void take(void *taker, const lm_taken *some)
{
    recording *rec = taker;
    const latmc_lattice *lat = rec->lattice;
    const int64_t step = some->step > lm_sums_of(lat) ? stored_at_once(lat) : some->count;

    for (int64_t first = 0; first < some->count; first += step)
        for (int64_t i = 0; i < lat->replicas; i++)
            store_values(rec, i, some, first,
                         first + step < some->count ? first + step : some->count);
    keep_last(rec, some);
    rec->recorded += some->count;
    rec->swept = 0;
}

/* What the last sweep changed, if it was measured. */
static void note_changes(const recording *rec)
{
    latmc_lattice *lat = rec->lattice;
    const int k = lm_sums_of(lat);

    lat->changed_pending = !(rec->groups & lm_model_changes(lat->model));
    for (int64_t r = 0; r < lat->replicas && !lat->changed_pending; r++)
        lat->changed[r] = rec->sums[r * k + k - 1];
}

/* A plan that streams and has no place of its own hands over as many as are stored at once. */
static int64_t taken_at_once(const recording *rec)
{
    const int64_t most = stored_at_once(rec->lattice);

    return rec->lattice->place.plan.ops->streams && most < rec->room ? most : rec->room;
}

/* Notes whether all measurements to come have ergodic sweeps before them: `rest` before the first,
 * whole rounds before the others. */
static void judge(recording *rec, int64_t rest, int64_t measurements)
{
    if ((!rec->lattice->mixed && !lm_course_mixes(&rec->course, rest)) ||
        (measurements > 1 && !lm_course_mixes(&rec->course, rec->every)))
        rec->lattice->not_ergodic = 1;
}

/* Waves of planes are measured after the sums of the one measurement, and before anything is
 * stored. */
static void hold(void *taker, const lm_taken *some)
{
    keep_last(taker, some);
}

/* Sweeps and measurements, `rest` sweeps before each. */
static latmc_status measure_after(recording *rec, int64_t rest, int64_t measurements)
{
    const lm_out out = {.every = rest,
                        .groups = rec->groups,
                        .sums = rec->sums,
                        .room = taken_at_once(rec),
                        .take = rec->planes ? hold : take,
                        .taker = rec};
    latmc_status status = lm_course_record(&rec->course, measurements, &out);

    if (status || !rec->planes)
        return status;
    status = lm_plane_waves_measure(rec->lattice, rec->course.caller);
    if (!status)
        take(rec, &(lm_taken){rec->sums, measurements, lm_sums_count(rec->lattice),
                              lm_sums_of(rec->lattice)});
    return status;
}

/*
 * At most `budget` sweeps: some whole records, or a part of one; a part that completes a
 * record ends with its measurement.
 */
static latmc_status piece(recording *rec, int64_t budget, int64_t *done)
{
    latmc_lattice *lat = rec->lattice;
    const int64_t rest = rec->every - rec->swept;
    int64_t measurements = rec->swept || budget < rec->every ? 1 : budget / rec->every;
    latmc_status status;

    if (budget < rest) {
        *done = budget;
        rec->swept += budget;
        status = lm_course_sweep(&rec->course, budget);
        return status ? status : lm_course_exchange(&rec->course);
    }
    if (!lm_course_is_steady(&rec->course) || lm_best_groups(lat) || rec->planes)
        measurements = 1;
    judge(rec, rest, measurements);
    status = measure_after(rec, rest, measurements);
    if (status)
        return status;
    *done = rest + (measurements - 1) * rec->every;
    lat->mixed = 0;
    note_changes(rec);
    return lm_best_look(lat, rec->course.caller, rec->sums);
}

static void fill_unreached(recording *rec)
{
    const int64_t columns = rec->count * rec->lattice->replicas;

    for (int64_t c = 0; c < columns; c++)
        for (int64_t t = rec->recorded; t < rec->records; t++)
            rec->series[c * rec->records + t] = (double)NAN;
}

static latmc_status run(recording *rec, const char *caller, lm_floats *host)
{
    latmc_lattice *lat = rec->lattice;
    latmc_status status = lm_everywhere(lat, lm_course_prepare(&rec->course, rec->total));
    lm_pace pace;

    if (status)
        return status;
    lat->not_ergodic = 0;
    pace = lm_pace_begin(&lat->watch, host, rec->total);
    while (!status && pace.done < pace.total) {
        int64_t done = 0;

        status = lm_everywhere(lat, piece(rec, lm_pace_next(&pace), &done));
        if (!status && lm_pace_did(&pace, done)) {
            fill_unreached(rec);
            status = lm_stopped(caller, &pace);
        }
    }
    return status;
}

static latmc_status check(recording *rec, const char *caller, latmc_update update,
                          const latmc_observable *wanted)
{
    latmc_lattice *lat = rec->lattice;
    latmc_status status;

    if (!wanted || !rec->series)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       wanted ? "series" : "observables");
    if (rec->every < 1 || rec->records < 1 || rec->count < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: every is %" PRId64 ", records is %" PRId64
                       " and count is %d; each must be at least 1",
                       caller, rec->every, rec->records, rec->count);
    status = lm_course_begin(&rec->course, lat, caller, update);
    if (!status)
        status = lm_groups_of(lat, caller, rec->count, wanted, &rec->groups);
    rec->groups |= lm_best_groups(lat);
    if (!status)
        status = lm_course_length(&rec->course, rec->every, rec->records, &rec->total);
    if (status)
        return status;
    rec->planes = rec->groups & lm_representation_of(lat)->by_planes;
    rec->groups &= ~rec->planes;
    rec->every *= rec->course.schedule.round;
    rec->swept = rec->every * rec->records - rec->total;
    return LATMC_OK;
}

static latmc_status prepare(recording *rec, const char *caller, const latmc_observable *wanted)
{
    const latmc_lattice *lat = rec->lattice;
    const int64_t numbers = room_for(lat, rec->records) * lm_sums_count(lat);

    rec->room = room_for(lat, rec->records);
    rec->observables =
        lm_zeroed(caller, "a list of observables", rec->count, sizeof *rec->observables);
    rec->sums = rec->observables
                    ? lm_zeroed(caller, "the sums of measurements", numbers, sizeof *rec->sums)
                    : NULL;
    if (!rec->sums)
        return LATMC_ERROR_MEMORY;
    if (rec->planes && lm_plane_waves_prepare(rec->lattice, caller))
        return LATMC_ERROR_MEMORY;
    for (int o = 0; o < rec->count; o++)
        rec->observables[o] = lm_thing_find(lat->model, LATMC_OBSERVABLES, (int)wanted[o]);
    return LATMC_OK;
}

latmc_status latmc_record(latmc_lattice *lattice, latmc_update update, int64_t every,
                          int64_t records, int count, const latmc_observable *observables,
                          double *series)
{
    LM_FLOATS;
    recording rec = {
        .lattice = lattice, .every = every, .records = records, .count = count, .series = series};
    latmc_status status = lm_need_started(lattice, __func__);

    if (!status)
        status = check(&rec, __func__, update, observables);
    if (!status)
        status = prepare(&rec, __func__, observables);
    if (!status)
        status = run(&rec, __func__, &lm_host);
    lm_course_end(&rec.course);
    free(rec.observables);
    free(rec.sums);
    return lm_everywhere(lattice, status);
}
