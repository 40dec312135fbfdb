/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the rows of models that both backends have. DO(name, count) stands for each engine's model.
 * `count` is the number of its representations, each of which has a row. On CPUs the rows are
 * lm_cpu_NAME. On GPUs they are lm_cuda_NAME with the kernels lm_cuda_NAME_kernels. A model joins
 * the backends by a line here.
 */
#ifndef LM_BACKENDS_ROWS_H
#define LM_BACKENDS_ROWS_H

#include "backends/backend.h"

#define LM_EVERY_ROW(DO)                                                                           \
    DO(automaton, ONE)                                                                             \
    DO(blume_capel, ONE)                                                                           \
    DO(clock, ONE)                                                                                 \
    DO(ising_words, ONE)                                                                           \
    DO(ising_bytes, ONE)                                                                           \
    DO(onvector, TWO)                                                                              \
    DO(phi4, TWO)                                                                                  \
    DO(potts_words, ONE)                                                                           \
    DO(potts_bytes, ONE)

/* Declare rows by their count, and list them as entries. */
#define LM_ROW_ONE(row)         row
#define LM_ROW_TWO(row)         row[2]
#define LM_ROW_ENTRIES_ONE(row) &row
#define LM_ROW_ENTRIES_TWO(row) &row[0], &row[1]

#endif
