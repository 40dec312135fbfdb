/* SPDX-License-Identifier: BSD-3-Clause */
/* Results for people: a table. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "results.h"

enum { COLUMNS_MAX = 128, LABELS_WIDTH = 36, LINE_BYTES = 1024 };

static int has_param(const results *r, const char *name)
{
    for (int p = 0; p < r->params; p++)
        if (strcmp(lattice_thing(LATMC_PARAMS, r->info.model, p).name, name) == 0)
            return 1;
    return 0;
}

/* What the table shows of its quantities and parameters. */
typedef struct view {
    const results *r;
    int joined; /* rows are joints, otherwise replicas */
    int64_t rows;
    const latmc_estimate *estimates; /* [row][quantity] */
    int columns, labels;
    struct {
        enum { REPLICA, SAMPLE, COPY, PARAM, JOINED, MEAN, TAU } kind;
        int index;
        const char *name;
    } column[COLUMNS_MAX];
} view;

static view view_of(const results *r, int each)
{
    const int joined = !each && r->joints && r->joints < r->info.replicas;

    return (view){.r = r,
                  .joined = joined,
                  .rows = joined ? r->joints : r->info.replicas,
                  .estimates = joined ? r->joined : r->estimates};
}

/* The one replica of a row, or the first one. */
static int64_t replica_of(const view *v, int64_t row)
{
    return v->joined ? v->r->joint[row].members[0] : row;
}

static const latmc_estimate *estimate_of(const view *v, int64_t row, int quantity)
{
    return &v->estimates[row * v->r->quantities + quantity];
}

static int is_doubtful(const view *v, int64_t row, int quantity)
{
    return v->joined && v->r->differ[row * v->r->quantities + quantity];
}

/* Copies are joined where they are compared, so all of a row are checked, or none. */
static int is_unchecked(const view *v, int64_t row, int quantity)
{
    return v->r->unchecked && v->r->unchecked[replica_of(v, row)] &&
           isfinite(estimate_of(v, row, quantity)->value);
}

/* A length that the lattice has no room for, as in an ordered phase. */
static int is_beyond(const view *v, int64_t row, int quantity)
{
    return v->r->list[quantity].what == RESULT_LENGTH && v->r->list[quantity].formula &&
           estimate_of(v, row, quantity)->value > (double)v->r->info.extents[0];
}

static void write_mean(const view *v, int64_t row, int quantity, char *text)
{
    results_number_of(v->r, estimate_of(v, row, quantity), text);
    strcat(text, is_unchecked(v, row, quantity) ? "?" : "");
    strcat(text, is_doubtful(v, row, quantity) ? "#" : "");
    strcat(text, is_beyond(v, row, quantity) ? "~" : "");
}

/* ---- what marks mean */

typedef int has_mark(const view *v, int64_t row, int quantity);

static int is_too_short(const view *v, int64_t row, int quantity)
{
    const latmc_estimate *e = estimate_of(v, row, quantity);

    return e->too_short && isfinite(e->value);
}

static int any(const view *v, has_mark *has)
{
    for (int64_t row = 0; row < v->rows; row++)
        for (int i = 0; i < v->r->quantities; i++)
            if (v->r->list[i].in_table && has(v, row, i))
                return 1;
    return 0;
}

