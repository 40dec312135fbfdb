/* SPDX-License-Identifier: BSD-3-Clause */
/* Damaged, truncated and foreign data: each refused with its reason, whatever is in it. */
#include "tests/support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/checksum.h"

/* What the good one consists of: parameters, bonds and sites follow the header. */
enum { HEADER = 288, HEADER_SUMMED = HEADER - 8, BONDS = HEADER + 48 };

static uint8_t *good;
static size_t size;

static int make_good(void **state)
{
    latmc_lattice *lat = rich_lattice(1);

    (void)state;
    ok(latmc_save_memory(lat, NULL, 0, &size));
    good = malloc(size);
    assert_non_null(good);
    ok(latmc_save_memory(lat, good, size, &size));
    latmc_destroy(lat);
    return 0;
}

static int free_good(void **state)
{
    (void)state;
    free(good);
    return 0;
}

/* A buffer of exactly `bytes` bytes, so that a read beyond them is seen. */
static latmc_status load_bytes(const uint8_t *data, size_t bytes, latmc_lattice **lat)
{
    uint8_t *exact = malloc(bytes ? bytes : 1);
    latmc_status status;

    assert_non_null(exact);
    memcpy(exact, data, bytes);
    status = latmc_load_memory(lat, exact, bytes);
    free(exact);
    return status;
}

static void must_be_refused(const uint8_t *data, size_t bytes)
{
    latmc_lattice *lat = NULL;
    const latmc_status status = load_bytes(data, bytes, &lat);

    assert_true(status == LATMC_ERROR_FORMAT || status == LATMC_ERROR_VERSION ||
                status == LATMC_ERROR_DAMAGED);
    assert_true(strlen(latmc_error_message()) > 20);
    assert_null(lat);
}

static void the_undamaged_is_loaded(void **state)
{
    latmc_lattice *lat = NULL;

    (void)state;
    ok(load_bytes(good, size, &lat));
    latmc_destroy(lat);
}

static void single_bits(void **state)
{
    uint8_t *copy = malloc(size);

    (void)state;
    assert_non_null(copy);
    for (size_t i = 0; i < size; i++) {
        memcpy(copy, good, size);
        copy[i] ^= (uint8_t)(1u << i % 8);
        must_be_refused(copy, size);
    }
    free(copy);
}

static void truncations_and_appendices(void **state)
{
    uint8_t *copy = calloc(1, size + 64);

    (void)state;
    assert_non_null(copy);
    memcpy(copy, good, size);
    for (size_t n = 0; n < size; n++)
        must_be_refused(copy, n);
    for (size_t n = 1; n <= 64; n++)
        must_be_refused(copy, size + n);
    free(copy);
}

static void random_and_shuffled_bytes(void **state)
{
    uint8_t *copy = malloc(size);
    uint64_t random = 17;

    (void)state;
    assert_non_null(copy);
    for (int i = 0; i < 500; i++) {
        for (size_t j = 0; j < size; j++)
            copy[j] = (uint8_t)next_random(&random);
        must_be_refused(copy, next_random(&random) % size);
        memcpy(copy, good, HEADER);
        must_be_refused(copy, size);
        memcpy(copy, good, size);
        for (size_t at = next_random(&random) % size, n = 0; n < 16 && at + n < size; n++)
            copy[at + n] = (uint8_t)(copy[at + n] + 1 + next_random(&random) % 255);
        must_be_refused(copy, size);
    }
    free(copy);
}

static uint64_t sum_of(const uint8_t *data, size_t bytes)
{
    lm_checksum sum;

    lm_checksum_begin(&sum);
    lm_checksum_add(&sum, data, bytes);
    return lm_checksum_value(&sum);
}

