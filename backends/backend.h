/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What lib/ knows of devices. A backend is a kind of device, with a row for every model that it
 * has; the row opens plans, and a plan is one lattice (or a slab of one) on one device, with the
 * functions that work on it. lib/devices/plan.h has what plans have in common.
 *
 * Every function that returns a latmc_status sets the thread's error message
 * through lm_fail() when it fails, and then leaves the plan as it was.
 * Rows are lines of sites along x, numbered as sites are: x1 + L1 (x2 + L2 x3).
 * Layers are the planes x_slowest = constant; a plan holds a range of them. A chain has one row,
 * and its sites are its layers.
 */
#ifndef LM_BACKEND_H
#define LM_BACKEND_H

#include <latmc/latmc.h>

/* What a bond across the ends of an axis is multiplied by; open ones have none. */
static inline int lm_end_factor(latmc_boundary boundary)
{
    return boundary == LATMC_PERIODIC ? 1 : boundary == LATMC_ANTIPERIODIC ? -1 : 0;
}

/* How the sites of a lattice are kept, the same on every device: doc/trajectory.md, "Options and
 * representations". They cross between lib/ and a plan as int8_t, float, double:
 * [site][component]. */
typedef enum lm_kept {
    LM_IN_WORDS = 1,
    LM_AS_FLOATS = 2,
    LM_AS_DOUBLES = 3,
    LM_AS_BYTES = 4
} lm_kept;

enum { LM_MAX_OPTIONS = 4 };

/* The most groups of sums that a model has. */
enum { LM_MAX_GROUPS = 8 };

/* The most numbers of a model's table (lm_model.table). */
enum { LM_MAX_TABLE = 128 };

/* The lattice, or the slab of a lattice, that a plan holds. Fixed for its life. */
typedef struct lm_spec {
    latmc_model model;
    lm_kept kept;
    int64_t options[LM_MAX_OPTIONS]; /* of the model, in the order of its list */
    int reach;                       /* how far a site needs others: 1 or 2 */
    unsigned tiled;                  /* bit i: update number i of the model's list goes tile by tile
                                        (lib/geometry/tiles.h) */
    int components;                  /* numbers of a site */
    int states; /* that a site may have, of a model with a number of them; otherwise 0 */
    double table[LM_MAX_TABLE]; /* what the model makes of its options; otherwise 0 */
    /* The sums of a replica in a measurement: those of group g are numbers group_begin[g] to
     * group_begin[g + 1] - 1. The last group has one, that of changes. */
    int groups, group_begin[LM_MAX_GROUPS + 1];
    int dims;
    int64_t extents[LATMC_MAX_DIMS]; /* of the whole lattice; 1 beyond dims */
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    int64_t first_layer; /* of the slowest axis; 0 for the whole lattice */
    int64_t layers;      /* extents[dims - 1] for the whole lattice */
    int64_t first_replica;
    int64_t replicas;
    uint64_t seed;
    /* Of a model whose bonds have couplings; boundaries are bonds, too. */
    int signs;   /* 1: put_bonds() will follow, and some bonds may be -1; 0: all are +1 */
    int missing; /* 1: some bonds may be 0; implies signs */
    /* Of a model whose couplings are real numbers: put_values() will follow with the bonds' own
     * couplings, with the sites' own fields. Otherwise these are 1 and 0. */
    int couplings, site_fields;
    /* 1: put_bonds() and put_values() give what is the same for all replicas; Q: for each of so
     * many samples, which have replicas / Q replicas each, one after the other */
    int64_t samples;
} lm_spec;

/* What a hot start chooses from: the number of states, or 1 of a model that has none. A cold start
 * has 0. */
static inline int lm_choices_at_start(const lm_spec *spec, latmc_start_mode mode)
{
    return mode != LATMC_START_HOT ? 0 : spec->states ? spec->states : 1;
}

/* How many sums a replica has. */
static inline int lm_spec_sums(const lm_spec *spec)
{
    return spec->group_begin[spec->groups];
}

