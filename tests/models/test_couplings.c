/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Couplings and boundaries: what was set or drawn is what is read, and the energy of random
 * sites is the sum over bonds that this file takes itself.
 */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

#include "lib/lattice/bonds.h"

enum { GIVEN = 1, DRAWN = 2 };

typedef struct sample {
    int dims;
    int64_t extents[LATMC_MAX_DIMS];
    latmc_boundary boundaries[LATMC_MAX_DIMS];
    int bonds;
} sample;

static const sample samples[] = {
    {1, {2}, {P}, 0},
    {1, {2}, {A}, 0},
    {1, {37}, {O}, GIVEN},
    {1, {64}, {A}, DRAWN},
    {2, {2, 2}, {P, A}, GIVEN},
    {2, {3, 3}, {P, P}, 0},
    {2, {64, 10}, {P, P}, 0},
    {2, {66, 10}, {A, P}, GIVEN},
    {2, {7, 9}, {O, A}, DRAWN},
    {2, {129, 3}, {P, O}, GIVEN},
    {3, {4, 6, 8}, {P, A, O}, GIVEN},
    {3, {5, 4, 3}, {A, O, P}, DRAWN},
    {3, {40, 2, 5}, {O, P, A}, 0},
    {4, {4, 2, 6, 2}, {P, A, P, O}, GIVEN},
    {4, {3, 5, 2, 4}, {O, P, A, A}, DRAWN},
    {4, {35, 3, 2, 3}, {P, P, P, P}, GIVEN},
};

static int64_t sites_of(const sample *s)
{
    int64_t n = 1;

    for (int a = 0; a < s->dims; a++)
        n *= s->extents[a];
    return n;
}

/* The bond from site i up along an axis: its other end, and the boundary's factor. */
static int64_t neighbour(const sample *s, int64_t i, int axis, double *factor)
{
    int64_t stride = 1, x;

    for (int a = 0; a < axis; a++)
        stride *= s->extents[a];
    x = i / stride % s->extents[axis];
    *factor = 1.0;
    if (x + 1 < s->extents[axis])
        return i + stride;
    *factor = s->boundaries[axis] == P ? 1.0 : s->boundaries[axis] == A ? -1.0 : 0.0;
    return i - x * stride;
}

static double energy_by_hand(const sample *s, const double *bonds, const double *axes, double field,
                             const int8_t *sites)
{
    const int64_t n = sites_of(s);
    double e = 0.0;

    for (int64_t i = 0; i < n; i++) {
        for (int a = 0; a < s->dims; a++) {
            double factor;
            const int64_t j = neighbour(s, i, a, &factor);

            e -= axes[a] * factor * bonds[a * n + i] * sites[i] * sites[j];
        }
        e -= field * sites[i];
    }
    return e / (double)n;
}

/* Sets and starts a sample with random sites; bonds[] is what should be read. */
static latmc_lattice *make(const sample *s, uint64_t *random, double *bonds, int8_t *sites)
{
    const int64_t n = sites_of(s);
    latmc_lattice *lat = new_lattice(s->dims, s->extents);

    for (int64_t i = 0; i < n; i++)
        sites[i] = next_random(random) & 1 ? 1 : -1;
    for (int64_t i = 0; i < s->dims * n; i++)
        bonds[i] = s->bonds ? (double)(next_random(random) % 3) - 1.0 : 1.0;
    ok(latmc_set_boundaries(lat, s->boundaries));
    if (s->bonds == GIVEN)
        ok(latmc_set_bond_couplings(lat, bonds));
    if (s->bonds == DRAWN) {
        ok(latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 12345, 0, NULL, NULL));
        ok(latmc_get_bond_couplings(lat, 0, bonds));
    }
    ok(latmc_set_device(lat, "cpu"));
    ok(set_replica(lat, 0, LATMC_INT8, sites, n));
    return lat;
}

