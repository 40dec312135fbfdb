/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* O_PATH */

#include "lib/save/replace_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

/* A directory can be written to even if it may not be read. */
static int open_directory(const lm_target *target)
{
    const int fd = openat(target->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

#ifdef O_PATH
    return fd < 0 && errno == EACCES
               ? openat(target->directory, ".", O_PATH | O_DIRECTORY | O_CLOEXEC)
               : fd;
#else
    return fd;
#endif
}

/* Finds where the path leads, and opens the directory. */
static latmc_status find(lm_replacement *b)
{
    const latmc_status status = lm_resolve_links(&b->target);
    struct stat about;
    int there;

    if (status)
        return status;
    there = stat(b->path, &about) == 0;
    if (there && !S_ISREG(about.st_mode))
        return lm_need_regular(b->caller, "replace", b->path, &about);
    if (!there && errno != ENOENT)
        return lm_io_failure(b->caller, "write to", b->path);
    b->directory = open_directory(&b->target);
    return b->directory < 0 ? lm_io_failure(b->caller, "open the directory of", b->path) : LATMC_OK;
}

/* Looks at the file that will be replaced. */
static latmc_status look(lm_replacement *b)
{
    latmc_status status;

    b->exists = fstatat(b->directory, b->target.base, &b->old, AT_SYMLINK_NOFOLLOW) == 0;
    if (!b->exists && errno == ENOENT && stat(b->path, &b->old) == 0)
        return lm_fail(LATMC_ERROR_IO, /* for example /proc/self/fd/3 */
                       "%s: cannot replace \"%.400s\": the file that it leads to has no name",
                       b->caller, b->path);
    if (!b->exists && errno == ENOENT)
        return LATMC_OK;
    if (!b->exists)
        return lm_io_failure(b->caller, "write to", b->path);
    status = lm_need_regular(b->caller, "replace", b->path, &b->old);
    if (!status && faccessat(b->directory, b->target.base, W_OK, AT_EACCESS) != 0)
        status = lm_io_failure(b->caller, "write to", b->path);
    return status;
}

/* ---- names of temporaries */

/* Returns how many bytes of the name a temporary's name begins with: all, or as many as leave room
 * for the rest. Letters of several bytes stay whole. */
static int stem_of(const lm_replacement *b)
{
    const long limit = fpathconf(b->directory, _PC_NAME_MAX);
    const int most = limit > 0 && limit < NAME_MAX ? (int)limit : NAME_MAX;
    const int rest = most - (int)(sizeof mark - 1) - 2 * DIGITS - 1;
    int length = (int)strlen(b->target.base);

    if (length <= rest)
        return length;
    length = rest > 1 ? rest : 1;
    while (length > 1 && (b->target.base[length] & 0xc0) == 0x80)
        length--;
    return length;
}

/* Reads one to ten digits as a number and moves on. Returns -1 for anything else. */
static long digits(const char **text)
{
    const size_t n = strspn(*text, "0123456789");
    const long value = n > 0 && n <= DIGITS ? strtol(*text, NULL, 10) : -1;

    *text += n;
    return value;
}

/* Reads a PID and moves on. Returns 0 if the digits are no PID. */
static pid_t pid_at(const char **text)
{
    const long pid = digits(text);

    return pid >= 1 && pid <= INT_MAX ? (pid_t)pid : 0;
}

/* Returns the PID in the name of a temporary of this file, and what follows the PID. Returns 0 if
 * the name is no such name. */
static pid_t writer_of(const lm_replacement *b, const char *name, const char **rest)
{
    const size_t length = (size_t)b->stem;
    pid_t pid;

    if (strncmp(name, b->target.base, length) != 0 ||
        strncmp(name + length, mark, sizeof mark - 1) != 0)
        return 0;
    name += length + sizeof mark - 1;
    pid = pid_at(&name);
    if (!pid || *name++ != '-' || digits(&name) < 0)
        return 0;
    *rest = name;
    return pid;
}

/* Returns the PID of a lock, or 0. Open MPI appends -JOB-PID.lock to the name of a file that it has
 * open. */
static pid_t locker_of(const char *rest)
{
    pid_t pid;

    if (*rest++ != '-' || digits(&rest) < 0 || *rest++ != '-')
        return 0;
    pid = pid_at(&rest);
    return strcmp(rest, ".lock") == 0 ? pid : 0;
}

/* ---- what dead processes have left */

/* Returns whether a process is dead. Our own PID counts as dead: in a container, PIDs come again,
 * and another process may have had it. Our own temporaries are locked while they are written, which
 * is seen when they are locked. */
static int is_dead(pid_t pid)
{
    return pid == getpid() || (kill(pid, 0) != 0 && errno == ESRCH);
}

/* Removes a temporary after its lock is held. It first checks again that the name means this file
 * and that the writer is dead. */
static void remove_locked(const lm_replacement *b, const char *name, pid_t pid, int fd)
{
    struct stat here, there;

    if (fstat(fd, &here) == 0 && S_ISREG(here.st_mode) &&
        fstatat(b->directory, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
        here.st_ino == there.st_ino && here.st_dev == there.st_dev && is_dead(pid))
        unlinkat(b->directory, name, 0);
}

static void remove_temporary(const lm_replacement *b, const char *name, pid_t pid)
{
    const int fd = openat(b->directory, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        remove_locked(b, name, pid, fd);
    if (fd >= 0)
        close(fd);
}

/* Removes a lock whose temporary is gone. If the temporary is there, the lock belongs to a job that
 * may live on another host. Nobody locks the lock itself while the temporary is there. */
static void remove_lock(const lm_replacement *b, const char *name, size_t length)
{
    char temporary[NAME_MAX + 1];
    struct stat about;

    snprintf(temporary, sizeof temporary, "%.*s", (int)length, name);
    if (fstatat(b->directory, temporary, &about, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT &&
        fstatat(b->directory, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode))
        unlinkat(b->directory, name, 0);
}

/* Removes temporaries, or the locks of temporaries that are gone. Returns whether there are locks
 * of dead processes. */
static int remove_some(const lm_replacement *b, DIR *list, int locks)
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

/* Removes what dead processes have left. The save goes on after any failure here. */
static void remove_left(const lm_replacement *b)
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

/* Returns whether the file just made is ours and will stay. */
static int keep(const lm_replacement *b)
{
    struct stat about;

    if (flock(b->fd, LOCK_EX | LOCK_NB) != 0)
        return errno != EWOULDBLOCK; /* it cannot be locked, so nobody removes it */
    return fstatat(b->directory, b->name, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

static latmc_status create(lm_replacement *b)
{
    static atomic_uint counter;

    for (int i = 0; i < MOST_NAMES; i++) {
        snprintf(b->name, sizeof b->name, "%.*s%s%ld-%u", b->stem, b->target.base, mark,
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
    return lm_io_failure(b->caller, "create a file beside", b->path);
}

/* Copies an access control list. Its mask is where the mode has its bits for the group. Returns 0
 * if there is a list and it cannot be copied. */
static int take_list(const lm_replacement *b)
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

/* Copies the permissions of the old file, and its owner and group as far as this process may set
 * them. If the group differs from the old one, it gets the permissions of others. */
static latmc_status take_over(const lm_replacement *b)
{
    mode_t mode = b->old.st_mode & 0777;
    struct stat new;

    if (!take_list(b))
        mode &= ~(mode_t)070;
    if (fstat(b->fd, &new) != 0)
        return lm_io_failure(b->caller, "read the permissions of a file beside", b->path);
    if ((new.st_uid != b->old.st_uid || new.st_gid != b->old.st_gid) &&
        fchown(b->fd, b->old.st_uid, b->old.st_gid) != 0 && new.st_gid != b->old.st_gid &&
        fchown(b->fd, (uid_t)-1, b->old.st_gid) != 0)
        mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
    if ((new.st_mode & 0777) != mode && fchmod(b->fd, mode) != 0)
        return lm_io_failure(b->caller, "keep the permissions of", b->path);
    return LATMC_OK;
}

latmc_status lm_replacement_open(lm_replacement *b, const char *caller, const char *path)
{
    latmc_status status;

    *b = (lm_replacement)LM_REPLACEMENT_NONE;
    b->caller = b->target.caller = caller;
    b->path = b->target.path = path;
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

latmc_status lm_replacement_path(const lm_replacement *b, char *path, size_t bytes)
{
    char *whole = lm_target_directory(&b->target);
    int length;

    if (!whole)
        return lm_io_failure(b->caller, "find the directory of", b->path);
    length = snprintf(path, bytes, "%s/%s", whole, b->name);
    free(whole);
    errno = ENAMETOOLONG;
    return length > 0 && (size_t)length < bytes ? LATMC_OK
                                                : lm_io_failure(b->caller, "write to", b->path);
}

/* Writes the directory entry to the disk, if the file system supports it. */
static latmc_status sync_directory(const lm_replacement *b)
{
    latmc_status status;

    if (fsync(b->directory) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF)
        return LATMC_OK;
    status = lm_io_failure(b->caller, "sync the directory of", b->path);
    return lm_fail(status,
                   "%s; the new file is in place, but a crash of the machine may bring the old "
                   "one back",
                   latmc_error_message());
}

latmc_status lm_replacement_commit(lm_replacement *b)
{
    latmc_status status = LATMC_OK;

    if (fsync(b->fd) != 0)
        status = lm_io_failure(b->caller, "sync", b->path);
    if (close(b->fd) != 0 && !status)
        status = lm_io_failure(b->caller, "close", b->path);
    b->fd = -1;
    if (!status && renameat(b->directory, b->name, b->directory, b->target.base) != 0)
        status = lm_io_failure(b->caller, "put the new file in the place of", b->path);
    if (status)
        return status;
    b->name[0] = '\0';
    return sync_directory(b);
}

void lm_replacement_close(lm_replacement *b)
{
    if (b->name[0])
        unlinkat(b->directory, b->name, 0);
    if (b->fd >= 0)
        close(b->fd);
    if (b->lock >= 0)
        close(b->lock);
    if (b->directory >= 0)
        close(b->directory);
    lm_target_close(&b->target);
}
