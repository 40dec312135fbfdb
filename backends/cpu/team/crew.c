/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps the process's threads, which work for one caller after another. A caller and a worker agree
 * through the worker's state:
 *
 *   IDLE      no job, and its thread looks at the state
 *   ASLEEP    no job, and its thread sleeps
 *   CALLED    there is a job, which has not begun
 *   WORKING   the job has begun
 *   AWAITED   likewise, and the caller sleeps until it is over
 *
 *   from      to        by whom, where
 *   IDLE      ASLEEP    the worker, rest()
 *   IDLE      CALLED    the caller, lm_crew_call()
 *   ASLEEP    CALLED    the caller, lm_crew_call(), which wakes the thread
 *   CALLED    WORKING   the worker, serve()
 *   CALLED    IDLE      the caller, lm_crew_recall(): the worker comes too late
 *   WORKING   AWAITED   the caller, lm_crew_recall()
 *   WORKING   IDLE      the worker, serve()
 *   AWAITED   IDLE      the worker, serve(), which wakes the caller
 *
 * - Each step is one atomic operation. It names the states that it may start from. So if caller
 *   and worker want to leave CALLED at once, exactly one of them does. If it is the caller, the job
 *   does not begin, whatever the thread was about to do. If it is the worker, the caller waits. So
 *   no job begins after lm_crew_recall(), and none is going on then.
 * - The worker's caller writes job, argument and number in IDLE and ASLEEP, which the caller alone
 *   may leave towards a job. The worker reads them in WORKING. A thread may be woken for a
 *   job that was called off. It finds the next job, or none, and has read nothing of the old one.
 * - A thread that sleeps is woken. Only the worker itself sets ASLEEP, and the caller that takes
 *   this state away wakes the thread before it can recall it. A thread that has set ASLEEP and does
 *   not sleep yet will not fall asleep, because the kernel compares the state.
 * - Worker and caller do not sleep at the state at the same time. The worker sleeps in ASLEEP, and
 *   the caller in AWAITED.
 * - Between jobs a worker touches only its own lm_worker, which is freed when its thread has ended.
 *   What it touches in a job belongs to its caller, which waits until jobs that have begun are
 *   over.
 * - The caller sees what a job has written after it has recalled the worker. The worker's step to
 *   IDLE releases, and recalling acquires. This holds also from ASLEEP, which the same thread has
 *   set later.
 */
#include "backends/cpu/team/crew.h"

#include <stdlib.h>

#include "backends/cpu/team/futex.h"
#include "lib/base/floats.h"

enum { IDLE, ASLEEP, CALLED, WORKING, AWAITED };

struct lm_worker {
    _Alignas(64) _Atomic int state; /* each state is on a cache line of its own */
    int number;
    lm_crew_job *job;
    void *shared;
    lm_worker *next; /* the next worker that is idle, or that was taken together with this one */
};

/* The lock protects these members, except from what a child of fork() does to them.
 *
 * A full crew stays full, even if the host could make more threads later. Near the host's limits
 * each attempt risks the process (recruit.c). */
static struct {
    pthread_mutex_t lock, growth; /* a thread that holds both has taken `growth` first */
    lm_worker *idle;
    lm_recruits *newest;  /* all recruits that were made */
    lm_recruits *parents; /* recruits from here on were a parent's, before fork() */
    int size;             /* workers that have a thread */
    int resting;          /* idle workers among them */
    int full;             /* 1: the host has made fewer threads than were wanted */
    int callers;          /* living threads that have called for workers */
    int stays;            /* 1: the end of some such thread will not be seen */
} crew = {.lock = PTHREAD_MUTEX_INITIALIZER, .growth = PTHREAD_MUTEX_INITIALIZER};

/* ---- workers */

static void rest(lm_worker *w)
{
    int idle = IDLE;
    for (int i = 0; i < LM_SPINS; i++) {
        if (atomic_load_explicit(&w->state, memory_order_relaxed) == CALLED)
            return;
        lm_relax();
    }
    if (!atomic_compare_exchange_strong(&w->state, &idle, ASLEEP))
        return;
    while (atomic_load(&w->state) == ASLEEP)
        lm_sleep_at(&w->state, ASLEEP);
}

static void serve(lm_worker *workers, int i)
{
    lm_worker *w = workers + i;
    lm_floats host = lm_floats_enter();
    for (;;) {
        int called = CALLED;
        rest(w);
        if (!atomic_compare_exchange_strong(&w->state, &called, WORKING))
            continue;
        if (!w->job)
            break;
        w->job(w->shared, w->number);
        if (atomic_exchange(&w->state, IDLE) == AWAITED)
            lm_wake_at(&w->state);
    }
    atomic_store(&w->state, IDLE);
    lm_floats_leave(&host);
}

/* ---- their callers */

void lm_crew_call(lm_worker *w, lm_crew_job *job, void *shared, int number)
{
    w->job = job;
    w->shared = shared;
    w->number = number;
    if (atomic_exchange(&w->state, CALLED) == ASLEEP)
        lm_wake_at(&w->state);
}

static int works(lm_worker *w)
{
    return atomic_load_explicit(&w->state, memory_order_acquire) >= WORKING;
}

void lm_crew_recall(lm_worker *w)
{
    int called = CALLED, working = WORKING;
    if (atomic_compare_exchange_strong(&w->state, &called, IDLE))
        return;
    for (int i = 0; i < LM_SPINS; i++) {
        if (!works(w))
            return;
        lm_relax();
    }
    atomic_compare_exchange_strong(&w->state, &working, AWAITED);
    while (works(w))
        lm_sleep_at(&w->state, AWAITED);
}

