/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the bundled programs share: flags by table, numbers from text, and ways to stop.
 * Numbers are read and written with a point because no program calls setlocale().
 */
#ifndef CLI_H
#define CLI_H

#include <latmc/latmc.h>

enum { CLI_LIST_MAX = 32 };

/* Exit statuses. */
enum { CLI_FAILED = 1, CLI_BAD_FLAG = 2 };

typedef struct cli_list {
    int count;
    const char *items[CLI_LIST_MAX];
} cli_list;

typedef struct cli_seed {
    int given;
    uint64_t value;
} cli_seed;

typedef enum cli_type {
    CLI_SWITCH,  /* int, set to 1 */
    CLI_TEXT,    /* const char * */
    CLI_LIST,    /* cli_list; the flag may be repeated */
    CLI_INTEGER, /* int64_t, from `least` to `most` */
    CLI_SEED,    /* cli_seed */
    CLI_REAL     /* double, greater than 0 */
} cli_type;

typedef struct cli_option {
    const char *name; /* without the dashes; NULL ends a table */
    cli_type type;
    size_t offset;     /* of the member of the table's values that it sets */
    const char *value; /* what --help calls the value */
    const char *help;
    int64_t least, most;
} cli_option;

typedef struct cli_table {
    const cli_option *options; /* NULL ends an array of tables */
    void *values;
} cli_table;

typedef struct cli_program {
    const char *name;
    const char *about;  /* the lines below the usage */
    const char *notes;  /* the lines below the flags, or NULL */
    void (*more)(void); /* prints what follows the notes, or NULL */
} cli_program;

/* Reads all flags, answers --help and --version, and stops at the first bad one. */
void cli_parse(const cli_program *program, const cli_table *tables, int argc, char **argv);

/* The whole text as a number: 1 if it is one, and then a finite one. */
int cli_real(const char *text, double *value);
int cli_integer(const char *text, int64_t least, int64_t most, int64_t *value);

/* Takes the text up to the next `separator` out of *rest; 0 at the end or if it does not fit. */
int cli_next(const char **rest, char separator, char *piece, size_t bytes);

/* Says "program: sentence" and stops with status 2, or with status 1. */
_Noreturn void cli_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Stop if a call failed: with status 2 if what a flag said was the reason. */
void cli_setup(latmc_status status, const char *flag);
void cli_run(latmc_status status);

/* Memory for `count` things of `bytes` each, or stop. */
void *cli_memory(int64_t count, size_t bytes);

/* Makes the directory of --output the current one, or stops. */
void cli_enter(const char *directory);

/* Seconds of a clock that only runs forward. */
double cli_clock(void);

/* The exit status of a program that did all it had to: 0 unless stdout failed. */
int cli_finish(void);

#endif
