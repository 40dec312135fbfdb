/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "backends/cpu/barrier.h"

#include <sched.h>
#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* Some microseconds, the price of a sleep and a wake. Ten times as many gain nothing on an idle
 * host, and on a busy one the waiting thread looks like work, so that the scheduler more
 * often puts it on the core of the thread that it waits for. */
enum { SPINS = 400 };

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void sleep_while(_Atomic int *word, int value)
{
#if defined(__linux__)
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, (void *)0, (void *)0, 0);
#else
    (void)word;
    (void)value;
    sched_yield();
#endif
}

static void wake_all(_Atomic int *word)
{
#if defined(__linux__)
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 0x7FFFFFFF, (void *)0, (void *)0, 0);
#else
    (void)word;
#endif
}

void lm_barrier_wait(lm_barrier *b)
{
    const int round = atomic_load(&b->round);
    if (atomic_fetch_add(&b->arrived, 1) == b->threads - 1) {
        atomic_store(&b->arrived, 0);
        atomic_store(&b->round, round + 1);
        if (atomic_load(&b->sleeping) > 0)
            wake_all(&b->round);
        return;
    }
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&b->round, memory_order_acquire) != round)
            return;
        relax();
    }
    atomic_fetch_add(&b->sleeping, 1);
    while (atomic_load(&b->round) == round)
        sleep_while(&b->round, round);
    atomic_fetch_sub(&b->sleeping, 1);
}
