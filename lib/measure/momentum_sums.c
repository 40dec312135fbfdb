/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/measure/momentum_sums.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/physics/geometry.h"

enum { GROUP = LM_MOMENTUM_GROUP };

static int64_t groups_of_row(const struct lm_momenta *m)
{
    return (m->extents[0] + GROUP - 1) / GROUP;
}

latmc_status lm_momentum_open(lm_momentum_adding *a, const latmc_lattice *lattice,
                              const char *caller, int terms)
{
    const struct lm_momenta *const m = lattice->momenta;
    const int64_t layers = m->dims > 1 ? m->extents[m->dims - 1] : 1;
    const int64_t layer = lattice->rows / layers * groups_of_row(m), phases = 2 * m->count;
    latmc_status status;

    *a = (lm_momentum_adding){.of = m,
                              .terms = terms,
                              .width = lm_momentum_width(m, terms),
                              .layer = layer,
                              .left = layer};
    status = lm_adders_open(&a->groups, caller, a->width, layer);
    if (!status)
        status = lm_adders_open(&a->all, caller, a->width, layers);
    if (status)
        return status;
    a->sums = lm_unset(caller, "sums with momenta", a->width + 3 * phases, sizeof *a->sums);
    if (!a->sums)
        return LATMC_ERROR_MEMORY;
    a->z = a->sums + a->width;
    a->outer = a->z + phases;
    a->room = a->outer + phases;
    return LATMC_OK;
}

void lm_momentum_close(lm_momentum_adding *a)
{
    lm_adders_close(&a->groups);
    lm_adders_close(&a->all);
    free(a->sums);
}

/* Multiplies phases by others. Each is [2][count]. */
static void turn(double *restrict phases, const double *restrict by, int count)
{
    for (int j = 0; j < count; j++) {
        const double c = phases[j], s = phases[count + j];

        phases[j] = c * by[j] - s * by[count + j];
        phases[count + j] = c * by[count + j] + s * by[j];
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
        turn(a->outer, lm_momentum_phases(m, axis, x[axis], a->room), m->count);
}

/* Adds eight products in pairs, again and again. Terms and phases are every second one. */
static inline double eight(const double *t, const double *u, ptrdiff_t step)
{
    return ((t[0] * u[0] + t[2] * u[2 * step]) + (t[4] * u[4 * step] + t[6] * u[6 * step])) +
           ((t[8] * u[8 * step] + t[10] * u[10 * step]) +
            (t[12] * u[12 * step] + t[14] * u[14 * step]));
}

static void sum_group(const struct lm_momenta *m, const double *terms, double *restrict z)
{
    const ptrdiff_t step = 2 * (ptrdiff_t)m->count;
    const double *const u = m->within;

    for (ptrdiff_t k = 0; k < step; k++)
        z[k] = eight(terms, u + k, step) + eight(terms + 1, u + step + k, step);
}

/* Turns a group's sums by the phases of its first site, and adds them. */
static void add_group(const double *restrict z, const double *restrict along,
                      const double *restrict outer, int count, double *restrict to)
{
    for (int j = 0; j < count; j++) {
        const double c = z[j] * along[j] - z[count + j] * along[count + j];
        const double s = z[j] * along[count + j] + z[count + j] * along[j];

        to[j] = to[j] + (c * outer[j] - s * outer[count + j]);
        to[count + j] = to[count + j] + (c * outer[count + j] + s * outer[j]);
    }
}

/* Counts a group. After the last one of a layer its sums become numbers of the sum over layers. */
static void end_group(lm_momentum_adding *a)
{
    double *next;

    lm_adders_added(&a->groups);
    if (--a->left)
        return;
    lm_adders_end(&a->groups, a->sums);
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

    for (int64_t i = 0; i < count; i += GROUP) {
        const double *const along = lm_momentum_phases(m, 0, (first + i) / GROUP, a->room);
        double *const to = lm_adders_next(&a->groups);

        for (int k = 0; k < a->terms; k++) {
            const double *t = terms + k * stride + i;
            double some[GROUP] = {0.0};

            for (int64_t s = i; s < count && count - i < GROUP; s++)
                some[s - i] = t[s - i];
            sum_group(m, count - i < GROUP ? some : t, a->z);
            add_group(a->z, along, a->outer, m->count, to + (ptrdiff_t)k * 2 * m->count);
        }
        end_group(a);
    }
}

void lm_momentum_end(lm_momentum_adding *a, double *sums)
{
    lm_adders_end(&a->all, sums);
}