static void put64(uint8_t *at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Checksums made right again, as only malice does. */
static void seal(uint8_t *copy)
{
    put64(copy + HEADER_SUMMED, sum_of(copy, HEADER_SUMMED));
    put64(copy + size - 8, sum_of(copy, size - 8));
}

typedef struct lie {
    size_t offset;
    int bytes;
    uint64_t value;
    const char *reason;
} lie;

static const lie lies[] = {
    {16, 8, UINT64_MAX, "bytes"},
    {24, 4, 0, "model"},
    {24, 4, 99, "model"},
    {28, 4, 0, "dims"},
    {28, 4, 5, "dims"},
    {28, 4, 0x80000000u, "dims"},
    {32, 8, 1, "extent 0"},
    {32, 8, 0, "extent 0"},
    {32, 8, UINT64_MAX, "extent 0"},
    {40, 8, (uint64_t)1 << 62, "2^40"},
    {40, 8, 1000, "the header"},
    {40, 8, (uint64_t)1 << 33, "the header"},
    {56, 8, 2, "the header"},
    {64, 4, 0, "boundary"},
    {68, 4, 4, "boundary"},
    {76, 4, 1, "the header"},
    {80, 8, 0, "replicas"},
    {80, 8, 65537, "replicas"},
    {80, 8, 65530, "first"},
    {80, 8, 60000, "the header"},
    {88, 8, 65535, "first"},
    {88, 8, UINT64_MAX, "first"},
    {104, 8, (uint64_t)1 << 40, "sweeps"},
    {104, 8, UINT64_MAX, "sweeps"},
    {112, 8, 0x7ff8000000000000u, "axis 0 is nan"},
    {128, 8, 0xfff0000000000000u, "axis 2 is -inf"},
    {136, 8, 0, "the header"},
    {144, 4, 3, "the header"},
    {168, 4, 3, "the header"},
    {168, 4, 0xffffffffu, "the header"},
    {168, 4, 0, "the header"},
    {168, 4, 2, "distribution number 0"},
    {152, 4, 8, "the header"}, /* the Ising model has no options */
    {164, 4, 1, "the header"},
    {172, 4, 1, "the header"}, /* given ones have no distribution, and no arguments */
    {148, 4, 1, "the header"},
    {176, 8, 1, "the header"},
    {215, 1, 1, "the header"},
    {HEADER, 8, 0x7ff8000000000000u, "beta of replica 0 is nan"},
    {HEADER + 24, 8, 0xfff0000000000000u, "field of replica 1 is -inf"},
    {HEADER + 32, 8, 0xbff0000000000000u, "changed sites"},
    {HEADER + 40, 8, 0x3fe0000000000000u, "changed sites"},
    {HEADER + 40, 8, 0x7ff8000000000000u, "changed sites"},
    {HEADER + 40, 8, 0x4210000000000000u, "changed sites"},
    {BONDS, 1, 2, "coupling of a bond"},
    {BONDS + 629, 1, 0x80, "coupling of a bond"},
    {BONDS + 630 + 26, 1, 0xff, "site"},
    {BONDS + 630 + 27 + 26, 1, 4, "site"},
    {184, 8, 1, "the header"},
    {216, 4, 1, "the header"}, /* the Ising model has no fields of sites */
    {216, 4, 2, "sites of the model ising have no fields"},
    {216, 4, 3, "the header"},
    {220, 4, 1, "the header"},
    {224, 8, 1, "the header"},
    {256, 8, 1, "the header"},
    {264, 8, 0, "samples is 0"},
    {264, 8, 3, "samples is 3"},
    {264, 8, 2, "the header"},
    {272, 8, 65536, "first is 65536"},
    {272, 8, UINT64_MAX, "first is -1"},
};

static void lies_with_right_checksums(void **state)
{
    uint8_t *copy = malloc(size);
    latmc_lattice *lat = NULL;

    (void)state;
    assert_non_null(copy);
    assert_int_equal(size, BONDS + 630 + 2 * 27 + 8);
    memcpy(copy, good, size);
    seal(copy);
    assert_memory_equal(copy, good, size);
    for (size_t i = 0; i < ALL(lies); i++) {
        const lie *l = &lies[i];

        memcpy(copy, good, size);
        for (int b = 0; b < l->bytes; b++)
            copy[l->offset + (size_t)b] = (uint8_t)(l->value >> 8 * b);
        seal(copy);
        refused(LATMC_ERROR_DAMAGED, l->reason, load_bytes(copy, size, &lat));
        assert_null(lat);
    }
    free(copy);
}

/* Destroys the lattice. */
static void refuse_lies(latmc_lattice *made, const lie *lies, size_t count)
{
    latmc_lattice *lat = NULL;
    uint8_t bytes[2048];
    size_t length;

    ok(latmc_save_memory(made, bytes, sizeof bytes, &length));
    ok(load_bytes(bytes, length, &lat));
    assert_true(hash_of(made) == hash_of(lat));
    latmc_destroy(lat);
    lat = NULL;
    for (size_t i = 0; i < count; i++) {
        uint8_t copy[sizeof bytes];

        memcpy(copy, bytes, length);
        for (int b = 0; b < lies[i].bytes; b++)
            copy[lies[i].offset + (size_t)b] = (uint8_t)(lies[i].value >> 8 * b);
        put64(copy + HEADER_SUMMED, sum_of(copy, HEADER_SUMMED));
        put64(copy + length - 8, sum_of(copy, length - 8));
        refused(LATMC_ERROR_DAMAGED, lies[i].reason, load_bytes(copy, length, &lat));
    }
    assert_null(lat);
    latmc_destroy(made);
}

/* What a header cannot say of drawn couplings. */
static void lies_about_what_was_drawn(void **state)
{
    static const lie drawn[] = {
        {172, 4, 0, "distribution number 0"},
        {172, 4, 2, "distribution number 502"},
        {172, 4, 3, "distribution number 0"},
        {184, 8, 0x4000000000000000u, "plus of the distribution pm1 is 2"},
        {192, 8, 0x7ff8000000000000u, "missing of the distribution pm1 is nan"},
        {200, 8, 0x3ff0000000000000u, "the header"}, /* a mean */
        {264, 8, 65538, "samples is 65538"},
        {272, 8, 65535, "first is 65535"},
        {168, 4, 0, "the header"},
    };

    (void)state;
    refuse_lies(rich_lattice(2), drawn, ALL(drawn));
}

static void lies_about_options(void **state)
{
    static const lie options[] = {
        {152, 4, 33, "precision is 33"},
        {152, 4, 0, "precision is 0"},
        {156, 4, 2, "cutoff is 2"},
        {156, 4, 0xffffffffu, "cutoff is -1"},
        {160, 4, 1, "the header"},
        {168, 4, 1, "the header"}, /* neither couplings nor fields of sites */
        {168, 4, 2, "bonds of the model phi4 have no couplings"},
        {216, 4, 1, "the header"},
        {216, 4, 2, "sites of the model phi4 have no fields"},
        {264, 8, 2, "the header"},
    };
    latmc_lattice *lat = NULL;

    (void)state;
    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){4, 5}));
    ok(latmc_set_option(lat, LATMC_PRECISION, 64));
    ok(latmc_set_option(lat, LATMC_CUTOFF, 1));
    ok(latmc_start(lat, LATMC_START_HOT));
    refuse_lies(lat, options, ALL(options));
}

