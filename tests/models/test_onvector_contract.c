/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The O(n) vector model's trajectory against its second implementation, beside what contract
 * compares of every model: settings that change in mid-run, sites that are given, signs of zeros,
 * sums of sums of sums. And what may be given at all.
 */
#include "tests/models/onvector.h"
#include "tests/models/pair.h"

static pair made(const test_sample *s, latmc_type type, const char *device)
{
    const test_case c = {
        .model = &test_onvector, .shape = &s->shape, .settings = s->settings, .type = type};

    return pair_of(&c, device);
}

static naive_vectors *by_hand(const pair *p, int64_t r)
{
    return p->naive[r];
}

/* ---- the first configuration */

/* Of each of these seeds a word of some site is so near to 2^31 that as a float it is there. */
static void hot_starts_round_as_the_page_says(void **state)
{
    static const uint64_t seeds[] = {13392, 69814, 119439, 129651};
    const test_sample sample = {{1, {256}, {P}, 0, 1}, VECTORS(.beta = 1.0)};

    for (size_t i = 0; i < ALL(seeds); i++)
        for (int type = LATMC_FLOAT32; type <= LATMC_FLOAT64; type++) {
            pair p = made(&sample, (latmc_type)type, suite_stage_of(state)->device);
            ok(latmc_set_seed(p.lattice, seeds[i]));
            by_hand(&p, 0)->f.seed = seeds[i];
            pair_start(&p, LATMC_START_HOT);
            pair_compare(&p, "hot");
            pair_free(&p);
        }
}

/* ---- in mid-run */

static void change_params(pair *p, double beta, double field, double epsilon, int hits)
{
    ok(latmc_set_param(p->lattice, LATMC_BETA, beta));
    ok(latmc_set_param(p->lattice, LATMC_FIELD, field));
    ok(latmc_set_param(p->lattice, LATMC_EPSILON, epsilon));
    ok(latmc_set_param(p->lattice, LATMC_HITS, hits));
    for (int64_t r = 0; r < p->c.shape->replicas; r++) {
        naive_vectors *n = by_hand(p, r);
        n->beta = beta;
        n->field = field;
        n->f.m.epsilon = epsilon;
        n->f.m.hits = hits;
    }
}

static void change_axes(pair *p, const double *axis)
{
    ok(latmc_set_bond_type_couplings(p->lattice, axis));
    for (int64_t r = 0; r < p->c.shape->replicas; r++)
        memcpy(by_hand(p, r)->axis, axis, (size_t)p->c.shape->dims * sizeof *axis);
}

static const test_sample changing[] = {
    {{2, {10, 7}, {P, A}, 0, 4},
     VECTORS(.beta = 1.0, .bonds = {NORMAL, .width = 1.0}, .fields = {NORMAL, .width = 0.5},
             .samples = 2)},
    {{3, {6, 5, 8}, {P, O, P}, 3, 2}, VECTORS(.beta = 0.5)},
};

/* Axes that become 0 and are no longer, with bonds and fields of their own and without. */
static void settings_change(void **state)
{
    const char *device = suite_stage_of(state)->device;

    for (size_t i = 0; i < ALL(changing); i++)
        for (int type = LATMC_FLOAT32; type <= LATMC_FLOAT64; type++) {
            pair p = made(&changing[i], (latmc_type)type, device);
            pair_start(&p, LATMC_START_HOT);
            pair_sweep(&p, LATMC_METROPOLIS, 1, "at first");
            change_axes(&p, (const double[]){0.5, 0.0, -1.25});
            pair_sweep(&p, LATMC_OVERRELAX, 1, "other axes");
            change_params(&p, 1.7, -0.3, 0.6, 5);
            pair_sweep(&p, LATMC_METROPOLIS, 2, "other parameters");
            change_axes(&p, (const double[]){1.0, 1.0, 1.0});
            change_params(&p, -0.4, 0.0, 1.0, 1);
            pair_sweep(&p, LATMC_METROPOLIS, 1, "the first axes");
            pair_sweep(&p, LATMC_OVERRELAX, 1, "reflected");
            pair_free(&p);
        }
}

/* ---- sites that are given */

enum { SIDE = 6, SITES = SIDE * SIDE };

/* A vector that is further from length 1 than updates leave it becomes unit(unit(v)), in doubles.
 */
static void unit_as_given(naive_vectors *n, double *v)
{
    const naive_vectors doubles = {.n = VECTOR};

    if (fabs(v[0] * v[0] + v[1] * v[1] - 1.0) < (n->f.single ? 3e-7 : 6e-16))
        return;
    naive_unit(&doubles, v);
    naive_unit(&doubles, v);
    for (int c = 0; c < VECTOR && n->f.single; c++)
        v[c] = (double)(float)v[c];
}

