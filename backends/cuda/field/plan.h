/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a lattice with one or more numbers a site in the memory of a GPU. */
#ifndef LM_CUDA_FIELD_PLAN_H
#define LM_CUDA_FIELD_PLAN_H

#include "backends/cuda/field/momenta.h"
#include "backends/cuda/field/view.h"
#include "backends/cuda/exchange.h"
#include "backends/cuda/plan.h"
#include "backends/fixed.h"
#include "lib/geometry/tiles.h"

/* The types that keep a component. */
enum { LM_FIELD_FLOATS, LM_FIELD_DOUBLES, LM_FIELD_BYTES, LM_FIELD_ELEMENTS };

/* What the engine must know of a model. A rule is what the model makes of a replica's
 * parameters. */
typedef struct lm_cuda_field_model {
    const lm_cuda_kernels *kernels;
    const lm_field_kernels *launch[LM_FIELD_ELEMENTS]; /* [type of sites] */
    /* A rule begins with some doubles, which kernels have as numbers of the type of their
     * arithmetic. Some ints follow. */
    size_t rule_bytes;
    int rule_reals, rule_ints;
    int updates;
    int params; /* the first parameters, of which actions are made */
    /* Makes a rule from values[parameter * stride] and the couplings of the axes. */
    void (*make_rule)(const double *values, int64_t stride, const double *type_coupling, int states,
                      void *rule);
    int (*kind)(const lm_spec *spec); /* the kind of a lattice: lib/physics/field.h; NULL: 0 */
    double (*proposals)(const void *rule, int update); /* proposals at a site in a sweep */
    int (*variant)(int update);  /* variant for lm_cuda_field_pass; NULL: the update itself */
    int terms;                   /* what a site adds to sums: LM_TERMS_.. (momenta.h) */
    lm_fixed_value *fixed_value; /* NULL if no static values are in memory */
    int spins;                   /* 1: bytes are -1 and +1, and not states 0, 1, .. */
} lm_cuda_field_model;

typedef struct lm_cuda_field_plan {
    lm_cuda_head head;
    const lm_cuda_field_model *model;
    const lm_field_kernels *launch;
    lm_spec spec;
    int doubles; /* 1: static values and arithmetic are doubles; 0: floats */
    lm_tiles tiles;
    size_t site_bytes;               /* bytes of a component */
    size_t number_bytes, rule_bytes; /* bytes of a static value; bytes of a rule on the device */
    int64_t samples; /* samples of static values: 1, or spec.samples where they are given */
    void *staging; /* sites on their way, if they have several components or are of another order */
    uint64_t staged; /* numbers for which `staging` has room */
    lm_field_view view;
    int64_t first_number; /* number in the lattice of the first site in memory; below 0 where this
                             is the halo's */
    int classes;          /* 1: rows go by class while the lattice is swept by colours */
    int update;           /* slab: update of the present phase */
    int counts;           /* slab: 1: this sweep counts what it accepts */
    int sums;             /* sums of a replica in a measurement of all bundles, without the accepted
                             proposals */
    uint32_t portion;     /* replicas that are measured at once */
    double *rule;         /* room for one rule of the model */
    char *rules;          /* [slot]: rules as on the device, and room for the replicas' rules */
    void *rules_there;    /* device: [slot] */
    int rules_sent;       /* 1: the rules on the device are the present ones */
    double *offers;       /* [update][slot]: proposals at each site in a sweep */
    int even;             /* 1: the proposals are the same for all slots */
    double *offered; /* [replica]: proposals of the last sweep that counted the accepted ones */
    unsigned long long *tallies; /* slab: room for the tallies of all replicas */
    double *slab_sums;           /* slab: room for the sums of `portion` replicas by layer */
    const double *pair_wave[LATMC_MAX_DIMS]; /* view.wave, for axes that are all periodic */
    double *fold[2];
    double *leaves[2];  /* all replicas' leaves of the sum that a sweep may leave behind */
    int64_t until_left; /* sweeps from here on, after the last of which the sum is left; 0: none
                           leaves it */
    int backward;       /* 1: the next sweeps begin with the last portion of the replicas */
    unsigned long long *spare; /* as large as view.accepted */
    int spare_clear;           /* 1: what is queued makes `spare` all 0 */
} lm_cuda_field_plan;

/* The most sites of a plane, with the halo: places are numbers of 32 bits. */
#define LM_CUDA_FIELD_SITES ((int64_t)1 << 32)

/* A model's row. `engine` is its lm_cuda_field_model, and `opener` opens its plans. */
#define LM_CUDA_FIELD_ROW(of, type, operations, its_engine, opener)                                \
    {                                                                                              \
        .model = of, .kept = type, .ops = &operations, .most_sites = LM_CUDA_FIELD_SITES,          \
        .engine = its_engine, .open = opener                                                       \
    }

latmc_status lm_cuda_field_open(const lm_spec *spec, const void *engine, int device, void **plan);

/* Puts rows in the order of classes, or in natural order, from now on (run.c). */
cudaError_t lm_cuda_field_arrange(lm_cuda_field_plan *plan, int by_class);

