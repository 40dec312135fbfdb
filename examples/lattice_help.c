/* SPDX-License-Identifier: BSD-3-Clause */
/* What --help says of models and devices, all of it as the library describes itself. */
#include <stdio.h>
#include <string.h>

#include "lattice_flags.h"
#include "page.h"

enum { LINE_BYTES = 1024 };

static const char *const indent = "      ";

/* What an index of an observable counts, in brackets behind its name. */
static const char *brackets(int index)
{
    return index == LATMC_INDEX_COMPONENT ? "[component]"
           : index == LATMC_INDEX_AXIS    ? "[axis]"
           : index == LATMC_INDEX_STATE   ? "[state]"
                                          : "";
}

/* "  what: a, b, c[axis]" */
static void print_names(const char *what, const char *first, latmc_kind kind, int model)
{
    char line[LINE_BYTES];
    size_t used = (size_t)snprintf(line, sizeof line, "  %s %s", what, first);

    for (int i = 0; i < lattice_things(kind, model) && used < sizeof line; i++) {
        const latmc_description info = lattice_thing(kind, model, i);

        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s%s", i || *first ? ", " : "",
                                 info.name, brackets(info.index));
    }
    page_text(stdout, (int)strlen(indent), line);
}

static void print_params(int model)
{
    page_text(stdout, 0, "  --set: (preset; from the least to the greatest value)");
    for (int i = 0; i < lattice_things(LATMC_PARAMS, model); i++) {
        const latmc_description p = lattice_thing(LATMC_PARAMS, model, i);
        char line[LINE_BYTES];

        snprintf(line, sizeof line, "%s%-16s  %s (%g; %g to %g)", indent, p.name, p.meaning,
                 p.preset, p.minimum, p.maximum);
        page_text(stdout, 24, line);
    }
}

static void print_options(int model)
{
    if (lattice_things(LATMC_OPTIONS, model))
        page_text(stdout, 0,
                  "  --option: (preset; from the least to the greatest value, by steps)");
    for (int i = 0; i < lattice_things(LATMC_OPTIONS, model); i++) {
        const latmc_description o = lattice_thing(LATMC_OPTIONS, model, i);
        char line[LINE_BYTES];

        snprintf(line, sizeof line, "%s%-16s  %s (%g; %g to %g by %g)", indent, o.name, o.meaning,
                 o.preset, o.minimum, o.maximum, o.step);
        page_text(stdout, 24, line);
    }
}

static void print_updates(int model)
{
    page_text(stdout, 0, "  --update:");
    for (int i = 0; i < lattice_things(LATMC_UPDATES, model); i++) {
        const latmc_description u = lattice_thing(LATMC_UPDATES, model, i);
        char line[LINE_BYTES];

        snprintf(line, sizeof line, "%s%-16s  %s%s", indent, u.name, u.meaning,
                 u.ergodic || strstr(u.meaning, "not ergodic") ? "" : "; not ergodic alone");
        page_text(stdout, 24, line);
    }
}

void lattice_print_devices(void)
{
    printf("\ndevices (auto is the first that can be used, cpu the first of the CPU's):\n");
    for (int64_t i = 0; i < lattice_devices(); i++) {
        latmc_device_info d = {.size = sizeof d};
        char line[LINE_BYTES];

        cli_run(latmc_describe_device(i, &d));
        snprintf(line, sizeof line, "%s%-16s  %s%s", indent, d.name,
                 d.usable ? "" : "cannot be used: ", d.text);
        page_text(stdout, 24, line);
    }
    page_text(stdout, 0,
              "The environment variable LATMC_DEVICE says what auto is instead, if it is set.");
}

void lattice_print_models(void)
{
    lattice_print_devices();
    for (int i = 0; i < lattice_things(LATMC_MODELS, 0); i++) {
        const latmc_description model = lattice_thing(LATMC_MODELS, 0, i);
        char line[LINE_BYTES];

        snprintf(line, sizeof line, "\nmodel %s: %s", model.name, model.meaning);
        page_text(stdout, 0, line);
        print_options(model.id);
        print_params(model.id);
        print_updates(model.id);
        print_names("--boundary:", "", LATMC_BOUNDARIES, model.id);
        if (lattice_model_has(model.id, OF_BONDS))
            print_names("--couplings:", "uniform", LATMC_DISTRIBUTIONS, model.id);
        if (lattice_model_has(model.id, OF_SITES))
            print_names("--site-fields:", "none", LATMC_DISTRIBUTIONS, model.id);
        print_names("--start:", "", LATMC_START_MODES, model.id);
        print_names("observables:", "", LATMC_OBSERVABLES, model.id);
        print_names("of pairs:", "", LATMC_PAIR_OBSERVABLES, model.id);
    }
}
