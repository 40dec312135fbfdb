/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved lattices as files: their format, paths that cannot be, what is there before and after. */
#include "tests/support.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/saved.h"

static char directory[64];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/latmc-save-XXXXXX");
    return mkdtemp(directory) ? chdir(directory) : -1;
}

static int files_here(void)
{
    DIR *dir = opendir(".");
    int count = 0;

    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        count += e->d_name[0] != '.';
    closedir(dir);
    return count;
}

static int remove_directory(void **state)
{
    (void)state;
    return chdir("/") || rmdir(directory);
}

/* Every layer begins at a byte, and nothing stands between it and the next one but the sum of a
 * leaf, however they were written. */
static void check_bits(latmc_lattice *lat, const uint8_t *bytes, size_t size)
{
    const latmc_lattice_info info = info_of(lat);
    const int64_t layer = info.sites / info.extents[info.dims - 1], each = (layer + 7) / 8;
    const int64_t leaf = each > SAVED_LEAF ? layer : SAVED_LEAF / each * layer;
    const uint8_t *at = saved_find(bytes, size, "sites", NULL);
    int8_t *sites = malloc((size_t)info.sites);

    assert_non_null(sites);
    for (int64_t r = 0; r < info.replicas; r++) {
        ok(get_replica(lat, r, LATMC_INT8, sites, info.sites));
        for (int64_t i = 0; i < info.sites; i++) {
            const int64_t in = i % layer;

            if ((at[in / 8] >> in % 8 & 1) != (sites[i] > 0))
                fail_msg("site %lld of replica %lld", (long long)i, (long long)r);
            if (in == layer - 1)
                at += each;
            if (i == info.sites - 1 || (i + 1) % leaf == 0)
                at += SAVED_SUM;
        }
    }
    free(sites);
}

/* Several chunks, and ends of replicas within a byte; under sanitizers every other lattice. */
static void bits_have_no_gap(void **state)
{
    static const int64_t extents[][3] = {
        {1021, 2053},  {3, 5},          {2, 2},         {1 << 20, 2},
        {999, 999},    {1031, 1033, 2}, {13, 11, 9001}, {1 << 10, 2000, 3},
        {5, 250001, 2}};

    (void)state;
    for (size_t i = 0; i < ALL(extents); i += LM_SANITIZED ? 2 : 1) {
        latmc_lattice *lat = new_lattice(extents[i][2] ? 3 : 2, extents[i]);
        size_t bytes, bytes_again;
        void *buffer, *again;

        ok(latmc_set_replicas(lat, 3));
        ok(latmc_set_device(lat, "cpu"));
        ok(latmc_start(lat, LATMC_START_HOT));
        ok(latmc_sweep(lat, LATMC_HEATBATH, 2));
        buffer = save_whole(lat, &bytes);
        check_bits(lat, buffer, bytes);
        latmc_destroy(lat);
        ok(latmc_load_memory(&lat, buffer, bytes)); /* and the same from where they are held */
        check_bits(lat, buffer, bytes);
        again = save_whole(lat, &bytes_again);
        assert_true(bytes_again == bytes && memcmp(again, buffer, bytes) == 0);
        free(again);
        free(buffer);
        latmc_destroy(lat);
    }
}

/* A lattice of 2 x 2 spins, byte for byte as doc/format.md describes it. */
static void the_format_is_as_documented(void **state)
{
    /* name, offset, length */
    static const struct {
        const char *name;
        uint64_t offset, length;
    } table[] = {{"lattice", 192, 248},
                 {"options", 440, 0},
                 {"params", 440, 2 * 40},
                 {"changed", 520, 8},
                 {"sites", 528, 2 + 8}};
    const int8_t spins[4] = {1, -1, -1, 1};
    latmc_lattice *lat = new_lattice(2, (int64_t[]){2, 2});
    uint8_t *bytes, *of;
    size_t size;

    (void)state;
    ok(latmc_set_seed(lat, 0x1122334455667788u));
    ok(latmc_set_param(lat, LATMC_BETA, 1.0));
    ok(set_replica(lat, 0, LATMC_INT8, spins, 4));
    bytes = save_whole(lat, &size);
    assert_int_equal(size, 528 + 10 + 6 * 8);
    assert_memory_equal(bytes, "\x89LATMC\n\x1a\3\0\0\0\5\0\0\0J\2\0\0\0\0\0\0", 24);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(saved_row(bytes, i), table[i].name);
        assert_int_equal(saved_get(saved_row(bytes, i) + 8, 8), 1); /* version, flags */
        assert_int_equal(saved_get(saved_row(bytes, i) + 16, 8), table[i].offset);
        assert_int_equal(saved_get(saved_row(bytes, i) + 24, 8), table[i].length);
    }
    of = bytes + 192;
    assert_memory_equal(of, "ising\0\0\0", 8);
    assert_memory_equal(of + 32, "hypercubic\0\0", 12);
    assert_int_equal(saved_get(of + 64, 8), 2);
    for (int a = 0; a < 8; a++) {
        assert_int_equal(saved_get(of + 72 + 8 * a, 8), a < 2 ? 2 : 1);
        assert_int_equal(saved_get(of + 136 + 4 * a, 4), a < 2);
    }
    assert_int_equal(saved_get(of + 168, 8), 1);
    assert_int_equal(saved_get(of + 176, 8), 2);
    assert_int_equal(saved_get(of + 184, 8), 1);
    assert_int_equal(saved_get(of + 200, 8), 1);
    assert_true(saved_get(of + 216, 8) == 0x1122334455667788u);
    for (int t = 0; t < 2; t++)
        assert_true(saved_get(of + 232 + 8 * t, 8) == 0x3ff0000000000000u);
    assert_memory_equal(bytes + 440, "beta", 5);
    assert_true(saved_get(bytes + 472, 8) == 0x3ff0000000000000u);
    assert_memory_equal(bytes + 480, "field", 6);
    assert_int_equal(bytes[528], 1);
    assert_int_equal(bytes[529], 2);
    free(bytes);
    latmc_destroy(lat);
}

