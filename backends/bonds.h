/* SPDX-License-Identifier: BSD-3-Clause */
/* The bonds of a bit lattice, seen from both of their ends. */
#ifndef LM_BONDS_H
#define LM_BONDS_H

#include "lib/siteword.h"

/*
 * A site's 2 dims bonds have slots: 2a down and 2a + 1 up along axis a. In a folded row, whose
 * sites meet their x-neighbours in the other sublattice at the same k and at k - 1 or
 * k + 1, slot 0 is the bond to the same k and slot 1 the other one.
 */
typedef struct lm_bond_end {
    int sublattice, slot;
    int64_t row, k;
    int value; /* -1, 0 or +1 */
} lm_bond_end;

typedef void (*lm_bond_visit)(void *user, const lm_bond_end *end);

/* Calls visit for both ends of the bonds from rows [first_row, first_row + rows) one step
 * up along axis. */
void lm_bonds_visit(const lm_spec *spec, const lm_words *words, int axis, int64_t first_row,
                    int64_t rows, const int8_t *bonds, lm_bond_visit visit, void *user);

#endif
