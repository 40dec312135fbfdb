/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between lib/ and the devices. A backend is a kind of device. It has a row for every
 * model that it supports. The row opens plans. A plan is one lattice, or one slab of a lattice, on
 * one device, with the functions that work on it. lib/devices/plan.h has the functions that all
 * plans share.
 *
 * Every function that returns a latmc_status sets the thread's error message through lm_fail() when
 * it fails. It then leaves the plan unchanged, unless its comment says otherwise. A row is a line
 * of sites along x. Rows are numbered as sites are: x1 + L1 (x2 + L2 x3). A layer is a plane
 * x_slowest = constant. A plan holds a range of layers. A chain has one row, and each of its sites
 * is a layer.
 */
#ifndef LM_BACKEND_H
#define LM_BACKEND_H

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
 * only if there are at most LM_MOST_PLANES. */
enum { LM_MOST_PLANES = 1 << 20 };

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

/* What can change between sweeps. Values belong to slots. There are as many slots as replicas, and
 * each replica has a slot of its own. */
typedef struct lm_parameters {
    const double *values;        /* [parameter of the model's table][slot] */
    const int64_t *slots;        /* [replica]; NULL: replica r has slot r */
    const double *axis_coupling; /* [axis] */
    /* [replica], only for models whose bonds have couplings. 1: some sites may lack a local field,
     * whatever the values are, or the lattice has few sites (lib/lattice/bonds.c). */
    const uint8_t *loose;
} lm_parameters;

/* Returns the first value of a replica. Parameter p follows it at a distance of p times the number
 * of slots. */
static inline const double *lm_parameters_of(const lm_parameters *parameters, int64_t replica)
{
    return parameters->values + (parameters->slots ? parameters->slots[replica] : replica);
}

/* A schedule is a round of steps, and rounds repeat. A step is a number of sweeps of one update. */
typedef struct lm_schedule_step {
    int update;     /* its number in the model's list */
    int64_t sweeps; /* > 0 */
} lm_schedule_step;

typedef struct lm_schedule {
    const lm_schedule_step *steps;
    int count;
    int64_t round; /* sweeps of all steps */
} lm_schedule;

/* The position of the next sweep. lib/ advances the caller's cursor. */
typedef struct lm_cursor {
    int64_t sweep; /* its number, which enters the random numbers */
    int64_t done;  /* sweeps of its round before it */
} lm_cursor;

/* Sums of `count` measurements. In measurement m, the sums of replica r begin at first[m * step + r
 * * apart]. The first `each` sums are valid. They contain all bundles that were asked for. */
typedef struct lm_taken {
    const double *first;
    int64_t count, step, apart;
    int each;
} lm_taken;

/* What a run measures. It measures some bundles, each time after `every` sweeps. A run that
 * measures more than once makes whole rounds of the schedule between measurements. */
typedef struct lm_out {
    int64_t every;
    unsigned bundles;
    double *sums; /* [measurement][replica][k], k < lm_spec_sums() */
    /* Only for plans that stream. take() receives the measurements in order, some at a time, in the
     * plan's own memory or in `sums`. `sums` then has room for `capacity` measurements. If take is
     * NULL, `sums` has room for all measurements. */
    int64_t capacity;
    void (*take)(void *taker, const lm_taken *some);
    void *taker;
    /* 1: the only measurement stays with the plan for an exchange (lm_exchange_order) and is not
     * written to `sums`. */
    int stays;
} lm_out;

/* What is measured of pairs of replicas. The bundles are those of lib/physics/pair_sums.h. The
 * sums of a pair go to sums[measurement][pair][k]. */
typedef struct lm_pair_out {
    unsigned bundles;
    int64_t count;
    const int64_t (*of)[2]; /* pairs of replicas; if by_slot, pairs of slots, which stand for their
                               replicas */
    int by_slot;
    double *sums;
} lm_pair_out;

/* A measurement that is queued as sweeps are. It is measurement `number` of a series of `all`. It
 * measures the sum bundles in out->bundles of the current sites. If the sums have stayed with
 * the plan (lm_out.stays), no site has changed since. out->take receives them as from a run.
 * out->every and out->stays are ignored. */
typedef struct lm_queued {
    int64_t number, all;
    const lm_out *out;
    int64_t *states;   /* NULL, or [measurement][2][replica]: the slots of all replicas, then the
                          holders of all slots, as the plan's exchanges left them */
    lm_pair_out pairs; /* no bundles: no pairs */
} lm_queued;

