/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes of lattices. Kernels are chosen by the number of words of a sublattice and of groups of
 * replicas (backends/cuda/bits/run.c), and what goes wrong in them goes wrong where these meet the
 * numbers of threads, blocks and batches; everywhere else extents are as awkward as can be.
 */
#include "tests/random/draw.h"

#include <math.h>

static int64_t even(int64_t x)
{
    return x + (x & 1);
}

static int64_t at_least(int64_t least, int64_t x)
{
    return x < least ? least : x;
}

/* An extent of about `size`: any, or beside a power of two or a multiple of 32 or 64. */
static int64_t awkward(draw_dice *d, double size)
{
    const int64_t x = at_least(2, llround(size)), beside = draw_between(d, -2, 2);

    switch (draw_between(d, 0, 9)) {
    case 0:
    case 1:
        return at_least(2, (int64_t)exp2(round(log2(size))) + beside);
    case 2:
    case 3:
        return x < 24 ? x : (x + 32) / 64 * 64 + (x < 32 ? 64 : 0) + beside;
    case 4:
        return x < 12 ? x : (x + 16) / 32 * 32 + (x < 16 ? 32 : 0) + beside;
    case 5:
        return x | 1;
    case 6:
        return 2;
    case 7:
        return (x + 3) / 4 * 4;
    default:
        return x;
    }
}

/* Extents [from, dims) whose product is about `sites`: alike, long and thin, or anything. */
static void divide(draw_dice *d, random_case *c, int from, double sites, int all_even)
{
    const int likeness = (int)draw_between(d, 0, 3);

    for (int a = from; a < c->dims; a++) {
        const int left = c->dims - a;
        double size = pow(sites, 1.0 / left);
        if (likeness == 1 && left > 1)
            size = draw_log(d, 2.0, 5.0);
        else if (likeness > 1 && left > 1)
            size = draw_log(d, 2.0, fmax(2.0, sites));
        size = fmin(fmax(size, 2.0), 1e9);
        c->extents[a] =
            left == 1 && draw_chance(d, 0.5) ? at_least(2, llround(size)) : awkward(d, size);
        if (all_even)
            c->extents[a] = even(c->extents[a]);
        sites = fmax(sites / (double)c->extents[a], 2.0);
    }
}

static random_case of_dims(int model, int dims)
{
    return case_new(model, dims, (const int64_t[]){2, 2, 2, 2});
}

/* 2 is the most frequent, 1 a chain. */
static int some_dims(draw_dice *d, int least)
{
    static const int of[] = {1, 2, 2, 2, 2, 3, 3, 3, 4, 4};
    int dims;

    do
        dims = of[draw_between(d, 0, 9)];
    while (dims < least);
    return dims;
}

static int64_t some_replicas(draw_dice *d, int64_t most)
{
    static const int64_t up_to[] = {1, 1, 1, 4, 4, 40, 40, 300};
    const int64_t wanted = up_to[draw_between(d, 0, 7)];

    most = most < 1 ? 1 : most < wanted ? most : wanted;
    return draw_between(d, most > 8 ? 2 : 1, most);
}

/* A lattice of anything, of about so many sites in all replicas. */
static random_case of_anything(draw_dice *d, int model, double least, double most,
                               int64_t most_replicas)
{
    const double all = draw_log(d, least, fmax(least, most));
    random_case c = of_dims(model, some_dims(d, 1));

    c.replicas =
        some_replicas(d, all < 2.0 * (double)most_replicas ? (int64_t)(all / 2.0) : most_replicas);
    divide(d, &c, 0, all / (double)c.replicas, draw_chance(d, 0.4));
    return c;
}

/* A folded lattice of about so many words in a sublattice. */
static random_case of_words(draw_dice *d, double words)
{
    random_case c = of_dims(LATMC_ISING, some_dims(d, 2));
    double width = 1.0; /* words in a row */

    if (draw_chance(d, 0.7))
        width = draw_chance(d, 0.5) ? sqrt(words / 32.0) : draw_log(d, 1.0, fmax(words / 2.0, 1.0));
    const int64_t full = 64 * at_least(1, llround(width));
    const int64_t shapes[] = {full, full - 2, full - 62 + 2 * draw_between(d, 0, 31),
                              (full + 128) / 256 * 256, draw_between(d, 1, 32) * 2};
    c.extents[0] = at_least(2, shapes[draw_between(d, 0, width > 1.5 ? 3 : 4)]);
    divide(d, &c, 1, words / (double)((c.extents[0] + 63) / 64), 1);
    return c;
}

/* Words of a sublattice; replicas that share a word. */
static int64_t words_of(const random_case *c)
{
    return case_sites(c) / c->extents[0] * ((c->extents[0] + 63) / 64);
}

static int64_t pack_of(const random_case *c)
{
    int64_t pack = 1;

    while (pack < 32 && c->extents[0] / 2 <= 16 / pack)
        pack *= 2;
    return pack;
}

/* Replicas that make so many groups, the last of them not always full. */
static void set_groups(draw_dice *d, random_case *c, int64_t groups)
{
    const int64_t pack = pack_of(c);

    c->replicas = groups * pack - (draw_chance(d, 0.5) ? draw_between(d, 0, pack - 1) : 0);
}

