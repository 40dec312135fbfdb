/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Potts model against exact answers: the sum over all states of small lattices, transfer
 * matrices, Kaufman's torus for two states, Baxter's energies of the phases that meet; and each of
 * the updates' probabilities by itself.
 */
#include "tests/exact/potts_plain.h"

enum { ENERGY, ENERGY2, ORDER, ORDER2, SQUARE, FOURTH, FIRST, SECOND, CHANGED, QUANTITIES };

static const latmc_quantity observables[QUANTITIES] = {
    [ENERGY] = LATMC_QUANTITY(LATMC_ENERGY),
    [ENERGY2] = LATMC_QUANTITY(LATMC_ENERGY2),
    [ORDER] = LATMC_QUANTITY(LATMC_ORDER_PARAMETER),
    [ORDER2] = LATMC_QUANTITY(LATMC_ORDER_PARAMETER2),
    [SQUARE] = LATMC_QUANTITY(LATMC_M2),
    [FOURTH] = LATMC_QUANTITY(LATMC_M4),
    [FIRST] = LATMC_QUANTITY(LATMC_OCCUPATION, 0),
    [SECOND] = LATMC_QUANTITY(LATMC_OCCUPATION, 1),
    [CHANGED] = LATMC_QUANTITY(LATMC_CHANGED),
};

static const char *const names[QUANTITIES] = {
    [ENERGY] = "e",   [ENERGY2] = "e^2", [ORDER] = "p",      [ORDER2] = "p^2",     [SQUARE] = "m^2",
    [FOURTH] = "m^4", [FIRST] = "rho_0", [SECOND] = "rho_1", [CHANGED] = "changed"};

static const latmc_update updates[] = {LATMC_METROPOLIS, LATMC_METROPOLIS_OTHER, LATMC_HEATBATH};
static const char *const update_names[] = {"Metropolis", "another state", "heat bath"};

static ensemble sampled(latmc_lattice *lattice, latmc_update update, latmc_start_mode start,
                        const run_length *length)
{
    const recording what = {.update = update,
                            .replicas = length->replicas,
                            .every = length->every,
                            .records = length->records,
                            .quantities = QUANTITIES,
                            .observables = observables,
                            .names = names};
    ensemble e;

    ok(latmc_start(lattice, start));
    ok(latmc_sweep(lattice, LATMC_HEATBATH, length->thermalize));
    e = ensemble_record(lattice, &what);
    latmc_destroy(lattice);
    return e;
}

/* ---- all states of small lattices */

static const double some_bonds[] = {0.7,  -1.3, 0.4, 1.1, -0.6, 0.9,  1.6, -0.2, 0.0,  1.2, 0.5,
                                    -0.9, 0.8,  1.4, 0.3, 0.6,  -1.1, 0.2, 1.0,  0.75, -0.4};
static const double signs[] = {1, -1, 1, 0, 1, -1, -1, 1, 1, 0, 1, -1, 1, 1, -1, 1};
static const double some_fields[] = {0.5, -0.8, 1.2, 0.3, -0.25, 0.9, -0.6, 0.1, 0.7};

