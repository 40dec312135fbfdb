/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/kernels.h"

#ifdef LM_HAVE_CUDA
#include "backends/cuda/cuda.h"
#include "lib/lattice.h"

_Static_assert((int)LM_KERNELS <= (int)KERNELS_MOST, "there are more kernels than are counted");

int kernels_count(void)
{
    return LM_KERNELS;
}

const char *kernels_name(int kernel)
{
    return lm_kernel_names[kernel];
}

void kernels_force(latmc_lattice *lattice, int kernel)
{
    if (lattice->model->entry.id == LATMC_ISING && kernel < LM_KERNEL_COLOURS &&
        lm_place_settle(lattice, "kernels_force") == LATMC_OK &&
        lattice->place.device->backend == &lm_cuda_backend)
        lm_cuda_use(lattice->place.plan.self, (lm_kernel)kernel);
}

void kernels_add(const latmc_lattice *lattice, int64_t swept[KERNELS_MOST])
{
    if (!lattice || !lattice->place.plan.ops || lattice->place.device->backend != &lm_cuda_backend)
        return;
    for (int k = 0; k < LM_KERNELS; k++)
        swept[k] += lm_cuda_swept(lattice->place.plan.self, (lm_kernel)k);
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
