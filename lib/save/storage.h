/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves and loads lattices in files and in memory. */
#ifndef LM_STORAGE_H
#define LM_STORAGE_H

#include <latmc/latmc.h>

latmc_status lm_memory_load(const char *caller, const void *buffer, size_t bytes,
                            latmc_lattice **lattice);

#endif
