/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a saved lattice, a piece at a time: lib/header.h describes it. */
#include <stdlib.h>

#include "lib/bytes.h"
#include "lib/checksum.h"
#include "lib/header.h"
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
    enum { SOME = 512 };
    uint8_t some[8 * SOME];
    latmc_status status = LATMC_OK;

    for (lm_chunk c = {0}; !status && lm_next_chunk(&c, count, SOME);) {
        uint8_t *to = some;

        for (int64_t i = 0; i < c.count; i++)
            lm_put_f64(&to, values[c.first + i]);
        status = put(p, some, (size_t)(to - some));
    }
    return status;
}

static latmc_status put_disorder(payload *p, const latmc_lattice *lattice, lm_owner owner)
{
    const lm_disorder *own = &lattice->disorder[owner];
    const int64_t count = lattice->samples * lm_disorder_each(lattice, owner);

    if (own->kind != LM_GIVEN)
        return LATMC_OK;
    return lm_keeps_signs(lattice, owner) ? put(p, own->signs, (size_t)count)
                                          : put_doubles(p, own->reals, count);
}

static latmc_status put_sites(payload *p, const latmc_lattice *lattice)
{
    const char *const caller = p->sink->who, *const what = "some rows of sites";
    const int64_t most = lm_chunk_rows(lattice), width = lm_row_numbers(lattice);
    const int bits = lattice->type->entry.bits;
    void *sites = lm_zeroed(caller, what, most * width, lattice->type->entry.bytes);
    uint8_t *encoded = lm_zeroed(caller, what, (most * width * bits + 7) / 8, 1);
    latmc_status status = sites && encoded ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int64_t r = 0; r < lattice->replicas; r++)
        for (lm_chunk c = {0}; !status && lm_next_chunk(&c, lattice->rows, most);) {
            status = lm_get_rows(lattice, caller, r, c, sites);
            if (status)
                break;
            lattice->type->encode(sites, c.count * width, encoded);
            status = put(p, encoded, (size_t)((c.count * width * bits + 7) / 8));
        }
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
    for (int owner = 0; owner < LM_OWNERS && !status; owner++)
        status = put_disorder(&p, lattice, (lm_owner)owner);
    if (!status)
        status = put_sites(&p, lattice);
    return status ? status : put_checksum(&p);
}
