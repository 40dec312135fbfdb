/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lattices of the phi^4 model with couplings and fields of sites, and a device that keeps what it
 * gets and cannot sweep. Include once in a program, which is linked with --wrap=lm_model_of.
 */
#ifndef LM_TESTS_LIB_DISORDER_H
#define LM_TESTS_LIB_DISORDER_H

#include "tests/support.h"

#include <math.h>

#include "lib/lattice/lattice.h"
#include "lib/base/status.h"

enum { ROWS = 5, WIDTH = 4, SITES = ROWS * WIDTH, BONDS = 2 * SITES, SAMPLES = 3, REPLICAS = 6 };

/* ---- the model */

const lm_model *__real_lm_model_of(int id);
const lm_model *__wrap_lm_model_of(int id);

const lm_model *__wrap_lm_model_of(int id)
{
    static lm_model row;

    if (id != LATMC_PHI4)
        return __real_lm_model_of(id);
    row = lm_model_phi4;
    row.couplings = LM_REAL_COUPLINGS;
    row.site_fields = 1;
    row.lists[LM_LIST_INDEX(LATMC_DISTRIBUTIONS)] = (lm_list){lm_distributions, LM_DISTRIBUTIONS};
    row.lists[LM_LIST_INDEX(LATMC_ARGUMENTS)] = (lm_list){lm_arguments, LM_DESCRIBED_ARGUMENTS};
    return &row;
}

/* ---- the device */

typedef struct fake_plan {
    lm_spec spec;
    int64_t sites, puts;
    double *values; /* [sample][k][site]; NaN: never put */
    float *field;   /* [replica][site] */
} fake_plan;

static int64_t fails_at; /* puts of values until one fails; 0: none does */

static inline latmc_status fake_open(const lm_spec *spec, const void *engine, int device,
                                     void **plan)
{
    fake_plan *p = calloc(1, sizeof *p);
    int64_t count;

    (void)engine;
    (void)device;
    assert_non_null(p);
    p->spec = *spec;
    p->sites = 1;
    for (int a = 0; a < spec->dims; a++)
        p->sites *= spec->extents[a];
    count = spec->samples * (spec->dims + 1) * p->sites;
    p->values = malloc((size_t)count * sizeof *p->values);
    p->field = calloc((size_t)(spec->replicas * p->sites), sizeof *p->field);
    assert_true(p->values && p->field);
    for (int64_t i = 0; i < count; i++)
        p->values[i] = (double)NAN;
    *plan = p;
    return LATMC_OK;
}

static inline void fake_close(void *plan)
{
    fake_plan *p = plan;

    free(p->values);
    free(p->field);
    free(p);
}

static inline latmc_status fake_put_parameters(void *plan, const lm_parameters *parameters)
{
    (void)plan;
    (void)parameters;
    return LATMC_OK;
}

static inline latmc_status fake_start(void *plan, latmc_start_mode mode)
{
    (void)plan;
    (void)mode;
    return LATMC_OK;
}

static inline float *rows_of(fake_plan *p, int64_t replica, int64_t first_row)
{
    return p->field + replica * p->sites + first_row * p->spec.extents[0];
}

static inline latmc_status fake_put_sites(void *plan, int64_t replica, int64_t first_row,
                                          int64_t rows, const void *sites)
{
    fake_plan *p = plan;

    memcpy(rows_of(p, replica, first_row), sites,
           (size_t)(rows * p->spec.extents[0]) * sizeof(float));
    return LATMC_OK;
}

static inline latmc_status fake_get_sites(void *plan, int64_t replica, int64_t first_row,
                                          int64_t rows, void *sites)
{
    fake_plan *p = plan;

    memcpy(sites, rows_of(p, replica, first_row),
           (size_t)(rows * p->spec.extents[0]) * sizeof(float));
    return LATMC_OK;
}

static inline latmc_status fake_put_values(void *plan, int64_t sample, int k, int64_t first_row,
                                           int64_t rows, const double *values)
{
    fake_plan *p = plan;
    const int64_t at =
        (sample * (p->spec.dims + 1) + k) * p->sites + first_row * p->spec.extents[0];

    if (++p->puts == fails_at)
        return lm_fail(LATMC_ERROR_DEVICE, "put %d failed", (int)p->puts);
    assert_true(sample >= 0 && sample < p->spec.samples && k >= 0 && k <= p->spec.dims);
    assert_true(first_row >= 0 && first_row + rows <= p->sites / p->spec.extents[0]);
    memcpy(p->values + at, values, (size_t)(rows * p->spec.extents[0]) * sizeof *values);
    return LATMC_OK;
}

