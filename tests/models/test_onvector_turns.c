/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vortices and chiralities of vectors that are given, whose numbers are known; of random ones
 * against a count by angles and a triple product in the test; of independent ones against what
 * integrals say. test_contract has them in every bit, test_slabs of slabs.
 */
#include "tests/models/onvector.h"
#include "tests/models/suite.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* ---- lattices of given vectors, coupled along each axis in another way, which does not matter */

typedef struct turning {
    shape shape;
    int n;
    latmc_type type;
    const char *device;
} turning;

static latmc_lattice *turning_lattice(const turning *t)
{
    vector_model m = {.axis = {1.0, -0.5, 0.0, 2.0}, .beta = 0.7, .n = t->n};
    latmc_lattice *lattice;

    m.lattice = (field_model){.dims = t->shape.dims, .epsilon = 1.0, .hits = 1};
    memcpy(m.lattice.extents, t->shape.extents, sizeof m.lattice.extents);
    memcpy(m.lattice.boundaries, t->shape.boundaries, sizeof m.lattice.boundaries);
    lattice = vector_lattice(&m, t->shape.replicas, t->type, 4711);
    ok(latmc_set_device(lattice, t->device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

static double value_of(latmc_lattice *lattice, latmc_quantity what)
{
    double value;

    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &what, &value));
    return value;
}

static void give(latmc_lattice *lattice, const turning *t, int64_t replica, const double *s)
{
    const int64_t numbers = t->n * info_of(lattice).sites;
    float *narrow = suite_room(numbers, sizeof *narrow);

    for (int64_t i = 0; i < numbers; i++)
        narrow[i] = (float)s[i];
    ok(set_replica(lattice, replica, t->type, t->type == LATMC_FLOAT32 ? (const void *)narrow : s,
                   numbers));
    free(narrow);
}

static double value_with(const turning *t, latmc_quantity what, const double *s)
{
    latmc_lattice *lattice = turning_lattice(t);
    double value;

    give(lattice, t, 0, s);
    value = value_of(lattice, what);
    latmc_destroy(lattice);
    return value;
}

/* Of either type, by the angles of two dimensions. */
static void has_vortices(turning t, const double *angles, int count)
{
    const int sites = (int)(t.shape.extents[0] * t.shape.extents[1]);
    double *s = suite_room(2 * sites, sizeof *s);

    t.n = 2;
    t.shape.dims = 2;
    t.shape.replicas = 1;
    for (int i = 0; i < sites; i++) {
        s[2 * i] = cos(angles[i]);
        s[2 * i + 1] = sin(angles[i]);
    }
    for (int type = LATMC_FLOAT32; type <= LATMC_FLOAT64; type++) {
        t.type = (latmc_type)type;
        assert_true(value_with(&t, quantity_of(LATMC_VORTICES, 0), s) == (double)count / sites);
    }
    free(s);
}

/* ---- known ones */

enum { SIDE = 16 };

/* The angle about a point, of a pair of them, or of a wave. */
static void planted_vortices_are_found(void **state)
{
    const turning open = {.shape = {.extents = {SIDE, SIDE}, .boundaries = {O, O}},
                          .device = suite_stage_of(state)->device};
    turning torus = open, mixed = open;
    double one[SIDE * SIDE], two[SIDE * SIDE], none[SIDE * SIDE];

    torus.shape.boundaries[0] = torus.shape.boundaries[1] = P;
    mixed.shape.boundaries[0] = A;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = i % SIDE - 7.5, y = i / SIDE - 6.5;
        one[i] = atan2(y, x) + 0.3;
        two[i] = atan2(y, x) - atan2(y - 2.0, x - 1.0);
        none[i] = 2.0 * pi / SIDE * (3 * (i % SIDE) - 2 * (i / SIDE));
    }
    has_vortices(open, one, 1);
    has_vortices(open, two, 2);
    has_vortices(torus, two, 2); /* at the ends angles differ by little */
    has_vortices(open, none, 0);
    has_vortices(torus, none, 0);
    for (int i = 0; i < SIDE * SIDE; i++)
        none[i] = pi / SIDE * (3 * (i % SIDE)) + 0.1 * (i / SIDE);
    has_vortices(mixed, none, 0);
}

