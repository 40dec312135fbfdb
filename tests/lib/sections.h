/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of a lattice that was saved. */
#ifndef LM_TESTS_LIB_SECTIONS_H
#define LM_TESTS_LIB_SECTIONS_H

#include "tests/support.h"

#include "tests/saved.h"

/* The sections of a lattice, which is destroyed. */
static inline saved_file sections_of(latmc_lattice *lat)
{
    size_t size;
    uint8_t *bytes = save_whole(lat, &size);
    saved_file f = saved_open(bytes, size);

    free(bytes);
    latmc_destroy(lat);
    return f;
}

static inline latmc_status load(const saved_file *f, latmc_lattice **lat)
{
    size_t size;
    uint8_t *bytes = saved_close(f, &size);
    const latmc_status status = latmc_load_memory(lat, bytes, size);

    free(bytes);
    return status;
}

static inline void refuse_file(const saved_file *f, latmc_status status, const char *part)
{
    latmc_lattice *lat = NULL;

    refused(status, part, load(f, &lat));
    assert_null(lat);
    assert_true(strncmp(latmc_error_message(), "latmc_load_memory: ", 19) == 0);
}

#endif
