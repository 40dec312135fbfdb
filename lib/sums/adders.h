/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes many sums that take their numbers together. Each has the result of lm_adder
 * (lib/sums/adder.h). */
#ifndef LM_ADDERS_H
#define LM_ADDERS_H

#include <latmc/latmc.h>

#include "lib/sums/adder.h"

typedef struct lm_adders {
    int64_t width;   /* number of sums */
    double *partial; /* [level][LM_SUMS_STRIDE][width] */
    int levels, count[LM_ADDER_LEVELS];
} lm_adders;

/* Opens sums that take at most `most` numbers each. The caller closes them even after a failure. */
latmc_status lm_adders_open(lm_adders *adders, const char *caller, int64_t width, int64_t most);
void lm_adders_close(lm_adders *adders);

/* Turns a full block into elements of the level above. */
void lm_adders_lift(lm_adders *adders);

/* Returns the partial sums, [width], that take the next numbers. The caller adds one number to each
 * of them, and then calls lm_adders_added(). */
static inline double *lm_adders_next(const lm_adders *adders)
{
    return adders->partial + adders->count[0] % LM_SUMS_STRIDE * adders->width;
}
static inline void lm_adders_added(lm_adders *adders)
{
    if (++adders->count[0] == LM_SUMS_BLOCK)
        lm_adders_lift(adders);
}
/* Writes the sums, [width]. The sums then begin anew. */
void lm_adders_end(lm_adders *adders, double *sums);

#endif
