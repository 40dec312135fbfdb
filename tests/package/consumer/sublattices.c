/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program: an antiferromagnet in a field. Weights give its staggered magnetization, the
 * magnetization of one sublattice and the energy of the bonds along one axis. All of them are
 * computed from the sites, too. */
#include <latmc/latmc.h>

#include <math.h>
#include <stdio.h>

enum { L = 8, N = L * L, REPLICAS = 3, RECORDS = 50, STAGGERED = 0, EVEN, ALONG_X };

static const latmc_quantity what[] = {
    LATMC_QUANTITY(LATMC_WEIGHTED, STAGGERED),  LATMC_QUANTITY(LATMC_ABS_WEIGHTED, STAGGERED),
    LATMC_QUANTITY(LATMC_WEIGHTED2, STAGGERED), LATMC_QUANTITY(LATMC_WEIGHTED4, STAGGERED),
    LATMC_QUANTITY(LATMC_WEIGHTED, EVEN),       LATMC_QUANTITY(LATMC_WEIGHTED, ALONG_X),
    LATMC_QUANTITY(LATMC_MAGNETIZATION)};
enum { QUANTITIES = sizeof what / sizeof *what };
static const char *const names[QUANTITIES] = {
    "staggered m",     "its modulus",   "its square", "its 4th power",
    "m of even sites", "bonds along x", "m"};

static double series[QUANTITIES][REPLICAS][RECORDS];

static int sign_of(int i)
{
    return (i % L + i / L) % 2 ? -1 : 1;
}

static latmc_status set_weights(latmc_lattice *lattice)
{
    double staggered[N], even[N], along_x[2 * N] = {0};
    latmc_status status;

    for (int i = 0; i < N; i++) {
        staggered[i] = sign_of(i);
        even[i] = sign_of(i) > 0;
        along_x[i] = 0.5;
    }
    status = latmc_set_weights(lattice, STAGGERED, LATMC_WEIGHT_SITES, 1, staggered);
    if (!status)
        status = latmc_set_weights(lattice, EVEN, LATMC_WEIGHT_SITES, 1, even);
    return status ? status : latmc_set_weights(lattice, ALONG_X, LATMC_WEIGHT_BONDS, 1, along_x);
}

static latmc_status simulate(latmc_lattice **lattice)
{
    const int64_t extents[] = {L, L};
    const double couplings[] = {-1, -1}, fields[REPLICAS] = {0.5, 3.5, 4.5};
    const latmc_recording run = {.size = sizeof run,
                                 .update = LATMC_METROPOLIS,
                                 .every = 10,
                                 .records = RECORDS,
                                 .quantity_count = QUANTITIES,
                                 .quantities = what,
                                 .series = series[0][0]};
    latmc_status status = latmc_create(lattice, LATMC_ISING, 2, extents);

    if (status || (status = latmc_set_replicas(*lattice, REPLICAS)) ||
        (status = latmc_set_bond_type_couplings(*lattice, couplings)) ||
        (status = latmc_set_param(*lattice, LATMC_BETA, 2)) ||
        (status = latmc_set_params(*lattice, LATMC_FIELD, fields)) ||
        (status = set_weights(*lattice)) || (status = latmc_start(*lattice, LATMC_START_HOT)) ||
        (status = latmc_sweep(*lattice, LATMC_METROPOLIS, 1000)))
        return status;
    return latmc_record(*lattice, &run, NULL);
}

/* The same from the sites of a replica. */
static void by_hand(const int8_t *s, double *values)
{
    double staggered = 0, even = 0, along_x = 0, m = 0;

    for (int i = 0; i < N; i++) {
        staggered += sign_of(i) * s[i];
        even += sign_of(i) > 0 ? s[i] : 0;
        along_x += 0.5 * s[i] * s[i / L * L + (i + 1) % L];
        m += s[i];
    }
    staggered /= N;
    values[0] = staggered;
    values[1] = fabs(staggered);
    values[2] = staggered * staggered;
    values[3] = values[2] * values[2];
    values[4] = even / N;
    values[5] = along_x / N;
    values[6] = m / N;
}

/* The number of values that differ. */
static int compare(int replica, const int8_t *sites)
{
    double values[QUANTITIES];
    int wrong = 0;

    by_hand(sites, values);
    for (int q = 0; q < QUANTITIES; q++) {
        const double recorded = series[q][replica][RECORDS - 1];

        printf("replica %d: %-16s %9.6f\n", replica, names[q], recorded);
        if (!(fabs(recorded - values[q]) < 1e-12)) {
            printf("    but %.17g from its sites\n", values[q]);
            wrong++;
        }
    }
    return wrong;
}

/* The order of a replica in time. */
static double order_of(int replica)
{
    double sum = 0;

    for (int t = 0; t < RECORDS; t++)
        sum += series[1][replica][t] / RECORDS;
    return sum;
}

int main(void)
{
    latmc_lattice *lattice = NULL;
    int8_t sites[REPLICAS][N];
    int wrong = 0;

    if (simulate(&lattice) ||
        latmc_get_sites(lattice, 0, REPLICAS, LATMC_INT8, sites, sizeof sites)) {
        fprintf(stderr, "%s\n", latmc_error_message());
        return 1;
    }
    for (int r = 0; r < REPLICAS; r++)
        wrong += compare(r, sites[r]);
    latmc_destroy(lattice);
    /* At low temperature the staggered order ends at h = 4, where all spins follow the field. */
    return wrong || order_of(0) < 0.7 || order_of(2) > 0.2;
}
