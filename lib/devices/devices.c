/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/devices/devices.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/abi.h"
#include "lib/base/status.h"
#include "lib/base/text.h"
#include "lib/devices/plan.h"

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

/* ---- finding a device by its name */

/* The backends with which this library can be built. */
static const char *const known_backends[] = {"cpu", "cuda"};

/* Returns whether the first `length` bytes of `text` are the name. */
static int is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* Returns the first usable device of a backend, or of all backends that have a row for the key. */
static const lm_device *first_usable(const char *backend, lm_backend_key key)
{
    for (int i = 0; i < lm_device_count(); i++) {
        const lm_device *d = lm_device_at(i);

        if (d->info.usable && (backend ? strcmp(d->backend->name, backend) == 0
                                       : lm_backend_row(d->backend, key) != NULL))
            return d;
    }
    return NULL;
}

static const lm_device *of_name(const char *name)
{
    for (int i = 0; i < lm_device_count(); i++)
        if (strcmp(lm_device_at(i)->info.name, name) == 0)
            return lm_device_at(i);
    return NULL;
}

/* Lists the devices of a backend, whose name is the first `length` bytes of `name`. Length 0 lists
 * all devices. Devices that cannot be used come with the reason. */
static void list_devices(const char *name, size_t length, char *text, size_t bytes)
{
    text[0] = '\0';
    for (int i = 0; i < lm_device_count(); i++) {
        const lm_device *d = lm_device_at(i);

        if (length && !is_name(d->backend->name, name, length))
            continue;
        lm_append(text, bytes, text[0] ? ", " : "");
        lm_append(text, bytes, d->info.name);
        if (!d->info.usable) {
            lm_append(text, bytes, " (not usable: ");
            lm_append(text, bytes, d->info.text);
            lm_append(text, bytes, ")");
        }
    }
}

static int is_known_backend(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof known_backends / sizeof known_backends[0]; i++)
        if (is_name(known_backends[i], name, length))
            return 1;
    return 0;
}

static int is_compiled_in(const char *name, size_t length)
{
    for (int b = 0; lm_backends[b]; b++)
        if (is_name(lm_backends[b]->name, name, length))
            return 1;
    return 0;
}

static latmc_status refuse(const char *caller, const char *name)
{
    const size_t length = strcspn(name, ":");
    const lm_device *d = of_name(name);
    char list[768];

    if (d)
        return lm_fail(LATMC_ERROR_NO_DEVICE, "%s: %s cannot be used: %s", caller, d->info.name,
                       d->info.text);
    if (!is_known_backend(name, length)) {
        list_devices(name, 0, list, sizeof list);
        return lm_fail(LATMC_ERROR_NO_DEVICE, "%s: there is no device \"%.64s\"; there are: %s",
                       caller, name, list);
    }
    if (!is_compiled_in(name, length))
        return lm_fail(LATMC_ERROR_NO_DEVICE,
                       "%s: \"%.64s\" cannot be used: this library was built without %.*s", caller,
                       name, (int)length, name);
    list_devices(name, length, list, sizeof list);
    return lm_fail(LATMC_ERROR_NO_DEVICE, "%s: \"%.64s\" is not a device; devices of %.*s are: %s",
                   caller, name, (int)length, name, list[0] ? list : "none");
}

/* ---- lists */

static latmc_status add(const char *caller, const char *all, const lm_device *device,
                        lm_device_list *where)
{
    if (where->count == LM_MAX_DEVICES)
        return lm_fail(LATMC_ERROR_NO_DEVICE,
                       "%s: \"%.64s\" names more than %d devices, the most that a lattice may have",
                       caller, all, LM_MAX_DEVICES);
    where->devices[where->count++] = device;
    return LATMC_OK;
}

static latmc_status add_named(const char *caller, const char *all, const char *name,
                              lm_device_list *where)
{
    const lm_device *d = of_name(name);

    return d && d->info.usable ? add(caller, all, d, where) : refuse(caller, name);
}

/* Reads "0-3", a range of devices' numbers. The second number must not be below the first. */
static int is_range(const char *item, long *first, long *last)
{
    int end = 0;

    return sscanf(item, "%3ld-%3ld%n", first, last, &end) == 2 && item[end] == '\0' &&
           item[0] != '-' && *first >= 0 && *first <= *last;
}

