/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that appears under its name when it is whole, or not at all. */
#ifndef LM_FILE_H
#define LM_FILE_H

#include <latmc/latmc.h>

latmc_status lm_file_save(latmc_lattice *lattice, const char *caller, const char *path);
latmc_status lm_file_load(const char *caller, const char *path, latmc_lattice **lattice);

#endif
