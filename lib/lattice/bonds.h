/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes bonds as a plan has them: couplings that are signs, and bonds that are missing. */
#ifndef LM_BONDS_H
#define LM_BONDS_H

#include "lib/lattice/lattice.h"

/* These two make couplings that are signs, without and with the boundaries. */
void lm_bonds_own(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first,
                  int64_t count, int8_t *bonds);
void lm_bonds_effective(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first_row,
                        int64_t rows, int8_t *bonds);
/* there[i] becomes 1 if the sample has the bond, whatever its coupling is. It becomes 0 if the
 * bond's own coupling is 0, or if the bond is beyond an open end. */
void lm_bonds_there(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first_row,
                    int64_t rows, int8_t *there);
/* Sets spec->signs and spec->missing. */
void lm_bonds_flags(const latmc_lattice *lattice, lm_spec *spec);
/* Sets loose[replica] (lm_parameters.loose). */
void lm_bonds_find_loose(const latmc_lattice *lattice, uint8_t *loose);

#endif
