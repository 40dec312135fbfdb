/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the calling thread's error message. */
#ifndef LM_STATUS_H
#define LM_STATUS_H

#include <latmc/latmc.h>

enum { LM_MESSAGE = 1024 }; /* bytes */

/* Sets the message, printf-like and without regard to the locale's decimal point
 * where it matters to nobody, and returns the status. */
__attribute__((format(printf, 2, 3))) latmc_status lm_fail(latmc_status status, const char *format,
                                                           ...);

/* Puts `caller` and a colon before the message of a failure: that of a backend, which does not
 * know the public function, or of a public function that another one called. */
latmc_status lm_fail_in(const char *caller, latmc_status status);

/* The message as it is; and as it was again, after a failure that another way made good. */
typedef struct lm_message {
    char text[LM_MESSAGE];
} lm_message;
lm_message lm_message_now(void);
void lm_message_again(const lm_message *message);

/* LATMC_ERROR_IO with the words for errno: "CALLER: cannot ACTION "PATH": .." */
latmc_status lm_io_failure(const char *caller, const char *action, const char *path);

#endif
