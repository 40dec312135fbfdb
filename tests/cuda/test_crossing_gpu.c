/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of replicas on GPUs, and sites of many replicas from GPUs and to them, in memory of the
 * host, locked or not, of the GPU itself, managed, and of another GPU: the CPU's, bit for bit, of
 * all models and types, at random replicas and places. Skipped without a device.
 *
 *     test_crossing_gpu [ROUNDS [SEED]]
 */
#include <stdlib.h>

#include "tests/support.h"

#ifdef LM_HAVE_CUDA
#include <cuda_runtime_api.h>

enum { GUARD = 64, SWEEPS = 2 };

static long rounds = 1;
static uint64_t dice = 1;

#define cuda(call) assert_int_equal(call, cudaSuccess)

typedef struct crossing_case {
    const char *name;
    latmc_model model;
    int dims;
    int64_t extents[4], replicas;
    latmc_update update;
    latmc_option option;
    int64_t value;
    int site_field;
    latmc_type types[4];
} crossing_case;

#define BYTES  LATMC_INT8, LATMC_BITS
#define STATES LATMC_UINT8, LATMC_BITS
#define REALS  LATMC_FLOAT32, LATMC_FLOAT64
#define NONE   (latmc_option)0, 0

static const crossing_case cases[] = {
    {"words", LATMC_ISING, 2, {128, 64}, 3, LATMC_METROPOLIS, NONE, 0, {BYTES}},
    {"one large", LATMC_ISING, 2, {4096, 4096}, 1, LATMC_METROPOLIS, NONE, 0, {BYTES}},
    {"many small", LATMC_ISING, 2, {16, 16}, 70000 / 7, LATMC_METROPOLIS, NONE, 0, {BYTES}},
    {"the shortest rows", LATMC_ISING, 3, {2, 4, 6}, 37, LATMC_HEATBATH, NONE, 0, {BYTES}},
    {"odd rows", LATMC_ISING, 2, {71, 9}, 5, LATMC_METROPOLIS, NONE, 0, {BYTES}},
    {"padded layers", LATMC_ISING, 3, {5, 7, 6}, 11, LATMC_METROPOLIS, NONE, 0, {BYTES}},
    {"a chain", LATMC_ISING, 1, {1001}, 9, LATMC_METROPOLIS, NONE, 0, {BYTES}},
    {"four dimensions", LATMC_ISING, 4, {6, 4, 2, 8}, 21, LATMC_METROPOLIS, NONE, 0, {BYTES}},
    {"spins as bytes", LATMC_ISING, 3, {10, 6, 5}, 7, LATMC_METROPOLIS, NONE, 1, {BYTES}},
    {"many spins as bytes", LATMC_ISING, 2, {64, 64}, 2500, LATMC_METROPOLIS, NONE, 1, {BYTES}},
    {"three states", LATMC_POTTS, 2, {70, 34}, 6, LATMC_METROPOLIS, LATMC_Q, 3, 0, {STATES}},
    {"nine states", LATMC_POTTS, 3, {7, 6, 5}, 13, LATMC_METROPOLIS, LATMC_Q, 9, 0, {STATES}},
    {"states as bytes", LATMC_POTTS, 2, {13, 10}, 6, LATMC_METROPOLIS, LATMC_Q, 7, 1, {STATES}},
    {"many states", LATMC_POTTS, 2, {13, 10}, 6, LATMC_METROPOLIS, LATMC_Q, 30, 0, {LATMC_UINT8}},
    {"angles", LATMC_CLOCK, 2, {12, 10}, 6, LATMC_METROPOLIS, LATMC_Q, 6, 0, {LATMC_UINT8}},
    {"three spins", LATMC_BLUME_CAPEL, 2, {34, 10}, 9, LATMC_METROPOLIS, NONE, 0, {BYTES}},
    {"cells", LATMC_AUTOMATON, 2, {70, 40}, 4, LATMC_SYNCHRONOUS, NONE, 0, {BYTES}},
    {"many cells", LATMC_AUTOMATON, 2, {2048, 2048}, 5, LATMC_SYNCHRONOUS, NONE, 0, {BYTES}},
    {"a field", LATMC_PHI4, 3, {10, 8, 6}, 5, LATMC_METROPOLIS, NONE, 0, {REALS}},
    {"a large field", LATMC_PHI4, 3, {128, 128, 128}, 3, LATMC_OVERRELAX, NONE, 0, {REALS}},
    {"doubles", LATMC_PHI4, 2, {9, 15}, 5, LATMC_METROPOLIS, LATMC_PRECISION, 64, 0, {REALS}},
    {"eight colours", LATMC_PHI4, 3, {16, 8, 8}, 3, LATMC_METROPOLIS, LATMC_CUTOFF, 1, 0, {REALS}},
    {"vectors", LATMC_ONVECTOR, 3, {8, 6, 4}, 5, LATMC_OVERRELAX, LATMC_N, 3, 0, {REALS}},
    {"odd vectors", LATMC_ONVECTOR, 2, {9, 7}, 12, LATMC_HEATBATH, LATMC_N, 2, 0, {REALS}},
};

