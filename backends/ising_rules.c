/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/ising_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/physics/ising_rule.h"
#include "lib/memory.h"

#define PLANES 32
#define STRIDE (PLANES + 1) /* and the plane of the certain */

typedef struct physics {
    int dims, loose;
    double beta, field;
    const double *coupling; /* [axis] */
} physics;

static int equal_couplings(const lm_spec *spec, const double *coupling)
{
    for (int a = 1; a < spec->dims; a++)
        if (coupling[a] != coupling[0])
            return 0;
    return 1;
}

static lm_ising_shape shape_of(const lm_spec *spec, const lm_parameters *p, int update)
{
    static const int heat_bath[LM_ISING_UPDATES] = {[LM_ISING_HEATBATH] = 1};
    lm_ising_shape s = {.heat_bath = heat_bath[update], .missing = spec->missing, .classes = 1};
    s.sets = equal_couplings(spec, p->axis_coupling) ? 1 : spec->dims;
    s.bonds = 2 * spec->dims / s.sets;
    s.levels = (s.missing ? 2 * s.bonds : s.bonds) + 1;
    for (int i = 0; i < s.sets; i++)
        s.classes *= s.levels;
    return s;
}

size_t lm_ising_rule_words(const lm_ising_shape *shape)
{
    return (size_t)(shape->heat_bath ? 1 : 2) * (size_t)shape->classes * STRIDE;
}

/* Whether sites of a replica may lack a local field, or nearly, with its bonds and the parameters
 * of a slot: doc/trajectory-ising.md, "Loose". */
static int is_loose(const lm_spec *spec, const lm_parameters *p, int bonds, double beta)
{
    int loose = spec->dims == 1 || bonds;
    for (int a = 0; a < spec->dims; a++)
        loose |= lm_ising_is_weak(beta, p->axis_coupling[a]);
    return loose;
}

/* Whatever slots the replicas have. */
static int is_uniform(const lm_spec *spec, const lm_parameters *p)
{
    const double *beta = p->values + LM_ISING_BETA * spec->replicas;
    const double *field = p->values + LM_ISING_FIELD * spec->replicas;
    if (spec->missing || !equal_couplings(spec, p->axis_coupling))
        return 0;
    for (int64_t i = 0; i < spec->replicas; i++)
        if (is_loose(spec, p, p->loose[i], beta[i]) || field[i] != 0.0)
            return 0;
    return 1;
}

/* ---- thresholds of a slot */

/* The local field of a class: the sum over the sets of J times (up - down). */
static double local_field(const lm_ising_shape *s, const double *coupling, int q)
{
    double local = 0.0;
    for (int set = 0; set < s->sets; set++, q /= s->levels) {
        const int level = q % s->levels;
        local += coupling[set] * (s->missing ? level - s->bonds : 2 * level - s->bonds);
    }
    return local;
}

static int rule_thresholds(const lm_ising_shape *s)
{
    return (s->heat_bath ? 1 : 2) * s->classes;
}

static uint64_t *find_rule(const lm_ising_shape *s, const physics *p, uint64_t *to)
{
    for (int spin = -1; spin <= (s->heat_bath ? -1 : 1); spin += 2)
        for (int q = 0; q < s->classes; q++) {
            const double local = local_field(s, p->coupling, q);
            *to++ = s->heat_bath
                        ? lm_ising_heatbath_threshold(p->beta, local, p->field)
                        : lm_ising_metropolis_threshold(p->loose, p->beta, spin, local, p->field);
        }
    return to;
}

static uint64_t *find_uniform(const physics *p, uint64_t *to)
{
    for (int n = 0; n < p->dims; n++) {
        const double local = fabs(p->coupling[0]) * (2 * p->dims - 2 * n);
        *to++ = lm_ising_metropolis_threshold(0, fabs(p->beta), 1, local, 0.0);
    }
    *to++ = (p->beta < 0.0) != (p->coupling[0] < 0.0); /* the product could underflow */
    return to;
}

/* In the order of lm_ising_rules.thresholds. */
static void find_thresholds(const lm_spec *spec, const lm_parameters *par, int64_t slot, int bonds,
                            const lm_ising_rules *rules)
{
    const double beta = par->values[LM_ISING_BETA * spec->replicas + slot];
    const physics p = {.dims = spec->dims,
                       .loose = is_loose(spec, par, bonds, beta),
                       .beta = beta,
                       .field = par->values[LM_ISING_FIELD * spec->replicas + slot],
                       .coupling = par->axis_coupling};
    uint64_t *to = rules->thresholds + (bonds * spec->replicas + slot) * rules->each;
    to = find_uniform(&p, to);
    for (int i = 0; i < LM_ISING_UPDATES; i++)
        to = find_rule(&rules->shape[i], &p, to);
}

/* ---- planes of a group */

/* The bit of each plane, the highest first: with a table baseline vectors can compare, where they
 * cannot shift each element by its own number. */
