/* SPDX-License-Identifier: BSD-3-Clause */
/* Results for people, as a table, and for programs. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "results.h"

enum { COLUMNS_MAX = 128, LABELS_WIDTH = 36, LINE_BYTES = 1024 };

/* Beyond these powers of ten a number is written with its power of ten behind. */
enum { LEAST_POWER = -5, MOST_POWER = 6, DIGITS_MAX = 15 };

static void write_number(double value, double error, char *text, size_t bytes)
{
    int power, scale, decimals;
    double digits;

    if (!isfinite(error) || error <= 0) {
        snprintf(text, bytes, "%.6g", value);
        return;
    }
    power = (int)floor(log10(fmax(fabs(value), error)));
    scale = power < LEAST_POWER || power > MOST_POWER ? power : 0;
    value /= pow(10, scale);
    error /= pow(10, scale);
    decimals = 1 - (int)floor(log10(error));
    decimals -= error * pow(10, decimals) >= 99.5;
    decimals = decimals < 0 ? 0 : decimals > DIGITS_MAX ? DIGITS_MAX : decimals;
    digits = decimals >= 2 ? round(error * pow(10, decimals)) : error;
    snprintf(text, bytes, "%.*f(%.*f)", decimals, value, decimals >= 2 ? 0 : decimals, digits);
    if (scale)
        snprintf(text + strlen(text), bytes - strlen(text), "e%+03d", scale);
}

void results_number(const latmc_estimate *e, char *text)
{
    if (!isfinite(e->value)) {
        snprintf(text, PAGE_CELL, "-");
        return;
    }
    write_number(e->value, e->error, text, PAGE_CELL - 2);
    strcat(text, e->too_short ? "*" : "");
    strcat(text, e->not_ergodic ? "!" : "");
}

void results_few_samples(int64_t samples, FILE *file)
{
    if (samples < RESULTS_SAMPLES)
        page_text(file, 2,
                  "* Fewer than 20 samples say little of their own spread: the error is not to be "
                  "trusted.");
}

static int has_param(const results *r, const char *name)
{
    for (int p = 0; p < r->params; p++)
        if (strcmp(lattice_thing(LATMC_PARAMS, r->info.model, p).name, name) == 0)
            return 1;
    return 0;
}

void results_footnotes(const results *r, FILE *file)
{
    int too_short = 0;

    for (int64_t i = 0; i < r->info.replicas * r->quantities; i++)
        too_short |= r->estimates[i].too_short && isfinite(r->estimates[i].value) &&
                     r->list[i % r->quantities].in_table;
    if (too_short)
        page_text(file, 2,
                  "* The series is too short, or changes too seldom, for its error to be trusted: "
                  "give more --sweeps.");
    if (r->not_ergodic) {
        char line[LINE_BYTES];

        snprintf(line, sizeof line,
                 "! The updates of this run do not reach every state by themselves (--help says "
                 "which are so): the means are %s.",
                 lattice_place_of(r->info.model, LATMC_ROLE_ENERGY) < 0
                     ? "those of the states that they reach"
                 : has_param(r, "beta") ? "not those of exp(-beta E)"
                                        : "not those of exp(-H)");
        page_text(file, 2, line);
    }
}

/* What the table shows of its quantities and parameters. */
typedef struct view {
    const results *r;
    int columns, labels;
    struct {
        enum { REPLICA, PARAM, MEAN, TAU } kind;
        int index;
        const char *name;
    } column[COLUMNS_MAX];
} view;

static int is_shared(const results *r, int p)
{
    for (int64_t replica = 1; replica < r->info.replicas; replica++)
        if (results_param(r, p, replica) != results_param(r, p, 0))
            return 0;
    return 1;
}

/* Whether an observable was 0 in all measurements, as the cut-off's energy without that term. */
static int is_nothing(const results *r, int quantity)
{
    if (r->list[quantity].formula || !r->records)
        return 0;
    for (int64_t replica = 0; replica < r->info.replicas; replica++)
        for (int64_t t = 0; t < r->records; t++)
            if (results_series(r, quantity, replica)[t] != 0)
                return 0;
    return 1;
}

static int is_shown(const results *r, int quantity)
{
    return r->list[quantity].in_table && !is_nothing(r, quantity) &&
           !(r->list[quantity].formula && results_is_ramped(r, -1));
}

