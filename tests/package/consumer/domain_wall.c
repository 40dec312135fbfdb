/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program: structure factors of domain walls. One lattice begins half up and half down,
 * and has two walls. The other one is antiperiodic, and has one wall, which can be anywhere. All
 * structure factors are computed from the sites, too; those of the start are known exactly. */
#include <latmc/latmc.h>

#include <math.h>
#include <stdio.h>

enum { LX = 16, LY = 12, N = LX * LY, REPLICAS = 2, MOMENTA = 4 };

static const double pi = 3.14159265358979323846;

/* k_a = pi n_a / L_a */
static const int64_t periodic[MOMENTA][2] = {{0, 0}, {0, 2}, {0, 6}, {2, -2}};
static const int64_t antiperiodic[MOMENTA][2] = {{0, 1}, {0, 3}, {2, 1}, {-4, 5}};

static double by_hand(const int8_t *s, const int64_t n[2])
{
    double re = 0, im = 0;

    for (int i = 0; i < N; i++) {
        const double phase = pi * ((double)n[0] * (i % LX) / LX + (double)n[1] * (i / LX) / LY);

        re += s[i] * cos(phase) / N;
        im += s[i] * sin(phase) / N;
    }
    return re * re + im * im;
}

/* Of rows whose spins are `up` up to the middle and `down` above it, at k = (0, pi n / LY). */
static double exact(int64_t n, int down)
{
    const double k = pi * (double)n / LY, half = sin(k * LY / 4) / sin(k / 2) / LY;
    const double phase = k * LY / 2; /* between the halves */

    return half * half * (2 + 2 * down * cos(phase));
}

static latmc_status start(latmc_lattice **lattice, const latmc_boundary *boundaries, int down,
                          const int64_t *momenta)
{
    const int64_t extents[] = {LX, LY};
    int8_t sites[REPLICAS][N];
    latmc_status status = latmc_create(lattice, LATMC_ISING, 2, extents);

    for (int i = 0; i < N; i++)
        sites[0][i] = sites[1][i] = (int8_t)(i < N / 2 ? 1 : down);
    if (status || (status = latmc_set_replicas(*lattice, REPLICAS)) ||
        (status = latmc_set_boundaries(*lattice, boundaries)) ||
        (status = latmc_set_param(*lattice, LATMC_BETA, 0.6)) ||
        (status = latmc_set_momenta(*lattice, MOMENTA, momenta)))
        return status;
    return latmc_set_sites(*lattice, 0, REPLICAS, LATMC_INT8, sites, sizeof sites);
}

/* Measures, and returns how many structure factors differ from those of the sites; -1: a failure.
 */
static int measure(latmc_lattice *lattice, const int64_t (*momenta)[2], double *values)
{
    latmc_quantity what[MOMENTA];
    int8_t sites[REPLICAS][N];
    int wrong = 0;

    for (int j = 0; j < MOMENTA; j++)
        what[j] = (latmc_quantity)LATMC_QUANTITY(LATMC_STRUCTURE_AT, j);
    if (latmc_observe(lattice, LATMC_BY_REPLICA, MOMENTA, what, values) ||
        latmc_get_sites(lattice, 0, REPLICAS, LATMC_INT8, sites, sizeof sites))
        return -1;
    for (int j = 0; j < MOMENTA; j++)
        for (int r = 0; r < REPLICAS; r++) {
            const double value = values[j * REPLICAS + r], expected = by_hand(sites[r], momenta[j]);

            printf("n = (%2d, %2d), replica %d: %.6f\n", (int)momenta[j][0], (int)momenta[j][1], r,
                   value);
            wrong += !(fabs(value - expected) < 1e-12);
        }
    return wrong;
}

/* At the start, and after some sweeps. The first momenta have k = (0, ..). */
static int run(const latmc_boundary *boundaries, int down, const int64_t (*momenta)[2], int known)
{
    latmc_lattice *lattice = NULL;
    double values[MOMENTA * REPLICAS];
    int wrong = start(&lattice, boundaries, down, momenta[0]) ? -1 : 0;

    if (!wrong)
        wrong = measure(lattice, momenta, values);
    for (int j = !momenta[0][1]; !wrong && j < known; j++)
        wrong += !(fabs(values[j * REPLICAS] - exact(momenta[j][1], down)) < 1e-12);
    if (!wrong)
        wrong = latmc_sweep(lattice, LATMC_METROPOLIS, 5) ? -1 : 0;
    if (!wrong)
        wrong = measure(lattice, momenta, values);
    if (wrong < 0)
        fprintf(stderr, "%s\n", latmc_error_message());
    latmc_destroy(lattice);
    return wrong;
}

int main(void)
{
    const latmc_boundary around[] = {LATMC_PERIODIC, LATMC_PERIODIC};
    const latmc_boundary turned[] = {LATMC_PERIODIC, LATMC_ANTIPERIODIC};

    return run(around, -1, periodic, 3) || run(turned, 1, antiperiodic, 2);
}