static void the_energy_is_the_sum_over_bonds(void **state)
{
    const double axes[LATMC_MAX_DIMS] = {1.0, -0.5, 2.0, 0.25}, field = 0.375;
    uint64_t random = 3;

    (void)state;
    for (size_t k = 0; k < ALL(samples); k++) {
        const sample *s = &samples[k];
        const int64_t n = sites_of(s);
        double *bonds = malloc((size_t)(s->dims * n) * sizeof *bonds);
        double *got = malloc((size_t)(s->dims * n) * sizeof *got), e, m;
        int8_t *sites = malloc((size_t)n);
        latmc_lattice *lat;

        assert_true(bonds && got && sites);
        lat = make(s, &random, bonds, sites);
        ok(latmc_get_bond_couplings(lat, 0, got));
        assert_memory_equal(bonds, got, (size_t)(s->dims * n) * sizeof *got);
        for (int sweep = 0; sweep < 3; sweep++) {
            ok(latmc_set_param(lat, LATMC_FIELD, field));
            ok(latmc_set_bond_type_couplings(lat, axes));
            ok(get_replica(lat, 0, LATMC_INT8, sites, n));
            ok(observe_one(lat, LATMC_ENERGY, &e));
            m = energy_by_hand(s, bonds, axes, field, sites);
            if (fabs(e - m) > 1e-12)
                fail_msg("sample %zu, after %d sweeps: energy %g, by hand %g", k, sweep, e, m);
            ok(latmc_sweep(lat, LATMC_METROPOLIS, 1));
        }
        latmc_destroy(lat);
        free(bonds);
        free(got);
        free(sites);
    }
}

/* Salmon et al. 2011, written down a second time. */
static void philox(const uint32_t counter[4], uint64_t seed, uint32_t out[4])
{
    uint32_t x[4], k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);

    memcpy(x, counter, sizeof x);
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xD2511F53u * x[0], b = (uint64_t)0xCD9E8D57u * x[2];
        const uint32_t y[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k0, (uint32_t)b,
                               (uint32_t)(a >> 32) ^ x[3] ^ k1, (uint32_t)a};

        memcpy(x, y, sizeof x);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    memcpy(out, x, sizeof x);
}

/* The integer that a bond takes. */
static uint32_t integer_of(uint64_t seed, uint32_t site, uint32_t axis)
{
    const uint32_t counter[4] = {site / 4, axis << 16, 0, 2u << 24};
    uint32_t out[4];

    philox(counter, seed, out);
    return out[site % 4];
}

static double specified(uint32_t u, double plus, double missing)
{
    const double gone = floor(missing * 4294967296.0 + 0.5);
    const double more = floor((1.0 - missing) * plus * 4294967296.0 + 0.5);

    return u < gone ? 0.0 : u < gone + more ? 1.0 : -1.0;
}

static const latmc_argument shares[2] = {LATMC_DRAW_PLUS, LATMC_DRAW_MISSING};

static void drawn_couplings_are_as_specified(void **state)
{
    const uint64_t seed = 0x0123456789abcdefu;
    const int64_t n = 3 * 7 * 19;
    static const double values[][2] = {{0.5, 0.0}, {0.3, 0.0}, {0.9, 0.25}, {0.0, 0.5},
                                       {1.0, 0.1}, {0.5, 1.0}, {1.0, 0.0},  {0.0, 0.0}};
    latmc_lattice *lat = new_lattice(3, (int64_t[]){3, 7, 19});
    double bonds[3 * 3 * 7 * 19];

    (void)state;
    for (size_t v = 0; v < ALL(values); v++) {
        ok(latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, seed, v ? 2 : 0, shares,
                                     values[v]));
        ok(latmc_get_bond_couplings(lat, 0, bonds));
        for (int64_t i = 0; i < 3 * n; i++) {
            const uint32_t u = integer_of(seed, (uint32_t)(i % n), (uint32_t)(i / n));

            assert_true(bonds[i] == specified(u, values[v][0], values[v][1]));
        }
    }
    ok(latmc_set_bond_couplings(lat, NULL));
    ok(latmc_get_bond_couplings(lat, 0, bonds));
    for (int64_t i = 0; i < 3 * n; i++)
        assert_true(bonds[i] == 1.0);
    latmc_destroy(lat);
}

