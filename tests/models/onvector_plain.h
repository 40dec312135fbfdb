/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The O(n) vector model in plain arrays, for the tests that reckon without the library:
 * the energy as it is defined. Slow, and meant to be read.
 */
#ifndef LM_TESTS_ONVECTOR_PLAIN_H
#define LM_TESTS_ONVECTOR_PLAIN_H

#include "tests/models/phi4_plain.h"

enum { VECTOR = 2, VECTOR_MOST = 4 }; /* components: where nothing is said, at most */

/* What is to be simulated, of one replica. */
typedef struct vector_model {
    field_model lattice; /* dims, extents, boundaries, epsilon, hits; nothing else of it */
    double axis[LATMC_MAX_DIMS];
    double beta, field;
    const double *bonds;  /* [axis][site], without the boundaries' factors; NULL: all 1 */
    const double *fields; /* [site]; NULL: all 0 */
    int n;                /* components; 0: VECTOR */
} vector_model;

static inline int vector_components(const vector_model *m)
{
    return m->n ? m->n : VECTOR;
}

/* Of s[site][component], not divided by the number of sites. */
static inline double vector_energy(const vector_model *m, const double *s)
{
    const int sites = field_sites(&m->lattice), n = vector_components(m);
    double energy = 0.0;

    for (int i = 0; i < sites; i++) {
        for (int a = 0; a < m->lattice.dims; a++) {
            double sign = 1.0;
            const int j = field_step(&m->lattice, i, a, 1, &sign);
            const double k = m->bonds ? m->bonds[a * sites + i] : 1.0;
            for (int c = 0; c < n && j >= 0; c++)
                energy -= sign * m->axis[a] * k * s[n * i + c] * s[n * j + c];
        }
        energy -= (m->field + (m->fields ? m->fields[i] : 0.0)) * s[n * i + n - 1];
    }
    return energy;
}

/* By a step dt of the angle t between neighbours along an axis, n = 2: the energy per site is a + b
 * dt + c dt^2 / 2, and this is c - beta N b^2. */
static inline double vector_helicity(const vector_model *m, const double *s, int axis)
{
    const int sites = field_sites(&m->lattice);
    double first = 0.0, second = 0.0;

    for (int i = 0; i < sites; i++) {
        double sign = 1.0;
        const int j = field_step(&m->lattice, i, axis, 1, &sign);
        const double k = sign * m->axis[axis] * (m->bonds ? m->bonds[axis * sites + i] : 1.0);
        if (j < 0)
            continue;
        first += k * (s[2 * i] * s[2 * j + 1] - s[2 * i + 1] * s[2 * j]);  /* sin t */
        second += k * (s[2 * i] * s[2 * j] + s[2 * i + 1] * s[2 * j + 1]); /* cos t */
    }
    return (second - m->beta * first * first) / sites;
}

/* The library's lattice of the model, with so many replicas, not started. */
static inline latmc_lattice *vector_lattice(const vector_model *m, int64_t replicas,
                                            latmc_type type, uint64_t seed)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, LATMC_ONVECTOR, m->lattice.dims, m->lattice.extents));
    ok(latmc_set_boundaries(lattice, m->lattice.boundaries));
    ok(latmc_set_replicas(lattice, replicas));
    ok(latmc_set_seed(lattice, seed));
    ok(set_type(lattice, type));
    ok(latmc_set_option(lattice, LATMC_N, vector_components(m)));
    ok(latmc_set_bond_type_couplings(lattice, m->axis));
    if (m->bonds)
        ok(latmc_set_bond_couplings(lattice, m->bonds));
    if (m->fields)
        ok(latmc_set_site_fields(lattice, m->fields));
    ok(latmc_set_param(lattice, LATMC_BETA, m->beta));
    ok(latmc_set_param(lattice, LATMC_FIELD, m->field));
    ok(latmc_set_param(lattice, LATMC_EPSILON, m->lattice.epsilon));
    ok(latmc_set_param(lattice, LATMC_HITS, m->lattice.hits));
    ok(latmc_set_device(lattice, "cpu"));
    return lattice;
}

#endif