/* Planes x_a = constant, of all axes; and the most that plans are asked to count by. */
enum { LM_MOST_PLANES = 1 << 20 };

static inline int64_t lm_all_planes(int dims, const int64_t *extents)
{
    int64_t planes = 0;

    for (int a = 0; a < dims; a++)
        planes += extents[a];
    return planes;
}

/* Some groups of sums: bit g of a mask is group g. */
static inline unsigned lm_changes_of(const lm_spec *spec)
{
    return 1u << (spec->groups - 1);
}

/* What can change between sweeps. Values belong to slots, as many as there are replicas, and each
 * replica has another slot. */
typedef struct lm_parameters {
    const double *values;        /* [parameter of the model's table][slot] */
    const int64_t *slots;        /* [replica]; NULL: replica r has slot r */
    const double *axis_coupling; /* [axis] */
    /* [replica], of a model whose bonds have couplings: 1: whatever the values, sites may lack a
     * local field, or there are few (lib/lattice/bonds.c) */
    const uint8_t *loose;
} lm_parameters;

/* Where the values of a replica begin; parameter p is so many slots times p further on. */
static inline const double *lm_parameters_of(const lm_parameters *parameters, int64_t replica)
{
    return parameters->values + (parameters->slots ? parameters->slots[replica] : replica);
}

/* A schedule: so many sweeps of an update, then of the next, round after round. */
typedef struct lm_schedule_step {
    int update;     /* its place in the model's list */
    int64_t sweeps; /* > 0 */
} lm_schedule_step;

typedef struct lm_schedule {
    const lm_schedule_step *steps;
    int count;
    int64_t round; /* sweeps of all steps */
} lm_schedule;

/* Where the next sweep is. It is lib/ that moves it on. */
typedef struct lm_cursor {
    int64_t sweep; /* its number, which enters the random numbers */
    int64_t done;  /* sweeps of its round before it */
} lm_cursor;

/* Sums of some measurements: the first `each` of replica r in measurement m, with all of the groups
 * that were asked for, begin at first[m * step + r * apart]. */
typedef struct lm_taken {
    const double *first;
    int64_t count, step, apart;
    int each;
} lm_taken;

/* What a run measures: some groups of sums, each time after so many sweeps; whole rounds of the
 * schedule if it measures more than once. */
typedef struct lm_out {
    int64_t every;
    unsigned groups;
    double *sums; /* [measurement][replica][k], k < lm_spec_sums() */
    /* Of plans that stream: take() has the measurements in order, some at a time, where the plan
     * has them or in `sums`, which has room for so many alone. NULL: there is room for all. */
    int64_t room;
    void (*take)(void *taker, const lm_taken *some);
    void *taker;
    /* 1: there is one measurement, which stays with the plan for an exchange (below) and is in no
     * `sums`. */
    int stays;
} lm_out;

/* What is measured of pairs of replicas: some groups of sums (lib/physics/pair_sums.h), each pair's
 * in sums[measurement][pair][k]. */
typedef struct lm_pair_out {
    unsigned groups;
    int64_t count;
    const int64_t (*of)[2]; /* replicas; if by_slot slots, whose replicas they then are */
    int by_slot;
    double *sums;
} lm_pair_out;

/* A measurement that is queued as sweeps are: number `number` of `all` of a series. `out` says of
 * which groups, which have stayed with the plan (lm_out), and no site has changed since; it takes
 * them as from a run; every, stays mean nothing. */
typedef struct lm_note {
    int64_t number, all;
    const lm_out *out;
    int64_t *states;   /* NULL, or the slots of all replicas and the holders of all slots, as
                          exchanges of the plan left them: [measurement][2][replica] */
    lm_pair_out pairs; /* of no groups: none */
} lm_note;

/* An exchange of neighbouring slots, of all ladders: doc/trajectory.md, "Slots and
 * exchanges". */
typedef struct lm_exchange_order {
    int64_t number; /* k */
    int64_t first_sample;
    int64_t ladders; /* of a sample */
    int64_t each;    /* slots of a ladder: samples may be more than spec says (uniform bonds) */
    unsigned groups; /* of sums, that actions are made of: the first ones */
    int measured;    /* 1: they stayed with the plan, and no site has changed since */
    const int64_t *state; /* of exchanges (lib/physics/exchange.h); NULL: as the one before left it
                           */
} lm_exchange_order;

