/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates the library's own threads. They block all signals, which are the host's. */
#ifndef LM_THREAD_H
#define LM_THREAD_H

#include <pthread.h>
#include <signal.h>

/* Does what pthread_create() does. The thread blocks all signals. */
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
