/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps each replica's sites of lowest energy among those that were looked at. They are in host
 * memory, in their saved form. */
#include "lib/measure/best.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/checksum.h"
#include "lib/base/chunk.h"
#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/divide/workers.h"
#include "lib/lattice/best_memory.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_leaves.h"
#include "lib/lattice/need.h"
#include "lib/lattice/rows.h"
#include "lib/measure/reading.h"
#include "lib/settings/params.h"
#include "lib/sites/sites.h"

static void add_number(lm_checksum *sum, double number)
{
    uint8_t bytes[8], *at = bytes;

    lm_put_f64(&at, number);
    lm_checksum_add(sum, bytes, sizeof bytes);
}

unsigned lm_best_bundles(const latmc_lattice *lattice)
{
    return lattice->best.energies
               ? lm_bundles_in_use(
                     lattice,
                     lm_entry_find(lattice->model, LATMC_OBSERVABLES, LATMC_ENERGY)->bundles)
               : 0;
}

/* A Hamiltonian: the parameters of a slot, without those that do not decide the energy of given
 * sites, and their hash. */
typedef struct hamiltonian {
    double params[LM_MAX_PARAMS];
    uint64_t hash;
} hamiltonian;

/* Reads all that decides the energy of given sites. This is every parameter of the distribution but
 * beta. */
static void read_hamiltonian(const latmc_lattice *lattice, int64_t slot, double *params)
{
    const lm_list *list = lm_list_of(lattice->model, LATMC_PARAMS);

    lm_params_of(lattice, slot, params);
    for (int p = 0; p < list->count; p++)
        if (!lm_param_in_action(lattice->model, p) || list->entries[p].id == LATMC_BETA)
            params[p] = list->entries[p].preset;
}

/* Returns the hash of these parameters, and of the couplings of bond types. A parameter at its
 * preset does not enter, so that a model may gain some. */
static uint64_t hash_of(const latmc_lattice *lattice, const double *params)
{
    const lm_list *list = lm_list_of(lattice->model, LATMC_PARAMS);
    lm_checksum sum;

    lm_checksum_begin(&sum);
    for (int p = 0; p < list->count; p++) {
        const lm_entry *e = &list->entries[p];

        if (params[p] == e->preset)
            continue;
        lm_checksum_add(&sum, e->name, strlen(e->name));
        add_number(&sum, params[p]);
    }
    for (int64_t type = 0; type < lm_bond_types(lattice); type++)
        add_number(&sum, lattice->type_couplings[type]);
    return lm_checksum_value(&sum);
}

/* Returns the hash of a slot's Hamiltonian. Most slots have that of the slot before, in `last`. */
static uint64_t hamiltonian_of(const latmc_lattice *lattice, int64_t slot, hamiltonian *last)
{
    const size_t bytes =
        (size_t)lm_list_of(lattice->model, LATMC_PARAMS)->count * sizeof *last->params;
    double params[LM_MAX_PARAMS];

    read_hamiltonian(lattice, slot, params);
    if (!last->hash || memcmp(params, last->params, bytes) != 0) {
        memcpy(last->params, params, bytes);
        last->hash = hash_of(lattice, params);
    }
    return last->hash;
}

/* Begins anew for a replica if its energies are no longer those of one Hamiltonian. */
static void follow_hamiltonian(latmc_lattice *lattice, int64_t replica, hamiltonian *last)
{
    const uint64_t now = hamiltonian_of(lattice, lattice->slots[replica], last);

    if (lattice->best.hamiltonians[replica] != now)
        lm_best_forget(lattice, replica);
    lattice->best.hamiltonians[replica] = now;
}

/* Returns whether an energy is lower than the best one. Every number is lower than none, which is a
 * NaN. A NaN is never lower. */
static int is_better(double energy, double best)
{
    return energy < best || (isnan(best) && !isnan(energy));
}

/* Energies that are to be computed. An item is a replica. */
typedef struct reading_energies {
    const latmc_lattice *lattice;
    const lm_entry *energy;
    lm_reading reading;
    const double *sums;
} reading_energies;

static void read_energy(void *user, int thread, int64_t replica)
{
    const reading_energies *e = user;
    lm_reading in = e->reading;
    double params[LM_MAX_PARAMS];

    (void)thread;
    lm_params_of(e->lattice, e->lattice->slots[replica], params);
    lm_reading_turn(&in, e->lattice, replica, params, e->sums + replica * lm_sums_of(e->lattice));
    e->lattice->best.now[replica] = lm_entry_value(e->energy, in);
}

/* Computes the energies of all replicas by threads. */
static void read_energies(const latmc_lattice *lattice, const double *sums)
{
    const double ns = (LM_ITEM_NS + LM_VALUE_NS) * (double)lattice->replicas;
    reading_energies e = {lattice, lm_entry_find(lattice->model, LATMC_OBSERVABLES, LATMC_ENERGY),
                          lm_reading_of(lattice, NULL, NULL), sums};

    lm_workers_share(lattice->threads, lm_workers(lattice->threads, ns), lattice->replicas,
                     read_energy, &e);
}

