/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every probability by itself: how often sites with a given spin and local field change,
 * counted from the sites before and after a sweep. The numbers of trials are such that an error
 * of 1 % in any one of the probabilities is 9 standard errors, which is asserted.
 */
#include "tests/models/ising_plain.h"

#define GATE        4.5  /* standard errors */
#define SENSITIVITY 0.01 /* is twice the gate */

typedef struct sample {
    const char *name;
    model model;
    latmc_update update;
    int trials; /* of single sites, in millions */
} sample;

#define M LATMC_METROPOLIS
#define H LATMC_HEATBATH

static const sample samples[] = {
    {"1D", {1, {4096}, {P}, .beta = 0.25, .bonds = PM1}, M, 20},
    {"1D odd, field", {1, {4097}, {P}, .beta = 0.25, .field = 0.45}, M, 23},
    {"2D", {2, {64, 64}, {P, P}, .beta = 0.15}, M, 45},
    {"2D, short rows", {2, {6, 600}, {P, P}, .beta = 0.15}, M, 45},
    {"2D odd", {2, {63, 65}, {P, P}, .beta = 0.15}, M, 45},
    {"2D, field", {2, {64, 64}, {P, A}, .beta = 0.12, .field = 0.45}, M, 50},
    {"2D, J = 1, -0.5", {2, {64, 64}, {P, P}, {1.0, -0.5}, .beta = 0.2}, M, 40},
    {"2D diluted", {2, {64, 64}, {O, P}, .bonds = DILUTED, .beta = 0.15}, M, 100},
    {"3D", {3, {32, 16, 8}, {P, P, P}, .beta = 0.06}, M, 80},
    {"3D +-J", {3, {32, 16, 8}, {P, P, P}, .bonds = DRAWN, .beta = 0.06}, M, 80},
    {"4D", {4, {8, 8, 8, 8}, {P, P, P, P}, .beta = 0.03}, M, 210},
    {"2D, heat bath", {2, {64, 64}, {P, P}, .beta = 0.1}, H, 58},
    {"2D, heat bath, beta < 0, field", {2, {64, 64}, {P, P}, .beta = -0.1, .field = 0.25}, H, 60},
    {"3D, heat bath", {3, {32, 16, 8}, {P, P, P}, .beta = 0.05}, H, 145},
};

/* Couplings and fields are multiples of 0.05, so that a class has a number. */
enum { STEP = 20, RANGE = 16 * STEP, CLASSES = 2 * (2 * RANGE + 1) };

typedef struct tally {
    int64_t trials[CLASSES], changes[CLASSES];
} tally;

static int class_of(int spin, double field)
{
    return 2 * (int)(field * STEP + RANGE + 0.5) + (spin > 0); /* of a number above 0 */
}

/* From the sites before a sweep, in `now`, to those after it, colour by colour. */
static void count(const plain *p, const uint8_t *colour, int colours, int8_t *now,
                  const int8_t *after, tally *t)
{
    for (int c = 0; c < colours; c++)
        for (int i = 0; i < p->sites; i++) {
            if (colour[i] != c)
                continue;
            const int q = class_of(now[i], plain_local(p, now, i) + p->field);
            t->trials[q]++;
            t->changes[q] += now[i] != after[i];
            now[i] = after[i];
        }
}

static int judge(const sample *s, int loose, int class, int64_t trials, int64_t changes)
{
    const int spin = class % 2 ? 1 : -1;
    const double field = (double)(class / 2 - RANGE) / STEP;
    const double p = change_probability(s->update, loose, s->model.beta, spin, field);
    const double error = sqrt(p * (1.0 - p) / (double)trials);
    const double got = (double)changes / (double)trials;

    if (getenv("LATMC_TEST_VERBOSE"))
        print_message("%-32s s %2d, field %6.2f: %9lld trials, %.6f, exact %.6f: %5.2f; 1 %% is "
                      "%.1f errors\n",
                      s->name, spin, field, (long long)trials, got, p, (got - p) / error,
                      SENSITIVITY * p / error);
    if (fabs(got - p) <= GATE * error && 2.0 * GATE * error <= SENSITIVITY * p)
        return 1;
    print_error("%s, spin %d in a field of %g: %lld changes in %lld trials, a share of %g, exactly "
                "%g; an error of 1 %% would be %.1f standard errors\n",
                s->name, spin, field, (long long)changes, (long long)trials, got, p,
                SENSITIVITY * p / error);
    return 0;
}

static int check(const sample *s)
{
    latmc_lattice *lattice = model_lattice(&s->model, 1, 31337);
    double *bonds = model_bonds(&s->model);
    ok(latmc_get_bond_couplings(lattice, 0, bonds));
    plain p = plain_of(&s->model, bonds);
    const int colours = plain_colours(&p);
    uint8_t *colour = malloc((size_t)p.sites);
    int8_t *now = malloc((size_t)p.sites), *after = malloc((size_t)p.sites);
    static tally t;
    int good = 1;

    assert_true(colour && now && after);
    memset(&t, 0, sizeof t);
    for (int i = 0; i < p.sites; i++)
        colour[i] = (uint8_t)plain_colour(&p, i);
    ok(latmc_set_threads(lattice, 1));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(get_replica(lattice, 0, LATMC_INT8, now, p.sites));
    for (int sweep = 0; sweep < s->trials * 1000000 / p.sites; sweep++) {
        ok(latmc_sweep(lattice, s->update, 1));
        ok(get_replica(lattice, 0, LATMC_INT8, after, p.sites));
        count(&p, colour, colours, now, after, &t);
    }
    for (int q = 0; q < CLASSES; q++)
        if (t.trials[q] > 0)
            good &= judge(s, plain_is_loose(&p), q, t.trials[q], t.changes[q]);
    latmc_destroy(lattice);
    plain_free(&p);
    free(bonds);
    free(colour);
    free(now);
    free(after);
    return good;
}

static void rates(void **state)
{
    int good = 1;

    (void)state;
    for (size_t i = 0; i < ALL(samples); i++)
        good &= check(&samples[i]);
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
