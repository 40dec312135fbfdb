/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes types of sites that are real numbers, for models that have them. */
#ifndef LM_REALS_H
#define LM_REALS_H

#include "lib/models/model.h"

/* float32 and float64. Given numbers are bounded. Numbers that an update made are only finite. */
extern const lm_site_type lm_real_types[2];
extern const lm_representation lm_real_representations[2];

/* The same types for sites that are vectors of length 1. */
extern const lm_site_type lm_unit_types[2];
extern const lm_representation lm_unit_representations[2];

/* Serves as lm_site_type.encode. */
void lm_save_doubles(const void *numbers, int64_t count, uint8_t *bytes);

/* Serve as lm_model.products, lm_model.tensor and lm_model.site_terms. */
void lm_real_products(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                      double *terms);
void lm_real_tensor(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                    double *terms);
void lm_real_terms(const lm_site_array *of, const void *sites, int64_t count, int component,
                   double *terms);

/* The option that chooses between float32 and float64. */
#define LM_OPTION_PRECISION                                                                        \
    {                                                                                              \
        .id = LATMC_PRECISION, .name = "precision",                                                \
        .meaning = "bits of a real number: 32 (float) or 64 (double)", .minimum = 32.0,            \
        .maximum = 64.0, .step = 32.0, .preset = 32.0                                              \
    }

#endif
