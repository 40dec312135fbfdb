/* SPDX-License-Identifier: BSD-3-Clause */
/* What static values the sites of a field have from the start, on every device. */
#ifndef LM_FIXED_H
#define LM_FIXED_H

#include "backends/backend.h"
#include "lib/physics/geometry.h"

/* Static value k of the site with coordinates x. */
typedef double lm_fixed_value(const lm_spec *spec, int k, const int64_t *x);

/* Those of a row, `count` of each site: [site][static value], as floats or doubles. */
static inline void lm_fixed_row(const lm_spec *spec, lm_fixed_value *value, int count, int doubles,
                                int64_t row, void *values)
{
    int64_t x[LATMC_MAX_DIMS], i = 0;
    lm_coordinates(row, 1, spec->dims, spec->extents, x);
    for (x[0] = 0; x[0] < spec->extents[0]; x[0]++)
        for (int k = 0; k < count; k++, i++) {
            const double one = value(spec, k, x);
            if (doubles)
                ((double *)values)[i] = one;
            else
                ((float *)values)[i] = (float)one;
        }
}

#endif
