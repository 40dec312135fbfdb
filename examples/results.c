/* SPDX-License-Identifier: BSD-3-Clause */
#include "results_wish.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static formula_user with_beta(const latmc_lattice_info *info, double beta)
{
    return (formula_user){
        .scale = {.size = sizeof(latmc_scale), .beta = beta, .sites = (double)info->sites}};
}

/* The smallest momentum along axis 0. */
static formula_user along_axis_0(const latmc_lattice_info *info, double beta)
{
    const double length = info->boundaries[0] == LATMC_ANTIPERIODIC ? 2 * (double)info->extents[0]
                                                                    : (double)info->extents[0];

    (void)beta;
    return (formula_user){
        .momentum = {.size = sizeof(latmc_momentum), .k = 2 * acos(-1.0) / length}};
}

/* Formulas of the library and what they need; a model that lacks it goes without. */
static const struct {
    const char *name;
    int what;
    latmc_derived formula;
    latmc_role inputs[2];
    quantity_prepare *prepare;
    int thermal;  /* means nothing without an inverse temperature */
    int of_field; /* nothing new without a field */
} formulas[] = {
    {"specific_heat",
     RESULT_SPECIFIC_HEAT,
     latmc_specific_heat,
     {LATMC_ROLE_ENERGY, LATMC_ROLE_ENERGY2},
     with_beta,
     1,
     0},
    {"susceptibility",
     RESULT_SUSCEPTIBILITY,
     latmc_susceptibility,
     {LATMC_ROLE_ABS_ORDER, LATMC_ROLE_ORDER2},
     with_beta,
     0,
     0},
    {"connected_susceptibility", /* the same with <m> in place of <|m|> */
     RESULT_CONNECTED,
     latmc_susceptibility,
     {LATMC_ROLE_ORDER, LATMC_ROLE_ORDER2},
     with_beta,
     0,
     1},
    {"binder", RESULT_BINDER, latmc_binder, {LATMC_ROLE_ORDER2, LATMC_ROLE_ORDER4}, NULL, 0, 0},
    {"xi",
     RESULT_LENGTH,
     latmc_correlation_length,
     {LATMC_ROLE_ORDER2, LATMC_ROLE_STRUCTURE},
     along_axis_0,
     0,
     0},
};

/* A model with more states has their shares in CSV and JSON alone. */
enum { MOST_STATES = 10 };

enum { FORMULAS = sizeof formulas / sizeof formulas[0] };

/* A jackknife block should hold this many autocorrelation times, and there should be this
 * many blocks if the series allows. */
enum { BLOCK_TAUS = 20, LEAST_BLOCKS = 10, MOST_BLOCKS = 100 };

static int place_of_beta(int model)
{
    for (int i = 0; i < lattice_things(LATMC_PARAMS, model); i++)
        if (lattice_thing(LATMC_PARAMS, model, i).id == LATMC_BETA)
            return i;
    return -1;
}

/* Structure factors of sites that are bits are made of all sites on the host. */
static int is_dear(const latmc_description *observable, int model)
{
    return observable->role == LATMC_ROLE_STRUCTURE &&
           lattice_thing(LATMC_TYPES, model, 0).bits == 1;
}

static int place_in(const results *r, latmc_role role)
{
    for (int i = 0; i < r->observables; i++)
        if (r->list[i].what == (int)role)
            return i;
    return -1;
}

/* A square or a fourth power: by name another observable's, which a table shows, with the power
 * behind; or that of an order parameter that is not measured itself. */
static int is_power(const latmc_description *observable, int model)
{
    const size_t length = strlen(observable->name) - 1;
    const char power = observable->name[length];

    if (observable->role == LATMC_ROLE_ORDER2 || observable->role == LATMC_ROLE_ORDER4)
        return 1;
    for (int i = 0; (power == '2' || power == '4') && i < lattice_things(LATMC_OBSERVABLES, model);
         i++) {
        const char *name = lattice_thing(LATMC_OBSERVABLES, model, i).name;

        if (strlen(name) == length && strncmp(name, observable->name, length) == 0)
            return 1;
    }
    return 0;
}

/* People get no inputs of formulas, no paths of replicas, and no states if these are many. */
static int is_for_people(const latmc_description *observable, const latmc_lattice *lattice)
{
    int64_t states = 0;

    if (observable->role == LATMC_ROLE_OCCUPATION)
        cli_run(latmc_get_option(lattice, LATMC_Q, &states));
    return observable->per_site ||
           !(observable->role == LATMC_ROLE_STRUCTURE || observable->role == LATMC_ROLE_HOLDER ||
             states > MOST_STATES || is_power(observable, lattice_info(lattice).model));
}

/* Whether a formula that is wished for is made of an observable with this role. */
static int is_input(const char *wish, int role)
{
    int any = 0;

    for (size_t f = 0; f < FORMULAS && role != LATMC_ROLE_NONE; f++)
        any |= results_wished(wish, formulas[f].name) &&
               ((int)formulas[f].inputs[0] == role || (int)formulas[f].inputs[1] == role);
    return any;
}

