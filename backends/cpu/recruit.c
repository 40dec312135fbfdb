/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the crew's threads come from: they are OpenMP's, so that OMP_PROC_BIND, OMP_PLACES,
 * OMP_STACKSIZE and OMP_THREAD_LIMIT say of them what they say of any. But an OpenMP library
 * spins at the ends of every parallel region until all its threads have come, which costs
 * other processes their CPU; it ends the process where it cannot make a thread; and its
 * threads do not outlive fork(). So there is one region, which never ends: the workers stay in
 * it and sleep in their own way (crew.c). Before it as many plain threads are made and ended,
 * which is allowed to fail.
 *
 * A thread of the library's opens the region, so that no thread of the host's is bound to it.
 */
#include "backends/cpu/crew.h"

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "backends/cpu/futex.h"

/* ---- the trial */

typedef struct trial {
    pthread_t thread;
    _Atomic int id; /* of the kernel, 0 until it is known */
    pthread_mutex_t *gate;
} trial;

static void *stand_the_trial(void *arg)
{
    trial *t = arg;
#if defined(__linux__)
    atomic_store(&t->id, (int)syscall(SYS_gettid));
#endif
    pthread_mutex_lock(t->gate);
    pthread_mutex_unlock(t->gate);
    return NULL;
}

/* A thread that was joined counts against the host's limits until the kernel has no trace of it. */
static void see_off(const trial *t)
{
    pthread_join(t->thread, NULL);
#if defined(__linux__)
    for (int i = 0; i < 10000; i++) {
        if (syscall(SYS_tgkill, getpid(), atomic_load(&t->id), 0) != 0)
            return;
        sched_yield();
    }
#endif
}

/* How many threads, at most `count`, can be there at the same time? */
static int try_threads(int count)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    trial *trials = calloc((size_t)count, sizeof *trials);
    int made = 0;
    if (!trials)
        return 0;
    pthread_mutex_lock(&gate);
    for (; made < count; made++) {
        trials[made].gate = &gate;
        if (pthread_create(&trials[made].thread, NULL, stand_the_trial, &trials[made]) != 0)
            break;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < made; i++)
        see_off(&trials[i]);
    free(trials);
    return made;
}

/* ---- the region */

/* What the thread that opens it is told, and what it answers. There is one at a time (crew.c), and
 * the workers never look at it. */
static struct {
    lm_worker *workers;
    int count;
    _Atomic int made; /* -1: no answer yet */
} order;

static void answer(int made)
{
    atomic_store(&order.made, made);
    lm_wake_at(&order.made);
}

/* Thread 0 stands in for the callers, on whose processor OpenMP has put it if it binds threads. */
static void *open_region(void *unused)
{
    lm_worker *const workers = order.workers;
    const int wanted = order.count + 1;
    (void)unused;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(wanted)
    {
        const int thread = omp_get_thread_num(), there = omp_get_num_threads();
        if (thread > 0)
            lm_crew_serve(lm_crew_at(workers, thread - 1));
        answer(there - 1);
        while (there > 1)
            pause();
    }
    return NULL;
}

static int order_region(lm_worker *workers, int count)
{
    /* OpenMP libraries keep some hundred bytes of each thread on the stack. */
    const size_t stack = ((size_t)256 + (size_t)count) * 1024 / 4096 * 4096;
    pthread_attr_t attributes;
    pthread_t thread;
    size_t preset = 0;
    int status = pthread_attr_init(&attributes);
    if (status)
        return 0;
    order.workers = workers;
    order.count = count;
    atomic_store(&order.made, -1);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getstacksize(&attributes, &preset);
    if (preset < stack)
        pthread_attr_setstacksize(&attributes, stack);
    status = pthread_create(&thread, &attributes, open_region, NULL);
    pthread_attr_destroy(&attributes);
    return status == 0;
}

/* The host's signals are none of the crew's business, but for those of errors and of profilers. */
static void block_signals(sigset_t *old)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF};
    sigset_t others;
    sigfillset(&others);
    for (unsigned i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&others, own[i]);
    pthread_sigmask(SIG_BLOCK, &others, old);
}

int lm_recruit(lm_worker *workers, int count)
{
    sigset_t old;
    int can, made = 0;
    block_signals(&old);
    can = try_threads(count + 1) - 1; /* one opens the region */
    if (can > 0 && order_region(workers, can)) {
        while (atomic_load(&order.made) < 0)
            lm_sleep_at(&order.made, -1);
        made = atomic_load(&order.made);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return made;
}
#else
int lm_recruit(lm_worker *workers, int count)
{
    (void)workers;
    (void)count;
    return 0;
}
#endif