/* Four vectors, in quarters of a turn: (0, 0), (1, 0), (0, 1), (1, 1). Across the seam of axis 0
 * the plaquette has 0, 1, 2, 3 quarters, across that of axis 1 the first one 0, 3, 2, 1. */
static void seams_have_their_sign(void **state)
{
    static const double quarters[] = {3, 0, 0, 3};
    static const struct {
        latmc_boundary ends[2];
        int count;
    } cases[] = {{{P, P}, 0}, {{P, O}, 0}, {{A, O}, 1}, {{A, A}, 2}, {{O, A}, 1}, {{O, O}, 0}};
    turning t = {.shape = {.extents = {2, 2}}, .device = suite_stage_of(state)->device};
    double angles[4];

    for (int i = 0; i < 4; i++)
        angles[i] = quarters[i] * pi / 2 + 0.2;
    for (size_t i = 0; i < ALL(cases); i++) {
        memcpy(t.shape.boundaries, cases[i].ends, sizeof cases[i].ends);
        has_vortices(t, angles, cases[i].count);
    }
}

/* Opposite vectors have the arc that does not pass the negative half of axis 0. */
static void ties_go_as_the_page_says(void **state)
{
    static const struct {
        double corner[4][2]; /* of the only plaquette, around it */
        int count;
    } cases[] = {
        {{{0, 1}, {0, -1}, {-1, 0}, {-1, 0}}, 1},    {{{0, 1}, {0, -1}, {1, 0}, {1, 0}}, 0},
        {{{0, -1}, {0, 1}, {-1, 0}, {-1, 0}}, 1},    {{{0, -1}, {0, 1}, {1, 0}, {1, 0}}, 0},
        {{{1, 0}, {-1, 0}, {0, -1}, {0, -1}}, 1},    {{{1, 0}, {-1, 0}, {0, 1}, {0, 1}}, 0},
        {{{1, 0}, {-1, 0}, {1, 0}, {-1, 0}}, 0},     {{{0, 1}, {0, -1}, {0, 1}, {0, -1}}, 0},
        {{{1, -0.0}, {-1, 0}, {0, -1}, {0, -1}}, 1}, {{{1, 0}, {-1, -0.0}, {0, 1}, {0, 1}}, 0},
        {{{1, 0}, {0, 1}, {-1, -0.0}, {0, -1}}, 1},  {{{1, 0}, {0, -1}, {-1, 0}, {0, 1}}, 1},
    };
    const turning t = {.shape = {2, {2, 2}, {O, O}, 0, 1},
                       .n = 2,
                       .type = LATMC_FLOAT64,
                       .device = suite_stage_of(state)->device};

    for (size_t i = 0; i < ALL(cases); i++) {
        double s[8];

        for (int k = 0; k < 4; k++)
            memcpy(s + 2 * (const int[]){0, 1, 3, 2}[k], cases[i].corner[k],
                   sizeof cases[i].corner[k]);
        if (value_with(&t, quantity_of(LATMC_VORTICES, 0), s) != cases[i].count / 4.0)
            fail_msg("case %d has not %d", (int)i, cases[i].count);
    }
}

/* Vectors of two cones, a quarter of a turn from site to site along an axis of 8 x 8 x 8: kappa is
 * 2 sin^2 cos of the cones' angle, of either sign, and 0 at open ends and along other axes. */
enum { CUBE = 512 };
static const double cone_across = 0.6, cone_along = 0.8, kappa = 2.0 * 0.6 * 0.6 * 0.8;

static void spiral(int axis, double *s)
{
    for (int i = 0; i < CUBE; i++) {
        const int turn = (i >> 3 * axis) % 4;
        s[3 * i] = cone_across * (const double[]){1, 0, -1, 0}[turn];
        s[3 * i + 1] = cone_across * (const double[]){0, 1, 0, -1}[turn];
        s[3 * i + 2] = i % 2 ? -cone_along : cone_along;
    }
}

static turning spiral_lattice(int axis, int open, latmc_type type, const char *device)
{
    turning t = {{3, {8, 8, 8}, {P, P, P}, 0, 1}, 3, type, device};

    t.shape.boundaries[axis] = open ? O : P;
    return t;
}

