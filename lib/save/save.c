/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a saved lattice in one pass, a piece at a time. */
#include "lib/save/save.h"

#include "lib/base/ranks.h"
#include "lib/lattice/untold.h"
#include "lib/save/parts.h"

/* With ranks that write together the first one has all that is not sites. */
static latmc_status put_section(lm_sink *sink, const latmc_lattice *lat, lm_section *s)
{
    const int part = lm_part_of(s);
    lm_outgoing o = {.sink = sink, .part = part, .offset = s->offset};
    latmc_status status = sink->go ? sink->go(sink, s->offset) : LATMC_OK;

    if (status || (sink->go && lm_ranks_own(lat->ranks) && part != LM_PART_SITES))
        return status;
    lm_checksum_begin(&o.sum);
    lm_parts[part].put(&o, lat);
    s->sum = lm_parts[part].leaves ? o.leaves_sum : lm_checksum_value(&o.sum);
    return o.status;
}

/* What it costs to go through sites and couplings is not paid. */
void lm_settings_give(const latmc_lattice *lattice)
{
    for (int p = 0; p < LM_PARTS; p++) {
        lm_outgoing o = {.part = p};

        if (lm_parts[p].leaves || p == LM_PART_CHANGED)
            continue;
        lm_checksum_begin(&o.sum);
        lm_parts[p].put(&o, lattice);
        if (o.bytes || lm_parts[p].required)
            lm_given_setting(lattice->ranks, lm_parts[p].words, lm_checksum_value(&o.sum));
    }
}

latmc_status lm_save_to(latmc_lattice *lattice, lm_sink *sink)
{
    lm_header header = lm_header_of(lattice);
    uint8_t bytes[LM_MAX_HEADER];
    const int writes = !sink->go || lm_ranks_own(lattice->ranks) == 0;
    latmc_status status = lm_changed_fetch(lattice, sink->caller);

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
