/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the target and the origin of a saved lattice: a file or memory. */
#ifndef LM_STREAM_H
#define LM_STREAM_H

#include <latmc/latmc.h>

typedef struct lm_sink {
    const char *caller; /* the public function, for messages */
    void *target;
    latmc_status (*write)(struct lm_sink *sink, const void *data, size_t bytes);
    /* Sets where the next bytes belong, `offset` bytes from the begin. Ranks then write together,
     * each its own bytes. NULL: one process writes everything in order. */
    latmc_status (*go)(struct lm_sink *sink, uint64_t offset);
} lm_sink;

typedef struct lm_source {
    const char *caller;
    const char *name; /* for messages: a path in quotes, or another description */
    void *origin;
    uint64_t size;
    /* Reads all bytes of [offset, offset + bytes), which must be within `size`. Otherwise it
     * fails. */
    latmc_status (*read)(struct lm_source *source, uint64_t offset, void *data, size_t bytes);
} lm_source;

#endif