/* Given in one type, to a lattice of one: numbers that both have. */
static void give(pair *p, int64_t r, latmc_type type, const double *s)
{
    float narrow[VECTOR * SITES];
    naive_vectors *n = by_hand(p, r);

    for (int i = 0; i < VECTOR * SITES; i++)
        n->s[i] = narrow[i] = (float)s[i];
    for (int i = 0; i < SITES; i++)
        unit_as_given(n, n->s + VECTOR * i);
    ok(set_replica(p->lattice, r, type, type == LATMC_FLOAT32 ? (const void *)narrow : s,
                   VECTOR * SITES));
}

/* Along the axes, with zeros of either sign, and as far from length 1 as may be. */
static void odd_sites(double *s, uint64_t seed)
{
    static const double lengths[] = {1.0, 0x1.fffap-1, 0x1.0003p+0};
    uint64_t state = seed;

    for (int i = 0; i < SITES; i++) {
        const uint64_t of = next_random(&state);
        const double length = lengths[of % 3], sign = of >> 8 & 1 ? -1.0 : 1.0;
        const double zero = of >> 9 & 1 ? -0.0 : 0.0;
        const int along = (int)(of >> 10 & 1);
        s[VECTOR * i + along] = sign * length;
        s[VECTOR * i + !along] = zero;
    }
}

/* A second component of 0 everywhere, on every other site -0: reflections keep both signs only if
 * no local field has a 0 of its own. */
static void chessboard(double *s)
{
    for (int i = 0; i < SITES; i++) {
        s[VECTOR * i] = 1.0;
        s[VECTOR * i + 1] = (i + i / SIDE) % 2 ? -0.0 : 0.0;
    }
}

static const test_sample odd_lattices[] = {
    {{2, {SIDE, SIDE}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, .field = -0.0, .hits = 1)},
    {{2, {SIDE, SIDE}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, .hits = 2, .epsilon = 0.5)},
    {{2, {SIDE, SIDE}, {A, O}, 0, 2},
     VECTORS(.beta = 1.0, .axis = {-1.0, 1.0}, .hits = 1, .epsilon = 1.0)},
    {{2, {SIDE, SIDE}, {O, P}, 0, 2},
     VECTORS(.beta = 1.0, .bonds = {SIGNS, .plus = 0.5, .missing = 0.5}, .hits = 1)},
};

/* Sweeps of reflections first, which make zeros of zeros. */
static void given_sites_are_kept_and_swept(void **state)
{
    const char *device = suite_stage_of(state)->device;
    double s[VECTOR * SITES];

    for (size_t i = 0; i < ALL(odd_lattices); i++)
        for (int type = LATMC_FLOAT32; type <= LATMC_FLOAT64; type++)
            for (int form = LATMC_FLOAT32; form <= LATMC_FLOAT64; form++) {
                pair p = made(&odd_lattices[i], (latmc_type)type, device);
                pair_start(&p, LATMC_START_COLD);
                for (int64_t r = 0; r < 2; r++) {
                    if (r == 0)
                        chessboard(s);
                    else
                        odd_sites(s, 77);
                    give(&p, r, (latmc_type)form, s);
                }
                pair_compare(&p, "given");
                pair_sweep(&p, LATMC_OVERRELAX, 1, "reflected");
                pair_sweep(&p, LATMC_OVERRELAX, 1, "reflected again");
                pair_sweep(&p, LATMC_METROPOLIS, 2, "turned");
                pair_free(&p);
            }
}

