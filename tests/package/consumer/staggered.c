/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program: the staggered order of an antiferromagnet, as a weighted sum and as a structure
 * factor at (pi, pi), with its susceptibility. */
#include <latmc/latmc.h>

#include <stdio.h>

enum { L = 16, N = L * L, REPLICAS = 4, RECORDS = 500 };

static double series[3][REPLICAS][RECORDS];

static int failed(void)
{
    fprintf(stderr, "%s\n", latmc_error_message());
    return 1;
}

static latmc_status make(latmc_lattice **lattice)
{
    const int64_t extents[] = {L, L}, momenta[] = {2, 0, L, L};
    const double couplings[] = {-1, -1};
    double signs[N];
    latmc_status status = latmc_create(lattice, LATMC_ISING, 2, extents);

    for (int i = 0; i < N; i++)
        signs[i] = (i + i / L) % 2 ? -1 : 1;
    if (status || (status = latmc_set_replicas(*lattice, REPLICAS)) ||
        (status = latmc_set_bond_type_couplings(*lattice, couplings)) ||
        (status = latmc_set_momenta(*lattice, 2, momenta)) ||
        (status = latmc_set_weights(*lattice, 3, LATMC_WEIGHT_SITES, 1, signs)))
        return status;
    return latmc_start(*lattice, LATMC_START_HOT);
}

static latmc_status record(latmc_lattice *lattice)
{
    latmc_quantity what[3] = {LATMC_QUANTITY(LATMC_ABS_WEIGHTED, 3),
                              LATMC_QUANTITY(LATMC_STRUCTURE_AT, 1)};
    latmc_recording run = LATMC_INIT(latmc_recording);
    latmc_status status = latmc_quantity_find(lattice, "weighted2[3]", &what[2]);

    run.update = LATMC_HEATBATH;
    run.every = 10;
    run.records = RECORDS;
    run.quantity_count = 3;
    run.quantities = what;
    run.series = series[0][0];
    if (!status)
        status = latmc_sweep(lattice, LATMC_HEATBATH, 500);
    return status ? status : latmc_record(lattice, &run, NULL);
}

/* Prints the staggered order and susceptibility of a replica. */
static latmc_status say(int r)
{
    latmc_scale scale = {.size = sizeof scale, .beta = 0.44068679350977151, .sites = N};
    const double *const means[] = {series[0][r], series[2][r]};
    const latmc_derivation chi = {.size = sizeof chi,
                                  .series = means,
                                  .series_count = 2,
                                  .count = RECORDS,
                                  .blocks = 20,
                                  .function = latmc_susceptibility,
                                  .user = &scale};
    latmc_estimate order = LATMC_INIT(latmc_estimate), of_chi = LATMC_INIT(latmc_estimate);
    latmc_status status = latmc_analyse(series[0][r], RECORDS, &order);

    if (!status)
        status = latmc_jackknife(&chi, &of_chi);
    if (!status)
        printf("replica %d: staggered order %.4f +- %.4f, susceptibility %.3f +- %.3f%s\n", r,
               order.value, order.error, of_chi.value, of_chi.error,
               order.too_short || of_chi.too_short ? " (short)" : "");
    return status;
}

/* Whether the two ways to the same square agree. */
static int agree(void)
{
    int same = 1;

    for (int r = 0; r < REPLICAS; r++)
        for (int t = 0; t < RECORDS; t++)
            same &= series[1][r][t] - series[2][r][t] < 1e-12 &&
                    series[2][r][t] - series[1][r][t] < 1e-12;
    return same;
}

static latmc_status describe(const latmc_lattice *lattice)
{
    int64_t parts = 1;

    for (int64_t p = 0; p < parts; p++) {
        latmc_choice choice = LATMC_INIT(latmc_choice);
        const latmc_status status = latmc_get_choice(lattice, p, LATMC_HEATBATH, &choice);

        if (status)
            return status;
        parts = choice.parts;
        printf("%s: replicas %lld to %lld\n", choice.device, (long long)choice.first_replica,
               (long long)(choice.first_replica + choice.replicas - 1));
    }
    return LATMC_OK;
}

int main(void)
{
    latmc_lattice *lattice = NULL;

    if (make(&lattice) || record(lattice) || describe(lattice))
        return failed();
    for (int r = 0; r < REPLICAS; r++)
        if (say(r))
            return failed();
    latmc_destroy(lattice);
    return !agree();
}
