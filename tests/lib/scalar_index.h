/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the device "cpu:scalar" of the CPU backend, which backends of tests compute with. */
#ifndef LM_TESTS_LIB_SCALAR_INDEX_H
#define LM_TESTS_LIB_SCALAR_INDEX_H

#include <string.h>

#include "backends/cpu/cpu.h"

/* Returns the device's number, or -1. */
static inline int scalar_index(void)
{
    for (int i = 0; i < lm_cpu_backend.count(); i++) {
        latmc_device_info info = {.size = sizeof info};

        lm_cpu_backend.describe(i, &info);
        if (strcmp(info.name, "cpu:scalar") == 0)
            return i;
    }
    return -1;
}

#endif
