/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hashes DEVICE: the state of a few awkward lattices after some sweeps on one device, a line
 * each, so that devices, processors and architectures can be compared by diff. Needs the
 * library alone, hence runs wherever a cross compiler reaches. The device goes to stderr.
 */
#include <latmc/latmc.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct sample {
    int dims;
    int64_t extents[LATMC_MAX_DIMS];
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    int64_t replicas;
    int bonds; /* 1: +-J */
    double field;
} sample;

#define P LATMC_PERIODIC
#define A LATMC_ANTIPERIODIC
#define O LATMC_OPEN

static const sample samples[] = {
    {1, {2}, {P}, 1, 0, 0},
    {1, {37}, {P}, 3, 0, 0.2},
    {1, {1000}, {O}, 2, 1, 0},
    {2, {64, 64}, {P, P}, 5, 0, 0},
    {2, {1024, 6}, {P, A}, 1, 0, 0},
    {2, {98, 30}, {A, O}, 2, 1, -0.1},
    {2, {7, 9}, {P, P}, 40, 0, 0},
    {2, {3, 130}, {P, P}, 2, 1, 0.3},
    {2, {521, 12}, {P, P}, 3, 0, 0},
    {3, {16, 16, 16}, {P, P, P}, 9, 0, 0},
    {3, {6, 10, 14}, {O, P, A}, 33, 1, 0},
    {3, {5, 4, 3}, {P, O, P}, 17, 1, 0.05},
    {4, {6, 4, 2, 8}, {P, P, P, P}, 6, 0, 0},
    {4, {33, 2, 3, 5}, {P, A, P, O}, 2, 1, 0.1},
};

/* sample.field is 1 / Lambda. sample.bonds: over-relaxation carries the field away until energies
 * overflow, because the coefficient of phi^2 all but vanishes. */
static const sample fields[] = {
    {1, {250}, {A}, 1, 0, 0.5},
    {2, {24, 15}, {P, O}, 1, 0, 0.0},
    {3, {16, 8, 12}, {P, P, P}, 1, 0, 0.25},
    {4, {5, 8, 4, 6}, {P, O, A, P}, 1, 0, 1.0},
    {2, {20, 24}, {P, P}, 1, 1, 100.0},
};

/* The other models: of three replicas, with an option and a parameter of the model's own. */
typedef struct kind {
    latmc_model model;
    latmc_option option;
    latmc_param param;
    latmc_quantity thing;
    latmc_update updates[4]; /* up to 0 */
} kind;

static const kind vectors = {LATMC_ONVECTOR,
                             LATMC_N,
                             LATMC_BETA,
                             LATMC_QUANTITY(LATMC_ENERGY),
                             {LATMC_METROPOLIS, LATMC_OVERRELAX, LATMC_HEATBATH}};
static const kind potts = {LATMC_POTTS,
                           LATMC_Q,
                           LATMC_BETA,
                           LATMC_QUANTITY(LATMC_ENERGY),
                           {LATMC_METROPOLIS, LATMC_METROPOLIS_OTHER, LATMC_HEATBATH}};
static const kind automata = {
    LATMC_AUTOMATON, LATMC_BIRTH, LATMC_NOISE, LATMC_QUANTITY(LATMC_DENSITY), {LATMC_SYNCHRONOUS}};

typedef struct other {
    const kind *of;
    int64_t option, precision; /* 0: it has none */
    int dims;
    int64_t extents[LATMC_MAX_DIMS];
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    int bonds; /* 1: Gaussian */
    double param[3];
} other;

/* Of Potts, states in bytes and in words of bits. */
static const other others[] = {
    {&vectors, 2, 32, 2, {24, 17}, {P, O}, 0, {0.8, 0.9, 1.0}},
    {&vectors, 3, 64, 3, {8, 6, 10}, {P, P, A}, 1, {0.5, 0.8, 1.1}},
    {&vectors, 4, 32, 1, {101}, {P}, 0, {1.0, 1.5, 2.0}},
    {&potts, 20, 0, 2, {33, 16}, {P, P}, 0, {1.2, 1.3, 1.4}},
    {&potts, 10, 0, 2, {66, 16}, {P, P}, 0, {1.2, 1.3, 1.4}},
    {&potts, 3, 0, 3, {7, 6, 5}, {O, P, P}, 1, {0.5, 0.8, 1.1}},
    {&potts, 3, 0, 2, {96, 20}, {P, P}, 0, {0.9, 0.9, 0.9}},
    {&potts, 4, 0, 3, {34, 6, 5}, {P, O, P}, 0, {0.5, 0.7, 0.9}},
    {&automata, 72, 0, 2, {130, 9}, {P, O}, 0, {0.0, 0.01, 0.02}},
    {&automata, 8, 0, 2, {521, 12}, {P, P}, 0, {0.001, 0.2, 1.0}},
};

