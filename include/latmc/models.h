/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file models.h
 * @brief Models and all that they have: parameters, updates, observables; and their descriptions.
 *
 * This header is a section of latmc.h, which includes it. Its functions need no lattice.
 * latmc_describe() says at run time which of these things a model has.
 */
#ifndef LATMC_MODELS_H
#define LATMC_MODELS_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------- enumerators */

/*
 * Different kinds of things have different numbers, so that a thing given in place of another is
 * refused: statuses are below 100, models 100 to 199, kinds 200, random numbers 250, boundaries
 * 300, start modes 400, distributions 500, types 600, updates 700 to 799, arguments of
 * distributions 800, origins 850, weights 860, orders 870, divisions 880, indices 890, roles 900 to
 * 999, parameters 1000 to 1999, observables 2000 to 2999 (pairs of replicas have 2100 to 2199),
 * options 3000 to 3999.
 */

/** Models. Numbers 100 to 149 have spins, states or cells at their sites, 150 to 199 are fields. */
typedef enum latmc_model {
    LATMC_ISING = 101, /**< spins -1 and +1, E = -sum_<ij> J_ij s_i s_j - sum_i h_i s_i */
    /** Vectors of n components with |s| = 1; n is the option ::LATMC_N.
     *  E = -sum_<ij> J_ij s_i . s_j - sum_i h_i s_i^(last) */
    LATMC_ONVECTOR = 102,
    /** States 0 .. q - 1; q is the option ::LATMC_Q.
     *  E = -sum_<ij> J_ij delta(s_i, s_j) - sum_i h_i delta(s_i, 0) */
    LATMC_POTTS = 103,
    /** Spins -1, 0 and +1. E = -sum_<ij> J_ij s_i s_j + D sum_i s_i^2 - h sum_i s_i */
    LATMC_BLUME_CAPEL = 104,
    /** States k = 0 .. q - 1 at the angles t = 2 pi k / q; q is the option ::LATMC_Q.
     *  E = -sum_<ij> J_ij cos(t_i - t_j) - sum_i h_i cos t_i */
    LATMC_CLOCK = 105,
    /** A life-like cellular automaton in two dimensions, with extents >= 3. Cells are 0 (dead) or 1
     *  (living). ::LATMC_BIRTH and ::LATMC_SURVIVAL give the rule for a cell's eight neighbours. */
    LATMC_AUTOMATON = 121,
    /** A real field with weight exp(-H), H = sum_i [ 1/2 sum_mu (phi(x+mu) - phi(x))^2
     *  + mu2/2 phi^2 + g/24 phi^4 + inv_lambda/2 (Laplacian phi)^2 - h phi ] */
    LATMC_PHI4 = 151
} latmc_model;

/** Options: whole numbers that belong to a lattice and are fixed before its start. */
typedef enum latmc_option {
    LATMC_PRECISION = 3001, /**< bits of a real number in a field: 32 (float) or 64 (double) */
    /** Automata: bit n is 1 if a dead cell with n living neighbours comes to life. 0 to 511; preset
     *  8 = 2^3, Conway's Life. */
    LATMC_BIRTH = 3051,
    /** Automata: bit n is 1 if a living cell with n living neighbours stays alive. 0 to 511; preset
     *  12 = 2^2 + 2^3. */
    LATMC_SURVIVAL = 3052,
    /** phi^4: 1 if the Hamiltonian has the cut-off term with the parameter ::LATMC_INV_LAMBDA, and
     *  0 if not. 0 is faster. */
    LATMC_CUTOFF = 3100,
    LATMC_N = 3200, /**< O(n) vectors: components of a vector; 2 (XY), 3 (Heisenberg) or 4 */
    LATMC_Q = 3300  /**< states that a site may have: Potts 2 to 256, clock 2 to 64 */
} latmc_option;

