/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets the floating-point environment and restores the caller's. The host program may have set its
 * threads' rounding, flushing of subnormal numbers, and traps. None of these may change a result.
 * So public functions that compute with floating-point numbers begin with LM_FLOATS. While they
 * run, the calling thread rounds to nearest, keeps subnormal numbers and traps nothing. When they
 * return, the environment is the host's again, with its flags.
 *
 * On x86-64 the environment is the register MXCSR alone, at 10 ns a call, because nothing in the
 * library uses the x87 unit. fegetenv() and fesetenv() set both units, at 230 ns.
 */
#ifndef LM_FLOATS_H
#define LM_FLOATS_H

#if defined(__x86_64__)
#include <stdint.h>

typedef struct lm_floats {
    uint32_t control; /* MXCSR */
} lm_floats;

/* "memory" keeps every load and store of a number on its side of the change. */
static inline void lm_floats_set(const lm_floats *f)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(f->control) : "memory");
}

/* Sets the library's environment. Returns the previous one. */
static inline lm_floats lm_floats_enter(void)
{
    const lm_floats own = {0x1F80}; /* all exceptions are masked, no flag and no other bit is set */
    lm_floats host;

    __asm__ volatile("stmxcsr %0" : "=m"(host.control) : : "memory");
    lm_floats_set(&own);
    return host;
}
#else
#include <fenv.h>

typedef fenv_t lm_floats;

static inline void lm_floats_set(const lm_floats *f)
{
    fesetenv(f);
}

static inline lm_floats lm_floats_enter(void)
{
    lm_floats host;

    fegetenv(&host);
    fesetenv(FE_DFL_ENV);
    return host;
}
#endif

/* Sets the host's environment until lm_floats_again(), for a call of the host's function. Changes
 * that the function makes to the environment stay. */
static inline void lm_floats_leave(lm_floats *host)
{
    lm_floats_set(host);
}

static inline void lm_floats_again(lm_floats *host)
{
    *host = lm_floats_enter();
}

/* Declares lm_host, the host's environment, and sets the library's until the end of the block,
 * however the block ends. */
#define LM_FLOATS                                                                                  \
    __attribute__((cleanup(lm_floats_leave), unused)) lm_floats lm_host = lm_floats_enter()

#endif
