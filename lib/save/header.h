/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the frame of a saved lattice. The header says which sections there are and
 * where they are. The end has their sums. doc/format.md describes both. */
#ifndef LM_HEADER_H
#define LM_HEADER_H

#include "lib/save/stream.h"

enum {
    LM_FORMAT_VERSION = 3,
    LM_MAX_SECTIONS = 64,
    LM_SECTION_NAME = 8,     /* bytes of a name, padded with zeros */
    LM_SECTION_OPTIONAL = 1, /* flag: a reader that does not know the section may skip it */
    LM_SECTION_LEAVES = 2,   /* flag of such a section: it is made of leaves, so a reader that does
                                not know them cannot sum it */
    LM_MAX_HEADER = 32 + 32 * LM_MAX_SECTIONS /* bytes */
};

typedef struct lm_section {
    char name[LM_SECTION_NAME + 1];
    uint32_t version, flags;
    uint64_t offset, length;
    uint64_t sum;
    int id;            /* lm_section_id; and for messages what is in it: */
    const char *words; /* NULL: the section is not known */
} lm_section;

typedef struct lm_header {
    uint64_t bytes; /* bytes of the whole */
    int count;
    lm_section sections[LM_MAX_SECTIONS];
} lm_header;

/* Adds the next section to a header. It sets the section's offset and the bytes of the whole. */
void lm_header_add(lm_header *header, const char *name, uint32_t flags, uint64_t length);

/* Write the header, and the end when all sums are known. They return the number of bytes. */
size_t lm_header_write(const lm_header *header, uint8_t bytes[LM_MAX_HEADER]);
size_t lm_end_write(const lm_header *header, uint8_t bytes[LM_MAX_HEADER]);

/* Reads the header from the two ends of a saved lattice, or fails with the reason. Sections must
 * follow each other without a gap, and must have different names. */
latmc_status lm_header_read(lm_source *source, lm_header *header);

#endif