static int64_t sites_of(const crossing_case *c)
{
    int64_t sites = 1;

    for (int a = 0; a < c->dims; a++)
        sites *= c->extents[a];
    return sites;
}

static latmc_lattice *make(const crossing_case *c, const char *device, latmc_division division)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, c->model, c->dims, c->extents));
    ok(latmc_set_replicas(lattice, c->replicas));
    ok(latmc_set_seed(lattice, 20261128));
    if (c->option)
        ok(latmc_set_option(lattice, c->option, c->value));
    if (c->site_field) {
        double *field = calloc((size_t)sites_of(c), sizeof *field);

        assert_non_null(field);
        ok(latmc_set_site_fields(lattice, field));
        free(field);
    }
    ok(latmc_set_division(lattice, division));
    ok(latmc_set_device(lattice, device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, c->update, SWEEPS));
    return lattice;
}

/* ---- memory */

typedef enum memory { PAGED, LOCKED, OWN, MANAGED, OTHERS, MEMORIES } memory;

static int devices_of(void)
{
    int devices = 0;

    cuda(cudaGetDeviceCount(&devices));
    return devices;
}

static char *memory_of(memory kind, size_t bytes)
{
    void *at = NULL;

    cuda(cudaSetDevice(kind == OTHERS ? 1 : 0));
    if (kind == PAGED)
        at = malloc(bytes);
    else if (kind == LOCKED)
        cuda(cudaMallocHost(&at, bytes));
    else if (kind == MANAGED)
        cuda(cudaMallocManaged(&at, bytes, cudaMemAttachGlobal));
    else
        cuda(cudaMalloc(&at, bytes));
    assert_non_null(at);
    return at;
}

static void free_memory(memory kind, char *at)
{
    if (kind == PAGED)
        free(at);
    else
        cuda(kind == LOCKED ? cudaFreeHost(at) : cudaFree(at));
    cuda(cudaSetDevice(0));
}

static void copy(void *to, const void *from, size_t bytes)
{
    cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
}

/* ---- a crossing */

/* Replicas of an array, and where it begins in its memory. */
typedef struct part {
    latmc_type type;
    int64_t first, count;
    size_t bytes, at;
} part;

/* Numbers in memory of devices may begin anywhere. */
static part any_part(const latmc_lattice *lattice, const crossing_case *c, latmc_type type,
                     memory kind)
{
    const uint64_t any = next_random(&dice);
    part p = {.type = type, .first = (int64_t)(any % (uint64_t)c->replicas)};

    p.count = 1 + (int64_t)(any / 7 % (uint64_t)(c->replicas - p.first));
    p.at = GUARD +
           (any >> 60 < 8 ? 0 : any >> 60) * (kind < OWN && c->types[0] >= LATMC_FLOAT32 ? 8 : 1);
    ok(latmc_sites_bytes(lattice, p.count, type, &p.bytes));
    return p;
}

static void get(latmc_lattice *gpu, const crossing_case *c, const part *p, memory kind,
                const char *want, const char *device)
{
    const size_t all = p->at + p->bytes + GUARD;
    char *const there = memory_of(kind, all), *const got = malloc(all);

    assert_non_null(got);
    memset(got, 0x5a, all);
    copy(there, got, all);
    ok(latmc_get_sites(gpu, p->first, p->count, p->type, there + p->at, p->bytes));
    copy(got, there, all);
    if (memcmp(got + p->at, want, p->bytes) != 0)
        fail_msg("%s on %s: type %d, memory %d, %lld replicas from %lld on, %zu bytes in", c->name,
                 device, (int)p->type, (int)kind, (long long)p->count, (long long)p->first, p->at);
    for (size_t i = 0; i < GUARD; i++)
        assert_true(got[p->at - 1 - i] == 0x5a && got[all - 1 - i] == 0x5a);
    free(got);
    free_memory(kind, there);
}

