/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a process may be like that the library is in: one that cannot make threads, forks, calls
 * from many threads or in parallel regions, ends in all ways. In each the work is done, with the
 * trajectory of one thread in a process like any other.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

#include "tests/lib/child.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- in the children
 *
 * What fails there is written, so that the parent sees it in the place of the right answer. */

#define DO(call)                                                                                   \
    do {                                                                                           \
        if (call)                                                                                  \
            printf("%s: %s\n", #call, latmc_error_message());                                      \
    } while (0)

/*
 * LeakSanitizer asks this. At the end of a process it makes a thread, which one that may not have
 * any cannot, and a child of fork() has what belonged to its parent's threads, which are not in it.
 */
static int leaks_cannot_be_looked_for;
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return leaks_cannot_be_looked_for;
}

/* What the driver of a GPU makes when the library looks for devices. */
static int driver_threads;

static int own_threads(void)
{
    return thread_count() - driver_threads;
}

/* Threads that may still be made; none of this once it is negative. */
static int threads_left = -1;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (threads_left == 0)
        return EAGAIN;
    if (threads_left > 0)
        threads_left--;
    return real(thread, attributes, start, argument);
}

/* Of a size that is worth some threads, as often as tells one trajectory from another. */
enum { TIMES = LM_SANITIZED ? 1 : 5, ISING_TIMES = LM_SANITIZED ? 2 : 50 };

static latmc_lattice *make(latmc_model model, int threads)
{
    const int64_t large[3] = {128, 128, 64}, less[3] = {48, 48, 48};
    const int64_t *extents = model == LATMC_ISING ? large : less;
    latmc_lattice *l = NULL;

    DO(latmc_create(&l, model, 3, extents));
    DO(latmc_set_device(l, "cpu"));
    DO(latmc_set_threads(l, threads));
    DO(latmc_start(l, LATMC_START_HOT));
    return l;
}

static uint64_t swept(latmc_model model, int threads)
{
    latmc_lattice *l = make(model, threads);
    uint64_t hash = 0;

    DO(latmc_sweep(l, LATMC_METROPOLIS, model == LATMC_ISING ? ISING_TIMES : TIMES));
    DO(latmc_state_hash(l, &hash));
    latmc_destroy(l);
    return hash;
}

static void tell(int threads)
{
    printf("%016llx %016llx\n", (unsigned long long)swept(LATMC_ISING, threads),
           (unsigned long long)swept(LATMC_PHI4, threads));
}

static void tell_plainly(int threads)
{
    tell(threads);
}

/* Every thread is one that the library has made, so this is what sees that it has. */
static void tell_with_others(int threads)
{
    tell(threads);
    if (own_threads() < 2)
        printf("one thread\n");
}

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

/* The parent's work, then that of children's, each with the threads that it was told and with one.
 */
static void forked(int threads)
{
    leaks_cannot_be_looked_for = 1;
    for (int generation = 0; generation < 3; generation++) {
        pid_t pid;
        int status = 0;

        swept(LATMC_ISING, threads);
        pid = fork();
        if (pid > 0) {
            waitpid(pid, &status, 0);
            _exit(status != 0);
        }
        if (swept(LATMC_ISING, 1) != swept(LATMC_ISING, threads))
            printf("with %d threads another trajectory\n", threads);
    }
    tell_with_others(threads);
}

