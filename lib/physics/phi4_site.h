/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds the hooks of lib/physics/field.h for a site of the phi^4 model in the lanes of a CPU.
 * Define the reader first.
 */
#ifndef LM_PHI4_SITE_H
#define LM_PHI4_SITE_H

#include "lib/physics/phi4.h"
#include "lib/physics/phi4_hooks.h"
#include "lib/physics/phi4_rule.h"
#include "lib/physics/phi4_stencil.h"

/* With open axes, a site also has its degree. */
#define LM_HOOK_FIXED(dims, kind) (kind) /* kind 1: some axis is open */
#define LM_HOOK_HAS(reach, kind)  ((kind) < 2)
#define LM_HOOK_TILES             1
#define LM_HOOK_TOGETHER          LM_PHI4_TOGETHER

typedef lm_phi4_rule lm_hook_rule;

typedef struct lm_hook_common {
    const lm_phi4_rule *rule;
    int reflects, hits;
    lm_real kappa, field, s1, epsilon, centre;
    lm_phi4_site energy; /* b is each site's own */
} lm_hook_common;

typedef struct lm_hook_site {
    lm_phi4_site energy;
    lm_real centre;
} lm_hook_site;

#define lm_hook_prepare(rule, table, update, dims) lm_phi4_prepare(rule, update, dims)
LM_INLINE lm_hook_common lm_phi4_prepare(const lm_phi4_rule *r, int update, int dims)
{
    const lm_hook_common c = {
        .rule = r,
        .reflects = lm_phi4_update_of(update).reflects,
        .hits = r->hits,
        .kappa = lm_real_set(r->kappa),
        .field = lm_real_set(r->field),
        .s1 = lm_real_set(r->s1[2 * dims]),
        .epsilon = lm_real_set(r->epsilon),
        .centre = lm_real_set(r->centre[2 * dims]),
        .energy = {lm_real_set(r->a2[2 * dims]), lm_real_set(r->g4), lm_real_set(0.0)}};
    return c;
}

/* Returns each site's coefficient by its degree: table[dims .. 2 dims]. */
LM_INLINE lm_real lm_phi4_by_degree(const double *table, lm_real degree, int dims)
{
    lm_real c = lm_real_set(table[dims]);
    LM_UNROLL
    for (int d = dims + 1; d <= 2 * dims; d++)
        c = lm_real_select(lm_real_not_less(degree, lm_real_set(d)), lm_real_set(table[d]), c);
    return c;
}

LM_INLINE lm_hook_site lm_hook_load(const lm_hook_common *c, const lm_reader *read, int dims,
                                    int reach, int kind)
{
    const lm_phi4_line line = lm_phi4_line_of(read, dims, reach);
    const lm_phi4_sums sums = lm_phi4_sums_of(read, &line, dims, reach);
    lm_hook_site site = {c->energy, c->centre};
    if (kind == 1) {
        const lm_real d = lm_reader_fixed(read, LM_PHI4_DEGREE, 0, 0);
        const lm_real s1 = lm_phi4_by_degree(c->rule->s1_open, d, dims);
        const lm_real weighted = lm_phi4_weighted(read, dims);
        site.energy.a2 = lm_phi4_by_degree(c->rule->a2, d, dims);
        site.centre = lm_phi4_by_degree(c->rule->centre, d, dims);
        site.energy.b = lm_phi4_slope_open(&sums, weighted, c->kappa, s1, c->field);
    } else {
        site.energy.b = lm_phi4_slope(&sums, c->kappa, c->s1, c->field);
    }
    return site;
}

/* Updates sites. Adds the accepted proposals among `valid` to *accepted. */
LM_INLINE void lm_hook_update(const lm_hook_common *c, const lm_hook_site *site, lm_real *phi,
                              const lm_draws *draws, lm_mask valid, lm_tally *accepted)
{
    if (c->reflects)
        *phi = lm_phi4_overrelax(&site->energy, *phi, site->centre, draws, valid, accepted);
    else
        lm_phi4_hits(1, &site->energy, phi, c->epsilon, c->hits, draws, &valid, accepted);
}

/* Returns whether sites are updated together. Each hit of a site waits longer for the one before it
 * than its instructions take, and hits of other sites fill the time. With one hit the block takes
 * most of the time, and it waits for nothing. */
static inline int lm_hook_together(const lm_phi4_rule *r, int update)
{
    return !lm_phi4_update_of(update).reflects && r->hits > 1;
}

/* The draws must not be wide. */
LM_INLINE void lm_hook_update_together(const lm_hook_common *c, const lm_hook_site *site,
                                       lm_real (*phi)[LM_HOOK_COMPONENTS], const lm_draws *draws,
                                       const lm_mask *valid, lm_tally *accepted)
{
    lm_phi4_site energy[LM_HOOK_TOGETHER];
    lm_real all[LM_HOOK_TOGETHER];
    lm_tally tally = *accepted; /* a local copy, to be kept in registers */
    LM_UNROLL
    for (int i = 0; i < LM_HOOK_TOGETHER; i++) {
        energy[i] = site[i].energy;
        all[i] = phi[i][0];
        if (draws[i].wide)
            __builtin_unreachable();
    }
    lm_phi4_hits(LM_HOOK_TOGETHER, energy, all, c->epsilon, c->hits, draws, valid, &tally);
    LM_UNROLL
    for (int i = 0; i < LM_HOOK_TOGETHER; i++)
        phi[i][0] = all[i];
    *accepted = tally;
}

LM_INLINE void lm_hook_tile_draws(lm_draws *draws, const lm_hook_common *c, int colour, int l)
{
    lm_phi4_tile_draws(draws, c->hits, colour, l);
}

#endif