/* Lengths within 1e-4 of 1 in their square, whatever the components. */
static void lengths_are_checked(void **state)
{
    static const struct {
        double s[VECTOR];
        int good;
    } cases[] = {
        {{0.6, 0.8}, 1},         {{-0.8, 0.6}, 1},
        {{0.0, -1.0}, 1},        {{0.6, 0.80005}, 1}, /* 1 + 8e-5 */
        {{0.6, 0.80007}, 0},                          /* 1 + 1.1e-4 */
        {{0.59995, 0.8}, 1},                          /* 1 - 6e-5 */
        {{0.5999, 0.8}, 0},                           /* 1 - 1.2e-4 */
        {{1.0, 1.0}, 0},         {{0.0, 0.0}, 0},
        {{1.0, (double)NAN}, 0}, {{(double)-INFINITY, 0.0}, 0},
        {{1e30, 1e30}, 0},
    };
    latmc_lattice *lattice = NULL;

    (void)state;
    ok(latmc_create(&lattice, LATMC_ONVECTOR, 1, (int64_t[]){3}));
    for (int type = LATMC_FLOAT32; type <= LATMC_FLOAT64; type++)
        for (size_t i = 0; i < ALL(cases); i++) {
            double wide[VECTOR * 3] = {0.0, 1.0, 0.6, 0.8, cases[i].s[0], cases[i].s[1]}, got[6],
                                 again[6];
            float narrow[VECTOR * 3];
            const void *s = type == LATMC_FLOAT32 ? (const void *)narrow : wide;
            for (int k = 0; k < VECTOR * 3; k++)
                narrow[k] = (float)wide[k];
            if (!cases[i].good) {
                refused(LATMC_ERROR_ARGUMENT, "site 2",
                        set_replica(lattice, 0, (latmc_type)type, s, VECTOR * 3));
                continue;
            }
            ok(set_replica(lattice, 0, (latmc_type)type, s, VECTOR * 3));
            ok(get_replica(lattice, 0, LATMC_FLOAT64, got, VECTOR * 3));
            for (int k = 0; k < VECTOR * 3; k++)
                assert_true(fabs(got[k] - (double)narrow[k]) <= (k < 4 ? 6e-8 : 6e-5));
            for (int k = 0; k < 3; k++)
                assert_true(fabs(got[2 * k] * got[2 * k] + got[2 * k + 1] * got[2 * k + 1] - 1.0) <
                            3e-7);
            /* What a lattice has stays as it is. */
            ok(set_replica(lattice, 0, LATMC_FLOAT64, got, VECTOR * 3));
            ok(get_replica(lattice, 0, LATMC_FLOAT64, again, VECTOR * 3));
            assert_memory_equal(again, got, sizeof got);
        }
    latmc_destroy(lattice);
}

/* A ground state whose vectors are given too long, and proposals that are all refused. */
static void no_energy_is_below_the_ground_states(void **state)
{
    static const double roundings[] = {1e-6, 1e-14};
    latmc_lattice *lattice = NULL;
    double s[VECTOR * SITES], energy, best;
    latmc_quantity what = LATMC_QUANTITY(LATMC_ENERGY);

    (void)state;
    for (int i = 0; i < SITES; i++)
        s[VECTOR * i] = 0.0, s[VECTOR * i + 1] = 1.00004;
    for (int wide = 0; wide < 2; wide++) {
        ok(latmc_create(&lattice, LATMC_ONVECTOR, 2, (int64_t[]){SIDE, SIDE}));
        ok(latmc_set_option(lattice, LATMC_PRECISION, wide ? 64 : 32));
        ok(latmc_set_param(lattice, LATMC_BETA, 1e6));
        ok(set_replica(lattice, 0, LATMC_FLOAT64, s, VECTOR * SITES));
        ok(latmc_keep_best(lattice, 1));
        ok(latmc_sweep(lattice, LATMC_METROPOLIS, 5));
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &what, &energy));
        ok(latmc_get_best(lattice, &best, NULL));
        assert_true(energy >= -2.0 - roundings[wide] && best >= -2.0 - roundings[wide]);
        assert_true(best < -1.99);
        latmc_destroy(lattice);
    }
}

/* ---- enough sites for sums of sums of sums */

static const test_sample million = {
    {1, {1050001}, {A}, 0, 1},
    VECTORS(.beta = 1.0, .field = 0.5, .bonds = {NORMAL, .width = 1.0},
            .fields = {NORMAL, .mean = 0.5, .width = 0.5}, .hits = 1, .epsilon = 1.0)};

static void long_sums(void **state)
{
    pair p = made(&million, LATMC_FLOAT32, suite_stage_of(state)->device);

    pair_start(&p, LATMC_START_HOT);
    pair_sweep(&p, LATMC_METROPOLIS, 1, "swept");
    pair_free(&p);
}

/* ---- what the last colour leaves behind */

/* Layers of whole leaves: of few packs, and of enough for large ones; with ends; in fields. */
static const test_sample leaving[] = {
    {{2, {256, 3}, {P, O}, 0, 2}, VECTORS(.beta = 1.0, .axis = {0.7, 1.3})},
    {{2, {512, 4}, {P, P}, 0, 3},
     VECTORS(.beta = 1.0, .bonds = {NORMAL, .width = 1.0}, .samples = 3)},
    {{3, {16, 16, 5}, {P, P, O}, 0, 2},
     VECTORS(.beta = 0.9, .field = 0.3, .bonds = {NORMAL, .width = 1.0})},
    {{3, {64, 4, 6}, {A, P, P}, 0, 2},
     VECTORS(.beta = 0.9, .axis = {1.0, -0.5, 0.1}, .bonds = {SIGNS, .plus = 0.5})},
    {{3, {16, 32, 4}, {P, O, P}, 0, 2},
     VECTORS(.beta = 0.9, .bonds = {NORMAL, .width = 1.0},
             .fields = {NORMAL, .mean = 0.1, .width = 0.5})},
    {{3, {32, 32, 32}, {P, P, P}, 0, 32},
     VECTORS(.beta = 0.9, .hits = 1, .bonds = {NORMAL, .width = 1.0}, .samples = 2)},
    {{3, {32, 32, 32}, {P, A, P}, 0, 32}, VECTORS(.beta = 0.9, .hits = 1)},
};

