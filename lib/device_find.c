/* SPDX-License-Identifier: BSD-3-Clause */
/* From a device's name to the device, or to a sentence that says why it cannot be had. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/devices.h"
#include "lib/plan.h"
#include "lib/status.h"
#include "lib/text.h"

/* Backends that this library can be built with. */
static const char *const known_backends[] = {"cpu", "cuda"};

/* Whether the first `length` bytes of `text` are the name. */
static int is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* Of a backend, or of all that have a row for the key. */
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

/* The devices of a backend (of length `length` in `name`; 0: of all) with, where they
 * cannot be used, the reasons. */
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
                       "%s: \"%.64s\" cannot be had: this library was built without %.*s", caller,
                       name, (int)length, name);
    list_devices(name, length, list, sizeof list);
    return lm_fail(LATMC_ERROR_NO_DEVICE, "%s: \"%.64s\" cannot be had; of %.*s there is: %s",
                   caller, name, (int)length, name, list[0] ? list : "none");
}

static latmc_status find_explicit(const char *caller, const char *name, const lm_device **device)
{
    const lm_device *d = strchr(name, ':')
                             ? of_name(name)
                             : first_usable(name, (lm_backend_key){(latmc_model)0, (lm_kept)0});

    if (!d || !d->info.usable)
        return refuse(caller, name);
    *device = d;
    return LATMC_OK;
}

const char *lm_device_wish(void)
{
    const char *wish = getenv("LATMC_DEVICE");

    return wish && wish[0] && strcmp(wish, "auto") != 0 ? wish : NULL;
}

latmc_status lm_device_find(const char *caller, lm_backend_key key, const char *name,
                            const lm_device **device)
{
    const char *const wish = lm_device_wish();
    char where[96];

    if (strcmp(name, "auto") != 0)
        return find_explicit(caller, name, device);
    if (wish) {
        snprintf(where, sizeof where, "%s: " LM_DEVICE_WISH, caller);
        return find_explicit(where, wish, device);
    }
    *device = first_usable(NULL, key);
    if (*device)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_NO_DEVICE, "%s: no device of this library can be used here", caller);
}
