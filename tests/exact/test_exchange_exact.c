/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel tempering of lattices small enough to sum over all their states: each slot has the means
 * of its own parameters and the distribution of its energy, though replicas come and go; and
 * neighbouring slots change replicas as often as the exact distribution of their two energies says.
 */
#include "tests/exact/enumerate.h"
#include "tests/exact/shares.h"

enum { SLOTS = 4, LADDERS = 1024, BEFORE = 200, MEASURED = 400, SITES = 16, MOMENTS = 7 };

static const latmc_quantity measured[MOMENTS] = {LATMC_QUANTITY(LATMC_ENERGY),
                                                 LATMC_QUANTITY(LATMC_ENERGY2),
                                                 LATMC_QUANTITY(LATMC_ENERGY4),
                                                 LATMC_QUANTITY(LATMC_MAGNETIZATION),
                                                 LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
                                                 LATMC_QUANTITY(LATMC_M2),
                                                 LATMC_QUANTITY(LATMC_M4)};

/* What the slots have; the model is 4 x 4. */
typedef struct ladder {
    const char *name;
    bond_kind bonds;
    double beta[SLOTS], field[SLOTS];
    int of_sample;       /* so many ladders are copies of each sample */
    const double *given; /* bonds that are not of that kind; NULL: they are */
    int records;
} ladder;

/* Between -1.5 and 1.5, as good as any. */
static const double reals[2 * SITES] = {
    0.31, -1.22, 0.87,  1.41,  -0.56, 0.09,  -0.93, 1.18, 0.66,  -0.27, -1.37,
    0.52, 1.03,  -0.74, 0.18,  -1.09, -0.48, 0.79,  1.27, -0.13, -0.88, 1.46,
    0.37, -0.61, 0.94,  -1.31, 0.24,  0.58,  -0.42, 1.11, -0.69, 0.83,
};

static const ladder ladders[] = {
    {"beta", UNIFORM, {0.2, 0.3, 0.4, 0.5}, {0.0, 0.0, 0.0, 0.0}, 1, NULL, MEASURED},
    {"beta, unordered", UNIFORM, {0.5, 0.1, 0.4, -0.1}, {0.0, 0.0, 0.0, 0.0}, 1, NULL, MEASURED},
    {"field, copies", UNIFORM, {0.3, 0.3, 0.3, 0.3}, {-0.4, -0.1, 0.2, 0.5}, 2, NULL, MEASURED},
    {"both, +-J", PM1, {0.4, 0.5, 0.7, 0.8}, {0.3, 0.2, 0.1, -0.1}, 1, NULL, MEASURED},
    {"beta, real couplings",
     PM1,
     {0.3, 0.6, 0.9, 1.2},
     {0.1, 0.1, 0.1, 0.1},
     1,
     reals,
     MEASURED / 8},
};

static model model_of(const ladder *l, int slot)
{
    return (model){.dims = 2,
                   .extents = {4, 4},
                   .boundaries = {P, P},
                   .bonds = l->bonds,
                   .given = l->given,
                   .beta = l->beta[slot],
                   .field = l->field[slot]};
}

/* Every ladder of replicas is a sample with the same bonds, or a copy of one. */
static latmc_lattice *lattice_of(const ladder *l, const char *device)
{
    const model m = model_of(l, 0);
    const int bonds = 2 * SITES;
    double *own = model_bonds(&m), *all = malloc(sizeof *all * (size_t)bonds * LADDERS);
    double beta[SLOTS * LADDERS], field[SLOTS * LADDERS];
    latmc_lattice *lattice = NULL;

    assert_non_null(all);
    for (int i = 0; i < bonds * LADDERS; i++)
        all[i] = own[i % bonds];
    for (int i = 0; i < SLOTS * LADDERS; i++) {
        beta[i] = l->beta[i % SLOTS];
        field[i] = l->field[i % SLOTS];
    }
    ok(latmc_create(&lattice, LATMC_ISING, 2, m.extents));
    ok(latmc_set_replicas(lattice, SLOTS * LADDERS));
    ok(latmc_set_samples(lattice, LADDERS / l->of_sample, 0));
    ok(latmc_set_ladders(lattice, l->of_sample));
    if (l->bonds != UNIFORM)
        ok(latmc_set_bond_couplings(lattice, all));
    ok(latmc_set_params(lattice, LATMC_BETA, beta));
    ok(latmc_set_params(lattice, LATMC_FIELD, field));
    ok(latmc_set_seed(lattice, 777 + (uint64_t)(l - ladders)));
    ok(set_round(lattice, LATMC_METROPOLIS, 1, 1));
    ok(latmc_set_device(lattice, device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, BEFORE));
    free(own);
    free(all);
    return lattice;
}

