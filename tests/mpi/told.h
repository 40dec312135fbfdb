/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests under mpirun tell: a check that holds on all ranks once, by rank 0; one that does
 * not by each rank that sees it. */
#ifndef LM_TESTS_MPI_TOLD_H
#define LM_TESTS_MPI_TOLD_H

extern int told_rank, told_ranks, told_failures;

void told_begin(void);

/* Collective: 1 if it holds on all ranks. */
int told(int holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
