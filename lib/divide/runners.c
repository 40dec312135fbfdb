/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/divide/runners.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/base/thread.h"

enum { MOST = 64 }; /* tasks that a runner may be behind */

typedef struct runner {
    lm_runners *all;
    int number;
    int has_thread;
    pthread_t thread;
    int64_t done; /* tasks that it has done or skipped */
    latmc_status status;
    char message[LM_MESSAGE];
} runner;

struct lm_runners {
    lm_run_task *do_task;
    void *user;
    size_t bytes; /* of a task */
    int count;
    /* The lock protects these members and runner.done. */
    pthread_mutex_t lock;
    pthread_cond_t given_some, done_some;
    int64_t given;
    int ends, failed;
    char *tasks; /* a ring: task number n is at n % MOST */
    runner runners[];
};

lm_runners *lm_runners_make(int count, size_t bytes, lm_run_task *do_task, void *user)
{
    lm_runners *all = lm_zeroed(NULL, "the runners of devices", 1,
                                sizeof *all + (size_t)count * sizeof *all->runners);

    if (!all)
        return NULL;
    *all = (lm_runners){.do_task = do_task,
                        .user = user,
                        .bytes = bytes,
                        .count = count,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .given_some = PTHREAD_COND_INITIALIZER,
                        .done_some = PTHREAD_COND_INITIALIZER};
    for (int i = 0; i < count; i++)
        all->runners[i] = (runner){.all = all, .number = i};
    all->tasks = lm_zeroed(NULL, "the tasks of devices", MOST, bytes);
    if (all->tasks)
        return all;
    free(all);
    return NULL;
}

void lm_runners_free(lm_runners *all)
{
    if (all)
        free(all->tasks);
    free(all);
}

/* Does a task. It keeps a failure's message, which would be lost with the thread. */
static void do_task(runner *r, const void *task)
{
    r->status = r->all->do_task(r->all->user, r->number, task);
    if (r->status)
        memccpy(r->message, latmc_error_message(), '\0', sizeof r->message - 1);
}

/* Does the runner's next task. The caller has the lock, and has it again afterwards. */
static void do_next(runner *r)
{
    lm_runners *all = r->all;
    const int skips = all->failed;

    pthread_mutex_unlock(&all->lock);
    if (!skips)
        do_task(r, all->tasks + (size_t)(r->done % MOST) * all->bytes);
    pthread_mutex_lock(&all->lock);
    all->failed |= r->status != LATMC_OK;
    r->done++;
    pthread_cond_signal(&all->done_some);
}

static void *begin_runner(void *given)
{
    LM_FLOATS;
    runner *r = given;
    lm_runners *all = r->all;

    pthread_mutex_lock(&all->lock);
    while (r->done < all->given || !all->ends)
        if (r->done < all->given)
            do_next(r);
        else
            pthread_cond_wait(&all->given_some, &all->lock);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

void lm_runners_begin(lm_runners *all)
{
    for (int i = 0; i < all->count && all->count > 1; i++) {
        runner *r = &all->runners[i];

        r->has_thread = !lm_thread_begin(&r->thread, begin_runner, r);
    }
}

/* Returns whether all runners are less than MOST tasks behind. */
static int have_room(const lm_runners *all)
{
    int room = 1;

    for (int i = 0; i < all->count; i++)
        room &= all->given - all->runners[i].done < MOST;
    return room;
}

void lm_runners_give(lm_runners *all, const void *task)
{
    pthread_mutex_lock(&all->lock);
    while (!have_room(all))
        pthread_cond_wait(&all->done_some, &all->lock);
    memcpy(all->tasks + (size_t)(all->given % MOST) * all->bytes, task, all->bytes);
    all->given++;
    pthread_cond_broadcast(&all->given_some);
    for (int i = 0; i < all->count; i++)
        if (!all->runners[i].has_thread)
            do_next(&all->runners[i]);
    pthread_mutex_unlock(&all->lock);
}

latmc_status lm_runners_end(lm_runners *all)
{
    latmc_status status = LATMC_OK;

    pthread_mutex_lock(&all->lock);
    all->ends = 1;
    pthread_cond_broadcast(&all->given_some);
    pthread_mutex_unlock(&all->lock);
    for (int i = 0; i < all->count; i++) {
        runner *r = &all->runners[i];

        if (r->has_thread)
            pthread_join(r->thread, NULL);
        if (r->status && !status)
            status = lm_fail(r->status, "%s", r->message);
        r->has_thread = 0;
        r->status = LATMC_OK;
    }
    all->ends = all->failed = 0;
    return status;
}