/* Sweeps of one update; the first has number `step`. */
typedef struct lm_job {
    int update;
    int64_t step;
    int64_t sweeps;
} lm_job;

/* Parts of a slab that can be updated separately. */
typedef enum lm_part {
    LM_BOUNDARY = 1, /* what its neighbours need: its first and its last `reach` layers, or the
                        tiles at its ends */
    LM_BULK = 2,     /* all the others */
    LM_WHOLE = 3     /* both */
} lm_part;

typedef enum lm_side { LM_LOWER = 0, LM_UPPER = 1 } lm_side;

static inline lm_side lm_other_side(lm_side side)
{
    return side == LM_LOWER ? LM_UPPER : LM_LOWER;
}

/* Slabs. A sweep is a row of phases: a colour each, or a sub-grid of tiles. Sites of a phase need
 * `reach` layers beyond either end of the slab as the phase before left them, its halo: the
 * boundary layers of its neighbours, which travel as opaque bytes between plans of the same spec
 * but layers (lib/divide/slabs.h). Beyond the lattice's own ends the halo is what the boundary
 * makes of it, and that is unpack()'s affair. Which slabs there can be, and which updates they
 * take, lib/ says. */
typedef struct lm_slab_ops {
    int (*phases)(const void *plan, int update);
    size_t (*halo_bytes)(const void *plan); /* of one side */
    /* Takes the memory that sweeps by the update need, of which those below then want none; NULL:
     * they never do. */
    latmc_status (*prepare)(void *plan, int update);
    /* Before the first phase of a sweep. `counts`: changes are counted from here on, and in this
     * sweep; otherwise they need not be, and whoever counts all the same forgets those before. */
    latmc_status (*begin)(void *plan, int update, int counts);
    latmc_status (*update)(void *plan, int update, int64_t step, int phase, lm_part part);
    /* Own boundary layers, as they are when it is called. They are in `halo` at once, or where
     * there is packed(), which waits for all that are on their way out or in, when that has
     * returned: a device takes them there while it goes on with the bulk. */
    latmc_status (*pack)(void *plan, lm_side side, void *halo);
    latmc_status (*packed)(void *plan);
    /* The neighbour's; what `halo` has afterwards is of no use. Where there is packed() it stays
     * the plan's until the next packed() or wait(), which say so if it has failed. */
    latmc_status (*unpack)(void *plan, lm_side side, void *halo);
    /* NULL: any memory will do for `halo`. Otherwise memory that copies reach by themselves; NULL
     * with the error's message if there is none. */
    void *(*take_room)(void *plan, size_t bytes);
    void (*give_room)(void *plan, void *room);
    /* NULL: layers go by pack() and unpack() alone. Otherwise, from here on update() also brings
     * what it changes of the layers at a side into the halo of the plan beyond it, of the same ops
     * and in the same process; sites of a phase need no others of that phase, so that no order is
     * asked of the slabs' updates. Peer NULL: no longer. Returns 0 if it cannot. */
    int (*connect)(void *plan, lm_side side, void *peer);
    /* 1: begin() and update() return when a device has been told what to do. Slabs that are
     * connected may then have a thread of the host each, none of which is a phase ahead of others;
     * what a sweep takes for the first time, one thread has then taken for all. */
    int queues;
    /* Both NULL: sums are whole numbers, and run() without sweeps gives those of the slab's
     * sites, of the bonds one step up from them, and of changes since begin(). Otherwise the sums
     * of sites by layer, sums[replica][k][layer of the slab] of the groups, k < lm_spec_sums();
     * lm_sums_tree() over the lattice's layers makes the replica's sum. And the proposals accepted
     * since begin(), counted[replica], and how many each site had, offers[replica]. */
    latmc_status (*sums)(void *plan, unsigned groups, double *sums);
    latmc_status (*changes)(void *plan, double *counted, double *offers);
} lm_slab_ops;

