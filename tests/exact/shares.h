/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often each energy comes, against its exact distribution: chi^2 of the shares that ranges of
 * energies have. Measurements of a replica depend on each other, replicas do not; so the shares'
 * covariances are those of the replicas' own shares (H. Hotelling, Ann. Math. Stat. 2, 360 (1931)).
 */
#ifndef LM_TESTS_SHARES_H
#define LM_TESTS_SHARES_H

#include "tests/exact/means.h"

enum { RANGES = 8 };

/* Ranges of the energy per site, each up to upper[i], and how often they should come. */
typedef struct ranges {
    int count;
    double upper[RANGES], share[RANGES];
} ranges;

typedef struct level {
    double energy, weight;
} level;

static inline int by_energy(const void *a, const void *b)
{
    const double x = ((const level *)a)->energy, y = ((const level *)b)->energy;
    return (x > y) - (x < y);
}

/* Ranges of about the same shares, which end between two levels; sorts these. */
static inline ranges ranges_of(level *levels, int count)
{
    ranges r = {0};
    double all = 0.0, share = 0.0;

    qsort(levels, (size_t)count, sizeof *levels, by_energy);
    for (int i = 0; i < count; i++)
        all += levels[i].weight;
    for (int i = 0; i < count; i++) {
        const double gap = i + 1 < count ? levels[i + 1].energy - levels[i].energy : INFINITY;

        share += levels[i].weight / all;
        if (gap < INFINITY && (gap < 1e-9 || share < 1.0 / RANGES || r.count == RANGES - 1))
            continue;
        r.upper[r.count] = levels[i].energy + gap / 2.0;
        r.share[r.count++] = share;
        share = 0.0;
    }
    return r;
}

/* x[0 .. n - 1] of a x = b by elimination; a is symmetric and positive. Changes a and b. */
static inline void solve(int n, double a[RANGES][RANGES], double *b)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const double by = a[j][i] / a[i][i];

            for (int k = i; k < n; k++)
                a[j][k] -= by * a[i][k];
            b[j] -= by * b[i];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
}

/* By how many standard errors a chi^2 of so many degrees of freedom is above its mean, since its
 * cube root is nearly normal: E. B. Wilson and M. M. Hilferty, Proc. Natl. Acad. Sci. 17, 684
 * (1931). */
static inline double errors_above(double chi2, int freedom)
{
    const double k = 2.0 / (9.0 * freedom);

    return (cbrt(chi2 / freedom) - (1.0 - k)) / sqrt(k);
}

/* Adds a replica's shares, less the exact ones, to their sums and those of their products. */
static inline void add_shares(const ranges *r, const double *energy, int records, double *sum,
                              double product[RANGES][RANGES])
{
    double off[RANGES] = {0};

    for (int t = 0; t < records; t++) {
        int i = 0;

        while (i + 1 < r->count && energy[t] > r->upper[i])
            i++;
        off[i] += 1.0 / records;
    }
    for (int i = 0; i < r->count; i++)
        off[i] -= r->share[i];
    for (int i = 0; i < r->count; i++) {
        sum[i] += off[i];
        for (int j = 0; j < r->count; j++)
            product[i][j] += off[i] * off[j];
    }
}

/* Replica k has the energies per site series[k stride] .. of `records` measurements. */
static inline int shares_agree(const char *name, const ranges *r, int replicas, int records,
                               const double *series, int64_t stride)
{
    const int freedom = r->count - 1;
    double mean[RANGES] = {0}, product[RANGES][RANGES] = {{0}}, by[RANGES], chi2 = 0.0;

    for (int k = 0; k < replicas; k++)
        add_shares(r, series + k * stride, records, mean, product);
    for (int i = 0; i < freedom; i++)
        mean[i] /= replicas;
    for (int i = 0; i < freedom; i++)
        for (int j = 0; j < freedom; j++)
            product[i][j] =
                (product[i][j] / replicas - mean[i] * mean[j]) / (replicas - 1); /* of means */
    memcpy(by, mean, sizeof by);
    solve(freedom, product, by);
    for (int i = 0; i < freedom; i++)
        chi2 += mean[i] * by[i];
    assert_true(freedom >= 3);
    return agrees(name, "chi^2", errors_above(chi2, freedom), 1.0, 0.0);
}

#endif
