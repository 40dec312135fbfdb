/* SPDX-License-Identifier: BSD-3-Clause */
/* All models that are tested: models.c lists them. */
#ifndef LM_TESTS_MODELS_H
#define LM_TESTS_MODELS_H

#include "tests/models/model.h"

extern const test_model *const test_models[];
extern const size_t test_models_count;

#endif
