/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/header.h"

#include <inttypes.h>

#include "lib/base/bytes.h"
#include "lib/base/checksum.h"
#include "lib/base/status.h"

enum { MAGIC = 8, FIXED = 24, ENTRY = 32, SUM = 8 }; /* bytes */

/* The first byte is not ASCII. The last two bytes change in any conversion of line ends. */
static const uint8_t magic[MAGIC] = {0x89, 'L', 'A', 'T', 'M', 'C', '\n', 0x1a};

static size_t header_bytes(int sections)
{
    return FIXED + (size_t)sections * ENTRY + SUM;
}

static size_t end_bytes(int sections)
{
    return ((size_t)sections + 1) * SUM;
}

/* ---- writing */

void lm_header_add(lm_header *h, const char *name, uint32_t flags, uint64_t length)
{
    lm_section *s = &h->sections[h->count++];
    uint64_t offset = header_bytes(h->count);

    *s = (lm_section){.version = 1, .flags = flags, .length = length};
    memcpy(s->name, name, strlen(name));
    for (int i = 0; i < h->count; i++) {
        h->sections[i].offset = offset;
        offset += h->sections[i].length;
    }
    h->bytes = offset + end_bytes(h->count);
}

size_t lm_header_write(const lm_header *h, uint8_t bytes[LM_MAX_HEADER])
{
    uint8_t *to = bytes + MAGIC;

    memcpy(bytes, magic, sizeof magic);
    lm_put_u32(&to, LM_FORMAT_VERSION);
    lm_put_u32(&to, (uint32_t)h->count);
    lm_put_u64(&to, h->bytes);
    for (int i = 0; i < h->count; i++) {
        const lm_section *s = &h->sections[i];

        memcpy(to, s->name, LM_SECTION_NAME);
        to += LM_SECTION_NAME;
        lm_put_u32(&to, s->version);
        lm_put_u32(&to, s->flags);
        lm_put_u64(&to, s->offset);
        lm_put_u64(&to, s->length);
    }
    lm_put_u64(&to, lm_checksum_of(bytes, (size_t)(to - bytes)));
    return (size_t)(to - bytes);
}

/* Returns the sum of the whole, made from the header and the sections' sums. */
static uint64_t seal(const uint8_t *header, const uint8_t *end, int sections)
{
    lm_checksum sum;

    lm_checksum_begin(&sum);
    lm_checksum_add(&sum, header, header_bytes(sections));
    lm_checksum_add(&sum, end, end_bytes(sections) - SUM);
    return lm_checksum_value(&sum);
}

size_t lm_end_write(const lm_header *h, uint8_t bytes[LM_MAX_HEADER])
{
    uint8_t header[LM_MAX_HEADER], *to = bytes;

    lm_header_write(h, header);
    for (int i = 0; i < h->count; i++)
        lm_put_u64(&to, h->sections[i].sum);
    lm_put_u64(&to, seal(header, bytes, h->count));
    return (size_t)(to - bytes);
}

/* ---- reading */

static latmc_status damaged(const lm_source *source, const char *what)
{
    return lm_fail(LATMC_ERROR_DAMAGED, "%s: the header of %s is damaged: %s", source->caller,
                   source->name, what);
}

static latmc_status truncated(const lm_source *source, uint64_t wanted)
{
    return lm_fail(LATMC_ERROR_DAMAGED,
                   "%s: %s is truncated: it has %" PRIu64
                   " bytes, and the header and the end alone have %" PRIu64,
                   source->caller, source->name, source->size, wanted);
}

/* Returns whether a name has at least one letter, digit or sign, followed only by zeros. */
static int is_name(const char name[LM_SECTION_NAME])
{
    int length = 0;

    while (length < LM_SECTION_NAME && name[length] > ' ' && name[length] <= '~')
        length++;
    for (int i = length; i < LM_SECTION_NAME; i++)
        if (name[i])
            return 0;
    return length > 0;
}

static void decode_table(const uint8_t *from, lm_header *h)
{
    for (int i = 0; i < h->count; i++) {
        lm_section *s = &h->sections[i];

        memset(s, 0, sizeof *s);
        memcpy(s->name, from, LM_SECTION_NAME);
        from += LM_SECTION_NAME;
        s->version = lm_get_u32(&from);
        s->flags = lm_get_u32(&from);
        s->offset = lm_get_u64(&from);
        s->length = lm_get_u64(&from);
    }
}

/* Checks that the source has the bytes of the whole, and that the header and the end fit into
 * them. */
