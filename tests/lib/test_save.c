/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved lattices as files: their format, paths that cannot be, what is there before and after. */
#include "tests/support.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 288 }; /* bytes */

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

static void *saved(latmc_lattice *lat, size_t *bytes)
{
    void *buffer;

    ok(latmc_save_memory(lat, NULL, 0, bytes));
    buffer = malloc(*bytes);
    assert_non_null(buffer);
    ok(latmc_save_memory(lat, buffer, *bytes, bytes));
    return buffer;
}

/* The sites of every replica begin at a byte and have no gap, however they were written. */
static void check_bits(latmc_lattice *lat, const uint8_t *bytes)
{
    const latmc_lattice_info info = info_of(lat);
    const uint8_t *at = bytes + HEADER + 24 * info.replicas;
    int8_t *sites = malloc((size_t)info.sites);

    assert_non_null(sites);
    for (int64_t r = 0; r < info.replicas; r++, at += (info.sites + 7) / 8) {
        ok(latmc_get_sites(lat, r, LATMC_INT8, sites, info.sites));
        for (int64_t i = 0; i < info.sites; i++)
            if ((at[i / 8] >> i % 8 & 1) != (sites[i] > 0))
                fail_msg("site %lld of replica %lld", (long long)i, (long long)r);
    }
    free(sites);
}

/* Several chunks, and ends of replicas within a byte. */
static void bits_have_no_gap(void **state)
{
    static const int64_t extents[][2] = {{1021, 2053}, {3, 5}, {2, 2}, {1 << 20, 2}, {999, 999}};

    (void)state;
    for (size_t i = 0; i < ALL(extents); i++) {
        latmc_lattice *lat = new_lattice(2, extents[i]);
        size_t bytes;
        void *buffer;

        ok(latmc_set_replicas(lat, 3));
        ok(latmc_set_device(lat, "cpu"));
        ok(latmc_start(lat, LATMC_START_HOT));
        ok(latmc_sweep(lat, LATMC_HEATBATH, 2));
        buffer = saved(lat, &bytes);
        check_bits(lat, buffer);
        free(buffer);
        latmc_destroy(lat);
    }
}

/* A lattice of 2 x 2 spins, byte for byte as lib/header.h describes it. */
static void the_format_is_as_documented(void **state)
{
    static const uint8_t head[] = {0x89,
                                   'L',
                                   'A',
                                   'T',
                                   'M',
                                   'C',
                                   '\n',
                                   0x1a,
                                   2,
                                   0,
                                   0,
                                   0,
                                   HEADER % 256,
                                   HEADER / 256,
                                   0,
                                   0,
                                   (HEADER + 33) % 256,
                                   (HEADER + 33) / 256,
                                   0,
                                   0,
                                   0,
                                   0,
                                   0,
                                   0,
                                   1,
                                   0,
                                   0,
                                   0,
                                   2,
                                   0,
                                   0,
                                   0,
                                   2};
    const int8_t spins[4] = {1, -1, -1, 1};
    latmc_lattice *lat = new_lattice(2, (int64_t[]){2, 2});
    uint8_t *bytes;
    size_t size;

    (void)state;
    ok(latmc_set_seed(lat, 0x1122334455667788u));
    ok(latmc_set_param(lat, LATMC_BETA, 1.0));
    ok(latmc_set_sites(lat, 0, LATMC_INT8, spins, 4));
    bytes = saved(lat, &size);
    assert_int_equal(size, HEADER + 2 * 8 + 8 + 1 + 8);
    assert_memory_equal(bytes, head, sizeof head);
    assert_memory_equal(bytes + 96, "\x88\x77\x66\x55\x44\x33\x22\x11", 8);
    assert_memory_equal(bytes + 112, "\0\0\0\0\0\0\xf0\x3f", 8);
    assert_memory_equal(bytes + HEADER, "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\0", 16);
    assert_int_equal(bytes[HEADER + 24], 9);
    free(bytes);
    latmc_destroy(lat);
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
        cmocka_unit_test(impossible_paths_are_refused),
        cmocka_unit_test(the_old_file_stays_until_the_new_is_whole),
        cmocka_unit_test(closed_standard_streams_do_not_matter),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
