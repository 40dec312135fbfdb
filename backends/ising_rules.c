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

static lm_ising_shape shape_of(const lm_spec *spec, const double *coupling, int update)
{
    static const int heat_bath[LM_ISING_UPDATES] = {[LM_ISING_HEATBATH] = 1};
    lm_ising_shape s = {.heat_bath = heat_bath[update], .missing = spec->missing, .classes = 1};
    s.sets = equal_couplings(spec, coupling) ? 1 : spec->dims;
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
static int is_loose(const lm_spec *spec, const double *coupling, int bonds, double beta)
{
    int loose = spec->dims == 1 || bonds;
    for (int a = 0; a < spec->dims; a++)
        loose |= lm_ising_is_weak(beta, coupling[a]);
    return loose;
}

/* Whatever slots the replicas have. */
static int is_uniform(const lm_ising_rules *rules)
{
    const lm_spec *spec = rules->spec;
    if (spec->missing || !equal_couplings(spec, rules->coupling))
        return 0;
    for (int64_t i = 0; i < spec->replicas; i++)
        if (is_loose(spec, rules->coupling, rules->loose[i], rules->beta[i]) ||
            rules->field[i] != 0.0)
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

static void find_rule(const lm_ising_shape *s, const physics *p, uint64_t *to)
{
    for (int spin = -1; spin <= (s->heat_bath ? -1 : 1); spin += 2)
        for (int q = 0; q < s->classes; q++) {
            const double local = local_field(s, p->coupling, q);
            *to++ = s->heat_bath
                        ? lm_ising_heatbath_threshold(p->beta, local, p->field)
                        : lm_ising_metropolis_threshold(p->loose, p->beta, spin, local, p->field);
        }
}

static void find_uniform(const physics *p, uint64_t *to)
{
    for (int n = 0; n < p->dims; n++) {
        const double local = fabs(p->coupling[0]) * (2 * p->dims - 2 * n);
        *to++ = lm_ising_metropolis_threshold(0, fabs(p->beta), 1, local, 0.0);
    }
    *to = (p->beta < 0.0) != (p->coupling[0] < 0.0); /* the product could underflow */
}

static void find_thresholds(const lm_ising_rules *rules, int which, int bonds, int64_t slot,
                            uint64_t *to)
{
    const lm_spec *spec = rules->spec;
    const double beta = rules->beta[slot];
    const physics p = {.dims = spec->dims,
                       .loose = is_loose(spec, rules->coupling, bonds, beta),
                       .beta = beta,
                       .field = rules->field[slot],
                       .coupling = rules->coupling};
    if (which == LM_ISING_UNIFORM)
        find_uniform(&p, to);
    else
        find_rule(&rules->shape[which], &p, to);
}

/* Whether of Metropolis' thresholds, those of spins down and then of spins up, any are apart. */
static int are_apart(const lm_ising_shape *s, const uint64_t *of)
{
    const uint64_t *up = of + s->classes;
    for (int q = 0; !s->heat_bath && q < s->classes; q++)
        if (of[q] != up[q] && of[q] != LM_CERTAIN && up[q] != LM_CERTAIN)
            return 1;
    return 0;
}

/* All that present slots need. */
static void find_all(lm_ising_rules *rules, int which, const int some[2])
{
    lm_ising_table *table = &rules->tables[which];
    const int64_t replicas = rules->spec->replicas;
    table->apart = 0;
    for (int bonds = 0; bonds < 2; bonds++)
        for (int64_t slot = 0; some[bonds] && slot < replicas; slot++) {
            uint64_t *to = table->thresholds + (bonds * replicas + slot) * table->each;
            find_thresholds(rules, which, bonds, slot, to);
            if (which != LM_ISING_UNIFORM)
                table->apart |= are_apart(&rules->shape[which], to);
        }
    table->known = 1;
}

/* ---- planes of a group */

/* The bit of each plane, the highest first: with a table baseline vectors can compare, where they
 * cannot shift each element by its own number. */
#define BITS4(bit)  bit, bit >> 1, bit >> 2, bit >> 3
#define BITS16(bit) BITS4(bit), BITS4(bit >> 4), BITS4(bit >> 8), BITS4(bit >> 12)
static const uint32_t bit_of_plane[PLANES] = {BITS16(0x80000000u), BITS16(0x8000u)};

/* Writes the bits of a threshold into every plane, in those of `lane`. */
static inline void put_threshold(uint32_t planes[PLANES], uint64_t threshold, uint32_t lane)
{
    const uint32_t bits = (uint32_t)threshold;
    for (int k = 0; k < PLANES; k++)
        planes[k] |= bits & bit_of_plane[k] ? lane : 0u;
}

static lm_ising_form form_of(const lm_ising_shape *shapes, int dims, int which)
{
    if (which == LM_ISING_UNIFORM)
        return (lm_ising_form){PLANES * dims, dims, dims, 1, 0};
    const lm_ising_shape *s = &shapes[which];
    return (lm_ising_form){(int64_t)lm_ising_rule_words(s), rule_thresholds(s), 1, STRIDE, 1};
}

lm_ising_form lm_ising_rules_form(const lm_ising_rules *rules, int which)
{
    return form_of(rules->shape, rules->spec->dims, which);
}

/* The replicas of a group, numbered as the plan's own are, and the bits of the first one. */
typedef struct members {
    int64_t first, last;
    int place; /* of the first one in the word */
} members;

static members members_of(const lm_ising_rules *rules, int64_t g)
{
    const lm_spec *s = rules->spec;
    const int64_t pack = rules->words->pack;
    const int64_t begin = (rules->words->first_group + g) * pack - s->first_replica;
    const int64_t first = begin > 0 ? begin : 0;
    return (members){first, begin + pack < s->replicas ? begin + pack : s->replicas,
                     (int)(first - begin)};
}

/* Threshold number i of all replicas of a group, planes and the plane of the certain. */
static void gather(const lm_ising_rules *rules, int which, const members *m, int64_t i,
                   uint32_t planes[STRIDE])
{
    const lm_ising_table *table = &rules->tables[which];
    const int segment = rules->words->segment;
    const uint32_t one = segment == 32 ? ~0u : (1u << segment) - 1u;
    uint32_t lane = one << m->place * segment;
    memset(planes, 0, STRIDE * sizeof *planes);
    for (int64_t r = m->first; r < m->last; r++, lane = segment == 32 ? 0 : lane << segment) {
        const uint64_t t =
            table->thresholds[((rules->loose[r] != 0) * rules->spec->replicas + rules->slots[r]) *
                                  table->each +
                              i];
        put_threshold(planes, t, lane);
        planes[PLANES] |= t == LM_CERTAIN ? lane : 0;
    }
}

static void put_group(const lm_ising_rules *rules, int which, int64_t g)
{
    const lm_ising_table *table = &rules->tables[which];
    const lm_ising_form form = lm_ising_rules_form(rules, which);
    const members m = members_of(rules, g);
    uint32_t planes[STRIDE], *to = table->planes + g * form.group_words;
    for (int64_t i = 0; i < form.each; i++, to += form.step) {
        gather(rules, which, &m, i, planes);
        for (int k = 0; k < PLANES + form.certain; k++)
            to[k * form.stride] = planes[k];
    }
    if (which != LM_ISING_UNIFORM)
        return;
    gather(rules, which, &m, form.each, planes); /* 1 or 0: the last plane */
    table->planes[rules->words->groups * form.group_words + g] = planes[PLANES - 1];
}

const lm_ising_table *lm_ising_rules_thresholds(lm_ising_rules *rules, int which)
{
    lm_ising_table *table = &rules->tables[which];
    int some[2] = {0, 0}; /* replicas whose bonds make them loose, or do not */
    for (int64_t r = 0; r < rules->spec->replicas; r++)
        some[rules->loose[r] != 0] = 1;
    if (!table->known)
        find_all(rules, which, some);
    return table;
}

const lm_ising_table *lm_ising_rules_table(lm_ising_rules *rules, int which)
{
    lm_ising_table *table = &rules->tables[which];
    if (table->spread)
        return table;
    lm_ising_rules_thresholds(rules, which);
    for (int64_t g = 0; g < rules->words->groups; g++)
        put_group(rules, which, g);
    table->spread = 1;
    return table;
}

/* ---- all of them */

static void find_shapes(const lm_spec *spec, const double *coupling, lm_ising_shape *shapes)
{
    for (int i = 0; i < LM_ISING_UPDATES; i++)
        shapes[i] = shape_of(spec, coupling, i);
}

/* Of all groups; the uniform table also has a word a group of signs. */
static int64_t table_words(const lm_spec *spec, const lm_words *words, const lm_ising_shape *shapes,
                           int which)
{
    return words->groups *
           (form_of(shapes, spec->dims, which).group_words + (which == LM_ISING_UNIFORM));
}

int64_t lm_ising_rules_words(const lm_spec *spec, const lm_words *words,
                             const lm_parameters *parameters)
{
    lm_ising_shape shapes[LM_ISING_UPDATES];
    int64_t sum = 0;
    find_shapes(spec, parameters->axis_coupling, shapes);
    for (int i = 0; i < LM_ISING_TABLES; i++)
        sum += table_words(spec, words, shapes, i);
    return sum;
}

static int allocate(lm_ising_rules *rules)
{
    static const char what[] = "the thresholds of all replicas";
    const int64_t replicas = rules->spec->replicas;
    int all = 1;
    for (int i = 0; all && i < LM_ISING_TABLES; i++) {
        lm_ising_table *t = &rules->tables[i];
        t->words = table_words(rules->spec, rules->words, rules->shape, i);
        t->each = form_of(rules->shape, rules->spec->dims, i).each + (i == LM_ISING_UNIFORM);
        t->thresholds =
            lm_zeroed(NULL, what, 2 * replicas, (size_t)t->each * sizeof *t->thresholds);
        t->planes = t->thresholds ? lm_zeroed(NULL, what, t->words, sizeof *t->planes) : NULL;
        all = t->planes != NULL;
    }
    rules->beta = all ? lm_zeroed(NULL, what, 2 * replicas, sizeof *rules->beta) : NULL;
    rules->slots = rules->beta ? lm_zeroed(NULL, what, replicas, sizeof *rules->slots) : NULL;
    rules->loose = rules->slots ? lm_zeroed(NULL, what, replicas, sizeof *rules->loose) : NULL;
    rules->field = rules->beta ? rules->beta + replicas : NULL;
    return rules->loose != NULL;
}

static int same_shape(const lm_ising_shape *a, const lm_ising_shape *b)
{
    return a->sets == b->sets; /* all else is the same for a lattice's life */
}

latmc_status lm_ising_rules_put(const lm_spec *spec, const lm_words *words,
                                const lm_parameters *parameters, lm_ising_rules *rules)
{
    const size_t replicas = (size_t)spec->replicas;
    lm_ising_rules new = {.spec = spec, .words = words};
    find_shapes(spec, parameters->axis_coupling, new.shape);
    if (!rules->loose || !same_shape(new.shape, rules->shape)) {
        if (!allocate(&new)) {
            lm_ising_rules_free(&new);
            return LATMC_ERROR_MEMORY;
        }
        lm_ising_rules_free(rules);
        *rules = new;
    }
    memcpy(rules->coupling, parameters->axis_coupling, (size_t)spec->dims * sizeof(double));
    memcpy(rules->beta, parameters->values + LM_ISING_BETA * replicas, replicas * sizeof(double));
    memcpy(rules->field, parameters->values + LM_ISING_FIELD * replicas, replicas * sizeof(double));
    memcpy(rules->loose, parameters->loose, replicas);
    rules->uniform[LM_ISING_METROPOLIS] = is_uniform(rules);
    for (int i = 0; i < LM_ISING_TABLES; i++)
        rules->tables[i].known = 0;
    lm_ising_rules_put_slots(parameters, rules);
    return LATMC_OK;
}

void lm_ising_rules_put_slots(const lm_parameters *parameters, lm_ising_rules *rules)
{
    for (int64_t r = 0; r < rules->spec->replicas; r++)
        rules->slots[r] = parameters->slots ? parameters->slots[r] : r;
    for (int i = 0; i < LM_ISING_TABLES; i++)
        rules->tables[i].spread = 0;
}

void lm_ising_rules_free(lm_ising_rules *rules)
{
    for (int i = 0; i < LM_ISING_TABLES; i++) {
        free(rules->tables[i].thresholds);
        free(rules->tables[i].planes);
    }
    free(rules->beta);
    free(rules->slots);
    free(rules->loose);
    *rules = (lm_ising_rules){0};
}
