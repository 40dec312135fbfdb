/* SPDX-License-Identifier: BSD-3-Clause */
/* All devices of all backends, and finding one by its name. */
#ifndef LM_DEVICES_H
#define LM_DEVICES_H

#include "lib/plan.h"

typedef struct lm_device {
    const lm_backend *backend;
    int index; /* in the backend's own list */
    latmc_device_info info;
} lm_device;

/* The list, best choice first; made by the first call in the process. */
int lm_device_count(void);
const lm_device *lm_device_at(int index);

/* What the environment asks for in the place of "auto", or NULL; what messages call it. */
const char *lm_device_wish(void);
#define LM_DEVICE_WISH "environment variable LATMC_DEVICE"

/* The usable device of that name ("auto": the first whose backend has a row for the key, a backend,
 * or a device), or the reason why there is none. */
latmc_status lm_device_find(const char *caller, lm_backend_key key, const char *name,
                            const lm_device **device);

#endif
