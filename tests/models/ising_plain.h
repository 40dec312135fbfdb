/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lattice in plain arrays, for the tests that reckon without the library: who is whose
 * neighbour, and how strong the bond is. Slow, and meant to be read.
 */
#ifndef LM_TESTS_ISING_PLAIN_H
#define LM_TESTS_ISING_PLAIN_H

#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_BONDS = 2 * LATMC_MAX_DIMS };

/* The bonds' own couplings: made here, but for those drawn by the library. */
typedef enum bond_kind {
    UNIFORM = 0, /* all +1 */
    PM1 = 1,     /* -1 or +1 */
    DILUTED = 2, /* -1, 0 or +1 */
    DRAWN = 3    /* -1, 0 or +1, drawn by the library */
} bond_kind;

/* What is to be simulated, but for the replicas. */
typedef struct model {
    int dims;
    int64_t extents[LATMC_MAX_DIMS];
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    double axis[LATMC_MAX_DIMS]; /* all 0: all 1 */
    bond_kind bonds;
    const double *given;  /* the bonds, where they are not to be made here */
    int64_t sample;       /* number of the bonds' sample */
    double plus, missing; /* of drawn bonds; both 0: the presets */
    double beta, field;
} model;

typedef struct plain {
    int dims, sites;
    int loose; /* at any beta; plain_is_loose() knows the rest: doc/trajectory-ising.md, "Loose" */
    double axis[LATMC_MAX_DIMS];
    int extents[LATMC_MAX_DIMS], odd_ring[LATMC_MAX_DIMS];
    double beta, field;
    int (*neighbour)[MAX_BONDS];
    double (*coupling)[MAX_BONDS]; /* with the axis' factor and the boundary's sign; 0: no bond */
} plain;

static inline int model_sites(const model *m)
{
    int sites = 1;

    for (int a = 0; a < m->dims; a++)
        sites *= (int)m->extents[a];
    return sites;
}

static inline double model_axis(const model *m, int axis)
{
    for (int a = 0; a < m->dims; a++)
        if (m->axis[a] != 0.0)
            return m->axis[axis];
    return 1.0;
}

/* [axis][site]; to be freed. */
static inline double *model_bonds(const model *m)
{
    const int count = m->dims * model_sites(m);
    double *bonds = malloc((size_t)count * sizeof *bonds);
    uint64_t state = 5 + 1000003 * (uint64_t)m->sample;

    assert_non_null(bonds);
    for (int i = 0; i < count; i++) {
        const uint64_t r = next_random(&state) >> 8;
        bonds[i] = 1.0;
        if (m->given)
            bonds[i] = m->given[i];
        else if (m->bonds == PM1)
            bonds[i] = r % 2 ? 1.0 : -1.0;
        else if (m->bonds == DILUTED)
            bonds[i] = r % 5 == 0 ? 0.0 : r % 5 == 1 ? -1.0 : 1.0;
    }
    return bonds;
}

/* Both ends of the bond from site i one step up along an axis. */
static inline void plain_bond(plain *p, int axis, int i, int extent, int stride, double coupling)
{
    const int x = i / stride % extent;
    const int up = x + 1 < extent ? i + stride : i - x * stride;

    p->neighbour[i][2 * axis + 1] = up;
    p->coupling[i][2 * axis + 1] = coupling;
    p->neighbour[up][2 * axis] = i;
    p->coupling[up][2 * axis] = coupling;
}

static inline plain plain_of(const model *m, const double *bonds)
{
    plain p = {.dims = m->dims,
               .sites = model_sites(m),
               /* whatever beta */
               .loose =
                   m->dims == 1 || model_sites(m) < 64 || (m->bonds == DRAWN && m->missing > 0.0),
               .beta = m->beta,
               .field = m->field};
    int stride = 1;

    p.neighbour = calloc((size_t)p.sites, sizeof *p.neighbour);
    p.coupling = calloc((size_t)p.sites, sizeof *p.coupling);
    assert_true(p.neighbour && p.coupling);
    for (int a = 0; a < m->dims; a++) {
        const int extent = (int)m->extents[a];
        for (int i = 0; i < p.sites; i++) {
            double j = model_axis(m, a) * bonds[a * p.sites + i];
            p.loose |= bonds[a * p.sites + i] == 0.0;
            if (i / stride % extent == extent - 1)
                j *= m->boundaries[a] == O ? 0.0 : m->boundaries[a] == A ? -1.0 : 1.0;
            plain_bond(&p, a, i, extent, stride, j);
        }
        p.loose |= extent == 2 && m->boundaries[a] == A;
        p.extents[a] = extent;
        p.odd_ring[a] = extent % 2 == 1 && m->boundaries[a] != O;
        p.axis[a] = model_axis(m, a);
        stride *= extent;
    }
    return p;
}

