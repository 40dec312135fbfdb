/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file latmc.h
 * @brief Monte Carlo simulation of lattice models on CPUs and NVIDIA GPUs.
 *
 * The whole core interface, in the order in which a program meets it: status codes, descriptions, a
 * lattice and its settings, devices, running, reading. Further sections come with it: couplings of
 * bonds, fields of sites and samples of both, in disorder.h; schedules, ramps and slots, in
 * schedule.h; files, in save.h; several processes and devices, in ranks.h; the analysis of time
 * series, in analysis.h; random numbers, in random.h.
 *
 * Conventions that hold for every function unless its comment says otherwise:
 *  - A function that can fail returns a ::latmc_status. When it is not ::LATMC_OK, the lattice is
 *    as it was before the call, arguments that would have received a result are untouched, and
 *    latmc_error_message() says what was given and what is allowed.
 *  - Distinct lattices may be used from distinct threads at the same time. One lattice must not be
 *    used by two threads at once. Functions without a lattice may be called from any thread at any
 *    time.
 *  - Arrays belong to the caller; the library copies what it needs. Strings that the library
 *    returns are constant and live as long as the process, except those whose comment gives a
 *    shorter life.
 *  - Sites are numbered i = x0 + L0 (x1 + L1 (x2 + L2 x3)), x0 fastest.
 *  - An array "per replica" has latmc_set_replicas() elements, replica 0 first; one "per slot" as
 *    many, slot 0 first. Replica r has slot r, and the two are the same, until latmc_set_slots() or
 *    an exchange moves it.
 *
 * The library never exits, aborts, prints, changes the locale or installs a signal handler. For
 * OpenMP's own library, see "Threads".
 *
 * Threads. On the host a call works in the calling thread and, if it is worth it, in threads of
 * the library's own. OpenMP makes them when a call first wants them; OMP_PROC_BIND, OMP_PLACES and
 * OMP_STACKSIZE (64 kB at least) hold for them. They sleep between calls, receive none of the
 * host's signals, run where the thread whose call made them may run unless OMP_PLACES says it, and
 * stay until the last thread that called for them ends. dlclose() does not unload the library (a
 * plugin with the static one inside needs `-Wl,-z,nodelete`). If the host cannot make as many as
 * are wanted, calls work with those that there are, be it the calling thread alone; but OpenMP's
 * library may end the process if memory or threads run out while it makes them: how unlikely that
 * is, and more, is in doc/architecture.md, "Threads of a CPU".
 *
 * fork(). A child makes threads of its own, and every function works in it, but for lattices that
 * another thread was using in the moment of fork() or that are on a GPU, which CUDA does not allow.
 *
 * Floating-point environment. Results do not depend on how the calling thread rounds, on what it
 * does with subnormal numbers or on which exceptions trap; all of that, flags included, is after a
 * call as it was before. Callbacks run in it.
 */
#ifndef LATMC_LATMC_H
#define LATMC_LATMC_H

#include <stddef.h>
#include <stdint.h>

/** The version of this header, for `#if`; latmc_version() is that of the library in use. */
#define LATMC_VERSION_MAJOR 0
#define LATMC_VERSION_MINOR 1 /**< second number of the version */
#define LATMC_VERSION_PATCH 0 /**< third number of the version */

#if defined(__GNUC__)
#define LATMC_API __attribute__((visibility("default")))
/** A status that nobody looks at is a warning of the compiler. */
#define LATMC_CHECKED __attribute__((warn_unused_result))
#else
#define LATMC_API
#define LATMC_CHECKED
#endif

/** A public struct whose `size` is set and whose other members are 0, in C and in C++:
 *  `latmc_estimate e = LATMC_INIT(latmc_estimate);` */
#ifdef __cplusplus
#define LATMC_INIT(type)                                                                           \
    ([] {                                                                                          \
        type made{};                                                                               \
        made.size = sizeof made;                                                                   \
        return made;                                                                               \
    }())
#else
#define LATMC_INIT(type)                                                                           \
    {                                                                                              \
        .size = sizeof(type)                                                                       \
    }
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The most axes that a lattice can have. */
#define LATMC_MAX_DIMS 4

/* ------------------------------------------------------------------ status */

/** Every status: name, value, sentence. Values are frozen and never reused. */
#define LATMC_STATUS_LIST(X)                                                                       \
    X(LATMC_OK, 0, "success")                                                                      \
    X(LATMC_CANCELLED, 1, "the progress callback stopped the call")                                \
    X(LATMC_ERROR_ARGUMENT, 10, "an argument is missing or outside its range")                     \
    X(LATMC_ERROR_UNKNOWN, 11, "the model has nothing of that name or number")                     \
    X(LATMC_ERROR_STATE, 12, "the call is not possible in the lattice's state")                    \
    X(LATMC_ERROR_MEMORY, 20, "the host has not enough memory")                                    \
    X(LATMC_ERROR_DEVICE_MEMORY, 21, "the device has not enough memory")                           \
    X(LATMC_ERROR_NO_DEVICE, 30, "the device cannot be had")                                       \
    X(LATMC_ERROR_DEVICE, 31, "the device failed")                                                 \
    X(LATMC_ERROR_IO, 40, "a file could not be read or written")                                   \
    X(LATMC_ERROR_FORMAT, 41, "the data is not a saved lattice")                                   \
    X(LATMC_ERROR_VERSION, 42, "the saved lattice has a version or a part that is not known")      \
    X(LATMC_ERROR_DAMAGED, 43, "the saved lattice is damaged or truncated")

/** What a call came to. */
typedef enum latmc_status {
#define LATMC_STATUS_ENUM(name, value, text) name = value,
    LATMC_STATUS_LIST(LATMC_STATUS_ENUM)
#undef LATMC_STATUS_ENUM
} latmc_status;

/** The status's name, such as "LATMC_ERROR_IO"; "LATMC_UNKNOWN_STATUS" for a number that is none.
 */
LATMC_API const char *latmc_status_name(latmc_status status);

/** The status's sentence. */
LATMC_API const char *latmc_status_text(latmc_status status);

/** What went wrong in the calling thread's last call that failed: what was given and what is
 *  allowed. Never NULL; empty before the first failure. Valid until the next failure in the same
 *  thread. */
LATMC_API const char *latmc_error_message(void);

