/* SPDX-License-Identifier: BSD-3-Clause */
/* Composes parts of error messages. */
#ifndef LM_TEXT_H
#define LM_TEXT_H

#include <stddef.h>

/* A number as text, with a decimal point in every locale. */
typedef struct lm_number_text {
    char text[32];
} lm_number_text;

lm_number_text lm_number(double value);

/* Appends to a text of `bytes` bytes and cuts off what does not fit. */
void lm_append(char *text, size_t bytes, const char *more);

#endif
