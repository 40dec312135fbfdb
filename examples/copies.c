/* SPDX-License-Identifier: BSD-3-Clause */
#include "copies.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS_MAX = 4, LEAST_BLOCKS = 10, MOST_BLOCKS = 100, BLOCK_TAUS = 20 };

/* ---- which pairs, and what of them */

/* A slot whose parameter differs from that of the slot that it copies. */
typedef struct stray {
    latmc_description param;
    int64_t slot, copied;
    double value, wanted;
} stray;

static int find_stray(const latmc_lattice *lattice, int64_t ladder, stray *found)
{
    const latmc_lattice_info info = lattice_info(lattice);
    double *values = cli_memory(info.replicas, sizeof *values);
    int any = 0;

    for (int p = 0; p < lattice_things(LATMC_PARAMS, info.model) && !any; p++) {
        const latmc_description param = lattice_thing(LATMC_PARAMS, info.model, p);

        cli_run(latmc_get_params(lattice, (latmc_param)param.id, values));
        for (int64_t s = 0; s < info.replicas && !any; s++) {
            *found = (stray){param, s, s % ladder, values[s], values[s % ladder]};
            any = found->value != found->wanted;
        }
    }
    free(values);
    return any;
}

int copies_are_there(const latmc_lattice *lattice)
{
    const latmc_lattice_info info = lattice_info(lattice);
    stray found;

    return info.ladders > 1 &&
           !find_stray(lattice, info.replicas / lattice_info(lattice).samples / info.ladders,
                       &found);
}

static void check_parameters(const copies *c, const latmc_lattice *lattice)
{
    stray s;

    if (find_stray(lattice, c->ladder, &s))
        cli_refuse("--copies is %" PRId64 ", but %s is %g in slot %" PRId64
                   " and %g in slot %" PRId64 ": these slots should be copies of each other",
                   c->copies, s.param.name, s.value, s.slot, s.wanted, s.copied);
}

static int place_of(const copies *c, latmc_role role)
{
    for (int i = 0; i < c->observables; i++)
        if (c->list[i].what == (int)role)
            return i;
    return -1;
}

/* The smallest momentum along axis 0, whose ends the waves of pairs do not see. */
static formula_user along_axis_0(const latmc_lattice_info *info, double beta)
{
    (void)beta;
    return (formula_user){.momentum = {.size = sizeof(latmc_momentum),
                                       .k = 2 * acos(-1.0) / (double)info->extents[0]}};
}

static formula_user with_sites(const latmc_lattice_info *info, double beta)
{
    return (formula_user){
        .scale = {.size = sizeof(latmc_scale), .beta = beta, .sites = (double)info->sites}};
}

/* Of the order parameter of a spin glass: of vectors it is the tensor. */
static const struct {
    const char *name;
    latmc_derived formula;
    latmc_role inputs[2];
    quantity_prepare *prepare;
} formulas[] = {
    {"binder", latmc_binder, {LATMC_ROLE_ORDER2, LATMC_ROLE_ORDER4}, NULL},
    {"spin_glass_susceptibility",
     latmc_spin_glass_susceptibility,
     {LATMC_ROLE_ORDER2, LATMC_ROLE_ORDER2},
     with_sites},
    {"spin_glass_susceptibility_k",
     latmc_spin_glass_susceptibility,
     {LATMC_ROLE_STRUCTURE, LATMC_ROLE_STRUCTURE},
     with_sites},
    {"xi", latmc_correlation_length, {LATMC_ROLE_ORDER2, LATMC_ROLE_STRUCTURE}, along_axis_0},
};

static void add_formula(copies *c, size_t f)
{
    quantity q = {
        .in_table = 1,
        .formula = formulas[f].formula,
        .inputs = {place_of(c, formulas[f].inputs[0]), place_of(c, formulas[f].inputs[1])},
        .prepare = formulas[f].prepare};

    snprintf(q.name, sizeof q.name, "%s", formulas[f].name);
    if (q.inputs[0] >= 0 && q.inputs[1] >= 0)
        c->list[c->quantities++] = q;
}

/* The cumulant is one of a single number. */
static void list_quantities(copies *c, const latmc_lattice *lattice)
{
    const int model = lattice_info(lattice).model;

    for (int i = 0; i < lattice_things(LATMC_PAIR_OBSERVABLES, model); i++) {
        const latmc_description o = lattice_thing(LATMC_PAIR_OBSERVABLES, model, i);

        for (int64_t k = 0; k < lattice_quantities(lattice, o.id); k++) {
            quantity *next = &c->list[c->observables];

            *next = (quantity){.what = o.role, .in_table = 1};
            c->observables +=
                lattice_quantity(lattice, o.id, k, &c->measured[c->observables], next->name);
        }
    }
    c->quantities = c->observables;
    for (size_t f = 0; f < sizeof formulas / sizeof formulas[0]; f++)
        if (formulas[f].formula != latmc_binder || place_of(c, LATMC_ROLE_ORDER) >= 0)
            add_formula(c, f);
}

