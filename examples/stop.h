/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SIGINT and SIGTERM end a run early but well: the first is remembered, the library is told at
 * its next progress call, and the program prints and writes what there is. A second one, a quarter
 * of a second later or more, ends the process at once.
 */
#ifndef STOP_H
#define STOP_H

#include <latmc/latmc.h>

/* From here on. Signals that were ignored before, as nohup has it, stay ignored. */
void stop_prepare(void);

/* Several processes stop together: from here on stop_asked(), and a call that a callback stopped in
 * any of them, ask all by this function, which gives the largest number of theirs. */
void stop_together(int (*most)(int number));

/* Has a signal come? */
int stop_asked(void);

/* To this process, where others need not be asked: for callbacks of the library's. */
int stop_came(void);

/* "SIGINT" or "SIGTERM"; NULL if none has come. */
const char *stop_name(void);

/* The exit status that shells give a process which such a signal ended. */
int stop_status(void);

/* A latmc_progress without a bar. */
int stop_progress(void *user, int64_t done, int64_t total);

/* After a call that sweeps: 0 if all is well, 1 if a signal stopped it; anything else ends the
 * program. */
int stop_after(latmc_status status);

#endif