/* "beta = 0.44, field = 0" of the parameters that all replicas share; "left out" of quantities. */
static void print_shared(const results *r, FILE *file)
{
    char line[LINE_BYTES] = "";
    size_t used = 0;

    for (int p = 0; p < r->params; p++)
        if (is_shared(r, p) && !results_is_ramped(r, p))
            used += (size_t)snprintf(
                line + used, sizeof line - used, "%s%s = %.8g", used ? ", " : "",
                lattice_thing(LATMC_PARAMS, r->info.model, p).name, results_param(r, p, 0));
    if (used)
        page_text(file, 0, line);
    used = 0;
    for (int i = 0; i < r->quantities; i++)
        if (r->list[i].in_table && is_nothing(r, i))
            used += (size_t)snprintf(
                line + used, sizeof line - used, "%s%s",
                used ? ", " : "left out, being 0 in every measurement: ", r->list[i].name);
    if (used)
        page_text(file, 0, line);
}

static void add_column(view *v, int kind, int index, const char *name)
{
    v->column[v->columns].kind = kind;
    v->column[v->columns].index = index;
    v->column[v->columns++].name = name;
}

static const char *heading(const void *user, int column)
{
    return ((const view *)user)->column[column].name;
}

static void cell(const void *user, int64_t row, int column, char *text)
{
    const view *v = user;
    const int index = v->column[column].index;
    const latmc_estimate *e = &v->r->estimates[row * v->r->quantities + index];

    switch (v->column[column].kind) {
    case REPLICA:
        snprintf(text, PAGE_CELL, "%" PRId64, row);
        break;
    case PARAM:
        snprintf(text, PAGE_CELL, "%.8g", results_param(v->r, index, row));
        break;
    case MEAN:
        results_number(e, text);
        break;
    case TAU:
        snprintf(text, PAGE_CELL, isfinite(e->tau_int) ? "%.3g" : "-", e->tau_int);
        break;
    }
}

/* tau_int belongs to the mean before it. */
static int bound(const void *user, int column)
{
    return ((const view *)user)->column[column].kind == TAU;
}

/* Whether a parameter alone tells all replicas apart, as a range does. */
static int is_ordered(const results *r, int p)
{
    const double step = results_param(r, p, 1) - results_param(r, p, 0);

    for (int64_t replica = 1; replica < r->info.replicas; replica++)
        if (!((results_param(r, p, replica) - results_param(r, p, replica - 1)) * step > 0))
            return 0;
    return 1;
}

/* Rows are named by the parameters that tell them apart, or by number if these are too many. */
static void add_labels(view *v)
{
    const results *r = v->r;
    int width = 0, first = -1;

    for (int p = 0; p < r->params; p++)
        if (!is_shared(r, p)) {
            const int length = (int)strlen(lattice_thing(LATMC_PARAMS, r->info.model, p).name);

            first = first < 0 ? p : first;
            width += 2 + (length > 10 ? length : 10);
        }
    if (first < 0 || (width > LABELS_WIDTH && !is_ordered(r, first)))
        add_column(v, REPLICA, 0, r->exchanges ? "slot" : "replica");
    v->labels = v->columns;
    for (int p = 0; p < r->params; p++)
        if (!is_shared(r, p))
            add_column(v, PARAM, p, lattice_thing(LATMC_PARAMS, r->info.model, p).name);
    if (!v->labels)
        v->labels = is_ordered(r, first) ? 1 : v->columns;
}

/* Whether all replicas go the same way. */
static int is_common(const results *r, const course *c)
{
    for (int64_t replica = 1; replica < r->info.replicas; replica++)
        if (c->from[replica] != c->from[0] || c->to[replica] != c->to[0])
            return 0;
    return 1;
}

/* "beta goes from 0.1 to 3 in 1000 sweeps": what is said of ramps. */
static void print_ramps(const results *r, FILE *file)
{
    char line[LINE_BYTES] = "";
    size_t used = 0;

    for (int p = 0; p < r->params; p++) {
        const course *c = &r->courses[p];

        if (results_is_ramped(r, p))
            used += (size_t)snprintf(line + used, sizeof line - used,
                                     "%s%s goes from %.8g to %.8g%s in %" PRId64 " sweeps",
                                     used ? ", " : "",
                                     lattice_thing(LATMC_PARAMS, r->info.model, p).name, c->from[0],
                                     c->to[0], is_common(r, c) ? "" : " (in replica 0)", c->sweeps);
    }
    if (!used)
        return;
    snprintf(line + used, sizeof line - used,
             ": means are over all records along the ramp, belong to no single value, and have no "
             "error. --csv has the value of each record.");
    page_text(file, 2, line);
}

