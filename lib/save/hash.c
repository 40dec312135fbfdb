/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the hash of a lattice's state: doc/trajectory.md, "State hash". */
#include "lib/save/hash.h"

#include <stdlib.h>

#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/lattice/lattice_leaves.h"
#include "lib/lattice/need.h"
#include "lib/lattice/rows.h"
#include "lib/save/leaf_writer.h"
#include "lib/save/rank_leaves.h"

/* Writes and sums replica after replica, by one process. */
static latmc_status put_in_order(const latmc_lattice *lattice, const char *caller, lm_sink *sink,
                                 uint64_t *hash)
{
    const lm_leaves leaves = lm_leaves_of_sites(lattice);
    void *rows =
        lm_zeroed(caller, "some rows of sites", lm_batch_room(lattice), lattice->type->entry.bytes);
    lm_leaf_writer w;
    latmc_status status = lm_leaf_writer_open(&w, caller, &leaves, sink);

    if (!rows)
        status = LATMC_ERROR_MEMORY;
    for (lm_batch b = {0}; !status && lm_next_batch(lattice, &b);) {
        status = lm_get_batch(lattice, caller, &b, rows);
        if (!status)
            status = lm_leaf_writer_add(&w, rows, lm_batch_numbers(lattice, &b));
    }
    if (!status)
        status = lm_leaf_writer_end(&w, hash);
    lm_leaf_writer_close(&w);
    free(rows);
    return status;
}

latmc_status lm_hash_sites(const latmc_lattice *lattice, const char *caller, lm_sink *sink,
                           uint64_t offset, uint64_t *hash)
{
    return lm_ranks_count(lattice->ranks) > 1 && (!sink || sink->go)
               ? lm_rank_leaves_hash(lattice, caller, sink, offset, hash)
               : put_in_order(lattice, caller, sink, hash);
}

latmc_status latmc_state_hash(latmc_lattice *lattice, uint64_t *hash)
{
    LM_FLOATS;
    latmc_status status = lm_need_started(lattice, __func__);

    if (status)
        return status;
    if (!hash)
        status = lm_fail(LATMC_ERROR_ARGUMENT, "%s: hash is NULL", __func__);
    else
        status = lm_hash_sites(lattice, __func__, NULL, 0, hash);
    return lm_everywhere(lattice, status);
}
