/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Saved lattices that change while they are loaded, or that were overwritten in part: what comes
 * out is one of the lattices that were saved, whole, or a refusal.
 */
#include "tests/support.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "lib/save/load.h"
#include "lib/save/stream.h"
#include "tests/saved.h"

enum { ROUNDS = 3000, PIECE = 1000 };

/* Two lattices that differ in all but their shape. */
static uint8_t *image[2];
static size_t size;
static latmc_lattice *original[2];

static latmc_lattice *make_one(uint64_t seed)
{
    latmc_lattice *lat = new_lattice(2, (int64_t[]){100, 100});

    ok(latmc_set_replicas(lat, 3));
    ok(latmc_set_seed(lat, seed));
    ok(latmc_set_param(lat, LATMC_BETA, seed == 1 ? 0.3 : 0.4));
    ok(latmc_set_device(lat, "cpu:scalar"));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, (int64_t)(3 * seed)));
    return lat;
}

static int make_images(void **state)
{
    (void)state;
    setenv("LATMC_DEVICE", "cpu:scalar", 1);
    for (int i = 0; i < 2; i++) {
        original[i] = make_one((uint64_t)i + 1);
        image[i] = save_whole(original[i], &size);
    }
    return 0;
}

static int free_images(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        latmc_destroy(original[i]);
        free(image[i]);
    }
    return 0;
}

/* What a load came to: a lattice that is one of the two, 1; or a refusal, 0. */
static int judge(latmc_status status, latmc_lattice **loaded)
{
    latmc_lattice *lat = *loaded, *saved;
    double beta[2][3];

    *loaded = NULL;
    if (status) {
        assert_int_equal(status, LATMC_ERROR_DAMAGED);
        assert_null(lat);
        return 0;
    }
    saved = original[info_of(lat).seed == 2];
    assert_int_equal(info_of(lat).sweeps, info_of(saved).sweeps);
    ok(latmc_get_params(lat, LATMC_BETA, beta[0]));
    ok(latmc_get_params(saved, LATMC_BETA, beta[1]));
    assert_memory_equal(beta[0], beta[1], sizeof beta[0]);
    assert_true(hash_of(lat) == hash_of(saved));
    latmc_destroy(lat);
    return 1;
}

/* A file that was overwritten from the front on, up to some byte: for ever after it is neither. */
static void an_overwriting_that_was_broken_off_is_seen(void **state)
{
    uint8_t *torn = malloc(size);
    latmc_lattice *lat = NULL;
    int loaded = 0, equal = 0;

    (void)state;
    assert_non_null(torn);
    while (image[0][equal] == image[1][equal])
        equal++;
    for (size_t at = size; image[0][at - 1] == image[1][at - 1]; at--)
        equal++;
    assert_in_range(equal, 0, 500);
    for (size_t cut = 0; cut <= size; cut++) {
        memcpy(torn, image[1], cut);
        memcpy(torn + cut, image[0] + cut, size - cut);
        const int one_of_them = !memcmp(torn, image[0], size) || !memcmp(torn, image[1], size);

        if (judge(latmc_load_memory(&lat, torn, size), &lat) != one_of_them)
            fail_msg("cut at byte %zu", cut);
        loaded += one_of_them;
    }
    assert_int_equal(loaded, equal + 2); /* cuts within what is equal in both, at either end */
    free(torn);
}

/* A source that becomes another after so many calls. */
typedef struct turncoat {
    int calls, turns_at;
    uint64_t bytes; /* that were asked for */
} turncoat;

static latmc_status read_turncoat(lm_source *source, uint64_t offset, void *data, size_t bytes)
{
    turncoat *t = source->origin;

    memcpy(data, image[t->calls++ >= t->turns_at] + offset, bytes);
    t->bytes += bytes;
    return LATMC_OK;
}

static latmc_status load_turncoat(turncoat *t, latmc_lattice **lat)
{
    lm_source source = {
        .caller = "test", .name = "a turncoat", .origin = t, .size = size, .read = read_turncoat};

    return lm_load_from(&source, lat);
}

static void a_source_that_turns_between_two_reads_is_seen(void **state)
{
    turncoat whole = {.turns_at = 1 << 30};
    latmc_lattice *lat = NULL;
    int loaded = 0;

    (void)state;
    assert_true(judge(load_turncoat(&whole, &lat), &lat));
    assert_true(whole.calls > 3);
    assert_true(whole.bytes == size); /* each byte once */
    for (int at = 0; at <= whole.calls; at++) {
        turncoat t = {.turns_at = at};

        loaded += judge(load_turncoat(&t, &lat), &lat);
    }
    assert_int_equal(loaded, 4); /* the first two reads, of the table of sections, are equal */
}

