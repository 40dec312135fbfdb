/* SPDX-License-Identifier: BSD-3-Clause */
/* The calling thread's error message. */
#ifndef LM_STATUS_H
#define LM_STATUS_H

#include <latmc/latmc.h>

/* Sets the message, printf-like and without regard to the locale's decimal point
 * where it matters to nobody, and returns the status. */
__attribute__((format(printf, 2, 3))) latmc_status lm_fail(latmc_status status,
                                                           const char *format, ...);

#endif
