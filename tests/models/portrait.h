/* SPDX-License-Identifier: BSD-3-Clause */
/* All that a refused call must leave alone. */
#ifndef LM_TESTS_PORTRAIT_H
#define LM_TESTS_PORTRAIT_H

#include "tests/models/suite.h"

typedef struct portrait {
    latmc_lattice_info info;
    int64_t count;
    double *numbers;
    uint64_t hash;
} portrait;

static inline portrait portrait_of(latmc_lattice *lattice, const test_model *m)
{
    portrait p = {.info = info_of(lattice), .hash = hash_of(lattice)};

    p.numbers = suite_numbers(lattice, m, &p.count);
    return p;
}

/* The portrait is of no more use. */
static inline void unchanged(latmc_lattice *lattice, const test_model *m, portrait *before)
{
    portrait after = portrait_of(lattice, m);

    assert_memory_equal(&after.info, &before->info, sizeof after.info);
    assert_memory_equal(after.numbers, before->numbers, (size_t)after.count * sizeof(double));
    assert_true(after.hash == before->hash);
    free(after.numbers);
    free(before->numbers);
}

/* With the presets but for the model's option, not started. */
static inline latmc_lattice *fresh(const test_model *m, int dims, const int64_t *extents)
{
    return suite_made(m, dims, extents);
}

#endif
