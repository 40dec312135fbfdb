/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies replicas onto others, slice by slice. A slice is some consecutive bytes of every replica,
 * or of every group. A thread gathers the new bytes of a slice in a buffer, and then copies them to
 * their places. So nothing is lost before it has been copied, in whatever cycles replicas change
 * places, and the lattice needs no second copy.
 */
#include "backends/cpu/copies.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cpu/team/team.h"
#include "lib/base/minmax.h"
#include "lib/base/memory.h"

/* A buffer that some cache holds, unless there are too many units, and the bounds of a slice. A
 * slice has whole cache lines. */
enum { BUFFER_BYTES = 1 << 20, LEAST_SLICE = 64, MOST_SLICE = 1 << 16, WORD_BYTES = 8 };

/* The time of a byte of one replica, in nanoseconds. */
#define BYTE_NS 0.2

latmc_status lm_cpu_room_make(lm_cpu_room *room, int64_t words)
{
    uint64_t *larger;
    if (words <= room->count)
        return LATMC_OK;
    larger = lm_unzeroed(NULL, "rows of sites", words, sizeof *larger);
    if (!larger)
        return LATMC_ERROR_MEMORY;
    free(room->words);
    *room = (lm_cpu_room){larger, words};
    return LATMC_OK;
}

typedef struct job {
    const lm_cpu_copies *c;
    int64_t slice; /* bytes */
    char *buffers; /* [thread][unit][slice] */
} job;

/* Adds a replica's bits to the words of its new group. */
static void add_shared(const lm_cpu_copies *c, int64_t replica, int nth, int64_t first,
                       int64_t bytes, uint32_t *to)
{
    const int64_t number = c->first_nth + c->from[replica];
    const char *const group = c->units + number / c->per_word * c->pitch + first;
    const uint32_t *const from = (const uint32_t *)(const void *)group;
    const int there = (int)(number % c->per_word) * c->segment, here = nth * c->segment;
    const uint32_t bits = (1u << c->segment) - 1u;
    for (int64_t w = 0; w < bytes / (int64_t)sizeof *to; w++)
        to[w] = (to[w] & ~(bits << here)) | (from[w] >> there & bits) << here;
}

/* Gathers what a unit gets in a slice. Bits of no replica stay as they are. */
static void gather(const lm_cpu_copies *c, int64_t unit, int64_t first, int64_t bytes, char *to)
{
    const int64_t source = c->per_word > 1 ? unit : c->from[unit];
    memcpy(to, c->units + source * c->pitch + first, (size_t)bytes);
    for (int nth = 0; c->per_word > 1 && nth < c->per_word; nth++) {
        const int64_t r = unit * c->per_word + nth - c->first_nth;
        if (r >= 0 && r < c->replicas)
            add_shared(c, r, nth, first, bytes, (uint32_t *)(void *)to);
    }
}

static void do_item(void *user, int thread, int64_t i)
{
    const job *j = user;
    const lm_cpu_copies *c = j->c;
    const int64_t first = i * j->slice, bytes = lm_min(j->slice, c->bytes - first);
    char *const buffer = j->buffers + thread * c->count * j->slice;
    for (int64_t t = 0; t < c->count; t++)
        gather(c, t, first, bytes, buffer + t * j->slice);
    for (int64_t t = 0; t < c->count; t++)
        memcpy(c->units + t * c->pitch + first, buffer + t * j->slice, (size_t)bytes);
}

latmc_status lm_cpu_copy(const lm_cpu_copies *c, lm_cpu_room *room, int threads)
{
    const int64_t fit = BUFFER_BYTES / c->count / LEAST_SLICE * LEAST_SLICE;
    job j = {.c = c, .slice = lm_min(lm_max(fit, LEAST_SLICE), MOST_SLICE)};
    const int workers =
        lm_team_workers(threads, BYTE_NS * (double)c->bytes * (double)(c->count * c->per_word));
    const int64_t words = workers * c->count * (j.slice / WORD_BYTES);
    const latmc_status status = lm_cpu_room_make(room, lm_max(words, c->replicas));
    if (status || !c->from)
        return status;
    j.buffers = (char *)room->words;
    lm_team_share(threads, workers, (c->bytes + j.slice - 1) / j.slice, do_item, &j);
    return LATMC_OK;
}

void lm_cpu_copy_numbers(const lm_cpu_copies *c, const lm_cpu_room *room, _Atomic int64_t *numbers,
                         int64_t step)
{
    int64_t *const now = (int64_t *)room->words;
    for (int64_t r = 0; r < c->replicas; r++)
        now[r] = numbers[c->from[r] * step];
    for (int64_t r = 0; r < c->replicas; r++)
        numbers[r * step] = now[r];
}

void lm_cpu_copy_reals(const lm_cpu_copies *c, const lm_cpu_room *room, double *numbers)
{
    double *const now = (double *)room->words;
    for (int64_t r = 0; r < c->replicas; r++)
        now[r] = numbers[c->from[r]];
    memcpy(numbers, now, (size_t)c->replicas * sizeof *numbers);
}
