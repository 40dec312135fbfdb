/* SPDX-License-Identifier: BSD-3-Clause */
/* Types of sites that are real numbers, for the models that have them. */
#ifndef LM_REALS_H
#define LM_REALS_H

#include "lib/model.h"

/* float32 and float64. Numbers that are given have a bound, those that an update made are finite.
 */
extern const lm_site_type lm_real_types[2];

#endif
