/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file analysis.h
 * @brief Analysis of time series: means with errors, autocorrelation, derived quantities.
 *
 * A section of latmc.h, which includes it. What latmc.h says of all functions holds for
 * these. None but latmc_check_record() needs a lattice.
 */
#ifndef LATMC_ANALYSIS_H
#define LATMC_ANALYSIS_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A mean with its error. Set `size` to sizeof(latmc_estimate) before the call. */
typedef struct latmc_estimate {
    size_t size;      /**< sizeof(latmc_estimate) as the caller was compiled */
    double value;     /**< the mean, or the derived quantity */
    double error;     /**< one standard error, autocorrelation included; NaN where the series does
                         not show it */
    double tau_int;   /**< integrated autocorrelation time in measurements: 1/2 + sum_{t>=1} rho(t),
                         so 1/2 for independent ones; NaN where it was not estimated */
    double tau_error; /**< standard error of tau_int; NaN where it was not estimated */
    int64_t window;   /**< summation window of rho(t), or bin length, or number of blocks */
    int32_t too_short;   /**< 1 if the series is too short to say: the error is not to be trusted */
    int32_t not_ergodic; /**< 1 if latmc_check_record() says that the mean is not to be trusted */
    int64_t bin_length;  /**< of latmc_analyse(): 0, or the length of the bins that have shown modes
                            slower than the window: error and tau_int are then theirs */
} latmc_estimate;

/** Mean, error and tau_int by the Gamma method with automatic windowing, compared with bins.
 *
 *  The window is that of U. Wolff, Comput. Phys. Commun. 156, 143 (2004), with S = 1.5 and the
 *  paper's correction of bias. It closes where most of the autocorrelation has decayed, and a
 *  slow mode of small weight lies beyond it. So the series is also cut in 20, 28, 40, .. 160
 *  bins. The square of an error by B bins is known to a relative sqrt(2 / (B - 1)) (H. Flyvbjerg
 *  and H. G. Petersen, J. Chem. Phys. 91, 461 (1989)). Where the square by bins is larger than
 *  the window's by 2.5 such deviations, error and tau_int are those of the bins with the largest
 *  error, and `bin_length` is their length. doc/physics.md, "Errors", has what this does in
 *  glasses and ferromagnets. A mode that the series hardly visits cannot be seen.
 *
 *  The decay of a series that alternates is taken from (-1)^t rho(t). The last rho(t) in its
 *  window counts half, so that the alternation is not in the sum.
 *
 *  Sets `too_short` if
 *  - count < 100 tau_int, or no window was found, or
 *  - the series changes its value fewer than 20 times, or
 *  - the error is that of 20 or 28 bins, and its square is larger than the window's by 3
 *    deviations, so that longer bins might give a still larger one, or
 *  - the series alternates, and is shorter than 50 windows.
 *
 *  Error and tau_int of a constant series are NaN, since it does not show them.
 *  @param series `count` finite numbers
 *  @param count >= 2 */
LATMC_API LATMC_CHECKED latmc_status latmc_analyse(const double *series, int64_t count,
                                                   latmc_estimate *estimate);

/** latmc_analyse() with another S.
 *  @param stretch S, 0.1 to 100: the assumed ratio of the exponential autocorrelation time to
 *         tau_int. A larger one makes a longer window, with less bias and more noise. */
LATMC_API LATMC_CHECKED latmc_status latmc_analyse_window(const double *series, int64_t count,
                                                          double stretch, latmc_estimate *estimate);

/** The normalised autocorrelation function of a series: rho(t) = Gamma(t) / Gamma(0), where
 *  Gamma(t) is the mean of (x_i - mean) (x_(i+t) - mean) over the count - t pairs that there are.
 *  It has no correction of bias; each value is some 2 tau_int / count too low. rho of a constant
 *  series is NaN.
 *  @param lags numbers wanted, 1 to count / 2 + 1
 *  @param[out] rho rho(0) = 1 .. rho(lags - 1) */
LATMC_API LATMC_CHECKED latmc_status latmc_autocorrelation(const double *series, int64_t count,
                                                           int64_t lags, double *rho);

/** Mean and error from the spread of the means of bins of `length` measurements; a last, incomplete
 *  bin is left out. The error has Student's factor, as that of latmc_average(). Sets `too_short`
 *  below 20 bins, or if all have one mean: then the error is NaN.
 *  @param length >= 1; at least 2 whole bins must fit */
