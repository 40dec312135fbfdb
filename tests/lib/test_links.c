/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symbolic links of other users in directories where everybody may make links, such as /tmp:
 * latmc_save() does not follow them, whatever the kernel's setting is. Only root can make such
 * links, so without its rights the tests are skipped.
 */
#include "tests/support.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OTHER = 65534, THIRD = 54321 };

static char directory[64];
static latmc_lattice *lattice;

static int enter(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/latmc-links-XXXXXX");
    lattice = rich_lattice(1);
    return mkdtemp(directory) && chdir(directory) == 0 ? mkdir("all", 0777) || mkdir("own", 0755)
                                                       : -1;
}

/* Also proves that nothing is left but what the tests know of. */
static int leave(void **state)
{
    static const char *const known[] = {"all/link", "first", "own/file"};

    (void)state;
    for (size_t i = 0; i < ALL(known); i++)
        unlink(known[i]);
    latmc_destroy(lattice);
    return rmdir("all") || rmdir("own") || chdir("/") || rmdir(directory);
}

/* all/link leads to `target` and is this user's, in a directory that is that one's. */
static void arrange(const char *target, uid_t of_link, uid_t of_directory, mode_t mode)
{
    if (geteuid() != 0)
        skip();
    unlink("all/link");
    unlink("own/file");
    assert_int_equal(symlink(target, "all/link"), 0);
    assert_int_equal(lchown("all/link", of_link, (gid_t)-1), 0);
    assert_int_equal(chown("all", of_directory, (gid_t)-1), 0);
    assert_int_equal(chmod("all", mode), 0);
}

static int is_there(const char *name)
{
    struct stat about;

    return lstat(name, &about) == 0;
}

static void is_refused(const char *path)
{
    char words[64];

    snprintf(words, sizeof words, "the symbolic link \"link\" belongs to user %d;", OTHER);
    refused(LATMC_ERROR_IO, words, latmc_save(lattice, path));
    refused(LATMC_ERROR_IO, path, latmc_save(lattice, path));
}

static void is_followed(const char *path)
{
    latmc_lattice *copy = NULL;

    ok(latmc_save(lattice, path));
    ok(latmc_load(&copy, "own/file"));
    assert_same(copy, lattice);
    latmc_destroy(copy);
}

static void those_of_others_are_refused(void **state)
{
    char absolute[96];

    (void)state;
    arrange("../own/file", OTHER, 0, 01777);
    is_refused("all/link");
    assert_false(is_there("own/file")); /* a link to nothing makes nothing */
    snprintf(absolute, sizeof absolute, "%s/all/link", directory);
    is_refused(absolute);
    arrange("../own/file", OTHER, THIRD, 01777);
    is_refused("all/link");
}

static void a_file_behind_one_stays(void **state)
{
    latmc_lattice *copy = NULL;

    (void)state;
    arrange("../own/file", OTHER, 0, 01777);
    ok(latmc_save(lattice, "own/file"));
    ok(latmc_load(&copy, "own/file"));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    is_refused("all/link");
    ok(latmc_sweep(copy, LATMC_METROPOLIS, 1));
    assert_same(copy, lattice);
    latmc_destroy(copy);
    ok(latmc_load(&copy, "own/file"));
    ok(latmc_sweep(copy, LATMC_METROPOLIS, 1));
    assert_same(copy, lattice);
    latmc_destroy(copy);
}

static void every_link_of_a_chain_counts(void **state)
{
    (void)state;
    arrange("../own/file", OTHER, 0, 01777);
    assert_int_equal(symlink("all/link", "first"), 0);
    is_refused("first");
}

static void so_does_one_to_a_directory(void **state)
{
    (void)state;
    arrange("../own", OTHER, 0, 01777);
    is_refused("all/link/file");
    assert_false(is_there("own/file"));
    arrange("../own", 0, 0, 01777);
    is_followed("all/link/file");
}

static void others_are_followed(void **state)
{
    (void)state;
    arrange("../own/file", 0, THIRD, 01777); /* one's own */
    is_followed("all/link");
    arrange("../own/file", OTHER, OTHER, 01777); /* the directory's owner's */
    is_followed("all/link");
    arrange("../own/file", OTHER, 0, 0777); /* where everybody may replace everything */
    is_followed("all/link");
    arrange("../own/file", OTHER, 0, 01775); /* where not everybody may make one */
    is_followed("all/link");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(those_of_others_are_refused, enter, leave),
        cmocka_unit_test_setup_teardown(a_file_behind_one_stays, enter, leave),
        cmocka_unit_test_setup_teardown(every_link_of_a_chain_counts, enter, leave),
        cmocka_unit_test_setup_teardown(so_does_one_to_a_directory, enter, leave),
        cmocka_unit_test_setup_teardown(others_are_followed, enter, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
