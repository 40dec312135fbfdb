/* SPDX-License-Identifier: BSD-3-Clause */
/* The Potts model in plain arrays, for the tests that reckon without the library: the energy as it
 * is defined, and the probabilities of its updates. Slow, and meant to be read. */
#ifndef LM_TESTS_POTTS_PLAIN_H
#define LM_TESTS_POTTS_PLAIN_H

#include "tests/exact/means.h"
#include "tests/models/phi4_plain.h"

enum { PLAIN_STATES = 256, PLAIN_SITES = 16 };

/* What is to be simulated. */
typedef struct potts_model {
    int q;
    field_model lattice; /* dims, extents, boundaries; nothing else of it */
    double axis[LATMC_MAX_DIMS];
    double beta, field;
    const double *bonds;  /* [axis][site]; NULL: all 1 */
    const double *fields; /* [site]; NULL: all 0 */
} potts_model;

static inline double potts_bond(const potts_model *m, int axis, int i)
{
    return m->axis[axis] * (m->bonds ? m->bonds[axis * field_sites(&m->lattice) + i] : 1.0);
}

/* What a site gains in state t. */
static inline double potts_gain(const potts_model *m, const uint8_t *s, int i, int t)
{
    double gain = t == 0 ? m->field + (m->fields ? m->fields[i] : 0.0) : 0.0;

    for (int a = 0; a < m->lattice.dims; a++)
        for (int by = -1; by <= 1; by += 2) {
            double sign = 1.0;
            const int j = field_step(&m->lattice, i, a, by, &sign);

            if (j >= 0 && s[j] == t)
                gain += potts_bond(m, a, by > 0 ? i : j);
        }
    return gain;
}

static inline double potts_energy(const potts_model *m, const uint8_t *s)
{
    const int sites = field_sites(&m->lattice);
    double energy = 0.0;

    for (int i = 0; i < sites; i++) {
        for (int a = 0; a < m->lattice.dims; a++) {
            double sign = 1.0;
            const int j = field_step(&m->lattice, i, a, 1, &sign);

            if (j >= 0 && s[i] == s[j])
                energy -= potts_bond(m, a, i);
        }
        energy -= s[i] == 0 ? m->field + (m->fields ? m->fields[i] : 0.0) : 0.0;
    }
    return energy;
}

/* The sum of all weights of a site. */
static inline double potts_weights(const potts_model *m, const double *gain)
{
    double z = 0.0;

    for (int t = 0; t < m->q; t++)
        z += exp(m->beta * gain[t]);
    return z;
}

/* The probability that an update takes a site from its state to state t; z: of all weights. */
static inline double potts_moves(const potts_model *m, latmc_update update, const double *gain,
                                 double z, int s, int t)
{
    const int choices = m->q - (update == LATMC_METROPOLIS_OTHER);
    const double rests = update == LATMC_METROPOLIS_OTHER && m->q == 2 ? 15.0 / 16.0 : 1.0;

    return update == LATMC_HEATBATH
               ? exp(m->beta * gain[t]) / z
               : rests / choices * fmin(1.0, exp(m->beta * (gain[t] - gain[s])));
}

static inline latmc_lattice *potts_lattice(const potts_model *m, int64_t replicas, uint64_t seed)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, LATMC_POTTS, m->lattice.dims, m->lattice.extents));
    ok(latmc_set_option(lattice, LATMC_Q, m->q));
    ok(latmc_set_boundaries(lattice, m->lattice.boundaries));
    ok(latmc_set_replicas(lattice, replicas));
    ok(latmc_set_seed(lattice, seed));
    ok(latmc_set_bond_type_couplings(lattice, m->axis));
    if (m->bonds)
        ok(latmc_set_bond_couplings(lattice, m->bonds));
    if (m->fields)
        ok(latmc_set_site_fields(lattice, m->fields));
    ok(latmc_set_param(lattice, LATMC_BETA, m->beta));
    ok(latmc_set_param(lattice, LATMC_FIELD, m->field));
    ok(latmc_set_device(lattice, "cpu"));
    return lattice;
}

#endif
