/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rng_stream MODE [SEED]: the random numbers of the Ising update in the order in which it
 * consumes them, 32 bits each, to stdout until that is closed. For tests/random/rng.sh.
 *   site    u of one site of a 256 x 256 lattice, sweep after sweep
 *   across  u of all its sites, in the order of one sweep, then of the next
 *   planes  the words themselves
 * and the public streams' numbers:
 *   words     words of a stream
 *   streams   word 0 of streams 0, 1, ..
 *   gaussian  floats of a stream, made uniform by the distribution function; 24 bits each
 *             of three and 8 of a fourth one
 */
#include "lib/physics/lane_one.h"

#include "lib/physics/philox.h"

#include <latmc/latmc.h>

#include "tests/fill.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 256, WIDTH = 4, WORDS = ROWS * WIDTH, DRAWS = 8 };
enum { SITE_WORD = 517, SITE_BIT = 13, SITES_STEPS = 4096 };

/* The 32 words of random bits of one word of sites: bit k of all u, the highest first. */
static void draw(const lm_keys *keys, uint64_t step, uint32_t colour, uint64_t index,
                 uint32_t planes[32])
{
    const lm_stream stream = lm_stream_of(keys, LM_DOMAIN_UPDATE, step, 0, colour);
    for (uint32_t k = 0; k < DRAWS; k++)
        lm_random_words(&stream, index, k, planes + 4 * k);
}

static uint32_t uniform(const uint32_t planes[32], int bit)
{
    uint32_t u = 0;
    for (int k = 0; k < 32; k++)
        u = u << 1 | (planes[k] >> bit & 1);
    return u;
}

static int put(const uint32_t *numbers, size_t count)
{
    return fwrite(numbers, sizeof *numbers, count, stdout) == count;
}

static int site(const lm_keys *keys, uint64_t round)
{
    uint32_t u[SITES_STEPS], planes[32];
    for (int i = 0; i < SITES_STEPS; i++) {
        draw(keys, round * SITES_STEPS + (uint64_t)i, 0, SITE_WORD, planes);
        u[i] = uniform(planes, SITE_BIT);
    }
    return put(u, SITES_STEPS);
}

static int across(const lm_keys *keys, uint64_t sweep)
{
    uint32_t u[32], planes[32];
    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        draw(keys, sweep, i / WORDS, i % WORDS, planes);
        for (int bit = 0; bit < 32; bit++)
            u[bit] = uniform(planes, bit);
        if (!put(u, 32))
            return 0;
    }
    return 1;
}

static int planes(const lm_keys *keys, uint64_t sweep)
{
    uint32_t words[32];
    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        draw(keys, sweep, i / WORDS, i % WORDS, words);
        if (!put(words, 32))
            return 0;
    }
    return 1;
}

enum { PIECE = 65536 };

static uint64_t seed = 1;

static void fill(latmc_random_kind kind, uint64_t stream, int64_t first, int64_t count, void *to)
{
    if (random_fill("cpu", 1, kind, seed, stream, first, count, to)) {
        fprintf(stderr, "rng_stream: %s\n", latmc_error_message());
        exit(1);
    }
}

static int stream_words(const lm_keys *keys, uint64_t number)
{
    static uint32_t u[PIECE];
    (void)keys;
    fill(LATMC_RANDOM_WORDS, 0, (int64_t)(number * PIECE), PIECE, u);
    return put(u, PIECE);
}

static int streams(const lm_keys *keys, uint64_t number)
{
    static uint32_t u[PIECE];
    (void)keys;
    for (uint64_t i = 0; i < PIECE; i++)
        fill(LATMC_RANDOM_WORDS, number * PIECE + i, 0, 1, &u[i]);
    return put(u, PIECE);
}

/* A float near 0 has more bits than one far from it: 24 of the distribution function are right. */
static uint32_t upper_24(double z)
{
    const double p = 0.5 * erfc(-z / sqrt(2.0)) * 0x1p24;
    return p < 0x1p24 ? (uint32_t)p : 0xFFFFFFu;
}

static int gaussian(const lm_keys *keys, uint64_t number)
{
    static float z[4 * PIECE];
    static uint32_t u[3 * PIECE];
    (void)keys;
    fill(LATMC_RANDOM_GAUSSIAN_FLOAT, 0, (int64_t)(4 * number * PIECE), 4 * PIECE, z);
    for (int i = 0; i < PIECE; i++) {
        const uint32_t shared = upper_24(z[4 * i + 3]);
        for (int k = 0; k < 3; k++)
            u[3 * i + k] = upper_24(z[4 * i + k]) << 8 | (shared >> 8 * k & 0xFF);
    }
    return put(u, 3 * PIECE);
}

static const struct mode {
    const char *name;
    int (*piece)(const lm_keys *keys, uint64_t number);
} modes[] = {{"site", site},          {"across", across},   {"planes", planes},
             {"words", stream_words}, {"streams", streams}, {"gaussian", gaussian}};

int main(int count, char **argument)
{
    seed = count > 2 ? strtoull(argument[2], NULL, 0) : 1;
    const lm_keys keys = lm_keys_of(seed, 0);
    for (size_t m = 0; count > 1 && m < sizeof modes / sizeof modes[0]; m++) {
        if (strcmp(argument[1], modes[m].name) != 0)
            continue;
        for (uint64_t n = 0; modes[m].piece(&keys, n);)
            n++;
        return 0;
    }
    fprintf(stderr, "usage: rng_stream site|across|planes|words|streams|gaussian [SEED]\n");
    return 2;
}