/* A second writing of the same, and sums by a second implementation. */
static void sums_are_as_documented(void **state)
{
    latmc_lattice *lat = rich_lattice(1);
    size_t size, size_again;
    uint8_t *bytes = save_whole(lat, &size), *again;
    saved_file f = saved_open(bytes, size);

    (void)state;
    again = saved_close(&f, &size_again);
    assert_int_equal(size_again, size);
    assert_memory_equal(again, bytes, size);
    saved_free(&f);
    free(again);
    free(bytes);
    latmc_destroy(lat);
}

static latmc_lattice *of_shape(int model, int dims, const int64_t *extents, latmc_type type)
{
    latmc_lattice *lat = NULL;

    ok(latmc_create(&lat, (latmc_model)model, dims, extents));
    ok(latmc_set_replicas(lat, 3));
    ok(set_type(lat, type));
    ok(latmc_set_device(lat, "cpu"));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 1));
    return lat;
}

/* The hash of a saved state follows from the sums of its leaves alone, and stands in the file. */
static void the_sums_of_leaves_are_the_state_hash(void **state)
{
    static const struct {
        int model, dims;
        latmc_type type;
        int64_t extents[4];
    } cases[] = {{LATMC_ISING, 1, LATMC_INT8, {200000}},
                 {LATMC_ISING, 1, LATMC_INT8, {65536}},
                 {LATMC_ISING, 1, LATMC_INT8, {3}},
                 {LATMC_ISING, 3, LATMC_INT8, {7, 5, 11}},
                 {LATMC_ISING, 2, LATMC_INT8, {4096, 600}},
                 {LATMC_ISING, 2, LATMC_INT8, {4, 512}},
                 {LATMC_ISING, 2, LATMC_INT8, {8, 1500}},
                 {LATMC_ISING, 3, LATMC_INT8, {4, 4, 1024}},
                 {LATMC_ISING, 2, LATMC_INT8, {24, 513}},
                 {LATMC_ISING, 2, LATMC_INT8, {32, 2000}},
                 {LATMC_ISING, 3, LATMC_INT8, {8, 8, 511}},
                 {LATMC_POTTS, 2, LATMC_UINT8, {37, 450}},
                 {LATMC_POTTS, 1, LATMC_UINT8, {50003}},
                 {LATMC_CLOCK, 3, LATMC_UINT8, {21, 5, 90}},
                 {LATMC_BLUME_CAPEL, 3, LATMC_INT8, {7, 5, 501}},
                 {LATMC_PHI4, 1, LATMC_FLOAT64, {131073}},
                 {LATMC_PHI4, 3, LATMC_FLOAT32, {300, 301, 4}},
                 {LATMC_ONVECTOR, 2, LATMC_FLOAT32, {31, 9}},
                 {LATMC_ONVECTOR, 1, LATMC_FLOAT64, {70000}}};

    (void)state;
    for (size_t i = 0; i < ALL(cases); i++) {
        latmc_lattice *lat =
            of_shape(cases[i].model, cases[i].dims, cases[i].extents, cases[i].type);
        const uint64_t hash = hash_of(lat);
        size_t size, length = 0;
        uint8_t *bytes = save_whole(lat, &size), *sites = saved_find(bytes, size, "sites", &length);
        saved_leaves leaves;

        assert_true(saved_leaves_of(bytes, size, "sites", &leaves));
        assert_true(saved_tree(sites, length, &leaves, 1, 0) == hash);
        assert_true(saved_get(bytes + size - 16, 8) == hash);
        latmc_destroy(lat);
        ok(latmc_load_memory(&lat, bytes, size));
        assert_true(hash_of(lat) == hash);
        latmc_destroy(lat);
        free(bytes);
    }
}

