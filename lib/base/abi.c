/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/abi.h"

#include <string.h>

#include "lib/base/status.h"

/* No struct of the interface will ever be as large. */
enum { SIZE_MAX_SANE = 4096 };

latmc_status lm_struct_check(const char *caller, const char *type, size_t given, size_t least)
{
    if (given >= least && given <= SIZE_MAX_SANE)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_ARGUMENT,
                   "%s: the member size of %s is %zu; set it to sizeof(%s), which is at least %zu",
                   caller, type, given, type, least);
}

latmc_status lm_struct_read(const char *caller, const char *type, const void *given, void *known,
                            size_t bytes)
{
    const char *from = given;
    size_t size;

    memcpy(&size, given, sizeof size);
    memset(known, 0, bytes);
    memcpy(known, given, size < bytes ? size : bytes);
    for (size_t i = bytes; i < size; i++)
        if (from[i])
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: %s has a member that this library does not have; it must be 0",
                           caller, type);
    return LATMC_OK;
}

void lm_struct_write(void *target, const void *known, size_t bytes)
{
    const size_t head = sizeof(size_t);
    size_t size;

    memcpy(&size, target, head);
    if (size < bytes)
        bytes = size;
    memcpy((char *)target + head, (const char *)known + head, bytes - head);
    memset((char *)target + bytes, 0, size - bytes);
}