/* ---- recruits */

static lm_recruits *new_recruits(int count)
{
    lm_recruits *r = malloc(sizeof *r);
    lm_worker *w = aligned_alloc(_Alignof(lm_worker), (size_t)count * sizeof *w);
    if (!r || !w) {
        free(r);
        free(w);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        w[i] = (lm_worker){.next = i + 1 < count ? w + i + 1 : NULL};
    *r = (lm_recruits){.workers = w, .serve = serve, .count = count};
    return r;
}

/* Frees recruits. Their threads have ended, if there were any: IDLE was the last state that they
 * wrote. */
static void forget_recruits(lm_recruits *r)
{
    for (int i = 0; i < r->count; i++)
        atomic_load(&r->workers[i].state);
    free(r->workers);
    free(r);
}

/* ---- who calls it */

static struct {
    pthread_once_t once;
    int forgets_after_fork;
    int knows_callers;
    pthread_key_t caller; /* not NULL in a thread that is counted */
} host = {.once = PTHREAD_ONCE_INIT};

/* Forgets a parent's threads. It does not matter any more whose workers they were. */
static void forget(void)
{
    crew.lock = crew.growth = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    crew.idle = NULL;
    crew.parents = crew.newest;
    crew.size = crew.resting = crew.full = 0;
    crew.callers = host.knows_callers && pthread_getspecific(host.caller);
}

/* Ends workers that nobody has and nobody can take any more. */
static void disband(lm_worker *idle, lm_recruits *recruits, const lm_recruits *end)
{
    for (lm_worker *w = idle, *next; w; w = next) {
        next = w->next;
        lm_crew_call(w, NULL, NULL, 0);
    }
    for (lm_recruits *r = recruits, *older; r != end; r = older) {
        older = r->older;
        lm_recruits_leave(r);
        forget_recruits(r);
    }
}

/* Is called at the end of a thread that was counted. If another thread has ended while it had
 * workers, these stay. */
static void leave(void *unused)
{
    lm_worker *idle = NULL;
    lm_recruits *newest;
    (void)unused;
    pthread_mutex_lock(&crew.growth); /* no new recruits before the old ones are gone */
    pthread_mutex_lock(&crew.lock);
    newest = crew.parents;
    if (--crew.callers == 0 && crew.resting == crew.size && !crew.stays) {
        idle = crew.idle;
        newest = crew.newest;
        crew.idle = NULL;
        crew.newest = crew.parents;
        crew.size = crew.resting = 0;
    }
    pthread_mutex_unlock(&crew.lock);
    disband(idle, newest, crew.parents);
    pthread_mutex_unlock(&crew.growth);
}

static void prepare(void)
{
    host.forgets_after_fork = pthread_atfork(NULL, NULL, forget) == 0;
    host.knows_callers = pthread_key_create(&host.caller, leave) == 0;
}

/* Counts the calling thread. The caller has the lock. */
static void count_caller(void)
{
    if (host.knows_callers && pthread_getspecific(host.caller))
        return;
    if (host.knows_callers && pthread_setspecific(host.caller, &crew) == 0)
        crew.callers++;
    else
        crew.stays = 1;
}

/* ---- the crew */

lm_worker *lm_crew_next(const lm_worker *w)
{
    return w->next;
}

/* Returns how many workers must be made for a caller. */
static int missing(int wanted, int most, int own)
{
    const int have = own ? crew.resting : crew.size;
    return have < wanted && !crew.full ? most - have : 0;
}

static void add(lm_recruits *r, int made)
{
    r->older = crew.newest;
    crew.newest = r;
    r->workers[made - 1].next = crew.idle;
    crew.idle = r->workers;
    crew.size += made;
    crew.resting += made;
}

/* Makes workers. It gives the lock up meanwhile, because making threads takes time. Only one caller
 * at a time makes workers. When it has the lock again, it takes its workers before any other caller
 * does. */
static void grow(int wanted, int most, int own)
{
    int by;
    pthread_mutex_unlock(&crew.lock);
    pthread_mutex_lock(&crew.growth);
    pthread_mutex_lock(&crew.lock);
    by = missing(wanted, most, own); /* counted again after earlier callers */
    if (by > 0) {
        lm_recruits *r;
        int made;
        pthread_mutex_unlock(&crew.lock);
        r = host.forgets_after_fork ? new_recruits(by) : NULL;
        made = r ? lm_recruit(r) : 0;
        pthread_mutex_lock(&crew.lock);
        if (made > 0) {
            add(r, made);
        } else if (r) {
            forget_recruits(r);
        }
        crew.full = made < by;
    }
    pthread_mutex_unlock(&crew.growth);
}

int lm_crew_take(int wanted, int most, int own, lm_worker **workers)
{
    lm_worker **end = &crew.idle;
    int count = 0;
    pthread_once(&host.once, prepare);
    pthread_mutex_lock(&crew.lock);
    count_caller();
    if (missing(wanted, most, own) > 0)
        grow(wanted, most, own);
    for (; count < wanted && *end; count++)
        end = &(*end)->next;
    *workers = count > 0 ? crew.idle : NULL;
    if (count > 0) {
        crew.idle = *end;
        *end = NULL;
    }
    crew.resting -= count;
    pthread_mutex_unlock(&crew.lock);
    return count;
}

void lm_crew_give_back(lm_worker *workers)
{
    lm_worker *last = workers;
    int count = 1;
    for (; last->next; count++)
        last = last->next;
    pthread_mutex_lock(&crew.lock);
    last->next = crew.idle;
    crew.idle = workers;
    crew.resting += count;
    pthread_mutex_unlock(&crew.lock);
}