/* An exchange of neighbouring slots in all ladders: doc/trajectory.md, "Slots and exchanges". */
typedef struct lm_exchange_order {
    int64_t number; /* k */
    int64_t first_sample;
    int64_t ladders;      /* of a sample */
    int64_t each;         /* slots of a ladder; with uniform bonds there may be more samples than
                             spec.samples */
    unsigned bundles;     /* the bundles that make actions: the first ones */
    int measured;         /* 1: the sums stayed with the plan, and no site has changed since */
    const int64_t *state; /* the state of exchanges (lib/physics/exchange.h); NULL: as the last
                             exchange left it */
} lm_exchange_order;

/* Consecutive sweeps of one update. The first sweep has number `step`. */
typedef struct lm_job {
    int update;
    int64_t step;
    int64_t sweeps;
} lm_job;

/* Parts of a slab that can be updated separately. */
typedef enum lm_part {
    LM_BOUNDARY = 1, /* the part that neighbours read: the first and last `reach` layers, or the
                        tiles at the slab's ends */
    LM_BULK = 2,     /* the rest */
    LM_WHOLE = 3     /* both */
} lm_part;

typedef enum lm_side { LM_LOWER = 0, LM_UPPER = 1 } lm_side;

static inline lm_side lm_other_side(lm_side side)
{
    return side == LM_LOWER ? LM_UPPER : LM_LOWER;
}

/* The functions of a slab. A sweep is a sequence of phases. A phase updates one colour, or one
 * sub-grid of tiles. An update reads `reach` layers beyond either end of the slab, as the previous
 * phase left them. These layers are the slab's halo: copies of its neighbours' boundary layers.
 * Halos travel as opaque bytes between plans whose specs differ only in their layers
 * (lib/divide/slabs.h). At the lattice's own ends, unpack() applies the boundary condition. lib/
 * decides which slabs there can be and which updates they take. */
typedef struct lm_slab_ops {
    int (*phases)(const void *plan, int update);
    size_t (*halo_bytes)(const void *plan); /* of one side */
    /* Allocates the memory that sweeps by the update need. The functions below then allocate none.
     * NULL: they never do. */
    latmc_status (*prepare)(void *plan, int update);
    /* Begins a sweep, before its first phase. `counts` nonzero: resets the counter of changes and
     * counts during this sweep. Zero: counting is optional, and a plan that counts anyway resets
     * its counter first. */
    latmc_status (*begin)(void *plan, int update, int counts);
    latmc_status (*update)(void *plan, int update, int64_t step, int phase, lm_part part);
    /* Copies the slab's own boundary layers, as they are at the call, to `halo`. Without packed()
     * the copy is complete on return. With packed(), the copy is complete when packed() has
     * returned. Meanwhile the device goes on with the bulk. packed() waits for all copies from and
     * to halos. */
    latmc_status (*pack)(void *plan, lm_side side, void *halo);
    latmc_status (*packed)(void *plan);
    /* Takes the neighbour's boundary layers from `halo`. The contents of `halo` are undefined
     * afterwards. With packed(), `halo` belongs to the plan until the next packed() or wait().
     * These report a failure of the copy. */
    latmc_status (*unpack)(void *plan, lm_side side, void *halo);
    /* take_buffer() allocates memory for `halo` that the device copies asynchronously. It returns
     * NULL and sets the error message if there is none. give_buffer() frees the memory. NULL: any
     * memory will do for `halo`. */
    void *(*take_buffer)(void *plan, size_t bytes);
    void (*give_buffer)(void *plan, void *buffer);
    /* NULL: layers go by pack() and unpack() alone. Otherwise, from here on update() also brings
     * what it changes of the layers at a side into the halo of the plan beyond it, of the same ops
     * and in the same process; sites of a phase need no others of that phase, so that no order is
     * asked of the slabs' updates. Peer NULL: no longer. Returns 0 if it cannot. */
    int (*connect)(void *plan, lm_side side, void *peer);
    /* 1: begin() and update() return when the device has its orders. Each connected slab may then
     * have a host thread of its own. No thread is ever a phase ahead of another one. One thread has
     * beforehand allocated, for all, what a sweep allocates the first time. */
    int queues;
    /* Both NULL: sums are whole numbers. run() without sweeps gives the sums of the slab's sites,
     * of the bonds one step up from them, and of changes since begin(). Otherwise sums() gives the
     * sums of sites by layer, sums[replica][k][layer of the slab] for the bundles, k <
     * lm_spec_sums(). lm_sums_tree() over the lattice's layers makes the replica's sum. changes()
     * gives the proposals accepted since begin(), counted[replica], and the number of proposals of
     * each site, offers[replica]. */
    latmc_status (*sums)(void *plan, unsigned bundles, double *sums);
    latmc_status (*changes)(void *plan, double *counted, double *offers);
} lm_slab_ops;

