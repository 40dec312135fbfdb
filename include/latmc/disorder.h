/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file disorder.h
 * @brief Couplings of bonds and fields of sites, given or drawn, and samples of them.
 *
 * This header is a section of latmc.h, which includes it. The rules of latmc.h hold here, too. The
 * coupling of a bond is the coupling of its type, times its own one. The field of a site is the
 * parameter ::LATMC_FIELD plus its own one. latmc_description::has_couplings and
 * latmc_description::has_site_fields say which models have them. Calls for other models return
 * ::LATMC_ERROR_UNKNOWN.
 */
#ifndef LATMC_DISORDER_H
#define LATMC_DISORDER_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ samples */

/** Divides the replicas into `samples` equal groups of consecutive replicas, one per disorder
 *  sample. Each sample has its own couplings and site fields. So one lattice can average over
 *  disorder. The preset is 1 sample, with number 0. Group j has sample number first + j. What is
 *  drawn for a sample depends on its number alone, so an ensemble can be divided over several
 *  lattices. Slots are divided among samples as replicas are. Several samples may take more memory
 *  on a device than the sites do.
 *
 *  The function returns ::LATMC_ERROR_UNKNOWN if the model has neither couplings nor site fields.
 *  It returns ::LATMC_ERROR_STATE after latmc_start(). Couplings or site fields that were given
 *  belong to their number of samples. While they are set, another number is ::LATMC_ERROR_STATE.
 *  @param samples >= 1, a divisor of the number of replicas
 *  @param first >= 0. first + samples is limited as the replicas of an ensemble are
 *         (latmc_set_first_replica()) */
LATMC_API LATMC_CHECKED latmc_status latmc_set_samples(latmc_lattice *lattice, int64_t samples,
                                                       int64_t first);

/* --------------------------------------------------------------- couplings */

/** Sets the coupling of all bonds of each type, in units of energy. On a hypercubic lattice these
 *  are the couplings along the axes. The preset is 1. The call is allowed between sweeps. It is
 *  ::LATMC_ERROR_UNKNOWN if the model's bonds have no couplings.
 *  @param couplings T numbers (latmc_lattice_info::bond_types), each at most 1e30 in magnitude, or
 *         1e6 if the bonds' own couplings are real numbers */
LATMC_API LATMC_CHECKED latmc_status latmc_set_bond_type_couplings(latmc_lattice *lattice,
                                                                   const double *couplings);

/** Reads the coupling of each bond type: T numbers. The function returns ::LATMC_ERROR_UNKNOWN if
 *  the model's bonds have no couplings. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_bond_type_couplings(const latmc_lattice *lattice,
                                                                   double *couplings);

/** Sets each bond's own coupling, for each sample (latmc_set_samples()). With C cells,
 *  couplings[(j * T + type) * C + cell] is on sample j's bond of that type in that cell. On a
 *  hypercubic lattice this bond joins site `cell` to its neighbour one step up along axis `type`.
 *  NULL sets all couplings to +1 again. An Ising spin takes one bit if each coupling is -1, 0 (no
 *  bond) or +1 and sites have no own fields. Sweeps are then fastest. Otherwise a spin takes a
 *  byte. The function returns ::LATMC_ERROR_STATE after latmc_start(), and ::LATMC_ERROR_UNKNOWN if
 *  the model's bonds have no couplings.
 *  @param couplings samples x T x C numbers, finite and at most 1e6 in magnitude */
LATMC_API LATMC_CHECKED latmc_status latmc_set_bond_couplings(latmc_lattice *lattice,
                                                              const double *couplings);

/** Draws each bond's own coupling from a distribution, for each sample. The couplings are a pure
 *  function of `seed`, the sample's number (latmc_set_samples()) and the arguments. `seed` is
 *  independent of the lattice's own seed. Real numbers are rounded to the sites' type where they
 *  are used, not here. The function returns ::LATMC_ERROR_STATE after latmc_start().
 *  @param distribution a distribution of the model; any other is ::LATMC_ERROR_UNKNOWN
 *  @param argument_count arguments given, 0 or more; all others have their presets
 *  @param arguments the arguments, each at most once. An argument that the distribution lacks is
 *         ::LATMC_ERROR_UNKNOWN. NULL if there are none
 *  @param values the arguments' values, in the range that latmc_describe() gives. NULL if there
 *         are none */
