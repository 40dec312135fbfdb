/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps rows of replicas in host memory, read from wherever the sites are. They are kept in the
 * chunks of lm_next_rows(). The chunks used last stay. */
#ifndef LM_ROW_CACHE_H
#define LM_ROW_CACHE_H

#include "lib/base/chunk.h"
#include "lib/lattice/lattice.h"

typedef struct lm_row_cache {
    const latmc_lattice *lattice;
    const char *caller;
    int64_t sets, ways;       /* replica r is in set r % sets */
    size_t bytes;             /* of a chunk */
    char *chunks;             /* [set][way] */
    int64_t *replica, *first; /* [set][way]: a replica's number plus 1, and its chunk's first row;
                                 0: none */
    int64_t *used, clock;     /* [set][way]: time of last use */
    lm_chunk recent;          /* the chunk asked for last */
} lm_row_cache;

/* Opens a cache. Rows from the last `together` calls of lm_row_cached() stay in place if they
 * belong to at most two replicas. The caller closes the cache even after a failure. */
latmc_status lm_row_cache_open(lm_row_cache *cache, const latmc_lattice *lattice,
                               const char *caller, int together);
void lm_row_cache_close(lm_row_cache *cache);

/* Sets *sites to the begin of the row. The next rows follow it, up to the end of its chunk. */
latmc_status lm_row_cached(lm_row_cache *cache, int64_t replica, int64_t row, const char **sites);

#endif
