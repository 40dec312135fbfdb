/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice with some real numbers a site in the memory of a GPU. */
#ifndef LM_CUDA_FIELD_PLAN_H
#define LM_CUDA_FIELD_PLAN_H

#include "backends/cuda/field/view.h"
#include "backends/cuda/exchange.h"
#include "backends/cuda/plan.h"
#include "backends/fixed.h"
#include "lib/geometry/tiles.h"

/* What a component is kept as. */
enum { LM_FIELD_FLOATS, LM_FIELD_DOUBLES, LM_FIELD_BYTES, LM_FIELD_ELEMENTS };

/* What the engine must know of a model. A rule is what the model makes of a replica's parameters.
 */
typedef struct lm_cuda_field_model {
    const lm_cuda_kernels *kernels;
    const lm_field_kernels *launch[LM_FIELD_ELEMENTS]; /* by the type of sites */
    /* A rule begins with so many doubles, which kernels have as numbers of the type that they
     * reckon with; so many ints follow. */
    size_t rule_bytes;
    int rule_reals, rule_ints;
    int updates;
    int params; /* the first ones, that actions are made of */
    /* From [parameter * stride] and the couplings of the axes. */
    void (*make_rule)(const double *values, int64_t stride, const double *axis_coupling, int states,
                      void *rule);
    int (*kind)(const lm_spec *spec); /* of a lattice: lib/physics/field.h; NULL: 0 */
    double (*proposals)(const void *rule, int update); /* at a site in a sweep */
    int (*variant)(int update);  /* for lm_cuda_field_pass; NULL: the update itself */
    lm_fixed_value *fixed_value; /* NULL if no static values are in memory */
} lm_cuda_field_model;

typedef struct lm_cuda_field_plan {
    lm_cuda_head head;
    const lm_cuda_field_model *model;
    const lm_field_kernels *launch;
    lm_spec spec;
    int doubles; /* the type of static values, and that kernels reckon with; else floats */
    lm_tiles tiles;
    size_t site_bytes;               /* of a component */
    size_t number_bytes, rule_bytes; /* of a static value; on the device */
    int64_t samples;                 /* of static values: 1, or spec.samples where they are given */
    void *staging; /* of sites on their way, if they have several components or such values; */
    uint64_t room; /* its numbers */
    lm_field_view view;
    int64_t first_number; /* of the lattice, in memory: below 0 where that is the halo's */
    int classes;          /* rows go by class while the lattice is swept by colours */
    int update;           /* of a slab's present phase, */
    int counts;           /* whose sweep counts what it accepts */
    int sums;             /* of a replica in a measurement of all, less the accepted proposals */
    uint32_t part;        /* replicas that are measured at once */
    double *rule;         /* room for a rule of the model's */
    char *rules;          /* [slot]: as on the device, and room for those of the replicas */
    void *rules_there;    /* device: [slot], */
    int rules_sent;       /* which are the present ones */
    double *offers;       /* [update][slot]: proposals at each site in a sweep */
    int even;             /* they are the same for all slots */
    double *offered;      /* [replica]: those of the last sweep that counted the accepted ones */
    unsigned long long *tallies; /* of a slab: room for those of all replicas */
    double *slab_sums;           /* of a slab: room for those of `part` replicas by layer */
    const double *pair_wave[LATMC_MAX_DIMS]; /* view.wave, of axes that are all periodic */
    double *fold[2];
    double *leaves[2]; /* of the sum that a sweep may leave behind; of all replicas: */
    int64_t
        until_left; /* so many sweeps from here on the last one leaves it behind; 0: none does */
    int backward;   /* the next sweeps begin with the last part of the replicas */
    unsigned long long *spare; /* room as large as view.accepted, */
    int spare_clear;           /* which is all 0 by what is queued */
} lm_cuda_field_plan;

/* The most sites of a plane, with the halo: places are numbers of 32 bits. */
#define LM_CUDA_FIELD_SITES ((int64_t)1 << 32)

latmc_status lm_cuda_field_open(const lm_spec *spec, int device, const lm_cuda_field_model *model,
                                lm_cuda_field_plan **plan);

/* run.c: rows by class or in natural order from now on. */
cudaError_t lm_cuda_field_arrange(lm_cuda_field_plan *plan, int by_class);

/* sites.c: what static values are at first; operations of lm_plan_ops. */
latmc_status lm_cuda_field_fill_fixed(lm_cuda_field_plan *plan);
latmc_status lm_cuda_field_start(void *plan, latmc_start_mode mode);
latmc_status lm_cuda_field_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                     const void *sites);
latmc_status lm_cuda_field_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                     void *sites);
latmc_status lm_cuda_field_put_replicas(void *plan, int64_t first, int64_t count,
                                        const void *sites);
