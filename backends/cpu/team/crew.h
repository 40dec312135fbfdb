/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The crew: threads of the process that do jobs for whoever calls the library, and sleep
 * otherwise. They are made when they are first needed, and stay until the last thread ends that has
 * called for them: main()'s too may end by pthread_exit(), and then nothing else would ever end the
 * process.
 *
 * A worker is either idle or some caller's, from lm_crew_take() to lm_crew_give_back(). A caller
 * may call its workers to job after job. Nobody waits for a worker that the host is not running:
 * one that has not begun when the caller has finished the job without it is sent away.
 */
#ifndef LM_CREW_H
#define LM_CREW_H

#include <pthread.h>
#include <signal.h>

typedef struct lm_worker lm_worker;
typedef void lm_crew_job(void *shared, int number);

/* Workers whose threads are made, and end, together. */
typedef struct lm_recruits {
    lm_worker *workers; /* an array, */
    /* What the thread of worker number i does, until the worker is called to the job NULL. */
    void (*serve)(lm_worker *workers, int i);
    int count;        /* of which so many are wanted, */
    _Atomic int made; /* and the first so many have threads; -1: that is not known yet */
    _Atomic int dismissed;
    pthread_t opener;          /* the thread that they come from */
    sigset_t signals;          /* that the host has blocked, not the crew */
    struct lm_recruits *older; /* crew.c's */
} lm_recruits;

/* At most `wanted` workers, as many as are idle; returns their number. Before that the crew grows,
 * as far as the host can make threads: if it is smaller than `wanted`, to `most`; or, for a caller
 * who is to have his own whatever others have, if less than `wanted` are idle, until `most` are. */
int lm_crew_take(int wanted, int most, int own, lm_worker **workers);

/* The next of the workers that were taken together, or NULL. */
lm_worker *lm_crew_next(const lm_worker *worker);

/* Gives back all that were taken together. They must be settled. */
void lm_crew_give_back(lm_worker *workers);

/* Calls a worker to a job: job(shared, number). */
void lm_crew_call(lm_worker *worker, lm_crew_job *job, void *shared, int number);

/* When this returns the job that the worker was called to is over: done, or never begun. */
void lm_crew_settle(lm_worker *worker);

/* recruit.c: makes threads that serve some of these workers, the first ones; sets `made`, and
 * returns it: all, or fewer if the host cannot make so many threads. */
int lm_recruit(lm_recruits *recruits);
/* recruit.c: waits until the threads have left, which were called to the job NULL. */
void lm_recruits_leave(lm_recruits *recruits);

#endif
