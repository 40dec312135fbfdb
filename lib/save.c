/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a saved lattice, a piece at a time: lib/header.h describes it. */
#include <stdlib.h>

#include "lib/bytes.h"
#include "lib/checksum.h"
#include "lib/header.h"
#include "lib/status.h"
#include "lib/stream.h"

/* What is on its way out. */
typedef struct payload {
    lm_sink *sink;
    lm_checksum sum;
} payload;

static latmc_status put(payload *p, const void *data, size_t bytes)
{
    lm_checksum_add(&p->sum, data, bytes);
    return p->sink->write(p->sink, data, bytes);
}

static latmc_status put_doubles(payload *p, const double *values, int64_t count)
{
    uint8_t some[8 * 512];
    latmc_status status = LATMC_OK;

    for (int64_t i = 0; i < count && !status;) {
        uint8_t *to = some;

        while (i < count && to < some + sizeof some)
            lm_put_f64(&to, values[i++]);
        status = put(p, some, (size_t)(to - some));
    }
    return status;
}

static latmc_status put_bonds(payload *p, const latmc_lattice *lattice)
{
    if (lattice->bonds.kind != LM_BONDS_GIVEN)
        return LATMC_OK;
    return put(p, lattice->bonds.values, (size_t)(lattice->dims * lattice->sites));
}

static latmc_status put_replica(payload *p, const latmc_lattice *lattice, int64_t replica,
                                void *sites, uint8_t *encoded)
{
    const int64_t chunk = lm_chunk_rows(lattice);
    latmc_status status = LATMC_OK;

    for (int64_t first = 0; first < lattice->rows && !status; first += chunk) {
        const int64_t left = lattice->rows - first;
        const int64_t rows = left < chunk ? left : chunk;
        const int64_t count = rows * lattice->extents[0];

        status = lm_get_rows(lattice, p->sink->who, replica, first, rows, sites);
        if (status)
            return status;
        lattice->type->encode(sites, count, encoded);
        status = put(p, encoded, (size_t)((count * lattice->type->saved_bits + 7) / 8));
    }
    return status;
}

static latmc_status put_sites(payload *p, const latmc_lattice *lattice)
{
    const int64_t count = lm_chunk_rows(lattice) * lattice->extents[0];
    const int64_t bytes = (count * lattice->type->saved_bits + 7) / 8;
    const char *const what = "some rows of sites";
    void *sites = lm_zeroed(p->sink->who, what, count, lattice->type->bytes);
    uint8_t *encoded = lm_zeroed(p->sink->who, what, bytes, 1);
    latmc_status status = sites && encoded ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int64_t r = 0; r < lattice->replicas && !status; r++)
        status = put_replica(p, lattice, r, sites, encoded);
    free(sites);
    free(encoded);
    return status;
}

static latmc_status put_checksum(payload *p)
{
    uint8_t bytes[8], *to = bytes;

    lm_put_u64(&to, lm_checksum_value(&p->sum));
    return p->sink->write(p->sink, bytes, sizeof bytes);
}

latmc_status lm_save_to(latmc_lattice *lattice, lm_sink *sink)
{
    const lm_header header = lm_header_of(lattice);
    const int params = lm_list_of(lattice->model, LATMC_PARAMS)->count;
    uint8_t bytes[LM_HEADER_BYTES];
    payload p = {.sink = sink};
    latmc_status status = lm_fetch_changed(lattice, sink->who);

    lm_header_write(&header, bytes);
    lm_checksum_begin(&p.sum);
    if (!status)
        status = put(&p, bytes, sizeof bytes);
    if (!status)
        status = put_doubles(&p, lattice->params, params * lattice->replicas);
    if (!status)
        status = put_doubles(&p, lattice->changed, lattice->replicas);
    if (!status)
        status = put_bonds(&p, lattice);
    if (!status)
        status = put_sites(&p, lattice);
    return status ? status : put_checksum(&p);
}
