/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Real couplings and fields of sites, up to the device: the phi^4 model is given them, and a
 * device that keeps what it gets and cannot sweep.
 */
#include "tests/support.h"

#include <math.h>

#include "tests/saved.h"
#include "lib/models/draw.h"
#include "lib/lattice/lattice.h"
#include "lib/base/status.h"

enum { ROWS = 5, WIDTH = 4, SITES = ROWS * WIDTH, BONDS = 2 * SITES, SAMPLES = 3, REPLICAS = 6 };

static const latmc_status no = LATMC_ERROR_ARGUMENT, late = LATMC_ERROR_STATE;

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
    row.lists[LM_PLACE(LATMC_DISTRIBUTIONS)] = (lm_list){lm_distributions, LM_DISTRIBUTIONS};
    row.lists[LM_PLACE(LATMC_ARGUMENTS)] = (lm_list){lm_arguments, LM_DESCRIBED_ARGUMENTS};
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

static latmc_status fake_open(const lm_spec *spec, int device, void **plan)
{
    fake_plan *p = calloc(1, sizeof *p);
    int64_t count;

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

static void fake_close(void *plan)
{
    fake_plan *p = plan;

    free(p->values);
    free(p->field);
    free(p);
}

static latmc_status fake_put_parameters(void *plan, const lm_parameters *parameters)
{
    (void)plan;
    (void)parameters;
    return LATMC_OK;
}

static latmc_status fake_start(void *plan, latmc_start_mode mode)
{
    (void)plan;
    (void)mode;
    return LATMC_OK;
}

static float *rows_of(fake_plan *p, int64_t replica, int64_t first_row)
{
    return p->field + replica * p->sites + first_row * p->spec.extents[0];
}

static latmc_status fake_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                   const void *sites)
{
    fake_plan *p = plan;

    memcpy(rows_of(p, replica, first_row), sites,
           (size_t)(rows * p->spec.extents[0]) * sizeof(float));
    return LATMC_OK;
}

static latmc_status fake_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                   void *sites)
{
    fake_plan *p = plan;

    memcpy(sites, rows_of(p, replica, first_row),
           (size_t)(rows * p->spec.extents[0]) * sizeof(float));
    return LATMC_OK;
}

static latmc_status fake_put_values(void *plan, int64_t sample, int k, int64_t first_row,
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

static int fake_count(void)
{
    return 1;
}

static void fake_describe(int device, latmc_device_info *info)
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

static const fake_plan *plan_of(const latmc_lattice *lat)
{
    return lat->home.plan.self;
}

/* ---- lattices */

static latmc_lattice *fresh(void)
{
    latmc_lattice *lat = NULL;

    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){WIDTH, ROWS}));
    ok(latmc_set_option(lat, LATMC_PRECISION, 32));
    ok(latmc_set_replicas(lat, REPLICAS));
    ok(latmc_set_samples(lat, SAMPLES, 11));
    return lat;
}

/* Any numbers, both ends of what is allowed among them. */
static void make_up(double *values, int count, uint64_t state)
{
    for (int i = 0; i < count; i++)
        values[i] = ((double)(next_random(&state) >> 11) * 0x1p-53 - 0.5) * 3e3;
    values[1] = 1e6;
    values[2] = -1e6;
    values[3] = -0.0;
    values[4] = 5e-324;
}

static const latmc_argument mean_and_width[] = {LATMC_MEAN, LATMC_WIDTH};
static const double a_mean_and_width[] = {0.75, 1.5};

/* Of either kind of disorder: 0 none, 1 given, 2 drawn. */
static latmc_lattice *disordered(int bonds, int sites)
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

static latmc_disorder_info said_of(const latmc_lattice *lat, lm_owner owner)
{
    latmc_disorder_info info = LATMC_INIT(latmc_disorder_info);

    ok((owner == LM_OF_BONDS ? latmc_get_bond_info : latmc_get_site_field_info)(lat, &info));
    return info;
}

static void get(const latmc_lattice *lat, lm_owner owner, int64_t sample, double *values)
{
    ok((owner == LM_OF_BONDS ? latmc_get_bond_couplings : latmc_get_site_fields)(lat, sample,
                                                                                 values));
}

static void same_disorder(const latmc_lattice *a, const latmc_lattice *b)
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

/* ---- tests */

