/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Known answers: Philox's vectors from its authors, and the state of lattices of every kind
 * after some sweeps, so that a change of the trajectory does not go unnoticed.
 */
#include "lib/physics/philox_scalar.h"
#include "tests/field.h"
#include "tests/plain.h"

/*
 * philox4x32, 10 rounds, from tests/kat_vectors of the Random123 distribution 1.14.0, (c) D. E.
 * Shaw Research, BSD licence: all zeros, all ones, digits of pi.
 */
static const struct vector {
    uint32_t counter[4], key[2], block[4];
} vectors[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static void philox(void **state)
{
    uint32_t block[4];

    (void)state;
    for (size_t i = 0; i < ALL(vectors); i++) {
        lm_philox_scalar(vectors[i].counter, vectors[i].key, block);
        assert_memory_equal(block, vectors[i].block, sizeof block);
    }
}

typedef struct sample {
    const char *name;
    model model;
    latmc_update update;
    int64_t first, replicas, sweeps;
    uint64_t hash;
} sample;

#define M LATMC_METROPOLIS
#define H LATMC_HEATBATH

/* Folded: even extents. Packed: rows of at most 16 bits, so that replicas share words. */
static const sample samples[] = {
    {"1D, folded", {1, {1000}, {P}, .beta = 0.5}, M, 0, 2, 50, 0x3a51af66ff0ad4f6},
    {"2D, folded, packed, coins twice",
     {2, {8, 8}, {P, P}, .beta = 0.44},
     M,
     0,
     2,
     4100,
     0x71860154d44d7fda},
    {"2D, folded, beta 0", {2, {64, 6}, {P, P}, .beta = 0.0}, M, 0, 2, 20, 0x35ca348ad805e0f5},
    {"1D, natural, three colours, packed",
     {1, {15}, {P}, .beta = 0.5},
     M,
     0,
     7,
     50,
     0x12e03a17a4316700},
    {"1D, open, field, heat bath",
     {1, {101}, {O}, .beta = 0.5, .field = 0.3},
     H,
     0,
     3,
     50,
     0x9e9d6b9d832a019a},
    {"2D, folded", {2, {128, 64}, {P, P}, .beta = 0.44}, M, 0, 2, 100, 0xe56919f6fbcc5b35},
    {"2D, folded, packed", {2, {8, 12}, {P, P}, .beta = 0.44}, M, 0, 20, 100, 0xde1d682d0b4b298e},
    {"2D, folded, heat bath", {2, {66, 30}, {P, P}, .beta = 0.44}, H, 0, 2, 50, 0xbfba251bb1ee7060},
    {"2D, folded, antiperiodic",
     {2, {96, 20}, {A, P}, .beta = 0.44},
     M,
     0,
     2,
     100,
     0xf632f235a19b1a09},
    {"2D, folded, open", {2, {40, 22}, {P, O}, .beta = 0.44}, M, 0, 2, 100, 0x93c70cbb6a66cf3c},
    {"2D, folded, +-J",
     {2, {64, 64}, {P, P}, .bonds = DRAWN, .beta = 1.0},
     M,
     0,
     2,
     100,
     0x7b5c3a37d4d68c4c},
    {"2D, folded, packed, diluted",
     {2, {16, 16}, {P, P}, .bonds = DILUTED, .beta = 0.8},
     M,
     0,
     9,
     100,
     0x6a5c81f24942c282},
    {"2D, folded, axes",
     {2, {64, 30}, {P, P}, {1.0, -0.5}, .beta = 0.5},
     M,
     0,
     2,
     50,
     0xfe623e1c55192b4b},
    {"2D, folded, field, part of an ensemble",
     {2, {10, 10}, {P, P}, .beta = 0.4, .field = -0.1},
     M,
     5,
     20,
     50,
     0xedcfcb6590b68eb5},
    {"2D, beta < 0", {2, {64, 64}, {P, P}, .beta = -0.44}, M, 0, 2, 50, 0xfcd56c2c86ebc95a},
    {"2D, natural, three colours",
     {2, {65, 33}, {P, P}, .beta = 0.4},
     M,
     0,
     2,
     100,
     0x53067f7f9dcdaf1f},
    {"2D, natural, three colours, packed, +-J",
     {2, {7, 9}, {P, A}, .bonds = DRAWN, .beta = 0.7},
     M,
     3,
     10,
     100,
     0xd0f0e137176c5dd6},
    {"2D, natural, two colours",
     {2, {35, 16}, {O, P}, .beta = 0.4},
     M,
     0,
     2,
     100,
     0xeaee93d893fa3003},
    {"2D, natural, heat bath",
     {2, {33, 17}, {P, O}, .bonds = DILUTED, .beta = 0.6, .field = 0.2},
     H,
     0,
     2,
     50,
     0x6fe78d7ad1d1f698},
    {"3D, folded", {3, {64, 12, 10}, {P, P, P}, .beta = 0.22}, M, 0, 2, 100, 0xed1b4907b753d5be},
    {"3D, folded, packed, +-J",
     {3, {16, 16, 16}, {P, P, P}, .bonds = DRAWN, .beta = 0.9},
     M,
     0,
     9,
     50,
     0xecea49327b78c251},
    {"3D, natural, all boundaries",
     {3, {9, 7, 5}, {P, A, O}, .beta = 0.25},
     M,
     0,
     3,
     100,
     0x899f7bdaff2e73f5},
    {"3D, heat bath, axes",
     {3, {24, 6, 4}, {O, P, A}, {0.5, 1.0, -0.7}, DRAWN, .beta = 0.5, .field = 0.1},
     H,
     0,
     3,
     50,
     0x0212667d9f06a2a5},
    {"4D, folded", {4, {34, 6, 4, 6}, {P, P, P, P}, .beta = 0.15}, M, 0, 2, 50, 0xe893143948f0a15b},
    {"4D, natural, packed",
     {4, {5, 4, 3, 6}, {P, P, O, A}, .bonds = DRAWN, .beta = 0.4},
     M,
     0,
     5,
     50,
     0x8e8653d037c46758},
    {"4D, heat bath, extents of 2",
     {4, {2, 2, 2, 2}, {P, P, P, P}, .beta = 0.1, .field = 0.2},
     H,
     0,
     17,
     50,
     0xa046bdacdbc118d5},
};

static uint64_t state_of(const sample *s, const char *device)
{
    latmc_lattice *lattice = model_lattice(&s->model, s->replicas, 20251121);
    uint64_t hash;

    ok(latmc_set_first_replica(lattice, s->first));
    ok(latmc_set_device(lattice, device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, s->update, s->sweeps));
    hash = hash_of(lattice);
    latmc_destroy(lattice);
    return hash;
}

static void states(void **state)
{
    const char *device = *state;
    int good = 1;

    if (!usable(device))
        skip();
    for (size_t i = 0; i < ALL(samples); i++) {
        const uint64_t hash = state_of(&samples[i], device);
        if (hash == samples[i].hash)
            continue;
        print_error("%s on %s: 0x%016llx, not 0x%016llx\n", samples[i].name, device,
                    (unsigned long long)hash, (unsigned long long)samples[i].hash);
        good = 0;
    }
    assert_true(good);
}

/* Fields: every update in turn, three sweeps each. */
static const struct {
    const char *name;
    latmc_type type;
    field_model model;
    uint64_t hash;
} fields[] = {
    {"1D, floats",
     LATMC_FLOAT32,
     {1, {1000}, {P}, -1.0, 6.0, 0.0, 0.1, 1.5, 5, 2},
     0x74560cc4546774e9},
    {"2D, doubles, antiperiodic",
     LATMC_FLOAT64,
     {2, {48, 30}, {P, A}, -1.3, 6.0, 0.0, 0.0, 1.5, 2, 3},
     0xf581455df23d90cc},
    {"3D, floats, cut-off",
     LATMC_FLOAT32,
     {3, {16, 24, 8}, {P, P, P}, -0.5, 3.0, 0.25, 0.0, 1.2, 8, 2},
     0xb065bcf6c25d819e},
    {"3D, floats, odd, open",
     LATMC_FLOAT32,
     {3, {11, 9, 7}, {P, O, P}, -0.5, 3.0, 0.5, 0.2, 1.2, 3, 1},
     0xea77234f84fbe9b4},
    {"3D, floats, stretched colours",
     LATMC_FLOAT32,
     {3, {29, 14, 35}, {P, A, P}, -0.5, 3.0, 0.25, 0.1, 1.2, 2, 1},
     0xca00c53f798ff590},
    {"2D, doubles, stretched colours",
     LATMC_FLOAT64,
     {2, {34, 33}, {P, P}, -0.5, 3.0, 0.25, 0.1, 1.2, 1, 3},
     0x08af11e63b4193ab},
    {"4D, doubles, cut-off",
     LATMC_FLOAT64,
     {4, {6, 5, 4, 8}, {P, P, O, A}, 0.3, 2.0, 1.0, 0.0, 0.8, 1, 4},
     0x7327547b681d2a7a},
    {"3D, floats, many hits",
     LATMC_FLOAT32,
     {3, {24, 24, 24}, {P, P, P}, -0.5, 3.0, 0.25, 0.0, 1.2, 61, 2},
     0x0c3098a90997d1f1},
};

/* The last has enough hits for a device that decides by an estimate to meet close cases. */
static uint64_t field_state(size_t i, const char *device)
{
    static const latmc_update updates[] = {LATMC_METROPOLIS, LATMC_BLOCK_METROPOLIS,
                                           LATMC_OVERRELAX};
    latmc_lattice *lattice = field_lattice(&fields[i].model, 1, fields[i].type, 20251121);
    uint64_t hash;

    ok(latmc_set_device(lattice, device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    for (size_t u = 0; u < ALL(updates); u++)
        ok(latmc_sweep(lattice, updates[u], 3));
    hash = hash_of(lattice);
    latmc_destroy(lattice);
    return hash;
}

static void field_states(void **state)
{
    const char *device = *state;
    int good = 1;

    if (!usable(device))
        skip();
    for (size_t i = 0; i < ALL(fields); i++) {
        const uint64_t hash = field_state(i, device);
        if (hash == fields[i].hash)
            continue;
        print_error("%s on %s: 0x%016llx, not 0x%016llx\n", fields[i].name, device,
                    (unsigned long long)hash, (unsigned long long)fields[i].hash);
        good = 0;
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox),
        ON_EVERY_DEVICE(states),
        ON_EVERY_DEVICE(field_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
