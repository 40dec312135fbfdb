/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/save.h"

#include "lib/base/ranks.h"
#include "lib/lattice/pending.h"
#include "lib/save/section_list.h"

/* Writes a section. If ranks write a file together, the first rank writes all sections but the
 * sites, of which each rank writes its own. */
static latmc_status put_section(lm_sink *sink, const latmc_lattice *lat, lm_section *s)
{
    const int id = lm_section_id_of(s);
    lm_outgoing o = {.sink = sink, .id = id, .offset = s->offset};
    latmc_status status = sink->go ? sink->go(sink, s->offset) : LATMC_OK;

    if (status || (sink->go && lm_ranks_own(lat->ranks) && id != LM_SECTION_SITES))
        return status;
    lm_checksum_begin(&o.sum);
    lm_section_list[id].put(&o, lat);
    s->sum = lm_section_list[id].leaves ? o.leaves_sum : lm_checksum_value(&o.sum);
    return o.status;
}

void lm_give_settings(const latmc_lattice *lattice)
{
    if (lm_ranks_count(lattice->ranks) < 2)
        return;
    /* Sections with leaves are left out: going through sites and couplings would cost too much. */
    for (int p = 0; p < LM_SECTIONS; p++) {
        lm_outgoing o = {.id = p};

        if (lm_section_list[p].leaves || p == LM_SECTION_CHANGED)
            continue;
        lm_checksum_begin(&o.sum);
        lm_section_list[p].put(&o, lattice);
        if (o.bytes || lm_section_list[p].required)
            lm_given_setting(lattice->ranks, lm_section_list[p].words, lm_checksum_value(&o.sum));
    }
}

latmc_status lm_save_to(latmc_lattice *lattice, lm_sink *sink)
{
    lm_header header = lm_header_of(lattice);
    uint8_t bytes[LM_MAX_HEADER];
    const int writes = !sink->go || lm_ranks_own(lattice->ranks) == 0;
    latmc_status status = lm_pending_fetch_changed(lattice, sink->caller);

    if (!status && writes)
        status = sink->write(sink, bytes, lm_header_write(&header, bytes));
    for (int i = 0; i < header.count && !status; i++)
        status = put_section(sink, lattice, &header.sections[i]);
    if (status || !writes)
        return status;
    if (sink->go)
        status = sink->go(sink, header.bytes - lm_end_write(&header, bytes));
    return status ? status : sink->write(sink, bytes, lm_end_write(&header, bytes));
}
