/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/cli.h"
#include "tests/random/case.h"

static int models(void)
{
    int64_t count = 0;

    return latmc_count(LATMC_MODELS, LATMC_ISING, &count) ? 0 : (int)count;
}

static latmc_model model_at(int index)
{
    latmc_description info = LATMC_INIT(latmc_description);

    return latmc_describe(LATMC_MODELS, LATMC_ISING, index, &info) ? LATMC_ISING
                                                                   : (latmc_model)info.id;
}

/* The description of what has the number in any model; 0: in none. */
static int described(latmc_kind kind, int id, latmc_description *info)
{
    for (int m = 0; m < models(); m++)
        for (int i = 0; !latmc_describe(kind, model_at(m), i, info); i++)
            if (info->id == id)
                return 1;
    return 0;
}

const char *name_of(latmc_kind kind, int id)
{
    latmc_description info = LATMC_INIT(latmc_description);

    return described(kind, id, &info) ? info.name : NULL;
}

int text_of_thing(latmc_kind kind, int thing, char *text, size_t bytes)
{
    const latmc_quantity of = case_quantity(thing);
    latmc_description info = LATMC_INIT(latmc_description);
    int length;

    if (!thing)
        length = snprintf(text, bytes, "none");
    else if (!described(kind, of.observable, &info))
        length = snprintf(text, bytes, "%d", thing);
    else if (info.index == LATMC_INDEX_NONE)
        length = snprintf(text, bytes, "%s", info.name);
    else
        length = snprintf(text, bytes, "%s[%d]", info.name, of.index);
    return length >= 0 && (size_t)length < bytes;
}

int thing_of(latmc_kind kind, const char *text, int *thing)
{
    const size_t length = strcspn(text, "[");
    char name[64];

    *thing = 0;
    if (strcmp(text, "none") == 0)
        return 1;
    if (length >= sizeof name)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (!number_of(kind, name, thing))
        return 0;
    if (text[length])
        *thing = CASE_THING(*thing, atoi(text + length + 1));
    return 1;
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
