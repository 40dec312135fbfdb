/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What latmc_save() puts its file in the place of: links lead on, permissions stay, what is no
 * file is refused, and what the dead have left is removed, but nothing of the living. Linked with
 * --wrap for the calls of the operating system that fail here.
 */
#include "tests/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/xattr.h>
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

static int enter(void **state)
{
    (void)state;
    memset(&wrapped, 0, sizeof wrapped);
    umask(022);
    strcpy(directory, "/tmp/latmc-replace-XXXXXX");
    lattice = rich_lattice(1);
    return mkdtemp(directory) ? chdir(directory) : -1;
}

/* Also proves that the test has left nothing that it does not know of. */
static int leave(void **state)
{
    (void)state;
    latmc_destroy(lattice);
    return chdir("/") || rmdir(directory);
}

static int there(const char *name)
{
    struct stat about;

    return lstat(name, &about) == 0;
}

static mode_t mode_of(const char *name)
{
    struct stat about;

    assert_int_equal(lstat(name, &about), 0);
    return about.st_mode;
}

static void touch(const char *name)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);

    if (fd < 0)
        fail_msg("%s: %s", name, strerror(errno));
    close(fd);
}

static void gone(const char *name)
{
    if (unlink(name) != 0)
        fail_msg("%s: %s", name, strerror(errno));
}

static int count_files(const char *where)
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
static void holds(const char *name, int files_here)
{
    latmc_lattice *copy = NULL;

    ok(latmc_load(&copy, name));
    assert_same(copy, lattice);
    latmc_destroy(copy);
    assert_int_equal(count_files("."), files_here);
}

static void save_and_hold(const char *name, const char *file, int files_here)
{
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    ok(latmc_save(lattice, name));
    holds(file, files_here);
}

/* ---- symbolic links */

static void links_lead_on(void **state)
{
    char absolute[96];

    (void)state;
    snprintf(absolute, sizeof absolute, "%s/folder/b", directory);
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(symlink("folder/a", "relative"), 0);
    assert_int_equal(symlink(absolute, "absolute"), 0);
    assert_int_equal(symlink("../relative", "folder/chain"), 0);
    /* To what is not there yet, and to what is. */
    for (int twice = 0; twice < 2; twice++) {
        save_and_hold("relative", "folder/a", 3);
        save_and_hold("absolute", "folder/b", 3);
        save_and_hold("folder/chain", "folder/a", 3);
        assert_int_equal(count_files("folder"), 3);
    }
    assert_true(S_ISLNK(mode_of("relative")) && S_ISLNK(mode_of("absolute")));
    assert_true(S_ISLNK(mode_of("folder/chain")) && S_ISREG(mode_of("folder/a")));
    gone("folder/a");
    gone("folder/b");
    gone("folder/chain");
    gone("relative");
    gone("absolute");
    rmdir("folder");
}

static void links_that_lead_nowhere_are_refused(void **state)
{
    (void)state;
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    assert_int_equal(symlink("missing/file", "c"), 0);
    assert_int_equal(symlink("/dev", "d"), 0);
    refused(LATMC_ERROR_IO, "\"a\": Too many levels", latmc_save(lattice, "a"));
    refused(LATMC_ERROR_IO, "\"c\": No such file", latmc_save(lattice, "c"));
    refused(LATMC_ERROR_IO, "\"d\": it is a directory", latmc_save(lattice, "d"));
    assert_int_equal(count_files("."), 4);
    gone("a");
    gone("b");
    gone("c");
    gone("d");
}

/* ---- what is no file */

static void must_stay(const char *name, const char *link, const char *what)
{
    const mode_t before = mode_of(name);

    refused(LATMC_ERROR_IO, what, latmc_save(lattice, name));
    assert_int_equal(symlink(name, link), 0);
    refused(LATMC_ERROR_IO, what, latmc_save(lattice, link));
    assert_true(mode_of(name) == before && S_ISLNK(mode_of(link)));
    gone(link);
    assert_int_equal(count_files("."), 1);
}

