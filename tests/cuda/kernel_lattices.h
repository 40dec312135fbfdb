/* SPDX-License-Identifier: BSD-3-Clause */
/* The lattices that test_kernels.c forces each kernel upon. */
#ifndef LM_TESTS_KERNEL_LATTICES_H
#define LM_TESTS_KERNEL_LATTICES_H

#include <stdint.h>

typedef struct lattice {
    int dims;
    int64_t extents[4];
    int64_t first, replicas;
    int64_t sweeps; /* before RECORDS measurements, */
    int64_t every;  /* each of which follows so many */
} lattice;

static const lattice lattices[] = {
    {1, {640}, 0, 1, 5, 2},
    {2, {64, 64}, 0, 1, 5, 2},
    {2, {256, 10}, 0, 1, 5, 2},
    {3, {16, 6, 10}, 0, 1, 5, 2},
    {3, {66, 4, 6}, 0, 1, 5, 2},
    {4, {8, 4, 2, 6}, 0, 1, 5, 2},
    {1, {2}, 0, 70, 5, 2},
    {1, {64}, 0, 3, 5, 2},
    {1, {100000}, 0, 2, 5, 2},
    {2, {2, 2}, 5, 40, 5, 2},
    {2, {4, 6}, 0, 33, 5, 2},
    {2, {16, 30}, 3, 9, 5, 2},
    {2, {64, 64}, 0, 45, 5, 2},
    {2, {62, 2}, 0, 4, 5, 2},
    {2, {66, 18}, 0, 5, 5, 2},
    {2, {128, 130}, 0, 2, 5, 2},
    {2, {1000, 1002}, 0, 1, 5, 2},
    {2, {2048, 2046}, 0, 1, 5, 2},
    {2, {4096, 514}, 0, 1, 5, 2},
    {3, {2, 2, 2}, 0, 64, 5, 2},
    {3, {4, 4, 4}, 1, 100, 5, 2},
    {3, {24, 24, 24}, 0, 64, 5, 2},
    {3, {34, 6, 10}, 0, 3, 5, 2},
    {3, {128, 128, 128}, 0, 1, 5, 2},
    {3, {256, 22, 18}, 0, 1, 5, 2},
    {4, {4, 4, 4, 4}, 0, 20, 5, 2},
    {4, {66, 2, 6, 4}, 0, 2, 5, 2},
    {4, {32, 16, 16, 18}, 0, 1, 5, 2},
    /* Words of a sublattice about a warp, a block of 256 threads and one of 512, and two of those;
     * with one word to a row there are as many as rows. */
    {2, {64, 30}, 0, 2, 40, 11},
    {2, {64, 32}, 0, 2, 40, 11},
    {2, {64, 34}, 0, 2, 40, 11},
    {2, {64, 254}, 0, 1, 40, 11},
    {2, {64, 256}, 0, 1, 40, 11},
    {2, {64, 258}, 0, 1, 40, 11},
    {2, {64, 510}, 0, 2, 40, 11},
    {2, {130, 170}, 0, 2, 40, 11},
    {2, {64, 512}, 0, 2, 40, 11},
    {2, {64, 514}, 0, 2, 40, 11},
    {2, {64, 1022}, 0, 2, 40, 11},
    {2, {64, 1024}, 0, 2, 40, 11},
    {2, {64, 1026}, 0, 2, 40, 11},
    /* Half sweeps about the 512 that a ration of the resident kernel has at most, */
    {2, {64, 64}, 0, 1, 255, 256},
    {2, {64, 64}, 0, 3, 256, 257},
    {2, {64, 62}, 0, 3, 257, 85},
    {3, {16, 8, 8}, 0, 9, 1025, 513},
    {4, {8, 4, 6, 4}, 0, 40, 600, 1},
    /* and rations that the outcomes' memory makes shorter. */
    {2, {64, 64}, 0, 45, 82, 242},
    {2, {66, 512}, 0, 64, 82, 81},
    {2, {258, 100}, 0, 64, 82, 181},
    {2, {258, 100}, 0, 133, 82, 11},
    {3, {10, 22, 64}, 0, 100, 82, 81},
    /* Patches of the large kernel, of one word and of four, about a block of 256 threads; and about
     * the most blocks of 1024 threads that measure. */
    {2, {64, 1018}, 0, 2, 5, 2},
    {2, {64, 1020}, 0, 2, 5, 2},
    {2, {64, 1028}, 0, 2, 5, 2},
    {2, {256, 510}, 0, 2, 5, 2},
    {2, {256, 512}, 0, 2, 5, 2},
    {2, {256, 514}, 0, 2, 5, 2},
    /* Rows of whole fours of words, which the kernel lines has: one, an odd and an even number of
     * them, planes of one row, blocks of which a part is idle, several groups. */
    {2, {256, 2}, 0, 1, 5, 2},
    {2, {256, 4}, 0, 3, 5, 2},
    {2, {256, 30}, 0, 1, 5, 2},
    {2, {512, 2}, 0, 2, 5, 2},
    {2, {512, 6}, 0, 1, 5, 2},
    {2, {512, 258}, 0, 1, 5, 2},
    {2, {768, 2}, 0, 1, 5, 2},
    {2, {768, 10}, 5, 2, 5, 2},
    {2, {1024, 4}, 0, 1, 5, 2},
    {2, {1024, 126}, 0, 3, 5, 2},
    {2, {1280, 34}, 0, 1, 5, 2},
    {2, {2304, 18}, 0, 1, 5, 2},
    {2, {8192, 4}, 0, 1, 5, 2},
    {3, {256, 2, 2}, 0, 1, 5, 2},
    {3, {256, 2, 6}, 0, 3, 5, 2},
    {3, {256, 6, 2}, 0, 1, 5, 2},
    {3, {256, 4, 10}, 7, 2, 5, 2},
    {3, {512, 2, 4}, 0, 1, 5, 2},
    {3, {768, 6, 10}, 0, 1, 5, 2},
    {3, {1024, 10, 6}, 0, 1, 5, 2},
    {4, {256, 2, 2, 2}, 0, 1, 5, 2},
    {4, {256, 2, 4, 6}, 0, 2, 5, 2},
    {4, {256, 6, 2, 4}, 0, 1, 5, 2},
    {4, {512, 4, 6, 2}, 0, 1, 5, 2},
    {4, {768, 2, 2, 4}, 0, 3, 5, 2},
    {2, {64, 132 * 4096 - 2}, 0, 1, 1, 1},
    {2, {64, 132 * 4096 + 2}, 0, 1, 1, 1},
    /* Sizes whose words do not fill the persistent kernel's threads. */
    {2, {4096, 4098}, 0, 1, 9, 1},
    {2, {4000, 4000}, 0, 1, 9, 1},
    {2, {3000, 2000}, 0, 1, 9, 3},
    {2, {2048, 1836}, 0, 1, 9, 3},
    {4, {64, 42, 64, 76}, 0, 1, 9, 1},
    /* Natural order: three colours; columns of four rows and of
     * eight, of which the last ends early; ends of rows in a word of their own. */
    {2, {3, 3}, 2, 40, 5, 2},
    {2, {7, 9}, 3, 21, 5, 2},
    {2, {63, 17}, 0, 5, 5, 2},
    {2, {64, 33}, 0, 2, 5, 2},
    {2, {65, 30}, 0, 1, 5, 2},
    {2, {33, 1030}, 0, 2, 5, 2},
    {2, {127, 131}, 0, 3, 40, 11},
    {2, {1001, 999}, 0, 1, 5, 2},
    {2, {4095, 1026}, 0, 1, 5, 2},
    {2, {8191, 8191}, 0, 1, 3, 1},
    {3, {9, 5, 7}, 1, 20, 5, 2},
    {3, {33, 6, 5}, 0, 2, 5, 2},
    {3, {6, 34, 37}, 0, 11, 5, 2},
    {3, {129, 65, 33}, 0, 1, 5, 2},
    {4, {5, 4, 3, 6}, 0, 7, 5, 2},
    {4, {37, 6, 3, 5}, 0, 2, 5, 2},
    {2, {2, 3}, 0, 50, 5, 2},
    {2, {31, 33}, 0, 4, 40, 11},
    {2, {32, 35}, 0, 3, 5, 2},
    {2, {96, 7}, 0, 1, 5, 2},
    {2, {129, 4}, 0, 2, 5, 2},
    {2, {513, 511}, 0, 1, 5, 2},
    {2, {2049, 257}, 0, 2, 5, 2},
    {3, {2, 3, 2}, 0, 35, 5, 2},
    {3, {32, 3, 4}, 0, 2, 5, 2},
    {3, {65, 33, 3}, 0, 3, 5, 2},
    {3, {70, 9, 17}, 0, 1, 40, 11},
    {4, {3, 2, 2, 2}, 0, 33, 5, 2},
    {4, {33, 33, 4, 3}, 0, 1, 5, 2},
    {4, {64, 3, 2, 5}, 0, 2, 5, 2},
};

/*
 * Edges that depend on the number of multiprocessors: of groups, because the resident kernel has
 * that many walkers; of words, because the persistent kernel's blocks have 256 threads, of which a
 * multiprocessor holds 2 or 3 at once, and its threads 1, 2 or 4 words.
 */
enum { EDGES = 2 * 3 + 3 * 2 * 3 };

static void make_edges(int64_t processors, lattice *l)
{
    for (int turns = 1; turns <= 2; turns++)
        for (int by = -1; by <= 1; by++)
            *l++ = (lattice){2, {64, 34}, 0, turns * processors + by, 500, 7};
    for (int words = 1; words <= 4; words *= 2)
        for (int blocks = 2; blocks <= 3; blocks++)
            for (int by = -2; by <= 2; by += 2)
                *l++ = (lattice){
                    2, {64, 256 * words * blocks * processors + by}, 0, 1, words > 1 ? 5 : 20, 1};
}

#endif
