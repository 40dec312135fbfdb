/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Public streams of random numbers: against the page that defines them, on every lane, cut anyhow,
 * by any number of threads; their distribution; what is refused. A GPU's are in test_streams_gpu.c.
 */
#include "tests/support.h"

#include <math.h>

#include "tests/inside.h"
#include "tests/lib/streams.h"
#include "tests/fill.h"

enum { SEEDS = 3 };
static const uint64_t seeds[SEEDS] = {1, 0x123456789ABCDEFu, UINT64_MAX};

/* Where streams may go wrong: beginnings, blocks that pass 2^32 and 2^31, ends. */
static const int64_t places[] = {0,
                                 1,
                                 2,
                                 3,
                                 97,
                                 32767,
                                 ((int64_t)1 << 33) - 5,
                                 ((int64_t)1 << 34) - 67,
                                 ((int64_t)1 << 34) - 1,
                                 ((int64_t)1 << 60) + 3,
                                 INT64_MAX - MOST};

static void numbers_are_those_of_the_page(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (size_t p = 0; p < ALL(places); p++) {
            const stream s = {seeds[p % SEEDS], p % 2 ? ((uint64_t)1 << 56) - 1 - p : 5 * p};
            char got[MOST * 8];
            const int count = k == 0 ? MOST : 200;

            fill("cpu:scalar", 1, k, s, places[p], count, got);
            for (int i = 0; i < count; i++) {
                char want[8];
                by_hand(k, s, (uint64_t)(places[p] + i), want);
                assert_memory_equal(got + i * bytes_of(k), want, bytes_of(k));
            }
        }
}

/* The same bytes as the scalar lane's, and none beside them. */
static void same(const char *device, int threads, int k, stream s, int64_t first, int64_t count)
{
    static char want[MOST * 8], room[MOST * 8 + 64];
    const size_t bytes = (size_t)count * bytes_of(k), at = (size_t)(count % 7) * bytes_of(k);

    fill("cpu:scalar", 1, k, s, first, count, want);
    memset(room, 0x5A, sizeof room);
    fill(device, threads, k, s, first, count, room + at);
    assert_memory_equal(room + at, want, bytes);
    for (size_t i = 0; i < sizeof room; i++)
        assert_true((i >= at && i < at + bytes) || room[i] == 0x5A);
}

static void every_lane_makes_the_same(void **state)
{
    uint64_t dice = 7;

    (void)state;
    for (size_t d = 0; d < ALL(every_device); d++) {
        if (strncmp(every_device[d], "cpu", 3) != 0 || !usable(every_device[d]))
            continue;
        for (int k = 0; k < KINDS; k++)
            for (size_t p = 0; p < ALL(places); p++)
                for (int i = 0; i < 12; i++) {
                    const stream s = {next_random(&dice), next_random(&dice) >> 8};
                    const int64_t count = 1 + (int64_t)(next_random(&dice) % (i ? 300 : MOST));
                    same(every_device[d], 1, k, s, places[p], count);
                }
    }
}

static void threads_and_splits_do_not_show(void **state)
{
    enum { LONG = 200000 };
    char *whole = malloc(LONG * 8), *parts = malloc(LONG * 8);
    const stream s = {99, 4};
    uint64_t dice = 3;

    (void)state;
    assert_true(whole && parts);
    inside_share_all(1);
    for (int k = 0; k < KINDS; k++) {
        const size_t bytes = bytes_of(k);

        fill("cpu", 1, k, s, 12345, LONG, whole);
        fill("cpu", 3, k, s, 12345, LONG, parts);
        assert_memory_equal(parts, whole, LONG * bytes);
        memset(parts, 0, LONG * bytes);
        for (int64_t at = 0; at < LONG;) {
            const int64_t room = LONG - at, n = (int64_t)(next_random(&dice) % 20000);
            fill("cpu", 2, k, s, 12345 + at, n < room ? n : room, parts + (size_t)at * bytes);
            at += n < room ? n : room;
        }
        assert_memory_equal(parts, whole, LONG * bytes);
    }
    inside_share_all(0);
    free(whole);
    free(parts);
}