/* The replicas that one of several plans of a lattice has. The plan numbers them from 0. */
typedef struct lm_lot {
    const struct lm_plan_ops *ops; /* NULL: this process cannot ask the plan alone */
    void *self;
    int64_t first, count;
} lm_lot;

/* Does item i of shared work. `thread` is the number of the thread that does it. */
typedef void lm_chore(void *user, int thread, int64_t i);

/* What can be done with a model's plans on a kind of device. */
typedef struct lm_plan_ops {
    /* ---- required */

    void (*close)(void *plan);
    latmc_status (*put_parameters)(void *plan, const lm_parameters *parameters);

    /* These three set and read sites in natural order, in the type that spec.kept implies. Rows are
     * numbered in the whole lattice. Rows outside the slab are refused. */
    latmc_status (*start)(void *plan, latmc_start_mode mode);
    latmc_status (*put_sites)(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites);
    latmc_status (*get_sites)(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              void *sites);

    /* Makes `budget` sweeps of the schedule of a whole lattice, from the cursor on. The device
     * chooses how many sweeps it makes at once. Without `out`, the function may return before the
     * device has finished. With `out`, the budget is a multiple of out->every. A budget of 0 makes
     * one measurement of the current sites and ignores schedule and cursor. Only the bundles of
     * the mask are computed, and no others are written: see the model's physics header. The sum of
     * changes belongs to the last sweep before each measurement. Without sweeps it belongs to the
     * last sweep of any earlier call, whatever that call was asked for. */
    latmc_status (*run)(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                        int64_t budget, const lm_out *out);

    /* ---- optional: NULL has the meaning that lib/devices/plan.h gives; for pairs,
     * lib/measure/pairs.c */

    void (*set_threads)(void *plan, int threads); /* 0: the runtime's choice */
    /* These two move all sites of `count` replicas of a whole lattice, from replica `first` on, one
     * replica after another. */
    latmc_status (*put_replicas)(void *plan, int64_t first, int64_t count, const void *sites);
    latmc_status (*get_replicas)(void *plan, int64_t first, int64_t count, void *sites);
    /* 1: several threads may call get_sites() at once, while no other function runs. */
    int read_at_once;
    /* Sets new slots. Nothing but the slots may have changed since put_parameters(). */
    latmc_status (*put_slots)(void *plan, const lm_parameters *parameters);
    /* Sets a sample's bonds from the sites of rows [first_row, first_row + rows) one step up along
     * the axis. A bond is -1, 0 or +1, with the boundary's factor included. lib/ calls it before
     * any sweep, for every sample, axis and row of the *whole* lattice. A slab keeps what it
     * needs. */
    latmc_status (*put_bonds)(void *plan, int64_t sample, int axis, int64_t first_row, int64_t rows,
                              const int8_t *bonds);
    /* Sets a sample's real numbers of the sites of those rows. For k < dims they are the own
     * couplings of the bonds one step up along axis k, without the boundary's factor. For k = dims
     * they are the sites' own fields. lib/ calls it as it calls put_bonds(), for each k that
     * spec.couplings and spec.site_fields announce. */
    latmc_status (*put_values)(void *plan, int64_t sample, int k, int64_t first_row, int64_t rows,
                               const double *values);
    /* Refuses an update that the model has and this plan cannot make. lib/ asks before a call's
     * first sweep, for every update of the call. */
    latmc_status (*serves)(const void *plan, int update);
    /* Allocates memory for a run() with these arguments. That run() then cannot fail for lack of
     * memory after other plans of the lattice have run. It is not needed where run() allocates
     * none. */
    latmc_status (*prepare)(void *plan, const lm_schedule *schedule, int64_t budget,
                            const lm_out *out);
    latmc_status (*wait)(void *plan); /* returns when the device has finished */
    /* 1: run() heeds out->take. The device then sweeps on while measurements are taken. */
    int streams;
    /* Measures pairs of replicas of a whole lattice: sums[pair][k] of the current sites, for some
     * bundles of lib/physics/pair_sums.h. Bit g of pair_bundles says that the plan has
     * bundle g. A failure may leave `sums` partly written. */
    unsigned pair_bundles;
    latmc_status (*pairs)(void *plan, unsigned bundles, int64_t pairs, const int64_t (*replicas)[2],
                          double *sums);
    /* Returns the lot that has the replica. Only a plan that is made of other plans has this
     * function. A pair within a lot is measured by the lot's plan. */
    lm_lot (*lot)(const void *plan, int64_t replica);
    /* Counts by planes the sites in which two replicas' spins differ: apart[pair][plane]. The
     * planes of axis 0 come first, from x_0 = 0 on, then the planes of axis 1, and so on. The
     * lattice has at most most_planes planes. */
    int most_planes;
    latmc_status (*pair_planes)(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                int64_t *apart);
    /* Counts the spins +1 by planes: up[replica][plane], for `count` replicas from number `first`
     * on. */
    latmc_status (*spin_planes)(void *plan, int64_t first, int64_t count, int64_t *up);
    /* Queues a measurement of the current sites of a whole lattice. The plan streams and measures
     * pairs in its own way. The whole series has been taken when the call for its last measurement
     * returns. A new series discards an unfinished one. NULL: lib/ waits for each measurement. */
    latmc_status (*queue_measurement)(void *plan, const lm_queued *queued);
    /* All NULL: lib/ makes the exchanges. Otherwise, for a whole lattice: exchanges() says whether
     * the plan can make them with its present parameters. exchange() queues one, by the current
     * sites and parameters, and goes on with the new slots. exchanged() reads the state that all
     * exchanges so far have left. A failure loses the state. */
    int (*exchanges)(const void *plan);
    latmc_status (*exchange)(void *plan, const lm_exchange_order *order);
    latmc_status (*exchanged)(void *plan, int64_t *state);

    /* ---- NULL: the model's lattices stay whole on this device */

    const lm_slab_ops *slabs;
} lm_plan_ops;

