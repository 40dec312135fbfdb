/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Phases of slabs that are made again until no slab is busy. The plans here have a label a layer
 * and one update, by which each layer takes the smallest label among its own and its neighbours',
 * unless a wall stands between: at the end all layers of a piece have its smallest one, however the
 * ring of layers is cut.
 */
#include <string.h>

#include "lib/slabs.h"
#include "tests/support.h"

enum { LAYERS = 23, MOST = 5 };

/* A slab: labels[0] and labels[layers + 1] are its halo. */
typedef struct labels {
    int first, layers, busy, updates;
    int label[LAYERS + 2];
    struct labels *peers[2];
} labels;

/* Is there a wall between a layer of the ring and the next one? */
static int wall(int layer)
{
    return layer == 4 || layer == 5 || layer == 16;
}

static int phases(const void *plan, int update)
{
    (void)plan;
    return update + 1;
}

static size_t halo_bytes(const void *plan)
{
    (void)plan;
    return sizeof(int);
}

static latmc_status begin(void *plan, int update, int counts)
{
    (void)plan;
    (void)update;
    (void)counts;
    return LATMC_OK;
}

/* The boundary and the bulk are of one kind of site here, so all is done with the boundary. */
static latmc_status update(void *plan, int update, int64_t step, int phase, lm_part part)
{
    labels *l = plan, old = *l;

    (void)step;
    assert_int_equal(phase, update);
    if (!(part & LM_BOUNDARY))
        return LATMC_OK;
    l->updates++;
    for (int i = 1; i <= l->layers; i++) {
        const int layer = l->first + i - 1;

        if (!wall((layer + LAYERS - 1) % LAYERS) && old.label[i - 1] < l->label[i])
            l->label[i] = old.label[i - 1];
        if (!wall(layer) && old.label[i + 1] < l->label[i])
            l->label[i] = old.label[i + 1];
    }
    l->busy = memcmp(l->label, old.label, sizeof old.label) != 0;
    if (l->peers[LM_LOWER])
        l->peers[LM_LOWER]->label[l->peers[LM_LOWER]->layers + 1] = l->label[1];
    if (l->peers[LM_UPPER])
        l->peers[LM_UPPER]->label[0] = l->label[l->layers];
    return LATMC_OK;
}

static latmc_status pack(void *plan, lm_side side, void *halo)
{
    const labels *l = plan;

    memcpy(halo, &l->label[side == LM_LOWER ? 1 : l->layers], sizeof(int));
    return LATMC_OK;
}

static latmc_status unpack(void *plan, lm_side side, void *halo)
{
    labels *l = plan;

    memcpy(&l->label[side == LM_LOWER ? 0 : l->layers + 1], halo, sizeof(int));
    return LATMC_OK;
}

static int busy(const void *plan, int update, int phase)
{
    assert_int_equal(phase, update);
    return ((const labels *)plan)->busy;
}

static int connect(void *plan, lm_side side, void *peer)
{
    ((labels *)plan)->peers[side] = peer;
    return peer != NULL;
}

/* Those with peers pass labels on while a turn is under way, others after it. */
static const lm_slab_ops slab_ops[2] = {{.phases = phases,
                                         .halo_bytes = halo_bytes,
                                         .begin = begin,
                                         .update = update,
                                         .pack = pack,
                                         .unpack = unpack,
                                         .busy = busy},
                                        {.phases = phases,
                                         .halo_bytes = halo_bytes,
                                         .begin = begin,
                                         .update = update,
                                         .pack = pack,
                                         .unpack = unpack,
                                         .busy = busy,
                                         .connect = connect}};
static const lm_plan_ops ops[2] = {{.slabs = &slab_ops[0]}, {.slabs = &slab_ops[1]}};

typedef struct ring {
    labels labels[MOST];
    lm_plan plans[MOST];
    lm_spec specs[MOST];
    lm_slabs slabs;
} ring;

/* The label that a layer begins with; all differ. */
static int first_label(int layer)
{
    return (layer * 7 + 3) % LAYERS;
}