/* ---- the distribution of each slot's energy, of all 2^16 states */

static int slot_has_its_energies(const char *name, const plain *p, int records,
                                 const double *series, int64_t stride)
{
    level *levels = malloc(sizeof *levels << SITES);
    int good;

    assert_non_null(levels);
    for (unsigned state = 0; state < 1u << SITES; state++) {
        int8_t s[SITES];

        state_spins(state, SITES, s);
        levels[state].energy = plain_energy(p, s) / SITES;
        levels[state].weight = exp(-p->beta * SITES * levels[state].energy);
    }
    const ranges r = ranges_of(levels, 1 << SITES);
    good = shares_agree(name, &r, LADDERS, records, series, stride);
    free(levels);
    return good;
}

/* ---- means of each slot */

static int slot_agrees(const ladder *l, int slot, const double *series)
{
    const model m = model_of(l, slot);
    double *bonds = model_bonds(&m);
    plain p = plain_of(&m, bonds);
    const exact_means exact = enumerate(&p);
    char name[80];
    int good;

    snprintf(name, sizeof name, "%s, slot %d", l->name, slot);
    good =
        slot_has_its_energies(name, &p, l->records, series + slot * l->records, SLOTS * l->records);
    for (int q = 0; q < MOMENTS; q++) {
        double sum = 0.0, square = 0.0;

        for (int k = 0; k < LADDERS; k++) {
            const double *x =
                series + ((int64_t)q * LADDERS * SLOTS + k * SLOTS + slot) * l->records;
            double mean = 0.0;

            for (int t = 0; t < l->records; t++)
                mean += x[t] / l->records;
            sum += mean / LADDERS;
            square += mean * mean / LADDERS;
        }
        good &= agrees(name, quantity_names[q], sum, sqrt((square - sum * sum) / (LADDERS - 1)),
                       exact.mean[q]);
    }
    plain_free(&p);
    free(bonds);
    return good;
}

static int means_agree(const ladder *l, latmc_lattice *lattice)
{
    const int64_t count = (int64_t)MOMENTS * LADDERS * SLOTS * l->records;
    double *series = malloc(sizeof *series * (size_t)count);
    int good = 1;

    assert_non_null(series);
    ok(record_by_slot(lattice, LATMC_SCHEDULE, 1, l->records, MOMENTS, measured, series));
    for (int slot = 0; slot < SLOTS; slot++)
        good &= slot_agrees(l, slot, series);
    free(series);
    return good;
}

/* ---- how often neighbours exchange, with energies that are whole numbers */

enum { BOND_LEVELS = 33, SPIN_LEVELS = SITES + 1, LEVELS = BOND_LEVELS * SPIN_LEVELS };

/* The probability of each pair (sum of J s s', sum of s) at a slot. */
static void distribution_of(const ladder *l, int slot, double *p)
{
    model m = model_of(l, slot);
    double *bonds = model_bonds(&m), z = 0.0;
    plain lattice;

    m.field = 0.0;
    lattice = plain_of(&m, bonds);
    memset(p, 0, LEVELS * sizeof *p);
    for (unsigned state = 0; state < 1u << SITES; state++) {
        int8_t s[SITES];
        int up = 0, pairs;

        state_spins(state, SITES, s);
        for (int i = 0; i < SITES; i++)
            up += s[i];
        pairs = (int)lround(-plain_energy(&lattice, s));
        p[(pairs + 2 * SITES) / 2 * SPIN_LEVELS + (up + SITES) / 2] +=
            exp(l->beta[slot] * (pairs + l->field[slot] * up));
    }
    for (int i = 0; i < LEVELS; i++)
        z += p[i];
    for (int i = 0; i < LEVELS; i++)
        p[i] /= z;
    plain_free(&lattice);
    free(bonds);
}

static double action_of(const ladder *l, int slot, int level)
{
    const double pairs = 2 * (level / SPIN_LEVELS) - 2 * SITES,
                 up = 2 * (level % SPIN_LEVELS) - SITES;

    return -l->beta[slot] * (pairs + l->field[slot] * up);
}

/* Of the replicas of this slot and the next one. */
static double exact_rate(const ladder *l, int slot)
{
    static double own[LEVELS], next[LEVELS];
    double rate = 0.0;

    distribution_of(l, slot, own);
    distribution_of(l, slot + 1, next);
    for (int x = 0; x < LEVELS; x++)
        for (int y = 0; y < LEVELS && own[x] > 0.0; y++) {
            const double cost = action_of(l, slot, y) + action_of(l, slot + 1, x) -
                                action_of(l, slot, x) - action_of(l, slot + 1, y);

            rate += own[x] * next[y] * (cost > 0.0 ? exp(-cost) : 1.0);
        }
    return rate;
}

