/* SPDX-License-Identifier: BSD-3-Clause */
#include "results.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static formula_user with_beta(const latmc_lattice_info *info, double beta)
{
    return (formula_user){
        .scale = {.size = sizeof(latmc_scale), .beta = beta, .sites = (double)info->sites}};
}

/* The weight of a field is exp(-H), without a temperature. */
static formula_user without_beta(const latmc_lattice_info *info, double param)
{
    (void)param;
    return with_beta(info, 1);
}

/* The smallest momentum along axis 0. */
static formula_user along_axis_0(const latmc_lattice_info *info, double param)
{
    const double length = info->boundaries[0] == LATMC_ANTIPERIODIC ? 2 * (double)info->extents[0]
                                                                    : (double)info->extents[0];

    (void)param;
    return (formula_user){
        .momentum = {.size = sizeof(latmc_momentum), .k = 2 * acos(-1.0) / length}};
}

/* Formulas of the library and what they need; a model that lacks it goes without. */
static const struct {
    const char *name;
    latmc_derived formula;
    const char *inputs[2];
    quantity_prepare *prepare;
    const char *param;
} formulas[] = {
    {"specific_heat", latmc_specific_heat, {"energy", "energy2"}, with_beta, "beta"},
    {"susceptibility", latmc_susceptibility, {"abs_magnetization", "m2"}, with_beta, "beta"},
    {"susceptibility", latmc_susceptibility, {"abs_phi", "m2"}, without_beta, NULL},
    {"binder", latmc_binder, {"m2", "m4"}, NULL, NULL},
    {"xi", latmc_correlation_length, {"m2", "structure_0"}, along_axis_0, NULL},
};

/* A jackknife block should hold this many autocorrelation times, and there should be this
 * many blocks if the series allows. */
enum { BLOCK_TAUS = 20, LEAST_BLOCKS = 10, MOST_BLOCKS = 100 };

/* Number of the thing of that name among those of a kind, or -1. */
static int place_of(latmc_kind kind, int model, const char *name)
{
    for (int i = 0; i < lattice_things(kind, model); i++)
        if (strcmp(lattice_thing(kind, model, i).name, name) == 0)
            return i;
    return -1;
}

static void list_quantities(results *r)
{
    const int model = r->info.model;

    for (int i = 0; i < lattice_things(LATMC_OBSERVABLES, model); i++) {
        const latmc_info info = lattice_thing(LATMC_OBSERVABLES, model, i);

        r->ids[i] = (latmc_observable)info.id;
        r->list[r->observables++] = (quantity){.name = info.name, .in_table = info.per_site};
    }
    r->quantities = r->observables;
    for (size_t f = 0; f < sizeof formulas / sizeof formulas[0]; f++) {
        const char *param = formulas[f].param;
        const quantity q = {.name = formulas[f].name,
                            .in_table = 1,
                            .formula = formulas[f].formula,
                            .inputs = {place_of(LATMC_OBSERVABLES, model, formulas[f].inputs[0]),
                                       place_of(LATMC_OBSERVABLES, model, formulas[f].inputs[1])},
                            .prepare = formulas[f].prepare,
                            .param = param ? place_of(LATMC_PARAMS, model, param) : -1};

        if (q.inputs[0] >= 0 && q.inputs[1] >= 0 && (!param || q.param >= 0))
            r->list[r->quantities++] = q;
    }
}

results results_prepare(const latmc_lattice *lattice, int64_t records)
{
    results r = {.info = lattice_info(lattice), .records = records > 0 ? records : 1};

    list_quantities(&r);
    r.params = lattice_things(LATMC_PARAMS, r.info.model);
    r.param_values = cli_memory(r.params * r.info.replicas, sizeof *r.param_values);
    for (int p = 0; p < r.params; p++)
        cli_run(latmc_get_params(lattice,
                                 (latmc_param)lattice_thing(LATMC_PARAMS, r.info.model, p).id,
                                 r.param_values + p * r.info.replicas));
    if (r.records > INT64_MAX / QUANTITIES_MAX / r.info.replicas)
        cli_fail("there is no memory for %" PRId64 " measurements", r.records);
    r.series = cli_memory(r.observables * r.info.replicas * r.records, sizeof *r.series);
    r.estimates = cli_memory(r.quantities * r.info.replicas, sizeof *r.estimates);
    return r;
}

void results_free(results *r)
{
    free(r->param_values);
    free(r->series);
    free(r->estimates);
}

static const double *series_of(const results *r, int observable, int64_t replica)
{
    return r->series + (observable * r->info.replicas + replica) * r->records;
}

static void analyse_observable(const results *r, int64_t replica, int i, latmc_estimate *e)
{
    const double *series = series_of(r, i, replica);

    if (r->records >= 2)
        cli_run(latmc_analyse(series, r->records, e));
    else
        *e = (latmc_estimate){
            .size = sizeof *e, .value = series[0], .error = NAN, .tau_int = NAN, .too_short = 1};
}

