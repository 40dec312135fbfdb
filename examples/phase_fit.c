/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a scan's Binder cumulant U4 has its universal value, and how far that may be from the
 * transition of an infinite lattice.
 *
 * ln(2/3 - U4) is smooth in mu2 on both sides of the transition, and its errors are nearly equal.
 * So a polynomial goes through it near the transition. Replicas are independent of each other.
 *
 * The place moves with the size as L^-w, w = 1/nu + omega. A lattice of half the extents shows how
 * far: the difference is 2^w - 1 times what is left.
 */
#include <math.h>

#include "curve_fit.h"
#include "phase.h"

enum { BESIDE = 5, USED_MAX = 2 * BESIDE, TERMS = 4 };

/* By dimension: U4 at the transition of a large lattice of equal periodic extents, from J. Salas
 * and A. D. Sokal, J. Stat. Phys. 98, 551 (2000), and A. M. Ferrenberg, J. Xu and D. P. Landau,
 * Phys. Rev. E 97, 043301 (2018); and w, from nu = 1 and omega = 7/4, and from nu = 0.63 and omega
 * = 0.83. */
static const struct {
    double binder, exponent;
} universal[LATMC_MAX_DIMS + 1] = {
    {NAN, NAN}, {NAN, NAN}, {0.61069, 2.75}, {0.46548, 2.42}, {NAN, NAN}};

static int has_equal_extents(const latmc_lattice_info *info)
{
    for (int axis = 1; axis < info->dims; axis++)
        if (info->extents[axis] != info->extents[0])
            return 0;
    return 1;
}

double phase_critical(const latmc_lattice_info *info)
{
    return has_equal_extents(info) ? universal[info->dims].binder : (double)NAN;
}

/* The replica up to which U4 lies above its critical value for most of the way: noise makes several
 * crossings, and this place is the one that is least wrong. -1: there is none within the range. */
static int64_t place_of(const phase_scan *s)
{
    double sum = 0, most = 0;
    int64_t at = -1;

    for (int64_t r = 0; r < s->r.info.replicas; r++) {
        sum += results_find(&s->r, r, RESULT_BINDER)->value - s->critical;
        if (sum > most) {
            most = sum;
            at = r;
        }
    }
    return at + 1 == s->r.info.replicas ? -1 : at;
}

/* The points that are used. */
typedef struct window {
    int count;
    double middle, x[USED_MAX], y[USED_MAX], error[USED_MAX];
} window;

/* U4 is below 2/3, but for the correction of the jackknife's bias. */
static double depth_of(const latmc_estimate *e)
{
    return fmax(2.0 / 3 - e->value, e->error / 2);
}

static window choose(phase_scan *s, int64_t at)
{
    window w = {.middle = s->mu2[at]};
    double raw[USED_MAX];

    for (int64_t r = at - BESIDE + 1; r <= at + BESIDE; r++) {
        const latmc_estimate *e;

        if (r < 0 || r >= s->r.info.replicas)
            continue;
        e = results_find(&s->r, r, RESULT_BINDER);
        s->doubtful |= e->too_short;
        if (!isfinite(e->error) || !(e->error > 0))
            continue;
        w.x[w.count] = s->mu2[r] - w.middle;
        w.y[w.count] = log(depth_of(e));
        raw[w.count++] = e->error / depth_of(e);
    }
    if (w.count)
        curve_smooth(w.count, w.x, raw, w.error);
    return w;
}

/* Where the polynomial, which rises, has the value `wanted`: of all places the one that is nearest
 * to the middle. NaN: nowhere within the window. */
static double solve(const window *w, double wanted)
{
    enum { STEPS = 400 };
    double c[TERMS], found = (double)NAN;
    const double from = w->x[0], step = (w->x[w->count - 1] - from) / STEPS;

    curve_fit(w->count, w->x, w->y, w->error, TERMS, c);
    for (int i = 0; i < STEPS; i++) {
        const double low = curve_value(TERMS, c, from + i * step) - wanted;
        const double high = curve_value(TERMS, c, from + (i + 1) * step) - wanted;
        const double x = from + (i + low / (low - high)) * step;

        if (low <= 0 && high > 0 && !(fabs(x) >= fabs(found)))
            found = x;
    }
    return found;
}

/* chi2 of the polynomial by degree of freedom, at least 1. */
static double excess(const window *w)
{
    double c[TERMS], chi2 = 0;

    curve_fit(w->count, w->x, w->y, w->error, TERMS, c);
    for (int k = 0; k < w->count; k++)
        chi2 += pow((w->y[k] - curve_value(TERMS, c, w->x[k])) / w->error[k], 2);
    return fmax(1, chi2 / (w->count - TERMS));
}

/* Points are independent, so that what each moves the place by adds in squares. If they scatter
 * about the curve by more than their errors, the error grows as they do. */
static double error_of(const window *w, double wanted, double place)
{
    double squares = 0;

    for (int k = 0; k < w->count; k++) {
        window moved = *w;

        moved.y[k] += w->error[k];
        squares += pow(solve(&moved, wanted) - place, 2);
    }
    return sqrt(squares * excess(w));
}

void phase_locate(phase_scan *s)
{
    const double wanted = log(2.0 / 3 - s->critical);
    const int64_t at = isfinite(s->critical) ? place_of(s) : -1;
    window w;

    s->transition = s->statistical = s->systematic = s->error = (double)NAN;
    s->doubtful = 0;
    if (at < 0)
        return;
    w = choose(s, at);
    if (w.count <= TERMS)
        return;
    s->transition = w.middle + solve(&w, wanted);
    s->error = s->statistical = error_of(&w, wanted, s->transition - w.middle);
}

void phase_correct(phase_scan *s, const phase_scan *half)
{
    const double w = universal[s->r.info.dims].exponent;

    if (!isfinite(half->transition))
        return;
    s->systematic = fabs(s->transition - half->transition) / (pow(2, w) - 1);
    s->error = hypot(s->statistical, s->systematic);
    s->doubtful |= half->doubtful;
}
