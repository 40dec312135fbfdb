/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sections of saved lattices: what another version has more or less, and tables of sections that
 * cannot be.
 */
#include "tests/support.h"

#include "tests/lib/sections.h"

/* ---- more sections */

static void move_to(saved_file *f, int from, int to)
{
    const saved_section s = f->sections[from];

    memmove(&f->sections[from], &f->sections[from + 1], (size_t)(f->count - from - 1) * sizeof s);
    memmove(&f->sections[to + 1], &f->sections[to], (size_t)(f->count - to - 1) * sizeof s);
    f->sections[to] = s;
}

/* Wherever it stands, and what is saved again is as it was without it. */
static void an_unknown_section_that_may_be_skipped_is(void **state)
{
    latmc_lattice *original = rich_lattice(1);
    saved_file f = sections_of(rich_lattice(1));
    const int last = f.count;

    (void)state;
    saved_append(&f, "later", "anything", 8)->flags = 1;
    for (int at = last; at >= 0; at--) {
        latmc_lattice *lat = NULL;

        move_to(&f, at == last ? last : at + 1, at);
        f.sections[at].length = (size_t)at; /* none of it, too */
        f.sections[at].version = 7;
        ok(load(&f, &lat));
        assert_same(original, lat);
        latmc_destroy(lat);
    }
    saved_free(&f);
    latmc_destroy(original);
}

static void but_no_damage_to_it_goes_by(void **state)
{
    saved_file f = sections_of(rich_lattice(0));
    size_t size;
    uint8_t *bytes;
    latmc_lattice *lat = NULL;
    saved_section *s = saved_append(&f, "later", "", 0);

    (void)state;
    free(s->data);
    s->data = calloc(1, 200001); /* several pieces */
    assert_non_null(s->data);
    s->length = 200001;
    s->flags = 1;
    bytes = saved_close(&f, &size);
    ok(latmc_load_memory(&lat, bytes, size));
    latmc_destroy(lat);
    lat = NULL;
    for (size_t at = 0; at < 200001; at += 50000) {
        saved_find(bytes, size, "later", NULL)[at] ^= 4;
        refused(LATMC_ERROR_DAMAGED, "the checksum of its section \"later\" is wrong",
                latmc_load_memory(&lat, bytes, size));
        saved_find(bytes, size, "later", NULL)[at] ^= 4;
    }
    assert_null(lat);
    free(bytes);
    saved_free(&f);
}

/* Sums of leaves that are not known cannot be compared. */
static void unknown_leaves_are_left_out(void **state)
{
    static const struct {
        const char *name;
        uint32_t flags;
    } later[] = {{"early", 1}, {"later", 1}, {"L-later", 3}};
    latmc_lattice *original = rich_lattice(1), *lat = NULL;
    saved_file f = sections_of(rich_lattice(1));
    size_t size;
    uint8_t *bytes;

    (void)state;
    for (size_t i = 0; i < ALL(later); i++)
        saved_append(&f, later[i].name, "anything", 8)->flags = later[i].flags;
    bytes = saved_close(&f, &size);
    saved_put(bytes + size - 16, 1, 8); /* the sum of the last section */
    saved_seal_ends(bytes, size);
    ok(latmc_load_memory(&lat, bytes, size));
    assert_same(original, lat);
    latmc_destroy(lat);
    lat = NULL;
    saved_put(bytes + size - 24, 1, 8); /* of the one before it */
    saved_seal_ends(bytes, size);
    refused(LATMC_ERROR_DAMAGED, "the checksum of its section \"later\" is wrong",
            latmc_load_memory(&lat, bytes, size));
    free(bytes);
    saved_free(&f);
    latmc_destroy(original);
}

static void an_unknown_section_that_must_not_be_skipped_is_refused_by_its_name(void **state)
{
    saved_file f = sections_of(rich_lattice(0));

    (void)state;
    saved_append(&f, "later", "anything", 8);
    refuse_file(&f, LATMC_ERROR_VERSION, "has a section \"later\"");
    memcpy(f.sections[f.count - 1].name, "eightlet", 8);
    refuse_file(&f, LATMC_ERROR_VERSION, "has a section \"eightlet\"");
    saved_free(&f);
}

static void a_later_version_of_a_section_is_refused_by_its_name(void **state)
{
    saved_file f = sections_of(rich_lattice(1));

    (void)state;
    for (int i = 0; i < f.count; i++) {
        char part[64];

        snprintf(part, sizeof part, "the section \"%.8s\" of", f.sections[i].name);
        for (uint32_t version = 0; version < 3; version += 2) {
            f.sections[i].version = version;
            refuse_file(&f, LATMC_ERROR_VERSION, part);
        }
        f.sections[i].version = 1;
    }
    saved_free(&f);
}

static void a_section_that_is_needed_is_missed_by_its_name(void **state)
{
    static const char *const needed[] = {"lattice", "options", "params", "changed", "sites"};

    (void)state;
    for (size_t i = 0; i < ALL(needed); i++) {
        saved_file f = sections_of(rich_lattice(1));
        char part[64];

        saved_remove(&f, needed[i]);
        snprintf(part, sizeof part, "lacks the section \"%s\"", needed[i]);
        refuse_file(&f, LATMC_ERROR_DAMAGED, part);
        saved_free(&f);
    }
}

