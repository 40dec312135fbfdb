/* SPDX-License-Identifier: BSD-3-Clause */
/* Public streams of random numbers. It checks orders and passes them to devices. */
#include <inttypes.h>
#include <string.h>

#include "lib/base/floats.h"
#include "lib/base/status.h"
#include "lib/devices/devices.h"

enum { STREAM_BITS = 56 };

static latmc_status check_order(const char *caller, const lm_numbers *order, int threads,
                                const void *numbers)
{
    const int bytes = lm_random_bytes(order->kind);

    if (!bytes)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: kind is %d; %d to %d, the values of latmc_random_kind, are allowed",
                       caller, (int)order->kind, LATMC_RANDOM_WORDS, LATMC_RANDOM_GAUSSIAN_DOUBLE);
    if (threads < 0 || threads > LM_MAX_THREADS)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: threads is %d; 1 to %d, or 0 for the library's choice, are allowed",
                       caller, threads, LM_MAX_THREADS);
    if (order->stream >> STREAM_BITS)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: stream is %" PRIu64 "; it must be below 2^%d",
                       caller, order->stream, STREAM_BITS);
    if (order->first < 0 || order->count < 0 || order->count > INT64_MAX - order->first)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %" PRId64 " numbers from number %" PRId64
                       " on; there are numbers 0 to 2^63 - 2 in a stream",
                       caller, order->count, order->first);
    if (order->count && !numbers)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: numbers is NULL", caller);
    if (order->count && (uint64_t)order->count > SIZE_MAX / 2 / (uint64_t)bytes)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: %" PRId64 " numbers of %d bytes are more than memory can have", caller,
                       order->count, bytes);
    if ((uintptr_t)numbers % (uintptr_t)bytes)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: numbers is %p, which is not a multiple of %d bytes, their size", caller,
                       (const void *)numbers, bytes);
    return LATMC_OK;
}

/* Finds the one device with that name. */
static latmc_status find(const char *caller, const char *name, const lm_device **device)
{
    const lm_backend_key any = {(latmc_model)0, (lm_kept)0};
    lm_where where;
    latmc_status status;

    if (!name || strcmp(name, "auto") == 0)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: device is %s; it must be the name of the device whose memory numbers "
                       "is, such as \"cpu\" or \"cuda:0\"",
                       caller, name ? "\"auto\"" : "NULL");
    status = lm_device_find(caller, any, name, &where);
    if (status)
        return status;
    if (where.count > 1)
        return lm_fail(
            LATMC_ERROR_ARGUMENT,
            "%s: device is \"%.64s\", which are %d devices; numbers must be memory of one", caller,
            name, where.count);
    *device = where.devices[0];
    if (!(*device)->backend->random)
        return lm_fail(LATMC_ERROR_NO_DEVICE,
                       "%s: devices of the kind %s make no random numbers for their users", caller,
                       (*device)->backend->name);
    return LATMC_OK;
}

latmc_status latmc_random_fill(const char *device, int threads, latmc_random_kind kind,
                               uint64_t seed, uint64_t stream, int64_t first, int64_t count,
                               void *numbers)
{
    LM_FLOATS;
    const lm_numbers order = {
        .kind = kind, .seed = seed, .stream = stream, .first = first, .count = count};
    const lm_device *found = NULL;
    latmc_status status = check_order(__func__, &order, threads, numbers);

    if (!status)
        status = find(__func__, device, &found);
    if (status || count == 0)
        return status;
    return lm_fail_in(__func__, found->backend->random(found->index, threads, &order, numbers));
}
