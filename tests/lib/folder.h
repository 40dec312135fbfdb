/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folder in which tests of latmc_save() put their files, and calls of the operating system that
 * fail when they are told to. Include once in a program, which is linked with --wrap for them.
 */
#ifndef LM_TESTS_LIB_FOLDER_H
#define LM_TESTS_LIB_FOLDER_H

#include "tests/support.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#ifdef __linux__
#endif
#include <unistd.h>

static char directory[64];
static latmc_lattice *lattice;

/* ---- calls that fail when they are told to */

static struct {
    int fsync_at, fsyncs; /* the nth fails; how many there were */
    int flock_error, flocks;
    int rename_error;
} wrapped;

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation);
int __real_renameat(int from, const char *old, int to, const char *new);
int __wrap_renameat(int from, const char *old, int to, const char *new);

int __wrap_fsync(int fd)
{
    if (++wrapped.fsyncs == wrapped.fsync_at) {
        errno = EIO;
        return -1;
    }
    return __real_fsync(fd);
}

int __wrap_flock(int fd, int operation)
{
    wrapped.flocks++;
    if (wrapped.flock_error) {
        errno = wrapped.flock_error;
        if (errno == EWOULDBLOCK) /* somebody has it, but for a moment */
            wrapped.flock_error = 0;
        return -1;
    }
    return __real_flock(fd, operation);
}

int __wrap_renameat(int from, const char *old, int to, const char *new)
{
    if (wrapped.rename_error) {
        errno = wrapped.rename_error;
        return -1;
    }
    return __real_renameat(from, old, to, new);
}

/* ---- the folder of a test */

static inline int enter(void **state)
{
    (void)state;
    memset(&wrapped, 0, sizeof wrapped);
    umask(022);
    strcpy(directory, "/tmp/latmc-replace-XXXXXX");
    lattice = rich_lattice(1);
    return mkdtemp(directory) ? chdir(directory) : -1;
}

/* Also proves that the test has left nothing that it does not know of. */
static inline int leave(void **state)
{
    (void)state;
    latmc_destroy(lattice);
    return chdir("/") || rmdir(directory);
}

static inline mode_t mode_of(const char *name)
{
    struct stat about;

    assert_int_equal(lstat(name, &about), 0);
    return about.st_mode;
}

static inline void gone(const char *name)
{
    if (unlink(name) != 0)
        fail_msg("%s: %s", name, strerror(errno));
}

static inline int count_files(const char *where)
{
    DIR *dir = opendir(where);
    int count = -2; /* . and .. */

    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/* The file has the lattice as it is, and nothing is beside it. */
static inline void holds(const char *name, int files_here)
{
    latmc_lattice *copy = NULL;

    ok(latmc_load(&copy, name));
    assert_same(copy, lattice);
    latmc_destroy(copy);
    assert_int_equal(count_files("."), files_here);
}

static inline void save_and_hold(const char *name, const char *file, int files_here)
{
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    ok(latmc_save(lattice, name));
    holds(file, files_here);
}

/* ---- disks that fail */

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)

#endif
