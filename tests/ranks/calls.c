/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/ranks/calls.h"

#include <unistd.h>

#include "tests/support.h"

enum { SIDE = CALLS_SIDE, SITES = SIDE * SIDE, REPLICAS = CALLS_REPLICAS, ROOM = 1 << 16 };

/* ---- settings */

static latmc_status set_replicas(const mine *m)
{
    return latmc_set_replicas(m->l, m->odd ? 4 : 2);
}

static latmc_status set_first_replica(const mine *m)
{
    return latmc_set_first_replica(m->l, m->odd);
}

static latmc_status set_boundaries(const mine *m)
{
    const latmc_boundary other = m->odd ? LATMC_OPEN : LATMC_PERIODIC;

    return latmc_set_boundaries(m->l, (latmc_boundary[]){LATMC_PERIODIC, other});
}

static latmc_status set_seed(const mine *m)
{
    return latmc_set_seed(m->l, m->odd ? 4 : 3);
}

static latmc_status set_option(const mine *m)
{
    return latmc_set_option(m->l, LATMC_CUTOFF, m->odd);
}

static latmc_status set_param(const mine *m)
{
    return latmc_set_param(m->l, LATMC_BETA, m->odd ? 0.31 : 0.3);
}

static latmc_status set_params(const mine *m)
{
    return latmc_set_params(m->l, LATMC_BETA, (double[]){0.3, m->odd ? 0.31 : 0.3});
}

static latmc_status set_type_couplings(const mine *m)
{
    return latmc_set_bond_type_couplings(m->l, (double[]){1.0, m->odd ? 0.5 : 1.0});
}

static latmc_status set_samples(const mine *m)
{
    return latmc_set_samples(m->l, 2, m->odd);
}

static latmc_status set_bond_couplings(const mine *m)
{
    double couplings[2 * SITES];

    for (int i = 0; i < 2 * SITES; i++)
        couplings[i] = m->odd && i == 2 * SITES - 1 ? -1.0 : 1.0;
    return latmc_set_bond_couplings(m->l, couplings);
}

static latmc_status set_site_fields(const mine *m)
{
    double fields[SITES] = {0};

    fields[SITES / 2] = m->odd ? 0.25 : 0.5;
    return latmc_set_site_fields(m->l, fields);
}

static latmc_status set_weights(const mine *m)
{
    double weights[SITES] = {0};

    weights[SITES / 2] = m->odd ? 1.0 : 0.5;
    return latmc_set_weights(m->l, 3, LATMC_WEIGHT_SITES, 1, weights);
}

static latmc_status remove_weights(const mine *m)
{
    const double weights[2 * SITES] = {0};

    return latmc_set_weights(m->l, 3, LATMC_WEIGHT_BONDS, 1, m->odd ? NULL : weights);
}

static latmc_status draw_bond_couplings(const mine *m)
{
    return latmc_draw_bond_couplings(m->l, LATMC_GAUSSIAN, m->odd ? 8 : 7, 0, NULL, NULL);
}

static latmc_status draw_site_fields(const mine *m)
{
    const double value = m->odd ? 0.25 : 0.5;

    return latmc_draw_site_fields(m->l, LATMC_GAUSSIAN, 7, 1, &(latmc_argument){LATMC_DRAW_WIDTH},
                                  &value);
}

static latmc_status set_division(const mine *m)
{
    return latmc_set_division(m->l, m->odd ? LATMC_DIVIDE_REPLICAS : LATMC_DIVIDE_SLABS);
}

static latmc_status set_schedule(const mine *m)
{
    return latmc_set_schedule(m->l, 2,
                              (latmc_step[]){step_of(LATMC_METROPOLIS, 1, 0),
                                             step_of(LATMC_HEATBATH, m->odd ? 2 : 1, 0)});
}

static latmc_status set_exchanges(const mine *m)
{
    return set_round(m->l, LATMC_METROPOLIS, 1, m->odd);
}

static latmc_status set_own(const mine *m)
{
    const latmc_step step = step_of(LATMC_METROPOLIS, 1, 0);

    return latmc_set_schedule(
        m->l, 1,
        (latmc_step[]){step_with(step, &(latmc_param){LATMC_HITS}, &(double){m->odd ? 3.0 : 2.0})});
}

static latmc_status set_ramp(const mine *m)
{
    return latmc_set_ramp(m->l, LATMC_BETA, (double[]){0.5, 0.5}, m->odd ? 4 : 3);
}

static latmc_status set_slots(const mine *m)
{
    return latmc_set_slots(m->l, m->odd ? (int64_t[]){0, 1} : (int64_t[]){1, 0});
}

static latmc_status set_ladders(const mine *m)
{
    return latmc_set_ladders(m->l, m->odd ? 2 : 1);
}

static latmc_status set_momenta(const mine *m)
{
    return latmc_set_momenta(m->l, 1, m->odd ? (int64_t[]){0, 2} : (int64_t[]){0, 4});
}

/* ---- running and reading */

