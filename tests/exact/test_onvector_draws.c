/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What single vectors are drawn from, for n = 2, 3, 4: the heat bath in fields from none to huge
 * ones, the proposals of Metropolis, hot starts. Samples are so large that k, or a width, that is
 * wrong by 1 % is more than five standard errors away.
 */
#include "tests/exact/onvector_spread.h"

static const latmc_type types[] = {LATMC_FLOAT32, LATMC_FLOAT64};

static vector_model model_of(int n, int64_t columns, int64_t rows)
{
    return (vector_model){.lattice = {.dims = 2,
                                      .extents = {columns, rows},
                                      .boundaries = {P, P},
                                      .epsilon = 1.0,
                                      .hits = 1},
                          .n = n};
}

/* ---- hot starts */

static void hot_starts_have_every_direction(void **state)
{
    enum { SIDE = 500, SITES = SIDE * SIDE };
    int good = 1;

    (void)state;
    for (int n = 2; n <= VECTOR_MOST; n++)
        for (size_t t = 0; t < ALL(types); t++) {
            const vector_model m = model_of(n, SIDE, SIDE);
            latmc_lattice *lattice = vector_lattice(&m, 1, types[t], 8);
            ok(latmc_start(lattice, LATMC_START_HOT));
            double *s = all_sites(lattice, 0, n, SITES);
            good &= is_isotropic("hot start", s, n, SITES);
            free(s);
            latmc_destroy(lattice);
        }
    assert_true(good);
}

/* ---- the heat bath in a field along the pole, which weak and huge fields need */

/* Fields of sites, from nothing to 1e12 with the beta of the replica. */
static const double poles[] = {0.0, 1e-18, 1e-9, 1e-3, 0.2, 1.0, 3.0, 12.0, 300.0, 1e4, 1e6, 1e6};
enum { POLE_SITES = LM_SANITIZED ? 20000 : 300000 };

static int pole_agrees(int n, latmc_type type, double beta, const double *s, double field)
{
    const double k = fabs(beta * field), sign = beta * field < 0.0 ? -1.0 : 1.0;
    double *across = malloc((size_t)(n * POLE_SITES) * sizeof *across);
    angles a = angles_of(k, n);
    char name[80];
    int good;

    assert_non_null(across);
    for (int i = 0; i < POLE_SITES; i++) {
        const double *v = s + (size_t)(n * i);
        double square = 0.0;
        for (int c = 0; c < n - 1; c++)
            square += v[c] * v[c];
        angles_add(&a, atan2(sqrt(square), sign * v[n - 1]));
        for (int c = 0; c < n - 1; c++)
            across[(n - 1) * i + c] = square > 0.0 ? v[c] / sqrt(square) : (c == 0);
    }
    snprintf(name, sizeof name, "n = %d, %s, k = %g", n,
             type == LATMC_FLOAT32 ? "floats" : "doubles", k * sign);
    good = angles_agree(name, &a) && is_isotropic(name, across, n - 1, POLE_SITES);
    free(across);
    return good;
}

static void heat_bath_in_fields(void **state)
{
    static const double betas[] = {1.0, -1.0, 1e6};
    double *fields = malloc(ALL(poles) * POLE_SITES * sizeof *fields);
    int good = 1;

    (void)state;
    assert_non_null(fields);
    for (size_t i = 0; i < ALL(poles) * POLE_SITES; i++)
        fields[i] = poles[i / POLE_SITES];
    for (int n = 2; n <= VECTOR_MOST; n++)
        for (size_t t = 0; t < ALL(types); t++) {
            vector_model m = model_of(n, POLE_SITES, ALL(poles));
            m.fields = fields;
            latmc_lattice *lattice = vector_lattice(&m, 1, types[t], (uint64_t)n);
            ok(latmc_start(lattice, LATMC_START_HOT));
            for (size_t b = 0; b < ALL(betas); b++) {
                ok(latmc_set_param(lattice, LATMC_BETA, betas[b]));
                ok(latmc_sweep(lattice, LATMC_HEATBATH, 1));
                double *s = all_sites(lattice, 0, n, POLE_SITES * (int64_t)ALL(poles));
                for (size_t k = b; k < ALL(poles); k += ALL(betas))
                    good &= pole_agrees(n, types[t], betas[b], s + (size_t)n * k * POLE_SITES,
                                        poles[k]);
                free(s);
            }
            latmc_destroy(lattice);
        }
    free(fields);
    assert_true(good);
}