static void what_is_given_is_checked(void **state)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1000000.1,
                                 -1000000.1};
    latmc_lattice *lat = disordered(1, 1), *other = disordered(1, 1);
    double values[SAMPLES * BONDS];

    (void)state;
    make_up(values, SAMPLES * BONDS, 9);
    for (size_t i = 0; i < ALL(bad); i++) {
        const double good = values[BONDS + SITES + 3];

        values[BONDS + SITES + 3] = bad[i];
        refused(no, "the coupling of site 3 along axis 1 is ",
                latmc_set_bond_couplings(lat, values));
        refused(no, "in sample 1; it must be a number from -1000000 to 1000000",
                latmc_set_bond_couplings(lat, values));
        values[BONDS + SITES + 3] = good;
        values[2 * SITES + 19] = bad[i];
        refused(no, "the field of site 19 is ", latmc_set_site_fields(lat, values));
        refused(no, "in sample 2; it must be a number from -1000000 to 1000000",
                latmc_set_site_fields(lat, values));
        values[2 * SITES + 19] = 0.0;
    }
    refused(no, "sample is 3; there are 0 to 2", latmc_get_site_fields(lat, 3, values));
    refused(no, "sample is -1", latmc_get_site_fields(lat, -1, values));
    refused(no, "fields is NULL", latmc_get_site_fields(lat, 0, NULL));
    refused(no, "info is NULL", latmc_get_site_field_info(lat, NULL));
    refused(no, "sizeof(latmc_disorder_info)",
            latmc_get_site_field_info(lat, &(latmc_disorder_info){.size = 8}));
    same_disorder(lat, other);
    latmc_destroy(lat);
    latmc_destroy(other);
}

static void axis_couplings_have_the_range_of_real_numbers(void **state)
{
    latmc_lattice *lat = fresh();
    double axes[2];

    (void)state;
    ok(latmc_get_axis_couplings(lat, axes));
    assert_true(axes[0] == 1.0 && axes[1] == 1.0);
    ok(latmc_set_axis_couplings(lat, (double[]){-1e6, 1e6}));
    refused(no, "axis 1 is 1000000.1; it must be a number from -1000000 to 1000000",
            latmc_set_axis_couplings(lat, (double[]){0.0, 1000000.1}));
    ok(latmc_get_axis_couplings(lat, axes));
    assert_true(axes[0] == -1e6 && axes[1] == 1e6);
    latmc_destroy(lat);
}

static void what_is_given_is_read_back(void **state)
{
    latmc_lattice *lat = disordered(1, 1);
    double given[SAMPLES * BONDS], got[BONDS];

    (void)state;
    make_up(given, SAMPLES * BONDS, 5);
    for (int j = 0; j < SAMPLES; j++) {
        get(lat, LM_OF_BONDS, j, got);
        assert_memory_equal(got, given + j * BONDS, BONDS * sizeof *got);
    }
    make_up(given, SAMPLES * SITES, 6);
    for (int j = 0; j < SAMPLES; j++) {
        get(lat, LM_OF_SITES, j, got);
        assert_memory_equal(got, given + j * SITES, SITES * sizeof *got);
    }
    assert_int_equal(said_of(lat, LM_OF_BONDS).origin, LATMC_COUPLINGS_GIVEN);
    assert_int_equal(said_of(lat, LM_OF_SITES).origin, LATMC_COUPLINGS_GIVEN);
    ok(latmc_set_site_fields(lat, NULL));
    ok(latmc_set_bond_couplings(lat, NULL));
    assert_int_equal(said_of(lat, LM_OF_BONDS).origin, LATMC_COUPLINGS_UNIFORM);
    assert_int_equal(said_of(lat, LM_OF_SITES).origin, LATMC_COUPLINGS_UNIFORM);
    get(lat, LM_OF_BONDS, 2, got);
    assert_true(got[0] == 1.0 && got[BONDS - 1] == 1.0);
    get(lat, LM_OF_SITES, 2, got);
    assert_true(got[0] == 0.0 && got[SITES - 1] == 0.0);
    latmc_destroy(lat);
}

