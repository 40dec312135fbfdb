/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/given.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/random/models.h"

void *given_room(int64_t count, size_t bytes)
{
    void *memory = calloc(count > 0 ? (size_t)count : 1, bytes);

    if (!memory) {
        fprintf(stderr, "random: no memory for %lld numbers\n", (long long)count);
        exit(2);
    }
    return memory;
}

static void put_number(latmc_type type, void *sites, int64_t i, float x)
{
    if (type == LATMC_INT8)
        ((int8_t *)sites)[i] = (int8_t)x;
    else if (type == LATMC_UINT8)
        ((uint8_t *)sites)[i] = (uint8_t)x;
    else if (type == LATMC_FLOAT32)
        ((float *)sites)[i] = x;
    else
        ((double *)sites)[i] = (double)x;
}

latmc_type given_sites(const random_case *c, uint64_t seed, void *sites, int64_t count)
{
    const random_model *m = random_model_of(c->model);
    const latmc_type type = m->given(seed);
    const int components = random_components(c);
    uint64_t state = seed;

    for (int64_t i = 0; i < count; i += components) {
        float x[RANDOM_COMPONENTS] = {0};
        if (m->site)
            m->site(&state, components, x);
        else
            x[0] = (float)(4.0 * case_uniform(&state) - 2.0);
        if (!m->site && type == LATMC_INT8)
            x[0] = x[0] < 0.0f ? -1.0f : 1.0f;
        for (int k = 0; k < components; k++)
            put_number(type, sites, i + k, x[k]);
    }
    return type;
}

double *given_numbers(const case_numbers *n, int64_t count)
{
    double *numbers = given_room(count, sizeof *numbers);
    uint64_t state = n->seed;

    for (int64_t i = 0; i < count; i++) {
        const int missing = 100.0 * case_uniform(&state) < n->missing;
        const double of = case_uniform(&state);
        numbers[i] = missing                    ? 0.0
                     : n->from == CASE_REALS    ? n->mean + n->width * (2.0 * of - 1.0)
                     : 100.0 * of < n->negative ? -1.0
                                                : 1.0;
    }
    return numbers;
}