/** Make a failure of one's own the calling thread's last one: for libraries that stand on this one
 *  and whose functions return its statuses, as those of <latmc/mpi.h> do.
 *  @param status ::LATMC_OK changes nothing
 *  @param message what latmc_error_message() will say, of which it keeps the first 1023 bytes;
 *         NULL: the status's sentence
 *  @return `status` */
LATMC_API latmc_status latmc_fail(latmc_status status, const char *message);

/** The library's version, such as "0.1.0". */
LATMC_API const char *latmc_version(void);

/* ------------------------------------------------------------- descriptions */

/*
 * No two kinds of things share a number, so that a thing given in the place of another is refused:
 * statuses are below 100, models 100 to 199, kinds 200, random numbers 250, boundaries 300, start
 * modes 400, distributions 500, types 600, updates 700 to 799, arguments of distributions 800,
 * origins 850, orders 870, roles 900 to 999, parameters 1000 to 1999, observables 2000 to 2999 (of
 * those 2100 to 2199 are of pairs of replicas), options 3000 to 3999.
 */

/** Models. 100 to 149 have spins, states or cells at their sites, 150 to 199 are field models. */
typedef enum latmc_model {
    LATMC_ISING = 101,       /**< spins -1 and +1, E = -sum_<ij> J_ij s_i s_j - sum_i h_i s_i */
    LATMC_ONVECTOR = 102,    /**< vectors of n components with |s| = 1, n the option ::LATMC_N;
                                  E = -sum_<ij> J_ij s_i . s_j - sum_i h_i s_i^(last) */
    LATMC_POTTS = 103,       /**< states 0 .. q - 1, q the option ::LATMC_Q;
                                  E = -sum_<ij> J_ij delta(s_i, s_j) - sum_i h_i delta(s_i, 0) */
    LATMC_BLUME_CAPEL = 104, /**< spins -1, 0 and +1, E = -sum_<ij> J_ij s_i s_j + D sum_i s_i^2
                                  - h sum_i s_i */
    LATMC_CLOCK = 105,       /**< states k = 0 .. q - 1 at the angles t = 2 pi k / q, q the option
                                  ::LATMC_Q; E = -sum_<ij> J_ij cos(t_i - t_j) - sum_i h_i cos t_i */
    LATMC_AUTOMATON = 121, /**< a life-like cellular automaton in two dimensions: cells 0 (dead) and
                              1 (living), of which the options ::LATMC_BIRTH and ::LATMC_SURVIVAL
                              say what becomes of them by their eight neighbours; extents >= 3 */
    LATMC_PHI4 =
        151 /**< a real field, weight exp(-H), H = sum_i [ 1/2 sum_mu (phi(x+mu) - phi(x))^2
                 + mu2/2 phi^2 + g/24 phi^4 + inv_lambda/2 (Laplacian phi)^2 - h phi ] */
} latmc_model;

/** Options: whole numbers that belong to a lattice and are fixed before its start. */
typedef enum latmc_option {
    LATMC_PRECISION = 3001, /**< bits of a real number in a field: 32 (float) or 64 (double) */
    LATMC_BIRTH = 3051, /**< automata: numbers of living neighbours with which a dead cell comes to
                           life, bit n for n, 0 to 511; preset Conway's Life, 8 = 2^3 */
    LATMC_SURVIVAL = 3052, /**< automata: those with which a living cell stays so; preset 12 = 2^2 +
                              2^3 */
    LATMC_CUTOFF = 3100,   /**< phi^4: 1 if the Hamiltonian has the cut-off term, with the
                              parameter ::LATMC_INV_LAMBDA; 0 if not, which is faster */
    LATMC_N = 3200,        /**< O(n) vectors: components of a vector; 2 (XY), 3 (Heisenberg) or 4 */
    LATMC_Q = 3300         /**< states that a site may have: Potts 2 to 256, clock 2 to 64 */
} latmc_option;

/** Parameters: one real number per slot, that is per replica while no slot has moved. */
typedef enum latmc_param {
    LATMC_BETA = 1001,  /**< inverse temperature, in 1/energy */
    LATMC_FIELD = 1002, /**< uniform external field h: adds -h times the sum over all sites to the
                           energy, of vectors that of the last component, of Potts states -h for
                           each site in state 0 */
    LATMC_CRYSTAL_FIELD =
        1003,           /**< Blume-Capel: the crystal field D, or single-ion anisotropy, which
                           adds D times the number of spins that are not 0 to the energy */
    LATMC_NOISE = 1051, /**< automata: probability 0 to 1 with which a cell becomes the other of
                           what the rule says; it counts in units of 2^-32 */
    LATMC_MU2 = 1100,   /**< phi^4: coefficient of phi^2 / 2 */
    LATMC_G = 1101,     /**< phi^4: coefficient of phi^4 / 24, >= 0; with 0 the field is
                            Gaussian, and the quadratic part must then be positive */
    LATMC_INV_LAMBDA = 1102, /**< phi^4: 1 / Lambda >= 0, twice the coefficient of the squared
                               lattice Laplacian (the cut-off term); 0 unless the option
                               ::LATMC_CUTOFF is 1 */
    LATMC_EPSILON = 1110,    /**< phi^4: proposals are uniform in (-epsilon, epsilon) about the
                                    field; 1e-6 to 1e6. O(n) vectors: they turn a vector by at most
                                    2 arctan(epsilon); 1e-6 to 1 */
    LATMC_HITS = 1111, /**< phi^4, O(n) vectors: proposals at each visit of a site, 1 to 64, a whole
                          number */
    LATMC_LOCAL_SWEEPS = 1112 /**< phi^4: sweeps inside a tile, 1 to 255, a whole number */
} latmc_param;

/** Ways to update the sites. One sweep visits every site once, or LATMC_LOCAL_SWEEPS times in
 *  tiles. */
