/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs whose sweeps are queued by a thread each (lib/divide/abreast.h): none is a phase ahead of
 * those beside it, each makes what one thread would make of them in turn, and if one fails all of
 * them end with the same phase and with its sentence.
 */
#include <stdatomic.h>
#include <unistd.h>

#include "lib/divide/abreast.h"
#include "lib/base/status.h"
#include "tests/support.h"

enum { MOST = 20, PHASES = 2 };

/* A slab that counts what it was told. */
typedef struct slab {
    struct slab *beside[2];
    _Atomic int64_t made; /* phases */
    uint64_t trace;       /* of the order and the arguments of all calls */
    int64_t fails_at;     /* this phase, if not negative */
    unsigned lingers;     /* microseconds in some phases */
    int ahead;            /* a slab beside it was not at the same phase */
} slab;

static void trace(slab *s, uint64_t what)
{
    s->trace = (s->trace ^ what) * 0x9e3779b97f4a7c15u;
    s->trace ^= s->trace >> 31;
}

static int phases(const void *plan, int update)
{
    (void)plan;
    return PHASES + update;
}

static latmc_status begin(void *plan, int update, int counts)
{
    trace(plan, (uint64_t)(1000 + 2 * update + counts));
    return LATMC_OK;
}

static latmc_status update(void *plan, int update, int64_t step, int phase, lm_part part)
{
    slab *s = plan;
    const int64_t made = atomic_load(&s->made);

    for (int side = 0; side < 2; side++) {
        const int64_t there = atomic_load(&s->beside[side]->made);

        s->ahead |= there != made && there != made + 1;
    }
    trace(s, (uint64_t)(step * 64 + phase * 8 + update * 4) + (uint64_t)part);
    if (made == s->fails_at)
        return lm_fail(LATMC_ERROR_DEVICE, "phase %lld is one too many", (long long)made);
    if (s->lingers && made % 7 == 3)
        usleep(s->lingers);
    atomic_store(&s->made, made + 1);
    return LATMC_OK;
}

static const lm_slab_ops slab_ops = {
    .phases = phases, .begin = begin, .update = update, .queues = 1};
static const lm_plan_ops ops = {.slabs = &slab_ops};

/* Two steps of a schedule, of which the second has a phase more. */
static const lm_schedule_step steps[] = {{0, 3}, {1, 2}};
static const lm_schedule schedule = {.steps = steps, .count = 2, .round = 5};

typedef struct ring {
    slab slabs[MOST];
    lm_plan plans[MOST];
    char connected[2 * MOST];
    lm_slabs all;
} ring;

static void make(ring *r, int count)
{
    *r = (ring){.all = {.count = count, .plans = r->plans, .connected = r->connected}};
    for (int i = 0; i < count; i++) {
        r->slabs[i].beside[0] = &r->slabs[(i + count - 1) % count];
        r->slabs[i].beside[1] = &r->slabs[(i + 1) % count];
        r->slabs[i].fails_at = -1;
        r->plans[i] = (lm_plan){&ops, &r->slabs[i]};
        r->connected[2 * i] = r->connected[2 * i + 1] = 1;
    }
}

/* What one thread makes of a slab, and how many phases these are. */
static int64_t in_turn(slab *alone, lm_cursor *at, int64_t sweeps)
{
    *alone = (slab){.beside = {alone, alone}, .fails_at = -1};
    while (sweeps > 0) {
        const lm_job job = lm_schedule_next(&schedule, at, sweeps);

        for (int64_t k = 0; k < job.sweeps; k++) {
            begin(alone, job.update, k == job.sweeps - 1);
            for (int phase = 0; phase < phases(alone, job.update); phase++)
                update(alone, job.update, job.first_sweep + k, phase, LM_WHOLE);
        }
        sweeps -= job.sweeps;
    }
    return atomic_load(&alone->made);
}

static void as_one_thread_does(void **state)
{
    static ring r;
    static const int counts[] = {2, 3, 8, MOST};

    (void)state;
    for (size_t i = 0; i < ALL(counts); i++)
        for (int64_t sweeps = 1; sweeps < 200; sweeps = 3 * sweeps + 1) {
            lm_cursor at = {.sweep = 7, .done = 2}, alone_at = at;
            slab alone;
            const int64_t made = in_turn(&alone, &alone_at, sweeps);

            make(&r, counts[i]);
            r.slabs[counts[i] - 1].lingers = 300;
            r.slabs[0].lingers = i % 2 ? 100 : 0;
            lm_slabs_sweep_abreast(&r.all, &schedule, &at, sweeps);
            assert_int_equal(r.all.failed, LATMC_OK);
            assert_int_equal(at.sweep, alone_at.sweep);
            assert_int_equal(at.done, alone_at.done);
            for (int k = 0; k < counts[i]; k++) {
                assert_int_equal(atomic_load(&r.slabs[k].made), made);
                assert_true(r.slabs[k].trace == alone.trace);
                assert_false(r.slabs[k].ahead);
            }
        }
}

static void all_end_with_the_one_that_fails(void **state)
{
    static ring r;

    (void)state;
    for (int count = 2; count <= MOST; count += 6)
        for (int64_t at_phase = 0; at_phase < 100; at_phase += 33) {
            const int bad = (int)(at_phase + 1) % count;
            lm_cursor at = {.sweep = 0};
            char sentence[80];

            make(&r, count);
            r.slabs[bad].fails_at = at_phase;
            r.slabs[(bad + 1) % count].lingers = 200;
            lm_slabs_sweep_abreast(&r.all, &schedule, &at, 1000);
            assert_int_equal(r.all.failed, LATMC_ERROR_DEVICE);
            snprintf(sentence, sizeof sentence, "phase %lld is one too many", (long long)at_phase);
            assert_non_null(strstr(latmc_error_message(), sentence));
            for (int k = 0; k < count; k++) {
                const int64_t made = atomic_load(&r.slabs[k].made);

                assert_true(made == at_phase || (k != bad && made == at_phase + 1));
            }
        }
}

/* Threads are for slabs that need nothing of the host between phases. */
static void only_where_they_can(void **state)
{
    static ring r;
    lm_slab_ops other = slab_ops;
    const lm_plan_ops other_ops = {.slabs = &other};

    (void)state;
    make(&r, 3);
    assert_true(lm_slabs_can_abreast(&r.all, 1000));
    assert_false(lm_slabs_can_abreast(&r.all, 1));
    for (int i = 0; i < 6; i++) {
        r.connected[i] = 0;
        assert_false(lm_slabs_can_abreast(&r.all, 1000));
        r.connected[i] = 1;
    }
    make(&r, 1);
    assert_false(lm_slabs_can_abreast(&r.all, 1000));
    make(&r, 2);
    r.plans[0].ops = r.plans[1].ops = &other_ops;
    other.queues = 0;
    assert_false(lm_slabs_can_abreast(&r.all, 1000));
    other.queues = 1;
    assert_true(lm_slabs_can_abreast(&r.all, 1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_one_thread_does),
        cmocka_unit_test(all_end_with_the_one_that_fails),
        cmocka_unit_test(only_where_they_can),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