/* Whoever has some leaves alone writes them where they belong: here backwards, from what lattices
 * of one replica have. */
static void leaves_are_written_independently(void **state)
{
    enum {
        LAYER = (90 * 50 + 7) / 8,
        LEAVES = 3,
        LAYERS = LEAVES * 7,
        LEAF = 7 * LAYER + SAVED_SUM
    };
    const int64_t extents[3] = {90, 50, LAYERS};
    latmc_lattice *whole = of_shape(LATMC_ISING, 3, extents, LATMC_INT8), *part;
    size_t size, part_size;
    uint8_t *bytes = save_whole(whole, &size), *copy = malloc(size);
    uint8_t *to = saved_find(bytes, size, "sites", NULL) - bytes + copy;

    (void)state;
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    memset(to, 0, (size_t)3 * LEAVES * LEAF);
    for (int r = 2; r >= 0; r--) {
        static int8_t sites[90 * 50 * LAYERS];
        uint8_t *of_part;

        ok(get_replica(whole, r, LATMC_INT8, sites, (int64_t)sizeof sites));
        part = new_lattice(3, extents);
        ok(latmc_set_device(part, "cpu"));
        ok(set_replica(part, 0, LATMC_INT8, sites, (int64_t)sizeof sites));
        of_part = save_whole(part, &part_size);
        for (int leaf = LEAVES - 1; leaf >= 0; leaf--)
            memcpy(to + (r * LEAVES + leaf) * LEAF,
                   saved_find(of_part, part_size, "sites", NULL) + leaf * LEAF, LEAF);
        latmc_destroy(part);
        free(of_part);
    }
    assert_memory_equal(copy, bytes, size);
    free(copy);
    free(bytes);
    latmc_destroy(whole);
}

static void impossible_paths_are_refused(void **state)
{
    latmc_lattice *lat = rich_lattice(0), *copy = lat;
    char long_path[6000];

    (void)state;
    memset(long_path, 'x', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = '\0';
    assert_int_equal(mkdir("taken", 0700), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    refused(LATMC_ERROR_IO, "No such file", latmc_save(lat, "missing/lattice"));
    refused(LATMC_ERROR_IO, "name too long", latmc_save(lat, long_path));
    refused(LATMC_ERROR_IO, "directory", latmc_save(lat, "taken"));
    refused(LATMC_ERROR_IO, "cannot", latmc_save(lat, ""));
    refused(LATMC_ERROR_IO, "cannot create", latmc_save(lat, "/proc/lattice"));
    refused(LATMC_ERROR_IO, "No such file", latmc_load(&copy, "missing"));
    refused(LATMC_ERROR_IO, "not a regular file", latmc_load(&copy, "taken"));
    refused(LATMC_ERROR_IO, "not a regular file", latmc_load(&copy, "pipe"));
    assert_ptr_equal(copy, lat);
    assert_int_equal(files_here(), 2);
    unlink("pipe");
    rmdir("taken");
    latmc_destroy(lat);
}

/* A file that is there is replaced; if the new one cannot be written it stays. */
static void the_old_file_stays_until_the_new_is_whole(void **state)
{
    latmc_lattice *lat = rich_lattice(2), *copy = NULL;
    uint64_t hash = hash_of(lat);

    (void)state;
    ok(latmc_save(lat, "lattice"));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 1));
    ok(latmc_save(lat, "lattice"));
    ok(latmc_load(&copy, "lattice"));
    assert_true(hash_of(copy) == hash_of(lat) && hash_of(copy) != hash);
    assert_int_equal(files_here(), 1);
    latmc_destroy(lat);
    latmc_destroy(copy);
    unlink("lattice");
}

/* Nothing is printed, so that nobody minds. */
static void closed_standard_streams_do_not_matter(void **state)
{
    latmc_lattice *lat = rich_lattice(1), *copy = NULL;
    int keep[3];
    latmc_status status[2];

    (void)state;
    fflush(NULL);
    for (int fd = 0; fd < 3; fd++) {
        keep[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 10);
        close(fd);
    }
    status[0] = latmc_save(lat, "lattice");
    status[1] = latmc_load(&copy, "lattice");
    for (int fd = 0; fd < 3; fd++)
        if (keep[fd] >= 0) {
            dup2(keep[fd], fd);
            close(keep[fd]);
        }
    ok(status[0]);
    ok(status[1]);
    assert_same(lat, copy);
    unlink("lattice");
    latmc_destroy(lat);
    latmc_destroy(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_have_no_gap),
        cmocka_unit_test(the_format_is_as_documented),
        cmocka_unit_test(sums_are_as_documented),
        cmocka_unit_test(the_sums_of_leaves_are_the_state_hash),
        cmocka_unit_test(leaves_are_written_independently),
        cmocka_unit_test(impossible_paths_are_refused),
        cmocka_unit_test(the_old_file_stays_until_the_new_is_whole),
        cmocka_unit_test(closed_standard_streams_do_not_matter),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
