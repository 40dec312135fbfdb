/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares a plan of the engine of words: a lattice, or a slab of one, in the memory of the host.
 *
 * sites[group][sublattice][digit][plane][row][word]: a site's state has as many one-bit digits as
 * its model says. A plane has a ghost row on either side. With more than two axes, a ghost layer of
 * planes lies below and above. Ghosts repeat the rows across the boundary, so no inner loop needs
 * to know its position.
 */
#ifndef LM_BITS_PLAN_H
#define LM_BITS_PLAN_H

#include <stdatomic.h>

#include "backends/backend.h"
#include "backends/cpu/bits/band.h"
#include "backends/cpu/bits/cross.h"
#include "backends/rules.h"
#include "lib/physics/philox_keys.h"

struct lm_bits_plan;

/* What the engine asks of a model. */
typedef struct lm_bits_model {
    const void *const *lanes;     /* [device]: tables that begin with lm_bits_loops */
    const lm_words_model *common; /* what is the same on every device */
    /* Updates the sites of some consecutive bands of a group. */
    void (*update)(const struct lm_bits_plan *plan, int update, lm_bits_band *bands, int count);
    /* Adds the sums of sites of some bands of a group, all in one sublattice: sums[replica of the
     * word][k]. */
    void (*measure)(const struct lm_bits_plan *plan, unsigned bundles, const lm_bits_band *bands,
                    int count, int64_t (*sums)[LM_BITS_MAX_SUMS]);
    /* Returns the time of a word, in units of its time by the uniform rule of the Ising model. */
    double (*work)(const struct lm_bits_plan *plan, int update);
} lm_bits_model;

typedef struct lm_bits_plan {
    lm_spec spec;
    const lm_bits_model *model;
    int digits;       /* of a site */
    int sums;         /* of a replica */
    unsigned bundles; /* for which sites are read */
    lm_words words;
    lm_row_patterns shape;
    const lm_bits_loops *lane;
    const lm_cross_loops *cross;
    lm_cpu_room room;
    int threads;          /* 0: OpenMP's choice */
    int whole;            /* 1: the plan is not a slab */
    int64_t layer_rows;   /* rows of a layer of the slowest axis */
    int64_t plane_rows;   /* rows of a plane held here */
    int64_t planes;       /* planes held here, without ghosts */
    int64_t layer_planes; /* planes of a ghost layer; 0 where rows are the ghosts */
    int64_t plane_words;  /* plane_rows W */
    int64_t plane_stride; /* with the two ghost rows */
    int64_t digit_stride; /* of all planes */
    uint32_t *patterns;   /* of shape */
    uint32_t *sites;
    uint32_t *sign, *gone; /* [group][sublattice][number][plane][word], or NULL */
    int64_t bond_stride;   /* from group to group; 0: all groups share one sample's bonds */
    lm_rules rules;
    lm_keys keys;
    void *peers[2];          /* [side]: plans that have the layer there as their halo, or NULL */
    _Atomic int64_t *counts; /* [replica of the words, absent ones too][sums] */
} lm_bits_plan;

latmc_status lm_bits_open(const lm_spec *spec, const void *engine, int device, void **plan);
void lm_bits_close(void *plan);
/* Returns the bytes of a plan without its rules. */
int64_t lm_bits_bytes(const lm_bits_plan *plan);

/* Returns word 0 of row 0 of a plane, of digit 0. The plane is in -layer_planes .. planes +
 * layer_planes - 1. */
uint32_t *lm_bits_plane(const lm_bits_plan *plan, int64_t group, int sublattice, int64_t plane);

/* Returns row `row` of the slab, of digit 0, 0 <= row < planes * plane_rows. */
uint32_t *lm_bits_row(const lm_bits_plan *plan, int64_t group, int sublattice, int64_t row);

/* Returns the number of the slab's row 0 in the whole lattice. */
int64_t lm_bits_first_row(const lm_bits_plan *plan);

/* Makes a band of rows [row, end) of one plane, with everything but the rule. It writes the band in
 * place, because small lattices show what a copy takes. */
void lm_bits_put_band(const lm_bits_plan *plan, int64_t group, int sublattice, int64_t plane,
                      int64_t row, int64_t end, lm_bits_band *band);
lm_bits_band lm_bits_band_of(const lm_bits_plan *plan, int64_t group, int sublattice, int64_t plane,
                             int64_t row, int64_t end);

