/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/header.h"

#include <inttypes.h>

#include "lib/bytes.h"
#include "lib/checksum.h"
#include "lib/status.h"

enum { SUM_BYTES = 8, SUMMED = LM_HEADER_BYTES - SUM_BYTES };
enum {
    BOUNDARY_BASE = LATMC_PERIODIC - 1,
    BOUNDARIES = 3,
    DISTRIBUTION_BASE = LATMC_PLUS_MINUS_ONE - 1
};

/* The first byte is no ASCII, and the last two suffer from any conversion of line ends. */
static const uint8_t magic[LM_MAGIC_BYTES] = {0x89, 'L', 'A', 'T', 'M', 'C', '\n', 0x1a};

int64_t lm_saved_replica_bytes(const latmc_lattice *lattice)
{
    return (lm_replica_numbers(lattice) * lattice->type->entry.bits + 7) / 8;
}

uint64_t lm_saved_bytes(const latmc_lattice *lattice)
{
    const uint64_t replicas = (uint64_t)lattice->replicas;
    const uint64_t doubles = (uint64_t)lm_list_of(lattice->model, LATMC_PARAMS)->count + 1;
    uint64_t given = 0;

    for (int owner = 0; owner < LM_OWNERS; owner++)
        given += (uint64_t)lm_disorder_bytes(lattice, (lm_owner)owner);
    return LM_HEADER_BYTES + doubles * 8 * replicas + given +
           replicas * (uint64_t)lm_saved_replica_bytes(lattice) + SUM_BYTES;
}

static lm_header_disorder disorder_of(const lm_disorder *own)
{
    lm_header_disorder d = {.kind = (int32_t)own->kind, .seed = own->draw.seed};

    if (own->kind == LM_DRAWN)
        d.distribution = (int32_t)own->draw.distribution - DISTRIBUTION_BASE;
    memcpy(d.arguments, own->draw.values, sizeof d.arguments);
    return d;
}

lm_header lm_header_of(const latmc_lattice *lattice)
{
    lm_header h = {.bytes = lm_saved_bytes(lattice),
                   .model = lattice->model->saved_id,
                   .dims = lattice->dims,
                   .replicas = lattice->replicas,
                   .first_replica = lattice->first_replica,
                   .seed = lattice->seed,
                   .samples = lattice->samples,
                   .first_sample = lattice->first_sample,
                   .sweeps = lattice->sweeps,
                   .params = lm_list_of(lattice->model, LATMC_PARAMS)->count};

    for (int i = 0; i < LM_MAX_OPTIONS; i++)
        h.options[i] = (int32_t)lattice->options[i];
    for (int owner = 0; owner < LM_OWNERS; owner++)
        h.disorder[owner] = disorder_of(&lattice->disorder[owner]);
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        h.extents[a] = lattice->extents[a];
        h.boundaries[a] = a < lattice->dims ? (int32_t)lattice->boundaries[a] - BOUNDARY_BASE : 0;
        h.axis_couplings[a] = lattice->axis_couplings[a];
    }
    return h;
}

latmc_model lm_header_model(const lm_header *h)
{
    for (int i = 0; i < lm_model_count(); i++)
        if (lm_model_at(i)->saved_id == h->model)
            return (latmc_model)lm_model_at(i)->entry.id;
    return (latmc_model)0;
}

latmc_boundary lm_header_boundary(const lm_header *h, int axis)
{
    const int32_t b = h->boundaries[axis];

    return (latmc_boundary)(b >= 1 && b <= BOUNDARIES ? b + BOUNDARY_BASE : 0);
}

latmc_distribution lm_header_distribution(const lm_header_disorder *d)
{
    return (latmc_distribution)(d->distribution >= 1 && d->distribution <= LM_DISTRIBUTIONS
                                    ? d->distribution + DISTRIBUTION_BASE
                                    : 0);
}

static uint64_t checksum_of(const uint8_t *bytes)
{
    lm_checksum sum;

    lm_checksum_begin(&sum);
    lm_checksum_add(&sum, bytes, SUMMED);
    return lm_checksum_value(&sum);
}

static void put_disorder(uint8_t **to, const lm_header_disorder *d)
{
    lm_put_u32(to, (uint32_t)d->kind);
    lm_put_u32(to, (uint32_t)d->distribution);
    lm_put_u64(to, d->seed);
    for (int i = 0; i < LM_ARGUMENTS; i++)
        lm_put_f64(to, d->arguments[i]);
}

