/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes a lattice as a device sees it. */
#ifndef LM_SPEC_H
#define LM_SPEC_H

#include "lib/lattice/lattice.h"

lm_spec lm_spec_of(const latmc_lattice *lattice);

#endif
