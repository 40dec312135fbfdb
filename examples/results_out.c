/* SPDX-License-Identifier: BSD-3-Clause */
/* Results for programs, and numbers with their errors. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "results.h"

enum { LINE_BYTES = 1024 };

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
    write_number(e->value, e->error, text, PAGE_CELL - RESULT_MARKS);
    strcat(text, e->too_short ? "*" : "");
}

void results_number_of(const results *r, const latmc_estimate *e, char *text)
{
    results_number(e, text);
    strcat(text, r->not_ergodic && isfinite(e->value) ? "!" : "");
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

/* "7,1,0": the beginning, with the sample and the copy where there are several. */
static void write_place(const results *r, int64_t replica, char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(text, bytes, "%" PRId64, replica);

    if (r->samples > 1)
        used +=
            (size_t)snprintf(text + used, bytes - used, ",%" PRId64, results_sample(r, replica));
    if (r->info.ladders > 1)
        snprintf(text + used, bytes - used, ",%" PRId64, results_copy(r, replica));
}

void results_csv(const results *r, FILE *file)
{
    char params[LINE_BYTES], place[LINE_BYTES];

    fprintf(file, "%s%s%s,record", r->exchanges ? "slot" : "replica",
            r->samples > 1 ? ",sample" : "", r->info.ladders > 1 ? ",copy" : "");
    for (int i = 0; i < r->observables; i++)
        fprintf(file, strchr(r->list[i].name, ',') ? ",\"%s\"" : ",%s", r->list[i].name);
    for (int p = 0; p < r->params; p++)
        fprintf(file, ",%s", lattice_thing(LATMC_PARAMS, r->info.model, p).name);
    fprintf(file, "\n");
    for (int64_t replica = 0; replica < r->info.replicas; replica++) {
        write_place(r, replica, place, sizeof place);
        for (int64_t t = 0; t < r->records && !ferror(file); t++) {
            if (t == 0 || results_is_ramped(r, -1)) /* else every record has the same */
                write_params(r, replica, t, params, sizeof params);
            fprintf(file, "%s,%" PRId64, place, t);
            for (int i = 0; i < r->observables; i++)
                fprintf(file, ",%s", json_shortest(results_series(r, i, replica)[t]).text);
            fprintf(file, "%s\n", params);
        }
    }
}

void results_estimate_json(const char *name, const latmc_estimate *e, int not_ergodic, json *j)
{
    json_open(j, name, '{');
    json_real(j, "mean", e->value);
    json_real(j, "error", e->error);
    json_real(j, "tau_int", e->tau_int);
    json_real(j, "tau_error", e->tau_error);
    json_boolean(j, "too_short", e->too_short);
    json_boolean(j, "not_ergodic", not_ergodic);
    json_close(j, '}');
}

/* Of what has the parameters of a replica. */
static void parameters_json(const results *r, int64_t replica, json *j)
{
    json_open(j, "parameters", '{');
    for (int p = 0; p < r->params; p++)
        json_real(j, lattice_thing(LATMC_PARAMS, r->info.model, p).name,
                  results_param(r, p, replica));
    json_close(j, '}');
}

static void unchecked_json(const results *r, int64_t replica, json *j)
{
    if (r->unchecked)
        json_boolean(j, "unchecked", r->unchecked[replica]);
}

static void estimates_json(const results *r, const latmc_estimate *estimates, json *j)
{
    json_open(j, "observables", '{');
    for (int i = 0; i < r->quantities; i++)
        if (!r->list[i].is_path)
            results_estimate_json(r->list[i].name, &estimates[i], r->not_ergodic, j);
    json_close(j, '}');
}

static void joined_json(const results *r, json *j)
{
    json_open(j, "joined", '[');
    for (int64_t k = 0; k < r->joints; k++) {
        json_open(j, NULL, '{');
        json_integer(j, "replicas", r->joint[k].replicas);
        json_integer(j, "samples", r->joint[k].samples);
        parameters_json(r, r->joint[k].members[0], j);
        json_open(j, "disagree", '[');
        for (int i = 0; i < r->quantities; i++)
            if (r->differ[k * r->quantities + i])
                json_text(j, NULL, r->list[i].name);
        json_close(j, ']');
        unchecked_json(r, r->joint[k].members[0], j);
        estimates_json(r, r->joined + k * r->quantities, j);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void results_json(const results *r, json *j)
{
    json_open(j, "replicas", '[');
    for (int64_t replica = 0; replica < r->info.replicas; replica++) {
        json_open(j, NULL, '{');
        json_integer(j, "sample", results_sample(r, replica));
        json_integer(j, "copy", results_copy(r, replica));
        parameters_json(r, replica, j);
        unchecked_json(r, replica, j);
        estimates_json(r, r->estimates + replica * r->quantities, j);
        json_close(j, '}');
    }
    json_close(j, ']');
    if (r->joints && r->joints < r->info.replicas)
        joined_json(r, j);
}
