/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program with kernels of its own: sites go to a GPU's memory as packed bits and as bytes,
 * a kernel counts and turns them there, and they come back. As C it does the same on a CPU.
 * It exits with 77 if there is no such device. */
#include <latmc/latmc.h>

#include <stdio.h>
#include <stdlib.h>

/* Rows of 13 spins, layers of 65: a layer has 9 bytes, the last one with a single spin. */
enum { LX = 13, LY = 5, LZ = 6, LAYER = LX * LY, N = LAYER * LZ, LAYER_BYTES = (LAYER + 7) / 8 };
enum { REPLICAS = 40, REPLICA_BYTES = LAYER_BYTES * LZ };

#ifdef __CUDACC__
#define DEVICE            "cuda:0"
#define BODY              __global__ void
#define REPLICA           (int)blockIdx.x
#define FIRST             (int)threadIdx.x
#define STRIDE            (int)blockDim.x
#define CALL(kernel, ...) kernel<<<REPLICAS, 64>>>(__VA_ARGS__)
#define ADD(to, what)     atomicAdd(to, what)

static void *memory(size_t bytes, int managed)
{
    void *got = NULL;
    const cudaError_t fault = managed ? cudaMallocManaged(&got, bytes) : cudaMalloc(&got, bytes);

    return fault == cudaSuccess && cudaMemset(got, 0, bytes) == cudaSuccess ? got : NULL;
}

static int fetch(void *to, const void *from, size_t bytes)
{
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
}

#define release (void)cudaFree
#else
#define DEVICE  "cpu"
#define BODY    static void
#define REPLICA replica_now
#define FIRST   0
#define STRIDE  1
#define CALL(kernel, ...)                                                                          \
    for (replica_now = 0; replica_now < REPLICAS; replica_now++)                                   \
    kernel(__VA_ARGS__)
#define ADD(to, what) (*(to) += (what))

static int replica_now;

static void *memory(size_t bytes, int managed)
{
    (void)managed;
    return calloc(bytes, 1);
}

static int fetch(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return 1;
}

#define release free
#endif

/* Spins that are +1 in each replica, from packed bits. */
BODY count_bits(const uint8_t *bits, int *up)
{
    for (int i = FIRST; i < REPLICA_BYTES; i += STRIDE)
        for (int byte = bits[REPLICA * REPLICA_BYTES + i]; byte; byte &= byte - 1)
            ADD(&up[REPLICA], 1);
}

/* The same from bytes -1 and +1. */
BODY count_bytes(const int8_t *spins, int *up)
{
    for (int i = FIRST; i < N; i += STRIDE)
        ADD(&up[REPLICA], spins[REPLICA * N + i] > 0);
}

/* Turns all spins. The digits behind the last spin of a layer stay 0. */
BODY turn_bits(uint8_t *bits)
{
    for (int i = FIRST; i < REPLICA_BYTES; i += STRIDE)
        bits[REPLICA * REPLICA_BYTES + i] ^=
            i % LAYER_BYTES < LAYER / 8 ? 0xff : (1 << LAYER % 8) - 1;
}

BODY turn_bytes(int8_t *spins)
{
    for (int i = FIRST; i < N; i += STRIDE)
        spins[REPLICA * N + i] = (int8_t)-spins[REPLICA * N + i];
}

static int failed(void)
{
    fprintf(stderr, "%s\n", latmc_error_message());
    return 0;
}

/* Whether the counts are those of the magnetizations, with a sign. */
static int agree(const char *what, const int *up, const double *m, int sign)
{
    int counts[REPLICAS], wrong = 0;

    if (!fetch(counts, up, sizeof counts))
        return 0;
    for (int r = 0; r < REPLICAS; r++)
        wrong += (2.0 * counts[r] - N) / N != sign * m[r];
    printf("%s: %d spins up in replica 0, %d replicas differ from latmc_observe()\n", what,
           counts[0], wrong);
    return !wrong;
}