static latmc_status start(const mine *m)
{
    return latmc_start(m->l, m->odd ? LATMC_START_COLD : LATMC_START_HOT);
}

static latmc_status sweep(const mine *m)
{
    return latmc_sweep(m->l, LATMC_METROPOLIS, m->odd ? 11 : 10);
}

static latmc_status tune(const mine *m)
{
    return latmc_tune(m->l, LATMC_METROPOLIS, 4, m->odd ? 0.25 : 0.5);
}

static latmc_status keep_best(const mine *m)
{
    return latmc_keep_best(m->l, m->odd);
}

static latmc_status observe(const mine *m)
{
    double e[REPLICAS];

    return latmc_observe(
        m->l, LATMC_BY_REPLICA, 1,
        &(latmc_quantity)LATMC_QUANTITY(m->odd ? LATMC_MAGNETIZATION : LATMC_ENERGY), e);
}

static latmc_status record(const mine *m)
{
    double e[REPLICAS * 6];

    return record_series(m->l, LATMC_METROPOLIS, m->odd ? 2 : 3, 6, 1,
                         &(latmc_quantity)LATMC_QUANTITY(LATMC_ENERGY), e);
}

static latmc_status observe_pairs(const mine *m)
{
    double q[1];

    return latmc_observe_pairs(m->l, LATMC_BY_REPLICA, 1, (int64_t[]){0, !m->odd}, 1,
                               &(latmc_quantity)LATMC_QUANTITY(LATMC_OVERLAP), q);
}

static latmc_status record_pairs(const mine *m)
{
    double q[4];
    const latmc_recording pairs = {.size = sizeof pairs,
                                   .pair_count = 1,
                                   .pairs = (const int64_t[]){0, !m->odd},
                                   .pair_quantities =
                                       &(latmc_quantity)LATMC_QUANTITY(LATMC_OVERLAP),
                                   .pair_series = q,
                                   .pair_quantity_count = 1};

    return record_pair_series(m->l, LATMC_METROPOLIS, 1, 4, 0, NULL, NULL, &pairs);
}

/* What is refused leaves them alone. */
static latmc_status get_sites(const mine *m)
{
    int8_t sites[SITES] = {0};
    const latmc_status status = get_replica(m->l, m->odd, LATMC_INT8, sites, SITES);
    int touched = 0;

    for (int i = 0; i < SITES; i++)
        touched |= sites[i];
    return (status == LATMC_OK) == (touched != 0) ? status : LATMC_ERROR_IO;
}

static latmc_status copy_replicas(const mine *m)
{
    return latmc_copy_replicas(m->l, (int64_t[]){m->odd, 0});
}

static latmc_status set_sites(const mine *m)
{
    int8_t sites[SITES];

    memset(sites, 1, sizeof sites);
    sites[SITES - 1] = m->odd ? -1 : 1;
    return set_replica(m->l, 0, LATMC_INT8, sites, SITES);
}

/* ---- files, and lattices that are made */

static latmc_status save(const mine *m)
{
    char path[64];
    latmc_status status;

    snprintf(path, sizeof path, "ranks-given-%ld%s", (long)getpid(), m->odd ? "-other" : "");
    status = latmc_save(m->l, path);
    if (!status && m->ranks->rank == 0)
        remove(path);
    return status;
}

static latmc_status save_memory(const mine *m)
{
    static _Thread_local char bytes[ROOM];
    size_t used;

    return latmc_save_memory(m->l, m->odd ? NULL : bytes, sizeof bytes, &used);
}

static latmc_status create_on_ranks(const mine *m)
{
    latmc_lattice *made = NULL;
    const int64_t extents[] = {SIDE, m->odd ? SIDE + 2 : SIDE};
    const latmc_status status = latmc_create_on_ranks(&made, m->ranks, LATMC_ISING, 2, extents);

    latmc_destroy(made);
    return status;
}

/* Another lattice than this rank's, as if it had read another file. */
static latmc_status saved_bytes(const mine *m, char *bytes, size_t *used)
{
    latmc_lattice *alone = NULL;
    latmc_status status = latmc_create(&alone, LATMC_ISING, 2, (int64_t[]){SIDE, SIDE});

    if (!status)
        status = latmc_set_device(alone, "cpu:scalar");
    if (!status)
        status = latmc_start(alone, m->odd ? LATMC_START_COLD : LATMC_START_HOT);
    if (!status)
        status = latmc_save_memory(alone, bytes, ROOM, used);
    latmc_destroy(alone);
    return status;
}

static latmc_status load_memory_on_ranks(const mine *m)
{
    static _Thread_local char bytes[ROOM];
    latmc_lattice *loaded = NULL;
    size_t used = 0;
    latmc_status status = saved_bytes(m, bytes, &used);

    if (!status)
        status = latmc_load_memory_on_ranks(&loaded, m->ranks, bytes, used);
    latmc_destroy(loaded);
    return status;
}

