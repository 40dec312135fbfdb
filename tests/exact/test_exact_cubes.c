/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of spin glasses in three dimensions. Of 4 x 4 x 4 Ising spins what parallel tempering
 * measures and the ground states it finds, against a transfer matrix (ea444_samples.json); of
 * 8 x 8 x 8 and of Heisenberg spins means of replicas and of pairs, against a separate program,
 * which updated random sites by Metropolis, with its errors (referee_values.json). None owes
 * anything to this library. Couplings are what NumPy's default_rng(seed) gives: +1 where random()
 * is below 1/2, or standard_normal().
 */
#include "tests/exact/means.h"
#include "tests/derived.h"

enum { SAMPLES = 64, LADDERS = 2 * SAMPLES, THERMALIZE = 50, RECORDS = 80 }; /* both in rounds */
enum { SLOTS = 3, SITES = 512 };                                             /* the most */

typedef struct cube {
    const char *name;
    latmc_model model;
    latmc_update update;
    int sweeps, gaussian, extent, slots; /* sweeps of a round, slots of a ladder */
    double ground, beta, step; /* least energy, or 0: not known; beta of slots 0, 1 less 0 */
    uint64_t state, low_state, increment, low_increment; /* of the seed: PCG64's, 128 bits each */
} cube;

static const cube cubes[] = {
    {"EA 4x4x4, +-J", LATMC_ISING, LATMC_METROPOLIS, 5, 0, 4, 3, -110.0, 0.5, 0.2,
     0x9c5b484bfedb756c, 0x2a6e7d6f320fbc7e, 0x922af2da2645f895, 0xa19857b95740937b}, /* 1 */
    {"EA 4x4x4, Gaussian", LATMC_ISING, LATMC_METROPOLIS, 5, 1, 4, 3, -97.6872204178, 0.5, 0.25,
     0x692416b3311ec79c, 0x2a21eb1bc4f483cc, 0x5bae0a5743882ba5, 0xd1ad0f9f2cb8dbef}, /* 2 */
    {"EA 8x8x8, +-J", LATMC_ISING, LATMC_METROPOLIS, 10, 0, 8, 1, 0.0, 0.6, 0.0, 0x6b00d0fb170ad4f8,
     0xa9bbfcf88690096e, 0x05f8ac07ffe071c3, 0xb00016928186734b}, /* 11 */
    {"EA 8x8x8, Gaussian", LATMC_ISING, LATMC_METROPOLIS, 10, 1, 8, 1, 0.0, 0.6, 0.0,
     0xd8883e496d47dfac, 0x6cc161e471a4e179, 0x6a860436549d7887, 0x43aa67dd1e6eb5ab}, /* 12 */
    {"Heisenberg 4x4x4, Gaussian", LATMC_ONVECTOR, LATMC_HEATBATH, 4, 1, 4, 1, 0.0, 1.5, 0.0,
     0x2e398eefa3f5cb22, 0xf45b8960ee5dbec5, 0xeef1e9b02330da2f, 0xa1b4efab0cf5e63f}, /* 13 */
};

enum { E, E2, Q2, LINK, AVERAGES, C = E2 }; /* e and e^2 are averaged, and C comes from both */

typedef struct answer {
    int cube, slot;
    double e, e_error, c, c_error, q2, q2_error, link, link_error; /* q2 0: not known */
} answer;

static const answer answers[] = {
    {0, 0, -1.3312869444057656, 0.0, 0.4201419408518516, 0.0, 0.0, 0.0, 0.0, 0.0},
    {0, 2, -1.6347424087767812, 0.0, 0.22136207824075865, 0.0, 0.0, 0.0, 0.0, 0.0},
    {1, 0, -1.0606788025527563, 0.0, 0.3045452737179883, 0.0, 0.0, 0.0, 0.0, 0.0},
    {1, 2, -1.3884019628585047, 0.0, 0.2890285589703328, 0.0, 0.0, 0.0, 0.0, 0.0},
    {2, 0, -1.4726265885416665, 2.0655851e-4, 0.44408327533515146, 1.3700793e-3,
     0.03733757919311524, 6.196515e-4, 0.29388044270833336, 2.491497e-4},
    {3, 0, -1.354291738778175, 2.2131829e-4, 0.4172690449982883, 1.3512004e-3, 0.023662280832926437,
     4.557765e-4, 0.24792752604166654, 2.646522e-4},
    {4, 0, -1.1841331985880865, 1.8517494e-4, 0.9318742374848448, 1.5631417e-3, 0.04777319606917567,
     8.105425e-5, 0.1525134818516224, 9.118525e-5},
};

