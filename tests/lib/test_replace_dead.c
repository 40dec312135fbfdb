/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Beside a file that latmc_save() writes, what dead processes have left is removed, but nothing of
 * the living. Linked with --wrap for the calls of the operating system that fail here.
 */
#include "tests/support.h"

#include <sys/file.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif
#include "tests/lib/folder.h"

/* ---- the folder of a test */

static int there(const char *name)
{
    struct stat about;

    return lstat(name, &about) == 0;
}

static void touch(const char *name)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);

    if (fd < 0)
        fail_msg("%s: %s", name, strerror(errno));
    close(fd);
}

/* ---- what the dead have left */

static pid_t dead_pid(void)
{
    const pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0)
        _exit(0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    return pid;
}

static char *temporary(const char *base, pid_t pid, const char *rest)
{
    static char name[2][512];
    static int which;

    which = !which;
    snprintf(name[which], sizeof name[which], "%s.tmp-%ld%s", base, (long)pid, rest);
    return name[which];
}

static void what_the_dead_have_left_is_removed(void **state)
{
    const pid_t dead = dead_pid();

    (void)state;
    touch(temporary("file", dead, "-0"));
    touch(temporary("file", dead, "-4294967295"));
    touch(temporary("other", dead, "-0"));
    save_and_hold("file", "file", 2);
    assert_true(there(temporary("other", dead, "-0")));
    assert_int_equal(symlink("other", "link"), 0);
    save_and_hold("link", "other", 3); /* beside what the link leads to */
    gone("file");
    gone("other");
    gone("link");
}

/* Also of a name that is cut for the sake of its temporaries. */
static void what_is_left_beside_a_long_name_is_removed(void **state)
{
    char name[NAME_MAX + 1], stem[NAME_MAX + 1];

    (void)state;
    memset(name, 'x', NAME_MAX);
    name[NAME_MAX] = '\0';
    memcpy(stem, name, sizeof stem);
    stem[NAME_MAX - 26] = '\0';
    touch(temporary(stem, dead_pid(), "-0"));
    save_and_hold(name, name, 1);
    gone(name);
}

static void what_may_be_alive_stays(void **state)
{
    const pid_t dead = dead_pid();
    char locked[64];
    int fd;

    (void)state;
    touch(temporary("file", getppid(), "-0"));
    touch(temporary("file", 1, "-0"));
    strcpy(locked, temporary("file", dead, "-7"));
    fd = open(locked, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0); /* as a writer does whose PID means nothing here */
    save_and_hold("file", "file", 4);
    assert_true(there(locked));
    close(fd);
    save_and_hold("file", "file", 3);
    assert_false(there(locked));
    gone("file");
    gone(temporary("file", getppid(), "-0"));
    gone(temporary("file", 1, "-0"));
}

/* Of a process that had this one's number before it, as in containers; but not what another thread
 * of this one is writing. */
