/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds entries of lists that several models share. */
#ifndef LM_ENTRIES_H
#define LM_ENTRIES_H

#include "lib/models/model.h"

/* Bounds of parameters, large enough for any units. No product of huge ones overflows. Those of
 * models of real numbers give finite energies, also in floats; fields beyond the sites' own bound
 * may overflow (doc/trajectory-phi4.md, "Accepting"). */
#define LM_HUGE_PARAM 1e30
#define LM_MAX_PARAM  1e6

/* The parameters that an update reads. */
#define LM_READS(...)                                                                              \
    .params = (const latmc_param[]){__VA_ARGS__},                                                  \
    .param_count = (int)(sizeof((latmc_param[]){__VA_ARGS__}) / sizeof(latmc_param))

/* A parameter, an option in steps of 1, and an update that alone reaches every state, with the
 * parameters that it reads. */
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
#define LM_ERGODIC(key, title, says, ...)                                                          \
    {                                                                                              \
        .id = LATMC_##key, .name = title, .meaning = says, .ergodic = 1, LM_READS(__VA_ARGS__)     \
    }

/* The entry of a type of sites. */
#define LM_TYPE(key, title, says, type, saved_bits)                                                \
    {                                                                                              \
        .id = LATMC_##key, .name = title, .meaning = says, .bytes = sizeof(type),                  \
        .bits = saved_bits                                                                         \
    }

/* The type of sites in arrays that are as in a saved file. Only its entry is used. */
#define LM_SAVED_TYPE(most_bits)                                                                   \
    {                                                                                              \
        .entry = {                                                                                 \
            .id = LATMC_BITS,                                                                      \
            .name = "bits",                                                                        \
            .meaning = "the sites' digits, as a saved lattice has them",                           \
            .bits = most_bits                                                                      \
        }                                                                                          \
    }

/* A quantity per site, with power 0, or one of its powers. `of_many` computes many, or is NULL. */
#define LM_POWER(ID, of_name, says, plays, of_power, of_bundles, function, of_many)                \
    {                                                                                              \
        .id = LATMC_##ID, .name = of_name, .meaning = says, .role = plays, .bundles = of_bundles,  \
        .per_site = (of_power) == 0, .power = of_power, .observe = function,                       \
        .observe_many = of_many                                                                    \
    }

/* The energy per site and its powers. `function` computes the energy from some bundles. */
#define LM_ENERGIES(of_bundles, function, of_many)                                                 \
    LM_POWER(ENERGY, "energy", "e, energy per site", LATMC_ROLE_ENERGY, 0, of_bundles, function,   \
             of_many),                                                                             \
        LM_POWER(ENERGY2, "energy2", "e^2, square of the energy per site", LATMC_ROLE_ENERGY2, 2,  \
                 of_bundles, function, of_many),                                                   \
        LM_POWER(ENERGY4, "energy4", "e^4, fourth power of the energy per site",                   \
                 LATMC_ROLE_ENERGY4, 4, of_bundles, function, of_many)

/* The share of proposals that the last sweep accepted. */
#define LM_ACCEPTANCE(of_bundles, function)                                                        \
    {                                                                                              \
        .id = LATMC_ACCEPTANCE, .name = "acceptance",                                              \
        .meaning = "share of the last sweep's proposals that were accepted",                       \
        .role = LATMC_ROLE_ACCEPTANCE, .bundles = of_bundles, .per_site = 1, .observe = function   \
    }

/* The share of sites that the last sweep changed. */
#define LM_CHANGED(of_bundles, function)                                                           \
    {                                                                                              \
        .id = LATMC_CHANGED, .name = "changed",                                                    \
        .meaning = "share of the sites that the last sweep changed", .role = LATMC_ROLE_CHANGED,   \
        .bundles = of_bundles, .per_site = 1, .observe = function                                  \
    }

/* The structure factors at the smallest momenta along the axes. `what` names them. */
#define LM_STRUCTURE(what, of_bundles, function)                                                   \
    {                                                                                              \
        .id = LATMC_STRUCTURE, .name = "structure",                                                \
        .meaning = what " at the smallest momentum along the axis", .role = LATMC_ROLE_STRUCTURE,  \
        .index = LATMC_INDEX_AXIS, .bundles = of_bundles, .observe = function                      \
    }