static int observe(latmc_lattice *lattice, latmc_observable observable, double *values)
{
    const latmc_quantity what = LATMC_QUANTITY(observable);

    return latmc_observe(lattice, LATMC_BY_REPLICA, 1, &what, values) ? failed() : 1;
}

/* Sites out as `type`, counted, turned by a kernel that may still run when they go in again. */
static int round_trip(latmc_lattice *lattice, latmc_type type, int managed)
{
    const char *const name = type == LATMC_BITS ? "bits" : "bytes";
    double before[REPLICAS], after[REPLICAS], energy[REPLICAS], turned[REPLICAS];
    int *up = (int *)memory(REPLICAS * sizeof *up, managed);
    size_t bytes;
    void *sites;
    int good;

    if (latmc_sites_bytes(lattice, REPLICAS, type, &bytes))
        return failed();
    if (bytes != (size_t)REPLICAS * (size_t)(type == LATMC_BITS ? (int)REPLICA_BYTES : (int)N))
        return 0;
    sites = memory(bytes, managed);
    if (!sites || !up || !observe(lattice, LATMC_MAGNETIZATION, before) ||
        !observe(lattice, LATMC_ENERGY, energy))
        return 0;
    if (latmc_get_sites(lattice, 0, REPLICAS, type, sites, bytes))
        return failed();
    if (type == LATMC_BITS) {
        CALL(count_bits, (const uint8_t *)sites, up);
        CALL(turn_bits, (uint8_t *)sites);
    } else {
        CALL(count_bytes, (const int8_t *)sites, up);
        CALL(turn_bytes, (int8_t *)sites);
    }
    if (latmc_set_sites(lattice, 0, REPLICAS, type, sites, bytes))
        return failed();
    good = observe(lattice, LATMC_MAGNETIZATION, after) && observe(lattice, LATMC_ENERGY, turned) &&
           agree(name, up, before, 1) && agree(name, up, after, -1);
    for (int r = 0; r < REPLICAS; r++)
        good &= energy[r] == turned[r];
    release(sites);
    release(up);
    return good;
}

/* One replica onto another, without the host: part of an array goes in. */
static int clone(latmc_lattice *lattice)
{
    double m[REPLICAS];
    void *sites = memory(2 * REPLICA_BYTES, 0);

    if (!sites || latmc_get_sites(lattice, 4, 2, LATMC_BITS, sites, 2 * REPLICA_BYTES) ||
        latmc_set_sites(lattice, 9, 1, LATMC_BITS, (char *)sites + REPLICA_BYTES, REPLICA_BYTES))
        return failed();
    release(sites);
    return observe(lattice, LATMC_MAGNETIZATION, m) && m[9] == m[5];
}

static int make(latmc_lattice **lattice, latmc_status *status)
{
    const int64_t extents[] = {LX, LY, LZ};

    *status = latmc_create(lattice, LATMC_ISING, 3, extents);
    if (!*status)
        *status = latmc_set_replicas(*lattice, REPLICAS);
    if (!*status)
        *status = latmc_set_device(*lattice, DEVICE);
    if (!*status)
        *status = latmc_start(*lattice, LATMC_START_HOT);
    if (!*status)
        *status = latmc_sweep(*lattice, LATMC_METROPOLIS, 10);
    return *status ? failed() : 1;
}

int main(void)
{
    latmc_lattice *lattice = NULL;
    latmc_status status;
    int good;

    if (!make(&lattice, &status))
        return status == LATMC_ERROR_NO_DEVICE ? 77 : 1;
    good = round_trip(lattice, LATMC_BITS, 0);
    good = round_trip(lattice, LATMC_INT8, 0) && good;
    good = round_trip(lattice, LATMC_BITS, 1) && good;
    good = clone(lattice) && good;
    latmc_destroy(lattice);
    printf("%s: %s\n", DEVICE, good ? "all agree" : "some differ");
    return !good;
}