/* Every bit of the seed and of the stream's number matters, and kinds of the stream's bits do. */
static void streams_differ(void **state)
{
    uint32_t one[8], other[8];

    (void)state;
    fill("cpu", 1, 0, (stream){77, 1000}, 0, 8, one);
    for (int bit = 0; bit < 64 + 56; bit++) {
        const stream s = {bit < 64 ? 77 ^ (uint64_t)1 << bit : 77,
                          bit < 64 ? 1000 : 1000 ^ (uint64_t)1 << (bit - 64)};
        int equal = 0;

        fill("cpu", 1, 0, s, 0, 8, other);
        for (int i = 0; i < 8; i++)
            equal += one[i] == other[i];
        assert_int_equal(equal, 0);
    }
}

/* ---- their distribution */

enum { MANY = 1 << 21, EDGES = 9 };

static double number(int k, const void *numbers, int i)
{
    return bytes_of(k) == 8 ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
}

/* A mean of `count` numbers with this mean and variance, in standard errors. */
static void gate(const char *what, double mean, double want, double variance)
{
    const double off = (mean - want) / sqrt(variance / MANY);

    if (fabs(off) < 4.5)
        return;
    print_error("%s: %.9g, expected %.9g: %.1f standard errors\n", what, mean, want, off);
    fail();
}

static void moments(int k, const void *x, const double want[8])
{
    double sum[9] = {0};

    for (int i = 0; i < MANY; i++) {
        const double z = number(k, x, i);
        double power = 1.0;
        for (int n = 1; n <= 4; n++)
            sum[n] += power *= z;
    }
    for (int n = 1; n <= 4; n++) {
        char what[32];
        snprintf(what, sizeof what, "%s: moment %d", kinds[k].name, n);
        gate(what, sum[n] / MANY, want[n - 1], want[2 * n - 1] - want[n - 1] * want[n - 1]);
    }
}

/* Numbers n and n + lag are uncorrelated, those of lag 2 and 1 too, which share a radius. */
static void correlations(int k, const void *x, double mean, double variance)
{
    static const int lags[] = {1, 2, 3, 4, 8, 64};

    for (size_t l = 0; l < ALL(lags); l++) {
        double sum = 0.0;
        for (int i = 0; i < MANY; i++)
            sum += (number(k, x, i) - mean) * (number(k, x, (i + lags[l]) % MANY) - mean);
        gate(kinds[k].name, sum / MANY, 0.0, variance * variance);
    }
}

static void uniform_numbers_are_uniform(void **state)
{
    void *x = malloc((size_t)MANY * 8);
    const double want[8] = {1 / 2., 1 / 3., 1 / 4., 1 / 5., 1 / 6., 1 / 7., 1 / 8., 1 / 9.};

    (void)state;
    for (int k = 1; k <= 2; k++) {
        int64_t cells[256] = {0};
        double chi2 = 0.0;

        fill("cpu", 0, k, (stream){2024, 1}, 0, MANY, x);
        for (int i = 0; i < MANY; i++) {
            assert_true(number(k, x, i) > 0.0 && number(k, x, i) < 1.0);
            cells[(int)(256.0 * number(k, x, i))]++;
        }
        for (int c = 0; c < 256; c++)
            chi2 += pow((double)cells[c] - MANY / 256.0, 2) / (MANY / 256.0);
        assert_true(fabs(chi2 - 255.0) < 4.5 * sqrt(2.0 * 255.0));
        moments(k, x, want);
        correlations(k, x, 0.5, 1 / 12.);
    }
    free(x);
}

static void gaussian_numbers_are_gaussian(void **state)
{
    void *x = malloc((size_t)MANY * 8);
    const double want[8] = {0, 1, 0, 3, 0, 15, 0, 105};

    (void)state;
    for (int k = 3; k <= 4; k++) {
        int64_t above[EDGES] = {0}, below[EDGES] = {0};

        fill("cpu", 0, k, (stream){2024, 2}, 0, MANY, x);
        for (int i = 0; i < MANY; i++)
            for (int e = 0; e < EDGES; e++) {
                above[e] += number(k, x, i) > 0.5 * e;
                below[e] += number(k, x, i) < -0.5 * e;
            }
        for (int e = 0; e < EDGES; e++) {
            const double p = 0.5 * erfc(0.5 * e / sqrt(2.0));
            gate("above", (double)above[e] / MANY, p, p * (1 - p));
            gate("below", (double)below[e] / MANY, p, p * (1 - p));
        }
        moments(k, x, want);
        correlations(k, x, 0.0, 1.0);
    }
    free(x);
}

