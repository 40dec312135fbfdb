/* SPDX-License-Identifier: BSD-3-Clause */
/* The models, compiled once for all programs that loop over them. Cellular automata have no
 * couplings and no energy, which these programs set and compare. So test_automaton.c is theirs. */
#include "tests/models/models.h"

#include "tests/models/blume_capel.h"
#include "tests/models/clock.h"
#include "tests/models/ising.h"
#include "tests/models/ising_bytes.h"
#include "tests/models/onvector.h"
#include "tests/models/phi4.h"
#include "tests/models/potts.h"

const test_model *const test_models[] = {
    &test_ising,       &test_ising_bytes, &test_phi4,    &test_onvector, &test_onvector_3,
    &test_onvector_4,  &test_potts,       &test_potts_4, &test_potts_7,  &test_potts_200,
    &test_blume_capel, &test_clock,       &test_clock_64};
const size_t test_models_count = ALL(test_models);
