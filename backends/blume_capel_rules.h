/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Blume-Capel model in words (backends/rules.h). */
#ifndef LM_BLUME_CAPEL_RULES_H
#define LM_BLUME_CAPEL_RULES_H

#include "backends/rules.h"

extern const lm_words_model lm_blume_capel_words_model;

#endif
