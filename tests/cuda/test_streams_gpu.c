/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Public streams of random numbers in a GPU's memory: the host's, bit for bit, at random places and
 * of random lengths; and whose memory is refused. Skipped without a device.
 *
 *     test_streams_gpu [FILLS [SEED]]
 */
#include <stdlib.h>

#include "tests/support.h"
#include "tests/fill.h"

#ifdef LM_HAVE_CUDA
#include <cuda_runtime_api.h>

enum { MOST = 3000000, GUARD = 64 };

static long fills = 300;
static uint64_t dice = 1;

#define cuda(call) assert_int_equal(call, cudaSuccess)

static const struct {
    latmc_random_kind kind;
    size_t bytes;
} kinds[] = {{LATMC_RANDOM_WORDS, 4},
             {LATMC_RANDOM_UNIFORM_FLOAT, 4},
             {LATMC_RANDOM_UNIFORM_DOUBLE, 8},
             {LATMC_RANDOM_GAUSSIAN_FLOAT, 4},
             {LATMC_RANDOM_GAUSSIAN_DOUBLE, 8}};

/* Small ones, some numbers about 2^k, about multiples of 2^33 and 2^34 (where blocks pass 2^32),
 * and the last. */
static int64_t place(int64_t count)
{
    const uint64_t any = next_random(&dice), off = next_random(&dice) % 100;

    switch (any % 4) {
    case 0:
        return (int64_t)off;
    case 1:
        return (int64_t)(((uint64_t)1 << (any / 4 % 63)) - 1 - off / 2) & INT64_MAX &
               ~((int64_t)1 << 62);
    case 2:
        return (int64_t)((any / 4 % 1000 + 1) << (33 + any / 4000 % 2)) - (int64_t)(off * 1000);
    }
    return INT64_MAX - count - (int64_t)off;
}

static int64_t length(void)
{
    const uint64_t any = next_random(&dice);

    return 1 + (int64_t)(any / 4 % (any % 4 == 0 ? MOST : any % 4 == 1 ? 5000 : 50));
}

static void compare(unsigned char *memory, unsigned char *got, unsigned char *want)
{
    const size_t k = next_random(&dice) % ALL(kinds), bytes = kinds[k].bytes;
    const uint64_t seed = next_random(&dice), stream = next_random(&dice) >> 8;
    const int64_t count = length(), first = place(count);
    const size_t at = GUARD + next_random(&dice) % 5 * bytes, all = (size_t)count * bytes;

    cuda(cudaMemset(memory, 0x5A, at + all + GUARD));
    ok(random_fill("cuda:0", 0, kinds[k].kind, seed, stream, first, count, memory + at));
    cuda(cudaMemcpy(got, memory, at + all + GUARD, cudaMemcpyDeviceToHost));
    ok(random_fill("cpu", 0, kinds[k].kind, seed, stream, first, count, want));
    if (memcmp(got + at, want, all) != 0)
        print_error("kind %d, seed %llu, stream %llu, %lld from %lld on, %zu bytes in\n",
                    (int)kinds[k].kind, (unsigned long long)seed, (unsigned long long)stream,
                    (long long)count, (long long)first, at);
    assert_memory_equal(got + at, want, all);
    for (size_t i = 0; i < GUARD; i++)
        assert_true(got[at - 1 - i] == 0x5A && got[at + all + i] == 0x5A);
}

static void fills_are_the_hosts(void **state)
{
    const size_t bytes = (size_t)MOST * 8 + 4 * GUARD;
    unsigned char *got = malloc(bytes), *want = malloc(bytes);
    void *memory = NULL;

    (void)state;
    needs("cuda:0");
    assert_true(got && want);
    cuda(cudaMalloc(&memory, bytes));
    for (long i = 0; i < fills; i++)
        compare(memory, got, want);
    cuda(cudaFree(memory));
    free(got);
    free(want);
}

static void other_memory_is_refused(void **state)
{
    uint32_t here[4] = {1, 2, 3, 4};
    void *managed = NULL, *elsewhere = NULL;
    int devices = 0;

    (void)state;
    needs("cuda:0");
    refused(LATMC_ERROR_ARGUMENT, "memory of the host",
            random_fill("cuda:0", 0, LATMC_RANDOM_WORDS, 1, 0, 0, 4, here));
    assert_int_equal(here[3], 4);
    cuda(cudaMallocManaged(&managed, sizeof here, cudaMemAttachGlobal));
    ok(random_fill("cuda:0", 0, LATMC_RANDOM_WORDS, 1, 0, 0, 4, managed));
    ok(random_fill("cpu", 0, LATMC_RANDOM_WORDS, 1, 0, 0, 4, here));
    assert_memory_equal(managed, here, sizeof here);
    cuda(cudaFree(managed));
    cuda(cudaGetDeviceCount(&devices));
    if (devices < 2)
        return;
    cuda(cudaSetDevice(1));
    cuda(cudaMalloc(&elsewhere, sizeof here));
    refused(LATMC_ERROR_ARGUMENT, "memory of cuda:1",
            random_fill("cuda:0", 0, LATMC_RANDOM_WORDS, 1, 0, 0, 4, elsewhere));
    cuda(cudaGetDevice(&devices));
    assert_int_equal(devices, 1);
    cuda(cudaFree(elsewhere));
    cuda(cudaSetDevice(0));
}

int main(int count, char **argument)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_are_the_hosts),
        cmocka_unit_test(other_memory_is_refused),
    };

    fills = count > 1 ? atol(argument[1]) : fills;
    dice = count > 2 ? strtoull(argument[2], NULL, 0) : dice;
    return cmocka_run_group_tests(tests, NULL, NULL);
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
