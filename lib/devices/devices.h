/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists all devices of all backends, and finds one by its name. */
#ifndef LM_DEVICES_H
#define LM_DEVICES_H

#include "lib/devices/plan.h"

#define LM_MAX_THREADS 4096

typedef struct lm_device {
    const lm_backend *backend;
    int index; /* in the backend's own list */
    latmc_device_info info;
} lm_device;

/* The most devices of a lattice in this process. */
enum { LM_MAX_DEVICES = 64 };

/* Devices of one backend that a lattice lies on, in the order of its pieces; one may come more than
 * once. */
typedef struct lm_where {
    int count; /* 0: not chosen */
    const lm_device *devices[LM_MAX_DEVICES];
} lm_where;

int lm_where_is(const lm_where *a, const lm_where *b);
/* Their name, "cuda:0,1": writes what fits into `bytes` bytes and returns those that it takes. */
size_t lm_where_name(const lm_where *where, char *name, size_t bytes);

/* The list, best choice first; made by the first call in the process. */
int lm_device_count(void);
const lm_device *lm_device_at(int index);

/* What the environment asks for in the place of "auto", or NULL; what messages call it. */
const char *lm_device_wish(void);
#define LM_DEVICE_WISH "environment variable LATMC_DEVICE"

/* The usable devices of that name ("auto": the first one whose backend has a row for the key, a
 * backend: its first one, or a backend's name, a colon and a list of devices), or the reason why
 * they cannot be had. */
latmc_status lm_device_find(const char *caller, lm_backend_key key, const char *name,
                            lm_where *where);

#endif
