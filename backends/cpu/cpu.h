/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the CPU backend and its row for each model. */
#ifndef LM_CPU_H
#define LM_CPU_H

#include "backends/backend.h"

extern const lm_backend lm_cpu_backend;

extern const lm_backend_model lm_cpu_automaton, lm_cpu_blume_capel;
extern const lm_backend_model lm_cpu_ising, lm_cpu_ising_field, lm_cpu_onvector[2], lm_cpu_phi4[2],
    lm_cpu_potts_field, lm_cpu_potts_words;

#endif
