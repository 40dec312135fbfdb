/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/sums/momentum_sums.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/physics/geometry.h"

enum { BAR = LM_MOMENTUM_BAR };

static int64_t bars_of_row(const struct lm_momenta *m)
{
    return (m->extents[0] + BAR - 1) / BAR;
}

latmc_status lm_momentum_open(lm_momentum_adding *a, const latmc_lattice *lattice,
                              const char *caller, int terms)
{
    const struct lm_momenta *const m = lattice->momenta;
    const int64_t layers = m->dims > 1 ? m->extents[m->dims - 1] : 1;
    const int64_t layer = lattice->rows / layers * bars_of_row(m), factors = 2 * m->count;
    latmc_status status;

    *a = (lm_momentum_adding){.of = m,
                              .terms = terms,
                              .width = lm_momentum_width(m, terms),
                              .layer = layer,
                              .left = layer};
    status = lm_adders_open(&a->bars, caller, a->width, layer);
    if (!status)
        status = lm_adders_open(&a->all, caller, a->width, layers);
    if (status)
        return status;
    a->sums = lm_unzeroed(caller, "sums with momenta", a->width + 4 * factors, sizeof *a->sums);
    if (!a->sums)
        return LATMC_ERROR_MEMORY;
    a->even = a->sums + a->width;
    a->odd = a->even + factors;
    a->outer = a->odd + factors;
    a->room = a->outer + factors;
    return LATMC_OK;
}

void lm_momentum_close(lm_momentum_adding *a)
{
    lm_adders_close(&a->bars);
    lm_adders_close(&a->all);
    free(a->sums);
}

/* Returns number j of [2][count]. */
static inline lm_wave_number number_at(const double *numbers, int count, int j)
{
    return (lm_wave_number){numbers[j], numbers[count + j]};
}

/* Multiplies factors by others. Each is [2][count]. */
static void turn(double *restrict factors, const double *restrict by, int count)
{
    for (int j = 0; j < count; j++) {
        const lm_wave_number turned =
            lm_wave_product(number_at(factors, count, j), number_at(by, count, j));

        factors[j] = turned.re;
        factors[count + j] = turned.im;
    }
}

void lm_momentum_row(lm_momentum_adding *a, int64_t row)
{
    const struct lm_momenta *const m = a->of;
    int64_t x[LATMC_MAX_DIMS] = {0};

    lm_coordinates(row, 1, m->dims, m->extents, x);
    for (int j = 0; j < m->count; j++) {
        a->outer[j] = 1.0;
        a->outer[m->count + j] = 0.0;
    }
    for (int axis = 1; axis < m->dims; axis++)
        turn(a->outer, lm_momentum_factors(m, axis, x[axis], a->room), m->count);
}

/* Adds eight products. Terms and factors are every second one. */
static inline double eight(const double *t, const double *u, ptrdiff_t step)
{
    const double products[] = {t[0] * u[0],          t[2] * u[2 * step],  t[4] * u[4 * step],
                               t[6] * u[6 * step],   t[8] * u[8 * step],  t[10] * u[10 * step],
                               t[12] * u[12 * step], t[14] * u[14 * step]};

    return lm_momentum_eight(products);
}

/* Adds the products of every second site of a bar. */
static void sum_eight(const struct lm_momenta *m, const double *terms, const double *u,
                      double *restrict sums)
{
    const ptrdiff_t step = 2 * (ptrdiff_t)m->count;

    for (ptrdiff_t k = 0; k < step; k++)
        sums[k] = eight(terms, u + k, step);
}

/* Turns a bar's sums, those of its even plus those of its odd sites, by the factors of its first
 * site, and adds them. */
static void add_bar(const double *restrict even, const double *restrict odd,
                    const double *restrict along, const double *restrict outer, int count,
                    double *restrict to)
{
    for (int j = 0; j < count; j++) {
        const lm_wave_number element =
            lm_momentum_element(number_at(even, count, j), number_at(odd, count, j),
                                number_at(along, count, j), number_at(outer, count, j));

        to[j] = to[j] + element.re;
        to[count + j] = to[count + j] + element.im;
    }
}

