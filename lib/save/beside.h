/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A new file that takes the place of the one at a path, whole or not at all: written beside it
 * under a name of its own, PATH.tmp-PID-N, and then renamed.
 *
 * A process that dies in between leaves its file. The next one that writes to the same path
 * removes it, if no other process has that PID and nobody holds its lock. Every writer locks its
 * file (flock) from the first moment until it is renamed, so a file is safe whose writer lives
 * where its PID means nothing here: on another host, in another container. Whoever has the lock of
 * somebody else's file removes it; hence a writer that does not get the lock of the file it has
 * just made, or finds it gone once it has, takes another name. Where files cannot be locked nothing
 * is removed.
 *
 * Open MPI keeps a file PATH.tmp-PID-N-JOB-PID.lock for each rank that has the new one open. A job
 * that was killed leaves these locks. One is removed if both PIDs are dead here and its temporary
 * is gone: a temporary is removed only when nobody, on any host, holds its lock.
 */
#ifndef LM_BESIDE_H
#define LM_BESIDE_H

#include <limits.h>
#include <sys/stat.h>

#include "lib/save/follow.h"

typedef struct lm_beside {
    const char *who, *path; /* for messages */
    lm_way way;             /* where the path leads to through symbolic links */
    int stem;               /* how much of way.base names of temporaries begin with */
    int directory;          /* that has it, open to be read if that is allowed */
    int fd;                 /* to write to, */
    int lock;               /* and once more: keeps the lock when it is closed, which may fail */
    int exists;             /* there is a file to replace, */
    struct stat old;        /* which is this one */
    char name[NAME_MAX + 1];
} lm_beside;

/* What lm_beside_close() has nothing to do for. */
#define LM_BESIDE_NONE                                                                             \
    {                                                                                              \
        .way = LM_WAY_NONE, .directory = -1, .fd = -1, .lock = -1                                  \
    }

/* An empty file beside the one at `path`. What is there and is not a regular file, or may not be
 * written by this process, is refused. */
latmc_status lm_beside_open(lm_beside *b, const char *caller, const char *path);
/* Its path, from the root on. */
latmc_status lm_beside_path(const lm_beside *b, char *path, size_t bytes);
/* It takes its place. */
latmc_status lm_beside_replace(lm_beside *b);
/* In any case after lm_beside_open(): what was not renamed is removed. */
void lm_beside_close(lm_beside *b);

/* Refuses what is not a regular file: "cannot ACTION PATH: it is a directory, .." */
latmc_status lm_need_regular(const char *caller, const char *action, const char *path,
                             const struct stat *about);

#endif
