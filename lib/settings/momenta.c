/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/settings/momenta.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/geometry/waves.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/need.h"

/* The most bytes of an axis's table. */
#define MOST_TABLE ((int64_t)64 << 20)

static double *factors_at(double *factors, const struct lm_momenta *m, int64_t index)
{
    return factors + index * 2 * m->count;
}

/* Sets the factors at x of all momenta. Half a turn changes both signs. */
static void set_factors(const struct lm_momenta *m, int axis, int64_t x, double *factors)
{
    const int64_t half = m->extents[axis];

    for (int j = 0; j < m->count; j++) {
        const int64_t turns = lm_modulo_period(m->n[j * m->dims + axis], x, 2 * half);
        const double *const wave = m->wave[axis] + 2 * (turns % half);

        for (int part = 0; part < 2; part++)
            factors[part * m->count + j] = turns < half ? wave[part] : -wave[part];
    }
}

static int64_t step_of(int axis)
{
    return axis == 0 ? LM_MOMENTUM_BAR : 1;
}

const double *lm_momentum_factors(const struct lm_momenta *m, int axis, int64_t x, double *room)
{
    if (m->table[axis])
        return factors_at(m->table[axis], m, x);
    set_factors(m, axis, x * step_of(axis), room);
    return room;
}

/* ---- memory */

static const char what[] = "the factors of momenta";

static size_t factors_bytes(const struct lm_momenta *m)
{
    return 2 * (size_t)m->count * sizeof(double);
}

static void close_factors(struct lm_momenta *m)
{
    for (int a = 0; a < m->dims; a++) {
        free(m->wave[a]);
        free(m->table[a]);
        m->wave[a] = m->table[a] = NULL;
    }
    free(m->within);
}

void lm_momenta_free(struct lm_momenta *m)
{
    if (!m)
        return;
    close_factors(m);
    free(m->bits);
    free(m->sums);
    free(m);
}

static latmc_status open_axis(struct lm_momenta *m, const char *caller, int axis)
{
    const int64_t extent = m->extents[axis], step = step_of(axis);
    const int64_t count = (extent + step - 1) / step;
    const size_t each = factors_bytes(m);

    m->wave[axis] = lm_unzeroed(caller, what, extent, 2 * sizeof(double));
    if (!m->wave[axis])
        return LATMC_ERROR_MEMORY;
    lm_waves(2 * extent, extent, m->wave[axis]);
    if (count > MOST_TABLE / (int64_t)each)
        return LATMC_OK;
    m->table[axis] = lm_unzeroed(caller, what, count, each);
    for (int64_t x = 0; x < count && m->table[axis]; x++)
        set_factors(m, axis, x * step, factors_at(m->table[axis], m, x));
    return m->table[axis] ? LATMC_OK : LATMC_ERROR_MEMORY;
}

latmc_status lm_momenta_prepare(const latmc_lattice *lattice, const char *caller)
{
    struct lm_momenta *const m = lattice->momenta;
    latmc_status status = LATMC_OK;

    if (m->within)
        return LATMC_OK;
    close_factors(m);
    for (int a = 0; a < m->dims && !status; a++)
        status = open_axis(m, caller, a);
    if (status)
        return status;
    m->within = lm_unzeroed(caller, what, LM_MOMENTUM_BAR, factors_bytes(m));
    for (int x = 0; x < LM_MOMENTUM_BAR && m->within; x++)
        set_factors(m, 0, x, factors_at(m->within, m, x));
    return m->within ? LATMC_OK : LATMC_ERROR_MEMORY;
}

static struct lm_momenta *make(const latmc_lattice *lattice, const char *caller, int64_t count,
                               const int64_t *n)
{
    struct lm_momenta *m = lm_zeroed(caller, "momenta", 1, sizeof *m);

    if (!m)
        return NULL;
    m->dims = lattice->dims;
    m->count = (int)count;
    memcpy(m->extents, lattice->extents, sizeof m->extents);
    memcpy(m->n, n, (size_t)(count * m->dims) * sizeof *n);
    return m;
}

latmc_status lm_momentum_sums_prepare(latmc_lattice *lattice, const char *caller)
{
    struct lm_momenta *const m = lattice->momenta;
    const int64_t each = lm_momentum_width(m, lm_site_terms_of(lattice));
    const latmc_status status = lm_momenta_prepare(lattice, caller);

    if (!status && !m->sums)
        m->sums = lm_zeroed(caller, "the sums with momenta", lattice->replicas,
                            (size_t)each * sizeof *m->sums);
    return status || m->sums ? status : LATMC_ERROR_MEMORY;
}

const double *lm_momentum_sums(const latmc_lattice *lattice, int64_t replica)
{
    const struct lm_momenta *const m = lattice->momenta;

    return m && m->sums ? m->sums + replica * lm_momentum_width(m, lm_site_terms_of(lattice))
                        : NULL;
}

/* ---- the public functions */

static latmc_status check(const latmc_lattice *lattice, const char *caller, int64_t count,
                          const int64_t *n)
{
    if (count < 0 || count > LATMC_MAX_MOMENTA)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: count is %" PRId64 "; 0 to %d are allowed",
                       caller, count, LATMC_MAX_MOMENTA);
    if (count && !n)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: n is NULL", caller);
    for (int64_t i = 0; i < count * lattice->dims; i++) {
        const int64_t most = 2 * lattice->extents[i % lattice->dims];

        if (n[i] < -most || n[i] > most)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: n of momentum %" PRId64 " along axis %" PRId64 " is %" PRId64
                           "; %" PRId64 " to %" PRId64 ", twice the extent, is allowed",
                           caller, i / lattice->dims, i % lattice->dims, n[i], -most, most);
    }
    lm_given_integer(lattice->ranks, "count", count);
    lm_given_array(lattice->ranks, "n", n, (size_t)(count * lattice->dims) * sizeof *n);
    return LATMC_OK;
}

latmc_status latmc_set_momenta(latmc_lattice *lattice, int64_t count, const int64_t *n)
{
    struct lm_momenta *made = NULL;
    latmc_status status = lm_need_lattice(lattice, __func__);

    if (!status)
        status = check(lattice, __func__, count, n);
    if (!status && count) {
        made = make(lattice, __func__, count, n);
        status = made ? LATMC_OK : LATMC_ERROR_MEMORY;
    }
    status = lm_everywhere(lattice, status);
    if (status) {
        lm_momenta_free(made);
        return status;
    }
    if (made)
        made->mark = ++lattice->marks;
    lm_momenta_free(lattice->momenta);
    lattice->momenta = made;
    return LATMC_OK;
}

latmc_status latmc_get_momenta(const latmc_lattice *lattice, int64_t *n)
{
    const latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, __func__), __func__, "n", n);

    if (!status && lattice->momenta)
        memcpy(n, lattice->momenta->n,
               (size_t)lattice->momenta->count * (size_t)lattice->dims * sizeof *n);
    return status;
}
