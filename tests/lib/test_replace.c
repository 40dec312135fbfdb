/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What latmc_save() puts its file in the place of: links lead on, permissions stay, what is no
 * file is refused, and a disk that fails leaves the old file. Linked with --wrap for the calls of
 * the operating system that fail here.
 */
#include "tests/support.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#ifdef __linux__
#endif
#include "tests/lib/folder.h"

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

#ifdef __linux__

#endif

        IN_A_FOLDER(a_failing_disk_leaves_the_old_file),
        IN_A_FOLDER(a_directory_that_is_not_synced_has_the_new_file),
        IN_A_FOLDER(without_descriptors_nothing_is_begun),
    };

    setenv("LATMC_DEVICE", "cpu:scalar", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