/** Parameters: one real number per slot. */
typedef enum latmc_param {
    LATMC_BETA = 1001, /**< inverse temperature, in 1/energy */
    /** Uniform external field h. The energy contains -h times the sum over all sites; vectors
     *  contribute their last component. Potts: -h for each site in state 0. */
    LATMC_FIELD = 1002,
    /** Blume-Capel: the crystal field D (single-ion anisotropy). The energy contains D times the
     *  number of spins that are not 0. */
    LATMC_CRYSTAL_FIELD = 1003,
    /** Automata: probability, 0 to 1, that a cell becomes the opposite of what the rule says. Its
     *  resolution is 2^-32. */
    LATMC_NOISE = 1051,
    LATMC_MU2 = 1100, /**< phi^4: coefficient of phi^2 / 2 */
    /** phi^4: coefficient of phi^4 / 24, >= 0. The field is Gaussian if it is 0; the quadratic part
     *  must then be positive. */
    LATMC_G = 1101,
    /** phi^4: 1 / Lambda >= 0, twice the coefficient of the squared lattice Laplacian (the cut-off
     *  term). It must be 0 unless the option ::LATMC_CUTOFF is 1. */
    LATMC_INV_LAMBDA = 1102,
    /** phi^4: proposals are uniform in (-epsilon, epsilon) about the field; 1e-6 to 1e6. O(n)
     *  vectors: proposals turn a vector by at most 2 arctan(epsilon); 1e-6 to 1. */
    LATMC_EPSILON = 1110,
    /** phi^4, O(n) vectors: proposals at each visit of a site; a whole number, 1 to 64. */
    LATMC_HITS = 1111,
    LATMC_LOCAL_SWEEPS = 1112 /**< phi^4: sweeps inside a tile; a whole number, 1 to 255 */
} latmc_param;

/** Updates of the sites. One sweep visits every site once, or ::LATMC_LOCAL_SWEEPS times in tiles.
 *  doc/physics.md names the page with each model's rule. */
typedef enum latmc_update {
    /** The steps of latmc_set_schedule(). A call then counts rounds of the schedule where it
     *  otherwise counts sweeps. */
    LATMC_SCHEDULE = 700,
    LATMC_METROPOLIS = 701, /**< proposals at each site, accepted by the Metropolis rule */
    LATMC_HEATBATH = 702,   /**< draws each site from its conditional distribution */
    /** Potts: as ::LATMC_METROPOLIS, but the proposal is one of the q - 1 other states. */
    LATMC_METROPOLIS_OTHER = 703,
    LATMC_SYNCHRONOUS = 705, /**< automata: one generation, all cells at once */
    /** phi^4: Metropolis sweeps in tiles, ::LATMC_LOCAL_SWEEPS of them with the surroundings of the
     *  tile frozen. Extents must be >= 4 except on open axes. */
    LATMC_BLOCK_METROPOLIS = 711,
    /** phi^4, O(n) vectors: reflects a site at (nearly) the same energy. Not ergodic alone. */
    LATMC_OVERRELAX = 712
} latmc_update;

/** Observables. A ::latmc_quantity is an observable with its indices, in square brackets below; its
 *  value is one real number per replica. latmc_quantity_sizes() says which indices a lattice has.
 *  ABS_ stands for the modulus, 2 at the end for the square and 4 for the fourth power. M2 and M4
 *  are those of the magnetization m. */
