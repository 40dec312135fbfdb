/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a path leads through symbolic links, for a file that is to be replaced there.
 *
 * The links are read one by one, so the kernel's protection of them (fs.protected_symlinks) does
 * not take part. Its rule holds here, whatever the kernel's setting is: in a directory that is
 * sticky and that everybody may write to, such as /tmp, a link is followed if it belongs to this
 * process's user or to the directory's owner. It holds for links in the middle of a path too, which
 * the kernel lets pass.
 */
#ifndef LM_FOLLOW_H
#define LM_FOLLOW_H

#include <stddef.h>

#include <latmc/latmc.h>

typedef struct lm_way {
    const char *who, *path; /* for messages */
    char *names;            /* the path; its part names[0, head) has no symbolic link */
    size_t head;
    int directory;    /* what names[0, head) is, open to find names in it (O_PATH) */
    int links;        /* that were followed */
    const char *base; /* the last component; there need be nothing of that name */
} lm_way;

/* What lm_follow_close() has nothing to do for. */
#define LM_WAY_NONE                                                                                \
    {                                                                                              \
        .directory = -1                                                                            \
    }

/* Sets the rest of a way that has `who` and `path`. lm_follow_close() in any case. */
latmc_status lm_follow(lm_way *way);
/* The directory's path from the root on, allocated; NULL with errno. */
char *lm_follow_directory(const lm_way *way);
void lm_follow_close(lm_way *way);

#endif