static void what_is_no_file_is_refused(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    must_stay("pipe", "link", "cannot replace");
    must_stay("pipe", "link", "it is a pipe, not a regular file");
    gone("pipe");
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    must_stay("socket", "link", "it is a socket");
    close(fd);
    gone("socket");
    assert_int_equal(mkdir("folder", 0700), 0);
    must_stay("folder", "link", "it is a directory");
    refused(LATMC_ERROR_IO, "it is a directory", latmc_save(lattice, "folder/"));
    refused(LATMC_ERROR_IO, "it is a directory", latmc_save(lattice, "."));
    refused(LATMC_ERROR_IO, "No such file", latmc_save(lattice, ""));
    refused(LATMC_ERROR_IO, "No such file", latmc_save(lattice, "missing/"));
    assert_int_equal(rmdir("folder"), 0);
}

/* A node of the test's own, with the numbers of /dev/null. */
static void a_device_is_refused(void **state)
{
    (void)state;
    if (mknod("null", S_IFCHR | 0666, makedev(1, 3)) != 0)
        skip();
    must_stay("null", "link", "it is a device");
    gone("null");
}

/* ---- permissions */

static void permissions_stay(void **state)
{
    static const mode_t modes[] = {0600, 0640, 0664, 0666, 0755};

    (void)state;
    ok(latmc_save(lattice, "file"));
    assert_int_equal(mode_of("file") & 07777, 0644);
    for (size_t i = 0; i < ALL(modes); i++) {
        umask(i % 2 ? 0 : 077);
        assert_int_equal(chmod("file", modes[i]), 0);
        save_and_hold("file", "file", 1);
        assert_int_equal(mode_of("file") & 07777, modes[i]);
    }
    gone("file");
    umask(077);
    ok(latmc_save(lattice, "file"));
    assert_int_equal(mode_of("file") & 07777, 0600);
    gone("file");
}

/* Root saves over a user's file: it stays the user's. */
static void the_owner_stays(void **state)
{
    struct stat about;

    (void)state;
    if (geteuid() != 0)
        skip();
    ok(latmc_save(lattice, "file"));
    assert_int_equal(chown("file", 12345, 23456), 0);
    assert_int_equal(chmod("file", 0660), 0);
    save_and_hold("file", "file", 1);
    assert_int_equal(stat("file", &about), 0);
    assert_true(about.st_uid == 12345 && about.st_gid == 23456);
    assert_int_equal(about.st_mode & 07777, 0660);
    gone("file");
}

/* Runs as a process without privileges; the exit status says which check failed. */
static int as_a_user(void)
{
    struct stat about;

    if (geteuid() == 0 && (setegid(54321) || seteuid(54321)))
        return 1;
    if (latmc_save(lattice, "mine") || chmod("mine", 0400))
        return 2;
    /* A file that its owner has made read-only is meant to stay. */
    if (latmc_save(lattice, "mine") != LATMC_ERROR_IO ||
        !strstr(latmc_error_message(), "Permission denied"))
        return 3;
    if (stat("mine", &about) != 0 || (about.st_mode & 07777) != 0400 || chmod("mine", 0600))
        return 4;
    return latmc_save(lattice, "mine") ? 5 : 0;
}

/* A file that everybody may write, replaced by a stranger to its group: it is now another group's,
 * to which the old one's permissions were not given. */
static int as_a_stranger(void)
{
    struct stat about;

    if (setegid(54321) || seteuid(54321) || latmc_save(lattice, "theirs"))
        return 1;
    if (stat("theirs", &about) != 0 || about.st_uid != 54321 || about.st_gid != 54321)
        return 2;
    return (about.st_mode & 07777) == 0666 ? 0 : 3;
}

static int in_a_child(int (*run)(void))
{
    int status;
    const pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0)
        _exit(run());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void read_only_files_stay(void **state)
{
    (void)state;
    assert_int_equal(chmod(".", 0777), 0);
    assert_int_equal(in_a_child(as_a_user), 0);
    assert_int_equal(count_files("."), 1);
    gone("mine");
}

static void a_strangers_group_gets_nothing(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chmod(".", 0777), 0);
    ok(latmc_save(lattice, "theirs"));
    assert_int_equal(chown("theirs", 12345, 23456), 0);
    assert_int_equal(chmod("theirs", 0676), 0);
    assert_int_equal(in_a_child(as_a_stranger), 0);
    gone("theirs");
}

/* ---- long names */