static lm_plan_ops fake_ops = {
    .close = fake_close,
    .put_parameters = fake_put_parameters,
    .start = fake_start,
    .put_sites = fake_put_sites,
    .get_sites = fake_get_sites,
    .put_values = fake_put_values,
};

static const lm_backend_model fake_row = {
    .model = LATMC_PHI4, .kept = LM_AS_FLOATS, .ops = &fake_ops, .open = fake_open};

static inline int fake_count(void)
{
    return 1;
}

static inline void fake_describe(int device, latmc_device_info *info)
{
    snprintf(info->name, sizeof info->name, "cpu:%d", device);
    info->usable = 1;
}

static const lm_backend fake = {
    .name = "cpu",
    .count = fake_count,
    .describe = fake_describe,
    .models = (const lm_backend_model *const[]){&fake_row, NULL},
};

const lm_backend *const lm_backends[] = {&fake, NULL};

/* ---- lattices */

static inline latmc_lattice *fresh(void)
{
    latmc_lattice *lat = NULL;

    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){WIDTH, ROWS}));
    ok(latmc_set_option(lat, LATMC_PRECISION, 32));
    ok(latmc_set_replicas(lat, REPLICAS));
    ok(latmc_set_samples(lat, SAMPLES, 11));
    return lat;
}

/* Any numbers, both ends of what is allowed among them. */
static inline void make_up(double *values, int count, uint64_t state)
{
    for (int i = 0; i < count; i++)
        values[i] = ((double)(next_random(&state) >> 11) * 0x1p-53 - 0.5) * 3e3;
    values[1] = 1e6;
    values[2] = -1e6;
    values[3] = -0.0;
    values[4] = 5e-324;
}

static const latmc_argument mean_and_width[] = {LATMC_DRAW_MEAN, LATMC_DRAW_WIDTH};
static const double a_mean_and_width[] = {0.75, 1.5};

/* Of either kind of disorder: 0 none, 1 given, 2 drawn. */
static inline latmc_lattice *disordered(int bonds, int sites)
{
    latmc_lattice *lat = fresh();
    double values[SAMPLES * BONDS];

    make_up(values, SAMPLES * BONDS, 5);
    if (bonds == 1)
        ok(latmc_set_bond_couplings(lat, values));
    if (bonds == 2)
        ok(latmc_draw_bond_couplings(lat, LATMC_GAUSSIAN, 7, 2, mean_and_width, a_mean_and_width));
    make_up(values, SAMPLES * SITES, 6);
    if (sites == 1)
        ok(latmc_set_site_fields(lat, values));
    if (sites == 2)
        ok(latmc_draw_site_fields(lat, LATMC_PLUS_MINUS_ONE, 8, 0, NULL, NULL));
    return lat;
}

static inline latmc_disorder_info said_of(const latmc_lattice *lat, lm_owner owner)
{
    latmc_disorder_info info = LATMC_INIT(latmc_disorder_info);

    ok((owner == LM_OF_BONDS ? latmc_get_coupling_info : latmc_get_field_info)(lat, &info));
    return info;
}

static inline void get(const latmc_lattice *lat, lm_owner owner, int64_t sample, double *values)
{
    ok((owner == LM_OF_BONDS ? latmc_get_bond_couplings : latmc_get_site_fields)(lat, sample,
                                                                                 values));
}

static inline void same_disorder(const latmc_lattice *a, const latmc_lattice *b)
{
    for (int owner = 0; owner < LM_OWNERS; owner++) {
        const latmc_disorder_info x = said_of(a, owner), y = said_of(b, owner);

        assert_memory_equal(&x, &y, sizeof x);
        for (int j = 0; j < SAMPLES; j++) {
            double u[BONDS] = {0}, v[BONDS] = {0};

            get(a, owner, j, u);
            get(b, owner, j, v);
            assert_memory_equal(u, v, sizeof u);
        }
    }
}

#endif
