/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cpu/team/team.h"

#include <sched.h>
#include <stddef.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- how many */

lm_team_worth lm_worth = {.call = 200e3, .call_share = 75e3, .lap_share = 5e3, .chunk = 2e3};

#ifdef _OPENMP
static int least(int a, int b)
{
    return a < b ? a : b;
}

int lm_team_most(int wanted, double call)
{
    if (wanted == 1 || call < lm_worth.call ||
        omp_get_active_level() >= omp_get_max_active_levels())
        return 1;
    if (wanted == 0)
        wanted = least(omp_get_num_procs(), omp_get_max_threads());
    return least(wanted, omp_get_thread_limit());
}
#else
int lm_team_most(int wanted, double call)
{
    (void)wanted;
    (void)call;
    return 1;
}
#endif

int lm_team_size(int most, double call, double lap)
{
    double size = most;
    if (call < lm_worth.call)
        return 1;
    if (size * lm_worth.call_share > call)
        size = call / lm_worth.call_share;
    if (size * lm_worth.lap_share > lap)
        size = lap / lm_worth.lap_share;
    return size < 1.0 ? 1 : (int)size;
}

/* ---- laps */

/*
 * A thread takes a chunk by advancing the share's number in one step, so each chunk is taken once.
 * The number says to which lap it belongs. A share whose number is of an older lap has not
 * begun. No member is of an older lap than the share: laps follow each other, and the caller
 * begins one when nobody is at work on the last one.
 */
static int take_from(lm_thread_share *share, uint32_t lap, int64_t count, int64_t *chunk)
{
    uint64_t now = atomic_load_explicit(&share->next, memory_order_relaxed);
    uint64_t next;
    do {
        next = now >> 32 == lap ? now & 0xFFFFFFFFu : 0;
        if ((int64_t)next >= count)
            return 0;
    } while (!atomic_compare_exchange_weak_explicit(&share->next, &now,
                                                    (uint64_t)lap << 32 | (next + 1),
                                                    memory_order_relaxed, memory_order_relaxed));
    *chunk = (int64_t)next;
    return 1;
}

int lm_team_take(lm_member *m, int64_t chunks, int64_t *chunk)
{
    lm_team *t = m->team;
    if (t->threads == 1) {
        *chunk = t->next++;
        return *chunk < chunks;
    }
    for (int k = 0; k < t->share_count; k++) {
        const int p = (m->thread + k) % t->share_count;
        const int64_t first = p * chunks / t->share_count;
        const int64_t count = (p + 1) * chunks / t->share_count - first;
        if (take_from(&t->shares[p], t->lap, count, chunk)) {
            *chunk += first;
            return 1;
        }
    }
    return 0;
}

int lm_team_waits;

static void join(void *team, int number)
{
    lm_team *t = team;
    lm_member m = {.team = t, .thread = number};
    if (lm_team_waits) {
        atomic_fetch_add(&t->came, 1);
        while (atomic_load(&t->came) < t->threads)
            sched_yield();
    }
    t->task(&m, t->shared);
}

/* Lap 0 is never used. */
static void begin_shares(lm_team *t)
{
    for (int p = 0; p < t->share_count; p++)
        atomic_store_explicit(&t->shares[p].next, 0, memory_order_relaxed);
}

/*
 * A worker that never comes has taken no chunk, and the caller has done its part. A worker that has
 * come is done when it is recalled. So when the lap is over, every chunk is done and nobody reads
 * the team.
 */
void lm_team_lap(lm_team *t, lm_team_task *task, const void *shared)
{
    int number = 0;
    /* Lap 0 comes again after 2^32 laps. A share that was idle for all of them would look
     * begun. */
    if (++t->lap == 0 && t->threads > 1) {
        begin_shares(t);
        t->lap = 1;
    }
    t->task = task;
    t->shared = shared;
    t->next = 0;
    atomic_store_explicit(&t->came, 0, memory_order_relaxed);
    for (lm_worker *w = t->workers; w; w = lm_crew_next(w))
        lm_crew_call(w, join, t, ++number);
    join(t, t->first);
    for (lm_worker *w = t->workers; w; w = lm_crew_next(w))
        lm_crew_recall(w);
}

/* ---- members */

void lm_team_alone(lm_team *t, int thread)
{
    t->threads = 1;
    t->first = thread;
    t->lap = 0;
    t->workers = NULL;
}

void lm_team_gather(lm_team *t, int set, int most, int threads)
{
    lm_team_alone(t, 0);
    if (threads > 1)
        t->threads += lm_crew_take(threads - 1, most - 1, set > 0, &t->workers);
    t->share_count = t->threads < LM_TEAM_SHARES ? t->threads : LM_TEAM_SHARES;
    begin_shares(t);
}

void lm_team_dismiss(lm_team *t)
{
    if (t->workers)
        lm_crew_give_back(t->workers);
    t->workers = NULL;
}

/* ---- work of others */

int lm_team_workers(int set, double nanoseconds)
{
    return lm_team_size(lm_team_most(set, nanoseconds), nanoseconds, nanoseconds);
}

typedef struct items {
    int64_t count;
    lm_do_item *do_item;
    void *user;
} items;

static void do_items(lm_member *m, const void *shared)
{
    const items *w = shared;
    int64_t i;
    while (lm_team_take(m, w->count, &i))
        w->do_item(w->user, m->thread, i);
}

void lm_team_share(int set, int workers, int64_t count, lm_do_item *do_item, void *user)
{
    const items w = {count, do_item, user};
    lm_team team;
    lm_team_gather(&team, set, workers, workers);
    lm_team_lap(&team, do_items, &w);
    lm_team_dismiss(&team);
}