static void spirals_have_their_chirality(void **state)
{
    double s[3 * CUBE];

    for (int type = LATMC_FLOAT32; type <= LATMC_FLOAT64; type++)
        for (int axis = 0; axis < 3; axis++)
            for (int open = 0; open < 2; open++) {
                const turning t =
                    spiral_lattice(axis, open, (latmc_type)type, suite_stage_of(state)->device);
                const double want = open ? kappa * 6 / 8 : kappa;

                spiral(axis, s);
                for (int a = 0; a < 3; a++) {
                    const double got = value_with(&t, quantity_of(LATMC_CHIRALITY, a), s);
                    if (!(fabs(got - (a == axis ? want : 0.0)) < 1e-6))
                        fail_msg("along axis %d of a spiral along %d: %.9g", a, axis, got);
                }
                assert_true(fabs(value_with(&t, quantity_of(LATMC_MEAN_CHIRALITY, 0), s) -
                                 want / 3) < 1e-6);
            }
}

/* A spiral and its mirror image: the product is -kappa^2, but 0 at open ends, whose wave is that of
 * the two sites there. */
static void pairs_of_spirals_have_theirs(void **state)
{
    static const latmc_quantity what[] = {
        LATMC_QUANTITY(LATMC_CHIRAL_OVERLAP2, 0),  LATMC_QUANTITY(LATMC_CHIRAL_OVERLAP2, 1),
        LATMC_QUANTITY(LATMC_CHIRAL_OVERLAP2, 2),  LATMC_QUANTITY(LATMC_CHIRAL_STRUCTURE, 0),
        LATMC_QUANTITY(LATMC_CHIRAL_STRUCTURE, 1), LATMC_QUANTITY(LATMC_CHIRAL_STRUCTURE, 2)};
    static const int64_t pair[] = {0, 1};
    const double square = kappa * kappa, ends = square * 2 * cos(pi / 8) / 8;
    double s[3 * CUBE], got[6];

    for (int axis = 0; axis < 3; axis++)
        for (int open = 0; open < 2; open++) {
            turning t = spiral_lattice(axis, open, axis ? LATMC_FLOAT32 : LATMC_FLOAT64,
                                       suite_stage_of(state)->device);
            latmc_lattice *lattice;

            t.shape.replicas = 2;
            lattice = turning_lattice(&t);
            spiral(axis, s);
            give(lattice, &t, 0, s);
            for (int i = 0; i < CUBE; i++)
                s[3 * i + 2] = -s[3 * i + 2];
            give(lattice, &t, 1, s);
            ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pair, 6, what, got));
            for (int a = 0; a < 3; a++) {
                const double mean = a != axis ? 0.0 : open ? square * 6 / 8 : square;
                const double wave = a == axis && open ? ends : 0.0;
                assert_true(fabs(got[a] - mean * mean) < 1e-6);
                assert_true(fabs(got[3 + a] - wave * wave) < 1e-6);
            }
            latmc_destroy(lattice);
        }
}

/* ---- random ones */

static const shape random_shapes[] = {
    {2, {70, 6}, {P, P}, 0, 2},
    {2, {64, 5}, {A, P}, 0, 2},
    {2, {65, 4}, {P, A}, 0, 2},
    {2, {130, 3}, {A, A}, 0, 1},
    {2, {7, 66}, {O, A}, 0, 2},
    {2, {67, 4}, {A, O}, 0, 2},
    {2, {16, 12}, {P, P}, 0, 3},
    {2, {2, 3}, {O, P}, 0, 4},
    {2, {40, 40}, {O, O}, 0, 1},
    {1, {70}, {P}, 0, 2},
    {1, {9}, {O}, 0, 2},
    {3, {6, 5, 7}, {P, A, O}, 0, 2},
    {3, {66, 3, 4}, {O, P, P}, 0, 1},
    {4, {4, 3, 5, 2}, {P, O, P, A}, 0, 1},
};

static field_model model_of(const shape *s)
{
    field_model m = {.dims = s->dims};

    memcpy(m.extents, s->extents, sizeof m.extents);
    memcpy(m.boundaries, s->boundaries, sizeof m.boundaries);
    return m;
}

