/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates of the Ising model. */
#ifndef LM_ISING_SHAPE_H
#define LM_ISING_SHAPE_H

/* The order of the model's updates, where they are numbers. */
enum { LM_ISING_METROPOLIS, LM_ISING_HEATBATH, LM_ISING_UPDATES };

#endif
