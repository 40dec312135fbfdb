/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples are independent of each other, and temperatures of one sample are not: all errors are
 * those of a bootstrap by samples (B. Efron, Ann. Stat. 7, 1 (1979)), in which a sample that is
 * drawn comes with all its temperatures.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "glass.h"
#include "results.h"

/* Standard errors by which the last two bins may differ: of six such differences, the programs'
 * preset, chance alone takes one beyond it in 60 runs. */
static const double drift_max = 3.0;

const char *const glass_names[GLASS_QUANTITIES] = {"energy", "link_overlap", "q2",
                                                   "g",      "chi",          "xi/L"};

static latmc_estimate estimate_of(double value, double error)
{
    return (latmc_estimate){.size = sizeof(latmc_estimate),
                            .value = value,
                            .error = error,
                            .tau_int = (double)NAN,
                            .tau_error = (double)NAN};
}

int glass_bins(const glass_size *g)
{
    int bins = 0;

    while (g->records >= INT64_C(1) << bins)
        bins++;
    return bins;
}

/* ---- means over time and samples */

static double time_mean(const glass_size *g, int bin, int64_t sample, int step, glass_mean what)
{
    const int64_t length = bin ? INT64_C(1) << (bin - 1) : 1;

    return g->sums[((bin * g->samples + sample) * g->steps + step) * MEANS + what] / (double)length;
}

static latmc_estimate over_samples(const double *values, int64_t count)
{
    latmc_estimate e = LATMC_INIT(latmc_estimate);

    cli_run(latmc_average(values, count, &e));
    return e;
}

latmc_estimate glass_bin(const glass_size *g, int bin, int step, glass_mean what)
{
    double *values = cli_memory(g->samples, sizeof *values);
    latmc_estimate e;

    for (int64_t j = 0; j < g->samples; j++)
        values[j] = time_mean(g, bin, j, step, what);
    e = over_samples(values, g->samples);
    free(values);
    return e;
}

/* Each sample with itself, so that the spread of the samples is not in it. */
static double drift(const glass_size *g, glass_mean what)
{
    const int last = glass_bins(g) - 1;
    double *values = cli_memory(g->samples, sizeof *values);
    latmc_estimate e;

    for (int64_t j = 0; j < g->samples; j++)
        values[j] = time_mean(g, last, j, 0, what) - time_mean(g, last - 1, j, 0, what);
    e = over_samples(values, g->samples);
    free(values);
    return e.value / e.error;
}

/* ---- the bootstrap */

/* SplitMix64: G. L. Steele, D. Lea and C. H. Flood, OOPSLA 2014. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* How often each sample is drawn. */
static void draw_samples(const glass_size *g, uint64_t *state, double *weights)
{
    memset(weights, 0, (size_t)g->samples * sizeof *weights);
    for (int64_t j = 0; j < g->samples; j++)
        weights[draw(state) % (uint64_t)g->samples]++;
}

static void quantities(const glass_size *g, const double *means, double *values)
{
    const double inputs[] = {means[MEAN_Q2], means[MEAN_WAVE]};
    latmc_momentum along = {.size = sizeof along, .k = 2 * acos(-1.0) / (double)g->size};

    values[GLASS_ENERGY] = means[MEAN_ENERGY];
    values[GLASS_LINKS] = means[MEAN_LINKS];
    values[GLASS_Q2] = means[MEAN_Q2];
    values[GLASS_BINDER] = (3 - means[MEAN_Q4] / (means[MEAN_Q2] * means[MEAN_Q2])) / 2;
    values[GLASS_CHI] = (double)g->sites * means[MEAN_Q2];
    values[GLASS_LENGTH] = latmc_correlation_length(inputs, &along) / (double)g->size;
}

/* Of the last bin, with so much of each sample. */
static void evaluate(const glass_size *g, const double *weights, int step, double *values)
{
    const int last = glass_bins(g) - 1;
    double means[MEANS] = {0};

    for (int64_t j = 0; j < g->samples; j++)
        for (int m = 0; m < MEANS; m++)
            means[m] += weights[j] * time_mean(g, last, j, step, m) / (double)g->samples;
    quantities(g, means, values);
}

