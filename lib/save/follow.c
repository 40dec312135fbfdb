/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* O_PATH */

#include "lib/save/follow.h"

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

static latmc_status cannot(const lm_way *w)
{
    return lm_io_failure(w->caller, "write to", w->path);
}

/* Makes the descriptor that of the next directory. The way then owns it. */
static latmc_status enter(lm_way *w, int fd)
{
    if (fd < 0)
        return cannot(w);
    if (w->directory >= 0)
        close(w->directory);
    w->directory = fd;
    return LATMC_OK;
}

/* ---- one component */

/* Looks at a component. All questions about a link are asked of one inode, which nobody can
 * exchange meanwhile. Returns 0 and sets errno on failure. */
static int look(const lm_way *w, const char *name, component *c)
{
    ssize_t n = 0;

    c->link[0] = '\0';
#ifdef O_PATH
    const int fd = openat(w->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0)
        return 0;
    if (fstat(fd, &c->about) != 0 ||
        (S_ISLNK(c->about.st_mode) && (n = readlinkat(fd, "", c->link, sizeof c->link)) <= 0))
        n = -1;
    close(fd);
#else
    if (fstatat(w->directory, name, &c->about, AT_SYMLINK_NOFOLLOW) != 0 ||
        (S_ISLNK(c->about.st_mode) &&
         (n = readlinkat(w->directory, name, c->link, sizeof c->link)) <= 0))
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
static latmc_status trust(const lm_way *w, const char *name, const component *c)
{
    const mode_t open_to_all = S_ISVTX | S_IWOTH;
    struct stat in;

    if (fstat(w->directory, &in) != 0)
        return cannot(w);
    if ((in.st_mode & open_to_all) != open_to_all || c->about.st_uid == geteuid() ||
        c->about.st_uid == in.st_uid)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_IO,
                   "%s: cannot write to \"%.400s\": the symbolic link \"%.200s\" belongs to user "
                   "%lu; in a directory where everybody may make links, only those of this "
                   "process's user and of the directory's owner are followed",
                   w->caller, w->path, name, (unsigned long)c->about.st_uid);
}

/* Returns whether the directory is in /proc. A link there may lead where no path does, for example
 * to a deleted directory. */
static int only_kernel_follows(const lm_way *w)
{
#ifdef __linux__
    const long proc = 0x9fa0; /* statfs(2) */
    struct statfs system;

    return fstatfs(w->directory, &system) == 0 && system.f_type == proc;
#else
    (void)w;
    return 0;
#endif
}

/* ---- the path */

/* Replaces a link's name, the `length` bytes at w->head, by its target. */
static latmc_status put_in_place(lm_way *w, size_t length, const char *link)
{
    const int from_root = link[0] == '/';
    const size_t head = from_root ? 0 : w->head, says = strlen(link);
    const char *rest = w->names + w->head + length;
    char *names = lm_zeroed(w->caller, "a path", (int64_t)(head + says + strlen(rest) + 1), 1);

    if (!names)
        return LATMC_ERROR_MEMORY;
    memcpy(names, w->names, head);
    memcpy(names + head, link, says);
    strcpy(names + head + says, rest);
    free(w->names);
    w->names = names;
    w->head = head;
    return from_root ? enter(w, open("/", SEARCH)) : LATMC_OK;
}

/* Enters the directory of this name, which is the `length` bytes at w->head. */
static latmc_status descend(lm_way *w, const char *name, size_t length, int flags)
{
    const latmc_status status = enter(w, openat(w->directory, name, SEARCH | flags));

    w->head += length;
    return status;
}

static latmc_status follow_link(lm_way *w, const char *name, size_t length, const component *c)
{
    const int last = !w->names[w->head + length];
    const latmc_status status = trust(w, name, c);

    errno = ELOOP;
    if (!status && ++w->links > MOST_LINKS)
        return cannot(w);
    if (!status && !last && only_kernel_follows(w))
        return descend(w, name, length, 0);
    return status ? status : put_in_place(w, length, c->link);
}

/* Handles the component at w->head. Sets `base` if the component is the last one and no link. */
static latmc_status step(lm_way *w, size_t length)
{
    const int last = !w->names[w->head + length];
    char name[NAME_MAX + 1];
    component c;

    errno = ENAMETOOLONG;
    if (length >= sizeof name)
        return cannot(w);
    memcpy(name, w->names + w->head, length);
    name[length] = '\0';
    if (!look(w, name, &c) && !(last && length > 0 && errno == ENOENT))
        return cannot(w);
    if (c.link[0])
        return follow_link(w, name, length, &c);
    if (!last)
        return descend(w, name, length, O_NOFOLLOW);
    w->base = w->names + w->head;
    return LATMC_OK;
}

latmc_status lm_follow(lm_way *w)
{
    latmc_status status;

    w->names = lm_zeroed(w->caller, "a path", 1, 1);
    status = w->names ? put_in_place(w, 0, w->path) : LATMC_ERROR_MEMORY;
    if (!status && w->directory < 0)
        status = enter(w, open(".", SEARCH));
    while (!status && !w->base) {
        w->head += strspn(w->names + w->head, "/");
        if (w->head > 0 && !w->names[w->head])
            w->base = "."; /* nothing follows the slash: a directory */
        else
            status = step(w, strcspn(w->names + w->head, "/"));
    }
    return status;
}

char *lm_follow_directory(const lm_way *w)
{
    char *directory = w->head ? strndup(w->names, w->head) : strdup("."), *whole;

    if (!directory)
        return NULL;
    whole = realpath(directory, NULL);
    free(directory);
    return whole;
}

void lm_follow_close(lm_way *w)
{
    if (w->directory >= 0)
        close(w->directory);
    free(w->names);
}
