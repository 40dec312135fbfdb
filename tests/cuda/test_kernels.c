/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CUDA backend's fast kernels, each forced upon every lattice that it serves, against the
 * scalar lane: sites and sums, bit for bit. Skipped without a device.
 */
#include <stdlib.h>

#include "tests/support.h"

#ifdef LM_HAVE_CUDA
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdio.h>

#include "backends/cuda/cuda.h"
#include "lib/physics/ising_observe.h"
#include "lib/devices/plan.h"
#include "tests/cuda/kernel_lattices.h"
#include "tests/models/ising_spec.h"

enum { RECORDS = 3, ALL_SUMS = (1 << LM_ISING_BUNDLES) - 1 };

static const char *const kernels[] = {"general", "large", "persistent", "resident",       "ruled",
                                      "natural", "alone", "lines",      "uniform natural"};

/* Rules: the uniform one, and what kernels of the general rule tell apart: an update whose outcome
 * is the new spin, a field, axes that differ, missing bonds; and, with both, moves that are likely
 * but not certain for either spin. */
typedef struct rule {
    int update, gaps;
    double field, axes[4];
} rule;

static const rule rules[] = {
    {LM_ISING_METROPOLIS, 0, 0.0, {1, 1, 1, 1}},
    {LM_ISING_HEATBATH, 0, 0.1, {1, 1, 1, 1}},
    {LM_ISING_METROPOLIS, 0, -0.3, {1, 1, 1, 1}},
    {LM_ISING_METROPOLIS, 0, 0.2, {1, -0.7, 0.4, 1.2}},
    {LM_ISING_METROPOLIS, 1, 0.05, {1, 1, 1, 1}},
    {LM_ISING_HEATBATH, 1, 0.0, {0.6, 1, 1.1, 0.8}},
};

/* Larger lattices than this are left out: for tools that slow every access down. */
static int64_t most_sites = INT64_MAX;

/* From so many sites on a lattice has no bonds of its own, since these take longest; so many
 * updates of sites are made by the best lane, which the scalar one is compared with elsewhere. */
static const int64_t many_sites = (int64_t)1 << 22, many_updates = (int64_t)1 << 24;

/* The kernels to test: all, or those named. */
static char **chosen;
static int chosen_count;

