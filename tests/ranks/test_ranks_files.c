/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of a lattice in several ranks, threads here, are those of one process; and sites that come
 * in chunks are converted as all at once are.
 */
#include "tests/ranks/threads.h"

#include <unistd.h>

#include "tests/inside.h"
#include "tests/support.h"
#include "tests/ranks/said.h"

/* ---- files */

enum { FILE_ROOM = 5 << 20, FEW = 10, MANY = 600 };

/* A lattice of vectors, by layers or by replicas, in so many ranks. */
typedef struct filing {
    latmc_division division;
    int64_t replicas;
    char path[TEXT];
    const char *from; /* loaded, and not made */
    latmc_status status[RANKS_MOST];
    char message[TEXT];
} filing;

static latmc_status make(const latmc_ranks *ranks, const filing *f, latmc_lattice **l)
{
    const int64_t extents[] = {6, 5, 10};
    latmc_status status = ranks ? latmc_create_on_ranks(l, ranks, LATMC_ONVECTOR, 3, extents)
                                : latmc_create(l, LATMC_ONVECTOR, 3, extents);

    if (!status)
        status = latmc_set_option(*l, LATMC_N, 3);
    if (!status)
        status = latmc_set_replicas(*l, f->replicas);
    if (!status)
        status = latmc_set_division(*l, f->division);
    if (!status)
        status = latmc_set_device(*l, "cpu:scalar");
    if (!status)
        status = latmc_start(*l, LATMC_START_HOT);
    return status ? status : latmc_keep_best(*l, 1);
}

static void file_it(void *user, const latmc_ranks *ranks)
{
    filing *f = user;
    const int rank = ranks ? ranks->rank : 0;
    latmc_lattice *l = NULL;
    latmc_status status;

    if (f->from)
        status = ranks ? latmc_load_on_ranks(&l, ranks, f->from) : latmc_load(&l, f->from);
    else
        status = make(ranks, f, &l);
    if (!status && f->from)
        status = latmc_set_division(l, f->division);
    if (!status && f->from)
        status = latmc_set_device(l, "cpu:scalar");
    if (!status)
        status = latmc_sweep(l, LATMC_HEATBATH, 2);
    if (!status)
        status = latmc_save(l, f->path);
    f->status[rank] = status;
    if (status && rank == 0)
        snprintf(f->message, TEXT, "%s", latmc_error_message());
    latmc_destroy(l);
}

static size_t bytes_of(const char *path, char bytes[FILE_ROOM])
{
    FILE *file = fopen(path, "rb");
    size_t count;

    assert_non_null(file);
    count = fread(bytes, 1, FILE_ROOM, file);
    assert_true(count > 1000 && count < FILE_ROOM);
    fclose(file);
    return count;
}

static void file_is(const char *path, const char *other)
{
    static char a[FILE_ROOM], b[FILE_ROOM];
    const size_t count = bytes_of(path, a);

    assert_int_equal(count, bytes_of(other, b));
    assert_memory_equal(a, b, count);
}

static void run_filing(filing *f, int ranks)
{
    if (ranks)
        ranks_run(ranks, file_it, f);
    else
        file_it(f, NULL);
    for (int r = 0; r < ranks || r == 0; r++)
        if (f->status[r])
            fail_msg("%d ranks, rank %d: %s", ranks, r, f->message);
}

/* Saved by one process, then by each number of ranks; loaded by another number, and saved again. A
 * replica is one leaf, so slabs share it; many replicas are told of in several pieces. */
static void files_are_those_of_one_process(void **state)
{
    static const int counts[] = {1, 2, 3, 5};
    char folder[] = "ranks-XXXXXX", first[TEXT], second[TEXT];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(first, TEXT, "%s/first", folder);
    snprintf(second, TEXT, "%s/second", folder);
    for (int kind = 0; kind < 3; kind++) {
        filing f = {.division = LATMC_DIVIDE_AUTO, .replicas = kind == 2 ? MANY : FEW};

        snprintf(f.path, TEXT, "%s/first", folder);
        run_filing(&f, 0);
        f.from = first;
        snprintf(f.path, TEXT, "%s/second", folder);
        run_filing(&f, 0);
        for (size_t i = 0; i < ALL(counts); i++) {
            filing g = {.division = kind ? LATMC_DIVIDE_SLABS : LATMC_DIVIDE_REPLICAS,
                        .replicas = f.replicas};

            snprintf(g.path, TEXT, "%s/by-ranks", folder);
            run_filing(&g, counts[i]);
            file_is(g.path, first);
            g.from = first;
            run_filing(&g, counts[ALL(counts) - 1 - i]);
            file_is(g.path, second);
            remove(g.path);
        }
        remove(first);
        remove(second);
    }
    assert_int_equal(rmdir(folder), 0); /* nothing was left beside them */
}

/* ---- sites that come in chunks, converted */

enum { CHUNKED = 7 * 9 };

typedef struct chunked {
    double sites[RANKS][CHUNKED], want[CHUNKED];
    latmc_status status[RANKS];
    int unwanted; /* the rank that wants no sites; -1: none */
} chunked;

static latmc_status sites_of(latmc_lattice *l, double *sites, size_t bytes)
{
    latmc_status status = latmc_set_device(l, "cpu:scalar");

    if (!status)
        status = latmc_start(l, LATMC_START_HOT);
    if (!status)
        status = latmc_sweep(l, LATMC_METROPOLIS, 2);
    inside_chunk(l, 8);
    return status ? status : latmc_get_sites(l, 0, 1, LATMC_FLOAT64, sites, bytes);
}

static void get_chunks(void *user, const latmc_ranks *ranks)
{
    chunked *c = user;
    latmc_lattice *l = NULL;
    latmc_status status = latmc_create_on_ranks(&l, ranks, LATMC_PHI4, 2, (int64_t[]){7, 9});

    if (!status && ranks->rank == c->unwanted)
        status = sites_of(l, NULL, 5); /* a number that is not read */
    else if (!status)
        status = sites_of(l, c->sites[ranks->rank], sizeof c->want);
    c->status[ranks->rank] = status;
    latmc_destroy(l);
}

static void sites_come_in_chunks(void **state)
{
    static chunked c;
    latmc_lattice *l = NULL;

    (void)state;
    ok(latmc_create(&l, LATMC_PHI4, 2, (int64_t[]){7, 9}));
    ok(sites_of(l, c.want, sizeof c.want));
    latmc_destroy(l);
    for (c.unwanted = -1; c.unwanted < RANKS; c.unwanted++) {
        memset(c.sites, 0, sizeof c.sites);
        ranks_run(RANKS, get_chunks, &c);
        for (int r = 0; r < RANKS; r++) {
            assert_int_equal(c.status[r], LATMC_OK);
            if (r != c.unwanted)
                assert_memory_equal(c.sites[r], c.want, sizeof c.want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_those_of_one_process),
        cmocka_unit_test(sites_come_in_chunks),
    };

    return cmocka_run_group_tests_name("files of ranks", tests, NULL, NULL);
}
