/* SPDX-License-Identifier: BSD-3-Clause */
/* 1 / i! for i = 0 .. 18, the coefficients of series, as a list. */
#ifndef LM_FACTORIALS_H
#define LM_FACTORIALS_H

#define LM_INVERSE_FACTORIALS                                                                      \
    1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,           \
        1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0,          \
        1.0 / 87178291200.0, 1.0 / 1307674368000.0, 1.0 / 20922789888000.0,                        \
        1.0 / 355687428096000.0, 1.0 / 6402373705728000.0

#endif
