/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the public streams of random numbers. It checks orders and passes them to devices. */
#include <inttypes.h>
#include <string.h>

#include "lib/base/abi.h"
#include "lib/base/floats.h"
#include "lib/base/status.h"
#include "lib/devices/devices.h"

enum { STREAM_BITS = 56 };

static latmc_status check_order(const char *caller, const lm_numbers *order, int64_t threads,
                                const void *numbers)
{
    const int bytes = lm_random_bytes(order->kind);

    if (!bytes)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: kind is %d; %d to %d, the values of latmc_random_kind, are allowed",
                       caller, (int)order->kind, LATMC_RANDOM_WORDS, LATMC_RANDOM_GAUSSIAN_DOUBLE);
    if (threads < 0 || threads > LM_MAX_THREADS)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: threads is %" PRId64
                       "; 1 to %d, or 0 for the library's choice, are allowed",
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
    lm_device_list where;
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

/* Reads the request and checks it, with the memory that it is for. */
static latmc_status read_request(const char *caller, const latmc_random_request *given,
                                 const void *numbers, latmc_random_request *request,
                                 lm_numbers *order)
{
    latmc_status status;

    if (!given)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: request is NULL", caller);
    status = lm_struct_check(caller, "latmc_random_request", given->size,
                             LM_SIZE_THROUGH(latmc_random_request, count));
    if (!status)
        status = lm_struct_read(caller, "latmc_random_request", given, request, sizeof *request);
    if (status)
        return status;
    if (request->reserved)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: reserved is %d; it must be 0", caller,
                       (int)request->reserved);
    *order = (lm_numbers){.kind = (latmc_random_kind)request->kind,
                          .seed = request->seed,
                          .stream = request->stream,
                          .first = request->first,
                          .count = request->count};
    return check_order(caller, order, request->threads, numbers);
}

latmc_status latmc_random_fill(const latmc_random_request *request, void *numbers)
{
    LM_FLOATS;
    latmc_random_request known;
    lm_numbers order;
    const lm_device *found = NULL;
    latmc_status status = read_request(__func__, request, numbers, &known, &order);

    if (!status)
        status = find(__func__, known.device, &found);
    if (status || order.count == 0)
        return status;
    return lm_fail_in(__func__,
                      found->backend->random(found->index, (int)known.threads, &order, numbers));
}
