/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the CPU backend, whose devices are the lanes. */
#include "backends/cpu/cpu.h"

#include <stddef.h>
#include <stdio.h>

#include "backends/cpu/lanes.h"
#include "backends/cpu/random/random.h"
#include "backends/cpu/team/team.h"

static void describe(int device, latmc_device_info *info)
{
    const lm_lane_entry *e = &lm_lane_table[device];
    const char *lacks = e->lacks();
    if (!lacks && !e->built)
        lacks = "not compiled in";
    info->usable = lacks == NULL;
    info->reserved = 0;
    snprintf(info->name, sizeof info->name, "cpu:%s", e->name);
    snprintf(info->text, sizeof info->text, "%s", lacks ? lacks : e->text);
}

#define ENTRIES(name, count) LM_ROW_ENTRIES_##count(lm_cpu_##name),
static const lm_backend_model *const models[] = {LM_EVERY_ROW(ENTRIES) NULL};

const lm_backend lm_cpu_backend = {.name = "cpu",
                                   .count = lm_lane_count,
                                   .describe = describe,
                                   .models = models,
                                   .random = lm_cpu_random,
                                   .workers = lm_team_workers,
                                   .share = lm_team_share};
