/* SPDX-License-Identifier: BSD-3-Clause */
/* The O(n) vector model against exact answers. */
#include "tests/exact/onvector_chain.h"
#include "tests/exact/onvector_known.h"

/* Of doubles the heat bath comes with reflections, and Metropolis without. */
static const vector_plan plans[] = {
    {"Metropolis", LATMC_FLOAT32, 1, 1.0, 0, 0},
    {"Metropolis, 5 hits, doubles", LATMC_FLOAT64, 5, 0.6, 0, 0},
    {"Metropolis, over-relaxation", LATMC_FLOAT32, 2, 0.8, 2, 0},
    {"heat bath", LATMC_FLOAT32, 1, 1.0, 0, 1},
    {"heat bath, over-relaxation, doubles", LATMC_FLOAT64, 1, 1.0, 1, 1},
};

/* Larger lattices take fewer replicas. */
static run_length effort_of(const vector_model *m)
{
    const int sites = field_sites(&m->lattice);

    return sites <= 16   ? (run_length){256, 100, 160, 2}
           : sites <= 64 ? (run_length){128, 200, 120, 2}
                         : (run_length){48, 150, 100, 2};
}

static int known_agrees(const vector_known *k, const vector_plan *p, uint64_t seed)
{
    const run_length effort = effort_of(&k->model);
    ensemble e = vector_sample(&k->model, p, &effort, seed);
    const double energy = k->answer[V_E].value, beta = k->model.beta;
    char name[120];
    int good = 1;

    snprintf(name, sizeof name, "%s, %s", k->name, p->name);
    for (int q = 0; q < V_QUANTITIES; q++)
        if (k->answer[q].value != 0.0)
            good &= mean_agrees(name, &e, q, k->answer[q].value, k->answer[q].error);
    if (k->specific_heat > 0.0)
        good &= mean_agrees(name, &e, V_E2,
                            energy * energy +
                                k->specific_heat / (beta * beta) / field_sites(&k->model.lattice),
                            0.0);
    good &= mean_agrees(name, &e, V_M_0, 0.0, 0.0);
    if (p->heatbath)
        good &= mean_agrees(name, &e, V_ACCEPTANCE, 1.0, 0.0);
    ensemble_free(&e);
    return good;
}

/* By all plans or some; those of 512 sites by every other one. */
static int all_known(const vector_known *knowns, size_t count, uint64_t seed, size_t first)
{
    int good = 1;

    for (size_t i = 0; i < count; i++)
        for (size_t p = first; p < ALL(plans); p++)
            if (field_sites(&knowns[i].model.lattice) < 512 || p % 2 == 0)
                good &= known_agrees(&knowns[i], &plans[p], seed + i);
    return good;
}

static void known_answers(void **state)
{
    (void)state;
    assert_true(all_known(vector_knowns, ALL(vector_knowns), 900, 0));
}

static void known_answers_of_more_components(void **state)
{
    (void)state;
    assert_true(all_known(vector_more_knowns, ALL(vector_more_knowns), 2900, 2));
}

/* ---- few sites, with bonds and fields of their own */

static const double some_bonds[] = {0.7, -1.3, 0.4, 1.1, -0.6, 0.9, 1.6, -0.2};
static const double some_fields[] = {0.5, -0.8, 1.2, 0.3};

static const vector_model few[] = {
    {{1, {2}, {P}, .hits = 1}, {1.0}, 0.9, 0.0, some_bonds, NULL, 2},
    {{1, {2}, {A}, .hits = 1}, {1.0}, 0.9, 0.3, some_bonds, some_fields, 2},
    {{1, {2}, {O}, .hits = 1}, {-1.5}, 0.7, -0.4, NULL, some_fields, 2},
    {{1, {3}, {P}, .hits = 1}, {1.0}, 1.1, 0.0, some_bonds, some_fields, 2},
    {{1, {3}, {A}, .hits = 1}, {1.0}, 1.1, 0.2, NULL, NULL, 2},
    {{1, {4}, {O}, .hits = 1}, {0.8}, 1.2, 0.5, some_bonds, some_fields, 2},
    {{1, {4}, {P}, .hits = 1}, {1.0}, -0.8, 0.1, some_bonds, NULL, 2},
    {{2, {2, 2}, {P, P}, .hits = 1}, {1.0, 1.0}, 0.5, 0.2, some_bonds, some_fields, 2},
    {{2, {2, 2}, {A, P}, .hits = 1}, {1.0, -0.5}, 0.6, 0.0, NULL, some_fields, 2},
    {{2, {2, 2}, {O, A}, .hits = 1}, {0.7, 1.2}, 0.8, 0.3, some_bonds, NULL, 2},
};