typedef enum latmc_observable {
    LATMC_ENERGY = 2001,           /**< e = E/N, energy per site */
    LATMC_ENERGY2 = 2002,          /**< e^2 */
    LATMC_ENERGY4 = 2003,          /**< e^4 */
    LATMC_ENERGY_GRADIENT = 2004,  /**< phi^4: part of e with (phi(x+mu) - phi(x))^2 */
    LATMC_ENERGY_POTENTIAL = 2005, /**< phi^4: part of e with mu2, g and h */
    LATMC_ENERGY_CUTOFF = 2006,    /**< phi^4: part of e with the squared Laplacian */
    /** m = (1/N) sum_i s_i; for phi^4 the mean field. Vectors and clock states: [component] of the
     *  vector m. The field and the cold start are along component n - 1 of vectors, and along
     *  component 0 of clock states. */
    LATMC_MAGNETIZATION = 2010,
    LATMC_ABS_MAGNETIZATION = 2011, /**< |m| */
    /** m^2; for vectors m . m. Potts: m is the mean of vectors of length 1, from the centre of a
     *  simplex to its q corners. Each corner stands for a state. Then m . m =
     *  sum_a (q rho_a - 1)^2 / (q (q - 1)), where rho_a is the share of sites in state a. */
    LATMC_M2 = 2012,
    LATMC_M4 = 2013,               /**< m^4; for vectors (m . m)^2 */
    LATMC_ORDER_PARAMETER = 2014,  /**< Potts: (q max_a rho_a - 1) / (q - 1) */
    LATMC_ORDER_PARAMETER2 = 2015, /**< its square */
    LATMC_ORDER_PARAMETER4 = 2016, /**< its fourth power */
    /** Models with an update that proposes with a width (phi^4, O(n) vectors): share of the last
     *  sweep's proposals that were accepted. 0 before the first sweep. */
    LATMC_ACCEPTANCE = 2020,
    LATMC_QUADRUPOLE = 2021,  /**< Blume-Capel: (1/N) sum_i s_i^2, share of spins that are not 0 */
    LATMC_QUADRUPOLE2 = 2022, /**< its square */
    LATMC_QUADRUPOLE4 = 2023, /**< its fourth power */
    LATMC_DENSITY = 2026,     /**< automata: share of the cells that live */
    /** Models without ::LATMC_ACCEPTANCE: share of the sites that the last sweep changed. 0 before
     *  the first sweep. */
    LATMC_CHANGED = 2027,
    LATMC_PHI_SQUARED = 2032, /**< phi^4: (1/N) sum_i phi_i^2 */
    LATMC_PHI_FOURTH = 2033,  /**< phi^4: (1/N) sum_i phi_i^4 */
    /** [axis]: |(1/N) sum_i s_i exp(i k x)|^2 at the smallest momentum along the axis. Its k is
     *  2 pi / L (antiperiodic: pi / L), and x is the coordinate along the axis. Vectors: the sum
     *  over their components. In most books the structure factor is N times this value. For Ising
     *  lattices that are kept in bits the host computes it from all sites, one measurement at a
     *  time. This takes as long as some sweeps. */
    LATMC_STRUCTURE = 2040,
    /** [momentum]: the same at a momentum of latmc_set_momenta(), for all models. Clock states
     *  count as vectors (cos t, sin t), and cells of automata as 0 or 1. Potts: sum over states a
     *  of |(1/N) sum_i (q delta(s_i, a) - 1) exp(i k x)|^2, divided by q (q - 1). At k = 0 it is
     *  ::LATMC_M2. The host computes it from all sites, one measurement at a time. */
    LATMC_STRUCTURE_AT = 2041,
    /** [axis]: its mean is the helicity modulus (spin stiffness) along the axis, in units of
     *  energy (Teitel and Jayaprakash 1983). Clock states, and vectors with n = 2. It is
     *  (1/N) [J sum_i K_i s_i . s_j - beta (J sum_i K_i (s_i x s_j))^2], with
     *  s x t = s_0 t_1 - s_1 t_0. Site j is above i along the axis, with the boundary's sign. J is
     *  the coupling of the bond type, K_i the bond's own, and beta that of the replica's slot. */
    LATMC_HELICITY = 2060,
    /** Vectors with n = 2 in two dimensions: number of plaquettes with a vortex or an antivortex,
     *  divided by N. Around such a plaquette the angle changes by one turn. From site to site the
     *  shorter arc counts; for opposite vectors, the arc that avoids the negative half of axis 0. A
     *  site beyond an antiperiodic end counts with its sign. There are no plaquettes beyond an open
     *  end. */
    LATMC_VORTICES = 2065,
    /** [axis]: (1/N) sum_i |s_j . (s_i x s_k)| of vectors with n = 3 (Hukushima and Kawamura 2005).
     *  Sites j and k are above and below i along the axis; an open end gives 0. */
    LATMC_CHIRALITY = 2070,
    LATMC_MEAN_CHIRALITY = 2071, /**< vectors with n = 3: mean of ::LATMC_CHIRALITY over the axes */
    LATMC_OCCUPATION = 2075,     /**< [state]: share of the sites in the state; Potts, clock */
    /** [weight, component]: (1/N) times the sum with weights of latmc_set_weights(). Of sites:
     *  sum_i w_i s_i, for Potts states w_i delta(s_i, component), for clock states w_i cos t_i and
     *  w_i sin t_i. Of bonds: sum_<ij> w_ij s_i . s_j with the boundary's sign and the product of
     *  ::LATMC_OVERLAP; the only component is 0. */
    LATMC_WEIGHTED = 2080,
    /** [weight]: its modulus, for vectors and clock states the length. Potts states count as in
     *  ::LATMC_M2, so that weights of 1 give that. */
    LATMC_ABS_WEIGHTED = 2081,
    LATMC_WEIGHTED2 = 2082, /**< [weight]: square of ::LATMC_ABS_WEIGHTED */
    LATMC_WEIGHTED4 = 2083, /**< [weight]: fourth power of ::LATMC_ABS_WEIGHTED */
    /** Every model: number of the slot that the replica has, a whole number. Ordered by replica,
     *  the series is a replica's path from slot to slot. */
    LATMC_SLOT = 2091,
    /** Every model: number of the replica in the lattice. Ordered by slot, the series shows which
     *  replicas had the slot. */
    LATMC_HOLDER = 2092,
    /* The following are of pairs of replicas, one real number per pair. Automata have none. */
    /** q = (1/N) sum_i s_i^a s_i^b. The product is phi_i^a phi_i^b for phi^4, s_i^a . s_i^b for
     *  vectors, delta(s_i^a, s_i^b) for Potts and cos(t_i^a - t_i^b) for clock states. The same
     *  product stands in all observables below. */
    LATMC_OVERLAP = 2101,
    LATMC_ABS_OVERLAP = 2102, /**< |q| */
    LATMC_OVERLAP2 = 2103,    /**< q^2; it is not ::LATMC_TENSOR_OVERLAP2 of vectors */
    LATMC_OVERLAP4 = 2104,    /**< q^4 */
    /** (1/M) sum over bonds of (s_i . s_j)^a (s_i . s_j)^b, where M is the number of bonds that
     *  count. A bond does not count if it is missing in the sample of either replica, or its
     *  coupling is 0. Bonds beyond an open end do not count. 0 if no bond counts. The sign of an
     *  antiperiodic end enters twice, and cancels. */
    LATMC_LINK_OVERLAP = 2105,
    /** [axis]: |(1/N) sum_i s_i^a . s_i^b exp(i k x)|^2 at the smallest momentum along the axis,
     *  k = 2 pi / L with every boundary. latmc_correlation_length() of the mean of
     *  ::LATMC_OVERLAP2 and of this mean gives xi of a spin glass. */
    LATMC_OVERLAP_STRUCTURE = 2110,
    /** [momentum]: |(1/N) sum_i s_i^a . s_i^b exp(i k x)|^2 at a momentum of latmc_set_momenta(),
     *  all of whose numbers must be even. */
    LATMC_OVERLAP_STRUCTURE_AT = 2111,
    /** Vectors: sum over mu, nu of (q^mu,nu)^2, with q^mu,nu = (1/N) sum_i s_i,mu^a s_i,nu^b.
     *  Rotations of a replica do not change it. It is the q^2 of vector spin glasses. */
    LATMC_TENSOR_OVERLAP2 = 2120,
    LATMC_TENSOR_OVERLAP4 = 2121, /**< its square */
    /** [axis]: sum over mu, nu of |(1/N) sum_i s_i,mu^a s_i,nu^b exp(i k x)|^2 of vectors, with k
     *  as in ::LATMC_OVERLAP_STRUCTURE. */
    LATMC_TENSOR_STRUCTURE = 2130,
    /** [momentum]: sum over mu, nu of |(1/N) sum_i s_i,mu^a s_i,nu^b exp(i k x)|^2 of vectors, with
     *  k as in ::LATMC_OVERLAP_STRUCTURE_AT. */
    LATMC_TENSOR_STRUCTURE_AT = 2131,
    /** [axis]: the square of (1/N) sum_i kappa_i^a kappa_i^b, for vectors with n = 3. kappa_i is
     *  s_j . (s_i x s_k), with j and k above and below i along the axis; 0 at open ends. */
    LATMC_CHIRAL_OVERLAP2 = 2140,
    /** [axis]: |(1/N) sum_i kappa_i^a kappa_i^b exp(i k x)|^2, with kappa as in
     *  ::LATMC_CHIRAL_OVERLAP2 and k as in ::LATMC_OVERLAP_STRUCTURE, along the same axis.
     *  latmc_correlation_length() of the mean of ::LATMC_CHIRAL_OVERLAP2 and of this mean gives the
     *  chiral correlation length along the axis. */
    LATMC_CHIRAL_STRUCTURE = 2150,
    /** [axis, momentum]: |(1/N) sum_i kappa_i^a kappa_i^b exp(i k x)|^2, with kappa along the axis
     *  as in ::LATMC_CHIRAL_OVERLAP2, and k as in ::LATMC_OVERLAP_STRUCTURE_AT. */
    LATMC_CHIRAL_STRUCTURE_AT = 2151
} latmc_observable;