static void what_is_drawn_is_that_of_the_samples_number(void **state)
{
    latmc_lattice *lat = disordered(2, 2);
    lm_draw bonds = lm_draw_of(LATMC_GAUSSIAN, 7), fields = lm_draw_of(LATMC_PLUS_MINUS_ONE, 8);
    const latmc_disorder_info said = said_of(lat, LM_OF_BONDS), other = said_of(lat, LM_OF_SITES);
    double want[BONDS], got[BONDS];

    (void)state;
    bonds.values[LM_ARGUMENT(LATMC_MEAN)] = 0.75;
    bonds.values[LM_ARGUMENT(LATMC_WIDTH)] = 1.5;
    for (int j = 0; j < SAMPLES; j++) {
        for (int axis = 0; axis < 2; axis++)
            lm_draw_numbers(&bonds, LM_OF_BONDS, axis, 11 + j, 0, SITES, want + axis * SITES);
        get(lat, LM_OF_BONDS, j, got);
        assert_memory_equal(want, got, sizeof want);
        lm_draw_numbers(&fields, LM_OF_SITES, 0, 11 + j, 0, SITES, want);
        get(lat, LM_OF_SITES, j, got);
        assert_memory_equal(want, got, SITES * sizeof *want);
    }
    assert_int_equal(said.origin, LATMC_COUPLINGS_DRAWN);
    assert_int_equal(said.distribution, LATMC_GAUSSIAN);
    assert_int_equal(said.seed, 7);
    assert_int_equal(said.count, 3);
    for (int i = 0; i < said.count; i++)
        assert_true(said.values[i] == (said.arguments[i] == LATMC_MEAN    ? 0.75
                                       : said.arguments[i] == LATMC_WIDTH ? 1.5
                                                                          : 0.0));
    assert_int_equal(other.origin, LATMC_COUPLINGS_DRAWN);
    assert_int_equal(other.distribution, LATMC_PLUS_MINUS_ONE);
    assert_int_equal(other.seed, 8);
    assert_int_equal(other.samples, SAMPLES);
    assert_int_equal(other.first_sample, 11);
    latmc_destroy(lat);
}

static void what_is_drawn_is_checked(void **state)
{
    const latmc_argument mean = LATMC_MEAN, width = LATMC_WIDTH, plus = LATMC_PLUS;
    const latmc_status unknown = LATMC_ERROR_UNKNOWN;
    const latmc_distribution pm1 = LATMC_PLUS_MINUS_ONE, normal = LATMC_GAUSSIAN;
    const double x = 0.5, much = 1000000.1, less = -0.1, most = 1e6;
    latmc_lattice *lat = disordered(2, 2), *other = disordered(2, 2);

    (void)state;
    refused(unknown, "number 7; it has pm1 (501), gaussian (502)",
            latmc_draw_site_fields(lat, (latmc_distribution)7, 1, 0, NULL, NULL));
    refused(no, "count is -1", latmc_draw_site_fields(lat, pm1, 1, -1, &plus, &x));
    refused(no, "arguments is NULL", latmc_draw_site_fields(lat, pm1, 1, 1, NULL, &x));
    refused(no, "values is NULL", latmc_draw_site_fields(lat, pm1, 1, 1, &plus, NULL));
    refused(unknown, "pm1 has no argument mean (803)",
            latmc_draw_site_fields(lat, pm1, 1, 1, &mean, &x));
    refused(unknown, "gaussian has no argument plus (801); it has missing (802), mean (803)",
            latmc_draw_bond_couplings(lat, normal, 1, 1, &plus, &x));
    refused(no,
            "mean of the distribution gaussian is 1000000.1; it must be a number from -1000000 to",
            latmc_draw_site_fields(lat, normal, 1, 1, &mean, &much));
    refused(no, "width of the distribution gaussian is 1000000.1; it must be a number from 0 to",
            latmc_draw_bond_couplings(lat, normal, 1, 1, &width, &much));
    refused(no, "width of the distribution gaussian is -0.1",
            latmc_draw_site_fields(lat, normal, 1, 1, &width, &less));
    same_disorder(lat, other);
    ok(latmc_draw_site_fields(lat, normal, 1, 1, &mean, &most));
    ok(latmc_draw_site_fields(lat, normal, 1, 1, &width, &most));
    latmc_destroy(lat);
    latmc_destroy(other);
}

static void samples_are_those_of_what_is_given(void **state)
{
    latmc_lattice *lat = disordered(0, 1);

    (void)state;
    refused(late, "the site fields of 3 samples are given, and not of 2",
            latmc_set_samples(lat, 2, 0));
    ok(latmc_set_samples(lat, SAMPLES, 4)); /* as many, of other numbers */
    ok(latmc_set_site_fields(lat, NULL));
    ok(latmc_set_samples(lat, 2, 0));
    latmc_destroy(lat);
}

