/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the static values of a field's sites, on every device. A lattice's spec decides which
 * values there are, and their first values. */
#ifndef LM_FIXED_H
#define LM_FIXED_H

#include "lib/geometry/spec.h"
#include "lib/physics/geometry.h"

/* Returns static value k of the site with coordinates x. */
typedef double lm_fixed_value(const lm_spec *spec, int k, const int64_t *x);

/* Returns the kind of a lattice. It is 1 if some axis is open; only then are there static
 * values. */
static inline int lm_kind_by_open_axes(const lm_spec *spec)
{
    int open = 0;
    for (int a = 0; a < spec->dims; a++)
        open |= spec->boundaries[a] == LATMC_OPEN;
    return open;
}

/* Returns the kind of a lattice whose static values are the axes' couplings in turn, and then the
 * sites' own fields. The kind is 0 without both, 1 with couplings alone, 2 with fields. */
static inline int lm_kind_by_values(const lm_spec *spec)
{
    return spec->site_fields ? 2 : spec->couplings;
}

/* Does the same for a model that recognises a bond beyond an open end only by its coupling. */
static inline int lm_kind_by_values_and_ends(const lm_spec *spec)
{
    return lm_kind_by_values(spec) ? lm_kind_by_values(spec) : lm_kind_by_open_axes(spec);
}

/* Returns whether the bond up along an axis is beyond an open end. */
static inline int lm_fixed_no_bond(const lm_spec *spec, int axis, const int64_t *x)
{
    return axis < spec->dims && spec->boundaries[axis] == LATMC_OPEN &&
           x[axis] == spec->extents[axis] - 1;
}

/* Returns value k, unless it is given, for a model of lm_kind_by_values_and_ends(). */
static inline double lm_value_by_ends(const lm_spec *spec, int k, const int64_t *x)
{
    return k < spec->dims && !lm_fixed_no_bond(spec, k, x) ? 1.0 : 0.0;
}

/* Returns a value that is not given: 1 for couplings, 0 for fields. */
static inline double lm_value_not_given(const lm_spec *spec, int k, const int64_t *x)
{
    (void)x;
    return k < spec->dims ? 1.0 : 0.0;
}

/* Rounds numbers to floats or doubles. */
static inline void lm_fixed_round(const double *values, int64_t count, int doubles, void *to)
{
    for (int64_t i = 0; i < count; i++)
        if (doubles)
            ((double *)to)[i] = values[i];
        else
            ((float *)to)[i] = (float)values[i];
}

/* Rounds given numbers of a row, static value k. Couplings beyond open ends become 0. */
static inline void lm_fixed_round_row(const lm_spec *spec, int k, int64_t row, const double *values,
                                      int doubles, void *to)
{
    const int64_t width = spec->extents[0];
    const double none = 0.0;
    int64_t x[LATMC_MAX_DIMS] = {0};
    lm_fixed_round(values, width, doubles, to);
    lm_coordinates(row, 1, spec->dims, spec->extents, x);
    for (; x[0] < width && k < spec->dims && spec->boundaries[k] == LATMC_OPEN; x[0]++)
        if (lm_fixed_no_bond(spec, k, x))
            lm_fixed_round(&none, 1, doubles, (char *)to + x[0] * (doubles ? 8 : 4));
}

/* Writes a row's values, `count` for each site: [site][static value], as floats or doubles. */
static inline void lm_fixed_row(const lm_spec *spec, lm_fixed_value *value, int count, int doubles,
                                int64_t row, void *values)
{
    int64_t x[LATMC_MAX_DIMS], i = 0;
    lm_coordinates(row, 1, spec->dims, spec->extents, x);
    for (x[0] = 0; x[0] < spec->extents[0]; x[0]++)
        for (int k = 0; k < count; k++, i++) {
            const double one = value(spec, k, x);
            lm_fixed_round(&one, 1, doubles, (char *)values + i * (doubles ? 8 : 4));
        }
}

#endif