static const potts_model small[] = {
    {2, {1, {9}, {P}, .hits = 1}, {1.0}, 1.1, 0.2, NULL, NULL},
    {2, {2, {3, 3}, {P, O}, .hits = 1}, {1.0, -0.7}, 0.8, 0.0, some_bonds, some_fields},
    {3, {1, {7}, {O}, .hits = 1}, {1.2}, 0.9, 0.3, NULL, some_fields},
    {3, {2, {3, 2}, {P, P}, .hits = 1}, {1.0, 1.0}, 0.6, 0.0, NULL, NULL},
    {3, {3, {2, 2, 2}, {P, O, P}, .hits = 1}, {1.0, 0.5, -1.0}, -0.5, 0.1, some_bonds, NULL},
    {4, {2, {2, 3}, {O, P}, .hits = 1}, {0.9, 1.1}, 0.7, -0.4, some_bonds, NULL},
    {7, {2, {2, 2}, {P, P}, .hits = 1}, {1.0, 1.0}, 0.8, 0.0, NULL, NULL},
    {10, {1, {4}, {P}, .hits = 1}, {1.0}, 1.9, 0.5, some_bonds, some_fields},
    {150, {1, {2}, {P}, .hits = 1}, {1.0}, 2.2, 1.0, NULL, NULL},
    {2, {2, {4, 2}, {P, P}, .hits = 1}, {1.0, 1.0}, 0.7, -0.3, signs, NULL},
    {3, {2, {4, 2}, {P, O}, .hits = 1}, {1.0, 0.5}, -0.8, 0.4, signs, NULL},
    {4, {2, {2, 3}, {P, P}, .hits = 1}, {0.9, -1.1}, 0.7, -0.4, signs, NULL},
    {4, {1, {6}, {P}, .hits = 1}, {1.0}, 1.2, 0.0, NULL, NULL},
    {5, {2, {2, 3}, {P, P}, .hits = 1}, {1.0, -0.8}, 0.9, 0.3, signs, NULL},
    {9, {1, {5}, {P}, .hits = 1}, {1.0}, 1.7, -0.2, NULL, NULL},
    {13, {2, {2, 2}, {P, O}, .hits = 1}, {1.0, 1.0}, 1.1, 0.0, NULL, NULL},
};

/* Powers of what the shares of states come to, and the energy. */
static void observe(const potts_model *m, const uint8_t *s, double *x)
{
    const int sites = field_sites(&m->lattice);
    double share[PLAIN_STATES] = {0.0}, most = 0.0, squares = 0.0;

    for (int i = 0; i < sites; i++)
        share[s[i]] += 1.0 / sites;
    for (int a = 0; a < m->q; a++) {
        most = fmax(most, share[a]);
        squares += share[a] * share[a];
    }
    x[ENERGY] = potts_energy(m, s) / sites;
    x[ENERGY2] = x[ENERGY] * x[ENERGY];
    x[ORDER] = (m->q * most - 1.0) / (m->q - 1.0);
    x[ORDER2] = x[ORDER] * x[ORDER];
    x[SQUARE] = (m->q * squares - 1.0) / (m->q - 1.0);
    x[FOURTH] = x[SQUARE] * x[SQUARE];
    x[FIRST] = share[0];
    x[SECOND] = share[1];
}

/* Each colour's update leaves the distribution as it is, so that each site is offered its change in
 * equilibrium. */
static double changes(const potts_model *m, const uint8_t *s, latmc_update update)
{
    const int sites = field_sites(&m->lattice);
    double sum = 0.0, gain[PLAIN_STATES];

    for (int i = 0; i < sites; i++) {
        for (int t = 0; t < m->q; t++)
            gain[t] = potts_gain(m, s, i, t);
        const double z = potts_weights(m, gain);
        for (int t = 0; t < m->q; t++)
            if (t != s[i])
                sum += potts_moves(m, update, gain, z, s[i], t) / sites;
    }
    return sum;
}

/* The means of all quantities, for each update that of the sites that change. */
static void enumerate(const potts_model *m, double *mean, double *changed)
{
    const int sites = field_sites(&m->lattice);
    uint8_t s[PLAIN_SITES] = {0};
    double z = 0.0, x[QUANTITIES];
    int i;

    memset(mean, 0, QUANTITIES * sizeof *mean);
    memset(changed, 0, ALL(updates) * sizeof *changed);
    do {
        const double weight = exp(-m->beta * potts_energy(m, s));

        observe(m, s, x);
        z += weight;
        for (int k = 0; k < CHANGED; k++)
            mean[k] += weight * x[k];
        for (size_t u = 0; u < ALL(updates); u++)
            changed[u] += weight * changes(m, s, updates[u]);
        for (i = 0; i < sites && ++s[i] == m->q; i++)
            s[i] = 0;
    } while (i < sites);
    for (int k = 0; k < CHANGED; k++)
        mean[k] /= z;
    for (size_t u = 0; u < ALL(updates); u++)
        changed[u] /= z;
}