static int is_chosen(const char *kernel)
{
    for (int i = 0; i < chosen_count; i++)
        if (strcmp(chosen[i], kernel) == 0)
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

static int64_t all_sweeps(const lattice *l)
{
    return l->sweeps + RECORDS * l->every;
}

/* The number of the first sweep. */
static int64_t first_sweep(const lattice *l)
{
    return l->sweeps % 2 ? 4093 : 0;
}

/* Bonds without signs, with the same ones for all replicas, and with those of samples: of as few
 * replicas each as can be, but of more than one if that can be. */
enum { NO_SIGNS, SIGNS, SAMPLES };

static int64_t samples_of(const lattice *l, int signs)
{
    int64_t each = l->replicas > 2 ? 2 : 1;
    while (l->replicas % each != 0)
        each++;
    return signs < SAMPLES ? 1 : each < l->replicas ? l->replicas / each : l->replicas;
}

static int8_t some_bond(uint64_t *state, int gaps)
{
    const uint64_t r = next_random(state);
    return gaps && r >> 8 & 1 && r >> 9 & 1 ? 0 : r & 1 ? 1 : -1;
}

static lm_plan make(const lm_backend *backend, int device, const lattice *l, const rule *of,
                    int signs)
{
    const double beta = 0.5;
    const int64_t sites = sites_of(l), rows = sites / l->extents[0];
    lm_spec spec = {.model = LATMC_ISING,
                    .kept = LM_IN_WORDS,
                    .dims = l->dims,
                    .extents = {1, 1, 1, 1},
                    .layers = l->extents[l->dims - 1],
                    .first_replica = l->first,
                    .replicas = l->replicas,
                    .seed = 77,
                    .signs = signs != NO_SIGNS || of->gaps,
                    .missing = of->gaps,
                    .samples = samples_of(l, signs)};
    double *values = calloc((size_t)(2 * l->replicas), sizeof *values);
    int8_t *bonds = malloc((size_t)sites);
    uint8_t *loose = calloc((size_t)l->replicas, 1);
    uint64_t state = 3;
    lm_plan plan;
    spec = ising_spec_with_sums(spec);
    memcpy(spec.extents, l->extents, (size_t)l->dims * sizeof spec.extents[0]);
    memset(loose, of->gaps, (size_t)l->replicas);
    for (int64_t r = 0; r < l->replicas; r++) {
        values[r] = beta - 0.011 * (double)r;
        values[l->replicas + r] = of->field;
    }
    assert_int_equal(lm_plan_open(backend, &spec, device, &plan), LATMC_OK);
    for (int64_t i = 0; spec.signs && i < spec.samples * l->dims; i++) {
        for (int64_t k = 0; k < sites; k++)
            bonds[k] = some_bond(&state, of->gaps);
        assert_int_equal(lm_plan_put_bonds(plan, i / l->dims, (int)(i % l->dims), 0, rows, bonds),
                         LATMC_OK);
    }
    const lm_parameters p = {.values = values, .type_coupling = of->axes, .loose = loose};
    assert_int_equal(plan.ops->put_parameters(plan.self, &p), LATMC_OK);
    assert_int_equal(plan.ops->start(plan.self, LATMC_START_HOT), LATMC_OK);
    free(values);
    free(bonds);
    free(loose);
    return plan;
}

static const lm_schedule_step one_sweep[] = {
    [LM_ISING_METROPOLIS] = {LM_ISING_METROPOLIS, 1}, [LM_ISING_HEATBATH] = {LM_ISING_HEATBATH, 1}};
static const lm_schedule sweeps_of[] = {{&one_sweep[0], 1, 1}, {&one_sweep[1], 1, 1}};

/* The series has the bundles that are in the mask. */
static outcome run(lm_plan plan, const lattice *l, int update, unsigned bundles)
{
    const int64_t sites = sites_of(l), row = l->replicas * (l->dims + 2);
    outcome o = {.sites = malloc((size_t)(sites * l->replicas)),
                 .sums = malloc((size_t)row * sizeof(double)),
                 .series = malloc((size_t)(row * RECORDS) * sizeof(double))};
    const lm_measure out = {.every = l->every, .bundles = bundles, .sums = o.series};
    const lm_schedule *const schedule = &sweeps_of[update];
    lm_cursor at = {.sweep = first_sweep(l)};
    assert_int_equal(plan.ops->run(plan.self, schedule, &at, l->sweeps, NULL), LATMC_OK);
    assert_int_equal(lm_plan_measure(plan, ALL_SUMS, o.sums), LATMC_OK);
    at.sweep += l->sweeps;
    assert_int_equal(plan.ops->run(plan.self, schedule, &at, RECORDS * l->every, &out), LATMC_OK);
    for (int64_t r = 0; r < l->replicas; r++)
        assert_int_equal(
            plan.ops->get_sites(plan.self, r, 0, sites / l->extents[0], o.sites + r * sites),
            LATMC_OK);
    return o;
}

static void discard(outcome *o)
{
    free(o->sites);
    free(o->sums);
    free(o->series);
}

static int series_differ(const outcome *a, const outcome *b, const lattice *l, unsigned bundles)
{
    const int sums = l->dims + 2;
    int differ = 0;
    for (int64_t i = 0; i < l->replicas * RECORDS; i++)
        for (int g = 0; g < LM_ISING_BUNDLES; g++)
            for (int k = lm_ising_bundle_begin(g, l->dims);
                 bundles >> g & 1 && k < lm_ising_bundle_begin(g + 1, l->dims); k++)
                differ |= a->series[i * sums + k] != b->series[i * sums + k];
    return differ;
}

static int differs(const outcome *a, const outcome *b, const lattice *l, unsigned bundles)
{
    const size_t row = (size_t)(l->replicas * (l->dims + 2)) * sizeof(double);
    return (memcmp(a->sites, b->sites, (size_t)(sites_of(l) * l->replicas)) ? 1 : 0) +
           (memcmp(a->sums, b->sums, row) ? 2 : 0) + (series_differ(a, b, l, bundles) ? 4 : 0);
}

static const lm_backend *cpu(void)
{
    const lm_backend *last = NULL;
    for (const lm_backend *const *b = lm_backends; *b; b++)
        last = *b;
    return last;
}

static int best_lane(void)
{
    latmc_device_info info = {.size = sizeof info};
    int lane = 0;
    for (cpu()->describe(lane, &info); !info.usable; cpu()->describe(lane, &info))
        lane++;
    return lane;
}

/* The scalar lane, which is the last, or the best one. */
static outcome refer(const lattice *l, const rule *of, int signs)
{
    const int64_t updates = sites_of(l) * l->replicas * all_sweeps(l);
    const int lane = updates > many_updates ? best_lane() : cpu()->count() - 1;
    lm_plan plan = make(cpu(), lane, l, of, signs);
    const outcome want = run(plan, l, of->update, ALL_SUMS);
    lm_plan_close(&plan);
    return want;
}

/* -1 if the kernel does not serve the lattice; otherwise what differs. */
static int compare(size_t k, const lattice *l, const rule *of, int signs, unsigned bundles,
                   const outcome *want)
{
    lm_plan plan = make(&lm_cuda_backend, 0, l, of, signs);
    if (!lm_cuda_force(plan.self, kernels[k], of->update)) {
        lm_plan_close(&plan);
        return -1;
    }
    outcome got = run(plan, l, of->update, bundles);
    assert_int_equal(lm_cuda_swept(plan.self, kernels[k]), all_sweeps(l));
    lm_plan_close(&plan);
    const int d = differs(&got, want, l, bundles);
    if (d)
        print_error("%s, rule %d, bundles %x, signs %d, %ld x %ld x %ld x %ld, %ld replicas: "
                    "sites %d, sums "
                    "%d, series "
                    "%d\n",
                    kernels[k], (int)(of - rules), bundles, signs, (long)l->extents[0],
                    (long)l->extents[1], (long)l->extents[2], (long)l->extents[3],
                    (long)l->replicas, !(d & 1), !(d & 2), !(d & 4));
    discard(&got);
    return d;
}

/* Records of all bundles, and of some, which are others from time to time. */
static int compare_groups(size_t k, const lattice *l, const rule *of, int signs,
                          const outcome *want)
{
    static unsigned turn;
    const int d = compare(k, l, of, signs, ALL_SUMS, want);
    return d ? d : compare(k, l, of, signs, 1 + turn++ % (ALL_SUMS - 1), want);
}

/* Counts the lattices that kernels served; returns how many were wrong. */
static int compare_rule(const lattice *l, const rule *of, int signs, int served[ALL(kernels)])
{
    outcome want = refer(l, of, signs);
    int wrong = 0;
    for (size_t k = 0; k < ALL(kernels); k++) {
        const int d = is_chosen(kernels[k]) ? compare_groups(k, l, of, signs, &want) : -1;
        served[k] += d >= 0;
        wrong += d > 0;
    }
    discard(&want);
    return wrong;
}

/* The uniform rule with all kinds of signs, the others with each in turn. */
static int compare_all(const lattice *l, int served[ALL(kernels)])
{
    static int turn;
    int wrong = 0;
    if (sites_of(l) * l->replicas > most_sites)
        return 0;
    const int most = sites_of(l) >= many_sites ? NO_SIGNS : l->replicas > 1 ? SAMPLES : SIGNS;
    for (int signs = NO_SIGNS; signs <= most; signs++)
        wrong += compare_rule(l, &rules[0], signs, served);
    for (size_t r = 1; r < ALL(rules) && sites_of(l) < many_sites; r++)
        wrong += compare_rule(l, &rules[r], turn++ % (most + 1), served);
    return wrong;
}

static void kernels_agree(void **state)
{
    int served[ALL(kernels)] = {0}, wrong = 0, processors = 0;
    lattice edges[EDGES];
    (void)state;
    needs("cuda:0");
    assert_int_equal(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0),
                     cudaSuccess);
    make_edges(processors, edges);
    for (size_t i = 0; i < ALL(lattices); i++)
        wrong += compare_all(&lattices[i], served);
    for (size_t i = 0; i < ALL(edges); i++)
        wrong += compare_all(&edges[i], served);
    for (size_t k = 0; k < ALL(kernels); k++) {
        print_message("kernel %s served %d lattices\n", kernels[k], served[k]);
        assert_true(!is_chosen(kernels[k]) || served[k] > (most_sites == INT64_MAX ? 30 : 0));
    }
    assert_int_equal(wrong, 0);
}