LATMC_API LATMC_CHECKED latmc_status latmc_draw_bond_couplings(
    latmc_lattice *lattice, latmc_distribution distribution, uint64_t seed, int64_t argument_count,
    const latmc_argument *arguments, const double *values);

/** Reads each bond's own coupling of one sample, without the bond types' couplings and the
 *  boundaries' signs.
 *  @param sample 0 to samples - 1; the first sample is always 0 here (latmc_set_samples())
 *  @param[out] couplings T x C numbers, couplings[type * C + cell] */
LATMC_API LATMC_CHECKED latmc_status latmc_get_bond_couplings(const latmc_lattice *lattice,
                                                              int64_t sample, double *couplings);

/* -------------------------------------------------------------- site fields */

/** Sets each site's own field, for each sample, in units of energy. It adds to a uniform field.
 *  fields[j * N + site] belongs to sample j. The array has samples x N numbers, finite and at most
 *  1e6 in magnitude. NULL sets all site fields to 0 again. The function returns
 *  ::LATMC_ERROR_UNKNOWN if the model's sites have no fields. It returns ::LATMC_ERROR_STATE after
 *  latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_site_fields(latmc_lattice *lattice,
                                                           const double *fields);

/** Draws each site's field, for each sample, as latmc_draw_bond_couplings() draws couplings. Site
 *  fields and couplings are independent even with equal seeds. */
LATMC_API LATMC_CHECKED latmc_status latmc_draw_site_fields(latmc_lattice *lattice,
                                                            latmc_distribution distribution,
                                                            uint64_t seed, int64_t argument_count,
                                                            const latmc_argument *arguments,
                                                            const double *values);

/** Reads each site's field of one sample.
 *  @param sample 0 to samples - 1; the first sample is always 0 here
 *  @param[out] fields N numbers */
LATMC_API LATMC_CHECKED latmc_status latmc_get_site_fields(const latmc_lattice *lattice,
                                                           int64_t sample, double *fields);

/* ------------------------------------------------------------------ origins */

/** How the bonds' own couplings, or the sites' own fields, were set. */
typedef enum latmc_origin {
    LATMC_ORIGIN_UNIFORM = 851, /**< couplings are all +1, fields 0 */
    LATMC_ORIGIN_GIVEN = 852,   /**< latmc_set_bond_couplings(), latmc_set_site_fields() */
    LATMC_ORIGIN_DRAWN = 853    /**< latmc_draw_bond_couplings(), latmc_draw_site_fields() */
} latmc_origin;

/** The largest number of arguments of a distribution. */
#define LATMC_MAX_ARGUMENTS 8

/** The origin of couplings or site fields. The caller sets `size` to sizeof(latmc_disorder_info)
 *  before the call. */
typedef struct latmc_disorder_info {
    size_t size;            /**< sizeof(latmc_disorder_info) as the caller was compiled */
    int32_t origin;         /**< ::latmc_origin */
    int32_t distribution;   /**< ::latmc_distribution if they were drawn, otherwise 0 */
    uint64_t seed;          /**< seed of the draw if they were drawn, otherwise 0 */
    int64_t argument_count; /**< number of arguments that the distribution has, otherwise 0 */
    int32_t arguments[LATMC_MAX_ARGUMENTS]; /**< the ::latmc_argument of each, then 0 */
    double values[LATMC_MAX_ARGUMENTS];     /**< their values, then 0 */
} latmc_disorder_info;

/** Reads how the bonds' own couplings were set. The function returns ::LATMC_ERROR_UNKNOWN if the
 *  model's bonds have no couplings. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_coupling_info(const latmc_lattice *lattice,
                                                             latmc_disorder_info *info);

/** Reads how the site fields were set. The function returns ::LATMC_ERROR_UNKNOWN if the model's
 *  sites have no fields. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_field_info(const latmc_lattice *lattice,
                                                          latmc_disorder_info *info);

#ifdef __cplusplus
}
#endif

#endif
