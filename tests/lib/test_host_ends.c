/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that the library is in forks and ends, in all ways. In each the work is done, with the
 * trajectory of one thread in a process like any other.
 */
#define _GNU_SOURCE
#include "tests/lib/host.h"

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

static const host_scenario scenarios[] = {
    {"plain", tell_plainly},
    {"forked", forked},
    {"forked with a lattice", forked_with_a_lattice},
    {"at exit", at_exit},
    {"first at exit", first_at_exit},
    {"asleep at exit", asleep_at_exit},
    {"main ends", main_ends},
    {"main ends before another", main_ends_before_another},
    {"main ends in a child", main_ends_in_a_child},
    {NULL, NULL},
};

/* ---- in the parent */

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
    char with_driver[CHILD_ROOM + 16];
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_of_fork),
        cmocka_unit_test(the_end_of_a_process),
        cmocka_unit_test(the_end_of_main),
    };

    if (argc > 2)
        return be_a_child(scenarios, argv[1], atoi(argv[2]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