static void small_lattices(void **state)
{
    const run_length length = {256, 60, 160, 1};
    int good = 1;

    (void)state;
    for (size_t k = 0; k < ALL(small); k++) {
        double mean[QUANTITIES], changed[ALL(updates)];

        enumerate(&small[k], mean, changed);
        for (size_t u = 0; u < ALL(updates); u++) {
            latmc_lattice *lattice = potts_lattice(&small[k], length.replicas, 70 + k);
            ensemble e = sampled(lattice, updates[u], LATMC_START_HOT, &length);
            char name[80];

            mean[CHANGED] = changed[u];
            snprintf(name, sizeof name, "lattice %d, q = %d, %s", (int)k, small[k].q,
                     update_names[u]);
            for (int what = 0; what < QUANTITIES; what++)
                good &= mean_agrees(name, &e, what, mean[what], 0.0);
            ensemble_free(&e);
        }
    }
    assert_true(good);
}

/* ---- answers from elsewhere */

typedef struct known {
    const char *name;
    int q;
    int64_t extents[2];
    double beta, answer[QUANTITIES]; /* 0: not known */
} known;

/* Full enumeration and transfer matrices over the states of a row, of periodic lattices; the
 * 16x16 one by B. Kaufman, Phys. Rev. 76, 1232 (1949), since two states are Ising spins: beta is
 * twice that of these, and e = (e_Ising - 2) / 2. */
static const known tori[] = {
    {"3 states, 4x4, beta_t",
     3,
     {4, 4},
     1.00505253874238101,
     {-1.710062275504798, 3.0178578971210626, 0.8442363239425072, 0.7531960624942065,
      0.7627944314674796, 0.651930400610646}},
    {"3 states, 6x6, beta 0.9",
     3,
     {6, 6},
     0.9,
     {-1.420335277345931, 2.086710608495617, 0.5941582222225835, 0.4179253967588757,
      0.4343210764482219, 0.26602074461102115}},
    {"3 states, 8x8, beta_t",
     3,
     {8, 8},
     1.00505253874238101,
     {-1.65376737303936, 2.7735485516888723, 0.0, 0.0, 0.6459824385833695, 0.0}},
    {"4 states, 4x4, beta 0.9",
     4,
     {4, 4},
     0.9,
     {-1.214898787334986, 1.6220042556522059, 0.5684712473582133, 0.39101164101579594,
      0.42252187635695676, 0.26002106734397207}},
    {"4 states, 8x6, beta_t",
     4,
     {8, 6},
     1.09861228866810969,
     {-1.6208937085472022, 2.6888157991468504, 0.0, 0.0, 0.0, 0.0}},
    {"6 states, 4x4, beta_t",
     6,
     {4, 4},
     1.23822631946233274,
     {-1.6691909076841136, 2.921181268839531, 0.0, 0.0, 0.7866673756078584, 0.0}},
    {"10 states, 4x8, beta_t",
     10,
     {4, 8},
     1.42606243890536813,
     {-1.5936112512904523, 2.6766184042599295, 0.0, 0.0, 0.0, 0.0}},
    {"2 states, 16x16, Ising 0.4",
     2,
     {16, 16},
     0.8,
     {(-1.13131798441072891 - 2.0) / 2.0,
      (1.3058807940301932 + 4.0 * 1.13131798441072891 + 4.0) / 4.0, 0.0, 0.0, 0.0, 0.0}},
};

