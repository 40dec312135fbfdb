/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes saved lattices to files and reads them. A file is written beside the old one, brought to
 * the disk and then renamed (lib/save/replace_file.h). So its name always means the whole old
 * lattice or the whole new one, even if the process or the machine stops.
 */
#include "lib/save/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/lattice/lattice.h"
#include "lib/save/replace_file.h"
#include "lib/save/load.h"
#include "lib/save/save.h"

enum { LARGEST_CALL = 1 << 30, NAME_ROOM = 416, WAITING = 1 << 17 };

typedef struct file {
    int fd;
    const char *path; /* as the caller wrote it */
    char *waiting;    /* [WAITING], buffer: bytes to be written together with later ones */
    size_t used;      /* bytes of the buffer in use */
} file;

static latmc_status write_all(const lm_sink *sink, const file *f, const char *from, size_t bytes)
{
    while (bytes > 0) {
        ssize_t n = write(f->fd, from, bytes < LARGEST_CALL ? bytes : LARGEST_CALL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return lm_io_failure(sink->caller, "write", f->path);
        from += n;
        bytes -= (size_t)n;
    }
    return LATMC_OK;
}

static latmc_status write_waiting(const lm_sink *sink, file *f)
{
    const size_t used = f->used;

    f->used = 0;
    return write_all(sink, f, f->waiting, used);
}

static latmc_status write_file(lm_sink *sink, const void *data, size_t bytes)
{
    file *f = sink->target;
    latmc_status status = bytes > WAITING - f->used ? write_waiting(sink, f) : LATMC_OK;

    if (status || bytes > WAITING)
        return status ? status : write_all(sink, f, data, bytes);
    memcpy(f->waiting + f->used, data, bytes);
    f->used += bytes;
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
            return lm_io_failure(source->caller, "read", f->path);
        if (n == 0)
            return lm_fail(LATMC_ERROR_DAMAGED, "%s: \"%.400s\" became shorter while it was read",
                           source->caller, f->path);
        to += n;
        offset += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return LATMC_OK;
}

static latmc_status save_here(latmc_lattice *lattice, const char *caller, const char *path)
{
    lm_replacement b;
    file f = {.path = path, .waiting = lm_zeroed(caller, "what is written next", WAITING, 1)};
    lm_sink sink = {.caller = caller, .target = &f, .write = write_file};
    latmc_status status;

    if (!f.waiting)
        return LATMC_ERROR_MEMORY;
    status = lm_replacement_open(&b, caller, path);
    f.fd = b.fd;
    if (!status)
        status = lm_save_to(lattice, &sink);
    if (!status)
        status = write_waiting(&sink, &f);
    if (!status)
        status = lm_replacement_commit(&b);
    lm_replacement_close(&b);
    free(f.waiting);
    return status;
}

/* ---- by ranks together */

/* A file that all ranks write, each at its own offsets. */
typedef struct joint {
    lm_ranks *ranks;
    void *file;
    uint64_t offset; /* of the buffer in the file */
    char *waiting;   /* [WAITING] */
    size_t used;     /* bytes of the buffer in use */
} joint;

static latmc_status write_joint(joint *j, const void *data, size_t bytes)
{
    const latmc_status status =
        lm_ranks_file_write(j->ranks, j->file, (int64_t)j->offset, data, bytes);

    j->offset += bytes;
    return status;
}

static latmc_status flush_joint(joint *j)
{
    const size_t used = j->used;

    j->used = 0;
    return used ? write_joint(j, j->waiting, used) : LATMC_OK;
}

static latmc_status go_joint(lm_sink *sink, uint64_t offset)
{
    joint *j = sink->target;
    const latmc_status status = flush_joint(j);

    j->offset = offset;
    return lm_fail_in(sink->caller, status);
}

static latmc_status add_joint(lm_sink *sink, const void *data, size_t bytes)
{
    joint *j = sink->target;
    latmc_status status = bytes > WAITING - j->used ? flush_joint(j) : LATMC_OK;

    if (!status && bytes > WAITING)
        return lm_fail_in(sink->caller, write_joint(j, data, bytes));
    if (!status) {
        memcpy(j->waiting + j->used, data, bytes);
        j->used += bytes;
    }
    return lm_fail_in(sink->caller, status);
}

enum { PATH_ROOM = 8192 };

/* Opens the first rank's new file. All ranks get its path. */
static latmc_status open_joint(lm_replacement *b, const char *caller, const char *path, joint *j,
                               char *name)
{
    const int first = lm_ranks_own(j->ranks) == 0;
    latmc_status status = LATMC_OK;

    if (first)
        status = lm_replacement_open(b, caller, path);
    if (first && !status)
        status = lm_replacement_path(b, name, PATH_ROOM);
    status = lm_ranks_agree(j->ranks, status);
    if (!status)
        status = lm_ranks_from_first(j->ranks, name, PATH_ROOM);
    return status ? status : lm_fail_in(caller, lm_ranks_file_open(j->ranks, name, &j->file));
}

/* Writes the whole lattice and brings it to the disk, before the file is renamed. */
static latmc_status write_jointly(latmc_lattice *lattice, const char *caller, joint *j)
{
    lm_sink sink = {.caller = caller, .target = j, .write = add_joint, .go = go_joint};
    latmc_status status = lm_save_to(lattice, &sink), closed;

    if (!status)
        status = flush_joint(j);
    status = lm_ranks_agree(j->ranks, status);
    closed = lm_ranks_file_close(j->ranks, j->file);
    return status ? status : lm_ranks_agree(j->ranks, lm_fail_in(caller, closed));
}

static latmc_status save_jointly(latmc_lattice *lattice, const char *caller, const char *path)
{
    lm_ranks *const ranks = lattice->ranks;
    const int first = lm_ranks_own(ranks) == 0;
    lm_replacement b = LM_REPLACEMENT_NONE;
    char *name = lm_zeroed(caller, "a path", PATH_ROOM, 1);
    joint j = {.ranks = ranks, .waiting = lm_zeroed(caller, "what is written next", WAITING, 1)};
    latmc_status status = lm_ranks_agree(ranks, name && j.waiting ? LATMC_OK : LATMC_ERROR_MEMORY);

    if (!status)
        status = open_joint(&b, caller, path, &j, name);
    if (!status)
        status = write_jointly(lattice, caller, &j);
    if (!status)
        status = lm_ranks_agree(ranks, first ? lm_replacement_commit(&b) : LATMC_OK);
    if (first)
        lm_replacement_close(&b);
    free(name);
    free(j.waiting);
    return status;
}

latmc_status lm_file_save(latmc_lattice *lattice, const char *caller, const char *path)
{
    return (lm_ranks_count(lattice->ranks) > 1 ? save_jointly : save_here)(lattice, caller, path);
}

/* ---- loading */

static latmc_status load_open(const char *caller, file *f, latmc_lattice **lattice)
{
    char name[NAME_ROOM];
    lm_source source = {.caller = caller, .name = name, .origin = f, .read = read_all};
    struct stat about;
    latmc_status status;

    if (fstat(f->fd, &about) != 0)
        return lm_io_failure(caller, "read", f->path);
    status = lm_need_regular(caller, "read", f->path, &about);
    if (status)
        return status;
    snprintf(name, sizeof name, "\"%.400s\"", f->path);
    source.size = (uint64_t)about.st_size;
    return lm_load_from(&source, lattice);
}

latmc_status lm_file_load(const char *caller, const char *path, latmc_lattice **lattice)
{
    /* O_NONBLOCK: a pipe without a writer is refused. Otherwise open() would wait. */
    file f = {.fd = -1, .path = path};
    latmc_status status;

    if (!lattice || !path)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       lattice ? "path" : "lattice");
    f.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (f.fd < 0)
        return lm_io_failure(caller, "open", path);
    status = load_open(caller, &f, lattice);
    close(f.fd);
    return status;
}