/* A record after each sweep has what is found in the sites afterwards, here and on another device.
 */
static void energies_are_left(const test_case *c, latmc_update update, const char *device)
{
    enum { RECORDS = 2, MOST = 64 };
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    latmc_lattice *lattice = suite_started(c, 0, c->shape->replicas, device, 2);
    latmc_lattice *other = suite_started(c, 0, c->shape->replicas, device, 2);
    double left[MOST * RECORDS], found[MOST];

    assert_true(c->shape->replicas <= MOST);
    ok(record_series(lattice, update, 1, RECORDS, 1, &energy, left));
    for (int i = 0; i < RECORDS; i++) {
        ok(latmc_sweep(other, update, 1));
        for (int moved = 0; moved < 2; moved++) {
            ok(latmc_set_device(other, moved ? "cpu" : device));
            ok(latmc_observe(other, LATMC_BY_REPLICA, 1, &energy, found));
            for (int64_t r = 0; r < c->shape->replicas; r++)
                if (memcmp(&found[r], &left[r * RECORDS + i], sizeof *found) != 0)
                    fail_msg("%s, record %d, replica %d: left %.17g, found %.17g%s", device, i,
                             (int)r, left[r * RECORDS + i], found[r], moved ? " on a CPU" : "");
        }
        ok(latmc_set_device(other, device));
    }
    latmc_destroy(lattice);
    latmc_destroy(other);
}

static void sweeps_leave_energies(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    static const latmc_update updates[] = {LATMC_METROPOLIS, LATMC_OVERRELAX, LATMC_HEATBATH};
    static const test_model *const models[] = {&test_onvector, &test_onvector_3, &test_onvector_4};

    for (int i = 0; i < (int)ALL(leaving) * 3; i++) {
        const test_sample *s = &leaving[i / 3];
        const int large = s->shape.replicas > 4;
        const test_case c = {.model = models[i % 3],
                             .shape = &s->shape,
                             .settings = s->settings,
                             .type = i % 2 ? LATMC_FLOAT64 : LATMC_FLOAT32};

        for (int u = 0; u < (int)ALL(updates); u++)
            if (!large || strncmp(on->device, "cuda", 4) == 0)
                energies_are_left(&c, updates[u], on->device);
    }
}

/* A field that is 0 when a record begins, and grows in it. */
static void a_field_grows(void **state)
{
    enum { RECORDS = 4 };
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    const test_sample sample = {{2, {16, 16}, {P, P}, 0, 1}, VECTORS(.beta = 1.0)};
    const test_case c = {.model = &test_onvector,
                         .shape = &sample.shape,
                         .settings = sample.settings,
                         .type = LATMC_FLOAT32};
    const char *device = suite_stage_of(state)->device;
    latmc_lattice *at_once = suite_started(&c, 0, 1, device, 1);
    latmc_lattice *one_by_one = suite_started(&c, 0, 1, device, 1);
    const double to = 2.0;
    double series[RECORDS], e;

    ok(latmc_set_ramp(at_once, LATMC_FIELD, &to, RECORDS));
    ok(latmc_set_ramp(one_by_one, LATMC_FIELD, &to, RECORDS));
    ok(record_series(at_once, LATMC_METROPOLIS, 1, RECORDS, 1, &energy, series));
    for (int i = 0; i < RECORDS; i++) {
        ok(latmc_sweep(one_by_one, LATMC_METROPOLIS, 1));
        ok(latmc_observe(one_by_one, LATMC_BY_REPLICA, 1, &energy, &e));
        assert_true(memcmp(&e, &series[i], sizeof e) == 0);
    }
    latmc_destroy(at_once);
    latmc_destroy(one_by_one);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_ON_DEVICES(hot_starts_round_as_the_page_says),
        SUITE_ON_DEVICES(settings_change),
        SUITE_ON_DEVICES(given_sites_are_kept_and_swept),
        SUITE_TEST(lengths_are_checked),
        SUITE_TEST(no_energy_is_below_the_ground_states),
        SUITE_ON_DEVICES(long_sums),
        SUITE_ON_DEVICES(sweeps_leave_energies),
        SUITE_ON_DEVICES(a_field_grows),
    };

    return suite_run(&test_onvector, tests, ALL(tests), NULL, NULL);
}
