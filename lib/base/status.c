/* SPDX-License-Identifier: BSD-3-Clause */
/* Has the names and sentences of the status codes, and the calling thread's error message. */
#include "lib/base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct status_row {
    int value;
    const char *name;
    const char *text;
} status_row;

static const status_row rows[] = {
#define STATUS_ROW(name, value, text) {value, #name, text},
    LATMC_STATUS_LIST(STATUS_ROW)
#undef STATUS_ROW
};

static const status_row *row_of(latmc_status status)
{
    static const status_row unknown = {-1, "LATMC_UNKNOWN_STATUS", "a number that is no status"};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].value == (int)status)
            return &rows[i];
    return &unknown;
}

static _Thread_local char message[LM_MESSAGE];

latmc_status lm_fail(latmc_status status, const char *format, ...)
{
    /* The text is made separately, because an argument may be the old message. */
    char text[sizeof message];
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = '\0';
    va_end(arguments);
    memcpy(message, text, sizeof text);
    return status;
}

latmc_status lm_fail_in(const char *caller, latmc_status status)
{
    return status ? lm_fail(status, "%s: %s", caller, message) : status;
}

lm_message lm_message_now(void)
{
    lm_message now;

    memcpy(now.text, message, sizeof now.text);
    return now;
}

void lm_message_again(const lm_message *kept)
{
    memcpy(message, kept->text, sizeof message);
}

latmc_status lm_io_failure(const char *caller, const char *action, const char *path)
{
    const int error = errno;
    char reason[128] = "unknown error";

    (void)!strerror_r(error, reason, sizeof reason);
    return lm_fail(LATMC_ERROR_IO, "%s: cannot %s \"%.400s\": %s (errno %d)", caller, action, path,
                   reason, error);
}

const char *latmc_status_name(latmc_status status)
{
    return row_of(status)->name;
}

const char *latmc_status_text(latmc_status status)
{
    return row_of(status)->text;
}

const char *latmc_error_message(void)
{
    return message;
}

latmc_status latmc_fail(latmc_status status, const char *text)
{
    return status ? lm_fail(status, "%s", text ? text : latmc_status_text(status)) : status;
}

const char *latmc_version(void)
{
    return LM_VERSION;
}
