/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a saved lattice goes and comes from: a file or memory. */
#ifndef LM_STREAM_H
#define LM_STREAM_H

#include <latmc/latmc.h>

typedef struct lm_sink {
    const char *who; /* the public function, for messages */
    void *target;
    latmc_status (*write)(struct lm_sink *sink, const void *data, size_t bytes);
    /* NULL: all of it is written in order. Otherwise ranks write it together, each what it has:
     * what comes next belongs `offset` bytes behind the beginning. */
    latmc_status (*go)(struct lm_sink *sink, uint64_t offset);
} lm_sink;

typedef struct lm_source {
    const char *who;
    const char *name; /* for messages: a path in quotes, or what else it is */
    void *origin;
    uint64_t size;
    /* All the bytes [offset, offset + bytes), which are below size, or a failure. */
    latmc_status (*read)(struct lm_source *source, uint64_t offset, void *data, size_t bytes);
} lm_source;

#endif
