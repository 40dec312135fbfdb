/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/kernels.h"

#ifdef LM_HAVE_CUDA
#include <stdio.h>
#include <stdlib.h>

#include "backends/cuda/cuda.h"
#include "lib/lattice/home.h"

/* All models' kernels, one after another: name number i, or NULL. */
static const char *name_of(int i)
{
#define KERNELS_OF(name, count) &lm_cuda_##name##_kernels,
    static const lm_cuda_kernels *const models[] = {LM_EVERY_ROW(KERNELS_OF)};
#undef KERNELS_OF

    for (unsigned m = 0; m < sizeof models / sizeof models[0]; i -= models[m++]->count)
        if (i < models[m]->count)
            return models[m]->list[i].name;
    return NULL;
}

int kernels_count(void)
{
    int count = 1;
    while (name_of(count - 1))
        count++;
    if (count > KERNELS_MOST) { /* or some would never be counted */
        fprintf(stderr, "there are %d kernels, and room for %d\n", count, KERNELS_MOST);
        exit(2);
    }
    return count;
}

const char *kernels_name(int kernel)
{
    return kernel == 0 ? "best" : name_of(kernel - 1);
}

/* One plan of that backend's, and not pieces. */
static int is_on_gpu(const latmc_lattice *lattice)
{
    return lattice && lattice->home.plan.ops && lattice->home.division->pieces == 1 &&
           lattice->home.where.devices[0]->backend == &lm_cuda_backend;
}

void kernels_force(latmc_lattice *lattice, int kernel)
{
    if (lm_home_to_device(lattice, "kernels_force") == LATMC_OK && is_on_gpu(lattice))
        lm_cuda_force(lattice->home.plan.self, kernels_name(kernel), 0);
}

void kernels_add(const latmc_lattice *lattice, int64_t swept[KERNELS_MOST])
{
    if (!is_on_gpu(lattice))
        return;
    for (int k = 1; k < kernels_count(); k++)
        swept[k] += lm_cuda_swept(lattice->home.plan.self, kernels_name(k));
}
#else
int kernels_count(void)
{
    return 0;
}

const char *kernels_name(int kernel)
{
    (void)kernel;
    return "";
}

void kernels_force(latmc_lattice *lattice, int kernel)
{
    (void)lattice;
    (void)kernel;
}

void kernels_add(const latmc_lattice *lattice, int64_t swept[KERNELS_MOST])
{
    (void)lattice;
    (void)swept;
}
#endif