/** The boundaries of an axis. */
typedef enum latmc_boundary {
    LATMC_PERIODIC = 301,     /**< the last site's neighbour is the first */
    LATMC_ANTIPERIODIC = 302, /**< the same, with the sign of the coupling reversed */
    LATMC_OPEN = 303          /**< no bond */
} latmc_boundary;

/** Configurations to start from. In an ordered phase a hot start may take long to reach one of the
 *  ordered states; a cold start is in one. */
typedef enum latmc_start_mode {
    /** Random sites, drawn from the seed. Each spin, Potts state or cell takes each of its values
     *  with equal probability. phi is uniform in [-1, 1), and vectors have any direction. */
    LATMC_START_HOT = 401,
    /** Spins and phi +1, vectors along the last component, states 0, cells dead. */
    LATMC_START_COLD = 402
} latmc_start_mode;

/** Distributions of couplings and site fields. latmc_describe() lists those of a model. */
typedef enum latmc_distribution {
    /** 0 with probability ::LATMC_DRAW_MISSING, and otherwise +1 with probability
     *  ::LATMC_DRAW_PLUS, or -1 (Edwards-Anderson +-J). */
    LATMC_PLUS_MINUS_ONE = 501,
    /** 0 with probability ::LATMC_DRAW_MISSING, and otherwise normal with mean ::LATMC_DRAW_MEAN
     *  and standard deviation ::LATMC_DRAW_WIDTH. */
    LATMC_GAUSSIAN = 502
} latmc_distribution;

