/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Ising model in words (backends/rules.h). */
#ifndef LM_ISING_RULES_H
#define LM_ISING_RULES_H

#include "backends/rules.h"

extern const lm_words_model lm_ising_words_model;

#endif
