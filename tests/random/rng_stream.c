/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rng_stream MODE [SEED]: the random numbers of the Ising update in the order in which it
 * consumes them, 32 bits each, to stdout until that is closed. For tests/random/rng.sh.
 *   site    u of one site of a 256 x 256 lattice, sweep after sweep
 *   across  u of all its sites, in the order of one sweep, then of the next
 *   planes  the words themselves
 */
#include "lib/physics/lane_one.h"

#include "lib/physics/philox.h"

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

static const struct mode {
    const char *name;
    int (*piece)(const lm_keys *keys, uint64_t number);
} modes[] = {{"site", site}, {"across", across}, {"planes", planes}};

int main(int count, char **argument)
{
    const lm_keys keys = lm_keys_of(count > 2 ? strtoull(argument[2], NULL, 0) : 1);
    for (size_t m = 0; count > 1 && m < sizeof modes / sizeof modes[0]; m++) {
        if (strcmp(argument[1], modes[m].name) != 0)
            continue;
        for (uint64_t n = 0; modes[m].piece(&keys, n);)
            n++;
        return 0;
    }
    fprintf(stderr, "usage: rng_stream site|across|planes [SEED]\n");
    return 2;
}
