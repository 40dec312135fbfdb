/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of lists that several models share. */
#ifndef LM_ENTRIES_H
#define LM_ENTRIES_H

#include "lib/models/model.h"

/* Bounds of parameters, large enough for any units. No product of huge ones overflows. Those of
 * models of real numbers give finite energies, also in floats; fields beyond the sites' own bound
 * may overflow (doc/trajectory-phi4.md, "Accepting"). */
#define LM_HUGE_PARAM 1e30
#define LM_MOST_PARAM 1e6

/* A parameter, an option in steps of 1, and an update that alone reaches every state. */
#define LM_PARAM(key, title, says, least, most, value)                                             \
    {                                                                                              \
        .id = LATMC_##key, .name = title, .meaning = says, .minimum = least, .maximum = most,      \
        .preset = value                                                                            \
    }
#define LM_OPTION(key, title, says, least, most, value)                                            \
    {                                                                                              \
        .id = LATMC_##key, .name = title, .meaning = says, .minimum = least, .maximum = most,      \
        .step = 1.0, .preset = value                                                               \
    }
#define LM_ERGODIC(key, title, says)                                                               \
    {                                                                                              \
        .id = LATMC_##key, .name = title, .meaning = says, .ergodic = 1                            \
    }

/* The entry of a type of sites. */
#define LM_TYPE(key, title, says, type, saved_bits)                                                \
    {                                                                                              \
        .id = LATMC_##key, .name = title, .meaning = says, .bytes = sizeof(type),                  \
        .bits = saved_bits                                                                         \
    }

/* The energy per site and its powers. `function` computes the energy from some bundles.
 * `of_many` computes many energies, or is NULL. */
#define LM_ENERGIES(of_bundles, function, of_many)                                                 \
    {.id = LATMC_ENERGY,                                                                           \
     .name = "energy",                                                                             \
     .meaning = "e, energy per site",                                                              \
     .role = LATMC_ROLE_ENERGY,                                                                    \
     .bundles = of_bundles,                                                                        \
     .per_site = 1,                                                                                \
     .observe = function,                                                                          \
     .observe_many = of_many},                                                                     \
        {.id = LATMC_ENERGY2,                                                                      \
         .name = "energy2",                                                                        \
         .meaning = "e^2, square of the energy per site",                                          \
         .role = LATMC_ROLE_ENERGY2,                                                               \
         .bundles = of_bundles,                                                                    \
         .power = 2,                                                                               \
         .observe = function,                                                                      \
         .observe_many = of_many},                                                                 \
    {                                                                                              \
        .id = LATMC_ENERGY4, .name = "energy4",                                                    \
        .meaning = "e^4, fourth power of the energy per site", .role = LATMC_ROLE_ENERGY4,         \
        .bundles = of_bundles, .power = 4, .observe = function, .observe_many = of_many            \
    }

/* The share of proposals that the last sweep accepted. */
#define LM_ACCEPTANCE(of_bundles, function)                                                        \
    {                                                                                              \
        .id = LATMC_ACCEPTANCE, .name = "acceptance",                                              \
        .meaning = "share of the last sweep's proposals that were accepted",                       \
        .role = LATMC_ROLE_ACCEPTANCE, .bundles = of_bundles, .per_site = 1, .observe = function   \
    }

/* The structure factor at the smallest momentum along an axis. `what` names the quantity at the
 * sites. */
#define LM_STRUCTURE(a, what, of_bundles, function)                                                \
    {                                                                                              \
        .id = LATMC_STRUCTURE_##a, .name = "structure_" #a,                                        \
        .meaning = what " at the smallest momentum along axis " #a, .role = LATMC_ROLE_STRUCTURE,  \
        .axis = a, .bundles = of_bundles, .observe = function, .which = a                          \
    }

/* The number of proposals at each visit of a site. */
#define LM_HITS(most)                                                                              \
    {                                                                                              \
        .id = LATMC_HITS, .name = "hits", .meaning = "proposals at each visit of a site",          \
        .minimum = 1.0, .maximum = most, .preset = 1.0, .step = 1.0, .of_updates = 1               \
    }

#endif