/* All quantities of an observable, such as those of all axes, that are wished for. */
static void list_observable(results *r, const latmc_lattice *lattice, const latmc_description *info,
                            const char *wish)
{
    const quantity q = {.what = info->role,
                        .per_site = info->per_site,
                        .in_table = is_for_people(info, lattice),
                        .is_path = info->role == LATMC_ROLE_HOLDER};
    const int64_t all = lattice_quantities(lattice, info->id);

    for (int64_t i = 0; i < all; i++) {
        quantity *next = &r->list[r->observables];

        *next = q;
        if (!lattice_quantity(lattice, info->id, i, &r->measured[r->observables], next->name))
            continue;
        if (wish)
            next->in_table = results_wished(wish, next->name);
        r->observables += !wish || next->in_table || is_input(wish, info->role);
    }
}

static void list_observables(results *r, const latmc_lattice *lattice, int structure,
                             const char *wish)
{
    const int model = r->info.model;

    for (int i = 0; i < lattice_things(LATMC_OBSERVABLES, model); i++) {
        const latmc_description info = lattice_thing(LATMC_OBSERVABLES, model, i);

        if (info.role != LATMC_ROLE_SLOT && (info.role != LATMC_ROLE_HOLDER || r->exchanges) &&
            (structure || wish || !is_dear(&info, model)))
            list_observable(r, lattice, &info, wish);
    }
}

static int64_t count_quantities(const latmc_lattice *lattice, int model)
{
    int64_t count = 0;

    for (int i = 0; i < lattice_things(LATMC_OBSERVABLES, model); i++)
        count += lattice_quantities(lattice, lattice_thing(LATMC_OBSERVABLES, model, i).id);
    return count;
}

static void list_formulas(results *r, const char *wish)
{
    r->quantities = r->observables;
    r->beta = place_of_beta(r->info.model);
    for (size_t f = 0; f < FORMULAS; f++) {
        quantity q = {
            .what = formulas[f].what,
            .in_table = 1,
            .formula = formulas[f].formula,
            .inputs = {place_in(r, formulas[f].inputs[0]), place_in(r, formulas[f].inputs[1])},
            .prepare = formulas[f].prepare};

        snprintf(q.name, sizeof q.name, "%s", formulas[f].name);
        if (q.inputs[0] >= 0 && q.inputs[1] >= 0 && (!formulas[f].thermal || r->beta >= 0) &&
            (!formulas[f].of_field || r->has_field) && results_wished(wish, q.name))
            r->list[r->quantities++] = q;
    }
}

/* The parameter `field`, or fields of sites. */
static int has_field(const latmc_lattice *lattice)
{
    const latmc_lattice_info info = lattice_info(lattice);
    double *values = cli_memory(info.replicas, sizeof *values);
    int any = lattice_has_site_fields(lattice);

    if (latmc_get_params(lattice, LATMC_FIELD, values) == LATMC_OK)
        for (int64_t r = 0; r < info.replicas; r++)
            any |= values[r] != 0;
    free(values);
    return any;
}

static int has_exchanges(const latmc_lattice *lattice)
{
    int any = 0;

    for (int i = 0; i < lattice_info(lattice).steps; i++)
        any |= lattice_step(lattice, i).exchanges > 0;
    return any;
}

results results_prepare(const latmc_lattice *lattice, int64_t records, int structure,
                        const char *wish)
{
    results r = {.info = lattice_info(lattice),
                 .room = records > 0 ? records : 1,
                 .samples = lattice_info(lattice).samples,
                 .has_field = has_field(lattice),
                 .exchanges = has_exchanges(lattice),
                 .mixed = lattice_mixed_couplings(lattice)};
    const int64_t known = count_quantities(lattice, r.info.model);
    double numbers;
    char what[160];

    r.list = cli_memory(known + FORMULAS, sizeof *r.list);
    r.measured = cli_memory(known, sizeof *r.measured);
    list_observables(&r, lattice, structure, wish);
    list_formulas(&r, wish);
    results_check_wish(wish, &r, lattice);
    r.params = lattice_things(LATMC_PARAMS, r.info.model);
    numbers = (double)r.observables * (double)r.info.replicas * (double)r.room;
    snprintf(what, sizeof what,
             "the time series of %" PRId64 " records of %d observables and %" PRId64 " replica%s",
             r.room, r.observables, r.info.replicas, r.info.replicas == 1 ? "" : "s");
    cli_need_memory(numbers, what);
    r.param_values = cli_memory(3 * r.params * r.info.replicas, sizeof *r.param_values);
    r.courses = cli_memory(r.params, sizeof *r.courses);
    for (int p = 0; p < r.params; p++) {
        double *after = r.param_values + (r.params + 2 * p) * r.info.replicas;

        r.courses[p] = (course){.from = after, .to = after + r.info.replicas};
    }
    r.series = cli_memory(r.observables * r.info.replicas * r.room, sizeof *r.series);
    r.estimates = cli_memory(r.quantities * r.info.replicas, sizeof *r.estimates);
    return r;
}

