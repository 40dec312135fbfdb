/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file random.h
 * @brief The library's random numbers, for every program.
 *
 * This header is a section of latmc.h, which includes it. The numbers come from the generator of
 * the lattices, Philox4x32-10, with other counters. No lattice ever uses one of these numbers. The
 * functions need no lattice.
 */
#ifndef LATMC_RANDOM_H
#define LATMC_RANDOM_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of numbers that latmc_random_fill() makes. */
typedef enum latmc_random_kind {
    LATMC_RANDOM_WORDS = 251,          /**< uint32_t: 32 random bits each */
    LATMC_RANDOM_UNIFORM_FLOAT = 252,  /**< float, uniform in (0, 1): odd multiples of 2^-24 */
    LATMC_RANDOM_UNIFORM_DOUBLE = 253, /**< double, uniform in (0, 1): odd multiples of 2^-53 */
    /** float, Gaussian with mean 0 and variance 1. No number exceeds 7.45 in magnitude; a true
     *  Gaussian does so once in 10^13 times. */
    LATMC_RANDOM_GAUSSIAN_FLOAT = 254,
    /** double, Gaussian with mean 0 and variance 1. No number exceeds 8.58 in magnitude; a true
     *  Gaussian does so once in 10^17 times. */
    LATMC_RANDOM_GAUSSIAN_DOUBLE = 255
} latmc_random_kind;

/** Which numbers latmc_random_fill() makes, and where. The caller sets `size` and what it needs. */
typedef struct latmc_random_request {
    size_t size; /**< sizeof(latmc_random_request) as the caller was compiled */
    /** The one device whose memory the numbers go to. "cpu", or one of its lanes such as
     *  "cpu:avx2", is for host memory. A GPU, such as "cuda:0", is for its own memory or managed
     *  memory. "auto" names no device, and is refused. */
    const char *device;
    /** Number of host threads, >= 0. With 0 the library takes as many as are worth while within its
     *  usual limits (latmc_set_threads()). It has no effect on a GPU. */
    int64_t threads;
    int32_t kind;     /**< ::latmc_random_kind */
    int32_t reserved; /**< 0 */
    uint64_t seed;    /**< any 64 bits */
    uint64_t stream;  /**< below 2^56 */
    int64_t first;    /**< number of the first element in the stream, >= 0 */
    int64_t count;    /**< number of elements, >= 0; first + count is at most 2^63 - 1 */
} latmc_random_request;

/** Fills an array with the numbers `first`, `first` + 1, .. of a stream. Number i depends on the
 *  seed, the stream, the kind and i alone. It is the same in every bit on every device
 *  (doc/trajectory.md, "Public streams"). So a fill can be cut in any way, and its pieces made in
 *  any order and on any devices. Each pair of seed and stream is a sequence independent of all
 *  others. Different kinds of numbers in one stream are made from the same bits. Use another stream
 *  for each kind.
 *
 *  The calling thread waits until the numbers are there. On a GPU they are made after earlier work
 *  in its default stream. They are also made after earlier work in streams that wait for the
 *  default stream. Any number of threads may call the function at the same time.
 *  @param[out] numbers `count` elements of the type that `kind` names, aligned for it. NULL is
 *         allowed if `count` is 0. The function returns ::LATMC_ERROR_ARGUMENT if the memory
 *         belongs to another device; not every such pointer can be recognised. If a GPU fails
 *         during the fill, some elements may be written */
LATMC_API LATMC_CHECKED latmc_status latmc_random_fill(const latmc_random_request *request,
                                                       void *numbers);

#ifdef __cplusplus
}
#endif

#endif