static inline void plain_free(plain *p)
{
    free(p->neighbour);
    free(p->coupling);
}

/* sum_j J_ij s_j */
static inline double plain_local(const plain *p, const int8_t *s, int i)
{
    double local = 0.0;

    for (int b = 0; b < 2 * p->dims; b++)
        local += p->coupling[i][b] * s[p->neighbour[i][b]];
    return local;
}

/* Every bond is seen from both of its ends. */
static inline double plain_energy(const plain *p, const int8_t *s)
{
    double energy = 0.0;

    for (int i = 0; i < p->sites; i++)
        energy -= s[i] * (0.5 * plain_local(p, s, i) + p->field);
    return energy;
}

/* doc/trajectory.md, "Colours": as on a chessboard, or with a third colour that the last site of
 * every odd ring brings in. */
static inline int plain_colours(const plain *p)
{
    int colours = 2;

    for (int a = 0; a < p->dims; a++)
        if (p->odd_ring[a])
            colours = 3;
    return colours;
}

static inline int plain_colour(const plain *p, int i)
{
    int sum = 0;

    for (int a = 0; a < p->dims; a++) {
        const int extent = p->extents[a], x = i % extent;
        sum += p->odd_ring[a] && x == extent - 1 ? 2 : x % 2;
        i /= extent;
    }
    return sum % plain_colours(p);
}

/* At its present beta. */
static inline int plain_is_loose(const plain *p)
{
    int loose = p->loose;

    for (int a = 0; a < p->dims; a++)
        loose |= fabs(4.0 * p->beta * p->axis[a]) < 0.125;
    return loose;
}

/* How often a move of Metropolis is made that would change beta E by x, of those that may be. */
static inline double plain_share(int loose, double x)
{
    if (loose)
        return fabs(x) < 1.0 / 8.0 ? 15.0 / 16.0 : 1.0;
    return fabs(x) < 1.0 / 64.0 ? 63.0 / 64.0 : 1.0;
}

/* The probability that an update changes the spin s in the local field f + h. */
static inline double change_probability(latmc_update update, int loose, double beta, int s,
                                        double field)
{
    const double weight = exp(-2.0 * beta * s * field); /* exp(-beta dE) */

    if (update == LATMC_HEATBATH)
        return weight / (1.0 + weight);
    return plain_share(loose, 2.0 * beta * field) * fmin(weight, 1.0);
}

/* Drawn bonds are drawn from this. */
enum { COUPLING_SEED = 77 };

static inline void model_draw(const model *m, latmc_lattice *lattice)
{
    const latmc_argument arguments[] = {LATMC_DRAW_MISSING, LATMC_DRAW_PLUS};
    const int count = m->plus != 0.0 || m->missing != 0.0 ? 2 : 0;

    ok(latmc_draw_bond_couplings(lattice, LATMC_PLUS_MINUS_ONE, COUPLING_SEED, count, arguments,
                                 (double[]){m->missing, m->plus}));
}

/* Of one sample. */
static inline void model_couplings(const model *m, latmc_lattice *lattice)
{
    double axis[LATMC_MAX_DIMS], *bonds = model_bonds(m);

    for (int a = 0; a < m->dims; a++)
        axis[a] = model_axis(m, a);
    ok(latmc_set_bond_type_couplings(lattice, axis));
    if (m->bonds == DRAWN)
        model_draw(m, lattice);
    else if (m->bonds != UNIFORM || m->given)
        ok(latmc_set_bond_couplings(lattice, bonds));
    free(bonds);
}

/* The library's lattice of the model, not started. */
static inline latmc_lattice *model_lattice(const model *m, int64_t replicas, uint64_t seed)
{
    latmc_lattice *lattice = new_lattice(m->dims, m->extents);

    ok(latmc_set_boundaries(lattice, m->boundaries));
    model_couplings(m, lattice);
    ok(latmc_set_replicas(lattice, replicas));
    ok(latmc_set_seed(lattice, seed));
    ok(latmc_set_param(lattice, LATMC_BETA, m->beta));
    ok(latmc_set_param(lattice, LATMC_FIELD, m->field));
    ok(latmc_set_device(lattice, "cpu"));
    return lattice;
}

#endif
