/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of single vectors against their distributions: the angle from an axis, by its
 * distribution function (Kolmogorov and Smirnov's greatest difference, and the mean), and the
 * direction across it, which is to be any.
 */
#ifndef LM_TESTS_ONVECTOR_SPREAD_H
#define LM_TESTS_ONVECTOR_SPREAD_H

#include "tests/exact/onvector_ensemble.h"

#define PI 3.141592653589793

/* P(greatest difference > 2.4 / sqrt(count)) = 2 exp(-2 2.4^2), 2e-5. */
#define KOLMOGOROV 2.4

static inline double *all_sites(latmc_lattice *lattice, int64_t replica, int n, int64_t sites)
{
    double *s = malloc((size_t)(n * sites) * sizeof *s);

    assert_non_null(s);
    ok(get_replica(lattice, replica, LATMC_FLOAT64, s, n * sites));
    return s;
}

/* ---- angles */

enum { ANGLES = 4000, BINS = 1000 };

/* Angles up to `most`: their distribution function at k most / ANGLES, and a sample of its values.
 */
typedef struct angles {
    double most, share[ANGLES + 1];
    double sum, bin[BINS];
    long count;
} angles;

/* Of any density over angles. */
static inline angles angles_with(double most, double (*density)(double, double, int), double of,
                                 int n)
{
    angles a = {.most = most};
    const double step = most / ANGLES;

    for (int i = 0; i < ANGLES; i++) { /* Simpson's rule */
        const double x = i * step;
        a.share[i + 1] = a.share[i] + density(x, of, n) + 4.0 * density(x + step / 2.0, of, n) +
                         density(x + step, of, n);
    }
    for (int i = 0; i <= ANGLES; i++)
        a.share[i] /= a.share[ANGLES];
    return a;
}

/* exp(k cos theta) sin(theta)^(n - 2), but for a factor */
static inline double bath_density(double theta, double k, int n)
{
    const double half = sin(theta / 2.0);

    return exp(-2.0 * k * half * half) * pow(sin(theta), n - 2);
}

static inline angles angles_of(double k, int n)
{
    return angles_with(fmin(PI, sqrt(90.0 / fmax(k, 1e-9))), bath_density, k, n);
}

/* Of a uniform point of the ball of that radius in n - 1 dimensions, t = tan(theta / 2): t^(n - 2),
 * by theta. */
static inline double ball_density(double theta, double radius, int n)
{
    const double t = tan(theta / 2.0);

    (void)radius;
    return pow(t, n - 2) * (1.0 + t * t);
}

static inline angles cone_of(double epsilon, int n)
{
    return angles_with(2.0 * atan(epsilon), ball_density, epsilon, n);
}

static inline void angles_add(angles *a, double theta)
{
    const double at = fmin(theta / a->most * ANGLES, ANGLES);
    const int i = at < ANGLES ? (int)at : ANGLES - 1;
    const double share = a->share[i] + (at - i) * (a->share[i + 1] - a->share[i]);
    const int bin = share < 1.0 ? (int)(share * BINS) : BINS - 1;

    a->bin[bin] += 1.0;
    a->sum += share;
    a->count++;
}

/* The values of the distribution function are uniform. */
static inline int angles_agree(const char *name, const angles *a)
{
    const double count = (double)a->count;
    double below = 0.0, worst = 0.0;

    for (int i = 0; i < BINS; i++) {
        below += a->bin[i];
        worst = fmax(worst, fabs(below / count - (i + 1.0) / BINS));
    }
    return agrees(name, "angle", a->sum / count, sqrt(1.0 / 12.0 / count), 0.5) &
           agrees(name, "greatest", worst, KOLMOGOROV / GATE / sqrt(count), 0.0);
}

/* How often a proposal of Metropolis is accepted in a field with this k: the mean over the angle of
 * the vector, that of the turn, and the direction of the turn, which has the angle chi to the
 * field's own. */
static inline double acceptance_of(double k, double epsilon, int n)
{
    enum { THETAS = 300, TURNS = 80, CHIS = 80 };
    double sum = 0.0, whole = 0.0;

    for (int i = 0; i < THETAS; i++) {
        const double theta = PI * (i + 0.5) / THETAS, weight = bath_density(theta, k, n);
        for (int j = 0; j < TURNS * CHIS; j++) {
            const double rho = (j % TURNS + 0.5) / TURNS, turn = 2.0 * atan(epsilon * rho);
            const double chi = n == 2 ? PI * (j / TURNS % 2) : PI * (j / TURNS + 0.5) / CHIS;
            const double gain =
                k * (cos(theta) * (cos(turn) - 1.0) + sin(theta) * sin(turn) * cos(chi));
            const double by = weight * pow(rho, n - 2) * (n == 4 ? sin(chi) : 1.0);
            whole += by;
            sum += by * (gain < 0.0 ? exp(gain) : 1.0);
        }
    }
    return sum / whole;
}

/* ---- directions */

/* Means of the components, of their products and of their fourth powers; and that all signs
 * together are as likely. Of n = 1: of both signs. */
static inline int is_isotropic(const char *name, const double *s, int n, int count)
{
    enum { MOST = VECTOR_MOST };
    double one[MOST] = {0}, two[MOST][MOST] = {{0}}, four[MOST] = {0}, sign[1 << MOST] = {0};
    const double root = sqrt((double)count), eight = 105.0 / (n * (n + 2.0) * (n + 4) * (n + 6));
    const double fourth = 3.0 / (n * (n + 2.0)), all = 1 << n;
    int good = 1;

    for (int i = 0; i < count; i++) {
        int signs = 0;
        for (int c = 0; c < n; c++) {
            const double x = s[n * i + c];
            one[c] += x;
            four[c] += x * x * x * x;
            signs |= (x < 0.0) << c;
            for (int b = 0; b <= c; b++)
                two[c][b] += x * s[n * i + b];
        }
        sign[signs] += 1.0;
    }
    for (int c = 0; c < n; c++) {
        good &= agrees(name, "s_c", one[c] / count, sqrt(1.0 / n) / root, 0.0);
        good &= agrees(name, "s_c^4", four[c] / count, sqrt(eight - fourth * fourth) / root + 1e-6,
                       fourth);
        for (int b = 0; b <= c; b++)
            good &= agrees(name, "s_b s_c", two[c][b] / count,
                           sqrt((b == c ? fourth - 1.0 / n / n : fourth / 3.0)) / root + 1e-6,
                           b == c ? 1.0 / n : 0.0);
    }
    for (int k = 0; k < 1 << n; k++)
        good &= agrees(name, "signs", sign[k] / count, sqrt(1.0 / all * (1.0 - 1.0 / all)) / root,
                       1.0 / all);
    return good;
}

/* The angle of v from `sign` e, and v's direction across e in n - 1 dimensions: its components
 * along the axes that e's orthogonal complement gets by Gram and Schmidt's method from the first
 * axes (the last ones, where e is nearly along the first). */
static inline double seen_from(int n, const double *e, const double *v, double sign, double *across)
{
    double base[VECTOR_MOST][VECTOR_MOST], along = 0.0, square = 0.0;
    int made = 0, first = 0;

    for (int c = 1; c < n; c++)
        if (fabs(e[c]) > fabs(e[first]))
            first = c;
    memcpy(base[0], e, (size_t)n * sizeof *e);
    for (int axis = 0; axis < n; axis++) {
        double *b = base[made + 1], length = 0.0;
        if (axis == first)
            continue;
        memset(b, 0, (size_t)n * sizeof *b);
        b[axis] = 1.0;
        for (int k = 0; k <= made; k++) {
            double dot = 0.0, norm = 0.0;
            for (int c = 0; c < n; c++) {
                dot += b[c] * base[k][c];
                norm += base[k][c] * base[k][c];
            }
            for (int c = 0; c < n; c++)
                b[c] -= dot / norm * base[k][c];
        }
        for (int c = 0; c < n; c++)
            length += b[c] * b[c];
        for (int c = 0; c < n; c++)
            b[c] /= sqrt(length);
        made++;
        across[made - 1] = 0.0;
        for (int c = 0; c < n; c++)
            across[made - 1] += b[c] * v[c];
        square += across[made - 1] * across[made - 1];
    }
    for (int c = 0; c < n; c++)
        along += e[c] * v[c];
    for (int c = 0; c < n - 1; c++)
        across[c] = square > 0.0 ? across[c] / sqrt(square) : (c == 0);
    return atan2(sqrt(square), sign * along);
}

#undef PI

#endif
