/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file disorder.h
 * @brief Couplings of bonds and fields of sites, given or drawn, and samples of them.
 *
 * A section of latmc.h, which includes it. What latmc.h says of all functions holds for these. The
 * coupling of all bonds along an axis is latmc_set_axis_couplings()'s, a uniform field a parameter.
 */
#ifndef LATMC_DISORDER_H
#define LATMC_DISORDER_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Divide the replicas in `samples` groups of replicas that follow each other, as many in each, of
 *  which each has couplings and site fields of its own: an average over disorder in one lattice.
 *  Preset: 1 sample, with number 0. Group j has sample number first + j, so that an ensemble can be
 *  divided over several lattices: what is drawn for a sample depends on its number and on no other.
 *  What a device keeps of several samples may be more memory than the sites take. For models that
 *  have couplings or site fields; others refuse (::LATMC_ERROR_UNKNOWN). Not after latmc_start();
 *  another number of samples not while some are given, which have theirs (::LATMC_ERROR_STATE).
 *  @param samples >= 1, a divisor of the number of replicas
 *  @param first >= 0; first + samples <= 65536 */
LATMC_API LATMC_CHECKED latmc_status latmc_set_samples(latmc_lattice *lattice, int64_t samples,
                                                       int64_t first);

/** Set the coupling of each bond, for each sample (latmc_set_samples()): samples times dims blocks
 *  of N numbers, couplings[(j * dims + axis) * N + site] on sample j's bond from `site` to its
 *  neighbour one step up along `axis`; each finite and at most 1e6 in magnitude. Ising: if each is
 *  -1, 0 or +1 (0: no bond) and sites have no fields of their own, a spin takes one bit and sweeps
 *  are fastest; otherwise a byte. NULL: all +1 again. Not after latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_bond_couplings(latmc_lattice *lattice,
                                                              const double *couplings);

/** Draw each bond's coupling from a distribution, for each sample: a pure function of `seed`, which
 *  is independent of the lattice's own seed, of the sample's number (latmc_set_samples()) and of
 *  the arguments. A real number is rounded to the sites' type where it is used, not here. Not after
 *  latmc_start().
 *  @param distribution one that the model has, or ::LATMC_ERROR_UNKNOWN
 *  @param count number of arguments that are given, 0 or more; others have their presets
 *  @param arguments which, each at most once; one that the distribution lacks is
 *         ::LATMC_ERROR_UNKNOWN. NULL if count is 0
 *  @param values theirs, in the range that latmc_describe() gives. NULL if count is 0 */
LATMC_API LATMC_CHECKED latmc_status latmc_draw_bond_couplings(latmc_lattice *lattice,
                                                               latmc_distribution distribution,
                                                               uint64_t seed, int count,
                                                               const latmc_argument *arguments,
                                                               const double *values);

/** Read each bond's coupling of one sample, without the axes' factors and the boundaries' signs.
 *  @param sample 0 to samples - 1, whatever the number of the first (latmc_set_samples())
 *  @param[out] couplings dims x N numbers, couplings[axis * N + site] */
LATMC_API LATMC_CHECKED latmc_status latmc_get_bond_couplings(const latmc_lattice *lattice,
                                                              int64_t sample, double *couplings);

/** Set the field of each site, in units of energy, which is added to a uniform one, for each
 *  sample: samples times N numbers, fields[j * N + site], finite and at most 1e6 in magnitude.
 *  NULL: all 0 again. For models whose sites have fields; others refuse (::LATMC_ERROR_UNKNOWN).
 *  Not after latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_site_fields(latmc_lattice *lattice,
                                                           const double *fields);

/** Draw each site's field, for each sample: as latmc_draw_bond_couplings() does couplings, and
 *  independent of these also where the seeds are equal. */
LATMC_API LATMC_CHECKED latmc_status latmc_draw_site_fields(latmc_lattice *lattice,
                                                            latmc_distribution distribution,
                                                            uint64_t seed, int count,
                                                            const latmc_argument *arguments,
                                                            const double *values);

/** Read each site's field of one sample.
 *  @param sample 0 to samples - 1, whatever the number of the first
 *  @param[out] fields N numbers */
LATMC_API LATMC_CHECKED latmc_status latmc_get_site_fields(const latmc_lattice *lattice,
                                                           int64_t sample, double *fields);

/** The most arguments that a distribution can have. */
#define LATMC_MAX_ARGUMENTS 8

/** How couplings or site fields came to be. Set `size` to sizeof(latmc_disorder_info) before the
 *  call. */
typedef struct latmc_disorder_info {
    size_t size;          /**< sizeof(latmc_disorder_info) as the caller was compiled */
    int32_t origin;       /**< ::latmc_origin */
    int32_t distribution; /**< ::latmc_distribution if they were drawn, otherwise 0 */
    uint64_t seed;        /**< that they were drawn from, otherwise 0 */
    int64_t samples;      /**< number of samples, 1 unless latmc_set_samples() was called */
    int64_t first_sample; /**< number of the first */
    int32_t count;        /**< number of arguments: all that the distribution has, otherwise 0 */
    int32_t reserved;     /**< 0 */
    int32_t arguments[LATMC_MAX_ARGUMENTS]; /**< ::latmc_argument of each of `count`, then 0 */
    double values[LATMC_MAX_ARGUMENTS];     /**< their values, then 0 */
} latmc_disorder_info;

/** Read how the bonds' couplings came to be. For models whose bonds have couplings; others refuse
 *  (::LATMC_ERROR_UNKNOWN). */
LATMC_API LATMC_CHECKED latmc_status latmc_get_bond_info(const latmc_lattice *lattice,
                                                         latmc_disorder_info *info);

/** The same of the sites' fields. For models whose sites have fields. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_site_field_info(const latmc_lattice *lattice,
                                                               latmc_disorder_info *info);

#ifdef __cplusplus
}
#endif

#endif