/* Sites of a field that no update makes, at the ends of pieces and within. */
static void fields_that_are_no_numbers(void **state)
{
    static const struct {
        latmc_type type;
        size_t bytes;
        uint64_t bits;
        int finite;
    } cases[] = {
        {LATMC_FLOAT32, 4, 0x7fc00000u, 0},         {LATMC_FLOAT32, 4, 0xff800000u, 0},
        {LATMC_FLOAT32, 4, 0xff7fffffu, 1},         {LATMC_FLOAT64, 8, 0x7ff8000000000000u, 0},
        {LATMC_FLOAT64, 8, 0x7ff0000000000000u, 0}, {LATMC_FLOAT64, 8, 0x7fefffffffffffffu, 1}};
    static const size_t places[] = {0, 255, 256, 599, 600, 1199};

    (void)state;
    for (size_t c = 0; c < ALL(cases); c++)
        for (size_t p = 0; p < ALL(places); p++) {
            latmc_lattice *lat;
            uint8_t saved[16384];
            size_t bytes;

            ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){30, 20}));
            ok(latmc_set_replicas(lat, 2));
            ok(set_type(lat, cases[c].type));
            ok(latmc_set_device(lat, "cpu:scalar"));
            ok(latmc_start(lat, LATMC_START_HOT));
            ok(latmc_save_memory(lat, saved, sizeof saved, &bytes));
            latmc_destroy(lat);
            lat = NULL;
            for (size_t b = 0; b < cases[c].bytes; b++)
                saved[bytes - 8 - (1200 - places[p]) * cases[c].bytes + b] =
                    (uint8_t)(cases[c].bits >> 8 * b);
            put64(saved + bytes - 8, sum_of(saved, bytes - 8));
            if (cases[c].finite)
                ok(load_bytes(saved, bytes, &lat));
            else
                refused(LATMC_ERROR_DAMAGED, "impossible value: site",
                        load_bytes(saved, bytes, &lat));
            latmc_destroy(lat);
        }
}

static void each_kind_has_its_status(void **state)
{
    uint8_t *copy = malloc(size);
    latmc_lattice *lat = NULL;

    (void)state;
    assert_non_null(copy);
    memcpy(copy, good, size);
    copy[8] = 3;
    refused(LATMC_ERROR_VERSION, "is 3; this library reads version 2 alone",
            load_bytes(copy, size, &lat));
    for (uint8_t version = 0; version < 2; version++) {
        char part[32];

        snprintf(part, sizeof part, "is %d; this library", version);
        copy[8] = version;
        refused(LATMC_ERROR_VERSION, part, load_bytes(copy, size, &lat));
    }
    copy[0] = 'L';
    refused(LATMC_ERROR_FORMAT, "does not begin", load_bytes(copy, size, &lat));
    refused(LATMC_ERROR_FORMAT, "does not begin", load_bytes(good, 7, &lat));
    refused(LATMC_ERROR_DAMAGED, "truncated", load_bytes(good, 8, &lat));
    refused(LATMC_ERROR_DAMAGED, "truncated", load_bytes(good, size - 1, &lat));
    memcpy(copy, good, size);
    copy[100] ^= 1;
    refused(LATMC_ERROR_DAMAGED, "header of the saved lattice in memory is damaged",
            load_bytes(copy, size, &lat));
    copy[100] ^= 1;
    copy[size - 20] ^= 1;
    refused(LATMC_ERROR_DAMAGED, "checksum", load_bytes(copy, size, &lat));
    assert_null(lat);
    free(copy);
}

