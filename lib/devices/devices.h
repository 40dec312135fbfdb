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

/* The devices of a lattice, in the order of its pieces. They belong to one backend. A device may
 * come more than once. */
typedef struct lm_device_list {
    int count; /* 0: not chosen */
    const lm_device *devices[LM_MAX_DEVICES];
} lm_device_list;

int lm_device_lists_equal(const lm_device_list *a, const lm_device_list *b);
/* Writes the devices' name, "cuda:0,1", as far as it fits into `bytes` bytes. Returns the bytes
 * that the whole name takes. */
size_t lm_device_list_name(const lm_device_list *where, char *name, size_t bytes);

/* These give the list of devices, with the best choice first. The first call in the process makes
 * the list. */
int lm_device_count(void);
const lm_device *lm_device_at(int index);

/* The first returns the environment's choice in place of "auto", or NULL. The second returns what
 * messages call it. */
const char *lm_device_wish(void);
#define LM_DEVICE_WISH "environment variable LATMC_DEVICE"

/* Finds the usable devices with that name, or fails with the reason. "auto" means the first device
 * whose backend has a row for the key. A backend's name means its first device. A backend's name, a
 * colon and a list mean these devices. */
latmc_status lm_device_find(const char *caller, lm_backend_key key, const char *name,
                            lm_device_list *where);

#endif