static void known_lattices(void **state)
{
    int good = 1;

    (void)state;
    for (size_t k = 0; k < ALL(tori); k++) {
        const int large = tori[k].extents[0] * tori[k].extents[1] > 36;
        const run_length length = {large ? 128 : 256, large ? 300 : 200, 200, 3};
        const potts_model m = {.q = tori[k].q,
                               .lattice = {2, {tori[k].extents[0], tori[k].extents[1]}, {P, P}},
                               .axis = {1.0, 1.0},
                               .beta = tori[k].beta};
        const int u = k % 2 == 0 ? 2 : 1;
        ensemble e = sampled(potts_lattice(&m, length.replicas, 500 + k), updates[u],
                             LATMC_START_HOT, &length);

        for (int what = 0; what < CHANGED; what++)
            if (tori[k].answer[what] != 0.0)
                good &= mean_agrees(tori[k].name, &e, what, tori[k].answer[what], 0.0);
        ensemble_free(&e);
    }
    assert_true(good);
}

/* R. J. Baxter, J. Phys. C 6, L445 (1973): of ten states the ordered and the disordered phase meet
 * at beta = ln(1 + sqrt 10), each with its own energy. The longest correlation length there is
 * 10.56, a tenth of the lattice: what a phase does not know of its ends is below e^-9, and a
 * lattice stays in the phase that it began in, as an interface costs far more than there is time.
 */
static void phases_that_meet(void **state)
{
    static const struct {
        const char *name;
        latmc_start_mode start;
        double energy;
    } phases[] = {{"ordered", LATMC_START_COLD, -1.6642524817777928},
                  {"disordered", LATMC_START_HOT, -0.968203050255883062}};
    const run_length length = {16, 500, 300, 3};
    const potts_model m = {
        .q = 10, .lattice = {2, {96, 96}, {P, P}}, .axis = {1.0, 1.0}, .beta = 1.42606243890536813};
    int good = 1;

    (void)state;
    for (size_t p = 0; p < ALL(phases); p++) {
        ensemble e = sampled(potts_lattice(&m, length.replicas, 800 + p), LATMC_HEATBATH,
                             phases[p].start, &length);

        good &= mean_agrees(phases[p].name, &e, ENERGY, phases[p].energy, 0.0);
        assert_true(e.error[ENERGY] < 0.005);
        ensemble_free(&e);
    }
    assert_true(good);
}

/* ---- each probability by itself
 *
 * The sites of the first colour see their neighbours as they were before the sweep. What they go to
 * is counted by the number of neighbours that have that state; those that have none of them are
 * the rest, whose members must be as likely. */

enum { SIDE = 64, COPIES = 32, SITES = SIDE * SIDE, CLASSES = 5 };

typedef struct counts {
    double seen[CLASSES], expected[CLASSES], variance[CLASSES];
    double rank, ranks; /* of members of the rest, from -1/2 to 1/2 of all; how many */
} counts;

static int of_neighbours(const uint8_t *s, int x, int y, int state)
{
    return (s[y * SIDE + (x + 1) % SIDE] == state) +
           (s[y * SIDE + (x + SIDE - 1) % SIDE] == state) +
           (s[(y + 1) % SIDE * SIDE + x] == state) + (s[(y + SIDE - 1) % SIDE * SIDE + x] == state);
}

static void count_site(const potts_model *m, latmc_update update, const uint8_t *before, int x,
                       int y, int to, counts *c)
{
    const int from = before[y * SIDE + x];
    int alike[PLAIN_STATES], rest = 0, rank = 0;
    double gain[PLAIN_STATES], p[CLASSES] = {0.0};

    for (int t = 0; t < m->q; t++) {
        alike[t] = of_neighbours(before, x, y, t);
        gain[t] = alike[t];
        rest += alike[t] == 0;
        rank += alike[t] == 0 && t < to;
    }
    const double z = potts_weights(m, gain);
    for (int t = 0; t < m->q; t++)
        if (t != from)
            p[alike[t]] += potts_moves(m, update, gain, z, from, t);
    for (int k = 0; k < CLASSES; k++) {
        c->seen[k] += to != from && alike[to] == k;
        c->expected[k] += p[k];
        c->variance[k] += p[k] * (1.0 - p[k]);
    }
    if (update == LATMC_HEATBATH && alike[to] == 0) {
        c->rank += (rank + 0.5) / rest - 0.5;
        c->ranks += (1.0 - 1.0 / ((double)rest * rest)) / 12.0;
    }
}

