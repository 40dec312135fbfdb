/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs' fits, of synthetic curves whose answer is known: the mean of many fits is right,
 * and their pulls, that is, deviations in quoted errors, have a root mean square near 1. */
#include <math.h>

#include "examples/binder.h"
#include "examples/curve_fit.h"
#include "examples/phase.h"
#include "examples/xy.h"
#include "tests/support.h"

static const double pi = 3.14159265358979323846;

static uint64_t state;

static double uniform(void)
{
    return ((double)(next_random(&state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
    const double radius = sqrt(-2 * log(uniform()));

    return radius * cos(2 * pi * uniform());
}

typedef struct pulls {
    int count;
    double sum, squares;
} pulls;

static void add(pulls *p, double pull)
{
    assert_true(isfinite(pull));
    p->count++;
    p->sum += pull;
    p->squares += pull * pull;
}

static void check(const pulls *p)
{
    const double mean = p->sum / p->count, rms = sqrt(p->squares / p->count);

    print_message("%d pulls: mean %+.3f, rms %.3f\n", p->count, mean, rms);
    assert_true(fabs(mean) < 0.35);
    assert_true(rms > 0.6 && rms < 1.35);
}

/* Errors with noise of their own become a curve that has their mean square. */
static void test_smooth(void **unused)
{
    enum { POINTS = 40 };
    double x[POINTS], errors[POINTS], smooth[POINTS], ratio = 0;

    (void)unused;
    state = 9;
    for (int k = 0; k < POINTS; k++) {
        x[k] = k;
        errors[k] = exp(0.05 * k + 0.8 * normal());
    }
    errors[7] = NAN;
    errors[8] = 0;
    curve_smooth(POINTS, x, errors, smooth);
    for (int k = 0; k < POINTS; k++) {
        assert_true(fabs(log(smooth[k]) - 0.05 * k - 0.64) < 0.6);
        ratio += k == 7 ? 0 : pow(errors[k] / smooth[k], 2) / (POINTS - 2);
    }
    assert_true(fabs(ratio - 1) < 1e-9);
}

/* ---- U4 of several sizes, which all cross at one temperature */

static const double critical = 2.269;

/* m^2 is 1, or 0.1 with a share that grows with temperature: where that was drawn too seldom, U4 is
 * too large and its error too small. */
static double share_of(int64_t size, double temperature)
{
    return 0.06 + 0.1 * (temperature / critical - 1) * (double)size;
}

static void draw_curve(binder_curve *c, int64_t size, int draws)
{
    *c = (binder_curve){.size = size, .centre = 2.27};
    for (int t = 0; t < BINDER_TEMPS; t++) {
        const double s = 2.0 * t / (BINDER_TEMPS - 1) - 1;

        c->temperature[t] = c->centre * (1 + 0.5 * s * fabs(s) / (double)size);
        for (int b = 0; b < BINDER_BLOCKS; b++)
            for (int draw = 0; draw < draws; draw++) {
                const double m2 = uniform() < share_of(size, c->temperature[t]) ? 0.1 : 1;

                c->moments[b][t][0] += m2 / draws;
                c->moments[b][t][1] += m2 * m2 / draws;
            }
    }
    binder_analyse(c);
}

/* Weights that are noise themselves have pulled this one up by more than half of its error. */
static void test_binder_curve(void **unused)
{
    enum { RUNS = 200 };
    static binder_curve curve;
    const double share = share_of(64, critical), m2 = 1 - 0.9 * share, m4 = 1 - 0.99 * share;
    const double exact = 1 - m4 / (3 * m2 * m2);
    double sum = 0, squares = 0, mean;

    (void)unused;
    state = 8;
    for (int run = 0; run < RUNS; run++) {
        double value;

        draw_curve(&curve, 64, 6);
        value = binder_value(&curve, critical) - exact;
        sum += value;
        squares += value * value;
    }
    mean = sum / RUNS;
    print_message("U4 is off by %+.3f of its spread\n", mean / sqrt(squares / RUNS - mean * mean));
    assert_true(fabs(mean) < 0.3 * sqrt(squares / RUNS - mean * mean));
}

static void test_binder(void **unused)
{
    static binder_curve curves[4];
    pulls p = {0};

    (void)unused;
    state = 1;
    for (int run = 0; run < 60; run++) {
        binder_result r;

        for (int i = 0; i < 4; i++)
            draw_curve(&curves[i], INT64_C(8) << i, 32);
        assert_int_equal(binder_combine(curves, 4, 1, &r), 1);
        add(&p, (r.tc - critical) / r.error);
        assert_false(r.too_short);
    }
    check(&p);
}

static void test_binder_mark(void **unused)
{
    static binder_curve curves[3];
    binder_result r;

    (void)unused;
    state = 2;
    for (int i = 0; i < 3; i++)
        draw_curve(&curves[i], INT64_C(8) << i, 32);
    curves[1].too_short = 1;
    assert_int_equal(binder_combine(curves, 3, 1, &r), 1);
    assert_true(r.too_short);
}

/* ---- the helicity modulus, with logarithmic corrections to its jump */

static const double t_kt = 0.8929;

static double helicity(int64_t size, double temperature)
{
    const double l = log((double)size), c = 0.5;
    const double jump = 2 * t_kt / pi * (1 + 1 / (2 * l + c + log(l + c / 2)));

    return jump - (0.9 + 0.15 * l) * (temperature - t_kt) -
           (0.4 + 0.9 * l) * pow(temperature - t_kt, 2);
}

/* With `noise` each block loses a piece of Y in one of eight cases, as it does by a free pair of
 * vortices, and temperatures have half of their noise in common. */
static void draw_helicities(xy_curve *curves, double noise)
{
    for (int i = 0; i < XY_SIZES; i++) {
        xy_curve *c = &curves[i];

        *c = (xy_curve){.size = INT64_C(16) << i};
        for (int t = 0; t < XY_TEMPS; t++)
            c->temperature[t] = 0.7 + 0.02 * t;
        for (int b = 0; b < XY_BLOCKS; b++) {
            const double common = normal();

            for (int t = 0; t < XY_TEMPS; t++) {
                const double rare = uniform() < 0.125 ? -7.0 / 2 : 1.0 / 2;
                const double width = noise * exp(8 * (c->temperature[t] - t_kt));

                c->block[b][t] = helicity(c->size, c->temperature[t]) +
                                 width * (rare + 0.7 * normal() + 0.7 * common);
            }
        }
    }
}

static void test_xy_exact(void **unused)
{
    static xy_curve curves[XY_SIZES];
    xy_fit fit;

    (void)unused;
    state = 3;
    draw_helicities(curves, 1e-6);
    fit = xy_fit_of(curves, XY_SIZES);
    assert_true(fabs(fit.temperature - t_kt) < 2e-5);
    assert_true(fabs(fit.c - 0.5) < 0.01);
    /* by half of what the next order moves it */
    assert_true(fit.systematic > 5e-4 && fit.systematic < 2e-3);
    assert_true(fit.statistical < 1e-5);
    assert_true(fabs(fit.error - hypot(fit.statistical, fit.systematic)) < 1e-12);
    assert_false(fit.too_short);
}

/* The scale that a figure shows is that which the drawn helicities have at the transition. */
static void test_xy_scale(void **unused)
{
    (void)unused;
    for (int64_t size = 16; size <= 512; size *= 2) {
        const double u = 1 / (helicity(size, t_kt) * pi / (2 * t_kt) - 1);

        assert_true(fabs(xy_scale(size, 0.5) - u) < 1e-9);
    }
}

static void test_xy_pulls(void **unused)
{
    static xy_curve curves[XY_SIZES];
    pulls p = {0};

    (void)unused;
    state = 4;
    for (int run = 0; run < 60; run++) {
        xy_fit fit;

        draw_helicities(curves, 0.015);
        fit = xy_fit_of(curves, XY_SIZES);
        add(&p, (fit.temperature - t_kt) / fit.statistical);
    }
    check(&p);
}

static void test_xy_mark(void **unused)
{
    static xy_curve curves[XY_SIZES];

    (void)unused;
    state = 5;
    draw_helicities(curves, 0.001);
    curves[2].helicity[0].too_short = 1; /* far below the transition */
    assert_false(xy_fit_of(curves, XY_SIZES).too_short);
    curves[2].helicity[9].too_short = 1;
    assert_true(xy_fit_of(curves, XY_SIZES).too_short);
}

/* ---- U4 of a scan in mu2 */

enum { REPLICAS = 25 };

static latmc_estimate binders[REPLICAS];

/* In place of the one in examples/results.c. */
const latmc_estimate *results_find(const results *r, int64_t replica, int what)
{
    assert_int_equal(what, RESULT_BINDER);
    assert_true(replica >= 0 && replica < r->info.replicas);
    return &binders[replica];
}

static const double mu2_c = -1.2745;

static double depth(double mu2)
{
    return 2.0 / 3 / (1 + exp(-55 * (mu2 - mu2_c) + log(0.61069 / (2.0 / 3 - 0.61069))));
}

/* Errors are those of the true width, by a factor that is noise. */
static void draw_scan(phase_scan *s, double mu2[REPLICAS], double noise)
{
    *s = (phase_scan){.mu2 = mu2};
    s->r.info.replicas = REPLICAS;
    s->r.info.dims = 2;
    s->r.info.extents[0] = s->r.info.extents[1] = 64;
    s->critical = phase_critical(&s->r.info);
    for (int r = 0; r < REPLICAS; r++) {
        double width;

        mu2[r] = -1.45 + 0.35 * r / (REPLICAS - 1);
        width = noise * depth(mu2[r]);
        binders[r] = (latmc_estimate){.value = 2.0 / 3 - depth(mu2[r]) + width * normal(),
                                      .error = width * exp(0.4 * normal())};
    }
}

static void test_phase(void **unused)
{
    phase_scan s;
    double mu2[REPLICAS];
    pulls p = {0}, halved = {0};

    (void)unused;
    state = 6;
    draw_scan(&s, mu2, 1e-6);
    phase_locate(&s);
    assert_true(fabs(s.transition - mu2_c) < 5e-4);
    for (int run = 0; run < 200; run++) {
        draw_scan(&s, mu2, 0.15);
        phase_locate(&s);
        add(&p, (s.transition - mu2_c) / s.statistical);
        assert_true(isnan(s.systematic) && s.error == s.statistical);
    }
    check(&p);
    /* Errors that are half of what they should be grow by the scatter of the points. */
    for (int run = 0; run < 200; run++) {
        draw_scan(&s, mu2, 0.15);
        for (int r = 0; r < REPLICAS; r++)
            binders[r].error /= 2;
        phase_locate(&s);
        add(&halved, (s.transition - mu2_c) / s.statistical);
    }
    check(&halved);
}

static void test_phase_marks(void **unused)
{
    phase_scan s;
    double mu2[REPLICAS];

    (void)unused;
    state = 7;
    draw_scan(&s, mu2, 0.01);
    binders[0].too_short = binders[REPLICAS - 1].too_short = 1; /* far from the transition */
    phase_locate(&s);
    assert_false(s.doubtful);
    binders[11].too_short = 1;
    phase_locate(&s);
    assert_true(s.doubtful);
    s.critical = NAN;
    phase_locate(&s);
    assert_true(isnan(s.transition) && isnan(s.error));
}

/* Of a lattice of half the extents, from which the transition moved by 2^2.75 - 1 times what is
 * left.
 */
static void test_phase_sizes(void **unused)
{
    phase_scan s = {.transition = -1.27, .statistical = 0.004, .error = 0.004};
    phase_scan half = {.transition = -1.27 + 0.003 * (pow(2, 2.75) - 1)};

    (void)unused;
    s.r.info.dims = 2;
    phase_correct(&s, &half);
    assert_true(fabs(s.systematic - 0.003) < 1e-12 && fabs(s.error - 0.005) < 1e-12);
    assert_false(s.doubtful);
    half.doubtful = 1;
    phase_correct(&s, &half);
    assert_true(s.doubtful);
    half.transition = NAN;
    s.error = 0.004;
    phase_correct(&s, &half);
    assert_true(s.error == 0.004);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth),      cmocka_unit_test(test_binder_curve),
        cmocka_unit_test(test_binder),      cmocka_unit_test(test_binder_mark),
        cmocka_unit_test(test_xy_exact),    cmocka_unit_test(test_xy_scale),
        cmocka_unit_test(test_xy_pulls),    cmocka_unit_test(test_xy_mark),
        cmocka_unit_test(test_phase),       cmocka_unit_test(test_phase_marks),
        cmocka_unit_test(test_phase_sizes),
    };

    return cmocka_run_group_tests_name("fits", tests, NULL, NULL);
}
