/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases are read. Each function returns 0 where there is something else. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/cli.h"
#include "tests/random/names.h"
#include "tests/random/text.h"

enum { WORD = 256 };

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
            !thing_of(kind, word, &s->things[s->thing_count++]))
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
    while (verb < CASE_VERBS && strcmp(text_verbs[verb].name, word) != 0)
        verb++;
    if (verb == CASE_VERBS)
        return 0;
    s->verb = (case_verb)verb;
    for (const char *a = text_verbs[verb].arguments; *a; a++)
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
    while (from < CASE_SOURCES && strcmp(text_sources[from], word) != 0)
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
