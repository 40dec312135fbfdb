/* SPDX-License-Identifier: BSD-3-Clause */
/* What a lattice is made of, and what the files of lib/ do with it for each other. */
#ifndef LM_LATTICE_H
#define LM_LATTICE_H

#include "backends/backend.h"
#include "lib/devices/devices.h"
#include "lib/divide/division.h"
#include "lib/models/draw.h"
#include "lib/base/memory.h"
#include "lib/models/model.h"
#include "lib/measure/pace.h"
#include "lib/lattice/plan.h"
#include "lib/base/ranks.h"
#include "lib/lattice/schedule.h"

#include "lib/physics/exchange.h"

#define LM_MAX_SWEEPS   ((int64_t)1 << 40) /* sweeps are numbered below this */
#define LM_MAX_REPLICAS 65536
#define LM_MAX_SAMPLES  65536
#define LM_MAX_THREADS  4096
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
 * leaves of them (lib/save/leaves.h), until a call needs them on a device. Neither: there are none.
 */
typedef struct lm_place {
    lm_where where;
    latmc_division wish;   /* as it was when this place was made, */
    lm_cuts cuts;          /* and so were these */
    lm_division *division; /* of a plan */
    lm_plan plan;
    uint8_t *held; /* [replica][lm_trunk_bytes()] */
} lm_place;

/* Each replica's best sites so far, if they are kept; in host memory. */
typedef struct lm_best {
    double *energies; /* [replica], NaN: none so far; NULL: nothing is kept */
    int64_t *sweeps;  /* [replica], sweeps done then; -1: none */
    uint8_t *sites;   /* [replica][lm_trunk_bytes()], as a saved lattice has them; 0: none */
    void *numbers;    /* room for those of one replica, */
    double *sums;     /* for a measurement */
} lm_best;

struct latmc_lattice {
    const lm_model *model;
    int64_t options[LM_MAX_OPTIONS];
    const lm_site_type *type; /* as lib/ has the sites: lm_representation_of() */
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

    lm_place place;
    lm_ranks *ranks;       /* NULL: all of it is in this process */
    lm_where wanted;       /* set by latmc_set_device(); none: "auto", not yet chosen */
    latmc_division wish;   /* for the next place; LATMC_UNDIVIDED: none */
    lm_cuts cuts;          /* likewise; none: as its plans need them, */
    int64_t most_sites;    /* which have so many at most; 0: what the device says */
    int64_t chunk_numbers; /* of sites' numbers, in a chunk of rows; 0: about a million */
    int threads;
    int slots_pending;   /* the plan has not seen the slots, */
    int state_pending;   /* or all of the state of exchanges, if it is the plan that makes them; */
    int state_ahead;     /* or it has made some whose state is still with it; */
    int params_pending;  /* it has not seen the parameters, */
    int params_step;     /* or has them with the own arguments of this step; -1: of none */
    int changed_pending; /* changed[] is still on the device */
    int64_t sweeps;
    lm_rounds rounds;
    int64_t exchanges; /* done since the start, by which they are numbered */

    /* an update that is ergodic alone has swept since the last measurement of a record */
    int mixed;
    int not_ergodic; /* of the last record: latmc_lattice_info */

    lm_best best;
    lm_watch watch;
};

/* lib/lattice/disorder.c: what its bonds and sites have of their own. */
lm_kinds lm_kinds_of(const latmc_lattice *lattice);

static inline const lm_representation *lm_representation_of(const latmc_lattice *lattice)
{
    return lattice->model->representation(lattice->options, lm_kinds_of(lattice));
}

/* The first sum of a group; of `groups`, how many sums a replica has. */
static inline int lm_group_begin_of(const latmc_lattice *lattice, int group)
{
    const lm_representation *r = lm_representation_of(lattice);

    return (r->group_begin ? r->group_begin : lattice->model->group_begin)(lattice->options, group,
                                                                           lattice->dims);
}
static inline int lm_sums_of(const latmc_lattice *lattice)
{
    return lm_group_begin_of(lattice, lattice->model->groups);
}