/* `size`, or something beside the nearest multiple of `unit`. */
static double beside(draw_dice *d, double size, double unit)
{
    return fmax(1.0, ceil(size / unit) * unit + (double)draw_between(d, -2, 2));
}

/* Words of a sublattice on which a few sweeps cost so much, with the sites' way in and out. */
static double affordable(double cost)
{
    return cost / 12.0 / 64.0;
}

/*
 * What a batch of the resident kernel is (backends/cuda/bits/ising_ahead.cuh): two share 128 MiB of
 * outcomes, which are a word for each of as many classes as there are dimensions, and have at most
 * 512 half sweeps. Words times groups of which so many batches cost no more than `cost`.
 */
enum { MOST_HALVES = 512 };
static const double outcome_words = 16777216.0;

static double fit_batches(double cost, double batches, int dims)
{
    const double word_ns = 32.0 * 1.5; /* a half sweep */

    if (batches * word_ns * outcome_words / dims <= cost)
        return 4e5;
    return fmax(2.0, cost / (batches * word_ns * MOST_HALVES));
}

/* Whole lattices in multiprocessors' shared memory: 132 of those on an H200, and half of the blocks
 * walk. */
static random_case resident(draw_dice *d, double cost)
{
    static const double size[] = {600.0, 600.0, 1100.0};
    static const int64_t groups[][2] = {{1, 1},     {2, 8},     {9, 60},    {60, 131},
                                        {131, 135}, {130, 300}, {263, 267}, {300, 1500}};
    const int64_t *g = groups[draw_between(d, 0, 7)];
    double most = fmin(affordable(cost), 4e5);

    if (draw_chance(d, 0.7))
        most = fmin(most, fit_batches(cost, draw_log(d, 1.5, 6.0), 3));
    double words = draw_log(d, 1.0, fmax(1.0, fmin(most, size[draw_between(d, 0, 2)])));
    if (draw_chance(d, 0.3))
        words = beside(d, words, 32.0);
    else if (draw_chance(d, 0.2))
        words = beside(d, draw_chance(d, 0.5) ? 512.0 : 1024.0, 512.0);
    if (g[0] == 1)
        words = fmin(words, 560.0);
    if (g[0] > 131)
        words = fmin(words, 900.0);
    if (g[0] > 299)
        words = fmin(words, 60.0);
    random_case c = of_words(d, fmin(words, most));
    const int64_t fit = at_least(1, (int64_t)(most / (double)words_of(&c)));
    const int64_t wanted = draw_between(d, g[0], g[1]);
    set_groups(d, &c, wanted < fit ? wanted : fit);
    return c;
}

/* One group on all multiprocessors: threads have 1, 2 or 4 words, blocks 256 threads, and an H200
 * has room for 396 blocks, or 264 of 4 words. */
static random_case persistent(draw_dice *d, double cost)
{
    static const double edges[] = {256.0,       512.0,       1024.0,      256.0 * 132,
                                   256.0 * 396, 512.0 * 396, 1024.0 * 264};
    const double most = fmin(affordable(cost), 300000.0);
    double words = draw_log(d, 600.0, fmax(most, 1000.0));

    if (draw_chance(d, 0.3))
        words = beside(d, words, 256.0);
    else if (draw_chance(d, 0.3))
        words = fmin(edges[draw_between(d, 0, 6)], most) + (double)draw_between(d, -3, 3);
    random_case c = of_words(d, words);
    set_groups(d, &c, 1);
    return c;
}

/* Too large for the others: a few groups that no multiprocessor holds, or very many words. */
static random_case large(draw_dice *d, double cost)
{
    const double huge = 280000.0, most = affordable(cost);
    random_case c;

    if (most > huge && draw_chance(d, 0.15)) {
        c = of_words(d, draw_log(d, huge, fmin(most, 2.0 * huge)));
        set_groups(d, &c, 1);
        return c;
    }
    c = of_words(d, draw_log(d, 2100.0, fmax(2200.0, fmin(most / 2.0, 40000.0))));
    const int64_t fit = (int64_t)(most / (double)words_of(&c));
    set_groups(d, &c, fit > 2 ? draw_between(d, 2, fit < 40 ? fit : 40) : 2);
    return c;
}

static random_case general(draw_dice *d, double cost)
{
    return of_anything(d, LATMC_ISING, 2.0, fmin(cost / 15.0, 4e6), 300);
}

/* In natural order, since one extent at least is odd; a row may end anywhere in a word. */
static random_case natural(draw_dice *d, double cost)
{
    random_case c = of_anything(d, LATMC_ISING, 6.0, fmin(cost / 15.0, 4e6), 40);

    if (c.dims == 1)
        c = case_new(LATMC_ISING, 2, (const int64_t[]){c.extents[0], draw_between(d, 2, 9)});
    c.extents[draw_between(d, 0, c.dims - 1)] |= 1;
    return c;
}

/* What is refused, the cut-off on extents of 2 and tiles on closed axes of fewer than 4 sites, is
 * not to happen too often. */