/* Fills static values with their first contents (sites.c). Operations of lm_plan_ops follow. */
latmc_status lm_cuda_field_fill_fixed(lm_cuda_field_plan *plan);
latmc_status lm_cuda_field_start(void *plan, latmc_start_mode mode);
latmc_status lm_cuda_field_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                     const void *sites);
latmc_status lm_cuda_field_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                     void *sites);
unsigned lm_cuda_field_crosses(const void *plan);
latmc_status lm_cuda_field_cross(void *plan, const lm_crossing *crossing);
latmc_status lm_cuda_field_copy(void *plan, const int64_t *from);
latmc_status lm_cuda_field_put_values(void *plan, int64_t sample, int k, int64_t first_row,
                                      int64_t rows, const double *values);

/* Says whether a plan has only a part of a lattice. */
static inline int lm_field_is_slab(const lm_spec *spec)
{
    return spec->layers < spec->extents[spec->dims - 1];
}

/* Returns the first layer in memory; 0 for a chain, whose sites are one layer. */
static inline int64_t lm_field_first_layer(const lm_spec *spec)
{
    return lm_field_is_slab(spec) ? spec->first_layer - spec->reach : 0;
}

/* Makes what the view points to, for the plan's life (tables.c). */
latmc_status lm_cuda_field_tables(lm_cuda_field_plan *plan);

/* Functions of run.c. The first returns a launch of the update for layers [first, last) of the
 * lattice; a chain has layer 0. The second makes the sums of n replicas' sites from `first` on:
 * *in says which of p->fold has [replica][layer][sum]. Then come the sums of some bundles, and
 * an operation of lm_plan_ops. */
lm_cuda_field_pass lm_cuda_field_pass_of(const lm_cuda_field_plan *plan, int update, int64_t step,
                                         int64_t first, int64_t last);
cudaError_t lm_cuda_field_layer_sums(lm_cuda_field_plan *plan, lm_cuda_field_wanted wanted,
                                     uint32_t first, uint32_t n, int *in);
/* Folds the blocks' sums of n pairs, from [pair][layer][block][sum] in buffers[0] to
 * out[pair][sum]. buffers[1] has room for the sums of blocks of blocks. */
cudaError_t lm_cuda_field_fold_blocks(lm_cuda_field_plan *plan, double *const *buffers, int sums,
                                      uint64_t n, double *out);
/* The first function returns the bundle of the sum that a sweep may leave behind. The second
 * makes this sum of all replicas as they are: *in says which of p->leaves has [replica][layer]. */
unsigned lm_cuda_field_bonds(const lm_cuda_field_plan *plan);
cudaError_t lm_cuda_field_layer_bonds(lm_cuda_field_plan *plan, int *in);
int lm_cuda_field_sums_of(const lm_cuda_field_plan *plan, unsigned bundles);
/* Queues the sums of the measured bundles, in a record that begins with counts. */
cudaError_t lm_cuda_field_measure(void *plan, unsigned bundles, void *record);
size_t lm_cuda_field_record_bytes(const lm_cuda_field_plan *plan, unsigned bundles);
/* Returns the bytes of all tallies; the next function returns what a replica has accepted. */
size_t lm_cuda_field_tally_bytes(const lm_cuda_field_plan *plan);
double lm_cuda_field_accepted(const lm_cuda_field_plan *plan, const unsigned long long *tallies,
                              uint32_t replica);
/* Notes what each replica proposes in a sweep that counts accepted proposals. */
void lm_cuda_field_keep_offers(lm_cuda_field_plan *plan, int update);
latmc_status lm_cuda_field_prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                                   const lm_measure *out);
latmc_status lm_cuda_field_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                               int64_t budget, const lm_measure *out);

/* lm_cuda_kernel.sweep of a model's kernels: by colours; by colours with packs as large as a row
 * allows; by tiles. */
cudaError_t lm_cuda_field_by_colours(void *plan, const lm_job *job, int count, void *sums);
cudaError_t lm_cuda_field_by_packs(void *plan, const lm_job *job, int count, void *sums);
cudaError_t lm_cuda_field_by_tiles(void *plan, const lm_job *job, int count, void *sums);
enum {
    LM_FIELD_BY_COLOURS,
    LM_FIELD_BY_TILES,
    LM_FIELD_SWEEPS
}; /* numbers of the kernels in the list */

/* Operations of lm_plan_ops for pairs (pairs.c). Those by planes are for sites that are spins. */
latmc_status lm_cuda_field_pairs(void *plan, unsigned bundles, int64_t pairs,
                                 const int64_t (*replicas)[2], double *sums);
latmc_status lm_cuda_field_pair_planes(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                       int64_t *apart);

latmc_status lm_cuda_field_momenta(void *plan, const lm_momentum_order *order, double *sums,
                                   int *made);

/* slab.c */
extern const lm_slab_ops lm_cuda_field_slabs;

/* Operations for a model's row, by what its sites are. The host compares replicas of Potts
 * states. */
extern const lm_plan_ops lm_cuda_states_ops, lm_cuda_spins_ops, lm_cuda_numbers_ops,
    lm_cuda_vectors_ops;

#endif
