/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares the interface between lib/ and the devices. A backend is a kind of device. It has a row
 * for every model that it supports. The row opens plans. A plan is one lattice, or one slab of a
 * lattice, on one device, with the functions that work on it. lib/devices/plan.h has the functions
 * that all plans share.
 *
 * Every function that returns a latmc_status sets the thread's error message through lm_fail() when
 * it fails. It then leaves the plan unchanged, unless its comment says otherwise. A row is a line
 * of sites along x. Rows are numbered as sites are: x1 + L1 (x2 + L2 x3). A layer is a plane
 * x_slowest = constant. A plan holds a range of layers. A chain has one row, and each of its sites
 * is a layer.
 */
#ifndef LM_BACKEND_H
#define LM_BACKEND_H

#include "backends/crossing.h"
#include "backends/numbers.h"
#include "backends/schedule.h"
#include "backends/site_sums.h"
#include "backends/slab_ops.h"
#include "lib/geometry/spec.h"

/* What can change between sweeps. Values belong to slots. There are as many slots as replicas, and
 * each replica has a slot of its own. */
typedef struct lm_parameters {
    const double *values;        /* [parameter of the model's table][slot] */
    const int64_t *slots;        /* [replica]; NULL: replica r has slot r */
    int64_t ladder;              /* slots of a ladder, for exchanges; 0: there are none */
    const double *type_coupling; /* [bond type] */
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

/* `count` measurements that have been made. In measurement m, the sums of replica r begin at
 * sums[m * step + r * replica_step]. The first `each` sums are valid. They contain all bundles that
 * were asked for. */
typedef struct lm_measured {
    const double *sums;
    int64_t count, step, replica_step;
    int each;
    const double *pair_sums; /* [measurement][pair][k], if pairs were asked for */
    const int64_t *states;   /* NULL: no plan made exchanges meanwhile. Otherwise
                                [measurement][2][replica]: the slots of all replicas, then the
                                holders of all slots */
} lm_measured;

/* What is measured, each time after `every` sweeps, and who takes it. A run that measures more than
 * once makes whole rounds of the schedule between measurements. */
typedef struct lm_measure {
    int64_t every;
    unsigned bundles; /* of the sums of replicas */
    /* Pairs of replicas. Only queue_measurement() heeds them. */
    struct {
        unsigned bundles; /* of lib/physics/pair_sums.h; 0: no pairs */
        int by_slot;      /* 1: `of` has pairs of slots, which stand for their replicas */
        int64_t count;
        const int64_t (*of)[2];
    } pairs;
    /* Only plans that stream heed the taker. take() receives the measurements in order, some at a
     * time, in the plan's own memory or in `sums`. The three arrays then have room for `capacity`
     * measurements. If take is NULL, `sums` has room for all measurements. */
    int64_t capacity;
    double *sums;      /* [measurement][replica][k], k < lm_spec_sums() */
    double *pair_sums; /* as lm_measured.pair_sums */
    int64_t *states;   /* as lm_measured.states; NULL: not wanted */
    void (*take)(void *taker, const lm_measured *made);
    void *taker;
    /* 1: the only measurement stays with the plan, for an exchange (lm_exchange_order) or for
     * queue_measurement(), and is not written to `sums`. */
    int stays;
} lm_measure;

/* An exchange of neighbouring slots in all ladders: doc/trajectory.md, "Slots and exchanges". */
typedef struct lm_exchange_order {
    int64_t number; /* k */
    int64_t first_sample;
    int64_t first_ladder; /* number of the plan's first ladder in the first sample */
    int64_t ladders;      /* of a sample */
    int64_t each;         /* slots of a ladder; with uniform bonds there may be more samples than
                             spec.samples */
    unsigned bundles;     /* the bundles that make actions: the first ones */
    int measured;         /* 1: the sums stayed with the plan, and no site has changed since */
    const int64_t *state; /* the state of exchanges (lib/physics/exchange_state.h); NULL: as the
                             last exchange left it */
} lm_exchange_order;

/* The replicas that one of several plans of a lattice has. The plan numbers them from 0. */
typedef struct lm_lot {
    const struct lm_plan_ops *ops; /* NULL: this process cannot ask the plan alone */
    void *self;
    int64_t first, count;
} lm_lot;

/* Does item i of shared work. `thread` is the number of the thread that does it. */
typedef void lm_do_item(void *user, int thread, int64_t i);

/* What a plan would be. The bytes are those of sites, bonds, sums and tables: nearly all. */
typedef struct lm_sketch {
    int threads;        /* of the host, at most; the caller sets it */
    const char *kernel; /* what would sweep */
    int64_t host_bytes, device_bytes;
} lm_sketch;

/* What can be done with a model's plans on a kind of device. */
typedef struct lm_plan_ops {
    /* ---- required */

    void (*close)(void *plan);
    latmc_status (*put_parameters)(void *plan, const lm_parameters *parameters);
    /* Only for plans with spec.sketch, which have no other function but close(). Says what a plan
     * without it would be that makes this update with these parameters. */
    latmc_status (*sketch)(void *plan, const lm_parameters *parameters, int update,
                           lm_sketch *sketch);

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
                        int64_t budget, const lm_measure *out);

    /* ---- optional: NULL has the meaning that lib/devices/plan.h gives; for pairs,
     * lib/measure/pairs.c */

    void (*set_threads)(void *plan, int threads); /* 0: the runtime's choice */
    /* Both NULL, or cross() moves sites between the plan and an array, and crosses() returns the
     * needs that it serves (backends/crossing.h). It serves the plan's own numbers in host memory
     * in any case. Sites that go in are sites that the model has. The call waits. With
     * LM_CROSS_DEVICE it comes after what the device's user has queued (owns()). */
    unsigned (*crosses)(const void *plan);
    latmc_status (*cross)(void *plan, const lm_crossing *crossing);
    /* Replica r gets the sites that replica from[r] of the plan has, all at once, and what the last
     * sweep changed there. The plan may be a slab, whose neighbours have finished. The call waits.
     * NULL for `from`: only takes the memory that this needs, and keeps it. */
    latmc_status (*copy)(void *plan, const int64_t *from);
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
                            const lm_measure *out);
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
    /* Measure the current sites: sums[replica][term][2][momentum], with the bits that
     * doc/trajectory.md says, and sums[replica][set][term]. A slab gives the former for each of its
     * layers, sums[layer][replica][..], and the latter for its own sites. The calls set *made to
     * whether the plan has made them. A failure may leave `sums` partly written. NULL, or not made:
     * lib/ makes the sums from rows (lib/sums/row_sums.h). */
    latmc_status (*momenta)(void *plan, const lm_momentum_order *order, double *sums, int *made);
    latmc_status (*weigh)(void *plan, const lm_weight_order *order, int64_t *sums, int *made);
    /* Queues a measurement of the current sites of a whole lattice, as sweeps are queued. It is
     * measurement `number` of a series of `all`. If its sums have stayed with the plan
     * (lm_measure.stays), no site has changed since. out->every is ignored. The plan streams and
     * measures pairs in its own way. The whole series has been taken when the call for its last
     * measurement returns. A new series discards an unfinished one. NULL: lib/ waits for each
     * measurement. */
    latmc_status (*queue_measurement)(void *plan, const lm_measure *out, int64_t number,
                                      int64_t all);
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

