/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases as text: words "key=value", steps separated by ";" and their arguments by ":". */
#include "tests/random/case.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/cli.h"
#include "tests/random/names.h"

enum { WORD = 256 };

/* Arguments: u an update, p a parameter, m a start mode, # a number, x a number of records after
 * one of sweeps, s a seed, v values, o observables, q those of pairs. */
static const struct {
    const char *name, *arguments;
} verbs[CASE_VERBS] = {
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
    [CASE_FOLLOW] = {"follow", "u#sq"},
};

static const char *const sources[CASE_SOURCES] = {
    [CASE_UNIFORM] = "uniform", [CASE_DRAWN] = "drawn", [CASE_GAUSSIAN] = "gaussian",
    [CASE_GIVEN] = "given",     [CASE_REALS] = "reals",
};

/* ---- writing */

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
        put(w, "%s", i ? "," : "");
        put_name(w, kind, s->things[i]);
    }
}

static void put_step(writer *w, const case_step *s)
{
    put(w, "%s", verbs[s->verb].name);
    for (const char *a = verbs[s->verb].arguments; *a; a++) {
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
    put(w, " %s=%s:%" PRIu64, key, sources[n->from], n->seed);
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

/* ---- reading: each returns 0 where there is something else */

static int read_integer(const char *text, int64_t *value)
{
    return cli_integer(text, INT64_MIN, INT64_MAX, value);
}

static int read_small(const char *text, int *value)
{
    int64_t wide;

    if (!cli_integer(text, INT32_MIN, INT32_MAX, &wide))
        return 0;
    *value = (int)wide;
    return 1;
}

static int read_seed(const char *text, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 10);
    return end != text && !*end && !errno && text[0] != '-';
}

static int read_values(const char *text, case_values *v)
{
    char word[WORD], *end;

    *v = (case_values){.ramp = strchr(text, '~') != NULL};
    while (text) {
        if (v->count == CASE_VALUES || !cli_next(&text, v->ramp ? '~' : ',', word, sizeof word))
            return 0;
        v->value[v->count++] = strtod(word, &end);
        if (end == word || *end)
            return 0;
    }
    return !v->ramp || v->count == 2;
}

static int read_things(const char *text, latmc_kind kind, case_step *s)
{
    char word[WORD];

    while (text) {
        if (s->thing_count == CASE_THINGS || !cli_next(&text, ',', word, sizeof word) ||
            !number_of(kind, word, &s->things[s->thing_count++]))
            return 0;
    }
    return 1;
}

static int read_records(const char *text, case_step *s)
{
    char word[WORD];

    return strchr(text, 'x') && cli_next(&text, 'x', word, sizeof word) &&
           read_integer(word, &s->number) && text && read_integer(text, &s->records);
}

static int read_argument(char kind, const char *word, case_step *s)
{
    switch (kind) {
    case 'u':
        return number_of(LATMC_UPDATES, word, &s->id);
    case 'p':
        return number_of(LATMC_PARAMS, word, &s->id);
    case 'm':
        return number_of(LATMC_START_MODES, word, &s->id);
    case '#':
        return read_integer(word, &s->number);
    case 'x':
        return read_records(word, s);
    case 's':
        return read_seed(word, &s->seed);
    case 'v':
        return read_values(word, &s->values);
    default:
        return read_things(word, kind == 'q' ? LATMC_PAIR_OBSERVABLES : LATMC_OBSERVABLES, s);
    }
}

int case_parse_step(const char *text, case_step *s)
{
    char word[WORD];
    int verb = 0;

    *s = (case_step){0};
    if (!cli_next(&text, ':', word, sizeof word))
        return 0;
    while (verb < CASE_VERBS && strcmp(verbs[verb].name, word) != 0)
        verb++;
    if (verb == CASE_VERBS)
        return 0;
    s->verb = (case_verb)verb;
    for (const char *a = verbs[verb].arguments; *a; a++)
        if (!cli_next(&text, ':', word, sizeof word) || !read_argument(*a, word, s))
            return 0;
    return text == NULL;
}

static int read_model(const char *text, random_case *c)
{
    return number_of(LATMC_MODELS, text, &c->model);
}

static int read_extents(const char *text, random_case *c)
{
    char word[WORD];

    for (c->dims = 0; text; c->dims++)
        if (c->dims == LATMC_MAX_DIMS || !cli_next(&text, 'x', word, sizeof word) ||
            !read_integer(word, &c->extents[c->dims]))
            return 0;
    return 1;
}

static int read_boundaries(const char *text, random_case *c)
{
    char word[WORD];

    for (int a = 0; text; a++)
        if (a == LATMC_MAX_DIMS || !cli_next(&text, ',', word, sizeof word) ||
            !number_of(LATMC_BOUNDARIES, word, &c->boundaries[a]))
            return 0;
    return 1;
}

static int read_real(const char *text, double *value)
{
    char *end;

    *value = strtod(text, &end);
    return end != text && !*end;
}

/* After the seed: per cent, per cent; or per cent, mean, width. */
static int read_shares(const char *text, case_numbers *n)
{
    const int real = n->from == CASE_GAUSSIAN || n->from == CASE_REALS;
    char word[WORD];

    if (!text)
        return n->from == CASE_DRAWN;
    if (!cli_next(&text, ':', word, sizeof word) || !read_small(word, &n->missing) || !text ||
        !cli_next(&text, ':', word, sizeof word))
        return 0;
    if (!real)
        return !text && read_small(word, n->from == CASE_DRAWN ? &n->plus : &n->negative);
    return text && read_real(word, &n->mean) && read_real(text, &n->width);
}

static int read_numbers(const char *text, case_numbers *n)
{
    char word[WORD];
    int from = CASE_DRAWN;

    if (!cli_next(&text, ':', word, sizeof word) || !text)
        return 0;
    while (from < CASE_SOURCES && strcmp(sources[from], word) != 0)
        from++;
    n->from = (case_source)from;
    return from < CASE_SOURCES && cli_next(&text, ':', word, sizeof word) &&
           read_seed(word, &n->seed) && read_shares(text, n);
}

static int read_couplings(const char *text, random_case *c)
{
    return read_numbers(text, &c->bonds);
}

static int read_fields(const char *text, random_case *c)
{
    return read_numbers(text, &c->fields);
}

static int read_samples(const char *text, random_case *c)
{
    char word[WORD];

    return cli_next(&text, ':', word, sizeof word) && read_integer(word, &c->samples) && text &&
           read_integer(text, &c->first_sample);
}

static int read_axes(const char *text, random_case *c)
{
    return read_values(text, &c->axes);
}

static int read_replicas(const char *text, random_case *c)
{
    return read_integer(text, &c->replicas);
}

static int read_first(const char *text, random_case *c)
{
    return read_integer(text, &c->first);
}

static int read_own_seed(const char *text, random_case *c)
{
    return read_seed(text, &c->seed);
}

static int read_options(const char *text, random_case *c)
{
    char word[WORD], name[WORD];

    while (text) {
        case_option *option = &c->options[c->option_count];
        const char *rest = word;

        if (c->option_count++ == CASE_OPTIONS || !cli_next(&text, ',', word, sizeof word) ||
            !cli_next(&rest, ':', name, sizeof name) || !rest ||
            !number_of(LATMC_OPTIONS, name, &option->id) || !read_integer(rest, &option->value))
            return 0;
    }
    return 1;
}

static int read_threads(const char *text, random_case *c)
{
    return read_small(text, &c->threads);
}

static int read_progress(const char *text, random_case *c)
{
    return read_small(text, &c->progress);
}

static int read_company(const char *text, random_case *c)
{
    return read_seed(text, &c->company);
}

static int read_start(const char *text, random_case *c)
{
    char word[WORD];

    if (!cli_next(&text, ':', word, sizeof word))
        return 0;
    c->start = CASE_START_NONE;
    if (strcmp(word, "none") == 0)
        return text == NULL;
    c->start = CASE_START_GIVEN;
    if (strcmp(word, "given") == 0)
        return text && read_seed(text, &c->site_seed);
    return text == NULL && number_of(LATMC_START_MODES, word, &c->start);
}

static int read_steps(const char *text, random_case *c)
{
    char word[WORD];

    while (text)
        if (c->step_count == CASE_STEPS || !cli_next(&text, ';', word, sizeof word) ||
            !case_parse_step(word, &c->steps[c->step_count++]))
            return 0;
    return 1;
}

/* A key that is none of the others is a parameter. */
static int read_param(const char *key, const char *text, random_case *c)
{
    case_param *p = &c->params[c->param_count];

    return c->param_count++ < CASE_PARAMS && number_of(LATMC_PARAMS, key, &p->id) &&
           read_values(text, &p->values);
}

static const struct {
    const char *key;
    int (*read)(const char *text, random_case *c);
} keys[] = {
    {"model", read_model},         {"extents", read_extents},   {"boundaries", read_boundaries},
    {"couplings", read_couplings}, {"fields", read_fields},     {"samples", read_samples},
    {"axes", read_axes},           {"replicas", read_replicas}, {"first", read_first},
    {"seed", read_own_seed},       {"options", read_options},   {"threads", read_threads},
    {"progress", read_progress},   {"company", read_company},   {"start", read_start},
    {"steps", read_steps},
};

static int read_key(char *word, random_case *c)
{
    char *equals = strchr(word, '=');

    if (!equals)
        return 0;
    *equals = '\0';
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (strcmp(keys[k].key, word) == 0)
            return keys[k].read(equals + 1, c);
    return read_param(word, equals + 1, c);
}

const char *case_parse(const char *text, random_case *c)
{
    static char word[CASE_TEXT], shown[WORD];

    *c = case_new(LATMC_ISING, 0, NULL);
    while (text) {
        if (!cli_next(&text, ' ', word, sizeof word))
            return "a word that is too long";
        snprintf(shown, sizeof shown, "%.200s", word);
        if (word[0] && !read_key(word, c))
            return shown;
    }
    return c->dims ? NULL : "extents=";
}