/* ---- what is refused */

#define REFUSED(part, device, threads, kind, stream, first, count, to)                             \
    refused(LATMC_ERROR_ARGUMENT, part,                                                            \
            random_fill(device, threads, kind, 1, stream, first, count, to))

static void bad_arguments_are_refused(void **state)
{
    const latmc_random_kind words = LATMC_RANDOM_WORDS, doubles = LATMC_RANDOM_UNIFORM_DOUBLE;
    double room[2] = {1, 2};
    uint32_t *const w = (uint32_t *)(void *)room;

    (void)state;
    REFUSED("device is NULL", NULL, 0, words, 0, 0, 1, w);
    REFUSED("device is \"auto\"", "auto", 0, words, 0, 0, 1, w);
    REFUSED("numbers must be memory of one", "cpu:scalar,scalar", 0, words, 0, 0, 1, w);
    REFUSED("threads is -1", "cpu", -1, words, 0, 0, 1, w);
    REFUSED("threads is 4097", "cpu", 4097, words, 0, 0, 1, w);
    REFUSED("kind is 250", "cpu", 0, (latmc_random_kind)250, 0, 0, 1, w);
    REFUSED("kind is 256", "cpu", 0, (latmc_random_kind)256, 0, 0, 1, w);
    REFUSED("below 2^56", "cpu", 0, words, (uint64_t)1 << 56, 0, 1, w);
    REFUSED("-1 numbers", "cpu", 0, words, 0, 0, -1, w);
    REFUSED("from number -1 on", "cpu", 0, words, 0, -1, 1, w);
    REFUSED("numbers 0 to 2^63 - 2", "cpu", 0, words, 0, INT64_MAX, 1, w);
    REFUSED("more than memory can have", "cpu", 0, doubles, 0, 0, INT64_MAX, room);
    REFUSED("numbers is NULL", "cpu", 0, words, 0, 0, 1, NULL);
    REFUSED("not a multiple of 4 bytes", "cpu", 0, words, 0, 0, 1, (char *)w + 2);
    REFUSED("not a multiple of 8 bytes", "cpu", 0, doubles, 0, 0, 1, w + 1);
    refused(LATMC_ERROR_NO_DEVICE, "nosuch", random_fill("nosuch", 0, words, 1, 0, 0, 1, w));
    assert_true(room[0] == 1 && room[1] == 2);
    ok(random_fill("cpu", 0, words, 1, 0, INT64_MAX, 0, NULL));
    ok(random_fill("cpu", 4096, words, 1, ((uint64_t)1 << 56) - 1, INT64_MAX - 1, 1, w));
}

/* A request has a size, as every struct that crosses the interface. */
static void other_requests_are_refused(void **state)
{
    struct {
        latmc_random_request request;
        int64_t later;
    } newer = {.request = {.size = sizeof newer, .device = "cpu", .kind = LATMC_RANDOM_WORDS}};
    latmc_random_request *const r = &newer.request;
    uint32_t w[1] = {7};

    (void)state;
    r->count = 1;
    ok(latmc_random_fill(r, w));
    newer.later = 1;
    refused(LATMC_ERROR_ARGUMENT, "a member that this library does not have",
            latmc_random_fill(r, w));
    r->size = sizeof *r - 1;
    refused(LATMC_ERROR_ARGUMENT, "sizeof(latmc_random_request)", latmc_random_fill(r, w));
    r->size = sizeof *r;
    r->reserved = 1;
    refused(LATMC_ERROR_ARGUMENT, "reserved is 1", latmc_random_fill(r, w));
    refused(LATMC_ERROR_ARGUMENT, "request is NULL", latmc_random_fill(NULL, w));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_the_page),
        cmocka_unit_test(every_lane_makes_the_same),
        cmocka_unit_test(threads_and_splits_do_not_show),
        cmocka_unit_test(streams_differ),
        cmocka_unit_test(uniform_numbers_are_uniform),
        cmocka_unit_test(gaussian_numbers_are_gaussian),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(other_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