/* The shares of the sites in each state. */
#define LM_OCCUPATION(of_bundles, function)                                                        \
    {                                                                                              \
        .id = LATMC_OCCUPATION, .name = "occupation",                                              \
        .meaning = "share of the sites in the state", .role = LATMC_ROLE_OCCUPATION,               \
        .index = LATMC_INDEX_STATE, .bundles = of_bundles, .observe = function                     \
    }

/* A quantity per site and its powers, which have no role. `what` names it in their meanings. */
#define LM_POWERS(ID, of_name, says, what, of_bundles, function)                                   \
    LM_POWER(ID, of_name, says, LATMC_ROLE_NONE, 0, of_bundles, function, NULL),                   \
        LM_POWER(ID##2, of_name "2", "square of " what, LATMC_ROLE_NONE, 2, of_bundles, function,  \
                 NULL),                                                                            \
        LM_POWER(ID##4, of_name "4", "fourth power of " what, LATMC_ROLE_NONE, 4, of_bundles,      \
                 function, NULL)

/* The magnetization per site, its modulus and its powers. */
#define LM_MAGNETIZATIONS(of_bundles, function, of_many)                                           \
    LM_POWER(MAGNETIZATION, "magnetization", "m = (1/N) sum_i s_i, mean of the sites' values",     \
             LATMC_ROLE_ORDER, 0, of_bundles, function, of_many),                                  \
        {.id = LATMC_ABS_MAGNETIZATION,                                                            \
         .name = "abs_magnetization",                                                              \
         .meaning = "|m|, absolute magnetization per site",                                        \
         .role = LATMC_ROLE_ABS_ORDER,                                                             \
         .bundles = of_bundles,                                                                    \
         .per_site = 1,                                                                            \
         .modulus = 1,                                                                             \
         .observe = function,                                                                      \
         .observe_many = of_many},                                                                 \
        LM_POWER(M2, "m2", "m^2, square of the magnetization per site", LATMC_ROLE_ORDER2, 2,      \
                 of_bundles, function, of_many),                                                   \
        LM_POWER(M4, "m4", "m^4, fourth power of the magnetization per site", LATMC_ROLE_ORDER4,   \
                 4, of_bundles, function, of_many)

/* The vector m per site: its components, its length, m . m and (m . m)^2. `size_of_vector` is for
 * a model whose sites do not have the components of m. */
#define LM_VECTOR_MAGNETIZATIONS(says, of_bundles, moment, size_of_vector, length, square)         \
    {.id = LATMC_MAGNETIZATION,                                                                    \
     .name = "magnetization",                                                                      \
     .meaning = says,                                                                              \
     .role = LATMC_ROLE_NONE,                                                                      \
     .index = LATMC_INDEX_COMPONENT,                                                               \
     .size = size_of_vector,                                                                       \
     .bundles = of_bundles,                                                                        \
     .per_site = 1,                                                                                \
     .observe = moment},                                                                           \
        LM_LENGTHS("|m|, length of m", "m . m", of_bundles, length, square)

/* The length of a vector m, its square and the square of that. */
#define LM_LENGTHS(says, says_square, of_bundles, length, square)                                  \
    {.id = LATMC_ABS_MAGNETIZATION,                                                                \
     .name = "abs_magnetization",                                                                  \
     .meaning = says,                                                                              \
     .role = LATMC_ROLE_ABS_ORDER,                                                                 \
     .bundles = of_bundles,                                                                        \
     .per_site = 1,                                                                                \
     .observe = length},                                                                           \
        {.id = LATMC_M2,                                                                           \
         .name = "m2",                                                                             \
         .meaning = says_square,                                                                   \
         .role = LATMC_ROLE_ORDER2,                                                                \
         .bundles = of_bundles,                                                                    \
         .observe = square},                                                                       \
    {                                                                                              \
        .id = LATMC_M4, .name = "m4", .meaning = "(m . m)^2", .role = LATMC_ROLE_ORDER4,           \
        .bundles = of_bundles, .power = 2, .observe = square                                       \
    }

/* The number of proposals at each visit of a site. */
#define LM_HITS(most)                                                                              \
    {                                                                                              \
        .id = LATMC_HITS, .name = "hits", .meaning = "proposals at each visit of a site",          \
        .minimum = 1.0, .maximum = most, .preset = 1.0, .step = 1.0, .of_updates = 1               \
    }

#endif