/* Numbers of a site. */
static inline int lm_components_of(const latmc_lattice *lattice)
{
    return lattice->model->components ? lattice->model->components(lattice->options) : 1;
}

/* States that a site may have, or 0; what checks of a type's values want to know
 * (lib/models/model.h). */
static inline int lm_states_of(const latmc_lattice *lattice)
{
    return lattice->model->states ? lattice->model->states(lattice->options) : 0;
}

static inline int lm_parts_of(const latmc_lattice *lattice)
{
    return lattice->model->states ? lm_states_of(lattice) : lm_components_of(lattice);
}

/* Numbers of a row of sites, and of a replica: what the functions of a type of sites count. */
static inline int64_t lm_row_numbers(const latmc_lattice *lattice)
{
    return lattice->extents[0] * lm_components_of(lattice);
}
static inline int64_t lm_replica_numbers(const latmc_lattice *lattice)
{
    return lattice->sites * lm_components_of(lattice);
}

static inline int lm_is_started(const latmc_lattice *lattice)
{
    return lattice->place.plan.ops || lattice->place.held;
}

/* The status of a public function, if it is so on all ranks (lib/base/ranks.h): before it changes
 * anything, and at its end. Where the function may not use the lattice the ranks know nothing of
 * it.
 */
static inline latmc_status lm_everywhere(const latmc_lattice *lattice, latmc_status status)
{
    return !lattice || lattice->watch.calling ? status : lm_ranks_agree(lattice->ranks, status);
}

/* Refusals shared by the public functions, `caller` being the function's name. lm_need() is every
 * such function's first call. */
latmc_status lm_need(const latmc_lattice *lattice, const char *caller);
latmc_status lm_need_started(const latmc_lattice *lattice, const char *caller);
latmc_status lm_need_unstarted(const latmc_lattice *lattice, const char *caller);
/* The model's type of sites with that number, or NULL after a refusal. */
const lm_site_type *lm_need_type(const latmc_lattice *lattice, const char *caller, latmc_type type);
/* A model whose bonds have couplings, whose sites have fields. */
latmc_status lm_need_owner(const latmc_lattice *lattice, const char *caller, lm_owner owner);

/* Some of many things that are dealt with so many at a time; {0} stands before the first. */
typedef struct lm_chunk {
    int64_t first, count;
} lm_chunk;

/* Moves on to the next `most` of `all`, or to those that are left; 0: there are none. */
static inline int lm_next_chunk(lm_chunk *chunk, int64_t all, int64_t most)
{
    const int64_t next = chunk->first + chunk->count;
    const int64_t left = all - next;

    *chunk = (lm_chunk){next, left < most ? left : most};
    return left > 0;
}

/* The most rows of a chunk, one at least: of about a million numbers a buffer is small and a device
 * seldom called. */
int64_t lm_chunk_rows(const latmc_lattice *lattice);
/* lm_next_chunk() for the rows of a replica: chunks are whole leaves (lib/save/leaves.h), or begin
 * at a whole byte of the leaf that they end in. */
int lm_next_rows(const latmc_lattice *lattice, lm_chunk *chunk);
/* The one of these chunks that a row is in. */
lm_chunk lm_chunk_with(const latmc_lattice *lattice, int64_t row);

/* Sites that are moved at once: such a chunk of a replica, or, where that is all of it, several
 * replicas that follow each other. */
typedef struct lm_block {
    int64_t replica, replicas;
    lm_chunk rows;
} lm_block;
/* The next one behind it, or the first one behind {0}; 0: there is none. */
int lm_next_block(const latmc_lattice *lattice, lm_block *block);
/* Numbers of a block, and the most that one has. */
int64_t lm_block_numbers(const latmc_lattice *lattice, const lm_block *block);
int64_t lm_block_room(const latmc_lattice *lattice);