static void print_not_ergodic(const results *r, FILE *file)
{
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

void results_few_samples(int64_t samples, FILE *file)
{
    if (samples < RESULTS_SAMPLES)
        page_text(file, 2,
                  "* Fewer than 20 samples say little of their own spread: the error is not to be "
                  "trusted.");
}

static void print_marks(const view *v, FILE *file)
{
    const int by_samples = v->joined && v->r->samples > 1;

    if (by_samples)
        results_few_samples(v->r->samples, file);
    if (any(v, is_too_short) && !(by_samples && v->r->samples < RESULTS_SAMPLES))
        page_text(file, 2,
                  by_samples ? "* Of half of the samples or more the series are too short, or "
                               "change too seldom: give more --sweeps."
                             : "* The series is too short, or changes too seldom, for its error to "
                               "be trusted: give more --sweeps.");
    if (v->r->not_ergodic)
        print_not_ergodic(v->r, file);
}

void results_footnotes(const results *r, FILE *file)
{
    const view v = view_of(r, 1);

    print_marks(&v, file);
}

static int shows(const view *v, int what)
{
    for (int i = 0; i < v->r->quantities; i++)
        if (v->r->list[i].what == what && v->r->list[i].formula)
            return !results_is_ramped(v->r, -1);
    return 0;
}

static void print_notes(const view *v, FILE *file)
{
    print_marks(v, file);
    if (any(v, is_doubtful))
        page_text(file, 2,
                  "# Replicas with the same parameters disagree beyond chance. Each stays in a "
                  "phase or valley of its own, or has not come to equilibrium. The mean is "
                  "not that of the model, and the error is at least that of their spread.");
    if (any(v, is_unchecked))
        page_text(file, 2,
                  "? Few copies of a glass without exchanges: nothing shows whether it is in "
                  "equilibrium. Give --temper, or three replicas or more at equal parameters.");
    if (any(v, is_beyond))
        page_text(file, 2,
                  "~ xi is larger than the lattice. In an ordered phase it is no correlation "
                  "length.");
    if (v->r->has_field && shows(v, RESULT_SUSCEPTIBILITY))
        page_text(file, 2,
                  shows(v, RESULT_CONNECTED)
                      ? "susceptibility has <|m|>^2, as without a field. A field makes <m> != 0 "
                        "here, and connected_susceptibility has <m>^2."
                      : "susceptibility has <|m|>^2, as without a field. A field makes <m> != 0 "
                        "here, so that it is not the connected one.");
}

static int is_shared(const results *r, int p)
{
    for (int64_t replica = 1; replica < r->info.replicas; replica++)
        if (results_param(r, p, replica) != results_param(r, p, 0))
            return 0;
    return 1;
}

/* Whether rows are told apart by it. What was tuned is no matter to those that are joined. */
static int is_label(const view *v, int p)
{
    return !is_shared(v->r, p) && !(v->joined && results_is_tuned(v->r, p));
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
        if (r->list[i].per_site && is_nothing(r, i))
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
    const int64_t replica = replica_of(v, row);

    switch (v->column[column].kind) {
    case REPLICA:
        snprintf(text, PAGE_CELL, "%" PRId64, replica);
        break;
    case SAMPLE:
        snprintf(text, PAGE_CELL, "%" PRId64, results_sample(v->r, replica));
        break;
    case COPY:
        snprintf(text, PAGE_CELL, "%" PRId64, results_copy(v->r, replica));
        break;
    case PARAM:
        snprintf(text, PAGE_CELL, "%.8g", results_param(v->r, index, replica));
        break;
    case JOINED:
        snprintf(text, PAGE_CELL, "%" PRId64, v->r->joint[row].replicas);
        break;
    case MEAN:
        write_mean(v, row, index, text);
        break;
    case TAU: {
        const double tau = estimate_of(v, row, index)->tau_int;

        snprintf(text, PAGE_CELL, isfinite(tau) ? "%.3g" : "-", tau);
        break;
    }
    }
}

/* tau_int belongs to the mean before it. */
static int bound(const void *user, int column)
{
    return ((const view *)user)->column[column].kind == TAU;
}

/* Whether a parameter alone tells all rows apart, as a range does. */
static int is_ordered(const view *v, int p)
{
    const double first = results_param(v->r, p, replica_of(v, 0));
    double before = first, step = results_param(v->r, p, replica_of(v, 1)) - first;

    for (int64_t row = 1; row < v->rows; row++) {
        const double value = results_param(v->r, p, replica_of(v, row));

        if (!((value - before) * step > 0))
            return 0;
        before = value;
    }
    return 1;
}

/* Joints of unequal numbers of replicas. */
static int are_uneven(const view *v)
{
    for (int64_t row = 1; v->joined && row < v->rows; row++)
        if (v->r->joint[row].replicas != v->r->joint[0].replicas)
            return 1;
    return 0;
}

/* Rows are named by the parameters that tell them apart, or by number if these do not, or are too
 * many; replicas of several samples or copies by these, too. */
static void add_labels(view *v)
{
    const results *r = v->r;
    const int equal = !v->joined && r->joints < r->info.replicas;
    int width = 0, first = -1;

    for (int p = 0; p < r->params; p++)
        if (is_label(v, p)) {
            const int length = (int)strlen(lattice_thing(LATMC_PARAMS, r->info.model, p).name);

            first = first < 0 ? p : first;
            width += 2 + (length > 10 ? length : 10);
        }
    if (first < 0 || equal || (width > LABELS_WIDTH && !is_ordered(v, first)))
        add_column(v, REPLICA, 0, r->exchanges ? "slot" : "replica");
    if (!v->joined && r->samples > 1)
        add_column(v, SAMPLE, 0, "sample");
    if (!v->joined && r->info.ladders > 1)
        add_column(v, COPY, 0, "copy");
    v->labels = v->columns;
    for (int p = 0; p < r->params; p++)
        if (is_label(v, p))
            add_column(v, PARAM, p, lattice_thing(LATMC_PARAMS, r->info.model, p).name);
    if (!v->labels)
        v->labels = is_ordered(v, first) ? 1 : v->columns;
    if (are_uneven(v))
        add_column(v, JOINED, 0, "replicas");
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

/* Of series alone: the spread of samples has none, and a ramp has none. */
static int has_tau(const view *v, int quantity)
{
    return !v->r->list[quantity].formula && !(v->joined && v->r->samples > 1) &&
           !results_is_ramped(v->r, -1);
}

static void print_rows(view *v, FILE *file)
{
    page_table t = {.rows = v->rows, .user = v, .heading = heading, .cell = cell, .bound = bound};

    add_labels(v);
    for (int i = 0; i < v->r->quantities; i++)
        if (is_shown(v->r, i)) {
            add_column(v, MEAN, i, v->r->list[i].name);
            if (has_tau(v, i))
                add_column(v, TAU, i, "tau_int");
        }
    t.columns = v->columns;
    t.labels = v->labels;
    page_print_table(file, &t);
}

/* Of the longest name. */
static int name_width(const results *r)
{
    size_t width = 20;

    for (int i = 0; i < r->quantities; i++)
        if (is_shown(r, i) && strlen(r->list[i].name) > width)
            width = strlen(r->list[i].name);
    return (int)width;
}

/* A row for each quantity. */
static void print_single(const view *v, FILE *file)
{
    const int width = name_width(v->r);

    fprintf(file, "%-*s %24s %20s\n", width, "quantity", "mean(error)", "tau_int");
    for (int i = 0; i < v->r->quantities; i++) {
        const latmc_estimate *e = estimate_of(v, 0, i);
        const latmc_estimate time = {.value = e->tau_int, .error = e->tau_error};
        char mean[PAGE_CELL], tau[PAGE_CELL];

        if (!is_shown(v->r, i))
            continue;
        write_mean(v, 0, i, mean);
        results_number(&time, tau);
        fprintf(file, "%-*s %24s %20s\n", width, v->r->list[i].name, mean, tau);
    }
}

/* How rows came of several replicas. */
static void print_joined(const view *v, FILE *file)
{
    const joint *j = v->r->joint;
    char line[LINE_BYTES];

    if (!v->joined)
        return;
    if (are_uneven(v))
        snprintf(line, sizeof line, "means over replicas with the same parameters");
    else if (j->samples == 1)
        snprintf(line, sizeof line, "means over %" PRId64 " replicas with the same parameters",
                 j->replicas);
    else
        snprintf(line, sizeof line,
                 "means over %" PRId64 " samples of %" PRId64
                 " replica%s each, with the errors of their spread",
                 j->samples, j->replicas / j->samples, j->replicas == j->samples ? "" : "s");
    strcat(line, " (--each: a row for each replica)");
    page_text(file, 2, line);
}

void results_table(const results *r, int each, FILE *file)
{
    view v = view_of(r, each);

    print_shared(r, file);
    print_ramps(r, file);
    if (r->records)
        print_joined(&v, file);
    fprintf(file, "\n");
    if (!r->records)
        fprintf(file, "Nothing was measured.\n");
    else if (v.rows == 1)
        print_single(&v, file);
    else
        print_rows(&v, file);
    if (r->records)
        print_notes(&v, file);
}
