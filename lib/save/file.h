/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves lattices to files that appear whole or not at all, and loads them. */
#ifndef LM_FILE_H
#define LM_FILE_H

#include <latmc/latmc.h>

latmc_status lm_file_save(latmc_lattice *lattice, const char *caller, const char *path);
latmc_status lm_file_load(const char *caller, const char *path, latmc_lattice **lattice);

#endif