static latmc_status set(latmc_lattice *lattice, const sample *s, const char *device)
{
    double betas[64];
    for (int64_t r = 0; r < s->replicas; r++)
        betas[r] = 0.2 + 0.01 * (double)r;
    latmc_status status = latmc_set_replicas(lattice, s->replicas);
    if (!status)
        status = latmc_set_boundaries(lattice, s->boundaries);
    if (!status)
        status = latmc_set_params(lattice, LATMC_BETA, betas);
    if (!status)
        status = latmc_set_param(lattice, LATMC_FIELD, s->field);
    if (!status && s->bonds)
        status = latmc_draw_bond_couplings(lattice, LATMC_PLUS_MINUS_ONE, 7, 0, NULL, NULL);
    if (!status)
        status = latmc_set_device(lattice, device);
    if (!status)
        status = latmc_start(lattice, LATMC_START_HOT);
    return status;
}

static latmc_status run(latmc_lattice *lattice, uint64_t *hash, double *energy)
{
    latmc_status status = latmc_sweep(lattice, LATMC_METROPOLIS, 20);
    if (!status)
        status = latmc_sweep(lattice, LATMC_HEATBATH, 20);
    if (!status)
        status = latmc_state_hash(lattice, hash);
    if (!status)
        status = latmc_observe(lattice, LATMC_BY_REPLICA, 1,
                               &(latmc_quantity)LATMC_QUANTITY(LATMC_ENERGY), energy);
    return status;
}

static int show(const sample *s, int number, const char *device)
{
    latmc_lattice *lattice = NULL;
    double energy[64];
    uint64_t hash = 0;
    char name[32] = "";
    latmc_status status = latmc_create(&lattice, LATMC_ISING, s->dims, s->extents);
    if (!status)
        status = set(lattice, s, device);
    if (!status)
        status = run(lattice, &hash, energy);
    if (!status)
        status = latmc_get_device(lattice, name, sizeof name);
    if (status)
        fprintf(stderr, "%s: %s\n", latmc_status_name(status), latmc_error_message());
    else
        printf("%d %016" PRIx64 " %a\n", number, hash, energy[s->replicas - 1]);
    if (!status && number == 0)
        fprintf(stderr, "device %s\n", name);
    latmc_destroy(lattice);
    return status != LATMC_OK;
}

/* Fields: floats and doubles in turn, with and without the cut-off term, every update. */
static int show_field(const sample *s, int number, const char *device)
{
    static const latmc_update updates[] = {LATMC_METROPOLIS, LATMC_BLOCK_METROPOLIS,
                                           LATMC_OVERRELAX};
    latmc_lattice *lattice = NULL;
    const double degree = 2.0 * s->dims;
    double energy[64];
    uint64_t hash = 0;
    latmc_status status = latmc_create(&lattice, LATMC_PHI4, s->dims, s->extents);
    if (!status)
        status = latmc_set_boundaries(lattice, s->boundaries);
    if (!status)
        status = latmc_set_option(lattice, LATMC_PRECISION, number % 2 ? 64 : 32);
    if (!status)
        status = latmc_set_option(lattice, LATMC_CUTOFF, s->field > 0.0);
    if (!status)
        status = latmc_set_param(lattice, LATMC_INV_LAMBDA, s->field);
    if (!status)
        status = latmc_set_param(lattice, LATMC_HITS, 5);
    if (!status && s->bonds)
        status = latmc_set_param(lattice, LATMC_G, 1e-300);
    if (!status && s->bonds)
        status =
            latmc_set_param(lattice, LATMC_MU2, -1.0 - degree - s->field * degree * (degree + 1.0));
    if (!status)
        status = latmc_set_device(lattice, device);
    if (!status)
        status = latmc_start(lattice, LATMC_START_HOT);
    for (int u = 0; u < 3 && !status; u++)
        status = latmc_sweep(lattice, updates[u], 5);
    if (!status)
        status = latmc_state_hash(lattice, &hash);
    if (!status)
        status = latmc_observe(lattice, LATMC_BY_REPLICA, 1,
                               &(latmc_quantity)LATMC_QUANTITY(LATMC_ENERGY), energy);
    if (status)
        fprintf(stderr, "%s: %s\n", latmc_status_name(status), latmc_error_message());
    else
        printf("field %d %016" PRIx64 " %a\n", number, hash, energy[0]);
    latmc_destroy(lattice);
    return status != LATMC_OK;
}

