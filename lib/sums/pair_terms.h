/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what some sites of a row add to the sums of a pair of replicas: doc/trajectory.md,
 * "Sums over pairs". */
#ifndef LM_PAIR_TERMS_H
#define LM_PAIR_TERMS_H

#include "lib/base/chunk.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/planes.h"
#include "lib/sums/adder.h"
#include "lib/sums/momentum_sums.h"
#include "lib/sums/row_cache.h"
#include "lib/physics/pair_sums.h"

/* The bonds that a sample has, in some rows. */
typedef struct lm_pair_links {
    int64_t sample, first; /* the sample's number plus 1, and the chunk's first row; 0: no sample */
    int8_t *there;         /* [axis][site of the chunk] */
} lm_pair_links;

typedef struct lm_pair_summing {
    const latmc_lattice *lattice;
    const char *caller;
    unsigned bundles;
    int dims, components, count; /* sums of a pair */
    int begin[LM_PAIR_BUNDLES + 1];
    size_t bytes;             /* of a site */
    int64_t chunk_sites;      /* of the largest chunk */
    int64_t layer_sites;      /* of a layer, */
    int64_t left, block_left; /* sites left in the present layer, and in a block of sums */
    lm_row_cache rows;
    lm_pair_links links[2]; /* of the two replicas' samples */
    double *terms;          /* [C C + LM_PAIR_SPARE][LM_SUMS_BLOCK] */
    lm_adder *layer, *all;  /* [sum] */
    lm_planes planes;       /* for whole products; all threads share the waves */
    double bonds[LATMC_MAX_DIMS];
    lm_momentum_adding at[LM_PAIR_AT_END - LM_PAIR_AT]; /* [bundle with momenta] */
} lm_pair_summing;

/* The arrays in `terms` for products and what is computed from them. The tensor's arrays follow. */
enum { LM_PAIR_PRODUCT, LM_PAIR_OF_A, LM_PAIR_OF_B, LM_PAIR_TERM, LM_PAIR_SPARE };

/* Some consecutive sites of a row, in both replicas of a pair. */
typedef struct lm_pair_sites {
    const int64_t *replicas;
    int64_t row, first, count; /* sites from `first` of the row on */
    int64_t in_chunk;          /* number of the first site within the chunk */
    int64_t x[LATMC_MAX_DIMS]; /* coordinates of the first site */
    const char *row_sites[2];  /* site 0 of the row */
    const int8_t *there[2];    /* links.there of the two samples */
} lm_pair_sites;

static inline double *lm_pair_terms(const lm_pair_summing *s, int which)
{
    return s->terms + (ptrdiff_t)which * LM_SUMS_BLOCK;
}

static inline const char *lm_pair_site(const lm_pair_summing *s, const char *row, int64_t x)
{
    return row + (size_t)x * s->bytes;
}

static inline int lm_pair_takes(const lm_pair_summing *s, int bundle)
{
    return (int)(s->bundles >> bundle & 1u);
}

static inline void lm_pair_products(const lm_pair_summing *s, const char *a, const char *b,
                                    int64_t count, double *to)
{
    const lm_site_array of = lm_site_array_of(s->lattice);

    s->lattice->model->products(&of, a, b, count, to);
}

/* Each adds what the sites add to the sums of one or two bundles. Waves take the products. */
void lm_pair_add_waves(lm_pair_summing *s, const lm_pair_sites *at, const double *terms);
void lm_pair_add_tensor(lm_pair_summing *s, const lm_pair_sites *at);
latmc_status lm_pair_add_links(lm_pair_summing *s, const lm_pair_sites *at);
latmc_status lm_pair_add_chiral(lm_pair_summing *s, const lm_pair_sites *at);
/* Adds a whole row to the sums with momenta. */
latmc_status lm_pair_add_at_momenta(lm_pair_summing *s, lm_pair_sites at);

/* Returns the bonds of a chunk's rows, in the sample of a replica. `which` is 0 or 1, the replica's
 * number in its pair. */
const int8_t *lm_pair_links_of(lm_pair_summing *s, int which, int64_t replica, lm_chunk rows);

#endif
