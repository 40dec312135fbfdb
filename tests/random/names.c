/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/names.h"

#include "examples/cli.h"

static int models(void)
{
    int count = 0;

    return latmc_count(LATMC_MODELS, LATMC_ISING, &count) ? 0 : count;
}

static latmc_model model_at(int index)
{
    latmc_info info = LATMC_INIT(latmc_info);

    return latmc_describe(LATMC_MODELS, LATMC_ISING, index, &info) ? LATMC_ISING
                                                                   : (latmc_model)info.id;
}

const char *name_of(latmc_kind kind, int id)
{
    latmc_info info = LATMC_INIT(latmc_info);

    for (int m = 0; m < models(); m++)
        for (int i = 0; !latmc_describe(kind, model_at(m), i, &info); i++)
            if (info.id == id)
                return info.name;
    return NULL;
}

int number_of(latmc_kind kind, const char *name, int *id)
{
    int64_t number;

    for (int m = 0; m < models(); m++)
        if (latmc_find(kind, model_at(m), name, id) == LATMC_OK)
            return 1;
    if (!cli_integer(name, INT32_MIN, INT32_MAX, &number))
        return 0;
    *id = (int)number;
    return 1;
}
