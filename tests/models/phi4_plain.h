/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A field model in plain arrays, for the tests that reckon without the library: who is whose
 * neighbour, and H as it is defined. Slow, and meant to be read.
 */
#ifndef LM_TESTS_PHI4_PLAIN_H
#define LM_TESTS_PHI4_PLAIN_H

#include "tests/models/ising_plain.h"

/* One replica of the phi^4 model. */
typedef struct field_model {
    int dims;
    int64_t extents[LATMC_MAX_DIMS];
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    double mu2, g, kappa, field; /* kappa = 1 / Lambda */
    double epsilon;
    int hits, local_sweeps; /* 0: 1 */
    int cutoff;             /* the option is on although kappa is 0, as it is for other replicas */
} field_model;

static inline int field_has_cutoff(const field_model *m)
{
    return m->cutoff || m->kappa > 0.0;
}

static inline int field_sites(const field_model *m)
{
    int sites = 1;

    for (int a = 0; a < m->dims; a++)
        sites *= (int)m->extents[a];
    return sites;
}

static inline int field_coordinate(const field_model *m, int site, int axis)
{
    for (int a = 0; a < axis; a++)
        site /= (int)m->extents[a];
    return site % (int)m->extents[axis];
}

/* The site `by` steps along an axis, or -1 beyond an open end; the field's sign there. */
static inline int field_step(const field_model *m, int site, int axis, int by, double *sign)
{
    const int extent = (int)m->extents[axis], x = field_coordinate(m, site, axis);
    int to = x + by, stride = 1;

    for (int a = 0; a < axis; a++)
        stride *= (int)m->extents[a];
    if (to < 0 || to >= extent) {
        if (m->boundaries[axis] == O)
            return -1;
        if (m->boundaries[axis] == A)
            *sign = -*sign;
        to = to < 0 ? to + extent : to - extent;
    }
    return site + (to - x) * stride;
}

/* The field `i` steps along axis a and then j along axis b; 0 where there is no site. */
static inline double field_at(const field_model *m, const double *phi, int site, int a, int i,
                              int b, int j)
{
    double sign = 1.0;
    int to = field_step(m, site, a, i, &sign);

    if (to >= 0)
        to = field_step(m, to, b, j, &sign);
    return to >= 0 ? sign * phi[to] : 0.0;
}

/* D, the number of a site's bonds. */
static inline int field_degree(const field_model *m, int site)
{
    int bonds = 0;

    for (int a = 0; a < m->dims; a++)
        for (int by = -1; by <= 1; by += 2) {
            double sign = 1.0;
            bonds += field_step(m, site, a, by, &sign) >= 0;
        }
    return bonds;
}

static inline int field_has_open_axis(const field_model *m)
{
    for (int a = 0; a < m->dims; a++)
        if (m->boundaries[a] == O)
            return 1;
    return 0;
}

/* The parts of H: gradient, potential, cut-off. */
enum { GRADIENT, POTENTIAL, CUTOFF, PARTS };

static inline double field_hamiltonian(const field_model *m, const double *phi, double *part)
{
    const int sites = field_sites(m);

    part[GRADIENT] = part[POTENTIAL] = part[CUTOFF] = 0.0;
    for (int i = 0; i < sites; i++) {
        const double x = phi[i], x2 = x * x;
        double laplacian = 0.0;
        for (int a = 0; a < m->dims; a++)
            for (int by = -1; by <= 1; by += 2) {
                double sign = 1.0;
                const int j = field_step(m, i, a, by, &sign);
                const double difference = j < 0 ? 0.0 : sign * phi[j] - x;
                laplacian += difference;
                if (by > 0)
                    part[GRADIENT] += 0.5 * difference * difference;
            }
        part[POTENTIAL] += m->mu2 / 2.0 * x2 + m->g / 24.0 * x2 * x2 - m->field * x;
        part[CUTOFF] += m->kappa / 2.0 * laplacian * laplacian;
    }
    return part[GRADIENT] + part[POTENTIAL] + part[CUTOFF];
}

static inline void field_params(latmc_lattice *lattice, latmc_param param, const field_model *m,
                                int64_t replicas)
{
    double values[1024];

    assert_true(replicas <= 1024);
    for (int64_t r = 0; r < replicas; r++)
        switch ((int)param) {
        case LATMC_MU2:
            values[r] = m[r].mu2;
            break;
        case LATMC_G:
            values[r] = m[r].g;
            break;
        case LATMC_INV_LAMBDA:
            values[r] = m[r].kappa;
            break;
        case LATMC_FIELD:
            values[r] = m[r].field;
            break;
        case LATMC_EPSILON:
            values[r] = m[r].epsilon > 0.0 ? m[r].epsilon : 1.0;
            break;
        case LATMC_HITS:
            values[r] = m[r].hits ? m[r].hits : 1;
            break;
        default:
            values[r] = m[r].local_sweeps ? m[r].local_sweeps : 1;
        }
    ok(latmc_set_params(lattice, param, values));
}

static const latmc_param field_all_params[] = {
    LATMC_MU2,     LATMC_G,    LATMC_INV_LAMBDA,   LATMC_FIELD,
    LATMC_EPSILON, LATMC_HITS, LATMC_LOCAL_SWEEPS,
};

/* The library's lattice, not started: models[r] is that of replica r, all on the lattice of the
 * first. */
static inline latmc_lattice *field_lattice(const field_model *models, int64_t replicas,
                                           latmc_type type, uint64_t seed)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, LATMC_PHI4, models->dims, models->extents));
    ok(latmc_set_boundaries(lattice, models->boundaries));
    ok(latmc_set_replicas(lattice, replicas));
    ok(latmc_set_seed(lattice, seed));
    ok(set_type(lattice, type));
    for (int64_t r = 0; r < replicas; r++)
        if (field_has_cutoff(&models[r]))
            ok(latmc_set_option(lattice, LATMC_CUTOFF, 1));
    for (size_t p = 0; p < ALL(field_all_params); p++)
        field_params(lattice, field_all_params[p], models, replicas);
    ok(latmc_set_device(lattice, "cpu"));
    return lattice;
}

static inline int field_can_be_tiled(const field_model *m)
{
    for (int a = 0; a < m->dims; a++)
        if (m->boundaries[a] != O && m->extents[a] < 4)
            return 0;
    return 1;
}

static inline const char *field_name(const field_model *m, char text[80])
{
    int length = 0;

    for (int a = 0; a < m->dims; a++)
        length += snprintf(text + length, 80 - (size_t)length, "%s%d%c", a ? " x " : "",
                           (int)m->extents[a], "pao"[m->boundaries[a] - P]);
    snprintf(text + length, 80 - (size_t)length, ", mu2 %g, g %g, kappa %g", m->mu2, m->g,
             m->kappa);
    return text;
}

#endif
