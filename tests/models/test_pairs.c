/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over pairs of replicas: by hand from latmc_get_sites(), in the shape that doc/trajectory.md
 * says, on every device; those of a device against those by rows; and what is refused.
 */
#include "tests/inside.h"
#include "tests/models/suite.h"

enum { BLOCK = 1024, STRIDE = 32, MOST_PAIRS = 400 };

static const latmc_observable overlaps[] = {LATMC_OVERLAP, LATMC_ABS_OVERLAP, LATMC_OVERLAP2,
                                            LATMC_OVERLAP4};

/* ---- by hand */

/* Blocks, of each by 32 partial sums, until one number is left; the numbers are overwritten. */
static double shaped_sum(double *x, int64_t n)
{
    while (n > 1) {
        int64_t blocks = 0;

        for (int64_t first = 0; first < n; first += BLOCK) {
            double part[STRIDE] = {0.0};

            for (int64_t i = 0; i < BLOCK && first + i < n; i++)
                part[i % STRIDE] += x[first + i];
            for (int half = STRIDE / 2; half > 0; half /= 2)
                for (int j = 0; j < half; j++)
                    part[j] += part[j + half];
            x[blocks++] = part[0];
        }
        n = blocks;
    }
    return x[0];
}

/* Sites as doubles, [site][component]. */
static double *sites_of(latmc_lattice *lattice, int64_t replica)
{
    const latmc_lattice_info info = info_of(lattice);
    const latmc_type type = (latmc_type)info.type;
    const int64_t count = info.sites * info.components;
    void *sites = suite_room(count, suite_bytes(type));
    double *numbers = suite_room(count, sizeof *numbers);

    ok(latmc_get_sites(lattice, replica, type, sites, count));
    for (int64_t i = 0; i < count; i++)
        numbers[i] = suite_site(type, sites, i);
    free(sites);
    return numbers;
}

static double overlap_by_hand(latmc_lattice *lattice, int64_t a, int64_t b)
{
    const latmc_lattice_info info = info_of(lattice);
    const int64_t layers = info.dims == 1 ? 1 : info.extents[info.dims - 1],
                  each = info.sites / layers;
    const int components = info.components;
    double *x = sites_of(lattice, a), *y = sites_of(lattice, b), sum;

    for (int64_t i = 0; i < info.sites; i++) {
        double dot = x[i * components] * y[i * components];
        for (int c = 1; c < components; c++)
            dot += x[i * components + c] * y[i * components + c];
        x[i] = dot;
    }
    for (int64_t l = 0; l < layers; l++)
        x[l] = shaped_sum(x + l * each, each);
    sum = shaped_sum(x, layers);
    free(x);
    free(y);
    return sum / (double)info.sites;
}

/* ---- pairs */

/* Each of some replicas with each of some others, itself among them; returns how many. */
static int64_t choose(int64_t replicas, int64_t pairs[MOST_PAIRS][2])
{
    const int64_t step = replicas / 12 + 1;
    int64_t n = 0;

    for (int64_t a = 0; a < replicas; a += step)
        for (int64_t b = 0; b < replicas; b += step) {
            pairs[n][0] = (a + b) % 3 ? a : replicas - 1 - a;
            pairs[n][1] = b;
            n++;
        }
    return n;
}

static void same(const double *got, const double *want, int64_t count, const char *what)
{
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&got[i], &want[i], sizeof got[i]) != 0)
            fail_msg("%s: number %d is %.17g, not %.17g", what, (int)i, got[i], want[i]);
}

/* What the powers and the modulus are made of is the overlap, each number by itself. */
static void check_powers(const double *values, int64_t pairs)
{
    double want[3 * MOST_PAIRS] = {0};

    for (int64_t p = 0; p < pairs; p++) {
        const double q = values[p], q2 = q * q;

        want[p] = q < 0.0 ? -q : q;
        want[pairs + p] = q2;
        want[2 * pairs + p] = q2 * q2;
    }
    same(values + pairs, want, 3 * pairs, "the overlap's modulus and powers");
}

/* All pairs at once, each by itself, turned round; a few by hand. */
static void check_pairs(latmc_lattice *lattice, int by_hand)
{
    int64_t pairs[MOST_PAIRS][2];
    const int64_t n = choose(info_of(lattice).replicas, pairs);
    double values[4 * MOST_PAIRS], turned[MOST_PAIRS];

    ok(latmc_observe_pairs(lattice, n, pairs[0], 4, overlaps, values));
    check_powers(values, n);
    for (int64_t p = 0; p < n; p++) {
        const int64_t back[2] = {pairs[p][1], pairs[p][0]};

        ok(latmc_observe_pairs(lattice, 1, back, 1, overlaps, turned + p));
    }
    same(turned, values, n, "pairs turned round, one at a time");
    for (int i = 0; i < by_hand; i++) {
        const int64_t p = (i + 1) * (n - 1) / by_hand;
        const double want = overlap_by_hand(lattice, pairs[p][0], pairs[p][1]);

        same(values + p, &want, 1, "an overlap by hand");
    }
}

