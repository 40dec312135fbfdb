/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and loads lattices that ranks share. Each rank makes its own lattice first. Then the ranks
 * compare what they have made, and all of them get their lattice, or none. */
#include "lib/base/floats.h"
#include "lib/base/ranks.h"
#include "lib/lattice/disorder.h"
#include "lib/lattice/lattice_leaves.h"
#include "lib/ranks/alike.h"
#include "lib/save/file.h"
#include "lib/save/section_list.h"
#include "lib/save/storage.h"
#include "lib/settings/create.h"
#include "lib/settings/weights.h"

static void give_disorder(lm_ranks *ranks, const latmc_lattice *own, lm_owner owner)
{
    const lm_disorder *d = &own->disorder[owner];
    const int64_t count = lm_is_given(d) ? own->samples * lm_disorder_each(own, owner) : 0;

    lm_given_array(ranks, lm_section_list[lm_section_given(owner)].words,
                   count ? lm_disorder_given(d) : NULL,
                   (size_t)count * (d->signs ? sizeof *d->signs : sizeof *d->reals));
}

/* Gives the model, the extents, and all arrays to the ranks, which compare them. They differ if
 * ranks have read different files, or different memory. */
static void give_made(lm_ranks *ranks, const latmc_lattice *own)
{
    const lm_leaves leaves = lm_leaves_of_sites(own);
    const size_t sites = (size_t)(leaves.trunks * lm_trunk_bytes(&leaves));
    const uint64_t weights = lm_weights_sum(own);

    lm_given_integer(ranks, "model", own->model->entry.id);
    lm_given_integer(ranks, "dims", own->dims);
    lm_given_array(ranks, "extents", own->extents, sizeof own->extents);
    give_disorder(ranks, own, LM_OF_BONDS);
    give_disorder(ranks, own, LM_OF_SITES);
    lm_given_array(ranks, lm_section_list[LM_SECTION_WEIGHTS_GIVEN].words, &weights,
                   sizeof weights);
    lm_given_array(ranks, lm_section_list[LM_SECTION_CHANGED].words, own->changed,
                   (size_t)own->replicas * sizeof *own->changed);
    lm_given_array(ranks, lm_section_list[LM_SECTION_SITES].words, own->home.held, sites);
    lm_given_array(ranks, lm_section_list[LM_SECTION_BEST_SITES].words, own->best.sites, sites);
}

/* Makes one shared lattice of the lattices that the ranks have made, or destroys them all. */
static latmc_status share(const char *caller, lm_ranks *ranks, latmc_status status,
                          latmc_lattice *own, latmc_lattice **lattice)
{
    lm_ranks_enter(ranks, caller);
    if (!status)
        give_made(ranks, own);
    status = lm_ranks_agree(ranks, status);
    if (!status) {
        own->ranks = own->watch.ranks = ranks;
        status = lm_ranks_alike(own);
    }
    if (!status)
        *lattice = own;
    else if (own && own->ranks)
        latmc_destroy(own);
    else {
        latmc_destroy(own);
        lm_ranks_close(ranks);
    }
    return status;
}

latmc_status latmc_create_on_ranks(latmc_lattice **lattice, const latmc_ranks *ranks,
                                   latmc_model model, int64_t dims, const int64_t *extents)
{
    latmc_lattice *own = NULL;
    lm_ranks *all;
    latmc_status status = lm_ranks_open(__func__, ranks, &all);

    if (status)
        return status;
    status = lm_create(__func__, lattice ? &own : NULL, model, dims, extents);
    return share(__func__, all, status, own, lattice);
}

latmc_status latmc_load_on_ranks(latmc_lattice **lattice, const latmc_ranks *ranks,
                                 const char *path)
{
    LM_FLOATS;
    latmc_lattice *own = NULL;
    lm_ranks *all;
    latmc_status status = lm_ranks_open(__func__, ranks, &all);

    if (status)
        return status;
    status = lm_file_load(__func__, path, lattice ? &own : NULL);
    return share(__func__, all, status, own, lattice);
}

latmc_status latmc_load_memory_on_ranks(latmc_lattice **lattice, const latmc_ranks *ranks,
                                        const void *buffer, size_t bytes)
{
    LM_FLOATS;
    latmc_lattice *own = NULL;
    lm_ranks *all;
    latmc_status status = lm_ranks_open(__func__, ranks, &all);

    if (status)
        return status;
    status = lm_memory_load(__func__, buffer, bytes, lattice ? &own : NULL);
    return share(__func__, all, status, own, lattice);
}
