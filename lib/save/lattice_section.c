/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/lattice_section.h"

#include <string.h>

#include "lib/base/bytes.h"

enum { BOUNDARY_BASE = LATMC_PERIODIC - 1, BOUNDARIES = 3 }; /* the format has its own numbers */

void lm_put_name(uint8_t **to, const char *name)
{
    memset(*to, 0, LM_NAME_BYTES);
    memcpy(*to, name, strlen(name));
    *to += LM_NAME_BYTES;
}

void lm_get_name(const uint8_t **from, char name[LM_NAME_BYTES + 1])
{
    memcpy(name, *from, LM_NAME_BYTES);
    name[LM_NAME_BYTES] = '\0';
    *from += LM_NAME_BYTES;
}

size_t lm_lattice_write(const latmc_lattice *lat, uint8_t bytes[LM_LATTICE_MAX])
{
    uint8_t *to = bytes;

    lm_put_name(&to, lat->model->entry.name);
    lm_put_name(&to, LM_LATTICE_NAME);
    lm_put_u64(&to, (uint64_t)lat->dims);
    for (int a = 0; a < LATMC_ROOM_DIMS; a++)
        lm_put_u64(&to, a < lat->dims ? (uint64_t)lat->extents[a] : 1);
    for (int a = 0; a < LATMC_ROOM_DIMS; a++)
        lm_put_u32(&to, a < lat->dims ? (uint32_t)lat->boundaries[a] - BOUNDARY_BASE : 0);
    lm_put_u64(&to, LM_CELL_SITES);
    lm_put_u64(&to, (uint64_t)lm_bond_types(lat));
    lm_put_u64(&to, (uint64_t)lat->replicas);
    lm_put_u64(&to, (uint64_t)lat->first_replica);
    lm_put_u64(&to, (uint64_t)lat->samples);
    lm_put_u64(&to, (uint64_t)lat->first_sample);
    lm_put_u64(&to, lat->seed);
    lm_put_u64(&to, (uint64_t)lat->sweeps);
    for (int t = 0; t < lm_bond_types(lat); t++)
        lm_put_f64(&to, lat->type_couplings[t]);
    return (size_t)(to - bytes);
}

static latmc_boundary boundary_of(uint32_t number)
{
    return (latmc_boundary)(number >= 1 && number <= BOUNDARIES ? number + BOUNDARY_BASE : 0);
}

lm_lattice_section lm_lattice_read(const uint8_t *bytes, uint64_t length)
{
    const uint8_t *from = bytes;
    lm_lattice_section p = {.seed = 0};

    lm_get_name(&from, p.model);
    lm_get_name(&from, p.lattice);
    p.dims = (int64_t)lm_get_u64(&from);
    for (int a = 0; a < LATMC_ROOM_DIMS; a++)
        p.extents[a] = (int64_t)lm_get_u64(&from);
    for (int a = 0; a < LATMC_ROOM_DIMS; a++)
        p.boundaries[a] = boundary_of(lm_get_u32(&from));
    p.cell_sites = (int64_t)lm_get_u64(&from);
    p.bond_types = (int64_t)lm_get_u64(&from);
    p.replicas = (int64_t)lm_get_u64(&from);
    p.first_replica = (int64_t)lm_get_u64(&from);
    p.samples = (int64_t)lm_get_u64(&from);
    p.first_sample = (int64_t)lm_get_u64(&from);
    p.seed = lm_get_u64(&from);
    p.sweeps = (int64_t)lm_get_u64(&from);
    for (int t = 0; from < bytes + length; t++)
        p.couplings[t] = lm_get_f64(&from);
    return p;
}
