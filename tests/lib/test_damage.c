/* SPDX-License-Identifier: BSD-3-Clause */
/* Damaged, truncated and foreign data: each refused with its reason, whatever is in it. */
#include "tests/support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/saved.h"

/* Of the good one: the header has six sections. */
enum { HEADER = SAVED_FIXED + 6 * SAVED_ENTRY + SAVED_SUM };

static uint8_t *good;
static size_t size;

static int make_good(void **state)
{
    latmc_lattice *lat = rich_lattice(1);

    (void)state;
    good = save_whole(lat, &size);
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

/* What a number of a section is to be instead. */
typedef struct lie {
    const char *section; /* "": the header */
    size_t offset;
    int bytes;
    uint64_t value;
    const char *reason;
} lie;

static void tell(const lie *l, uint8_t *copy, size_t length)
{
    uint8_t *at = l->section[0] ? saved_find(copy, length, l->section, NULL) : copy;

    assert_non_null(at);
    saved_put(at + l->offset, l->value, l->bytes);
    saved_seal(copy, length);
}

#define L "lattice"
static const lie lies[] = {
    {"", 16, 8, UINT64_MAX, "bytes"},
    {L, SAVED_DIMS + 1, 1, 1, "number of axes"},
    {L, SAVED_DIMS, 8, 0, "number of axes"},
    {L, SAVED_DIMS, 8, 5, "number of axes"},
    {L, SAVED_DIMS, 8, UINT64_MAX, "number of axes"},
    {L, SAVED_DIMS, 8, 4, "bond types of a cell"},
    {L, SAVED_CELL_SITES, 8, 0, "sites of a cell"},
    {L, SAVED_CELL_SITES, 8, 2, "sites of a cell"},
    {L, SAVED_BOND_TYPES, 8, 2, "bond types of a cell"},
    {L, SAVED_BOND_TYPES, 8, UINT64_MAX, "bond types of a cell"},
    {L, SAVED_LATTICE_NAME + 31, 1, 'x', "the settings"},
    {L, SAVED_LATTICE_NAME, 1, 0, "a name that is none"},
    {L, SAVED_MODEL + 31, 1, 'x', "the settings"},
    {L, SAVED_EXTENTS, 8, 1, "extent 0"},
    {L, SAVED_EXTENTS, 8, 0, "extent 0"},
    {L, SAVED_EXTENTS, 8, UINT64_MAX, "extent 0"},
    {L, SAVED_EXTENTS + 8, 8, (uint64_t)1 << 62, "2^40"},
    {L, SAVED_EXTENTS + 8, 8, 1000, "\"sites\" has 76 bytes; with its settings"},
    {L, SAVED_EXTENTS + 8, 8, (uint64_t)1 << 33, "\"sites\" has 76 bytes"},
    {L, SAVED_EXTENTS + 24, 8, 2, "the settings"},
    {L, SAVED_EXTENTS + 56, 8, 0, "the settings"},
    {L, SAVED_BOUNDARIES, 4, 0, "boundary"},
    {L, SAVED_BOUNDARIES + 4, 4, 4, "boundary"},
    {L, SAVED_BOUNDARIES + 12, 4, 1, "the settings"},
    {L, SAVED_BOUNDARIES + 28, 4, 1, "the settings"},
    {L, SAVED_REPLICAS, 8, 0, "replicas"},
    {L, SAVED_REPLICAS, 8, 4194305, "replicas"},
    {L, SAVED_REPLICAS, 8, 60000,
     "\"changed\" has 16 bytes; with its settings they would be 480000"},
    {L, SAVED_REPLICAS, 8, UINT64_MAX, "replicas"},
    {L, SAVED_FIRST, 8, 4294967295, "first"},
    {L, SAVED_FIRST, 8, UINT64_MAX, "first"},
    {L, SAVED_SWEEPS, 8, (uint64_t)1 << 40, "sweeps"},
    {L, SAVED_SWEEPS, 8, UINT64_MAX, "sweeps"},
    {L, SAVED_COUPLINGS, 8, 0x7ff8000000000000u, "bond type 0 is nan"},
    {L, SAVED_COUPLINGS + 16, 8, 0xfff0000000000000u, "bond type 2 is -inf"},
    {L, SAVED_SAMPLES, 8, 0, "samples is 0"},
    {L, SAVED_SAMPLES, 8, 3, "samples is 3"},
    {L, SAVED_SAMPLES, 8, 2, "\"K-given\" has 654 bytes; with its settings they would be 1308"},
    {L, SAVED_FIRST_SAMPLE, 8, (uint64_t)1 << 32, "first is 4294967296"},
    {L, SAVED_FIRST_SAMPLE, 8, UINT64_MAX, "first is -1"},
    {"params", SAVED_NAME, 8, 0x7ff8000000000000u, "beta of slot 0 is nan"},
    {"params", 48 + SAVED_NAME + 8, 8, 0xfff0000000000000u, "field of slot 1 is -inf"},
    {"params", 0, 1, ' ', "a name that is none"},
    {"params", 0, 1, 0, "a name that is none"},
    {"params", 31, 1, 1, "a name that is none"},
    {"changed", 0, 8, 0xbff0000000000000u, "changed sites"},
    {"changed", 8, 8, 0x3fe0000000000000u, "changed sites"},
    {"changed", 8, 8, 0x7ff8000000000000u, "changed sites"},
    {"changed", 8, 8, 0x4210000000000000u, "changed sites"},
    {"K-given", 0, 1, 2, "coupling of a bond"},
    {"K-given", 2 * 218 + 209, 1, 0x80, "coupling of a bond"},
    {"sites", 5, 1, 0xff, "site"},
    {"sites", 38 + 4 * 6 + 5, 1, 4, "site"},
};
enum { A_LIE_ABOUT_SETTINGS = 5 };

static void lies_with_right_checksums(void **state)
{
    uint8_t *copy = malloc(size);
    latmc_lattice *lat = NULL;

    (void)state;
    assert_non_null(copy);
    assert_int_equal(size, HEADER + SAVED_LATTICE + 3 * 8 + 2 * 48 + 16 + 3 * 218 + 2 * 38 + 7 * 8);
    memcpy(copy, good, size);
    saved_seal(copy, size);
    assert_memory_equal(copy, good, size);
    for (size_t i = 0; i < ALL(lies); i++) {
        memcpy(copy, good, size);
        tell(&lies[i], copy, size);
        refused(LATMC_ERROR_DAMAGED, lies[i].reason, load_bytes(copy, size, &lat));
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
        tell(&lies[i], copy, length);
        refused(LATMC_ERROR_DAMAGED, lies[i].reason, load_bytes(copy, length, &lat));
    }
    assert_null(lat);
    latmc_destroy(made);
}

/* What cannot be said of drawn couplings: name, seed, arguments with their names. */
static void lies_about_what_was_drawn(void **state)
{
    enum { PLUS = SAVED_NAME + 8, MISSING = PLUS + SAVED_NAME + 8 };
    static const lie drawn[] = {
        {"K-drawn", 0, 1, 0, "a name that is none"},
        {"K-drawn", 31, 1, 1, "a name that is none"},
        {"K-drawn", PLUS + SAVED_NAME, 8, 0x4000000000000000u, "plus of the distribution pm1 is 2"},
        {"K-drawn", MISSING + SAVED_NAME, 8, 0x7ff8000000000000u,
         "missing of the distribution pm1 is nan"},
        {L, SAVED_SAMPLES, 8, 65538, "samples is 65538"},
        {L, SAVED_FIRST_SAMPLE, 8, 4294967295, "first is 4294967295"},
    };

    (void)state;
    refuse_lies(rich_lattice(2), drawn, ALL(drawn));
}

/* What cannot be said of couplings that are given as real numbers, at bond 3 of which is 0.5. */
static void lies_about_given_reals(void **state)
{
    static const lie reals[] = {
        {"K-given", 24, 8, 0x3ff0000000000000u, "all signs"},
        {"K-given", 24, 8, 0x7ff8000000000000u, "coupling of a bond"},
        {"K-given", 24, 8, 0x4200000000000000u, "coupling of a bond"},
        {"G-given", 0, 8, 0x4200000000000000u, "field of a site"},
    };
    const double bonds[8] = {1, -1, 0, 0.5, 1, 1, 1, 1}, fields[4] = {0};
    latmc_lattice *lat = NULL;

    (void)state;
    ok(latmc_create(&lat, LATMC_ISING, 2, (int64_t[]){2, 2}));
    ok(latmc_set_bond_couplings(lat, bonds));
    ok(latmc_set_site_fields(lat, fields));
    ok(latmc_start(lat, LATMC_START_HOT));
    refuse_lies(lat, reals, ALL(reals));
}

static void lies_about_options(void **state)
{
    static const lie options[] = {
        {"options", SAVED_NAME, 8, 33, "precision is 33"},
        {"options", SAVED_NAME, 8, 0, "precision is 0"},
        {"options", SAVED_NAME, 8, (uint64_t)1 << 32 | 64, "precision is 4294967360"},
        {"options", 40 + SAVED_NAME, 8, 2, "cutoff is 2"},
        {"options", 40 + SAVED_NAME, 8, UINT64_MAX, "cutoff is -1"},
        {"options", SAVED_NAME, 8, 32,
         "\"sites\" has 168 bytes; with its settings they would be 88"},
        {L, SAVED_SAMPLES, 8, 2, "the settings"}, /* neither couplings nor fields of sites */
    };
    latmc_lattice *lat = NULL;

    (void)state;
    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){4, 5}));
    ok(latmc_set_option(lat, LATMC_PRECISION, 64));
    ok(latmc_set_option(lat, LATMC_CUTOFF, 1));
    ok(latmc_start(lat, LATMC_START_HOT));
    refuse_lies(lat, options, ALL(options));
}