/* What the device makes by itself, if it does, is what is made of rows. */
static void compare_with_rows(latmc_lattice *lattice)
{
    const lm_plan plan = lattice->place.plan;
    const int64_t replicas = info_of(lattice).replicas;
    const int count = lattice->model->pair_sums;
    int64_t pairs[MOST_PAIRS][2];
    const int64_t n = choose(replicas, pairs);
    const int64_t(*of)[2] = (const int64_t(*)[2])pairs;
    double *rows = suite_room(n * count, sizeof *rows), *own = suite_room(n * count, sizeof *own);

    ok(lm_pairs_by_rows(lattice, "test", n, of, rows));
    if (plan.ops->pairs) {
        ok(plan.ops->pairs(plan.self, n, of, own));
        same(own, rows, n * count, "what the device sums");
    }
    free(rows);
    free(own);
}

/* ---- every device */

static void pairs_are_summed_as_by_hand(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;

    for (int i = 0; m->shapes[i].dims; i++)
        for (int j = 0; m->variants[j].name; j++) {
            const test_case c = suite_case(m, &m->shapes[i], &m->variants[j]);
            latmc_lattice *lattice;

            if ((i + j) % 4 != 0 || !suite_serves(&c, m->variants[j].update))
                continue;
            lattice = suite_started(&c, 0, c.shape->replicas, on->device, 1 + (i + j) / 4 % 3);
            ok(latmc_sweep(lattice, m->variants[j].update, 2));
            check_pairs(lattice, 3);
            compare_with_rows(lattice);
            latmc_destroy(lattice);
        }
}

/* Ensembles, of which a row may be a few bits of a word that others share. */
static void many_replicas_are_summed(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;

    for (int i = 0; m->large[i].dims; i++) {
        const test_case c = suite_case(m, &m->large[i], m->large_variant);
        latmc_lattice *lattice = suite_started(&c, 0, c.shape->replicas, on->device, 2);

        ok(latmc_sweep(lattice, m->large_variant->update, 1));
        check_pairs(lattice, 2);
        compare_with_rows(lattice);
        latmc_destroy(lattice);
    }
}

/* A pair of one replica with itself, and one of it with a copy. */
static void a_replica_and_itself(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, on->device, 1);
    const latmc_type type = (latmc_type)info_of(lattice).type;
    const int64_t count = RICH_SITES * suite_components(m);
    void *sites = suite_room(count, suite_bytes(type));
    double values[3], square = 0.0;

    ok(latmc_sweep(lattice, m->rich->update, 3));
    ok(latmc_get_sites(lattice, 1, type, sites, count));
    for (int64_t i = 0; i < count; i++)
        square += suite_site(type, sites, i) * suite_site(type, sites, i) / RICH_SITES;
    ok(latmc_set_sites(lattice, 0, type, sites, count));
    ok(latmc_observe_pairs(lattice, 3, (const int64_t[]){1, 1, 0, 1, 0, 0}, 1, overlaps, values));
    assert_true(values[0] == values[1] && values[0] == values[2]);
    assert_true(values[0] > 0.0 && values[0] - square < 1e-9 && square - values[0] < 1e-9);
    if (type == LATMC_INT8)
        assert_true(values[0] == 1.0);
    free(sites);
    latmc_destroy(lattice);
}

/* More pairs than a device takes at once. */
static void thousands_of_pairs(void **state)
{
    enum { COUNT = 9001 };
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, on->device, 3);
    int64_t(*pairs)[2] = suite_room(COUNT, sizeof *pairs);
    double *values = suite_room(COUNT, sizeof *values), each[4];

    ok(latmc_sweep(lattice, m->rich->update, 3));
    ok(latmc_observe_pairs(lattice, 4, (const int64_t[]){0, 0, 0, 1, 1, 0, 1, 1}, 1, overlaps,
                           each));
    for (int64_t p = 0; p < COUNT; p++) {
        pairs[p][0] = p % 3 % 2;
        pairs[p][1] = p % 7 % 2;
    }
    ok(latmc_observe_pairs(lattice, COUNT, pairs[0], 1, overlaps, values));
    for (int64_t p = 0; p < COUNT; p++)
        same(values + p, each + 2 * pairs[p][0] + pairs[p][1], 1, "one of thousands");
    free(pairs);
    free(values);
    latmc_destroy(lattice);
}

/* ---- rows */

/* More sites than a chunk of rows has, in rows and in layers of awkward lengths; more replicas than
 * there is room for at once. */