/* ---- about vectors in all directions: pairs of sites */

enum { PAIRS = LM_SANITIZED ? 10000 : 300000 };

/* Columns 0 and 1 are each other's neighbours, twice. A sweep draws the site of a pair that has
 * colour 0 while the other one still is as it was. */
static int pairs_agree(const char *name, angles *a, int n, const double *before,
                       const double *after, int about_itself, double sign)
{
    double *across = malloc((size_t)(n * PAIRS) * sizeof *across);
    int good;

    assert_non_null(across);
    for (int i = 0; i < PAIRS; i++) {
        const int own = 2 * i + i % 2, other = about_itself ? own : 2 * i + (i + 1) % 2;
        angles_add(a, seen_from(n, before + (size_t)(n * other), after + (size_t)(n * own), sign,
                                across + (size_t)((n - 1) * i)));
    }
    good = angles_agree(name, a) && is_isotropic(name, across, n - 1, PAIRS);
    free(across);
    return good;
}

static int baths_agree(int n, latmc_type type, double beta, uint64_t seed)
{
    vector_model m = model_of(n, 2, PAIRS);
    angles a = angles_of(2.0 * fabs(beta), n);
    latmc_lattice *lattice;
    char name[80];
    int good;

    m.axis[0] = 1.0;
    m.beta = beta;
    lattice = vector_lattice(&m, 1, type, seed);
    ok(latmc_start(lattice, LATMC_START_HOT));
    double *before = all_sites(lattice, 0, n, 2 * PAIRS);
    ok(latmc_sweep(lattice, LATMC_HEATBATH, 1));
    double *after = all_sites(lattice, 0, n, 2 * PAIRS);
    snprintf(name, sizeof name, "n = %d, type %d, beta = %g", n, (int)type, beta);
    good = pairs_agree(name, &a, n, before, after, 0, beta < 0.0 ? -1.0 : 1.0);
    free(before);
    free(after);
    latmc_destroy(lattice);
    return good;
}

/* Floats and doubles in turn. */
static void heat_bath_about_neighbours(void **state)
{
    static const double betas[] = {0.0, 1e-4, 0.17, -0.8, 1.9, -6.0, 40.0, 5e3};
    int good = 1;

    (void)state;
    for (int n = 2; n <= VECTOR_MOST; n++)
        for (size_t b = 0; b < ALL(betas); b++)
            good &= baths_agree(n, types[b % 2], betas[b], 70 + b);
    assert_true(good);
}

/* Where beta is 0 every proposal is accepted. */
static void proposals_fill_a_ball(void **state)
{
    static const double epsilons[] = {1.0, 0.3, 0.02};
    int good = 1;

    (void)state;
    for (int n = 2; n <= VECTOR_MOST; n++)
        for (size_t t = 0; t < ALL(types); t++)
            for (size_t e = 0; e < ALL(epsilons); e++) {
                vector_model m = model_of(n, 2, PAIRS);
                angles a = cone_of(epsilons[e], n);
                char name[80];
                m.lattice.epsilon = epsilons[e];
                latmc_lattice *lattice = vector_lattice(&m, 1, types[t], 90 + e);
                ok(latmc_start(lattice, LATMC_START_HOT));
                double *before = all_sites(lattice, 0, n, 2 * PAIRS);
                ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
                double *after = all_sites(lattice, 0, n, 2 * PAIRS);
                snprintf(name, sizeof name, "n = %d, type %d, epsilon = %g", n, (int)types[t],
                         epsilons[e]);
                good &= pairs_agree(name, &a, n, before, after, 1, 1.0);
                free(before);
                free(after);
                latmc_destroy(lattice);
            }
    assert_true(good);
}

/* ---- how often proposals are accepted */

