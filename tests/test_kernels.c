/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CUDA backend's fast kernels, each forced upon every lattice that it serves, against the
 * scalar lane: sites and sums, bit for bit. Skipped without a device.
 */
#include <stdlib.h>

#include "backends/backend.h"
#include "tests/support.h"

#ifdef LM_HAVE_CUDA
#include "backends/cuda/cuda.h"

typedef struct lattice {
    int dims;
    int64_t extents[4];
    int64_t first, replicas;
} lattice;

static const lattice lattices[] = {
    {1, {640}, 0, 1},         {2, {64, 64}, 0, 1},
    {2, {256, 10}, 0, 1},     {3, {16, 6, 10}, 0, 1},
    {3, {66, 4, 6}, 0, 1},    {4, {8, 4, 2, 6}, 0, 1},
    {1, {2}, 0, 70},          {1, {64}, 0, 3},
    {1, {100000}, 0, 2},      {2, {2, 2}, 5, 40},
    {2, {4, 6}, 0, 33},       {2, {16, 30}, 3, 9},
    {2, {64, 64}, 0, 45},     {2, {62, 2}, 0, 4},
    {2, {66, 18}, 0, 5},      {2, {128, 130}, 0, 2},
    {2, {1000, 1002}, 0, 1},  {2, {2048, 2046}, 0, 1},
    {2, {4096, 514}, 0, 1},   {3, {2, 2, 2}, 0, 64},
    {3, {4, 4, 4}, 1, 100},   {3, {24, 24, 24}, 0, 64},
    {3, {34, 6, 10}, 0, 3},   {3, {128, 128, 128}, 0, 1},
    {3, {256, 22, 18}, 0, 1}, {4, {4, 4, 4, 4}, 0, 20},
    {4, {66, 2, 6, 4}, 0, 2}, {4, {32, 16, 16, 18}, 0, 1},
};

static const lm_kernel kernels[] = {LM_KERNEL_WORDS, LM_KERNEL_PLAIN, LM_KERNEL_PERSISTENT,
                                    LM_KERNEL_RESIDENT};

enum { SWEEPS = 5, RECORDS = 3 };

/* Larger lattices than this are left out: for tools that slow every access down. */
static int64_t most_sites = INT64_MAX;

/* The kernels to test: all, or those named. */
static char **chosen;
static int chosen_count;

static int is_chosen(size_t kernel)
{
    for (int i = 0; i < chosen_count; i++)
        if (strcmp(chosen[i], lm_kernel_names[kernels[kernel]]) == 0)
            return 1;
    return chosen_count == 0;
}

typedef struct outcome {
    int8_t *sites;
    double *sums, *series;
} outcome;

static int64_t sites_of(const lattice *l)
{
    int64_t n = 1;
    for (int a = 0; a < l->dims; a++)
        n *= l->extents[a];
    return n;
}

static void *make(const lm_backend *backend, int device, const lattice *l, int signs, double beta)
{
    const int64_t sites = sites_of(l), rows = sites / l->extents[0];
    lm_spec spec = {.model = LATMC_ISING,
                    .dims = l->dims,
                    .extents = {1, 1, 1, 1},
                    .layers = l->extents[l->dims - 1],
                    .first_replica = l->first,
                    .replicas = l->replicas,
                    .seed = 77,
                    .signs = signs,
                    .bipartite = 1};
    const double axes[4] = {1, 1, 1, 1};
    double *values = calloc((size_t)(2 * l->replicas), sizeof *values);
    int8_t *bonds = malloc((size_t)sites);
    uint64_t state = 3;
    void *plan = NULL;
    memcpy(spec.extents, l->extents, (size_t)l->dims * sizeof spec.extents[0]);
    for (int64_t r = 0; r < l->replicas; r++)
        values[r] = beta - 0.011 * (double)r;
    assert_int_equal(backend->open(&spec, device, &plan), LATMC_OK);
    for (int a = 0; signs && a < l->dims; a++) {
        for (int64_t i = 0; i < sites; i++)
            bonds[i] = next_random(&state) & 1 ? 1 : -1;
        assert_int_equal(backend->put_bonds(plan, a, 0, rows, bonds), LATMC_OK);
    }
    const lm_parameters p = {.values = values, .axis_coupling = axes};
    assert_int_equal(backend->put_parameters(plan, &p), LATMC_OK);
    assert_int_equal(backend->start(plan, LATMC_START_HOT), LATMC_OK);
    free(values);
    free(bonds);
    return plan;
}