/* Whole replicas that a plan has, numbered from 0 on there, of a lattice that several plans have.
 */
typedef struct lm_lot {
    const struct lm_plan_ops *ops; /* NULL: none that this process could ask alone */
    void *self;
    int64_t first, count;
} lm_lot;

/* Number i of somebody's work, by thread number `thread` of those that share it. */
typedef void lm_chore(void *user, int thread, int64_t i);

/* What can be done with the plans of a model on a kind of device. */
typedef struct lm_plan_ops {
    /* ---- required */

    void (*close)(void *plan);
    latmc_status (*put_parameters)(void *plan, const lm_parameters *parameters);

    /* Sites, in natural order, as spec.kept says. Rows are the whole lattice's; those
     * outside the slab are refused. */
    latmc_status (*start)(void *plan, latmc_start_mode mode);
    latmc_status (*put_sites)(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites);
    latmc_status (*get_sites)(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              void *sites);

    /* Whole lattices: `budget` sweeps of the schedule from the cursor on, as many of them in one go
     * as the device likes. Without `out` it may return before the device has finished. With it the
     * budget is a multiple of out->every; a budget of 0 is one measurement of the sites as they
     * are, for which schedule and cursor mean nothing. Only the groups of the mask are made, and no
     * others written: see the model's physics header. Changes are those of the last sweep before
     * each measurement; without sweeps, of the last sweep that any call made, whatever that call
     * was asked for. */
    latmc_status (*run)(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                        int64_t budget, const lm_out *out);

    /* ---- optional: NULL stands for what lib/devices/plan.h says, of pairs lib/measure/pairs.c */

    void (*set_threads)(void *plan, int threads); /* 0: the runtime's choice */
    /* All sites of `count` replicas from number `first` on, of a whole lattice, one replica after
     * another. */
    latmc_status (*put_replicas)(void *plan, int64_t first, int64_t count, const void *sites);
    latmc_status (*get_replicas)(void *plan, int64_t first, int64_t count, void *sites);
    /* 1: get_sites() may be called by several threads at once, as long as nothing else is. */
    int read_at_once;
    /* Parameters of which nothing but the slots has changed since put_parameters(). */
    latmc_status (*put_slots)(void *plan, const lm_parameters *parameters);
    /* A sample's bonds from the sites of rows [first_row, first_row + rows) one step up along
     * axis: -1, 0 or +1 each, boundaries included. Called for every sample, axis and row of
     * the *whole* lattice (a slab keeps what it needs), before any sweep. */
    latmc_status (*put_bonds)(void *plan, int64_t sample, int axis, int64_t first_row, int64_t rows,
                              const int8_t *bonds);
    /* A sample's real numbers of the sites of those rows: for k < dims the own couplings of the
     * bonds one step up along axis k, without boundaries; for k = dims the sites' own fields.
     * Called as put_bonds() is, for each k that spec.couplings and spec.site_fields announce. */
    latmc_status (*put_values)(void *plan, int64_t sample, int k, int64_t first_row, int64_t rows,
                               const double *values);
    /* Refuses an update that this plan cannot make though the model has it: asked before a call's
     * first sweep, for every update that is to come. */
    latmc_status (*serves)(const void *plan, int update);
    /* Memory for a run() of this: after it that does not fail for want of any, when other plans of
     * the same lattice have run. Not needed where run() takes none. */
    latmc_status (*prepare)(void *plan, const lm_schedule *schedule, int64_t budget,
                            const lm_out *out);
    latmc_status (*wait)(void *plan); /* until the device has finished */
    /* 1: run() heeds out->take, so that the device sweeps on while measurements are taken. */
    int streams;
    /* Of a whole lattice: sums[pair][k] of the sites of two replicas each as they are now, of some
     * groups of lib/physics/pair_sums.h, all of them in pair_groups: which it has, a bit for each.
     * On failure `sums` may be in part written. */
    unsigned pair_groups;
    latmc_status (*pairs)(void *plan, unsigned groups, int64_t pairs, const int64_t (*replicas)[2],
                          double *sums);
    /* Of a plan that is made of others, each with some replicas: the lot that has this one. Pairs
     * within a lot are its plan's. */
    lm_lot (*lot)(const void *plan, int64_t replica);
    /* The same by planes, of spins, if there are no more than so many: apart[pair][plane], those of
     * axis 0 from x_0 = 0 on, then those of axis 1, ..: the sites in which two replicas differ. */
    int most_planes;
    latmc_status (*pair_planes)(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                int64_t *apart);
    /* Likewise of the replicas themselves, from number `first` on: up[replica][plane], spins +1. */
    latmc_status (*spin_planes)(void *plan, int64_t first, int64_t count, int64_t *up);
    /* Of a whole lattice, of a plan that streams, which has its own way to pairs; NULL: lib/ waits
     * for each measurement. Queues one of the sites as they are. The last one of a series has been
     * taken when it returns; a series that is not ended is forgotten by the next one. */
    latmc_status (*note)(void *plan, const lm_note *note);
    /* All NULL: lib/ makes exchanges. Otherwise, of a whole lattice: can the plan make them, as its
     * parameters are now; queues one, by the sites and parameters as they are, and goes on with its
     * slots; the state as all of them have left it. On failure the state is lost. */
    int (*exchanges)(const void *plan);
    latmc_status (*exchange)(void *plan, const lm_exchange_order *order);
    latmc_status (*exchanged)(void *plan, int64_t *state);

    /* ---- NULL: the model's lattices stay whole on this device */

    const lm_slab_ops *slabs;
} lm_plan_ops;