/* ---- couplings: PCG64, and normal numbers by a ziggurat of 256 layers of the same area */

__extension__ typedef unsigned __int128 wide;
static wide state, increment;
static double edge[257]; /* where a layer ends; [0] = 0, and [256]: were the tail's a rectangle */

static uint64_t next_word(void)
{
    state = state * ((wide)0x2360ed051fc65da4 << 64 | 0x4385df649fccf645) + increment;
    const uint64_t word = (uint64_t)(state >> 64 ^ state), turn = (uint64_t)(state >> 122);
    return word >> turn | word << (-turn & 63);
}

static double next_uniform(void)
{
    return (double)(next_word() >> 11) * 0x1p-53;
}

static double bell(double x)
{
    return exp(-0.5 * x * x);
}

static void make_edges(void)
{
    const double last = 3.6541528853610088;
    const double area = last * bell(last) + sqrt(acos(0.0)) * erfc(last / sqrt(2.0));

    edge[256] = area / bell(last);
    edge[255] = last;
    for (int k = 254; k > 0; k--)
        edge[k] = sqrt(-2.0 * log(area / edge[k + 1] + bell(edge[k + 1])));
}

static double next_normal(void)
{
    for (;;) {
        const uint64_t word = next_word();
        const int k = word & 255 ? (int)(word & 255) : 256;
        const double x = (double)(word << 3 >> 12) * 0x1p-52 * edge[k], low = bell(edge[k]);
        if (x < edge[k - 1] ||
            (k < 256 && low + (bell(edge[k - 1]) - low) * next_uniform() < bell(x)))
            return word & 256 ? -x : x;
        while (k == 256) {
            const double tail = -log1p(-next_uniform()) / edge[255];
            if (-2.0 * log1p(-next_uniform()) > tail * tail)
                return word >> 17 & 1 ? -edge[255] - tail : edge[255] + tail;
        }
    }
}

static double bonds[SAMPLES * 3 * SITES]; /* [sample][axis][site], of all samples the same */

static void make_bonds(const cube *c, int sites)
{
    make_edges();
    state = (wide)c->state << 64 | c->low_state;
    increment = (wide)c->increment << 64 | c->low_increment;
    for (int i = 0; i < SAMPLES * 3 * sites; i++)
        if (i >= 3 * sites)
            bonds[i] = bonds[i - 3 * sites];
        else
            bonds[i] = c->gaussian ? next_normal() : next_uniform() < 0.5 ? 1.0 : -1.0;
}

/* ---- ladders: two of each sample */

static latmc_lattice *lattice_of(const cube *c, int sites)
{
    double beta[LADDERS * SLOTS];
    latmc_lattice *lattice = NULL;

    make_bonds(c, sites);
    for (int r = 0; r < LADDERS * c->slots; r++)
        beta[r] = c->beta + c->step * (r % c->slots);
    ok(latmc_create(&lattice, c->model, 3, (int64_t[]){c->extent, c->extent, c->extent}));
    if (c->model == LATMC_ONVECTOR)
        ok(latmc_set_option(lattice, LATMC_N, 3));
    ok(latmc_set_replicas(lattice, LADDERS * c->slots));
    ok(latmc_set_samples(lattice, SAMPLES, 0));
    ok(latmc_set_ladders(lattice, 2));
    ok(latmc_set_bond_couplings(lattice, bonds));
    ok(latmc_set_seed(lattice, 444));
    ok(set_round(lattice, c->update, c->sweeps, c->slots > 1));
    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_set_param(lattice, LATMC_BETA, 0.0));
    ok(latmc_set_ramp(lattice, LATMC_BETA, beta, THERMALIZE / 2 * c->sweeps));
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, THERMALIZE));
    return lattice;
}

/* Over the time: [quantity][slot][ladder]; of pairs, both ladders' first slots, [..][0][sample]. */
static double average[AVERAGES][SLOTS][LADDERS];

