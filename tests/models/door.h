/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of bad arguments share. */
#ifndef LM_TESTS_MODELS_DOOR_H
#define LM_TESTS_MODELS_DOOR_H

#include "tests/models/portrait.h"

static latmc_lattice *const none = NULL;

#endif