static latmc_status keep_sites(latmc_lattice *lattice, const char *caller, int64_t replica)
{
    lm_best *best = &lattice->best;
    const lm_leaves leaves = lm_leaves_of_sites(lattice);
    const latmc_status status =
        lm_get_rows(lattice, caller, replica, (lm_chunk){0, lattice->rows}, best->numbers);

    if (status)
        return status;
    lm_leaves_encode(&leaves, best->numbers, leaves.numbers,
                     best->sites + replica * lm_trunk_bytes(&leaves));
    best->energies[replica] = best->now[replica];
    best->sweeps[replica] = lattice->sweeps;
    return LATMC_OK;
}

latmc_status lm_best_look(latmc_lattice *lattice, const char *caller, const double *sums)
{
    lm_best *best = &lattice->best;
    hamiltonian last = {.hash = 0};
    latmc_status status = LATMC_OK;

    if (!best->energies)
        return LATMC_OK;
    read_energies(lattice, sums);
    for (int64_t r = 0; r < lattice->replicas && !status; r++) {
        follow_hamiltonian(lattice, r, &last);
        if (is_better(best->now[r], best->energies[r]))
            status = keep_sites(lattice, caller, r);
    }
    return status;
}

latmc_status lm_best_measure(latmc_lattice *lattice, const char *caller)
{
    double *sums = lattice->best.sums;
    latmc_status status;

    if (!sums)
        return LATMC_OK;
    /* idle bundles are not measured */
    memset(sums, 0, (size_t)lm_sums_count(lattice) * sizeof *sums);
    status =
        lm_fail_in(caller, lm_plan_measure(lattice->home.plan, lm_best_bundles(lattice), sums));
    return status ? status : lm_best_look(lattice, caller, sums);
}

/* ---- the public calls */

latmc_status latmc_keep_best(latmc_lattice *lattice, int32_t keep)
{
    latmc_status status = lm_need_started(lattice, __func__);
    lm_best best = {0};

    if (!status && keep != 0 && keep != 1)
        status =
            lm_fail(LATMC_ERROR_ARGUMENT, "%s: keep is %d; 0 and 1 are allowed", __func__, keep);
    if (!status)
        lm_given_integer(lattice->ranks, "keep", keep);
    if (!status && keep)
        status = lm_best_make(lattice, __func__, &best);
    if (!status && keep)
        status = lm_best_make_sums(lattice, __func__, &best);
    status = lm_everywhere(lattice, status);
    if (status) {
        lm_best_free(&best);
        return status;
    }
    lm_best_free(&lattice->best);
    lattice->best = best;
    return LATMC_OK;
}

static latmc_status need_best(const latmc_lattice *lattice, const char *caller)
{
    const latmc_status status = lm_need_lattice(lattice, caller);

    if (status || lattice->best.energies)
        return status;
    return lm_fail(LATMC_ERROR_STATE, "%s: no best sites are kept; call latmc_keep_best() first",
                   caller);
}

latmc_status latmc_get_best(const latmc_lattice *lattice, double *energies, int64_t *sweeps)
{
    const latmc_status status = need_best(lattice, __func__);

    if (status)
        return status;
    if (!energies && !sweeps)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: all arrays are NULL; at least one is needed",
                       __func__);
    for (int64_t r = 0; r < lattice->replicas; r++) {
        if (energies)
            energies[r] = lattice->best.energies[r];
        if (sweeps)
            sweeps[r] = lattice->best.sweeps[r];
    }
    return LATMC_OK;
}

static latmc_status need_compared(const latmc_lattice *lattice, const char *caller, lm_chunk of)
{
    for (int64_t r = of.first; r < of.first + of.count; r++)
        if (lattice->best.sweeps[r] < 0)
            return lm_fail(LATMC_ERROR_STATE,
                           "%s: no state of replica %" PRId64
                           " was compared since latmc_keep_best() or latmc_start(); sweep first",
                           caller, r);
    return LATMC_OK;
}

/* Writes best sites to memory of the host. */
static void write_best(const latmc_lattice *lattice, const lm_array *asked, char *sites)
{
    const lm_leaves leaves = lm_leaves_of_sites(lattice);
    const int64_t each = lm_type_bytes(lattice, asked->type);

    for (int64_t i = 0; i < asked->of.count; i++)
        lm_unpack_sites(lattice,
                        lattice->best.sites + (asked->of.first + i) * lm_trunk_bytes(&leaves),
                        asked->type, lattice->best.numbers, sites + i * each);
}

/* Writes them to an array, for memory of a device through memory of the host. */
static latmc_status give_best(const latmc_lattice *lattice, const char *caller,
                              const lm_array *asked, char *sites)
{
    char *here = sites;
    latmc_status status = LATMC_OK;

    if (asked->owner)
        here = lm_zeroed(caller, "best sites on their way to a device", (int64_t)asked->bytes, 1);
    if (!here)
        return LATMC_ERROR_MEMORY;
    write_best(lattice, asked, here);
    if (asked->owner) {
        status = lm_sites_copy(asked, caller, sites, here);
        free(here);
    }
    return status;
}

latmc_status latmc_get_best_sites(latmc_lattice *lattice, int64_t first, int64_t replicas,
                                  latmc_type type, void *sites, size_t bytes)
{
    LM_FLOATS;
    lm_array asked = {.of = {first, replicas}, .type = type, .bytes = bytes};
    latmc_status status = need_best(lattice, __func__);

    if (!status)
        status = lm_check_sites(lattice, __func__, &asked, sites);
    if (!status)
        status = need_compared(lattice, __func__, asked.of);
    return status || !sites ? status : give_best(lattice, __func__, &asked, sites);
}
