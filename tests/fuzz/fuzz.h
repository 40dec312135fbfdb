/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fuzzer of saved lattices consists of: fuzz.c has the loop, with a process that may die.
 */
#ifndef LM_FUZZ_H
#define LM_FUZZ_H

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_input {
    uint8_t *bytes;
    size_t size;
} fuzz_input;

/* Statuses by what they were; counted in memory that processes share. */
enum { FUZZ_LOADED, FUZZ_FORMAT, FUZZ_VERSION, FUZZ_DAMAGED, FUZZ_OTHER, FUZZ_OUTCOMES };

/* seeds.c: lattices of all kinds, written into a folder as files. */
void fuzz_make(const char *folder);

/* mutate.c: one of the seeds, changed as a number says, mostly with right checksums; free() it. */
fuzz_input fuzz_mutate(const fuzz_input *seeds, int count, uint64_t number);

/* try.c: loads it and does with the lattice what can be done. Returns what it came to, or a
 * sentence in `fault` about what must not be. */
int fuzz_try(const fuzz_input *input, const char **fault);

/* A seed is whole: it is loaded, and its state hash is the sum that it has of its sites. */
const char *fuzz_check_seed(const fuzz_input *seed);

#endif