static void write_file(const char *path, const uint8_t *data, size_t bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, bytes), (ssize_t)bytes);
    close(fd);
}

/* The message names the function and the file. */
static void refused_by_name(latmc_status want, const char *part, const char *path)
{
    latmc_lattice *lat = NULL;
    char name[64];

    snprintf(name, sizeof name, "\"%s\"", path);
    refused(want, part, latmc_load(&lat, path));
    assert_null(lat);
    if (strncmp(latmc_error_message(), "latmc_load: ", 12) != 0 ||
        !strstr(latmc_error_message(), name))
        fail_msg("no name in \"%s\"", latmc_error_message());
}

static void every_damage_names_its_file(void **state)
{
    static const struct {
        size_t offset;
        int bits;
        latmc_status status;
        const char *part;
    } cases[] = {{0, 1, LATMC_ERROR_FORMAT, "does not begin"},
                 {8, 6, LATMC_ERROR_VERSION, "version"},
                 {100, 1, LATMC_ERROR_DAMAGED, "header of"},
                 {300, 1, LATMC_ERROR_DAMAGED, "checksum"}};
    char path[] = "/tmp/latmc-damage-XXXXXX";
    uint8_t *copy = malloc(size);

    (void)state;
    assert_non_null(copy);
    close(mkstemp(path));
    for (size_t i = 0; i < ALL(cases); i++) {
        memcpy(copy, good, size);
        copy[cases[i].offset] ^= (uint8_t)cases[i].bits;
        write_file(path, copy, size);
        refused_by_name(cases[i].status, cases[i].part, path);
    }
    memcpy(copy, good, size);
    put64(copy + lies[35].offset, lies[35].value);
    seal(copy);
    write_file(path, copy, size);
    refused_by_name(LATMC_ERROR_DAMAGED, lies[35].reason, path);
    write_file(path, good, size - 1);
    refused_by_name(LATMC_ERROR_DAMAGED, "truncated", path);
    write_file(path, good, 20);
    refused_by_name(LATMC_ERROR_DAMAGED, "truncated", path);
    unlink(path);
    refused_by_name(LATMC_ERROR_IO, "No such file", path);
    refused_by_name(LATMC_ERROR_IO, "directory, not a regular file", "/tmp");
    free(copy);
}

/* The same through files, and files of other programs. */
static void files(void **state)
{
    char path[] = "/tmp/latmc-damage-XXXXXX";
    latmc_lattice *lat = NULL;
    uint8_t *copy = malloc(size);
    uint64_t random = 23;

    (void)state;
    assert_non_null(copy);
    close(mkstemp(path));
    refused(LATMC_ERROR_FORMAT, "does not begin", latmc_load(&lat, path));
    refused(LATMC_ERROR_FORMAT, "does not begin", latmc_load(&lat, "/proc/self/exe"));
    for (int i = 0; i < 100; i++) {
        memcpy(copy, good, size);
        copy[HEADER + next_random(&random) % (size - HEADER)] ^= 0x10;
        write_file(path, copy, size);
        refused(LATMC_ERROR_DAMAGED, "checksum", latmc_load(&lat, path));
        write_file(path, good, 100 + next_random(&random) % (size - 100));
        refused(LATMC_ERROR_DAMAGED, "truncated", latmc_load(&lat, path));
    }
    assert_null(lat);
    write_file(path, good, size);
    ok(latmc_load(&lat, path));
    latmc_destroy(lat);
    unlink(path);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_undamaged_is_loaded),
        cmocka_unit_test(single_bits),
        cmocka_unit_test(truncations_and_appendices),
        cmocka_unit_test(random_and_shuffled_bytes),
        cmocka_unit_test(lies_with_right_checksums),
        cmocka_unit_test(lies_about_what_was_drawn),
        cmocka_unit_test(lies_about_options),
        cmocka_unit_test(fields_that_are_no_numbers),
        cmocka_unit_test(each_kind_has_its_status),
        cmocka_unit_test(every_damage_names_its_file),
        cmocka_unit_test(files),
    };

    return cmocka_run_group_tests(tests, make_good, free_good);
}
