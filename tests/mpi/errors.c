/* SPDX-License-Identifier: BSD-3-Clause */
/* What fails on one rank fails on all, with its sentence, and the lattice is as it was. */
#include <latmc/mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/modes.h"
#include "tests/mpi/told.h"
#include "tests/recording.h"
#include "tests/sites.h"

/* A lattice on all ranks, and the same in this process alone, which makes what succeeds. */
typedef struct pair {
    latmc_lattice *all, *alone;
    int kind, bad; /* the rank that does something wrong */
} pair;

static int is_bad(const pair *p)
{
    return told_rank == p->bad;
}

static int same(const pair *p)
{
    uint64_t hashes[2];
    latmc_lattice_info infos[2] = {LATMC_INIT(latmc_lattice_info), LATMC_INIT(latmc_lattice_info)};

    return !latmc_state_hash(p->all, &hashes[0]) && !latmc_state_hash(p->alone, &hashes[1]) &&
           hashes[0] == hashes[1] && !latmc_get_lattice_info(p->all, &infos[0]) &&
           !latmc_get_lattice_info(p->alone, &infos[1]) && infos[0].sweeps == infos[1].sweeps;
}

/* A call failed as it should: on all ranks with the bad one's words, and with nothing changed. */
static void failed(const pair *p, latmc_status got, latmc_status want, const char *words,
                   const char *what)
{
    char of_rank[32] = ""; /* where there are several */
    int right;

    if (told_ranks > 1)
        snprintf(of_rank, sizeof of_rank, "rank %d: ", p->bad);
    right = got == want && strstr(latmc_error_message(), of_rank) &&
            strstr(latmc_error_message(), words);
    if (!right) {
        printf("FAILED - rank %d: %s: %s: %s\n", told_rank, what, latmc_status_name(got),
               latmc_error_message());
        fflush(stdout);
    }
    told(modes_agree(right) && same(p), "lattice %d, rank %d: %s", p->kind, p->bad, what);
}

/* ---- arguments */

static void try_arguments(const pair *p)
{
    const latmc_update update = modes_update(p->kind);
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY),
                         wrong = LATMC_QUANTITY(is_bad(p) ? 2999 : LATMC_ENERGY);
    latmc_lattice_info info = LATMC_INIT(latmc_lattice_info);
    double *values;
    uint64_t hash;

    if (latmc_get_lattice_info(p->all, &info))
        return;
    values = calloc((size_t)(3 * info.replicas), sizeof *values);
    failed(p, latmc_sweep(p->all, update, is_bad(p) ? -1 : 4), LATMC_ERROR_ARGUMENT, "-1",
           "a number of sweeps below 0");
    failed(p, latmc_sweep(p->all, is_bad(p) ? (latmc_update)799 : update, 4), LATMC_ERROR_UNKNOWN,
           "latmc_sweep", "an unknown update");
    failed(p, latmc_observe(p->all, LATMC_BY_REPLICA, 1, &wrong, values), LATMC_ERROR_UNKNOWN,
           "latmc_observe", "an unknown observable");
    failed(p, record_series(p->all, update, 1, 3, 1, &energy, is_bad(p) ? NULL : values),
           LATMC_ERROR_ARGUMENT, "NULL", "no room for a series");
    failed(p, latmc_state_hash(p->all, is_bad(p) ? NULL : &hash), LATMC_ERROR_ARGUMENT, "NULL",
           "no room for a hash");
    failed(p, latmc_set_param(p->all, is_bad(p) ? (latmc_param)1999 : LATMC_FIELD, 0.0),
           LATMC_ERROR_UNKNOWN, "latmc_set_param", "an unknown parameter");
    free(values);
}

static void try_sites(const pair *p)
{
    latmc_lattice_info info = LATMC_INIT(latmc_lattice_info);
    const latmc_type types[] = {LATMC_INT8, LATMC_FLOAT64};
    latmc_type type;
    int64_t count;
    void *sites;

    if (latmc_get_lattice_info(p->all, &info))
        return;
    type = types[info.model != LATMC_ISING];
    count = info.sites * info.components;
    sites = calloc((size_t)count, sizeof(double));
    failed(p, get_replica(p->all, is_bad(p) ? info.replicas : 0, type, sites, count),
           LATMC_ERROR_ARGUMENT, "first is", "sites of a replica that there is not");
    if (get_replica(p->alone, 0, type, sites, count))
        return;
    if (is_bad(p) && type == LATMC_INT8)
        ((int8_t *)sites)[count - 1] = 3;
    else if (is_bad(p))
        ((double *)sites)[count - 1] = strtod("nan", NULL);
    failed(p, set_replica(p->all, 0, type, sites, count), LATMC_ERROR_ARGUMENT, "latmc_set_sites",
           "a site that the model does not have");
    free(sites);
}

