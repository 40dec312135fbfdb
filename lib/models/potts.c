/* SPDX-License-Identifier: BSD-3-Clause */
/* The Potts model's row in the table of models. */
#include <math.h>
#include <string.h>

#include "lib/models/draw.h"
#include "lib/models/entries.h"
#include "lib/physics/potts_observe.h"
#include "lib/physics/potts_shape.h"

/* Large enough for any units, small enough that no sum of their products overflows. */
#define HUGE_PARAM 1e30

enum { OPTION_Q };

static const lm_entry options[] = {
    [OPTION_Q] = {.id = LATMC_Q,
                  .name = "q",
                  .meaning = "states that a site may have, 2 to 256",
                  .minimum = LM_POTTS_LEAST,
                  .maximum = LM_POTTS_MOST,
                  .step = 1.0,
                  .preset = 3.0},
};

static int states(const int64_t *chosen)
{
    return (int)chosen[OPTION_Q];
}

static const lm_entry params[] = {
    [LM_POTTS_BETA] = {.id = LATMC_BETA,
                       .name = "beta",
                       .meaning =
                           "inverse temperature, in 1/energy; the preset, ln(1 + sqrt 3), is "
                           "critical on the square lattice for q = 3",
                       .minimum = -HUGE_PARAM,
                       .maximum = HUGE_PARAM,
                       .preset = 1.0050525387423810},
    [LM_POTTS_FIELD] = {.id = LATMC_FIELD,
                        .name = "field",
                        .meaning = "uniform field h on state 0, in energy per site",
                        .minimum = -HUGE_PARAM,
                        .maximum = HUGE_PARAM,
                        .preset = 0.0},
};

static const lm_entry updates[] = {
    [LM_POTTS_METROPOLIS] = {.id = LATMC_METROPOLIS,
                             .name = "metropolis",
                             .meaning = "propose one of all q states, accept with probability "
                                        "min(1, exp(-beta dE)), colour by colour",
                             .ergodic = 1},
    [LM_POTTS_OTHER] = {.id = LATMC_METROPOLIS_OTHER,
                        .name = "metropolis_other",
                        .meaning = "propose one of the q - 1 other states, accept with "
                                   "probability min(1, exp(-beta dE)), colour by colour",
                        .ergodic = 1},
    [LM_POTTS_HEATBATH] = {.id = LATMC_HEATBATH,
                           .name = "heatbath",
                           .meaning = "draw from the conditional distribution, colour by colour",
                           .ergodic = 1},
};

static const lm_entry boundaries[] = {
    {.id = LATMC_PERIODIC, .name = "periodic", .meaning = "the last site's neighbour is the first"},
    {.id = LATMC_OPEN, .name = "open", .meaning = "no bond between the last site and the first"},
};

static int group_begin(const int64_t *chosen, int group, int dims)
{
    return lm_potts_group_begin(states(chosen), group, dims);
}

/* ---- observables */

static double energy(const lm_reading *in)
{
    return lm_potts_energy(in->dims, in->axis_coupling, in->params[LM_POTTS_FIELD], in->sums) /
           in->sites;
}

static void energies(const lm_reading *in, int64_t stride, int64_t count, double *restrict values)
{
    lm_reading at = *in;

    for (int64_t i = 0; i < count; i++, at.sums += stride)
        values[i] = energy(&at);
}

static double action(const lm_reading *in)
{
    return lm_potts_action(in->dims, in->axis_coupling, in->params, in->sums);
}

static const double *counts_of(const lm_reading *in)
{
    return in->sums + group_begin(in->options, LM_POTTS_STATES, in->dims);
}

static double order(const lm_reading *in)
{
    return lm_potts_order(states(in->options), in->sites, counts_of(in));
}

static double square(const lm_reading *in)
{
    return lm_potts_square(states(in->options), in->sites, counts_of(in));
}

static double length(const lm_reading *in)
{
    return sqrt(square(in));
}

static double occupation(const lm_reading *in)
{
    return in->which < states(in->options) ? counts_of(in)[in->which] / in->sites : 0.0;
}

static double acceptance(const lm_reading *in)
{
    return in->sums[group_begin(in->options, LM_POTTS_CHANGES, in->dims)] / in->sites;
}