latmc_status lm_cuda_field_get_replicas(void *plan, int64_t first, int64_t count, void *sites);
latmc_status lm_cuda_field_put_values(void *plan, int64_t sample, int k, int64_t first_row,
                                      int64_t rows, const double *values);

/* Is it a part of a lattice? */
static inline int lm_field_is_slab(const lm_spec *spec)
{
    return spec->layers < spec->extents[spec->dims - 1];
}

/* The first layer in memory; 0 of a chain, whose sites are one. */
static inline int64_t lm_field_first_layer(const lm_spec *spec)
{
    return lm_field_is_slab(spec) ? spec->first_layer - spec->reach : 0;
}

/* tables.c: what the view points to, for the plan's life. */
latmc_status lm_cuda_field_tables(lm_cuda_field_plan *plan);

/* run.c: a launch of the update for layers [first, last) of the lattice (of a chain: layer 0); the
 * sums of sites of n replicas from `first` on: *in says which of p->fold has [replica][layer][sum];
 * sums that some groups have; an operation of lm_plan_ops. */
lm_cuda_field_pass lm_cuda_field_pass_of(const lm_cuda_field_plan *plan, int update, int64_t step,
                                         int64_t first, int64_t last);
cudaError_t lm_cuda_field_layer_sums(lm_cuda_field_plan *plan, lm_cuda_field_wanted wanted,
                                     uint32_t first, uint32_t n, int *in);
/* Of n pairs: their blocks' sums, [pair][layer][block][sum] in buffers[0], to out[pair][sum].
 * buffers[1] has room for those that a block of blocks comes to. */
cudaError_t lm_cuda_field_fold_blocks(lm_cuda_field_plan *plan, double *const *buffers, int sums,
                                      uint64_t n, double *out);
/* The group of the sum that a sweep may leave behind; and of all replicas, as they stand: *in says
 * which of p->leaves has [replica][layer]. */
unsigned lm_cuda_field_bonds(const lm_cuda_field_plan *plan);
cudaError_t lm_cuda_field_layer_bonds(lm_cuda_field_plan *plan, int *in);
int lm_cuda_field_sums_of(const lm_cuda_field_plan *plan, unsigned groups);
/* Queues the sums of groups that are measured, of a record that begins with counts. */
cudaError_t lm_cuda_field_measure(void *plan, unsigned groups, void *record);
size_t lm_cuda_field_record_bytes(const lm_cuda_field_plan *plan, unsigned groups);
/* The bytes of all tallies; what a replica has accepted by them. */
size_t lm_cuda_field_tally_bytes(const lm_cuda_field_plan *plan);
double lm_cuda_field_accepted(const lm_cuda_field_plan *plan, const unsigned long long *tallies,
                              uint32_t replica);
/* What each replica proposes in a sweep that counts what is accepted. */
void lm_cuda_field_note_offers(lm_cuda_field_plan *plan, int update);
latmc_status lm_cuda_field_prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                                   const lm_out *out);
latmc_status lm_cuda_field_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                               int64_t budget, const lm_out *out);

/* lm_cuda_kernel.sweep of a model's kernels: by colours; of planes that go by colour with packs of
 * sites as large as may be; by tiles. */
cudaError_t lm_cuda_field_by_colours(void *plan, const lm_job *job, int count, void *sums);
cudaError_t lm_cuda_field_by_packs(void *plan, const lm_job *job, int count, void *sums);
cudaError_t lm_cuda_field_by_tiles(void *plan, const lm_job *job, int count, void *sums);
enum { LM_FIELD_BY_COLOURS, LM_FIELD_BY_TILES, LM_FIELD_WAYS }; /* their places in the list */

/* pairs.c: operations of lm_plan_ops; of planes, where sites are spins. */
latmc_status lm_cuda_field_pairs(void *plan, unsigned groups, int64_t pairs,
                                 const int64_t (*replicas)[2], double *sums);
latmc_status lm_cuda_field_pair_planes(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                       int64_t *apart);

/* slab.c */
extern const lm_slab_ops lm_cuda_field_slabs;

/* For a model's row, by what its sites are; replicas of Potts' states are compared by the host. */
extern const lm_plan_ops lm_cuda_states_ops, lm_cuda_spins_ops, lm_cuda_numbers_ops,
    lm_cuda_vectors_ops;

#endif