static void several_chunks_of_rows(void **state)
{
    static const shape shapes[] = {
        {2, {1031, LM_SANITIZED ? 1026 : 2050}, {P, P}, 0, LM_SANITIZED ? 2 : 5},
        {3, {1027, 1025, 3}, {P, O, P}, 1, 2},
        {1, {(1 << 20) + 1027}, {P}, 0, 3}};
    const test_model *m = suite_stage_of(state)->model;

    for (size_t i = 0; i < ALL(shapes); i++) {
        const test_case c = suite_case(m, &shapes[i], m->variants);
        latmc_lattice *lattice = suite_started(&c, 0, shapes[i].replicas, "cpu", 2);

        assert_true(i == 2 || lm_chunk_rows(lattice) < lattice->rows);
        check_pairs(lattice, 2);
        compare_with_rows(lattice);
        latmc_destroy(lattice);
    }
}

/* Pairs of a loaded lattice are those of the saved one, and need no device. */
static void loaded_lattices_stay_where_they_are(void **state)
{
    const test_model *m = suite_stage_of(state)->model;

    for (const test_variant *v = m->rich; v->name; v++) {
        latmc_lattice *lattice = suite_rich(m, v), *loaded = NULL;
        const int64_t pairs[] = {0, 1, 1, 1, 1, 0};
        double saved[3 * 4], values[3 * 4];
        size_t bytes;
        void *file = save_whole(lattice, &bytes);

        ok(latmc_load_memory(&loaded, file, bytes));
        ok(latmc_observe_pairs(lattice, 3, pairs, 4, overlaps, saved));
        ok(latmc_observe_pairs(loaded, 3, pairs, 4, overlaps, values));
        same(values, saved, 12, "a loaded lattice");
        assert_null(loaded->place.plan.ops);
        check_pairs(loaded, 4);
        ok(latmc_sweep(loaded, v->update, 0));
        ok(latmc_observe_pairs(loaded, 3, pairs, 4, overlaps, values));
        same(values, saved, 12, "a loaded lattice on its device");
        free(file);
        latmc_destroy(lattice);
        latmc_destroy(loaded);
    }
}

/* ---- refusals */

static void bad_pairs_are_refused(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_status no = LATMC_ERROR_ARGUMENT, unknown = LATMC_ERROR_UNKNOWN;
    const latmc_observable energy = LATMC_ENERGY, *q = overlaps;
    const int64_t pair[] = {0, 1};
    latmc_lattice *lattice = suite_made(m, 2, (int64_t[]){4, 4});
    double x = 7.0;

    refused(LATMC_ERROR_STATE, "latmc_start", latmc_observe_pairs(lattice, 1, pair, 1, q, &x));
    latmc_destroy(lattice);
    lattice = suite_rich(m, m->rich);
    refused(no, "replicas is NULL", latmc_observe_pairs(lattice, 1, NULL, 1, q, &x));
    refused(no, "observables is NULL", latmc_observe_pairs(lattice, 1, pair, 1, NULL, &x));
    refused(no, "values is NULL", latmc_observe_pairs(lattice, 1, pair, 1, q, NULL));
    refused(no, "pairs is 0; it must be at least 1",
            latmc_observe_pairs(lattice, 0, pair, 1, q, &x));
    refused(no, "pairs is -1", latmc_observe_pairs(lattice, -1, pair, 1, q, &x));
    refused(no, "count is 0", latmc_observe_pairs(lattice, 1, pair, 0, q, &x));
    refused(no, "replica 2 is in pair 0; 0 to 1",
            latmc_observe_pairs(lattice, 1, (int64_t[]){0, 2}, 1, q, &x));
    refused(no, "replica -1 is in pair 1; 0 to 1",
            latmc_observe_pairs(lattice, 2, (int64_t[]){0, 1, -1, 0}, 1, q, &x));
    refused(unknown, "no observable of pairs number 2001; it has overlap (2101), abs_overlap",
            latmc_observe_pairs(lattice, 1, pair, 1, &energy, &x));
    refused(unknown, "no observable number 2101", latmc_observe(lattice, 1, q, &x));
    refused(unknown, "no observable number 2104",
            latmc_record(lattice, m->rich->update, 1, 1, 1, q + 3, &x));
    assert_true(x == 7.0);
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(bad_pairs_are_refused),          SUITE_TEST(loaded_lattices_stay_where_they_are),
        SUITE_TEST(several_chunks_of_rows),         SUITE_ON_DEVICES(a_replica_and_itself),
        SUITE_ON_DEVICES(thousands_of_pairs),       SUITE_ON_DEVICES(pairs_are_summed_as_by_hand),
        SUITE_ON_DEVICES(many_replicas_are_summed),
    };

    inside_share_all(1);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
