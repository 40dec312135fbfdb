/* SPDX-License-Identifier: BSD-3-Clause */
/* The bonds of a lattice of bits on a GPU: signs and gaps, gathered on the host first. */
#include "backends/bonds.h"

#include <stdlib.h>

#include "backends/cuda/bits/plan.h"

static void put_bond(void *user, const lm_bond_end *end)
{
    lm_cuda_bits_plan *p = user;
    const int64_t row = lm_cuda_bits_own_row(p, end->row);
    if (row < 0)
        return;
    const int64_t slot = end->sublattice * 2 * p->spec.dims + end->slot;
    const int64_t at = (slot * p->view.rows + row) * p->words.width + end->k / 32;
    const uint32_t bits = lm_replicate(&p->words, 1u << end->k % 32);
    p->host_sign[at] = end->value < 0 ? p->host_sign[at] | bits : p->host_sign[at] & ~bits;
    if (p->host_gone)
        p->host_gone[at] = end->value == 0 ? p->host_gone[at] | bits : p->host_gone[at] & ~bits;
}

latmc_status lm_cuda_bits_put_bonds(void *plan, int axis, int64_t first_row, int64_t rows,
                                    const int8_t *bonds)
{
    lm_cuda_bits_plan *p = plan;
    if (p->host_sign)
        lm_bonds_visit(&p->spec, &p->words, axis, first_row, rows, bonds, put_bond, p);
    return LATMC_OK;
}

/* Before anything that reads them, when all have been put. */
cudaError_t lm_cuda_bits_send_bonds(lm_cuda_bits_plan *p)
{
    uint32_t **host[2] = {&p->host_sign, &p->host_gone}, *device[2] = {p->sign, p->gone};
    const size_t bytes = lm_cuda_bits_bond_bytes(p);
    cudaError_t e = cudaSuccess;
    for (int i = 0; i < 2 && e == cudaSuccess; i++)
        if (*host[i]) {
            e = lm_cuda_copy(p->stream, device[i], *host[i], bytes);
            if (e == cudaSuccess) {
                free(*host[i]);
                *host[i] = NULL;
            }
        }
    return e;
}
