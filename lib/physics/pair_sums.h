/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over pairs of replicas and observables made from them, in doubles: doc/trajectory.md, "Sums
 * over pairs". They are the same for all models. C is the number of components of a site.
 *
 * The link overlap is that of H. G. Katzgraber, M. Palassini and A. P. Young, Phys. Rev. B 63,
 * 184422 (2001). The tensor of vectors is that of L. W. Lee and A. P. Young, Phys. Rev. Lett. 90,
 * 227203 (2003), as is the overlap of chiralities.
 */
#ifndef LM_PAIR_SUMS_H
#define LM_PAIR_SUMS_H

#include <stdint.h>

#include "lib/physics/specifiers.h"
#include "lib/physics/structure.h"

enum {
    LM_PAIR_OVERLAP,      /* Q */
    LM_PAIR_LINKS,        /* [axis]: D, B */
    LM_PAIR_WAVES,        /* [axis]: cosine, sine */
    LM_PAIR_TENSOR,       /* [mu][nu] */
    LM_PAIR_TENSOR_WAVES, /* [axis][mu][nu]: cosine, sine */
    LM_PAIR_CHIRAL,       /* [axis]; this bundle and the next one are for three components */
    LM_PAIR_CHIRAL_WAVES, /* [axis]: cosine, sine along the chirality's own axis */
    LM_PAIR_BUNDLES
};

/* Returns u . (s x d), the chirality of three vectors that follow each other along an axis. */
LM_EVERYWHERE_INLINE double lm_triple_product(const double *d, const double *s, const double *u)
{
    return ((s[1] * d[2] - s[2] * d[1]) * u[0] + (s[2] * d[0] - s[0] * d[2]) * u[1]) +
           (s[0] * d[1] - s[1] * d[0]) * u[2];
}

/* Returns how many sums a bundle has. */
static inline int lm_pair_bundle_size(int bundle, int dims, int components)
{
    const int tensor = components * components, chiral = components == 3 ? dims : 0;

    return bundle == LM_PAIR_OVERLAP        ? 1
           : bundle == LM_PAIR_TENSOR       ? tensor
           : bundle == LM_PAIR_TENSOR_WAVES ? 2 * dims * tensor
           : bundle == LM_PAIR_CHIRAL       ? chiral
           : bundle == LM_PAIR_CHIRAL_WAVES ? 2 * chiral
                                            : 2 * dims;
}

/* Returns the first sum of a bundle. For bundle LM_PAIR_BUNDLES it returns the number of
 * sums. */
static inline int lm_pair_bundle_begin(int bundle, int dims, int components)
{
    int begin = 0;

    for (int g = 0; g < bundle; g++)
        begin += lm_pair_bundle_size(g, dims, components);
    return begin;
}

/* Bundles of sums with momenta, which lib/ alone makes. Their sums are apart from the others. Each
 * has a sum for each of its terms, [term][2][momentum]. */
enum {
    LM_PAIR_AT = LM_PAIR_BUNDLES, /* one term: the products */
    LM_PAIR_TENSOR_AT,            /* [mu][nu] */
    LM_PAIR_CHIRAL_AT,            /* [axis] */
    LM_PAIR_AT_END
};
#define LM_PAIR_MOMENTA (7u << LM_PAIR_AT)

/* Returns how many terms a site has in such a bundle. */
static inline int lm_pair_terms_at(int bundle, int dims, int components)
{
    return bundle == LM_PAIR_AT          ? 1
           : bundle == LM_PAIR_TENSOR_AT ? components * components
           : components == 3             ? dims
                                         : 0;
}

/* Returns the first sum of such a bundle. For LM_PAIR_AT_END it returns the number of sums. */
static inline int lm_pair_begin_at(int bundle, int dims, int components, int momenta)
{
    int begin = 0;

    for (int g = LM_PAIR_AT; g < bundle; g++)
        begin += 2 * momenta * lm_pair_terms_at(g, dims, components);
    return begin;
}

/* What is counted for a pair whose sites are spins. It has the sites in which the two replicas
 * differ. For each axis it has the bonds with exactly one such site, and all bonds. */
enum { LM_PAIR_SITES_APART, LM_PAIR_BONDS };

static inline int lm_pair_counts(unsigned bundles, int dims)
{
    return bundles >> LM_PAIR_LINKS & 1u ? LM_PAIR_BONDS + 2 * dims : LM_PAIR_BONDS;
}

/* Computes a pair's sums of these bundles, overlap or links, from its counts. A product is -1
 * where two spins differ. */
static inline void lm_pair_of_counts(unsigned bundles, int dims, int64_t sites,
                                     const int64_t *counts, double *sums)
{
    double *const links = sums + lm_pair_bundle_begin(LM_PAIR_LINKS, dims, 1);

    if (bundles >> LM_PAIR_OVERLAP & 1u)
        sums[lm_pair_bundle_begin(LM_PAIR_OVERLAP, dims, 1)] =
            (double)(sites - 2 * counts[LM_PAIR_SITES_APART]);
    for (int a = 0; a < dims && bundles >> LM_PAIR_LINKS & 1u; a++) {
        const int64_t *const bonds = counts + LM_PAIR_BONDS + 2 * a;

        links[2 * a] = (double)(bonds[1] - 2 * bonds[0]);
        links[2 * a + 1] = (double)bonds[1];
    }
}

/* Returns the link overlap. `links` has the bundle's sums. Axes without coupling have no bonds.
 */
static inline double lm_pair_link_overlap(int dims, const double *type_coupling,
                                          const double *links)
{
    double sum = 0.0, bonds = 0.0;

    for (int a = 0; a < dims; a++)
        if (type_coupling[a] != 0.0) {
            sum = sum + links[2 * a];
            bonds = bonds + links[2 * a + 1];
        }
    return bonds > 0.0 ? sum / bonds : 0.0;
}

/* Returns the squared modulus of element mu, nu. Elements have `parts` numbers, 1 or, in a wave,
 * 2. */
static inline double lm_pair_element(int components, int parts, const double *tensor, int mu,
                                     int nu)
{
    const double *t = tensor + parts * (mu * components + nu);

    return parts == 1 ? t[0] * t[0] : lm_wave_square(t);
}

/* Returns the sum of the squared moduli of all elements divided by N^2. It adds elements mu, nu and
 * nu, mu together, so the order of the two replicas does not matter. */
static inline double lm_pair_tensor2(int components, int parts, double sites, const double *tensor)
{
    double sum = 0.0;

    for (int mu = 0; mu < components; mu++) {
        sum = sum + lm_pair_element(components, parts, tensor, mu, mu);
        for (int nu = mu + 1; nu < components; nu++)
            sum = sum + (lm_pair_element(components, parts, tensor, mu, nu) +
                         lm_pair_element(components, parts, tensor, nu, mu));
    }
    return sum / (sites * sites);
}

#endif