typedef enum latmc_update {
    LATMC_SCHEDULE = 700,   /**< no update of its own: latmc_sweep(), latmc_record() and
                               latmc_tune() then make the updates of latmc_set_schedule(), and
                               count rounds of this schedule where they otherwise count sweeps */
    LATMC_METROPOLIS = 701, /**< colour by colour. phi^4, O(n) vectors: LATMC_HITS proposals at
                               each visit, within LATMC_EPSILON of what there is, each accepted with
                               probability min(1, exp(-dH)), of vectors min(1, exp(-beta dE)).
                               Ising: flip with probability min(1, exp(-beta dE)); but 63/64 of
                               that for |beta dE| < 1/64, and where sites may hardly feel a field
                               (missing bonds, small beta J, one dimension, couplings or site
                               fields that are real numbers) 15/16 of it for |beta dE| < 1/8: so
                               that every state is reached (doc/physics.md). Potts, clock: a state drawn
                               from all q, the present one included, accepted with probability
                               min(1, exp(-beta dE)). Blume-Capel: one of the two other spins,
                               accepted likewise */
    LATMC_HEATBATH = 702,   /**< draw from the conditional distribution, colour by colour */
    LATMC_METROPOLIS_OTHER =
        703, /**< Potts: as ::LATMC_METROPOLIS, with a state drawn from the q - 1 others; for q = 2
                a site rests once in 16 times, so that every state is reached */
    LATMC_SYNCHRONOUS = 705, /**< automata: a generation, all cells at once. Not ergodic, since
                               without noise nothing is left to chance */
    LATMC_BLOCK_METROPOLIS =
        711,              /**< phi^4: the lattice in tiles, which are swept LATMC_LOCAL_SWEEPS
                              times each with their surroundings frozen; one sub-grid of
                              tiles after another. Extents >= 4 but on open axes */
    LATMC_OVERRELAX = 712 /**< phi^4: reflect the field about the minimum of its quadratic part, and
                              accept with probability min(1, exp(-dH)). O(n) vectors: reflect the
                              vector about its local field, at the same energy. Not ergodic alone */
} latmc_update;

