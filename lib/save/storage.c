/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements latmc_save() and latmc_load(), to files and to memory. */
#include "lib/save/storage.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/floats.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/lattice/need.h"
#include "lib/save/file.h"
#include "lib/save/load.h"
#include "lib/save/section_list.h"
#include "lib/save/save.h"

latmc_status latmc_save(latmc_lattice *lattice, const char *path)
{
    LM_FLOATS;
    latmc_status status = lm_need_started(lattice, __func__);

    if (status)
        return status;
    if (!path)
        status = lm_fail(LATMC_ERROR_ARGUMENT, "%s: path is NULL", __func__);
    else
        lm_given_array(lattice->ranks, "path", path, strlen(path));
    if (!status)
        status = lm_file_save(lattice, __func__, path);
    return lm_everywhere(lattice, status);
}

latmc_status latmc_load(latmc_lattice **lattice, const char *path)
{
    LM_FLOATS;

    return lm_file_load(__func__, path, lattice);
}

/* Everything fits, because the size was compared before. */
static latmc_status write_memory(lm_sink *sink, const void *data, size_t bytes)
{
    uint8_t **to = sink->target;

    memcpy(*to, data, bytes);
    *to += bytes;
    return LATMC_OK;
}

static latmc_status read_memory(lm_source *source, uint64_t offset, void *data, size_t bytes)
{
    memcpy(data, (const uint8_t *)source->origin + offset, bytes);
    return LATMC_OK;
}

latmc_status latmc_save_memory(latmc_lattice *lattice, void *buffer, size_t capacity, size_t *bytes)
{
    LM_FLOATS;
    uint8_t *to = buffer;
    lm_sink sink = {.caller = __func__, .target = &to, .write = write_memory};
    latmc_status status = lm_need_started(lattice, __func__);
    uint64_t size;

    if (status)
        return status;
    size = lm_header_of(lattice).bytes;
    if (!bytes)
        status = lm_fail(LATMC_ERROR_ARGUMENT, "%s: bytes is NULL", __func__);
    else if (buffer && capacity < size)
        status = lm_fail(LATMC_ERROR_ARGUMENT,
                         "%s: capacity is %zu; the saved lattice has %" PRIu64 " bytes", __func__,
                         capacity, size);
    /* otherwise some ranks would ask for the size alone while others wait for sites */
    lm_given_integer(lattice->ranks, "buffer is given", buffer != NULL);
    if (!status) {
        lm_give_settings(lattice);
        status = lm_everywhere(lattice, LATMC_OK);
    }
    if (!status && buffer)
        status = lm_save_to(lattice, &sink);
    status = lm_everywhere(lattice, status);
    if (!status)
        *bytes = (size_t)size;
    return status;
}

latmc_status lm_memory_load(const char *caller, const void *buffer, size_t bytes,
                            latmc_lattice **lattice)
{
    /* The source only reads. Its type is not const because files use it, too. */
    lm_source source = {.caller = caller,
                        .name = "the saved lattice in memory",
                        .origin = (void *)(uintptr_t)buffer,
                        .size = bytes,
                        .read = read_memory};

    if (!lattice || !buffer)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       lattice ? "buffer" : "lattice");
    return lm_load_from(&source, lattice);
}

latmc_status latmc_load_memory(latmc_lattice **lattice, const void *buffer, size_t bytes)
{
    LM_FLOATS;
    return lm_memory_load(__func__, buffer, bytes, lattice);
}