static latmc_status check_table(const lm_source *source, const lm_header *h)
{
    uint64_t next = header_bytes(h->count);
    const uint64_t end = h->bytes - end_bytes(h->count);

    for (int i = 0; i < h->count; i++) {
        const lm_section *s = &h->sections[i];

        if (!is_name(s->name))
            return damaged(source, "a section has no name");
        for (int k = 0; k < i; k++)
            if (strcmp(h->sections[k].name, s->name) == 0)
                return damaged(source, "two sections have the same name");
        if (s->flags > (LM_SECTION_OPTIONAL | LM_SECTION_LEAVES) || s->flags == LM_SECTION_LEAVES)
            return damaged(source, "a section has an unknown flag");
        if (s->offset != next)
            return damaged(source, "a section does not begin where the one before it ends");
        if (s->length > end - next)
            return damaged(source, "a section is longer than the whole");
        next += s->length;
    }
    return next == end ? LATMC_OK : damaged(source, "something stands behind the last section");
}

/* Refuses formats that this library does not read. No release wrote the earlier ones. */
static latmc_status check_version(const lm_source *source, uint32_t version)
{
    if (version == LM_FORMAT_VERSION)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_VERSION,
                   "%s: the format version of %s is %" PRIu32 "; this library reads version %d "
                   "alone%s",
                   source->caller, source->name, version, LM_FORMAT_VERSION,
                   version == 1 || version == 2 ? ", and no release wrote versions 1 and 2" : "");
}

/* Reads the first bytes, which have the same layout in every saved lattice. */
static latmc_status read_fixed(lm_source *source, uint8_t *bytes, lm_header *h)
{
    const size_t have = source->size < FIXED ? (size_t)source->size : FIXED;
    const uint8_t *from = bytes + MAGIC;
    latmc_status status = source->read(source, 0, bytes, have);
    uint32_t count;

    if (status)
        return status;
    if (have < MAGIC || memcmp(bytes, magic, sizeof magic) != 0)
        return lm_fail(LATMC_ERROR_FORMAT, "%s: %s does not begin as a saved lattice does",
                       source->caller, source->name);
    if (have < FIXED)
        return truncated(source, header_bytes(1) + end_bytes(1));
    status = check_version(source, lm_get_u32(&from));
    if (status)
        return status;
    count = lm_get_u32(&from);
    if (count < 1 || count > LM_MAX_SECTIONS)
        return damaged(source, "the number of its sections is impossible");
    h->count = (int)count;
    h->bytes = lm_get_u64(&from);
    return LATMC_OK;
}

static latmc_status read_end(lm_source *source, const uint8_t *header, lm_header *h)
{
    uint8_t bytes[LM_MAX_HEADER];
    const size_t length = end_bytes(h->count);
    const uint8_t *from = bytes;
    latmc_status status = source->read(source, h->bytes - length, bytes, length);

    if (status)
        return status;
    for (int i = 0; i < h->count; i++)
        h->sections[i].sum = lm_get_u64(&from);
    if (lm_get_u64(&from) != seal(header, bytes, h->count))
        return lm_fail(LATMC_ERROR_DAMAGED,
                       "%s: %s is damaged: the checksum at its end, of the header and of the "
                       "sections' checksums, is wrong",
                       source->caller, source->name);
    return LATMC_OK;
}

latmc_status lm_header_read(lm_source *source, lm_header *h)
{
    uint8_t bytes[LM_MAX_HEADER] = {0};
    const uint8_t *from = bytes;
    latmc_status status = read_fixed(source, bytes, h);
    size_t length;

    if (status)
        return status;
    length = header_bytes(h->count);
    if (source->size < length + end_bytes(h->count))
        return truncated(source, length + end_bytes(h->count));
    status = source->read(source, FIXED, bytes + FIXED, length - FIXED);
    if (status)
        return status;
    from = bytes + length - SUM;
    if (lm_get_u64(&from) != lm_checksum_of(bytes, length - SUM))
        return damaged(source, "its checksum is wrong");
    if (h->bytes != source->size)
        return lm_fail(LATMC_ERROR_DAMAGED,
                       "%s: %s has %" PRIu64 " bytes, but its header says %" PRIu64
                       ": it is truncated, or something follows it",
                       source->caller, source->name, source->size, h->bytes);
    decode_table(bytes + FIXED, h);
    status = check_table(source, h);
    return status ? status : read_end(source, bytes, h);
}