/* u < t, and not u <= t: shares whose thresholds are a bond's own integer, and one more. */
static void thresholds_are_met_exactly(void **state)
{
    latmc_lattice *lat = new_lattice(2, (int64_t[]){5, 4});
    double bonds[40];

    (void)state;
    for (uint32_t i = 0; i < 40; i++)
        for (int more = 0; more < 2; more++) {
            const double t = ((double)integer_of(11, i % 20, i / 20) + more) / 4294967296.0;

            ok(latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 11, 1, &shares[0], &t));
            ok(latmc_get_bond_couplings(lat, 0, bonds));
            assert_true(bonds[i] == (more ? 1.0 : -1.0));
            ok(latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 11, 1, &shares[1], &t));
            ok(latmc_get_bond_couplings(lat, 0, bonds));
            assert_true((bonds[i] == 0.0) == more);
        }
    latmc_destroy(lat);
}

/* The part of a site's number that does not fit the counter's first word. */
static void the_largest_lattice_has_couplings_too(void **state)
{
    const int64_t extent = (int64_t)1 << 20, first = ((int64_t)1 << 39) + 12344;
    latmc_lattice *lat = new_lattice(2, (int64_t[]){extent, extent});
    int8_t bonds[128];

    (void)state;
    ok(latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 7, 0, NULL, NULL));
    lm_bonds_own(lat, 0, 1, first, 128, bonds);
    for (int64_t i = 0; i < 128; i++) {
        const uint64_t index = (uint64_t)(first + i) / 4;
        const uint32_t counter[4] = {(uint32_t)index, 1u << 16 | (uint32_t)(index >> 32) << 24, 0,
                                     2u << 24};
        uint32_t out[4];

        philox(counter, 7, out);
        assert_int_equal(bonds[i], out[(first + i) % 4] < 0x80000000u ? 1 : -1);
    }
    latmc_destroy(lat);
}

/* What was set or drawn is said. */
static void where_couplings_are_from(void **state)
{
    latmc_lattice *lat = new_lattice(2, (int64_t[]){3, 2});
    latmc_disorder_info info = LATMC_INIT(latmc_disorder_info);
    const double ones[12] = {1};

    (void)state;
    ok(latmc_get_coupling_info(lat, &info));
    assert_int_equal(info.origin, LATMC_ORIGIN_UNIFORM);
    ok(latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 1u << 31, 1, &shares[1],
                                 (double[]){0.375}));
    ok(latmc_get_coupling_info(lat, &info));
    assert_int_equal(info.origin, LATMC_ORIGIN_DRAWN);
    assert_int_equal(info.distribution, LATMC_PLUS_MINUS_ONE);
    assert_true(info.seed == 1u << 31 && info.argument_count == 2);
    assert_true(info.arguments[0] == LATMC_DRAW_PLUS && info.values[0] == 0.5);
    assert_true(info.arguments[1] == LATMC_DRAW_MISSING && info.values[1] == 0.375);
    assert_true(info.arguments[2] == 0 && info.values[2] == 0.0);
    ok(latmc_set_bond_couplings(lat, ones));
    ok(latmc_get_coupling_info(lat, &info));
    assert_int_equal(info.origin, LATMC_ORIGIN_GIVEN);
    assert_true(info.distribution == 0 && info.seed == 0 && info.argument_count == 0);
    info.size = sizeof info - 1;
    refused(LATMC_ERROR_ARGUMENT, "sizeof(latmc_disorder_info)",
            latmc_get_coupling_info(lat, &info));
    latmc_destroy(lat);
}

