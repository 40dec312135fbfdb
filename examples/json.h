/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON, written piece by piece (RFC 8259). A key is NULL inside an array. */
#ifndef JSON_H
#define JSON_H

#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16 };

typedef struct json {
    FILE *file;
    int depth;
    int used[JSON_DEPTH]; /* whether something stands at this depth already */
} json;

/* The shortest decimal text that reads back as the same number. */
typedef struct json_digits {
    char text[32];
} json_digits;

json_digits json_shortest(double value);

void json_open(json *j, const char *key, char bracket);      /* '{' or '[' */
void json_close(json *j, char bracket);                      /* '}' or ']' */
void json_text(json *j, const char *key, const char *value); /* null if it is NULL */
void json_integer(json *j, const char *key, int64_t value);
void json_unsigned(json *j, const char *key, uint64_t value);
void json_boolean(json *j, const char *key, int value);
void json_real(json *j, const char *key, double value); /* null if it is not finite */

#endif
