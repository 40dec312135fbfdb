/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker plays one case after another and tells its supervisor about each. It reads the cases'
 * texts from stdin and writes lines to stdout:
 *   ready                              it has opened all devices
 *   unusable REASON                    there is no such device: it ends
 *   broken REASON                      there is, and it does not work: it ends
 *   at SIDE STEP                       it begins a step of a case
 *   end SAME CPU CPU SWEPT.. | TEXT    it has played the case; the text says what differs
 */
#ifndef LM_RANDOM_WORKER_H
#define LM_RANDOM_WORKER_H

#include "tests/random/play.h"

typedef struct worker_setup {
    const char *device, *reference; /* "auto": scalar for small cases, otherwise the best CPU */
    const char *plant;
} worker_setup;

/* The exit status. */
int worker_run(const worker_setup *setup);

#endif
