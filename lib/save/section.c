/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/section.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checksum.h"
#include "lib/base/chunk.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"

enum { BUFFER_BYTES = 1 << 16 };

latmc_status lm_damaged(const lm_source *source, const char *what)
{
    return lm_fail(LATMC_ERROR_DAMAGED, "%s: %s has an impossible value: %s", source->caller,
                   source->name, what);
}

latmc_status lm_damaged_if_refused(const lm_source *source, latmc_status status)
{
    if (status != LATMC_ERROR_ARGUMENT && status != LATMC_ERROR_UNKNOWN)
        return lm_fail_in(source->caller, status);
    return lm_damaged(source, latmc_error_message());
}

latmc_status lm_need_length(const lm_source *source, const lm_section *s, uint64_t bytes)
{
    if (s->length == bytes)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_DAMAGED,
                   "%s: %s is damaged: its section \"%s\" has %" PRIu64
                   " bytes; with its settings they would be %" PRIu64,
                   source->caller, source->name, s->name, s->length, bytes);
}

static latmc_status compare(const lm_source *source, const lm_section *s, uint64_t sum)
{
    if (sum == s->sum)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_DAMAGED,
                   "%s: %s is damaged: the checksum of its section \"%s\" is wrong", source->caller,
                   source->name, s->name);
}

static latmc_status need_most(const lm_source *source, const lm_section *s, uint64_t most)
{
    if (s->length <= most)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_DAMAGED,
                   "%s: %s is damaged: its section \"%s\" has %" PRIu64
                   " bytes; there can be %" PRIu64 " at most",
                   source->caller, source->name, s->name, s->length, most);
}

latmc_status lm_read_section(lm_source *source, const lm_section *s, const lm_lengths *lengths,
                             int64_t replicas, uint8_t **bytes)
{
    const uint64_t of_replicas = (uint64_t)replicas;
    const uint64_t fixed = lengths->fixed + lengths->fixed_of_replica * of_replicas;
    const uint64_t each = lengths->each + lengths->each_of_replica * of_replicas;
    latmc_status status = each ? need_most(source, s, fixed + lengths->most * each)
                               : lm_need_length(source, s, fixed);

    *bytes = NULL;
    if (status)
        return status;
    *bytes = lm_zeroed(source->caller, s->words, (int64_t)s->length, 1);
    if (!*bytes)
        return LATMC_ERROR_MEMORY;
    status = source->read(source, s->offset, *bytes, (size_t)s->length);
    if (!status)
        status = compare(source, s, lm_checksum_of(*bytes, (size_t)s->length));
    if (!status && (s->length < fixed || (each && (s->length - fixed) % each)))
        status = lm_fail(LATMC_ERROR_DAMAGED,
                         "%s: %s is damaged: its section \"%s\" ends within a value",
                         source->caller, source->name, s->name);
    return status;
}

/* Reads and sums an unknown section all the same, so that damage in it is found. */
latmc_status lm_skip_section(lm_source *source, const lm_section *s)
{
    uint8_t *buffer = lm_zeroed(source->caller, "a buffer for a section", BUFFER_BYTES, 1);
    latmc_status status = buffer ? LATMC_OK : LATMC_ERROR_MEMORY;
    lm_checksum sum;

    lm_checksum_begin(&sum);
    for (lm_chunk c = {0}; !status && lm_next_chunk(&c, (int64_t)s->length, BUFFER_BYTES);) {
        status = source->read(source, s->offset + (uint64_t)c.first, buffer, (size_t)c.count);
        lm_checksum_add(&sum, buffer, (size_t)c.count);
    }
    free(buffer);
    return status ? status : compare(source, s, lm_checksum_value(&sum));
}
