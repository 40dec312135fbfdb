/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *program_name = "latmc";

static _Noreturn void stop(int status, const char *format, va_list arguments)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", program_name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    exit(status);
}

void cli_refuse(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    stop(CLI_BAD_FLAG, format, arguments);
}

void cli_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    stop(CLI_FAILED, format, arguments);
}

/* The library's sentence without the name of the function, which no user called. */
static const char *reason(void)
{
    const char *message = latmc_error_message();
    const char *colon = strstr(message, ": ");

    return strncmp(message, "latmc_", 6) == 0 && colon ? colon + 2 : message;
}

void cli_setup(latmc_status status, const char *flag)
{
    switch (status) {
    case LATMC_OK:
        return;
    case LATMC_ERROR_ARGUMENT:
    case LATMC_ERROR_UNKNOWN:
    case LATMC_ERROR_STATE:
    case LATMC_ERROR_NO_DEVICE:
        cli_refuse("--%s: %s", flag, reason());
    default:
        cli_fail("--%s: %s", flag, reason());
    }
}

void cli_run(latmc_status status)
{
    if (status)
        cli_fail("%s", reason());
}

void *cli_memory(int64_t count, size_t bytes)
{
    void *memory = NULL;

    if (count >= 0 && (uint64_t)count <= SIZE_MAX / bytes)
        memory = calloc(count ? (size_t)count : 1, bytes);
    if (!memory)
        cli_fail("there is no memory for %" PRId64 " numbers", count);
    return memory;
}

void cli_enter(const char *directory)
{
    mkdir(directory, 0777);
    if (chdir(directory))
        cli_refuse("--output is \"%s\"; a directory that exists or can be made is needed",
                   directory);
    if (access(".", W_OK))
        cli_refuse("--output is \"%s\"; a directory that can be written to is needed", directory);
}

double cli_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int cli_finish(void)
{
    if (fflush(stdout) || ferror(stdout))
        cli_fail("the output could not be written: %s", strerror(errno));
    return 0;
}

int cli_real(const char *text, double *value)
{
    char *end;
    double x;

    if (!strchr("+-.0123456789", text[0]))
        return 0;
    x = strtod(text, &end);
    if (end == text || *end || !isfinite(x))
        return 0;
    *value = x;
    return 1;
}

int cli_integer(const char *text, int64_t least, int64_t most, int64_t *value)
{
    char *end;
    long long x;

    if (!strchr("+-0123456789", text[0]))
        return 0;
    errno = 0;
    x = strtoll(text, &end, 10);
    if (end == text || *end || errno || x < least || x > most)
        return 0;
    *value = x;
    return 1;
}

static int read_seed(const char *text, cli_seed *seed)
{
    char *end;

    if (text[0] < '0' || text[0] > '9')
        return 0;
    errno = 0;
    seed->value = strtoull(text, &end, 0);
    seed->given = 1;
    return !*end && !errno;
}

int cli_next(const char **rest, char separator, char *piece, size_t bytes)
{
    const char *from = *rest, *to;
    size_t length;

    if (!from)
        return 0;
    to = strchr(from, separator);
    length = to ? (size_t)(to - from) : strlen(from);
    if (length >= bytes)
        return 0;
    memcpy(piece, from, length);
    piece[length] = '\0';
    *rest = to ? to + 1 : NULL;
    return 1;
}

static void take(const cli_option *o, char *values, const char *text)
{
    void *target = values + o->offset;
    cli_list *list = target;

    switch (o->type) {
    case CLI_SWITCH:
        *(int *)target = 1;
        break;
    case CLI_TEXT:
        *(const char **)target = text;
        break;
    case CLI_LIST:
        if (list->count == CLI_LIST_MAX)
            cli_refuse("--%s can be given at most %d times", o->name, CLI_LIST_MAX);
        list->items[list->count++] = text;
        break;
    case CLI_INTEGER:
        if (!cli_integer(text, o->least, o->most, target))
            cli_refuse("--%s is \"%s\"; a whole number from %" PRId64 " to %" PRId64 " is needed",
                       o->name, text, o->least, o->most);
        break;
    case CLI_SEED:
        if (!read_seed(text, target))
            cli_refuse("--%s is \"%s\"; a whole number from 0 to 2^64 - 1 is needed", o->name,
                       text);
        break;
    case CLI_REAL:
        if (!cli_real(text, target) || *(double *)target <= 0)
            cli_refuse("--%s is \"%s\"; a number greater than 0 is needed", o->name, text);
        break;
    }
}

static const cli_option *find(const cli_table *tables, const char *name, size_t length,
                              void **values)
{
    for (; tables->options; tables++)
        for (const cli_option *o = tables->options; o->name; o++)
            if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) {
                *values = tables->values;
                return o;
            }
    return NULL;
}

static void help(const cli_program *program, const cli_table *tables)
{
    static const char *const own[][2] = {{"--help", "show this"},
                                         {"--version", "show the version"}};

    printf("usage: %s [flags]\n%s\n\n", program->name, program->about);
    for (; tables->options; tables++)
        for (const cli_option *o = tables->options; o->name; o++) {
            char flag[64];

            snprintf(flag, sizeof flag, "--%s %s", o->name, o->value ? o->value : "");
            printf("  %-26s %s\n", flag, o->help);
        }
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        printf("  %-26s %s\n", own[i][0], own[i][1]);
    if (program->notes)
        printf("\n%s\n", program->notes);
    if (program->more)
        program->more();
    exit(cli_finish());
}

void cli_parse(const cli_program *program, const cli_table *tables, int argc, char **argv)
{
    program_name = program->name;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + 2, *text = strchr(argv[i], '=');
        const cli_option *o;
        void *values;

        if (strcmp(argv[i], "--help") == 0)
            help(program, tables);
        if (strcmp(argv[i], "--version") == 0) {
            printf("%s %s\n", program->name, latmc_version());
            exit(cli_finish());
        }
        if (strncmp(argv[i], "--", 2) != 0)
            cli_refuse("\"%s\" is no flag; --help lists them", argv[i]);
        o = find(tables, name, text ? (size_t)(text - name) : strlen(name), &values);
        if (!o)
            cli_refuse("there is no flag \"%s\"; --help lists them", argv[i]);
        if (o->type == CLI_SWITCH && text)
            cli_refuse("--%s takes no value", o->name);
        if (text)
            text++;
        else if (o->type != CLI_SWITCH && ++i < argc)
            text = argv[i];
        if (o->type != CLI_SWITCH && !text)
            cli_refuse("--%s needs a value: %s", o->name, o->value);
        take(o, values, text);
    }
}
