/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a new file that replaces the file at a path, completely or not at all. It is written
 * beside the old file under its own name, PATH.tmp-PID-N, and then renamed.
 *
 * A process that dies in between leaves its file. The next process that writes to the same path
 * removes the file. It does so only if no process has the PID and nobody holds its lock. Every
 * writer locks its file (flock) from the first moment until the rename. So a file is safe even if
 * the writer's PID means nothing here: on another host, or in another container. A process that
 * gets the lock of another's file removes the file. So a writer that does not get the lock of its
 * new file takes another name. It also does so if it finds the file gone afterwards. Where files
 * cannot be locked, nothing is removed.
 *
 * Open MPI keeps a file PATH.tmp-PID-N-JOB-PID.lock for each rank that has the new file open. A
 * killed job leaves these locks. A lock is removed if both PIDs are dead here and its temporary is
 * gone. A temporary is removed only when nobody, on any host, holds its lock.
 */
#ifndef LM_REPLACE_FILE_H
#define LM_REPLACE_FILE_H

#include <limits.h>
#include <sys/stat.h>

#include "lib/save/resolve_links.h"

typedef struct lm_replacement {
    const char *caller, *path; /* for messages */
    lm_target target;          /* where the path leads through symbolic links */
    int stem;                  /* how many bytes of target.base begin the names of temporaries */
    int directory;             /* the file's directory, open for reading if that is allowed */
    int fd;                    /* the new file, open for writing */
    int lock;        /* the new file opened again: holds the lock when `fd` is closed, which
                        may fail */
    int exists;      /* there is a file to replace */
    struct stat old; /* the file to replace */
    char name[NAME_MAX + 1];
} lm_replacement;

/* An initial value, for which lm_replacement_close() does nothing. */
#define LM_REPLACEMENT_NONE                                                                        \
    {                                                                                              \
        .target = LM_TARGET_NONE, .directory = -1, .fd = -1, .lock = -1                            \
    }

/* Makes an empty file beside the file at `path`. It refuses a path that is not a regular file, or
 * that this process may not write. */
latmc_status lm_replacement_open(lm_replacement *b, const char *caller, const char *path);
/* Writes the new file's absolute path. */
latmc_status lm_replacement_path(const lm_replacement *b, char *path, size_t bytes);
/* Renames the new file to the path. */
latmc_status lm_replacement_commit(lm_replacement *b);
/* Closes the file and removes it unless it was renamed. It must be called after
 * lm_replacement_open(), even after a failure. */
void lm_replacement_close(lm_replacement *b);

/* Refuses anything but a regular file: "cannot ACTION PATH: it is a directory, .." */
latmc_status lm_need_regular(const char *caller, const char *action, const char *path,
                             const struct stat *about);

#endif