static void a_started_lattice_keeps_its_own(void **state)
{
    latmc_lattice *lat = disordered(1, 1), *other = disordered(1, 1);

    (void)state;
    ok(latmc_start(lat, LATMC_START_COLD));
    refused(late, "already started", latmc_set_site_fields(lat, NULL));
    refused(late, "already started", latmc_draw_site_fields(lat, LATMC_GAUSSIAN, 1, 0, NULL, NULL));
    same_disorder(lat, other);
    latmc_destroy(lat);
    latmc_destroy(other);
}

/* Of each kind that was announced, all rows of all samples, without boundaries; else nothing. */
static void a_plan_is_given_them(void **state)
{
    (void)state;
    for (int kinds = 0; kinds < 9; kinds++) {
        latmc_lattice *lat = disordered(kinds / 3, kinds % 3);
        const int64_t samples = kinds ? SAMPLES : 1;
        const fake_plan *p;

        ok(latmc_set_boundaries(lat, (latmc_boundary[]){LATMC_OPEN, LATMC_ANTIPERIODIC}));
        ok(latmc_start(lat, LATMC_START_COLD));
        p = plan_of(lat);
        assert_int_equal(p->spec.couplings, kinds / 3 != 0);
        assert_int_equal(p->spec.site_fields, kinds % 3 != 0);
        assert_int_equal(p->spec.samples, samples);
        assert_true(!p->spec.signs && !p->spec.missing);
        for (int64_t j = 0; j < samples; j++) {
            const double *of = p->values + j * (BONDS + SITES);
            double want[BONDS];

            get(lat, LM_OF_BONDS, j, want);
            if (kinds / 3)
                assert_memory_equal(of, want, sizeof want);
            get(lat, LM_OF_SITES, j, want);
            if (kinds % 3)
                assert_memory_equal(of + BONDS, want, SITES * sizeof *want);
            assert_true(kinds / 3 || isnan(of[0]));
            assert_true(kinds % 3 || isnan(of[BONDS]));
        }
        latmc_destroy(lat);
    }
}

/* More rows than one chunk has. */
static void many_rows_arrive_too(void **state)
{
    enum { MANY = 1 << 10, MORE = 1100 };
    latmc_lattice *lat = NULL;
    double *fields = malloc((size_t)MANY * MORE * sizeof *fields);

    (void)state;
    assert_non_null(fields);
    for (int i = 0; i < MANY * MORE; i++)
        fields[i] = (double)i / 2;
    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){MANY, MORE}));
    ok(latmc_set_option(lat, LATMC_PRECISION, 32));
    ok(latmc_set_site_fields(lat, fields));
    ok(latmc_start(lat, LATMC_START_COLD));
    assert_int_equal(plan_of(lat)->puts, 2);
    assert_memory_equal(plan_of(lat)->values + 2 * MANY * MORE, fields,
                        (size_t)MANY * MORE * sizeof *fields);
    latmc_destroy(lat);
    free(fields);
}

static void a_device_may_refuse_them(void **state)
{
    latmc_lattice *lat = disordered(0, 2);

    (void)state;
    fails_at = 2;
    refused(LATMC_ERROR_DEVICE, "latmc_start: put 2 failed", latmc_start(lat, LATMC_START_COLD));
    fails_at = 0;
    fake_ops.put_values = NULL;
    refused(LATMC_ERROR_NO_DEVICE, "latmc_start: the device has the model without couplings",
            latmc_start(lat, LATMC_START_COLD));
    ok(latmc_set_site_fields(lat, NULL));
    ok(latmc_start(lat, LATMC_START_COLD)); /* which it has */
    fake_ops.put_values = fake_put_values;
    latmc_destroy(lat);
}

enum { ROOM = 1 << 15 };

static size_t saved(int bonds, int sites, uint8_t bytes[ROOM])
{
    latmc_lattice *lat = disordered(bonds, sites), *copy = NULL;
    uint8_t again[ROOM];
    size_t size, other;

    ok(latmc_start(lat, LATMC_START_COLD));
    ok(latmc_save_memory(lat, bytes, ROOM, &size));
    ok(latmc_load_memory(&copy, bytes, size));
    same_disorder(lat, copy);
    ok(latmc_save_memory(copy, again, ROOM, &other));
    assert_int_equal(size, other);
    assert_memory_equal(bytes, again, size);
    latmc_destroy(lat);
    latmc_destroy(copy);
    return size;
}

/* Whether a section is there, and its first name. */
static void has_section(const uint8_t *bytes, size_t size, const char *name, int there,
                        const char *first)
{
    const uint8_t *at = saved_find(bytes, size, name, NULL);

    assert_true((at != NULL) == there);
    if (there && first)
        assert_string_equal((const char *)at, first);
}

