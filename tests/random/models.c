/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/models.h"

#include <math.h>

static const random_model *const models[] = {&random_ising, &random_phi4,      &random_onvector,
                                             &random_potts, &random_automaton, &random_blume_capel,
                                             &random_clock};

/* A model that is none costs what Ising does; the library refuses it. */
const random_model *random_model_of(int id)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (models[i]->id == id)
            return models[i];
    return models[0];
}

/* Cases also set what only another model has. */
int random_repeats(int param)
{
    int yes = 0;

    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++)
        for (int i = 0; i < models[m]->param_count; i++)
            yes |= models[m]->params[i].id == param && models[m]->params[i].whole;
    return yes;
}

int random_tunes(const random_case *c, int update)
{
    const random_model *m = random_model_of(c->model);

    return m->tunes && m->tunes(update);
}

int random_components(const random_case *c)
{
    const random_model *m = random_model_of(c->model);

    return m->components ? m->components(c) : 1;
}

double random_most_of(const random_case *c, int id)
{
    double most = 1.0;

    for (int p = 0; p < c->param_count; p++)
        for (int i = 0; c->params[p].id == id && i < c->params[p].values.count; i++)
            most = fmax(most, c->params[p].values.value[i]);
    for (int s = 0; s < c->step_count; s++)
        for (int i = 0;
             c->steps[s].verb == CASE_SET && c->steps[s].id == id && i < c->steps[s].values.count;
             i++)
            most = fmax(most, c->steps[s].values.value[i]);
    return fmin(most, 255.0);
}

double random_field(draw_dice *d)
{
    return draw_chance(d, 0.2) ? 0.0 : draw_uniform(d, -1.5, 1.5);
}

case_numbers random_numbers(draw_dice *d, int64_t count)
{
    static const case_source sources[] = {CASE_GAUSSIAN, CASE_GAUSSIAN, CASE_DRAWN, CASE_REALS,
                                          CASE_GIVEN};
    static const int shares[] = {0, 0, 0, 10, 50, 100};
    case_numbers n = {.from = sources[draw_between(d, 0, count > 1 << 18 ? 2 : 4)],
                      .seed = draw_seed(d),
                      .missing = shares[draw_between(d, 0, 5)],
                      .plus = 50,
                      .width = 1.0};

    if (n.from == CASE_GIVEN)
        n.negative = shares[draw_between(d, 0, 5)];
    else if (n.from == CASE_DRAWN)
        n.plus = (int)draw_between(d, 0, 100);
    else if (draw_chance(d, 0.6)) {
        n.mean = draw_uniform(d, -1.5, 1.5);
        n.width = draw_chance(d, 0.1)   ? 0.0
                  : draw_chance(d, 0.1) ? draw_rounded(draw_log(d, 1e-16, 1e4))
                                        : draw_uniform(d, 0.1, 2.0);
    }
    return n;
}

case_values random_axes(draw_dice *d, int uniform, int dims)
{
    case_values v = {.count = dims};
    const int equal = uniform || draw_chance(d, 0.3);

    for (int a = 0; a < dims; a++) {
        v.value[a] = draw_chance(d, 0.15) ? 0.0 : draw_uniform(d, -2.0, 2.0);
        if (equal && a > 0)
            v.value[a] = v.value[0];
    }
    return v;
}
