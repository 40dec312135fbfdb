/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/sweep/pace.h"

#include <inttypes.h>
#include <time.h>

#include "lib/base/status.h"

static const double interval = 0.1; /* seconds */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

lm_pace lm_pace_begin(lm_watch *watch, lm_floats *host, int64_t total)
{
    lm_pace pace = {.watch = watch, .host = host, .total = total, .portion = total};

    int64_t some = watch->progress != NULL;

    if (lm_ranks_most(watch->ranks, 1, &some))
        some = 1;
    pace.in_portions = (int)some;
    if (pace.in_portions) {
        pace.portion = 1;
        pace.told = now();
    }
    return pace;
}

int64_t lm_pace_next(lm_pace *pace)
{
    const int64_t left = pace->total - pace->done;

    if (pace->in_portions)
        pace->began = now();
    return left < pace->portion ? left : pace->portion;
}

/* Returns a number of sweeps closer to one interval, changed by at most a factor of 8. */
static int64_t next_portion(int64_t sweeps, double seconds)
{
    double wish =
        seconds * 8.0 > interval ? (double)sweeps * interval / seconds : (double)sweeps * 8.0;

    return wish < 1.0 ? 1 : (int64_t)wish;
}

static int call(lm_watch *watch, lm_floats *host, int64_t done, int64_t total)
{
    int stop;

    watch->calling = 1;
    lm_floats_leave(host);
    stop = watch->progress(watch->user, done, total);
    lm_floats_again(host);
    watch->calling = 0;
    return stop != 0;
}

/* Calls the callback if it is time. */
static int tell(lm_pace *pace, double time)
{
    if (!pace->watch->progress || (time - pace->told < 0.8 * interval && pace->done < pace->total))
        return 0;
    pace->told = time;
    return call(pace->watch, pace->host, pace->done, pace->total);
}

int lm_pace_did(lm_pace *pace, int64_t sweeps)
{
    int64_t all[2];
    double time;

    pace->done += sweeps;
    if (!pace->in_portions)
        return 0;
    time = now();
    all[0] = next_portion(sweeps, time - pace->began);
    all[1] = tell(pace, time);
    if (lm_ranks_most(pace->watch->ranks, 2, all))
        return 1;
    pace->portion = all[0];
    return all[1] != 0;
}

latmc_status lm_pace_stopped(const char *caller, const lm_pace *pace)
{
    return lm_fail(LATMC_CANCELLED,
                   "%s: the progress callback stopped the call after %" PRId64 " of %" PRId64
                   " sweeps",
                   caller, pace->done, pace->total);
}
