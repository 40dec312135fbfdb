/* SPDX-License-Identifier: BSD-3-Clause */
#include "results_wish.h"

#include <string.h>

/* Takes the next text out of *rest. */
static int next_text(const char **rest, char text[QUANTITY_BYTES])
{
    if (!*rest)
        return 0;
    if (!cli_next(rest, ',', text, QUANTITY_BYTES) || !text[0])
        cli_refuse("--quantities needs a list such as energy,binder,structure[0]");
    return 1;
}

/* "structure" names "structure[0]", and "weighted[1]" names "weighted[1,0]". */
static int names(const char *wish, const char *text)
{
    const size_t length = strlen(wish), but_last = length - 1;

    if (strcmp(wish, text) == 0)
        return 1;
    if (wish[but_last] == ']')
        return strncmp(wish, text, but_last) == 0 && text[but_last] == ',';
    return strncmp(wish, text, length) == 0 && text[length] == '[';
}

int results_wished(const char *list, const char *text)
{
    const char *rest = list;
    char wish[QUANTITY_BYTES];
    int any = !list;

    while (next_text(&rest, wish))
        any |= names(wish, text);
    return any;
}

static int is_there(const char *wish, const results *r)
{
    int any = 0;

    for (int i = 0; i < r->quantities; i++)
        any |= names(wish, r->list[i].name);
    return any;
}

void results_check_wish(const char *list, const results *r, const latmc_lattice *lattice)
{
    const char *rest = list;
    char wish[QUANTITY_BYTES];
    latmc_quantity unused;

    while (next_text(&rest, wish)) {
        if (is_there(wish, r))
            continue;
        cli_setup(latmc_quantity_find(lattice, wish, &unused), "quantities");
        cli_refuse("--quantities: %s is no result of this lattice", wish);
    }
}
