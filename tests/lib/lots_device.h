/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's list of backends is replaced by one with a second backend, which calls itself
 * "cuda" and has two devices. Their plans compute as "cpu:scalar" does, but make exchanges
 * themselves, count what they are asked for, and fail when told to. Include once in a program.
 */
#ifndef LM_TESTS_LIB_LOTS_DEVICE_H
#define LM_TESTS_LIB_LOTS_DEVICE_H

#include <stdatomic.h>

#include "backends/cpu/cpu.h"
#include "lib/base/status.h"
#include "lib/devices/host_exchange.h"
#include "lib/devices/plan.h"
#include "lib/physics/exchange_state.h"
#include "tests/lib/scalar_index.h"
#include "tests/support.h"

enum { FAKES = 2, HELD = 3 /* measurements that a plan holds back */ };

/* What the plans of a device were asked for. */
typedef struct fake_counts {
    _Atomic int64_t runs, measurements, exchanges, parameters, slots;
} fake_counts;

static fake_counts fakes[FAKES];
static int fake_exchanges = 1; /* 0: the plans make no exchanges */
static int fails_on;           /* the device that fails, */
static int64_t fails_at_run;   /* at this run of it; 0: none fails */
static int fails_to_prepare;   /* 1: that device has no memory for runs */

typedef struct fake_plan {
    int device;
    void *self;
    lm_spec spec;
    double *values, *sums, coupling[LATMC_MAX_DIMS];
    int64_t *state;
    double *held_sums;
    int64_t *held_slots;
    int64_t held;
} fake_plan;

static inline const lm_plan_ops *real_ops(void)
{
    return lm_cpu_ising_words.ops;
}

static inline int params_of_ising(void)
{
    return lm_list_of(lm_model_of(LATMC_ISING), LATMC_PARAMS)->count;
}

static inline latmc_status fake_open(const lm_spec *spec, const void *engine, int device,
                                     void **plan)
{
    fake_plan *f = calloc(1, sizeof *f);
    latmc_status status;

    (void)engine;
    assert_non_null(f);
    f->device = device;
    f->spec = *spec;
    f->values = calloc((size_t)(params_of_ising() * spec->replicas), sizeof *f->values);
    f->sums = calloc((size_t)(lm_spec_sums(spec) * spec->replicas), sizeof *f->sums);
    f->state = calloc((size_t)(LM_STATE_ROWS * spec->replicas), sizeof *f->state);
    f->held_sums = calloc((size_t)(HELD * lm_spec_sums(spec) * spec->replicas), sizeof *f->sums);
    f->held_slots = calloc((size_t)(HELD * LM_STATE_WALKS * spec->replicas), sizeof *f->state);
    assert_true(f->values && f->sums && f->state && f->held_sums && f->held_slots);
    status = lm_cpu_ising_words.open(spec, lm_cpu_ising_words.engine, scalar_index(), &f->self);
    *plan = f;
    return status;
}

static inline void fake_close(void *plan)
{
    fake_plan *f = plan;

    real_ops()->close(f->self);
    free(f->values);
    free(f->sums);
    free(f->state);
    free(f->held_sums);
    free(f->held_slots);
    free(f);
}

static inline latmc_status fake_put_parameters(void *plan, const lm_parameters *parameters)
{
    fake_plan *f = plan;

    fakes[f->device].parameters++;
    memcpy(f->values, parameters->values,
           (size_t)(params_of_ising() * f->spec.replicas) * sizeof *f->values);
    memcpy(f->coupling, parameters->type_coupling, (size_t)f->spec.dims * sizeof *f->coupling);
    return real_ops()->put_parameters(f->self, parameters);
}

static inline latmc_status fake_put_slots(void *plan, const lm_parameters *parameters)
{
    fake_plan *f = plan;

    fakes[f->device].slots++;
    return real_ops()->put_slots(f->self, parameters);
}

static inline latmc_status fake_put_bonds(void *plan, int64_t sample, int axis, int64_t first_row,
                                          int64_t rows, const int8_t *bonds)
{
    return real_ops()->put_bonds(((fake_plan *)plan)->self, sample, axis, first_row, rows, bonds);
}

static inline latmc_status fake_start(void *plan, latmc_start_mode mode)
{
    return real_ops()->start(((fake_plan *)plan)->self, mode);
}

static inline latmc_status fake_put_sites(void *plan, int64_t replica, int64_t first_row,
                                          int64_t rows, const void *sites)
{
    return real_ops()->put_sites(((fake_plan *)plan)->self, replica, first_row, rows, sites);
}

static inline latmc_status fake_get_sites(void *plan, int64_t replica, int64_t first_row,
                                          int64_t rows, void *sites)
{
    return real_ops()->get_sites(((fake_plan *)plan)->self, replica, first_row, rows, sites);
}

static inline latmc_status fake_prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                                        const lm_measure *out)
{
    (void)schedule;
    (void)budget;
    (void)out;
    return fails_to_prepare && ((fake_plan *)plan)->device == fails_on
               ? lm_fail(LATMC_ERROR_MEMORY, "no memory on device %d", fails_on)
               : LATMC_OK;
}

