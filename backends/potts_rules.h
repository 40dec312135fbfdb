/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Potts model in words (backends/rules.h). */
#ifndef LM_POTTS_RULES_H
#define LM_POTTS_RULES_H

#include "backends/rules.h"

extern const lm_words_model lm_potts_words_model;

#endif
