/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the cosine and sine of the momenta of an axis, which are the same on every machine. */
#ifndef LM_WAVES_H
#define LM_WAVES_H

#include <stdint.h>

/* Sets wave[2 x] and wave[2 x + 1] to cosine and sine of 2 pi x / period, x = 0 .. count - 1. They
 * are rounded from more digits. The period of an antiperiodic axis is twice its extent. */
void lm_waves(int64_t period, int64_t count, double *wave);

/* Returns n x modulo the period, 0 to period - 1. n may be negative, and x is at least 0. */
int64_t lm_modulo_period(int64_t n, int64_t x, int64_t period);

#endif
