/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets weights of sites and bonds, and sums with them what latmc_get_sites() gives, in the shape
 * that doc/trajectory.md says. */
#ifndef LM_TESTS_WEIGHTS_BY_HAND_H
#define LM_TESTS_WEIGHTS_BY_HAND_H

#include "tests/models/pair_by_hand.h"

enum { WEIGHTS_SETS = 4 };

typedef struct weights_set {
    int number;
    latmc_weight_kind kind;
    int64_t samples;
    double *w; /* [sample][bond type][site], or [sample][site] */
} weights_set;

typedef struct weights_of {
    int count;
    weights_set set[WEIGHTS_SETS];
} weights_of;

static inline int64_t weights_each(const latmc_lattice *lattice, latmc_weight_kind kind)
{
    const latmc_lattice_info info = info_of(lattice);

    return info.sites * (kind == LATMC_WEIGHT_BONDS ? info.dims : 1);
}

/* Signs are -1, 0 and +1. */
static inline void weights_add(weights_of *all, latmc_lattice *lattice, int number,
                               latmc_weight_kind kind, int64_t samples, int signs)
{
    const int64_t count = samples * weights_each(lattice, kind);
    weights_set *set = &all->set[all->count++];
    uint64_t random = (uint64_t)number + 17;

    *set = (weights_set){number, kind, samples, suite_room(count, sizeof *set->w)};
    for (int64_t i = 0; i < count; i++) {
        const uint64_t bits = next_random(&random);

        set->w[i] = signs ? (double)(bits % 3) - 1.0 : ((double)(bits >> 11) - 0x1p52) * 0x1p-50;
    }
    ok(latmc_set_weights(lattice, number, kind, samples, set->w));
}

/* Some of sites and, where there are bonds, some of these. */
static inline weights_of weights_add_all(latmc_lattice *lattice)
{
    const int64_t samples = info_of(lattice).samples;
    weights_of all = {.count = 0};

    weights_add(&all, lattice, 1, LATMC_WEIGHT_SITES, 1, 1);
    weights_add(&all, lattice, 63, LATMC_WEIGHT_SITES, samples, 0);
    if (!lattice->model->products)
        return all;
    weights_add(&all, lattice, 2, LATMC_WEIGHT_BONDS, samples, 1);
    weights_add(&all, lattice, 40, LATMC_WEIGHT_BONDS, 1, 0);
    return all;
}

static inline void weights_free(weights_of *all)
{
    for (int i = 0; i < all->count; i++)
        free(all->set[i].w);
}

/* ---- by hand */

static inline int weights_terms(const hand *h)
{
    int64_t q = 0;

    if (h->lattice->model->entry.id == LATMC_POTTS)
        ok(latmc_get_option(h->lattice, LATMC_Q, &q));
    return q ? (int)q : h->components;
}

static inline double weights_site_term(const hand *h, int64_t i, int k)
{
    const double *value = h->value[0] + i * h->components;

    return h->lattice->model->entry.id == LATMC_POTTS ? value[0] == k : value[k];
}

/* A bond beyond an open end adds nothing, and one beyond an antiperiodic end has the other sign. */
static inline double weights_bond_term(const hand *h, int64_t i, int axis)
{
    const latmc_boundary end = h->lattice->boundaries[axis];
    const double q = hand_dot(h, 0, i, 0, hand_up(h, i, axis));

    if (hand_coordinate(h, i, axis) + 1 < h->extents[axis] || end == LATMC_PERIODIC)
        return q;
    return end == LATMC_OPEN ? 0.0 : -q;
}

/* The sum over all sites, layer by layer. */
static inline double weights_sum(const hand *h, double *x)
{
    const int64_t each = h->sites / h->layers;

    for (int64_t l = 0; l < h->layers; l++)
        x[l] = hand_shaped_sum(x + l * each, each);
    return hand_shaped_sum(x, h->layers);
}

/* Component k of the weighted sum. */
static inline double weights_by_hand(const hand *h, const weights_set *set, int64_t sample, int k)
{
    const int bonds = set->kind == LATMC_WEIGHT_BONDS, dims = bonds ? h->dims : 1;
    const double *w =
        set->w + (set->samples > 1 ? sample * weights_each(h->lattice, set->kind) : 0);
    double *x = suite_room(h->sites, sizeof *x), sum = 0.0;

    for (int a = 0; a < dims; a++) {
        for (int64_t i = 0; i < h->sites; i++)
            x[i] = w[a * h->sites + i] *
                   (bonds ? weights_bond_term(h, i, a) : weights_site_term(h, i, k));
        sum += weights_sum(h, x);
    }
    free(x);
    return sum;
}

#endif