LATMC_API LATMC_CHECKED latmc_status latmc_bin(const double *series, int64_t count, int64_t length,
                                               latmc_estimate *estimate);

/** Mean and error of independent numbers, such as the means of samples of disorder, or of replicas.
 *  The error is t s / sqrt(count), s^2 being the variance of the numbers and t the quantile of
 *  Student's distribution with count - 1 degrees of freedom. The mean of Gaussian numbers is then
 *  within one error of the truth with probability 0.683, however few they are: t is 1.84 for 2 of
 *  them, 1.32 for 3, 1.03 for 20. Sets `too_short` below 20 numbers: beyond one error the
 *  distribution has long tails (of 3 numbers 6 % of the means are more than 3 errors off), and of
 *  few samples the spread may miss the rare ones. Sets it also if all are equal: then the error is
 *  NaN. tau_int is NaN, `window` 1.
 *  @param values `count` finite numbers
 *  @param count >= 2 */
LATMC_API LATMC_CHECKED latmc_status latmc_average(const double *values, int64_t count,
                                                   latmc_estimate *estimate);

/** Do estimates of one number agree? chi^2 of the values about their mean, weighted by 1 /
 *  error^2, and the probability that chance alone makes it as large. Compare replicas with equal
 *  parameters, or a hot start with a cold one: at a transition of first order, or in a glass,
 *  each may stay in a valley of its own, and no error of one series tells. Estimates whose error
 *  is NaN or 0 are left out; both results are NaN if fewer than 2 are left. Since errors are
 *  estimates themselves, the probability is somewhat too small: take a limit such as 0.001.
 *  @param estimates `count` of them, one after the other, all of one `size`
 *  @param count >= 1
 *  @param[out] chi2 NULL: not wanted
 *  @param[out] probability 0 to 1; NULL: not wanted */
LATMC_API LATMC_CHECKED latmc_status latmc_compare(const latmc_estimate *estimates, int64_t count,
                                                   double *chi2, double *probability);

/** Add to an estimate what its series cannot show: sets `not_ergodic` if the lattice's last
 *  latmc_record() has made the series with updates that are not ergodic alone
 *  (latmc_lattice_info::not_ergodic).
 *  @param[in,out] estimate of any function here, of a series that this call made */
LATMC_API LATMC_CHECKED latmc_status latmc_check_record(const latmc_lattice *lattice,
                                                        latmc_estimate *estimate);

/** A quantity derived from means.
 *  @param means the means of the series, in the order given to latmc_jackknife() */
typedef double (*latmc_derived)(const double *means, void *user);

/** A derived quantity with its jackknife error: the series are cut into `blocks` equal blocks (a
 *  remainder at the end is left out), and the quantity is evaluated with each block left out in
 *  turn. The value has the bias of first order removed, and the error Student's factor. Where the
 *  function is not finite value and error are not either, and of constant series the error is NaN.
 *
 *  That is right if the function is nearly linear within the errors of the means. So it is also
 *  evaluated with the means moved by one and by two errors to either side, along what changes it
 *  most. If one of these changes, per error, is not 0.85 to 1.15 times the quantity's error, the
 *  function bends: a correlation length, the square root of what may be 0, is an example. Then the
 *  bias is not removed, and the error is the largest of these changes.
 *
 *  Sets `too_short` if
 *  - a block is shorter than 10 tau_int of any of the series, or there are fewer than 10, or
 *  - latmc_analyse() would set it for one of the series, or
 *  - the function does not change at all though a series does, or
 *  - rounding eats the digits: the last digits of the means, times `blocks`, change the quantity by
 *    more than a quarter of its error. Then the bias is not removed, either.
 *  @param series `series_count` pointers to `count` finite numbers each
 *  @param blocks 2 to count
 *  @param function is called with the floating-point environment of the caller */
LATMC_API LATMC_CHECKED latmc_status latmc_jackknife(const double *const *series, int series_count,
                                                     int64_t count, int64_t blocks,
                                                     latmc_derived function, void *user,
                                                     latmc_estimate *estimate);

/** latmc_jackknife() of independent numbers, such as the means of samples of disorder: each is a
 *  block, and order and autocorrelation are of no matter. Sets `too_short` below 20 numbers, as
 *  latmc_average(), and for the last two reasons of latmc_jackknife().
 *  @param values `value_count` pointers to `count` finite numbers each; number i of all of them
 *         is of one sample
 *  @param count >= 2 */
