/* SPDX-License-Identifier: BSD-3-Clause */
/* All models that are tested. */
#ifndef LM_TESTS_MODELS_H
#define LM_TESTS_MODELS_H

#include "tests/models/ising.h"
#include "tests/models/ising_field.h"
#include "tests/models/onvector.h"
#include "tests/models/phi4.h"
#include "tests/models/potts.h"

static const test_model *const test_models[] = {
    &test_ising,      &test_ising_field, &test_phi4,    &test_onvector, &test_onvector_3,
    &test_onvector_4, &test_potts,       &test_potts_2, &test_potts_4,  &test_potts_200};

#endif
