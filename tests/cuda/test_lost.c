/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A device that fails in mid-run, while blocks of another one wait for its: the call ends with an
 * error instead of waiting for ever, and so do those after it, while lattices on the CPU go on.
 * With the library whose blocks sleep, which also have less patience (backends/cuda/seam.cuh).
 *
 * A program by itself, since a device that has failed is lost for the process.
 */
#include <cuda_runtime_api.h>
#include <time.h>

#include "tests/support.h"

/* A kernel that ends its device's work with an error. */
static const char kernel[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                             ".visible .entry fails() { trap; }\n";

static int lose_device(void *user, int64_t done, int64_t total)
{
    int *lost = user;
    cudaLibrary_t library;
    cudaKernel_t fails;

    (void)done, (void)total;
    if (*lost)
        return 0;
    *lost = 1;
    if (cudaSetDevice(1) != cudaSuccess ||
        cudaLibraryLoadData(&library, kernel, NULL, NULL, 0, NULL, NULL, 0) != cudaSuccess ||
        cudaLibraryGetKernel(&fails, library, "fails") != cudaSuccess ||
        cudaLaunchKernel((const void *)fails, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL) !=
            cudaSuccess)
        *lost = -1;
    cudaSetDevice(0);
    return 0;
}

static latmc_lattice *make(const char *device)
{
    latmc_lattice *lat;

    ok(latmc_create(&lat, LATMC_ISING, 2, (int64_t[]){2048, 4096}));
    ok(latmc_set_param(lat, LATMC_BETA, 0.44));
    ok(latmc_set_device(lat, device));
    ok(latmc_start(lat, LATMC_START_HOT));
    return lat;
}

static void a_device_is_lost(void **state)
{
    latmc_lattice *lat, *other;
    int lost = 0;
    double energy;
    time_t began;

    (void)state;
    needs("cuda:1");
    lat = make("cuda:0,1");
    ok(latmc_set_progress(lat, lose_device, &lost));
    began = time(NULL);
    assert_int_equal(latmc_sweep(lat, LATMC_METROPOLIS, (int64_t)1 << 30), LATMC_ERROR_DEVICE);
    assert_int_equal(lost, 1);
    assert_non_null(strstr(latmc_error_message(), "cuda:"));
    print_message("after %d s: %s\n", (int)(time(NULL) - began), latmc_error_message());
    assert_int_equal(latmc_sweep(lat, LATMC_METROPOLIS, 100), LATMC_ERROR_DEVICE);
    assert_int_equal(latmc_observe(lat, LATMC_BY_REPLICA, 1,
                                   (latmc_quantity[]){LATMC_QUANTITY(LATMC_ENERGY)}, &energy),
                     LATMC_ERROR_DEVICE);
    latmc_destroy(lat);
    other = make("cpu");
    ok(latmc_sweep(other, LATMC_METROPOLIS, 1));
    latmc_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_device_is_lost)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