/* ---- devices */

static void try_device(const pair *p)
{
    failed(p, latmc_set_device(p->all, is_bad(p) ? "abacus:0" : "cpu:scalar"),
           LATMC_ERROR_NO_DEVICE, "abacus", "a device that cannot be had");
    told(!latmc_set_device(p->all, is_bad(p) ? "cpu:scalar" : "cpu") && same(p),
         "lattice %d: ranks may have different devices", p->kind);
}

/* ---- calls that are not the same */

static void try_calls(const pair *p)
{
    uint64_t hash;
    const latmc_status status =
        is_bad(p) ? latmc_state_hash(p->all, &hash) : latmc_sweep(p->all, modes_update(p->kind), 1);

    if (told_ranks > 1)
        told(status == LATMC_ERROR_STATE && strstr(latmc_error_message(), "different functions") &&
                 same(p),
             "lattice %d, rank %d: another call than the others'", p->kind, p->bad);
    else if (is_bad(p) && status)
        told(0, "one rank alone hashes");
}

/* ---- arguments that are not the same */

static void differs(const pair *p, latmc_status got, const char *words, const char *what)
{
    if (told_ranks < 2)
        return;
    told(modes_agree(got == LATMC_ERROR_STATE &&
                     strstr(latmc_error_message(), "different arguments") &&
                     strstr(latmc_error_message(), words)) &&
             (!p || same(p)),
         "rank %d alone gives %s", p ? p->bad : 0, what);
}

static void try_differences(const pair *p)
{
    latmc_lattice_info info = LATMC_INIT(latmc_lattice_info);
    int8_t *sites;

    if (latmc_get_lattice_info(p->all, &info) || info.model != LATMC_ISING || told_ranks < 2)
        return;
    sites = calloc((size_t)info.sites, 1);
    if (info.replicas > 1)
        differs(p, get_replica(p->all, is_bad(p), LATMC_INT8, sites, info.sites),
                "first: ", "another replica");
    memset(sites, 1, (size_t)info.sites);
    sites[0] = is_bad(p) ? -1 : 1;
    differs(p, set_replica(p->all, 0, LATMC_INT8, sites, info.sites), "sites: ", "other sites");
    free(sites);
}

/* Of a lattice that has not started; and of one that is made, or loaded. */
static void try_other_lattices(void)
{
    const int odd = told_rank == 0;
    const int64_t extents[] = {8, odd ? 16 : 8};
    latmc_lattice *l = NULL, *made = NULL;
    double couplings[2 * 8 * 8];
    char bytes[4096];
    size_t used = 0;

    for (int i = 0; i < 2 * 8 * 8; i++)
        couplings[i] = odd ? 1.0 : -1.0;
    if (!told(!latmc_mpi_create(&l, MPI_COMM_SELF, LATMC_ISING, 2, (int64_t[]){8, 8}) &&
                  !latmc_set_bond_couplings(l, couplings) && !latmc_start(l, LATMC_START_COLD) &&
                  !latmc_save_memory(l, bytes, sizeof bytes, &used),
              "each rank has a lattice of its own"))
        return;
    latmc_destroy(l);
    differs(NULL, latmc_mpi_load_memory(&made, MPI_COMM_WORLD, bytes, used),
            "the couplings of the bonds: ", "what has other couplings");
    differs(NULL, latmc_mpi_create(&made, MPI_COMM_WORLD, LATMC_ISING, 2, extents),
            "extents: ", "other extents");
    if (told_ranks < 2 ||
        latmc_mpi_create(&made, MPI_COMM_WORLD, LATMC_ISING, 2, (int64_t[]){8, 8}))
        return;
    differs(NULL, latmc_set_bond_couplings(made, couplings), "couplings: ", "other couplings");
    latmc_destroy(made);
}

/* ---- callbacks */

typedef struct stopper {
    const pair *p;
    int calls, stops_at, intruded;
} stopper;

static int stop(void *user, int64_t done, int64_t total)
{
    stopper *s = user;

    (void)done, (void)total;
    s->intruded |= latmc_sweep(s->p->all, LATMC_METROPOLIS, 1) != LATMC_ERROR_STATE;
    return is_bad(s->p) && ++s->calls >= s->stops_at;
}

