/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps lattices, portion by portion. */
#include <inttypes.h>

#include "lib/base/floats.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/lattice/need.h"
#include "lib/measure/best.h"
#include "lib/sweep/course.h"
#include "lib/sweep/pace.h"

static latmc_status sweep(lm_course *course, lm_floats *host, int64_t rounds)
{
    int64_t sweeps = 0;
    latmc_status status =
        lm_course_length(course, 1, rounds, lm_course_cursor(course).done, &sweeps);
    lm_pace pace;

    if (!status)
        status = lm_course_prepare(course, sweeps);
    status = lm_everywhere(course->lattice, status);
    if (status)
        return status;
    pace = lm_pace_begin(&course->lattice->watch, host, sweeps);
    while (!status && pace.done < pace.total) {
        const int64_t portion = lm_pace_next(&pace);

        status = lm_course_sweep(course, portion);
        if (!status)
            status = lm_course_exchange(course);
        status = lm_everywhere(course->lattice, status);
        if (!status && lm_pace_did(&pace, portion))
            status = lm_pace_stopped(course->caller, &pace);
    }
    return status ? status : lm_best_measure(course->lattice, course->caller);
}

latmc_status latmc_sweep(latmc_lattice *lattice, latmc_update update, int64_t sweeps)
{
    LM_FLOATS;
    latmc_status status = lm_need_started(lattice, __func__);
    lm_course course;

    if (status)
        return status;
    lm_given_integer(lattice->ranks, "sweeps", sweeps);
    status = lm_course_begin(&course, lattice, __func__, update);
    if (!status && sweeps < 0)
        status = lm_fail(LATMC_ERROR_ARGUMENT, "%s: sweeps is %" PRId64 "; 0 or more are allowed",
                         __func__, sweeps);
    if (!status)
        status = sweep(&course, &lm_host, sweeps);
    lm_course_end(&course);
    return lm_everywhere(lattice, status);
}