/* Which leaf of which section it is. */
static void damage_is_named(void **state)
{
    static const struct {
        const char *section;
        size_t offset;
        const char *part;
    } cases[] = {
        {"lattice", 50, "the checksum of its section \"lattice\" is wrong"},
        {"params", 50, "the checksum of its section \"params\" is wrong"},
        {"changed", 3, "the checksum of its section \"changed\" is wrong"},
        {"K-given", 0,
         "couplings of the bonds, the checksum of leaf 0 of sample 0, bond type 0 is"},
        {"K-given", 218 + 3,
         "of the bonds, the checksum of leaf 0 of sample 0, bond type 1 is wrong"},
        {"K-given", 3 * 218 - 1,
         "of leaf 0 of sample 0, bond type 2 is wrong"}, /* the sum itself */
        {"sites", 0, "of the sites, the checksum of leaf 0 of replica 0 is wrong"},
        {"sites", 38 + 20, "of the sites, the checksum of leaf 0 of replica 1 is wrong"},
    };
    uint8_t *copy = malloc(size);
    latmc_lattice *lat = NULL;

    (void)state;
    assert_non_null(copy);
    for (size_t i = 0; i < ALL(cases); i++) {
        memcpy(copy, good, size);
        saved_find(copy, size, cases[i].section, NULL)[cases[i].offset] ^= 1;
        refused(LATMC_ERROR_DAMAGED, cases[i].part, load_bytes(copy, size, &lat));
    }
    /* leaves that are whole, but not those of this lattice, or in another order */
    memcpy(copy, good, size);
    memcpy(saved_find(copy, size, "sites", NULL), saved_find(good, size, "sites", NULL) + 38, 38);
    refused(LATMC_ERROR_DAMAGED, "checksum of its section \"sites\"", load_bytes(copy, size, &lat));
    memcpy(saved_find(copy, size, "sites", NULL) + 38, saved_find(good, size, "sites", NULL), 38);
    refused(LATMC_ERROR_DAMAGED, "checksum of its section \"sites\"", load_bytes(copy, size, &lat));
    assert_null(lat);
    free(copy);
}

