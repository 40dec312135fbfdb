/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The O(n) vector model with n = 2 in plain arrays, for the tests that reckon without the library:
 * the energy as it is defined. Slow, and meant to be read.
 */
#ifndef LM_TESTS_ONVECTOR_PLAIN_H
#define LM_TESTS_ONVECTOR_PLAIN_H

#include "tests/models/phi4_plain.h"

enum { VECTOR = 2 }; /* components */

/* What is to be simulated, of one replica. */
typedef struct vector_model {
    field_model lattice; /* dims, extents, boundaries, epsilon, hits; nothing else of it */
    double axis[LATMC_MAX_DIMS];
    double beta, field;
    const double *bonds;  /* [axis][site], without the boundaries' factors; NULL: all 1 */
    const double *fields; /* [site]; NULL: all 0 */
} vector_model;

/* Of s[site][component], not divided by the number of sites. */
static inline double vector_energy(const vector_model *m, const double *s)
{
    const int sites = field_sites(&m->lattice);
    double energy = 0.0;

    for (int i = 0; i < sites; i++) {
        for (int a = 0; a < m->lattice.dims; a++) {
            double sign = 1.0;
            const int j = field_step(&m->lattice, i, a, 1, &sign);
            const double k = m->bonds ? m->bonds[a * sites + i] : 1.0;
            if (j >= 0)
                energy -= sign * m->axis[a] * k *
                          (s[VECTOR * i] * s[VECTOR * j] + s[VECTOR * i + 1] * s[VECTOR * j + 1]);
        }
        energy -= (m->field + (m->fields ? m->fields[i] : 0.0)) * s[VECTOR * i + 1];
    }
    return energy;
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
    ok(latmc_set_axis_couplings(lattice, m->axis));
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