/* However the same couplings come about, the trajectory is the same. */
static void equal_couplings_give_equal_trajectories(void **state)
{
    const int64_t extents[2] = {38, 12}, n = 38 * 12;
    double bonds[2 * 38 * 12];
    uint64_t hash[4];

    (void)state;
    for (int way = 0; way < 4; way++) {
        latmc_lattice *lat = new_lattice(2, extents);

        for (int64_t i = 0; i < 2 * n && way == 1; i++)
            bonds[i] = 1.0;
        if (way >= 2) {
            ok(latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 8, 0, NULL, NULL));
            ok(latmc_get_bond_couplings(lat, 0, bonds));
        }
        if (way == 1 || way == 3)
            ok(latmc_set_bond_couplings(lat, bonds));
        ok(latmc_set_device(lat, "cpu"));
        ok(latmc_start(lat, LATMC_START_HOT));
        ok(latmc_sweep(lat, LATMC_METROPOLIS, 20));
        hash[way] = hash_of(lat);
        latmc_destroy(lat);
    }
    assert_true(hash[0] == hash[1] && hash[2] == hash[3] && hash[0] != hash[2]);
}

/* ---- samples */

enum { SAMPLES = 4, EACH = 3, FIRST = 5, MOST = 1536 };

static const struct {
    int dims;
    int64_t extents[LATMC_MAX_DIMS];
    int64_t first; /* replica */
} divided[] = {
    {2, {4, 6}, 0},  {3, {16, 6, 4}, 0},   {3, {16, 6, 4}, 7},
    {2, {66, 6}, 1}, {2, {130, 4}, 0},     {3, {5, 3, 4}, 2},
    {1, {37}, 0},    {4, {8, 4, 2, 6}, 3}, {4, {4, 4, 4, 4}, 0},
};

/* The ways that couplings come about: drawn, without some, given. */
enum { DRAWN_ALL, DRAWN_SOME, GIVEN_SOME, WAYS };

/* Samples [sample, sample + count) of the four, `each` replicas of every one from `replica` on. */
static latmc_lattice *part_of(size_t k, int way, int64_t sample, int64_t count, int64_t replica,
                              int64_t each)
{
    const int64_t replicas = count * each, first = sample * EACH + replica;
    latmc_lattice *lat = new_lattice(divided[k].dims, divided[k].extents);
    const int64_t bonds = divided[k].dims * info_of(lat).sites;
    double *given = malloc((size_t)(SAMPLES * bonds) * sizeof *given), beta[SAMPLES * EACH];
    uint64_t random = 4;

    assert_non_null(given);
    ok(latmc_set_replicas(lat, replicas));
    ok(latmc_set_first_replica(lat, divided[k].first + first));
    ok(latmc_set_samples(lat, count, FIRST + sample));
    for (int64_t i = 0; i < SAMPLES * bonds; i++) /* the second lacks no bond */
        given[i] = i / bonds == 1 ? 1.0 : (double)(next_random(&random) >> 9 & 3) / 2.0 - 0.5;
    for (int64_t i = 0; i < SAMPLES * bonds; i++)
        given[i] = given[i] > 0.75 ? 1.0 : given[i] < -0.25 ? -1.0 : given[i] > 0.25 ? 1.0 : 0.0;
    for (int64_t r = 0; r < replicas; r++)
        beta[r] = 0.2 + 0.03 * (double)(first + r);
    if (way == GIVEN_SOME)
        ok(latmc_set_bond_couplings(lat, given + sample * bonds));
    else
        ok(latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 21, way == DRAWN_SOME, &shares[1],
                                     (double[]){0.3}));
    ok(latmc_set_params(lat, LATMC_BETA, beta));
    free(given);
    return lat;
}

static void run_on(latmc_lattice *lat, const char *device, int threads)
{
    ok(latmc_set_threads(lat, threads));
    ok(latmc_set_device(lat, device));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 5));
    ok(latmc_sweep(lat, LATMC_HEATBATH, 2));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 5));
}