static random_case widened(draw_dice *d, random_case c, int64_t least)
{
    for (int a = 0; a < c.dims; a++)
        if (c.extents[a] < least && draw_chance(d, 0.9))
            c.extents[a] = least + draw_between(d, 0, 3);
    return c;
}

/* Some of 16 MB and more, which CPUs sweep in another way (backends/cpu/field/sweep.c). */
static random_case colours(draw_dice *d, double cost)
{
    const double most = fmin(cost / 70.0, 8e6), large = 4.2e6;

    if (most > large && draw_chance(d, 0.4))
        return widened(d, of_anything(d, LATMC_PHI4, large, most, 1), 3);
    return widened(d, of_anything(d, LATMC_PHI4, 2.0, most, 300), draw_chance(d, 0.7) ? 3 : 2);
}

static random_case tiles(draw_dice *d, double cost)
{
    return widened(d, of_anything(d, LATMC_PHI4, 8.0, fmin(cost / 100.0, 1e6), 300), 4);
}

/* Some of 16 MB and more. */
static random_case vectors(draw_dice *d, double cost)
{
    const double most = fmin(cost / 90.0, 4e6), large = 2.1e6;

    if (most > large && draw_chance(d, 0.3))
        return of_anything(d, LATMC_ONVECTOR, large, most, 1);
    return of_anything(d, LATMC_ONVECTOR, 2.0, most, 300);
}

/* A block for each group, of a thread for each word: up to 512 and up to 1024. As many groups as a
 * multiprocessor or two have, or as the device has several times. */
static random_case alone(draw_dice *d, double cost)
{
    static const int64_t groups[][2] = {{1, 3}, {4, 131}, {132, 600}, {600, 2000}};
    const int64_t *g = groups[draw_between(d, 0, 3)];
    const double most = fmin(affordable(cost), 4e5);
    double words = draw_log(d, 1.0, fmax(1.0, fmin(most / (double)g[0], 1100.0)));

    if (draw_chance(d, 0.3))
        words = beside(d, words, 32.0);
    random_case c = of_words(d, words);
    const int64_t fit = at_least(1, (int64_t)(most / (double)words_of(&c)));
    const int64_t wanted = draw_between(d, g[0], g[1]);
    set_groups(d, &c, wanted < fit ? wanted : fit);
    return c;
}

static random_case spins(draw_dice *d, double cost)
{
    return of_anything(d, LATMC_ISING, 2.0, fmin(cost / 60.0, 4e6), 300);
}

static random_case states(draw_dice *d, double cost)
{
    return of_anything(d, LATMC_POTTS, 2.0, fmin(cost / 90.0, 4e6), 300);
}

static random_case clocks(draw_dice *d, double cost)
{
    return of_anything(d, LATMC_CLOCK, 2.0, fmin(cost / 150.0, 4e6), 300);
}

static random_case three_spins(draw_dice *d, double cost)
{
    return of_anything(d, LATMC_BLUME_CAPEL, 2.0, fmin(cost / 90.0, 4e6), 300);
}

/* Seldom one that is refused: of another dimension, or too short. */
static random_case cells(draw_dice *d, double cost)
{
    random_case c = of_anything(d, LATMC_AUTOMATON, 9.0, fmin(cost / 3.0, 2e7), 300);

    if (c.dims == 2)
        return widened(d, c, 3);
    while (c.dims > 2 && draw_chance(d, 0.99))
        c.extents[1] *= c.extents[--c.dims];
    if (c.dims == 1 && draw_chance(d, 0.98))
        c = case_new(LATMC_AUTOMATON, 2, (const int64_t[]){c.extents[0], draw_between(d, 3, 40)});
    return widened(d, c, 3);
}

random_case draw_shape(draw_dice *d, draw_kind kind, double cost)
{
    static random_case (*const of[DRAW_KINDS])(draw_dice *, double) = {
        [DRAW_GENERAL] = general,   [DRAW_LARGE] = large,      [DRAW_PERSISTENT] = persistent,
        [DRAW_RESIDENT] = resident, [DRAW_COLOURS] = colours,  [DRAW_TILES] = tiles,
        [DRAW_VECTORS] = vectors,   [DRAW_SPINS] = spins,      [DRAW_ALONE] = alone,
        [DRAW_POTTS] = states,      [DRAW_GENERATION] = cells, [DRAW_CAPEL] = three_spins,
        [DRAW_NATURAL] = natural,   [DRAW_CLOCK] = clocks,
    };
    random_case c = of[kind](d, cost);

    if (draw_chance(d, 0.4)) /* the last ones, or anywhere; a word can begin with others */
        c.first = draw_chance(d, 0.2) ? 65536 - c.replicas : draw_between(d, 1, 70);
    return c;
}

int64_t draw_batch(const random_case *c, draw_kind kind)
{
    if (kind != DRAW_RESIDENT)
        return 1;
    const int64_t pack = pack_of(c), groups = (c->replicas + pack - 1) / pack;
    const double halves = outcome_words / (double)(words_of(c) * groups * c->dims);

    return at_least(1, (int64_t)(fmin(halves, MOST_HALVES) / 2.0));
}