static counts count_all(const potts_model *m, latmc_update update)
{
    static uint8_t before[COPIES][SITES], after[SITES];
    latmc_lattice *lattice = potts_lattice(m, COPIES, 4000 + (uint64_t)m->q);
    counts c = {.rank = 0.0};

    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_HEATBATH, 3));
    for (int r = 0; r < COPIES; r++)
        ok(get_replica(lattice, r, LATMC_UINT8, before[r], SITES));
    ok(latmc_sweep(lattice, update, 1));
    for (int r = 0; r < COPIES; r++) {
        ok(get_replica(lattice, r, LATMC_UINT8, after, SITES));
        for (int i = 0; i < SITES; i++)
            if ((i % SIDE + i / SIDE) % 2 == 0)
                count_site(m, update, before[r], i % SIDE, i / SIDE, after[i], &c);
    }
    latmc_destroy(lattice);
    return c;
}

static void every_probability(void **state)
{
    static const struct {
        int q;
        double beta;
    } models[] = {{2, 0.7},   {3, 0.9},  {4, 1.1},   {5, 1.3},  {6, 1.2},  {8, 0.8},  {9, 1.4},
                  {11, -0.8}, {11, 1.5}, {14, -0.5}, {16, 1.6}, {20, 1.5}, {200, 3.0}};
    int good = 1;

    (void)state;
    for (size_t k = 0; k < ALL(models); k++)
        for (size_t u = 0; u < ALL(updates); u++) {
            const potts_model m = {.q = models[k].q,
                                   .lattice = {2, {SIDE, SIDE}, {P, P}},
                                   .axis = {1.0, 1.0},
                                   .beta = models[k].beta};
            const counts c = count_all(&m, updates[u]);
            char name[80];

            snprintf(name, sizeof name, "%d states, beta %g, %s", m.q, m.beta, update_names[u]);
            for (int n = 0; n < CLASSES; n++) {
                char what[24];

                snprintf(what, sizeof what, "to %d alike", n);
                if (c.variance[n] > 20.0)
                    good &= agrees(name, what, c.seen[n], sqrt(c.variance[n]), c.expected[n]);
            }
            if (c.ranks > 20.0)
                good &= agrees(name, "rank", c.rank, sqrt(c.ranks), 0.0);
        }
    assert_true(good);
}

/* Every state is as likely at the start. */
static void hot_starts(void **state)
{
    static const int numbers[] = {2, 3, 4, 10, 129, 256};
    int good = 1;

    (void)state;
    for (size_t k = 0; k < ALL(numbers); k++) {
        static uint8_t s[SITES];
        const potts_model m = {
            .q = numbers[k], .lattice = {2, {SIDE, SIDE}, {P, P}}, .axis = {1.0, 1.0}};
        latmc_lattice *lattice = potts_lattice(&m, COPIES, 9 + k);
        const double mean = (double)SITES * COPIES / m.q, freedom = m.q - 1.0;
        double count[PLAIN_STATES] = {0.0}, chi2 = 0.0;

        ok(latmc_start(lattice, LATMC_START_HOT));
        for (int r = 0; r < COPIES; r++) {
            ok(get_replica(lattice, r, LATMC_UINT8, s, SITES));
            for (int i = 0; i < SITES; i++)
                count[s[i]] += 1.0;
        }
        for (int a = 0; a < m.q; a++)
            chi2 += (count[a] - mean) * (count[a] - mean) / mean;
        good &= agrees("hot start", "chi2", chi2, sqrt(2.0 * freedom), freedom);
        latmc_destroy(lattice);
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_probability), cmocka_unit_test(hot_starts),
        cmocka_unit_test(small_lattices), cmocka_unit_test(known_lattices),
        cmocka_unit_test(phases_that_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
