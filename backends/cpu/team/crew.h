/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares the crew: threads of the process that do jobs for callers of the library, and sleep
 * otherwise. They are made when they are first needed. They stay until the last thread ends that
 * has called for them. main()'s thread may also end by pthread_exit(), and then nothing else would
 * ever end the process.
 *
 * A worker is idle, or it belongs to a caller from lm_crew_take() to lm_crew_give_back(). A caller
 * may call its workers to job after job. Nobody waits for a worker that the host is not running. A
 * worker that has not begun when the caller has finished the job without it is sent away.
 */
#ifndef LM_CREW_H
#define LM_CREW_H

#include <pthread.h>
#include <signal.h>

typedef struct lm_worker lm_worker;
typedef void lm_crew_job(void *shared, int number);

/* Workers whose threads are made together and end together. */
typedef struct lm_recruits {
    lm_worker *workers; /* an array, */
    /* What the thread of worker number i does, until the worker is called to the job NULL. */
    void (*serve)(lm_worker *workers, int i);
    int count;        /* of which so many are wanted, */
    _Atomic int made; /* and the first so many have threads; -1: that is not known yet */
    _Atomic int dismissed;
    pthread_t opener;          /* the thread that creates their threads */
    sigset_t signals;          /* signals that the host has blocked, not the crew */
    struct lm_recruits *older; /* for crew.c */
} lm_recruits;

/* Takes at most `wanted` idle workers and returns their number. Before that the crew grows, as far
 * as the host can make threads. If the crew is smaller than `wanted`, it grows to `most`. `own` is
 * for a caller who gets workers whatever others have: if fewer than `wanted` are idle, the crew
 * grows until `most` are. */
int lm_crew_take(int wanted, int most, int own, lm_worker **workers);

/* Returns the next of the workers that were taken together, or NULL. */
lm_worker *lm_crew_next(const lm_worker *worker);

/* Gives back all workers that were taken together. They must be recalled. */
void lm_crew_give_back(lm_worker *workers);

/* Calls a worker to a job: job(shared, number). */
void lm_crew_call(lm_worker *worker, lm_crew_job *job, void *shared, int number);

/* Ends the job to which the worker was called. On return the job is done, or will never begin. */
void lm_crew_recall(lm_worker *worker);

/* recruit.c: makes threads that serve some of these workers, the first ones; sets `made`, and
 * returns it: all, or fewer if the host cannot make so many threads. */
int lm_recruit(lm_recruits *recruits);
/* Waits until the threads have ended, which were called to the job NULL. It is in recruit.c. */
void lm_recruits_leave(lm_recruits *recruits);

#endif