/* A row for each replica. */
static void print_rows(const results *r, FILE *file)
{
    view v = {.r = r};
    page_table t = {
        .rows = r->info.replicas, .user = &v, .heading = heading, .cell = cell, .bound = bound};

    add_labels(&v);
    for (int i = 0; i < r->quantities; i++)
        if (is_shown(r, i)) {
            add_column(&v, MEAN, i, r->list[i].name);
            if (!r->list[i].formula)
                add_column(&v, TAU, i, "tau_int");
        }
    t.columns = v.columns;
    t.labels = v.labels;
    page_print_table(file, &t);
}

/* A row for each quantity. */
static void print_single(const results *r, FILE *file)
{
    fprintf(file, "%-20s %24s %20s\n", "quantity", "mean(error)", "tau_int");
    for (int i = 0; i < r->quantities; i++) {
        const latmc_estimate *e = &r->estimates[i];
        char mean[PAGE_CELL], tau[PAGE_CELL] = "-";

        if (!is_shown(r, i))
            continue;
        results_number(e, mean);
        if (isfinite(e->tau_int))
            write_number(e->tau_int, e->tau_error, tau, sizeof tau);
        fprintf(file, "%-20s %24s %20s\n", r->list[i].name, mean, tau);
    }
}

void results_table(const results *r, FILE *file)
{
    print_shared(r, file);
    print_ramps(r, file);
    fprintf(file, "\n");
    if (!r->records)
        fprintf(file, "Nothing was measured.\n");
    else if (r->info.replicas == 1)
        print_single(r, file);
    else
        print_rows(r, file);
    if (r->records)
        results_footnotes(r, file);
}

/* ",0.44,0": the end of a line */
static void write_params(const results *r, int64_t replica, int64_t record, char *text,
                         size_t bytes)
{
    size_t used = 0;

    for (int p = 0; p < r->params; p++)
        used += (size_t)snprintf(text + used, bytes - used, ",%s",
                                 json_shortest(results_param_at(r, p, replica, record)).text);
}

void results_csv(const results *r, FILE *file)
{
    char params[LINE_BYTES];

    fprintf(file, "%s,record", r->exchanges ? "slot" : "replica");
    for (int i = 0; i < r->observables; i++)
        fprintf(file, ",%s", r->list[i].name);
    for (int p = 0; p < r->params; p++)
        fprintf(file, ",%s", lattice_thing(LATMC_PARAMS, r->info.model, p).name);
    fprintf(file, "\n");
    for (int64_t replica = 0; replica < r->info.replicas; replica++) {
        for (int64_t t = 0; t < r->records && !ferror(file); t++) {
            if (t == 0 || results_is_ramped(r, -1)) /* else every record has the same */
                write_params(r, replica, t, params, sizeof params);
            fprintf(file, "%" PRId64 ",%" PRId64, replica, t);
            for (int i = 0; i < r->observables; i++)
                fprintf(file, ",%s", json_shortest(results_series(r, i, replica)[t]).text);
            fprintf(file, "%s\n", params);
        }
    }
}

void results_estimate_json(const char *name, const latmc_estimate *e, json *j)
{
    json_open(j, name, '{');
    json_real(j, "mean", e->value);
    json_real(j, "error", e->error);
    json_real(j, "tau_int", e->tau_int);
    json_real(j, "tau_error", e->tau_error);
    json_boolean(j, "too_short", e->too_short);
    json_boolean(j, "not_ergodic", e->not_ergodic);
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
                      results_param(r, p, replica));
        json_close(j, '}');
        json_open(j, "observables", '{');
        for (int i = 0; i < r->quantities; i++)
            if (!r->list[i].is_path)
                results_estimate_json(r->list[i].name, &r->estimates[replica * r->quantities + i],
                                      j);
        json_close(j, '}');
        json_close(j, '}');
    }
    json_close(j, ']');
}