static void sections_may_stand_in_any_order(void **state)
{
    latmc_lattice *original = rich_lattice(2), *lat = NULL;
    saved_file f = sections_of(rich_lattice(2));
    uint64_t random = 3;

    (void)state;
    for (int i = 0; i < 20; i++) {
        move_to(&f, (int)(next_random(&random) % (uint64_t)f.count), 0);
        ok(load(&f, &lat));
        assert_same(original, lat);
        latmc_destroy(lat);
        lat = NULL;
    }
    saved_free(&f);
    latmc_destroy(original);
}

/* ---- tables that cannot be */

typedef struct lie {
    int section, offset, bytes;
    uint64_t value; /* ADD: added to what is there */
    int add;
    const char *part;
} lie;

static void tables_that_cannot_be_are_refused(void **state)
{
    static const lie lies[] = {
        {-1, 12, 4, 0, 0, "the number of its sections is impossible"},
        {-1, 12, 4, 65, 0, "the number of its sections is impossible"},
        {-1, 12, 4, 0xffffffff, 0, "the number of its sections is impossible"},
        {-1, 12, 4, 64, 0, "truncated"},
        {-1, 16, 8, 1, 1, "but its header says"},
        {-1, 16, 8, UINT64_MAX, 1, "but its header says"},
        {0, 0, 1, 0, 0, "a section has no name"},
        {1, 2, 1, 0, 0, "a section has no name"}, /* letters behind its end */
        {2, 0, 1, 7, 0, "a section has no name"},
        {1, 12, 4, 2, 0, "a section has an unknown flag"},
        {1, 12, 4, 4, 0, "a section has an unknown flag"},
        {1, 12, 4, 0x80000001, 0, "a section has an unknown flag"},
        {0, 16, 8, 1, 1, "does not begin where the one before it ends"},
        {1, 16, 8, 1, 1, "does not begin where the one before it ends"}, /* a gap */
        {2, 16, 8, UINT64_MAX, 1, "does not begin where"},               /* they overlap */
        {3, 16, 8, 24, 0, "does not begin where"},                       /* with the table */
        {3, 16, 8, (uint64_t)1 << 63, 0, "does not begin where"},
        {5, 16, 8, UINT64_MAX, 0, "does not begin where"},
        {2, 24, 8, 1, 1, "does not begin where"},
        {5, 24, 8, 1, 1, "a section is longer than the whole"},
        {2, 24, 8, UINT64_MAX, 0, "a section is longer than the whole"},
        {0, 24, 8, (uint64_t)0 - 232, 0, "a section is longer than the whole"},
        {5, 24, 8, UINT64_MAX, 1, "something stands behind the last section"},
    };
    latmc_lattice *lat = NULL, *original = rich_lattice(1);
    size_t size;
    uint8_t *good = save_whole(original, &size), *bytes = malloc(size);

    (void)state;
    assert_non_null(bytes);
    assert_int_equal(saved_count(good, size), 6);
    for (size_t i = 0; i < ALL(lies); i++) {
        const lie *l = &lies[i];
        uint8_t *at = (l->section < 0 ? bytes : saved_row(bytes, l->section)) + l->offset;

        memcpy(bytes, good, size);
        saved_put(at, l->value + (l->add ? saved_get(at, l->bytes) : 0), l->bytes);
        saved_seal(bytes, size);
        refused(LATMC_ERROR_DAMAGED, l->part, latmc_load_memory(&lat, bytes, size));
    }
    assert_null(lat);
    free(good);
    free(bytes);
    latmc_destroy(original);
}

static void rows_of_a_table_keep_their_order_and_their_names(void **state)
{
    latmc_lattice *lat = NULL, *original = rich_lattice(1);
    size_t size;
    uint8_t *bytes = save_whole(original, &size), row[SAVED_ENTRY];

    (void)state;
    memcpy(row, saved_row(bytes, 2), sizeof row);
    memcpy(saved_row(bytes, 2), saved_row(bytes, 3), sizeof row);
    memcpy(saved_row(bytes, 3), row, sizeof row);
    saved_seal(bytes, size);
    refused(LATMC_ERROR_DAMAGED, "does not begin where", latmc_load_memory(&lat, bytes, size));
    memcpy(saved_row(bytes, 3), saved_row(bytes, 2), sizeof row);
    saved_seal(bytes, size);
    refused(LATMC_ERROR_DAMAGED, "does not begin where", latmc_load_memory(&lat, bytes, size));
    free(bytes);
    bytes = save_whole(original, &size);
    memcpy(saved_row(bytes, 3), saved_row(bytes, 2), 8);
    saved_seal(bytes, size);
    refused(LATMC_ERROR_DAMAGED, "two sections have the same name",
            latmc_load_memory(&lat, bytes, size));
    assert_null(lat);
    free(bytes);
    latmc_destroy(original);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_section_that_may_be_skipped_is),
        cmocka_unit_test(but_no_damage_to_it_goes_by),
        cmocka_unit_test(unknown_leaves_are_left_out),
        cmocka_unit_test(an_unknown_section_that_must_not_be_skipped_is_refused_by_its_name),
        cmocka_unit_test(a_later_version_of_a_section_is_refused_by_its_name),
        cmocka_unit_test(a_section_that_is_needed_is_missed_by_its_name),
        cmocka_unit_test(sections_may_stand_in_any_order),

        cmocka_unit_test(tables_that_cannot_be_are_refused),
        cmocka_unit_test(rows_of_a_table_keep_their_order_and_their_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
