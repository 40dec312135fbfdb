/* SPDX-License-Identifier: BSD-3-Clause */
#include "scaling.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ranks.h"

/* The devices in full, as the library names a list: of one rank. */
static void name_devices(const lattice_flags *wish, char text[SCALING_TEXT])
{
    latmc_lattice *lattice;

    cli_run(latmc_create(&lattice, LATMC_ISING, 1, (int64_t[]){4096}));
    cli_setup(latmc_set_device(lattice, wish->device ? wish->device : "auto"), "device");
    cli_run(latmc_get_device(lattice, text, SCALING_TEXT));
    latmc_destroy(lattice);
}

static int count_devices(const char *text)
{
    int count = 1;

    for (; *text; text++)
        count += *text == ',';
    return count;
}

/* The first `count` of a list. */
static void first_devices(const char *list, int count, char text[SCALING_TEXT])
{
    snprintf(text, SCALING_TEXT, "%s", list);
    for (char *at = text; (at = strchr(at, ',')) != NULL; at++)
        if (--count == 0) {
            *at = '\0';
            return;
        }
}

/* Extents with the slowest one so many times as long. */
static void longer(const char *extents, int times, char *text, size_t bytes)
{
    const char *last = strrchr(extents, 'x');
    int64_t extent;

    last = last ? last + 1 : extents;
    if (!cli_integer(last, 2, INT64_MAX / times, &extent))
        cli_refuse("--extents is \"%s\"; whole numbers with x between them are needed, such as "
                   "4096x4096",
                   extents);
    snprintf(text, bytes, "%.*s%" PRId64, (int)(last - extents), extents, extent * times);
}

scaling scaling_plan(const char *way, const lattice_flags *wish)
{
    scaling s = {.weak = strcmp(way, "weak") == 0};
    char list[SCALING_TEXT];
    int most;

    if (!s.weak && strcmp(way, "strong") != 0)
        cli_refuse("--scaling is \"%s\"; weak or strong is needed", way);
    if (!wish->extents)
        cli_refuse("--scaling needs --extents: of the lattice of %s",
                   s.weak ? "each device" : "all devices");
    if (strlen(wish->extents) > sizeof s.rows[0].extents / 2)
        cli_refuse("--extents is \"%.64s..\", which is too long", wish->extents);
    name_devices(wish, list);
    most = ranks_count() > 1 ? ranks_count() : count_devices(list);
    for (int n = 1; s.count < SCALING_MOST; n = 2 * n < most ? 2 * n : most) {
        scaling_row *row = &s.rows[s.count++];

        row->devices = n;
        first_devices(list, ranks_count() > 1 ? SCALING_TEXT : n, row->device);
        longer(wish->extents, s.weak ? n : 1, row->extents, sizeof row->extents);
        if (n == most)
            break;
    }
    return s;
}

double scaling_efficiency(const scaling *s, int row)
{
    return s->rows[row].rate / (s->rows[row].devices * s->rows[0].rate);
}

void scaling_table(const scaling *s)
{
    printf("\n%s scaling\n%7s %-20s %12s %10s  %s\n", s->weak ? "weak" : "strong",
           ranks_count() > 1 ? "ranks" : "devices", "lattice", "updates/ns", "efficiency",
           ranks_count() > 1 ? "each on" : "devices");
    for (int i = 0; i < s->count && s->rows[i].rate > 0; i++)
        printf("%7d %-20s %12.4g %8.1f %%  %s\n", s->rows[i].devices, s->rows[i].extents,
               s->rows[i].rate, 100 * scaling_efficiency(s, i), s->rows[i].device);
}

void scaling_json(const scaling *s, json *j)
{
    json_open(j, "scaling", '{');
    json_text(j, "kind", s->weak ? "weak" : "strong");
    json_text(j, "of", ranks_count() > 1 ? "ranks" : "devices");
    json_open(j, "rows", '[');
    for (int i = 0; i < s->count && s->rows[i].rate > 0; i++) {
        json_open(j, NULL, '{');
        json_integer(j, "count", s->rows[i].devices);
        json_text(j, "device", s->rows[i].device);
        json_text(j, "extents", s->rows[i].extents);
        json_real(j, "updates_per_ns", s->rows[i].rate);
        json_real(j, "efficiency", scaling_efficiency(s, i));
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}