/* lib/lattice/disorder.c: has the lattice's model such a thing? */
int lm_has(const latmc_lattice *lattice, lm_owner owner);
/* Are they here? */
int lm_is_given(const lm_disorder *disorder);
/* Are they kept as signs, and not as real numbers? */
int lm_keeps_signs(const latmc_lattice *lattice, lm_owner owner);
/* Those of a sample: one for each bond, for each site. */
int64_t lm_disorder_each(const latmc_lattice *lattice, lm_owner owner);
/* Numbers of sample number `sample` of the lattice, 0 being the first, from site `first` on, and of
 * bonds along `axis`; without the boundaries. */
void lm_disorder_own(const latmc_lattice *lattice, lm_owner owner, int64_t sample, int axis,
                     int64_t first, int64_t count, double *numbers);
/* Room for those that are given, zeros; LATMC_ERROR_MEMORY with none. */
latmc_status lm_disorder_room(const latmc_lattice *lattice, const char *caller, lm_owner owner,
                              lm_disorder *disorder);
/* Makes them the lattice's own. */
void lm_disorder_take(latmc_lattice *lattice, lm_owner owner, lm_disorder disorder);
void lm_disorder_free(lm_disorder *disorder);
/* Those that are given, where they are. */
void *lm_disorder_given(const lm_disorder *disorder);
void lm_disorder_flags(const latmc_lattice *lattice, lm_spec *spec);

/* lib/lattice/bonds.c, of couplings that are signs: without and with the boundaries. */
void lm_bonds_own(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first,
                  int64_t count, int8_t *bonds);
void lm_bonds_effective(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first_row,
                        int64_t rows, int8_t *bonds);
/* 1 where a sample has a bond, be its coupling a sign or another number; otherwise 0: its own
 * coupling is 0, or it is beyond an open end. */
void lm_bonds_there(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first_row,
                    int64_t rows, int8_t *there);
/* spec->signs and spec->missing. */
void lm_bonds_flags(const latmc_lattice *lattice, lm_spec *spec);
/* loose[replica]. */
void lm_bonds_find_loose(const latmc_lattice *lattice, uint8_t *loose);

/* lib/lattice/place.c: the lattice as a device sees it; a plan of the lattice on some devices, with
 * its bonds but without sites: collective. */
lm_spec lm_spec_of(const latmc_lattice *lattice);
latmc_status lm_place_open(const latmc_lattice *lattice, const char *caller, const lm_where *where,
                           lm_place *place);
/* Gives a plan of this lattice, or of a slab of it, the bonds and fields that the spec announces.
 */
latmc_status lm_place_put_disorder(const latmc_lattice *lattice, const char *caller,
                                   const lm_spec *spec, lm_plan plan);
void lm_place_close(lm_place *place);
/* The devices wanted, or the choice of "auto". */
latmc_status lm_place_choose(const latmc_lattice *lattice, const char *caller, lm_where *where);
/* Makes `place` the lattice's own; the old one is closed. */
void lm_place_take(latmc_lattice *lattice, lm_place place);
/* Sites that host memory holds move to the device wanted. If that fails they stay. */
latmc_status lm_place_settle(latmc_lattice *lattice, const char *caller);

/* lib/measure/sites.c: rows of a replica, from wherever they are; chunks as lm_next_rows() makes
 * them, or all. */
latmc_status lm_get_rows(const latmc_lattice *lattice, const char *caller, int64_t replica,
                         lm_chunk rows, void *sites);

/* The same of a block; and to a plan of the lattice's that has its memory. */
latmc_status lm_get_block(const latmc_lattice *lattice, const char *caller, const lm_block *block,
                          void *sites);
latmc_status lm_put_block(const latmc_lattice *lattice, const char *caller, lm_plan to,
                          const lm_block *block, const void *sites);

/* Refuses a replica that there is not, a type that sites do not have, another count. */
latmc_status lm_check_sites(const latmc_lattice *lattice, const char *caller, int64_t replica,
                            latmc_type type, const void *sites, int64_t count);
/* Numbers of one of two types to the other one. */
void lm_convert_sites(const void *from, latmc_type type, void *to, int64_t count);

