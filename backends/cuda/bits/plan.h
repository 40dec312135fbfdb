/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a lattice of words, or a slab of one, in the memory of a GPU. */
#ifndef LM_CUDA_BITS_PLAN_H
#define LM_CUDA_BITS_PLAN_H

#include "backends/bonds.h"
#include "backends/cuda/bits/cross.h"
#include "backends/cuda/bits/view.h"
#include "backends/cuda/exchange.h"
#include "backends/cuda/plan.h"
#include "backends/cuda/series.h"
#include "backends/rules.h"

enum { LM_PAIRS_AT_ONCE = 4096 };

/* The most sites of a lattice. The kernels of whole lattices count the words of a sublattice in
 * 31 bits; those of slabs do not. A folded lattice of so many sites has fewer words, since a
 * word and its mate in the other sublattice have at least 33 sites. So has a lattice in natural
 * order whose words are all full. */
#define LM_CUDA_BITS_SITES (((int64_t)1 << 36) - 32)

/* A list of pairs of replicas that the device keeps from one call to the next. */
typedef struct lm_cuda_pairs {
    int64_t (*device)[2]; /* device: room for LM_PAIRS_AT_ONCE pairs */
    int64_t (*host)[2];   /* host: the same pairs; NULL before the first call */
    int64_t count;
} lm_cuda_pairs;

/* Updates rows of a colour, as the kernels of slabs do. `uniform`: the kernel reads the uniform
 * rule's table. */
typedef cudaError_t lm_bits_launch(const lm_bits_view *view, const lm_bits_pass *pass,
                                   cudaStream_t stream);

typedef struct lm_cuda_bits_rows {
    lm_bits_launch *launch;
    int uniform;
} lm_cuda_bits_rows;

/* What the engine asks of a model. */
typedef struct lm_cuda_bits_model {
    const lm_cuda_kernels *kernels;
    const lm_cuda_bits_rows *rows; /* [kernel], for the kernels that serve slabs */
    const lm_words_model *common;  /* what is the same on every device */
    cudaError_t (*start)(const lm_bits_view *view, int hot, cudaStream_t stream);
    /* Adds some bundles into counts that are 0. */
    cudaError_t (*measure)(const lm_bits_view *view, unsigned bundles, cudaStream_t stream);
    unsigned counts_up; /* mask of the bundle whose sum is twice its count less the number of
                           sites; 0: none */
    lm_cuda_exchange_by *exchange;
    /* Return the bytes of a buffer for outcomes drawn ahead, and the blocks of the kernel that has
     * it; NULL: none. The flag says whether a kernel tags words. */
    size_t (*ahead)(const lm_bits_view *view);
    unsigned (*ahead_blocks)(const lm_bits_view *view, int device);
    int tags;
} lm_cuda_bits_model;

typedef struct lm_cuda_bits_plan {
    lm_cuda_head head;
    const lm_cuda_bits_model *model;
    lm_spec spec;
    lm_words words;
    unsigned bundles; /* for which sites are read */
    lm_bits_view view;
    int64_t ghost_rows;              /* ghost rows on either side; 0 for a whole lattice */
    uint32_t *sites;                 /* device: sites with ghosts */
    uint32_t *replicas_mask;         /* device: view.replicas_mask */
    uint32_t *sign, *gone;           /* device: view.sign, view.gone */
    uint32_t *host_sign, *host_gone; /* bonds until they have gone to the device */
    lm_rules rules;
    int64_t table_words; /* words for which head.tables has room */
    /* [table], its thresholds on the device, and how many of them there is room for; 1: the
     * thresholds are the present ones, and so are their planes. */
    uint64_t *thresholds[LM_RULE_TABLES];
    int64_t threshold_capacity[LM_RULE_TABLES];
    int known[LM_RULE_TABLES], spread[LM_RULE_TABLES];
    uint8_t *loose;    /* device: [replica], 1: loose */
    int loose_sent;    /* 1: `loose` is what rules.loose says */
    lm_count *changed; /* device: changes of the last sweep that counted */
    int clear;         /* 1: the kernel that makes the next sweep's table sets them to 0 */
    const lm_cuda_kernel *phases; /* slab: the kernel of the present sweep */
    int counts;                   /* slab: 1: the sweep counts changes */
    void *ahead;                  /* device: model->ahead() bytes, or NULL */
    unsigned ahead_blocks;        /* model->ahead_blocks() */
    uint64_t *tagged;             /* device: the persistent kernel's words, or NULL */
    uint64_t tags;                /* half sweeps that the persistent kernel has numbered */
    lm_cuda_pairs pairs;
} lm_cuda_bits_plan;

