/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/text.h"

#include <stdio.h>
#include <string.h>

lm_number_text lm_number(double value)
{
    lm_number_text out;
    char raw[sizeof out.text];
    size_t n = 0;
    int in_sign = 0;

    snprintf(raw, sizeof raw, "%.9g", value);
    /* A decimal sign can have several bytes. All but the first are dropped. */
    for (const char *c = raw; *c; c++) {
        int plain = strchr("0123456789+-einfa", *c) != NULL;

        if (plain)
            out.text[n++] = *c;
        else if (!in_sign)
            out.text[n++] = '.';
        in_sign = !plain;
    }
    out.text[n] = '\0';
    return out;
}

void lm_append(char *text, size_t bytes, const char *more)
{
    size_t used = strlen(text);

    snprintf(text + used, bytes - used, "%s", more);
}