/** Arguments of distributions, for latmc_draw_bond_couplings() and latmc_draw_site_fields().
 *  latmc_describe() gives their distribution, range and preset. */
typedef enum latmc_argument {
    /** Share of +1 among the couplings or fields that are not 0; 0 to 1, preset 0.5. */
    LATMC_DRAW_PLUS = 801,
    LATMC_DRAW_MISSING = 802, /**< share of 0, such as missing bonds; 0 to 1, preset 0 */
    /** Mean, preset 0. The unit is the bond type's coupling for couplings, and energy for site
     *  fields. */
    LATMC_DRAW_MEAN = 803,
    LATMC_DRAW_WIDTH = 804 /**< standard deviation, >= 0, preset 1, in the unit of the mean */
} latmc_argument;

/** Number types of sites in arrays of this interface. */
typedef enum latmc_type {
    LATMC_INT8 = 601,  /**< int8_t; Ising: -1 or +1; Blume-Capel: -1, 0 or +1; automata: 0 or 1 */
    LATMC_UINT8 = 602, /**< uint8_t; Potts, clock: a state, 0 to q - 1 */
    /** float. phi^4: a given site is at most 1e6 in magnitude. Vectors: |s . s - 1| of a given site
     *  is at most 1e-4. */
    LATMC_FLOAT32 = 611,
    LATMC_FLOAT64 = 612, /**< double; ranges as for ::LATMC_FLOAT32 */
    /** Sites as they are saved, for lattices whose saved sites have fewer than 8 bits. These are
     *  Ising, Blume-Capel and automata, and Potts with q <= 16. An Ising spin is one bit, 1 for
     *  +1. Eight sites share a byte, the first one in the lowest bit. A layer, the sites with one
     *  last coordinate, begins at a whole byte. Bits after its last site are 0. doc/format.md,
     *  "Leaves", has the bytes of all models: the layers of a replica, without sums. */
    LATMC_BITS = 621
} latmc_type;