latmc_status lm_cuda_bits_open(const lm_spec *spec, const void *engine, int device, void **plan);
void lm_cuda_bits_close(void *plan);

/* Functions of tables.c. The first sends a table for the kernels that are queued from here on.
 * Others take room for the thresholds of a schedule's updates, free it, and are operations of
 * lm_plan_ops. */
cudaError_t lm_cuda_bits_send_table(lm_cuda_bits_plan *plan, int which);
cudaError_t lm_cuda_bits_make_thresholds(lm_cuda_bits_plan *plan, const lm_schedule *schedule);
void lm_cuda_bits_free_thresholds(lm_cuda_bits_plan *plan);
latmc_status lm_cuda_bits_put_parameters(void *plan, const lm_parameters *parameters);
latmc_status lm_cuda_bits_put_slots(void *plan, const lm_parameters *parameters);
latmc_status lm_cuda_bits_sketch(void *plan, const lm_parameters *parameters, int update,
                                 lm_sketch *sketch);

/* Returns the number of sums of all bundles: the counts of one record. */
static inline int64_t lm_cuda_bits_sums(const lm_cuda_bits_plan *p)
{
    return p->words.groups * p->words.per_word * p->view.sums;
}

/* Returns the bytes that the signs of all bonds take. The mask of missing bonds takes as many. */
static inline size_t lm_cuda_bits_bond_bytes(const lm_cuda_bits_plan *p)
{
    return (size_t)lm_bonds_all_words(&p->spec, &p->words, p->view.rows) * sizeof(uint32_t);
}

/* Operations of lm_plan_ops and lm_slab_ops (sites.c). Bonds gather on the host, and go to the
 * device before anything reads them. */
latmc_status lm_cuda_bits_put_bonds(void *plan, int64_t sample, int axis, int64_t first_row,
                                    int64_t rows, const int8_t *bonds);
cudaError_t lm_cuda_bits_send_bonds(lm_cuda_bits_plan *plan);

latmc_status lm_cuda_bits_start(void *plan, latmc_start_mode mode);
latmc_status lm_cuda_bits_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                    const void *sites);
latmc_status lm_cuda_bits_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                    void *sites);
lm_bits_home lm_cuda_bits_home(const lm_cuda_bits_plan *plan);
unsigned lm_cuda_bits_crosses(const void *plan);
latmc_status lm_cuda_bits_cross(void *plan, const lm_crossing *crossing);
latmc_status lm_cuda_bits_copy(void *plan, const int64_t *from);
size_t lm_cuda_bits_halo_bytes(const void *plan);
latmc_status lm_cuda_bits_pack(void *plan, lm_side side, void *halo);
latmc_status lm_cuda_bits_unpack(void *plan, lm_side side, void *halo);
int lm_cuda_bits_connect(void *plan, lm_side side, void *peer);

/* Sweeps by one launch for every colour, each of which reads this table; operations of slabs
 * (colours.c). */
cudaError_t lm_cuda_bits_by_colours(lm_cuda_bits_plan *plan, int table, const lm_job *job,
                                    int count, lm_count *sums, lm_bits_launch *launch);
