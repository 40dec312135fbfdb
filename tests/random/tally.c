/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/tally.h"

#include <inttypes.h>
#include <stdio.h>

static const double interval = 10.0; /* seconds between two lines */

const char *outcome_name(outcome o)
{
    static const char *const names[] = {
        [OUTCOME_SAME] = "same",
        [OUTCOME_LEFT_OUT] = "left out",
        [OUTCOME_DIFFERENT] = "difference",
        [OUTCOME_HUNG] = "hang",
        [OUTCOME_DIED] = "death",
    };

    return names[o];
}

void tally_add(tally *t, uint64_t number, const verdict *v)
{
    const double seconds = v->cpu[0] + v->cpu[1];

    t->runs++;
    t->of[v->outcome]++;
    for (int i = 0; i < 2; i++)
        t->cpu[i] += v->cpu[i];
    if (seconds > t->slowest) {
        t->slowest = seconds;
        t->slowest_number = number;
    }
    for (int k = 0; k < kernels_count(); k++) {
        t->lattices[k] += v->swept[k] > 0;
        t->sweeps[k] += v->swept[k];
    }
}

int64_t tally_failures(const tally *t)
{
    return t->runs - t->of[OUTCOME_SAME] - t->of[OUTCOME_LEFT_OUT];
}

static void sum_up(const tally *t)
{
    printf("%" PRId64 " runs in %.1f s: %" PRId64 " differences, %" PRId64 " hangs, %" PRId64
           " deaths\n",
           t->runs, supervise_clock() - t->began, t->of[OUTCOME_DIFFERENT], t->of[OUTCOME_HUNG],
           t->of[OUTCOME_DIED]);
    if (t->of[OUTCOME_LEFT_OUT])
        printf("%" PRId64 " of them cannot be divided among the devices and were left out\n",
               t->of[OUTCOME_LEFT_OUT]);
}

void tally_progress(tally *t)
{
    if (supervise_clock() - t->told < interval)
        return;
    t->told = supervise_clock();
    sum_up(t);
    fflush(stdout);
}

void tally_report(const tally *t)
{
    const double runs = t->runs > 0 ? (double)t->runs : 1.0;

    sum_up(t);
    printf("CPU time of a run: %.1f ms on the reference, %.1f ms on the device under test; the "
           "longest, case %" PRIu64 ", %.2f s\n",
           1e3 * t->cpu[0] / runs, 1e3 * t->cpu[1] / runs, t->slowest_number, t->slowest);
    for (int k = 0; k < kernels_count(); k++)
        if (t->lattices[k] > 0)
            printf("kernel %s: %" PRId64 " lattices, %" PRId64 " sweeps\n", kernels_name(k),
                   t->lattices[k], t->sweeps[k]);
}
