/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes what a plan holds: a lattice or a slab of it, its model's numbers, and how its sites
 * are kept. */
#ifndef LM_GEOMETRY_SPEC_H
#define LM_GEOMETRY_SPEC_H

#include <latmc/latmc.h>

/* Returns the factor of a bond across the ends of an axis. Open axes have no such bond: 0. */
static inline int lm_end_factor(latmc_boundary boundary)
{
    return boundary == LATMC_PERIODIC ? 1 : boundary == LATMC_ANTIPERIODIC ? -1 : 0;
}

/* How the sites of a lattice are kept, the same on every device: doc/trajectory.md, "Options and
 * representations". Sites cross between lib/ and a plan as int8_t, float or double, in the order
 * [site][component]. */
typedef enum lm_kept {
    LM_IN_WORDS = 1,
    LM_AS_FLOATS = 2,
    LM_AS_DOUBLES = 3,
    LM_AS_BYTES = 4
} lm_kept;

enum { LM_MAX_OPTIONS = 4 };

/* The largest number of bundles that a model can have. */
enum { LM_MAX_BUNDLES = 8 };

/* The largest length of a model's table (lm_model.table). */
enum { LM_MAX_TABLE = 128 };

/* The lattice, or the slab of a lattice, that a plan holds. It is fixed for the plan's life. */
typedef struct lm_spec {
    latmc_model model;
    lm_kept kept;
    int64_t options[LM_MAX_OPTIONS]; /* the model's options, in the order of its list */
    int reach;                       /* greatest distance of sites that an update reads: 1 or 2 */
    unsigned tiled;                  /* bit i: update number i of the model's list updates tile by
                                        tile (lib/geometry/tiles.h) */
    int components;                  /* numbers of a site */
    int states;                      /* number of a site's states; 0: not finite */
    double table[LM_MAX_TABLE]; /* lm_model.table made from the options; 0 if the model has none */
    /* A measurement gives sums for each replica. The sums of bundle g have numbers
     * bundle_begin[g] to bundle_begin[g + 1] - 1. The last bundle has one sum, the number of
     * changes. */
    int bundles, bundle_begin[LM_MAX_BUNDLES + 1];
    int dims;
    int64_t extents[LATMC_MAX_DIMS]; /* of the whole lattice; 1 beyond dims */
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    int64_t first_layer; /* along the slowest axis; 0 for the whole lattice */
    int64_t layers;      /* extents[dims - 1] for the whole lattice */
    int64_t first_replica;
    int64_t replicas;
    uint64_t seed;
    /* These two concern models whose bonds have couplings. Bonds across boundaries count. */
    int signs;   /* 1: put_bonds() will follow, and some bonds may be -1; 0: all bonds are +1 */
    int missing; /* 1: some bonds may be 0; implies signs */
    /* These two concern models with real couplings. 1: put_values() will follow with the bonds' own
     * couplings, or with the sites' own fields. Otherwise the couplings are 1 and the fields 0. */
    int couplings, site_fields;
    /* The number of samples, Q. Each sample has its own bonds and values for put_bonds() and
     * put_values(), and replicas / Q consecutive replicas. 1: all replicas share one sample. */
    int64_t samples;
    int sketch; /* 1: the plan only says what it would be, and takes no memory for sites */
} lm_spec;

/* Returns the number of states that a start chooses from. A hot start gives the model's number of
 * states, or 1 if the model has none. A cold start gives 0. */
static inline int lm_choices_at_start(const lm_spec *spec, latmc_start_mode mode)
{
    return mode != LATMC_START_HOT ? 0 : spec->states ? spec->states : 1;
}

/* Returns the number of sums of a replica. */
static inline int lm_spec_sums(const lm_spec *spec)
{
    return spec->bundle_begin[spec->bundles];
}

/* lm_all_planes() counts the planes x_a = constant of all axes. Plans are asked for sums by planes
 * only if there are at most LM_MAX_PLANES. */
enum { LM_MAX_PLANES = 1 << 20 };

static inline int64_t lm_all_planes(int dims, const int64_t *extents)
{
    int64_t planes = 0;

    for (int a = 0; a < dims; a++)
        planes += extents[a];
    return planes;
}

/* Returns the mask of the bundle of changes. Bit g of a mask stands for bundle g of sums. */
static inline unsigned lm_changes_of(const lm_spec *spec)
{
    return 1u << (spec->bundles - 1);
}

#endif
