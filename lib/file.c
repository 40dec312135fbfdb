/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Saved lattices in files. A file is written under a name of its own in the same
 * directory, brought to the disk and then renamed, so that its name means the old lattice
 * or the new one, whole, whenever the process or the machine stops. Such a stop can leave
 * a file PATH.tmp-PID-N behind, which nobody needs.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/lattice.h"
#include "lib/status.h"
#include "lib/stream.h"

enum { LARGEST_CALL = 1 << 30, MOST_NAMES = 1000, NAME_ROOM = 64 };

static latmc_status io_failure(const char *who, const char *action, const char *path)
{
    const int error = errno;
    char reason[128] = "unknown error";

    (void)!strerror_r(error, reason, sizeof reason);
    return lm_fail(LATMC_ERROR_IO, "%s: cannot %s \"%.400s\": %s (errno %d)", who, action, path,
                   reason, error);
}

typedef struct file {
    int fd;
    const char *path; /* as the caller knows it */
} file;

static latmc_status write_all(lm_sink *sink, const void *data, size_t bytes)
{
    const file *f = sink->target;
    const char *from = data;

    while (bytes > 0) {
        ssize_t n = write(f->fd, from, bytes < LARGEST_CALL ? bytes : LARGEST_CALL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return io_failure(sink->who, "write", f->path);
        from += n;
        bytes -= (size_t)n;
    }
    return LATMC_OK;
}

static latmc_status read_all(lm_source *source, uint64_t offset, void *data, size_t bytes)
{
    const file *f = source->origin;
    char *to = data;

    while (bytes > 0) {
        ssize_t n = pread(f->fd, to, bytes < LARGEST_CALL ? bytes : LARGEST_CALL, (off_t)offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return io_failure(source->who, "read", f->path);
        if (n == 0)
            return lm_fail(LATMC_ERROR_DAMAGED, "%s: \"%.400s\" became shorter while it was read",
                           source->who, f->path);
        to += n;
        offset += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return LATMC_OK;
}

/* Creates a file beside `path` that was not there before; `name` receives its name. */
static int create_beside(const char *path, char *name, size_t bytes)
{
    static atomic_uint counter;
    int fd = -1;

    for (int i = 0; i < MOST_NAMES; i++) {
        snprintf(name, bytes, "%s.tmp-%ld-%u", path, (long)getpid(), atomic_fetch_add(&counter, 1));
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    return fd;
}

/* Brings the directory entry to the disk, where the file system knows of that. */
static int sync_directory(char *name)
{
    char *slash = strrchr(name, '/');
    int fd, result;

    if (slash)
        slash[slash == name] = '\0';
    fd = open(slash ? name : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    result = fsync(fd);
    if (result && (errno == EINVAL || errno == ENOTSUP))
        result = 0;
    close(fd);
    return result;
}

/* Writes, syncs and closes. */
static latmc_status fill(latmc_lattice *lattice, const char *who, const char *path, int fd)
{
    file f = {fd, path};
    lm_sink sink = {.who = who, .target = &f, .write = write_all};
    latmc_status status = lm_save_to(lattice, &sink);

    if (!status && fsync(fd) != 0)
        status = io_failure(who, "sync", path);
    if (close(fd) != 0 && !status)
        status = io_failure(who, "close", path);
    return status;
}

latmc_status lm_file_save(latmc_lattice *lattice, const char *who, const char *path)
{
    const size_t bytes = strlen(path) + NAME_ROOM;
    char *name = lm_zeroed((int64_t)bytes, 1);
    latmc_status status;
    int fd;

    if (!name)
        return lm_no_memory(who, (double)bytes);
    fd = create_beside(path, name, bytes);
    if (fd < 0) {
        status = io_failure(who, "create a file beside", path);
        free(name);
        return status;
    }
    status = fill(lattice, who, path, fd);
    if (!status && rename(name, path) != 0)
        status = io_failure(who, "put the new file in the place of", path);
    if (status)
        unlink(name);
    else if (sync_directory(name) != 0)
        status = io_failure(who, "sync the directory of", path);
    free(name);
    return status;
}

static latmc_status load_open(const char *who, file *f, latmc_lattice **lattice)
{
    lm_source source = {.who = who, .origin = f, .read = read_all};
    struct stat about;

    if (fstat(f->fd, &about) != 0)
        return io_failure(who, "read", f->path);
    if (!S_ISREG(about.st_mode))
        return lm_fail(LATMC_ERROR_IO, "%s: cannot read \"%.400s\": it is not a regular file", who,
                       f->path);
    source.size = (uint64_t)about.st_size;
    return lm_load_from(&source, lattice);
}

latmc_status lm_file_load(const char *who, const char *path, latmc_lattice **lattice)
{
    /* O_NONBLOCK: a pipe without a writer is refused, not waited for. */
    file f = {open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), path};
    latmc_status status;

    if (f.fd < 0)
        return io_failure(who, "open", path);
    status = load_open(who, &f, lattice);
    close(f.fd);
    return status;
}
