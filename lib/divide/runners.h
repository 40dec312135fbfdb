/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs tasks on several devices, each device at its own pace. A runner is a thread of the host for
 * one device. All runners get the same tasks and do them in the order in which they were given. No
 * runner waits for another one. After the failure of a runner, all runners skip what is left.
 */
#ifndef LM_RUNNERS_H
#define LM_RUNNERS_H

#include <latmc/latmc.h>

typedef struct lm_runners lm_runners;

/* Does runner number `runner`'s part of a task. */
typedef latmc_status lm_run_task(void *user, int runner, const void *task);

/* Makes `count` runners for tasks of so many bytes. Returns NULL if there is no memory. The caller
 * frees them with lm_runners_free(), after lm_runners_end(). */
lm_runners *lm_runners_make(int count, size_t bytes, lm_run_task *do_task, void *user);
void lm_runners_free(lm_runners *runners);

/* Begins the threads if there are several runners. The caller of lm_runners_give() does the work of
 * runners that have no thread. */
void lm_runners_begin(lm_runners *runners);

/* Gives a task to all runners. The call waits while some runner is many tasks behind. A failure is
 * kept until lm_runners_end(). */
void lm_runners_give(lm_runners *runners, const void *task);

/* Waits until all tasks are done and ends the threads. Returns the first runner's failure. */
latmc_status lm_runners_end(lm_runners *runners);

#endif
