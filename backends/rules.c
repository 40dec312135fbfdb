/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/rules.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/physics/mathfn.h"

#define PLANES 32
#define STRIDE (PLANES + 1) /* the planes and the plane of the certain */

size_t lm_rule_words(const lm_rule_shape *shape)
{
    return (size_t)shape->kinds * (size_t)shape->classes * STRIDE;
}

/* Computes all thresholds that the present slots need. */
static void find_all(lm_rules *rules, int which, const int some[2])
{
    lm_rule_table *table = &rules->tables[which];
    const int64_t replicas = rules->spec->replicas;
    table->by_spin = 0;
    for (int loose_bonds = 0; loose_bonds < 2; loose_bonds++)
        for (int64_t slot = 0; some[loose_bonds] && slot < replicas; slot++) {
            uint64_t *to = table->thresholds + (loose_bonds * replicas + slot) * table->each;
            table->by_spin |= rules->model->find(rules, which, loose_bonds, slot, to);
        }
    table->known = 1;
}

/* ---- a group's planes */

/* The bit of each plane, the highest first. Baseline vectors can compare with such a table, but
 * cannot shift each element by its own number. */
#define BITS4(bit)  bit, bit >> 1, bit >> 2, bit >> 3
#define BITS16(bit) BITS4(bit), BITS4(bit >> 4), BITS4(bit >> 8), BITS4(bit >> 12)
static const uint32_t bit_of_plane[PLANES] = {BITS16(0x80000000u), BITS16(0x8000u)};

/* Writes the bits of a threshold to all planes, in the bits of `own`. There is no condition,
 * because gcc 12 makes branches of it where this is inlined. */
static inline void put_threshold(uint32_t planes[PLANES], uint64_t threshold, uint32_t own)
{
    const uint32_t bits = (uint32_t)threshold;
    for (int k = 0; k < PLANES; k++)
        planes[k] |= own & -(uint32_t)((bits & bit_of_plane[k]) != 0);
}

/* Returns whether the model has such a table. */
static int has_table(const lm_words_model *model, int which)
{
    return which == LM_UNIFORM_RULE ? model->uniform != NULL : which < model->updates;
}

static lm_rule_form form_of(const lm_rule_shape *shapes, int dims, int which)
{
    if (which == LM_UNIFORM_RULE)
        return (lm_rule_form){PLANES * dims, dims, dims, 1, 0};
    const lm_rule_shape *s = &shapes[which];
    return (lm_rule_form){(int64_t)lm_rule_words(s), s->kinds * s->classes, 1, STRIDE, 1};
}

lm_rule_form lm_rules_form(const lm_rules *rules, int which)
{
    return form_of(rules->shape, rules->spec->dims, which);
}

/* The replicas of a group, with the plan's own numbers, and the bits of the first one. */
typedef struct held {
    int64_t first, last;
    int place; /* place of the first replica in the word */
} held;

static held held_by(const lm_rules *rules, int64_t g)
{
    const lm_spec *s = rules->spec;
    const int64_t per_word = rules->words->per_word;
    const int64_t begin = (rules->words->first_group + g) * per_word - s->first_replica;
    const int64_t first = begin > 0 ? begin : 0;
    return (held){first, begin + per_word < s->replicas ? begin + per_word : s->replicas,
                  (int)(first - begin)};
}

/* Gathers threshold number i of all replicas of a group, as planes and the plane of the certain. */
static void gather(const lm_rules *rules, int which, const held *m, int64_t i,
                   uint32_t planes[STRIDE])
{
    const int segment = rules->words->segment;
    const uint32_t one = segment == 32 ? ~0u : (1u << segment) - 1u;
    uint32_t own = one << m->place * segment;
    memset(planes, 0, STRIDE * sizeof *planes);
    for (int64_t r = m->first; r < m->last; r++, own = segment == 32 ? 0 : own << segment) {
        const uint64_t t = lm_rules_thresholds_of(rules, which, r)[i];
        put_threshold(planes, t, own);
        planes[PLANES] |= t == LM_CERTAIN ? own : 0;
    }
}

static void put_group(const lm_rules *rules, int which, int64_t g)
{
    const lm_rule_table *table = &rules->tables[which];
    const lm_rule_form form = lm_rules_form(rules, which);
    const held m = held_by(rules, g);
    uint32_t planes[STRIDE], *to = table->planes + g * form.group_words;
    for (int64_t i = 0; i < form.each; i++, to += form.step) {
        gather(rules, which, &m, i, planes);
        for (int k = 0; k < PLANES + form.certain; k++)
            to[k * form.stride] = planes[k];
    }
    if (which != LM_UNIFORM_RULE)
        return;
    gather(rules, which, &m, form.each, planes); /* 1 or 0: the last plane */
    table->planes[rules->words->groups * form.group_words + g] = planes[PLANES - 1];
}

const lm_rule_table *lm_rules_thresholds(lm_rules *rules, int which)
{
    lm_rule_table *table = &rules->tables[which];
    int some[2] = {0, 0}; /* whether replicas are not loose by their bonds, and whether some are */
    for (int64_t r = 0; r < rules->spec->replicas; r++)
        some[rules->loose[r] != 0] = 1;
    if (!table->known)
        find_all(rules, which, some);
    return table;
}

const lm_rule_table *lm_rules_table(lm_rules *rules, int which)
{
    lm_rule_table *table = &rules->tables[which];
    if (table->spread)
        return table;
    lm_rules_thresholds(rules, which);
    for (int64_t g = 0; g < rules->words->groups; g++)
        put_group(rules, which, g);
    table->spread = 1;
    return table;
}

/* ---- all of them */

