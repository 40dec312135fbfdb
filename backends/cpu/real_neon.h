/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the vocabulary of reals for aarch64: one site at a time, with the processor's own fma. */
#include "backends/cpu/real_scalar.h"
