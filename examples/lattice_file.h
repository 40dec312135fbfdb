/* SPDX-License-Identifier: BSD-3-Clause */
/* Couplings of bonds and fields of sites from text files. */
#ifndef LATTICE_FILE_H
#define LATTICE_FILE_H

#include "lattice_flags.h"

/* What begins the value of a flag that names files. */
#define LATTICE_FILE_PREFIX "file:"

#define LATTICE_FILE_HELP                                                                          \
    "file:NAME, a text of lines SITE SITE COUPLING or SITE FIELD, or of one number per line in "   \
    "the library's order; file:NAME,NAME with several samples"

/* Returns the names in the value of a flag, behind the prefix, or NULL if it names no files. */
const char *lattice_file_names(const char *value);

/* Reads files, whose names are separated by commas. Returns the numbers, [sample][number], which
 * the caller frees. If *kind is DISORDERS, the first line says which kind the numbers are of, and
 * *kind becomes this one. Stops with status 2 and a sentence if a file has not what the lattice
 * needs. */
double *lattice_file_read(const latmc_lattice *lattice, disorder_kind *kind, const char *flag,
                          const char *names, int64_t *samples);

#endif