void lm_header_write(const lm_header *h, uint8_t bytes[LM_HEADER_BYTES])
{
    uint8_t *to = bytes + LM_MAGIC_BYTES;

    memset(bytes, 0, LM_HEADER_BYTES);
    memcpy(bytes, magic, sizeof magic);
    lm_put_u32(&to, LM_FORMAT_VERSION);
    lm_put_u32(&to, LM_HEADER_BYTES);
    lm_put_u64(&to, h->bytes);
    lm_put_u32(&to, (uint32_t)h->model);
    lm_put_u32(&to, (uint32_t)h->dims);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        lm_put_u64(&to, (uint64_t)h->extents[a]);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        lm_put_u32(&to, (uint32_t)h->boundaries[a]);
    lm_put_u64(&to, (uint64_t)h->replicas);
    lm_put_u64(&to, (uint64_t)h->first_replica);
    lm_put_u64(&to, h->seed);
    lm_put_u64(&to, (uint64_t)h->sweeps);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        lm_put_f64(&to, h->axis_couplings[a]);
    lm_put_u32(&to, (uint32_t)h->params);
    lm_put_u32(&to, 0);
    for (int i = 0; i < LM_MAX_OPTIONS; i++)
        lm_put_u32(&to, (uint32_t)h->options[i]);
    for (int owner = 0; owner < LM_OWNERS; owner++)
        put_disorder(&to, &h->disorder[owner]);
    lm_put_u64(&to, (uint64_t)h->samples);
    lm_put_u64(&to, (uint64_t)h->first_sample);
    lm_put_u64(&to, checksum_of(bytes));
}

static lm_header_disorder get_disorder(const uint8_t **from)
{
    lm_header_disorder d;

    d.kind = (int32_t)lm_get_u32(from);
    d.distribution = (int32_t)lm_get_u32(from);
    d.seed = lm_get_u64(from);
    for (int i = 0; i < LM_ARGUMENTS; i++)
        d.arguments[i] = lm_get_f64(from);
    return d;
}

static lm_header decode(const uint8_t *from)
{
    lm_header h = {0};

    h.bytes = lm_get_u64(&from);
    h.model = (int32_t)lm_get_u32(&from);
    h.dims = (int32_t)lm_get_u32(&from);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        h.extents[a] = (int64_t)lm_get_u64(&from);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        h.boundaries[a] = (int32_t)lm_get_u32(&from);
    h.replicas = (int64_t)lm_get_u64(&from);
    h.first_replica = (int64_t)lm_get_u64(&from);
    h.seed = lm_get_u64(&from);
    h.sweeps = (int64_t)lm_get_u64(&from);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        h.axis_couplings[a] = lm_get_f64(&from);
    h.params = (int32_t)lm_get_u32(&from);
    lm_get_u32(&from);
    for (int i = 0; i < LM_MAX_OPTIONS; i++)
        h.options[i] = (int32_t)lm_get_u32(&from);
    for (int owner = 0; owner < LM_OWNERS; owner++)
        h.disorder[owner] = get_disorder(&from);
    h.samples = (int64_t)lm_get_u64(&from);
    h.first_sample = (int64_t)lm_get_u64(&from);
    return h;
}

latmc_status lm_header_read(const lm_source *source, const uint8_t *bytes, size_t have,
                            lm_header *header)
{
    const char *const caller = source->who, *const name = source->name;
    const uint8_t *from = bytes + LM_MAGIC_BYTES;
    const uint8_t *sum = bytes + SUMMED;
    uint32_t version, length;

    if (have < LM_MAGIC_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return lm_fail(LATMC_ERROR_FORMAT, "%s: %s does not begin as a saved lattice does", caller,
                       name);
    if (have < LM_HEADER_BYTES)
        return lm_fail(LATMC_ERROR_DAMAGED,
                       "%s: %s is truncated: it has %zu bytes, and the header alone has %d", caller,
                       name, have, LM_HEADER_BYTES);
    version = lm_get_u32(&from);
    if (version != LM_FORMAT_VERSION)
        return lm_fail(LATMC_ERROR_VERSION,
                       "%s: the format version of %s is %" PRIu32
                       "; this library reads version %d alone",
                       caller, name, version, LM_FORMAT_VERSION);
    length = lm_get_u32(&from);
    if (length != LM_HEADER_BYTES || lm_get_u64(&sum) != checksum_of(bytes))
        return lm_fail(LATMC_ERROR_DAMAGED,
                       "%s: the header of %s is damaged: its checksum is wrong", caller, name);
    *header = decode(from);
    return LATMC_OK;
}
