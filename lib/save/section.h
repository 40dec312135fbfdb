/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading sections. */
#ifndef LM_SECTION_H
#define LM_SECTION_H

#include "lib/save/parts.h"

latmc_status lm_damaged(const lm_source *source, const char *what);

/* A setter's refusal of a value is damage here; other failures stay what they are. */
latmc_status lm_as_damage(const lm_source *source, latmc_status status);

/* Refuses a section that has not the bytes that it must have. */
latmc_status lm_need_length(const lm_source *source, const lm_section *section, uint64_t bytes);

/* All of a section that is not made of leaves, its sum compared; free() it, also after a failure.
 * Sections of more than `most` bytes are refused. */
latmc_status lm_read_section(lm_source *source, const lm_section *section, uint64_t most,
                             uint8_t **bytes);
/* The same of a section that is not known: it is read and summed, and forgotten. */
latmc_status lm_skip_section(lm_source *source, const lm_section *section);

#endif
