/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Long series of small lattices, whose kernels make many sweeps and measurements in one launch: of
 * several rations and parts, they are those of a CPU bit for bit, with what is asked for alone and
 * together, by each kernel that makes them. Skipped without a device.
 *
 *     test_series_gpu [RECORDS]      at most so many, for tools that make it slow
 */
#include "tests/random/kernels.h"
#include "tests/support.h"

enum { MOST = 3 };

typedef struct series {
    latmc_model model;
    int states; /* or 0 */
    int dims;
    int64_t extents[4], replicas, every, records;
    latmc_update update;
    double field;
    const char *kernels[MOST]; /* by which it is made; the last are NULL */
} series;

/* Half sweeps of a ration are 512 at most; a part of a series has 16 MiB. */
static const series all[] = {
    {LATMC_ISING, 0, 2, {64, 64}, 3, 1, 1500, LATMC_METROPOLIS, 0.0, {"resident", "alone"}},
    {LATMC_ISING, 0, 2, {64, 62}, 3, 3, 301, LATMC_METROPOLIS, 0.0, {"resident", "alone"}},
    {LATMC_ISING, 0, 2, {16, 16}, 9, 1, 700, LATMC_METROPOLIS, 0.0, {"resident", "alone"}},
    {LATMC_ISING, 0, 2, {8, 6}, 2000, 1, 700, LATMC_METROPOLIS, 0.0, {"alone"}},
    {LATMC_ISING, 0, 2, {16, 8}, 600, 1, 1000, LATMC_METROPOLIS, 0.0, {"resident"}},
    {LATMC_ISING, 0, 2, {128, 126}, 2, 1, 300, LATMC_METROPOLIS, 0.0, {"resident", "alone"}},
    {LATMC_ISING, 0, 2, {130, 128}, 2, 2, 100, LATMC_METROPOLIS, 0.0, {"resident", "alone"}},
    {LATMC_ISING, 0, 3, {8, 6, 10}, 20, 1, 600, LATMC_METROPOLIS, 0.0, {"resident", "alone"}},
    {LATMC_ISING, 0, 3, {16, 16, 16}, 5, 1, 300, LATMC_METROPOLIS, 0.0, {"resident", "alone"}},
    {LATMC_ISING, 0, 4, {4, 6, 4, 4}, 40, 1, 300, LATMC_METROPOLIS, 0.0, {"resident", "alone"}},
    {LATMC_ISING, 0, 2, {64, 64}, 3, 1, 300, LATMC_HEATBATH, 0.0, {"alone"}},
    {LATMC_ISING, 0, 3, {8, 6, 10}, 20, 1, 300, LATMC_METROPOLIS, 0.1, {"alone"}},
    {LATMC_POTTS, 2, 2, {32, 32}, 45, 1, 700, LATMC_METROPOLIS, 0.0, {"potts blocks"}},
    {LATMC_POTTS, 3, 2, {64, 62}, 3, 3, 101, LATMC_METROPOLIS, 0.0, {"potts blocks"}},
    {LATMC_POTTS, 4, 2, {128, 126}, 2, 1, 100, LATMC_METROPOLIS_OTHER, 0.0, {"potts blocks"}},
    {LATMC_POTTS, 2, 2, {256, 250}, 1, 1, 60, LATMC_METROPOLIS, 0.0, {"potts blocks"}},
    {LATMC_POTTS, 3, 2, {130, 254}, 2, 1, 60, LATMC_METROPOLIS, 0.0, {"potts blocks"}},
    {LATMC_POTTS, 4, 3, {8, 6, 10}, 20, 1, 300, LATMC_METROPOLIS, 0.0, {"potts blocks"}},
    {LATMC_POTTS, 2, 4, {4, 6, 4, 4}, 40, 1, 200, LATMC_METROPOLIS, 0.0, {"potts blocks"}},
    {LATMC_POTTS, 2, 2, {8, 6}, 900, 1, 500, LATMC_METROPOLIS, 0.0, {"potts blocks"}},
    {LATMC_POTTS, 9, 2, {64, 64}, 5, 1, 300, LATMC_METROPOLIS, 0.0, {"potts small"}},
    {LATMC_POTTS, 3, 2, {64, 62}, 3, 3, 101, LATMC_METROPOLIS, 0.3, {"potts small"}},
    {LATMC_POTTS, 2, 2, {16, 8}, 70, 1, 200, LATMC_METROPOLIS, 0.1, {"potts small"}},
    {LATMC_POTTS, 5, 3, {8, 6, 10}, 20, 2, 100, LATMC_METROPOLIS_OTHER, 0.2, {"potts small"}},
    {LATMC_POTTS, 3, 2, {64, 64}, 3, 1, 100, LATMC_HEATBATH, 0.0, {"potts small"}},
    {LATMC_POTTS, 10, 2, {250, 256}, 1, 1, 60, LATMC_HEATBATH, 0.2, {"potts small"}},
    {LATMC_BLUME_CAPEL, 0, 2, {64, 62}, 3, 1, 300, LATMC_METROPOLIS, 0.0, {"blume-capel small"}},
    {LATMC_BLUME_CAPEL, 0, 2, {256, 250}, 1, 3, 60, LATMC_METROPOLIS, 0.2, {"blume-capel small"}},
    {LATMC_BLUME_CAPEL, 0, 3, {8, 6, 10}, 20, 1, 200, LATMC_METROPOLIS, 0.1, {"blume-capel small"}},
    {LATMC_BLUME_CAPEL,
     0,
     4,
     {4, 6, 4, 4},
     40,
     1,
     100,
     LATMC_METROPOLIS,
     0.0,
     {"blume-capel small"}},
};

