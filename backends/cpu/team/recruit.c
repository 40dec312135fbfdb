/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creates the crew's threads as OpenMP's. So OMP_PROC_BIND, OMP_PLACES, OMP_STACKSIZE and
 * OMP_THREAD_LIMIT hold for them, too. But OpenMP libraries have three faults. At the end of every
 * parallel region they spin until all threads have come, which costs other processes their CPU.
 * They end the process if they cannot make a thread. Their threads do not survive fork(). So there
 * is only one region, which ends when nobody is left to call the workers. The workers stay in it
 * and sleep in their own way (crew.c). Before the region, as many plain threads are made and ended,
 * which is allowed to fail.
 *
 * One of the library's own threads opens the region, so no thread of the host is bound to it.
 */
#define _GNU_SOURCE /* pthread_getattr_np */

#include "backends/cpu/team/crew.h"

#ifdef _OPENMP
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/team/futex.h"

/* ---- the trial */

typedef struct trial {
    pthread_t thread;
    _Atomic int id; /* the kernel's number of the thread, 0 until it is known */
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

/* Waits until a joined thread is gone from the kernel. Until then it counts against the host's
 * limits. */
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

/* Reads a size as OMP_STACKSIZE has it: a number and B, K, M or G, where none means K. Returns 0
 * for anything else, which OpenMP libraries ignore. */
static size_t parse_size(const char *text)
{
    static const char units[] = "bkmg";
    const char *unit = units + 1;
    char *end;
    const unsigned long long number = strtoull(text, &end, 10);
    int shift;
    if (end == text)
        return 0;
    end += strspn(end, " \t");
    if (*end)
        unit = strchr(units, *end++ | 0x20);
    shift = unit ? 10 * (int)(unit - units) : 0;
    if (!unit || end[strspn(end, " \t")] || number > SIZE_MAX >> shift)
        return 0;
    return (size_t)number << shift;
}

/* Sets the stack size that OpenMP's threads will have. It may be more than there is memory for, or
 * too small for a thread of this process. */
static void order_stacks(pthread_attr_t *attributes)
{
    static const char *const names[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};
    size_t bytes = 0;
    for (unsigned i = 0; i < sizeof names / sizeof names[0] && bytes == 0; i++) {
        const char *text = getenv(names[i]);
        bytes = text ? parse_size(text) : 0;
    }
    if (bytes > 0)
        pthread_attr_setstacksize(attributes, bytes); /* it may be refused, as in OpenMP */
}

/* Returns how many threads, at most `count`, can exist at the same time. */
static int try_threads(int count)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    trial *trials = calloc((size_t)count, sizeof *trials);
    pthread_attr_t attributes;
    int made = 0;
    if (!trials)
        return 0;
    if (pthread_attr_init(&attributes) != 0) {
        free(trials);
        return 0;
    }
    order_stacks(&attributes);
    pthread_mutex_lock(&gate);
    for (; made < count; made++) {
        trials[made].gate = &gate;
        if (pthread_create(&trials[made].thread, &attributes, stand_the_trial, &trials[made]) != 0)
            break;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < made; i++)
        see_off(&trials[i]);
    pthread_attr_destroy(&attributes);
    free(trials);
    return made;
}

/* ---- the region */

/* The stack that a call of the library may need (tests/lib/test_stack.c). OMP_STACKSIZE may give
 * less. */
enum { LEAST_STACK = 65536 };

static int has_stack(void)
{
#if defined(__GLIBC__)
    pthread_attr_t attributes;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return 0;
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
    return bytes >= LEAST_STACK;
#else
    return 1;
#endif
}

static void answer(lm_recruits *r, int made)
{
    atomic_store(&r->made, made);
    lm_wake_at(&r->made);
}

/* Opens the region. Thread 0 stands for the callers: if OpenMP binds threads, it has put thread 0
 * on the callers' processor. */
static void *open_region(void *recruits)
{
    lm_recruits *const r = recruits;
    const int wanted = r->count + 1;
    _Atomic int cramped = 0;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(wanted)
    {
        const int thread = omp_get_thread_num(), there = omp_get_num_threads();
        if (thread > 0 && !has_stack())
            atomic_store(&cramped, 1);
#pragma omp barrier
        if (atomic_load(&cramped)) {
            if (thread == 0)
                answer(r, 0);
        } else if (thread > 0) {
            r->serve(r->workers, thread - 1);
            pthread_sigmask(SIG_SETMASK, &r->signals, NULL); /* LLVM's library keeps the thread */
        } else {
            answer(r, there - 1);
            while (there > 1 && !atomic_load(&r->dismissed))
                lm_sleep_at(&r->dismissed, 0);
        }
    }
    return NULL;
}

static int order_region(lm_recruits *r)
{
    /* OpenMP libraries keep some hundred bytes for each thread on the stack. */
    const size_t stack = ((size_t)256 + (size_t)r->count) * 1024 / 4096 * 4096;
    pthread_attr_t attributes;
    size_t preset = 0;
    int status = pthread_attr_init(&attributes);
    if (status)
        return 0;
    atomic_store(&r->made, -1);
    pthread_attr_getstacksize(&attributes, &preset);
    if (preset < stack)
        pthread_attr_setstacksize(&attributes, stack);
    status = pthread_create(&r->opener, &attributes, open_region, r);
    pthread_attr_destroy(&attributes);
    return status == 0;
}

/* Blocks the host's signals, which are not for the crew, except those of errors and of
 * profilers. */
static void block_signals(sigset_t *old)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF};
    sigset_t others;
    sigfillset(&others);
    for (unsigned i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&others, own[i]);
    pthread_sigmask(SIG_BLOCK, &others, old);
}

int lm_recruit(lm_recruits *r)
{
    atomic_store(&r->made, 0);
    block_signals(&r->signals);
    r->count = try_threads(r->count + 1) - 1; /* one of them opens the region */
    if (r->count > 0 && order_region(r)) {
        while (atomic_load(&r->made) < 0)
            lm_sleep_at(&r->made, -1);
        if (atomic_load(&r->made) == 0)
            pthread_join(r->opener, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &r->signals, NULL);
    return atomic_load(&r->made);
}

void lm_recruits_leave(lm_recruits *r)
{
    atomic_store(&r->dismissed, 1);
    lm_wake_at(&r->dismissed);
    pthread_join(r->opener, NULL);
}
#else
int lm_recruit(lm_recruits *r)
{
    (void)r;
    return 0;
}

void lm_recruits_leave(lm_recruits *r)
{
    (void)r;
}
#endif