/* Of vectors in equilibrium, which one sweep of the heat bath makes of any in a uniform field. */
static void acceptances(void **state)
{
    enum { SIDE = LM_SANITIZED ? 200 : 1000 };
    static const double cases[][2] = {{0.7, 1.0}, {-4.0, 0.4}}; /* beta, epsilon */
    const latmc_quantity acceptance = LATMC_QUANTITY(LATMC_ACCEPTANCE);
    int good = 1;

    (void)state;
    for (int n = 2; n <= VECTOR_MOST; n++)
        for (size_t c = 0; c < ALL(cases); c++) {
            const double exact = acceptance_of(fabs(cases[c][0]), cases[c][1], n);
            const double error = sqrt(exact * (1.0 - exact)) / SIDE;
            assert_true(LM_SANITIZED || 0.01 * exact > 2.0 * GATE * error);
            for (size_t t = 0; t < ALL(types); t++) {
                vector_model m = model_of(n, SIDE, SIDE);
                double got;
                char name[80];
                m.beta = cases[c][0];
                m.field = 1.0;
                m.lattice.epsilon = cases[c][1];
                latmc_lattice *lattice = vector_lattice(&m, 1, types[t], 31);
                ok(latmc_start(lattice, LATMC_START_HOT));
                ok(latmc_sweep(lattice, LATMC_HEATBATH, 1));
                ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
                ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &acceptance, &got));
                snprintf(name, sizeof name, "n = %d, type %d, beta = %g", n, (int)types[t], m.beta);
                good &= agrees(name, "acceptance", got, error + 2e-5, exact);
                latmc_destroy(lattice);
            }
        }
    assert_true(good);
}

/* ---- lengths, energies */

static double worst_length(latmc_lattice *lattice, int n, int64_t sites)
{
    double *s = all_sites(lattice, 0, n, sites);
    long double worst = 0.0L;

    for (int64_t i = 0; i < sites; i++) {
        long double square = 0.0L;
        for (int c = 0; c < n; c++)
            square += (long double)s[n * i + c] * s[n * i + c];
        worst = fmaxl(worst, fabsl(sqrtl(square) - 1.0L));
    }
    free(s);
    return (double)worst;
}

/* Half a unit in the last place of numbers from 1 on. */
static double unit_of(latmc_type type)
{
    return type == LATMC_FLOAT32 ? 0x1p-24 : 0x1p-53;
}

/* What doc/trajectory-onvector.md, "How long lengths and energies stay", says that there can be,
 * after whatever number of updates. */
static void lengths_are_right(latmc_lattice *lattice, int n, int64_t sites, latmc_type type,
                              const char *when)
{
    const double most = 1.01 * (1.0 + (n - 1) / 4.0) * unit_of(type);
    const double worst = worst_length(lattice, n, sites);

    if (getenv("LATMC_TEST_VERBOSE"))
        print_message("n = %d, %s: a length is off by %.3g, %.3g at most\n", n, when, worst, most);
    if (worst > most)
        fail_msg("n = %d, %s: a length is off by %.3g, %.3g at most", n, when, worst, most);
}

static double energy_of(latmc_lattice *lattice)
{
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double e;

    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &energy, &e));
    return e;
}

enum { KEPT = 20, LONG = LM_SANITIZED ? 10000 : 1000000 }; /* sites, sweeps */

static latmc_lattice *kept_lattice(int n, latmc_type type)
{
    vector_model m = model_of(n, 4, 5);
    latmc_lattice *lattice;

    m.lattice.boundaries[1] = A;
    m.axis[0] = 1.0;
    m.axis[1] = 0.8;
    m.beta = 1.0;
    m.field = 0.1;
    m.lattice.epsilon = 0.5;
    lattice = vector_lattice(&m, 1, type, 4);
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_HEATBATH, 20));
    return lattice;
}

/* Roundings of over-relaxation have either sign: the energy of T sweeps of N sites walks at random
 * by sqrt(N T) steps of about half a unit times |H|, which is 2 here, and so by sqrt(T / N) of them
 * a site. Were one sign preferred by 1 %, it would have gone ten times as far as the gate. */