LATMC_API LATMC_CHECKED latmc_status latmc_average_derived(const double *const *values,
                                                           int value_count, int64_t count,
                                                           latmc_derived function, void *user,
                                                           latmc_estimate *estimate);

/** What latmc_specific_heat() and the susceptibilities need; they are NaN without it, or if
 *  `size` is not sizeof(latmc_scale). */
typedef struct latmc_scale {
    size_t size;  /**< sizeof(latmc_scale) as the caller was compiled */
    double beta;  /**< inverse temperature */
    double sites; /**< N */
} latmc_scale;

/** C/N = beta^2 N (<e^2> - <e>^2); means = {<e>, <e^2>}, user = latmc_scale. At low temperature
 *  the difference loses its digits; it does not change if a constant, such as the mean of the
 *  series, is subtracted from each e before it is squared. */
LATMC_API double latmc_specific_heat(const double *means, void *user);

/** chi = beta N (<m^2> - <|m|>^2); means = {<|m|>, <m^2>}, user = latmc_scale (phi^4: beta = 1). A
 *  constant may be subtracted from each |m|, as from e above. */
LATMC_API double latmc_susceptibility(const double *means, void *user);

/** Spin-glass susceptibility chi_SG = N <q^2> of the overlap q of two copies, which diverges at a
 *  spin-glass transition; of vectors N <q_T^2>, the sum over mu, nu of <(q^mu,nu)^2>; of the
 *  overlap's structure factor chi_SG(k), the same at the momentum k. (K. Binder and A. P. Young,
 * Rev. Mod. Phys. 58, 801 (1986).) means = {<q^2>}, user = latmc_scale, whose beta is of no matter.
 */
LATMC_API double latmc_spin_glass_susceptibility(const double *means, void *user);

/** U4 = 1 - <m^4> / (3 <m^2>^2); means = {<m^2>, <m^4>}, user is ignored. It is 2/3 in the
 *  ordered phase. In the disordered one it is 1 - (n + 2) / (3 n), n being the components of the
 *  order parameter: 0 for n = 1 (Ising, Blume-Capel, phi^4), 1/3 for n = 2, 4/9 for n = 3. Potts
 *  states have n = q - 1. */
LATMC_API double latmc_binder(const double *means, void *user);

/** What latmc_correlation_length() needs; it is NaN without it, or if `size` is not
 *  sizeof(latmc_momentum). */
typedef struct latmc_momentum {
    size_t size; /**< sizeof(latmc_momentum) as the caller was compiled */
    double k;    /**< the momentum of the structure factor, 2 pi / L; antiperiodic pi / L */
} latmc_momentum;

/** Second-moment correlation length xi = sqrt(max(0, m2 / f - 1)) / (2 sin(k / 2)), f being the
 *  structure factor at the smallest momentum k of an axis; means = {m2, f}, user =
 *  latmc_momentum. */
LATMC_API double latmc_correlation_length(const double *means, void *user);

/** Propose values of a parameter, such as beta, for the slots of parallel tempering whose
 * neighbours exchange equally often, from the acceptances of a ladder that was tried. A pair with
 * acceptance A is taken to be x apart, A = erfc(x / 2), which is so where energies are Gaussian
 * (then x is the difference of beta times the energy's width); distances add up, and the proposed
 * values cut the whole into equal parts, by a monotone cubic between the measured ones. Of n slots
 * the acceptance will be about erfc(X / (2 (n - 1))), X being the whole. From a ladder that was far
 *  from even, or hardly measured, propose, measure and propose again. doc/physics.md, "Parallel
 *  tempering", has the sources. Needs no lattice.
 *  @param count measured values, >= 2
 *  @param values at most 1e300 in magnitude, rising or falling from the first to the last, which
 *         are the proposal's ends
 *  @param acceptance count - 1 numbers: of values k and k + 1, 0 to 1, such as accepted / offered
 *         of latmc_get_exchange_counts(), over all samples; below 1e-6 it counts as that, above
 *         1 - 1e-6 as that
 *  @param slots values wanted, >= 2
 *  @param[out] ladder `slots` numbers, in the order of the values; may be `values` */
LATMC_API LATMC_CHECKED latmc_status latmc_propose_ladder(int64_t count, const double *values,
                                                          const double *acceptance, int64_t slots,
                                                          double *ladder);

#ifdef __cplusplus
}
#endif

#endif