/* A model, and a way to keep its sites, on a kind of device. */
typedef struct lm_backend_model {
    latmc_model model;
    lm_kept kept;
    const lm_plan_ops *ops;
    /* Of a plan, with the layers beyond a slab's ends: lib/ cuts larger lattices. 0: as many as
     * there is memory for. */
    int64_t most_sites;
    /* A plan, or the reason why there can be none. */
    latmc_status (*open)(const lm_spec *spec, int device, void **plan);
} lm_backend_model;

/* Numbers of a public stream: doc/trajectory.md, "Public streams". */
typedef struct lm_numbers {
    latmc_random kind;
    uint64_t seed, stream;
    int64_t first, count; /* their sum fits an int64_t */
} lm_numbers;

/* Bytes of a number; 0: there is no such kind. */
static inline int lm_random_bytes(latmc_random kind)
{
    switch (kind) {
    case LATMC_RANDOM_WORDS:
    case LATMC_RANDOM_UNIFORM_FLOAT:
    case LATMC_RANDOM_GAUSSIAN_FLOAT:
        return 4;
    case LATMC_RANDOM_UNIFORM_DOUBLE:
    case LATMC_RANDOM_GAUSSIAN_DOUBLE:
        return 8;
    }
    return 0;
}

typedef struct lm_backend {
    const char *name; /* "cpu", "cuda": what stands before the colon */

    /* Devices that this backend was built for, usable or not, best first. */
    int (*count)(void);
    void (*describe)(int device, latmc_device_info *info); /* all but info->size */

    const lm_backend_model *const *models; /* ends with NULL */

    /* NULL: it is refused. Otherwise count > 0 numbers, there when it returns, in memory of the
     * device, aligned as their type; of so many threads of the host, 0 being its own choice.
     * Refuses memory of which it can tell that it is another's. */
    latmc_status (*random)(int device, int threads, const lm_numbers *order, void *to);

    /* Both NULL, or work of the caller's by threads of the host's, where so many were set, 0 being
     * its own choice: for how many of them so many nanoseconds of it are enough; and numbers 0 ..
     * count - 1, each by one of at most so many threads, the caller among them. */
    int (*hands)(int threads, double nanoseconds);
    void (*share)(int threads, int hands, int64_t count, lm_chore *chore, void *user);
} lm_backend;

/* All backends compiled in, in the order of preference of "auto"; ends with NULL. */
extern const lm_backend *const lm_backends[];

#endif
