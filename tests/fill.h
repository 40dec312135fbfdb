/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc_random_fill() by what a request has, in C and in CUDA. */
#ifndef LM_TESTS_FILL_H
#define LM_TESTS_FILL_H

#include <latmc/latmc.h>

static inline latmc_status random_fill(const char *device, int64_t threads, latmc_random_kind kind,
                                       uint64_t seed, uint64_t stream, int64_t first, int64_t count,
                                       void *numbers)
{
    latmc_random_request request = LATMC_INIT(latmc_random_request);

    request.device = device;
    request.threads = threads;
    request.kind = kind;
    request.seed = seed;
    request.stream = stream;
    request.first = first;
    request.count = count;
    return latmc_random_fill(&request, numbers);
}

#endif
