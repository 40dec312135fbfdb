/* SPDX-License-Identifier: BSD-3-Clause */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

enum { LINKS_MAX = 40, OPEN_MAX_LOOKED_AT = 64 };

/* The directory of a path and one more name, allocated. */
static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const size_t directory = slash && name[0] != '/' ? (size_t)(slash - path + 1) : 0;
    char *made = cli_memory((int64_t)(directory + strlen(name) + 1), 1);

    memcpy(made, path, directory);
    strcpy(made + directory, name);
    return made;
}

/* Whether this link may be followed. In a folder such as /tmp, where everybody may make links,
 * those of this user and of the folder's owner may; the kernel has this rule
 * (fs.protected_symlinks), but it does not see links that are read here. */
static int trusted(const char *link)
{
    const mode_t open_to_all = S_ISVTX | S_IWOTH;
    char *folder = beside(link, ".");
    struct stat own, in;
    const int known = !lstat(link, &own) && !stat(folder, &in);

    free(folder);
    return known && ((in.st_mode & open_to_all) != open_to_all || own.st_uid == geteuid() ||
                     own.st_uid == in.st_uid);
}

/* The end of a chain of symbolic links, which need not exist, allocated; NULL with errno if one may
 * not be followed. */
static char *follow(const char *path)
{
    char *at = beside("", path), link[PATH_MAX];

    for (int i = 0; i < LINKS_MAX; i++) {
        const ssize_t length = readlink(at, link, sizeof link - 1);
        char *next;

        if (length < 0)
            break;
        if (!trusted(at)) {
            free(at);
            errno = EACCES;
            return NULL;
        }
        link[length] = '\0';
        next = beside(at, link);
        free(at);
        at = next;
    }
    return at;
}

/* A descriptor of this process that writes to that file, or -1. */
static int own_descriptor(const struct stat *what)
{
    struct stat open;

    for (int fd = 0; fd < OPEN_MAX_LOOKED_AT; fd++)
        if (!fstat(fd, &open) && open.st_dev == what->st_dev && open.st_ino == what->st_ino &&
            (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
            return fd;
    return -1;
}

/* A file of no name that others have, in the folder where `target` is or will be. */
static int make_temporary(const char *target, char **place)
{
    int fd;

    *place = beside(target, ".latmc-XXXXXX");
    fd = mkstemp(*place);
    if (fd < 0) {
        const int fault = errno;

        free(*place);
        *place = NULL;
        errno = fault;
    }
    return fd;
}

/* Whether a file can be made where the path leads. */
static const char *folder_fault(const char *path)
{
    char *target = follow(path), *place;
    const int fd = target ? make_temporary(target, &place) : -1;
    const int fault = errno;

    free(target);
    if (fd < 0)
        return strerror(fault);
    close(fd);
    unlink(place);
    free(place);
    return NULL;
}

static int is_strangers(const char *path)
{
    char *target = follow(path);
    const int refused = !target;

    free(target);
    return refused;
}

static const char *find_fault(const char *path, int regular)
{
    const size_t length = strlen(path);
    struct stat there;

    if (!length)
        return "a file needs a name";
    if (is_strangers(path))
        return "it is a symbolic link of another user, in a folder where everybody may make links";
    if (stat(path, &there)) {
        if (errno != ENOENT)
            return strerror(errno);
        return path[length - 1] == '/' ? "it names a folder" : folder_fault(path);
    }
    if (S_ISDIR(there.st_mode))
        return "it is a folder";
    if (!S_ISREG(there.st_mode) && (regular || S_ISSOCK(there.st_mode) || S_ISBLK(there.st_mode)))
        return "it is no regular file";
    if (!S_ISREG(there.st_mode) || (!regular && own_descriptor(&there) >= 0))
        return access(path, W_OK) ? strerror(errno) : NULL;
    /* root may write it all the same, but somebody has meant to protect it */
    if (!(there.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)))
        return "it is read-only";
    return access(path, W_OK) ? strerror(errno) : folder_fault(path);
}

const char *outfile_fault(const char *path)
{
    return find_fault(path, 0);
}

const char *outfile_save_fault(const char *path)
{
    return find_fault(path, 1);
}

static FILE *open_there(const char *path, const struct stat *there)
{
    const int own = own_descriptor(there);

    fflush(stdout);
    return own < 0 || !S_ISREG(there->st_mode) ? fopen(path, "w") : fdopen(dup(own), "w");
}

/* The mode and the owner of what was there, or those of any new file. */
static void dress(int fd, const struct stat *there)
{
    const mode_t mask = umask(0);

    umask(mask);
    if (!there)
        fchmod(fd, 0666 & ~mask);
    else if (fchown(fd, there->st_uid, there->st_gid))
        fchmod(fd, there->st_mode & 0777);
    else
        fchmod(fd, there->st_mode & 07777);
}

outfile outfile_open(const char *path)
{
    outfile f = {.path = path};
    struct stat there;
    const int exists = !stat(path, &there);
    char *target = follow(path);

    if (target && exists && (!S_ISREG(there.st_mode) || own_descriptor(&there) >= 0)) {
        free(target);
        f.file = open_there(path, &there);
    } else if (target) {
        int fd;

        f.target = target;
        fd = make_temporary(f.target, &f.place);
        if (fd >= 0) {
            dress(fd, exists ? &there : NULL);
            f.file = fdopen(fd, "w+");
        }
    }
    if (!f.file)
        f.fault = errno;
    return f;
}

const char *outfile_place(const outfile *f)
{
    return f->place ? f->place : f->path;
}

/* All that was written is on the disk, or f->fault says why not. */
static void finish(outfile *f)
{
    /* Writers stop at the first failure, so errno is still that of it. */
    if (ferror(f->file) || fflush(f->file))
        f->fault = errno ? errno : EIO;
    else if (f->place && fsync(fileno(f->file)))
        f->fault = errno;
    if (fclose(f->file) && !f->fault)
        f->fault = errno;
    if (f->place && !f->fault && rename(f->place, f->target))
        f->fault = errno;
}

int outfile_close(outfile *f, int good)
{
    if (f->file && good)
        finish(f);
    else if (f->file)
        fclose(f->file);
    if (f->place && (!good || f->fault))
        unlink(f->place);
    if (good && f->fault)
        cli_warn("%s could not be written: %s", f->path, strerror(f->fault));
    free(f->target);
    free(f->place);
    return good && !f->fault;
}
