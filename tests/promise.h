/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs that this machine is said to have: the environment variable LATMC_TEST_GPUS is their number.
 * A test that cannot use one of them fails, where it would otherwise be skipped. */
#ifndef LM_TESTS_PROMISE_H
#define LM_TESTS_PROMISE_H

#include <stdlib.h>
#include <string.h>

/* What a test says then, with the name of the device. */
#define PROMISE_BROKEN "LATMC_TEST_GPUS promises %s, but it cannot be used\n"

/* Whether all GPUs of a list such as cuda:0,1 are promised. */
static inline int promised(const char *device)
{
    const char *gpus = getenv("LATMC_TEST_GPUS");
    const long count = gpus ? strtol(gpus, NULL, 10) : 0;

    if (!device || strncmp(device, "cuda:", 5) != 0)
        return 0;
    for (const char *at = device + 5; *at; at += strcspn(at, ",-"), at += *at != 0)
        if (strtol(at, NULL, 10) >= count)
            return 0;
    return 1;
}

#endif