/* A lattice that the parent has swept goes on in the child. */
static void forked_with_a_lattice(int threads)
{
    latmc_lattice *l = make(LATMC_ISING, threads);
    uint64_t hash = 0;
    int status = 0;

    DO(latmc_sweep(l, LATMC_METROPOLIS, ISING_TIMES / 2));
    fflush(stdout);
    const pid_t pid = fork();
    DO(latmc_sweep(l, LATMC_METROPOLIS, ISING_TIMES / 2));
    DO(latmc_state_hash(l, &hash));
    if (pid == 0) {
        printf("%016llx %016llx\n", (unsigned long long)hash,
               (unsigned long long)swept(LATMC_PHI4, threads));
        fflush(stdout);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    if (status || hash != swept(LATMC_ISING, 1))
        printf("status %d, or the parent has another trajectory\n", status);
    latmc_destroy(l);
}

static int threads_at_exit;

static void tell_at_exit(void)
{
    tell(threads_at_exit);
    fflush(stdout);
}

static void at_exit(int threads)
{
    threads_at_exit = threads;
    atexit(tell_at_exit);
    swept(LATMC_ISING, threads);
}

static void first_at_exit(int threads)
{
    threads_at_exit = threads;
    atexit(tell_at_exit);
}

static void asleep_at_exit(int threads)
{
    tell(threads);
    usleep(100000);
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

/* ---- whose main() ends by pthread_exit() */

/* Nothing of the library's keeps the process, but threads of a GPU's driver do. */
static void end_main(void)
{
    if (driver_threads)
        puts("and a driver");
    fflush(stdout);
    if (driver_threads)
        _exit(0);
    pthread_exit(NULL);
}

static void main_ends(int threads)
{
    tell_with_others(threads);
    end_main();
}

static pthread_t main_thread;
static int threads_of_another;

static void *outlive_main(void *unused)
{
    (void)unused;
    if (!driver_threads)
        pthread_join(main_thread, NULL);
    tell(threads_of_another);
    return NULL;
}

static void main_ends_before_another(int threads)
{
    pthread_t another;

    main_thread = pthread_self();
    threads_of_another = threads;
    if (swept(LATMC_ISING, 1) != swept(LATMC_ISING, threads))
        puts("another trajectory");
    pthread_create(&another, NULL, outlive_main, NULL);
    if (driver_threads)
        pthread_join(another, NULL);
    end_main();
}

static void main_ends_in_a_child(int threads)
{
    int status = 0;

    leaks_cannot_be_looked_for = 1;
    swept(LATMC_ISING, threads);
    const pid_t pid = fork();
    if (pid > 0)
        waitpid(pid, &status, 0);
    else
        tell(threads);
    if (status)
        printf("status %x\n", (unsigned)status);
    end_main();
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

static const struct scenario {
    const char *name;
    void (*run)(int threads);
} scenarios[] = {
    {"plain", tell_plainly},
    {"with others", tell_with_others},
    {"no threads", no_threads},
    {"one more thread", one_more_thread},
    {"some more threads", some_more_threads},
    {"limited", limited},
    {"forked", forked},
    {"forked with a lattice", forked_with_a_lattice},
    {"at exit", at_exit},
    {"first at exit", first_at_exit},
    {"asleep at exit", asleep_at_exit},
    {"many callers", many_callers},
    {"callers in turn", callers_in_turn},
    {"main ends", main_ends},
    {"main ends before another", main_ends_before_another},
    {"main ends in a child", main_ends_in_a_child},
    {"in a region", in_a_region},
    {"small", small},
};

static int be_a_child(const char *name, int threads)
{
    latmc_device_count();
    driver_threads = thread_count() - 1;
    for (size_t i = 0; i < ALL(scenarios); i++)
        if (strcmp(scenarios[i].name, name) == 0)
            scenarios[i].run(threads);
    return 0;
}

/* ---- in the parent */

/* What all should come to. */
static const char *right_answer(void)
{
    static child answer;

    if (!answer.text[0]) {
        answer = child_run("plain", "1", NULL, NULL);
        assert_int_equal(answer.status, 0);
        assert_int_equal(strlen(answer.text), 34);
    }
    return answer.text;
}

static void expect(const char *scenario, const char *threads, const char *assignment)
{
    const child got = child_run(scenario, threads, NULL, assignment);
    char what[256];

    snprintf(what, sizeof what, "%s, %s threads, %s", scenario, threads,
             assignment ? assignment : "");
    child_wrote(&got, right_answer(), what);
}

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

static void children_of_fork(void **state)
{
    (void)state;
    expect("forked with a lattice", "1", NULL);
    expect("forked with a lattice", "2", NULL);
#ifdef _OPENMP
    expect("forked", "2", NULL);
    expect("forked", "3", NULL);
#endif
}

static void the_end_of_a_process(void **state)
{
    (void)state;
    expect("at exit", "2", NULL);
    expect("first at exit", "2", NULL);
    expect("asleep at exit", "2", NULL);
}

/* Not at all where a driver has threads of its own, but the work is done. */
static void the_end_of_main(void **state)
{
    static const char *const ways[] = {"main ends", "main ends before another",
                                       "main ends in a child"};
    char with_driver[64];
    int driver = 0;

    (void)state;
    if (dlsym(RTLD_DEFAULT, "kmp_get_blocktime"))
        skip();
    snprintf(with_driver, sizeof with_driver, "%sand a driver\n", right_answer());
    for (size_t i = 0; i < ALL(ways); i++) {
        const child got = child_run(ways[i], "2", NULL, NULL);

        driver |= strcmp(got.text, with_driver) == 0;
        child_wrote(&got, driver ? with_driver : right_answer(), ways[i]);
    }
    if (driver)
        skip();
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
        cmocka_unit_test(threads_are_had),         cmocka_unit_test(whatever_openmp_is_told),
        cmocka_unit_test(openmp_is_told_nonsense), cmocka_unit_test(threads_that_cannot_be_made),
        cmocka_unit_test(a_limit_of_the_kernel),   cmocka_unit_test(children_of_fork),
        cmocka_unit_test(the_end_of_a_process),    cmocka_unit_test(the_end_of_main),
        cmocka_unit_test(several_callers),         cmocka_unit_test(small_lattices_wake_nobody),
    };

    if (argc > 2)
        return be_a_child(argv[1], atoi(argv[2]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