static void measure(const cube *c, latmc_lattice *lattice)
{
    static double series[2 * LADDERS * SLOTS][RECORDS], of_pairs[2 * SAMPLES][RECORDS];
    const latmc_observable q2 = c->model == LATMC_ISING ? LATMC_OVERLAP2 : LATMC_TENSOR_OVERLAP2;
    const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_ENERGY), LATMC_QUANTITY(LATMC_ENERGY2),
                                   LATMC_QUANTITY(q2), LATMC_QUANTITY(LATMC_LINK_OVERLAP)};
    const int replicas = LADDERS * c->slots;
    int64_t firsts[LADDERS];
    const latmc_recording pairs = {.size = sizeof pairs,
                                   .order = LATMC_BY_SLOT,
                                   .pair_count = SAMPLES,
                                   .pairs = firsts,
                                   .pair_quantity_count = 2,
                                   .pair_quantities = what + Q2,
                                   .pair_series = of_pairs[0]};
    double error;

    for (int k = 0; k < LADDERS; k++)
        firsts[k] = k * c->slots;
    ok(record_pair_series(lattice, LATMC_SCHEDULE, 1, RECORDS, 2, what, series[0], &pairs));
    for (int k = 0; k < 2 * replicas; k++)
        spread(series[k], RECORDS, &average[k / replicas][k % c->slots][k % replicas / c->slots],
               &error);
    for (int k = 0; k < 2 * SAMPLES; k++)
        spread(of_pairs[k], RECORDS, &average[Q2 + k / SAMPLES][0][k % SAMPLES], &error);
}

static int slot_agrees(const answer *a, int sites)
{
    static const char *const names[] = {"e", "C", "q^2", "q_link"};
    const double exact[] = {a->e, a->c, a->q2, a->link};
    const double error[] = {a->e_error, a->c_error, a->q2_error, a->link_error};
    const double *const energies[2] = {average[E][a->slot], average[E2][a->slot]};
    const cube *c = &cubes[a->cube];
    latmc_scale scale = {sizeof scale, c->beta + c->step * a->slot, sites};
    latmc_estimate x = LATMC_INIT(latmc_estimate);
    char name[80];
    int good = 1;

    snprintf(name, sizeof name, "%s, beta %g", c->name, scale.beta);
    for (int q = 0; q < (a->q2 > 0.0 ? AVERAGES : Q2); q++) {
        if (q == C)
            ok(jackknife(energies, 2, LADDERS, LADDERS, latmc_specific_heat, &scale, &x));
        else
            spread(average[q][a->slot], q < Q2 ? LADDERS : SAMPLES, &x.value, &x.error);
        good &= agrees(name, names[q], x.value, hypot(x.error, error[q]), exact[q]);
    }
    return good;
}

static double energy_of(const cube *c, int sites, const int8_t *s)
{
    double energy = 0.0;

    for (int axis = 0, stride = 1; axis < 3; axis++, stride *= c->extent)
        for (int i = 0; i < sites; i++) {
            const int x = i / stride % c->extent, up = (x + 1) % c->extent;
            energy -= bonds[axis * sites + i] * s[i] * s[i + (up - x) * stride];
        }
    return energy;
}

/* Some replica was there, none below. The library's energies have the digits of its floats. */
static void check_ground(const cube *c, int sites, latmc_lattice *lattice)
{
    double best[LADDERS * SLOTS];
    int found = 0;

    ok(latmc_get_best(lattice, best, NULL));
    for (int r = 0; r < LADDERS * c->slots; r++) {
        int8_t s[SITES];
        ok(get_best_replica(lattice, r, LATMC_INT8, s, sites));
        const double share = energy_of(c, sites, s) / c->ground;
        assert_true(share < 1.0 + 1e-9 && fabs(best[r] * sites / c->ground - share) < 1e-8);
        found += share > 1.0 - 1e-9;
    }
    assert_true(found > 0);
}

static void all(void **unused)
{
    int good = 1;

    (void)unused;
    for (const cube *c = cubes; c < cubes + ALL(cubes); c++) {
        const int sites = c->extent * c->extent * c->extent;
        latmc_lattice *lattice = lattice_of(c, sites);
        ok(latmc_keep_best(lattice, 1));
        measure(c, lattice);
        for (const answer *a = answers; a < answers + ALL(answers); a++)
            good &= a->cube != c - cubes || slot_agrees(a, sites);
        if (c->ground < 0.0)
            check_ground(c, sites, lattice);
        latmc_destroy(lattice);
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
