/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slots: a replica with another slot does what a replica with that slot's parameters does, and
 * nothing else, on every device; and no value of a slot changes the shape of what a device has.
 */
#include "backends/cpu/bits/plan.h"
#include "lib/lattice/spec.h"
#include "tests/inside.h"
#include "tests/models/slots.h"

/* ---- permuted slots, and permuted parameters */

/* Within each sample the slots run backwards. */
static void turn_slots(const latmc_lattice *lattice, int64_t *slots)
{
    const int64_t replicas = info_of(lattice).replicas;
    const int64_t each = replicas_of_sample(lattice);

    for (int64_t r = 0; r < replicas; r++)
        slots[r] = r / each * each + each - 1 - r % each;
}

/* Parameters of the replicas themselves: those of their slots. */
static void spread_params(latmc_lattice *lattice, const test_model *m, const int64_t *slots)
{
    const int64_t replicas = info_of(lattice).replicas;
    double *of_slots = suite_room(replicas, sizeof *of_slots),
           *own = suite_room(replicas, sizeof *own);

    for (int i = 0; m->params[i]; i++) {
        ok(latmc_get_params(lattice, (latmc_param)m->params[i], of_slots));
        for (int64_t r = 0; r < replicas; r++)
            own[r] = of_slots[slots[r]];
        ok(latmc_set_params(lattice, (latmc_param)m->params[i], own));
    }
    free(of_slots);
    free(own);
}

/* All observables of a lattice; what `columns` numbers each a twin that counts by replica has must
 * be there at the place of the replica's slot, or of the replica. */
static void compare_numbers(const test_case *c, int count, const double *numbers,
                            const double *twin, int64_t columns, const int64_t *place,
                            const char *when)
{
    const int64_t replicas = c->shape->replicas;

    for (int o = 0; o < count; o++)
        for (int64_t r = 0; r < replicas; r++) {
            const double *a = numbers + (o * replicas + place[r]) * columns;
            const double *b = twin + (o * replicas + r) * columns;

            if (memcmp(a, b, (size_t)columns * sizeof *a) != 0)
                fail_msg("%s, case %d, %s: observable %d of replica %d is %.17g, not %.17g",
                         c->model->name, c->number, when, o, (int)r, a[0], b[0]);
        }
}

static void compare_pairs(const test_case *c, latmc_lattice *lattice, latmc_lattice *twin,
                          latmc_order order, const int64_t *place)
{
    const latmc_quantity overlap = LATMC_QUANTITY(LATMC_OVERLAP);
    const int64_t last = c->shape->replicas - 1, by_replica[2] = {0, last};
    double a, b;

    ok(latmc_observe_pairs(lattice, order, 1, (int64_t[]){place[0], place[last]}, 1, &overlap, &a));
    ok(latmc_observe_pairs(twin, LATMC_BY_REPLICA, 1, by_replica, 1, &overlap, &b));
    assert_true(a == b);
}

static void compare_lattices(const test_case *c, latmc_lattice *lattice, latmc_lattice *twin,
                             latmc_order order, const int64_t *place, const char *when)
{
    const suite_known list = suite_quantities(lattice, c->model);
    const int count = list.count;
    const int64_t numbers = count * c->shape->replicas;
    double *a = suite_room(numbers, sizeof *a), *b = suite_room(numbers, sizeof *b);

    ok(latmc_observe(lattice, order, count, list.of, a));
    ok(latmc_observe(twin, LATMC_BY_REPLICA, count, list.of, b));
    compare_numbers(c, count, a, b, 1, place, when);
    compare_pairs(c, lattice, twin, order, place);
    if (hash_of(lattice) != hash_of(twin))
        fail_msg("%s, case %d, %s: other sites", c->model->name, c->number, when);
    free(a);
    free(b);
}

static void compare_series(const test_case *c, latmc_update update, latmc_lattice *lattice,
                           latmc_lattice *twin, latmc_order order, const int64_t *place)
{
    const suite_known list = suite_quantities(lattice, c->model);
    const int count = list.count;
    const int64_t numbers = RECORDS * count * c->shape->replicas;
    double *a = suite_room(numbers, sizeof *a), *b = suite_room(numbers, sizeof *b);

    ok((order == LATMC_BY_SLOT ? record_by_slot : record_series)(lattice, update, BETWEEN, RECORDS,
                                                                 count, list.of, a));
    ok(record_series(twin, update, BETWEEN, RECORDS, count, list.of, b));
    compare_numbers(c, count, a, b, RECORDS, place, "record");
    free(a);
    free(b);
}

/* The width that each slot's replica has come to. */
static void compare_tuning(const test_case *c, latmc_lattice *lattice, latmc_lattice *twin,
                           const int64_t *slots)
{
    const test_model *m = c->model;
    const latmc_param tuned = (latmc_param)m->tuned;
    const int64_t replicas = c->shape->replicas;
    double *a = suite_room(replicas, sizeof *a), *b = suite_room(replicas, sizeof *b);

    ok(latmc_tune(lattice, (latmc_update)m->tuning_updates[0], 3, 0.4));
    ok(latmc_tune(twin, (latmc_update)m->tuning_updates[0], 3, 0.4));
    ok(latmc_get_params(lattice, tuned, a));
    ok(latmc_get_params(twin, tuned, b));
    for (int64_t r = 0; r < replicas; r++)
        assert_true(a[slots[r]] == b[r]);
    free(a);
    free(b);
}

