/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of replicas in host memory, from wherever a lattice's sites are: in the chunks of
 * lm_next_rows(), of which those used last stay. */
#ifndef LM_ROW_CACHE_H
#define LM_ROW_CACHE_H

#include "lib/base/chunk.h"
#include "lib/lattice/lattice.h"

typedef struct lm_row_cache {
    const latmc_lattice *lattice;
    const char *caller;
    int64_t sets, ways; /* replica r is in set r % sets */
    size_t bytes;       /* of a chunk */
    char *chunks;       /* [set][way] */
    int64_t *replica,
        *first;           /* [set][way]: a replica's number and 1, its chunk's first row; 0: none
                           */
    int64_t *used, clock; /* [set][way]: when last */
    lm_chunk recent;      /* the last one asked for */
} lm_row_cache;

/* Rows that the last `together` calls of lm_row_cached() gave stay where they are, of two replicas
 * at most. Close it in any case. */
latmc_status lm_row_cache_open(lm_row_cache *cache, const latmc_lattice *lattice,
                               const char *caller, int together);
void lm_row_cache_close(lm_row_cache *cache);

/* *sites becomes where the row begins; those behind it follow as far as its chunk goes. */
latmc_status lm_row_cached(lm_row_cache *cache, int64_t replica, int64_t row, const char **sites);

#endif
