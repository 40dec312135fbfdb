/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "outfile.h"
#include "page.h"

static const char *program_name = "latmc";
static int stdout_fault; /* errno of what cli_flush() met */
static int silent, ends_with;
static char last_words[1024]; /* that were not said */

static void say(const char *format, va_list arguments)
{
    if (silent) {
        vsnprintf(last_words, sizeof last_words, format, arguments);
        return;
    }
    cli_flush();
    fprintf(stderr, "%s: ", program_name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
}

void cli_refuse(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    exit(ends_with = CLI_BAD_FLAG);
}

void cli_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    exit(ends_with = CLI_FAILED);
}

void cli_warn(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void cli_name(const char *program)
{
    program_name = program;
}

void cli_silence(void)
{
    silent = 1;
}

const char *cli_last_words(void)
{
    return last_words;
}

int cli_status(void)
{
    return ends_with;
}

const char *cli_reason(void)
{
    static char reason[1024];
    const char *message = latmc_error_message(), *function = message, *colon;
    int rank = 0;

    /* "rank 1: latmc_start: .." */
    if (sscanf(message, "rank %*d: %n", &rank) == 0)
        function += rank;
    colon = strncmp(function, "latmc_", 6) == 0 ? strstr(function, ": ") : NULL;
    snprintf(reason, sizeof reason, "%.*s%s", (int)(function - message), message,
             colon ? colon + 2 : function);
    return reason;
}

/* The library names the variable if that, and no flag, chose the device. */
static int blames_variable(void)
{
    return strstr(latmc_error_message(), "LATMC_DEVICE") != NULL;
}

void cli_setup(latmc_status status, const char *flag)
{
    char subject[96] = "";

    if (status == LATMC_OK)
        return;
    if (!blames_variable())
        snprintf(subject, sizeof subject, "--%s: ", flag);
    switch (status) {
    case LATMC_ERROR_ARGUMENT:
    case LATMC_ERROR_UNKNOWN:
    case LATMC_ERROR_STATE:
    case LATMC_ERROR_NO_DEVICE:
        cli_refuse("%s%s", subject, cli_reason());
    default:
        cli_fail("%s%s", subject, cli_reason());
    }
}

void cli_run(latmc_status status)
{
    if (status && blames_variable())
        cli_setup(status, "device");
    if (status)
        cli_fail("%s", cli_reason());
}

void *cli_memory(int64_t count, size_t bytes)
{
    void *memory = NULL;

    if (count >= 0 && (uint64_t)count <= SIZE_MAX / bytes)
        memory = calloc(count ? (size_t)count : 1, bytes);
    if (!memory)
        cli_fail("there is no memory for %.0f bytes", (double)count * (double)bytes);
    return memory;
}

void cli_need_memory(double numbers, const char *what)
{
    const double bytes = numbers * sizeof(double);
    const double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    if (there > 0 && bytes > there)
        cli_refuse("%s would need %.0f bytes of memory, and this machine has %.0f", what, bytes,
                   there);
}

void cli_enter(const char *directory, const char *const *files)
{
    const char *where = directory ? directory : ".";

    if (directory)
        mkdir(directory, 0777);
    if (chdir(where))
        cli_refuse("--output is \"%s\"; a directory that exists or can be made is needed: %s",
                   where, strerror(errno));
    for (; *files; files++) {
        const char *fault = outfile_fault(*files);

        if (fault)
            cli_refuse("--output is \"%s\", where %s cannot be written: %s", where, *files, fault);
    }
}

double cli_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_flush(void)
{
    if (fflush(stdout) && !stdout_fault)
        stdout_fault = errno;
}

int cli_finish(int status)
{
    cli_flush();
    if (stdout_fault == EPIPE) { /* the reader has had enough, as head does: end as is usual */
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    if (stdout_fault || ferror(stdout))
        cli_fail("the output could not be written: %s",
                 strerror(stdout_fault ? stdout_fault : EIO));
    return status;
}

/* All 64 bits as 16 or 0x10; otherwise what other whole numbers may be, such as 1e6. */
static int read_seed(const char *text, cli_seed *seed)
{
    const int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    int64_t value;
    char *end;

    if (text[0] < '0' || text[0] > '9')
        return 0;
    errno = 0;
    seed->value = strtoull(text, &end, base);
    seed->given = 1;
    if (!*end)
        return !errno;
    if (!cli_integer(text, 0, INT64_MAX, &value))
        return 0;
    seed->value = (uint64_t)value;
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
        if (!cli_real(text, target) || *(double *)target <= 0 ||
            *(double *)target > (double)o->most)
            cli_refuse("--%s is \"%s\"; a number greater than 0, at most %" PRId64 ", is needed",
                       o->name, text, o->most);
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

static void print_flag(const char *flag, const char *text)
{
    char line[512];

    snprintf(line, sizeof line, "  %-24s  %s", flag, text);
    page_text(stdout, 28, line);
}

static void help(const cli_program *program, const cli_table *tables)
{
    printf("usage: %s [flags]\n%s\n\n", program->name, program->about);
    for (; tables->options; tables++)
        for (const cli_option *o = tables->options; o->name; o++) {
            char flag[64];

            snprintf(flag, sizeof flag, "--%s %s", o->name, o->value ? o->value : "");
            print_flag(flag, o->help);
        }
    print_flag("-h, --help", "show this");
    print_flag("--version", "show the version");
    printf("\n");
    page_text(stdout, 0, program->notes);
    printf("\n");
    page_text(
        stdout, 0,
        "Whole numbers may be written as 1e6, seeds also as 0x10. SIGINT (Ctrl-C) and SIGTERM stop "
        "a run at its next chunk of sweeps: what there is is analysed, printed and written, which "
        "may take a while for long series; a second one, 0.25 s later or more, ends it at once.\n"
        "Exit status: 0; 1 if the run failed or a file could not be written; 2 if a flag was "
        "wrong, before anything was done; 130 if SIGINT and 143 if SIGTERM stopped the run.");
    if (program->more)
        program->more();
    exit(cli_finish(0));
}

/* A closed stdout must not become the number of the next file that is opened: what is printed
 * would go there. */
static void occupy_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            return;
}

void cli_company(const char *why)
{
    static const char *const variables[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                               {"PMI_SIZE", "PMI_RANK"}};

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *const size = getenv(variables[i][0]), *const rank = getenv(variables[i][1]);
        int64_t processes, number;

        if (size && rank && cli_integer(size, 2, INT32_MAX, &processes) &&
            cli_integer(rank, 0, 0, &number)) {
            cli_warn("mpirun has started %d processes, and each simulates by itself: %s",
                     (int)processes, why);
            return;
        }
    }
}

void cli_parse(const cli_program *program, const cli_table *tables, int argc, char **argv)
{
    occupy_descriptors();
    program_name = program->name;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + 2, *text = strchr(argv[i], '=');
        const cli_option *o;
        void *values;

        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            help(program, tables);
        if (strcmp(argv[i], "--version") == 0) {
            printf("%s %s\n", program->name, latmc_version());
            exit(cli_finish(0));
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
    if (!find(tables, "mpi", strlen("mpi"), &(void *){NULL}))
        cli_company("this program has no --mpi");
}
