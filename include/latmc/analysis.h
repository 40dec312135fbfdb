/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file analysis.h
 * @brief Analysis of time series: means with errors, autocorrelation, derived quantities.
 *
 * This header is a section of latmc.h, which includes it. The rules of latmc.h hold here, too. No
 * function needs a lattice.
 */
#ifndef LATMC_ANALYSIS_H
#define LATMC_ANALYSIS_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A mean with its error. The caller sets `size` to sizeof(latmc_estimate) before the call. */
typedef struct latmc_estimate {
    size_t size;  /**< sizeof(latmc_estimate) as the caller was compiled */
    double value; /**< the mean, or the derived quantity */
    /** One standard error, autocorrelation included; NaN where the series does not show it. */
    double error;
    /** Integrated autocorrelation time in measurements: 1/2 + sum_{t>=1} rho(t), so 1/2 for
     *  independent measurements; NaN where it was not estimated. */
    double tau_int;
    double tau_error; /**< standard error of tau_int; NaN where it was not estimated */
    int64_t window;   /**< summation window of rho(t), or bin length, or number of blocks */
    /** latmc_analyse(): 0, or the length of the bins that show modes slower than the window. Then
     *  error and tau_int are those of the bins. */
    int64_t bin_length;
    int32_t too_short; /**< 1 if the series is too short for an error that can be trusted */
    int32_t reserved;  /**< 0 */
} latmc_estimate;

/** Estimates mean, error and tau_int by the Gamma method, and compares the result with bins.
 *
 *  The window is chosen automatically, with the paper's correction of the bias: U. Wolff, Comput.
 *  Phys. Commun. 156, 143 (2004), with S = 1.5. The window closes where most of the autocorrelation
 *  has decayed. A slow mode of small weight lies beyond the window.
 *
 *  So the series is also cut into 30, 42, .. 1280 bins of at least this length. The squared error
 *  is that of the bins' spread and of the covariance of neighbours. Its relative deviation from B
 *  bins is sqrt(6 / (B - 1)). The bins decide if their squared error exceeds the window's by 2.5
 *  deviations. Then error and tau_int are those of bins, and `bin_length` is the bins' length.
 *  doc/errors.md has the rule and its sources. A mode that the series hardly visits cannot be seen.
 *
 *  The decay of a series that alternates is taken from (-1)^t rho(t). The last rho(t) in its window
 *  counts half, so that the alternation is not in the sum.
 *
 *  The function sets `too_short` if
 *  - count < 100 tau_int, or no window was found, or
 *  - the series changes its value fewer than 20 times, or
 *  - longer bins might give a still larger error: the largest error is that of 30 or 42 bins, and
 *    its square exceeds the window's by 3 deviations, or
 *  - the series alternates, and is shorter than 50 windows.
 *
 *  Error and tau_int of a constant series are NaN, since the series does not show them.
 *  @param series `count` finite numbers
 *  @param count >= 2 */
LATMC_API LATMC_CHECKED latmc_status latmc_analyse(const double *series, int64_t count,
                                                   latmc_estimate *estimate);

/** Does what latmc_analyse() does, with another S.
 *  @param stretch S, 0.1 to 100: the assumed ratio of the exponential autocorrelation time to
 *         tau_int. A larger S makes a longer window, with less bias and more noise. */
LATMC_API LATMC_CHECKED latmc_status latmc_analyse_window(const double *series, int64_t count,
                                                          double stretch, latmc_estimate *estimate);

/** Computes the normalised autocorrelation function of a series, rho(t) = Gamma(t) / Gamma(0).
 *  Gamma(t) is the mean of (x_i - mean) (x_(i+t) - mean) over all count - t pairs. The bias is not
 *  corrected: each value is about 2 tau_int / count too low. The function of a constant series is
 *  NaN.
 *  @param lags number of values wanted, 1 to count / 2 + 1
 *  @param[out] rho rho(0) = 1 .. rho(lags - 1) */
LATMC_API LATMC_CHECKED latmc_status latmc_autocorrelation(const double *series, int64_t count,
                                                           int64_t lags, double *rho);

/** Estimates mean and error from the spread of bin means, with bins of `length` measurements. A
 *  last, incomplete bin is left out. The error has Student's factor, as that of latmc_average()
 *  has. The function sets `too_short` if there are fewer than 20 bins, or all bin means are equal.
 *  In the latter case the error is NaN.
 *  @param length >= 1; at least 2 whole bins must fit */
LATMC_API LATMC_CHECKED latmc_status latmc_binned(const double *series, int64_t count,
                                                  int64_t length, latmc_estimate *estimate);

