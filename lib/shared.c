/* SPDX-License-Identifier: BSD-3-Clause */
/* Lattices that ranks share, and ranks that were not told the same. */
#include "lib/checksum.h"
#include "lib/floats.h"
#include "lib/parts.h"
#include "lib/status.h"

/* The settings as one number that can be compared from both sides. */
static int64_t number_of(const latmc_lattice *lattice)
{
    return (int64_t)(lm_settings_sum(lattice) >> 2);
}

latmc_status lm_ranks_alike(const latmc_lattice *lattice, const char *caller, int64_t number)
{
    int64_t all[4];
    latmc_status status;

    if (lm_ranks_count(lattice->ranks) == 1)
        return LATMC_OK;
    all[0] = number_of(lattice);
    all[1] = -all[0];
    all[2] = number;
    all[3] = -number;
    status = lm_everywhere(lattice, LATMC_OK);
    if (!status)
        status = lm_ranks_most(lattice->ranks, 4, all);
    if (!status && all[0] != -all[1])
        status = lm_fail(LATMC_ERROR_STATE,
                         "%s: the lattice has other settings on one rank than on another; each "
                         "rank has to make the same calls with the same values",
                         caller);
    else if (!status && all[2] != -all[3])
        status = lm_fail(LATMC_ERROR_STATE, "%s: one rank was given other arguments than another",
                         caller);
    return status;
}

int64_t lm_number_given(const lm_given *given, int count)
{
    lm_checksum sum;

    lm_checksum_begin(&sum);
    for (int i = 0; i < count; i++) {
        lm_checksum_add(&sum, &given[i].bytes, sizeof given[i].bytes);
        if (given[i].bytes)
            lm_checksum_add(&sum, given[i].what, given[i].bytes);
    }
    return (int64_t)(lm_checksum_value(&sum) >> 2);
}

/* The lattice that each rank has made becomes that of all, or of none. */
static latmc_status share(const char *caller, lm_ranks *ranks, latmc_status status,
                          latmc_lattice *own, latmc_lattice **lattice)
{
    lm_ranks_enter(ranks, caller);
    status = lm_ranks_agree(ranks, status);
    if (!status) {
        own->ranks = own->watch.ranks = ranks;
        status = lm_ranks_alike(own, caller, 0);
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
                                   latmc_model model, int dims, const int64_t *extents)
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