/* lib/save/best.c: groups of sums that looking for best sites needs, 0 if none are kept. */
unsigned lm_best_groups(const latmc_lattice *lattice);
/* Room for all, of the sites as they are kept now; none are best so far. */
latmc_status lm_best_make(const latmc_lattice *lattice, const char *caller, lm_best *best);
/* By a measurement of these groups, or by one of its own, keeps the sites of replicas that are
 * better than ever. */
latmc_status lm_best_look(latmc_lattice *lattice, const char *caller, const double *sums);
latmc_status lm_best_measure(latmc_lattice *lattice, const char *caller);
/* None are best so far. */
void lm_best_restart(latmc_lattice *lattice);
void lm_best_free(lm_best *best);

/* lib/measure/run.c: a place, on the wanted device, with sites in their first state. */
latmc_status lm_open_started(const latmc_lattice *lattice, const char *caller,
                             latmc_start_mode mode, lm_place *place);
/* LATMC_CANCELLED, with its message. */
latmc_status lm_stopped(const char *caller, const lm_pace *pace);

/* lib/measure/course.c: the model's check of all settings, with the parameters of sweep number
 * `sweep`. */
latmc_status lm_check_settings(const latmc_lattice *lattice, const char *caller, int64_t sweep);

/* lib/lattice/lattice.c: latmc_create(), by another name. */
latmc_status lm_create(const char *caller, latmc_lattice **lattice, latmc_model model, int dims,
                       const int64_t *extents);

/* lib/lattice/shared.c: LATMC_ERROR_STATE if ranks have other settings than others, or were given
 * other arguments. Nothing is looked at where there are no ranks. */
latmc_status lm_ranks_alike(const latmc_lattice *lattice);

/* lib/measure/observe.c: brings changed[] up to date. */
latmc_status lm_fetch_changed(latmc_lattice *lattice, const char *caller);
/* Numbers that one measurement takes. */
int64_t lm_sums_count(const latmc_lattice *lattice);
/* The groups of sums that observables need, or the refusal of one that the model does not have. */
latmc_status lm_groups_of(const latmc_lattice *lattice, const char *caller, int count,
                          const latmc_observable *observables, unsigned *groups);
/* Those that options and the lack of fields do not leave idle. */
unsigned lm_groups_in_use(const latmc_lattice *lattice, unsigned groups);
/* What observables and actions are made of; of pairs without parameters. */
lm_reading lm_reading_of(const latmc_lattice *lattice, const double *params, const double *sums);
/* Those of a replica, which has a slot, and waves as its sites were measured last. */
lm_reading lm_reading_at(const latmc_lattice *lattice, int64_t replica, const double *params,
                         const double *sums);
/* One replica's observable from the sums of its groups. */
double lm_value_of(const latmc_lattice *lattice, const lm_entry *observable, int64_t replica,
                   const double *sums);

/* lib/measure/planes.c: the memory for plane_waves, of which these then want none; what they are;
 * those of a replica, [axis][2]; and no more. */
latmc_status lm_plane_waves_prepare(latmc_lattice *lattice, const char *caller);
latmc_status lm_plane_waves_measure(latmc_lattice *lattice, const char *caller);
const double *lm_plane_waves_of(const latmc_lattice *lattice, int64_t replica);
void lm_plane_waves_free(latmc_lattice *lattice);

/* lib/measure/pairs.c: how many sums a pair of replicas has. */
int lm_pair_sums_of(const latmc_lattice *lattice);
/* Refuses a request of pairs, numbered as the caller counts replicas; the groups that observables
 * are made of; sums[pair][k] of these, the only ones that are written. */
latmc_status lm_pairs_check(const latmc_lattice *lattice, const char *caller, int64_t pairs,
                            const int64_t *replicas, int count, const latmc_observable *observables,
                            const double *values);
unsigned lm_pairs_groups(const latmc_lattice *lattice, int count,
                         const latmc_observable *observables);
