/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a process may be like that the library is in: one that cannot make threads, or calls from
 * many threads or in parallel regions. In each the work is done, with the trajectory of one thread
 * in a process like any other. test_host_ends has processes that fork and end.
 */
#define _GNU_SOURCE
#include <sys/resource.h>

#include "tests/lib/host.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static void no_threads(int threads)
{
    threads_left = 0;
    tell(threads);
    if (own_threads() != 1)
        printf("%d threads\n", own_threads());
}

static void one_more_thread(int threads)
{
    threads_left = 1;
    tell(threads);
}

static void some_more_threads(int threads)
{
    threads_left = threads;
    tell(threads);
}

/* The kernel refuses what is beyond the user's limit, of another user than root: here all
 * but the last two of the threads. */
static void limited(int threads)
{
    const struct rlimit few = {(rlim_t)threads - 1, (rlim_t)threads - 1};

    leaks_cannot_be_looked_for = 1;
    if (setgid(54321) || setuid(54321) || setrlimit(RLIMIT_NPROC, &few))
        printf("not limited\n");
    tell(threads);
}

static void *work_along(void *argument)
{
    const int threads = *(int *)argument;
    uint64_t *hashes = calloc(2, sizeof *hashes);

    hashes[0] = swept(LATMC_ISING, threads);
    hashes[1] = swept(LATMC_PHI4, threads);
    return hashes;
}

static void many_callers(int threads)
{
    enum { CALLERS = 5 };
    pthread_t callers[CALLERS];
    uint64_t first[2] = {0, 0};

    for (int i = 0; i < CALLERS; i++)
        pthread_create(&callers[i], NULL, work_along, &threads);
    for (int i = 0; i < CALLERS; i++) {
        void *hashes;

        pthread_join(callers[i], &hashes);
        if (i == 0)
            memcpy(first, hashes, sizeof first);
        if (memcmp(first, hashes, sizeof first) != 0)
            printf("caller %d has another trajectory\n", i);
        free(hashes);
    }
    printf("%016llx %016llx\n", (unsigned long long)first[0], (unsigned long long)first[1]);
}

/* The crew's threads end with the last caller, and are made anew for the next one. */
static void callers_in_turn(int threads)
{
    uint64_t first[2] = {0, 0};

    for (int i = 0; i < (LM_SANITIZED ? 6 : 20); i++) {
        pthread_t caller;
        void *hashes;

        pthread_create(&caller, NULL, work_along, &threads);
        pthread_join(caller, &hashes);
        if (i == 0)
            memcpy(first, hashes, sizeof first);
        if (memcmp(first, hashes, sizeof first) != 0)
            printf("caller %d has another trajectory\n", i);
        free(hashes);
        for (int k = 0; k < 5000 && own_threads() > 1 && !threads_are_kept(); k++)
            usleep(1000);
        if (own_threads() != 1 && !threads_are_kept())
            printf("%d threads after caller %d\n", own_threads(), i);
    }
    printf("%016llx %016llx\n", (unsigned long long)first[0], (unsigned long long)first[1]);
}

/* In a region of the host's own, before and after which the library works with threads. */
static void in_a_region(int threads)
{
    uint64_t hashes[3][2];

    swept(LATMC_ISING, threads);
#ifdef _OPENMP
#pragma omp parallel for num_threads(3)
#endif
    for (int i = 0; i < 3; i++) {
        hashes[i][0] = swept(LATMC_ISING, i == 0 ? 0 : threads);
        hashes[i][1] = swept(LATMC_PHI4, i == 0 ? 0 : threads);
    }
    for (int i = 1; i < 3; i++)
        if (memcmp(hashes[0], hashes[i], sizeof hashes[0]) != 0)
            printf("%d has another trajectory\n", i);
    tell(threads);
}

/* Many calls, and calls of many sweeps, of lattices whose rounds are over before a thread wakes,
 * on any lane. */
static void small(int threads)
{
    static const int64_t extents[][3] = {{8, 8, 1}, {14, 15, 1}, {4, 4, 4}, {6, 6, 6}};
    static const latmc_model models[] = {LATMC_ISING, LATMC_PHI4};

    for (size_t i = 0; i < ALL(extents); i++)
        for (size_t m = 0; m < ALL(models); m++) {
            const latmc_model model = models[m];
            latmc_lattice *l = NULL;

            DO(latmc_create(&l, model, extents[i][2] > 1 ? 3 : 2, extents[i]));
            DO(latmc_set_device(l, "cpu"));
            DO(latmc_set_threads(l, threads));
            DO(latmc_set_replicas(l, i > 0 ? 1 : model == LATMC_ISING ? 64 : 16));
            DO(latmc_start(l, LATMC_START_HOT));
            for (int k = 0; k < 300; k++)
                DO(latmc_sweep(l, LATMC_METROPOLIS, 1));
            DO(latmc_sweep(l, LATMC_METROPOLIS, i == 0 ? 2 : 300));
            latmc_destroy(l);
        }
    printf("%d threads\n", own_threads());
}