static latmc_status set_other(latmc_lattice *lattice, const other *o, const char *device)
{
    latmc_status status = latmc_set_replicas(lattice, 3);
    if (!status)
        status = latmc_set_boundaries(lattice, o->boundaries);
    if (!status)
        status = latmc_set_option(lattice, o->of->option, o->option);
    if (!status && o->precision)
        status = latmc_set_option(lattice, LATMC_PRECISION, o->precision);
    if (!status)
        status = latmc_set_params(lattice, o->of->param, o->param);
    if (!status && o->bonds)
        status = latmc_draw_bond_couplings(lattice, LATMC_GAUSSIAN, 7, 0, NULL, NULL);
    if (!status)
        status = latmc_set_device(lattice, device);
    if (!status)
        status = latmc_start(lattice, LATMC_START_HOT);
    return status;
}

static int show_other(const other *o, int number, const char *device)
{
    latmc_lattice *lattice = NULL;
    double of[3];
    uint64_t hash = 0;
    latmc_status status = latmc_create(&lattice, o->of->model, o->dims, o->extents);
    if (!status)
        status = set_other(lattice, o, device);
    for (int u = 0; o->of->updates[u] && !status; u++)
        status = latmc_sweep(lattice, o->of->updates[u], 10);
    if (!status)
        status = latmc_state_hash(lattice, &hash);
    if (!status)
        status = latmc_observe(lattice, LATMC_BY_REPLICA, 1, &o->of->thing, of);
    if (status)
        fprintf(stderr, "%s: %s\n", latmc_status_name(status), latmc_error_message());
    else
        printf("other %d %016" PRIx64 " %a\n", number, hash, of[2]);
    latmc_destroy(lattice);
    return status != LATMC_OK;
}

/* Numbers of every kind, from the middle of a block and of a register to that of another; their
 * bytes' FNV-1a. A GPU fills memory of its own alone, and has tests for that. */
static int show_numbers(latmc_random_kind kind, const char *device)
{
    enum { COUNT = 1001 };
    double numbers[COUNT] = {0};
    const unsigned char *byte = (const unsigned char *)numbers;
    const latmc_random_request request = {.size = sizeof request,
                                          .device = strncmp(device, "cpu", 3) == 0 ? device : "cpu",
                                          .threads = 2,
                                          .kind = kind,
                                          .seed = 3,
                                          .stream = 5,
                                          .first = 4294967291,
                                          .count = COUNT};
    uint64_t hash = 14695981039346656037u;

    if (latmc_random_fill(&request, numbers)) {
        fprintf(stderr, "%s\n", latmc_error_message());
        return 1;
    }
    for (size_t i = 0; i < sizeof numbers; i++)
        hash = (hash ^ byte[i]) * 1099511628211u;
    printf("numbers %d %016" PRIx64 "\n", (int)kind, hash);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: hashes DEVICE\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        if (show(&samples[i], (int)i, argv[1]))
            return 1;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (show_field(&fields[i], (int)i, argv[1]))
            return 1;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (show_other(&others[i], (int)i, argv[1]))
            return 1;
    for (int kind = LATMC_RANDOM_WORDS; kind <= LATMC_RANDOM_GAUSSIAN_DOUBLE; kind++)
        if (show_numbers((latmc_random_kind)kind, argv[1]))
            return 1;
    return 0;
}