/* Counts a bar. After the last one of a layer its sums become numbers of the sum over layers. */
static void end_bar(lm_momentum_adding *a)
{
    double *next;

    lm_adders_added(&a->bars);
    if (--a->left)
        return;
    lm_adders_end(&a->bars, a->sums);
    next = lm_adders_next(&a->all);
    for (int64_t i = 0; i < a->width; i++)
        next[i] = next[i] + a->sums[i];
    lm_adders_added(&a->all);
    a->left = a->layer;
}

void lm_momentum_add(lm_momentum_adding *a, int64_t first, int64_t count, const double *terms,
                     int64_t stride)
{
    const struct lm_momenta *const m = a->of;
    const ptrdiff_t factors = 2 * (ptrdiff_t)m->count;

    for (int64_t i = 0; i < count; i += BAR) {
        const double *const along = lm_momentum_factors(m, 0, (first + i) / BAR, a->room);
        double *const to = lm_adders_next(&a->bars);

        for (int k = 0; k < a->terms; k++) {
            const double *t = terms + k * stride + i;
            double some[BAR] = {0.0};

            for (int64_t s = i; s < count && count - i < BAR; s++)
                some[s - i] = t[s - i];
            t = count - i < BAR ? some : t;
            sum_eight(m, t, m->within, a->even);
            sum_eight(m, t + 1, m->within + factors, a->odd);
            add_bar(a->even, a->odd, along, a->outer, m->count, to + k * factors);
        }
        end_bar(a);
    }
}

/* ---- bits */

enum { HALF = LM_MOMENTUM_HALF, HALVES = LM_MOMENTUM_KINDS * 2 * HALF };

/* `cut`: of a bar that the row's end cuts. */
static double *sums_of_bits(const struct lm_momenta *m, int cut, int odd, uint64_t bits)
{
    return m->bits + (HALF * (2 * cut + odd) + (ptrdiff_t)bits) * 2 * m->count;
}

/* Sites beyond the row's end have the term 0. */
static void sum_bits(const struct lm_momenta *m, int cut, int odd, int bits, const double values[2])
{
    const int64_t sites = cut ? m->extents[0] % BAR : BAR;
    double terms[BAR];

    for (int s = 0; s < BAR; s++)
        terms[s] = (s & ~1) + odd < sites ? values[bits >> s / 2 & 1] : 0.0;
    sum_eight(m, terms, m->within + 2 * (ptrdiff_t)m->count * odd,
              sums_of_bits(m, cut, odd, (uint64_t)bits));
}

latmc_status lm_momentum_bits_prepare(struct lm_momenta *m, const char *caller,
                                      const double values[2])
{
    if (m->bits)
        return LATMC_OK;
    m->bits = lm_unzeroed(caller, "sums of bits with momenta", HALVES,
                          2 * (size_t)m->count * sizeof *m->bits);
    for (int i = 0; i < HALVES && m->bits; i++)
        sum_bits(m, i / HALF / 2, i / HALF % 2, i % HALF, values);
    return m->bits ? LATMC_OK : LATMC_ERROR_MEMORY;
}

/* Returns bits 0, 2, .. 14. */
static uint64_t every_second(uint64_t bits)
{
    bits &= 0x5555u;
    bits = (bits | bits >> 1) & 0x3333u;
    bits = (bits | bits >> 2) & 0x0F0Fu;
    return (bits | bits >> 4) & 0xFFu;
}

void lm_momentum_add_bits(lm_momentum_adding *a, int64_t first, int bars, const uint64_t *bits)
{
    const struct lm_momenta *const m = a->of;

    for (int g = 0; g < bars; g++) {
        const int cut = first + BAR * (g + 1) > m->extents[0];
        const double *const along = lm_momentum_factors(m, 0, first / BAR + g, a->room);
        double *const to = lm_adders_next(&a->bars);

        for (int k = 0; k < a->terms; k++) {
            const uint64_t own = bits[k] >> BAR * g;

            add_bar(sums_of_bits(m, cut, 0, every_second(own)),
                    sums_of_bits(m, cut, 1, every_second(own >> 1)), along, a->outer, m->count,
                    to + (ptrdiff_t)k * 2 * m->count);
        }
        end_bar(a);
    }
}

void lm_momentum_end(lm_momentum_adding *a, double *sums)
{
    lm_adders_end(&a->all, sums);
}