static inline latmc_status fake_run(void *plan, const lm_schedule *schedule,
                                    const lm_cursor *cursor, int64_t budget, const lm_measure *out)
{
    fake_plan *f = plan;
    lm_measure own = out ? *out : (lm_measure){0};
    const int64_t number = ++fakes[f->device].runs;

    fakes[f->device].measurements += budget == 0;

    if (fails_at_run && number == fails_at_run && f->device == fails_on)
        return lm_fail(LATMC_ERROR_DEVICE, "run %lld is one too many", (long long)number);
    if (own.stays)
        own.sums = f->sums;
    own.stays = 0;
    return real_ops()->run(f->self, schedule, cursor, budget, out ? &own : NULL);
}

static inline int fake_makes_exchanges(const void *plan)
{
    (void)plan;
    return fake_exchanges;
}

static inline latmc_status fake_measure(fake_plan *f, unsigned bundles)
{
    const lm_plan real = {real_ops(), f->self};

    return lm_plan_measure(real, bundles, f->sums);
}

static inline latmc_status fake_exchange(void *plan, const lm_exchange_order *order)
{
    fake_plan *f = plan;
    const int64_t n = f->spec.replicas;
    lm_offers offers = {.model = lm_model_of(LATMC_ISING),
                        .reading = {.dims = f->spec.dims,
                                    .options = f->spec.options,
                                    .type_coupling = f->coupling,
                                    .kept = f->spec.kept},
                        .values = f->values,
                        .sums = f->sums,
                        .each = lm_spec_sums(&f->spec),
                        .replicas = n,
                        .first_replica = f->spec.first_replica,
                        .seed = f->spec.seed};
    const latmc_status status = order->measured ? LATMC_OK : fake_measure(f, order->bundles);

    fakes[f->device].exchanges++;
    if (order->state)
        memcpy(f->state, order->state, (size_t)(LM_STATE_ROWS * n) * sizeof *f->state);
    if (status)
        return status;
    lm_exchange_slots(&offers, order, f->state);
    return real_ops()->put_slots(
        f->self,
        &(lm_parameters){.values = f->values, .slots = f->state, .type_coupling = f->coupling});
}

static inline latmc_status fake_exchanged(void *plan, int64_t *state)
{
    const fake_plan *f = plan;

    memcpy(state, f->state, (size_t)(LM_STATE_ROWS * f->spec.replicas) * sizeof *state);
    return LATMC_OK;
}

/* Hands over what is held, as much at once as there is room for. */
static inline void hand_over_held(fake_plan *f, const lm_measure *out)
{
    const int64_t numbers = lm_spec_sums(&f->spec) * f->spec.replicas,
                  slots = LM_STATE_WALKS * f->spec.replicas;
    int64_t here = 0;

    for (int64_t m = 0; m < f->held; m++) {
        memcpy(out->sums + here * numbers, f->held_sums + m * numbers,
               (size_t)numbers * sizeof *out->sums);
        if (out->states)
            memcpy(out->states + here * slots, f->held_slots + m * slots,
                   (size_t)slots * sizeof *out->states);
        if (++here < out->capacity && m + 1 < f->held)
            continue;
        out->take(out->taker, &(lm_measured){.sums = out->sums,
                                             .count = here,
                                             .step = numbers,
                                             .replica_step = lm_spec_sums(&f->spec),
                                             .each = lm_spec_sums(&f->spec),
                                             .states = out->states});
        here = 0;
    }
    f->held = 0;
}

static inline latmc_status fake_queue_measurement(void *plan, const lm_measure *out, int64_t number,
                                                  int64_t all)
{
    fake_plan *f = plan;
    const int64_t numbers = lm_spec_sums(&f->spec) * f->spec.replicas,
                  slots = LM_STATE_WALKS * f->spec.replicas;

    f->held = number ? f->held : 0;
    memcpy(f->held_sums + f->held * numbers, f->sums, (size_t)numbers * sizeof *f->sums);
    memcpy(f->held_slots + f->held * slots, f->state, (size_t)slots * sizeof *f->state);
    if (++f->held == HELD || number == all - 1)
        hand_over_held(f, out);
    return LATMC_OK;
}

#define FAKE_OPS                                                                                   \
    .close = fake_close, .put_parameters = fake_put_parameters, .put_slots = fake_put_slots,       \
    .put_bonds = fake_put_bonds, .start = fake_start, .put_sites = fake_put_sites,                 \
    .get_sites = fake_get_sites, .prepare = fake_prepare, .run = fake_run,                         \
    .exchanges = fake_makes_exchanges, .exchange = fake_exchange, .exchanged = fake_exchanged

static const lm_plan_ops fake_ops = {FAKE_OPS},
                         fake_queuing_ops = {FAKE_OPS, .queue_measurement = fake_queue_measurement};

static lm_backend_model fake_ising = {
    .model = LATMC_ISING, .kept = LM_IN_WORDS, .ops = &fake_ops, .open = fake_open};

static inline int fake_count(void)
{
    return FAKES;
}

static inline void fake_describe(int device, latmc_device_info *info)
{
    snprintf(info->name, sizeof info->name, "cuda:%d", device);
    snprintf(info->text, sizeof info->text, "a fake");
    info->usable = 1;
}

static const lm_backend fake = {
    .name = "cuda",
    .count = fake_count,
    .describe = fake_describe,
    .models = (const lm_backend_model *const[]){&fake_ising, NULL},
};

const lm_backend *const lm_backends[] = {&fake, &lm_cpu_backend, NULL};

static inline void forget_counts(void)
{
    for (int i = 0; i < FAKES; i++)
        fakes[i] = (fake_counts){0};
}

#endif