latmc_status lm_pairs_sum(const latmc_lattice *lattice, const char *caller, unsigned groups,
                          int64_t pairs, const int64_t (*replicas)[2], double *sums);
/* lib/measure/pair_planes.c: can a plan of the lattice's count pairs by planes? Their waves, of
 * these, by the plan's numbers of replicas. */
int lm_pairs_have_planes(const latmc_lattice *lattice, lm_plan plan);
latmc_status lm_pairs_of_planes(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                                int64_t pairs, const int64_t (*replicas)[2], double *sums);
/* Some groups of them, sums[pair][k] (lib/physics/pair_sums.h), by the replicas' rows, from
 * wherever these are. lib/measure/pair_rows.c: of any model, in chunks; lib/measure/pair_signs.c:
 * of spins, whose products are whole, 64 to a word, if a replica is one chunk. Of those both make
 * the same. */
latmc_status lm_pairs_of_signs(const latmc_lattice *lattice, const char *caller, unsigned groups,
                               int64_t pairs, const int64_t (*replicas)[2], double *sums);
latmc_status lm_pairs_by_rows(const latmc_lattice *lattice, const char *caller, unsigned groups,
                              int64_t pairs, const int64_t (*replicas)[2], double *sums);

/* lib/lattice/slots.c: every replica at its own slot; anew, or after others were set. */
latmc_status lm_slots_resize(latmc_lattice *lattice, const char *caller, int64_t replicas);
void lm_slots_reset(latmc_lattice *lattice, int64_t replicas);
/* Is some replica at another slot? */
int lm_slots_moved(const latmc_lattice *lattice);
/* Slots of a ladder, if the lattice has so many. */
static inline int64_t lm_ladder_slots(const latmc_lattice *lattice, int64_t replicas)
{
    return replicas / (lattice->samples * lattice->ladders);
}

/* lib/lattice/walks.c: walks begin where the replicas are; counts begin with 0, too. Is anything
 * counted?
 */
void lm_walks_restart(latmc_lattice *lattice, int64_t replicas);
void lm_walks_reset(latmc_lattice *lattice, int64_t replicas);
int lm_walks_counted(const latmc_lattice *lattice);
static inline int64_t *lm_walk_of(const latmc_lattice *lattice, lm_walk_row kind)
{
    return lattice->walks + kind * lattice->replicas;
}

/* The replica that a caller counts as number i. */
static inline int64_t lm_replica_at(const latmc_lattice *lattice, int64_t i)
{
    return lattice->order == LATMC_BY_SLOT ? lattice->holders[i] : i;
}

/* lib/lattice/schedule.c */
latmc_status lm_need_step(const latmc_lattice *lattice, const char *caller, int step);

/* lib/lattice/params.c: makes the arrays per replica anew for `replicas`. Those that stay keep
 * their values; new ones have replica 0's, or the presets where there is none yet. Slots are the
 * replicas' own. */
latmc_status lm_params_resize(latmc_lattice *lattice, const char *caller, int64_t replicas);
/* One slot's values, in the order of the model's list. */
void lm_params_of(const latmc_lattice *lat, int64_t slot, double params[LM_MAX_PARAMS]);
/* Where a parameter is in the model's list, or -1 with the message set. */
int lm_params_place(const latmc_lattice *lattice, const char *caller, latmc_param param);
/* Refuses values[s * stride] of slot s that parameter number `place` cannot have. */
latmc_status lm_params_check(const latmc_lattice *lattice, const char *caller, int place,
                             const double *values, int64_t stride);

/* lib/lattice/ramp.c: does a parameter follow a ramp? */
int lm_ramps_any(const latmc_lattice *lattice);
/* Parameters become those of the next sweep; ramps at their end are no more. */
void lm_ramps_follow(latmc_lattice *lattice);
/* Parameters stay as they are. */
void lm_ramps_end(latmc_lattice *lattice);
/* A copy of the ramp becomes that of parameter number `place`. */
latmc_status lm_ramp_begin(latmc_lattice *lattice, const char *caller, int place,
                           const lm_ramp *given);

#endif