/* A model and a representation of its sites, on a kind of device. */
typedef struct lm_backend_model {
    latmc_model model;
    lm_kept kept;
    const lm_plan_ops *ops;
    /* The largest number of sites of a plan, with the layers beyond a slab's ends. lib/ divides
     * larger lattices. 0: only memory limits them. */
    int64_t most_sites;
    const void *engine; /* what open() needs of the model; only the backend knows its type */
    /* Opens a plan. An error says why there can be none. The caller closes the plan with
     * ops->close. */
    latmc_status (*open)(const lm_spec *spec, const void *engine, int device, void **plan);
} lm_backend_model;

/* An order for numbers of a public stream: doc/trajectory.md, "Public streams". */
typedef struct lm_numbers {
    latmc_random_kind kind;
    uint64_t seed, stream;
    int64_t first, count; /* their sum fits an int64_t */
} lm_numbers;

/* Returns the bytes of a number, or 0 for an unknown kind. */
static inline int lm_random_bytes(latmc_random_kind kind)
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
    const char *name; /* "cpu", "cuda": the text before the colon of a device's name */

    /* count() returns how many devices the backend was built for, usable or not. The best come
     * first. */
    int (*count)(void);
    void (*describe)(int device, latmc_device_info *info); /* sets all but info->size */

    const lm_backend_model *const *models; /* ends with NULL */

    /* Writes count > 0 numbers to memory of the device, aligned for their type. They are complete
     * on return. `threads` limits the host threads; 0 leaves the choice to the backend. Returns an
     * error if the pointer provably belongs to another device. NULL: the device refuses such
     * orders. */
    latmc_status (*random)(int device, int threads, const lm_numbers *order, void *to);

    /* Both NULL, or they share the caller's work among host threads. `threads` is the number that
     * was set; 0 leaves the choice to the backend. hands() returns how many threads suit work of
     * that many nanoseconds. share() does items 0 to count - 1, each by one of at most `hands`
     * threads. The caller is one of them. */
    int (*hands)(int threads, double nanoseconds);
    void (*share)(int threads, int hands, int64_t count, lm_chore *chore, void *user);
} lm_backend;

/* All backends compiled in, in the order of preference of "auto". The list ends with NULL. */
extern const lm_backend *const lm_backends[];

#endif
