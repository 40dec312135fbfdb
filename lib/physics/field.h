/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares the interface between a model with some real numbers at a site and the engine that
 * sweeps it. A site has components, which updates change, and static values, which they do not. It
 * serves C and CUDA C++. Include a vocabulary of words and one of reals (backends/cpu/real_*.h,
 * lib/physics/real_one.h) first. A translation unit has one model.
 *
 * The engine gives a reader, a struct lm_reader with three functions of its own:
 *   lm_reader_one(read, c, a, s)         component c s steps along axis a
 *   lm_reader_two(read, c, a, s, b, t)   component c s steps along axis a and t along axis b
 *   lm_reader_fixed(read, k, a, s)       static value k s steps along axis a
 * Components have the boundary's sign, and static values have none. Beyond an open end components
 * are 0, and static values do not matter. C has one reader in each source file. In CUDA C++ these
 * functions are templates, and so is everything that takes a reader: LM_ANY_READER.
 *
 * The model's header for lanes (lib/physics/phi4_site.h is the pattern) gives the hooks.
 *
 * Required of every model.
 *  Sites and parameters:
 *   LM_HOOK_COMPONENTS           how many components a site has
 *   lm_hook_rule                 the parameters of a replica, in doubles, as the host makes them
 *  First configuration:
 *   lm_hook_first(..)            makes a site's components; `hot` is what lm_choices_at_start()
 *                                says (lib/geometry/spec.h)
 *  Updates:
 *   lm_hook_common               what is the same for all sites of a sweep, in reals
 *   lm_hook_prepare(..)          makes it of a rule and of the model's table (lm_model.table),
 *                                which has numbers of the type of arithmetic
 *   lm_hook_site                 a site as its update needs it
 *   lm_hook_load(..)             reads it
 *   lm_hook_update(..)           makes its components the new ones
 *  Sums of a measurement:
 *   LM_HOOK_EVERY_BUNDLE(DO)     DO(bundle) for every bundle but that of changes, LM_HOOK_BONDS and
 *                                LM_HOOK_COUNTED
 *   LM_HOOK_SUMS(dims)           how many sums these have
 *   lm_hook_bundle_begin(..)     the first sum of a bundle
 *   lm_hook_bundle_reads(..)     what a bundle takes of a site besides its field
 *   lm_hook_site_sums(..)        what a site adds to the sums of a bundle
 *
 * Optional. Where a preset stands in [], lib/physics/hooks.h has it.
 *  Lattices:
 *   LM_HOOK_FIXED(dims, kind)    how many static values, in lattices of a kind: 0 .. LM_FIELD_KINDS
 *                                [couplings of bonds in kinds 1 and 2, in 2 the site's field, too]
 *   LM_HOOK_HAS(reach, kind)     1 if the model has lattices with such a reach, of such a kind; 0:
 *                                that variant is not compiled [reach 1, every kind]
 *  Updates:
 *   LM_HOOK_DRAWS(update) [1]    0 if such an update draws no random numbers
 *   LM_HOOK_PAIRS(update)        whether it takes words of blocks of pairs (lib/physics/draws.h):
 *                                for kernels whose threads have several sites
 *   LM_HOOK_TILES [0]            1 if some update goes by tiles, otherwise 0. With it
 *   lm_hook_tile_draws(..)       which random numbers a visit of a tile's site takes
 *  Updates in the lanes of a CPU:
 *   LM_HOOK_TEXTS [1]            loops: 1 for all updates, or 3, one for each of three
 *   LM_HOOK_STEPS(update)        1 if such an update is made in two steps, so that a vector's
 *                                second goes along with the first of the next one; if the model has
 *                                no such update, not defined. With it
 *   lm_hook_begin(..)            the first, which leaves an lm_hook_begun behind,
 *   lm_hook_finish(..)           and the second
 *   LM_HOOK_ACROSS(update) [0]   1 if such an update reads neighbours beyond the nodes where they
 *                                are and not in copies, where those of all nodes are one vector,
 *                                which takes a second text to compile; otherwise 0
 *   LM_HOOK_TOGETHER [0]         how many sites some update makes at once, each step of a site
 *                                waiting for the one before it; 0: none does. With it
 *   lm_hook_together(..)         whether an update does
 *   lm_hook_update_together(..)  which is it
 *  Sums of a measurement:
 *   LM_HOOK_BONDS                if a sweep may leave a sum behind: the bundle that is that sum
 *                                alone, the first (doc/trajectory.md, "Order of sums"); not of
 *                                bytes, since bonds are numbers of the type of arithmetic. With it
 *   lm_hook_bonds(..)            b, where s . b is what sites add to it, over lanes: with two
 *                                colours those of the last, of all their bonds; otherwise all, of
 *                                those upward
 *   LM_HOOK_BEYOND(own) [0]      what counts there as the neighbour beyond an open end
 *   LM_HOOK_SUM_FIXED(dims)      how many static values bundles read, the first ones; where
 *                                a lattice has not so many these are lm_hook_fixed_preset(k, dims)
 *                                [couplings 1 of each axis, and the site's field 0]
 *   LM_HOOK_COUNTED              if sites are bytes and a model wants to know how many have each
 *                                value: the bundle of these numbers, the last one before changes.
 *                                The engine counts them
 *
 * CUDA calls them in backends/cuda/field/kernels.cu; phi^4 has some of its own (phi4.cuh). There it
 * also requires
 *   lm_hook_action(..)           the action of a replica's sites from its sums
 *   LM_HOOK_PARAMS               the number of parameters that actions are made of
 * and has as options
 *   LM_HOOK_BY_COLOUR [0]        1 if a component's sites of one colour come before those of the
 *                                other (backends/cuda/field/place.cuh)
 *   LM_HOOK_BY_CLASS [0]         1 if rows go by class while a lattice is swept by colours
 *                                (backends/cuda/field/classes.cuh)
 *   lm_hook_keep(..) [nothing]   keeps in a site what its update needs besides the rule
 *   LM_HOOK_ONE_LOAD             if defined, lm_hook_load() has one text for lattices of all kinds
 *   LM_HOOK_COLOUR_BLOCKS        for how many blocks of a multiprocessor the kernel of a colour
 *                                leaves registers; backends/cuda/field/colours.cuh has the preset
 *   lm_hook_find_bonds           with LM_HOOK_BONDS: what lm_hook_bonds() finds for lanes
 *   LM_HOOK_RARE_BUNDLES [0]     a mask of bundles that have a kernel of their own, as they are
 *                                seldom asked for and would take registers from the others
 *   LM_HOOK_RAREST_BUNDLES [0]   a mask of bundles that have another one, for more registers still
 *
 * A model may have lattices of several kinds, which differ in their static values. phi^4 has
 * degrees if some axis is open, and otherwise none. A lattice's spec decides its kind.
 */
#ifndef LM_FIELD_H
#define LM_FIELD_H

#include "lib/physics/draws.h"

#ifdef __cplusplus
#define LM_ANY_READER template <class lm_reader>
#else
#define LM_ANY_READER
#endif

/* The specifiers of a long part of an update, which every dimension and kind has. It is inline,
 * because a call would cost some per cent of one proposal. Sanitizers enlarge it so much that
 * compilers would take minutes. */
#ifdef __SANITIZE_ADDRESS__
#define LM_LONG static __attribute__((noinline))
#else
#define LM_LONG LM_INLINE
#endif

/* The specifiers of a part that takes so long that a call does not matter. All dimensions and kinds
 * share its code. On GPUs it is inline, because a call would have its arguments in memory. */
#ifdef __CUDACC__
#define LM_CALLED LM_INLINE
#else
#define LM_CALLED static __attribute__((noinline))
#endif

enum { LM_FIELD_KINDS = 3 };

#endif
