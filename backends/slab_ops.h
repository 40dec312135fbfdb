/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the operations of a plan that holds a slab of a lattice, a range of its layers. */
#ifndef LM_SLAB_OPS_H
#define LM_SLAB_OPS_H

#include <stddef.h>

#include <latmc/latmc.h>

/* Parts of a slab that can be updated separately. */
typedef enum lm_part {
    LM_BOUNDARY = 1, /* the part that neighbours read: the first and last `reach` layers, or the
                        tiles at the slab's ends */
    LM_BULK = 2,     /* the rest */
    LM_WHOLE = 3     /* both */
} lm_part;

typedef enum lm_side { LM_LOWER = 0, LM_UPPER = 1 } lm_side;

static inline lm_side lm_other_side(lm_side side)
{
    return side == LM_LOWER ? LM_UPPER : LM_LOWER;
}

/* The functions of a slab. A sweep is a sequence of phases. A phase updates one colour, or one
 * sub-grid of tiles. An update reads `reach` layers beyond either end of the slab, as the previous
 * phase left them. These layers are the slab's halo: copies of its neighbours' boundary layers.
 * Halos travel as opaque bytes between plans whose specs differ only in their layers
 * (lib/divide/slabs.h). At the lattice's own ends, unpack() applies the boundary condition. lib/
 * decides which slabs there can be and which updates they take. */
typedef struct lm_slab_ops {
    int (*phases)(const void *plan, int update);
    size_t (*halo_bytes)(const void *plan); /* of one side */
    /* Allocates the memory that sweeps by the update need. The functions below then allocate none.
     * NULL: they never do. */
    latmc_status (*prepare)(void *plan, int update);
    /* Begins a sweep, before its first phase. `counts` nonzero: resets the counter of changes and
     * counts during this sweep. Zero: counting is optional, and a plan that counts anyway resets
     * its counter first. */
    latmc_status (*begin)(void *plan, int update, int counts);
    latmc_status (*update)(void *plan, int update, int64_t step, int phase, lm_part part);
    /* Copies the slab's own boundary layers, as they are at the call, to `halo`. Without packed()
     * the copy is complete on return. With packed(), the copy is complete when packed() has
     * returned. Meanwhile the device goes on with the bulk. packed() waits for all copies from and
     * to halos. */
    latmc_status (*pack)(void *plan, lm_side side, void *halo);
    latmc_status (*packed)(void *plan);
    /* Takes the neighbour's boundary layers from `halo`. The contents of `halo` are undefined
     * afterwards. With packed(), `halo` belongs to the plan until the next packed() or wait().
     * These report a failure of the copy. */
    latmc_status (*unpack)(void *plan, lm_side side, void *halo);
    /* take_buffer() allocates memory for `halo` that the device copies asynchronously. It returns
     * NULL and sets the error message if there is none. give_buffer() frees the memory. NULL: any
     * memory will do for `halo`. */
    void *(*take_buffer)(void *plan, size_t bytes);
    void (*give_buffer)(void *plan, void *buffer);
    /* NULL: layers go by pack() and unpack() alone. Otherwise, from here on update() also brings
     * what it changes of the layers at a side into the halo of the plan beyond it, of the same ops
     * and in the same process; sites of a phase need no others of that phase, so that no order is
     * asked of the slabs' updates. Peer NULL: no longer. Returns 0 if it cannot. */
    int (*connect)(void *plan, lm_side side, void *peer);
    /* 1: begin() and update() return when the device has its orders. Each connected slab may then
     * have a host thread of its own. No thread is ever a phase ahead of another one. One thread has
     * beforehand allocated, for all, what a sweep allocates the first time. */
    int queues;
    /* Both NULL: sums are whole numbers. run() without sweeps gives the sums of the slab's sites,
     * of the bonds one step up from them, and of changes since begin(). Otherwise sums() gives the
     * sums of sites by layer, sums[replica][k][layer of the slab] for the bundles, k <
     * lm_spec_sums(). lm_sums_tree() over the lattice's layers makes the replica's sum. changes()
     * gives the proposals accepted since begin(), counted[replica], and the number of proposals of
     * each site, offers[replica]. */
    latmc_status (*sums)(void *plan, unsigned bundles, double *sums);
    latmc_status (*changes)(void *plan, double *counted, double *offers);
} lm_slab_ops;

#endif
