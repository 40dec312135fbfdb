/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the struct of a lattice. The headers beside this one say what the files of lib/ do with
 * it. */
#ifndef LM_LATTICE_H
#define LM_LATTICE_H

#include "backends/backend.h"
#include "lib/base/ranks.h"
#include "lib/devices/devices.h"
#include "lib/devices/plan.h"
#include "lib/divide/division.h"
#include "lib/models/draw.h"
#include "lib/models/model.h"
#include "lib/models/weights.h"

typedef struct lm_weights lm_weights;

#define LM_MAX_SWEEPS   ((int64_t)1 << 40) /* sweeps are numbered below this */
#define LM_MAX_REPLICAS (1 << 22)          /* of a lattice; lm_ensemble_of() says of an ensemble */
#define LM_MAX_SITES    ((int64_t)1 << 56) /* of all replicas; lib/geometry/leaves.c says why */
#define LM_MAX_COUPLING 1e30               /* for an axis whose bonds may have signs */
#define LM_MAX_REAL     1e6 /* for real couplings, for their axes, and for site fields */

typedef enum lm_disorder_kind {
    LM_UNIFORM = 0,    /* couplings are all +1, site fields 0 */
    LM_GIVEN = 1,      /* in memory */
    LM_DRAWN = 2,      /* a function of the seed, computed when needed */
    LM_GIVEN_REALS = 3 /* in memory: real numbers, in a model that otherwise keeps signs */
} lm_disorder_kind;

/* The bonds' own couplings, or the sites' own fields. */
typedef struct lm_disorder {
    lm_disorder_kind kind;
    lm_draw draw; /* if drawn */
    /* If given: [sample][axis][site] for bonds, [sample][site] for sites. Only one of the two
     * arrays is used. */
    int8_t *signs;    /* couplings -1, 0 or +1, */
    uint8_t *missing; /* and with them [sample], 1: some couplings are 0 */
    double *reals;
} lm_disorder;

/* The sets of weights, and the weighted sums of the last measurement that asked for them. */
typedef struct lm_weight_sets {
    lm_weights set[LATMC_MAX_WEIGHTS];
    int most;      /* the largest number of a set that exists, plus 1; 0: there is none */
    int64_t width; /* sums of a replica */
    double *sums;  /* [replica][width]; NULL: none were made since a set came or went */
    uint64_t mark; /* lm_weight_order.mark */
} lm_weight_sets;

/* Where a lattice's sites are: in a plan on devices, or in host memory until a call needs them on a
 * device. Host memory has them as the leaves of a saved lattice (lib/geometry/leaves.h). If both
 * are empty, there are no sites. */
typedef struct lm_home {
    lm_device_list where;
    int64_t ladder;        /* slots of a ladder when this home was made */
    latmc_division wish;   /* the lattice's wish when this home was made */
    lm_cuts cuts;          /* the lattice's cuts when this home was made */
    lm_division *division; /* the plan's division */
    lm_plan plan;
    uint8_t *held; /* [replica][lm_trunk_bytes()] */
} lm_home;

/* Each replica's best sites so far, in host memory, if they are kept. */
typedef struct lm_best {
    double *energies;       /* [replica]; NaN: none so far; NULL: nothing is kept */
    int64_t *sweeps;        /* [replica], sweeps done when the sites were found; -1: none */
    uint64_t *hamiltonians; /* [replica], hash of the Hamiltonian whose energies were compared */
    uint8_t *sites;         /* [replica][lm_trunk_bytes()], as in a saved lattice; 0: none */
    void *numbers;          /* buffer for one replica's sites */
    double *sums;           /* buffer for one measurement */
    double *now;            /* buffer: [replica], the energies of that measurement */
} lm_best;

/* A step's own arguments, which replace parameters, in the order of the model's list. */
typedef struct lm_step_arguments {
    int64_t count;
    latmc_param params[LM_MAX_PARAMS];
    double values[LM_MAX_PARAMS];
} lm_step_arguments;

/* A schedule, and the lattice's position in it. */
typedef struct lm_rounds {
    int count; /* number of steps; 0: there is no schedule */
    lm_schedule_step steps[LATMC_MAX_STEPS];
    lm_step_arguments own[LATMC_MAX_STEPS];
    int64_t exchanges[LATMC_MAX_STEPS]; /* after the step's last sweep */
    int64_t sweeps;                     /* sweeps of a round */
    int64_t done;                       /* sweeps done in the present round */
    int64_t due;                        /* exchanges to make before the round's next sweep */
} lm_rounds;

