/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lattice in slabs: plans that hold its layers one after another, each on a device of its own or
 * not. Together they make the whole lattice's trajectory and sums, bit for bit.
 */
#ifndef LM_SLABS_H
#define LM_SLABS_H

#include "lib/devices/plan.h"
#include "lib/base/ranks.h"

/* Which layers are where: of all slabs, over all ranks. */
typedef struct lm_layers {
    int slabs;
    const int64_t *begin;   /* [slab], and one more */
    const int64_t *of_rank; /* [rank], and one more */
} lm_layers;

/* The slabs that are here, in the order of their layers. Boundary layers go to a slab beside it
 * that is here through memory, or the plan brings them itself; those of the first and the last one
 * to the ranks beside this one, which have the slabs beyond them. The first slab of all is beyond
 * the last one. */
typedef struct lm_slabs {
    int count;
    const lm_plan *plans;
    const lm_spec *specs; /* the plans' own */
    lm_ranks *ranks;      /* NULL: all slabs are here */
    lm_layers layers;
    char **rooms; /* [slab]: of its sides, boundary layers on their way out, then those coming in */
    size_t bytes; /* of a side */
    char *connected; /* [slab][side]: updates bring its layers to the slab beyond it */
    double *sums;    /* room for those of all layers, twice */
    int stale;       /* halos are not up to date, as at first; who puts sites, or knows that
                        sweeps have failed on some rank, says so */
    /* The first failure. Nothing is done here after it, but what other ranks wait for. */
    latmc_status failed;
} lm_slabs;

/* Refuses an update whose tiles the slab cuts. */
latmc_status lm_slab_serves(const lm_spec *spec, int update);
/* For backends: refuses rows of sites of which some are not in the slab. */
latmc_status lm_slab_need(const lm_spec *spec, int64_t first_row, int64_t rows);

/* Of open plans, which stay the caller's as their specs do, and so do ranks and layers. */
latmc_status lm_slabs_join(lm_slabs *slabs, const lm_plan *plans, const lm_spec *specs, int count,
                           lm_ranks *ranks, lm_layers layers);
/* Before the plans are closed; there may be none. */
void lm_slabs_part(lm_slabs *slabs);
/* Before sweeps by an update that all slabs serve: takes the memory for them, so that neither they
 * nor measurements fail for want of it. */
latmc_status lm_slabs_prepare(lm_slabs *slabs, int update);
/* These say what failed since lm_slabs_begin(), on this rank; all ranks call them alike, whatever
 * has failed. */
void lm_slabs_begin(lm_slabs *slabs);
latmc_status lm_slabs_sweep(lm_slabs *slabs, const lm_job *job);
/* Brings stale halos up to date, as a sweep or a measurement does before anything else. */
latmc_status lm_slabs_refresh(lm_slabs *slabs);
/* lib/divide/slab_sums.c: what lm_plan_measure() makes of a whole lattice. */
latmc_status lm_slabs_measure(lm_slabs *slabs, unsigned groups, double *sums);

#endif
