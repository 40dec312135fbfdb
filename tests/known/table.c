/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/known/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int table_next(FILE *file, table_row *row)
{
    char line[sizeof row->text];
    int length = 0;
    const char *bad;

    if (!fgets(line, sizeof line, file))
        return 0;
    line[strcspn(line, "\n")] = '\0';
    memset(row, 0, sizeof *row);
    row->has_case = line[0] && line[0] != '#';
    row->has_answers =
        sscanf(line, "%16" SCNx64 " %16" SCNx64 " %n", &row->trajectory, &row->form, &length) == 2;
    strcpy(row->text, line + (row->has_answers ? length : 0));
    bad = row->has_case ? case_parse(row->text, &row->c) : NULL;
    if (!bad)
        return 1;
    fprintf(stderr, "the table: %s cannot be read in: %.200s\n", bad, row->text);
    exit(2);
}
