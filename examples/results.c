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
    results r = {.info = lattice_info(lattice), .room = records > 0 ? records : 1};
    double numbers;
    char what[160];

    list_quantities(&r);
    r.params = lattice_things(LATMC_PARAMS, r.info.model);
    numbers = (double)r.observables * (double)r.info.replicas * (double)r.room;
    snprintf(what, sizeof what,
             "the time series of %" PRId64 " records of %d observables and %" PRId64 " replica%s",
             r.room, r.observables, r.info.replicas, r.info.replicas == 1 ? "" : "s");
    cli_need_memory(numbers, what);
    r.param_values = cli_memory(r.params * r.info.replicas, sizeof *r.param_values);
    r.series = cli_memory(r.observables * r.info.replicas * r.room, sizeof *r.series);
    r.estimates = cli_memory(r.quantities * r.info.replicas, sizeof *r.estimates);
    return r;
}

void results_free(results *r)
{
    free(r->param_values);
    free(r->series);
    free(r->estimates);
}

const double *results_series(const results *r, int observable, int64_t replica)
{
    return r->series + (observable * r->info.replicas + replica) * r->room;
}

double results_param(const results *r, int param, int64_t replica)
{
    return r->param_values[param * r->info.replicas + replica];
}

/* Of nothing, or of a single measurement, there is no error. */
static latmc_estimate unknown(double value)
{
    return (latmc_estimate){.size = sizeof(latmc_estimate),
                            .value = value,
                            .error = NAN,
                            .tau_int = NAN,
                            .tau_error = NAN,
                            .too_short = 1};
}

static void analyse_observable(const results *r, int64_t replica, int i, latmc_estimate *e)
{
    const double *series = results_series(r, i, replica);

    if (r->records >= 2)
        cli_run(latmc_analyse(series, r->records, e));
    else
        *e = unknown(r->records ? series[0] : (double)NAN);
}

/* `known` are the replica's estimates of its observables. */
static void analyse_formula(const results *r, int64_t replica, const quantity *q,
                            const latmc_estimate *known, latmc_estimate *e)
{
    const double *series[2];
    formula_user user = {0};
    double tau = 0.5;
    int64_t blocks;

    if (r->records < 2) {
        *e = unknown((double)NAN);
        return;
    }
    for (int i = 0; i < 2; i++) {
        series[i] = results_series(r, q->inputs[i], replica);
        tau = fmax(tau, known[q->inputs[i]].tau_int);
    }
    if (q->prepare)
        user = q->prepare(&r->info, q->param < 0 ? 0 : results_param(r, q->param, replica));
    blocks = (int64_t)((double)r->records / (BLOCK_TAUS * tau));
    blocks = blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks < LEAST_BLOCKS ? LEAST_BLOCKS : blocks;
    if (blocks > r->records)
        blocks = r->records;
    cli_run(latmc_jackknife(series, 2, r->records, blocks, q->formula, &user, e));
}

void results_analyse(results *r, const latmc_lattice *lattice)
{
    for (int p = 0; p < r->params; p++)
        cli_run(latmc_get_params(lattice,
                                 (latmc_param)lattice_thing(LATMC_PARAMS, r->info.model, p).id,
                                 r->param_values + p * r->info.replicas));
    for (int64_t replica = 0; replica < r->info.replicas; replica++) {
        latmc_estimate *e = r->estimates + replica * r->quantities;

        for (int i = 0; i < r->quantities; i++) {
            e[i].size = sizeof e[i];
            if (r->list[i].formula)
                analyse_formula(r, replica, &r->list[i], e, &e[i]);
            else
                analyse_observable(r, replica, i, &e[i]);
            e[i].not_ergodic = r->not_ergodic;
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
