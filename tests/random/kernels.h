/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kernels of a GPU swept; without the CUDA backend there are none. */
#ifndef LM_RANDOM_KERNELS_H
#define LM_RANDOM_KERNELS_H

#include <latmc/latmc.h>

enum { KERNELS_MOST = 32 };

int kernels_count(void);
const char *kernels_name(int kernel);

/* From now on that kernel sweeps the lattice where it is now, if it is of its model and whenever it
 * can. */
void kernels_force(latmc_lattice *lattice, int kernel);

/* Adds the sweeps that each kernel has made for the lattice where it is now. */
void kernels_add(const latmc_lattice *lattice, int64_t swept[KERNELS_MOST]);

#endif