/** Estimates mean and error of independent numbers, such as the means of disorder samples or of
 *  replicas. Replicas are not independent after latmc_copy_replicas(). The error is t s /
 *  sqrt(count). Here s^2 is the variance of the numbers, and t a quantile of Student's distribution
 *  with count - 1 degrees of freedom. The mean of Gaussian numbers is then within one error of the
 *  truth with probability 0.683, however few they are. The factor t is 1.84 for 2 numbers, 1.32 for
 *  3, and 1.03 for 20.
 *
 *  The function sets `too_short` for fewer than 20 numbers. Beyond one error their distribution has
 *  long tails: 6 % of the means of 3 numbers are more than 3 errors off. The spread of a few
 *  samples may also miss rare ones. The function sets `too_short` if all numbers are equal, and the
 *  error is then NaN. tau_int is NaN, and `window` is 1.
 *  @param values `count` finite numbers
 *  @param count >= 2 */
LATMC_API LATMC_CHECKED latmc_status latmc_average(const double *values, int64_t count,
                                                   latmc_estimate *estimate);

/** Tests whether several estimates of one number agree. It computes chi^2 of the values about their
 *  mean, with weights 1 / error^2. It also computes the probability that chance alone makes chi^2
 *  as large. Compare replicas with equal parameters, or a hot start with a cold one. At a
 *  first-order transition, or in a glass, each may stay in a valley of its own. No error of a
 *  single series shows that.
 *
 *  Estimates whose error is NaN or 0 are left out. Both results are NaN if fewer than 2 estimates
 *  are left. The probability is somewhat too small, because errors are estimates themselves. So use
 *  a limit such as 0.001.
 *  @param estimates `count` consecutive estimates, all with the same `size`
 *  @param count >= 1
 *  @param[out] chi2 NULL: not wanted
 *  @param[out] probability 0 to 1; NULL: not wanted */
LATMC_API LATMC_CHECKED latmc_status latmc_compare(const latmc_estimate *estimates, int64_t count,
                                                   double *chi2, double *probability);

/** A function that derives a quantity from means. longjmp() and exceptions must not leave it.
 *  @param means the means of the series, in the order of latmc_derivation::series */
typedef double (*latmc_derived)(const double *means, void *user);

/** A derived quantity, and the series that it is made of. The caller sets all members. */
typedef struct latmc_derivation {
    size_t size; /**< sizeof(latmc_derivation) as the caller was compiled */
    /** `series_count` pointers to `count` finite numbers each. Numbers with the same index belong
     *  to one measurement, or to one disorder sample. */
    const double *const *series;
    int64_t series_count;   /**< number of series, >= 1 */
    int64_t count;          /**< numbers of a series, >= 2 */
    int64_t blocks;         /**< latmc_jackknife(): blocks, 2 to `count`; otherwise 0 */
    latmc_derived function; /**< called in the caller's floating-point environment */
    void *user;             /**< given to the function */
} latmc_derivation;

/** Estimates a derived quantity with its jackknife error. The series are cut into `blocks` equal
 *  blocks, and a remainder at the end is left out. The quantity is evaluated with each block left
 *  out in turn. The bias of first order is removed from the value. The error has Student's factor.
 *  Value and error are not finite where the function is not finite. The error of constant series is
 *  NaN.
 *
 *  The jackknife is right if the function is nearly linear within the errors of the means. So the
 *  function is also evaluated with the means moved along the direction that changes it most. The
 *  means move by one and by two errors to either side. Each change, per error, should be 0.85 to
 *  1.15 times the quantity's error. Otherwise the function bends. A correlation length is an
 *  example: it is the square root of what may be 0. Then the bias is not removed, and the error is
 *  the largest of these changes.
 *
 *  The function sets `too_short` if
 *  - a block is shorter than 10 tau_int of any of the series, or there are fewer than 10 blocks, or
 *  - latmc_analyse() would set it for one of the series, or
 *  - the derived quantity does not change at all though a series does, or
 *  - rounding takes the digits: the last digits of the means, times `blocks`, change the quantity
 *    by more than a quarter of its error. Then the bias is not removed, either. */
LATMC_API LATMC_CHECKED latmc_status latmc_jackknife(const latmc_derivation *derivation,
                                                     latmc_estimate *estimate);

/** Does what latmc_jackknife() does, for independent numbers such as the means of disorder samples.
 *  Each number is a block, so `blocks` must be 0. Order and autocorrelation do not matter. The
 *  function sets `too_short` for fewer than 20 numbers, as latmc_average() does. It also sets it
 *  for the last two reasons of latmc_jackknife(). */