static void set(latmc_lattice *gpu, const part *p, int64_t first, memory kind, const char *given)
{
    char *const there = memory_of(kind, p->at + p->bytes);

    copy(there + p->at, given, p->bytes);
    ok(latmc_set_sites(gpu, first, p->count, p->type, there + p->at, p->bytes));
    free_memory(kind, there);
}

static void cross(latmc_lattice *cpu, latmc_lattice *gpu, const crossing_case *c, latmc_type type,
                  memory kind, const char *device)
{
    const part p = any_part(cpu, c, type, kind);
    const int64_t first = (int64_t)(next_random(&dice) % (uint64_t)(c->replicas - p.count + 1));
    char *const want = malloc(p.bytes);

    assert_non_null(want);
    ok(latmc_get_sites(cpu, p.first, p.count, type, want, p.bytes));
    get(gpu, c, &p, kind, want, device);
    ok(latmc_set_sites(cpu, first, p.count, type, want, p.bytes));
    set(gpu, &p, first, kind, want);
    if (hash_of(cpu) != hash_of(gpu))
        fail_msg("%s on %s: given sites are others; type %d, memory %d", c->name, device, (int)type,
                 (int)kind);
    free(want);
}

/* What the last sweep changed goes with its replica. */
static void compare_changed(latmc_lattice *cpu, latmc_lattice *gpu, const crossing_case *c,
                            const char *device)
{
    const latmc_quantity quantity = c->types[0] < LATMC_FLOAT32
                                        ? (latmc_quantity)LATMC_QUANTITY(LATMC_CHANGED)
                                        : (latmc_quantity)LATMC_QUANTITY(LATMC_ACCEPTANCE);
    const size_t bytes = (size_t)c->replicas * sizeof(double);
    double *const want = malloc(bytes), *const got = malloc(bytes);

    assert_true(want && got);
    ok(latmc_observe(cpu, LATMC_BY_REPLICA, 1, &quantity, want));
    ok(latmc_observe(gpu, LATMC_BY_REPLICA, 1, &quantity, got));
    if (memcmp(got, want, bytes) != 0)
        fail_msg("%s on %s: replicas have the changes of others", c->name, device);
    free(want);
    free(got);
}

/* Copies with cycles, fan-out, and replicas that are lost. */
static void copy_replicas(latmc_lattice *cpu, latmc_lattice *gpu, const crossing_case *c,
                          const char *device)
{
    int64_t *const from = malloc((size_t)c->replicas * sizeof *from);

    assert_non_null(from);
    for (int64_t r = 0; r < c->replicas; r++)
        from[r] = (int64_t)(next_random(&dice) % (uint64_t)c->replicas);
    ok(latmc_copy_replicas(cpu, from));
    ok(latmc_copy_replicas(gpu, from));
    if (hash_of(cpu) != hash_of(gpu))
        fail_msg("%s on %s: copies are others", c->name, device);
    compare_changed(cpu, gpu, c, device);
    free(from);
}

static void compare(const crossing_case *c, const char *device, latmc_division division)
{
    latmc_lattice *cpu = make(c, "cpu", LATMC_DIVIDE_AUTO), *gpu = make(c, device, division);

    for (memory kind = PAGED; kind < MEMORIES; kind++)
        for (int t = 0; t < 4 && c->types[t]; t++)
            if (kind != OTHERS || devices_of() > 1)
                cross(cpu, gpu, c, c->types[t], kind, device);
    copy_replicas(cpu, gpu, c, device);
    ok(latmc_sweep(cpu, c->update, 1));
    ok(latmc_sweep(gpu, c->update, 1));
    copy_replicas(cpu, gpu, c, device);
    ok(latmc_sweep(cpu, c->update, 1));
    ok(latmc_sweep(gpu, c->update, 1));
    if (hash_of(cpu) != hash_of(gpu))
        fail_msg("%s on %s: sweeps differ after the crossings", c->name, device);
    latmc_destroy(cpu);
    latmc_destroy(gpu);
}

