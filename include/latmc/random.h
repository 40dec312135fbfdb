/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file random.h
 * @brief The library's random numbers for everyone; a section of latmc.h, which includes it.
 *
 * The numbers are those of the generator that lattices use, Philox4x32-10, with counters of their
 * own: no lattice ever takes one of them. They need no lattice.
 */
#ifndef LATMC_RANDOM_H
#define LATMC_RANDOM_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What latmc_random_fill() makes. */
typedef enum latmc_random {
    LATMC_RANDOM_WORDS = 251,          /**< uint32_t: 32 random bits each */
    LATMC_RANDOM_UNIFORM_FLOAT = 252,  /**< float, uniform in (0, 1): odd multiples of 2^-24,
                                          never 0 nor 1 */
    LATMC_RANDOM_UNIFORM_DOUBLE = 253, /**< double, uniform in (0, 1): odd multiples of 2^-53 */
    LATMC_RANDOM_GAUSSIAN_FLOAT = 254, /**< float, Gaussian with mean 0 and variance 1; none is
                                          beyond 7.45 in magnitude, where a true Gaussian is once
                                          in 10^13 times */
    LATMC_RANDOM_GAUSSIAN_DOUBLE = 255 /**< double, Gaussian with mean 0 and variance 1; none is
                                          beyond 8.58, where a true Gaussian is once in 10^17
                                          times */
} latmc_random;

/** Fill an array with numbers `first`, `first` + 1, .. of a stream. Number i is a function of the
 *  seed, the stream, what is made and i alone, the same in every bit on every device
 *  (doc/trajectory.md, "Public streams"): however a fill is cut, in whatever order the pieces are
 *  made, and on whichever devices, the numbers are the same. Each pair of a seed and a stream is a
 *  sequence independent of all others. Of one stream different kinds of numbers are made of the
 * same bits: take another stream for each.
 *
 *  The calling thread waits until the numbers are there. On a GPU they come after what has been
 *  queued before in its default stream, and streams that wait for that one. May be called from any
 *  number of threads at a time.
 *
 *  @param device the name of one device whose memory `numbers` is: "cpu" or one of its lanes, such
 *         as "cpu:avx2", for memory of the host; a GPU, such as "cuda:0", for its own memory or
 *         managed memory. "auto" is no answer to that and refused
 *  @param threads of the host, >= 0; 0 is as many as are worth while and the library's usual limits
 *         allow (latmc_set_threads()); of no effect on a GPU
 *  @param seed any
 *  @param stream below 2^56
 *  @param first number of the first one in the stream, >= 0
 *  @param count how many, >= 0; first + count at most 2^63 - 1
 *  @param[out] numbers `count` of the type that `kind` says, aligned as such. NULL is allowed if
 *         `count` is 0. If a GPU fails in the middle of it some may have been written */
LATMC_API LATMC_CHECKED latmc_status latmc_random_fill(const char *device, int threads,
                                                       latmc_random kind, uint64_t seed,
                                                       uint64_t stream, int64_t first,
                                                       int64_t count, void *numbers);

#ifdef __cplusplus
}
#endif

#endif
