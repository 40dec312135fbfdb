/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lattice in slabs: plans that hold its layers one after another, each on a device of its own or
 * not. Together they make the whole lattice's trajectory and sums, bit for bit.
 */
#ifndef LM_SLABS_H
#define LM_SLABS_H

#include "lib/plan.h"

/* How boundary layers get to the neighbour. lib/ gives begin() what a slab's side sends, once for
 * each phase, and asks end() for what has come for that side from the slab beyond it. Both calls of
 * a phase come for every slab here, all begin() first; the bytes of begin() are the caller's again
 * when its own end() has returned. The first slab's lower neighbour is the last slab. */
typedef struct lm_transport {
    void *self;
    latmc_status (*begin)(void *self, int slab, lm_side side, const void *halo, size_t bytes);
    latmc_status (*end)(void *self, int slab, lm_side side, void *halo, size_t bytes);
    /* Is it so on any side of the transport? NULL: all slabs are here. */
    latmc_status (*any)(void *self, int *is_so);
} lm_transport;

/* The slabs that are here, in the order of their layers, and the way between them. */
typedef struct lm_slabs {
    int count;
    const lm_plan *plans;
    const lm_spec *specs; /* the plans' own */
    lm_transport transport;
    char **rooms; /* [slab]: of its sides, boundary layers on their way out, then those coming in */
    size_t bytes; /* of a side */
    char *connected; /* [slab][side]: updates bring its layers to the slab beyond it */
    double *sums;    /* room for those of all layers and of a slab's */
    int stale;       /* halos are not up to date, as at first; whoever puts sites says so */
} lm_slabs;

/* Refuses a slab that there cannot be: of a chain, or thinner than what its neighbours need. */
latmc_status lm_slab_check(const lm_spec *spec);
/* Refuses an update whose tiles the slab cuts. */
latmc_status lm_slab_serves(const lm_spec *spec, int update);
/* For backends: refuses rows of sites of which some are not in the slab. */
latmc_status lm_slab_need(const lm_spec *spec, int64_t first_row, int64_t rows);

/* Of open plans, which stay the caller's as their specs do; transport.begin NULL: all slabs of the
 * lattice are here, and boundary layers go through memory; after a phase plans bring them
 * themselves where they can. The slabs may not be moved. */
latmc_status lm_slabs_join(lm_slabs *slabs, const lm_plan *plans, const lm_spec *specs, int count,
                           lm_transport transport);
/* Before the plans are closed; there may be none. */
void lm_slabs_part(lm_slabs *slabs);
/* Before sweeps by an update that all slabs serve: takes the memory for them, so that neither they
 * nor measurements fail for want of it. */
latmc_status lm_slabs_prepare(lm_slabs *slabs, int update);
latmc_status lm_slabs_sweep(lm_slabs *slabs, const lm_job *job);
/* Brings stale halos up to date, as a sweep or a measurement does before anything else. */
latmc_status lm_slabs_refresh(lm_slabs *slabs);
/* lib/slab_sums.c: what lm_plan_measure() makes of a whole lattice, where all slabs are here. */
latmc_status lm_slabs_measure(lm_slabs *slabs, unsigned groups, double *sums);

#endif
