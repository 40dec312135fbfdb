/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases are written. */
#include "tests/random/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/random/names.h"

const text_verb text_verbs[CASE_VERBS] = {
    [CASE_SWEEP] = {"sweep", "u#"},      [CASE_RECORD] = {"record", "uxo"},
    [CASE_OBSERVE] = {"observe", "o"},   [CASE_TUNE] = {"tune", "u#v"},
    [CASE_SET] = {"set", "pv"},          [CASE_AXES] = {"axes", "v"},
    [CASE_START] = {"start", "m"},       [CASE_SITES] = {"sites", "#s"},
    [CASE_GET] = {"get", "#"},           [CASE_HASH] = {"hash", ""},
    [CASE_AWAY] = {"away", ""},          [CASE_HOME] = {"home", ""},
    [CASE_NOWHERE] = {"nowhere", ""},    [CASE_SAVE] = {"save", ""},
    [CASE_THREADS] = {"threads", "#"},   [CASE_PROGRESS] = {"progress", "#"},
    [CASE_REPLICAS] = {"replicas", "#"}, [CASE_SLOTS] = {"slots", "s"},
    [CASE_ROUNDS] = {"rounds", "u#s"},   [CASE_PAIRS] = {"pairs", "sq"},
    [CASE_FOLLOW] = {"follow", "u#sq"},  [CASE_WEIGH] = {"weigh", "us"},
};

const char *const text_sources[CASE_SOURCES] = {
    [CASE_UNIFORM] = "uniform", [CASE_DRAWN] = "drawn", [CASE_GAUSSIAN] = "gaussian",
    [CASE_GIVEN] = "given",     [CASE_REALS] = "reals",
};

typedef struct writer {
    char *text;
    size_t bytes, used;
    int fits;
} writer;

static void put(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(writer *w, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(w->text + w->used, w->bytes - w->used, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= w->bytes - w->used)
        w->fits = 0;
    else
        w->used += (size_t)length;
}

/* As few digits as give the same number again. */
static void put_real(writer *w, double x)
{
    char text[40];
    int digits = 6;

    do
        snprintf(text, sizeof text, "%.*g", digits, x);
    while (strtod(text, NULL) != x && ++digits <= 17);
    put(w, "%s", text);
}

static void put_values(writer *w, const case_values *v)
{
    for (int i = 0; i < v->count; i++) {
        put(w, "%s", i == 0 ? "" : v->ramp ? "~" : ",");
        put_real(w, v->value[i]);
    }
}

static void put_name(writer *w, latmc_kind kind, int id)
{
    const char *name = name_of(kind, id);

    if (name)
        put(w, "%s", name);
    else
        put(w, "%d", id);
}

static void put_things(writer *w, latmc_kind kind, const case_step *s)
{
    for (int i = 0; i < s->thing_count; i++) {
        char text[64] = "";

        w->fits &= text_of_thing(kind, s->things[i], text, sizeof text);
        put(w, "%s%s", i ? "," : "", text);
    }
}

static void put_step(writer *w, const case_step *s)
{
    put(w, "%s", text_verbs[s->verb].name);
    for (const char *a = text_verbs[s->verb].arguments; *a; a++) {
        put(w, ":");
        switch (*a) {
        case 'u':
            put_name(w, LATMC_UPDATES, s->id);
            break;
        case 'p':
            put_name(w, LATMC_PARAMS, s->id);
            break;
        case 'm':
            put_name(w, LATMC_START_MODES, s->id);
            break;
        case '#':
            put(w, "%" PRId64, s->number);
            break;
        case 'x':
            put(w, "%" PRId64 "x%" PRId64, s->number, s->records);
            break;
        case 's':
            put(w, "%" PRIu64, s->seed);
            break;
        case 'v':
            put_values(w, &s->values);
            break;
        default:
            put_things(w, *a == 'q' ? LATMC_PAIR_OBSERVABLES : LATMC_OBSERVABLES, s);
        }
    }
}

int case_print_step(const case_step *s, char *text, size_t bytes)
{
    writer w = {text, bytes, 0, 1};

    put_step(&w, s);
    return w.fits;
}

/* Presets of the shares may be left out. */
static void put_numbers(writer *w, const char *key, const case_numbers *n)
{
    const int real = n->from == CASE_GAUSSIAN || n->from == CASE_REALS;

    if (n->from == CASE_UNIFORM)
        return;
    put(w, " %s=%s:%" PRIu64, key, text_sources[n->from], n->seed);
    if (n->from == CASE_DRAWN && (n->missing || n->plus != 50))
        put(w, ":%d:%d", n->missing, n->plus);
    if (n->from == CASE_GIVEN)
        put(w, ":%d:%d", n->missing, n->negative);
    if (real) {
        put(w, ":%d:", n->missing);
        put_real(w, n->mean);
        put(w, ":");
        put_real(w, n->width);
    }
}

static void put_lattice(writer *w, const random_case *c)
{
    put(w, "model=");
    put_name(w, LATMC_MODELS, c->model);
    for (int a = 0; a < c->dims; a++)
        put(w, "%s%" PRId64, a ? "x" : " extents=", c->extents[a]);
    put(w, " boundaries=");
    for (int a = 0; a < c->dims; a++) {
        put(w, "%s", a ? "," : "");
        put_name(w, LATMC_BOUNDARIES, c->boundaries[a]);
    }
    put_numbers(w, "couplings", &c->bonds);
    put_numbers(w, "fields", &c->fields);
    if (c->samples != 1 || c->first_sample)
        put(w, " samples=%" PRId64 ":%" PRId64, c->samples, c->first_sample);
    if (c->axes.count) {
        put(w, " axes=");
        put_values(w, &c->axes);
    }
}

static void put_settings(writer *w, const random_case *c)
{
    put(w, " replicas=%" PRId64 " first=%" PRId64 " seed=%" PRIu64, c->replicas, c->first, c->seed);
    for (int i = 0; i < c->option_count; i++) {
        put(w, i ? "," : " options=");
        put_name(w, LATMC_OPTIONS, c->options[i].id);
        put(w, ":%" PRId64, c->options[i].value);
    }
    if (c->threads != 1)
        put(w, " threads=%d", c->threads);
    if (c->progress)
        put(w, " progress=1");
    if (c->company)
        put(w, " company=%" PRIu64, c->company);
    for (int p = 0; p < c->param_count; p++) {
        put(w, " ");
        put_name(w, LATMC_PARAMS, c->params[p].id);
        put(w, "=");
        put_values(w, &c->params[p].values);
    }
}

int case_print(const random_case *c, char *text, size_t bytes)
{
    writer w = {text, bytes, 0, 1};

    put_lattice(&w, c);
    put_settings(&w, c);
    put(&w, " start=");
    if (c->start == CASE_START_GIVEN)
        put(&w, "given:%" PRIu64, c->site_seed);
    else if (c->start == CASE_START_NONE)
        put(&w, "none");
    else
        put_name(&w, LATMC_START_MODES, c->start);
    for (int s = 0; s < c->step_count; s++) {
        put(&w, "%s", s ? ";" : " steps=");
        put_step(&w, &c->steps[s]);
    }
    return w.fits;
}