copies copies_prepare(const latmc_lattice *lattice, int64_t count, int64_t records)
{
    const latmc_lattice_info info = lattice_info(lattice);
    copies c = {.copies = count, .samples = lattice_info(lattice).samples};

    c.ladder = info.replicas / c.samples / count;
    check_parameters(&c, lattice);
    c.pairs = lattice_pairs(lattice, count, &c.of);
    list_quantities(&c, lattice);
    c.room = c.samples > 1 ? c.samples : records > 0 ? records : 1;
    cli_need_memory((double)c.observables * (double)c.ladder * (double)c.room,
                    "the time series of pairs of copies");
    c.now = cli_memory(c.observables * c.pairs, sizeof *c.now);
    c.series = cli_memory(c.observables * c.ladder * c.room, sizeof *c.series);
    c.estimates = cli_memory(c.ladder * c.quantities, sizeof *c.estimates);
    c.means = cli_memory(2 * c.samples, sizeof *c.means);
    memset(c.series, 0, (size_t)(c.observables * c.ladder * c.room) * sizeof *c.series);
    return c;
}

void copies_free(copies *c)
{
    free(c->of);
    free(c->now);
    free(c->series);
    free(c->estimates);
    free(c->means);
}

/* ---- measuring */

void copies_measure(copies *c, latmc_lattice *lattice)
{
    const int64_t each = c->copies * (c->copies - 1) / 2;
    const double *now = c->now;

    cli_run(latmc_observe_pairs(lattice, LATMC_BY_SLOT, c->pairs, c->of[0], c->observables,
                                c->measured, c->now));
    for (int o = 0; o < c->observables; o++)
        for (int64_t j = 0; j < c->samples; j++)
            for (int64_t t = 0; t < c->ladder; t++)
                for (int64_t p = 0; p < each; p++)
                    c->series[(o * c->ladder + t) * c->room + (c->samples > 1 ? j : c->records)] +=
                        *now++ / (double)each;
    c->records++;
}

/* One record after the other. */
void copies_record(copies *c, simulation *s, int64_t every, int64_t records, results *r)
{
    for (int64_t t = 0; t < records && !s->stopped; t++) {
        simulation_record(s, every, 1, r);
        if (r->records == t)
            break;
        copies_measure(c, s->lattice);
    }
}

/* ---- analysis */

static latmc_estimate unknown(double value)
{
    return (latmc_estimate){.size = sizeof(latmc_estimate),
                            .value = value,
                            .error = (double)NAN,
                            .tau_int = (double)NAN,
                            .tau_error = (double)NAN};
}

/* Samples are independent of each other, and each has the mean of its records. */
static void sample_means(const copies *c, const double *sums, double *means)
{
    for (int64_t j = 0; j < c->samples; j++)
        means[j] = sums[j] / (double)c->records;
}

static latmc_estimate of_observable(const copies *c, const double *series)
{
    latmc_estimate e = {.size = sizeof e};

    if (!c->records)
        return unknown((double)NAN);
    if (c->samples > 1) {
        sample_means(c, series, c->means);
        cli_run(latmc_average(c->means, c->samples, &e));
    } else if (c->records < 2)
        return unknown(series[0]);
    else
        cli_run(latmc_analyse(series, c->records, &e));
    return e;
}

/* By samples. */
static latmc_estimate of_sample_formula(const copies *c, const double *const *series,
                                        const quantity *q, formula_user *user)
{
    const double *const means[2] = {c->means, c->means + c->samples};
    latmc_estimate e = {.size = sizeof e};

    for (int i = 0; i < 2; i++)
        sample_means(c, series[i], c->means + i * c->samples);
    cli_run(latmc_average_derived(&(latmc_derivation){.size = sizeof(latmc_derivation),
                                                      .series = means,
                                                      .series_count = 2,
                                                      .count = c->samples,
                                                      .function = q->formula,
                                                      .user = user},
                                  &e));
    return e;
}

