/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the CPU backend and its row for each model. */
#ifndef LM_CPU_H
#define LM_CPU_H

#include "backends/rows.h"

extern const lm_backend lm_cpu_backend;

#define LM_DECLARE_ROW(name, count) extern const lm_backend_model LM_ROW_##count(lm_cpu_##name);
LM_EVERY_ROW(LM_DECLARE_ROW)
#undef LM_DECLARE_ROW

#endif