#define BITS4(bit)  bit, bit >> 1, bit >> 2, bit >> 3
#define BITS16(bit) BITS4(bit), BITS4(bit >> 4), BITS4(bit >> 8), BITS4(bit >> 12)
static const uint32_t bit_of_plane[PLANES] = {BITS16(0x80000000u), BITS16(0x8000u)};

/* Writes the bits of a threshold into every plane, in those of `lane`. */
static inline void put_threshold(uint32_t *planes, int stride, uint64_t threshold, uint32_t lane)
{
    const uint32_t bits = (uint32_t)threshold;
    for (int k = 0; k < PLANES; k++)
        planes[k * stride] |= bits & bit_of_plane[k] ? lane : 0u;
}

static void put_replica(const lm_spec *spec, const lm_words *words, const lm_parameters *par,
                        int64_t r, lm_ising_rules *rules)
{
    const int64_t number = spec->first_replica + r, slot = par->slots ? par->slots[r] : r;
    const size_t g = (size_t)(number / words->pack - words->first_group);
    const uint32_t segment = words->segment == 32 ? ~0u : (1u << words->segment) - 1u;
    const uint32_t lane = segment << (number % words->pack) * words->segment;
    const uint64_t *t =
        rules->thresholds + ((par->loose[r] != 0) * spec->replicas + slot) * rules->each;
    for (int n = 0; n < spec->dims; n++)
        put_threshold(rules->uniform_planes + g * (size_t)(PLANES * spec->dims) + n, spec->dims,
                      *t++, lane);
    rules->flip[g] |= *t++ ? lane : 0;
    for (int i = 0; i < LM_ISING_UPDATES; i++) {
        uint32_t *planes = rules->planes[i] + g * lm_ising_rule_words(&rules->shape[i]);
        for (int q = 0; q < rule_thresholds(&rules->shape[i]); q++, t++, planes += STRIDE) {
            put_threshold(planes, 1, *t, lane);
            planes[PLANES] |= *t == LM_CERTAIN ? lane : 0;
        }
    }
}

void lm_ising_rules_spread(const lm_spec *spec, const lm_words *words,
                           const lm_parameters *parameters, lm_ising_rules *rules)
{
    memset(rules->tables, 0, (size_t)rules->words * sizeof *rules->tables);
    for (int64_t r = 0; r < spec->replicas; r++)
        put_replica(spec, words, parameters, r, rules);
}

/* ---- all of them */

static int allocate(const lm_spec *spec, int64_t groups, lm_ising_rules *rules)
{
    const int64_t uniform = groups * PLANES * spec->dims;
    int64_t general[LM_ISING_UPDATES];
    rules->words = uniform + groups;
    rules->each = spec->dims + 1;
    for (int i = 0; i < LM_ISING_UPDATES; i++) {
        general[i] = groups * (int64_t)lm_ising_rule_words(&rules->shape[i]);
        rules->words += general[i];
        rules->each += rule_thresholds(&rules->shape[i]);
    }
    rules->thresholds = lm_zeroed(NULL, "the thresholds of all slots", 2 * spec->replicas,
                                  (size_t)rules->each * sizeof *rules->thresholds);
    uint32_t *at = rules->tables =
        rules->thresholds
            ? lm_zeroed(NULL, "the thresholds of all replicas", rules->words, sizeof *at)
            : NULL;
    if (!at)
        return 0;
    rules->uniform_planes = at; /* the first, since kernels load four of its words at a time */
    rules->flip = at += uniform;
    at += groups;
    for (int i = 0; i < LM_ISING_UPDATES; at += general[i++])
        rules->planes[i] = at;
    return 1;
}

latmc_status lm_ising_rules_make(const lm_spec *spec, const lm_words *words,
                                 const lm_parameters *parameters, lm_ising_rules *rules)
{
    lm_ising_rules new = {.uniform = {[LM_ISING_METROPOLIS] = is_uniform(spec, parameters)}};
    int some[2] = {0, 0}; /* replicas whose bonds make them loose, or do not */
    for (int i = 0; i < LM_ISING_UPDATES; i++)
        new.shape[i] = shape_of(spec, parameters, i);
    if (!allocate(spec, words->groups, &new)) {
        lm_ising_rules_free(&new);
        return LATMC_ERROR_MEMORY;
    }
    for (int64_t r = 0; r < spec->replicas; r++)
        some[parameters->loose[r] != 0] = 1;
    for (int bonds = 0; bonds < 2; bonds++)
        for (int64_t slot = 0; some[bonds] && slot < spec->replicas; slot++)
            find_thresholds(spec, parameters, slot, bonds, &new);
    lm_ising_rules_spread(spec, words, parameters, &new);
    *rules = new;
    return LATMC_OK;
}

void lm_ising_rules_free(lm_ising_rules *rules)
{
    free(rules->thresholds);
    free(rules->tables);
    *rules = (lm_ising_rules){0};
}