static void few_sites(void **state)
{
    static const run_length effort = {256, 100, 200, 1};
    int good = 1;

    (void)state;
    for (size_t i = 0; i < ALL(few); i++) {
        double answer[V_QUANTITIES];
        vector_answers(&few[i], answer);
        for (size_t p = 0; p < ALL(plans); p++) {
            ensemble e = vector_sample(&few[i], &plans[p], &effort, 500 + i);
            char name[80];
            snprintf(name, sizeof name, "few sites, number %d, %s", (int)i, plans[p].name);
            for (size_t k = 0; k < ALL(integrated); k++)
                good &= mean_agrees(name, &e, integrated[k], answer[integrated[k]], 0.0);
            ensemble_free(&e);
        }
    }
    assert_true(good);
}

/* ---- open chains in a field, of all numbers of components */

static const vector_chain chains[] = {
    {2, 5, 0.9, 1.1, 0.4},  {3, 5, 0.9, 1.1, 0.4},  {4, 5, 0.9, 1.1, 0.4}, {2, 2, 1.3, -0.8, 0.7},
    {3, 3, -1.3, 1.2, 0.7}, {4, 2, 1.3, -0.8, 0.7}, {4, 6, 1.0, 1.5, 0.0},
};

static void open_chains_in_a_field(void **state)
{
    static const run_length effort = {128, 60, 200, 1};
    int good = 1;

    (void)state;
    for (const vector_chain *c = chains; c < chains + ALL(chains); c++) {
        const vector_model m = {.lattice = {1, {c->sites}, {O}, .hits = 1},
                                .axis = {c->coupling},
                                .beta = c->beta,
                                .field = c->field,
                                .n = c->n};
        const double energy = chain_energy(c), along = c->field != 0.0 ? chain_along(c) : 0.0;

        for (size_t p = 0; p < ALL(plans); p++) {
            ensemble e = vector_sample(&m, &plans[p], &effort, 700 + (uint64_t)(c - chains));
            char name[80];

            snprintf(name, sizeof name, "chain of %d, n = %d, %s", c->sites, c->n, plans[p].name);
            good &= mean_agrees(name, &e, V_E, energy, 0.0);
            good &= mean_agrees(name, &e, V_M_0 + c->n - 1, along, 0.0);
            good &= mean_agrees(name, &e, V_M_0, 0.0, 0.0);
            ensemble_free(&e);
        }
    }
    assert_true(good);
}

/* What the library has drawn for a sample: bonds, then fields. */
static void read_sample(const latmc_lattice *lattice, int64_t sample, double *bonds, double *fields)
{
    ok(latmc_get_bond_couplings(lattice, sample, bonds));
    ok(latmc_get_site_fields(lattice, sample, fields));
}

/* Four samples of 2 x 2 sites, Gaussian bonds and fields, in one lattice. */
static void drawn_samples(void **state)
{
    enum { SAMPLES = 4, IN_EACH = 128 };
    static const run_length effort = {SAMPLES * IN_EACH, 100, 200, 1};
    const latmc_argument width = LATMC_DRAW_WIDTH;
    vector_model m = {
        {2, {2, 2}, {P, A}, .hits = 1, .epsilon = 1.0}, {1.0, 1.0}, 0.5, 0.1, 0, 0, 2};
    int good = 1;

    (void)state;
    for (size_t p = 0; p < ALL(plans); p++) {
        latmc_lattice *lattice = vector_lattice(&m, effort.replicas, plans[p].type, 71);
        ok(latmc_set_samples(lattice, SAMPLES, 17));
        ok(latmc_draw_bond_couplings(lattice, LATMC_GAUSSIAN, 5, 0, NULL, NULL));
        ok(latmc_draw_site_fields(lattice, LATMC_GAUSSIAN, 6, 1, &width, (double[]){0.7}));
        ensemble e = vector_run(lattice, &plans[p], &effort);
        for (int j = 0; j < SAMPLES; j++) {
            double bonds[8], fields[4], answer[V_QUANTITIES];
            vector_model sample = m;
            char name[80];
            read_sample(lattice, j, bonds, fields);
            sample.bonds = bonds;
            sample.fields = fields;
            vector_integrate(&sample, 24, answer);
            snprintf(name, sizeof name, "sample %d, %s", j, plans[p].name);
            for (size_t k = 0; k < ALL(integrated); k++)
                good &= part_agrees(name, &e, j * IN_EACH, IN_EACH, integrated[k],
                                    answer[integrated[k]], 0.0);
        }
        ensemble_free(&e);
        latmc_destroy(lattice);
    }
    assert_true(good);
}

