/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program: a recording that is stopped, saved and continued fills one series, which is the
 * series of a recording that was never stopped: resume FILE. */
#include <latmc/latmc.h>

#include <stdio.h>
#include <string.h>

enum { RECORDS = 5000, EVERY = 7, STOPS = 3 };

typedef struct job {
    latmc_lattice *lattice;
    int64_t records, swept; /* what is done */
    double series[2][RECORDS];
} job;

static int stop_at_once(void *stops, int64_t done, int64_t total)
{
    return done < total && (*(int *)stops)-- > 0;
}

static latmc_status begin(job *j)
{
    const int64_t extents[] = {128, 128};
    latmc_status status = latmc_create(&j->lattice, LATMC_ISING, 2, extents);

    /* slow enough for a function that is called ten times a second */
    if (!status)
        status = latmc_set_device(j->lattice, "cpu:scalar");
    if (!status)
        status = latmc_set_param(j->lattice, LATMC_BETA, 0.44);
    return status ? status : latmc_start(j->lattice, LATMC_START_COLD);
}

/* Records what is left, until the progress function stops it. */
static latmc_status go_on(job *j)
{
    const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                   LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION)};
    const latmc_recording run = {.size = sizeof run,
                                 .update = LATMC_METROPOLIS,
                                 .every = EVERY,
                                 .records = RECORDS - j->records,
                                 .swept = j->swept,
                                 .quantity_count = 2,
                                 .quantities = what,
                                 .series = j->series[0] + j->records,
                                 .stride = RECORDS};
    latmc_recorded done = LATMC_INIT(latmc_recorded);
    latmc_status status = latmc_record(j->lattice, &run, &done);

    j->records += done.records;
    j->swept = done.swept;
    return status;
}

static latmc_status by_way_of(const char *file, latmc_lattice **lattice)
{
    latmc_status status = latmc_save(*lattice, file);

    latmc_destroy(*lattice);
    *lattice = NULL;
    return status ? status : latmc_load(lattice, file);
}

int main(int argc, char **argv)
{
    static job whole, parts;
    int stops = STOPS, stopped = 0;
    latmc_status status = argc == 2 ? begin(&whole) : LATMC_ERROR_ARGUMENT;

    if (!status)
        status = go_on(&whole);
    if (!status)
        status = begin(&parts);
    while (!status && parts.records < RECORDS) {
        if (latmc_set_progress(parts.lattice, stop_at_once, &stops))
            break;
        status = go_on(&parts);
        if (status == LATMC_CANCELLED) {
            stopped++;
            status = by_way_of(argv[1], &parts.lattice);
        }
    }
    if (status)
        fprintf(stderr, "%s\n", latmc_error_message());
    printf("%lld records after %d stops\n", (long long)parts.records, stopped);
    latmc_destroy(whole.lattice);
    latmc_destroy(parts.lattice);
    return status || !stopped || memcmp(whole.series, parts.series, sizeof whole.series) != 0;
}
