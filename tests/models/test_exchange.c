/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges are those of doc/trajectory.md, decided here by hand, and what is measured is counted
 * by replica or by slot.
 */
#include "tests/inside.h"
#include "tests/models/naive_draw.h"
#include "tests/models/naive_walks.h"
#include "tests/models/slots.h"

/* The action of each replica with the parameters of its slot, by the energy per site. */
static void actions_of(latmc_lattice *lattice, const test_model *m, double *actions)
{
    const latmc_lattice_info info = info_of(lattice);
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double *beta = suite_room(info.replicas, sizeof *beta);
    int64_t *slots = suite_room(info.replicas, sizeof *slots);

    ok(latmc_get_slots(lattice, slots));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &energy, actions));
    if (suite_has(m->params, LATMC_BETA))
        ok(latmc_get_params(lattice, LATMC_BETA, beta));
    for (int64_t r = 0; r < info.replicas; r++)
        actions[r] *=
            (double)info.sites * (suite_has(m->params, LATMC_BETA) ? beta[slots[r]] : 1.0);
    free(beta);
    free(slots);
}

/* 0 < u <= 1 of a pair. */
static double uniform(int64_t slot, int64_t exchange, int64_t sample)
{
    const request q = {.seed = suite_seed,
                       .index = (uint64_t)slot,
                       .step = (uint64_t)exchange,
                       .group = (uint32_t)(sample % 65536),
                       .domain = EXCHANGE_DOMAIN};
    uint32_t x[4];

    naive_block(&q, x);
    return ((double)(((uint64_t)x[1] << 32 | x[0]) >> 11) + 1.0) * 0x1p-53;
}

/* Slots as they are, then with every pair exchanged: the actions tell which pairs will be. */
static void exchange_by_hand(latmc_lattice *lattice, const test_model *m, int64_t number)
{
    const latmc_lattice_info info = info_of(lattice);
    const int64_t n = info.replicas, of_sample = replicas_of_sample(lattice);
    const int64_t each = of_sample / info.ladders;
    int64_t *slots = suite_room(n, sizeof *slots), *other = suite_room(n, sizeof *other),
            *holder = suite_room(n, sizeof *holder);
    double *now = suite_room(n, sizeof *now), *then = suite_room(n, sizeof *then);

    ok(latmc_get_slots(lattice, slots));
    for (int64_t r = 0; r < n; r++) {
        const int64_t s = slots[r], up = (s % each + number) % 2 == 0;
        const int64_t partner = s + (up ? 1 : -1);

        holder[s] = r;
        other[r] = partner >= 0 && partner / each == s / each && partner < n ? partner : s;
    }
    actions_of(lattice, m, now);
    ok(latmc_set_slots(lattice, other));
    actions_of(lattice, m, then);
    for (int64_t s = 0; s + 1 < n; s++) {
        const int64_t a = holder[s], b = holder[s + 1];
        const double cost = then[a] + then[b] - now[a] - now[b];

        if (other[a] != s + 1)
            continue;
        if (log(uniform(info.first_replica + s, number, info.first_sample + s / of_sample)) <=
            -cost) {
            slots[a] = s + 1;
            slots[b] = s;
        }
    }
    ok(latmc_set_slots(lattice, slots));
    free(slots);
    free(other);
    free(holder);
    free(now);
    free(then);
}

/* Two steps, if there are two updates: an exchange after the first, two after the other. */
static void set_rounds(latmc_lattice *lattice, const test_case *c, latmc_update update)
{
    latmc_update other;
    int second = 0;

    while (c->model->updates[second] &&
           (c->model->updates[second] == (int)update ||
            !c->model->serves(c, (latmc_update)c->model->updates[second])))
        second++;
    other = c->model->updates[second] ? (latmc_update)c->model->updates[second] : update;
    ok(latmc_set_schedule(lattice, 2, (latmc_step[]){step_of(update, 1, 1), step_of(other, 2, 2)}));
}

/* Neighbouring slots alike enough that some exchanges are made, and others not. */
static void spread_slots(latmc_lattice *lattice, const test_model *m)
{
    const int64_t n = info_of(lattice).replicas;
    const latmc_param first = (latmc_param)m->params[0];
    double *values = suite_room(n, sizeof *values);

    for (int64_t s = 0; s < n; s++)
        values[s] = 0.3 + 0.3 * (double)s / (double)n;
    ok(latmc_set_params(lattice, first, values));
    free(values);
}

static void compare_slots(latmc_lattice *a, latmc_lattice *b, int64_t round)
{
    const int64_t n = info_of(a).replicas;
    int64_t *x = suite_room(n, sizeof *x), *y = suite_room(n, sizeof *y);

    ok(latmc_get_slots(a, x));
    ok(latmc_get_slots(b, y));
    for (int64_t r = 0; r < n; r++)
        if (x[r] != y[r])
            fail_msg("round %d: replica %d has slot %d, not %d", (int)round, (int)r, (int)x[r],
                     (int)y[r]);
    free(x);
    free(y);
}

static int64_t moved_slots(latmc_lattice *lattice)
{
    const int64_t n = info_of(lattice).replicas;
    int64_t *slots = suite_room(n, sizeof *slots), moved = 0;

    ok(latmc_get_slots(lattice, slots));
    for (int64_t r = 0; r < n; r++)
        moved += slots[r] != r;
    free(slots);
    return moved;
}