static void compare_all(const char *device, latmc_division division)
{
    for (long i = 0; i < rounds; i++)
        for (size_t k = 0; k < ALL(cases); k++)
            if (division != LATMC_DIVIDE_SLABS || cases[k].dims > 1)
                compare(&cases[k], device, division);
}

static void one_device(void **state)
{
    (void)state;
    needs("cuda:0");
    compare_all("cuda:0", LATMC_DIVIDE_AUTO);
}

/* Lattices without a replica or two layers for each part go whole. */
static int has_parts(const crossing_case *c, latmc_division division)
{
    return division == LATMC_DIVIDE_REPLICAS ? c->replicas > 1
                                             : c->dims > 1 && c->extents[c->dims - 1] >= 6;
}

static void compare_parts(const char *device)
{
    static const latmc_division divisions[] = {LATMC_DIVIDE_SLABS, LATMC_DIVIDE_REPLICAS};

    for (size_t d = 0; d < ALL(divisions); d++)
        for (size_t k = 0; k < ALL(cases); k++)
            if (has_parts(&cases[k], divisions[d]))
                compare(&cases[k], device, divisions[d]);
}

static void parts_of_one_device(void **state)
{
    (void)state;
    needs("cuda:0");
    compare_parts("cuda:0,0");
}

static void parts_of_two_devices(void **state)
{
    (void)state;
    needs("cuda:1");
    compare_parts("cuda:0,1");
}

/* The call comes after what the user has queued in the default stream. */
static void calls_come_after_the_default_stream(void **state)
{
    enum { BYTES_AHEAD = 1 << 28 };
    const crossing_case *c = &cases[0];
    const size_t bytes = 128 * 64 / 8;
    latmc_lattice *gpu;
    char *there, want[128 * 64 / 8], got[128 * 64 / 8];

    (void)state;
    needs("cuda:0");
    gpu = make(c, "cuda:0", LATMC_DIVIDE_AUTO);
    there = memory_of(OWN, BYTES_AHEAD);
    ok(latmc_get_sites(gpu, 1, 1, LATMC_BITS, want, bytes));
    for (int i = 0; i < 8; i++) {
        cuda(cudaMemsetAsync(there, 0, BYTES_AHEAD, NULL));
        ok(latmc_get_sites(gpu, 1, 1, LATMC_BITS, there + i * bytes, bytes));
        copy(got, there + i * bytes, bytes);
        assert_memory_equal(got, want, bytes);
    }
    free_memory(OWN, there);
    latmc_destroy(gpu);
}

static void strange_sites_on_a_device_are_refused(void **state)
{
    const crossing_case *c = &cases[10];
    const int64_t sites = sites_of(c);
    latmc_lattice *gpu;
    char *there;
    uint64_t hash;

    (void)state;
    needs("cuda:0");
    gpu = make(c, "cuda:0", LATMC_DIVIDE_AUTO);
    hash = hash_of(gpu);
    there = memory_of(OWN, 2 * (size_t)sites);
    cuda(cudaMemset(there, 1, 2 * (size_t)sites));
    cuda(cudaMemset(there + sites + 17, 3, 1));
    refused(LATMC_ERROR_ARGUMENT, "site 17 of replica 4",
            latmc_set_sites(gpu, 3, 2, LATMC_UINT8, there, 2 * (size_t)sites));
    assert_true(hash_of(gpu) == hash);
    free_memory(OWN, there);
    latmc_destroy(gpu);
}

int main(int count, char **argument)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_device),
        cmocka_unit_test(parts_of_one_device),
        cmocka_unit_test(parts_of_two_devices),
        cmocka_unit_test(calls_come_after_the_default_stream),
        cmocka_unit_test(strange_sites_on_a_device_are_refused),
    };

    rounds = count > 1 ? atol(argument[1]) : rounds;
    dice = count > 2 ? strtoull(argument[2], NULL, 0) : dice;
    return cmocka_run_group_tests_name("crossings on a GPU", tests, NULL, NULL);
}

#else

static void no_cuda(void **state)
{
    (void)state;
    needs("cuda:0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_cuda)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
