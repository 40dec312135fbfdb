/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes a lattice for people, line by line. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "lib/base/floats.h"
#include "lib/base/status.h"
#include "lib/base/text.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/home.h"
#include "lib/lattice/need.h"
#include "lib/settings/choice.h"
#include "lib/settings/momenta.h"

/* A text that grows; what is beyond the capacity is only counted. */
typedef struct page {
    char *text;
    size_t capacity, used; /* without the 0 byte */
} page;

__attribute__((format(printf, 2, 3))) static void write(page *to, const char *format, ...)
{
    const size_t left = to->used < to->capacity ? to->capacity - to->used : 0;
    va_list values;
    int more;

    va_start(values, format);
    more = vsnprintf(left ? to->text + to->used : NULL, left, format, values);
    va_end(values);
    to->used += more > 0 ? (size_t)more : 0;
}

static void write_devices(page *to)
{
    char versions[96];

    for (int b = 0; lm_backends[b]; b++)
        if (lm_backends[b]->versions) {
            lm_backends[b]->versions(versions, sizeof versions);
            write(to, "%s: %s\n", lm_backends[b]->name, versions);
        }
    for (int i = 0; i < lm_device_count(); i++) {
        const latmc_device_info *info = &lm_device_at(i)->info;

        write(to, "device %s: %s%s\n", info->name, info->usable ? "" : "not usable: ", info->text);
    }
}

static void write_shape(page *to, const latmc_lattice *lattice)
{
    static const char *const ends[] = {"periodic", "antiperiodic", "open"};

    write(to, "model: %s\nextents:", lattice->model->entry.name);
    for (int a = 0; a < lattice->dims; a++)
        write(to, "%s %" PRId64 " %s", a ? "," : "", lattice->extents[a],
              ends[lattice->boundaries[a] - LATMC_PERIODIC]);
    write(to,
          "\nreplicas: %" PRId64 " from number %" PRId64 ", samples: %" PRId64
          " from number %" PRId64 ", ladders: %" PRId64 "\n",
          lattice->replicas, lattice->first_replica, lattice->samples, lattice->first_sample,
          lattice->ladders);
    write(to,
          "seed: %" PRIu64 ", sweeps: %" PRId64 ", exchanges: %" PRId64 ", steps of a round: %d\n",
          lattice->seed, lattice->sweeps, lattice->exchanges, lattice->rounds.count);
    write(to, "ranks: %d, threads: %d, best sites kept: %s\n", lm_ranks_count(lattice->ranks),
          lattice->threads, lattice->best.energies ? "yes" : "no");
}

/* Writes what is measured beside the model's own observables. */
static void write_own_observables(page *to, const latmc_lattice *lattice)
{
    int sets = 0;

    for (int i = 0; i < lattice->weights.most; i++)
        sets += lattice->weights.set[i].samples > 0;
    write(to, "momenta: %d, sets of weights: %d\n", lm_momentum_count(lattice), sets);
}

static void write_param(page *to, const latmc_lattice *lattice, int p)
{
    const double *values = lattice->params + p * lattice->replicas;
    double least = values[0], most = values[0];

    for (int64_t s = 1; s < lattice->replicas; s++) {
        least = values[s] < least ? values[s] : least;
        most = values[s] > most ? values[s] : most;
    }
    write(to, "parameter %s: %s", lm_list_of(lattice->model, LATMC_PARAMS)->entries[p].name,
          lm_number(least).text);
    write(to, most > least ? " to %s%s\n" : "%s%s\n", most > least ? lm_number(most).text : "",
          lattice->ramps[p].sweeps ? ", with a ramp" : "");
}

static void write_settings(page *to, const latmc_lattice *lattice)
{
    static const char *const owners[] = {[LM_OF_BONDS] = "bonds", [LM_OF_SITES] = "sites"};
    const lm_list *options = lm_list_of(lattice->model, LATMC_OPTIONS);

    write_shape(to, lattice);
    for (int i = 0; i < options->count; i++)
        write(to, "option %s: %" PRId64 "\n", options->entries[i].name, lattice->options[i]);
    for (int p = 0; p < lm_list_of(lattice->model, LATMC_PARAMS)->count; p++)
        write_param(to, lattice, p);
    for (int t = 0; t < lm_bond_types(lattice) && lm_model_has_own(lattice, LM_OF_BONDS); t++)
        write(to, "coupling of bond type %d: %s\n", t, lm_number(lattice->type_couplings[t]).text);
    for (int o = 0; o < LM_OWNERS; o++)
        if (lattice->disorder[o].kind != LM_UNIFORM)
            write(to, "numbers of %s: %s\n", owners[o],
                  lattice->disorder[o].kind == LM_DRAWN ? "drawn" : "given");
    write_own_observables(to, lattice);
}

static void write_choice(page *to, const char *update, int part, const latmc_choice *c)
{
    write(to,
          "part %d of %" PRId64 ", %s: rank %" PRId64 ", layers %" PRId64 " + %" PRId64
          ", replicas %" PRId64 " + %" PRId64 ", %s, phases: %" PRId64,
          part, c->parts, update, c->rank, c->first_layer, c->layers, c->first_replica, c->replicas,
          c->representation, c->phases);
    if (*c->device)
        write(to,
              ", %s, kernel: %s, threads: %" PRId64 ", bytes: %" PRId64 " of the host, %" PRId64
              " of the device",
              c->device, c->kernel, c->threads, c->host_bytes, c->device_bytes);
    write(to, "\n");
}

static latmc_status write_parts(page *to, const latmc_lattice *lattice, const char *caller,
                                const lm_home_view *o)
{
    const lm_list *updates = lm_list_of(lattice->model, LATMC_UPDATES);
    latmc_choice c;
    latmc_status status = LATMC_OK;

    write(to, "on a device: %s\ndivision: %s\n",
          o->present               ? "yes"
          : lm_is_started(lattice) ? "not yet"
                                   : "not before the start",
          o->division->reason);
    for (int part = 0; part < o->division->pieces; part++)
        for (int u = 0; u < updates->count && !status; u++) {
            status = lm_choice_of(lattice, caller, o, part, &updates->entries[u], &c);
            if (!status)
                write_choice(to, updates->entries[u].name, part, &c);
        }
    return status;
}

/* A lattice that cannot be divided, or whose device is missing, has a report, too. */
static void write_report(page *to, const latmc_lattice *lattice, const char *caller)
{
    lm_home_view o;
    latmc_status status = lm_home_view_open(lattice, caller, &o);

    write(to, "liblatmc %s\n", latmc_version());
    write_devices(to);
    write_settings(to, lattice);
    if (!status)
        status = write_parts(to, lattice, caller, &o);
    if (status)
        write(to, "no parts: %s\n", latmc_error_message());
    lm_home_view_close(&o);
}

latmc_status latmc_report(const latmc_lattice *lattice, char *text, size_t capacity, size_t *bytes)
{
    LM_FLOATS;
    page to = {text, text ? capacity : 0, 0};
    const latmc_status status = lm_need_lattice(lattice, __func__);

    if (status)
        return status;
    if (!text && !bytes)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: text and bytes are NULL; one is needed",
                       __func__);
    write_report(&to, lattice, __func__);
    if (bytes)
        *bytes = to.used + 1;
    if (text && to.used >= capacity)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: capacity is %zu; at least %zu are needed",
                       __func__, capacity, to.used + 1);
    return LATMC_OK;
}