static void over_relaxation_keeps_energies(void **state)
{
    (void)state;
    for (int n = 2; n <= VECTOR_MOST; n++)
        for (size_t t = 0; t < ALL(types); t++) {
            latmc_lattice *lattice = kept_lattice(n, types[t]);
            const double before = energy_of(lattice);
            const uint64_t hash = hash_of(lattice);

            for (int64_t done = 0, to = LONG / 100; to <= LONG; done = to, to *= 10) {
                const double gate = 5.0 * 2.0 * unit_of(types[t]) * sqrt((double)to / KEPT);

                ok(latmc_sweep(lattice, LATMC_OVERRELAX, to - done));
                if (getenv("LATMC_TEST_VERBOSE"))
                    print_message("n = %d, %d sweeps: energy off by %.3g, %.3g at most\n", n,
                                  (int)to, energy_of(lattice) - before, gate);
                assert_true(fabs(energy_of(lattice) - before) < gate);
                lengths_are_right(lattice, n, KEPT, types[t], "over-relaxation");
            }
            assert_true(hash_of(lattice) != hash);
            latmc_destroy(lattice);
        }
}

/* More than 10^7 updates in all, of all kinds. */
static void all_updates_keep_lengths(void **state)
{
    static const latmc_update updates[] = {LATMC_OVERRELAX, LATMC_METROPOLIS, LATMC_HEATBATH};
    const latmc_step steps[] = {step_of(LATMC_OVERRELAX, 3, 0), step_of(LATMC_METROPOLIS, 1, 0),
                                step_of(LATMC_HEATBATH, 1, 0)};

    (void)state;
    for (int n = 2; n <= VECTOR_MOST; n++)
        for (size_t t = 0; t < ALL(types); t++) {
            latmc_lattice *lattice = kept_lattice(n, types[t]);

            ok(latmc_set_schedule(lattice, 3, steps));
            for (int k = 0; k < 10; k++) {
                ok(latmc_sweep(lattice, LATMC_SCHEDULE, LONG / 100));
                lengths_are_right(lattice, n, KEPT, types[t], "all updates");
            }
            for (size_t u = 0; u < ALL(updates); u++) { /* whichever was the last one */
                ok(latmc_sweep(lattice, updates[u], 1));
                lengths_are_right(lattice, n, KEPT, types[t], "one update");
            }
            latmc_destroy(lattice);
        }
}

/* Settings at their ends: vectors stay finite and of length 1. */
static void nothing_is_too_much(void **state)
{
    enum { SITES = 64 };
    static const double ends[][3] = {/* beta, axis, field */
                                     {1.0, 0.0, 0.0},   {1e6, 1e6, 1e6},   {-1e6, 1e6, -1e6},
                                     {0.0, 1e6, 1e6},   {1e6, 1e-20, 0.0}, {1e-300, 1.0, 1.0},
                                     {1e6, 1e-300, 0.0}};
    static const latmc_update updates[] = {LATMC_HEATBATH, LATMC_METROPOLIS, LATMC_OVERRELAX};

    (void)state;
    for (int n = 2; n <= VECTOR_MOST; n++)
        for (size_t t = 0; t < ALL(types); t++)
            for (size_t e = 0; e < ALL(ends); e++) {
                vector_model m = model_of(n, 8, 8);
                m.beta = ends[e][0];
                m.axis[0] = m.axis[1] = ends[e][1];
                m.field = ends[e][2];
                latmc_lattice *lattice = vector_lattice(&m, 1, types[t], e);
                ok(latmc_draw_bond_couplings(lattice, LATMC_GAUSSIAN, 5, 1,
                                             (latmc_argument[]){LATMC_DRAW_WIDTH},
                                             (double[]){1e6}));
                ok(latmc_start(lattice, LATMC_START_HOT));
                for (size_t u = 0; u < ALL(updates); u++) {
                    ok(latmc_sweep(lattice, updates[u], 10));
                    assert_true(worst_length(lattice, n, SITES) < 1e-6);
                }
                latmc_destroy(lattice);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hot_starts_have_every_direction),
        cmocka_unit_test(heat_bath_in_fields),
        cmocka_unit_test(heat_bath_about_neighbours),
        cmocka_unit_test(proposals_fill_a_ball),
        cmocka_unit_test(acceptances),
        cmocka_unit_test(over_relaxation_keeps_energies),
        cmocka_unit_test(all_updates_keep_lengths),
        cmocka_unit_test(nothing_is_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