static outcome run(const lm_backend *backend, void *plan, const lattice *l)
{
    const int64_t sites = sites_of(l), row = l->replicas * (l->dims + 2);
    outcome o = {.sites = malloc((size_t)(sites * l->replicas)),
                 .sums = malloc((size_t)row * sizeof(double)),
                 .series = malloc((size_t)(row * RECORDS) * sizeof(double))};
    lm_job job = {.update = LATMC_METROPOLIS, .sweeps = SWEEPS};
    assert_int_equal(backend->sweep(plan, &job), LATMC_OK);
    assert_int_equal(backend->measure(plan, o.sums), LATMC_OK);
    job.step = SWEEPS;
    job.sweeps = 2;
    assert_int_equal(backend->record(plan, &job, RECORDS, 1, o.series), LATMC_OK);
    for (int64_t r = 0; r < l->replicas; r++)
        assert_int_equal(backend->get_sites(plan, r, 0, sites / l->extents[0], o.sites + r * sites),
                         LATMC_OK);
    return o;
}

static void discard(outcome *o)
{
    free(o->sites);
    free(o->sums);
    free(o->series);
}

/* The sweeps that a kernel makes of those above: the persistent one tosses no coins, which
 * sweep 0 does. */
static int64_t swept_by(lm_kernel kernel)
{
    return SWEEPS + 2 * RECORDS - (kernel == LM_KERNEL_PERSISTENT);
}

static int differs(const outcome *a, const outcome *b, const lattice *l)
{
    const size_t row = (size_t)(l->replicas * (l->dims + 2)) * sizeof(double);
    return (memcmp(a->sites, b->sites, (size_t)(sites_of(l) * l->replicas)) ? 1 : 0) +
           (memcmp(a->sums, b->sums, row) ? 2 : 0) +
           (memcmp(a->series, b->series, row * RECORDS) ? 4 : 0);
}

static const lm_backend *cpu(void)
{
    const lm_backend *last = NULL;
    for (const lm_backend *const *b = lm_backends; *b; b++)
        last = *b;
    return last;
}

static void kernels_agree(void **state)
{
    latmc_device_info info = {.size = sizeof info};
    int served[ALL(kernels)] = {0}, wrong = 0;
    (void)state;
    lm_cuda_backend.describe(0, &info);
    if (!info.usable)
        skip();
    for (size_t i = 0; i < 2 * ALL(lattices); i++) {
        const lattice *l = &lattices[i / 2];
        const int signs = (int)(i % 2);
        if (sites_of(l) * l->replicas > most_sites)
            continue;
        void *reference = make(cpu(), cpu()->count() - 1, l, signs, 0.5);
        outcome want = run(cpu(), reference, l);
        cpu()->close(reference);
        for (size_t k = 0; k < ALL(kernels); k++) {
            void *plan = make(&lm_cuda_backend, 0, l, signs, 0.5);
            if (!is_chosen(k) || !lm_cuda_use(plan, kernels[k])) {
                lm_cuda_backend.close(plan);
                continue;
            }
            served[k]++;
            outcome got = run(&lm_cuda_backend, plan, l);
            assert_int_equal(lm_cuda_swept(plan, kernels[k]), swept_by(kernels[k]));
            lm_cuda_backend.close(plan);
            const int d = differs(&got, &want, l);
            if (d)
                print_error("%s, signs %d, %ld x %ld x %ld x %ld, %ld replicas: sites %d, sums "
                            "%d, series %d\n",
                            lm_kernel_names[kernels[k]], signs, (long)l->extents[0],
                            (long)l->extents[1], (long)l->extents[2], (long)l->extents[3],
                            (long)l->replicas, !(d & 1), !(d & 2), !(d & 4));
            wrong += d != 0;
            discard(&got);
        }
        discard(&want);
    }
    for (size_t k = 0; k < ALL(kernels); k++) {
        print_message("kernel %s served %d lattices\n", lm_kernel_names[kernels[k]], served[k]);
        assert_true(!is_chosen(k) || served[k] > (most_sites == INT64_MAX ? 4 : 0));
    }
    assert_int_equal(wrong, 0);
}
#else
static void kernels_agree(void **state)
{
    (void)state;
    skip();
}
#endif

/* Arguments: most_sites, and names of kernels. racecheck cannot get through the persistent one,
 * whose threads poll memory, and has nothing to look at there: it uses no shared memory. */
int main(int argc, char **argv)
{
#ifdef LM_HAVE_CUDA
    if (argc > 1)
        most_sites = atoll(argv[1]);
    chosen = argv + 2;
    chosen_count = argc > 2 ? argc - 2 : 0;
#else
    (void)argc;
    (void)argv;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
