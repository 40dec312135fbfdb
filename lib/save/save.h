/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a saved lattice in one pass. */
#ifndef LM_SAVE_H
#define LM_SAVE_H

#include "lib/save/stream.h"

latmc_status lm_save_to(latmc_lattice *lattice, lm_sink *sink);
/* Gives ranks to compare all that has no leaves, but for the numbers of changed sites. */
void lm_settings_give(const latmc_lattice *lattice);

#endif