static void what_is_saved_is_loaded(void **state)
{
    uint8_t bytes[ROOM];

    (void)state;
    for (int kinds = 0; kinds < 9; kinds++) {
        const size_t size = saved(kinds / 3, kinds % 3, bytes);

        has_section(bytes, size, "K-given", kinds / 3 == 1, NULL);
        has_section(bytes, size, "K-drawn", kinds / 3 == 2, "gaussian");
        has_section(bytes, size, "G-given", kinds % 3 == 1, NULL);
        has_section(bytes, size, "G-drawn", kinds % 3 == 2, "pm1");
        if (kinds / 3 == 2)
            assert_int_equal(saved_find(bytes, size, "K-drawn", NULL)[SAVED_NAME], 7);
        if (kinds % 3 == 2)
            assert_int_equal(saved_find(bytes, size, "G-drawn", NULL)[SAVED_NAME], 8);
    }
}

/* Every leaf is there, a layer of a sample and an axis, with its sum. */
static void sections_consist_of_layers(void **state)
{
    uint8_t bytes[ROOM];
    size_t size = saved(1, 1, bytes), length = 0;
    saved_leaves leaves;

    (void)state;
    assert_true(saved_leaves_of(bytes, size, "K-given", &leaves));
    assert_int_equal(leaves.trunks * leaves.numbers, SAMPLES * BONDS);
    assert_non_null(saved_find(bytes, size, "K-given", &length));
    assert_int_equal(length, leaves.trunks * leaves.numbers / leaves.leaf_numbers *
                                 (8 * leaves.leaf_numbers + SAVED_SUM));
    assert_true(saved_leaves_of(bytes, size, "G-given", &leaves));
    assert_int_equal(leaves.trunks, SAMPLES);
}

/* Impossible values with right checksums, of the first and the last number. */
static void lies_are_refused(void **state)
{
    static const uint64_t bad[] = {0x7ff8000000000000u, 0x7ff0000000000000u, 0xfff0000000000000u,
                                   0x412e848000000001u, 0xc12e848000000001u};
    const latmc_status damaged = LATMC_ERROR_DAMAGED;
    latmc_lattice *lat = NULL;
    uint8_t good[ROOM], bytes[ROOM];
    size_t size = saved(1, 1, good), length = 0;

    (void)state;
    for (size_t i = 0; i < ALL(bad); i++)
        for (int k = 0; k < 4; k++) {
            uint8_t *at;

            memcpy(bytes, good, size);
            at = saved_find(bytes, size, k < 2 ? "K-given" : "G-given", &length);
            assert_non_null(at);
            saved_put(at + (k % 2 ? length - SAVED_SUM - 8 : 0), bad[i], 8);
            saved_seal(bytes, size);
            refused(damaged, k < 2 ? "value: coupling of a bond" : "value: field of a site",
                    latmc_load_memory(&lat, bytes, size));
        }
    size = saved(2, 2, good);
    for (int k = 0; k < 2; k++) {
        uint8_t *at;

        memcpy(bytes, good, size);
        at = saved_find(bytes, size, k ? "G-drawn" : "K-drawn", &length);
        assert_non_null(at);
        for (; strcmp((char *)at, k ? "plus" : "width") != 0; at += SAVED_NAME + 8)
            assert_true(length > SAVED_NAME + 8);
        saved_put(at + SAVED_NAME, 0xbff0000000000000u, 8); /* -1 */
        saved_seal(bytes, size);
        refused(damaged,
                k ? "plus of the distribution pm1 is -1"
                  : "width of the distribution gaussian is -1",
                latmc_load_memory(&lat, bytes, size));
    }
    assert_null(lat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_is_checked),
        cmocka_unit_test(axis_couplings_have_the_range_of_real_numbers),
        cmocka_unit_test(what_is_given_is_read_back),
        cmocka_unit_test(what_is_drawn_is_that_of_the_samples_number),
        cmocka_unit_test(what_is_drawn_is_checked),
        cmocka_unit_test(samples_are_those_of_what_is_given),
        cmocka_unit_test(a_started_lattice_keeps_its_own),
        cmocka_unit_test(a_plan_is_given_them),
        cmocka_unit_test(many_rows_arrive_too),
        cmocka_unit_test(a_device_may_refuse_them),
        cmocka_unit_test(what_is_saved_is_loaded),
        cmocka_unit_test(sections_consist_of_layers),
        cmocka_unit_test(lies_are_refused),
    };

    return unsetenv("LATMC_DEVICE") ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
