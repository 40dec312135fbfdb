/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a lattice of cells, or a slab of one, in the memory of a GPU. */
#ifndef LM_CUDA_BITS_AUTOMATON_PLAN_H
#define LM_CUDA_BITS_AUTOMATON_PLAN_H

#include "backends/crossing.h"
#include "backends/cuda/bits/automaton.h"
#include "backends/cuda/plan.h"
#include "lib/geometry/spec.h"

typedef struct lm_cuda_automaton_plan {
    lm_cuda_head head;
    lm_spec spec;
    lm_automaton_view view; /* its buffers, counts and noise are set for the next launch */
    uint32_t *memory[2];    /* device: two buffers with ghost rows */
    int present;            /* the buffer that has the cells */
    int updated;            /* slab: parts of the next generation that the other buffer has */
    int counting;           /* slab: 1: their changes are counted */
    uint64_t *threshold;    /* device: [replica] */
    uint64_t *noise;        /* host: [replica] */
    lm_count *changed;      /* device: changes of the last sweep that counted */
} lm_cuda_automaton_plan;

/* Returns word 0 of a row of a buffer's first replica. */
static inline uint32_t *lm_cuda_automaton_row(const lm_cuda_automaton_plan *p, int which,
                                              int64_t row)
{
    return p->memory[which] + (row + 1) * p->view.stride;
}

/* Returns the view for the next launch, from a buffer to the other one. */
static inline lm_automaton_view lm_cuda_automaton_from(lm_cuda_automaton_plan *p, int which,
                                                       lm_count *counts)
{
    lm_automaton_view v = p->view;
    v.from = lm_cuda_automaton_row(p, which, 0);
    v.to = lm_cuda_automaton_row(p, 1 - which, 0);
    v.counts = counts;
    v.overlaps = lm_cuda_overlaps(&p->head);
    return v;
}

/* Operations of lm_plan_ops and lm_slab_ops (automaton_sites.c). */
latmc_status lm_cuda_automaton_start(void *plan, latmc_start_mode mode);
latmc_status lm_cuda_automaton_put_sites(void *plan, int64_t replica, int64_t first_row,
                                         int64_t rows, const void *sites);
latmc_status lm_cuda_automaton_get_sites(void *plan, int64_t replica, int64_t first_row,
                                         int64_t rows, void *sites);
unsigned lm_cuda_automaton_crosses(const void *plan);
latmc_status lm_cuda_automaton_cross(void *plan, const lm_crossing *crossing);
latmc_status lm_cuda_automaton_copy(void *plan, const int64_t *from);
size_t lm_cuda_automaton_halo_bytes(const void *plan);
latmc_status lm_cuda_automaton_pack(void *plan, lm_side side, void *halo);
latmc_status lm_cuda_automaton_unpack(void *plan, lm_side side, void *halo);

#endif
