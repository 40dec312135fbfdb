/* SPDX-License-Identifier: BSD-3-Clause */
/* What frames a saved lattice: the header, which says which sections there are and where, and the
 * end, which has their sums. doc/format.md describes it. */
#ifndef LM_HEADER_H
#define LM_HEADER_H

#include "lib/save/stream.h"

enum {
    LM_FORMAT_VERSION = 2,
    LM_MAX_SECTIONS = 64,
    LM_SECTION_NAME = 8,     /* bytes of a name, filled up with zeros */
    LM_SECTION_OPTIONAL = 1, /* flag: whoever does not know the section may go on without it */
    LM_MAX_HEADER = 32 + 32 * LM_MAX_SECTIONS /* bytes */
};

typedef struct lm_section {
    char name[LM_SECTION_NAME + 1];
    uint32_t version, flags;
    uint64_t offset, length;
    uint64_t sum;
    int part;          /* lm_saved_part; and for messages what is in it: */
    const char *words; /* NULL: the section is not known */
} lm_section;

typedef struct lm_header {
    uint64_t bytes; /* of the whole */
    int count;
    lm_section sections[LM_MAX_SECTIONS];
} lm_header;

/* The next section of a header that is made: its offset, and the bytes of the whole, follow. */
void lm_header_add(lm_header *header, const char *name, uint64_t length);

/* Their bytes; the end's when all sums are known. */
size_t lm_header_write(const lm_header *header, uint8_t bytes[LM_MAX_HEADER]);
size_t lm_end_write(const lm_header *header, uint8_t bytes[LM_MAX_HEADER]);

/* From the two ends of a saved lattice, or the reason why it is none: sections follow each other
 * without a gap, and have different names. */
latmc_status lm_header_read(lm_source *source, lm_header *header);

#endif