typedef struct lm_backend {
    const char *name; /* "cpu", "cuda": the text before the colon of a device's name */

    /* count() returns how many devices the backend was built for, usable or not. The best come
     * first. */
    int (*count)(void);
    void (*describe)(int device, latmc_device_info *info); /* sets all but info->size */

    /* Writes the versions of what the devices need from the host. NULL: they need nothing. */
    void (*versions)(char *text, size_t bytes);

    const lm_backend_model *const *models; /* ends with NULL */

    /* Writes count > 0 numbers to memory of the device, aligned for their type. They are complete
     * on return. `threads` limits the host threads; 0 leaves the choice to the backend. Returns an
     * error if the pointer provably belongs to another device. NULL: the device refuses such
     * orders. */
    latmc_status (*random)(int device, int threads, const lm_numbers *order, void *to);

    /* Both NULL if devices have the host's memory alone. owns() returns whether a pointer is memory
     * of this device or of another one of the backend. copy() copies from or to such memory. The
     * other pointer is host memory. The call comes after what the user has queued for the device,
     * and waits. */
    int (*owns)(int device, const void *memory);
    latmc_status (*copy)(int device, void *to, const void *from, size_t bytes);

    /* Both NULL, or they share the caller's work among host threads. `threads` is the number that
     * was set; 0 leaves the choice to the backend. workers() returns how many threads suit work of
     * that many nanoseconds. share() does items 0 to count - 1, each by one of at most `workers`
     * threads. The caller is one of them. */
    int (*workers)(int threads, double nanoseconds);
    void (*share)(int threads, int workers, int64_t count, lm_do_item *do_item, void *user);
} lm_backend;

/* All backends compiled in, in the order of preference of "auto". The list ends with NULL. */
extern const lm_backend *const lm_backends[];

#endif
