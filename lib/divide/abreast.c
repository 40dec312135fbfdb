/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/divide/abreast.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "lib/base/floats.h"
#include "lib/devices/plan.h"
#include "lib/base/status.h"
#include "lib/base/thread.h"

enum {
    WORTH_THREADS = 16, /* sweeps; creating a thread takes as long as queueing some phases */
    MOST = 16,          /* of threads */
    SPINS = 2000        /* turns of busy waiting, some microseconds, before the thread yields */
};

/* A run of all slabs. */
typedef struct row {
    lm_slabs *slabs;
    const lm_schedule *schedule;
    lm_cursor from;
    int64_t sweeps;
    _Atomic unsigned threads; /* 0: some threads do not exist yet */
    _Atomic unsigned come;    /* threads that have queued the present phase */
    _Atomic unsigned lap;
    _Atomic int failed;
    int ends; /* written by the thread that comes last, read before the next lap */
} row;

/* One thread of the run. It has every `threads`-th slab. */
typedef struct slab_thread {
    row *row;
    int first;
    latmc_status status;
    char message[LM_MESSAGE];
} slab_thread;

int lm_slabs_can_abreast(const lm_slabs *s, int64_t sweeps)
{
    int can = s->count > 1 && !s->ranks && sweeps >= WORTH_THREADS;

    for (int i = 0; i < s->count; i++)
        can &= s->plans[i].ops->slabs->queues && s->connected[2 * i] && s->connected[2 * i + 1];
    return can;
}

static void spin_until(const _Atomic unsigned *word, unsigned old)
{
    for (int turns = 0; atomic_load_explicit(word, memory_order_acquire) == old;)
        if (turns < SPINS)
            turns++;
        else
            sched_yield();
}

/* Waits until all threads have queued their phase. Returns whether to go on. The thread that comes
 * last decides for all. */
static int meet(row *r)
{
    const unsigned lap = atomic_load(&r->lap);

    if (atomic_fetch_add(&r->come, 1) + 1 < atomic_load(&r->threads)) {
        spin_until(&r->lap, lap);
        return !r->ends;
    }
    r->ends = atomic_load(&r->failed);
    const int ends = r->ends;
    atomic_store(&r->come, 0);
    atomic_store(&r->lap, lap + 1);
    return !ends;
}

static void keep_failure(slab_thread *p, latmc_status status)
{
    if (!status || p->status)
        return;
    p->status = status;
    memccpy(p->message, latmc_error_message(), '\0', sizeof p->message - 1);
    atomic_store(&p->row->failed, 1);
}

/* Queues a phase of this thread's slabs. The first phase begins a sweep. */
static void queue(slab_thread *p, const lm_job *job, int64_t k, int phase)
{
    const lm_slabs *s = p->row->slabs;
    const int counts = k == job->sweeps - 1;

    for (int i = p->first; i < s->count && !p->status; i += (int)atomic_load(&p->row->threads)) {
        const lm_plan plan = s->plans[i];

        if (phase == 0)
            keep_failure(p, plan.ops->slabs->begin(plan.self, job->update, counts));
        if (!p->status)
            keep_failure(p, plan.ops->slabs->update(plan.self, job->update, job->first_sweep + k,
                                                    phase, LM_WHOLE));
    }
}

static int queue_job(slab_thread *p, const lm_job *job)
{
    const lm_plan any = p->row->slabs->plans[0];
    const int phases = any.ops->slabs->phases(any.self, job->update);

    for (int64_t k = 0; k < job->sweeps; k++)
        for (int phase = 0; phase < phases; phase++) {
            queue(p, job, k, phase);
            if (!meet(p->row))
                return 0;
        }
    return 1;
}

static void queue_all(slab_thread *p)
{
    lm_cursor at = p->row->from;
    int64_t left = p->row->sweeps;
    int goes_on = 1;

    while (left > 0 && goes_on) {
        const lm_job job = lm_schedule_next(p->row->schedule, &at, left);

        goes_on = queue_job(p, &job);
        left -= job.sweeps;
    }
}

static void *begin_thread(void *given)
{
    LM_FLOATS;
    slab_thread *p = given;

    spin_until(&p->row->threads, 0);
    queue_all(p);
    return NULL;
}

void lm_slabs_sweep_abreast(lm_slabs *s, const lm_schedule *schedule, lm_cursor *cursor,
                            int64_t sweeps)
{
    row r = {.slabs = s, .schedule = schedule, .from = *cursor, .sweeps = sweeps};
    slab_thread slab_threads[MOST] = {{.row = &r}};
    pthread_t threads[MOST];
    int made = 1;

    for (; made < MOST && made < s->count; made++) {
        slab_threads[made] = (slab_thread){.row = &r, .first = made};
        if (lm_thread_begin(&threads[made], begin_thread, &slab_threads[made]))
            break;
    }
    atomic_store(&r.threads, (unsigned)made);
    queue_all(&slab_threads[0]);
    for (int i = 1; i < made; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < made; i++)
        if (slab_threads[i].status && !s->failed)
            s->failed = lm_fail(slab_threads[i].status, "%s", slab_threads[i].message);
    lm_cursor_move(schedule, cursor, sweeps);
}
