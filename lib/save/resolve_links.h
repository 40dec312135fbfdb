/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds where a path leads through symbolic links, for a file that is to be replaced there.
 *
 * The links are read one by one, so the kernel's protection of links (fs.protected_symlinks) does
 * not take part. The kernel's rule holds here, whatever its setting is. The rule concerns
 * directories that are sticky and that everybody may write to, such as /tmp. There, a link is
 * followed only if it belongs to this process's user or to the directory's owner. Here the rule
 * also holds for links in the middle of a path, which the kernel lets pass.
 */
#ifndef LM_RESOLVE_LINKS_H
#define LM_RESOLVE_LINKS_H

#include <stddef.h>

#include <latmc/latmc.h>

typedef struct lm_target {
    const char *caller, *path; /* for messages */
    char *names;               /* the path; its part names[0, head) has no symbolic link */
    size_t head;
    int directory;    /* the directory names[0, head), open to find names in it (O_PATH) */
    int links;        /* number of links followed */
    const char *base; /* the last component; nothing of this name need exist */
} lm_target;

/* An initial value, for which lm_target_close() does nothing. */
#define LM_TARGET_NONE                                                                             \
    {                                                                                              \
        .directory = -1                                                                            \
    }

/* Sets the rest of a target that has `caller` and `path`. The caller calls lm_target_close() even
 * after a failure. */
latmc_status lm_resolve_links(lm_target *target);
/* Returns the directory's absolute path, which the caller frees. On failure it returns NULL and
 * sets errno. */
char *lm_target_directory(const lm_target *target);
void lm_target_close(lm_target *target);

#endif
