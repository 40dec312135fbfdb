/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/divide/workers.h"

#include <stddef.h>

/* Returns the backend whose threads are the host's. Without one, the caller does all work alone. */
static const lm_backend *host(void)
{
    for (const lm_backend *const *b = lm_backends; *b; b++)
        if ((*b)->workers)
            return *b;
    return NULL;
}

int lm_workers(int threads, double nanoseconds)
{
    const lm_backend *const b = host();

    return b ? b->workers(threads, nanoseconds) : 1;
}

void lm_workers_share(int threads, int workers, int64_t count, lm_do_item *do_item, void *user)
{
    if (workers > 1) {
        host()->share(threads, workers, count, do_item, user);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        do_item(user, 0, i);
}
