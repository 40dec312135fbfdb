/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The format of a saved lattice, version 2. All numbers are little-endian, two's
 * complement or IEEE 754; N is the number of sites, R of replicas.
 *
 *   offset bytes
 *        0     8  magic: 89 4c 41 54 4d 43 0a 1a (hexadecimal)
 *        8     4  format version: 2
 *       12     4  bytes of the header: 288
 *       16     8  bytes of the whole
 *       24     4  model: 1 Ising, 2 O(n) vectors, 100 phi^4
 *       28     4  dimensions
 *       32    32  extents, 1 beyond the dimensions
 *       64    16  boundaries: 1 periodic, 2 antiperiodic, 3 open; 0 beyond the dimensions
 *       80     8  R
 *       88     8  number of the first replica
 *       96     8  seed
 *      104     8  sweeps done
 *      112    32  couplings of the axes, 1 beyond the dimensions
 *      144     4  number P of the model's parameters
 *      148     4  zeros
 *      152    16  options of the model, in the order of its table, then zeros
 *      168     4  couplings of the bonds: 0 all +1, 1 given below, 2 drawn from the seed that
 * follows 172     4  their distribution: 1 pm1, 2 gaussian; 0 unless drawn 176     8  their seed, 0
 * unless drawn 184    32  arguments plus, missing, mean and width, 0 those that the distribution
 * lacks 216    48  fields of the sites, said likewise: 0 all 0, 1 given below, 2 drawn 264     8
 * number Q of samples of both 272     8  number of the first sample 280     8  XXH64 of the bytes 0
 * to 279 288        payload: 8 P R  parameters, in the order of the model's table, replica 0 first
 *           8 R  sites that the last sweep changed, an integer as a double
 *    Q dims * N  if couplings are given that are signs: -1, 0 or +1 as a byte,
 *                [sample][axis][site]
 *  8 Q dims * N  if couplings are given that are real numbers, likewise
 *         8 Q N  if fields of sites are given, [sample][site]
 *       R times  a replica's sites in natural order, the first in the lowest bit of the
 *                first byte, the last byte filled up with zeros
 *             8  XXH64 of all that stands before
 *
 * Version 1 was no release's, and is not read.
 *
 * The device, threads and the progress callback are not part of a saved lattice.
 */
#ifndef LM_HEADER_H
#define LM_HEADER_H

#include "lib/lattice.h"
#include "lib/stream.h"

enum { LM_MAGIC_BYTES = 8, LM_HEADER_BYTES = 288, LM_FORMAT_VERSION = 2 };

/* Numbers of models, boundaries and distributions are the format's own, not those of the
 * enumerators. */
typedef struct lm_header_disorder {
    int32_t kind, distribution;
    uint64_t seed;
    double arguments[LM_ARGUMENTS];
} lm_header_disorder;

typedef struct lm_header {
    uint64_t bytes;
    int32_t model, dims;
    int64_t extents[LATMC_MAX_DIMS];
    int32_t boundaries[LATMC_MAX_DIMS];
    int64_t replicas, first_replica;
    uint64_t seed;
    int64_t sweeps;
    double axis_couplings[LATMC_MAX_DIMS];
    int32_t params;
    int32_t options[LM_MAX_OPTIONS];
    lm_header_disorder disorder[LM_OWNERS];
    int64_t samples, first_sample;
} lm_header;

lm_header lm_header_of(const latmc_lattice *lattice);

/* The enumerators of the numbers that a header has; 0 for one that means nothing. */
latmc_model lm_header_model(const lm_header *header);
latmc_boundary lm_header_boundary(const lm_header *header, int axis);
latmc_distribution lm_header_distribution(const lm_header_disorder *disorder);

/* Bytes of a replica's sites, and of the whole, as saved. */
int64_t lm_saved_replica_bytes(const latmc_lattice *lattice);
uint64_t lm_saved_bytes(const latmc_lattice *lattice);

void lm_header_write(const lm_header *header, uint8_t bytes[LM_HEADER_BYTES]);

/* From the first `have` bytes of a saved lattice, or the reason why it is none. The
 * numbers are those that were written, not yet known to be possible. */
latmc_status lm_header_read(const lm_source *source, const uint8_t *bytes, size_t have,
                            lm_header *header);

#endif
