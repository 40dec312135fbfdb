/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits for a word of memory to change: a short time awake, and then asleep. A thread that spins
 * while its peer is not running keeps the CPU from the threads it waits for.
 */
#ifndef LM_FUTEX_H
#define LM_FUTEX_H

#include <stdatomic.h>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <time.h>
#endif

/* Turns of lm_relax() before sleeping: some ten microseconds, the time of a sleep and a wake. Ten
 * times as many gain nothing on an idle host. On a busy host the waiting thread looks like work.
 * The scheduler then puts it more often on the core of the thread that it waits for. */
enum { LM_SPINS = 400 };

static inline void lm_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb"); /* as long as x86's; `yield` is over at once */
#endif
}

/* Sleeps until the thread is woken, if the word has that value. It may wake up earlier. */
static inline void lm_sleep_at(_Atomic int *word, int value)
{
#if defined(__linux__)
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, (void *)0, (void *)0, 0);
#else
    const struct timespec wait = {.tv_nsec = 50000};
    if (atomic_load(word) == value)
        nanosleep(&wait, NULL);
#endif
}

/* Wakes the thread that sleeps at the word. */
static inline void lm_wake_at(_Atomic int *word)
{
#if defined(__linux__)
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, (void *)0, (void *)0, 0);
#else
    (void)word;
#endif
}

#endif
