/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a saved lattice in one pass, and gives its settings to ranks that compare them. */
#ifndef LM_SAVE_H
#define LM_SAVE_H

#include "lib/save/stream.h"

latmc_status lm_save_to(latmc_lattice *lattice, lm_sink *sink);
/* Gives the sums of all sections without leaves to the ranks, which compare them when they next
 * agree (lib/base/ranks.h). The numbers of changed sites are left out. */
void lm_give_settings(const latmc_lattice *lattice);

#endif
