/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/status.h"

latmc_status lm_no_memory(const char *caller, const char *what, double bytes)
{
    char about[32] = "";

    if (bytes >= 1e10)
        snprintf(about, sizeof about, " (%.0f GiB)", bytes / 0x1p30);
    else if (bytes >= 1e7)
        snprintf(about, sizeof about, " (%.0f MiB)", bytes / 0x1p20);
    return lm_fail(LATMC_ERROR_MEMORY, "%s%sno memory for %s: %.0f bytes%s", caller ? caller : "",
                   caller ? ": " : "", what, bytes, about);
}

void *lm_zeroed(const char *caller, const char *what, int64_t count, size_t size)
{
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);

    if (!memory)
        lm_no_memory(caller, what, (double)count * (double)size);
    return memory;
}

void *lm_unzeroed(const char *caller, const char *what, int64_t count, size_t size)
{
    const size_t most = SIZE_MAX / size;
    void *memory =
        count > 0 && (uint64_t)count > most ? NULL : malloc(count > 0 ? (size_t)count * size : 1);

    if (!memory)
        lm_no_memory(caller, what, (double)count * (double)size);
    return memory;
}