/** What an index of a quantity counts. */
typedef enum latmc_index {
    LATMC_INDEX_NONE = 890,      /**< nothing: the index must be 0 */
    LATMC_INDEX_COMPONENT = 891, /**< component of a vector, or Potts state of a weighted sum */
    LATMC_INDEX_AXIS = 892,      /**< axis of the lattice */
    LATMC_INDEX_BOND_TYPE = 893, /**< bond type of a cell */
    LATMC_INDEX_STATE = 894,     /**< state of a site, 0 to q - 1 */
    LATMC_INDEX_MOMENTUM = 895,  /**< momentum of latmc_set_momenta() */
    LATMC_INDEX_WEIGHT = 896,    /**< weights of latmc_set_weights() */
    LATMC_INDEX_DISTANCE = 897   /**< distance along an axis */
} latmc_index;

/* ------------------------------------------------------------ descriptions */

/** Kinds of things that latmc_describe() describes. */
typedef enum latmc_kind {
    LATMC_MODELS = 201,        /**< ::latmc_model */
    LATMC_PARAMS = 202,        /**< ::latmc_param */
    LATMC_UPDATES = 203,       /**< ::latmc_update */
    LATMC_OBSERVABLES = 204,   /**< ::latmc_observable */
    LATMC_BOUNDARIES = 205,    /**< ::latmc_boundary */
    LATMC_START_MODES = 206,   /**< ::latmc_start_mode */
    LATMC_DISTRIBUTIONS = 207, /**< ::latmc_distribution */
    /** ::latmc_argument. An argument of several distributions is described for each one;
     *  latmc_description::distribution names the distribution. */
    LATMC_ARGUMENTS = 208,
    LATMC_OPTIONS = 209, /**< ::latmc_option */
    LATMC_TYPES = 210,   /**< ::latmc_type: those of a model's sites in arrays */
    /** ::latmc_observable of pairs of replicas. Roles are those of the overlap as an order
     *  parameter; for vectors, those of the tensor of overlaps. */
    LATMC_PAIR_OBSERVABLES = 211
} latmc_kind;

/** The role of an observable, so that programs need not know models and names. For example, the
 *  energy of every model has the same role. Within a model, a role other than ::LATMC_ROLE_NONE
 *  belongs to at most one observable. */
typedef enum latmc_role {
    LATMC_ROLE_NONE = 901,       /**< none of these */
    LATMC_ROLE_ENERGY = 911,     /**< energy per site */
    LATMC_ROLE_ENERGY2 = 912,    /**< its square */
    LATMC_ROLE_ENERGY4 = 913,    /**< its fourth power */
    LATMC_ROLE_ORDER = 921,      /**< order parameter per site */
    LATMC_ROLE_ABS_ORDER = 922,  /**< its modulus */
    LATMC_ROLE_ORDER2 = 923,     /**< its square */
    LATMC_ROLE_ORDER4 = 924,     /**< its fourth power */
    LATMC_ROLE_STRUCTURE = 931,  /**< [axis]: structure factor of the order parameter */
    LATMC_ROLE_OCCUPATION = 935, /**< [state]: share of the sites in a state */
    LATMC_ROLE_ACCEPTANCE = 941, /**< share of the proposals that a sweep accepted */
    LATMC_ROLE_CHANGED = 942,    /**< share of the sites that a sweep changed */
    LATMC_ROLE_SLOT = 951,       /**< number of the slot that the replica has */
    LATMC_ROLE_HOLDER = 952      /**< number of the replica; by slot, of the slot's replica */
} latmc_role;

