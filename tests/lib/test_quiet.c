/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Phases of slabs that are made again until no slab is busy. The plans here have a label a layer
 * and one update, by which each layer takes the smallest label among its own and its neighbours',
 * unless a wall stands between: at the end all layers of a piece have its smallest one, however the
 * ring of layers is cut.
 */
#include <string.h>

#include "lib/divide/slabs.h"
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
static void cut_ring(ring *r, int count, const lm_plan_ops *how, lm_ranks *ranks)
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
    assert_int_equal(
        lm_slabs_join(&r->slabs, r->plans, r->specs, count, ranks, (lm_layers){.slabs = count}),
        LATMC_OK);
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

            cut_ring(&r, count, &ops[kind], NULL);
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
    cut_ring(&r, 3, &ops[0], NULL);
    ok(lm_slabs_sweep(&r.slabs, &(lm_job){.sweeps = 1}));
    for (int k = 0; k < 3; k++)
        r.labels[k].updates = 0;
    ok(lm_slabs_sweep(&r.slabs, &(lm_job){.sweeps = 4}));
    for (int k = 0; k < 3; k++)
        assert_int_equal(r.labels[k].updates, 4);
    lm_slabs_part(&r.slabs);
}

/* ---- slabs of another rank */

typedef struct elsewhere {
    int busy_turns, asked; /* how long others are busy, how often they were asked */
    int failure;
    void *in[2];
} elsewhere;

/* Labels there are higher than any here. */
static int send_nowhere(void *self, int tag, int32_t to, const void *out, int32_t from, void *in,
                        size_t bytes)
{
    elsewhere *e = self;

    (void)out;
    assert_int_equal(bytes, sizeof(int));
    assert_true(to == 1 && from == 1);
    e->in[tag] = in;
    return 0;
}

static int receive_high(void *self, int tag)
{
    const elsewhere *e = self;
    const int high = LAYERS;

    memcpy(e->in[tag], &high, sizeof high);
    return 0;
}

static int any_elsewhere(void *self, int count, int64_t *values)
{
    elsewhere *e = self;

    assert_int_equal(count, 1);
    values[0] |= e->asked++ < e->busy_turns;
    return e->failure;
}

static int gather_nothing(void *self, void *data, const int64_t *begin)
{
    (void)self, (void)data, (void)begin;
    return 0;
}

static int no_file(void *self, const char *path, void **file)
{
    (void)self, (void)path, (void)file;
    return 1;
}

static int no_bytes(void *self, void *file, int64_t offset, const void *data, size_t bytes)
{
    (void)self, (void)file, (void)offset, (void)data, (void)bytes;
    return 1;
}

static int no_end(void *self, void *file)
{
    (void)self, (void)file;
    return 1;
}

static const char *reason(void *self)
{
    (void)self;
    return "they went home";
}

static void forget(void *self)
{
    (void)self;
}

static void others_are_waited_for(void **state)
{
    elsewhere e = {0};
    const latmc_ranks table = {.size = sizeof table,
                               .self = &e,
                               .ranks = 2,
                               .message = reason,
                               .begin = send_nowhere,
                               .end = receive_high,
                               .most = any_elsewhere,
                               .gather = gather_nothing,
                               .file_open = no_file,
                               .file_write = no_bytes,
                               .file_close = no_end,
                               .release = forget};
    lm_ranks *ranks;
    ring r;

    (void)state;
    ok(lm_ranks_open(__func__, &table, &ranks));
    e = (elsewhere){.busy_turns = 40};
    cut_ring(&r, 1, &ops[0], ranks);
    lm_slabs_begin(&r.slabs);
    ok(lm_slabs_sweep(&r.slabs, &(lm_job){.sweeps = 1}));
    assert_int_equal(e.asked, 41); /* longer than the labels here take */
    assert_int_equal(r.labels[0].updates, 41);
    e.failure = 1;
    refused(LATMC_ERROR_DEVICE, "they went home", lm_slabs_sweep(&r.slabs, &(lm_job){.sweeps = 1}));
    lm_slabs_part(&r.slabs);
    lm_ranks_close(ranks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(labels_spread_over_all_slabs),
                                       cmocka_unit_test(quiet_slabs_are_updated_once),
                                       cmocka_unit_test(others_are_waited_for)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