static void try_callback(const pair *p)
{
    enum { MANY = 1 << 28 };
    stopper s = {.p = p, .stops_at = 1};
    latmc_lattice_info before = LATMC_INIT(latmc_lattice_info),
                       after = LATMC_INIT(latmc_lattice_info);
    latmc_status status;

    if (latmc_set_progress(p->all, stop, &s) || latmc_get_lattice_info(p->all, &before))
        return;
    status = latmc_sweep(p->all, modes_update(p->kind), MANY);
    told(status == LATMC_CANCELLED && !s.intruded && !latmc_set_progress(p->all, NULL, NULL) &&
             !latmc_get_lattice_info(p->all, &after) && after.sweeps > before.sweeps &&
             after.sweeps - before.sweeps < MANY &&
             !latmc_sweep(p->alone, modes_update(p->kind), after.sweeps - before.sweeps) && same(p),
         "lattice %d: rank %d alone stops a call, all have stopped after the same sweep", p->kind,
         p->bad);
}

/* ---- files */

static void try_files(const pair *p)
{
    char good[620], bad[640];
    latmc_lattice *loaded = NULL;
    size_t bytes = 0;
    void *memory;

    snprintf(good, sizeof good, "%s/good", modes_folder);
    snprintf(bad, sizeof bad, "%s/no/such", modes_folder);
    told(latmc_save(p->all, bad) == LATMC_ERROR_IO && strstr(latmc_error_message(), "no/such") &&
             same(p),
         "lattice %d: a file that cannot be made", p->kind);
    told(!latmc_save(p->all, good), "lattice %d: one that can", p->kind);
    failed(p, latmc_mpi_load(&loaded, MPI_COMM_WORLD, is_bad(p) ? bad : good), LATMC_ERROR_IO,
           "no/such", "a file that one rank cannot read");
    if (!latmc_save_memory(p->all, NULL, 0, &bytes)) {
        memory = malloc(bytes);
        failed(p, latmc_save_memory(p->all, memory, is_bad(p) ? bytes - 1 : bytes, &bytes),
               LATMC_ERROR_ARGUMENT, "latmc_save_memory", "too little room to save in memory");
        free(memory);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (told_rank == 0)
        remove(good);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- lattices that cannot be */

static void try_making(int bad)
{
    latmc_lattice *lattice = NULL;
    const int64_t extents[] = {8, told_rank == bad ? 1 : 8};
    const latmc_status made = latmc_mpi_create(&lattice, MPI_COMM_WORLD, LATMC_ISING, 2, extents);
    char of_rank[32] = "";

    if (told_ranks > 1)
        snprintf(of_rank, sizeof of_rank, "rank %d: ", bad);
    told(made == LATMC_ERROR_ARGUMENT && !lattice && strstr(latmc_error_message(), of_rank),
         "rank %d alone has an extent of 1", bad);
    told(latmc_mpi_create(told_rank == bad ? NULL : &lattice, MPI_COMM_WORLD, LATMC_ISING, 2,
                          (int64_t[]){8, 8}) == LATMC_ERROR_ARGUMENT &&
             !lattice,
         "rank %d alone has no room for the lattice", bad);
}

/* Too few layers for so many ranks: refused by all, and the settings can be changed. */
static void try_thin(void)
{
    latmc_lattice *lattice = NULL;
    latmc_status status =
        latmc_mpi_create(&lattice, MPI_COMM_WORLD, LATMC_ISING, 2, (int64_t[]){64, told_ranks - 1});

    if (told_ranks < 3)
        return;
    if (!status)
        status = latmc_start(lattice, LATMC_START_HOT);
    told(status == LATMC_ERROR_ARGUMENT && strstr(latmc_error_message(), "too many"),
         "%d layers are too few for %d ranks", told_ranks - 1, told_ranks);
    told(!latmc_set_replicas(lattice, 32 * told_ranks) && !latmc_set_device(lattice, "cpu") &&
             !latmc_start(lattice, LATMC_START_HOT) && !latmc_sweep(lattice, LATMC_METROPOLIS, 2),
         "but %d replicas are not", 32 * told_ranks);
    latmc_destroy(lattice);
}

static void try_kind(int kind, int bad)
{
    pair p = {.kind = kind, .bad = bad};

    p.all = modes_lattice(kind, MPI_COMM_WORLD);
    p.alone = modes_lattice(kind, MODES_ALONE);
    told(!latmc_start(p.all, LATMC_START_HOT) && !latmc_start(p.alone, LATMC_START_HOT) && same(&p),
         "lattice %d starts", kind);
    try_arguments(&p);
    try_sites(&p);
    try_device(&p);
    try_calls(&p);
    try_differences(&p);
    try_callback(&p);
    try_files(&p);
    latmc_destroy(p.all);
    latmc_destroy(p.alone);
}

void errors_mode(void)
{
    for (int last = 0; last < (told_ranks > 1 ? 2 : 1); last++) {
        try_making(last ? told_ranks - 1 : 0);
        for (int kind = 0; kind < MODES_KINDS; kind++)
            try_kind(kind, last ? told_ranks - 1 : 0);
    }
    try_other_lattices();
    try_thin();
}