/* ---- a thread that overwrites a file again and again */

static char path[] = "/tmp/latmc-changing-XXXXXX";
static atomic_int stop;

static void *overwrite(void *argument)
{
    const struct timespec pause = {0, 50000};
    const int fd = open(path, O_WRONLY);

    (void)argument;
    for (int i = 0; fd >= 0 && !atomic_load(&stop); i++, nanosleep(&pause, NULL))
        for (size_t at = 0; at < size; at += PIECE) {
            const size_t n = size - at < PIECE ? size - at : PIECE;

            if (pwrite(fd, image[i % 2] + at, n, (off_t)at) != (ssize_t)n)
                break;
        }
    close(fd);
    return NULL;
}

static void a_file_that_is_overwritten_meanwhile_is_one_of_the_two(void **state)
{
    int loaded = 0, fd = mkstemp(path);
    latmc_lattice *lat = NULL;
    pthread_t thread;

    (void)state;
    assert_true(fd >= 0 && write(fd, image[0], size) == (ssize_t)size);
    close(fd);
    assert_int_equal(pthread_create(&thread, NULL, overwrite, NULL), 0);
    for (int i = 0; i < ROUNDS; i++) {
        loaded += judge(latmc_load(&lat, path), &lat);
    }
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    unlink(path);
    print_message("%d of %d loaded\n", loaded, ROUNDS);
}

/* ---- more than there is memory for */

/* A file of which all is there but the sites, and of these only the promise. */
typedef struct endless {
    uint8_t *bytes;
    size_t size;
    uint64_t sites, without, promised; /* where they begin; how many they are, there and promised */
    uint64_t asked;                    /* of them */
} endless;

static latmc_status read_endless(lm_source *source, uint64_t offset, void *data, size_t bytes)
{
    endless *e = source->origin;

    if (offset >= e->sites + e->promised)
        memcpy(data, e->bytes + (offset - e->promised + e->without), bytes);
    else if (offset < e->sites)
        memcpy(data, e->bytes + offset, bytes);
    else {
        memset(data, 0, bytes);
        e->asked += bytes;
    }
    return e->asked < 1u << 26 ? LATMC_OK : LATMC_ERROR_IO;
}

/* Much larger extents, and whatever else has to agree with them. */
static void promise(endless *e, uint64_t extent)
{
    const int last = saved_count(e->bytes, e->size) - 1;
    uint8_t *lattice = saved_find(e->bytes, e->size, "lattice", NULL);
    uint8_t *row = saved_row(e->bytes, last);

    e->sites = saved_get(row + 16, 8);
    e->without = saved_get(row + 24, 8);
    e->promised = 65536 * extent * (extent * 8 + SAVED_SUM);
    saved_put(lattice + SAVED_EXTENTS, extent, 8);
    saved_put(lattice + SAVED_EXTENTS + 8, extent, 8);
    saved_seal(e->bytes, e->size); /* the section's sum; the header is not as it should be yet */
    saved_put(row + 24, e->promised, 8);
    saved_put(e->bytes + 16, e->size - e->without + e->promised, 8);
    saved_seal_ends(e->bytes, e->size);
}

/* Settings that promise 2 PiB, and as many bytes: not one of the sites' is read. */
static void memory_is_asked_for_before_anything_is_read(void **state)
{
    endless e = {0};
    lm_source source = {
        .caller = "test", .name = "an endless file", .origin = &e, .read = read_endless};
    latmc_lattice *lat = NULL;

    (void)state;
    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){4, 4}));
    ok(latmc_set_replicas(lat, 65536));
    ok(set_type(lat, LATMC_FLOAT64));
    ok(latmc_start(lat, LATMC_START_COLD));
    e.bytes = save_whole(lat, &e.size);
    latmc_destroy(lat);
    lat = NULL;
    promise(&e, 65536);
    source.size = e.size - e.without + e.promised;
    refused(LATMC_ERROR_MEMORY, "saved lattice's sites: 2251799813685248 bytes",
            lm_load_from(&source, &lat));
    assert_null(lat);
    assert_true(e.asked == 0);
    free(e.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_overwriting_that_was_broken_off_is_seen),
        cmocka_unit_test(a_source_that_turns_between_two_reads_is_seen),
        cmocka_unit_test(a_file_that_is_overwritten_meanwhile_is_one_of_the_two),
        cmocka_unit_test(memory_is_asked_for_before_anything_is_read),
    };

    return cmocka_run_group_tests(tests, make_images, free_images);
}
