/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that sweeps and saves without end is killed 200 times with SIGKILL (20 under
 * sanitizers). Each time the file is whole and on the trajectory, and the next program goes on from
 * it and removes what the killed one has left.
 */
#include "tests/support.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KILLS = LM_SANITIZED ? 20 : 200, ROOM = 96 };

static char directory[] = "/tmp/latmc-kill-XXXXXX";
static char path[ROOM];

/* The program to be killed: tells through `ready` when it has saved once. */
static int save_for_ever(const char *file, int ready)
{
    latmc_lattice *lat = NULL;

    if (latmc_load(&lat, file))
        return 1;
    for (int told = 0;; told = 1) {
        if (latmc_sweep(lat, LATMC_METROPOLIS, 1) || latmc_save(lat, file))
            return 1;
        if (!told && write(ready, "x", 1) != 1)
            return 1;
    }
}

/* Starts it and returns when it has saved once. */
static pid_t start_program(void)
{
    int ends[2];
    char number[16], byte;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    snprintf(number, sizeof number, "%d", ends[1]);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        /* Frames that AddressSanitizer keeps after a return take so long to make room for that this
         * program would seldom come to a save. */
        if (LM_SANITIZED)
            setenv("ASAN_OPTIONS", "detect_stack_use_after_return=0", 1);
        execl("/proc/self/exe", "test_kill", path, number, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return pid;
}

static void kill_soon(pid_t pid, uint64_t nanoseconds)
{
    const struct timespec pause = {0, (long)nanoseconds};
    int status;

    nanosleep(&pause, NULL);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Counts what killed programs have left beside the file. */
static int leftovers(void)
{
    DIR *dir = opendir(directory);
    int found = 0;

    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        found += strstr(e->d_name, ".tmp-") != NULL;
    closedir(dir);
    return found;
}

/* The file is the reference, moved on to the same number of sweeps. */
static void check_file(latmc_lattice *reference)
{
    latmc_lattice *lat = NULL;
    int64_t new_sweeps;

    ok(latmc_load(&lat, path));
    new_sweeps = info_of(lat).sweeps - info_of(reference).sweeps;
    assert_true(new_sweeps >= 1);
    ok(latmc_sweep(reference, LATMC_METROPOLIS, new_sweeps));
    assert_same(lat, reference);
    latmc_destroy(lat);
}

static void the_file_survives_every_kill(void **state)
{
    latmc_lattice *reference = new_lattice(2, (int64_t[]){500, 512});
    uint64_t random = 1;
    int in_mid_save = 0;

    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/lattice", directory);
    ok(latmc_set_replicas(reference, 2));
    ok(latmc_set_device(reference, "cpu"));
    ok(latmc_start(reference, LATMC_START_HOT));
    ok(latmc_save(reference, path));
    for (int i = 0; i < KILLS || (in_mid_save == 0 && i < 40 * KILLS);
         i++) { /* hosts may be slow */
        kill_soon(start_program(), next_random(&random) % 3000000);
        in_mid_save += leftovers();
        assert_in_range(leftovers(), 0, 1); /* this one's; those before it are gone */
        check_file(reference);
    }
    ok(latmc_save(reference, path));
    assert_int_equal(leftovers(), 0);
    print_message("%d kills came in the middle of a save\n", in_mid_save);
    assert_true(in_mid_save > 0);
    latmc_destroy(reference);
    unlink(path);
    rmdir(directory);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_survives_every_kill),
    };

    setenv("LATMC_DEVICE", "cpu", 1);
    if (argc == 3)
        return save_for_ever(argv[1], atoi(argv[2]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