/* A parameter on its way, slot by slot. */
static void ramp_both(latmc_lattice *lattice, latmc_lattice *twin, const test_model *m,
                      const int64_t *slots)
{
    const latmc_param first = (latmc_param)m->params[0];
    const int64_t replicas = info_of(lattice).replicas;
    double *to = suite_room(replicas, sizeof *to), *own = suite_room(replicas, sizeof *own);

    for (int64_t s = 0; s < replicas; s++)
        to[s] = 0.25 + 0.5 * (double)s / (double)replicas;
    for (int64_t r = 0; r < replicas; r++)
        own[r] = to[slots[r]];
    ok(latmc_set_ramp(lattice, first, to, 3));
    ok(latmc_set_ramp(twin, first, own, 3));
    free(to);
    free(own);
}

static void follow(const test_case *c, latmc_update update, const char *device, int threads)
{
    const int64_t replicas = c->shape->replicas;
    latmc_lattice *lattice = suite_started(c, 0, replicas, device, threads),
                  *twin = suite_started(c, 0, replicas, device, threads);
    int64_t *slots = suite_room(replicas, sizeof *slots), *own = suite_room(replicas, sizeof *own);

    for (int64_t r = 0; r < replicas; r++)
        own[r] = r;
    ok(latmc_sweep(lattice, update, 1)); /* in mid-run */
    ok(latmc_sweep(twin, update, 1));
    turn_slots(lattice, slots);
    ok(latmc_set_slots(lattice, slots));
    spread_params(twin, c->model, slots);
    ok(latmc_sweep(lattice, update, c->model->sweeps));
    ok(latmc_sweep(twin, update, c->model->sweeps));
    compare_lattices(c, lattice, twin, LATMC_BY_REPLICA, own, "by replica");
    compare_series(c, update, lattice, twin, LATMC_BY_REPLICA, own);
    compare_lattices(c, lattice, twin, LATMC_BY_SLOT, slots, "by slot");
    compare_series(c, update, lattice, twin, LATMC_BY_SLOT, slots);
    if (c->model->tuned)
        compare_tuning(c, lattice, twin, slots);
    ramp_both(lattice, twin, c->model, slots);
    ok(latmc_sweep(lattice, update, 5));
    ok(latmc_sweep(twin, update, 5));
    compare_lattices(c, lattice, twin, LATMC_BY_SLOT, slots, "after a ramp");
    latmc_destroy(lattice);
    latmc_destroy(twin);
    free(slots);
    free(own);
}

static void slots_are_their_parameters(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    int number = 0, seen = 0;

    for (const shape *s = m->shapes; s->dims; s++, number++)
        for (const test_variant *v = m->variants; v->name; v++) {
            test_case c = suite_case(m, s, v);

            c.number = number;
            if (s->replicas == 1 || (number + (v - m->variants)) % 5 ||
                !suite_serves(&c, v->update))
                continue;
            follow(&c, v->update, on->device, 1 + number % 2);
            seen++;
        }
    assert_true(seen > 0);
}

/* ---- what is on a device */

/* The tables of a lattice in words, where they are and how large. */
typedef struct tables {
    const void *planes[LM_RULE_TABLES], *thresholds[LM_RULE_TABLES];
    int64_t words[LM_RULE_TABLES];
} tables;

static tables tables_of(const latmc_lattice *lattice)
{
    const lm_bits_plan *p = lattice->home.plan.self;
    tables t = {0};

    for (int i = 0; i < LM_RULE_TABLES; i++) {
        t.planes[i] = p->rules.tables[i].planes;
        t.thresholds[i] = p->rules.tables[i].thresholds;
        t.words[i] = p->rules.tables[i].words;
    }
    return t;
}

/* Through 0, of all slots or of one: the rules are others, and need no other room. */
static void change_values(latmc_lattice *lattice, const test_model *m)
{
    static const double values[] = {0.5, 0.0, -0.5, 1e-3};
    tables before, now;

    ok(latmc_sweep(lattice, (latmc_update)m->updates[0], 1));
    before = tables_of(lattice);
    assert_true(before.words[0] > 0);
    for (int i = 0; m->params[i]; i++)
        for (size_t k = 0; k < 2 * ALL(values); k++) {
            const double value = values[k / 2], other = k % 2 ? value : 0.25;

            ok(latmc_set_params(lattice, (latmc_param)m->params[i], (double[]){value, other}));
            for (int u = 0; m->updates[u]; u++)
                ok(latmc_sweep(lattice, (latmc_update)m->updates[u], 1));
            now = tables_of(lattice);
            assert_memory_equal(&before, &now, sizeof now);
        }
}

static void values_change_no_shape(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    int in_words = 0;

    for (const test_variant *v = m->rich; v->name; v++) {
        latmc_lattice *lattice = suite_rich(m, v);

        if (lm_spec_of(lattice).kept == LM_IN_WORDS) {
            change_values(lattice, m);
            in_words++;
        }
        latmc_destroy(lattice);
    }
    if (!in_words)
        skip();
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(values_change_no_shape),
        SUITE_ON_DEVICES(slots_are_their_parameters),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
