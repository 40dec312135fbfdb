/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* O_PATH */

#include "lib/save/resolve_links.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"

enum { MOST_LINKS = 40 };

#ifdef O_PATH
enum { SEARCH = O_PATH | O_DIRECTORY | O_CLOEXEC };
#else
enum { SEARCH = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
#endif

/* A component of the path. */
typedef struct component {
    struct stat about;
    char link[PATH_MAX]; /* the target of a symbolic link; "" if the component is no link */
} component;

static latmc_status cannot(const lm_target *t)
{
    return lm_io_failure(t->caller, "write to", t->path);
}

/* Makes the descriptor that of the next directory. The target then owns it. */
static latmc_status enter(lm_target *t, int fd)
{
    if (fd < 0)
        return cannot(t);
    if (t->directory >= 0)
        close(t->directory);
    t->directory = fd;
    return LATMC_OK;
}

/* ---- one component */

/* Looks at a component. All questions about a link are asked of one inode, which nobody can
 * exchange meanwhile. Returns 0 and sets errno on failure. */
static int look(const lm_target *t, const char *name, component *c)
{
    ssize_t n = 0;

    c->link[0] = '\0';
#ifdef O_PATH
    const int fd = openat(t->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0)
        return 0;
    if (fstat(fd, &c->about) != 0 ||
        (S_ISLNK(c->about.st_mode) && (n = readlinkat(fd, "", c->link, sizeof c->link)) <= 0))
        n = -1;
    close(fd);
#else
    if (fstatat(t->directory, name, &c->about, AT_SYMLINK_NOFOLLOW) != 0 ||
        (S_ISLNK(c->about.st_mode) &&
         (n = readlinkat(t->directory, name, c->link, sizeof c->link)) <= 0))
        n = -1;
#endif
    if (n == sizeof c->link)
        errno = ENAMETOOLONG;
    if (n < 0 || n == sizeof c->link)
        return 0;
    c->link[n] = '\0';
    return 1;
}

/* Refuses a link that may not be followed. */
static latmc_status trust(const lm_target *t, const char *name, const component *c)
{
    const mode_t open_to_all = S_ISVTX | S_IWOTH;
    struct stat in;

    if (fstat(t->directory, &in) != 0)
        return cannot(t);
    if ((in.st_mode & open_to_all) != open_to_all || c->about.st_uid == geteuid() ||
        c->about.st_uid == in.st_uid)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_IO,
                   "%s: cannot write to \"%.400s\": the symbolic link \"%.200s\" belongs to user "
                   "%lu; in a directory where everybody may make links, only those of this "
                   "process's user and of the directory's owner are followed",
                   t->caller, t->path, name, (unsigned long)c->about.st_uid);
}

/* Returns whether the directory is in /proc. A link there may lead where no path does, for example
 * to a deleted directory. */
static int only_kernel_follows(const lm_target *t)
{
#ifdef __linux__
    const long proc = 0x9fa0; /* statfs(2) */
    struct statfs system;

    return fstatfs(t->directory, &system) == 0 && system.f_type == proc;
#else
    (void)t;
    return 0;
#endif
}

/* ---- the path */

/* Replaces a link's name, the `length` bytes at t->head, by its target. */
static latmc_status put_in_place(lm_target *t, size_t length, const char *link)
{
    const int from_root = link[0] == '/';
    const size_t head = from_root ? 0 : t->head, says = strlen(link);
    const char *rest = t->names + t->head + length;
    char *names = lm_zeroed(t->caller, "a path", (int64_t)(head + says + strlen(rest) + 1), 1);

    if (!names)
        return LATMC_ERROR_MEMORY;
    memcpy(names, t->names, head);
    memcpy(names + head, link, says);
    strcpy(names + head + says, rest);
    free(t->names);
    t->names = names;
    t->head = head;
    return from_root ? enter(t, open("/", SEARCH)) : LATMC_OK;
}

/* Enters the directory of this name, which is the `length` bytes at t->head. */
static latmc_status descend(lm_target *t, const char *name, size_t length, int flags)
{
    const latmc_status status = enter(t, openat(t->directory, name, SEARCH | flags));

    t->head += length;
    return status;
}

static latmc_status follow_link(lm_target *t, const char *name, size_t length, const component *c)
{
    const int last = !t->names[t->head + length];
    const latmc_status status = trust(t, name, c);

    errno = ELOOP;
    if (!status && ++t->links > MOST_LINKS)
        return cannot(t);
    if (!status && !last && only_kernel_follows(t))
        return descend(t, name, length, 0);
    return status ? status : put_in_place(t, length, c->link);
}

/* Handles the component at t->head. Sets `base` if the component is the last one and no link. */
static latmc_status step(lm_target *t, size_t length)
{
    const int last = !t->names[t->head + length];
    char name[NAME_MAX + 1];
    component c;

    errno = ENAMETOOLONG;
    if (length >= sizeof name)
        return cannot(t);
    memcpy(name, t->names + t->head, length);
    name[length] = '\0';
    if (!look(t, name, &c) && !(last && length > 0 && errno == ENOENT))
        return cannot(t);
    if (c.link[0])
        return follow_link(t, name, length, &c);
    if (!last)
        return descend(t, name, length, O_NOFOLLOW);
    t->base = t->names + t->head;
    return LATMC_OK;
}

latmc_status lm_resolve_links(lm_target *t)
{
    latmc_status status;

    t->names = lm_zeroed(t->caller, "a path", 1, 1);
    status = t->names ? put_in_place(t, 0, t->path) : LATMC_ERROR_MEMORY;
    if (!status && t->directory < 0)
        status = enter(t, open(".", SEARCH));
    while (!status && !t->base) {
        t->head += strspn(t->names + t->head, "/");
        if (t->head > 0 && !t->names[t->head])
            t->base = "."; /* nothing follows the slash: a directory */
        else
            status = step(t, strcspn(t->names + t->head, "/"));
    }
    return status;
}

char *lm_target_directory(const lm_target *t)
{
    char *directory = t->head ? strndup(t->names, t->head) : strdup("."), *whole;

    if (!directory)
        return NULL;
    whole = realpath(directory, NULL);
    free(directory);
    return whole;
}

void lm_target_close(lm_target *t)
{
    if (t->directory >= 0)
        close(t->directory);
    free(t->names);
}