static void find_shapes(const lm_words_model *model, const lm_spec *spec, const double *coupling,
                        lm_rule_shape *shapes)
{
    memset(shapes, 0, LM_RULE_UPDATES * sizeof *shapes);
    for (int i = 0; i < model->updates; i++)
        shapes[i] = model->shape(spec, coupling, i);
}

/* Returns the words of all groups. The uniform table also has a word of signs for each group. */
static int64_t table_words(const lm_words_model *model, const lm_spec *spec, const lm_words *words,
                           const lm_rule_shape *shapes, int which)
{
    if (!has_table(model, which))
        return 0;
    return words->groups *
           (form_of(shapes, spec->dims, which).group_words + (which == LM_UNIFORM_RULE));
}

int64_t lm_rules_words(const lm_words_model *model, const lm_spec *spec, const lm_words *words,
                       const lm_parameters *parameters)
{
    lm_rule_shape shapes[LM_RULE_UPDATES];
    int64_t sum = 0;
    find_shapes(model, spec, parameters->type_coupling, shapes);
    for (int i = 0; i < LM_RULE_TABLES; i++)
        sum += table_words(model, spec, words, shapes, i);
    return sum;
}

static int allocate(lm_rules *rules)
{
    static const char what[] = "the thresholds of all replicas";
    const int64_t replicas = rules->spec->replicas;
    int all = 1;
    for (int i = 0; all && i < LM_RULE_TABLES; i++) {
        lm_rule_table *t = &rules->tables[i];
        t->words = table_words(rules->model, rules->spec, rules->words, rules->shape, i);
        if (!has_table(rules->model, i))
            continue;
        t->each = form_of(rules->shape, rules->spec->dims, i).each + (i == LM_UNIFORM_RULE);
        t->thresholds =
            lm_zeroed(NULL, what, 2 * replicas, (size_t)t->each * sizeof *t->thresholds);
        t->planes = t->thresholds ? lm_zeroed(NULL, what, t->words, sizeof *t->planes) : NULL;
        all = t->planes != NULL;
    }
    rules->values =
        all ? lm_zeroed(NULL, what, rules->model->parameters * replicas, sizeof *rules->values)
            : NULL;
    rules->slots = rules->values ? lm_zeroed(NULL, what, replicas, sizeof *rules->slots) : NULL;
    rules->loose = rules->slots ? lm_zeroed(NULL, what, replicas, sizeof *rules->loose) : NULL;
    rules->beta = rules->values ? rules->values + rules->model->beta * replicas : NULL;
    rules->field = rules->values ? rules->values + rules->model->field * replicas : NULL;
    return rules->loose != NULL;
}

static int same_shape(const lm_rule_shape *a, const lm_rule_shape *b)
{
    return a->sets == b->sets; /* everything else is constant during a lattice's life */
}

latmc_status lm_rules_put(const lm_words_model *model, const lm_spec *spec, const lm_words *words,
                          const lm_parameters *parameters, lm_rules *rules)
{
    const size_t replicas = (size_t)spec->replicas;
    lm_rules new = {.model = model, .spec = spec, .words = words};
    find_shapes(model, spec, parameters->type_coupling, new.shape);
    if (!rules->loose || !same_shape(new.shape, rules->shape)) {
        if (!allocate(&new)) {
            lm_rules_free(&new);
            return LATMC_ERROR_MEMORY;
        }
        lm_rules_free(rules);
        *rules = new;
    }
    memcpy(rules->coupling, parameters->type_coupling, (size_t)spec->dims * sizeof(double));
    memcpy(rules->values, parameters->values,
           (size_t)model->parameters * replicas * sizeof(double));
    memcpy(rules->loose, parameters->loose, replicas);
    for (int i = 0; i < model->updates; i++)
        rules->uniform[i] = model->uniform && model->uniform(rules, i);
    for (int i = 0; i < LM_RULE_TABLES; i++)
        rules->tables[i].known = 0;
    lm_rules_put_slots(parameters, rules);
    return LATMC_OK;
}

void lm_rules_put_slots(const lm_parameters *parameters, lm_rules *rules)
{
    for (int64_t r = 0; r < rules->spec->replicas; r++)
        rules->slots[r] = parameters->slots ? parameters->slots[r] : r;
    for (int i = 0; i < LM_RULE_TABLES; i++)
        rules->tables[i].spread = 0;
}

void lm_rules_free(lm_rules *rules)
{
    for (int i = 0; i < LM_RULE_TABLES; i++) {
        free(rules->tables[i].thresholds);
        free(rules->tables[i].planes);
    }
    free(rules->values);
    free(rules->slots);
    free(rules->loose);
    *rules = (lm_rules){0};
}

int64_t lm_rules_bytes(const lm_rules *rules)
{
    const int64_t replicas = rules->spec->replicas;
    int64_t bytes = replicas * (int64_t)(rules->model->parameters * sizeof *rules->values +
                                         sizeof *rules->slots + sizeof *rules->loose);
    for (int i = 0; i < LM_RULE_TABLES; i++)
        bytes += rules->tables[i].words * (int64_t)sizeof *rules->tables[i].planes +
                 2 * replicas * rules->tables[i].each * (int64_t)sizeof(uint64_t);
    return bytes;
}

int lm_rules_are_even(const lm_rules *rules, int update)
{
    return rules->field && !rules->spec->signs && rules->shape[update].sets == 1;
}

int lm_rules_have_field(const lm_rules *rules)
{
    for (int64_t i = 0; i < rules->spec->replicas; i++)
        if (rules->field[i] != 0.0)
            return 1;
    return 0;
}

int lm_rules_are_plain(const lm_rules *rules, int update)
{
    return lm_rules_are_even(rules, update) && !rules->tables[update].by_spin;
}
