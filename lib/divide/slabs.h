/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares a lattice in slabs: plans that hold its layers one after another. Plans may share a
 * device. Together they make the whole lattice's trajectory and sums, bit for bit.
 */
#ifndef LM_SLABS_H
#define LM_SLABS_H

#include "lib/devices/plan.h"
#include "lib/base/ranks.h"

/* The layers of all slabs, on all ranks. */
typedef struct lm_layers {
    int slabs;
    const int64_t *begin;   /* [slab], and one more */
    const int64_t *of_rank; /* [rank], and one more */
} lm_layers;

/* The slabs of this rank, in the order of their layers. Boundary layers go to a neighbour on this
 * rank through memory, or the plan itself writes them there. Those of the first and the last slab
 * go to the neighbouring ranks. The first slab of all is the neighbour of the last one. */
typedef struct lm_slabs {
    int count;
    const lm_plan *plans;
    const lm_spec *specs; /* the plans' own */
    lm_ranks *ranks;      /* NULL: all slabs are here */
    lm_layers layers;
    char **buffers;  /* [slab]: outgoing boundary layers of both sides, then incoming ones */
    size_t bytes;    /* of a side */
    char *connected; /* [slab][side]: updates write its layers to the slab beyond it */
    double *sums;    /* buffer for the sums of all layers, twice */
    int stale;       /* 1: halos are out of date, as they are at first. Code that puts sites, or
                        that knows of failed sweeps on some rank, sets it. */
    /* The first failure. After it, only what other ranks wait for is still done here. */
    latmc_status failed;
} lm_slabs;

static inline void lm_slabs_keep(lm_slabs *slabs, latmc_status status)
{
    if (!slabs->failed)
        slabs->failed = status;
}

/* Refuses an update whose tiles the slab cuts. */
latmc_status lm_slab_serves(const lm_spec *spec, int update);
/* Refuses rows of sites that are not all in the slab. Backends call it. */
latmc_status lm_slab_need(const lm_spec *spec, int64_t first_row, int64_t rows);

/* Joins open plans to slabs. Plans, specs, ranks and layers stay the caller's. */
latmc_status lm_slabs_join(lm_slabs *slabs, const lm_plan *plans, const lm_spec *specs, int count,
                           lm_ranks *ranks, lm_layers layers);
/* Ends what lm_slabs_join() began, before the plans are closed. There may be no slabs. */
void lm_slabs_part(lm_slabs *slabs);
/* Allocates the memory for sweeps by an update that all slabs serve. Neither these sweeps nor
 * measurements then fail for lack of memory. */
latmc_status lm_slabs_prepare(lm_slabs *slabs, int update);
/* These return what failed on this rank since lm_slabs_begin(). All ranks make the same calls,
 * whatever has failed. */
void lm_slabs_begin(lm_slabs *slabs);
latmc_status lm_slabs_sweep(lm_slabs *slabs, const lm_job *job);
/* Brings stale halos up to date. A sweep or a measurement begins with it. */
latmc_status lm_slabs_refresh(lm_slabs *slabs);
/* Measures the whole lattice, as lm_plan_measure() does. It is in lib/divide/slab_sums.c. */
latmc_status lm_slabs_measure(lm_slabs *slabs, unsigned bundles, double *sums);

#endif
