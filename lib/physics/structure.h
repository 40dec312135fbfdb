/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the structure factor at a momentum, from the sums with its cosine and sine:
 * doc/trajectory.md. */
#ifndef LM_STRUCTURE_H
#define LM_STRUCTURE_H

/* Returns |sum exp(i k x)|^2. */
static inline double lm_wave_square(const double *wave)
{
    return wave[0] * wave[0] + wave[1] * wave[1];
}

/* Returns |(1/N) sum exp(i k x)|^2. */
static inline double lm_structure(double sites, const double *wave)
{
    return lm_wave_square(wave) / (sites * sites);
}

#endif
