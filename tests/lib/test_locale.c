/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A locale whose decimal sign is a comma changes neither messages nor files. The locale is
 * made here, since a machine may have none: the one file that glibc reads for LC_NUMERIC.
 */
#include "tests/support.h"

#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/latmc-locale-XXXXXX";

/* As localedef writes it on a little-endian machine: magic and category, six offsets, the
 * decimal sign, the thousands' separator, the grouping, both signs as wide characters, and
 * the character set. */
static const unsigned char numeric[] =
    "\x14\x11\x03\x20\x06\0\0\0\x20\0\0\0\x22\0\0\0\x24\0\0\0\x28\0\0\0\x2c\0\0\0\x30\0\0\0"
    ",\0.\0\x03\x03\0\0,\0\0\0.\0\0\0UTF-8";

static int make_locale(void **state)
{
    char name[128];
    FILE *file;

    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(name, sizeof name, "%s/comma", directory);
    mkdir(name, 0700);
    snprintf(name, sizeof name, "%s/comma/LC_NUMERIC", directory);
    file = fopen(name, "wb");
    if (!file || fwrite(numeric, sizeof numeric, 1, file) != 1 || fclose(file))
        return -1;
    return setenv("LOCPATH", directory, 1);
}

static int remove_locale(void **state)
{
    char name[128];

    (void)state;
    snprintf(name, sizeof name, "%s/comma/LC_NUMERIC", directory);
    unlink(name);
    snprintf(name, sizeof name, "%s/comma", directory);
    rmdir(name);
    return rmdir(directory);
}

/* The comma is in force, or this machine cannot say anything. */
static void take_the_comma(void)
{
    char text[16];

    setlocale(LC_ALL, "C");
    if (!setlocale(LC_NUMERIC, "comma"))
        skip();
    snprintf(text, sizeof text, "%g", 1.5);
    assert_string_equal(text, "1,5");
}

static void messages_have_points(void **state)
{
    latmc_lattice *lat = new_lattice(1, (int64_t[]){4});

    (void)state;
    take_the_comma();
    refused(LATMC_ERROR_ARGUMENT, "in cell 1 is -1500000.5,",
            latmc_set_bond_couplings(lat, (double[]){1.0, -1500000.5, 1.0, 1.0}));
    refused(LATMC_ERROR_ARGUMENT, "beta of slot 0 is -1.5e+31;",
            latmc_set_param(lat, LATMC_BETA, -1.5e31));
    assert_string_equal(setlocale(LC_NUMERIC, NULL), "comma");
    latmc_destroy(lat);
}

static void files_are_the_same(void **state)
{
    latmc_lattice *lat = rich_lattice(1), *copy = NULL;
    static uint8_t with_point[4096], with_comma[4096];
    size_t bytes;

    (void)state;
    ok(latmc_save_memory(lat, with_point, sizeof with_point, &bytes));
    take_the_comma();
    ok(latmc_save_memory(lat, with_comma, sizeof with_comma, &bytes));
    assert_memory_equal(with_point, with_comma, bytes);
    ok(latmc_load_memory(&copy, with_comma, bytes));
    assert_same(lat, copy);
    latmc_destroy(copy);
    copy = rich_lattice(1);
    assert_same(lat, copy);
    latmc_destroy(lat);
    latmc_destroy(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_have_points),
        cmocka_unit_test(files_are_the_same),
    };

    return cmocka_run_group_tests(tests, make_locale, remove_locale);
}