/* A parameter that changes from sweep to sweep, from sweep number `first` on. */
typedef struct lm_ramp {
    int64_t first, sweeps; /* sweeps 0: there is no ramp */
    double *from, *to;     /* [replica]; both are one allocation, at `from` */
} lm_ramp;

/* The progress callback. The ranks of a lattice divide a call alike, and all stop if one stops. */
typedef struct lm_watch {
    latmc_progress progress; /* NULL: there is no callback */
    void *user;
    int calling;     /* 1 while the callback runs, which must not use the lattice */
    lm_ranks *ranks; /* the ranks that go on and stop together, or NULL */
} lm_watch;

/* What a lattice and its plan have not told each other yet: lib/lattice/pending.h. */
typedef struct lm_pending {
    int params;      /* the plan has not seen the parameters, */
    int step;        /* or has them with the own arguments of this step; -1: of none */
    int slots;       /* it has not seen the slots, */
    int state;       /* or all of the state of exchanges, if it is the plan that makes them */
    int state_ahead; /* the plan has made exchanges of which the lattice has not seen the state */
    int changed;     /* the lattice has not seen how many sites the last sweep changed */
} lm_pending;

struct latmc_lattice {
    const lm_model *model;
    int64_t options[LM_MAX_OPTIONS];
    double table[LM_MAX_TABLE]; /* lm_model.table of the options */
    const lm_site_type *type;   /* the type in which lib/ has sites: lm_representation_of() */
    int dims;
    int64_t extents[LATMC_MAX_DIMS]; /* 1 beyond dims */
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    int64_t sites; /* N */
    int64_t rows;  /* N / extents[0] */
    int64_t first_replica;
    int64_t replicas;
    uint64_t seed;
    double type_couplings[LATMC_MAX_DIMS]; /* [bond type] */
    /* For couplings and fields. Each sample has replicas / samples replicas. */
    int64_t samples, first_sample;
    int64_t ladders; /* of a sample; each has an equal part of the sample's slots */
    lm_disorder disorder[LM_OWNERS];
    lm_weight_sets weights;
    struct lm_momenta *momenta; /* NULL: latmc_set_momenta() has set none */
    uint64_t marks;             /* how many marks were given to weights and momenta */

    /* The state of exchanges (lib/physics/exchange_state.h): its first row, its second row, and its
     * rows from the third on. They are one allocation, at `slots`. */
    int64_t *slots, *holders, *walks;
    double *params; /* [parameter][slot], values for the next sweep */
    lm_ramp ramps[LM_MAX_PARAMS];
    double *changed; /* [replica], number of sites that the last sweep changed */
    uint8_t *loose;  /* [replica]: lm_parameters.loose */
    /* The waves of the last measurement that asked for bundles by_planes. NULL: there was none. */
    struct lm_plane_waves *plane_waves;

    lm_home home;
    lm_ranks *ranks;       /* NULL: the whole lattice is in this process */
    int64_t *rank_devices; /* [rank]: its number of devices; NULL: none was set */
    lm_device_list wanted; /* set by latmc_set_device(); none: "auto", not chosen yet */
    latmc_division wish;   /* for the next home; LATMC_DIVIDE_AUTO: no wish */
    lm_cuts cuts;          /* for the next home; none: chosen to suit its plans */
    int64_t most_sites;    /* the most sites of a plan; 0: the device decides */
    int64_t chunk_numbers; /* the sites' numbers in a chunk of rows; 0: about a million */
    int threads;
    lm_pending pending;
    int64_t sweeps;
    lm_rounds rounds;
    int64_t exchanges; /* done since the start; exchanges are numbered by it */

    /* 1 if an update that is ergodic alone has swept since the last measurement of a record */
    int mixed;

    lm_best best;
    lm_watch watch;
};

/* What a cell has. On a hypercubic lattice it has one site, and a bond type for each axis. */
enum { LM_CELL_SITES = 1 };
static inline int lm_bond_types(const latmc_lattice *lattice)
{
    return lattice->dims;
}
static inline int64_t lm_cells(const latmc_lattice *lattice)
{
    return lattice->sites / LM_CELL_SITES;
}

#endif