/* `known` are the replica's estimates of its observables. */
static void analyse_formula(const results *r, int64_t replica, const quantity *q,
                            const latmc_estimate *known, latmc_estimate *e)
{
    const double *series[2];
    formula_user user = {0};
    double tau = 0.5;
    int64_t blocks;

    for (int i = 0; i < 2; i++) {
        series[i] = series_of(r, q->inputs[i], replica);
        tau = fmax(tau, known[q->inputs[i]].tau_int);
    }
    if (q->prepare)
        user = q->prepare(
            &r->info, q->param < 0 ? 0 : r->param_values[q->param * r->info.replicas + replica]);
    if (r->records < 2) {
        *e = (latmc_estimate){
            .size = sizeof *e, .value = NAN, .error = NAN, .tau_int = NAN, .too_short = 1};
        return;
    }
    blocks = (int64_t)((double)r->records / (BLOCK_TAUS * tau));
    blocks = blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks < LEAST_BLOCKS ? LEAST_BLOCKS : blocks;
    if (blocks > r->records)
        blocks = r->records;
    cli_run(latmc_jackknife(series, 2, r->records, blocks, q->formula, &user, e));
}

void results_analyse(results *r)
{
    for (int64_t replica = 0; replica < r->info.replicas; replica++) {
        latmc_estimate *e = r->estimates + replica * r->quantities;

        for (int i = 0; i < r->quantities; i++) {
            e[i].size = sizeof e[i];
            if (r->list[i].formula)
                analyse_formula(r, replica, &r->list[i], e, &e[i]);
            else
                analyse_observable(r, replica, i, &e[i]);
        }
    }
}

const latmc_estimate *results_find(const results *r, int64_t replica, const char *name)
{
    for (int i = 0; i < r->quantities; i++)
        if (strcmp(r->list[i].name, name) == 0)
            return &r->estimates[replica * r->quantities + i];
    cli_fail("the library has no observable \"%s\" of this model", name);
}

void results_number(const latmc_estimate *e, char *text, size_t bytes)
{
    const char *mark = e->too_short ? "*" : "";
    int decimals;

    if (!isfinite(e->value))
        snprintf(text, bytes, "-");
    else if (!isfinite(e->error) || e->error <= 0)
        snprintf(text, bytes, "%.6g%s", e->value, mark);
    else {
        decimals = 1 - (int)floor(log10(e->error));
        if (decimals >= 2)
            snprintf(text, bytes, "%.*f(%.0f)%s", decimals, e->value, e->error * pow(10, decimals),
                     mark);
        else
            snprintf(text, bytes, "%.*f(%.*f)%s", decimals < 0 ? 0 : decimals, e->value,
                     decimals < 0 ? 0 : decimals, e->error, mark);
    }
}

/* As wide as the name of parameter number `p`, but at least 10. */
static int param_width(const results *r, int p)
{
    const int length = (int)strlen(lattice_thing(LATMC_PARAMS, r->info.model, p).name);

    return length < 10 ? 10 : length;
}

void results_table(const results *r, FILE *file)
{
    int doubtful = 0;

    for (int p = 0; p < r->params; p++)
        fprintf(file, "%-*s ", param_width(r, p),
                lattice_thing(LATMC_PARAMS, r->info.model, p).name);
    for (int i = 0; i < r->quantities; i++)
        if (r->list[i].in_table)
            fprintf(file, " %18s", r->list[i].name);
    fprintf(file, "\n");
    for (int64_t replica = 0; replica < r->info.replicas; replica++) {
        for (int p = 0; p < r->params; p++)
            fprintf(file, "%-*.8g ", param_width(r, p),
                    r->param_values[p * r->info.replicas + replica]);
        for (int i = 0; i < r->quantities; i++) {
            const latmc_estimate *e = &r->estimates[replica * r->quantities + i];
            char text[64];

            if (!r->list[i].in_table)
                continue;
            results_number(e, text, sizeof text);
            fprintf(file, " %18s", text);
            doubtful |= e->too_short;
        }
        fprintf(file, "\n");
    }
    if (doubtful)
        fprintf(file, "* The series is too short to trust the error: give more --sweeps.\n");
}

void results_csv(const results *r, FILE *file)
{
    fprintf(file, "replica,record");
    for (int i = 0; i < r->observables; i++)
        fprintf(file, ",%s", r->list[i].name);
    fprintf(file, "\n");
    for (int64_t replica = 0; replica < r->info.replicas; replica++)
        for (int64_t t = 0; t < r->records; t++) {
            fprintf(file, "%" PRId64 ",%" PRId64, replica, t);
            for (int i = 0; i < r->observables; i++)
                fprintf(file, ",%s", json_shortest(series_of(r, i, replica)[t]).text);
            fprintf(file, "\n");
        }
}

static void estimate_json(const char *name, const latmc_estimate *e, json *j)
{
    json_open(j, name, '{');
    json_real(j, "mean", e->value);
    json_real(j, "error", e->error);
    json_real(j, "tau_int", e->tau_int);
    json_boolean(j, "too_short", e->too_short);
    json_close(j, '}');
}

void results_json(const results *r, json *j)
{
    json_open(j, "replicas", '[');
    for (int64_t replica = 0; replica < r->info.replicas; replica++) {
        json_open(j, NULL, '{');
        json_open(j, "parameters", '{');
        for (int p = 0; p < r->params; p++)
            json_real(j, lattice_thing(LATMC_PARAMS, r->info.model, p).name,
                      r->param_values[p * r->info.replicas + replica]);
        json_close(j, '}');
        json_open(j, "observables", '{');
        for (int i = 0; i < r->quantities; i++)
            estimate_json(r->list[i].name, &r->estimates[replica * r->quantities + i], j);
        json_close(j, '}');
        json_close(j, '}');
    }
    json_close(j, ']');
}
