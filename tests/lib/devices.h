/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's list of backends is replaced by one with a second backend: it calls itself "cuda",
 * computes as "cpu:scalar" does, and fails when told to. Include once in a program.
 */
#ifndef LM_TESTS_LIB_DEVICES_H
#define LM_TESTS_LIB_DEVICES_H

#include "tests/models/scene.h"

#include "backends/cpu/cpu.h"
#include "lib/devices/plan.h"
#include "lib/base/status.h"
#include "tests/lib/scalar_index.h"

static long calls;    /* of functions that can fail, since arm() */
static long fails_at; /* 0: none */
static latmc_status fails_with;
static int open_plans;

static inline latmc_status sabotage(void)
{
    if (++calls != fails_at)
        return LATMC_OK;
    return lm_fail(fails_with, "sabotage of call %ld", calls);
}

static inline int fake_count(void)
{
    return 2;
}

static inline void fake_describe(int device, latmc_device_info *info)
{
    snprintf(info->name, sizeof info->name, "cuda:%d", device);
    snprintf(info->text, sizeof info->text, device ? "a fake" : "its fan is missing");
    info->usable = device == 1;
}

static const lm_plan_ops *real; /* of the Ising model on CPUs */
static lm_spec opened;          /* the last plan's */

static inline latmc_status fake_open(const lm_spec *spec, const void *engine, int device,
                                     void **plan)
{
    latmc_status status = sabotage();

    (void)engine;
    assert_int_equal(device, 1);
    real = lm_cpu_ising_words.ops;
    opened = *spec;
    if (!status)
        status = lm_cpu_ising_words.open(spec, lm_cpu_ising_words.engine, scalar_index(), plan);
    open_plans += status == LATMC_OK;
    return status;
}

static inline void fake_close(void *plan)
{
    open_plans--;
    real->close(plan);
}

static inline latmc_status fake_put_bonds(void *plan, int64_t sample, int axis, int64_t first_row,
                                          int64_t rows, const int8_t *bonds)
{
    latmc_status status = sabotage();

    return status ? status : real->put_bonds(plan, sample, axis, first_row, rows, bonds);
}

static inline latmc_status fake_put_parameters(void *plan, const lm_parameters *parameters)
{
    latmc_status status = sabotage();

    return status ? status : real->put_parameters(plan, parameters);
}

static inline latmc_status fake_start(void *plan, latmc_start_mode mode)
{
    latmc_status status = sabotage();

    return status ? status : real->start(plan, mode);
}

static inline latmc_status fake_put_sites(void *plan, int64_t replica, int64_t first_row,
                                          int64_t rows, const void *sites)
{
    latmc_status status = sabotage();

    return status ? status : real->put_sites(plan, replica, first_row, rows, sites);
}

static inline latmc_status fake_get_sites(void *plan, int64_t replica, int64_t first_row,
                                          int64_t rows, void *sites)
{
    latmc_status status = sabotage();

    return status ? status : real->get_sites(plan, replica, first_row, rows, sites);
}

static int64_t taken, most_taken; /* hand-overs of series, and the most measurements of one */

/* Hands over by measurement, or by replica from a place of the plan's own. */
static inline void hand_over(const lm_measure *out, int64_t count)
{
    const int64_t replicas = opened.replicas, each = lm_spec_sums(&opened);
    const size_t bytes = (size_t)(count * replicas * each) * sizeof(double);
    double *own = calloc(1, bytes);
    const lm_measured here = {.sums = out->sums,
                              .count = count,
                              .step = replicas * each,
                              .replica_step = each,
                              .each = (int)each},
                      there = {.sums = own,
                               .count = count,
                               .step = each,
                               .replica_step = count * each,
                               .each = (int)each};

    assert_non_null(own);
    for (int64_t m = 0; m < count; m++)
        for (int64_t r = 0; r < replicas; r++)
            memcpy(own + (r * count + m) * each, out->sums + (m * replicas + r) * each,
                   (size_t)each * sizeof *own);
    if (taken % 2)
        memset(out->sums, 0, bytes);
    out->take(out->taker, taken % 2 ? &there : &here);
    free(own);
}

/* A series as a plan that streams hands it over: as much as there is room for, and the rest. */
static inline latmc_status stream(void *plan, const lm_schedule *schedule, lm_cursor at,
                                  int64_t budget, const lm_measure *out)
{
    const lm_measure some = {.every = out->every, .bundles = out->bundles, .sums = out->sums};
    latmc_status status = LATMC_OK;

    for (int64_t left = lm_measure_count(out, budget); left > 0 && !status; left -= out->capacity) {
        const int64_t n = left < out->capacity ? left : out->capacity;

        status = real->run(plan, schedule, &at, n * out->every, &some);
        lm_cursor_move(schedule, &at, n * out->every);
        if (!status)
            hand_over(out, n);
        taken++;
        most_taken = n > most_taken ? n : most_taken;
    }
    return status;
}

static inline latmc_status fake_run(void *plan, const lm_schedule *schedule,
                                    const lm_cursor *cursor, int64_t budget, const lm_measure *out)
{
    latmc_status status = sabotage();

    if (!status && out && out->take)
        return stream(plan, schedule, *cursor, budget, out);
    return status ? status : real->run(plan, schedule, cursor, budget, out);
}

static inline latmc_status fake_copy(void *plan, const int64_t *from)
{
    latmc_status status = sabotage();

    return status ? status : real->copy(plan, from);
}

/* Without what may be left out, but for bonds and copies, which lattices here have. */
static const lm_plan_ops fake_ops = {
    .close = fake_close,
    .put_bonds = fake_put_bonds,
    .put_parameters = fake_put_parameters,
    .start = fake_start,
    .put_sites = fake_put_sites,
    .get_sites = fake_get_sites,
    .copy = fake_copy,
    .run = fake_run,
    .streams = 1,
};

static const lm_backend_model fake_ising = {
    .model = LATMC_ISING, .kept = LM_IN_WORDS, .ops = &fake_ops, .open = fake_open};

static const lm_backend fake = {
    .name = "cuda",
    .count = fake_count,
    .describe = fake_describe,
    .models = (const lm_backend_model *const[]){&fake_ising, NULL},
};

const lm_backend *const lm_backends[] = {&fake, &lm_cpu_backend, NULL};

static inline int no_wish(void **state)
{
    (void)state;
    return unsetenv("LATMC_DEVICE");
}

static const char *device_of(const latmc_lattice *lat)
{
    static char name[32];

    ok(latmc_get_device(lat, name, sizeof name));
    return name;
}

#endif