/* The angle from s to t, or from s to -t, from -pi to pi. */
static double change(const double *s, const double *t, double sign)
{
    const double by = atan2(sign * t[1], sign * t[0]) - atan2(s[1], s[0]);

    return by - 2.0 * pi * floor(by / (2.0 * pi) + 0.5);
}

/* Every plaquette by its four bonds: none of the angles is pi. */
static double count_by_angles(const field_model *m, const double *s)
{
    const int sites = field_sites(m);
    int count = 0;

    for (int i = 0; i < sites; i++) {
        double right = 1.0, above = 1.0, along = 1.0, up = 1.0;
        const int r = field_step(m, i, 0, 1, &right), u = field_step(m, i, 1, 1, &above);
        if (r < 0 || u < 0)
            continue;
        const int c = field_step(m, u, 0, 1, &along);
        assert_int_equal(field_step(m, r, 1, 1, &up), c);
        count +=
            fabs(change(s + 2 * i, s + 2 * r, right) + change(s + 2 * r, s + 2 * c, up) -
                 change(s + 2 * u, s + 2 * c, along) - change(s + 2 * i, s + 2 * u, above)) > pi;
    }
    return (double)count / sites;
}

/* u . (s x d), a row after the other. */
static double mean_modulus(const field_model *m, const double *s, int axis)
{
    double sum = 0.0;

    for (int i = 0; i < field_sites(m) && axis < m->dims; i++) {
        double sign = 1.0;
        const int up = field_step(m, i, axis, 1, &sign), down = field_step(m, i, axis, -1, &sign);
        const double *u = s + 3 * up, *d = s + 3 * down, *at = s + 3 * i;
        if (up >= 0 && down >= 0)
            sum +=
                fabs(u[0] * (at[1] * d[2] - at[2] * d[1]) - u[1] * (at[0] * d[2] - at[2] * d[0]) +
                     u[2] * (at[0] * d[1] - at[1] * d[0]));
    }
    return sum / field_sites(m);
}

static double of_replica(latmc_lattice *lattice, latmc_quantity what, int64_t replica)
{
    double values[4];

    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &what, values));
    return values[replica];
}

static void check_random(latmc_lattice *lattice, const turning *t, int64_t replica)
{
    const field_model m = model_of(&t->shape);
    const int64_t numbers = t->n * info_of(lattice).sites;
    const latmc_quantity vortices = LATMC_QUANTITY(LATMC_VORTICES),
                         mean = LATMC_QUANTITY(LATMC_MEAN_CHIRALITY);
    double *s = suite_room(numbers, sizeof *s), sum = 0.0;

    ok(get_replica(lattice, replica, LATMC_FLOAT64, s, numbers));
    assert_int_equal(has_quantity(lattice, vortices), t->n == 2 && m.dims == 2);
    assert_int_equal(has_quantity(lattice, mean), t->n == 3);
    if (has_quantity(lattice, vortices))
        assert_true(of_replica(lattice, vortices, replica) == count_by_angles(&m, s));
    for (int a = 0; a < m.dims && t->n == 3; a++) {
        const double want = mean_modulus(&m, s, a);

        assert_true(fabs(of_replica(lattice, quantity_of(LATMC_CHIRALITY, a), replica) - want) <
                    1e-14);
        sum += want / m.dims;
    }
    if (t->n == 3)
        assert_true(fabs(of_replica(lattice, mean, replica) - sum) < 1e-14);
    free(s);
}

static void random_vectors_have_theirs(void **state)
{
    turning t = {.device = suite_stage_of(state)->device};

    for (size_t i = 0; i < ALL(random_shapes); i++)
        for (t.n = 2; t.n <= 4; t.n++)
            for (int type = LATMC_FLOAT32; type <= LATMC_FLOAT64; type++) {
                latmc_lattice *lattice;

                t.shape = random_shapes[i];
                t.type = (latmc_type)type;
                lattice = turning_lattice(&t);
                ok(latmc_sweep(lattice, LATMC_METROPOLIS, 2));
                for (int64_t r = 0; r < t.shape.replicas; r++)
                    check_random(lattice, &t, r);
                latmc_destroy(lattice);
            }
}

/* ---- independent ones */

enum { COPIES = 64 };