static const latmc_quantity observables[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                             LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
                                             LATMC_QUANTITY(LATMC_CHANGED)};

static int kernel_of(const char *name)
{
    int kernel = 0;

    while (kernel < kernels_count() && strcmp(kernels_name(kernel), name) != 0)
        kernel++;
    assert_in_range(kernel, 0, kernels_count() - 1);
    return kernel;
}

/* Some of the observables, and behind them the acceptance of the last sweep. */
static double *record(const series *s, const char *device, const char *kernel, int first, int count)
{
    const int64_t numbers = count * s->replicas * s->records;
    double *values = calloc((size_t)(numbers + s->replicas), sizeof *values);
    int64_t swept[KERNELS_MOST] = {0};
    latmc_lattice *lat;

    assert_non_null(values);
    ok(latmc_create(&lat, s->model, s->dims, s->extents));
    if (s->states)
        ok(latmc_set_option(lat, LATMC_Q, s->states));
    ok(latmc_set_replicas(lat, s->replicas));
    ok(latmc_set_param(lat, LATMC_BETA, s->dims == 2 ? s->states ? 0.9 : 0.42 : 0.2));
    ok(latmc_set_param(lat, LATMC_FIELD, s->field));
    ok(latmc_set_device(lat, device));
    ok(latmc_start(lat, LATMC_START_HOT));
    if (kernel)
        kernels_force(lat, kernel_of(kernel));
    ok(record_series(lat, s->update, s->every, s->records, count, observables + first, values));
    kernels_add(lat, swept);
    ok(latmc_observe(lat, LATMC_BY_REPLICA, 1, &observables[2], values + numbers));
    latmc_destroy(lat);
    if (kernel)
        assert_int_equal(swept[kernel_of(kernel)], s->records * s->every);
    return values;
}

static int64_t most_records = INT64_MAX;

static void compare(const series *given, const char *kernel)
{
    series cut = *given, *s = &cut;
    cut.records = cut.records < most_records ? cut.records : most_records;
    const int64_t each = s->replicas * s->records;
    double *want = record(s, "cpu", NULL, 0, 3);

    for (int first = 0; first < 4; first++) {
        const int from = first % 3, count = first < 3 ? 1 : 3;
        double *got = record(s, "cuda:0", kernel, from, count);

        assert_memory_equal(got, want + from * each, (size_t)(count * each) * sizeof *got);
        assert_memory_equal(got + count * each, want + 3 * each, (size_t)s->replicas * sizeof *got);
        free(got);
    }
    free(want);
}

static void long_series_are_a_cpus(void **state)
{
    (void)state;
    needs("cuda:0");
    for (size_t i = 0; i < ALL(all); i++)
        for (int k = 0; k < MOST && all[i].kernels[k]; k++)
            compare(&all[i], all[i].kernels[k]);
}

int main(int count, char **argument)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_series_are_a_cpus)};

    most_records = count > 1 ? atoll(argument[1]) : most_records;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
