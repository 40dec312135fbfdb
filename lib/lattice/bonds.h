/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes bonds as a plan has them: couplings that are signs, and bonds that are missing. */
#ifndef LM_BONDS_H
#define LM_BONDS_H

#include "lib/lattice/lattice.h"

/* Couplings that are signs, without and with the boundaries. */
void lm_bonds_own(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first,
                  int64_t count, int8_t *bonds);
void lm_bonds_effective(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first_row,
                        int64_t rows, int8_t *bonds);
/* 1 where a sample has a bond, be its coupling a sign or another number; otherwise 0: its own
 * coupling is 0, or it is beyond an open end. */
void lm_bonds_there(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first_row,
                    int64_t rows, int8_t *there);
/* spec->signs and spec->missing. */
void lm_bonds_flags(const latmc_lattice *lattice, lm_spec *spec);
/* loose[replica]. */
void lm_bonds_find_loose(const latmc_lattice *lattice, uint8_t *loose);

#endif
