/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cpu/team.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- rounds */

static int take_from(lm_team_part *part, uint32_t round, int64_t count, int64_t *chunk)
{
    uint64_t now = atomic_load_explicit(&part->next, memory_order_relaxed);
    uint64_t next;
    do {
        next = now >> 32 == round ? now & 0xFFFFFFFFu : 0; /* else the part is not begun */
        if ((int64_t)next >= count)
            return 0;
    } while (!atomic_compare_exchange_weak_explicit(&part->next, &now,
                                                    (uint64_t)round << 32 | (next + 1),
                                                    memory_order_relaxed, memory_order_relaxed));
    *chunk = (int64_t)next;
    return 1;
}

int lm_team_take(lm_member *m, int64_t chunks, int64_t *chunk)
{
    lm_team *t = m->team;
    if (t->threads == 1) {
        *chunk = m->next++;
        return *chunk < chunks;
    }
    for (int k = 0; k < t->part_count; k++) {
        const int p = (m->thread + k) % t->part_count;
        const int64_t first = p * chunks / t->part_count;
        const int64_t count = (p + 1) * chunks / t->part_count - first;
        if (take_from(&t->parts[p], m->round, count, chunk)) {
            *chunk += first;
            return 1;
        }
    }
    return 0;
}

void lm_team_meet(lm_member *m)
{
    m->next = 0;
    m->round++;
    if (m->team->threads > 1)
        lm_barrier_wait(&m->team->barrier);
}

/* ---- threads */

int lm_team_threads(int wanted)
{
#ifdef _OPENMP
    return wanted > 0 ? wanted : omp_get_max_threads();
#else
    (void)wanted;
    return 1;
#endif
}

static int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* As many threads as there are, which may be fewer than were asked for. */
static void gather(lm_team *t)
{
#ifdef _OPENMP
    t->threads = omp_get_num_threads();
#else
    t->threads = 1;
#endif
    t->barrier.threads = t->threads;
    t->part_count = t->threads < LM_TEAM_PARTS ? t->threads : LM_TEAM_PARTS;
}

/* Rounds begin with 1, which no part has yet. */
static lm_member member_of(lm_team *t, int thread, int leader)
{
    return (lm_member){.team = t, .thread = thread, .leader = leader, .round = 1};
}

void lm_team_together(int threads, int64_t items, lm_team_work *work, const void *shared)
{
    lm_team team = {.threads = 0};
    (void)threads; /* without OpenMP */
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp single
        gather(&team);
        lm_member m = member_of(&team, thread_number(), thread_number() == 0);
        work(&m, shared, 0, items);
    }
}

void lm_team_apart(int threads, int64_t items, lm_team_work *work, const void *shared)
{
    lm_team one = {.threads = 1};
    (void)threads;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < items; i++) {
        lm_member m = member_of(&one, thread_number(), 1);
        work(&m, shared, i, i + 1);
    }
}
