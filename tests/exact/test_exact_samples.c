/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of disorder in one lattice, each against its own exact answers. */
#include "tests/exact/enumerate.h"
#include "tests/exact/tori.h"
#include "tests/numbers.h"

enum { RECORDS = 400, EVERY = 2, THERMALIZE = 400 };

/* Time averages of each replica: [quantity][replica], to be freed. */
static double *averages(latmc_lattice *lattice, latmc_update update, int64_t replicas)
{
    double *series = calloc((size_t)(QUANTITIES * replicas * RECORDS), sizeof *series);
    double *average = calloc((size_t)(QUANTITIES * replicas), sizeof *average);

    assert_true(series && average);
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_HEATBATH, THERMALIZE));
    ok(record_series(lattice, update, EVERY, RECORDS, QUANTITIES, observables, series));
    for (int64_t k = 0; k < QUANTITIES * replicas; k++)
        for (int t = 0; t < RECORDS; t++)
            average[k] += series[k * RECORDS + t] / RECORDS;
    free(series);
    return average;
}

/* Mean and error over the replicas of a sample. */
static int sample_agrees(const char *name, const char *what, const double *average, int64_t count,
                         double exact)
{
    double mean = 0.0, square = 0.0;

    for (int64_t r = 0; r < count; r++)
        mean += average[r] / (double)count;
    for (int64_t r = 0; r < count; r++)
        square += (average[r] - mean) * (average[r] - mean);
    return agrees(name, what, mean, sqrt(square / (double)count / (double)(count - 1)), exact);
}

/* ---- drawn, with missing bonds: all states of each sample are gone through */

enum { SAMPLES = 6, EACH = 250 }; /* replicas that share words with those of other samples */

static exact_means exact_of(latmc_lattice *lattice, int64_t sample, model *m)
{
    const int count = m->dims * model_sites(m);
    double *bonds = malloc((size_t)count * sizeof *bonds);
    exact_means exact;
    plain p;

    assert_non_null(bonds);
    ok(latmc_get_bond_couplings(lattice, sample, bonds));
    p = plain_of(m, bonds);
    exact = enumerate(&p);
    plain_free(&p);
    free(bonds);
    return exact;
}

static void drawn(void **state)
{
    const latmc_update update = *(latmc_update *)*state;
    model m = {.dims = 2,
               .extents = {4, 4},
               .boundaries = {P, P},
               .bonds = DRAWN,
               .plus = 0.7,
               .missing = 0.2,
               .beta = 0.6,
               .field = 0.2};
    latmc_lattice *lattice = model_lattice(&m, SAMPLES * EACH, 99);
    double *average;
    int good = 1;

    ok(latmc_set_samples(lattice, SAMPLES, 3));
    average = averages(lattice, update, SAMPLES * EACH);
    for (int64_t j = 0; j < SAMPLES; j++) {
        const exact_means exact = exact_of(lattice, j, &m);
        char name[40];

        snprintf(name, sizeof name, "sample %d", (int)j);
        for (int q = 0; q < ACCEPTANCE; q++)
            good &= sample_agrees(name, quantity_names[q], average + (q * SAMPLES + j) * EACH, EACH,
                                  exact.mean[q]);
    }
    free(average);
    latmc_destroy(lattice);
    assert_true(good);
}

/* ---- given: an Edwards-Anderson sample with a known energy, which gauge transformations keep */

enum { GAUGES = 3, GLASSES = 300 };

static void given(void **state)
{
    const latmc_update update = *(latmc_update *)*state;
    const torus *t = &tori[ALL(tori) - 2]; /* beta = 0.5 */
    latmc_lattice *lattice = new_lattice(3, t->model.extents);
    double bonds[GAUGES][3][64], *average;
    uint64_t random = 8;
    int good = 1;

    for (int g = 0; g < GAUGES; g++) {
        double sign[64];

        for (int i = 0; i < 64; i++)
            sign[i] = g && next_random(&random) >> 20 & 1 ? -1.0 : 1.0;
        for (int a = 0, stride = 1; a < 3; a++, stride *= 4)
            for (int i = 0; i < 64; i++) {
                const int up = i / stride % 4 < 3 ? i + stride : i - 3 * stride;
                bonds[g][a][i] = sign[i] * sign[up] * ea_bonds[a * 64 + i];
            }
    }
    ok(latmc_set_replicas(lattice, GAUGES * GLASSES));
    ok(latmc_set_samples(lattice, GAUGES, 0));
    ok(latmc_set_bond_couplings(lattice, &bonds[0][0][0]));
    ok(latmc_set_param(lattice, LATMC_BETA, t->model.beta));
    ok(latmc_set_device(lattice, "cpu"));
    average = averages(lattice, update, GAUGES * GLASSES);
    for (int g = 0; g < GAUGES; g++)
        good &= sample_agrees(t->name, "e", average + (ENERGY * GAUGES + g) * GLASSES, GLASSES,
                              t->answer[X_E]);
    free(average);
    latmc_destroy(lattice);
    assert_true(good);
}

int main(void)
{
    latmc_update metropolis = LATMC_METROPOLIS, heat_bath = LATMC_HEATBATH;
    const struct CMUnitTest tests[] = {
        {"drawn, metropolis", drawn, NULL, NULL, &metropolis},
        {"drawn, heat bath", drawn, NULL, NULL, &heat_bath},
        {"given, metropolis", given, NULL, NULL, &metropolis},
        {"given, heat bath", given, NULL, NULL, &heat_bath},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
