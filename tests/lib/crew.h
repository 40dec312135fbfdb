/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of threads share. */
#ifndef LM_TESTS_LIB_CREW_H
#define LM_TESTS_LIB_CREW_H

#include "tests/inside.h"

/* ThreadSanitizer is slow; and LeakSanitizer takes a thread for one that has ended, and looks for
 * nothing there, once the kernel's numbers of threads (32768 of them) have come round. */
#if LM_SANITIZED || defined(__SANITIZE_THREAD__)
enum { TIMES = 1 };
#else
enum { TIMES = 10 };
#endif

enum { MOST = 4 }; /* threads of a team here */

#endif