/** Observables: one real number per replica. Per site where the comment says so. */
typedef enum latmc_observable {
    LATMC_ENERGY = 2001,            /**< e = E/N, energy per site */
    LATMC_ENERGY2 = 2002,           /**< e^2 */
    LATMC_ENERGY4 = 2003,           /**< e^4 */
    LATMC_ENERGY_GRADIENT = 2004,   /**< part of e with (phi(x+mu) - phi(x))^2 */
    LATMC_ENERGY_POTENTIAL = 2005,  /**< part of e with mu2, g and h */
    LATMC_ENERGY_CUTOFF = 2006,     /**< part of e with the squared Laplacian */
    LATMC_MAGNETIZATION = 2010,     /**< m = (1/N) sum_i s_i */
    LATMC_ABS_MAGNETIZATION = 2011, /**< |m| */
    LATMC_M2 = 2012,                /**< m^2; of vectors m . m. Potts: m is the mean of vectors from
                                       the centre of a simplex to its q corners, of length 1, each of
                                       which stands for a state; m . m = sum_a (q rho_a - 1)^2
                                       / (q (q - 1)), rho_a the share of the sites in state a */
    LATMC_M4 = 2013,                /**< m^4; of vectors (m . m)^2 */
    LATMC_ORDER_PARAMETER = 2014,   /**< Potts: (q max_a rho_a - 1) / (q - 1) */
    LATMC_ORDER_PARAMETER2 = 2015,  /**< its square */
    LATMC_ORDER_PARAMETER4 = 2016,  /**< its fourth power */
    LATMC_ACCEPTANCE = 2020, /**< Ising, Potts, clock, Blume-Capel: share of the sites whose value changed
                              in the last sweep of the last call that swept; other models: share of
                              its proposals that were accepted; 0 before any */
    LATMC_QUADRUPOLE =
        2021, /**< Blume-Capel: (1/N) sum_i s_i^2, share of the spins that are not 0 */
    LATMC_QUADRUPOLE2 = 2022, /**< its square */
    LATMC_QUADRUPOLE4 = 2023, /**< its fourth power */
    LATMC_DENSITY = 2026,     /**< automata: share of the cells that live */
    LATMC_ACTIVITY = 2027,    /**< automata: share of the cells that the last sweep of the last call
                                 that   swept changed; 0 before any */
    LATMC_MAGNETIZATION_0 = 2050, /**< component 0 of the vector m = (1/N) sum_i s_i */
    LATMC_MAGNETIZATION_1 = 2051, /**< component 1 */
    LATMC_MAGNETIZATION_2 = 2052, /**< component 2; 0 if the vectors have none */
    LATMC_MAGNETIZATION_3 = 2053, /**< component 3; 0 if the vectors have none */
    LATMC_PHI = 2030,         /**< mean field phi = (1/N) sum_i phi_i; m2 and m4 are its powers */
    LATMC_ABS_PHI = 2031,     /**< |phi| of the mean field */
    LATMC_PHI_SQUARED = 2032, /**< (1/N) sum_i phi_i^2; its name is "phi2" */
    LATMC_PHI_FOURTH = 2033,  /**< (1/N) sum_i phi_i^4; its name is "phi4" */
    LATMC_STRUCTURE_0 = 2040, /**< |(1/N) sum_i phi_i exp(i k x0)|^2 at the smallest momentum
                                 along axis 0, k = 2 pi / L0 (antiperiodic: pi / L0); Ising: of
                                 s_i; vectors: the sum over their components. Of Ising lattices
                                 that are kept in bits it is made from all sites on the host, one
                                 measurement at a time, and takes as long as some sweeps */
    LATMC_STRUCTURE_1 = 2041, /**< the same along axis 1; 0 if there is none */
    LATMC_STRUCTURE_2 = 2042, /**< axis 2 */
    LATMC_STRUCTURE_3 = 2043, /**< axis 3 */
    LATMC_HELICITY_0 = 2060,  /**< O(n) vectors with n = 2: its mean is the helicity modulus (spin
                                 stiffness) along axis 0, in units of energy: (1/N) [J0 sum_i K_i
                                 s_i . s_j - beta (J0 sum_i K_i (s_i x s_j))^2], j the site above i
                                 along the axis, with the boundary's sign, s x t = s_0 t_1 - s_1 t_0,
                                 by the beta of the replica's slot (Teitel and Jayaprakash 1983).
                                 Other n: 0 */
    LATMC_HELICITY_1 = 2061,  /**< the same along axis 1; 0 if there is none */
    LATMC_HELICITY_2 = 2062,  /**< axis 2 */
    LATMC_HELICITY_3 = 2063,  /**< axis 3 */
    LATMC_VORTICES = 2065, /**< O(n) vectors with n = 2 in two dimensions: number of plaquettes with
                              a vortex or an antivortex, divided by N. Around these the angle
                              changes by one turn, from site to site by the shorter arc, of
                              opposite vectors by the one that does not pass the negative half of
                              axis 0; a site beyond an antiperiodic end counts with its sign, and
                              beyond an open end there is no plaquette. Other n and dimensions: 0 */
    LATMC_CHIRALITY = 2070,   /**< O(n) vectors with n = 3: mean over the axes of the next four */
    LATMC_CHIRALITY_0 = 2071, /**< O(n) vectors with n = 3: (1/N) sum_i |s_j . (s_i x s_k)|, j and k
                                 the sites above and below i along axis 0; 0 where an open end is.
                                 Other n: 0 (Hukushima and Kawamura 2005) */
    LATMC_CHIRALITY_1 = 2072, /**< the same along axis 1; 0 if there is none */
    LATMC_CHIRALITY_2 = 2073, /**< axis 2 */
    LATMC_CHIRALITY_3 = 2074, /**< axis 3 */
    LATMC_SLOT = 2091,   /**< every model: number of the slot that the replica has, a whole number;
                            by replica its series is a replica's path from slot to slot */
    LATMC_HOLDER = 2092, /**< every model: number of the replica in the lattice; by slot its series
                            says which replicas had the slot */
    /* Of pairs of replicas, one real number per pair: latmc_observe_pairs(). */
    LATMC_OVERLAP = 2101,      /**< q = (1/N) sum_i s_i^a s_i^b; phi^4: of phi_i^a phi_i^b; vectors:
                                  of s_i^a . s_i^b; Potts: of delta(s_i^a, s_i^b), clock: of
                                  cos(t_i^a - t_i^b), and likewise in all that follows */
    LATMC_ABS_OVERLAP = 2102,  /**< |q| */
    LATMC_OVERLAP2 = 2103,     /**< q^2; vectors: not the sum over the tensor, which is
                                  ::LATMC_TENSOR_OVERLAP2 */
    LATMC_OVERLAP4 = 2104,     /**< q^4 */
    LATMC_LINK_OVERLAP = 2105, /**< (1/B) sum over bonds of (s_i . s_j)^a (s_i . s_j)^b. Bonds that
                                  are missing in either replica's sample, whose coupling is 0 or
                                  which are beyond an open end do not count, B being the number of
                                  those that do; 0 if none does. The sign of an antiperiodic end
                                  stands twice, and does not matter */
    LATMC_OVERLAP_STRUCTURE_0 = 2110, /**< |(1/N) sum_i s_i^a . s_i^b exp(i k x0)|^2 at the smallest
                                         momentum along axis 0, k = 2 pi / L0 whatever the boundary:
                                         latmc_correlation_length() with it and with the mean of
                                         ::LATMC_OVERLAP2 makes xi of a spin glass */
    LATMC_OVERLAP_STRUCTURE_1 = 2111, /**< the same along axis 1; 0 if there is none */
    LATMC_OVERLAP_STRUCTURE_2 = 2112, /**< axis 2 */
    LATMC_OVERLAP_STRUCTURE_3 = 2113, /**< axis 3 */
    LATMC_TENSOR_OVERLAP2 = 2120,     /**< vectors: sum over mu, nu of (q^mu,nu)^2, with q^mu,nu =
                                         (1/N) sum_i s_i,mu^a s_i,nu^b. Rotations of a replica do
                                         not change it: the q^2 of vector spin glasses */
    LATMC_TENSOR_OVERLAP4 = 2121,     /**< its square */
    LATMC_TENSOR_STRUCTURE_0 = 2130, /**< vectors: sum over mu, nu of |(1/N) sum_i s_i,mu^a s_i,nu^b
                                        exp(i k x0)|^2, k = 2 pi / L0 whatever the boundary */
    LATMC_TENSOR_STRUCTURE_1 = 2131, /**< the same along axis 1; 0 if there is none */
    LATMC_TENSOR_STRUCTURE_2 = 2132, /**< axis 2 */
    LATMC_TENSOR_STRUCTURE_3 = 2133, /**< axis 3 */
    LATMC_CHIRAL_OVERLAP2_0 = 2140,  /**< vectors with n = 3: the square of (1/N) sum_i kappa_i^a
                                        kappa_i^b, kappa = s_j . (s_i x s_k), j and k the sites
                                        above and below i along axis 0, 0 where an open end is.
                                        Other n: 0 */
    LATMC_CHIRAL_OVERLAP2_1 = 2141,  /**< the same along axis 1; 0 if there is none */
    LATMC_CHIRAL_OVERLAP2_2 = 2142,  /**< axis 2 */
    LATMC_CHIRAL_OVERLAP2_3 = 2143,  /**< axis 3 */
    LATMC_CHIRAL_STRUCTURE_0 = 2150, /**< vectors with n = 3: |(1/N) sum_i kappa_i^a kappa_i^b
                                        exp(i k x0)|^2, kappa along axis 0 as above, k = 2 pi / L0
                                        whatever the boundary: with the mean of
                                        ::LATMC_CHIRAL_OVERLAP2_0 latmc_correlation_length() makes
                                        the chiral correlation length along the axis of it. Other
                                        n: 0 */
    LATMC_CHIRAL_STRUCTURE_1 = 2151, /**< the same along axis 1; 0 if there is none */
    LATMC_CHIRAL_STRUCTURE_2 = 2152, /**< axis 2 */
    LATMC_CHIRAL_STRUCTURE_3 = 2153, /**< axis 3 */
    /* Of a replica again, for each state a of a Potts or clock model LATMC_OCCUPATION_0 + a. */
    LATMC_OCCUPATION_0 = 2200,  /**< rho_0, share of the sites in state 0. There is one for each a <
                                   256 (clock: 64) with the name "occupation_a"; 0 from q on */
    LATMC_OCCUPATION_255 = 2455 /**< the last of them */
} latmc_observable;

/** What happens at the ends of an axis. */
typedef enum latmc_boundary {
    LATMC_PERIODIC = 301,     /**< the last site's neighbour is the first */
    LATMC_ANTIPERIODIC = 302, /**< the same, with the sign of the coupling reversed */
    LATMC_OPEN = 303          /**< no bond */
} latmc_boundary;

