/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over sites of a lattice in pieces: layers are added as one list of numbers is, lots and
 * slabs have their places, and who cannot make them says so. */
#include "lib/divide/site_sums.h"
#include "lib/physics/sums.h"
#include "tests/support.h"

#include <stdlib.h>

enum { REPLICAS = 6, LAYERS = 2500, PIECES = 3, TERMS = 2, MOMENTA = 3, SETS = 2 };
enum { WIDTH = TERMS * 2 * MOMENTA, WEIGHED = SETS * TERMS };

/* A piece that has some layers, or some replicas. */
typedef struct piece {
    lm_spec spec;
    latmc_status status; /* what its calls return */
} piece;

static double number(int64_t layer, int64_t replica, int64_t k)
{
    return 1.0 / (double)(1 + layer + 3000 * replica + 20000 * k) - 1e-4;
}

static latmc_status momenta(void *plan, const lm_momentum_order *order, double *sums, int *made)
{
    const piece *p = plan;
    const int slab = p->spec.layers < LAYERS;
    int64_t i = 0;

    assert_int_equal(lm_momentum_order_width(order), WIDTH);
    for (int64_t layer = 0; layer < (slab ? p->spec.layers : 1); layer++)
        for (int64_t r = 0; r < p->spec.replicas; r++)
            for (int k = 0; k < WIDTH; k++)
                sums[i++] = number(p->spec.first_layer + layer, p->spec.first_replica + r, k);
    *made = 1;
    return p->status;
}

static latmc_status weigh(void *plan, const lm_weight_order *order, int64_t *sums, int *made)
{
    const piece *p = plan;

    for (int64_t r = 0; r < p->spec.replicas; r++)
        for (int k = 0; k < WEIGHED; k++)
            sums[r * WEIGHED + k] = 100 * (order->first + r) + 10 * k + p->spec.layers;
    *made = 1;
    return p->status;
}

static const lm_plan_ops able = {.momenta = momenta, .weigh = weigh}, unable = {.momenta = NULL};

typedef struct scene {
    lm_division division;
    piece piece[PIECES];
    lm_spec specs[PIECES];
    lm_plan plans[PIECES];
    lm_pieces pieces;
    int64_t of_rank[2];
} scene;

static scene *scene_of(latmc_division kind)
{
    const int slabs = kind == LATMC_DIVIDE_SLABS;
    scene *s = calloc(1, sizeof *s);

    assert_non_null(s);
    s->division = (lm_division){.kind = kind, .pieces = PIECES};
    s->pieces = (lm_pieces){.division = &s->division, .count = PIECES, .specs = s->specs};
    s->pieces.plans = s->plans;
    s->pieces.whole = (lm_spec){.dims = 2, .extents = {4, LAYERS}, .replicas = REPLICAS};
    s->pieces.whole.layers = LAYERS;
    s->pieces.whole.samples = 1;
    s->of_rank[1] = slabs ? LAYERS : REPLICAS;
    for (int i = 0; i <= PIECES; i++)
        s->division.begin[i] = slabs ? 100 * i * i * i : i * (i + 1) / 2;
    s->division.begin[PIECES] = s->of_rank[1];
    for (int i = 0; i < PIECES; i++) {
        s->piece[i].spec = s->pieces.whole;
        (slabs ? lm_cut_spec : lm_deal_spec)(&s->division, i, &s->piece[i].spec);
        s->plans[i] = (lm_plan){&able, &s->piece[i]};
    }
    return s;
}

static const lm_momentum_order at_momenta = {.mark = 1, .count = MOMENTA, .terms = TERMS};
static const lm_weight_order with_weights = {.mark = 1, .sets = SETS, .terms = TERMS, .each = 1};

static latmc_status sum_momenta(const scene *s, double *sums, int *made)
{
    return (s->division.kind == LATMC_DIVIDE_SLABS ? lm_slabs_momenta : lm_lots_momenta)(
        &s->pieces, s->of_rank, &at_momenta, sums, made);
}

static latmc_status sum_weights(const scene *s, int64_t *sums, int *made)
{
    return s->division.kind == LATMC_DIVIDE_SLABS
               ? lm_slabs_weigh(&s->pieces, &with_weights, sums, made)
               : lm_lots_weigh(&s->pieces, s->of_rank, &with_weights, sums, made);
}

static void layers_of_slabs_are_one_list(void **state)
{
    scene *s = scene_of(LATMC_DIVIDE_SLABS);
    double sums[REPLICAS * WIDTH], *list = calloc(LAYERS, sizeof *list);
    int made = 0;

    (void)state;
    assert_non_null(list);
    ok(sum_momenta(s, sums, &made));
    assert_true(made);
    for (int i = 0; i < REPLICAS * WIDTH; i++) {
        for (int64_t layer = 0; layer < LAYERS; layer++)
            list[layer] = number(layer, i / WIDTH, i % WIDTH);
        assert_true(sums[i] == lm_sums_tree(list, LAYERS));
    }
    free(list);
    free(s);
}

static void lots_have_their_places(void **state)
{
    scene *s = scene_of(LATMC_DIVIDE_REPLICAS);
    double sums[REPLICAS * WIDTH];
    int64_t weighed[REPLICAS * WEIGHED];
    int made = 0;

    (void)state;
    ok(sum_momenta(s, sums, &made));
    assert_true(made);
    for (int i = 0; i < REPLICAS * WIDTH; i++)
        assert_true(sums[i] == number(0, i / WIDTH, i % WIDTH));
    ok(sum_weights(s, weighed, &made));
    assert_true(made);
    for (int i = 0; i < REPLICAS * WEIGHED; i++)
        assert_int_equal(weighed[i], 100 * (i / WEIGHED) + 10 * (i % WEIGHED) + LAYERS);
    free(s);
}

static void weights_of_slabs_are_added(void **state)
{
    scene *s = scene_of(LATMC_DIVIDE_SLABS);
    int64_t weighed[REPLICAS * WEIGHED];
    int made = 0;

    (void)state;
    ok(sum_weights(s, weighed, &made));
    assert_true(made);
    for (int i = 0; i < REPLICAS * WEIGHED; i++)
        assert_int_equal(weighed[i], PIECES * (100 * (i / WEIGHED) + 10 * (i % WEIGHED)) + LAYERS);
    free(s);
}

/* Where a piece has no such operation, or its device no memory, lib/ makes the sums. */
static void what_pieces_cannot_do_is_left(void **state)
{
    static const latmc_division kinds[] = {LATMC_DIVIDE_SLABS, LATMC_DIVIDE_REPLICAS};
    double sums[REPLICAS * WIDTH];
    int64_t weighed[REPLICAS * WEIGHED];

    (void)state;
    for (int k = 0; k < 2 * PIECES; k++) {
        scene *s = scene_of(kinds[k % 2]);
        int made = 1;

        s->plans[k / 2].ops = &unable;
        ok(sum_momenta(s, sums, &made));
        assert_false(made);
        made = 1;
        ok(sum_weights(s, weighed, &made));
        assert_false(made);
        s->plans[k / 2].ops = &able;
        s->piece[k / 2].status = LATMC_ERROR_DEVICE_MEMORY;
        ok(sum_momenta(s, sums, &made));
        assert_false(made);
        s->piece[k / 2].status = LATMC_ERROR_DEVICE;
        assert_int_equal(sum_weights(s, weighed, &made), LATMC_ERROR_DEVICE);
        assert_false(made);
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_of_slabs_are_one_list),
        cmocka_unit_test(lots_have_their_places),
        cmocka_unit_test(weights_of_slabs_are_added),
        cmocka_unit_test(what_pieces_cannot_do_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
