/* SPDX-License-Identifier: BSD-3-Clause */
#include "bandwidth.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"

enum { ROUNDS = 5, THREADS_MAX = 4096 };

/* One thread's share of the arrays. */
typedef struct share {
    double *a, *b, *c;
    size_t count;
    pthread_barrier_t *barrier;
    double seconds; /* the least of all rounds */
} share;

static void *triad(void *argument)
{
    share *s = argument;

    for (size_t i = 0; i < s->count; i++) {
        s->a[i] = 0;
        s->b[i] = 1;
        s->c[i] = 2;
    }
    for (int round = 0; round < ROUNDS; round++) {
        double begin, seconds;

        pthread_barrier_wait(s->barrier);
        begin = cli_clock();
        for (size_t i = 0; i < s->count; i++)
            s->a[i] = s->b[i] + 3 * s->c[i];
        pthread_barrier_wait(s->barrier);
        seconds = cli_clock() - begin;
        s->seconds = fmin(s->seconds, seconds);
    }
    return NULL;
}

/* Numbers in each array: together four times the largest cache, 96 MiB to 1.5 GiB. */
static size_t array_length(void)
{
    size_t cache = 32 << 20;

#ifdef _SC_LEVEL3_CACHE_SIZE
    const long known = sysconf(_SC_LEVEL3_CACHE_SIZE);

    cache = known > 0 ? (size_t)known : cache;
#endif
    cache = cache < 24u << 20 ? 24u << 20 : cache > 384u << 20 ? 384u << 20 : cache;
    return 4 * cache / (3 * sizeof(double));
}

/* Runs the shares, each in a thread of its own; returns the least seconds, or NaN. */
static double run_shares(share *shares, pthread_t *threads, int count)
{
    int started = 0;
    pthread_barrier_t barrier;

    if (pthread_barrier_init(&barrier, NULL, (unsigned)count))
        return (double)NAN;
    for (int i = 0; i < count; i++)
        shares[i].barrier = &barrier;
    while (started < count && !pthread_create(&threads[started], NULL, triad, &shares[started]))
        started++;
    if (started < count)
        cli_fail("only %d of %d threads could be started", started, count);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    return shares[0].seconds;
}

double bandwidth_host(int threads)
{
    const int count = threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : threads;
    const size_t part = array_length() / (size_t)count, length = part * (size_t)count;
    double *memory = malloc(3 * length * sizeof *memory);
    share *shares = cli_memory(count, sizeof *shares);
    pthread_t *ids = cli_memory(count, sizeof *ids);
    double seconds = (double)NAN;

    if (memory) {
        for (int i = 0; i < count; i++) {
            double *a = memory + part * (size_t)i;

            shares[i] = (share){.a = a,
                                .b = a + length,
                                .c = a + 2 * length,
                                .count = part,
                                .seconds = (double)INFINITY};
        }
        seconds = run_shares(shares, ids, count);
    }
    free(memory);
    free(shares);
    free(ids);
    return 3.0 * sizeof(double) * (double)length / seconds * 1e-9;
}

/* What is needed of the CUDA driver's interface. A device pointer is 64 bits wide. */
typedef struct driver {
    int (*init)(unsigned);
    int (*get)(int *, int);
    int (*retain)(void **, int);
    int (*release)(int);
    int (*use)(void *);
    int (*allocate)(unsigned long long *, size_t);
    int (*release_memory)(unsigned long long);
    int (*copy)(unsigned long long, unsigned long long, size_t);
    int (*set)(unsigned long long, unsigned, size_t);
    int (*wait)(void);
} driver;

static const struct {
    const char *name;
    size_t offset;
} symbols[] = {
    {"cuInit", offsetof(driver, init)},
    {"cuDeviceGet", offsetof(driver, get)},
    {"cuDevicePrimaryCtxRetain", offsetof(driver, retain)},
    {"cuDevicePrimaryCtxRelease_v2", offsetof(driver, release)},
    {"cuCtxSetCurrent", offsetof(driver, use)},
    {"cuMemAlloc_v2", offsetof(driver, allocate)},
    {"cuMemFree_v2", offsetof(driver, release_memory)},
    {"cuMemcpyDtoD_v2", offsetof(driver, copy)},
    {"cuMemsetD32_v2", offsetof(driver, set)},
    {"cuCtxSynchronize", offsetof(driver, wait)},
};

static int load_driver(driver *d)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);

    if (!library)
        return 0;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = dlsym(library, symbols[i].name);

        if (!symbol)
            return 0;
        *(void **)((char *)d + symbols[i].offset) = symbol;
    }
    return 1;
}

typedef int pass(const driver *d, unsigned long long memory, size_t bytes);

static int copy(const driver *d, unsigned long long memory, size_t bytes)
{
    return d->copy(memory, memory + bytes, bytes);
}

static int set(const driver *d, unsigned long long memory, size_t bytes)
{
    return d->set(memory, 1, bytes / 4);
}

/* Passes over `bytes` bytes per nanosecond, times these. */
static double time_passes(const driver *d, pass *one, unsigned long long memory, size_t bytes)
{
    enum { PASSES = 20 };
    double best = (double)INFINITY;

    for (int round = 0; round < ROUNDS; round++) {
        double begin;
        int failed = d->wait();

        begin = cli_clock();
        for (int i = 0; i < PASSES; i++)
            failed |= one(d, memory, bytes);
        failed |= d->wait();
        if (failed)
            return (double)NAN;
        best = fmin(best, cli_clock() - begin);
    }
    return PASSES * (double)bytes / best * 1e-9;
}

/* The device's primary context becomes the thread's; 0: it cannot be had. */
static int enter(driver *d, int index, int *device)
{
    void *context;

    return load_driver(d) && !d->init(0) && !d->get(device, index) &&
           !d->retain(&context, *device) && !d->use(context);
}

static double measure(int index, pass *one)
{
    const size_t bytes = (size_t)512 << 20;
    double rate = (double)NAN;
    unsigned long long memory;
    driver d;
    int device;

    if (!enter(&d, index, &device))
        return rate;
    if (!d.allocate(&memory, 2 * bytes)) {
        rate = time_passes(&d, one, memory, bytes);
        d.release_memory(memory);
    }
    d.release(device);
    return rate;
}

/* Each byte is read and written. */
double bandwidth_cuda(int index)
{
    return 2.0 * measure(index, copy);
}

double bandwidth_cuda_store(int index)
{
    return measure(index, set);
}

void *bandwidth_cuda_memory(int index, size_t bytes)
{
    unsigned long long memory;
    driver d;
    int device;

    return enter(&d, index, &device) && !d.allocate(&memory, bytes) ? (void *)(uintptr_t)memory
                                                                    : NULL;
}