typedef struct spread {
    double sum, squares;
} spread;

static void add(spread *s, double value)
{
    s->sum += value;
    s->squares += value * value;
}

/* NaN of fewer than two. */
static double width(const spread *s, double count)
{
    return sqrt(fmax(0, (s->squares - s->sum * s->sum / count) / (count - 1)));
}

static void draw_all(glass_size *g, double *weights)
{
    spread(*all)[GLASS_QUANTITIES] = cli_memory(g->steps, sizeof *all);
    uint64_t state = g->seed;

    for (int d = 0; d < GLASS_DRAWS; d++) {
        draw_samples(g, &state, weights);
        for (int t = 0; t < g->steps; t++) {
            double values[GLASS_QUANTITIES];

            evaluate(g, weights, t, values);
            g->drawn[d * g->steps + t] = values[GLASS_LENGTH];
            /* from the value, so that no digits are lost */
            for (int q = 0; q < GLASS_QUANTITIES; q++)
                add(&all[t][q], values[q] - g->estimate[t][q].value);
        }
    }
    for (int t = 0; t < g->steps; t++)
        for (int q = 0; q < GLASS_QUANTITIES; q++) {
            g->estimate[t][q].error = width(&all[t][q], GLASS_DRAWS);
            g->estimate[t][q].too_short = g->samples < RESULTS_SAMPLES;
        }
    free(all);
}

void glass_analyse(glass_size *g)
{
    double *weights = cli_memory(g->samples, sizeof *weights);

    for (int64_t j = 0; j < g->samples; j++)
        weights[j] = 1;
    for (int t = 0; t < g->steps; t++) {
        double values[GLASS_QUANTITIES];

        evaluate(g, weights, t, values);
        for (int q = 0; q < GLASS_QUANTITIES; q++)
            g->estimate[t][q] = estimate_of(values[q], NAN);
    }
    draw_all(g, weights);
    free(weights);
    g->drift[0] = drift(g, MEAN_Q2);
    g->drift[1] = drift(g, MEAN_ENERGY);
    g->thermalized = fabs(g->drift[0]) < drift_max && fabs(g->drift[1]) < drift_max;
    g->low = over_samples(g->lowest, g->samples);
}

/* ---- where two sizes cross */

/*
 * Below the crossing the larger size has the larger xi / L, above it the smaller one: of all places
 * between two temperatures it is the one for which this is least wrong, that is, up to which the
 * sum of the differences is largest; on straight lines between the temperatures, which both sizes
 * have in common. NaN: it is beyond the range.
 */
static double cross(const glass_size *g, const double *small, const double *large, double *length)
{
    double sum = 0, most = 0, share;
    int at = -1;

    for (int t = 0; t < g->steps; t++) {
        sum += large[t] - small[t];
        if (sum > most) {
            most = sum;
            at = t;
        }
    }
    *length = NAN;
    if (at < 0 || at + 1 == g->steps)
        return NAN;
    share = (large[at] - small[at]) / (large[at] - small[at] - large[at + 1] + small[at + 1]);
    *length = small[at] + share * (small[at + 1] - small[at]);
    return g->temperature[at] + share * (g->temperature[at + 1] - g->temperature[at]);
}

glass_crossing glass_cross(const glass_size *small, const glass_size *large)
{
    glass_crossing x = {.size = small->size, .larger = large->size};
    double a[GLASS_STEPS], b[GLASS_STEPS], length, crossed = 0;
    spread all = {0, 0};

    for (int t = 0; t < small->steps; t++) {
        a[t] = small->estimate[t][GLASS_LENGTH].value;
        b[t] = large->estimate[t][GLASS_LENGTH].value;
    }
    x.temperature = estimate_of(cross(small, a, b, &x.length), NAN);
    for (int d = 0; d < GLASS_DRAWS; d++) {
        const double t =
            cross(small, small->drawn + d * small->steps, large->drawn + d * small->steps, &length);

        if (!isfinite(t))
            continue;
        add(&all, t - small->temperature[0]);
        crossed++;
    }
    x.share = crossed / GLASS_DRAWS;
    if (isfinite(x.temperature.value))
        x.temperature.error = width(&all, crossed);
    return x;
}
