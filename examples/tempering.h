/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel tempering and annealing: the flags --temper and --anneal, and what is said of them. */
#ifndef TEMPERING_H
#define TEMPERING_H

#include <stdio.h>

#include "json.h"
#include "results.h"

/* Stops with status 2 unless one parameter, which alone says what is sampled, varies over the
 * replicas of each sample. */
void tempering_check(const lattice_flags *flags, const latmc_lattice *lattice);

/* Marks the means of ladders whose replicas made few round trips. */
void tempering_judge(const latmc_lattice *lattice, results *r);

/* What exchanges came to: the key "tempering", and a sentence for people. */
void tempering_json(const lattice_flags *flags, const latmc_lattice *lattice, json *j);
void tempering_table(const latmc_lattice *lattice, const results *r, FILE *file);

/* NAME=a:b of --anneal: the parameters begin at a; then they are on their way to b, and the best
 * sites are kept, of which the energies are told. */
void anneal_prepare(const lattice_flags *flags, latmc_lattice *lattice);
void anneal_begin(const lattice_flags *flags, latmc_lattice *lattice, int64_t sweeps);
void anneal_json(const lattice_flags *flags, const latmc_lattice *lattice, json *j);
void anneal_table(const lattice_flags *flags, const latmc_lattice *lattice, FILE *file);

#endif
