/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In which order slabs on GPUs give and take boundary layers (backends/cuda/ferry.h, connect.h). A
 * wrong order is seldom seen in sites, since what comes too early or too late is mostly there
 * anyway. Here one side is held until the other one has had its time to go wrong.
 */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "backends/cuda/plan.h"
#include "tests/support.h"

static void sleep_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* ---- layers on their way to the host and back: a GPU */

/* What a stream has next waits until it is opened. */
typedef struct gate {
    atomic_int open, passed;
} gate;

static void CUDART_CB wait_at(void *at)
{
    gate *g = at;
    while (!atomic_load(&g->open))
        sleep_a_little();
    atomic_store(&g->passed, 1);
}

/* Whatever `follower` has been given waits for what the gate holds in another stream. */
static void waits_for(cudaStream_t follower, gate *g)
{
    int waited = 1;
    for (int i = 0; i < 100; i++, sleep_a_little())
        waited &= cudaStreamQuery(follower) == cudaErrorNotReady;
    atomic_store(&g->open, 1);
    const cudaError_t ended = cudaStreamSynchronize(follower);
    const int passed = atomic_load(&g->passed);
    cudaDeviceSynchronize(); /* the gate is not looked at any more */
    assert_true(waited);
    assert_int_equal(ended, cudaSuccess);
    assert_int_equal(passed, 1);
}

static void needs_gpu(lm_cuda_head *h)
{
    *h = (lm_cuda_head){.device = 0};
    needs("cuda:0");
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    assert_int_equal(cudaStreamCreateWithFlags(&h->stream, cudaStreamNonBlocking), cudaSuccess);
}

static void end(lm_cuda_head *h)
{
    lm_cuda_end_ferry(h);
    cudaStreamDestroy(h->stream);
}

/* What the ferry is given waits for what the plan's stream has. */
static void comes_after_the_plan(cudaError_t (*begin)(lm_cuda_head *, cudaStream_t *))
{
    gate g = {0};
    lm_cuda_head h;
    cudaStream_t ferry;

    needs_gpu(&h);
    assert_int_equal(cudaLaunchHostFunc(h.stream, wait_at, &g), cudaSuccess);
    assert_int_equal(begin(&h, &ferry), cudaSuccess);
    waits_for(ferry, &g);
    end(&h);
}

static void layers_are_packed_when_they_are_updated(void **state)
{
    (void)state;
    comes_after_the_plan(lm_cuda_begin_pack);
}

static void halos_are_unpacked_when_they_have_been_read(void **state)
{
    (void)state;
    comes_after_the_plan(lm_cuda_begin_unpack);
}

static void halos_are_read_when_they_have_come(void **state)
{
    gate g = {0};
    lm_cuda_head h;
    cudaStream_t ferry;

    (void)state;
    needs_gpu(&h);
    assert_int_equal(lm_cuda_begin_unpack(&h, &ferry), cudaSuccess);
    assert_int_equal(cudaLaunchHostFunc(ferry, wait_at, &g), cudaSuccess);
    assert_int_equal(lm_cuda_end_unpack(&h), cudaSuccess);
    waits_for(h.stream, &g);
    end(&h);
}

/* ---- phases that threads of the host tell each other: no GPU */

enum { PHASES = 300000, FEWEST = 1000, SECONDS = 2 };

typedef struct telling {
    lm_cuda_head slab, beyond;
    _Atomic int64_t seen;
    atomic_int over;
    int64_t back;
} telling;

/* The thread of the slab beyond, which is a phase behind at most: what is the latest is never an
 * older one than before. */
static void *look(void *shared)
{
    telling *t = shared;
    lm_cuda_joint *j = &t->slab.joint;
    int64_t seen = -1;
    for (int idle = 0; !atomic_load_explicit(&t->over, memory_order_relaxed); idle++) {
        const int latest = atomic_load_explicit(&j->latest, memory_order_acquire);
        const int64_t step = *(volatile int64_t *)&j->phases[latest].step;
        t->back += step < seen;
        if (step != seen)
            idle = 0;
        seen = step;
        atomic_store_explicit(&t->seen, seen, memory_order_release);
        if (idle > 1000) /* the other one may want this processor */
            sched_yield();
    }
    return NULL;
}

static void phases_are_told_when_they_are_there(void **state)
{
    static telling t;
    pthread_t thread;
    lm_cuda_joint *j = &t.slab.joint;

    (void)state;
    j->beyond[LM_UPPER] = &t.beyond;
    j->waiting = LM_BLOCKS_WAIT;
    j->phases[0].step = j->phases[1].step = -1;
    atomic_store(&t.seen, -1);
    assert_int_equal(pthread_create(&thread, NULL, look, &t), 0);
    const time_t end = time(NULL) + SECONDS;
    for (int64_t step = 0; step < PHASES && (step < FEWEST || time(NULL) < end); step++) {
        while (atomic_load_explicit(&t.seen, memory_order_acquire) < step - 1)
            sched_yield();
        assert_int_equal(lm_cuda_end_phase(&t.slab, (lm_cuda_phase){.step = step}), cudaSuccess);
    }
    atomic_store(&t.over, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(t.back, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_packed_when_they_are_updated),
        cmocka_unit_test(halos_are_unpacked_when_they_have_been_read),
        cmocka_unit_test(halos_are_read_when_they_have_come),
        cmocka_unit_test(phases_are_told_when_they_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