/* By time or, of several samples, by these. */
static latmc_estimate of_formula(const copies *c, int64_t step, const quantity *q,
                                 const latmc_estimate *known, const latmc_lattice_info *info)
{
    formula_user user = {0};
    latmc_estimate e = {.size = sizeof e};
    const double *series[2];
    double tau = 0.5;
    int64_t blocks;

    for (int i = 0; i < 2; i++) {
        series[i] = c->series + (q->inputs[i] * c->ladder + step) * c->room;
        tau = fmax(tau, known[q->inputs[i]].tau_int);
    }
    if (q->prepare)
        user = q->prepare(info, 1);
    if (c->samples > 1 && c->records)
        return of_sample_formula(c, series, q, &user);
    if (c->records < 2)
        return unknown((double)NAN);
    blocks = (int64_t)((double)c->records / (BLOCK_TAUS * tau));
    blocks = blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks < LEAST_BLOCKS ? LEAST_BLOCKS : blocks;
    blocks = blocks > c->records ? c->records : blocks;
    cli_run(latmc_jackknife(&(latmc_derivation){.size = sizeof(latmc_derivation),
                                                .series = series,
                                                .series_count = 2,
                                                .count = c->records,
                                                .blocks = blocks,
                                                .function = q->formula,
                                                .user = &user},
                            &e));
    return e;
}

void copies_analyse(copies *c, const results *r)
{
    for (int64_t t = 0; t < c->ladder; t++)
        for (int i = 0; i < c->quantities; i++) {
            latmc_estimate *e = c->estimates + t * c->quantities;

            e[i] = c->list[i].formula ? of_formula(c, t, &c->list[i], e, &r->info)
                                      : of_observable(c, c->series + (i * c->ladder + t) * c->room);
            e[i].too_short |= 2 * r->few_trips >= r->samples * r->info.ladders;
        }
}

/* ---- what is said */

/* Columns: the slot, parameters that slots do not share, quantities. */
typedef struct shown {
    const copies *c;
    const results *r;
    int labels, columns;
    int index[LABELS_MAX + PAIR_QUANTITIES_MAX]; /* of a parameter or a quantity */
} shown;

static const char *heading(const void *user, int column)
{
    const shown *s = user;

    if (!column)
        return "slot";
    if (column < s->labels)
        return lattice_thing(LATMC_PARAMS, s->r->info.model, s->index[column]).name;
    return s->c->list[s->index[column]].name;
}

static void cell(const void *user, int64_t row, int column, char *text)
{
    const shown *s = user;

    if (!column)
        snprintf(text, PAGE_CELL, "%" PRId64, row);
    else if (column < s->labels)
        snprintf(text, PAGE_CELL, "%.8g", results_param(s->r, s->index[column], row));
    else
        results_number_of(s->r, &s->c->estimates[row * s->c->quantities + s->index[column]], text);
}

static int is_shared(const copies *c, const results *r, int param)
{
    for (int64_t t = 1; t < c->ladder; t++)
        if (results_param(r, param, t) != results_param(r, param, 0))
            return 0;
    return 1;
}

static shown columns_of(const copies *c, const results *r)
{
    shown s = {.c = c, .r = r, .columns = 1};

    for (int p = 0; p < r->params && s.columns < LABELS_MAX; p++)
        if (!is_shared(c, r, p))
            s.index[s.columns++] = p;
    s.labels = s.columns;
    for (int i = 0; i < c->quantities; i++)
        s.index[s.columns++] = i;
    return s;
}

void copies_table(const copies *c, const results *r, FILE *file)
{
    shown s = columns_of(c, r);
    page_table table = {.rows = c->ladder,
                        .columns = s.columns,
                        .labels = s.labels,
                        .user = &s,
                        .heading = heading,
                        .cell = cell};
    char line[160];

    snprintf(line, sizeof line,
             "\npairs of %" PRId64 " copies with the same couplings and parameters%s", c->copies,
             c->samples > 1 ? ", means over the samples with the errors of their spread" : "");
    page_text(file, 2, line);
    page_print_table(file, &table);
    if (c->samples > 1)
        results_few_samples(c->samples, file);
}

void copies_json(const copies *c, const results *r, json *j)
{
    json_integer(j, "copies", c->copies);
    json_open(j, "pairs", '[');
    for (int64_t t = 0; t < c->ladder; t++) {
        json_open(j, NULL, '{');
        json_open(j, "parameters", '{');
        for (int p = 0; p < r->params; p++)
            json_real(j, lattice_thing(LATMC_PARAMS, r->info.model, p).name,
                      results_param(r, p, t));
        json_close(j, '}');
        json_open(j, "observables", '{');
        for (int i = 0; i < c->quantities; i++)
            results_estimate_json(c->list[i].name, &c->estimates[t * c->quantities + i],
                                  r->not_ergodic, j);
        json_close(j, '}');
        json_close(j, '}');
    }
    json_close(j, ']');
}
