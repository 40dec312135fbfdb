/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/devices/devices.h"

#include <inttypes.h>
#include <pthread.h>

#include "lib/base/abi.h"
#include "lib/base/status.h"

enum { MAX_DEVICES = 64 };

/* It is written once, under pthread_once(), and only read afterwards. */
static lm_device devices[MAX_DEVICES];
static int device_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_list(void)
{
    for (int b = 0; lm_backends[b]; b++) {
        const lm_backend *backend = lm_backends[b];
        int count = backend->count();

        for (int i = 0; i < count && device_count < MAX_DEVICES; i++) {
            lm_device *d = &devices[device_count++];

            d->backend = backend;
            d->index = i;
            d->info.size = sizeof d->info;
            backend->describe(i, &d->info);
        }
    }
}

int lm_device_count(void)
{
    pthread_once(&once, make_list);
    return device_count;
}

const lm_device *lm_device_at(int index)
{
    return &devices[index];
}

latmc_status latmc_count_devices(int64_t *count)
{
    if (!count)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: count is NULL", __func__);
    *count = lm_device_count();
    return LATMC_OK;
}

latmc_status latmc_describe_device(int64_t number, latmc_device_info *info)
{
    latmc_status status;

    if (!info)
        return lm_fail(LATMC_ERROR_ARGUMENT, "latmc_describe_device: info is NULL");
    status = lm_struct_check(__func__, "latmc_device_info", info->size,
                             LM_SIZE_THROUGH(latmc_device_info, text));
    if (status)
        return status;
    if (number < 0 || number >= lm_device_count())
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "latmc_describe_device: device number %" PRId64
                       " was asked for; there are 0 to %d",
                       number, lm_device_count() - 1);
    lm_struct_write(info, &devices[number].info, sizeof *info);
    return LATMC_OK;
}
