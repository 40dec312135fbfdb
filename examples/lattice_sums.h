/* SPDX-License-Identifier: BSD-3-Clause */
/* Momenta of structure factors, and weights of sums over sites and bonds: the flags --momenta and
 * --weights. */
#ifndef LATTICE_SUMS_H
#define LATTICE_SUMS_H

#include "lattice_flags.h"

#define LATTICE_WEIGHTS_HELP                                                                       \
    "weights of sums over sites or bonds, which are measured as weighted[0,0] and its powers, "    \
    "those of the next --weights as weighted[1,0]: staggered, +1 and -1 by turns, or a file of "   \
    "lines SITE WEIGHT or SITE SITE WEIGHT, or of one number for each site"

/* Sets the momenta of a list, or none if it is NULL. */
void lattice_set_momenta(const char *list, latmc_lattice *lattice);
/* Sets the weights of all flags, from number 0 on. */
void lattice_set_weights(const cli_list *list, latmc_lattice *lattice);

#endif