/** Configurations to start from. In an ordered phase a hot start may take long to find one of the
 *  ordered states; a cold start is in one. */
typedef enum latmc_start_mode {
    LATMC_START_HOT = 401, /**< every spin -1 or +1 with probability 1/2, every phi uniform in [-1,
                              1), every vector in any direction, every state of a Potts model with
                              probability 1/q, every cell dead or living with probability 1/2, drawn
                              from the seed */
    LATMC_START_COLD = 402 /**< every spin, or phi, +1; every vector along the last component; state
                              0 everywhere; every cell dead */
} latmc_start_mode;

/** Distributions that couplings and site fields can be drawn from. A model has those that
 *  latmc_describe() lists. */
typedef enum latmc_distribution {
    LATMC_PLUS_MINUS_ONE = 501, /**< +1 with probability ::LATMC_PLUS, otherwise -1
                                   (Edwards-Anderson +-J) */
    LATMC_GAUSSIAN = 502        /**< normal, of mean ::LATMC_MEAN and standard deviation
                                   ::LATMC_WIDTH, 0 with probability ::LATMC_MISSING */
} latmc_distribution;

/** Arguments of distributions; latmc_describe() says which distribution has which, with range and
 *  preset. */
typedef enum latmc_argument {
    LATMC_PLUS = 801,    /**< share of +1 among what is not missing, 0 to 1 */
    LATMC_MISSING = 802, /**< share of what is 0, such as no bond, 0 to 1 */
    LATMC_MEAN = 803,    /**< mean; of couplings in units of the axis' coupling, of site
                            fields in those of energy */
    LATMC_WIDTH = 804    /**< standard deviation, >= 0, in the units of the mean */
} latmc_argument;

/** How the bonds' own couplings, or the sites' own fields, came to be. */
typedef enum latmc_origin {
    LATMC_COUPLINGS_UNIFORM = 851, /**< couplings are all +1, fields 0 */
    LATMC_COUPLINGS_GIVEN = 852,   /**< latmc_set_bond_couplings(), latmc_set_site_fields() */
    LATMC_COUPLINGS_DRAWN = 853    /**< latmc_draw_bond_couplings(), latmc_draw_site_fields() */
} latmc_origin;

/** Number types in which sites cross this interface. */
typedef enum latmc_type {
    LATMC_INT8 = 601,    /**< int8_t; Ising: -1 or +1; automata: 0 or 1 */
    LATMC_UINT8 = 602,   /**< uint8_t; Potts, clock: a state, 0 to q - 1 */
    LATMC_FLOAT32 = 611, /**< float; phi^4: at most 1e6 in magnitude when given; vectors: with
                              |s . s - 1| at most 1e-4 when given */
    LATMC_FLOAT64 = 612  /**< double; likewise */
} latmc_type;

/** By what numbers that a lattice measures are counted: latmc_set_order(). */
typedef enum latmc_order {
    LATMC_BY_REPLICA = 871, /**< number i is that of replica i */
    LATMC_BY_SLOT = 872     /**< number i is that of the replica that has slot i */
} latmc_order;

/** Kinds of things that latmc_describe() knows. */
typedef enum latmc_kind {
    LATMC_MODELS = 201,        /**< ::latmc_model */
    LATMC_PARAMS = 202,        /**< ::latmc_param */
    LATMC_UPDATES = 203,       /**< ::latmc_update */
    LATMC_OBSERVABLES = 204,   /**< ::latmc_observable */
    LATMC_BOUNDARIES = 205,    /**< ::latmc_boundary */
    LATMC_START_MODES = 206,   /**< ::latmc_start_mode */
    LATMC_DISTRIBUTIONS = 207, /**< ::latmc_distribution */
    LATMC_ARGUMENTS = 208,     /**< ::latmc_argument; one that several distributions have is
                                  described for each, latmc_info::distribution says for which */
    LATMC_OPTIONS = 209,       /**< ::latmc_option */
    LATMC_TYPES = 210,         /**< ::latmc_type: those in which sites cross this interface */
    /** ::latmc_observable: those of pairs of replicas. Their roles are those of the overlap as an
     *  order parameter, of vectors of the tensor of overlaps. */
    LATMC_PAIR_OBSERVABLES = 211
} latmc_kind;

/** What an observable is for, so that programs need not know models and names: the energy of any
 *  model has the same role, and so have the magnetization and the mean field. No two observables of
 *  a model have the same role, but for ::LATMC_ROLE_NONE and those along different axes. A model
 *  need not have all of them. */
typedef enum latmc_role {
    LATMC_ROLE_NONE = 901,       /**< none of these */
    LATMC_ROLE_ENERGY = 911,     /**< energy per site */
    LATMC_ROLE_ENERGY2 = 912,    /**< its square */
    LATMC_ROLE_ENERGY4 = 913,    /**< its fourth power */
    LATMC_ROLE_ORDER = 921,      /**< order parameter per site */
    LATMC_ROLE_ABS_ORDER = 922,  /**< its modulus */
    LATMC_ROLE_ORDER2 = 923,     /**< its square */
    LATMC_ROLE_ORDER4 = 924,     /**< its fourth power */
    LATMC_ROLE_STRUCTURE = 931,  /**< structure factor of the order parameter at the smallest
                                    momentum along an axis (latmc_info::axis) */
    LATMC_ROLE_OCCUPATION = 935, /**< share of the sites in a state (latmc_info::axis), of a model
                                    that has as many as its option ::LATMC_Q says */
    LATMC_ROLE_ACCEPTANCE = 941, /**< share of what the last sweep changed or accepted */
    LATMC_ROLE_SLOT = 951,       /**< number of the slot that the replica has */
    LATMC_ROLE_HOLDER = 952      /**< number of the replica, which by slot is the slot's holder */
} latmc_role;