static void mean_is(const turning *t, latmc_observable what, double want)
{
    latmc_lattice *lattice = turning_lattice(t);
    double values[COPIES], mean = 0.0, square = 0.0;

    ok(observe_one(lattice, what, values));
    for (int r = 0; r < COPIES; r++)
        mean += values[r] / COPIES;
    for (int r = 0; r < COPIES; r++)
        square += (values[r] - mean) * (values[r] - mean);
    if (!(fabs(mean - want) < 4.5 * sqrt(square / (COPIES * (COPIES - 1)))))
        fail_msg("%.6f is not %.6f", mean, want);
    assert_true(sqrt(square / (COPIES * (COPIES - 1))) < 0.002 * want);
    latmc_destroy(lattice);
}

/* Three differences are independent and uniform, the fourth closes the ring: it takes more than
 * half a turn with probability 1/3. Of three vectors |u . (s x d)| has the mean 1/2 (|cos|, of u
 * with the normal) times pi / 4 (the sine, of s with d). */
static void independent_vectors_have_known_means(void **state)
{
    const char *device = suite_stage_of(state)->device;
    const turning flat = {{2, {96, 96}, {P, A}, 0, COPIES}, 2, LATMC_FLOAT32, device},
                  solid = {{3, {24, 24, 16}, {P, P, A}, 0, COPIES}, 3, LATMC_FLOAT32, device};

    mean_is(&flat, LATMC_VORTICES, 1.0 / 3);
    mean_is(&solid, LATMC_MEAN_CHIRALITY, pi / 8);
}

/* Of independent pairs: kappa has the mean square 3! / 27 = 2/9, and different sites' have nothing
 * in common. */
static void independent_pairs_have_known_means(void **state)
{
    enum { PAIRS = 1024, VOLUME = 4 * 4 * 4 };
    const turning t = {
        {3, {4, 4, 4}, {P, A, P}, 0, 2 * PAIRS}, 3, LATMC_FLOAT32, suite_stage_of(state)->device};
    static const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_CHIRAL_OVERLAP2, 1),
                                          LATMC_QUANTITY(LATMC_CHIRAL_STRUCTURE, 1)};
    latmc_lattice *lattice = turning_lattice(&t);
    int64_t pairs[2 * PAIRS];
    double values[2 * PAIRS];

    for (int i = 0; i < 2 * PAIRS; i++)
        pairs[i] = i;
    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, PAIRS, pairs, 2, what, values));
    for (int o = 0; o < 2; o++) {
        double mean = 0.0, square = 0.0;
        for (int i = 0; i < PAIRS; i++)
            mean += values[o * PAIRS + i] / PAIRS;
        for (int i = 0; i < PAIRS; i++)
            square += (values[o * PAIRS + i] - mean) * (values[o * PAIRS + i] - mean);
        assert_true(fabs(mean - 4.0 / 81 / VOLUME) < 4.5 * sqrt(square) / PAIRS);
        assert_true(sqrt(square) / PAIRS < 0.06 * mean);
    }
    latmc_destroy(lattice);
}

/* Charges of a torus add up to 0, so that a lattice has an even number of vortices. */
static void a_torus_has_an_even_number(void **state)
{
    const turning t = {
        {2, {9, 7}, {P, P}, 0, COPIES}, 2, LATMC_FLOAT64, suite_stage_of(state)->device};
    latmc_lattice *lattice = turning_lattice(&t);
    double values[COPIES];

    ok(observe_one(lattice, LATMC_VORTICES, values));
    for (int r = 0; r < COPIES; r++)
        assert_true(fmod(round(values[r] * 63), 2.0) == 0.0);
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_ON_DEVICES(planted_vortices_are_found),
        SUITE_ON_DEVICES(seams_have_their_sign),
        SUITE_ON_DEVICES(ties_go_as_the_page_says),
        SUITE_ON_DEVICES(spirals_have_their_chirality),
        SUITE_ON_DEVICES(pairs_of_spirals_have_theirs),
        SUITE_ON_DEVICES(random_vectors_have_theirs),
        SUITE_ON_DEVICES(independent_vectors_have_known_means),
        SUITE_ON_DEVICES(independent_pairs_have_known_means),
        SUITE_ON_DEVICES(a_torus_has_an_even_number),
    };

    return suite_run(&test_onvector, tests, ALL(tests), NULL, NULL);
}