/* Rounds one by one; counts[k][s]: how often slots s and s + 1 of ladder k changed replicas. */
static void count_exchanges(latmc_lattice *lattice, double counts[LADDERS][SLOTS])
{
    static int64_t before[SLOTS * LADDERS], after[SLOTS * LADDERS];

    memset(counts, 0, sizeof(double[LADDERS][SLOTS]));
    ok(latmc_get_slots(lattice, before));
    for (int t = 0; t < MEASURED; t++) {
        ok(latmc_sweep(lattice, LATMC_SCHEDULE, 1));
        ok(latmc_get_slots(lattice, after));
        for (int r = 0; r < SLOTS * LADDERS; r++) {
            if (after[r] == before[r] + 1)
                counts[r / SLOTS][before[r] % SLOTS] += 1.0;
            assert_true(llabs(after[r] - before[r]) <= 1);
        }
        memcpy(before, after, sizeof before);
    }
}

static int rates_agree(const ladder *l, latmc_lattice *lattice)
{
    static double counts[LADDERS][SLOTS];
    int good = 1;

    count_exchanges(lattice, counts);
    for (int s = 0; s + 1 < SLOTS; s++) {
        double sum = 0.0, square = 0.0;
        char name[80];

        for (int k = 0; k < LADDERS; k++) {
            const double rate = counts[k][s] / (MEASURED / 2); /* every other time */

            sum += rate / LADDERS;
            square += rate * rate / LADDERS;
        }
        snprintf(name, sizeof name, "%s, slots %d and %d", l->name, s, s + 1);
        good &= agrees(name, "exchanges", sum, sqrt((square - sum * sum) / (LADDERS - 1)),
                       exact_rate(l, s));
    }
    return good;
}

static void each_slot_has_its_own_distribution(void **state)
{
    int good = 1;

    (void)state;
    for (size_t i = 0; i < ALL(ladders); i++) {
        latmc_lattice *lattice = lattice_of(&ladders[i], "cpu");

        good &= means_agree(&ladders[i], lattice);
        good &= ladders[i].given || rates_agree(&ladders[i], lattice);
        latmc_destroy(lattice);
    }
    assert_true(good);
}

/* ---- two vectors of three components, one bond: exp(beta u) is the density of u = s . s' */

enum { PAIR = 2, PAIR_RECORDS = 100 };

/* Ranges of -u / 2 that come equally often. */
static ranges ranges_of_a_bond(double beta)
{
    ranges r = {.count = RANGES};

    for (int i = 0; i < RANGES; i++) {
        const double above = 1.0 - (i + 1.0) / RANGES; /* so many u are below the range's last */

        r.share[i] = 1.0 / RANGES;
        r.upper[i] = -log(exp(-beta) + above * (exp(beta) - exp(-beta))) / beta / PAIR;
    }
    return r;
}

static void vectors_have_their_energies(void **state)
{
    static const double betas[SLOTS] = {0.4, -1.0, 1.5, 4.0};
    static double beta[SLOTS * LADDERS], series[SLOTS * LADDERS * PAIR_RECORDS];
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    latmc_lattice *lattice = NULL;
    int good = 1;

    (void)state;
    for (int i = 0; i < SLOTS * LADDERS; i++)
        beta[i] = betas[i % SLOTS];
    ok(latmc_create(&lattice, LATMC_ONVECTOR, 1, (int64_t[]){PAIR}));
    ok(latmc_set_boundaries(lattice, (latmc_boundary[]){O}));
    ok(latmc_set_option(lattice, LATMC_N, 3));
    ok(latmc_set_replicas(lattice, SLOTS * LADDERS));
    ok(latmc_set_samples(lattice, LADDERS, 0));
    ok(latmc_set_params(lattice, LATMC_BETA, beta));
    ok(latmc_set_seed(lattice, 4242));
    ok(set_round(lattice, LATMC_METROPOLIS, 1, 1));
    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, BEFORE));
    ok(record_by_slot(lattice, LATMC_SCHEDULE, 1, PAIR_RECORDS, 1, &energy, series));
    for (int slot = 0; slot < SLOTS; slot++) {
        const ranges r = ranges_of_a_bond(betas[slot]);
        char name[40];

        snprintf(name, sizeof name, "vectors, beta %g", betas[slot]);
        good &= shares_agree(name, &r, LADDERS, PAIR_RECORDS, series + slot * PAIR_RECORDS,
                             SLOTS * PAIR_RECORDS);
    }
    latmc_destroy(lattice);
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_slot_has_its_own_distribution),
                                       cmocka_unit_test(vectors_have_their_energies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
