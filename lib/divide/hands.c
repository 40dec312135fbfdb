/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/divide/hands.h"

#include <stddef.h>

/* Returns the backend whose threads are the host's. Without one, the caller does all work alone. */
static const lm_backend *host(void)
{
    for (const lm_backend *const *b = lm_backends; *b; b++)
        if ((*b)->hands)
            return *b;
    return NULL;
}

int lm_hands(int threads, double nanoseconds)
{
    const lm_backend *const b = host();

    return b ? b->hands(threads, nanoseconds) : 1;
}

void lm_hands_share(int threads, int hands, int64_t count, lm_chore *chore, void *user)
{
    if (hands > 1) {
        host()->share(threads, hands, count, chore, user);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        chore(user, 0, i);
}
