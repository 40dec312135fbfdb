/* SPDX-License-Identifier: BSD-3-Clause */
/* What a lattice is made of. What the files of lib/ do with it is in the headers beside them. */
#ifndef LM_LATTICE_H
#define LM_LATTICE_H

#include "backends/backend.h"
#include "lib/base/ranks.h"
#include "lib/devices/devices.h"
#include "lib/devices/plan.h"
#include "lib/divide/division.h"
#include "lib/models/draw.h"
#include "lib/models/model.h"

#define LM_MAX_SWEEPS   ((int64_t)1 << 40) /* sweeps are numbered below this */
#define LM_MAX_REPLICAS 65536
#define LM_MAX_SAMPLES  65536
#define LM_MAX_COUPLING 1e30 /* of an axis, where bonds may have signs */
#define LM_MAX_REAL     1e6  /* real couplings, those of the axes with them, and site fields */

typedef enum lm_disorder_kind {
    LM_UNIFORM = 0,    /* couplings are all +1, site fields 0 */
    LM_GIVEN = 1,      /* here */
    LM_DRAWN = 2,      /* a function of the seed, made when needed */
    LM_GIVEN_REALS = 3 /* here: real numbers of a model that keeps signs where there are no others
                        */
} lm_disorder_kind;

/* The bonds' own couplings, or the sites' own fields. */
typedef struct lm_disorder {
    lm_disorder_kind kind;
    lm_draw draw; /* of drawn ones */
    /* Given: [sample][axis][site] of bonds, [sample][site] of sites; one of the two. */
    int8_t *signs; /* couplings that are -1, 0 or +1, */
    uint8_t *gaps; /* with [sample], 1: some of them are 0 */
    double *reals;
} lm_disorder;

/* Where a lattice's sites are: on devices, in a plan; or in host memory, as a saved lattice has
 * leaves of them (lib/geometry/leaves.h), until a call needs them on a device. Neither: there are
 * none.
 */
typedef struct lm_home {
    lm_where where;
    latmc_division wish;   /* as it was when this home was made, */
    lm_cuts cuts;          /* and so were these */
    lm_division *division; /* of a plan */
    lm_plan plan;
    uint8_t *held; /* [replica][lm_trunk_bytes()] */
} lm_home;

/* Each replica's best sites so far, if they are kept; in host memory. */
typedef struct lm_best {
    double *energies; /* [replica], NaN: none so far; NULL: nothing is kept */
    int64_t *sweeps;  /* [replica], sweeps done then; -1: none */
    uint8_t *sites;   /* [replica][lm_trunk_bytes()], as a saved lattice has them; 0: none */
    void *numbers;    /* room for those of one replica, */
    double *sums;     /* for a measurement */
} lm_best;

/* A schedule and where in it the lattice is. */
typedef struct lm_rounds {
    int count; /* of steps; 0: there is no schedule */
    lm_schedule_step steps[LATMC_MAX_STEPS];
    /* Arguments of a step in the place of the parameters; NaN: it has none of its own. */
    double own[LATMC_MAX_STEPS][LM_MAX_PARAMS];
    int64_t exchanges[LATMC_MAX_STEPS]; /* that follow a step's last sweep */
    int64_t sweeps;                     /* of a round */
    int64_t done;                       /* of the present round */
    int64_t due;                        /* exchanges that come next, before any sweep of a round */
} lm_rounds;

/* A parameter on its way, from the sweep with number `first` on. */
typedef struct lm_ramp {
    int64_t first, sweeps; /* no sweeps: there is no ramp */
    double *from, *to;     /* [replica]; a lattice's are one allocation, at `from` */
} lm_ramp;

/* Who wants to be told. The ranks of a lattice cut a call alike, and stop if one of them does. */
typedef struct lm_watch {
    latmc_progress progress; /* NULL: nobody */
    void *user;
    int calling;     /* 1 while the callback runs, which may not use the lattice */
    lm_ranks *ranks; /* that go on and stop together; or NULL */
} lm_watch;

/* What a lattice and its plan have not told each other yet: lib/lattice/untold.h. */
typedef struct lm_untold {
    int params;      /* the plan has not seen the parameters, */
    int step;        /* or has them with the own arguments of this step; -1: of none */
    int slots;       /* it has not seen the slots, */
    int state;       /* or all of the state of exchanges, if it is the plan that makes them */
    int state_ahead; /* the plan has made exchanges of which the lattice has not seen the state */
    int changed;     /* the lattice has not seen how many sites the last sweep changed */
} lm_untold;

struct latmc_lattice {
    const lm_model *model;
    int64_t options[LM_MAX_OPTIONS];
    double table[LM_MAX_TABLE]; /* what the model makes of them */
    const lm_site_type *type;   /* as lib/ has the sites: lm_representation_of() */
    int dims;
    int64_t extents[LATMC_MAX_DIMS]; /* 1 beyond dims */
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    int64_t sites; /* N */
    int64_t rows;  /* N / extents[0] */
    int64_t first_replica;
    int64_t replicas;
    uint64_t seed;
    double axis_couplings[LATMC_MAX_DIMS];
    int64_t samples, first_sample; /* of both; so many replicas / samples have each */
    int64_t ladders;               /* of a sample, equal parts of its slots */
    lm_disorder disorder[LM_OWNERS];
    int64_t *slots; /* the state of exchanges (lib/physics/exchange.h), which begins with these: */
    int64_t *holders; /* its second row, */
    int64_t *walks;   /* and those from the third on */
    latmc_order order;
    double *params; /* [parameter][slot], those of the next sweep */
    lm_ramp ramps[LM_MAX_PARAMS];
    double *changed; /* [replica], sites that the last sweep changed */
    /* Of the last measurement that was asked for groups by_planes; NULL: there was none. */
    struct lm_plane_waves *plane_waves;
    uint8_t *loose; /* [replica]: lm_parameters.loose */

    lm_home home;
    lm_ranks *ranks;       /* NULL: all of it is in this process */
    lm_where wanted;       /* set by latmc_set_device(); none: "auto", not yet chosen */
    latmc_division wish;   /* for the next home; LATMC_UNDIVIDED: none */
    lm_cuts cuts;          /* likewise; none: as its plans need them, */
    int64_t most_sites;    /* which have so many at most; 0: what the device says */
    int64_t chunk_numbers; /* of sites' numbers, in a chunk of rows; 0: about a million */
    int threads;
    lm_untold untold;
    int64_t sweeps;
    lm_rounds rounds;
    int64_t exchanges; /* done since the start, by which they are numbered */

    /* an update that is ergodic alone has swept since the last measurement of a record */
    int mixed;
    int not_ergodic; /* of the last record: latmc_lattice_info */

    lm_best best;
    lm_watch watch;
};

#endif
