/* SPDX-License-Identifier: BSD-3-Clause */
/* Ising spins on small and on square lattices, exactly. */
#include <math.h>
#include <stdint.h>

#include "potts.h"

/* ln(2 cosh x) and, for x > 0, ln(2 sinh x), whatever x is. */
static double ln_2cosh(double x)
{
    return fabs(x) + log1p(exp(-2 * fabs(x)));
}

static double ln_2sinh(double x)
{
    return x + log1p(-exp(-2 * x));
}

/* Kaufman's gamma number l at K = J / T. */
static double gamma_of(int64_t l, int64_t size, double k)
{
    const double pi = acos(-1.0);

    if (l == 0)
        return 2 * k + log(tanh(k));
    return acosh(cosh(2 * k) / tanh(2 * k) - cos(pi * (double)l / (double)size));
}

/* ln Z: half the sum of four products over the gammas, of odd and even number. */
static double ln_z(int64_t size, double k)
{
    const double n = (double)size, first = n / 2 * gamma_of(0, size, k);
    double cosh_odd = 0, sinh_odd = 0, cosh_even = ln_2cosh(first), sinh_even = 0;
    double sum;

    for (int64_t r = 0; r < size; r++) {
        const double odd = n / 2 * gamma_of(2 * r + 1, size, k);
        const double even = r ? n / 2 * gamma_of(2 * r, size, k) : 0;

        cosh_odd += ln_2cosh(odd);
        sinh_odd += ln_2sinh(odd);
        cosh_even += r ? ln_2cosh(even) : 0;
        sinh_even += r ? ln_2sinh(even) : 0;
    }
    sum = 1 + exp(sinh_odd - cosh_odd) + exp(cosh_even - cosh_odd) +
          2 * sinh(first) * exp(sinh_even - cosh_odd);
    return n * n / 2 * log(2 * sinh(2 * k)) + cosh_odd + log(sum / 2);
}

void potts_kaufman(int64_t size, double temperature, double *energy, double *heat)
{
    const double k = 1 / temperature, h = 1e-3, sites = (double)(size * size);
    double f[5];

    for (int i = 0; i < 5; i++)
        f[i] = ln_z(size, k + h * (i - 2));
    /* derivatives to the fourth order in h */
    *energy = -(f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h) / sites;
    *heat = k * k * (16 * (f[1] + f[3]) - f[0] - f[4] - 30 * f[2]) / (12 * h * h) / sites;
}

/* Along each axis both bonds of a site lead to the same neighbour. */
static int bonds_of(int dims, unsigned state)
{
    int sum = 0;

    for (int a = 0; a < dims; a++)
        for (unsigned i = 0; i < 1u << dims; i++)
            sum += (state >> i & 1) == (state >> (i ^ 1u << a) & 1) ? 1 : -1;
    return sum;
}

void potts_enumerate(int dims, double temperature, double *values)
{
    const unsigned sites = 1u << dims;
    double z = 0, e = 0, e2 = 0, m2 = 0, m4 = 0;

    for (unsigned state = 0; state < 1u << sites; state++) {
        const int bonds = bonds_of(dims, state);
        const double weight = exp((bonds - (double)dims * sites) / temperature);
        double up = 0, m;

        for (unsigned i = 0; i < sites; i++)
            up += state >> i & 1;
        m = (2 * up - sites) / sites;
        z += weight;
        e -= weight * bonds;
        e2 += weight * bonds * bonds;
        m2 += weight * m * m;
        m4 += weight * m * m * m * m;
    }
    values[POTTS_ENERGY] = e / z / sites;
    values[POTTS_HEAT] = (e2 / z - e / z * (e / z)) / (temperature * temperature * sites);
    values[POTTS_BINDER] = 1 - m4 / z / (3 * (m2 / z) * (m2 / z));
}
