/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan for people and for programs, and its field. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "field_picture.h"
#include "phase.h"

/* After mu2. */
static const int columns[] = {LATMC_ROLE_ABS_ORDER, RESULT_SUSCEPTIBILITY, RESULT_BINDER,
                              RESULT_LENGTH,        LATMC_ROLE_ENERGY,     LATMC_ROLE_ACCEPTANCE};

enum { COLUMNS = 1 + sizeof columns / sizeof columns[0] };

int phase_has_length(const phase_scan *s, int64_t replica)
{
    return !(s->mu2[replica] < s->transition);
}

static const char *heading(const void *user, int column)
{
    const phase_scan *s = user;

    return column ? results_name(&s->r, columns[column - 1]) : "mu2";
}

static void cell(const void *user, int64_t row, int column, char *text)
{
    const phase_scan *s = user;

    if (!column) {
        snprintf(text, PAGE_CELL, "%.5f", s->mu2[row]);
        return;
    }
    results_number_of(&s->r, results_find(&s->r, row, columns[column - 1]), text);
    if (columns[column - 1] == RESULT_LENGTH && !phase_has_length(s, row))
        strcat(text, "~");
}

static void print_transition(const phase_scan *s)
{
    char line[512], errors[128];

    if (!isfinite(s->transition))
        return;
    page_text(stdout, 2, "~ Below the transition xi is no correlation length.");
    if (isfinite(s->systematic))
        snprintf(errors, sizeof errors, "statistical %.5f, corrections to scaling %.5f",
                 s->statistical, s->systematic);
    else
        snprintf(errors, sizeof errors,
                 "a statistical error, of this one lattice; corrections to scaling are not in it");
    snprintf(line, sizeof line, "The Binder cumulant is %.5f at mu2 = %.5f +- %.5f%s (%s).%s",
             s->critical, s->transition, s->error, s->doubtful ? "*" : "", errors,
             s->doubtful ? " A point that was used has an error that is not to be trusted." : "");
    page_text(stdout, 2, line);
}

void phase_print(const phase_scan *s)
{
    const page_table table = {.rows = s->r.info.replicas,
                              .columns = COLUMNS,
                              .labels = 1,
                              .user = s,
                              .heading = heading,
                              .cell = cell};
    char line[1024];

    lattice_text(&s->wish, s->lattice, line, sizeof line);
    page_text(stdout, 2, line);
    if (s->number) {
        snprintf(line, sizeof line,
                 "This seed is --seed %" PRIu64
                 " plus %d * 2^32, since lattices must not share random "
                 "numbers.",
                 s->wish.seed.value - ((uint64_t)s->number << 32), s->number);
        page_text(stdout, 2, line);
    }
    snprintf(line, sizeof line,
             "g = %g, 1/Lambda = %g; a step is %d rounds of %s; %" PRId64
             " sweeps to tune, %" PRId64 " steps to thermalize, %" PRId64 " of %" PRId64
             " steps measured, %.1f s",
             s->g, s->inv_lambda, s->rounds, s->round, s->tune, s->thermalize, s->r.records,
             s->wanted, s->seconds);
    page_text(stdout, 2, line);
    page_print_table(stdout, &table);
    results_footnotes(&s->r, stdout);
    print_transition(s);
    printf("\n");
    cli_flush();
}

void phase_json(const phase_scan *s, json *j)
{
    json_open(j, NULL, '{');
    lattice_json(&s->wish, s->lattice, j);
    schedule_json(&s->steps, s->r.info.model, j);
    json_real(j, "g", s->g);
    json_real(j, "inv_lambda", s->inv_lambda);
    json_open(j, "mu2_range", '[');
    json_real(j, NULL, s->from);
    json_real(j, NULL, s->to);
    json_close(j, ']');
    json_integer(j, "tune", s->tune);
    json_integer(j, "thermalize", s->thermalize);
    json_integer(j, "sweeps", s->wanted);
    json_integer(j, "every", 1);
    json_integer(j, "records", s->r.records);
    json_boolean(j, "not_ergodic", s->r.not_ergodic);
    json_real(j, "seconds", s->seconds);
    json_open(j, "transition", '{');
    json_real(j, "binder", s->critical);
    json_real(j, "mu2", s->transition);
    json_real(j, "error", s->error);
    json_real(j, "statistical_error", s->statistical);
    json_real(j, "systematic_error", s->systematic);
    json_boolean(j, "too_short", s->doubtful);
    json_close(j, '}');
    results_json(&s->r, j);
    json_close(j, '}');
}

int phase_draw_field(const phase_scan *s)
{
    const latmc_lattice_info *info = &s->r.info;
    char title[256];
    double mu2[PHASE_PANELS];
    size_t used;

    for (int i = 0; i < PHASE_PANELS; i++)
        mu2[i] = s->mu2[s->shown[i]];
    used = (size_t)snprintf(title, sizeof title, FIELD_PHI FIELD_FOURTH "  %s", s->extents);
    if (info->dims > 2)
        used += (size_t)snprintf(title + used, sizeof title - used, ", plane x2 = %" PRId64,
                                 info->extents[2] / 2);
    if (info->dims > 3)
        used += (size_t)snprintf(title + used, sizeof title - used, ", x3 = 0");
    snprintf(title + used, sizeof title - used, ", g = %g, 1/" FIELD_LAMBDA " = %g", s->g,
             s->inv_lambda);
    return field_picture_draw(s->picture, title, s->fields, mu2, PHASE_PANELS,
                              (int)info->extents[0], (int)info->extents[1]);
}
