/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks what a recording asks for, and finds its sweeps. */
#include <inttypes.h>

#include "lib/base/abi.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/need.h"
#include "lib/measure/best.h"
#include "lib/measure/pairs.h"
#include "lib/measure/quantity.h"
#include "lib/measure/reading.h"
#include "lib/settings/slots.h"
#include "lib/sweep/recorder.h"

/* Compares the ranks' arguments. With different lists, ranks would wait for each other's
 * measurements. */
static void give(const lm_recorder *rec)
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

latmc_status lm_recording_read(latmc_lattice *lattice, const char *caller,
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
static latmc_status check_quantities(lm_recorder *rec)
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
static latmc_status check_stride(const lm_recorder *rec)
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
static latmc_status check_sweeps(lm_recorder *rec)
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

latmc_status lm_recorder_check(lm_recorder *rec, const char *caller)
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
