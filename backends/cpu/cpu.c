/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU backend: its devices are the lanes, and each model has a table of its own. */
#include "backends/cpu/cpu.h"

#include <stdio.h>

#include "backends/cpu/lanes.h"
#include "backends/forward.h"
#include "lib/status.h"

static void describe(int device, latmc_device_info *info)
{
    const lm_lane_entry *e = &lm_lane_table[device];
    const char *lacks = e->lacks();
    if (!lacks && !e->lane)
        lacks = "not compiled in";
    info->usable = lacks == NULL;
    info->reserved = 0;
    snprintf(info->name, sizeof info->name, "cpu:%s", e->name);
    snprintf(info->text, sizeof info->text, "%s", lacks ? lacks : e->text);
}

static latmc_status open_plan(const lm_spec *spec, int device, void **plan)
{
    static const struct {
        latmc_model model;
        const lm_backend *table;
    } models[] = {{LATMC_ISING, &lm_cpu_ising}, {LATMC_PHI4, &lm_cpu_phi4}};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (models[i].model == spec->model)
            return models[i].table->open(spec, device, plan);
    return lm_fail(LATMC_ERROR_NO_DEVICE, "the CPU backend does not have the model number %d",
                   (int)spec->model);
}

const lm_backend lm_cpu_backend = {
    .name = "cpu", .count = lm_lane_count, .describe = describe, .open = open_plan, LM_FORWARD};