/* ---- lattices of different sizes, each swept by a thread of its own with the resident kernel */

enum { THREADS = 4 };

/* Fewer under a tool that slows every access down. */
static int64_t calls(void)
{
    return most_sites == INT64_MAX ? 5000 : 20;
}

typedef struct caller {
    pthread_t thread;
    lm_plan plan;
    latmc_status status;
    char message[400];
} caller;

static const lattice beside[THREADS] = {
    {2, {64, 2}, 0, 1, 0, 1},
    {2, {66, 34}, 0, 5, 0, 1},
    {2, {256, 240}, 0, 1, 0, 1},
    {2, {64, 64}, 0, 3, 0, 1},
};

static void *sweep_often(void *user)
{
    caller *c = user;
    for (int64_t i = 0; i < calls() && !c->status; i++)
        c->status = c->plan.ops->run(c->plan.self, &sweeps_of[LM_ISING_METROPOLIS],
                                     &(lm_cursor){i, 0}, 1, NULL);
    snprintf(c->message, sizeof c->message, "%s", latmc_error_message());
    return NULL;
}

static void threads_do_not_meet(void **state)
{
    caller callers[THREADS] = {0};
    (void)state;
    needs("cuda:0");
    if (!is_chosen("resident"))
        return;
    for (int i = 0; i < THREADS; i++) {
        callers[i].plan = make(&lm_cuda_backend, 0, &beside[i], &rules[0], NO_SIGNS);
        assert_true(lm_cuda_force(callers[i].plan.self, "resident", LM_ISING_METROPOLIS));
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&callers[i].thread, NULL, sweep_often, &callers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(callers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++) {
        lm_plan plan = make(cpu(), best_lane(), &beside[i], &rules[0], NO_SIGNS);
        assert_string_equal(callers[i].status ? callers[i].message : "", "");
        assert_int_equal(plan.ops->run(plan.self, &sweeps_of[LM_ISING_METROPOLIS], &(lm_cursor){0},
                                       calls(), NULL),
                         LATMC_OK);
        outcome want = run(plan, &beside[i], LM_ISING_METROPOLIS, ALL_SUMS),
                got = run(callers[i].plan, &beside[i], LM_ISING_METROPOLIS, ALL_SUMS);
        assert_int_equal(differs(&got, &want, &beside[i], ALL_SUMS), 0);
        discard(&want);
        discard(&got);
        lm_plan_close(&plan);
        lm_plan_close(&callers[i].plan);
    }
}
#else
static void kernels_agree(void **state)
{
    (void)state;
    needs("cuda:0");
}

static void threads_do_not_meet(void **state)
{
    (void)state;
    needs("cuda:0");
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_agree),
                                       cmocka_unit_test(threads_do_not_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