/* ---- what is independent */

enum { CHAIN = 24 };

/* Along an open chain the angles between neighbours are independent of each other. */
static void open_chains_of_any_bonds(void **state)
{
    static const run_length effort = {256, 300, 200, 2};
    double bonds[CHAIN], energy = 0.0, square = CHAIN;
    vector_model m = {{1, {CHAIN}, {O}, .hits = 1}, {0.8}, 1.25, 0.0, bonds, NULL, 2};
    uint64_t random = 3;
    int good = 1;

    (void)state;
    for (int i = 0; i < CHAIN; i++)
        bonds[i] = i % 7 == 3 ? 0.0 : (double)(next_random(&random) >> 40) * 0x1p-22 - 2.0;
    for (int i = 0; i < CHAIN; i++) {
        double correlation = 1.0;
        for (int j = i; j < CHAIN - 1; j++) {
            correlation *= vector_ratio(m.beta * m.axis[0] * bonds[j]);
            square += 2.0 * correlation;
        }
        if (i < CHAIN - 1)
            energy -= m.axis[0] * bonds[i] * vector_ratio(m.beta * m.axis[0] * bonds[i]);
    }
    for (size_t p = 0; p < ALL(plans); p++) {
        ensemble e = vector_sample(&m, &plans[p], &effort, 300);
        good &= mean_agrees(plans[p].name, &e, V_E, energy / CHAIN, 0.0);
        good &= mean_agrees(plans[p].name, &e, V_M2, square / CHAIN / CHAIN, 0.0);
        ensemble_free(&e);
    }
    assert_true(good);
}

enum { LONE = 12 };

/* Sites without bonds: fields of their own, and how often a proposal is accepted, at any epsilon;
 * one that is wrong by 1 % is more than twice the gate away. */
static void lone_sites(void **state)
{
    static const double epsilons[] = {1.0, 0.3};
    double fields[LONE], m1 = 0.0, energy = 0.0;
    vector_model m = {{2, {4, 3}, {P, P}, .hits = 1}, {0.0, 0.0}, 1.3, 0.4, NULL, fields, 2};
    int good = 1;

    (void)state;
    for (int i = 0; i < LONE; i++) {
        fields[i] = 0.45 * i - 2.1;
        const double h = m.field + fields[i], mean = vector_ratio(m.beta * h);
        m1 += mean / LONE;
        energy -= h * mean / LONE;
    }
    for (size_t k = 0; k < ALL(epsilons); k++) {
        double acceptance = 0.0;
        for (int i = 0; i < LONE; i++)
            acceptance += vector_acceptance(m.beta * (m.field + fields[i]), epsilons[k]) / LONE;
        for (size_t p = 0; p < ALL(plans); p++) {
            const int patience = /* small steps */
                plans[p].heatbath ? 20 : (int)(100.0 / (epsilons[k] * epsilons[k]));
            const run_length effort = {512, patience, 500, 1};
            vector_plan plan = plans[p];
            double mean, error;
            if (plan.heatbath && k > 0)
                continue;
            plan.epsilon = epsilons[k];
            ensemble e = vector_sample(&m, &plan, &effort, 400 + k);
            good &= mean_agrees(plan.name, &e, V_M_1, m1, 0.0);
            good &= mean_agrees(plan.name, &e, V_E, energy, 0.0);
            if (plan.heatbath) {
                ensemble_free(&e);
                continue;
            }
            good &= mean_agrees(plan.name, &e, V_ACCEPTANCE, acceptance, 1e-5);
            spread(e.average[V_ACCEPTANCE], e.replicas, &mean, &error);
            assert_true(0.01 * acceptance > 2.0 * GATE * error);
            ensemble_free(&e);
        }
    }
    assert_true(good);
}

/* ---- starts */

