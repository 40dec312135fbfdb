/* SPDX-License-Identifier: BSD-3-Clause */
/* What the two halves of loading share. */
#ifndef LM_LOAD_H
#define LM_LOAD_H

#include "lib/header.h"
#include "lib/stream.h"

latmc_status lm_damaged(const lm_source *source, const char *what);

/* A setter's refusal of a value is damage here; other failures stay what they are. */
latmc_status lm_as_damage(const lm_source *source, latmc_status status);

/* All that follows the header, into a lattice that the header has built. */
latmc_status lm_load_payload(lm_source *source, const uint8_t bytes[LM_HEADER_BYTES],
                             latmc_lattice *lattice);

#endif