static latmc_status load_on_ranks(const mine *m)
{
    static _Thread_local char bytes[ROOM];
    latmc_lattice *loaded = NULL;
    char path[64];
    size_t used = 0;
    latmc_status status = saved_bytes(m, bytes, &used);
    FILE *file;

    snprintf(path, sizeof path, "ranks-given-%ld-%d", (long)getpid(), (int)m->ranks->rank);
    file = fopen(path, "wb");
    if (status || !file || fwrite(bytes, 1, used, file) != used || fclose(file))
        return LATMC_ERROR_IO;
    status = latmc_load_on_ranks(&loaded, m->ranks, path);
    latmc_destroy(loaded);
    remove(path);
    return status;
}

const call calls[] = {
    {"latmc_set_replicas", set_replicas, "replicas: 2 on rank 0, 4 on rank 1", LATMC_ISING, 1},
    {"latmc_set_first_replica", set_first_replica, "first: 0 on rank 0, 1", LATMC_ISING, 1},
    {"latmc_set_boundaries", set_boundaries, "boundaries: rank 0", LATMC_ISING, 1},
    {"latmc_set_seed", set_seed, "seed: 3 on rank 0, 4 on rank 1", LATMC_ISING, 1},
    {"latmc_set_option", set_option, "value: 0 on rank 0, 1 on rank 1", LATMC_PHI4, 1},
    {"latmc_set_samples", set_samples, "first: 0 on rank 0, 1", LATMC_ISING, 1},
    {"latmc_set_bond_couplings", set_bond_couplings, "couplings: rank 0", LATMC_ISING, 1},
    {"latmc_set_site_fields", set_site_fields, "site fields: rank 0", LATMC_ISING, 1},
    {"latmc_draw_bond_couplings", draw_bond_couplings, "seed: 7 on rank 0, 8", LATMC_ISING, 1},
    {"latmc_draw_site_fields", draw_site_fields, "values: rank 0", LATMC_ISING, 1},
    {"latmc_set_param", set_param, "value: 0.3 on rank 0, 0.31 on rank 1", LATMC_ISING, 0},
    {"latmc_set_params", set_params, "values: rank 0", LATMC_ISING, 0},
    {"latmc_set_bond_type_couplings", set_type_couplings, "couplings: rank 0", LATMC_ISING, 0},
    {"latmc_set_division", set_division, "division: ", LATMC_ISING, 0},
    {"latmc_set_schedule", set_schedule, "steps: rank 0", LATMC_ISING, 0},
    {"latmc_set_schedule", set_exchanges, "steps: rank 0", LATMC_ISING, 0},
    {"latmc_set_schedule", set_own, "params of steps: rank 0", LATMC_PHI4, 0},
    {"latmc_set_ramp", set_ramp, "sweeps: 3 on rank 0, 4 on rank 1", LATMC_ISING, 0},
    {"latmc_set_slots", set_slots, "slots: rank 0", LATMC_ISING, 0},
    {"latmc_set_momenta", set_momenta, "n: rank 0", LATMC_ISING, 0},
    {"latmc_set_ladders", set_ladders, "ladders: 1 on rank 0, 2 on rank 1", LATMC_ISING, 0},
    {"latmc_set_weights", set_weights, "weights: rank 0", LATMC_ISING, 0},
    {"latmc_set_weights", remove_weights, "weights: rank 0", LATMC_PHI4, 0},
    {"latmc_start", start, "mode: ", LATMC_ISING, 0},
    {"latmc_sweep", sweep, "sweeps: 10 on rank 0, 11 on rank 1", LATMC_ISING, 0},
    {"latmc_tune", tune, "target: 0.5 on rank 0, 0.25 on rank 1", LATMC_PHI4, 0},
    {"latmc_keep_best", keep_best, "keep: 0 on rank 0, 1 on rank 1", LATMC_ISING, 0},
    {"latmc_observe", observe, "quantities: rank 0", LATMC_ISING, 0},
    {"latmc_record", record, "every: 3 on rank 0, 2 on rank 1", LATMC_ISING, 0},
    {"latmc_record", record_pairs, "pairs: rank 0", LATMC_ISING, 0},
    {"latmc_observe_pairs", observe_pairs, "pairs: rank 0", LATMC_ISING, 0},
    {"latmc_get_sites", get_sites, "first: 0 on rank 0, 1 on rank 1", LATMC_ISING, 0},
    {"latmc_copy_replicas", copy_replicas, "from: rank 0", LATMC_ISING, 0},
    {"latmc_set_sites", set_sites, "sites: rank 0", LATMC_ISING, 0},
    {"latmc_save", save, "path: rank 0", LATMC_ISING, 0},
    {"latmc_save_memory", save_memory, "buffer is given: 1 on rank 0", LATMC_ISING, 0},
    {"latmc_create_on_ranks", create_on_ranks, "extents: rank 0", LATMC_ISING, 0},
    {"latmc_load_on_ranks", load_on_ranks, "the sites: rank 0", LATMC_ISING, 0},
    {"latmc_load_memory_on_ranks", load_memory_on_ranks, "the sites: rank 0", LATMC_ISING, 0},
};

const int calls_count = (int)ALL(calls);
