/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the lane vocabulary in plain C: one word, from lib/physics/lane_one.h, and its access to
 * memory. */
#ifndef LM_LANE_H
#define LM_LANE_H

#include "lib/physics/lane_one.h"

/* Addresses may have any alignment. store_first stores the first n lanes. If a word has sites of
 * several colours, a thread stores it while others read those of its bits that do not change. Words
 * are stored whole, so this is allowed. */
LM_INLINE lm_word lm_load(const uint32_t *p)
{
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}
LM_INLINE void lm_store(uint32_t *p, lm_word v)
{
    __atomic_store_n(p, v, __ATOMIC_RELAXED);
}
LM_INLINE void lm_store_first(uint32_t *p, lm_word v, int n)
{
    (void)n;
    lm_store(p, v);
}
LM_INLINE void lm_leave(void)
{
}
LM_INLINE void lm_store_blocks(uint32_t *p, const lm_word first[LM_COUPLE],
                               const lm_word last[LM_COUPLE])
{
    p[0] = first[0];
    p[1] = first[1];
    p[2] = last[0];
    p[3] = last[1];
}

#endif