/* Brings the ghosts of a whole lattice up to date with rows [row, end) of a plane. */
void lm_bits_refresh(const lm_bits_plan *plan, int64_t group, int sublattice, int64_t plane,
                     int64_t row, int64_t end);

/* Returns a replica's group. *nth is the replica's place in the group's words. */
int64_t lm_bits_group_of(const lm_bits_plan *plan, int64_t replica, int *nth);

/* Two replicas: their groups, and the part of the twins that does not depend on the rows. */
typedef struct lm_bits_pair {
    int64_t group[2];
    lm_bits_twins twins;
} lm_bits_pair;
lm_bits_pair lm_bits_pair_of(const lm_bits_plan *plan, const int64_t replicas[2]);

/* Makes the rule of an update. One thread calls it before rows are updated. */
void lm_bits_make_rule(lm_bits_plan *plan, int update);
/* Returns this rule for the group of a band, unless the uniform rule serves (ballot.h). */
struct lm_word_rule lm_bits_rule_of(const lm_bits_plan *plan, int update, const lm_bits_band *band);

/* These work on rows [first, last) of the slab, plane by plane. */
void lm_bits_update_rows(lm_bits_plan *plan, int update, int64_t step, int64_t group, int colour,
                         int64_t first, int64_t last, int count);
void lm_bits_measure_rows(lm_bits_plan *plan, unsigned bundles, int64_t group, int64_t first,
                          int64_t last);
void lm_bits_start_rows(lm_bits_plan *plan, latmc_start_mode mode, int64_t group, int64_t first,
                        int64_t last);

/* These are in ops.c: what plans of all models have in lm_plan_ops, and their slabs. */
void lm_bits_set_threads(void *plan, int threads);
latmc_status lm_bits_put_parameters(void *plan, const lm_parameters *parameters);
latmc_status lm_bits_put_slots(void *plan, const lm_parameters *parameters);
latmc_status lm_bits_sketch(void *plan, const lm_parameters *parameters, int update,
                            lm_sketch *sketch);
extern const lm_slab_ops lm_bits_slabs;
/* The operations that all models have, as initialisers. */
#define LM_BITS_OPS                                                                                \
    .close = lm_bits_close, .sketch = lm_bits_sketch, .set_threads = lm_bits_set_threads,          \
    .read_at_once = 1, .put_bonds = lm_bits_put_bonds, .put_parameters = lm_bits_put_parameters,   \
    .put_slots = lm_bits_put_slots, .start = lm_bits_start, .put_sites = lm_bits_put_sites,        \
    .get_sites = lm_bits_get_sites, .crosses = lm_bits_crosses, .cross = lm_bits_cross,            \
    .copy = lm_bits_copy, .run = lm_bits_run, .slabs = &lm_bits_slabs

extern const lm_plan_ops lm_bits_ops; /* for a model that leaves pairs to the host */

/* These are in sites.c, cross.c, run.c, pairs.c and planes.c: operations of lm_plan_ops and
 * lm_slab_ops. */
latmc_status lm_bits_put_bonds(void *plan, int64_t sample, int axis, int64_t first_row,
                               int64_t rows, const int8_t *bonds);
latmc_status lm_bits_start(void *plan, latmc_start_mode mode);
latmc_status lm_bits_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                               const void *sites);
latmc_status lm_bits_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                               void *sites);
unsigned lm_bits_crosses(const void *plan);
latmc_status lm_bits_cross(void *plan, const lm_crossing *crossing);
latmc_status lm_bits_copy(void *plan, const int64_t *from);
size_t lm_bits_halo_bytes(const void *plan);
latmc_status lm_bits_pack(void *plan, lm_side side, void *halo);
latmc_status lm_bits_unpack(void *plan, lm_side side, void *halo);
int lm_bits_connect(void *plan, lm_side side, void *peer);
/* Writes boundary layers to the plans that the slab is connected with. One colour of these layers
 * has changed. */
void lm_bits_bring(const lm_bits_plan *plan, int colour);
latmc_status lm_bits_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                         int64_t budget, const lm_measure *out);
latmc_status lm_bits_pairs(void *plan, unsigned bundles, int64_t pairs,
                           const int64_t (*replicas)[2], double *sums);
enum { LM_BITS_MAX_PLANES = 8192 }; /* a thread has its counts on its stack */
latmc_status lm_bits_spin_planes(void *plan, int64_t first, int64_t count, int64_t *up);
latmc_status lm_bits_pair_planes(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                 int64_t *apart);

#endif