static const host_scenario scenarios[] = {
    {"plain", tell_plainly},
    {"with others", tell_with_others},
    {"no threads", no_threads},
    {"one more thread", one_more_thread},
    {"some more threads", some_more_threads},
    {"limited", limited},
    {"many callers", many_callers},
    {"callers in turn", callers_in_turn},
    {"in a region", in_a_region},
    {"small", small},
    {NULL, NULL},
};

/* ---- in the parent */

static void threads_are_had(void **state)
{
    (void)state;
#ifdef _OPENMP
    expect("with others", "2", NULL);
    expect("with others", "3", NULL);
    expect("with others", "2", "OMP_PROC_BIND=true");
    expect("with others", "2", "OMP_NUM_THREADS=1");
    expect("with others", "2", "OMP_DYNAMIC=true");
    expect("with others", "2", "OMP_WAIT_POLICY=active");
#else
    skip();
#endif
}

static void whatever_openmp_is_told(void **state)
{
    static const char *const told[] = {
        "OMP_NUM_THREADS=100000",  "OMP_NUM_THREADS=0", "OMP_THREAD_LIMIT=1",
        "OMP_THREAD_LIMIT=2",      "OMP_STACKSIZE=64k", "OMP_NESTED=true",
        "OMP_MAX_ACTIVE_LEVELS=0",
    };

    (void)state;
    for (size_t i = 0; i < ALL(told); i++) {
        expect("plain", "0", told[i]);
        expect("plain", "3", told[i]);
    }
    expect("plain", "4096", NULL);
}

/* LLVM's OpenMP 14 does not survive this: a program that only prints omp_get_max_threads() was
 * ended by it in 14 of 40 runs with "foo" and in 20 of 40 with -3 ("Out of heap memory"), or took
 * all the memory that there was. */
static void openmp_is_told_nonsense(void **state)
{
    (void)state;
    if (threads_are_kept())
        skip();
    expect("plain", "0", "OMP_NUM_THREADS=foo");
    expect("plain", "3", "OMP_NUM_THREADS=foo");
    expect("plain", "0", "OMP_NUM_THREADS=-3");
    expect("plain", "3", "OMP_NUM_THREADS=-3");
}

static void threads_that_cannot_be_made(void **state)
{
    (void)state;
    expect("no threads", "2", NULL);
    expect("no threads", "0", "OMP_NUM_THREADS=8");
    expect("one more thread", "2", NULL);
    expect("one more thread", "8", NULL);
    expect("some more threads", "4", NULL);
    expect("some more threads", "16", NULL);
}

static void a_limit_of_the_kernel(void **state)
{
    (void)state;
    if (getuid() != 0)
        skip();
    expect("limited", "2", NULL);
    expect("limited", "8", NULL);
}

static void several_callers(void **state)
{
    (void)state;
    expect("many callers", "0", NULL);
    expect("many callers", "2", NULL);
    expect("many callers", "3", NULL);
    expect("callers in turn", "2", NULL);
    expect("callers in turn", "3", NULL);
    expect("in a region", "0", NULL);
    expect("in a region", "2", NULL);
    expect("in a region", "2", "OMP_MAX_ACTIVE_LEVELS=3");
}

static void small_lattices_wake_nobody(void **state)
{
    const child preset = child_run("small", "0", NULL, "OMP_NUM_THREADS=4");
    const child two = child_run("small", "2", NULL, NULL);

    (void)state;
    child_wrote(&preset, "1 threads\n", "preset");
    child_wrote(&two, "1 threads\n", "2 threads");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_are_had),
        cmocka_unit_test(whatever_openmp_is_told),
        cmocka_unit_test(openmp_is_told_nonsense),
        cmocka_unit_test(threads_that_cannot_be_made),
        cmocka_unit_test(a_limit_of_the_kernel),
        cmocka_unit_test(several_callers),
        cmocka_unit_test(small_lattices_wake_nobody),
    };

    if (argc > 2)
        return be_a_child(scenarios, argv[1], atoi(argv[2]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