extern const lm_slab_ops lm_cuda_bits_slabs;
/* The operations that all models have, as initialisers. */
#define LM_CUDA_BITS_OPS                                                                           \
    .close = lm_cuda_bits_close, .sketch = lm_cuda_bits_sketch,                                    \
    .put_bonds = lm_cuda_bits_put_bonds, .put_parameters = lm_cuda_bits_put_parameters,            \
    .put_slots = lm_cuda_bits_put_slots, .start = lm_cuda_bits_start,                              \
    .put_sites = lm_cuda_bits_put_sites, .get_sites = lm_cuda_bits_get_sites,                      \
    .crosses = lm_cuda_bits_crosses, .cross = lm_cuda_bits_cross, .copy = lm_cuda_bits_copy,       \
    .run = lm_cuda_bits_run, .prepare = lm_cuda_bits_prepare, .streams = 1, .wait = lm_cuda_wait,  \
    .exchanges = lm_cuda_bits_exchanges, .exchange = lm_cuda_bits_exchange,                        \
    .exchanged = lm_cuda_exchanged, .momenta = lm_cuda_bits_momenta, .weigh = lm_cuda_bits_weigh,  \
    .slabs = &lm_cuda_bits_slabs

/* Operations of a model that leaves pairs to the host (run.c). */
extern const lm_plan_ops lm_cuda_bits_ops;

/* More operations of lm_plan_ops (run.c). */
latmc_status lm_cuda_bits_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                              int64_t budget, const lm_measure *out);
latmc_status lm_cuda_bits_prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                                  const lm_measure *out);
int lm_cuda_bits_exchanges(const void *plan);
latmc_status lm_cuda_bits_exchange(void *plan, const lm_exchange_order *order);
lm_cuda_family lm_cuda_bits_family(const lm_cuda_bits_plan *plan);
/* Queues a measurement of some bundles, of all of these bundles as they are. */
cudaError_t lm_cuda_bits_measure(lm_cuda_bits_plan *plan, unsigned bundles, lm_count *sums);

/* Returns the records that a kernel makes that walks (counts.h). */
lm_walk lm_cuda_bits_walk_and_measure(const lm_cuda_bits_plan *plan, const lm_job *job,
                                      int64_t records, unsigned bundles);
/* Times of a sweep of a kernel that walks, in ns. A block has a warp for 32 words of a colour. */
typedef struct lm_walk_times {
    double block, block_warp; /* of a block alone, and of each of its warps */
    double warp;              /* of each warp of a multiprocessor that has many */
} lm_walk_times;

/* Return the time of one of the job's sweeps, in ns. The first is of a kernel that walks. The
 * second is of one that is launched for each colour, by the sites that the device updates in a
 * nanosecond. Its blocks begin one after another, so that each group takes a least time. */
double lm_cuda_bits_walk_cost(const lm_cuda_bits_plan *plan, const lm_job *job,
                              const lm_walk_times *times);
double lm_cuda_bits_colours_cost(const lm_cuda_bits_plan *plan, double rate, double group_ns);
/* Queues sweeps and records by a kernel that reads the table of its update. */
typedef cudaError_t lm_walk_launch(const lm_bits_view *view, const lm_walk *walk,
                                   cudaStream_t stream);
cudaError_t lm_cuda_bits_walk_sweeps(lm_cuda_bits_plan *plan, const lm_job *job, int count,
                                     lm_count *sums, lm_walk_launch *launch);
cudaError_t lm_cuda_bits_walk_records(lm_cuda_bits_plan *plan, const lm_job *job, int64_t records,
                                      unsigned bundles, lm_count *sums, lm_walk_launch *launch);

/* Operations for pairs, with the bundles LM_PAIR_OVERLAP and LM_PAIR_LINKS (pairs.c). */
latmc_status lm_cuda_bits_pairs(void *plan, unsigned bundles, int64_t pairs,
                                const int64_t (*replicas)[2], double *sums);
latmc_status lm_cuda_bits_queue_measurement(void *plan, const lm_measure *out, int64_t number,
                                            int64_t all);
latmc_status lm_cuda_bits_spin_planes(void *plan, int64_t first, int64_t count, int64_t *up);
latmc_status lm_cuda_bits_pair_planes(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                      int64_t *apart);

/* Sums over sites (momenta.c, weigh.c). */
latmc_status lm_cuda_bits_momenta(void *plan, const lm_momentum_order *order, double *sums,
                                  int *made);
latmc_status lm_cuda_bits_weigh(void *plan, const lm_weight_order *order, int64_t *sums, int *made);

#endif