/** What a thing is. Set `size` to sizeof(latmc_info) before the call. */
typedef struct latmc_info {
    size_t size;         /**< sizeof(latmc_info) as the caller was compiled */
    int32_t id;          /**< the value of the enumerator */
    int32_t per_site;    /**< observables: 1 if the value is per site, otherwise 0 */
    const char *name;    /**< lower case, such as "beta" */
    const char *meaning; /**< one sentence, with the unit */
    double minimum;  /**< parameters, options, arguments: the least allowed value, otherwise 0 */
    double maximum;  /**< parameters, options, arguments: the greatest one, otherwise 0 */
    double preset;   /**< parameters, options: the value of a new lattice; arguments: the value
                          of one that is not given; otherwise 0 */
    int32_t ergodic; /**< updates: 1 if this one alone reaches every state, otherwise 0 */
    int32_t role;    /**< observables: ::latmc_role, otherwise 0 */
    int32_t axis;    /**< observables: the axis of ::LATMC_ROLE_STRUCTURE, the state of
                          ::LATMC_ROLE_OCCUPATION, otherwise 0 */
    int32_t distribution; /**< arguments: the ::latmc_distribution that has it, otherwise 0 */
    double step;          /**< options: between allowed values, beginning with the least one;
                               parameters: 1 for whole numbers; otherwise 0 */
    int32_t bytes;        /**< types: of a number in an array, otherwise 0 */
    int32_t bits;         /**< types: of a number where it is kept or saved, otherwise 0 */
} latmc_info;

/** How many things of a kind `model` knows (`model` is ignored for ::LATMC_MODELS).
 *  @param[out] count 0 or more */
LATMC_API LATMC_CHECKED latmc_status latmc_count(latmc_kind kind, latmc_model model, int *count);

/** Describe thing number `index` (0 <= index < count) of a kind.
 *  @param[in,out] info its `size` must be set; only that many bytes are written */
LATMC_API LATMC_CHECKED latmc_status latmc_describe(latmc_kind kind, latmc_model model, int index,
                                                    latmc_info *info);

/** The enumerator's value of a thing by its name, such as "beta". ::LATMC_ERROR_UNKNOWN, with the
 *  names that exist in the message, if there is none. */
LATMC_API LATMC_CHECKED latmc_status latmc_find(latmc_kind kind, latmc_model model,
                                                const char *name, int *id);

/** A device. Set `size` to sizeof(latmc_device_info) before the call. */
typedef struct latmc_device_info {
    size_t size;      /**< sizeof(latmc_device_info) as the caller was compiled */
    int32_t usable;   /**< 1 if latmc_set_device() takes it, otherwise 0 */
    int32_t reserved; /**< 0 */
    char name[32];    /**< for latmc_set_device(), such as "cpu:avx2" or "cuda:0" */
    char text[224];   /**< what it is, or why it cannot be used */
} latmc_device_info;

/** How many devices are known, usable or not. The list is made once per process. */
LATMC_API int latmc_device_count(void);

/** Describe device number `index`, best choice first. */
LATMC_API LATMC_CHECKED latmc_status latmc_device_describe(int index, latmc_device_info *info);

/* ------------------------------------------------------- a lattice is made */

/** A lattice: a model, its replicas, their parameters and their sites. */
typedef struct latmc_lattice latmc_lattice;

/** Make a lattice: one replica, periodic boundaries, couplings 1, parameters at their presets, seed
 *  1, device "auto", not started.
 *  @param[out] lattice destroy it with latmc_destroy()
 *  @param dims 1 to ::LATMC_MAX_DIMS
 *  @param extents `dims` numbers of sites along each axis, each >= 2; the product at most 2^40 */
LATMC_API LATMC_CHECKED latmc_status latmc_create(latmc_lattice **lattice, latmc_model model,
                                                  int dims, const int64_t *extents);

/** Free a lattice and all that it holds. NULL is allowed. */
LATMC_API void latmc_destroy(latmc_lattice *lattice);

/** Set the number of replicas, 1 to 65536, a multiple of the number of samples, and of ladders (set
 *  replicas first). Not after latmc_start() (::LATMC_ERROR_STATE). New replicas have the parameters
 * of replica 0. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_replicas(latmc_lattice *lattice, int64_t replicas);

/** Number the lattice's replicas from `first` instead of 0, so that an ensemble can be divided over
 *  several lattices without a change in any trajectory: replica r of this lattice follows what
 *  replica first + r of the undivided one does. first >= 0 and first + replicas <= 65536. Not after
 *  latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_first_replica(latmc_lattice *lattice, int64_t first);

/** Set the boundary of each axis: `dims` values. Not after latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_boundaries(latmc_lattice *lattice,
                                                          const latmc_boundary *boundaries);

/** Set the seed of the random numbers; any 64 bits. Not after latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_seed(latmc_lattice *lattice, uint64_t seed);

/** Set an option of the model, such as LATMC_PRECISION of a field model, to a value that
 *  latmc_describe() allows. An option that the model does not have is ::LATMC_ERROR_UNKNOWN. Not
 *  after latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_option(latmc_lattice *lattice, latmc_option option,
                                                      int64_t value);

/** Read an option. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_option(const latmc_lattice *lattice,
                                                      latmc_option option, int64_t *value);

/** Set one value of a parameter for all slots; finite and within the range that latmc_describe()
 *  gives. May be called between sweeps; ends a ramp of the parameter. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_param(latmc_lattice *lattice, latmc_param param,
                                                     double value);

/** Set a parameter, one value per slot. May be called between sweeps; ends a ramp of it. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_params(latmc_lattice *lattice, latmc_param param,
                                                      const double *values);

/** Read a parameter, one value per slot. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_params(const latmc_lattice *lattice,
                                                      latmc_param param, double *values);

/** Set the coupling of all bonds along each axis: `dims` numbers, at most 1e30 in magnitude (1e6 if
 *  the bonds' own couplings are real numbers), in units of energy. Multiplies the bonds' own
 *  couplings below. Preset 1. For models whose bonds have couplings; others refuse
 *  (::LATMC_ERROR_UNKNOWN). May be called between sweeps. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_axis_couplings(latmc_lattice *lattice,
                                                              const double *couplings);

/** Read the coupling of each axis, in units of energy: `dims` numbers, as
 *  latmc_set_axis_couplings() set them or as they were saved, or else 1. For models whose bonds
 * have couplings; others refuse (::LATMC_ERROR_UNKNOWN). */
LATMC_API LATMC_CHECKED latmc_status latmc_get_axis_couplings(const latmc_lattice *lattice,
                                                              double *couplings);

