/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the library's own: signals are for the host's. */
#ifndef LM_THREAD_H
#define LM_THREAD_H

#include <pthread.h>
#include <signal.h>

/* As pthread_create(); the thread has all signals blocked. */
static inline int lm_thread_begin(pthread_t *thread, void *(*begin)(void *), void *given)
{
    sigset_t all, before;
    int error;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    error = pthread_create(thread, NULL, begin, given);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

#endif
