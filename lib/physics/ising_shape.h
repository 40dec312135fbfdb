/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates of the Ising model, and how seldom a free spin rests. */
#ifndef LM_ISING_SHAPE_H
#define LM_ISING_SHAPE_H

/* The order of the model's updates, where they are numbers. */
enum { LM_ISING_METROPOLIS, LM_ISING_HEATBATH, LM_ISING_UPDATES };

/* A spin that may flip freely rests in one of 2^LM_ISING_REST cases (ising_rule.h). */
#define LM_ISING_REST 6

#endif