/* The same lattice, saved and loaded. */
static latmc_lattice *resumed(latmc_lattice *lattice, const char *device)
{
    latmc_lattice *copy = NULL;
    size_t bytes;
    void *saved = save_whole(lattice, &bytes);

    ok(latmc_load_memory(&copy, saved, bytes));
    ok(latmc_set_device(copy, device));
    compare_slots(lattice, copy, -1);
    latmc_destroy(lattice);
    free(saved);
    return copy;
}

/* A round, by a sweep or a record; the record's energies, by slot, are those that the twin has
 * after it. */
static double *round_of(latmc_lattice *lattice, int by_record)
{
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double *energies = by_record ? suite_room(info_of(lattice).replicas, sizeof *energies) : NULL;

    if (by_record)
        ok(record_by_slot(lattice, LATMC_SCHEDULE, 1, 1, 1, &energy, energies));
    else
        ok(latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    return energies;
}

static void compare_energies(latmc_lattice *twin, double *energies)
{
    const int64_t n = info_of(twin).replicas;
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double *own = suite_room(n, sizeof *own);

    ok(latmc_observe(twin, LATMC_BY_SLOT, 1, &energy, own));
    assert_memory_equal(own, energies, (size_t)n * sizeof *own);
    free(own);
    free(energies);
}

/* Tuning makes rounds as sweeping does. */
static void tune_rounds(const test_case *c, latmc_lattice *lattice)
{
    const int64_t before = info_of(lattice).exchanges;

    if (!c->model->tuned || !suite_has(c->model->tuning_updates, get_step(lattice, 1).update))
        return;
    ok(latmc_tune(lattice, LATMC_SCHEDULE, 2, 0.5));
    assert_int_equal(info_of(lattice).exchanges, before + 6);
}

/* What rounds have made of their replicas: moved from their own slots, also where samples have
 * several ladders, and round trips. */
typedef struct journey {
    int64_t moved, trips, apart;
} journey;

/* A round on the twin, in single calls. */
static void round_by_hand(const latmc_lattice *lattice, latmc_lattice *twin, const test_model *m,
                          naive_walks *walks, int64_t *number)
{
    int64_t *slots = suite_room(walks->n, sizeof *slots);

    for (int i = 0; i < 2; i++) {
        const latmc_step step = get_step(lattice, i);

        ok(latmc_sweep(twin, (latmc_update)step.update, step.sweeps));
        for (int k = 0; k <= i; k++) {
            exchange_by_hand(twin, m, *number);
            ok(latmc_get_slots(twin, slots));
            naive_exchange(walks, (*number)++, slots);
        }
    }
    free(slots);
}

/* In two cases of three the slots of a sample are two ladders, or three, if that can be. */
static int64_t cut_ladders(const test_case *c, latmc_lattice *lattice, latmc_lattice *twin)
{
    const int64_t slots = replicas_of_sample(lattice);
    const int64_t ladders = c->number % 3 == 0 ? 1 : slots % 2 == 0 ? 2 : slots % 3 == 0 ? 3 : 1;

    ok(latmc_set_ladders(lattice, ladders));
    ok(latmc_set_ladders(twin, ladders));
    return slots / ladders;
}

/* Rounds, and single calls with exchanges by hand; half of the rounds after a save. */
static journey temper(const test_case *c, latmc_update update, const char *device)
{
    const test_model *m = c->model;
    latmc_lattice *lattice = suite_started(c, 0, c->shape->replicas, device, 0),
                  *twin = suite_started(c, 0, c->shape->replicas, "cpu:scalar", 1);
    int64_t number = 0;
    journey went = {0, 0, 0};
    naive_walks walks;

    spread_slots(lattice, m);
    spread_slots(twin, m);
    set_rounds(lattice, c, update);
    naive_begin(&walks, lattice, cut_ladders(c, lattice, twin));
    for (int round = 0; round < ROUNDS; round++) {
        double *energies;

        if (round == ROUNDS / 2)
            lattice = resumed(lattice, device);
        energies = round_of(lattice, round % 2);
        round_by_hand(lattice, twin, m, &walks, &number);
        compare_slots(lattice, twin, round);
        went.trips = naive_compare(&walks, lattice);
        if (energies)
            compare_energies(twin, energies);
    }
    assert_int_equal(info_of(lattice).exchanges, number);
    assert_true(hash_of(lattice) == hash_of(twin));
    went.moved = moved_slots(lattice);
    went.apart = info_of(lattice).ladders > 1 ? went.moved : 0;
    tune_rounds(c, lattice);
    latmc_destroy(lattice);
    latmc_destroy(twin);
    naive_end(&walks);
    return went;
}

static void exchanges_are_those_by_hand(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    journey all = {0, 0, 0};

    for (const shape *s = m->shapes; s->dims; s++)
        for (const test_variant *v = m->variants; v->name; v++) {
            test_case c = suite_case(m, s, v);

            c.number = (int)(s - m->shapes);
            if (s->replicas > 1 && (c.number + (v - m->variants)) % 4 == 0 &&
                suite_serves(&c, v->update)) {
                const journey went = temper(&c, v->update, on->device);

                all.moved += went.moved;
                all.trips += went.trips;
                all.apart += went.apart;
            }
        }
    assert_true(all.moved > 0 && all.trips > 0 && all.apart > 0);
}

int main(void)
{
    static const suite_test tests[] = {

        SUITE_ON_DEVICES(exchanges_are_those_by_hand),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