#define BONDS   (1u << LM_POTTS_BONDS)
#define STATES  (1u << LM_POTTS_STATES)
#define CHANGES (1u << LM_POTTS_CHANGES)

#define OCCUPATION(a, name_of_a)                                                                   \
    {                                                                                              \
        .id = LATMC_OCCUPATION_0 + (a), .name = "occupation_" name_of_a,                           \
        .meaning = "share of the sites in state " name_of_a "; 0 from q on",                       \
        .role = LATMC_ROLE_OCCUPATION, .axis = (a), .groups = STATES, .observe = occupation,       \
        .which = (a)                                                                               \
    }
#define OCCUPATIONS_10(tens, name_of_tens)                                                         \
    OCCUPATION(10 * (tens), name_of_tens "0"), OCCUPATION(10 * (tens) + 1, name_of_tens "1"),      \
        OCCUPATION(10 * (tens) + 2, name_of_tens "2"),                                             \
        OCCUPATION(10 * (tens) + 3, name_of_tens "3"),                                             \
        OCCUPATION(10 * (tens) + 4, name_of_tens "4"),                                             \
        OCCUPATION(10 * (tens) + 5, name_of_tens "5"),                                             \
        OCCUPATION(10 * (tens) + 6, name_of_tens "6"),                                             \
        OCCUPATION(10 * (tens) + 7, name_of_tens "7"),                                             \
        OCCUPATION(10 * (tens) + 8, name_of_tens "8"),                                             \
        OCCUPATION(10 * (tens) + 9, name_of_tens "9")
#define OCCUPATIONS_50(tens, a, b, c, d, e)                                                        \
    OCCUPATIONS_10(tens, a), OCCUPATIONS_10((tens) + 1, b), OCCUPATIONS_10((tens) + 2, c),         \
        OCCUPATIONS_10((tens) + 3, d), OCCUPATIONS_10((tens) + 4, e)

static const lm_entry observables[] = {
    LM_ENERGIES(BONDS, energy, energies),
    {.id = LATMC_ORDER_PARAMETER,
     .name = "order_parameter",
     .meaning = "(q max_a rho_a - 1) / (q - 1), rho_a the share of the sites in state a",
     .role = LATMC_ROLE_NONE,
     .groups = STATES,
     .per_site = 1,
     .observe = order},
    {.id = LATMC_ORDER_PARAMETER2,
     .name = "order_parameter2",
     .meaning = "square of the order parameter",
     .role = LATMC_ROLE_NONE,
     .groups = STATES,
     .power = 2,
     .observe = order},
    {.id = LATMC_ORDER_PARAMETER4,
     .name = "order_parameter4",
     .meaning = "fourth power of the order parameter",
     .role = LATMC_ROLE_NONE,
     .groups = STATES,
     .power = 4,
     .observe = order},
    {.id = LATMC_ABS_MAGNETIZATION,
     .name = "abs_magnetization",
     .meaning = "|m|, m the mean of vectors to the corners of a simplex that stand for states",
     .role = LATMC_ROLE_ABS_ORDER,
     .groups = STATES,
     .per_site = 1,
     .observe = length},
    {.id = LATMC_M2,
     .name = "m2",
     .meaning = "m . m = sum_a (q rho_a - 1)^2 / (q (q - 1))",
     .role = LATMC_ROLE_ORDER2,
     .groups = STATES,
     .observe = square},
    {.id = LATMC_M4,
     .name = "m4",
     .meaning = "(m . m)^2",
     .role = LATMC_ROLE_ORDER4,
     .groups = STATES,
     .power = 2,
     .observe = square},
    {.id = LATMC_ACCEPTANCE,
     .name = "acceptance",
     .meaning = "share of the sites whose state changed in the last sweep",
     .role = LATMC_ROLE_ACCEPTANCE,
     .groups = CHANGES,
     .per_site = 1,
     .observe = acceptance},
    OCCUPATIONS_10(0, ""),
    OCCUPATIONS_50(1, "1", "2", "3", "4", "5"),
    OCCUPATIONS_50(6, "6", "7", "8", "9", "10"),
    OCCUPATIONS_50(11, "11", "12", "13", "14", "15"),
    OCCUPATIONS_50(16, "16", "17", "18", "19", "20"),
    OCCUPATIONS_10(21, "21"),
    OCCUPATIONS_10(22, "22"),
    OCCUPATIONS_10(23, "23"),
    OCCUPATIONS_10(24, "24"),
    OCCUPATION(250, "250"),
    OCCUPATION(251, "251"),
    OCCUPATION(252, "252"),
    OCCUPATION(253, "253"),
    OCCUPATION(254, "254"),
    OCCUPATION(255, "255"),
};

