/* SPDX-License-Identifier: BSD-3-Clause */
/* Of tests that open plans of the Ising model by themselves. */
#ifndef LM_TESTS_ISING_SPEC_H
#define LM_TESTS_ISING_SPEC_H

#include "backends/backend.h"
#include "lib/physics/ising_observe.h"

/* The sums of a measurement, as lib/ has them of the model's row. */
static inline lm_spec ising_spec_with_sums(lm_spec spec)
{
    spec.bundles = LM_ISING_BUNDLES;
    for (int g = 0; g <= LM_ISING_BUNDLES; g++)
        spec.bundle_begin[g] = lm_ising_bundle_begin(g, spec.dims);
    return spec;
}

#endif
