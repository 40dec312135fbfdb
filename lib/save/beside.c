/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* O_PATH */

#include "lib/save/beside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif
#include <unistd.h>

#include "lib/base/status.h"

enum { MOST_NAMES = 1000, DIGITS = 10 };

static const char mark[] = ".tmp-"; /* between the name of the file and the PID */

latmc_status lm_need_regular(const char *caller, const char *action, const char *path,
                             const struct stat *about)
{
    static const struct {
        mode_t type;
        const char *name;
    } kinds[] = {{S_IFDIR, "a directory"}, {S_IFIFO, "a pipe"},   {S_IFSOCK, "a socket"},
                 {S_IFCHR, "a device"},    {S_IFBLK, "a device"}, {S_IFLNK, "a symbolic link"}};
    const char *name = "something else";

    if (S_ISREG(about->st_mode))
        return LATMC_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if ((about->st_mode & S_IFMT) == kinds[i].type)
            name = kinds[i].name;
    return lm_fail(LATMC_ERROR_IO, "%s: cannot %s \"%.400s\": it is %s, not a regular file", caller,
                   action, path, name);
}

/* ---- what is there */

/* A directory that may not be read can be written to nevertheless. */
static int open_directory(const lm_way *way)
{
    const int fd = openat(way->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

#ifdef O_PATH
    return fd < 0 && errno == EACCES ? openat(way->directory, ".", O_PATH | O_DIRECTORY | O_CLOEXEC)
                                     : fd;
#else
    return fd;
#endif
}

/* Finds where the path leads, and opens the directory. */
static latmc_status find(lm_beside *b)
{
    const latmc_status status = lm_follow(&b->way);
    struct stat about;
    int there;

    if (status)
        return status;
    there = stat(b->path, &about) == 0;
    if (there && !S_ISREG(about.st_mode))
        return lm_need_regular(b->who, "replace", b->path, &about);
    if (!there && errno != ENOENT)
        return lm_io_failure(b->who, "write to", b->path);
    b->directory = open_directory(&b->way);
    return b->directory < 0 ? lm_io_failure(b->who, "open the directory of", b->path) : LATMC_OK;
}

/* The file that will be replaced. */
static latmc_status look(lm_beside *b)
{
    latmc_status status;

    b->exists = fstatat(b->directory, b->way.base, &b->old, AT_SYMLINK_NOFOLLOW) == 0;
    if (!b->exists && errno == ENOENT && stat(b->path, &b->old) == 0)
        return lm_fail(LATMC_ERROR_IO, /* such as /proc/self/fd/3 */
                       "%s: cannot replace \"%.400s\": the file that it leads to has no name",
                       b->who, b->path);
    if (!b->exists && errno == ENOENT)
        return LATMC_OK;
    if (!b->exists)
        return lm_io_failure(b->who, "write to", b->path);
    status = lm_need_regular(b->who, "replace", b->path, &b->old);
    if (!status && faccessat(b->directory, b->way.base, W_OK, AT_EACCESS) != 0)
        status = lm_io_failure(b->who, "write to", b->path);
    return status;
}

/* ---- names of temporaries */

/* All of the name, or what leaves room for the rest. Letters of several bytes stay whole. */
static int stem_of(const lm_beside *b)
{
    const long limit = fpathconf(b->directory, _PC_NAME_MAX);
    const int most = limit > 0 && limit < NAME_MAX ? (int)limit : NAME_MAX;
    const int room = most - (int)(sizeof mark - 1) - 2 * DIGITS - 1;
    int length = (int)strlen(b->way.base);

    if (length <= room)
        return length;
    length = room > 1 ? room : 1;
    while (length > 1 && (b->way.base[length] & 0xc0) == 0x80)
        length--;
    return length;
}

/* One to ten digits, as a number; moves on. -1: something else. */
static long digits(const char **text)
{
    const size_t n = strspn(*text, "0123456789");
    const long value = n > 0 && n <= DIGITS ? strtol(*text, NULL, 10) : -1;

    *text += n;
    return value;
}

/* Digits that are a PID; moves on. 0: they are none. */
static pid_t pid_at(const char **text)
{
    const long pid = digits(text);

    return pid >= 1 && pid <= INT_MAX ? (pid_t)pid : 0;
}

/* The PID in a name that begins as a temporary of this file, and what follows it; 0 if it is none.
 */
static pid_t writer_of(const lm_beside *b, const char *name, const char **rest)
{
    const size_t length = (size_t)b->stem;
    pid_t pid;

    if (strncmp(name, b->way.base, length) != 0 ||
        strncmp(name + length, mark, sizeof mark - 1) != 0)
        return 0;
    name += length + sizeof mark - 1;
    pid = pid_at(&name);
    if (!pid || *name++ != '-' || digits(&name) < 0)
        return 0;
    *rest = name;
    return pid;
}

/* What Open MPI puts behind the name of a file that it has open: -JOB-PID.lock. The PID, or 0. */
static pid_t locker_of(const char *rest)
{
    pid_t pid;

    if (*rest++ != '-' || digits(&rest) < 0 || *rest++ != '-')
        return 0;
    pid = pid_at(&rest);
    return strcmp(rest, ".lock") == 0 ? pid : 0;
}

/* ---- what the dead have left */

/* Or was another process of this number, in a container where they come again: those of this very
 * process are locked as long as it writes them, which is seen when they are. */
static int is_dead(pid_t pid)
{
    return pid == getpid() || (kill(pid, 0) != 0 && errno == ESRCH);
}

/* With the lock held it is asked again whether the name means this file and the writer is dead. */
static void remove_locked(const lm_beside *b, const char *name, pid_t pid, int fd)
{
    struct stat here, there;

    if (fstat(fd, &here) == 0 && S_ISREG(here.st_mode) &&
        fstatat(b->directory, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
        here.st_ino == there.st_ino && here.st_dev == there.st_dev && is_dead(pid))
        unlinkat(b->directory, name, 0);
}

static void remove_temporary(const lm_beside *b, const char *name, pid_t pid)
{
    const int fd = openat(b->directory, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        remove_locked(b, name, pid, fd);
    if (fd >= 0)
        close(fd);
}

/* A lock of a temporary that is there belongs to a job that may live on another host. Nobody locks
 * the lock itself as long as it is there. */
static void remove_lock(const lm_beside *b, const char *name, size_t length)
{
    char temporary[NAME_MAX + 1];
    struct stat about;

    snprintf(temporary, sizeof temporary, "%.*s", (int)length, name);
    if (fstatat(b->directory, temporary, &about, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT &&
        fstatat(b->directory, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode))
        unlinkat(b->directory, name, 0);
}

/* Temporaries, or the locks of such as are gone. Returns whether there are locks of the dead. */
static int remove_some(const lm_beside *b, DIR *list, int locks)
{
    int found = 0;

    for (struct dirent *e; (e = readdir(list));) {
        const char *rest = "";
        const pid_t pid = writer_of(b, e->d_name, &rest);
        const pid_t locker = pid && *rest ? locker_of(rest) : 0;

        if (!pid || !is_dead(pid))
            continue;
        if (!*rest && !locks)
            remove_temporary(b, e->d_name, pid);
        if (!locker || !is_dead(locker))
            continue;
        found = 1;
        if (locks)
            remove_lock(b, e->d_name, (size_t)(rest - e->d_name));
    }
    return found;
}

/* Whatever fails here, the save goes on. */
static void remove_left(const lm_beside *b)
{
    const int again = openat(b->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = again < 0 ? NULL : fdopendir(again);

    if (again >= 0 && !list)
        close(again);
    if (!list)
        return;
    if (remove_some(b, list, 0)) {
        rewinddir(list);
        (void)remove_some(b, list, 1);
    }
    closedir(list);
}

/* ---- the new file */

/* Is the file just made ours, and will it stay? */
static int keep(const lm_beside *b)
{
    struct stat about;

    if (flock(b->fd, LOCK_EX | LOCK_NB) != 0)
        return errno != EWOULDBLOCK; /* cannot be locked: then nobody removes it */
    return fstatat(b->directory, b->name, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

static latmc_status create(lm_beside *b)
{
    static atomic_uint counter;

    for (int i = 0; i < MOST_NAMES; i++) {
        snprintf(b->name, sizeof b->name, "%.*s%s%ld-%u", b->stem, b->way.base, mark,
                 (long)getpid(), atomic_fetch_add(&counter, 1));
        b->fd = openat(b->directory, b->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                       b->exists ? 0600 : 0666);
        if (b->fd < 0 && errno != EEXIST)
            break;
        if (b->fd >= 0 && keep(b))
            return LATMC_OK;
        if (b->fd >= 0) {
            unlinkat(b->directory, b->name, 0);
            close(b->fd);
        }
        b->fd = -1;
        errno = EEXIST;
    }
    b->name[0] = '\0';
    return lm_io_failure(b->who, "create a file beside", b->path);
}

/* An access control list, whose mask is where the mode has its bits for the group: it goes along. 0
 * if there is one and it cannot. */
static int take_list(const lm_beside *b)
{
#ifdef __linux__
    static const char name[] = "system.posix_acl_access";
    char list[4096];
    const ssize_t bytes = getxattr(b->path, name, list, sizeof list);

    if (bytes > 0)
        return fsetxattr(b->fd, name, list, (size_t)bytes, 0) == 0;
    return bytes == 0 || errno != ERANGE;
#else
    (void)b;
    return 1;
#endif
}

/* The permissions of the old file; its owner and group as far as this process may give them. A
 * group that is not the old one gets what others have. */
static latmc_status take_over(const lm_beside *b)
{
    mode_t mode = b->old.st_mode & 0777;
    struct stat new;

    if (!take_list(b))
        mode &= ~(mode_t)070;
    if (fstat(b->fd, &new) != 0)
        return lm_io_failure(b->who, "read the permissions of a file beside", b->path);
    if ((new.st_uid != b->old.st_uid || new.st_gid != b->old.st_gid) &&
        fchown(b->fd, b->old.st_uid, b->old.st_gid) != 0 && new.st_gid != b->old.st_gid &&
        fchown(b->fd, (uid_t)-1, b->old.st_gid) != 0)
        mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
    if ((new.st_mode & 0777) != mode && fchmod(b->fd, mode) != 0)
        return lm_io_failure(b->who, "keep the permissions of", b->path);
    return LATMC_OK;
}

latmc_status lm_beside_open(lm_beside *b, const char *caller, const char *path)
{
    latmc_status status;

    *b = (lm_beside)LM_BESIDE_NONE;
    b->who = b->way.who = caller;
    b->path = b->way.path = path;
    status = find(b);
    if (!status)
        status = look(b);
    if (status)
        return status;
    b->stem = stem_of(b);
    remove_left(b);
    status = create(b);
    if (!status && (b->lock = fcntl(b->fd, F_DUPFD_CLOEXEC, 0)) < 0)
        status = lm_io_failure(caller, "create a file beside", path);
    return !status && b->exists ? take_over(b) : status;
}

latmc_status lm_beside_path(const lm_beside *b, char *path, size_t bytes)
{
    char *whole = lm_follow_directory(&b->way);
    int length;

    if (!whole)
        return lm_io_failure(b->who, "find the directory of", b->path);
    length = snprintf(path, bytes, "%s/%s", whole, b->name);
    free(whole);
    errno = ENAMETOOLONG;
    return length > 0 && (size_t)length < bytes ? LATMC_OK
                                                : lm_io_failure(b->who, "write to", b->path);
}

/* Brings the directory entry to the disk, where the file system knows of that. */
static latmc_status sync_directory(const lm_beside *b)
{
    latmc_status status;

    if (fsync(b->directory) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF)
        return LATMC_OK;
    status = lm_io_failure(b->who, "sync the directory of", b->path);
    return lm_fail(status,
                   "%s; the new file is in place, but a crash of the machine may bring the old "
                   "one back",
                   latmc_error_message());
}

latmc_status lm_beside_replace(lm_beside *b)
{
    latmc_status status = LATMC_OK;

    if (fsync(b->fd) != 0)
        status = lm_io_failure(b->who, "sync", b->path);
    if (close(b->fd) != 0 && !status)
        status = lm_io_failure(b->who, "close", b->path);
    b->fd = -1;
    if (!status && renameat(b->directory, b->name, b->directory, b->way.base) != 0)
        status = lm_io_failure(b->who, "put the new file in the place of", b->path);
    if (status)
        return status;
    b->name[0] = '\0';
    return sync_directory(b);
}

void lm_beside_close(lm_beside *b)
{
    if (b->name[0])
        unlinkat(b->directory, b->name, 0);
    if (b->fd >= 0)
        close(b->fd);
    if (b->lock >= 0)
        close(b->lock);
    if (b->directory >= 0)
        close(b->directory);
    lm_follow_close(&b->way);
}