static const lm_entry start_modes[] = {
    {.id = LATMC_START_HOT,
     .name = "hot",
     .meaning = "every state with probability 1/q, drawn from the seed"},
    {.id = LATMC_START_COLD, .name = "cold", .meaning = "every site in state 0"},
};

/* ---- sites: a byte, in arrays as in files */

static int64_t check_sites(const void *sites, int64_t count, int parts)
{
    const uint8_t *s = sites;
    int64_t i = 0;

    while (i < count && s[i] < parts)
        i++;
    return i;
}

static int check_saved(const uint8_t *bytes, int64_t count, int parts)
{
    return check_sites(bytes, count, parts) == count;
}

static void encode(const void *sites, int64_t count, uint8_t *bytes)
{
    memcpy(bytes, sites, (size_t)count);
}

static void decode(const uint8_t *bytes, int64_t count, void *sites)
{
    memcpy(sites, bytes, (size_t)count);
}

/* 1 if the states are the same. */
static void products(latmc_type type, int components, const void *a, const void *b, int64_t sites,
                     double *terms)
{
    const uint8_t *s = a, *t = b;

    (void)type;
    (void)components;
    for (int64_t i = 0; i < sites; i++)
        terms[i] = s[i] == t[i] ? 1.0 : 0.0;
}

static const lm_site_type types[] = {{.entry = {.id = LATMC_UINT8,
                                                .name = "uint8",
                                                .meaning = "a state, 0 to q - 1",
                                                .bytes = sizeof(uint8_t),
                                                .bits = 8},
                                      .check = check_sites,
                                      .encode = encode,
                                      .decode = decode,
                                      .check_saved = check_saved}};

/* In words where bits are few, and couplings are signs. */
static const lm_representation *representation(const int64_t *chosen, lm_kinds kinds)
{
    static const lm_representation words = {LM_IN_WORDS, types, NULL, 0},
                                   bytes = {LM_AS_BYTES, types, NULL, 0};
    const int real = kinds.couplings == LM_REAL_COUPLINGS || kinds.site_fields;

    return states(chosen) <= LM_POTTS_BORDER && !real ? &words : &bytes;
}

const lm_model lm_model_potts = {
    .entry = {.id = LATMC_POTTS,
              .name = "potts",
              .meaning = "states 0 .. q - 1, E = -sum_<ij> J_ij delta(s_i, s_j) - sum_i h_i "
                         "delta(s_i, 0)"},
    .lists = {[LM_PLACE(LATMC_PARAMS)] = LM_LIST(params),
              [LM_PLACE(LATMC_UPDATES)] = LM_LIST(updates),
              [LM_PLACE(LATMC_OBSERVABLES)] = LM_LIST(observables),
              [LM_PLACE(LATMC_BOUNDARIES)] = LM_LIST(boundaries),
              [LM_PLACE(LATMC_START_MODES)] = LM_LIST(start_modes),
              [LM_PLACE(LATMC_DISTRIBUTIONS)] = LM_LIST(lm_distributions),
              [LM_PLACE(LATMC_ARGUMENTS)] = LM_LIST(lm_arguments),
              [LM_PLACE(LATMC_OPTIONS)] = LM_LIST(options),
              [LM_PLACE(LATMC_PAIR_OBSERVABLES)] = {lm_overlaps, LM_OVERLAPS}},
    .groups = LM_POTTS_GROUPS,
    .group_begin = group_begin,
    .action = action,
    .action_groups = BONDS,
    .products = products,
    .types = types,
    .type_count = 1,
    .representation = representation,
    .states = states,
    .couplings = LM_SIGN_COUPLINGS,
    .site_fields = 1,
    .whole_moves = 1,
    .tuned = -1,
};