void results_free(results *r)
{
    free(r->list);
    free(r->measured);
    free(r->param_values);
    free(r->courses);
    free(r->series);
    free(r->estimates);
    free(r->joint);
    free(r->members);
    free(r->joined);
    free(r->differ);
    free(r->unchecked);
}

const double *results_series(const results *r, int observable, int64_t replica)
{
    return r->series + (observable * r->info.replicas + replica) * r->room;
}

double results_param(const results *r, int param, int64_t replica)
{
    return r->param_values[param * r->info.replicas + replica];
}

static latmc_param param_of(const results *r, int param)
{
    return (latmc_param)lattice_thing(LATMC_PARAMS, r->info.model, param).id;
}

void results_note_ramps(results *r, const latmc_lattice *lattice, int64_t first, int64_t length)
{
    r->first = first;
    r->length = length;
    for (int p = 0; p < r->params; p++) {
        course *c = &r->courses[p];

        cli_run(latmc_get_params(lattice, param_of(r, p), c->from));
        cli_run(latmc_get_ramp(lattice, param_of(r, p), c->to, &c->sweeps));
    }
}

int results_is_ramped(const results *r, int param)
{
    int any = 0;

    for (int p = 0; p < r->params; p++)
        any |= (param < 0 || p == param) && r->courses[p].sweeps > 0;
    return any;
}

double results_param_at(const results *r, int param, int64_t replica, int64_t record)
{
    const course *c = &r->courses[param];
    const int64_t done = r->first + record * r->length;
    const double from = c->from[replica], to = c->to[replica];

    if (!c->sweeps)
        return results_param(r, param, replica);
    return done < c->sweeps ? from + (to - from) * ((double)done / (double)c->sweeps) : to;
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

/* The mean along a ramp belongs to no parameter: it is told without an error. */
static latmc_estimate along_ramp(const results *r, const double *series)
{
    latmc_estimate e = unknown(0);

    for (int64_t t = 0; t < r->records; t++)
        e.value += series[t] / (double)r->records;
    e.too_short = 0;
    return e;
}

static void analyse_observable(const results *r, int64_t replica, int i, latmc_estimate *e)
{
    const double *series = results_series(r, i, replica);

    if (r->records >= 2 && results_is_ramped(r, -1))
        *e = along_ramp(r, series);
    else if (r->records >= 2)
        cli_run(latmc_analyse(series, r->records, e));
    else
        *e = unknown(r->records ? series[0] : (double)NAN);
}

/* A variance does not change if the mean is subtracted first. Then rounding takes none of its
 * digits, however small it is beside the mean. */
static double *centred(const double *from, int64_t count)
{
    double *pair = cli_memory(2 * count, sizeof *pair), mean = 0;

    for (int64_t i = 0; i < count; i++)
        mean += (from[i] - mean) / (double)(i + 1);
    for (int64_t i = 0; i < count; i++) {
        pair[i] = from[i] - mean;
        pair[count + i] = pair[i] * pair[i];
    }
    return pair;
}

/* `known` are the replica's estimates of its observables. */
static void analyse_formula(const results *r, int64_t replica, const quantity *q,
                            const latmc_estimate *known, latmc_estimate *e)
{
    const double *series[2];
    formula_user user = {0};
    double tau = 0.5, *pair = NULL;
    int64_t blocks;

    if (r->records < 2 || results_is_ramped(r, -1)) {
        *e = unknown((double)NAN);
        return;
    }
    for (int i = 0; i < 2; i++) {
        series[i] = results_series(r, q->inputs[i], replica);
        tau = fmax(tau, known[q->inputs[i]].tau_int);
    }
    if (q->prepare)
        user = q->prepare(&r->info, r->beta < 0 ? 1 : results_param(r, r->beta, replica));
    blocks = (int64_t)((double)r->records / (BLOCK_TAUS * tau));
    blocks = blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks < LEAST_BLOCKS ? LEAST_BLOCKS : blocks;
    if (blocks > r->records)
        blocks = r->records;
    if (q->formula == latmc_specific_heat || q->formula == latmc_susceptibility) {
        pair = centred(series[0], r->records);
        series[0] = pair;
        series[1] = pair + r->records;
    }
    cli_run(latmc_jackknife(&(latmc_derivation){.size = sizeof(latmc_derivation),
                                                .series = series,
                                                .series_count = 2,
                                                .count = r->records,
                                                .blocks = blocks,
                                                .function = q->formula,
                                                .user = &user},
                            e));
    free(pair);
}

void results_analyse(results *r, const latmc_lattice *lattice)
{
    for (int p = 0; p < r->params; p++)
        cli_run(latmc_get_params(lattice, param_of(r, p), r->param_values + p * r->info.replicas));
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

static int find(const results *r, int what)
{
    for (int i = 0; i < r->quantities; i++)
        if (r->list[i].what == what)
            return i;
    cli_fail("the model has no quantity of the kind %d", what);
}

const latmc_estimate *results_find(const results *r, int64_t replica, int what)
{
    return &r->estimates[replica * r->quantities + find(r, what)];
}

const char *results_name(const results *r, int what)
{
    return r->list[find(r, what)].name;
}