/** The description of a thing. The caller sets `size` to sizeof(latmc_description) before the
 *  call. A member that is not for the thing's kind is 0. */
typedef struct latmc_description {
    size_t size;         /**< sizeof(latmc_description) as the caller was compiled */
    const char *name;    /**< lower case, such as "beta" */
    const char *meaning; /**< one sentence, with the unit */
    int32_t id;          /**< the value of the enumerator */

    /** Models: 1 if the couplings of single bonds can be -1, 0 and +1, and 2 if they can be any
     *  real numbers. 0 if bonds have no couplings. */
    int32_t has_couplings;
    int32_t has_site_fields; /**< models: 1 if each site can have a field of its own */
    int32_t has_exchanges;   /**< models: 1 if slots can exchange replicas */

    int32_t distribution; /**< arguments: the ::latmc_distribution that has it */
    int32_t in_ramps;     /**< parameters: 1 if latmc_set_ramp() takes it */
    /** Parameters: 1 if the distribution that a slot samples depends on it. Slots that exchange
     *  replicas differ in such parameters. */
    int32_t in_exchanges;
    int32_t in_steps; /**< parameters: 1 if a step of a schedule can have its own value */
    double minimum;   /**< parameters, options, arguments: the least allowed value */
    double maximum;   /**< parameters, options, arguments: the greatest one */
    /** Parameters, options: the value of a new lattice. Arguments: the value of an argument that is
     *  not given. */
    double preset;
    /** Options: distance between allowed values, beginning with the least one. Parameters: 1 for
     *  whole numbers. */
    double step;

    int32_t ergodic;           /**< updates: 1 if this one alone reaches every state */
    int32_t tuned;             /**< updates: 1 if latmc_tune() takes it */
    int64_t param_count;       /**< updates: number of parameters that the update reads */
    const latmc_param *params; /**< updates: these parameters; constant */

    int32_t per_site; /**< observables: 1 if the value is per site */
    int32_t role;     /**< observables: ::latmc_role */
    int32_t index;    /**< observables: ::latmc_index that a quantity's index counts */
    int32_t second;   /**< observables: ::latmc_index that its second index counts */

    int32_t bytes; /**< types: bytes of a number in an array; 0 for ::LATMC_BITS */
    int32_t bits;  /**< types: bits of a number where it is kept or saved */
} latmc_description;

/** Counts the things of a kind that `model` has. `model` is ignored for ::LATMC_MODELS.
 *  @param[out] count 0 or more */
LATMC_API LATMC_CHECKED latmc_status latmc_count(latmc_kind kind, latmc_model model,
                                                 int64_t *count);

/** Describes thing number `number` of a kind. `model` is ignored for ::LATMC_MODELS.
 *  @param number 0 to count - 1 of latmc_count()
 *  @param[in,out] info its `size` must be set; only that many bytes are written */
LATMC_API LATMC_CHECKED latmc_status latmc_describe(latmc_kind kind, latmc_model model,
                                                    int64_t number, latmc_description *info);

/** Finds the enumerator of a thing by its name, such as "beta". The function returns
 *  ::LATMC_ERROR_UNKNOWN if there is no such name. The message then lists the names that exist.
 *  latmc_quantity_find() finds observables with their indices.
 *  @param[out] id the value of the enumerator */
LATMC_API LATMC_CHECKED latmc_status latmc_find(latmc_kind kind, latmc_model model,
                                                const char *name, int32_t *id);

#ifdef __cplusplus
}
#endif

#endif
