/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies replicas of a plan onto others, all at once, slice by slice. */
#ifndef LM_CPU_COPIES_H
#define LM_CPU_COPIES_H

#include <latmc/latmc.h>

/* Memory that a plan keeps for crossings and copies. */
typedef struct lm_cpu_room {
    uint64_t *words;
    int64_t count;
} lm_cpu_room;

/* Sees to it that there are so many words. On failure the room stays as it is. */
latmc_status lm_cpu_room_make(lm_cpu_room *room, int64_t words);

/* Units of equal size that follow each other. Each is a replica, or a group of replicas that share
 * words. A group has the segments of some words. */
typedef struct lm_cpu_copies {
    char *units;
    int64_t count, pitch, bytes; /* units; bytes from one to the next; bytes of one */
    int64_t replicas;
    int per_word, segment; /* replicas of a group, and their bits of a word; 1: no groups */
    int64_t first_nth;     /* the place of replica 0 in the first group */
    const int64_t *from;   /* [replica]; NULL: only the memory is taken */
} lm_cpu_copies;

latmc_status lm_cpu_copy(const lm_cpu_copies *copies, lm_cpu_room *room, int threads);

/* Copies counts likewise: numbers[r * step] becomes numbers[from[r] * step]. The next function does
 * so with real numbers. lm_cpu_copy() has made the room. */
void lm_cpu_copy_numbers(const lm_cpu_copies *copies, const lm_cpu_room *room,
                         _Atomic int64_t *numbers, int64_t step);
void lm_cpu_copy_reals(const lm_cpu_copies *copies, const lm_cpu_room *room, double *numbers);

#endif