static void names_may_be_as_long_as_the_file_system_allows(void **state)
{
    char name[NAME_MAX + 2];

    (void)state;
    for (size_t n = NAME_MAX - 40; n <= NAME_MAX; n++) {
        memset(name, 'x', n);
        name[n] = '\0';
        ok(latmc_save(lattice, name));
        holds(name, 1);
        gone(name);
    }
    for (size_t i = 0; i < NAME_MAX - 1; i += 2)
        memcpy(name + i, "\xc3\xa9", 3);
    ok(latmc_save(lattice, name));
    holds(name, 1);
    gone(name);
    memset(name, 'x', NAME_MAX + 1);
    name[NAME_MAX + 1] = '\0';
    refused(LATMC_ERROR_IO, "too long", latmc_save(lattice, name));
}

/* As long as a path may be: a temporary's is not longer. */
static void paths_may_be_as_long_as_the_system_allows(void **state)
{
    char path[PATH_MAX];
    size_t n = 0;

    (void)state;
    while (n + 200 < PATH_MAX) {
        memset(path + n, 'd', 150);
        path[n + 150] = '\0';
        assert_int_equal(mkdir(path, 0700), 0);
        path[n + 150] = '/';
        n += 151;
    }
    memset(path + n, 'x', PATH_MAX - 1 - n);
    path[PATH_MAX - 1] = '\0';
    ok(latmc_save(lattice, path));
    holds(path, 1);
    gone(path);
    for (; n > 0; n -= 151) {
        path[n] = '\0';
        assert_int_equal(rmdir(path), 0);
    }
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

/* ---- disks that fail */

static void a_failing_disk_leaves_the_old_file(void **state)
{
    latmc_lattice *old = NULL;

    (void)state;
    ok(latmc_save(lattice, "file"));
    ok(latmc_load(&old, "file"));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    wrapped.fsyncs = 0;
    wrapped.fsync_at = 1;
    refused(LATMC_ERROR_IO, "cannot sync \"file\"", latmc_save(lattice, "file"));
    wrapped.fsync_at = 0;
    wrapped.rename_error = ENOSPC;
    refused(LATMC_ERROR_IO, "No space", latmc_save(lattice, "file"));
    wrapped.rename_error = 0;
    latmc_destroy(lattice);
    lattice = old;
    holds("file", 1);
    gone("file");
}

/* The last step of all: the new file is there, and the message says so. */
static void a_directory_that_is_not_synced_has_the_new_file(void **state)
{
    (void)state;
    ok(latmc_save(lattice, "file"));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    wrapped.fsyncs = 0;
    wrapped.fsync_at = 2;
    refused(LATMC_ERROR_IO, "the new file is in place", latmc_save(lattice, "file"));
    assert_int_equal(strncmp(latmc_error_message(), "latmc_save: cannot sync the dir", 31), 0);
    holds("file", 1);
    gone("file");
}

/* Refused before anything is written. */
static void without_descriptors_nothing_is_begun(void **state)
{
    struct rlimit limit, few;
    latmc_status status = LATMC_ERROR_IO;
    int refusals = 0;

    (void)state;
    ok(latmc_save(lattice, "file"));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    few = limit;
    for (few.rlim_cur = 3; status && few.rlim_cur < 16; few.rlim_cur++) {
        wrapped.fsyncs = 0;
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        status = latmc_save(lattice, "file");
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
        if (status) {
            assert_int_equal(status, LATMC_ERROR_IO);
            assert_non_null(strstr(latmc_error_message(), "Too many open files"));
            assert_int_equal(wrapped.fsyncs, 0);
            refusals++;
        }
    }
    assert_int_equal(status, LATMC_OK);
    assert_in_range(refusals, 3, 12); /* the folder, the file, its lock */
    holds("file", 1);
    gone("file");
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(links_lead_on),
        IN_A_FOLDER(links_that_lead_nowhere_are_refused),
        IN_A_FOLDER(what_is_no_file_is_refused),
        IN_A_FOLDER(a_device_is_refused),
        IN_A_FOLDER(permissions_stay),
        IN_A_FOLDER(the_owner_stays),
        IN_A_FOLDER(read_only_files_stay),
        IN_A_FOLDER(a_strangers_group_gets_nothing),
        IN_A_FOLDER(names_may_be_as_long_as_the_file_system_allows),
        IN_A_FOLDER(paths_may_be_as_long_as_the_system_allows),
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
        IN_A_FOLDER(a_failing_disk_leaves_the_old_file),
        IN_A_FOLDER(a_directory_that_is_not_synced_has_the_new_file),
        IN_A_FOLDER(without_descriptors_nothing_is_begun),
    };

    setenv("LATMC_DEVICE", "cpu:scalar", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