/* In slabs of 2 layers, but for the last. */
static void cut_ring(ring *r, int count, const lm_plan_ops *how, lm_transport transport)
{
    *r = (ring){0};
    for (int k = 0; k < count; k++) {
        labels *l = &r->labels[k];

        l->first = 2 * k;
        l->layers = k < count - 1 ? 2 : LAYERS - l->first;
        for (int i = 1; i <= l->layers; i++)
            l->label[i] = first_label(l->first + i - 1);
        r->plans[k] = (lm_plan){.self = l, .ops = how};
        r->specs[k] = (lm_spec){.dims = 2,
                                .extents = {1, LAYERS, 1, 1},
                                .replicas = 1,
                                .groups = 1,
                                .group_begin = {0, 1},
                                .first_layer = l->first,
                                .layers = l->layers};
    }
    assert_int_equal(lm_slabs_join(&r->slabs, r->plans, r->specs, count, transport), LATMC_OK);
}

/* The smallest first label among the layers that no wall parts from this one. */
static int smallest(int layer)
{
    int low = layer, best = LAYERS;

    while (!wall((low + LAYERS - 1) % LAYERS))
        low = (low + LAYERS - 1) % LAYERS;
    for (int i = low;; i = (i + 1) % LAYERS) {
        best = first_label(i) < best ? first_label(i) : best;
        if (wall(i))
            return best;
    }
}

static void expect_spread(const ring *r, int count)
{
    for (int k = 0; k < count; k++)
        for (int i = 1; i <= r->labels[k].layers; i++)
            assert_int_equal(r->labels[k].label[i], smallest(r->labels[k].first + i - 1));
}

static void labels_spread_over_all_slabs(void **state)
{
    const lm_job job = {.sweeps = 1};

    (void)state;
    for (size_t kind = 0; kind < ALL(ops); kind++)
        for (int count = 1; count <= MOST; count++) {
            ring r;

            cut_ring(&r, count, &ops[kind], (lm_transport){0});
            ok(lm_slabs_sweep(&r.slabs, &job));
            expect_spread(&r, count);
            assert_true(r.labels[0].updates > 2);
            ok(lm_slabs_sweep(&r.slabs, &job)); /* finds nothing to do, and asks once */
            expect_spread(&r, count);
            lm_slabs_part(&r.slabs);
            assert_null(r.labels[0].peers[LM_LOWER]);
        }
}

/* A sweep of nothing to do takes one turn. */
static void quiet_slabs_are_updated_once(void **state)
{
    ring r;

    (void)state;
    cut_ring(&r, 3, &ops[0], (lm_transport){0});
    ok(lm_slabs_sweep(&r.slabs, &(lm_job){.sweeps = 1}));
    for (int k = 0; k < 3; k++)
        r.labels[k].updates = 0;
    ok(lm_slabs_sweep(&r.slabs, &(lm_job){.sweeps = 4}));
    for (int k = 0; k < 3; k++)
        assert_int_equal(r.labels[k].updates, 4);
    lm_slabs_part(&r.slabs);
}

/* ---- slabs elsewhere, of which the transport knows */

typedef struct elsewhere {
    int busy_turns, asked; /* how long others are busy, how often they were asked */
    latmc_status status;
} elsewhere;

/* One slab, which is its own neighbour, is here. */
static latmc_status send_nowhere(void *self, int slab, lm_side side, const void *halo, size_t bytes)
{
    (void)self, (void)slab, (void)side, (void)halo, (void)bytes;
    return LATMC_OK;
}

static latmc_status receive_high(void *self, int slab, lm_side side, void *halo, size_t bytes)
{
    const int high = LAYERS;

    (void)self, (void)slab, (void)side;
    memcpy(halo, &high, bytes);
    return LATMC_OK;
}

static latmc_status any_elsewhere(void *self, int *is_so)
{
    elsewhere *e = self;

    *is_so |= e->asked++ < e->busy_turns;
    return e->status;
}

static void others_are_waited_for(void **state)
{
    elsewhere e = {.busy_turns = 40};
    ring r;

    (void)state;
    cut_ring(&r, 1, &ops[0], (lm_transport){&e, send_nowhere, receive_high, any_elsewhere});
    ok(lm_slabs_sweep(&r.slabs, &(lm_job){.sweeps = 1}));
    assert_int_equal(e.asked, 41); /* longer than the labels here take */
    assert_int_equal(r.labels[0].updates, 41);
    e.status = LATMC_ERROR_DEVICE;
    assert_int_equal(lm_slabs_sweep(&r.slabs, &(lm_job){.sweeps = 1}), LATMC_ERROR_DEVICE);
    lm_slabs_part(&r.slabs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(labels_spread_over_all_slabs),
                                       cmocka_unit_test(quiet_slabs_are_updated_once),
                                       cmocka_unit_test(others_are_waited_for)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