/** What a lattice is. Set `size` to sizeof(latmc_lattice_info) before the call. */
typedef struct latmc_lattice_info {
    size_t size;                     /**< sizeof(latmc_lattice_info) as the caller was compiled */
    int32_t model;                   /**< ::latmc_model */
    int32_t dims;                    /**< number of axes */
    int64_t extents[LATMC_MAX_DIMS]; /**< sites along each axis; 1 beyond `dims` */
    int32_t boundaries[LATMC_MAX_DIMS]; /**< ::latmc_boundary of each axis; 0 beyond `dims` */
    int64_t sites;                      /**< N, sites of one replica */
    int64_t replicas;                   /**< number of replicas */
    int64_t first_replica;              /**< number of the first replica in the ensemble */
    uint64_t seed;                      /**< seed of the random numbers */
    int64_t sweeps;                     /**< sweeps since latmc_start(); part of the state */
    int32_t started;                    /**< 1 if it has sites, otherwise 0 */
    int32_t threads;                    /**< what latmc_set_threads() set, or 0 */
    int32_t type;                       /**< ::latmc_type that the sites are kept in */
    int32_t not_ergodic; /**< 1 if the last latmc_record() made some of its measurements
                            after sweeps of nothing but updates that are not ergodic
                            alone: its means are those of the states that such updates
                            reach, and not of all */
    int32_t components;  /**< numbers of a site in an array of sites: 1, of vectors n */
    int32_t steps;       /**< of the schedule; 0: it has none */
    int64_t round;       /**< sweeps of a round of the schedule, or 0 */
    int64_t round_done;  /**< how many of them are done; 0: the next one begins a round */
    int64_t exchanges;   /**< exchanges since latmc_start(); part of the state */
    int32_t order;       /**< ::latmc_order that latmc_set_order() set */
    int32_t reserved;    /**< 0 */
    int64_t ladders;     /**< of a sample, as latmc_set_ladders() cut its slots */
} latmc_lattice_info;

/** Read what a lattice is. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_info(const latmc_lattice *lattice,
                                                    latmc_lattice_info *info);

/* ------------------------------------------------------------------ devices */

/** Choose where the lattice lives: "auto", "cpu" (its best instruction set), "cpu:scalar",
 *  "cpu:avx2", "cpu:avx512", "cpu:neon", "cuda:0", or on several devices of a kind: "cuda:0,1",
 *  "cuda:0-3", "cuda:all", up to 64, of which one may come twice. It is then divided among them
 *  (latmc_set_division(), latmc_get_part()), which shows in no result. May be called at any time,
 *  also in mid-run: the trajectory goes on bit for bit. "auto" is the first usable GPU that has the
 * model, otherwise "cpu"; the environment variable LATMC_DEVICE replaces "auto" and nothing else. A
 * device that cannot be had is ::LATMC_ERROR_NO_DEVICE with the reason; another is never taken in
 * its place. A lattice that is not yet on a device, because it was not started or no call after
 * latmc_load() has needed one, does not move: its device is only chosen. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_device(latmc_lattice *lattice, const char *device);

/** The device in use, such as "cpu:avx512", or the list of those, such as "cuda:0,1"; for a lattice
 *  not yet on a device, the one it would get.
 *  @param[out] name at least 32 bytes; a list of many devices needs more, which is refused with
 *         their number
 *  @param bytes the size of `name` */
LATMC_API LATMC_CHECKED latmc_status latmc_get_device(const latmc_lattice *lattice, char *name,
                                                      size_t bytes);

/** The most threads of the host that a call may have: 1 to 4096, or 0 for as many as OpenMP would
 *  take (OMP_NUM_THREADS, omp_set_num_threads()), but not more than processors that the calling
 *  thread may use. A call has so many if its work is worth them: with fewer than some hundred
 *  microseconds it has one. With 0, calls made at the same time share the processors; a number that
 *  is set every lattice gets for itself. OMP_THREAD_LIMIT bounds both; inside an OpenMP parallel
 *  region of the host's a call has one thread unless OMP_MAX_ACTIVE_LEVELS allows another. On a CPU
 *  they sweep; on any device they store what has been measured for a series. No effect on any
 *  result. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_threads(latmc_lattice *lattice, int threads);

/* ------------------------------------------------------------------ running */

/** Give every site its first value and set the number of sweeps to 0; the next sweep begins a round
 *  of the schedule. May be called again, which begins the same trajectory anew. */
LATMC_API LATMC_CHECKED latmc_status latmc_start(latmc_lattice *lattice, latmc_start_mode mode);

/** Sweep every replica `sweeps` >= 0 times, or so many rounds of the schedule. Returns when the
 *  device has finished. Needs latmc_start() or latmc_set_sites() first. If the device fails in the
 *  middle, or the progress callback stops the call, the sweeps that were done count
 *  (latmc_get_info()). */
LATMC_API LATMC_CHECKED latmc_status latmc_sweep(latmc_lattice *lattice, latmc_update update,
                                                 int64_t sweeps);

/** Sweep `sweeps` times, and after each set every replica's ::LATMC_EPSILON so that the share of
 *  accepted proposals comes near `target`. For thermalization: while epsilon changes the sweeps do
 *  not sample exp(-H). The same on every device; epsilon is saved with the lattice. If the call
 *  fails or is stopped in the middle, the sweeps that were done count, and epsilon is what they
 *  made of it. A model without epsilon is ::LATMC_ERROR_UNKNOWN. With ::LATMC_SCHEDULE epsilon is
 *  set once in a round, and follows the acceptance of the schedule's first step that proposes with
 *  it: of the last sweep of that step. An epsilon that follows a ramp is ::LATMC_ERROR_STATE.
 *  @param update one that proposes with epsilon; another is ::LATMC_ERROR_ARGUMENT
 *  @param sweeps >= 0; 100 are plenty
 *  @param target 0.05 to 0.95; 0.5 is a good choice */
LATMC_API LATMC_CHECKED latmc_status latmc_tune(latmc_lattice *lattice, latmc_update update,
                                                int64_t sweeps, double target);

/** Called between chunks of sweeps, from the thread that called the library. It must return: no
 *  longjmp() and no exception may leave it. Functions called in it on the same lattice answer
 *  ::LATMC_ERROR_STATE, and latmc_destroy() does nothing.
 *  @param done sweeps done in this call so far, those of all steps of a schedule
 *  @param total sweeps asked for
 *  @return 0 to go on; anything else ends the call with ::LATMC_CANCELLED after `done` sweeps, with
 *          a valid lattice */