static void each_kind_has_its_status(void **state)
{
    uint8_t *copy = malloc(size);
    latmc_lattice *lat = NULL;

    (void)state;
    assert_non_null(copy);
    memcpy(copy, good, size);
    copy[8] = 4;
    refused(LATMC_ERROR_VERSION, "is 4; this library reads version 3 alone",
            load_bytes(copy, size, &lat));
    assert_null(strstr(latmc_error_message(), "release"));
    for (uint8_t version = 1; version < 3; version++) {
        char part[96];

        snprintf(part, sizeof part,
                 "is %d; this library reads version 3 alone, and no release wrote versions 1 and 2",
                 version);
        copy[8] = version;
        refused(LATMC_ERROR_VERSION, part, load_bytes(copy, size, &lat));
    }
    copy[0] = 'L';
    refused(LATMC_ERROR_FORMAT, "does not begin", load_bytes(copy, size, &lat));
    refused(LATMC_ERROR_FORMAT, "does not begin", load_bytes(good, 7, &lat));
    refused(LATMC_ERROR_DAMAGED, "truncated", load_bytes(good, 8, &lat));
    refused(LATMC_ERROR_DAMAGED, "truncated", load_bytes(good, HEADER, &lat));
    refused(LATMC_ERROR_DAMAGED, "truncated", load_bytes(good, size - 1, &lat));
    memcpy(copy, good, size);
    copy[100] ^= 1;
    refused(LATMC_ERROR_DAMAGED, "header of the saved lattice in memory is damaged",
            load_bytes(copy, size, &lat));
    copy[100] ^= 1;
    copy[size - 20] ^= 1;
    refused(LATMC_ERROR_DAMAGED, "the checksum at its end", load_bytes(copy, size, &lat));
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
                 {8, 1, LATMC_ERROR_VERSION, "version"},
                 {100, 1, LATMC_ERROR_DAMAGED, "header of"},
                 {800, 1, LATMC_ERROR_DAMAGED, "checksum"}};
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
    tell(&lies[A_LIE_ABOUT_SETTINGS], copy, size);
    write_file(path, copy, size);
    refused_by_name(LATMC_ERROR_DAMAGED, lies[A_LIE_ABOUT_SETTINGS].reason, path);
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
        write_file(path, good, HEADER + next_random(&random) % (size - HEADER));
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
        cmocka_unit_test(lies_about_given_reals),
        cmocka_unit_test(lies_about_options),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(each_kind_has_its_status),
        cmocka_unit_test(every_damage_names_its_file),
        cmocka_unit_test(files),
    };

    return cmocka_run_group_tests(tests, make_good, free_good);
}