/* The replicas of a part are those of the whole, from number `first` of it on. */
static void compare_replicas(latmc_lattice *whole, latmc_lattice *part, int64_t first)
{
    const latmc_quantity observed[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                       LATMC_QUANTITY(LATMC_MAGNETIZATION),
                                       LATMC_QUANTITY(LATMC_CHANGED)};
    const latmc_lattice_info info = info_of(part);
    int8_t want[MOST], got[MOST];
    double of_whole[SAMPLES * EACH], of_part[SAMPLES * EACH];

    assert_true(info.sites <= MOST);
    for (int64_t r = 0; r < info.replicas; r++) {
        ok(get_replica(whole, first + r, LATMC_INT8, want, info.sites));
        ok(get_replica(part, r, LATMC_INT8, got, info.sites));
        assert_memory_equal(want, got, (size_t)info.sites);
    }
    for (size_t o = 0; o < ALL(observed); o++) {
        ok(latmc_observe(whole, LATMC_BY_REPLICA, 1, &observed[o], of_whole));
        ok(latmc_observe(part, LATMC_BY_REPLICA, 1, &observed[o], of_part));
        assert_memory_equal(of_whole + first, of_part, (size_t)info.replicas * sizeof(double));
    }
}

/* Four samples of three replicas are four lattices of one sample, two of two, and twelve of one
 * replica: also where a word holds replicas of several samples. */
static void ensembles_of_samples_can_be_divided(void **state)
{
    (void)state;
    for (size_t d = 0; d < ALL(every_device); d++)
        for (size_t k = 0; k < ALL(divided) && usable(every_device[d]); k++)
            for (int way = 0; way < WAYS; way++) {
                latmc_lattice *whole = part_of(k, way, 0, SAMPLES, 0, EACH);

                run_on(whole, every_device[d], 1 + (int)k % 3);
                for (int64_t count = 1; count <= 2; count++)
                    for (int64_t j = 0; j < SAMPLES; j += count) {
                        latmc_lattice *part = part_of(k, way, j, count, 0, EACH);
                        run_on(part, "cpu:scalar", 1);
                        compare_replicas(whole, part, j * EACH);
                        latmc_destroy(part);
                    }
                for (int64_t r = 0; r < SAMPLES * EACH; r++) {
                    latmc_lattice *part = part_of(k, way, r / EACH, 1, r % EACH, 1);
                    run_on(part, "cpu:scalar", 1);
                    compare_replicas(whole, part, r);
                    latmc_destroy(part);
                }
                latmc_destroy(whole);
            }
}

/* A sample's couplings depend on its number alone, and differ from another's. */
static void a_sample_is_its_number(void **state)
{
    enum { N = 24 };
    double all[SAMPLES][2 * N], one[2 * N], given[SAMPLES * 2 * N];
    latmc_lattice *lat = new_lattice(2, (int64_t[]){6, 4});

    (void)state;
    ok(latmc_set_replicas(lat, SAMPLES));
    ok(latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 3, 0, NULL, NULL));
    ok(latmc_set_samples(lat, SAMPLES, 65532));
    for (int64_t j = 0; j < SAMPLES; j++)
        ok(latmc_get_bond_couplings(lat, j, all[j]));
    for (int64_t j = 0; j < SAMPLES; j++) {
        ok(latmc_set_samples(lat, 1, 65532 + j));
        ok(latmc_get_bond_couplings(lat, 0, one));
        assert_memory_equal(one, all[j], sizeof one);
        assert_true(j == 0 || memcmp(all[j], all[0], sizeof one) != 0);
    }
    ok(latmc_set_samples(lat, SAMPLES, 0));
    for (int i = 0; i < SAMPLES * 2 * N; i++)
        given[i] = (double)(i % 3 - 1);
    ok(latmc_set_bond_couplings(lat, given));
    for (int64_t j = 0; j < SAMPLES; j++) {
        ok(latmc_get_bond_couplings(lat, j, one));
        assert_memory_equal(one, given + j * 2 * N, sizeof one);
    }
    latmc_destroy(lat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_is_the_sum_over_bonds),
        cmocka_unit_test(drawn_couplings_are_as_specified),
        cmocka_unit_test(thresholds_are_met_exactly),
        cmocka_unit_test(where_couplings_are_from),
        cmocka_unit_test(the_largest_lattice_has_couplings_too),
        cmocka_unit_test(equal_couplings_give_equal_trajectories),
        cmocka_unit_test(ensembles_of_samples_can_be_divided),
        cmocka_unit_test(a_sample_is_its_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
