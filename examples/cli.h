/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the bundled programs share: flags by table, numbers from text, and ways to stop.
 * Numbers are read and written with a point because no program calls setlocale().
 */
#ifndef CLI_H
#define CLI_H

#include <latmc/latmc.h>

enum { CLI_LIST_MAX = 32 };

/* Exit statuses; a run that a signal stopped has those of stop.h. */
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
    CLI_INTEGER, /* int64_t, from `least` to `most`; 1e6 will do */
    CLI_SEED,    /* cli_seed */
    CLI_REAL     /* double, greater than 0, at most `most` */
} cli_type;

typedef struct cli_option {
    const char *name; /* without the dashes; NULL ends a table */
    cli_type type;
    size_t offset;     /* of the member of the table's values that it sets */
    const char *value; /* what --help calls the value */
    const char *help;
    int64_t least, most;
} cli_option;

/* Flags that every program has. */
#define CLI_DEVICE_HELP  "auto, cpu or one of the list below (auto)"
#define CLI_THREADS_HELP "threads of the host; 0 is the library's choice (0)"

typedef struct cli_table {
    const cli_option *options; /* NULL ends an array of tables */
    void *values;
} cli_table;

typedef struct cli_program {
    const char *name;
    const char *about;  /* the lines below the usage */
    const char *notes;  /* the text below the flags */
    void (*more)(void); /* prints what follows the notes, or NULL */
} cli_program;

/* What it calls itself; cli_parse() says so, too. */
void cli_name(const char *program);

/* Reads all flags, answers -h, --help and --version, and stops at the first bad one. */
void cli_parse(const cli_program *program, const cli_table *tables, int argc, char **argv);

/* The whole text as a number: 1 if it is one, and then a finite one. */
int cli_real(const char *text, double *value);
int cli_integer(const char *text, int64_t least, int64_t most, int64_t *value);

/* What is wrong with a text that cli_real() did not take, such as "is no number". */
const char *cli_real_fault(const char *text);

/* Takes the text up to the next `separator` outside brackets out of *rest; 0 at the end or if it
 * does not fit. */
int cli_next(const char **rest, char separator, char *piece, size_t bytes);

/* Says "program: sentence" and stops with status 2, or with status 1. */
_Noreturn void cli_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says "program: sentence" on stderr and goes on. */
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Warns if mpirun has started several processes that do not share a lattice. Each of them prints
 * the same results, so the first process alone warns and says why. */
void cli_company(const char *why);
/* From now on this process prints none of these, but keeps the last one. */
void cli_silence(void);
const char *cli_last_words(void);

/* What the process ends with, once one of these ends it; otherwise 0. */
int cli_status(void);

/* The library's last sentence without the name of the function, which no user called. */
const char *cli_reason(void);

/* Stop if a call failed: with status 2 if what a flag, or the variable LATMC_DEVICE, said was
 * the reason. */
void cli_setup(latmc_status status, const char *flag);
void cli_run(latmc_status status);

/* Stops with status 2 if more than the machine's memory would be needed for `numbers` of `what`. */
void cli_need_memory(double numbers, const char *what);

/* Memory for `count` things of `bytes` each, or stop. */
void *cli_memory(int64_t count, size_t bytes);

/* Makes the directory of --output, or NULL for none, the current one; stops if it cannot, or if
 * one of the files, of which NULL is the last, could not be written there. */
void cli_enter(const char *directory, const char *const *files);

/* Seconds of a clock that only runs forward. */
double cli_clock(void);

/* Have what was printed so far written; why it cannot be is for cli_finish() to say. */
void cli_flush(void);

/* The exit status of a program that is done: `status` unless stdout failed. */
int cli_finish(int status);

#endif