/* Means of cosines and sines of multiples of the angle, and the shares of 16 sectors. */
static int is_uniform(const double *s, int count)
{
    enum { WAVES = 12, SECTORS = 16 };
    double sum[2 * WAVES] = {0}, sector[SECTORS] = {0};
    int good = 1;

    for (int i = 0; i < count; i++) {
        const double angle = atan2(s[2 * i + 1], s[2 * i]);
        for (int k = 0; k < WAVES; k++) {
            sum[2 * k] += cos((k + 1) * angle);
            sum[2 * k + 1] += sin((k + 1) * angle);
        }
        sector[(int)floor((angle / TWO_PI + 1.0) * SECTORS) % SECTORS] += 1.0;
    }
    for (int k = 0; k < 2 * WAVES; k++)
        good &= agrees("hot start", "wave", sum[k] / count, sqrt(0.5 / count), 0.0);
    for (int k = 0; k < SECTORS; k++)
        good &= agrees("hot start", "sector", sector[k] / count, sqrt(1.0 / SECTORS / count),
                       1.0 / SECTORS);
    return good;
}

static void hot_starts_have_every_angle(void **state)
{
    enum { SIDE = 500, SITES = SIDE * SIDE };
    static double s[VECTOR * SITES];
    int good = 1;

    (void)state;
    for (int type = LATMC_FLOAT32; type <= LATMC_FLOAT64; type++) {
        const vector_model m = {
            {2, {SIDE, SIDE}, {P, P}, .epsilon = 1.0, .hits = 1}, {1.0, 1.0}, 1.0, 0.0, 0, 0, 2};
        latmc_lattice *lattice = vector_lattice(&m, 1, (latmc_type)type, 8);
        ok(latmc_start(lattice, LATMC_START_HOT));
        ok(get_replica(lattice, 0, LATMC_FLOAT64, s, VECTOR * SITES));
        good &= is_uniform(s, SITES);
        latmc_destroy(lattice);
    }
    assert_true(good);
}

/* ---- over-relaxation */

/* How far the lengths of the sites are from 1, at most. */
static double worst_length(latmc_lattice *lattice, int64_t sites)
{
    double *s = malloc((size_t)(VECTOR * sites) * sizeof *s), worst = 0.0;

    assert_non_null(s);
    for (int64_t r = 0; r < info_of(lattice).replicas; r++) {
        ok(get_replica(lattice, r, LATMC_FLOAT64, s, VECTOR * sites));
        for (int64_t i = 0; i < sites; i++)
            worst = fmax(worst, fabs(hypot(s[2 * i], s[2 * i + 1]) - 1.0));
    }
    free(s);
    return worst;
}

/* The energy stays to rounding, the sites do not, and their lengths are 1. */
static void reflections_keep_the_energy(void **state)
{
    enum { REPLICAS = 2, SWEEPS = 100000 };
    static const double lengths[] = {1e-6, 1e-15}, energies[] = {2e-5, 1e-13};
    static const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double bonds[40], fields[20];
    const vector_model m = {
        {2, {4, 5}, {P, A}, .epsilon = 1.0, .hits = 1}, {1.0, 0.8}, 1.0, 0.1, bonds, fields, 2};
    uint64_t random = 12;

    (void)state;
    for (size_t i = 0; i < ALL(bonds); i++)
        bonds[i] = (double)(next_random(&random) >> 40) * 0x1p-23 - 1.0;
    for (size_t i = 0; i < ALL(fields); i++)
        fields[i] = (double)(next_random(&random) >> 40) * 0x1p-23 - 1.0;
    for (int t = 0; t < 2; t++) {
        latmc_lattice *lattice = vector_lattice(&m, REPLICAS, t ? LATMC_FLOAT64 : LATMC_FLOAT32, 2);
        double before[REPLICAS], after[REPLICAS];
        ok(latmc_start(lattice, LATMC_START_HOT));
        ok(latmc_sweep(lattice, LATMC_METROPOLIS, 20));
        const uint64_t hash = hash_of(lattice);
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &energy, before));
        ok(latmc_sweep(lattice, LATMC_OVERRELAX, SWEEPS));
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &energy, after));
        for (int r = 0; r < REPLICAS; r++) {
            if (getenv("LATMC_TEST_VERBOSE"))
                print_message("energy %.17g, then %.17g: %g\n", before[r], after[r],
                              after[r] - before[r]);
            assert_true(fabs(after[r] - before[r]) < energies[t]);
        }
        assert_true(worst_length(lattice, 20) < lengths[t]);
        assert_true(hash_of(lattice) != hash);
        latmc_destroy(lattice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(known_answers_of_more_components),
        cmocka_unit_test(open_chains_in_a_field),
        cmocka_unit_test(few_sites),
        cmocka_unit_test(drawn_samples),
        cmocka_unit_test(open_chains_of_any_bonds),
        cmocka_unit_test(lone_sites),
        cmocka_unit_test(hot_starts_have_every_angle),
        cmocka_unit_test(reflections_keep_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