LATMC_API LATMC_CHECKED latmc_status latmc_average_derived(const latmc_derivation *derivation,
                                                           latmc_estimate *estimate);

/** What latmc_specific_heat() and the susceptibilities need. They return NaN if `user` is NULL, or
 *  if `size` is not sizeof(latmc_scale). */
typedef struct latmc_scale {
    size_t size;  /**< sizeof(latmc_scale) as the caller was compiled */
    double beta;  /**< inverse temperature */
    double sites; /**< N */
} latmc_scale;

/** Returns the specific heat C/N = beta^2 N (<e^2> - <e>^2); means = {<e>, <e^2>}, user =
 *  latmc_scale. At low temperature the difference loses its digits. A constant, such as the mean of
 *  the series, may be subtracted from each e before it is squared. The result does not change. */
LATMC_API double latmc_specific_heat(const double *means, void *user);

/** Returns the susceptibility chi = beta N (<m^2> - <|m|>^2); means = {<|m|>, <m^2>}, user =
 *  latmc_scale. For phi^4, beta is 1. A constant may be subtracted from each |m|, as from e in
 *  latmc_specific_heat(). */
LATMC_API double latmc_susceptibility(const double *means, void *user);

/** Returns the spin-glass susceptibility chi_SG = N <q^2> of the overlap q of two copies; means =
 *  {<q^2>}, user = latmc_scale, whose beta is not used. It diverges at a spin-glass transition
 *  (K. Binder and A. P. Young, Rev. Mod. Phys. 58, 801 (1986)). For vectors, the mean is <q_T^2>,
 *  the sum over mu, nu of <(q^mu,nu)^2>. With the overlap's structure factor the result is
 *  chi_SG(k), the susceptibility at momentum k. */
LATMC_API double latmc_spin_glass_susceptibility(const double *means, void *user);

/** Returns the Binder parameter U4 = 1 - <m^4> / (3 <m^2>^2); means = {<m^2>, <m^4>}. `user` is
 *  ignored. U4 is 2/3 in the ordered phase, and 1 - (n + 2) / (3 n) in the disordered one. Here n
 *  is the number of components of the order parameter. The latter value is 0 for n = 1 (Ising,
 *  Blume-Capel, phi^4), 1/3 for n = 2, and 4/9 for n = 3. Potts states have n = q - 1. */
LATMC_API double latmc_binder(const double *means, void *user);

/** What latmc_correlation_length() needs. The function returns NaN if `user` is NULL, or if `size`
 *  is not sizeof(latmc_momentum). */
typedef struct latmc_momentum {
    size_t size; /**< sizeof(latmc_momentum) as the caller was compiled */
    /** The momentum of the structure factor: 2 pi / L, and pi / L only for ::LATMC_STRUCTURE along
     *  an antiperiodic axis. Overlaps have 2 pi / L with every boundary. */
    double k;
} latmc_momentum;

/** Returns the second-moment correlation length xi = sqrt(max(0, m2 / f - 1)) / (2 sin(k / 2));
 *  means = {m2, f}, user = latmc_momentum. Here f is the structure factor at the smallest momentum
 *  k of an axis. */
LATMC_API double latmc_correlation_length(const double *means, void *user);

/** Proposes values of a parameter, such as beta, at which neighbouring slots exchange equally
 *  often. It needs the acceptances of a ladder that was tried, and no lattice.
 *
 *  A pair of slots with acceptance A is taken to have a distance x, where A = erfc(x / 2). This
 *  holds where energies are Gaussian: x is then the difference of beta times the energy's width.
 *  Distances add up to X. A monotone cubic between the measured values cuts X into equal parts. The
 *  acceptance of n slots will be about erfc(X / (2 (n - 1))). If the ladder was far from even, or
 *  hardly measured, propose, measure and propose again. doc/tempering.md has the sources.
 *  @param count measured values, >= 2
 *  @param values at most 1e300 in magnitude, rising or falling from first to last. The first and
 *         the last value are the ends of the proposal
 *  @param acceptance count - 1 numbers from 0 to 1; number k belongs to values k and k + 1. Such a
 *         number is accepted / offered of latmc_get_exchange_counts(), summed over all samples.
 *         Values are clamped to [1e-6, 1 - 1e-6]
 *  @param slots values wanted, >= 2
 *  @param[out] ladder `slots` numbers, in the order of the values; may be `values` */
LATMC_API LATMC_CHECKED latmc_status latmc_propose_ladder(int64_t count, const double *values,
                                                          const double *acceptance, int64_t slots,
                                                          double *ladder);

#ifdef __cplusplus
}
#endif

#endif
