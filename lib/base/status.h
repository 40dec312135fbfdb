/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the calling thread's error message. */
#ifndef LM_STATUS_H
#define LM_STATUS_H

#include <latmc/latmc.h>

enum { LM_MESSAGE = 1024 }; /* bytes */

/* Sets the message as printf() does and returns the status. Decimal points follow the locale;
 * lm_number() (lib/base/text.h) avoids that. */
__attribute__((format(printf, 2, 3))) latmc_status lm_fail(latmc_status status, const char *format,
                                                           ...);

/* Puts `caller` and a colon before the message of a failure. The failure comes from a backend,
 * which does not know the public function, or from another public function. */
latmc_status lm_fail_in(const char *caller, latmc_status status);

/* lm_message_now() returns the present message. lm_message_again() restores it after a failure that
 * another way has made good. */
typedef struct lm_message {
    char text[LM_MESSAGE];
} lm_message;
lm_message lm_message_now(void);
void lm_message_again(const lm_message *message);

/* Sets the message "CALLER: cannot ACTION "PATH": .." with the words for errno. Returns
 * LATMC_ERROR_IO. */
latmc_status lm_io_failure(const char *caller, const char *action, const char *path);

#endif
