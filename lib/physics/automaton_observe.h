/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists what host and kernels share of cellular automata: the order of options, parameters,
 * updates and sums. */
#ifndef LM_AUTOMATON_OBSERVE_H
#define LM_AUTOMATON_OBSERVE_H

enum { LM_AUTOMATON_BIRTH, LM_AUTOMATON_SURVIVAL }; /* options: bit n is n neighbours */
enum { LM_AUTOMATON_NOISE };                        /* parameters */
enum { LM_AUTOMATON_SYNCHRONOUS };                  /* updates */
/* Bundles of one sum each: the living cells, and the cells that the last sweep changed. */
enum { LM_AUTOMATON_LIVING, LM_AUTOMATON_CHANGES, LM_AUTOMATON_BUNDLES };

#endif