static void what_had_this_number_is_removed(void **state)
{
    char locked[64];
    int fd;

    (void)state;
    touch(temporary("file", getpid(), "-99999"));
    strcpy(locked, temporary("file", getpid(), "-99998"));
    fd = open(locked, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    save_and_hold("file", "file", 2);
    assert_true(there(locked));
    close(fd);
    save_and_hold("file", "file", 1);
    gone("file");
}

/* Through a descriptor: to a file that has a name, but not to one that has none any more. */
static void files_without_names_are_refused(void **state)
{
    char path[64];
    int fd;

    (void)state;
    touch("file");
    fd = open("file", O_RDWR);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (!there(path)) {
        close(fd);
        gone("file");
        skip();
    }
    save_and_hold(path, "file", 1);
    close(fd);
    fd = open("file", O_RDWR);
    gone("file");
    refused(LATMC_ERROR_IO, "no name", latmc_save(lattice, path));
    close(fd);
    assert_int_equal(count_files("."), 0);
}

#ifdef __linux__
/* user::rw-, user 1234: rw-, group::---, mask::rw-, other::---: as the kernel keeps it. */
static void lists_stay(void **state)
{
    static const uint8_t list[] = {2,   0,   0,   0,   1,  0, 6, 0, 255, 255, 255, 255, 2,  0, 6, 0,
                                   210, 4,   0,   0,   4,  0, 0, 0, 255, 255, 255, 255, 16, 0, 6, 0,
                                   255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255};
    static const char name[] = "system.posix_acl_access";
    uint8_t after[sizeof list];

    (void)state;
    ok(latmc_save(lattice, "file"));
    if (setxattr("file", name, list, sizeof list, 0) != 0) {
        gone("file");
        skip(); /* the file system has none */
    }
    save_and_hold("file", "file", 1);
    assert_int_equal(getxattr("file", name, after, sizeof after), sizeof list);
    assert_memory_equal(after, list, sizeof list);
    assert_int_equal(mode_of("file") & 07777, 0660);
    gone("file");
}
#endif

/* A directory that may be written to and not read; not for root, who reads all. */
static void directories_need_not_be_read(void **state)
{
    (void)state;
    assert_int_equal(mkdir("drop", 0700), 0);
    assert_int_equal(chmod("drop", 0300), 0);
    if (getuid() == 0) {
        assert_int_equal(chown("drop", 1234, 1234), 0);
        assert_int_equal(chmod(".", 0755), 0);
        assert_int_equal(seteuid(1234), 0);
    }
    const latmc_status status = latmc_save(lattice, "drop/file");
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    ok(status);
    assert_int_equal(chmod("drop", 0700), 0);
    holds("drop/file", 1);
    gone("drop/file");
    assert_int_equal(rmdir("drop"), 0);
}

static void what_is_no_temporary_stays(void **state)
{
    static const char *const rests[] = {"",    "-",   "-x",  "-1x", "x-1", "-1-", "-12345678901",
                                        "--1", "-1 ", ".old"};
    const pid_t dead = dead_pid();
    char name[64];

    (void)state;
    for (size_t i = 0; i < ALL(rests); i++)
        touch(temporary("file", dead, rests[i]));
    touch(temporary("a file", dead, "-1"));
    touch("file.tmp--1");
    touch("file.tmp-0-1");
    touch("file.tmp-99999999999-1");
    assert_int_equal(mkdir(temporary("file", dead, "-1"), 0700), 0);
    assert_int_equal(mkfifo(temporary("file", dead, "-2"), 0600), 0);
    assert_int_equal(symlink("/nowhere", temporary("file", dead, "-3")), 0);
    save_and_hold("file", "file", (int)ALL(rests) + 8);
    for (size_t i = 0; i < ALL(rests); i++)
        gone(temporary("file", dead, rests[i]));
    gone(temporary("a file", dead, "-1"));
    gone("file.tmp--1");
    gone("file.tmp-0-1");
    gone("file.tmp-99999999999-1");
    snprintf(name, sizeof name, "%s", temporary("file", dead, "-1"));
    assert_int_equal(rmdir(name), 0);
    gone(temporary("file", dead, "-2"));
    gone(temporary("file", dead, "-3"));
    gone("file");
}

/* As Open MPI names the lock of a file that a rank has open. */
static char *lock_of(pid_t writer, const char *number, pid_t rank)
{
    char rest[64];

    snprintf(rest, sizeof rest, "%s-3735928559-%ld.lock", number, (long)rank);
    return temporary("file", writer, rest);
}

static void locks_of_dead_jobs_are_removed(void **state)
{
    const pid_t dead = dead_pid(), rank = dead_pid();
    char held[64];
    int fd;

    (void)state;
    touch(temporary("file", dead, "-0"));
    touch(lock_of(dead, "-0", dead));
    touch(lock_of(dead, "-0", rank));
    touch(lock_of(dead, "-1", rank)); /* its temporary was removed before */
    touch(lock_of(dead, "-2", getppid()));
    touch(lock_of(getppid(), "-3", rank));
    touch(temporary("file", dead, "-4-1-2.lock-"));
    touch(temporary("file", dead, "-4-1-.lock"));
    touch(temporary("file", dead, "-4-1.lock"));
    strcpy(held, temporary("file", dead, "-7"));
    fd = open(held, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0); /* a job of another host */
    touch(lock_of(dead, "-7", rank));
    save_and_hold("file", "file", 8);
    assert_true(there(lock_of(dead, "-7", rank)));
    close(fd);
    save_and_hold("file", "file", 6);
    gone(lock_of(dead, "-2", getppid()));
    gone(lock_of(getppid(), "-3", rank));
    gone(temporary("file", dead, "-4-1-2.lock-"));
    gone(temporary("file", dead, "-4-1-.lock"));
    gone(temporary("file", dead, "-4-1.lock"));
    gone("file");
    assert_int_equal(count_files("."), 0);
}

/* Where files cannot be locked a save works, and removes nothing. */
static void without_locks_all_stays(void **state)
{
    const pid_t dead = dead_pid();

    (void)state;
    touch(temporary("file", dead, "-0"));
    wrapped.flock_error = ENOTSUP;
    save_and_hold("file", "file", 2);
    assert_true(there(temporary("file", dead, "-0")));
    gone(temporary("file", dead, "-0"));
    gone("file");
}

/* Somebody else, to whom this process looks dead, is about to remove the file just made. */
static void a_file_that_somebody_has_locked_is_not_used(void **state)
{
    (void)state;
    wrapped.flock_error = EWOULDBLOCK;
    save_and_hold("file", "file", 1);
    assert_int_equal(wrapped.flocks, 2);
    gone("file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(what_the_dead_have_left_is_removed),
        IN_A_FOLDER(what_is_left_beside_a_long_name_is_removed),
        IN_A_FOLDER(what_may_be_alive_stays),
        IN_A_FOLDER(what_had_this_number_is_removed),
        IN_A_FOLDER(files_without_names_are_refused),
#ifdef __linux__
        IN_A_FOLDER(lists_stay),
#endif
        IN_A_FOLDER(directories_need_not_be_read),
        IN_A_FOLDER(what_is_no_temporary_stays),
        IN_A_FOLDER(locks_of_dead_jobs_are_removed),
        IN_A_FOLDER(without_locks_all_stays),
        IN_A_FOLDER(a_file_that_somebody_has_locked_is_not_used),
    };

    setenv("LATMC_DEVICE", "cpu:scalar", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