static latmc_status add_range(const char *caller, const char *all, const char *backend, long first,
                              long last, lm_device_list *where)
{
    latmc_status status = LATMC_OK;
    char name[64];

    for (long i = first; i <= last && !status; i++) {
        snprintf(name, sizeof name, "%s:%ld", backend, i);
        status = add_named(caller, all, name, where);
    }
    return status;
}

static latmc_status add_all(const char *caller, const char *all, const char *backend,
                            lm_device_list *where)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < lm_device_count() && !status; i++) {
        const lm_device *d = lm_device_at(i);

        if (d->info.usable && strcmp(d->backend->name, backend) == 0)
            status = add(caller, all, d, where);
    }
    return status || where->count ? status : refuse(caller, all);
}

/* Adds the text between two commas. */
static latmc_status add_item(const char *caller, const char *all, const char *backend,
                             const char *item, lm_device_list *where)
{
    char name[64];
    long first, last;

    if (strcmp(item, "all") == 0)
        return add_all(caller, all, backend, where);
    if (is_range(item, &first, &last))
        return add_range(caller, all, backend, first, last, where);
    snprintf(name, sizeof name, "%s:%s", backend, item);
    return add_named(caller, all, name, where);
}

static latmc_status find_list(const char *caller, const char *name, lm_device_list *where)
{
    const char *at = strchr(name, ':');
    const int length = (int)(at - name);
    char backend[24], item[32];
    latmc_status status = LATMC_OK;

    if (length >= (int)sizeof backend)
        return refuse(caller, name);
    snprintf(backend, sizeof backend, "%.*s", length, name);
    do {
        const size_t bytes = strcspn(++at, ",");

        if (bytes == 0 || bytes >= sizeof item)
            return refuse(caller, name);
        snprintf(item, sizeof item, "%.*s", (int)bytes, at);
        status = add_item(caller, name, backend, item, where);
        at += bytes;
    } while (!status && *at);
    return status;
}

static latmc_status find_explicit(const char *caller, const char *name, lm_device_list *where)
{
    const lm_device *d;
    latmc_status status;

    lm_device_list found = {.count = 0};

    if (strchr(name, ':')) {
        status = find_list(caller, name, &found);
    } else {
        d = first_usable(name, (lm_backend_key){(latmc_model)0, (lm_kept)0});
        status = d ? add(caller, name, d, &found) : refuse(caller, name);
    }
    if (!status)
        *where = found;
    return status;
}

int lm_device_lists_equal(const lm_device_list *a, const lm_device_list *b)
{
    return a->count == b->count &&
           memcmp(a->devices, b->devices, (size_t)a->count * sizeof a->devices[0]) == 0;
}

size_t lm_device_list_name(const lm_device_list *where, char *name, size_t bytes)
{
    size_t length = 0;

    for (int i = 0; i < where->count; i++) {
        const char *own = where->devices[i]->info.name;
        const size_t left = length < bytes ? bytes - length : 0;

        if (i)
            own = strchr(own, ':') + 1;
        length += (size_t)snprintf(left ? name + length : NULL, left, "%s%s", i ? "," : "", own);
    }
    return length + 1;
}

const char *lm_device_wish(void)
{
    const char *wish = getenv("LATMC_DEVICE");

    return wish && wish[0] && strcmp(wish, "auto") != 0 ? wish : NULL;
}

latmc_status lm_device_find(const char *caller, lm_backend_key key, const char *name,
                            lm_device_list *where)
{
    const char *const wish = lm_device_wish();
    const lm_device *first;
    char by[96];

    if (strcmp(name, "auto") != 0)
        return find_explicit(caller, name, where);
    if (wish) {
        snprintf(by, sizeof by, "%s: " LM_DEVICE_WISH, caller);
        return find_explicit(by, wish, where);
    }
    first = first_usable(NULL, key);
    if (!first)
        return lm_fail(LATMC_ERROR_NO_DEVICE, "%s: no device of this library can be used here",
                       caller);
    *where = (lm_device_list){.count = 1, .devices = {first}};
    return LATMC_OK;
}
