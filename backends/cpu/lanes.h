/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lanes are the instruction sets for which inner loops are compiled. Each lane is a device of
 * the CPU backend, even if it was not compiled in or this CPU cannot run it. A model has a table of
 * inner loops for each lane, named PREFIX, lane, SUFFIX.
 */
#ifndef LM_LANES_H
#define LM_LANES_H

typedef struct lm_lane_entry {
    const char *name;           /* "avx2" */
    const char *text;           /* a description */
    const char *(*lacks)(void); /* returns what the CPU lacks for the lane, or NULL */
    int built;                  /* 1: the lane is compiled in */
} lm_lane_entry;

extern const lm_lane_entry lm_lane_table[]; /* best first; ends with the scalar lane */
int lm_lane_count(void);

#ifdef LM_HAVE_LANE_AVX512
#define LM_IF_AVX512(x) (x)
#else
#define LM_IF_AVX512(x) 0
#endif
#ifdef LM_HAVE_LANE_AVX2
#define LM_IF_AVX2(x) (x)
#else
#define LM_IF_AVX2(x) 0
#endif
#ifdef LM_HAVE_LANE_NEON
#define LM_IF_NEON(x) (x)
#else
#define LM_IF_NEON(x) 0
#endif

/* Declare a model's tables, and list pointers to them in the order of lm_lane_table. The pointer is
 * NULL if the lane is not compiled in. */
#define LM_DECLARE_LANES(type, prefix, suffix)                                                     \
    extern const type prefix##avx512##suffix, prefix##avx2##suffix, prefix##neon##suffix,          \
        prefix##scalar##suffix
#define LM_EVERY_LANE(prefix, suffix)                                                              \
    LM_IF_AVX512(&prefix##avx512##suffix), LM_IF_AVX2(&prefix##avx2##suffix),                      \
        LM_IF_NEON(&prefix##neon##suffix), &prefix##scalar##suffix

/* The name of such a table in a file that is compiled for each lane, with LM_LANE defined. */
#define LM_LANE_NAME(prefix, suffix)        LM_LANE_JOIN(prefix, LM_LANE, suffix)
#define LM_LANE_JOIN(prefix, lane, suffix)  LM_LANE_PASTE(prefix, lane, suffix)
#define LM_LANE_PASTE(prefix, lane, suffix) prefix##lane##suffix
#define LM_LANE_STRING(lane)                LM_LANE_QUOTE(lane)
#define LM_LANE_QUOTE(lane)                 #lane

#endif