typedef int (*latmc_progress)(void *user, int64_t done, int64_t total);

/** Have `progress` called with `user` during latmc_sweep(), latmc_record() and latmc_tune(), about
 *  ten times a second; NULL for none. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_progress(latmc_lattice *lattice,
                                                        latmc_progress progress, void *user);

/* ------------------------------------------------------------------ reading */

/** Measure observables now, all in one measurement, which takes the time of what they need and of
 *  nothing else. Needs latmc_start() or latmc_set_sites() first.
 *  @param count number of observables, >= 1
 *  @param observables which, in the order of the result; one that the model does not have is
 *         ::LATMC_ERROR_UNKNOWN
 *  @param[out] values count x replicas numbers: values[o * replicas + r] */
LATMC_API LATMC_CHECKED latmc_status latmc_observe(latmc_lattice *lattice, int count,
                                                   const latmc_observable *observables,
                                                   double *values);

/** Sweep and measure in turn: `records` times `every` sweeps followed by a measurement, on the
 *  device, returned once.
 *  @param every sweeps, or rounds of the schedule, between measurements, >= 1
 *  @param records measurements, >= 1
 *  @param count number of observables, >= 1
 *  @param observables which, in the order of the result
 *  @param[out] series count x replicas x records numbers: series[(o * replicas + r) * records + t],
 *         so that each time series is contiguous. On ::LATMC_CANCELLED records that were not
 *  reached are NaN. If the device fails in the middle, some of the numbers may have been written
 * and the sweeps done count. */
LATMC_API LATMC_CHECKED latmc_status latmc_record(latmc_lattice *lattice, latmc_update update,
                                                  int64_t every, int64_t records, int count,
                                                  const latmc_observable *observables,
                                                  double *series);

/** Copy the sites of one replica out, in natural order; where the model's sites have several
 *  components, those of a site are beside each other.
 *  @param type how the sites are stored in `sites`; a field's are converted, a double to the
 *  nearest float
 *  @param[out] sites room for `count` numbers
 *  @param count must be N times the components of a site (latmc_lattice_info::components) */
LATMC_API LATMC_CHECKED latmc_status latmc_get_sites(latmc_lattice *lattice, int64_t replica,
                                                     latmc_type type, void *sites, int64_t count);

/** Replace the sites of one replica, given as latmc_get_sites() gives them. A lattice that was not
 *  started is then started, its other replicas cold and its sweep count 0, unless latmc_start()
 *  would refuse its settings. Vectors whose length is 1 but for roundings, as those of
 *  latmc_get_sites() are, stay as they are; others are made so long. A value that the model does
 *  not have is ::LATMC_ERROR_ARGUMENT and changes nothing. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_sites(latmc_lattice *lattice, int64_t replica,
                                                     latmc_type type, const void *sites,
                                                     int64_t count);

/** Measure observables of pairs of replicas now (::LATMC_PAIR_OBSERVABLES), such as overlaps: the
 *  same on every device. Needs latmc_start() or latmc_set_sites() first.
 *  @param pairs number of pairs, >= 1
 *  @param replicas pairs x 2 numbers: pair p has replicas[2 p] and replicas[2 p + 1], which may be
 *         the same
 *  @param count number of observables, >= 1
 *  @param observables which, in the order of the result; one that the model does not have for pairs
 *         is ::LATMC_ERROR_UNKNOWN
 *  @param[out] values count x pairs numbers: values[o * pairs + p] */
LATMC_API LATMC_CHECKED latmc_status latmc_observe_pairs(latmc_lattice *lattice, int64_t pairs,
                                                         const int64_t *replicas, int count,
                                                         const latmc_observable *observables,
                                                         double *values);

/** What latmc_record_pairs() measures of pairs of replicas: as latmc_observe_pairs() does. Set
 *  `size` to sizeof(latmc_pair_series) before the call, and all other members. */
typedef struct latmc_pair_series {
    size_t size;             /**< sizeof(latmc_pair_series) as the caller was compiled */
    int64_t pairs;           /**< number of pairs, >= 1 */
    const int64_t *replicas; /**< pairs x 2 numbers: pair p has replicas[2 p] and replicas[2 p + 1],
                                  which may be the same, by the lattice's order at each
                                  measurement (latmc_set_order()) */
    const latmc_observable *observables; /**< `count` of ::LATMC_PAIR_OBSERVABLES, in the order of
                                              the result */
    double *series; /**< count x pairs x records numbers: series[(o * pairs + p) * records + t] */
    int32_t count;  /**< number of observables, >= 1 */
} latmc_pair_series;

/** latmc_record() that also measures observables of pairs of replicas after the same sweeps: such
 *  as overlaps after each exchange of a schedule. What is said of latmc_record() holds for it, too:
 *  of schedules, progress, best sites, ::LATMC_CANCELLED and failures. The numbers are those of
 *  latmc_observe_pairs(), made one measurement after the other; where Ising spins in words are on a
 *  GPU it sweeps on meanwhile, unless parameters change or waves are asked for. What a measurement
 *  of pairs takes of the host's memory it takes when it is made: if there is none in the middle,
 *  that is as if the device had failed.
 *  @param count number of observables of replicas, >= 0; 0: none, and `observables` and `series`
 *         may be NULL
 *  @param pairs which pairs, what of them, and where it goes; what latmc_observe_pairs() refuses
 *         is refused, and so is NULL */
LATMC_API LATMC_CHECKED latmc_status latmc_record_pairs(latmc_lattice *lattice, latmc_update update,
                                                        int64_t every, int64_t records, int count,
                                                        const latmc_observable *observables,
                                                        double *series,
                                                        const latmc_pair_series *pairs);

/** A hash of all replicas' sites, a tree of XXH64 by layers and replicas (doc/trajectory.md): equal
 *  on every device. */
LATMC_API LATMC_CHECKED latmc_status latmc_state_hash(latmc_lattice *lattice, uint64_t *hash);

#ifdef __cplusplus
}
#endif

/* -- couplings and fields; schedules, ramps, slots; save and load; ranks and devices; analysis;
 * random numbers */

#include "disorder.h"

#include "schedule.h"

#include "save.h"

#include "ranks.h"

#include "analysis.h"

#include "random.h"

#endif
